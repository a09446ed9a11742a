"""Signatures: written, read back, compared."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint import Registry, Scorer, Signature, SignatureSyntaxError
from bleuprint._signature import STANDARD, SegmenterId, smoothing_field

OURS = (
    "nrefs:1|case:mixed|norm:none|eff:no|order:4|"
    "tok:zh-jieba[hmm=on;dict=7197c321,jieba=0.42.1,probe=1-3f9a1c22]|smooth:exp|"
    "version:bleuprint-0.1.0"
)
THEIRS = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.5.1"


@pytest.mark.parametrize(
    "text",
    [
        OURS,
        THEIRS,
        "nrefs:var|bs:1000|seed:12345|case:lc|eff:yes|tok:intl|smooth:floor[0.10]|version:2.0.0",
        "nrefs:1|ar:10000|seed:0|test:wmt17|lang:en-de|origlang:de|subset:news|case:mixed|eff:no|"
        "tok:ja-mecab-0.996-IPA|smooth:add-k[1.00]|version:2.3.1",
        "nrefs:1-4|case:lc.tr|norm:nfkc+digits|eff:no|order:2|tok:13a|smooth:none|version:bleuprint-1",
        "tok:object-a.b.C[;v=1]",
    ],
)
def test_what_is_parsed_is_written_alike(text: str) -> None:
    assert str(Signature.parse(text)) == text


def test_short_form_is_read_and_written_as_sacrebleu_does() -> None:
    short = "#:1|bs:1000|rs:12345|c:mixed|e:no|tok:13a|s:exp|v:2.5.1"
    signature = Signature.parse(short)
    assert (signature.nrefs, signature.seed, signature.case, signature.smooth) == (
        "1", "12345", "mixed", "exp",
    )  # fmt: skip
    assert signature.short() == short


def test_short_form_of_test_sets_is_read() -> None:
    signature = Signature.parse("#:1|t:wmt17|l:en-de|o:de|S:x|c:lc|e:yes|tok:13a|s:exp|v:2.5.1")
    assert (signature.test, signature.lang, signature.origlang, signature.subset) == (
        "wmt17", "en-de", "de", "x",
    )  # fmt: skip


def test_form_of_sacrebleu_1_is_read() -> None:
    signature = Signature.parse(
        "BLEU+case.mixed+lang.en-de+numrefs.1+smooth.exp+test.wmt14/full+tok.13a+version.1.2.3"
    )
    assert signature == Signature(
        nrefs="1", test="wmt14/full", lang="en-de", case="mixed", tok="13a", smooth="exp",
        version="1.2.3",
    )  # fmt: skip
    assert signature.eff is None


def test_whole_score_line_is_read() -> None:
    line = f"BLEU|{THEIRS} = 34.2 66.1/41.0/28.5/20.1 (BP = 0.980 ratio = 0.980 hyp_len = 980)"
    assert str(Signature.parse(line)) == THEIRS


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no signature"),
        ("34.2", "no signature"),
        ("nrefs:1|nonsense", "no signature"),
        ("nrefs:1|colour:red", "'colour'"),
        ("nrefs:1|nrefs:2", "twice"),
        ("nrefs:|case:lc", "no value"),
        ("eff:maybe", "yes or no"),
        ("case:upper", "mixed, lc"),
        ("smooth:laplace", "expected exp"),
        ("smooth:exp[1]", "expected exp"),
        ("BLEU+case.mixed+foo.1", "'foo'"),
        ("nrefs:1|tok:[", "is no segmenter"),
        ("smooth:floor[nan]", "expected exp, none, floor"),
        ("smooth:floor[1e400]", "expected exp, none, floor"),
        ("smooth:add-k[-1]", "expected exp, none, floor"),
    ],
)
def test_what_is_no_signature_is_refused(text: str, said: str) -> None:
    with pytest.raises(SignatureSyntaxError, match=said.replace("'", "'")):
        Signature.parse(text)


_KEY = st.text(string.ascii_lowercase + "-_.", min_size=1, max_size=6)
_VALUE = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
_PAIRS = st.dictionaries(_KEY, _VALUE, max_size=4)


@given(name=_VALUE, options=_PAIRS, provenance=_PAIRS)
def test_segmenter_ids_round_trip_whatever_their_text(
    name: str, options: dict[str, str], provenance: dict[str, str]
) -> None:
    made = SegmenterId.of(name, options, provenance)
    text = str(made)
    assert SegmenterId.parse(text) == made
    assert str(SegmenterId.parse(text)) == text
    signature = Signature(tok=text, eff="no")
    assert Signature.parse(str(signature)) == signature
    assert Signature.parse(signature.short()) == signature


@pytest.mark.parametrize("text", ["", "[a=b]", "a[b=c", "a]b", "a[b]", "a[b=c,b=d]", "a[b=c]]"])
def test_what_is_no_segmenter_is_refused(text: str) -> None:
    with pytest.raises(SignatureSyntaxError):
        SegmenterId.parse(text)


@given(st.floats(0, 1e6, allow_nan=False))
def test_smoothing_value_comes_back(value: float) -> None:
    smoothing = Signature(smooth=smoothing_field("floor", value)).smoothing
    assert smoothing == ("floor", value)


@pytest.mark.parametrize(
    ("value", "text"), [(0.1, "floor[0.10]"), (1.0, "floor[1.00]"), (0.125, "floor[0.125]")]
)
def test_smoothing_has_at_least_two_decimals(value: float, text: str) -> None:
    assert smoothing_field("floor", value) == text


def _with(text: str, **fields: str) -> Signature:
    import dataclasses

    return dataclasses.replace(Signature.parse(text), **fields)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("nrefs", "2"), ("test", "wmt20"), ("lang", "en-zh"), ("subset", "news"), ("case", "lc"),
        ("norm", "nfkc"), ("eff", "yes"), ("order", "2"), ("tok", "zh"), ("smooth", "none"),
    ],
)  # fmt: skip
def test_field_that_counts_keeps_scores_apart(field: str, value: str) -> None:
    a, b = Signature.parse(OURS), _with(OURS, **{field: value})
    assert set(a.differences(b)) == {field}
    assert a.digest != b.digest


@pytest.mark.parametrize(
    ("field", "value"), [("bs", "1000"), ("ar", "100"), ("seed", "1"), ("version", "2.5.1")]
)
def test_field_that_does_not_count_does_not(field: str, value: str) -> None:
    a, b = Signature.parse(OURS), _with(OURS, **{field: value})
    assert not a.differences(b)
    assert a.digest == b.digest


def test_unstated_norm_and_order_count_as_none_and_4_and_it_says_so() -> None:
    ours = _with(OURS, tok="13a")
    comparison = ours.compare(Signature.parse(THEIRS))
    assert not comparison.differences
    assert comparison.assumptions == {"norm": "none", "order": "4"}
    assert ours.digest == Signature.parse(THEIRS).digest


@pytest.mark.parametrize(
    ("a", "b", "alike"),
    [
        ("zh-jieba[hmm=on;dict=1,jieba=0.42]", "zh-jieba[hmm=on;dict=1,jieba=0.43]", True),
        ("zh-jieba[hmm=on;dict=1]", "zh-jieba[hmm=on;dict=2]", False),
        ("zh-jieba[hmm=on;probe=1-a]", "zh-jieba[hmm=on;probe=1-b]", False),
        ("zh-jieba[hmm=on]", "zh-jieba[hmm=off]", False),
        ("13a[;probe=1-a]", "13a", True),
        ("13a", "intl", False),
        ("acme[;dist=acme-1.2]", "acme[;dist=acme-1.3]", True),
        ("acme[;dist=acme-1.2]", "acme[;dist=other-1.2]", False),
        ("acme[;dist=acme-1.2]", "acme", False),
        ("ja-mecab-0.996-IPA", "ja-mecab[;fugashi=1.5.2]", True),
        ("ko-mecab-0.996/ko-0.9.2-KO", "ko-mecab", True),
        ("ja-mecab-0.996-UniDic", "ja-mecab", False),
    ],
)
def test_segmenters_that_cut_alike_may_be_compared(a: str, b: str, alike: bool) -> None:
    differences = Signature(tok=a).differences(Signature(tok=b))
    assert (not differences) is alike
    assert differences.keys() == Signature(tok=b).differences(Signature(tok=a)).keys()


def test_default_smoothing_value_is_the_same_stated_or_not() -> None:
    assert not Signature(smooth="floor").differences(Signature(smooth="floor[0.10]"))


@pytest.mark.parametrize("name", STANDARD)
def test_digest_of_sacrebleus_names_is_that_of_sacrebleus_signatures(name: str) -> None:
    offer = Registry.installed().find(name)
    if offer.spec.missing:
        pytest.skip(f"{name} is not installed")
    ours = Signature(tok=str(Registry.installed().build(name).id))
    assert ours.digest == Signature(tok=name).digest
    patched = Signature(tok=f"{name}[;probe=1-00000000]")
    assert patched.digest != ours.digest
    assert patched.differences(ours)


@pytest.mark.parametrize("value", [None, 3, b"nrefs:1", ["nrefs:1"]])
def test_what_is_no_text_is_refused_as_a_signature(value: object) -> None:
    with pytest.raises(SignatureSyntaxError, match="expected text"):
        Signature.parse(value)  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(SignatureSyntaxError, match="expected text"):
        Scorer.from_signature(value)  # type: ignore[arg-type]  # wrong on purpose
