"""The rules in plain Python, a batch of lines at a time.

Spaces are put around whatever is to be a token of its own, in as few calls as there are special
characters in the text, and `str.split` cuts.  The lines of a batch lie in one string, with a line
feed between them and at both ends: so the edge of a line is a character that a pattern can name.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from functools import lru_cache

from bleuprint_mteval._rules import ASCII_SYMBOLS, INTL, characters, unescape

#: Put before a mark, it says that the mark stays with the digit behind it.  It is white space: where
#: a text holds one itself, a space means the same.
TIE = "\x1f"

BATCH = 128  # lines; both much smaller and much larger batches are slower
FEW = 100  # so many special characters are looked for one by one, more by a class of them

_PUNCTUATION = frozenset(characters(INTL.marks))
_SYMBOLS = frozenset(characters(INTL.symbols))
_NUMBERS = frozenset(characters(INTL.digits))


def none(lines: Sequence[str]) -> list[list[str]]:
    """Cut at white space."""
    return [line.split() for line in lines]


def char(lines: Sequence[str]) -> list[list[str]]:
    """Cut everywhere."""
    return [list("".join(line.split())) for line in lines]


def mteval_13a(lines: Sequence[str]) -> list[list[str]]:
    """Cut as mteval-v13a does."""
    spacer = _spacer(ASCII_SYMBOLS, ",.", "0123456789", dash=True, edge_is_digit=False)
    return spacer.cut(unescape(lines))


def intl(lines: Sequence[str]) -> list[list[str]]:
    """Cut as mteval-v14 does when told that the text is international."""
    seen = set().union(*lines)
    kinds = ("".join(sorted(seen & kind)) for kind in (_SYMBOLS, _PUNCTUATION, _NUMBERS))
    return _spacer(*kinds, dash=False, edge_is_digit=True).cut(lines)


def tie_marks(text: str, runs: re.Pattern[str], digits: Container[str]) -> str:
    """Put a `TIE` before each mark that stays with the digit behind its run.

    `runs` finds two or more marks before a digit; `digits` holds what counts as one before the run,
    ``""`` being the start of the text.  See `_rules` on which marks stay.
    """

    def tie(run: re.Match[str]) -> str:
        marks = run[0]
        after_digit = text[max(run.start() - 1, 0) : run.start()] in digits
        if len(marks) % 2 == after_digit:
            return marks[:-1] + TIE + marks[-1]
        return marks

    return runs.sub(tie, text)


class _Spacer:
    """Puts spaces around the symbols, marks and dashes that are tokens of their own."""

    def __init__(
        self, symbols: str, marks: str, digits: str, *, dash: bool, edge_is_digit: bool
    ) -> None:
        few = len(symbols) <= FEW
        self._few_symbols = [(symbol, f" {symbol} ") for symbol in symbols] if few else []
        self._many_symbols = None if few else re.compile(_class(symbols))
        self._digits = frozenset(digits + "\n" if edge_is_digit else digits)
        self._dash = re.compile("-(?<=[0-9]-)") if dash else None
        any_mark, digit = _class(marks), _class(digits)
        edge_or_digit = _class(TIE + "".join(sorted(self._digits)))
        self._runs = re.compile(f"{any_mark}{any_mark}+(?={digit})")
        self._marks = [
            (
                literal,
                re.compile(f"{mark}(?<={any_mark}{mark})(?={digit})"),
                re.compile(f"{mark}(?:(?<!{edge_or_digit}{mark})|(?!{edge_or_digit}))"),
                replacement,
            )
            for literal, mark, replacement in _alternatives(marks)
        ]

    def cut(self, lines: Sequence[str]) -> list[list[str]]:
        """The tokens of each line."""
        tokens: list[list[str]] = []
        for start in range(0, len(lines), BATCH):
            batch = lines[start : start + BATCH]
            text = "\n".join(batch)
            if text.count("\n") >= len(batch):
                text = "\n".join([line.replace("\n", " ") for line in batch])
            text = self._space(f"\n{text}\n".replace(TIE, " "))
            tokens += [line.split() for line in text[1:-1].split("\n")]
        return tokens

    def _space(self, text: str) -> str:
        for symbol, replacement in self._few_symbols:
            if symbol in text:
                text = text.replace(symbol, replacement)
        if self._many_symbols:
            text = self._many_symbols.sub(r" \g<0> ", text)
        marks = [mark for mark in self._marks if mark[0] in text]
        tied = any(in_run.search(text) for _, in_run, _, _ in marks)
        if tied:
            text = tie_marks(text, self._runs, self._digits)
        for _, _, apart, replacement in marks:
            text = apart.sub(replacement, text)
        if self._dash:
            text = self._dash.sub(" - ", text)
        return text.replace(TIE, "") if tied else text


_spacer = lru_cache(maxsize=8)(_Spacer)  # one for each alphabet


def _alternatives(characters: str) -> list[tuple[str, str, str]]:
    """What to look for, as a literal and as a pattern, and its replacement in spaces.

    Patterns that start with a literal and replacements that are one are what `re` is fast on.
    """
    if len(characters) > FEW:
        return [("", _class(characters), r" \g<0> ")]
    return [(c, re.escape(c), f" {c} ".replace("\\", r"\\")) for c in characters]


def _class(characters: str) -> str:
    """A pattern for one of the characters; nothing matches it where there are none."""
    return f"[{re.escape(characters)}]" if characters else "(?!)"
