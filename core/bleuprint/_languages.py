"""Language codes, and the table of default segmenters.

Three tables stand beside this module, one fact a row:

* ``languages.tsv``: each language in each script it is written in, the usual script first; where
  that is not simply the script's rule, its segmenter and why.
* ``scripts.tsv``: how each script sets words apart, and the segmenter that follows from it.
* ``regions.tsv``: the languages used in a region, the main one first; in the last column those
  for which a lower-case code is rather a pair (``en-my`` is English to Burmese).

Codes are those of ISO 639-1, 639-2 and 639-3, ISO 15924, ISO 3166-1 and UN M49, joined as in
BCP 47.  Aliases, usual scripts and languages of a region follow Unicode CLDR 49.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from bleuprint._errors import NoSegmenterError, UnknownLanguageError

__all__ = ["Language", "default_segmenter", "languages", "resolve"]

# A locale that is written in another script than the language mostly is.
_SCRIPT_OF_LOCALE = {
    ("az", "IR"): "Arab",
    ("kk", "CN"): "Arab",
    ("ku", "IQ"): "Arab",
    ("ku", "IR"): "Arab",
    ("ky", "CN"): "Arab",
    ("mn", "CN"): "Mong",
    ("pa", "PK"): "Arab",
    ("sd", "IN"): "Deva",
    ("sr", "ME"): "Latn",
    ("tk", "AF"): "Arab",
    ("tk", "IR"): "Arab",
    ("ug", "KZ"): "Cyrl",
    ("uz", "AF"): "Arab",
    ("yue", "CN"): "Hans",
    ("zh", "HK"): "Hant",
    ("zh", "MO"): "Hant",
    ("zh", "TW"): "Hant",
}
# Spellings that no rule covers: cantons in NTREX, tags that BCP 47 keeps from before its rules.
_WHOLE = {
    "gsw-be": "gsw-CH-u-sd-chbe",
    "gsw-zh": "gsw-CH-u-sd-chzh",
    "no-bok": "nb",
    "no-nyn": "nn",
    "zh-guoyu": "zh",
    "zh-hakka": "hak",
    "zh-min-nan": "nan",
    "zh-xiang": "hsn",
}
_SCRIPT_ALSO = {"simpl": "Hans", "simp": "Hans", "trad": "Hant"}  # FLORES-101: zho_simpl
_REGION_ALSO = {"UK": "GB"}
_RETIRED = frozenset(("in", "mo"))  # once Indonesian and Moldavian; after a hyphen, India and Macao
# Codes of rarely scored languages, and what those who write them mostly mean.
_MISTAKEN = {"br": "pt-BR", "ch": "zh", "ee": "et", "kr": "ko", "se": "sv"}
_NORWEGIAN = frozenset(("nb", "nn", "no"))
_VARIANTS = (
    "1606nict 1694acad 1901 1959acad 1994 1996 abl1943 alalc97 ao1990 aranes arevela arevmda "
    "baku1926 bauddha biscayan boont cisaup colb1945 ekavsk emodeng fonipa gascon hepburn heploc "
    "ijekavsk itihasa jyutping kkcor lemosin lengadoc luna1918 metelko monoton nedis nicard njiva "
    "nulik oxendict pamaka petr1708 pinyin polyton provenc puter rozaj rumgr scotland scouse "
    "surmiran sursilv sutsilv tarask tongyong ulster valencia vallader vivaraup wadegile"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A language as it was asked for, with its default segmenter or the reason for having none."""

    code: str  #: ISO 639-1 where there is one, else 639-3: ``zh``, ``yue``
    name: str  #: in English
    script: str  #: ISO 15924: the one asked for, else the usual one
    region: str | None  #: ISO 3166-1 or UN M49, if asked for
    tag: str  #: BCP 47 of what was asked for; of a pair, its target
    segmenter: str | None  #: the name of the default segmenter, or None where none is known
    spaced: bool  #: whether white space separates words (or phrases, or syllables)
    reason: str  #: why this segmenter; or why none, and which ones to choose from
    note: str | None = None  #: how an ambiguous code was read, and how to write the other reading


def resolve(tag: str) -> Language:
    """Return the language that `tag` names; of a pair of languages, the second.

    Takes BCP 47 (``zh-Hant-TW``), ISO 639-1, 639-2 and 639-3 (``ja``, ``jpn``, ``chi``), FLORES
    (``zho_Hans``, ``zho_simpl``), NTREX (``srp-Latn``) and pairs of these (``en-ja``,
    ``eng_Latn-jpn_Jpan``), in any case, with hyphens or underscores.

    After a language, two letters may be a region or a second language.  An upper-case region among
    other letters (``pt-BR``) is a region.  Else the first language decides: where it is used in
    that region and the second is not, it is the region (``pt-br`` is not Breton, ``zh-tw`` not
    Twi); otherwise a pair (``en-tr``; ``en-mt``, since Maltese is a language of Malta).  `note`
    tells when both readings make sense.

    Raises UnknownLanguageError for anything else, naming what is close to it.
    """
    text = tag.strip().replace("_", "-")
    text = _WHOLE.get(text.lower(), text)
    subtags = text.split("-")
    # Case carries meaning only where it varies: PT-BR says no more than pt-br.
    cased = text != text.upper()
    readings = sorted(_readings(subtags, cased), key=lambda reading: reading.cost)
    if not readings:
        raise UnknownLanguageError(_unknown(tag, subtags))
    best = readings[0]
    return _language(best.target, note=_note(tag, best, readings[1:]))


def default_segmenter(language: Language) -> str:
    """Return the name of the language's default segmenter.

    Raises NoSegmenterError where none is known, with the reason and the names to choose from.
    """
    if language.segmenter is None:
        raise NoSegmenterError(
            f"{language.name} ({language.tag}) has no default segmenter: {language.reason}"
        )
    return language.segmenter


def languages() -> tuple[Language, ...]:
    """Return every row of the table: each language in each of its scripts, the usual one first."""
    usual: set[str] = set()
    rows = []
    for code, script in _tables().rows:
        rows.append(_language(_Tag(code, script if code in usual else None)))
        usual.add(code)
    return tuple(rows)


class _Script(NamedTuple):
    name: str
    spaced: bool
    segmenter: str
    why: str
    ways_out: str


class _Region(NamedTuple):
    name: str
    languages: Sequence[str]
    pair_first: Sequence[str]


class _Tables(NamedTuple):
    names: dict[str, str]  # by code
    codes: dict[str, str]  # any code of a language to its canonical one
    usual: dict[str, str]  # code to script
    rows: dict[tuple[str, str], tuple[str, str, str]]  # segmenter, why, ways out; empty: by script
    scripts: dict[str, _Script]
    regions: dict[str, _Region]


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    tables = _Tables({}, {}, {}, {}, {}, {})
    for code, also, name, script, segmenter, why, ways_out in _read("languages.tsv"):
        tables.rows[code, script] = segmenter, why, ways_out
        if code not in tables.names:
            tables.names[code] = name
            tables.usual[code] = script
            for spelling in (code, *also.split()):
                tables.codes[spelling] = code
    for script, name, spaced, segmenter, why, ways_out in _read("scripts.tsv"):
        tables.scripts[script] = _Script(name, spaced == "yes", segmenter, why, ways_out)
    for region, name, used, pair_first in _read("regions.tsv"):
        tables.regions[region] = _Region(name, used.split(), pair_first.split())
    return tables


def _read(name: str) -> Iterator[list[str]]:
    with Path(__file__).with_name(name).open(encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            yield line.rstrip("\n").split("\t")


class _Tag(NamedTuple):
    """One tag, parsed.  `doubt`: its region is written so that it might be a language."""

    code: str
    script: str | None = None
    region: str | None = None
    rest: tuple[str, ...] = ()
    doubt: bool = False

    def __str__(self) -> str:
        return "-".join(filter(None, (self.code, self.script, self.region, *self.rest)))

    @property
    def words(self) -> str:
        """The tag as people say it: Portuguese (Brazil)."""
        name = _tables().names[self.code]
        if self.region is None:
            return name
        return f"{name} ({_tables().regions[self.region].name})"

    @property
    def cost(self) -> int:
        """How unlikely the region is, against 1 for the second language of a pair."""
        if not self.doubt or self.region is None:
            return 0
        region = _tables().regions[self.region]
        second = _tables().codes.get(self.region.lower())
        if self.code in region.languages[:1]:
            return 0
        if self.code in region.languages and second not in region.languages:
            return 0
        return 2 if self.code in (*region.languages, *region.pair_first) else 3


class _Reading(NamedTuple):
    source: _Tag | None
    target: _Tag

    @property
    def cost(self) -> int:
        return self.target.cost + (0 if self.source is None else 1 + self.source.cost)

    @property
    def words(self) -> str:
        if self.source is None:
            return self.target.words
        return f"the pair {self.source.words} to {self.target.words}"


def _readings(subtags: Sequence[str], cased: bool) -> Iterator[_Reading]:
    for first, end in _tags(subtags, 0, cased):
        if end == len(subtags):
            yield _Reading(None, first)
        for second, last in _tags(subtags, end, cased):
            if last == len(subtags):
                yield _Reading(first, second)


def _tags(subtags: Sequence[str], start: int, cased: bool) -> Iterator[tuple[_Tag, int]]:
    """Yield each way to read one tag from `start`, and where it ends; with a region first."""
    tables = _tables()
    if start == len(subtags):
        return
    language = subtags[start].lower()
    code = tables.codes.get(language)
    if code is None or (start and language in _RETIRED):
        return
    script, at = None, start + 1
    if at < len(subtags) and (found := _script(subtags[at])):
        script, at = found, at + 1
    if at < len(subtags):
        region, upper = subtags[at].upper(), cased and subtags[at].isupper()
        if upper:
            region = _REGION_ALSO.get(region, region)
        if region in tables.regions:
            rest, end = _rest(subtags, at + 1)
            doubt = region.isalpha() and not upper
            yield _Tag(code, script, region, rest, doubt), end
            if not doubt:
                return
    rest, end = _rest(subtags, at)
    yield _Tag(code, script, None, rest), end


def _script(subtag: str) -> str | None:
    script = _SCRIPT_ALSO.get(subtag.lower(), subtag.title())
    return script if script in _tables().scripts else None


def _rest(subtags: Sequence[str], start: int) -> tuple[tuple[str, ...], int]:
    """Return the variants from `start` on, with extensions or private use, and where they end."""
    end = start
    while end < len(subtags) and subtags[end].lower() in _VARIANTS.split():
        end += 1
    if re.fullmatch(r"[0-9A-Za-z](-[0-9A-Za-z]{1,8})+", "-".join(subtags[end:])):
        end = len(subtags)
    return tuple(subtag.lower() for subtag in subtags[start:end]), end


def _language(tag: _Tag, note: str | None = None) -> Language:
    tables = _tables()
    usual = tables.usual[tag.code]
    script = tag.script or _SCRIPT_OF_LOCALE.get((tag.code, tag.region or ""), usual)
    rule = tables.scripts[script]
    segmenter, why, ways_out = tables.rows.get((tag.code, script), ("", "", ""))
    if not why:
        segmenter, why, ways_out = rule.segmenter, rule.why, rule.ways_out
    if not segmenter:
        why += f"; name one with --segmenter (in Python, segmenter=): {ways_out}"
    return Language(
        code=tag.code,
        name=tables.names[tag.code],
        script=script,
        region=tag.region,
        tag=str(tag),
        segmenter=segmenter or None,
        spaced=rule.spaced,
        reason=why,
        note=note,
    )


def _note(asked: str, best: _Reading, others: Sequence[_Reading]) -> str | None:
    """Say how a doubtful code was read and how to write the other reading; None where none is."""
    read = f"{asked} is read as {best.words}"
    target = best.target
    for other in others:
        codes = {target.code, other.target.code}
        if other.cost <= 2 and len(codes) == 2 and not codes <= _NORWEGIAN:
            return f"{read}; for {other.words} write {other.target}"
    if target.code in _MISTAKEN and asked.lower().endswith(target.code):
        meant = _MISTAKEN[target.code]
        return f"{read}; for {resolve(meant).name} write {meant}"
    if target.cost < 2 or target.region is None or not _tables().regions[target.region].languages:
        return None
    # Two letters that are no language, after a language that is not used there: en-jp.
    main = _Tag(_tables().regions[target.region].languages[0])
    if _language(main).segmenter != _language(target).segmenter:
        raise UnknownLanguageError(
            f"{asked} is {target.words} or meant as a pair: write {target} for the first, "
            f"{target.code}-{main} for the pair {_tables().names[target.code]} to {main.words}"
        )
    return f"{read}; for the pair with {main.words} write {target.code}-{main}"


def _unknown(asked: str, subtags: Sequence[str]) -> str:
    """Say what is wrong with a tag, and what may have been meant."""
    from difflib import get_close_matches  # only for the message: the import takes a while

    tables = _tables()
    if not asked.strip():
        return "the language code is empty; give one such as ja, zh-Hant or en-ja"
    what = f"no language has the code {asked!r}"
    region = tables.regions.get(subtags[0].upper())
    if len(subtags) == 1 and region and region.languages:
        code = region.languages[0]
        what += f", which stands for a region, {region.name}"
        return f"{what}; did you mean {code} ({tables.names[code]})?"
    by_name = {name.lower(): code for code, name in tables.names.items()}
    strange = next((s for s in subtags if not _familiar(s)), "")
    cutoff = 0.5 if len(strange) <= 3 else 0.75
    close = get_close_matches(strange.lower(), [*tables.codes, *by_name], n=4, cutoff=cutoff)
    codes = dict.fromkeys(by_name.get(match) or tables.codes[match] for match in close)
    meant = ", ".join(f"{code} ({tables.names[code]})" for code in codes)
    if len(subtags) > 1:
        what = f"{asked!r} is no language and no pair of languages"
        what += f" ({strange!r} is not known here)" if strange else ""
    return what + (f"; did you mean {meant}?" if meant else "")


def _familiar(subtag: str) -> bool:
    tables = _tables()
    return (
        subtag.lower() in tables.codes
        or _script(subtag) is not None
        or subtag.upper() in tables.regions
        or subtag.lower() in _VARIANTS.split()
    )
