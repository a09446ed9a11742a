"""What the tests and intervals promise, held against made-up corpora of which the truth is known.

Seeds are fixed, so that nothing here fails by chance.  Bounds are the promise and three standard
errors of the number of repetitions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from bleuprint._bleu import Formula
from bleuprint._resampling import (
    Floats,
    Table,
    bootstrap,
    corpus_scores,
    paired_bootstrap,
    paired_randomization,
)

PLAIN = Formula()
SAMPLES = 400


def corpus(rng: np.random.Generator, segments: int, ref_len: Any, quality: Any) -> Table:
    """Statistics of a made-up output; quality, from 0 to 1, may differ by segment."""
    sys_len = np.maximum(ref_len + rng.integers(-3, 4, segments), 1)
    totals = [np.maximum(sys_len - n, 0) for n in range(4)]
    counts = [rng.binomial(total, quality * 0.8**n) for n, total in enumerate(totals)]
    return np.stack([sys_len, ref_len, *counts, *totals], axis=1).astype(np.int64)


def three_errors(rate: float, repetitions: int) -> float:
    return 3 * math.sqrt(rate * (1 - rate) / repetitions)


def equal_systems(number: int, segments: int, repetitions: int) -> Iterator[list[Table]]:
    """Systems that differ by nothing but chance: the outputs of every segment dealt out anew."""
    rng = np.random.default_rng(2024)
    for _ in range(repetitions):
        ref_len = rng.integers(5, 40, segments)
        difficulty = rng.uniform(0.3, 0.9, segments)
        outputs = np.stack(
            [
                corpus(rng, segments, ref_len, np.clip(difficulty + better, 0, 1))
                for better in np.linspace(-0.1, 0.1, number)
            ]
        )
        dealt = rng.permuted(np.tile(np.arange(number)[:, None], segments), axis=0)
        yield [outputs[origin, np.arange(segments)] for origin in dealt]


def p_values(test: Callable[..., Floats], repetitions: int, **settings: Any) -> Floats:
    return np.concatenate(
        [
            test(tables, [(0, 1)], samples=SAMPLES, seed=seed, formula=PLAIN, **settings)
            for seed, tables in enumerate(equal_systems(2, 150, repetitions))
        ]
    )


repeated = pytest.mark.parametrize("repetitions", [250, pytest.param(4000, marks=pytest.mark.slow)])


class TestConfidenceInterval:
    @repeated
    @pytest.mark.parametrize("level", [0.8, 0.95])
    def test_holds_the_true_score_as_often_as_it_says(self, level: float, repetitions: int) -> None:
        rng = np.random.default_rng(7)

        def draw(segments: int) -> Table:
            ref_len = rng.integers(5, 40, segments)
            return corpus(rng, segments, ref_len, rng.uniform(0.3, 0.9, segments))

        (truth,) = corpus_scores([draw(1_000_000)], PLAIN)
        intervals = [
            bootstrap(draw(300), samples=SAMPLES, seed=seed, level=level, formula=PLAIN)
            for seed in range(repetitions)
        ]
        covered = np.mean([interval.low <= truth <= interval.high for interval in intervals])
        assert covered == pytest.approx(level, abs=three_errors(level, repetitions))


class TestEqualSystems:
    @repeated
    @pytest.mark.parametrize("test", [paired_bootstrap, paired_randomization])
    def test_have_p_values_that_are_spread_evenly(
        self, test: Callable[..., Floats], repetitions: int
    ) -> None:
        p = p_values(test, repetitions)
        for share in (0.05, 0.1, 0.25, 0.5, 0.75):
            expected = pytest.approx(share, abs=three_errors(share, repetitions))
            assert np.mean(p <= share) == expected

    @repeated
    def test_are_told_apart_too_often_where_absolute_differences_are_centred(
        self, repetitions: int
    ) -> None:
        rejected = np.mean(p_values(paired_bootstrap, repetitions, like_sacrebleu=True) <= 0.05)
        assert rejected > 0.05 + three_errors(0.05, repetitions)
