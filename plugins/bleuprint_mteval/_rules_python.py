"""The rules in plain Python, a batch of lines at a time.

Spaces are put around whatever is to be a token of its own, in as few calls as there are special
characters in the text, and `str.split` cuts.  The lines of a batch lie in one string, with a line
feed between them and at both ends: so the edge of a line is a character that a pattern can name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from bleuprint_mteval._rules import ASCII_SYMBOLS, INTL, characters, unescape

#: Before a mark it says that the mark stays with the digit behind it.  It is white space: where a
#: text holds one itself, a space means the same.
TIE = "\x1f"

BATCH = 128  # lines; both much smaller and much larger batches are slower
FEW = 100  # so many special characters are looked for one by one, more by a class of them

_PUNCTUATION = frozenset(characters(INTL.marks))
_SYMBOLS = frozenset(characters(INTL.symbols))
_NUMBERS = frozenset(characters(INTL.digits))
_DASH = re.compile("-(?<=[0-9]-)")


def cut_none(lines: Sequence[str]) -> list[list[str]]:
    """Cut at white space."""
    return [line.split() for line in lines]


def cut_char(lines: Sequence[str]) -> list[list[str]]:
    """Cut everywhere."""
    return [list("".join(line.split())) for line in lines]


def cut_13a(lines: Sequence[str]) -> list[list[str]]:
    """Cut as mteval-v13a does."""
    return _cut(unescape(lines), ASCII_SYMBOLS, ",.", "0123456789", dash=True)


def cut_intl(lines: Sequence[str]) -> list[list[str]]:
    """Cut as mteval-v14 does when told that the text is international."""
    seen = set().union("0123456789", *lines)
    kinds = ("".join(sorted(seen & kind)) for kind in (_SYMBOLS, _PUNCTUATION, _NUMBERS))
    return _cut(lines, *kinds, edge_is_digit=True)


def tie_marks(text: str, marks: str, digits: str, edge: str) -> str:
    """Put a `TIE` before each mark that stays with the digit behind its run of two or more.

    `marks` and `digits` are characters; `edge` counts as a digit before the run, too, and the start
    of the text does.  See `_rules` on which marks stay.
    """

    def tie(run: re.Match[str]) -> str:
        found = run[0]
        after_digit = text[max(run.start() - 1, 0) : run.start()] in digits + edge
        if len(found) % 2 == after_digit:
            return found[:-1] + TIE + found[-1]
        return found

    return _runs(marks, digits).sub(tie, text)


def _cut(
    lines: Sequence[str],
    symbols: str,
    marks: str,
    digits: str,
    *,
    dash: bool = False,
    edge_is_digit: bool = False,
) -> list[list[str]]:
    edge = "\n" if edge_is_digit else ""
    seekers = _seekers(marks, digits, edge)
    tokens: list[list[str]] = []
    for start in range(0, len(lines), BATCH):
        text = _space_symbols(_join(lines[start : start + BATCH]), symbols)
        present = [seeker for seeker in seekers if seeker.literal in text]
        tied = any(seeker.in_run.search(text) for seeker in present)
        if tied:
            text = tie_marks(text, marks, digits, edge)
        for seeker in present:
            text = seeker.apart.sub(seeker.replacement, text)
        if dash:
            text = _DASH.sub(" - ", text)
        if tied:
            text = text.replace(TIE, "")
        tokens += [line.split() for line in text[1:-1].split("\n")]
    return tokens


def _join(lines: Sequence[str]) -> str:
    text = "\n".join(lines)
    if text.count("\n") >= len(lines):
        text = "\n".join([line.replace("\n", " ") for line in lines])
    return f"\n{text}\n".replace(TIE, " ")


def _space_symbols(text: str, symbols: str) -> str:
    if len(symbols) > FEW:
        return _any_of(symbols).sub(r" \g<0> ", text)
    for symbol in symbols:
        if symbol in text:
            text = text.replace(symbol, f" {symbol} ")
    return text


class _Seeker(NamedTuple):
    """How to look for a mark.  `re` is fast on a leading literal and on a literal replacement."""

    literal: str  #: a text without it holds no such mark
    in_run: re.Pattern[str]  #: before a digit and after neither digit nor white space
    apart: re.Pattern[str]  #: where it is a token of its own
    replacement: str


def _seekers(marks: str, digits: str, edge: str) -> list[_Seeker]:
    """One for each mark, or one for all where there are many."""
    if len(marks) > FEW:
        return [_seeker("", _any_of(marks).pattern, digits, edge)]
    return [_seeker(mark, re.escape(mark), digits, edge) for mark in marks]


@lru_cache(maxsize=1024)
def _seeker(literal: str, mark: str, digits: str, edge: str) -> _Seeker:
    digit_or_edge = f"[{digits}{TIE}{edge}]"
    return _Seeker(
        literal,
        re.compile(rf"{mark}(?<=[^\s{digits}]{mark})(?=[{digits}])"),
        re.compile(f"{mark}(?:(?<!{digit_or_edge}{mark})|(?!{digit_or_edge}))"),
        f" {literal} ".replace("\\", r"\\") if literal else r" \g<0> ",
    )


@lru_cache(maxsize=64)
def _runs(marks: str, digits: str) -> re.Pattern[str]:
    """Two or more marks before a digit; the search starts once a run, lest time grow squared."""
    any_mark = _any_of(marks).pattern
    return re.compile(f"(?<!{any_mark}){any_mark}{{2,}}(?=[{digits}])")


@lru_cache(maxsize=64)
def _any_of(characters: str) -> re.Pattern[str]:
    return re.compile(f"[{re.escape(characters)}]")
