"""The formula: scores that are known, and sacreBLEU's on everything else."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bleuprint import Scorer, SettingError, Statistics, by_segment

REFERENCE = "a entrega chegou no prazo e o produto veio bem embalado"
SMOOTHINGS: list[tuple[str, float | None]] = [
    ("exp", None), ("floor", None), ("floor", 0.013), ("add-k", None), ("add-k", 2.5),
    ("none", None),
]  # fmt: skip


def test_better_output_has_known_precisions_and_penalty() -> None:
    scorer = Scorer(segmenter="none")
    score = scorer.corpus(["a entrega chegou no prazo e o produto veio intacto"], [REFERENCE])
    assert score.counts == (9, 8, 7, 6)
    assert score.totals == (10, 9, 8, 7)
    assert score.bp == pytest.approx(0.905, abs=0.0005)
    assert score.score == pytest.approx(79.6, abs=0.05)


def test_short_output_is_penalised_whatever_its_precisions() -> None:
    score = Scorer(segmenter="none").corpus(["a entrega chegou no prazo"], [REFERENCE])
    assert score.precisions == (100.0, 100.0, 100.0, 100.0)
    assert score.score == pytest.approx(30.1, abs=0.05)


def test_paraphrase_without_a_common_trigram_scores_zero_unsmoothed() -> None:
    paraphrase = "o pedido foi entregue dentro do prazo e chegou bem embalado"
    score = Scorer(segmenter="none", smoothing="none").corpus([paraphrase], [REFERENCE])
    assert score.counts[2] == 0
    assert score.score == 0.0


def test_short_perfect_corpus_scores_zero_with_a_note_and_100_as_sentence() -> None:
    scorer = Scorer(segmenter="none")
    corpus = scorer.corpus(["hello world"], ["hello world"])
    assert corpus.score == 0.0
    assert "no-ngram" in {note.code for note in corpus.notes}
    sentence = scorer.sentence("hello world", "hello world")
    assert sentence.score == 100.0
    assert "no-ngram" not in {note.code for note in sentence.notes}
    assert sentence.signature.eff == "yes"


def test_empty_hypothesis_scores_zero_and_is_noted() -> None:
    score = Scorer(segmenter="none").corpus([""], ["a b c d"])
    assert (score.score, score.bp, score.sys_len) == (0.0, 0.0, 0)
    assert "empty-hypothesis" in {note.code for note in score.notes}


@pytest.mark.parametrize(
    ("smoothing", "with_order", "without"),
    [("none", 0.0, 0.0), ("floor", 32.18, 0.0), ("add-k", 68.66, 68.66), ("exp", 55.03, 0.0)],
)
def test_smoothing_of_a_short_sentence(smoothing: str, with_order: float, without: float) -> None:
    scorer = Scorer(segmenter="none", smoothing=smoothing)
    assert scorer.sentence("a b d", "a b c").score == pytest.approx(with_order, abs=0.005)
    assert scorer.corpus(["a b d"], ["a b c"]).score == pytest.approx(without, abs=0.005)


def test_add_k_leaves_the_statistics_alone() -> None:
    scorer = Scorer(segmenter="none", smoothing="add-k")
    statistics = scorer.statistics(["a b d"], ["a b c"])
    first, second = scorer.score(statistics), scorer.score(statistics)
    assert first == second
    assert first.score == pytest.approx(68.66, abs=0.005)
    assert all(isinstance(count, int) for count in first.counts)
    assert first.counts == (2, 1, 0, 0)


def test_perfect_corpus_scores_exactly_100() -> None:
    texts = [f"the {i} quick brown foxes jump over {i * 7} lazy dogs" for i in range(37)]
    for order in range(1, 10):
        assert Scorer(segmenter="none", max_order=order).corpus(texts, texts).score == 100.0


def test_batches_add_up_to_the_whole_to_the_last_bit() -> None:
    rng = random.Random(7)
    texts = [" ".join(rng.choices("abcdef", k=rng.randint(0, 30))) for _ in range(600)]
    scorer = Scorer(segmenter="none")
    hypotheses, references = texts[:300], texts[300:]
    whole = scorer.statistics(hypotheses, references)
    parts = [
        scorer.statistics(hypotheses[a:b], references[a:b])
        for a, b in ((0, 7), (7, 150), (150, 300))
    ]
    added: Statistics = parts[0] + parts[1] + parts[2]
    assert bytes(added.rows) == bytes(whole.rows)
    assert scorer.score(added).score == scorer.score(whole).score
    assert scorer.score(whole.sum()).score == scorer.score(whole).score


def test_orders_have_different_signatures_that_do_not_compare() -> None:
    texts = ["a b c d e f"]
    two = Scorer(segmenter="none", max_order=2).corpus(texts, texts).signature
    four = Scorer(segmenter="none", max_order=4).corpus(texts, texts).signature
    assert str(two) != str(four)
    assert set(two.differences(four)) == {"order"}


@pytest.mark.parametrize(
    "settings",
    [
        {"smoothing": "laplace"},
        {"smoothing": "exp", "smoothing_value": 1.0},
        {"smoothing": "floor", "smoothing_value": -1.0},
        {"smoothing": "floor", "smoothing_value": float("nan")},
        {"max_order": 0},
        {"max_order": 2.5},
        {"max_order": True},
        {"lowercase": "de"},
        {"normalize": "nfq"},
        {"smoothing": ["exp"]},
        {"smoothing": "floor", "smoothing_value": "much"},
        {"smoothing": "floor", "smoothing_value": True},
        {"effective_order": "no"},
        {"lang": 3},
        {"lang": b"ja"},
    ],
)
def test_settings_out_of_range_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(SettingError):
        Scorer(segmenter="none", **settings)  # type: ignore[arg-type]  # wrong on purpose


_TEXT = st.lists(st.sampled_from(["a", "b", "c", "d", "A"]), max_size=14).map(" ".join)
_ROW = st.tuples(_TEXT, st.lists(st.one_of(st.none(), _TEXT), min_size=3, max_size=3))


@settings(max_examples=150, deadline=None)
@given(
    rows=st.lists(_ROW, min_size=1, max_size=8),
    smoothing=st.sampled_from(SMOOTHINGS),
    order=st.integers(1, 9),
    effective=st.booleans(),
    lowercase=st.booleans(),
)
def test_scores_equal_sacrebleus(
    rows: list[tuple[str, list[str | None]]],
    smoothing: tuple[str, float | None],
    order: int,
    effective: bool,
    lowercase: bool,
) -> None:
    metrics = pytest.importorskip("sacrebleu.metrics")
    hypotheses = [hypothesis for hypothesis, _ in rows]
    streams: list[list[str | None]] = [
        [refs[i] or ("" if i == 0 else refs[i]) for _, refs in rows] for i in range(3)
    ]
    method, value = smoothing
    theirs = metrics.BLEU(
        tokenize="none", smooth_method=method, smooth_value=value, max_ngram_order=order,
        effective_order=effective, lowercase=lowercase,
    ).corpus_score(hypotheses, streams)  # fmt: skip
    scorer = Scorer(
        segmenter="none", smoothing=method, smoothing_value=value, max_order=order,
        effective_order=effective, lowercase=lowercase,
    )  # fmt: skip
    ours = scorer.corpus(hypotheses, by_segment(*streams))
    assert ours.score == pytest.approx(theirs.score, abs=1e-9)
    assert ours.precisions == pytest.approx(theirs.precisions, abs=1e-9)
    assert (ours.bp, ours.sys_len, ours.ref_len) == (theirs.bp, theirs.sys_len, theirs.ref_len)
    if method != "add-k":  # there sacreBLEU's counts are changed by the smoothing
        assert list(ours.counts) == theirs.counts
        assert list(ours.totals) == theirs.totals


@pytest.mark.parametrize(
    ("smoothing", "lowercase", "effective"),
    list(itertools.product(SMOOTHINGS, (False, True), (False, True))),
)
def test_sentence_scores_equal_sacrebleus(
    smoothing: tuple[str, float | None], lowercase: bool, effective: bool
) -> None:
    metrics = pytest.importorskip("sacrebleu.metrics")
    rng = random.Random(3)
    method, value = smoothing
    metric = metrics.BLEU(
        tokenize="none", smooth_method=method, smooth_value=value,
        effective_order=effective, lowercase=lowercase,
    )  # fmt: skip
    scorer = Scorer(segmenter="none", smoothing=method, smoothing_value=value, lowercase=lowercase)
    texts = [" ".join(rng.choices("abcABC", k=rng.randint(0, 12))) for _ in range(120)]
    hypotheses = texts[:40]
    references = [list(pair) for pair in zip(texts[40:80], texts[80:], strict=True)]
    ours = scorer.sentences(hypotheses, references, effective_order=effective)
    theirs = [metric.sentence_score(h, r) for h, r in zip(hypotheses, references, strict=True)]
    assert [s.score for s in ours] == pytest.approx([s.score for s in theirs], abs=1e-9)
