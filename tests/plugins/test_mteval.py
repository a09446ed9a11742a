"""none, 13a, intl and char: the tokens they make, compiled or not."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.metadata import distribution
from importlib.util import find_spec
from types import ModuleType

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import bleuprint_mteval
from bleuprint.plugin import Segmenter, SegmenterSpec
from bleuprint_mteval import _rules, _rules_python, _unicode

Cut = Callable[[Sequence[str]], list[list[str]]]

NAMES = ("none", "13a", "intl", "char")
EVERYTHING = "".join(map(chr, range(0x110000)))
SPECS: dict[str, SegmenterSpec] = {
    spec.name: spec for spec in bleuprint_mteval.bleuprint_segmenters()
}


@pytest.fixture(scope="module", params=["python", "compiled"])
def rules(request: pytest.FixtureRequest) -> ModuleType:
    """Either implementation."""
    if request.param == "compiled":
        pytest.importorskip("bleuprint_mteval._fast")
    return import_module(f"bleuprint_mteval._rules_{request.param}")


def cut_by(rules: ModuleType, name: str) -> Cut:
    cut: Cut = getattr(rules, f"cut_{name}")
    return cut


def lines() -> st.SearchStrategy[list[str]]:
    """Batches of lines, full of what the rules look at."""
    special = st.sampled_from(
        [*"0125..,,--  aé们½%«»!'&;\n\t\x1f\u2028\u3000\\^]", "&amp;", "&lt;"]
    )
    text = st.lists(st.one_of(special, st.characters()), max_size=12).map("".join)
    return st.lists(text, max_size=5)


# --- tokens -----------------------------------------------------------------------------------

GOLDEN_13A = [
    ("", ""),
    (" \t\u3000", ""),
    ("Hello, world!", "Hello , world !"),
    ("don't", "don't"),
    ("\u201cquoted\u201d \u2014 so", "\u201cquoted\u201d \u2014 so"),
    ("1,000.50 and 3.", "1,000.50 and 3 ."),
    ("2020.", "2020 ."),
    (".5", ". 5"),
    ("..5", ". .5"),
    ("...5", ". . . 5"),
    ("1..5", "1 . . 5"),
    ("1...5", "1 . . .5"),
    ("a.b,c", "a . b , c"),
    ("5.a a.5", "5 . a a . 5"),
    ("1-2 a-b 5--6 5-", "1 - 2 a-b 5 - -6 5 -"),
    ("\u0661.\u0662", "\u0661 . \u0662"),
    ("a+b=c/d", "a + b = c / d"),
    ("&quot;Tea&quot; &amp; &lt;b&gt;", '" Tea " & < b >'),
    ("&amp;lt; &amp;quot; &apos;", "< & quot ; & apos ;"),
    ("a<skipped>b <skip<skipped>ped>", "ab < skipped >"),
    ("hyphen-\nated", "hyphenated"),
    ("two\nlines", "two lines"),
    ("a-<skipped>\nb", "ab"),
    ("-\nx", "x"),
    ("a\x1cb\x85c\u2028d\u00a0e", "a b c d e"),
]
GOLDEN_INTL = [
    ("Hello, world!", "Hello , world !"),
    ("don't", "don ' t"),
    ("\u201cquoted\u201d\u2014so", "\u201c quoted \u201d \u2014 so"),
    ("1,000.50 and 2020.", "1,000.50 and 2020."),
    ("2020. ", "2020 ."),
    (".5", ".5"),
    (" .5", ". 5"),
    ("..5", ". . 5"),
    ("...5", ". . .5"),
    ("a..5", "a . .5"),
    ("!.,0", "! . ,0"),
    ("5\u201c6", "5\u201c6"),
    ("\u00bd.\u0663", "\u00bd.\u0663"),
    ("1-2 a-b", "1-2 a - b"),
    ("5\u20ac+$3", "5 \u20ac + $ 3"),
    ("\u4f60\u597d\u3002", "\u4f60\u597d \u3002"),
    ("&amp;", "& amp ;"),
    ("hyphen-\nated", "hyphen - ated"),
    ("back\\slash ^ ]", "back \\ slash ^ ]"),
]
GOLDEN_CHAR = [
    ("ab c", "a b c"),
    ("\u4f60\u3000\u597d\u00a0\x1c.", "\u4f60 \u597d ."),
    ("e\u0301\U0001f468\u200d", "e \u0301 \U0001f468 \u200d"),
]
GOLDEN_NONE = [
    ("a,b  c\u3000d\x85e", "a,b c d e"),
    (" zero\u200bwidth ", "zero\u200bwidth"),
]
GOLDEN = [
    (name, line, tokens)
    for name, table in zip(NAMES, (GOLDEN_NONE, GOLDEN_13A, GOLDEN_INTL, GOLDEN_CHAR), strict=True)
    for line, tokens in table
]


@pytest.mark.parametrize(("name", "line", "tokens"), GOLDEN)
def test_lines_have_their_tokens(rules: ModuleType, name: str, line: str, tokens: str) -> None:
    assert cut_by(rules, name)([line]) == [tokens.split(" ") if tokens else []]


@pytest.mark.parametrize("name", NAMES)
def test_no_lines_have_no_tokens(rules: ModuleType, name: str) -> None:
    assert cut_by(rules, name)([]) == []


@pytest.mark.parametrize("name", NAMES)
@given(batch=lines())
def test_a_batch_is_cut_like_its_lines(rules: ModuleType, name: str, batch: list[str]) -> None:
    cut = cut_by(rules, name)
    assert cut(batch) == [cut([line])[0] for line in batch]


@pytest.mark.parametrize("name", ["none", "intl", "char"])
@given(batch=lines())
def test_text_is_kept(rules: ModuleType, name: str, batch: list[str]) -> None:
    for line, tokens in zip(batch, cut_by(rules, name)(batch), strict=True):
        assert "".join(tokens) == "".join(line.split())
        assert all(tokens)


@given(batch=lines())
def test_13a_keeps_text_without_entities(rules: ModuleType, batch: list[str]) -> None:
    batch = [re.sub("[&<\n]", "", line) for line in batch]
    for line, tokens in zip(batch, _thirteen(rules)(batch), strict=True):
        assert "".join(tokens) == "".join(line.split())


def _thirteen(rules: ModuleType) -> Cut:
    return cut_by(rules, "13a")


def test_more_lines_than_one_pass_takes(rules: ModuleType) -> None:
    batch = [f"line {number}, of many." for number in range(3 * _rules_python.BATCH + 1)]
    expected = [["line", str(number), ",", "of", "many", "."] for number in range(len(batch))]
    assert _thirteen(rules)(batch) == expected


@pytest.mark.parametrize("name", ["13a", "intl"])
def test_texts_of_very_many_special_characters(rules: ModuleType, name: str) -> None:
    line = "".join(f"a{chr(code)}5" for code in range(0x21, 0x3400))
    assert cut_by(rules, name)([line]) == cut_by(_rules_python, name)([line])
    assert "".join(cut_by(rules, name)([line])[0]) == "".join(line.split())


@pytest.mark.parametrize(
    "unit", ["a", ".", ".5", "..5", "5-", "5.", "&amp;", "\u4f60", "\U0001f600,", " .", "-\n"]
)
@pytest.mark.parametrize("name", NAMES)
def test_time_is_linear_in_the_length_of_a_line(rules: ModuleType, name: str, unit: str) -> None:
    # No clock: were any step quadratic, this would take minutes.
    line = unit * (400_000 // len(unit))
    [tokens] = cut_by(rules, name)([line])
    assert len("".join(tokens)) <= len(line)


# --- two implementations ----------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@given(batch=lines())
@example(batch=["1...5 ..5 .5", "...5", "\x1f.5..5", "5.", "\ud800.5\U0001f600..5"])
def test_compiled_and_python_agree(name: str, batch: list[str]) -> None:
    compiled = pytest.importorskip("bleuprint_mteval._rules_compiled")
    assert cut_by(compiled, name)(batch) == cut_by(_rules_python, name)(batch)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("end", [0x3400, pytest.param(0x110000, marks=pytest.mark.slow)])
def test_compiled_and_python_agree_on_every_character(name: str, end: int) -> None:
    compiled = pytest.importorskip("bleuprint_mteval._rules_compiled")
    for start in range(0, end, 0x400):
        batch = [f"{c}.5 a{c}b 5{c}5 {c}.5 5-{c}-5.{c}" for c in EVERYTHING[start : start + 0x400]]
        assert cut_by(compiled, name)(batch) == cut_by(_rules_python, name)(batch)


def test_the_compiled_machine_is_used_where_it_is() -> None:
    module = "compiled" if find_spec("bleuprint_mteval._fast") else "python"
    from bleuprint_mteval import _segmenters

    assert _segmenters.mteval_13a().cut.__module__ == f"bleuprint_mteval._rules_{module}"


def test_equal_tokens_of_a_batch_are_one_string() -> None:
    compiled = pytest.importorskip("bleuprint_mteval._rules_compiled")
    first, second, third = compiled.cut_none(
        ["caf\u00e9 token", "token \u4f60", "\U0001f600 token"]
    )
    assert first[1] is second[0] is third[1]


def test_what_is_no_string_is_refused() -> None:
    fast = pytest.importorskip("bleuprint_mteval._fast")
    with pytest.raises(TypeError, match="line 1 is no string but int"):
        fast.cut(["a", 1], _rules.NONE.table, False)
    with pytest.raises(ValueError, match="1114112 kinds, this one 3"):
        fast.cut(["a"], b"abc", False)


def test_kinds_of_strings_make_no_difference(rules: ModuleType) -> None:
    class Text(str):
        __slots__ = ()

    tokens = _thirteen(rules)([Text("whole"), Text("a b.")])
    assert tokens == [["whole"], ["a", "b", "."]]
    assert {type(token) for line in tokens for token in line} == {str}


# --- tables -----------------------------------------------------------------------------------


def test_white_space_is_what_python_splits_at() -> None:
    assert set(_rules.characters(_rules.WHITE_SPACE)) == {c for c in EVERYTHING if c.isspace()}


@pytest.mark.parametrize(
    ("name", "category"), [("PUNCTUATION", "P"), ("SYMBOLS", "S"), ("NUMBERS", "N")]
)
def test_categories_are_those_of_their_version_of_unicode(name: str, category: str) -> None:
    regex = pytest.importorskip("regex")
    if f"supports Unicode {_unicode.VERSION}" not in (
        distribution("regex").read_text("METADATA") or ""
    ):
        pytest.skip(f"this release of regex does not have Unicode {_unicode.VERSION}")
    spans = [
        (found.start(), found.end() - 1)
        for found in regex.finditer(rf"\p{{{category}}}+", EVERYTHING)
    ]
    text = " ".join(f"{a:x}" if a == b else f"{a:x}-{b:x}" for a, b in spans)
    assert getattr(_unicode, name).split() == text.split(), text


def test_a_table_holds_a_kind_for_every_code_point() -> None:
    table = _rules.MTEVAL_13A.table
    assert len(table) == 0x110000
    kinds = {character: table[ord(character)] for character in "a.,-5!'\u3000\u201c"}
    assert kinds == {
        "a": _rules.OTHER,
        ".": _rules.MARK,
        ",": _rules.MARK,
        "-": _rules.DASH,
        "5": _rules.DIGIT,
        "!": _rules.SYMBOL,
        "'": _rules.OTHER,
        "\u3000": _rules.SPACE,
        "\u201c": _rules.OTHER,
    }


# --- specs ------------------------------------------------------------------------------------


def test_the_four_are_on_offer() -> None:
    assert tuple(SPECS) == NAMES
    assert [name for name, spec in SPECS.items() if spec.rewrites] == ["13a"]
    assert not any(spec.languages or spec.requires or spec.options for spec in SPECS.values())


@pytest.mark.parametrize("name", NAMES)
def test_built_segmenters_cut(name: str) -> None:
    segmenter = SPECS[name].build()
    assert isinstance(segmenter, Segmenter)
    assert segmenter.fingerprint == ({"unicode": "18.0.0"} if name == "intl" else {})
    assert segmenter.segment_batch(["a b", ""]) == [["a", "b"], []]
