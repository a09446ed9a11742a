"""Which system is better: paired tests over several systems, corrected, ranked and grouped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal

import numpy as np

from bleuprint._bleu import Formula
from bleuprint._errors import IncomparableError, SettingError
from bleuprint._resampling import (
    SEED,
    Floats,
    Table,
    bleu_of_sums,
    corpus_scores,
    interval_of,
    paired_randomization,
    resampled_scores,
    shifted_test,
)
from bleuprint._score import Score
from bleuprint._scorer import Scorer
from bleuprint._statistics import Statistics

__all__ = ["DEFAULT_SAMPLES", "Comparison", "Pair", "System", "compare", "holm", "influence"]

#: Each test, with the samples that it draws where none are named: sacreBLEU's numbers.
DEFAULT_SAMPLES = {"bs": 1000, "ar": 10000}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two systems, tested for a difference.

    Attributes:
        first: the name of one system; the baseline, where it is one of the two.
        second: the name of the other.
        difference: BLEU of the second less that of the first.
        p: how often chance alone makes a difference as large.
        p_corrected: `p`, corrected for the number of pairs that were tested.
        significant: whether `p_corrected` is below the comparison's alpha.
    """

    first: str
    second: str
    difference: float
    p: float
    p_corrected: float
    significant: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """A system among others.

    Attributes:
        name: what it was called.
        score: its corpus score, with an interval.
        cluster: 1 for the best group of systems, and so on; None where not all pairs were tested.
        rank: the best and the worst rank that it may have; None where not all pairs were tested.
    """

    name: str
    score: Score
    cluster: int | None
    rank: tuple[int, int] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Several systems, scored and tested against each other.

    Attributes:
        test: ``bs`` for paired bootstrap, ``ar`` for approximate randomization.
        samples: resamples, or trials.
        seed: what they were drawn from.
        alpha: the level of significance.
        like_sacrebleu: whether p-values are sacreBLEU's own.
        baseline: the name of the system that the others are seen against.
        segments: how many segments each system has.
        systems: in the order in which they came.
        pairs: every pair that was tested, those with the baseline first.
    """

    test: str
    samples: int
    seed: int
    alpha: float
    like_sacrebleu: bool
    baseline: str
    segments: int
    systems: tuple[System, ...]
    pairs: tuple[Pair, ...]

    def against_baseline(self, name: str) -> Pair | None:
        """Return the test of a system against the baseline; None for the baseline itself."""
        for pair in self.pairs:
            if (pair.first, pair.second) == (self.baseline, name):
                return pair
        return None

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data for JSON, nothing rounded: the schema is compare-1.json."""
        systems = []
        for system in self.systems:
            pair = self.against_baseline(system.name)
            systems.append(
                {
                    "system": system.name,
                    **system.score.to_dict(),
                    "baseline": system.name == self.baseline,
                    "difference": None if pair is None else pair.difference,
                    "p": None if pair is None else pair.p,
                    "p_corrected": None if pair is None else pair.p_corrected,
                    "cluster": system.cluster,
                    "rank": None if system.rank is None else list(system.rank),
                }
            )
        return {
            "schema": "compare-1",
            "test": self.test,
            "samples": self.samples,
            "seed": self.seed,
            "alpha": self.alpha,
            "correction": "holm",
            "like_sacrebleu": self.like_sacrebleu,
            "baseline": self.baseline,
            "segments": self.segments,
            "systems": systems,
            "pairs": [
                {
                    "first": pair.first,
                    "second": pair.second,
                    "difference": pair.difference,
                    "p": pair.p,
                    "p_corrected": pair.p_corrected,
                    "significant": pair.significant,
                }
                for pair in self.pairs
            ],
        }


def compare(
    scorer: Scorer,
    statistics: Mapping[str, Statistics],
    *,
    test: Literal["bs", "ar"] = "bs",
    samples: int | None = None,
    seed: int = SEED,
    level: float = 0.95,
    alpha: float = 0.05,
    baseline: str | None = None,
    baseline_only: bool = False,
    like_sacrebleu: bool = False,
) -> Comparison:
    """Score several systems and test which of them differ.

    Every pair is tested, over the same draws, and p-values are corrected for the number of pairs by
    Holm's method.  Clusters and ranks are made as the findings of WMT print them: a system may rank
    as high as the number of systems that are significantly better leaves room for, and as low as
    the number of those that are significantly worse; the systems, sorted by score, fall into
    clusters where all above a line are significantly better than all below it.

    Args:
        scorer: what made the statistics.
        statistics: by name, what `Scorer.statistics` or `Scorer.collect` counted.
        test: ``bs`` for paired bootstrap resampling, ``ar`` for approximate randomization, as
            `paired_bootstrap` and `paired_randomization` in `bleuprint._resampling` define them.
        samples: resamples or trials; 1000 for ``bs`` and 10000 for ``ar`` if None.
        seed: what they are drawn from, 0 or more.
        level: of the confidence intervals; with ``ar`` they have 1000 resamples of their own.
        alpha: the level of significance that clusters and ranks go by.
        baseline: the name of the system that the others are seen against; the first if None.
        baseline_only: test only the pairs with the baseline: no clusters and ranks then, and fewer
            tests to correct for.
        like_sacrebleu: give sacreBLEU's own p-values for these samples and this seed, and say so in
            the signature.  The correction remains.

    Raises:
        IncomparableError: the systems were not scored alike, or not with this scorer.
        SettingError: a setting is out of range, or there are fewer than two systems.
        ShapeError: the systems differ in their number of segments, or there is no segment.
    """
    if test not in DEFAULT_SAMPLES:
        raise SettingError(f"no test {test!r}: expected bs or ar")
    if len(statistics) < 2:
        raise SettingError(f"{len(statistics)} system to compare: expected two or more")
    if not 0 < alpha < 1:
        raise SettingError(f"alpha {alpha}: expected a number between 0 and 1")
    names = list(statistics)
    baseline = names[0] if baseline is None else baseline
    if baseline not in statistics:
        raise SettingError(f"no system {baseline!r}: expected one of {', '.join(names)}")
    scores = {name: scorer.score(own) for name, own in statistics.items()}
    _refuse_unlike(scores)

    base = names.index(baseline)
    others = [at for at in range(len(names)) if at != base]
    indices = [(base, other) for other in others]
    if not baseline_only:
        indices += combinations(others, 2)
    samples = DEFAULT_SAMPLES[test] if samples is None else samples
    tables = [own.table for own in statistics.values()]
    resampled = resampled_scores(
        tables,
        samples=samples if test == "bs" else DEFAULT_SAMPLES["bs"],
        seed=seed,
        formula=scorer.formula,
        single=like_sacrebleu,
    )
    if test == "bs":
        observed = corpus_scores(tables, scorer.formula)
        p = shifted_test(resampled, observed, indices, like_sacrebleu=like_sacrebleu)
    else:
        p = paired_randomization(
            tables,
            indices,
            samples=samples,
            seed=seed,
            formula=scorer.formula,
            like_sacrebleu=like_sacrebleu,
        )
    pairs = _pairs(scores, indices, p, alpha)
    drawn = f"{samples}.sacrebleu" if like_sacrebleu else str(samples)
    fields = {"bs": drawn} if test == "bs" else {"ar": drawn, "bs": str(DEFAULT_SAMPLES["bs"])}
    places = [(None, None)] * len(names) if baseline_only else _places(scores, pairs)
    return Comparison(
        test=test,
        samples=samples,
        seed=seed,
        alpha=alpha,
        like_sacrebleu=like_sacrebleu,
        baseline=baseline,
        segments=len(tables[0]),
        systems=tuple(
            System(
                name=name,
                score=replace(
                    score,
                    interval=interval_of(own, level=level, seed=seed),
                    signature=replace(score.signature, seed=str(seed), **fields),
                ),
                cluster=cluster,
                rank=rank,
            )
            for (name, score), own, (cluster, rank) in zip(
                scores.items(), resampled, places, strict=True
            )
        ),
        pairs=pairs,
    )


def holm(p: Floats) -> Floats:
    """Correct p-values for their number, in the same order, by the step-down method of Holm (1979).

    "A Simple Sequentially Rejective Multiple Test Procedure": where all corrected values below
    alpha are taken for real differences, the chance that one of them is not is at most alpha.
    """
    order = np.argsort(p, kind="stable")
    stepped = p[order] * np.arange(len(p), 0, -1)
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(np.maximum.accumulate(stepped), 1)
    return corrected


def influence(first: Table, second: Table, formula: Formula) -> Floats:
    """Tell what each segment adds to the difference of two systems, by leaving it out.

    Args:
        first: statistics of one system, of shape (segments, 2 + 2N).
        second: statistics of the other, the same segments.
        formula: how to score.

    Returns:
        For each segment, BLEU points: the difference of the second from the first system over all
        segments, less that over all the others.  A positive one speaks for the second system.
    """
    left_out = [
        bleu_of_sums(own.sum(axis=0), formula) - bleu_of_sums(own.sum(axis=0) - own, formula)
        for own in (first, second)
    ]
    return left_out[1] - left_out[0]


def _refuse_unlike(scores: Mapping[str, Score]) -> None:
    """Compare only like with like, by signature."""
    (name, score), *others = scores.items()
    for other_name, other in others:
        differences = score.signature.differences(other.signature)
        if differences:
            listed = "; ".join(f"{key} {a} and {b}" for key, (a, b) in differences.items())
            raise IncomparableError(f"{name} and {other_name} were not scored alike: {listed}")


def _pairs(
    scores: Mapping[str, Score], indices: Sequence[tuple[int, int]], p: Floats, alpha: float
) -> tuple[Pair, ...]:
    named = list(scores.items())
    pairs = []
    for (i, j), own, corrected in zip(indices, p.tolist(), holm(p).tolist(), strict=True):
        (first, a), (second, b) = named[i], named[j]
        pairs.append(
            Pair(
                first=first,
                second=second,
                difference=b.score - a.score,
                p=own,
                p_corrected=corrected,
                significant=corrected < alpha,
            )
        )
    return tuple(pairs)


def _places(
    scores: Mapping[str, Score], pairs: Sequence[Pair]
) -> list[tuple[int | None, tuple[int, int] | None]]:
    """Put each system into a cluster and a range of ranks, as `compare` defines them."""
    better = {
        (pair.second, pair.first) if pair.difference > 0 else (pair.first, pair.second)
        for pair in pairs
        if pair.significant
    }
    ordered = sorted(scores, key=lambda name: scores[name].score, reverse=True)
    clusters: dict[str, int] = {}
    cluster = 1
    for place, name in enumerate(ordered):
        above, below = ordered[:place], ordered[place:]
        if place and all((a, b) in better for a in above for b in below):
            cluster += 1
        clusters[name] = cluster
    losses = Counter(name for _, name in better)
    wins = Counter(name for name, _ in better)
    return [(clusters[name], (1 + losses[name], len(scores) - wins[name])) for name in scores]
