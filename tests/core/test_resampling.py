"""Bootstrap, paired bootstrap and approximate randomization, against definitions and sacreBLEU."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint._bleu import SMOOTHING_DEFAULTS, Formula
from bleuprint._draws import NumpyDraws, coin_flips, draw_counts, open_stream
from bleuprint._errors import SettingError, ShapeError
from bleuprint._resampling import (
    Interval,
    Table,
    bleu_of_sums,
    bootstrap,
    corpus_scores,
    interval_of,
    paired_bootstrap,
    paired_randomization,
    resampled_scores,
)

PLAIN = Formula()

FORMULAS = [
    Formula(smoothing=smoothing, value=value, effective_order=effective_order)
    for smoothing, value in [
        ("exp", None), ("floor", None), ("floor", 0.25), ("add-k", None), ("add-k", 0.5),
        ("none", None),
    ]
    for effective_order in (False, True)
]  # fmt: skip
formulas = pytest.mark.parametrize(
    "formula", FORMULAS, ids=lambda f: f.smoothing_field + "-eff" * f.effective_order
)


def corpus(segments: int, seed: int, quality: float = 0.6, order: int = 4) -> Table:
    """Statistics of a made-up system: the better, the higher its quality from 0 to 1."""
    rng = np.random.default_rng(seed)
    ref_len = rng.integers(1, 50, segments)
    sys_len = np.maximum(ref_len + rng.integers(-4, 5, segments), 0)
    totals = [np.maximum(sys_len - n, 0) for n in range(order)]
    counts = [rng.binomial(total, quality * 0.75**n) for n, total in enumerate(totals)]
    return np.stack([sys_len, ref_len, *counts, *totals], axis=1).astype(np.int64)


def sacrebleu_metric(formula: Formula) -> Any:
    """sacreBLEU's BLEU for hypotheses that are rows of statistics, written out by `as_lines`."""
    bleu: Any = pytest.importorskip("sacrebleu.metrics.bleu").BLEU

    class RowBLEU(bleu):  # type: ignore[misc]  # sacreBLEU is not typed
        def _extract_corpus_statistics(self, hypotheses: list[str], references: object) -> Any:
            self.num_refs = 1
            return [[int(number) for number in line.split()] for line in hypotheses]

    return RowBLEU(
        smooth_method=formula.smoothing,
        smooth_value=formula.value,
        effective_order=formula.effective_order,
        max_ngram_order=formula.max_order,
    )


def as_lines(table: Table) -> list[str]:
    return [" ".join(map(str, row)) for row in table.tolist()]


def sacrebleu_p_values(
    test: str, tables: list[Table], formula: Formula, samples: int
) -> list[float]:
    """What sacreBLEU prints for every system but the first, which is the baseline."""
    significance: Any = pytest.importorskip("sacrebleu.significance")
    systems = [(f"system {number}", as_lines(table)) for number, table in enumerate(tables)]
    metrics = {"BLEU": sacrebleu_metric(formula)}
    _, results = significance.PairedTest(
        systems, metrics, references=None, test_type=test, n_samples=samples
    )()
    return [result.p_value for result in results["BLEU"][1:]]


@st.composite
def sums(draw: st.DrawFn) -> list[int]:
    """One row of statistics that some corpus could have, up to order 4."""
    sys_len = draw(st.integers(0, 60))
    ref_len = draw(st.integers(0, 60))
    totals, counts = [], []
    total = sys_len
    for _ in range(4):
        count = draw(st.integers(0, total))
        totals.append(total)
        counts.append(count)
        total = draw(st.integers(0, total))
    return [sys_len, ref_len, *counts, *totals]


class TestScoresOfManySums:
    @formulas
    @given(rows=st.lists(sums(), min_size=1, max_size=8))
    def test_agree_with_the_formula_for_one(self, formula: Formula, rows: list[list[int]]) -> None:
        expected = [formula.score(row).score for row in rows]
        assert bleu_of_sums(np.array(rows), formula) == pytest.approx(expected, abs=1e-10)

    @formulas
    @given(row=sums())
    def test_agree_with_sacrebleu(self, formula: Formula, row: list[int]) -> None:
        expected = sacrebleu_metric(formula)._compute_score_from_stats(list(row)).score
        assert bleu_of_sums(np.array(row), formula) == pytest.approx(expected, abs=1e-10)

    @pytest.mark.parametrize("order", [1, 2, 6])
    def test_take_any_order(self, order: int) -> None:
        formula = Formula(max_order=order)
        table = corpus(5, seed=1, order=order)
        expected = [formula.score(row.tolist()).score for row in table]
        assert bleu_of_sums(table, formula) == pytest.approx(expected, abs=1e-10)

    def test_keep_the_shape_that_they_come_in(self) -> None:
        table = corpus(6, seed=1)
        scores = bleu_of_sums(table, PLAIN)
        assert np.array_equal(bleu_of_sums(table.reshape(2, 3, 10), PLAIN), scores.reshape(2, 3))

    def test_do_not_touch_their_argument(self) -> None:
        table = corpus(6, seed=1)
        before = table.copy()
        bleu_of_sums(table, Formula(smoothing="add-k"))
        assert np.array_equal(table, before)

    @pytest.mark.parametrize("smoothing", ["exp", "floor", "none"])
    @pytest.mark.parametrize("length", [4, 7, 1000, 123_457])
    def test_are_exactly_100_for_a_perfect_corpus(self, smoothing: str, length: int) -> None:
        totals = [length - n for n in range(4)]
        perfect = np.array([length, length, *totals, *totals])
        assert bleu_of_sums(perfect, Formula(smoothing=smoothing)) == 100.0

    @formulas
    def test_are_0_for_empty_hypotheses(self, formula: Formula) -> None:
        assert bleu_of_sums(np.array([0, 9, *[0] * 8]), formula) == 0.0
        assert bleu_of_sums(np.zeros(10, dtype=np.int64), formula) == 0.0


class TestDraws:
    @pytest.mark.parametrize("draws", [NumpyDraws, open_stream], ids=["numpy", "installed"])
    @pytest.mark.parametrize(
        ("segments", "samples"), [(1, 5), (2, 9), (7, 3000), (4099, 65), (3_000_017, 1)]
    )
    def test_segments_are_drawn_as_by_one_call_of_choice(
        self, draws: Callable[..., Any], segments: int, samples: int
    ) -> None:
        drawn = np.random.default_rng(9).choice(segments, (samples, segments))
        expected = [np.bincount(row, minlength=segments) for row in drawn]
        blocks = list(draw_counts(draws(segments, 9), segments, samples))
        assert np.array_equal(np.concatenate(blocks), expected)

    @pytest.mark.parametrize(("segments", "samples"), [(1, 5), (7, 2050), (5003, 75), (70_001, 33)])
    def test_coins_are_tossed_as_by_one_call_of_integers(self, segments: int, samples: int) -> None:
        expected = np.random.default_rng(9).integers(2, size=(samples, segments), dtype=bool)
        assert np.array_equal(np.concatenate(list(coin_flips(segments, samples, 9))), expected)

    @given(st.integers(1, 9), st.integers(0, 2**64), st.lists(st.integers(0, 5), max_size=9))
    def test_compiled_draws_go_on_where_they_stopped(
        self, segments: int, seed: int, rows: list[int]
    ) -> None:
        pytest.importorskip("bleuprint._resample")
        expected, compiled = NumpyDraws(segments, seed), open_stream(segments, seed)
        for size in rows:
            counts = np.zeros((2, size, segments), dtype=np.float32)
            expected.fill(counts[0])
            compiled.fill(counts[1])
            assert np.array_equal(counts[0], counts[1])

    def test_compiled_draws_refuse_what_they_cannot_fill(self) -> None:
        compiled = pytest.importorskip("bleuprint._resample").Draws(5, 1, 3)
        with pytest.raises(ValueError, match="4 columns for 5 segments"):
            compiled.fill(np.zeros((1, 4), dtype=np.float32))
        for counts in (np.zeros((1, 5)), np.zeros((5, 1), dtype=np.float32).T[:, ::-1], None):
            with pytest.raises((ValueError, TypeError)):
                compiled.fill(counts)

    def test_scores_do_not_depend_on_the_systems_beside(self) -> None:
        tables = [corpus(50, seed) for seed in range(3)]
        together = resampled_scores(tables, samples=40, seed=1, formula=PLAIN)
        for table, scores in zip(tables, together, strict=True):
            (alone,) = resampled_scores([table], samples=40, seed=1, formula=PLAIN)
            assert np.array_equal(alone, scores)

    def test_sums_beyond_single_precision_are_exact(self) -> None:
        table = corpus(40, seed=1) * 10_000_019
        scores = resampled_scores([table], samples=9, seed=3, formula=PLAIN)[0]
        drawn = np.random.default_rng(3).choice(40, (9, 40))
        expected = [PLAIN.score(table[row].sum(axis=0).tolist()).score for row in drawn]
        assert scores == pytest.approx(expected, abs=1e-10)


class TestInterval:
    def test_cuts_off_as_many_at_either_end(self) -> None:
        interval = interval_of(np.arange(1000.0), level=0.95, seed=7)
        assert interval == Interval(
            low=25.0, high=974.0, level=0.95, mean=499.5, samples=1000, seed=7
        )

    @pytest.mark.parametrize(
        ("samples", "level", "cut"),
        [(1, 0.95, 0), (39, 0.95, 0), (40, 0.95, 1), (100, 0.9, 5), (1000, 0.99, 5), (10, 0.8, 1)],
    )
    def test_cut_is_a_whole_number_of_samples(self, samples: int, level: float, cut: int) -> None:
        interval = interval_of(np.arange(float(samples)), level=level, seed=7)
        assert (interval.low, interval.high) == (cut, samples - 1 - cut)

    @formulas
    def test_mean_and_half_width_are_those_of_sacrebleu(self, formula: Formula) -> None:
        table = corpus(120, seed=1)
        lines = as_lines(table)
        score = sacrebleu_metric(formula).corpus_score(lines, [lines], n_bootstrap=1000)
        interval = bootstrap(table, formula=formula)
        half_width = (interval.high - interval.low) / 2
        assert (interval.mean, half_width) == pytest.approx((score._mean, score._ci), abs=1e-5)

    def test_of_one_segment_is_its_score(self) -> None:
        table = corpus(1, seed=2)
        interval = bootstrap(table, samples=20, formula=PLAIN)
        (score,) = corpus_scores([table], PLAIN)
        assert interval.low == interval.high == score
        assert interval.mean == pytest.approx(score)

    def test_becomes_plain_data(self) -> None:
        interval = Interval(low=1.0, high=3.0, level=0.95, mean=2.0, samples=10, seed=0)
        assert interval.to_dict() == {
            "low": 1.0, "high": 3.0, "level": 0.95, "mean": 2.0, "samples": 10, "seed": 0,
        }  # fmt: skip

    @pytest.mark.parametrize("level", [0, 1, -0.5, 95, math.nan])
    def test_refuses_a_level_that_is_no_share(self, level: float) -> None:
        with pytest.raises(SettingError, match="between 0 and 1"):
            bootstrap(corpus(5, seed=1), level=level, formula=PLAIN)


Test = Callable[..., Any]
both = pytest.mark.parametrize("test", [paired_bootstrap, paired_randomization])


class TestPairedTests:
    @both
    @pytest.mark.parametrize("seed", [0, 1, 12345])
    def test_equal_outputs_have_p_1(self, test: Test, seed: int) -> None:
        table = corpus(100, seed=1)
        assert test([table, table.copy()], [(0, 1)], seed=seed, formula=PLAIN) == [1.0]

    @both
    def test_wrong_outputs_alike_have_p_1(self, test: Test) -> None:
        table = corpus(100, seed=1, quality=0)
        assert test([table, table], [(0, 1)], formula=PLAIN) == [1.0]

    def test_one_segment_apart_is_no_difference_to_randomization(self) -> None:
        table = corpus(1000, seed=1)
        other = table.copy()
        other[17, 2:6] = 0
        assert paired_randomization([table, other], [(0, 1)], formula=PLAIN) == [1.0]

    def test_two_segments_apart_are_swapped_alike_in_half_of_the_trials(self) -> None:
        table = corpus(1000, seed=1)
        other = table.copy()
        other[[17, 18], 2:6] = 0
        (p,) = paired_randomization([table, other], [(0, 1)], formula=PLAIN)
        assert p == pytest.approx(0.5, abs=0.02)

    @both
    def test_much_better_system_has_the_least_p(self, test: Test) -> None:
        tables = [corpus(300, seed=1, quality=0.8), corpus(300, seed=1, quality=0.4)]
        assert test(tables, [(0, 1)], samples=500, formula=PLAIN) == [1 / 501]

    @both
    @pytest.mark.parametrize("like_sacrebleu", [False, True])
    def test_p_is_the_same_in_either_order(self, test: Test, like_sacrebleu: bool) -> None:
        tables = [corpus(80, seed) for seed in range(4)]
        pairs = [(1, 2), (2, 1), (0, 3), (3, 0)]
        p = test(tables, pairs, samples=300, formula=PLAIN, like_sacrebleu=like_sacrebleu)
        assert p[0] == p[1]
        assert p[2] == p[3]

    @both
    @pytest.mark.parametrize("like_sacrebleu", [False, True])
    def test_p_does_not_depend_on_the_systems_beside(
        self, test: Test, like_sacrebleu: bool
    ) -> None:
        tables = [corpus(80, seed) for seed in range(4)]
        settings = {"samples": 300, "formula": PLAIN, "like_sacrebleu": like_sacrebleu}
        together = test(tables, [(0, 1), (2, 3)], **settings)
        alone = [test(tables[:2], [(0, 1)], **settings), test(tables[2:], [(0, 1)], **settings)]
        assert np.array_equal(together, np.concatenate(alone))

    @both
    def test_same_seed_gives_the_same_and_another_another(self, test: Test) -> None:
        tables = [corpus(80, seed=1), corpus(80, seed=2)]
        p = [
            test(tables, [(0, 1)], seed=seed, samples=500, formula=PLAIN).item()
            for seed in (0, 0, 1)
        ]
        assert p[0] == p[1] != p[2]

    def test_bootstrap_follows_its_definition(self) -> None:
        tables = [corpus(60, seed=1), corpus(60, seed=2)]
        rng = np.random.default_rng(5)
        resampled = []
        for _ in range(200):
            segments = rng.choice(60, 60)
            a, b = (PLAIN.score(table[segments].sum(axis=0).tolist()).score for table in tables)
            resampled.append(a - b)
        a, b = (PLAIN.score(table.sum(axis=0).tolist()).score for table in tables)
        shifted = np.abs(np.array(resampled) - np.mean(resampled))
        expected = (1 + np.count_nonzero(shifted >= abs(a - b))) / 201
        p = paired_bootstrap(tables, [(0, 1)], samples=200, seed=5, formula=PLAIN)
        assert p == [expected]

    def test_randomization_follows_its_definition(self) -> None:
        a, b = corpus(60, seed=1), corpus(60, seed=2)
        extreme = 0
        for kept in np.random.default_rng(5).integers(2, size=(200, 60), dtype=bool)[:, :, None]:
            shuffled = np.where(kept, a, b), np.where(kept, b, a)
            first, second = (PLAIN.score(table.sum(axis=0).tolist()).score for table in shuffled)
            observed = [PLAIN.score(table.sum(axis=0).tolist()).score for table in (a, b)]
            extreme += abs(first - second) >= abs(observed[0] - observed[1]) - 1e-9
        p = paired_randomization([a, b], [(0, 1)], samples=200, seed=5, formula=PLAIN)
        assert p == [(1 + extreme) / 201]

    @both
    def test_no_pairs_have_no_p(self, test: Test) -> None:
        assert not len(test([corpus(5, seed=1)], [], samples=10, formula=PLAIN))

    @both
    def test_refuses_tables_of_unlike_shapes(self, test: Test) -> None:
        with pytest.raises(ShapeError, match=r"system 1 have shape \(4, 10\).*\(5, 10\)"):
            test([corpus(5, seed=1), corpus(4, seed=1)], [(0, 1)], formula=PLAIN)

    @both
    def test_refuses_no_segments(self, test: Test) -> None:
        with pytest.raises(ShapeError, match="at least one segment"):
            test([corpus(0, seed=1)] * 2, [(0, 1)], formula=PLAIN)

    @both
    @pytest.mark.parametrize(
        ("setting", "message"), [({"samples": 0}, "1 or more"), ({"seed": -1}, "0 or more")]
    )
    def test_refuses_settings_out_of_range(
        self, test: Test, setting: dict[str, int], message: str
    ) -> None:
        with pytest.raises(SettingError, match=message):
            test([corpus(5, seed=1)] * 2, [(0, 1)], formula=PLAIN, **setting)


class TestLikeSacrebleu:
    @formulas
    @pytest.mark.parametrize(
        ("name", "test", "samples"),
        [("bs", paired_bootstrap, 200), ("ar", paired_randomization, 300)],
    )
    def test_p_values_are_its_own(
        self, name: str, test: Test, samples: int, formula: Formula
    ) -> None:
        tables = [corpus(90, seed=seed, quality=0.6 + seed / 100) for seed in range(5)]
        expected = sacrebleu_p_values(name, tables, formula, samples)
        pairs = [(0, other) for other in range(1, 5)]
        p = test(tables, pairs, samples=samples, formula=formula, like_sacrebleu=True)
        # Samples that tie in exact arithmetic, and are told apart by rounding, may fall either way.
        assert p == pytest.approx(expected, abs=1.5 / (samples + 1))

    @pytest.mark.parametrize(
        ("name", "test", "samples"),
        [("bs", paired_bootstrap, 1000), ("ar", paired_randomization, 10000)],
    )
    def test_equal_outputs_have_its_own_least_p(self, name: str, test: Test, samples: int) -> None:
        tables = [corpus(100, seed=1)] * 2
        expected = sacrebleu_p_values(name, tables, PLAIN, samples)
        assert test(tables, [(0, 1)], formula=PLAIN, like_sacrebleu=True).tolist() == expected
        assert expected == [1 / (samples + 1)]


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


@pytest.mark.parametrize("lang", ["zh", "pt"])
class TestPublishedSystems:
    """Real outputs: all the systems of one language."""

    @pytest.fixture
    def texts(self, shared_data: Path, lang: str) -> tuple[dict[str, list[str]], list[str]]:
        folder = shared_data / "flores-dev" / lang
        files = sorted(path for path in folder.glob("*.txt") if path.stem != "ref")
        return {path.stem: lines_of(path) for path in files}, lines_of(folder / "ref.txt")

    @pytest.fixture
    def metric(self, lang: str) -> Any:
        pytest.importorskip("sacrebleu")
        from sacrebleu.metrics.bleu import BLEU

        return BLEU(tokenize={"zh": "zh", "pt": "13a"}[lang])

    @pytest.fixture
    def tables(
        self, texts: tuple[dict[str, list[str]], list[str]], metric: Any
    ) -> dict[str, Table]:
        systems, references = texts
        return {
            name: np.array(metric._extract_corpus_statistics(lines, [references]), dtype=np.int64)
            for name, lines in systems.items()
        }

    def test_intervals_are_those_of_sacrebleu(
        self,
        texts: tuple[dict[str, list[str]], list[str]],
        tables: dict[str, Table],
        metric: Any,
    ) -> None:
        systems, references = texts
        for name, lines in systems.items():
            score = metric.corpus_score(lines, [references], n_bootstrap=1000)
            interval = bootstrap(tables[name], formula=PLAIN)
            half_width = (interval.high - interval.low) / 2
            assert (interval.mean, half_width) == pytest.approx((score._mean, score._ci), abs=1e-5)

    @pytest.mark.parametrize(
        ("name", "test", "samples"),
        [("bs", paired_bootstrap, 1000), ("ar", paired_randomization, 2000)],
    )
    def test_p_values_are_those_of_sacrebleu(
        self,
        texts: tuple[dict[str, list[str]], list[str]],
        tables: dict[str, Table],
        metric: Any,
        name: str,
        test: Test,
        samples: int,
    ) -> None:
        significance: Any = pytest.importorskip("sacrebleu.significance")

        systems, references = texts
        _, results = significance.PairedTest(
            list(systems.items()), {"BLEU": metric}, [references], name, n_samples=samples
        )()
        expected = [result.p_value for result in results["BLEU"][1:]]
        pairs = [(0, other) for other in range(1, len(systems))]
        p = test(list(tables.values()), pairs, samples=samples, formula=PLAIN, like_sacrebleu=True)
        assert p.tolist() == pytest.approx(expected, abs=1e-12)


def test_every_smoothing_is_tested() -> None:
    assert {formula.smoothing for formula in FORMULAS} == set(SMOOTHING_DEFAULTS)
