"""jieba (https://github.com/fxsjy/jieba): its files, found without an import, and its own code.

Nothing here is shared with the `jieba` that the rest of the process may import: a user word, a
deleted word, `setLogLevel` or a patched function elsewhere never reaches us, nor do we reach out.
"""

from __future__ import annotations

import hashlib
import sys
import threading
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from io import BytesIO
from pathlib import Path
from types import ModuleType

from bleuprint.plugin import EngineError

SUPPORTED = "0.42.1"  #: the release whose rules are followed; it has been the last since 2020

_PRIVATE_NAME = "bleuprint_zh._private_jieba"
_import_lock = threading.Lock()


@dataclass(frozen=True, kw_only=True)
class JiebaFiles:
    """An installed jieba, as files."""

    directory: Path
    dictionary: bytes  #: all of `dict.txt`: lines of ``word frequency tag`` in UTF-8

    @classmethod
    def find(cls) -> JiebaFiles:
        """Read the installed jieba's dictionary.

        The dictionary always comes from the package, never from the ``jieba.cache`` that jieba
        keeps in the temporary directory, which anybody on the machine may have written.

        Raises:
            EngineError: jieba is missing, incomplete, or another release than `SUPPORTED`.
        """
        spec = find_spec("jieba")
        if spec is None or not spec.submodule_search_locations:
            raise EngineError(f"jieba is not installed; {_WAY_OUT}")
        directory = Path(spec.submodule_search_locations[0])
        try:
            found = version("jieba")
            dictionary = (directory / "dict.txt").read_bytes()
        except (PackageNotFoundError, OSError) as error:
            raise EngineError(f"jieba is incomplete ({error}); {_WAY_OUT}") from error
        if found != SUPPORTED:
            raise EngineError(
                f"jieba {found} is installed, zh-jieba follows jieba {SUPPORTED}; {_WAY_OUT}"
            )
        return cls(directory=directory, dictionary=dictionary)

    @property
    def fingerprint(self) -> Mapping[str, str]:
        """The release, and the first eight hex digits of the dictionary's SHA-256."""
        digest = hashlib.sha256(self.dictionary).hexdigest()
        return {"jieba": SUPPORTED, "dict": digest[:8]}


_WAY_OUT = f"install it with: pip install jieba=={SUPPORTED}"


class PlainJieba:
    """jieba's own code over jieba's own dictionary.

    It runs in a second, private import of the package.  A private `jieba.Tokenizer` alone would
    not do: `jieba.del_word` and `jieba.add_word(word, 0)` put words into a set that belongs to the
    module `jieba.finalseg`, and so change what every tokenizer of the process makes.
    """

    def __init__(self, files: JiebaFiles, *, hmm: bool) -> None:
        module = _import_privately(files.directory)
        tokenizer = module.Tokenizer()
        # As `Tokenizer.initialize` would, less its cache file and its messages on standard error.
        tokenizer.FREQ, tokenizer.total = module.Tokenizer.gen_pfdict(BytesIO(files.dictionary))
        tokenizer.initialized = True
        self._lcut = tokenizer.lcut
        self._hmm = hmm
        self.fingerprint = files.fingerprint

    def segment_batch(self, lines: Sequence[str]) -> list[list[str]]:
        """Return the words of each line, without the white space that jieba keeps as words."""
        return [
            [word for word in self._lcut(line, HMM=self._hmm) if not word.isspace()]
            for line in lines
        ]


def _import_privately(directory: Path) -> ModuleType:
    """Import the package in `directory` under a name of ours.

    jieba imports its parts relatively, so that all of them, their state and their loggers come
    into being once more under that name.
    """
    with _import_lock:
        if (known := sys.modules.get(_PRIVATE_NAME)) is not None:
            return known
        spec = spec_from_file_location(
            _PRIVATE_NAME, directory / "__init__.py", submodule_search_locations=[str(directory)]
        )
        if spec is None or spec.loader is None:
            raise EngineError(f"jieba is incomplete (no __init__.py); {_WAY_OUT}")
        module = module_from_spec(spec)
        sys.modules[_PRIVATE_NAME] = module
        # jieba's sources have invalid escapes, of which Python warns when it compiles them, and
        # they import pkg_resources, which warns of itself: neither is news to our user.  The
        # filters belong to the whole process, so this is held as short as one import, and our
        # own threads take turns.
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                spec.loader.exec_module(module)
        except BaseException:  # whatever it was, half a module must not be found by the next call
            del sys.modules[_PRIVATE_NAME]
            raise
        return module
