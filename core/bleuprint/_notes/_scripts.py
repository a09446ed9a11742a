"""Which scripts a text is in, told from the blocks of 128 code points that its letters are in.

The high bytes of UTF-16 give the block of 256 of every character at once, far faster than a look
at each; the few such blocks that two scripts share are told apart afterwards.  Characters beyond
the basic plane are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

__all__ = ["UNSPACED", "are_mostly", "count_scripts", "only_latin", "overlap", "pages_of"]

_LATIN = "Latin"

#: By script, its blocks of 256 code points.  Kana and ideographs are one: Japanese mixes them.
_PAGES: Mapping[str, bytes] = {
    "Greek": bytes([0x03, 0x1F]),
    "Cyrillic": bytes([0x04]),
    "Armenian": bytes([0x05]),
    "Arabic": bytes([0x06, 0x07, 0x08, 0xFB, 0xFC, 0xFD]),
    "Devanagari": bytes([0x09]),
    "Gurmukhi": bytes([0x0A]),
    "Oriya": bytes([0x0B]),
    "Telugu": bytes([0x0C]),
    "Malayalam": bytes([0x0D]),
    "Thai": bytes([0x0E]),
    "Tibetan": bytes([0x0F]),
    "Myanmar": bytes([0x10]),
    "Hangul": bytes([0x11, 0x31, *range(0xAC, 0xD8)]),
    "Ethiopic": bytes([0x12, 0x13]),
    "Khmer": bytes([0x17]),
    "Mongolian": bytes([0x18]),
    "Tai": bytes([0x19, 0x1A]),
    "Han": bytes([0x30, *range(0x34, 0xA0), 0xF9, 0xFA]),
}

#: Scripts in the upper half of a block whose lower half is another's.
_UPPER: Mapping[str, tuple[str, re.Pattern[str]]] = {
    "Armenian": ("Hebrew", re.compile("[\u0590-\u05ff]+")),
    "Devanagari": ("Bengali", re.compile("[\u0980-\u09ff]+")),
    "Gurmukhi": ("Gujarati", re.compile("[\u0a80-\u0aff]+")),
    "Oriya": ("Tamil", re.compile("[\u0b80-\u0bff]+")),
    "Telugu": ("Kannada", re.compile("[\u0c80-\u0cff]+")),
    "Malayalam": ("Sinhala", re.compile("[\u0d80-\u0dff]+")),
    "Thai": ("Lao", re.compile("[\u0e80-\u0eff]+")),
    "Myanmar": ("Georgian", re.compile("[\u10a0-\u10ff]+")),
}

#: The scripts that are written without spaces between words: the languages whose segmenters cut
#: them, and how many characters a token has at least where nothing does.  Words have 2 on average
#: in the first, 4 or 5 in the others.
UNSPACED: Mapping[str, tuple[frozenset[str], int]] = {
    "Han": (frozenset({"zh", "yue", "wuu", "ja"}), 4),
    "Thai": (frozenset({"th"}), 8),
    "Lao": (frozenset({"lo"}), 8),
    "Tibetan": (frozenset({"bo", "dz"}), 8),
    "Myanmar": (frozenset({"my", "shn"}), 8),
    "Khmer": (frozenset({"km"}), 8),
    "Tai": (frozenset({"khb", "tdd", "nod"}), 8),
}

_SCRIPT_OF = {page: script for script, pages in _PAGES.items() for page in pages}
_LATIN_PAGES = bytes([0x01, 0x02, 0x1E])
_NO_SCRIPT = bytes(set(range(256)) - set(_SCRIPT_OF) - set(_LATIN_PAGES))
_NO_OTHER_SCRIPT = _NO_SCRIPT + _LATIN_PAGES
_NO_ASCII_LETTERS = bytes(code for code in range(256) if not chr(code).isalpha() or code > 127)


def pages_of(text: str, errors: str = "strict") -> bytes:
    """Return the high byte of every UTF-16 unit of the text.

    Raises:
        UnicodeEncodeError: the text holds lone surrogates, and `errors` does not let them pass.
    """
    return text.encode("utf-16-le", errors)[1::2]


def only_latin(pages: bytes) -> bool:
    """Whether a text of these pages has letters of no other script than Latin."""
    return not pages.translate(None, _NO_OTHER_SCRIPT)


def count_scripts(text: str, pages: bytes) -> dict[str, int]:
    """Count the letters of each script, marks and a script's own punctuation included.

    Of Latin letters those of Latin-1 beyond ASCII are not counted.
    """
    latin = len(text.encode("ascii", "ignore").translate(None, _NO_ASCII_LETTERS))
    rest = pages.translate(None, _NO_SCRIPT)
    counts = {}
    if rest:
        others = rest.translate(None, _LATIN_PAGES)
        latin += len(rest) - len(others)
        rest = others
    while rest:
        script = _SCRIPT_OF[rest[0]]
        others = rest.translate(None, _PAGES[script])
        counts[script] = len(rest) - len(others)
        rest = others
    for script in _UPPER.keys() & counts.keys():
        upper, letters = _UPPER[script]
        counts[upper] = sum(map(len, letters.findall(text)))
        counts[script] -= counts[upper]
    if latin:
        counts[_LATIN] = latin
    return {script: count for script, count in counts.items() if count}


def are_mostly(texts: Sequence[str], pages: bytes, script: str) -> list[bool]:
    """Return for each text whether a fifth of it, at least, is in the script; False where unsure.

    `pages` are those of the texts joined by a line feed.
    """
    if script == _LATIN:
        return [text.isascii() for text in texts]
    if (
        script not in _PAGES
        or script in _UPPER
        or len(pages) != sum(map(len, texts)) + len(texts) - 1
    ):
        return [False] * len(texts)  # blocks that are shared, or characters of two units
    marked = pages.translate(_marking(script))
    mostly = []
    start = 0
    for text in texts:
        end = start + len(text)
        mostly.append(marked.count(1, start, end) * 5 >= end - start)
        start = end + 1
    return mostly


@cache
def _marking(script: str) -> bytes:
    return bytes(page in _PAGES[script] for page in range(256))


def overlap(left: Mapping[str, int], right: Mapping[str, int]) -> float:
    """Return what share of the letters the scripts of two texts have in common, from 0 to 1."""
    left_total, right_total = sum(left.values()), sum(right.values())
    if not left_total or not right_total:
        return 1.0
    return sum(
        min(count / left_total, right.get(script, 0) / right_total)
        for script, count in left.items()
    )
