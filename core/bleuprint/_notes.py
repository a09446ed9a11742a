"""Notes: what a careful colleague would point out; they never change a score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from bleuprint.plugin import SegmenterSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    code: str
    message: str
    count: int
    first: int | None

    def to_dict(self) -> dict[str, object]:
        return asdict(self)


class Inspector:
    """Sees batches as they stream by."""

    def __init__(self, spec: SegmenterSpec) -> None:
        self._empty = 0

    def notes(self) -> tuple[Note, ...]:
        return ()


def merge_notes(
    left: Sequence[Note], right: Sequence[Note], *, offset: int
) -> tuple[Note, ...]:
    """Join the notes of two corpora of which the second begins at `offset`."""
    return (*left, *(replace(n, first=n.first + offset) if n.first else n for n in right))
