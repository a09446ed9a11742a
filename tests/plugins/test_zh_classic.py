"""sacreBLEU's zh: the tokens it makes, compiled or not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bleuprint.plugin import Segmenter
from bleuprint_zh import _classic_python
from bleuprint_zh._classic import Classic

Cut = Callable[[Sequence[str]], list[list[str]]]


@pytest.fixture(scope="module", params=["python", "compiled"])
def cut(request: pytest.FixtureRequest) -> Cut:
    """Either implementation."""
    if request.param == "compiled":
        pytest.importorskip("bleuprint_mteval._fast")
    cut_zh: Cut = import_module(f"bleuprint_zh._classic_{request.param}").cut_zh
    return cut_zh


def lines() -> st.SearchStrategy[list[str]]:
    """Batches of lines, full of what the rule looks at."""
    special = st.sampled_from([*"0125..,,--  aé们，。“”…５%'\n\x1f\u2000\u2028\u3000\U00020000"])
    text = st.lists(st.one_of(special, st.characters()), max_size=12).map("".join)
    return st.lists(text, max_size=5)


@pytest.mark.parametrize(
    ("line", "tokens"),
    [
        ("", ""),
        (" \u3000 ", ""),
        ("你好，world！", "你 好 ， world ！"),
        ("在2020年3.5亿", "在 2020 年 3.5 亿"),
        ("５％", "５ ％"),
        ("a,b.c (d)", "a , b . c ( d )"),
        ("don't", "don't"),
        ("1-2 a-b", "1 - 2 a-b"),
        # curly quotes, dashes, the ellipsis, arrows and signs count as Chinese
        ("it’s “so”…—→≤", "it ’ s “ so ” … — → ≤"),
        # Extension B does not, nor what Unicode added later
        ("𠀀𠀁x", "𠀀𠀁x"),
        ("\u9fbb\u9fbc\u9fbd", "\u9fbb \u9fbc\u9fbd"),
        # hiragana and hangul are no Chinese, half-width kana are
        ("ひらがな 한국 ｶﾅ", "ひらがな 한국 ｶ ﾅ"),
        # the edges count as digits, after white space has gone from both ends
        ("2020.", "2020."),
        (".5", ".5"),
        ("\u3000.5 ", ".5"),
        ("...5", ". . .5"),
        ("..5", ". . 5"),
        ("你..5", "你 . .5"),
        (".", "."),
        ("-", "-"),
        # entities are not undone
        ("&lt;b&gt; <skipped>", "& lt ; b & gt ; < skipped >"),
        ("连-\n字", "连 - 字"),
        ("a\x1f.5 b..5", "a . 5 b . .5"),
        ("a\x1f.5", "a . 5"),
    ],
)
def test_lines_have_their_tokens(cut: Cut, line: str, tokens: str) -> None:
    assert cut([line]) == [tokens.split(" ") if tokens else []]


@given(batch=lines())
def test_a_batch_is_cut_like_its_lines(cut: Cut, batch: list[str]) -> None:
    assert cut(batch) == [cut([line])[0] for line in batch]


@given(batch=lines())
def test_text_is_kept(cut: Cut, batch: list[str]) -> None:
    for line, tokens in zip(batch, cut(batch), strict=True):
        assert "".join(tokens) == "".join(line.split())
        assert all(tokens)


@given(batch=lines())
@example(batch=["1...5 ..5 .5", "...5", "\x1f.5..5", "5.", "\ud800.5\U0001f600..5"])
def test_compiled_and_python_agree(batch: list[str]) -> None:
    compiled = pytest.importorskip("bleuprint_zh._classic_compiled")
    assert compiled.cut_zh(batch) == _classic_python.cut_zh(batch)


@pytest.mark.parametrize("end", [0x3400, pytest.param(0x110000, marks=pytest.mark.slow)])
def test_compiled_and_python_agree_on_every_character(end: int) -> None:
    compiled = pytest.importorskip("bleuprint_zh._classic_compiled")
    for start in range(0, end, 0x400):
        characters = map(chr, range(start, start + 0x400))
        batch = [f"{c}.5 a{c}b 5{c}5 {c}.5 5-{c}-5.{c}" for c in characters]
        assert compiled.cut_zh(batch) == _classic_python.cut_zh(batch)


@pytest.mark.parametrize("unit", ["a", ".", ".5", "..5", "5-", "5.", "你", "\U0001f600,", " ."])
def test_time_is_linear_in_the_length_of_a_line(cut: Cut, unit: str) -> None:
    # No clock: were any step quadratic, this would take minutes.
    line = unit * (400_000 // len(unit))
    [tokens] = cut([line])
    assert "".join(tokens) == "".join(line.split())


def test_the_segmenter_depends_on_nothing() -> None:
    segmenter = Classic()
    assert isinstance(segmenter, Segmenter)
    assert segmenter.fingerprint == {}
    assert segmenter.segment_batch(["你好", ""]) == [["你", "好"], []]
