"""The Moses tokenizer (Koehn et al. 2007, tokenizer.perl) as ported by sacremoses."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

from sacremoses import MosesTokenizer
from sacremoses.corpus import NonbreakingPrefixes

from bleuprint.plugin import OptionError

_LANGUAGE = re.compile(r"([A-Za-z]{2,3})([-_][0-9A-Za-z]+)*")
#: What sacremoses calls by other than their shortest code in ISO 639.
_OWN_CODES = {"tet": "tdt"}


class Moses:
    """Words as Moses parts them, for one language."""

    def __init__(self, lang: str, *, escape: bool, aggressive: bool) -> None:
        """Prepare the rules for `lang`, of which only the language proper counts: pt for pt-BR.

        A language without a list of abbreviations gets the English one, as in Moses; the
        fingerprint says so.

        Raises:
            OptionError: `lang` does not look like a language code.
        """
        match = _LANGUAGE.fullmatch(lang)
        if match is None:
            raise OptionError(f"moses[lang={lang}]: expected a language code, such as de or pt-BR")
        code = match[1].lower()
        code = _OWN_CODES.get(code, code)
        self._abbreviations = code if code in NonbreakingPrefixes().available_langs else "en"
        self._tokenizer = MosesTokenizer(lang=code)
        # sacremoses makes two sets of all letters anew for every full stop: a line of many took
        # minutes.  These answer the same.
        letters, lower = frozenset(self._tokenizer.IsAlpha), frozenset(self._tokenizer.IsLower)
        self._tokenizer.isanyalpha = lambda text: not letters.isdisjoint(text)
        self._tokenizer.islower = lambda text: lower.issuperset(text)
        self._escape, self._aggressive = escape, aggressive

    @property
    def fingerprint(self) -> Mapping[str, str]:
        """The release of sacremoses, and whose abbreviations are heeded."""
        return {"sacremoses": version("sacremoses"), "abbreviations": self._abbreviations}

    def segment_batch(self, lines: Sequence[str]) -> list[list[str]]:
        """Return the tokens of each line; control characters are dropped, as in Moses."""
        tokenize, escape, aggressive = self._tokenizer.tokenize, self._escape, self._aggressive
        batch: list[list[str]] = []
        for line in lines:
            tokens: Any = tokenize(line, aggressive_dash_splits=aggressive, escape=escape)
            batch.append(tokens)  # a list, as long as it is not asked for a string
        return batch
