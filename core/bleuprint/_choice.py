"""Which segmenter a scorer takes: the one that is named, or the default of a language."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from bleuprint._errors import SettingError
from bleuprint._notes import Note
from bleuprint._registry import Registry
from bleuprint._segmenter import BoundSegmenter
from bleuprint._signature import SegmenterId

if TYPE_CHECKING:
    from bleuprint._languages import Language

__all__ = ["NEUTRAL", "choose", "installed", "notes_on_choice", "resolve"]

NEUTRAL = "13a"  #: what the field scores with where nothing is said


def installed() -> Registry:
    """Return the registry of all that is installed, made once for each path and environment."""
    # What decides which plugins there are is the key, so a changed path or environment is seen.
    return _installed_for(tuple(sys.path), os.environ.get("BLEUPRINT_DISABLE_PLUGINS", ""))


@lru_cache(maxsize=4)
def _installed_for(path: tuple[str, ...], disabled: str) -> Registry:
    return Registry.installed()


def resolve(lang: str) -> Language:
    """Return the language of any of its codes.

    Raises:
        UnknownLanguageError: no language has that code.
        SettingError: it is no text.
    """
    if not isinstance(lang, str):
        raise SettingError(f"lang={lang!r}: expected the code of a language, such as 'ja'")
    from bleuprint import _languages  # a table, for those who name a language

    return _languages.resolve(lang)


def _default(language: Language) -> str:
    from bleuprint._languages import default_segmenter

    return default_segmenter(language)


def choose(language: Language | None, segmenter: str | None, registry: Registry) -> BoundSegmenter:
    """Build the segmenter that was named, or the language's default."""
    if segmenter is None:
        segmenter = NEUTRAL if language is None else _default(language)
    options = {}
    wanted = SegmenterId.parse(segmenter)
    if language is not None and "lang" not in dict(wanted.options):
        offers = [offer for offer in registry.offers if offer.spec.name == wanted.name]
        if len(offers) == 1 and "lang" in offers[0].spec.options:
            options["lang"] = language.code
    return registry.build(segmenter, **options)


def notes_on_choice(language: Language | None, segmenter: BoundSegmenter) -> Iterator[Note]:
    """Yield what there is to say about a segmenter for a language."""
    if language is None:
        return
    if language.note:
        yield Note(code="language-reading", message=language.note, count=1, first=None)
    claimed = segmenter.spec.languages
    if claimed and language.code not in claimed:
        yield Note(
            code="language-not-claimed",
            message=f"segmenter {segmenter.name!r} is made for {', '.join(claimed)}, and does not "
            f"claim {language.name} ({language.code})",
            count=1,
            first=None,
        )
