"""ICU (https://icu.unicode.org) through icu4py.

Words are those of Unicode Standard Annex 29, with ICU's dictionaries and models for scripts that do
not part words: which words they find is a matter of the release of ICU.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib.metadata import version

import icu4py
from icu4py.breakers import WordBreaker

from bleuprint.plugin import OptionError

_LOCALE = re.compile(r"[A-Za-z]{2,8}([-_][0-9A-Za-z]{1,8})*")


class Icu:
    """Words between ICU's word boundaries, in one locale."""

    def __init__(self, lang: str) -> None:
        """Take the locale `lang`; ICU itself takes anything, and root for what it does not know.

        Raises:
            OptionError: `lang` does not look like a locale.
        """
        if not _LOCALE.fullmatch(lang):
            raise OptionError(f"icu[lang={lang}]: expected a locale, such as km or zh-Hant")
        self._locale = lang.replace("-", "_")

    @property
    def fingerprint(self) -> Mapping[str, str]:
        """The release of ICU, which decides, and of the library that brings it."""
        return {"icu": icu4py.icu_version, "icu4py": version("icu4py")}

    def segment_batch(self, lines: Sequence[str]) -> list[list[str]]:
        """Return what stands between the word boundaries of each line, less the white space."""
        locale = self._locale
        return [
            [word for word in WordBreaker(line, locale) if not word.isspace()] for line in lines
        ]
