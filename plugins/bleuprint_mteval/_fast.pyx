# cython: language_level=3, boundscheck=False, wraparound=False
"""The machine of `_rules`, compiled: one pass over each line, and equal tokens share one string."""

from cpython.list cimport PyList_New, PyList_SET_ITEM
from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Realloc
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF, Py_XDECREF
from cpython.unicode cimport PyUnicode_Check, PyUnicode_GetLength, PyUnicode_Substring
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp


cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)


ctypedef fused Char:
    uint8_t
    uint16_t
    uint32_t


# the kinds of `_rules`
cdef enum:
    OTHER = 0
    SPACE = 1
    SYMBOL = 2
    MARK = 3
    DIGIT = 4
    DASH = 5

cdef enum:
    CODE_POINTS = 0x110000
    LONGEST_SHARED = 64  # characters; longer tokens hardly recur
    FEWEST_SLOTS_BITS = 6
    MOST_SLOTS_BITS = 13


cdef class _Tokens:
    """The tokens seen last, one for each value of a hash: where a token is there, it is shared."""

    cdef PyObject** slots
    cdef int bits

    def __cinit__(self, Py_ssize_t lines):
        self.bits = FEWEST_SLOTS_BITS
        while self.bits < MOST_SLOTS_BITS and (<Py_ssize_t>1 << self.bits) < 32 * lines:
            self.bits += 1
        self.slots = <PyObject**>PyMem_Calloc(<size_t>1 << self.bits, sizeof(PyObject*))
        if self.slots == NULL:
            raise MemoryError()

    def __dealloc__(self):
        cdef Py_ssize_t slot
        if self.slots != NULL:
            for slot in range(<Py_ssize_t>1 << self.bits):
                Py_XDECREF(self.slots[slot])
            PyMem_Free(self.slots)


cdef class _Bounds:
    """Where the tokens of a line start and end: room for two numbers a token."""

    cdef Py_ssize_t* at
    cdef Py_ssize_t room

    def __dealloc__(self):
        PyMem_Free(self.at)

    cdef int fit(self, Py_ssize_t tokens) except -1:
        cdef Py_ssize_t* larger
        if tokens > self.room:
            if tokens > (<Py_ssize_t>1 << 58):
                raise MemoryError()
            larger = <Py_ssize_t*>PyMem_Realloc(self.at, tokens * 2 * sizeof(Py_ssize_t))
            if larger == NULL:
                raise MemoryError()
            self.at = larger
            self.room = tokens
        return 0


def cut(lines, bytes table not None, bint edge_is_digit):
    """Return the tokens of each line, as `table` has the kind of each code point (`Rule.table`)."""
    cdef list batch = list(lines)  # nobody else can change its length
    cdef Py_ssize_t count = len(batch), index, length
    cdef const uint8_t* kinds = table
    cdef _Tokens seen = _Tokens(count)
    cdef _Bounds bounds = _Bounds()
    cdef list result = []
    cdef object line
    cdef void* text
    cdef int width
    if len(table) != CODE_POINTS:
        raise ValueError(f"a table has {CODE_POINTS} kinds, this one {len(table)}")
    for index in range(count):
        line = batch[index]
        if not PyUnicode_Check(line):
            raise TypeError(f"line {index} is no string but {type(line).__name__}")
        length = PyUnicode_GetLength(line)
        bounds.fit(length)
        text = PyUnicode_DATA(line)
        width = PyUnicode_KIND(line)
        if width == 1:
            tokens = _cut_line[uint8_t](
                line, <uint8_t*>text, length, kinds, edge_is_digit, bounds.at, seen
            )
        elif width == 2:
            tokens = _cut_line[uint16_t](
                line, <uint16_t*>text, length, kinds, edge_is_digit, bounds.at, seen
            )
        else:
            tokens = _cut_line[uint32_t](
                line, <uint32_t*>text, length, kinds, edge_is_digit, bounds.at, seen
            )
        result.append(tokens)
    return result


cdef list _cut_line(
    object line,
    const Char* text,
    Py_ssize_t length,
    const uint8_t* kinds,
    bint edge_is_digit,
    Py_ssize_t* bounds,
    _Tokens seen,
):
    cdef Py_ssize_t count = _find(text, length, kinds, edge_is_digit, bounds)
    cdef list tokens = PyList_New(count)
    cdef Py_ssize_t index
    cdef object token
    for index in range(count):
        token = _token(line, text, bounds[2 * index], bounds[2 * index + 1], seen)
        Py_INCREF(token)  # the list takes a reference of its own
        PyList_SET_ITEM(tokens, index, token)
    return tokens


cdef Py_ssize_t _find(
    const Char* text,
    Py_ssize_t length,
    const uint8_t* kinds,
    bint edge_is_digit,
    Py_ssize_t* bounds,
) noexcept nogil:
    """Write the start and end of each token; return how many there are, at most `length`."""
    cdef Py_ssize_t count = 0, at = 0, start = -1, end
    cdef uint8_t kind
    cdef bint before, behind
    while at < length:
        kind = kinds[text[at]]
        if kind == OTHER or kind == DIGIT or (
            kind == DASH and not (at > 0 and kinds[text[at - 1]] == DIGIT)
        ):
            if start < 0:
                start = at
            at += 1
            continue
        end = at + 1
        if kind == MARK:
            while end < length and kinds[text[end]] == MARK:
                end += 1
            before = kinds[text[at - 1]] == DIGIT if at > 0 else edge_is_digit
            behind = kinds[text[end]] == DIGIT if end < length else edge_is_digit
            if behind and before and end - at == 1:  # part of a number
                if start < 0:
                    start = at
                at = end
                continue
        if start >= 0:
            bounds[2 * count] = start
            bounds[2 * count + 1] = at
            count += 1
            start = -1
        if kind == MARK and behind and ((end - at) & 1) == before:
            start = end - 1  # the last mark of the run begins the number
            end = start
        if kind != SPACE:
            while at < end:
                bounds[2 * count] = at
                at += 1
                bounds[2 * count + 1] = at
                count += 1
        if start >= 0:
            end = start + 1
        at = end
    if start >= 0:
        bounds[2 * count] = start
        bounds[2 * count + 1] = length
        count += 1
    return count


cdef object _token(
    object line, const Char* text, Py_ssize_t start, Py_ssize_t end, _Tokens seen
):
    cdef Py_ssize_t length = end - start, index
    cdef uint64_t mixed = 0
    cdef PyObject** slot
    cdef object token
    if length > LONGEST_SHARED:
        return PyUnicode_Substring(line, start, end)
    for index in range(start, end):
        mixed = (mixed ^ text[index]) * <uint64_t>0x9E3779B97F4A7C15
    slot = seen.slots + (mixed >> (64 - seen.bits))
    if slot[0] != NULL and _equal(<object>slot[0], text + start, length):
        return <object>slot[0]
    token = PyUnicode_Substring(line, start, end)
    Py_INCREF(token)
    Py_XDECREF(slot[0])
    slot[0] = <PyObject*>token
    return token


cdef inline bint _equal(object token, const Char* text, Py_ssize_t length):
    cdef int width = PyUnicode_KIND(token)
    cdef void* data = PyUnicode_DATA(token)
    cdef Py_ssize_t index
    if PyUnicode_GET_LENGTH(token) != length:
        return False
    if width == sizeof(Char):
        return memcmp(data, text, length * sizeof(Char)) == 0
    if width == 1:
        for index in range(length):
            if (<uint8_t*>data)[index] != text[index]:
                return False
        return True
    if width == 2:
        for index in range(length):
            if (<uint16_t*>data)[index] != text[index]:
                return False
        return True
    return False  # a string is as narrow as its widest character lets it be
