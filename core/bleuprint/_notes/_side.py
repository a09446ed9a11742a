"""What can be seen in one side of a batch: its hypotheses, or its references."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cached_property

from bleuprint._notes._scripts import are_mostly, count_scripts, only_latin, pages_of

__all__ = ["JOINERS", "Side"]

_TOKENIZED_ENDS = (" .", " 。")
_SUBWORDS = re.compile(r"@@(?: |$)|[▁⁇￭]|<unk>|<pad>|\[UNK\]|(?:^|\s)##\w", re.MULTILINE)
_SUBWORD_SIGNS = ("@@", "▁", "⁇", "￭", "<unk>", "<pad>", "[UNK]", "##")
_ENTITY = re.compile(r"&(?:amp|quot|apos|lt|gt|#124|#91|#93);")
_ESCAPES = re.compile(f"{_ENTITY.pattern}| @-@ ")
_UNUSABLE = re.compile("[\0\ud800-\udfff]")

#: Characters of no width that have no place in a text: U+00AD, the soft hyphen, among them.
_ZERO_WIDTH = "\u00ad\u200b\u2060\ufeff"
#: Those that have one, in some scripts: joiners, and marks of direction.
JOINERS = "\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"

# Blocks of 256 code points whose characters are NFC alone and beside any other: Latin, kana,
# ideographs, syllables of Hangul, signs.  `_NOT_ALWAYS_NFC` are those among them that may not be.
_ALWAYS_NFC = bytes([0, 1, 2, 0x20, 0x22, 0x25, 0x26, 0x30, *range(0x34, 0xA0), *range(0xAC, 0xD8)])
_ALWAYS_NFC += b"\xff"
_NOT_ALWAYS_NFC = "\u2000\u2001\u302a\u302b\u302c\u302d\u302e\u302f\u3099\u309a"


class Side:
    """The texts of one side of a batch, and what is found in them: by code, indexes of texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts
        self.text = text = "\n".join(texts)
        self.found: dict[str, list[int]] = {}
        self.zero_width = 0
        try:
            self.pages = b"" if text.isascii() else pages_of(text)
        except UnicodeEncodeError:
            self.pages = pages_of(text, "surrogatepass")
            self._find("nul-or-surrogate", _UNUSABLE)
        if "\0" in text:
            self._find("nul-or-surrogate", _UNUSABLE)
        self._look()

    def _look(self) -> None:
        text, texts = self.text, self.texts
        if not all(map(str.strip, texts)):
            self.found["empty"] = [i for i, line in enumerate(texts) if not line.strip()]
        if any(end in text for end in _TOKENIZED_ENDS):  # a short search before a look at each
            ends = [i for i, line in enumerate(texts) if line.endswith(_TOKENIZED_ENDS)]
            self.found["looks-tokenized"] = ends
        if any(sign[0] in text and sign in text for sign in _SUBWORD_SIGNS):
            self._find("subword-marks", _SUBWORDS)
        if ("&" in text and _ENTITY.search(text)) or ("@" in text and " @-@ " in text):
            self._find("moses-escapes", _ESCAPES)
        if not self.pages:
            return
        if "\ufffd" in text:
            self._find("replacement-character", re.compile("\ufffd"))
        counts = [text.count(char) for char in _ZERO_WIDTH if char in text]
        if counts:
            self.zero_width = sum(counts)
            self._find("zero-width", re.compile(f"[{_ZERO_WIDTH}]"))

    def _find(self, code: str, pattern: re.Pattern[str]) -> None:
        found = [index for index, line in enumerate(self.texts) if pattern.search(line)]
        if found:
            self.found[code] = found

    @cached_property
    def not_nfc(self) -> list[int]:
        """The indexes of the texts that are not in NFC."""
        if not self.pages.translate(None, _ALWAYS_NFC) and not self.has_any(_NOT_ALWAYS_NFC):
            return []
        if unicodedata.is_normalized("NFC", self.text):
            return []
        return [i for i, t in enumerate(self.texts) if not unicodedata.is_normalized("NFC", t)]

    def has_any(self, characters: str) -> bool:
        """Whether one of the characters occurs."""
        return any(char in self.text for char in characters)

    @cached_property
    def only_latin(self) -> bool:
        """Whether there are letters of no other script than Latin."""
        return only_latin(self.pages)

    def are_mostly(self, script: str) -> list[bool]:
        """Whether, text by text, a fifth of it is in the script; False where unsure."""
        return are_mostly(self.texts, self.pages, script)

    @cached_property
    def scripts(self) -> dict[str, int]:
        """How many letters there are of each script."""
        return count_scripts(self.text, self.pages)
