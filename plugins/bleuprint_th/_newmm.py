"""pythainlp (https://pythainlp.org): its word list, read as data, and its own newmm.

newmm is dictionary-based maximal matching over Thai character clusters, by Korakot Chaovavanich.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from bleuprint.plugin import EngineError, LineTooLongError

PLAIN_MAX_CHARS = 100_000  #: pythainlp's newmm takes time squared: half a second here

_WAY_OUT = 'install it with: pip install "bleuprint[th]"'
_import_lock = threading.Lock()


@dataclass(frozen=True, kw_only=True)
class ThaiWords:
    """The dictionary that ships with pythainlp."""

    words: frozenset[str]
    release: str  #: of pythainlp
    digest: str  #: SHA-256 of the word list's file, hex digits

    @classmethod
    def find(cls) -> ThaiWords:
        """Read the word list of the installed pythainlp, without importing pythainlp.

        The list that pythainlp itself holds in memory is shared by the whole process, and its
        import may make a directory in the user's home; the file has neither flaw.

        Raises:
            EngineError: pythainlp is missing or incomplete.
        """
        spec = find_spec("pythainlp")
        if spec is None or not spec.submodule_search_locations:
            raise EngineError(f"pythainlp is not installed; {_WAY_OUT}")
        path = Path(spec.submodule_search_locations[0], "corpus", "words_th.txt")
        try:
            content = path.read_bytes()
            release = version("pythainlp")
        except (PackageNotFoundError, OSError) as error:
            raise EngineError(f"pythainlp is incomplete ({error}); {_WAY_OUT}") from error
        lines = content.decode("utf-8-sig").splitlines()
        return cls(
            words=frozenset(filter(None, map(str.strip, lines))),
            release=release,
            digest=hashlib.sha256(content).hexdigest(),
        )

    @property
    def fingerprint(self) -> Mapping[str, str]:
        """pythainlp's release, and the first eight hex digits of its word list's SHA-256."""
        return {"pythainlp": self.release, "dict": self.digest[:8]}


class PlainNewmm:
    """pythainlp's own newmm over a trie that nobody else can change."""

    def __init__(self, dictionary: ThaiWords, *, join_numbers: bool) -> None:
        with _import_lock, _read_only():
            from pythainlp.tokenize import Trie, word_tokenize
        self._trie = Trie(dictionary.words)
        self._tokenize = word_tokenize
        self._join_numbers = join_numbers
        self.fingerprint = dictionary.fingerprint

    def segment_batch(self, lines: Sequence[str]) -> list[list[str]]:
        """Return the words of each line, without the white space that newmm keeps as words.

        Raises:
            LineTooLongError: a line is longer than `PLAIN_MAX_CHARS`.
        """
        return [self._segment(number, line) for number, line in enumerate(lines, 1)]

    def _segment(self, number: int, line: str) -> list[str]:
        if len(line) > PLAIN_MAX_CHARS:
            raise LineTooLongError(
                f"line {number} of a batch has {len(line):,} characters; th-newmm[engine=plain] "
                f"can take {PLAIN_MAX_CHARS:,}, and th-newmm any number"
            )
        words = self._tokenize(
            line, custom_dict=self._trie, engine="newmm", join_broken_num=self._join_numbers
        )
        return [word for word in words if not word.isspace()]


@contextmanager
def _read_only() -> Iterator[None]:
    """Keep pythainlp from making ``~/pythainlp-data`` while it is imported.

    It has no other switch than these variables of the environment, the second one old, and
    refuses to have both.  Both are as before afterwards.
    """
    names = ("PYTHAINLP_READ_ONLY", "PYTHAINLP_READ_MODE")
    before = {name: os.environ.pop(name, None) for name in names}
    os.environ[names[0]] = "1"
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
