"""Random weights, and what they make of tables: the machine under resampling.

Everything is drawn from PCG64, NumPy's default generator, in the order in which sacreBLEU draws, so
that equal seeds mean equal resamples.  The work goes in blocks: memory grows with the number of
segments, not with the number of samples.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

try:
    import bleuprint._resample as _resample
except ModuleNotFoundError:  # built without a compiler; one that will not load is an error
    _resample = None  # type: ignore[assignment]  # the module is optional

__all__ = ["NumpyDraws", "Stream", "coin_flips", "draw_counts", "open_stream", "weighted_sums"]

_BLOCK = 1 << 17  # numbers in a block of weights: what a second-level cache holds
_SCORED = 1 << 10  # samples that are scored together; a block of weights has no more rows
_PRODUCT = 1 << 18  # multiplications that OpenBLAS leaves to one thread
_EXACT = 1 << 24  # whole numbers below are exact in single precision


class Stream(Protocol):
    """Draws from a number of segments."""

    def fill(self, counts: NDArray[np.float32]) -> None:
        """Count, in each row of zeros, how often the next resample holds each segment."""
        ...


class NumpyDraws:
    """What the compiled `Draws` are, in NumPy."""

    def __init__(self, segments: int, seed: int) -> None:
        self._segments = segments
        self._rng = np.random.Generator(np.random.PCG64(seed))

    def fill(self, counts: NDArray[np.float32]) -> None:
        drawn = self._rng.integers(0, self._segments, counts.shape)
        for row, numbers in zip(counts, drawn, strict=True):
            row[:] = np.bincount(numbers, minlength=self._segments)


def open_stream(segments: int, seed: int) -> Stream:
    """Make the fastest stream of draws that is installed; their draws are the same."""
    if _resample is None:
        return NumpyDraws(segments, seed)
    state = np.random.PCG64(seed).state["state"]
    return _resample.Draws(segments, state["state"], state["inc"])


def draw_counts(draws: Stream, segments: int, samples: int) -> Iterator[NDArray[np.float32]]:
    """Yield blocks of how often each resample holds each segment, (resamples, segments)."""
    rows = _rows(segments, least=8)  # a product with a single row is slow
    for start in range(0, samples, rows):
        counts = np.zeros((min(rows, samples - start), segments), dtype=np.float32)
        draws.fill(counts)
        yield counts


def coin_flips(segments: int, samples: int, seed: int) -> Iterator[NDArray[np.float32]]:
    """Toss coins: blocks of ones and zeros, (trials, segments).

    The bits are those of ``rng.integers(2, dtype=bool)``, which takes them from words of 32, the
    lowest first, and throws the rest of its last word away: so blocks are made of whole words.
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    rows = _rows(segments, least=32)
    for start in range(0, samples, rows):
        trials = min(rows, samples - start)
        words = rng.integers(0, 1 << 32, -(-trials * segments // 32), dtype=np.uint32)
        octets = words.astype("<u4").view(np.uint8)
        bits = np.unpackbits(octets, count=trials * segments, bitorder="little")
        yield bits.reshape(trials, segments).astype(np.float32)


def weighted_sums(
    weights: Iterator[NDArray[np.float32]], tables: Sequence[NDArray[np.int64]], samples: int
) -> Iterator[NDArray[np.float64]]:
    """Multiply blocks of weights (samples, segments) with tables that stand side by side.

    Yields blocks of sums, exact, of shape (systems, columns, samples).
    """
    joined = np.hstack(tables)
    # Whatever segments are drawn, no sum is larger than this.
    largest = int(np.abs(joined).max()) * len(joined)
    joined = joined.astype(np.float32 if largest < _EXACT else np.float64)
    for start in range(0, samples, _SCORED):
        sums = np.empty((joined.shape[1], min(_SCORED, samples - start)))
        filled = 0
        while filled < sums.shape[1]:
            block = next(weights)
            sums[:, filled : filled + len(block)] = _product(block, joined).T
            filled += len(block)
        yield sums.reshape(len(tables), -1, sums.shape[1])


def _product(weights: NDArray[Any], joined: NDArray[Any]) -> NDArray[Any]:
    """Multiply the two in pieces so small that BLAS does not split them among threads.

    Threads gain next to nothing on such narrow tables, and wait for each other on a busy machine
    for many times as long as the product takes.
    """
    step = max(1, _PRODUCT // (len(weights) * joined.shape[1]))
    product: NDArray[Any] = weights[:, :step] @ joined[:step]
    for start in range(step, len(joined), step):
        product += weights[:, start : start + step] @ joined[start : start + step]
    return product


def _rows(segments: int, least: int) -> int:
    """How many samples a block of weights holds: a power of two, which `_SCORED` is made of."""
    return max(least, min(_SCORED, 1 << (_BLOCK // segments).bit_length() >> 1))
