"""The rules on the compiled machine."""

from __future__ import annotations

from collections.abc import Sequence

import bleuprint_mteval._fast as _fast
from bleuprint_mteval._rules import CHAR, INTL, MTEVAL_13A, NONE, Rule, unescape


def cut(lines: Sequence[str], rule: Rule) -> list[list[str]]:
    """Cut by any rule."""
    return _fast.cut(lines, rule.table, rule.edge_is_digit)


def cut_none(lines: Sequence[str]) -> list[list[str]]:
    """Cut at white space."""
    return cut(lines, NONE)


def cut_char(lines: Sequence[str]) -> list[list[str]]:
    """Cut everywhere."""
    return cut(lines, CHAR)


def cut_13a(lines: Sequence[str]) -> list[list[str]]:
    """Cut as mteval-v13a does."""
    return cut(unescape(lines), MTEVAL_13A)


def cut_intl(lines: Sequence[str]) -> list[list[str]]:
    """Cut as mteval-v14 does when told that the text is international."""
    return cut(lines, INTL)
