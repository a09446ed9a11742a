"""sacreBLEU's `zh` in plain Python: one pattern finds the tokens of a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bleuprint_mteval._rules import ASCII_SYMBOLS, WHITE_SPACE, Spans
from bleuprint_mteval._rules_python import TIE, tie_marks
from bleuprint_zh._classic_rules import CHINESE


def _visible(spans: Spans) -> Iterator[tuple[int, int]]:
    """The spans without the white space in them."""
    for first, last in spans:
        for space, last_space in WHITE_SPACE:
            if first <= last_space and space <= last:
                if first < space:
                    yield first, space - 1
                first = last_space + 1
        if first <= last:
            yield first, last


_chinese = "".join(f"{chr(first)}-{chr(last)}" for first, last in _visible(CHINESE))
_symbols = re.escape(ASCII_SYMBOLS)
_other = rf"[^\s{_chinese}{_symbols}.,\-]"
# A hyphen after no digit; a mark between two digits, the edges counted as such; a tied mark.
_inner = rf"-(?<![0-9]-)|[.,](?<![^0-9][.,])(?![^0-9])|{TIE}[.,]"
_find_tokens = re.compile(
    rf"[{_chinese}]|{_other}+(?:(?:{_inner}){_other}*)*|(?:(?:{_inner}){_other}*)+|[{_symbols}.,\-]"
).findall

_in_run = re.compile("[.,][.,](?=[0-9])").search


def cut_zh(lines: Sequence[str]) -> list[list[str]]:
    """Cut as sacreBLEU's zh does."""
    stripped = [line.strip() for line in lines]
    text = "\n".join(stripped)
    if TIE in text or _in_run(text):
        return [_cut_line(line.replace(TIE, " ")) for line in stripped]
    return [_find_tokens(line) for line in stripped]


def _cut_line(line: str) -> list[str]:
    if not _in_run(line):
        return _find_tokens(line)
    tied = tie_marks(line, ".,", "0123456789", edge="")
    return [token.replace(TIE, "") for token in _find_tokens(tied)]
