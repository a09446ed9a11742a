"""How sure a BLEU score is, and whether two differ: resampling the statistics table.

A table is an int64 array of shape (segments, 2 + 2N) with the columns sys_len, ref_len, counts
1..N, totals 1..N.  Its column sums make a corpus score, so that a resample is a product of weights
with the table: nothing is segmented or counted again.

All systems share the draws, which for equal seeds are those of sacreBLEU: see `bleuprint._draws`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bleuprint._bleu import Formula
from bleuprint._draws import coin_flips, draw_counts, open_stream, weighted_sums
from bleuprint._errors import SettingError, ShapeError

__all__ = [
    "SEED",
    "Floats",
    "Interval",
    "Pairs",
    "Table",
    "bleu_of_sums",
    "bootstrap",
    "corpus_scores",
    "interval_of",
    "paired_bootstrap",
    "paired_randomization",
    "resampled_scores",
    "shifted_test",
]

Table: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Pairs: TypeAlias = Sequence[tuple[int, int]]  #: indices of the systems to compare

#: What sacreBLEU seeds with where the user says nothing.
SEED = 12345

#: BLEU points: differences nearer to each other than this are the same.
_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A bootstrap confidence interval of a score, in BLEU points.

    Attributes:
        low: the lower end.
        high: the upper end; half of high - low is what sacreBLEU prints behind the sign ±.
        level: the share of the resampled scores between the two, such as 0.95.
        mean: the mean of the resampled scores.
        samples: how many there are.
        seed: what they were drawn from.
    """

    low: float
    high: float
    level: float
    mean: float
    samples: int
    seed: int

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data for JSON, nothing rounded."""
        return asdict(self)


def bleu_of_sums(sums: NDArray[Any], formula: Formula) -> Floats:
    """Score many corpora at once, as `Formula.score` does one.

    Args:
        sums: statistics, of shape (..., 2 + 2N).  Where they are in single precision, n-gram
            precisions are rounded to it too, as sacreBLEU rounds them in a bootstrap.
        formula: how to score; N is its `max_order`.

    Returns:
        Scores from 0 to 100, of shape (...).  A perfect corpus is exactly 100.0.
    """
    kind = np.float32 if sums.dtype == np.float32 else np.float64
    columns = np.ascontiguousarray(np.moveaxis(sums, -1, 0), dtype=kind)
    order = formula.max_order
    sys_len, ref_len = columns[:2].astype(np.float64)
    counts: NDArray[Any] = columns[2 : 2 + order]
    totals: NDArray[Any] = columns[2 + order :]
    scored = counts.any(axis=0) & (sys_len > 0)
    if formula.smoothing == "add-k":
        added = np.full((order, *(1,) * scored.ndim), formula.value, dtype=kind)
        added[0] = 0
        counts, totals = counts + added, totals + added
    # Behind the first order that has no n-grams, none has.
    reached = np.logical_and.accumulate(totals > 0, axis=0)
    totals = np.where(reached, totals, kind(1))
    if formula.smoothing in ("exp", "floor") and not counts.all():
        unmatched = reached & (counts == 0)
        if formula.smoothing == "exp":
            halvings = np.where(unmatched, np.cumsum(unmatched, axis=0), 0)
            totals = totals * np.exp2(halvings, dtype=kind)
            counts = np.where(unmatched, kind(1), counts)
        else:
            counts = np.where(unmatched, kind(formula.value or 0), counts)
    # In percent first: that is where single precision rounds.  Logarithms of fractions then: that
    # of a perfect score is 0.
    fractions = (100 * np.where(reached, counts, kind(0)) / totals).astype(np.float64) / 100
    logs = np.full(fractions.shape, -np.inf)
    np.log(fractions, out=logs, where=fractions > 0)
    used: NDArray[Any] | int = order
    if formula.effective_order:
        used = np.maximum(reached.sum(axis=0), 1)
        logs[~reached] = 0
    shortfall = np.minimum(1 - ref_len / np.maximum(sys_len, 1), 0)
    scores: Floats = 100 * np.exp(shortfall) * np.exp(logs.sum(axis=0) / used)
    return np.where(scored, scores, 0.0)


def bootstrap(
    table: Table,
    *,
    samples: int = 1000,
    seed: int = SEED,
    level: float = 0.95,
    formula: Formula,
) -> Interval:
    """Estimate a confidence interval of a corpus score by bootstrap resampling of segments.

    It is the percentile interval of Koehn (2004), "Statistical Significance Tests for Machine
    Translation Evaluation": the resampled scores, sorted, with as many cut off at either end.
    sacreBLEU draws the same resamples from the same seed and makes the same mean and half-width.

    Args:
        table: statistics of shape (segments, 2 + 2N).
        samples: how many resamples to draw.
        seed: what to draw them from, 0 or more.
        level: the share of the resampled scores that the interval holds.
        formula: how to score.

    Raises:
        ShapeError: there is no segment.
        SettingError: samples, seed or level are out of range.
    """
    (scores,) = resampled_scores([table], samples=samples, seed=seed, formula=formula)
    return interval_of(scores, level=level, seed=seed)


def paired_bootstrap(
    tables: Sequence[Table],
    pairs: Pairs,
    *,
    samples: int = 1000,
    seed: int = SEED,
    formula: Formula,
    like_sacrebleu: bool = False,
) -> Floats:
    """Test pairs of systems for a difference by paired bootstrap resampling.

    Let d be the difference of two scores, and d_1 ... d_B what it is in B resamples, each of which
    holds the same segments for both systems.  Under the null hypothesis d is 0; the resampled
    differences are shifted there by taking their mean away, and, two-sided,

        p = (1 + #{b : |d_b - mean(d_1 ... d_B)| >= |d|}) / (1 + B).

    Drawing segments anew to compare systems is from Koehn (2004); the shift is from Riezler and
    Maxwell (2005), "On Some Pitfalls in Automatic Evaluation and Significance Testing for MT", who
    write it down for absolute differences.  Where systems are close, that rejects true null
    hypotheses too often: under one, the mean of signed differences is near 0, that of absolute
    ones is not.

    Args:
        tables: for each system, statistics of shape (segments, 2 + 2N), the same segments in each.
        pairs: which systems to compare, by their indices in `tables`.
        samples: how many resamples to draw.
        seed: what to draw them from, 0 or more.
        formula: how to score.
        like_sacrebleu: give sacreBLEU's own p-values for these samples and this seed: it centres
            absolute differences, counts with > and rounds precisions to single precision.

    Returns:
        p-values, one a pair; in either order of a pair the same.

    Raises:
        ShapeError: there is no segment, or tables differ in shape.
        SettingError: samples or seed are out of range.
    """
    scores = resampled_scores(
        tables, samples=samples, seed=seed, formula=formula, single=like_sacrebleu
    )
    observed = corpus_scores(tables, formula)
    return shifted_test(scores, observed, pairs, like_sacrebleu=like_sacrebleu)


def paired_randomization(
    tables: Sequence[Table],
    pairs: Pairs,
    *,
    samples: int = 10000,
    seed: int = SEED,
    formula: Formula,
    like_sacrebleu: bool = False,
) -> Floats:
    """Test pairs of systems for a difference by approximate randomization.

    Under the null hypothesis it does not matter which of the two made an output.  In each of B
    trials a coin is tossed for every segment, and the outputs of the two are swapped where it shows
    tails.  With d the difference of the scores, and d_1 ... d_B what it is in the trials,
    two-sided,

        p = (1 + #{b : |d_b| >= |d|}) / (1 + B).

    The test is from Noreen (1989), "Computer-Intensive Methods for Testing Hypotheses"; Riezler and
    Maxwell (2005) recommend it for machine translation.

    Args:
        tables: for each system, statistics of shape (segments, 2 + 2N), the same segments in each.
        pairs: which systems to compare, by their indices in `tables`.
        samples: how many trials to run.
        seed: what to toss the coins from, 0 or more.
        formula: how to score.
        like_sacrebleu: give sacreBLEU's own p-values for these samples and this seed: it counts
            with > and loses what the k of add-k has behind the point.

    Returns:
        p-values, one a pair; in either order of a pair the same.

    Raises:
        ShapeError: there is no segment, or tables differ in shape.
        SettingError: samples or seed are out of range.
    """
    _check(tables, samples, seed)
    sums = [table.sum(axis=0)[:, None] for table in tables]
    observed = corpus_scores(tables, formula)
    if like_sacrebleu and formula.smoothing == "add-k":
        # It adds k to whole numbers in place, and they stay whole.
        formula = replace(formula, value=math.floor(formula.value or 0))
    if len(tables) == 1:
        return np.ones(len(pairs))  # what is there to compare it to but itself
    # How the others differ from the first tells how any two differ, with one table less.
    apart = [table - tables[0] for table in tables[1:]]
    extreme = np.zeros(len(pairs), dtype=np.int64)
    flips = coin_flips(len(tables[0]), samples, seed)
    for block in weighted_sums(flips, apart, samples):
        kept = [np.zeros_like(block[0]), *block]
        for pair, (first, second) in enumerate(pairs):
            moved = kept[first] - kept[second]
            trials = bleu_of_sums((sums[second] + moved).T, formula)
            trials -= bleu_of_sums((sums[first] - moved).T, formula)
            difference = abs(observed[first] - observed[second])
            extreme[pair] += _count_extreme(np.abs(trials), difference, like_sacrebleu)
    p_values: Floats = (extreme + 1) / (samples + 1)
    return p_values


def corpus_scores(tables: Sequence[Table], formula: Formula) -> Floats:
    """Score each table as a corpus; of shape (systems,)."""
    return bleu_of_sums(np.stack([table.sum(axis=0) for table in tables]), formula)


def resampled_scores(
    tables: Sequence[Table], *, samples: int, seed: int, formula: Formula, single: bool = False
) -> Floats:
    """Score resamples, of the same segments for every system; of shape (systems, samples).

    With `single`, precisions are rounded to single precision: what sacreBLEU does with NumPy 2.
    """
    _check(tables, samples, seed)
    kind = np.float32 if single else np.float64
    segments = len(tables[0])
    draws = draw_counts(open_stream(segments, seed), segments, samples)
    blocks = [
        bleu_of_sums(sums.swapaxes(1, 2).astype(kind), formula)
        for sums in weighted_sums(draws, tables, samples)
    ]
    return np.concatenate(blocks, axis=1)


def interval_of(scores: Floats, *, level: float, seed: int) -> Interval:
    """Make the interval of one system's resampled scores, as `bootstrap` defines it."""
    if not 0 < level < 1:
        raise SettingError(f"confidence level {level}: expected a number between 0 and 1")
    ordered = np.sort(scores)
    cut = math.floor(len(ordered) * (1 - level) / 2 + 1e-9)  # 40 samples at 0.95: 1, not 0.99999...
    return Interval(
        low=float(ordered[cut]),
        high=float(ordered[-1 - cut]),
        level=level,
        mean=float(ordered.mean()),
        samples=len(ordered),
        seed=seed,
    )


def shifted_test(
    scores: Floats, observed: Floats, pairs: Pairs, *, like_sacrebleu: bool = False
) -> Floats:
    """Make p-values as `paired_bootstrap` defines them, of resampled scores (systems, samples)."""
    extreme = []
    for first, second in pairs:
        resampled = scores[first] - scores[second]
        if like_sacrebleu:
            resampled = np.abs(resampled)
        shifted = resampled - resampled.mean()
        if not like_sacrebleu:
            shifted = np.abs(shifted)
        difference = abs(observed[first] - observed[second])
        extreme.append(_count_extreme(shifted, difference, like_sacrebleu))
    p_values: Floats = (np.array(extreme) + 1) / (scores.shape[1] + 1)
    return p_values


def _count_extreme(resampled: Floats, observed: float, like_sacrebleu: bool) -> int:
    """Count the resampled differences that are at least the observed one; sacreBLEU: beyond it."""
    if like_sacrebleu:
        return int(np.count_nonzero(resampled > observed))
    return int(np.count_nonzero(resampled >= observed - _TOLERANCE))


_MOST = 10_000_000  #: samples; beyond, they take hours and tell nothing more


def _check(tables: Sequence[Table], samples: int, seed: int) -> None:
    """Refuse tables that do not pair up, and settings that cannot be drawn with."""
    if not tables or not len(tables[0]):
        raise ShapeError("nothing to resample: expected at least one segment")
    for number, table in enumerate(tables):
        if table.shape != tables[0].shape:
            raise ShapeError(
                f"the statistics of system {number} have shape {table.shape}, those of system 0 "
                f"{tables[0].shape}: expected the same segments and orders"
            )
    if not 1 <= samples <= _MOST:
        raise SettingError(f"{samples} samples: expected 1 or more, and {_MOST:,} at most")
    if seed < 0:
        raise SettingError(f"seed {seed}: expected 0 or more")
