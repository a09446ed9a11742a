"""jieba's rules on the compiled machine: what `_jieba_fast` does, and the same words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bleuprint.plugin import EngineError
from bleuprint_zh._fast import Jieba
from bleuprint_zh._jieba import JiebaFiles
from bleuprint_zh._jieba_hmm import HiddenMarkovModel


class CompiledJieba:
    """jieba's words, compiled."""

    def __init__(self, files: JiebaFiles, *, hmm: bool) -> None:
        model = HiddenMarkovModel.load(files.directory) if hmm else None
        try:
            self._machine = Jieba(files.dictionary.decode("utf-8"), model)
        except ValueError as error:
            raise EngineError(f"jieba's dict.txt has lines of another shape: {error}") from error
        self.fingerprint: Mapping[str, str] = files.fingerprint

    def segment_batch(self, lines: Sequence[str]) -> list[list[str]]:
        """Return the words of each line."""
        return self._machine.cut(list(lines))
