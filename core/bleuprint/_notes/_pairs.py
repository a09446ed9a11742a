"""What can be seen by comparing a hypothesis with one of its references."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from bleuprint._notes._scripts import count_scripts, overlap, pages_of
from bleuprint._notes._side import JOINERS

__all__ = ["forms_differ", "joiners_differ", "scripts_differ"]

_SHARED_LETTERS = 0.2  # share of their letters, below which two texts are in different scripts
_REMOVE_JOINERS = dict.fromkeys(map(ord, JOINERS))


def forms_differ(left: str, right: str) -> bool:
    """Whether both hold a letter that one of them writes composed and the other one does not."""
    return _holds_in_other_form(left, right) or _holds_in_other_form(right, left)


def _holds_in_other_form(text: str, other: str) -> bool:
    return any(
        (composed := _composed(cluster)) != cluster and composed in other and cluster not in other
        for cluster in set(_clusters().findall(text))
    )


@lru_cache(maxsize=1 << 14)
def _composed(cluster: str) -> str:
    return unicodedata.normalize("NFC", cluster)


@cache
def _clusters() -> re.Pattern[str]:
    """Match letters with their marks, and the letters of a syllable of Hangul."""
    marks = "".join(
        char for char in map(chr, range(0x300, 0x10000)) if unicodedata.category(char)[0] == "M"
    )
    return re.compile(f"[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|.[{marks}]*")


def joiners_differ(left: str, right: str) -> bool:
    """Whether both hold a word, with other zero-width joiners or marks of direction in it."""
    if not any(joiner in left or joiner in right for joiner in JOINERS):
        return False
    left_words, right_words = set(left.split()), set(right.split())
    bare = {word.translate(_REMOVE_JOINERS) for word in left_words - right_words}
    return any(word.translate(_REMOVE_JOINERS) in bare for word in right_words - left_words)


def scripts_differ(left: str, right: str) -> bool:
    """Whether two texts, neither without letters, have next to no script in common."""
    return overlap(_scripts(left), _scripts(right)) < _SHARED_LETTERS


def _scripts(text: str) -> dict[str, int]:
    return count_scripts(text, b"" if text.isascii() else pages_of(text, "surrogatepass"))
