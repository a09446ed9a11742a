"""Several systems: tests of all pairs, corrected, with clusters, ranks and influence."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint import IncomparableError, Scorer, SettingError, ShapeError, Statistics
from bleuprint._bleu import Formula
from bleuprint._comparison import Comparison, compare, holm, influence
from bleuprint._resampling import bootstrap, paired_bootstrap, paired_randomization

PLAIN = Formula()
SCORER = Scorer(segmenter="none")
LEVELS = [0.9, 0.895, 0.6, 0.59, 0.3]  # chances of a token to be right: two pairs and a straggler


def system(right: float, *, segments: int = 150, **changes: Any) -> Statistics:
    """A made-up output of the same references, with errors that are its own."""
    rng, errors = np.random.default_rng(0), np.random.default_rng(int(1000 * right))
    hypotheses, references = [], []
    for _ in range(segments):
        length = rng.integers(8, 25)
        reference = rng.integers(0, 5000, length)
        wrong = errors.random(length) >= right
        references.append(" ".join(map(str, reference)))
        hypotheses.append(" ".join(map(str, np.where(wrong, -reference, reference))))
    scorer = Scorer(segmenter="none", **changes)
    return scorer.statistics(hypotheses, references)


@pytest.fixture(scope="module")
def five() -> dict[str, Statistics]:
    """Five systems, in an order that is not that of their scores."""
    made = {f"at-{right}": system(right) for right in LEVELS}
    return {name: made[name] for name in ("at-0.6", "at-0.9", "at-0.3", "at-0.59", "at-0.895")}


class TestHolm:
    @pytest.mark.parametrize(
        ("p", "corrected"),
        [
            ([], []),
            ([0.03], [0.03]),
            ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
            ([0.5, 0.6, 0.7], [1.0, 1.0, 1.0]),
            ([0.02, 0.02], [0.04, 0.04]),
        ],
    )
    def test_of_known_values(self, p: list[float], corrected: list[float]) -> None:
        assert holm(np.array(p)) == pytest.approx(corrected)

    @given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
    def test_rejects_what_the_step_down_procedure_rejects(self, p: list[float]) -> None:
        corrected = holm(np.array(p))
        for alpha in (0.01, 0.05, 0.3):
            rejected = set()
            for step, at in enumerate(sorted(range(len(p)), key=p.__getitem__)):
                if p[at] * (len(p) - step) >= alpha:
                    break
                rejected.add(at)
            assert {at for at, own in enumerate(corrected) if own < alpha} == rejected

    @given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
    def test_keeps_the_order_and_never_lowers(self, p: list[float]) -> None:
        corrected = holm(np.array(p))
        assert (corrected >= p).all()
        assert (corrected <= 1).all()
        assert (np.diff(corrected[np.argsort(p)]) >= 0).all()


class TestPairs:
    def test_are_all_tested_the_baseline_first(self, five: dict[str, Statistics]) -> None:
        comparison = compare(SCORER, five, baseline="at-0.3")
        assert [(pair.first, pair.second) for pair in comparison.pairs] == [
            ("at-0.3", "at-0.6"),
            ("at-0.3", "at-0.9"),
            ("at-0.3", "at-0.59"),
            ("at-0.3", "at-0.895"),
            ("at-0.6", "at-0.9"),
            ("at-0.6", "at-0.59"),
            ("at-0.6", "at-0.895"),
            ("at-0.9", "at-0.59"),
            ("at-0.9", "at-0.895"),
            ("at-0.59", "at-0.895"),
        ]

    def test_difference_is_positive_where_the_second_is_better(
        self, five: dict[str, Statistics]
    ) -> None:
        comparison = compare(SCORER, five)
        pair = comparison.against_baseline("at-0.9")
        assert pair is not None
        by_name = {system.name: system.score.score for system in comparison.systems}
        assert pair.difference == by_name["at-0.9"] - by_name["at-0.6"] > 0

    @pytest.mark.parametrize("test", ["bs", "ar"])
    @pytest.mark.parametrize("like_sacrebleu", [False, True])
    def test_have_the_p_values_of_the_test(
        self, five: dict[str, Statistics], test: Any, like_sacrebleu: bool
    ) -> None:
        settings: dict[str, Any] = {"samples": 200, "seed": 3, "like_sacrebleu": like_sacrebleu}
        comparison = compare(SCORER, five, test=test, **settings)
        tables = [own.table for own in five.values()]
        names = list(five)
        indices = [(names.index(pair.first), names.index(pair.second)) for pair in comparison.pairs]
        tested = {"bs": paired_bootstrap, "ar": paired_randomization}[test]
        expected = tested(tables, indices, formula=PLAIN, **settings)
        assert [pair.p for pair in comparison.pairs] == expected.tolist()
        assert [pair.p_corrected for pair in comparison.pairs] == holm(expected).tolist()

    @pytest.mark.parametrize("test", ["bs", "ar"])
    def test_of_one_output_under_two_names_have_p_1(self, test: Any) -> None:
        statistics = {"a": system(0.7), "b": system(0.7)}
        (pair,) = compare(SCORER, statistics, test=test).pairs
        assert (pair.difference, pair.p, pair.p_corrected, pair.significant) == (0, 1, 1, False)

    def test_with_the_baseline_only_need_less_correction(self, five: dict[str, Statistics]) -> None:
        comparison = compare(SCORER, five, baseline_only=True)
        every = compare(SCORER, five)
        assert len(comparison.pairs) == 4
        for pair, same in zip(comparison.pairs, every.pairs, strict=False):
            assert pair.p == same.p
            assert pair.p_corrected <= same.p_corrected
        assert {(system.cluster, system.rank) for system in comparison.systems} == {(None, None)}


class TestSystems:
    def test_have_the_intervals_of_a_bootstrap(self, five: dict[str, Statistics]) -> None:
        for test in ("bs", "ar"):
            comparison = compare(SCORER, five, test=test, seed=4, level=0.9)
            for own in comparison.systems:
                expected = bootstrap(five[own.name].table, seed=4, level=0.9, formula=PLAIN)
                assert own.score.interval == expected

    @pytest.mark.parametrize(
        ("settings", "fields"),
        [
            ({}, {"bs": "1000", "ar": None, "seed": "12345"}),
            ({"samples": 50, "seed": 0}, {"bs": "50", "ar": None, "seed": "0"}),
            ({"like_sacrebleu": True}, {"bs": "1000.sacrebleu", "ar": None, "seed": "12345"}),
            ({"test": "ar", "samples": 50}, {"bs": "1000", "ar": "50", "seed": "12345"}),
            (
                {"test": "ar", "samples": 50, "like_sacrebleu": True},
                {"bs": "1000", "ar": "50.sacrebleu", "seed": "12345"},
            ),
        ],
    )
    def test_have_the_test_in_their_signature(
        self, settings: dict[str, Any], fields: dict[str, str | None]
    ) -> None:
        statistics = {"a": system(0.7), "b": system(0.5)}
        for own in compare(SCORER, statistics, **settings).systems:
            signature = own.score.signature
            assert {key: getattr(signature, key) for key in fields} == fields

    def test_fall_into_clusters_with_ranges_of_ranks(self, five: dict[str, Statistics]) -> None:
        comparison = compare(SCORER, five, test="ar", samples=2000)
        assert {own.name: (own.cluster, own.rank) for own in comparison.systems} == {
            "at-0.9": (1, (1, 2)),
            "at-0.895": (1, (1, 2)),
            "at-0.6": (2, (3, 4)),
            "at-0.59": (2, (3, 4)),
            "at-0.3": (3, (5, 5)),
        }

    def test_are_one_cluster_where_no_line_separates_all_above_from_all_below(self) -> None:
        # The ends of a chain differ, neighbours do not: there is no line to draw.
        statistics = {str(right): system(right, segments=300) for right in (0.72, 0.7, 0.68, 0.66)}
        comparison = compare(SCORER, statistics)
        assert {own.name: (own.cluster, own.rank) for own in comparison.systems} == {
            "0.72": (1, (1, 2)),
            "0.7": (1, (1, 3)),
            "0.68": (1, (2, 4)),
            "0.66": (1, (3, 4)),
        }

    def test_that_are_equal_share_cluster_and_ranks(self) -> None:
        statistics = {name: system(0.7) for name in "abc"}
        comparison = compare(SCORER, statistics, samples=50)
        assert {(own.cluster, own.rank) for own in comparison.systems} == {(1, (1, 3))}

    def test_are_not_told_apart_at_a_stricter_alpha(self, five: dict[str, Statistics]) -> None:
        # 100 samples give no p-value below 1/101, and ten pairs multiply it by up to 10.
        comparison = compare(SCORER, five, samples=100, alpha=0.001)
        assert {own.rank for own in comparison.systems} == {(1, 5)}


class TestRefusals:
    def test_of_systems_that_were_scored_with_other_settings(self) -> None:
        statistics = {"a": system(0.7), "b": system(0.5, lowercase=True)}
        with pytest.raises(IncomparableError, match="case lc and mixed"):
            compare(SCORER, statistics)

    def test_of_systems_with_other_numbers_of_references(self) -> None:
        more = SCORER.statistics(["a b c d"], [["a b c d", "a b c e"]])
        with pytest.raises(IncomparableError, match=r"^a and b were .* nrefs 1 and 2$"):
            compare(SCORER, {"a": system(0.7, segments=1), "b": more})

    def test_of_systems_with_other_segments(self) -> None:
        with pytest.raises(ShapeError, match="same segments"):
            compare(SCORER, {"a": system(0.7), "b": system(0.7, segments=9)})

    @pytest.mark.parametrize(
        ("settings", "message"),
        [
            ({"test": "t"}, "no test 't': expected bs or ar"),
            ({"alpha": 0}, "alpha 0: expected a number between"),
            ({"alpha": 5}, "alpha 5: expected a number between"),
            ({"baseline": "c"}, "no system 'c': expected one of a, b"),
            ({"samples": 0}, "0 samples: expected 1 or more"),
            ({"test": "ar", "samples": 0}, "0 samples: expected 1 or more"),
            ({"samples": 10**10}, "10,000,000 at most"),
            ({"seed": -1}, "seed -1: expected 0 or more"),
            ({"level": 95}, "confidence level 95"),
        ],
    )
    def test_of_settings_out_of_range(self, settings: dict[str, Any], message: str) -> None:
        with pytest.raises(SettingError, match=message):
            compare(SCORER, {"a": system(0.7), "b": system(0.5)}, **settings)

    def test_of_one_system(self) -> None:
        with pytest.raises(SettingError, match="1 system to compare: expected two or more"):
            compare(SCORER, {"a": system(0.7)})


class TestInfluence:
    @pytest.mark.parametrize("formula", [PLAIN, Formula(smoothing="floor")], ids=str)
    def test_is_what_leaving_a_segment_out_takes_away(self, formula: Formula) -> None:
        a, b = (system(right, segments=12).table for right in (0.7, 0.6))

        def difference(kept: Any) -> float:
            first, second = (formula.score(own[kept].sum(axis=0).tolist()) for own in (a, b))
            return second.score - first.score

        everything = np.ones(12, dtype=bool)
        expected = [difference(everything) - difference(np.arange(12) != at) for at in range(12)]
        assert influence(a, b, formula) == pytest.approx(expected, abs=1e-9)

    def test_is_0_for_segments_that_are_alike_if_all_are(self) -> None:
        table = system(0.7, segments=12).table
        assert not influence(table, table, PLAIN).any()

    def test_of_a_single_segment_is_the_difference(self) -> None:
        a, b = (system(right, segments=1).table for right in (0.95, 0.7))
        first, second = (PLAIN.score(own[0].tolist()).score for own in (a, b))
        assert influence(a, b, PLAIN) == pytest.approx([second - first])

    def test_finds_the_segment_that_was_broken(self) -> None:
        good = system(0.8)
        broken = good.table.copy()
        broken[41, 2:6] = 0
        effects = influence(good.table, broken, PLAIN)
        assert np.argmin(effects) == 41
        assert effects[41] < 0


class TestJson:
    @pytest.mark.parametrize("settings", [{}, {"test": "ar"}, {"baseline_only": True}])
    def test_follows_the_schema(
        self, five: dict[str, Statistics], settings: dict[str, Any]
    ) -> None:
        jsonschema = pytest.importorskip("jsonschema")
        schema = json.loads(files("bleuprint").joinpath("schemas/compare-1.json").read_text())
        validator = jsonschema.Draft202012Validator
        validator.check_schema(schema)
        document = json.loads(json.dumps(compare(SCORER, five, samples=50, **settings).to_dict()))
        validator(schema).validate(document)
        del document["systems"][0]["interval"]
        assert not validator(schema).is_valid(document)

    def test_marks_the_baseline_and_holds_its_tests(self, five: dict[str, Statistics]) -> None:
        comparison = compare(SCORER, five, samples=50, baseline="at-0.9")
        document = comparison.to_dict()
        assert [own["baseline"] for own in document["systems"]] == [False, True] + [False] * 3
        for own in document["systems"]:
            pair = comparison.against_baseline(own["system"])
            expected = (None,) * 3 if pair is None else (pair.difference, pair.p, pair.p_corrected)
            assert (own["difference"], own["p"], own["p_corrected"]) == expected


def test_thirty_systems_are_compared_in_one_run() -> None:
    statistics = {str(number): system(0.5 + number / 100, segments=80) for number in range(30)}
    comparison = compare(SCORER, statistics, samples=100)
    assert isinstance(comparison, Comparison)
    assert len(comparison.pairs) == 30 * 29 / 2


@pytest.mark.parametrize("lang", ["pt", "zh"])
def test_published_systems_have_the_p_values_of_sacrebleu(shared_data: Path, lang: str) -> None:
    bleu: Any = pytest.importorskip("sacrebleu.metrics.bleu").BLEU
    paired_test: Any = pytest.importorskip("sacrebleu.significance").PairedTest
    segmenter = {"pt": "13a", "zh": "zh"}[lang]
    folder = shared_data / "flores-dev" / lang
    texts = {
        path.stem: path.read_text(encoding="utf-8").split("\n")[:-1]
        for path in sorted(folder.glob("*.txt"))
    }
    references = texts.pop("ref")
    metrics = {"BLEU": bleu(tokenize=segmenter)}
    _, results = paired_test(list(texts.items()), metrics, [references], "bs", n_samples=1000)()
    scorer = Scorer(segmenter=segmenter)
    statistics = dict(zip(texts, scorer.collect(list(texts.values()), references), strict=True))
    comparison = compare(scorer, statistics, like_sacrebleu=True)
    for own, expected in zip(comparison.systems, results["BLEU"], strict=True):
        pair = comparison.against_baseline(own.name)
        assert own.score.score == pytest.approx(expected.score, abs=1e-9)
        assert own.score.interval is not None
        half_width = (own.score.interval.high - own.score.interval.low) / 2
        assert (own.score.interval.mean, half_width) == pytest.approx((expected.mean, expected.ci))
        assert (None if pair is None else pair.p) == expected.p_value
