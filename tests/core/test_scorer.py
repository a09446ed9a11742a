"""Scorer: binds a segmenter and settings, and can be rebuilt from a signature."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from types import MappingProxyType

import pytest

import bleuprint
from bleuprint import RebuildError, Scorer, Signature

TEXTS = ["The quick brown fox, he said, jumps over 2.5 dogs.", "It's a test of BLEU &amp; more."]
REFERENCES = ["The quick brown fox, she said, jumps over 2.5 dogs.", "It is a test of BLEU & more."]


class Words:
    """A segmenter that no plugin offers."""

    fingerprint = MappingProxyType({"rules": "1"})

    def segment_batch(self, lines: Sequence[str]) -> list[list[str]]:
        return [line.split() for line in lines]


def _needs(name: str) -> None:
    if bleuprint.Registry.installed().find(name).spec.missing:
        pytest.skip(f"{name} is not installed")


def test_neither_language_nor_segmenter_means_13a() -> None:
    assert Scorer().segmenter.name == "13a"


def test_text_without_spaces_under_13a_is_noted() -> None:
    score = Scorer().corpus(["今天天气很不错"], ["今天天气很不错"])
    assert "no-spaces" in {note.code for note in score.notes}


@pytest.mark.parametrize(
    "text",
    [
        "สวัสดีครับวันนี้อากาศดีมาก",
        "ថ្ងៃនេះអាកាសធាតុល្អណាស់",
        "ມື້ນີ້ອາກາດດີຫຼາຍ",
        "ဒီနေ့ရာသီဥတုကောင်းတယ်",
        "དེ་རིང་གནམ་གཤིས་ཡག་པོ་འདུག",
    ],
)
def test_scripts_without_spaces_are_noted_under_13a(text: str) -> None:
    score = Scorer(segmenter="13a").corpus([text], [text])
    assert "no-spaces" in {note.code for note in score.notes}


def test_chinese_scored_three_ways() -> None:
    _needs("zh-jieba")
    text = "今天天气很不错"
    assert Scorer(segmenter="zh").corpus([text], [text]).score == 100.0
    jieba = Scorer("zh")
    assert len(jieba.segment([text])[0]) == 3
    corpus = jieba.corpus([text], [text])
    assert corpus.score == 0.0
    assert [note.code for note in corpus.notes if note.code == "no-ngram"] == ["no-ngram"]
    assert jieba.sentence(text, text).score == 100.0


def test_segmenter_wins_over_language_with_a_note_where_it_does_not_claim_it() -> None:
    scorer = Scorer("de", "pt-contractions")
    assert scorer.segmenter.name == "pt-contractions"
    notes = {note.code: note for note in scorer.corpus(TEXTS, REFERENCES).notes}
    assert "does not claim German" in notes["language-not-claimed"].message


def test_neutral_segmenter_and_its_own_language_leave_no_note() -> None:
    for scorer in (Scorer("de", "13a"), Scorer("pt", "pt-contractions"), Scorer("pt")):
        codes = {note.code for note in scorer.corpus(TEXTS, REFERENCES).notes}
        assert "language-not-claimed" not in codes


def test_ambiguous_pair_is_a_region_with_a_note() -> None:
    scorer = Scorer("pt-br")
    assert scorer.segmenter.name == "pt-contractions"
    assert "language-reading" in {note.code for note in scorer.corpus(TEXTS, REFERENCES).notes}


def test_language_fills_the_option_of_that_name() -> None:
    _needs("moses")
    assert "moses[" in str(Scorer("de", "moses").segmenter.id)
    assert ("lang", "de") in Scorer("de", "moses").segmenter.id.options
    assert ("lang", "en") in Scorer("de", "moses[lang=en]").segmenter.id.options


@pytest.mark.parametrize("lang", ["bo", "yue", "dz"])
def test_language_without_a_default_is_refused_with_the_way_out(lang: str) -> None:
    with pytest.raises(bleuprint.NoSegmenterError, match="char"):
        Scorer(lang)


def test_object_is_named_by_its_class_and_never_rebuilt() -> None:
    score = Scorer(segmenter=Words()).corpus(TEXTS, REFERENCES)
    tok = score.signature.segmenter
    assert tok is not None
    assert tok.name.startswith("object-")
    assert tok.name.endswith("test_scorer.Words")
    with pytest.raises(RebuildError, match="object"):
        Scorer.from_signature(score.signature)


@pytest.mark.parametrize("thing", [3, object(), type("NoPrint", (), {"segment_batch": id})()])
def test_object_that_is_no_segmenter_is_refused(thing: object) -> None:
    with pytest.raises(bleuprint.ContractError):
        Scorer(segmenter=thing)  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize("name", ["13a", "zh-jieba", "th-newmm", "ja-mecab", "ko-mecab"])
def test_scorer_travels_as_its_recipe(name: str) -> None:
    _needs(name)
    scorer = Scorer(segmenter=name, lowercase=True, max_order=3, smoothing="floor")
    copy = pickle.loads(pickle.dumps(scorer))
    assert copy.corpus(TEXTS, REFERENCES) == scorer.corpus(TEXTS, REFERENCES)
    assert len(pickle.dumps(scorer)) < 2000, "an engine travelled"


def test_second_scorer_never_changes_the_first() -> None:
    first = Scorer(segmenter="13a", lowercase=True)
    before = first.corpus(TEXTS, REFERENCES)
    Scorer(segmenter="13a", lowercase=False, max_order=2, normalize="nfkc")
    assert first.corpus(TEXTS, REFERENCES) == before


@pytest.mark.parametrize("name", ["none", "13a", "intl", "char", "zh", "pt-contractions"])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"lowercase": True, "smoothing": "floor", "smoothing_value": 0.013, "max_order": 2},
        {"lowercase": "tr", "normalize": "nfkc+digits", "smoothing": "add-k"},
        {"smoothing": "none", "effective_order": True},
    ],
)
def test_signature_brings_the_settings_back(name: str, settings: dict[str, object]) -> None:
    scorer = Scorer(segmenter=name, **settings)  # type: ignore[arg-type]  # a table of settings
    score = scorer.corpus(TEXTS, REFERENCES)
    again = Scorer.from_signature(str(score.signature)).corpus(TEXTS, REFERENCES)
    assert again == score


@pytest.mark.parametrize(
    ("signature", "name"),
    [
        ("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.5.1", "13a"),
        ("nrefs:var|bs:1000|seed:1|case:lc|eff:yes|tok:zh|smooth:floor[0.10]|version:2.0.0", "zh"),
        ("#:1|c:lc|e:no|tok:intl|s:add-k[1.00]|v:2.3.1", "intl"),
        ("BLEU+case.mixed+lang.en-zh+numrefs.1+smooth.exp+tok.char+version.1.4.3", "char"),
        ("nrefs:1|case:mixed|eff:no|tok:ja-mecab-0.996-IPA|smooth:exp|version:2.5.1", "ja-mecab"),
        (
            "nrefs:1|case:mixed|eff:no|tok:ko-mecab-0.996/ko-0.9.2-KO|smooth:exp|version:2.5.1",
            "ko-mecab",
        ),
    ],
)
def test_sacrebleus_signature_brings_its_settings(signature: str, name: str) -> None:
    _needs(name)
    scorer = Scorer.from_signature(signature)
    assert scorer.segmenter.name == name
    made = scorer.corpus(TEXTS, REFERENCES).signature
    assert made.differences(Signature.parse(signature)).keys() <= {"nrefs", "lang", "eff"}


@pytest.mark.parametrize(
    ("signature", "said"),
    [
        ("nrefs:1|eff:no|tok:13a|smooth:exp", "does not state case"),
        ("nrefs:1|case:lc|eff:no|smooth:exp", "does not state tok"),
        ("nrefs:1|case:lc|eff:no|tok:13a", "does not state smooth"),
        ("case:lc|tok:13a|smooth:floor", "states no value"),
        ("case:lc|tok:flores200|smooth:exp", r"flores200\[dir=DIR\]"),
        ("case:lc|tok:spm|smooth:exp", r"flores101\[dir=DIR\]"),
        ("case:lc|tok:13a[;probe=1-00000000]|smooth:exp", "probe is 1-.* here and 1-00000000"),
        ("case:lc|tok:13a[;dict=ab]|smooth:exp", "dict is not stated here and ab"),
        ("case:lc|tok:13a[;dist=acme-1.2]|smooth:exp", "distribution acme-1.2"),
        ("case:lc|order:many|tok:13a|smooth:exp", "whole number"),
    ],
)
def test_what_cannot_be_rebuilt_is_refused_and_never_guessed(signature: str, said: str) -> None:
    with pytest.raises(RebuildError, match=said):
        Scorer.from_signature(signature)


def test_unknown_segmenter_in_a_signature_is_named() -> None:
    with pytest.raises(bleuprint.UnknownSegmenterError, match="acme-words"):
        Scorer.from_signature("case:lc|tok:acme-words|smooth:exp")


def test_statistics_of_a_hundred_thousand_sentences_are_one_pass() -> None:
    texts = [f"a b {i} c d" for i in range(100_000)]
    scores = Scorer(segmenter="none").sentences(texts, texts)
    assert len(scores) == 100_000
    assert {score.score for score in scores} == {100.0}


def test_convenience_functions_are_the_scorer() -> None:
    score = bleuprint.corpus_bleu(TEXTS, REFERENCES, segmenter="intl", lowercase=True)
    assert score == Scorer(segmenter="intl", lowercase=True).corpus(TEXTS, REFERENCES)
    sentence = bleuprint.sentence_bleu(TEXTS[0], REFERENCES[0], segmenter="intl")
    assert sentence == Scorer(segmenter="intl").sentence(TEXTS[0], REFERENCES[0])
    plain = bleuprint.sentence_bleu("a b", "a b", segmenter="none", effective_order=False)
    assert plain.score == 0.0


def test_score_is_written_in_sacrebleus_layout() -> None:
    score = Scorer(segmenter="13a").corpus(TEXTS, REFERENCES)
    assert str(score).startswith("BLEU|nrefs:1|case:mixed|norm:none|eff:no|order:4|tok:13a")
    assert score.format(score_only=True, width=3) == f"{score.score:.3f}"
    assert "|c:mixed|" in score.format(short=True)


def test_interval_is_shown_beside_the_score() -> None:
    scorer = Scorer(segmenter="13a")
    score = scorer.bootstrap(scorer.statistics(TEXTS * 10, REFERENCES * 10), samples=100, seed=0)
    assert score.interval is not None
    assert score.interval.low <= score.score <= score.interval.high
    assert "(μ = " in str(score)
    assert (score.signature.bs, score.signature.seed) == ("100", "0")
