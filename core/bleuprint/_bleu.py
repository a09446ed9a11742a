"""BLEU from its sufficient statistics: precisions, brevity penalty, smoothing.

Papineni et al. (2002), "BLEU: a Method for Automatic Evaluation of Machine Translation", with the
smoothing methods of Chen and Cherry (2014), "A Systematic Comparison of Smoothing Techniques for
Sentence-Level BLEU", under the names and defaults that sacreBLEU gives them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bleuprint._errors import SettingError
from bleuprint._signature import smoothing_field

__all__ = ["SMOOTHING_DEFAULTS", "Formula", "Parts"]

#: Each method, with the value it takes where none is given; None for a method that takes none.
SMOOTHING_DEFAULTS: dict[str, float | None] = {
    "exp": None,
    "floor": 0.1,
    "add-k": 1.0,
    "none": None,
}


class Parts(NamedTuple):
    """A score with what it was computed from.  `precisions` are in percent, smoothed."""

    score: float
    counts: tuple[int, ...]
    totals: tuple[int, ...]
    precisions: tuple[float, ...]
    bp: float
    sys_len: int
    ref_len: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """The settings that turn statistics into a score.

    Attributes:
        max_order: the longest n-gram, 4 by custom.
        smoothing: what stands in for an order without matches. ``exp`` halves it once more for
            each such order (NIST's mteval-v13a), ``floor`` counts `value` matches instead of 0,
            ``add-k`` adds `value` to matches and totals from order 2 on, ``none`` leaves 0.
        value: what `floor` and `add-k` take; None for their default, 0.1 and 1.
        effective_order: leave out the orders of which the hypotheses have no n-gram at all, as a
            score of one short sentence wants it.
    """

    max_order: int = 4
    smoothing: str = "exp"
    value: float | None = None
    effective_order: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.smoothing, str) or self.smoothing not in SMOOTHING_DEFAULTS:
            known = ", ".join(SMOOTHING_DEFAULTS)
            raise SettingError(f"no smoothing {self.smoothing!r}: expected one of {known}")
        if isinstance(self.max_order, bool) or not isinstance(self.max_order, int):
            raise SettingError(f"max_order is {self.max_order!r}: expected a whole number")
        if not 1 <= self.max_order <= 100:
            raise SettingError(f"max_order is {self.max_order}: expected 1 to 100")
        default = SMOOTHING_DEFAULTS[self.smoothing]
        if default is None and self.value is not None:
            raise SettingError(
                f"smoothing {self.smoothing!r} takes no value: only floor and add-k do"
            )
        if self.value is not None and not _is_smoothing_value(self.value):
            raise SettingError(f"smoothing value {self.value!r}: expected a number of at least 0")
        if not isinstance(self.effective_order, bool):
            raise SettingError(f"effective_order={self.effective_order!r}: expected True or False")
        if default is not None:
            value = default if self.value is None else float(self.value)
            object.__setattr__(self, "value", value)

    @property
    def smoothing_field(self) -> str:
        """The smoothing as a signature shows it."""
        return smoothing_field(self.smoothing, self.value)

    def score(self, sums: Sequence[int]) -> Parts:
        """Score one row of statistics: sys_len, ref_len, counts 1..N, totals 1..N."""
        order = self.max_order
        sys_len, ref_len = sums[0], sums[1]
        counts, totals = tuple(sums[2 : 2 + order]), tuple(sums[2 + order : 2 + 2 * order])
        bp = brevity_penalty(sys_len, ref_len)
        fractions = [0.0] * order
        if not any(counts):  # whatever the smoothing, nothing in common scores nothing
            return Parts(
                score=0.0, counts=counts, totals=totals, precisions=(0.0,) * order,
                bp=bp, sys_len=sys_len, ref_len=ref_len,
            )  # fmt: skip
        used = order
        zeros = 0
        for i, (count, total) in enumerate(zip(counts, totals, strict=True)):
            added = self.value if self.smoothing == "add-k" and i and self.value else 0
            if total + added == 0:
                break
            if self.effective_order:
                used = i + 1
            if count + added:
                fractions[i] = (count + added) / (total + added)
            elif self.smoothing == "exp":
                zeros += 1
                fractions[i] = 1 / (2**zeros * total)
            elif self.smoothing == "floor" and self.value:
                fractions[i] = self.value / total
        return Parts(
            # logarithms of fractions, not of percents, so that a perfect score is exactly 100
            score=100 * bp * geometric_mean(fractions[:used]),
            counts=counts,
            totals=totals,
            precisions=tuple(100 * fraction for fraction in fractions),
            bp=bp,
            sys_len=sys_len,
            ref_len=ref_len,
        )


def _is_smoothing_value(value: object) -> bool:
    return (
        isinstance(value, (int, float))
        and not isinstance(value, bool)
        and math.isfinite(value)
        and value >= 0
    )


def brevity_penalty(sys_len: int, ref_len: int) -> float:
    """Return exp(1 - ref_len / sys_len) where the output is shorter than the references, else 1."""
    if sys_len >= ref_len:
        return 1.0
    return math.exp(1 - ref_len / sys_len) if sys_len else 0.0


def geometric_mean(fractions: Sequence[float]) -> float:
    """Return the geometric mean; 0 where a fraction is 0."""
    if 0.0 in fractions:
        return 0.0
    return math.exp(math.fsum(map(math.log, fractions)) / len(fractions))
