"""A score: the number, what it was computed from, and how it was made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bleuprint._bleu import Formula
from bleuprint._notes import Note
from bleuprint._signature import Signature

if TYPE_CHECKING:
    from bleuprint._resampling import Interval

__all__ = ["Score", "score_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A BLEU score.

    Attributes:
        score: BLEU, 0 to 100.
        counts: for each order, the matched n-grams, clipped; integers, smoothing never in them.
        totals: for each order, the n-grams of the hypotheses.
        precisions: for each order, counts / totals in percent, smoothed.
        bp: the brevity penalty, 0 to 1.
        sys_len: tokens of the hypotheses.
        ref_len: tokens of the references closest in length.
        signature: how the number was made.
        interval: a confidence interval, where one was asked for.
        notes: what a careful colleague would point out.
    """

    score: float
    counts: tuple[int, ...]
    totals: tuple[int, ...]
    precisions: tuple[float, ...]
    bp: float
    sys_len: int
    ref_len: int
    signature: Signature
    interval: Interval | None = None
    notes: tuple[Note, ...] = ()

    @property
    def ratio(self) -> float:
        """sys_len / ref_len; 0.0 where ref_len is 0."""
        return self.sys_len / self.ref_len if self.ref_len else 0.0

    def __str__(self) -> str:
        return self.format()

    def format(self, *, width: int = 1, score_only: bool = False, short: bool = False) -> str:
        """Write it in sacreBLEU's layout.

        Args:
            width: decimals of the score.
            score_only: nothing but the number (and the interval's mean and half-width, if any).
            short: the signature with one-letter keys.
        """
        number = f"{self.score:.{width}f}"
        if self.interval is not None:
            half = (self.interval.high - self.interval.low) / 2
            number += f" (\u03bc = {self.interval.mean:.{width}f} \u00b1 {half:.{width}f})"
        if score_only:
            return number
        precisions = "/".join(f"{precision:.1f}" for precision in self.precisions)
        signature = self.signature.short() if short else str(self.signature)
        return (
            f"BLEU|{signature} = {number} {precisions} (BP = {self.bp:.3f} ratio = "
            f"{self.ratio:.3f} hyp_len = {self.sys_len} ref_len = {self.ref_len})"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data for JSON, nothing rounded."""
        data: dict[str, Any] = {
            "name": "BLEU",
            "score": self.score,
            "counts": list(self.counts),
            "totals": list(self.totals),
            "precisions": list(self.precisions),
            "bp": self.bp,
            "ratio": self.ratio,
            "sys_len": self.sys_len,
            "ref_len": self.ref_len,
            "signature": str(self.signature),
            "notes": [note.to_dict() for note in self.notes],
        }
        if self.interval is not None:
            data["interval"] = self.interval.to_dict()
        return data


def score_of(
    sums: Sequence[int], formula: Formula, signature: Signature, notes: tuple[Note, ...] = ()
) -> Score:
    """Score one row of statistics: sys_len, ref_len, counts 1..N, totals 1..N."""
    return Score(**formula.score(sums)._asdict(), signature=signature, notes=notes)
