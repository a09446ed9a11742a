# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Draws of segments, compiled: how often each resample holds each segment.

The generator is NumPy's PCG64 (O'Neill 2014, "PCG: A Family of Simple Fast Space-Efficient
Statistically Good Algorithms for Random Number Generation": 128 bits of state, output XSL-RR), and a
number below n is made of 32 of its bits, the lower half of an output first, as NumPy makes it:
Lemire (2019), "Fast Random Integer Generation in an Interval".  Step, draw and count are one loop, so
that nothing that is drawn is ever stored.
"""

from libc.stdint cimport uint32_t, uint64_t

cdef extern from *:
    """
    #ifdef _MSC_VER
    #include <intrin.h>
    #define upper_half(a, b) __umulh(a, b)
    #else
    #define upper_half(a, b) ((uint64_t)(((unsigned __int128)(a) * (b)) >> 64))
    #endif
    """
    uint64_t upper_half(uint64_t, uint64_t) nogil  # of a product of 128 bits

# The multiplier of the generator, in two halves.
cdef uint64_t UPPER = 0x2360ED051FC65DA4
cdef uint64_t LOWER = 0x4385DF649FCCF645


cdef class Draws:
    """A stream of draws from a number of segments.

    Args:
        segments: how many there are, from 1 to 2**32 - 1.
        state: the state of a `numpy.random.PCG64`, of 128 bits.
        increment: the increment of the same.
    """

    cdef uint64_t upper, lower, increment_upper, increment_lower
    cdef uint32_t segments
    cdef uint32_t rest  # the upper half of the last output, where only the lower one was used
    cdef bint has_rest

    def __init__(self, uint32_t segments, state, increment):
        if segments == 0:
            raise ValueError("no segments to draw from")
        self.segments = segments
        self.upper, self.lower = state >> 64, state & 0xFFFFFFFFFFFFFFFF
        self.increment_upper = increment >> 64
        self.increment_lower = increment & 0xFFFFFFFFFFFFFFFF
        self.has_rest = False

    def fill(self, float[:, ::1] counts not None):
        """Draw a resample for each row, of as many segments as a row is long, and count them.

        Args:
            counts: zeros, of shape (resamples, segments).
        """
        if counts.shape[1] != self.segments:
            raise ValueError(f"{counts.shape[1]} columns for {self.segments} segments")
        if counts.shape[0]:
            with nogil:
                self._fill(&counts[0, 0], counts.shape[0])

    cdef void _fill(self, float *row, Py_ssize_t rows) noexcept nogil:
        cdef uint64_t upper = self.upper, lower = self.lower
        cdef uint64_t increment_upper = self.increment_upper
        cdef uint64_t increment_lower = self.increment_lower
        cdef uint32_t segments = self.segments
        # Products whose lower half is below this would favour some segments, and are thrown away.
        cdef uint32_t threshold = (0xFFFFFFFFU - (segments - 1)) % segments
        cdef Py_ssize_t left = segments
        cdef uint64_t output, turn, product
        cdef int half, halves = 2
        if self.has_rest:
            output = self.rest
            halves = 1
        while True:
            if halves == 2:
                # state = state * multiplier + increment, modulo 2**128
                upper = upper_half(lower, LOWER) + upper * LOWER + lower * UPPER + increment_upper
                lower = lower * LOWER + increment_lower
                upper += lower < increment_lower
                output, turn = upper ^ lower, upper >> 58
                output = (output >> turn) | (output << ((64 - turn) & 63))
            for half in range(halves):
                product = (output & 0xFFFFFFFFU) * segments
                output >>= 32
                if <uint32_t>product < threshold:
                    continue
                row[product >> 32] += 1
                left -= 1
                if left == 0:
                    rows -= 1
                    if rows == 0:
                        self.upper, self.lower = upper, lower
                        self.has_rest = halves == 2 and half == 0
                        self.rest = <uint32_t>output
                        return
                    row += segments
                    left = segments
            halves = 2
