"""Kiwi (https://github.com/bab2min/Kiwi), a morphological analyser by Minchul Lee."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import kiwipiepy

from bleuprint.plugin import file_digest


class KiwiMorphemes:
    """Morphemes as the dictionary writes them: 먹었다 is 먹 + 었 + 다, 했다 is 하 + 었 + 다.

    What other parts of the process teach their Kiwi does not reach this one.
    """

    def __init__(self) -> None:
        # One worker: more would make threads that a process pool's fork does not survive.
        # of many lines it makes a list of tokens each, which its types do not say
        self._tokenize: Any = kiwipiepy.Kiwi(num_workers=1).tokenize

    @cached_property
    def _digest(self) -> str:
        directory = Path(import_module("kiwipiepy_model").get_model_path())
        return file_digest(*sorted(p for p in directory.iterdir() if p.suffix in _MODEL_FILES))

    @property
    def fingerprint(self) -> Mapping[str, str]:
        """The releases of kiwipiepy and of its model, with the digest of the model's files."""
        return {
            "kiwipiepy": version("kiwipiepy"),
            "kiwipiepy-model": version("kiwipiepy-model"),
            "dict": self._digest[:8],
        }

    def segment_batch(self, lines: Sequence[str]) -> list[list[str]]:
        """Return the morphemes of each line.  One may hold a space: 마크스 & 스펜서, for one."""
        return [
            [token.form for token in tokens if token.form and not token.form.isspace()]
            for tokens in self._tokenize(lines)
        ]


_MODEL_FILES = frozenset((".bin", ".dict", ".mdl", ".morph", ".txt"))
