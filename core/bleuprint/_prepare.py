"""What is done to a text before it is cut: the same on both sides, and stated in the signature.

NUL and lone surrogates become U+FFFD, then the normalisation steps run in the order in which they
are written, then case is folded, then trailing white space goes.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Literal

from bleuprint._errors import SettingError

__all__ = ["STEPS", "Preparation", "replace_unusable"]

_CHUNK = 1024  # lines that are worked on as one string

_UNUSABLE = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Preparation:
    """How texts are prepared.

    Attributes:
        normalize: ``none``, or steps of `STEPS` joined by ``+`` in the order in which they run.
        lowercase: False, True (Unicode's rules, as `str.lower`) or ``"tr"`` (Turkish and Azeri).

    Raises:
        SettingError: there is no such step, or ``none`` stands beside others, or no such case.
    """

    normalize: str = "none"
    lowercase: bool | str = False

    def __post_init__(self) -> None:
        if self.lowercase not in (False, True, "tr"):
            raise SettingError(f"lowercase={self.lowercase!r}: expected False, True or 'tr'")
        _steps(self.normalize)

    @property
    def norm(self) -> str:
        """The steps as a signature states them: ``nfkc+digits``, or ``none``."""
        return "+".join(_steps(self.normalize)) or "none"

    @property
    def case(self) -> str:
        """The case as a signature states it: ``mixed``, ``lc`` or ``lc.tr``."""
        if self.lowercase == "tr":
            return "lc.tr"
        return "lc" if self.lowercase else "mixed"

    def apply(self, lines: Sequence[str]) -> list[str]:
        """Return the lines prepared, each as it would be by itself."""
        changes = [STEPS[step] for step in _steps(self.normalize)]
        if self.lowercase:
            changes.append(_lower_turkic if self.lowercase == "tr" else str.lower)
        prepared: list[str] = []
        for start in range(0, len(lines), _CHUNK):
            prepared += map(str.rstrip, _changed(lines[start : start + _CHUNK], changes))
        return prepared


def _changed(lines: Sequence[str], changes: Sequence[Callable[[str], str]]) -> Sequence[str]:
    # No change looks beyond a line feed, so lines that hold none can be changed as one string.
    before = "\n".join(lines)
    if before.count("\n") != len(lines) - 1:
        return [_change(replace_unusable(line), changes) for line in lines]
    after = _change(replace_unusable(before), changes)
    return lines if after is before else after.split("\n")


def _change(text: str, changes: Sequence[Callable[[str], str]]) -> str:
    for change in changes:
        text = change(text)
    return text


def _steps(normalize: str) -> list[str]:
    """Parse steps joined by ``+``, in any case; the list is empty for ``none``."""
    if not isinstance(normalize, str):
        raise SettingError(f"normalize={normalize!r}: expected a string such as 'nfkc+digits'")
    steps = [step.strip().lower() for step in normalize.split("+")]
    if steps == ["none"]:
        return []
    for step in steps:
        if step == "none":
            raise SettingError(f"normalize={normalize!r}: 'none' cannot stand beside other steps")
        if step not in STEPS:
            from difflib import get_close_matches  # only for those who mistype

            near = "".join(f"; did you mean {n!r}?" for n in get_close_matches(step, STEPS, 1))
            raise SettingError(
                f"normalize={normalize!r}: there is no step {step!r}; there are none, "
                f"{', '.join(STEPS)}, joined by '+' in the order in which they run{near}"
            )
    return steps


def replace_unusable(text: str) -> str:
    """Return the text with U+FFFD for each NUL and lone surrogate, which engines cannot take."""
    if "\0" not in text:
        if text.isascii():
            return text
        try:
            text.encode("utf-16-le")  # the fastest way to look for surrogates
        except UnicodeEncodeError:
            pass  # there are some
        else:
            return text
    return _UNUSABLE.sub("\ufffd", text)


# The normalisation steps

_Form = Literal["NFC", "NFD"]
_ASCII = bytes(range(128))

# Neither ASCII nor what most of a Chinese, Japanese or Korean text is made of: no folding and no
# composed form changes those.  (A set as large takes a while to compile, so it waits for its use.)
_UNCOMMON = "[^\0-\x7f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]"


def _replace_characters(text: str, replacement: Callable[[str], str]) -> str:
    """Replace every character that `replacement` changes; it changes no common one."""
    if text.isascii():
        return text
    present: set[str] = set(re.findall(_UNCOMMON, text.encode().translate(None, _ASCII).decode()))
    table: dict[str, str] = {char: new for char in present if (new := replacement(char)) != char}
    if len(table) > 32:
        return text.translate({ord(char): new for char, new in table.items()})
    for char, new in table.items():
        text = text.replace(char, new)
    return text


def _canonical(form: _Form, text: str) -> str:
    return text if text.isascii() else unicodedata.normalize(form, text)


def _compatible(form: _Form, text: str) -> str:
    # Equal to normalising to NFKC or NFKD, and faster where little of a text needs it: those
    # differ from NFC and NFD by the compatibility decompositions alone.
    return _canonical(form, _replace_characters(text, _compatibility_decomposition))


@lru_cache(maxsize=1 << 14)
def _compatibility_decomposition(char: str) -> str:
    new = unicodedata.normalize("NFKD", char)
    return char if new == unicodedata.normalize("NFD", char) else new


_FULLWIDTH = {chr(0xFEE0 + ascii): chr(ascii) for ascii in range(0x21, 0x7F)} | {"\u3000": " "}
_HALFWIDTH = re.compile("[\uff61-\uff9f]")
# A voicing mark may belong to a full-width letter before it.
_HALFWIDTH_RUN = re.compile("[\u3041-\u3096\u30a1-\u30fa]?[\uff61-\uff9f]+")
_SPACING_MARKS = str.maketrans("\u3099\u309a", "\u309b\u309c")


def _fold_width(text: str) -> str:
    """Turn full-width ASCII into ASCII and half-width kana into full-width ones, nothing else.

    ASCII is U+FF01 to U+FF5E and the ideographic space; half-width kana are U+FF61 to U+FF9F, with
    the half-width punctuation of Japanese.  A voicing mark is composed with the kana before it
    (ｶﾞ becomes ガ), and becomes the spacing one (゛) where there is no composed letter.
    """
    text = _replace_characters(text, lambda char: _FULLWIDTH.get(char, char))
    return _HALFWIDTH_RUN.sub(_widen, text) if _HALFWIDTH.search(text) else text


def _widen(run: re.Match[str]) -> str:
    return unicodedata.normalize("NFKC", run[0]).translate(_SPACING_MARKS)


def _fold_digits(text: str) -> str:
    """Turn every decimal digit (general category Nd) into the ASCII digit of its value."""
    return _replace_characters(
        text, lambda char: str(unicodedata.decimal(char)) if char.isdecimal() else char
    )


_QUOTES = dict.fromkeys("“”„‟«»〝〞〟＂❝❞⹂", '"') | dict.fromkeys("‘’‚‛‹›＇❛❜", "'")


def _fold_quotes(text: str) -> str:
    """Turn typographic quotation marks into ASCII ones.

    “ ” „ ‟ « » 〝 〞 〟 ＂ ❝ ❞ ⹂ become ", and ‘ ’ ‚ ‛ ‹ › ＇ ❛ ❜ become ' (so that the typographic
    apostrophe does too).  Corner brackets, 「」 and 『』, are kept: no text writes them in ASCII.
    """
    return _replace_characters(text, lambda char: _QUOTES.get(char, char))


#: The normalisation steps by name: the four forms of Unicode (UAX 15), and three foldings.
STEPS: Mapping[str, Callable[[str], str]] = {
    "nfc": partial(_canonical, "NFC"),
    "nfd": partial(_canonical, "NFD"),
    "nfkc": partial(_compatible, "NFC"),
    "nfkd": partial(_compatible, "NFD"),
    "fullwidth": _fold_width,
    "digits": _fold_digits,
    "quotes": _fold_quotes,
}


# Case

_DOTTED_I = "I([\u0300-\U0001ffff]*?)\u0307"


def _lower_turkic(text: str) -> str:
    """Lowercase as Turkish and Azeri do: İ to i and I to ı, composed or not.

    Unicode's SpecialCasing: a dot above that belongs to an I goes with it; it belongs to the I if
    no letter, and no other mark above, stands between.
    """
    if "\u0307" in text:
        text = re.sub(_DOTTED_I, _dotted, text)
    return text.replace("İ", "i").replace("I", "ı").lower()


def _dotted(match: re.Match[str]) -> str:
    between = match[1]
    if any(unicodedata.combining(mark) in (0, 230) for mark in between):
        return match[0]
    return "i" + between
