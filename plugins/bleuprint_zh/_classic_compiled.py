"""sacreBLEU's `zh` on the compiled machine."""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint_mteval._rules_compiled import cut
from bleuprint_zh._classic_rules import ZH


def cut_zh(lines: Sequence[str]) -> list[list[str]]:
    """Cut as sacreBLEU's zh does."""
    return cut([line.strip() for line in lines], ZH)
