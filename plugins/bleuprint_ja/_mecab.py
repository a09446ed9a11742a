"""MeCab (https://taku910.github.io/mecab/) through fugashi, with one dictionary and no other.

fugashi takes UniDic where it finds it, and MeCab reads a user's ``mecabrc``: both are passed by,
with the dictionary and its own ``mecabrc`` named by their paths.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import fugashi

from bleuprint.plugin import EngineError, file_digest

#: What a compiled MeCab dictionary consists of, as far as it decides how a text is cut.
CONTENT = ("sys.dic", "matrix.bin", "char.bin", "unk.dic")

_WAY_OUT = 'install it with: pip install "bleuprint[ja]"'


@dataclass(frozen=True, kw_only=True)
class Dictionary:
    """An installed MeCab dictionary."""

    distribution: str
    directory: Path
    words: int | None  #: how many entries it must have; None where any number will do


def ipadic() -> Dictionary:
    """Return IPADIC 2.7.0 as the distribution ipadic has it, which is what sacreBLEU asks for."""
    return _installed("ipadic", module="ipadic", words=392_126)


def unidic_lite() -> Dictionary:
    """Return UniDic 2.1.2 as the distribution unidic-lite has it."""
    return _installed("unidic-lite", module="unidic_lite", words=None)


def _installed(distribution: str, *, module: str, words: int | None) -> Dictionary:
    directory = getattr(import_module(module), "DICDIR", None)
    if directory is None:
        raise EngineError(
            f"the module {module} is not that of the distribution {distribution}: "
            f"pip install --force-reinstall {distribution}"
        )
    absent = [name for name in (*CONTENT, "mecabrc") if not Path(directory, name).is_file()]
    if absent:
        raise EngineError(
            f"{distribution} is incomplete (no {', '.join(absent)}): "
            f"pip install --force-reinstall {distribution}"
        )
    return Dictionary(distribution=distribution, directory=Path(directory), words=words)


class Mecab:
    """The words of the cheapest path through a dictionary."""

    def __init__(self, dictionary: Dictionary) -> None:
        directory = dictionary.directory
        arguments = ("-r", str(directory / "mecabrc"), "-d", str(directory), "-Owakati")
        # fugashi's types leave out what its package exports
        make = fugashi.GenericTagger  # pyright: ignore[reportAttributeAccessIssue]
        tagger = make(" ".join(map(shlex.quote, arguments)))
        found = [part["size"] for part in tagger.dictionary_info]
        if len(found) != 1 or dictionary.words not in (None, found[0]):
            raise EngineError(
                f"{dictionary.distribution} has {' + '.join(map(str, found))} entries instead of "
                f"{dictionary.words or 'one dictionary of its own'}; {_WAY_OUT}"
            )
        self._dictionary = dictionary
        self._parse = tagger.parse

    @cached_property
    def _digest(self) -> str:
        return file_digest(*(self._dictionary.directory / name for name in CONTENT))

    @property
    def fingerprint(self) -> Mapping[str, str]:
        """The releases of fugashi, which brings MeCab, and of the dictionary, with its digest."""
        distribution = self._dictionary.distribution
        return {
            "fugashi": version("fugashi"),
            distribution: version(distribution),
            "dict": self._digest[:8],
        }

    def segment_batch(self, lines: Sequence[str]) -> list[list[str]]:
        """Return the words of each line.

        MeCab takes spaces, tabs and line feeds for gaps and every other white space, such as
        U+3000, for a word.  Those words go, and a word that holds one is parted there, as in what
        sacreBLEU prints and reads again.
        """
        parse = self._parse
        return [parse(line.strip()).split() for line in lines]
