"""newmm's rules on the compiled machine: what `_newmm_fast` does, and the same words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bleuprint_th._fast import Newmm
from bleuprint_th._newmm import ThaiWords


class CompiledNewmm:
    """newmm's words, compiled."""

    def __init__(self, dictionary: ThaiWords, *, join_numbers: bool) -> None:
        self._machine = Newmm(dictionary.words, join_numbers)
        self.fingerprint: Mapping[str, str] = dictionary.fingerprint

    def segment_batch(self, lines: Sequence[str]) -> list[list[str]]:
        """Return the words of each line."""
        return self._machine.cut(list(lines))
