"""Signatures: the string beside a score that says how it was made.

A signature is ``key:value|key:value``.  bleuprint writes every key that its user can set::

    nrefs:1|case:mixed|norm:none|eff:no|order:4|tok:zh-jieba[hmm=on;dict=7197c321,jieba=0.42.1,
    probe=1-3f9a1c22]|smooth:exp|version:bleuprint-0.1.0

(in one line), and reads besides what sacreBLEU prints: 2.x long (``nrefs:1|case:mixed|...``), 2.x
short (``#:1|c:mixed|...``) and 1.x (``BLEU+case.mixed+...``).  What a string does not state is
None.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields

from bleuprint._errors import SignatureSyntaxError

__all__ = ["SegmenterId", "Signature", "SignatureComparison", "smoothing_field"]

# What would be taken for the grammar itself; "%" first, since it is what escapes the others.
_RESERVED = re.compile(r"[\s|:,;=\[\]%]")
_ENCODED = re.compile(r"(?:%[0-9A-Fa-f]{2})+")

#: The keys in the order in which they are written; sacreBLEU's order, ours between.
_KEYS = (
    "nrefs", "bs", "ar", "seed", "test", "lang", "origlang", "subset",
    "case", "norm", "eff", "order", "tok", "smooth", "version",
)  # fmt: skip

_SHORT = {
    "nrefs": "#", "bs": "bs", "ar": "ar", "seed": "rs", "test": "t", "lang": "l", "origlang": "o",
    "subset": "S", "case": "c", "norm": "n", "eff": "e", "order": "N", "tok": "tok", "smooth": "s",
    "version": "v",
}  # fmt: skip

_LONG = {short: key for key, short in _SHORT.items()} | {key: key for key in _KEYS}
_LONG |= {"numrefs": "nrefs"}  # sacreBLEU 1.x

#: Fields that may differ between scores that are compared all the same.
_HARMLESS = frozenset({"bs", "ar", "seed", "version"})

#: What a string that is silent about a field is taken to mean: sacreBLEU can do nothing else.
_IMPLIED = {"norm": "none", "order": "4"}

#: sacreBLEU names MeCab's version and dictionary inside the name; it ships with no other.
_SACREBLEU_TOK = (
    (re.compile(r"ja-mecab-[\d.]+-IPA"), "ja-mecab"),
    (re.compile(r"ko-mecab-[\d.]+/ko-[\d.]+-KO"), "ko-mecab"),
)

#: Provenance that decides whether two segmenters cut alike; versions beside these do not.
_DECISIVE = ("dict", "probe")

_SMOOTH = re.compile(r"(none|exp|floor|add-k)(?:\[([^\[\]]+)\])?")


def quote(text: str) -> str:
    """Percent-encode what the grammar of signatures would trip over, as UTF-8."""
    return _RESERVED.sub(lambda m: "".join(f"%{byte:02X}" for byte in m[0].encode()), text)


def unquote(text: str) -> str:
    """Undo `quote`.  (urllib's own brings a lot along.)

    Raises:
        SignatureSyntaxError: what is encoded is not UTF-8.
    """
    try:
        return _ENCODED.sub(lambda m: bytes.fromhex(m[0].replace("%", "")).decode(), text)
    except UnicodeDecodeError as error:
        raise SignatureSyntaxError(f"{text!r} holds percent-encoding that is not UTF-8") from error


def smoothing_field(method: str, value: float | None) -> str:
    """Write a smoothing as ``floor[0.10]``: two decimals, or as many as bring the value back."""
    if value is None:
        return method
    text = f"{value:.2f}"
    if float(text) != value:
        text = repr(value)
    return f"{method}[{text}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmenterId:
    """A segmenter's name with its options and provenance: ``name[options;provenance]``.

    `options` are what a user may set, `provenance` is what the installation decided.  Both are
    sorted by key when written, so that equal ids are equal strings.
    """

    name: str
    options: tuple[tuple[str, str], ...] = ()
    provenance: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(
        cls, name: str, options: Mapping[str, str], provenance: Mapping[str, str] | None = None
    ) -> SegmenterId:
        """Make an id from mappings."""
        return cls(
            name=name,
            options=tuple(sorted(options.items())),
            provenance=tuple(sorted((provenance or {}).items())),
        )

    @classmethod
    def parse(cls, text: str) -> SegmenterId:
        """Read ``name``, ``name[options]`` or ``name[options;provenance]``.

        Raises:
            SignatureSyntaxError: brackets that do not match, or an entry that is not key=value.
        """
        name, bracket, rest = text.partition("[")
        if not name or (bracket and not rest.endswith("]")) or "]" in name:
            raise SignatureSyntaxError(
                f"{text!r} is no segmenter: expected name or name[option=value,...]"
            )
        options, _, provenance = rest[:-1].partition(";") if bracket else ("", "", "")
        return cls(
            name=unquote(name),
            options=_read_pairs(options, text),
            provenance=_read_pairs(provenance, text),
        )

    def __str__(self) -> str:
        options = ",".join(f"{quote(k)}={quote(v)}" for k, v in self.options)
        provenance = ",".join(f"{quote(k)}={quote(v)}" for k, v in self.provenance)
        inside = f"{options};{provenance}" if provenance else options
        return f"{quote(self.name)}[{inside}]" if inside else quote(self.name)

    @property
    def canonical_name(self) -> str:
        """The name; for what sacreBLEU calls ``ja-mecab-0.996-IPA``, the ``ja-mecab`` it is."""
        for pattern, name in _SACREBLEU_TOK:
            if pattern.fullmatch(self.name):
                return name
        return self.name

    def differs(self, other: SegmenterId) -> bool:
        """Tell whether the two may cut text differently, as far as they say.

        Name, options, and the provenance that both state and that decides: dictionary and
        probe, and the distribution (without its version) of a third party's segmenter.
        """
        if self.canonical_name != other.canonical_name:
            return True
        if self.options != other.options:
            return True
        mine, theirs = self._decisive(), other._decisive()
        return any(mine[key] != theirs[key] for key in mine.keys() & theirs.keys()) or (
            mine.get("dist") != theirs.get("dist")
        )

    def _decisive(self) -> dict[str, str]:
        found = {k: v for k, v in self.provenance if k.startswith(_DECISIVE)}
        for key, value in self.provenance:
            if key == "dist":
                found[key] = value.rpartition("-")[0] or value
        return found

    @property
    def group(self) -> str:
        """The part that comparable segmenters share, for `Signature.digest`."""
        decisive = self._decisive()
        if STANDARD.get(self.canonical_name) == {
            key: value for key, value in decisive.items() if key != "dist"
        }:
            decisive = {}
        return str(SegmenterId.of(self.canonical_name, dict(self.options), decisive))


#: What sacreBLEU's names show here, where nothing is patched.  It lets the digest of our
#: ``tok:13a[;probe=...]`` be that of sacreBLEU's ``tok:13a``: they are the same tokens.
STANDARD: Mapping[str, Mapping[str, str]] = {
    "none": {"probe": "1-dae57db6"},
    "13a": {"probe": "1-f6389986"},
    "intl": {"probe": "1-5015843b"},
    "char": {"probe": "1-722ef939"},
    "zh": {"probe": "1-648dfa88"},
    "ja-mecab": {"dict": "d85d9eca", "probe": "1-8583f979"},
    "ko-mecab": {"dict": "4350a027", "probe": "1-5c9c12f7"},
}


def _read_pairs(text: str, whole: str) -> tuple[tuple[str, str], ...]:
    pairs = []
    for item in filter(None, text.split(",")):
        key, equals, value = item.partition("=")
        if not key or not equals or re.search(r"[\[\]=]", value):
            raise SignatureSyntaxError(f"{item!r} in {whole!r} is not key=value")
        pairs.append((unquote(key), unquote(value)))
    if len(dict(pairs)) != len(pairs):
        raise SignatureSyntaxError(f"a key stands twice in {whole!r}")
    return tuple(sorted(pairs))


@dataclass(frozen=True, slots=True, kw_only=True)
class SignatureComparison:
    """What keeps two scores from being compared, and what was taken for granted.

    `differences` maps a field to both values, and is empty where the scores may be compared.
    `assumptions` maps a field that one side does not state to the value it was taken to have.
    """

    differences: Mapping[str, tuple[str | None, str | None]]
    assumptions: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """How a score was made, frozen; `str` writes it and `parse` reads it back.

    Every field is the text that stands in the string, or None where nothing is stated.
    """

    nrefs: str | None = None  #: ``1``; ``1-4`` where segments differ; sacreBLEU's ``var``
    bs: str | None = None  #: bootstrap samples
    ar: str | None = None  #: approximate randomization trials
    seed: str | None = None
    test: str | None = None  #: sacreBLEU's name of a test set
    lang: str | None = None
    origlang: str | None = None
    subset: str | None = None
    case: str | None = None  #: ``mixed``, ``lc`` or ``lc.tr``
    norm: str | None = None  #: normalisation steps, ``none`` or ``nfkc+digits``
    eff: str | None = None  #: effective order, ``yes`` or ``no``
    order: str | None = None  #: the longest n-gram
    tok: str | None = None  #: the segmenter, a `SegmenterId` written out
    smooth: str | None = None  #: ``exp``, ``none``, ``floor[0.10]``, ``add-k[1.00]``
    version: str | None = None  #: ``bleuprint-0.1.0``; sacreBLEU's is a bare number

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None and (not value or "|" in value or re.search(r"\s", value)):
                raise SignatureSyntaxError(f"{value!r} cannot stand in a signature's {field.name}")
        if self.tok is not None:
            SegmenterId.parse(self.tok)
        if self.eff not in (None, "yes", "no"):
            raise SignatureSyntaxError(f"eff:{self.eff}: expected yes or no")
        if self.case not in (None, "mixed", "lc", "lc.tr"):
            raise SignatureSyntaxError(f"case:{self.case}: expected mixed, lc or lc.tr")
        if self.smooth is not None and self.smoothing is None:
            raise SignatureSyntaxError(
                f"smooth:{self.smooth}: expected exp, none, floor[VALUE] or add-k[VALUE]"
            )

    @classmethod
    def parse(cls, text: str) -> Signature:
        """Read a signature that bleuprint, sacreBLEU 2.x (long or short) or 1.x printed.

        A score line may be given whole: what stands before the signature (``BLEU|``) and behind it
        (`` = 34.2 66.1/41.0/...``) is passed over.

        Raises:
            SignatureSyntaxError: it is none of these; the message says where it stops being one.
        """
        if not isinstance(text, str):
            raise SignatureSyntaxError(f"{text!r} is no signature: expected text")
        body = text.strip().partition(" = ")[0].strip()
        if not body:
            raise SignatureSyntaxError(
                "an empty text is no signature: expected key:value|key:value"
            )
        if body.startswith("BLEU+"):
            pairs = _read_version_1(body)
        else:
            pairs = [
                (key, value, f"{key}{colon}{value}")
                for key, colon, value in (
                    part.partition(":") for part in body.removeprefix("BLEU|").split("|")
                )
                if colon or not key
            ]
            if len(pairs) != body.removeprefix("BLEU|").count("|") + 1:
                raise SignatureSyntaxError(
                    f"{text!r} is no signature: expected key:value|key:value"
                )
        found: dict[str, str] = {}
        for key, value, part in pairs:
            if key not in _LONG:
                raise SignatureSyntaxError(f"{part!r} in {text!r}: no signature has {key!r}")
            if not value:
                raise SignatureSyntaxError(f"{part!r} in {text!r} states no value")
            if _LONG[key] in found:
                raise SignatureSyntaxError(f"{part!r} in {text!r}: {_LONG[key]} stands twice")
            found[_LONG[key]] = value
        return cls(**found)

    def __str__(self) -> str:
        return self._write({key: key for key in _KEYS})

    def short(self) -> str:
        """Write it with sacreBLEU's one-letter keys."""
        return self._write(_SHORT)

    def _write(self, names: Mapping[str, str]) -> str:
        stated = ((names[key], getattr(self, key)) for key in _KEYS)
        return "|".join(f"{name}:{value}" for name, value in stated if value is not None)

    @property
    def segmenter(self) -> SegmenterId | None:
        """The field `tok`, taken apart."""
        return None if self.tok is None else SegmenterId.parse(self.tok)

    @property
    def smoothing(self) -> tuple[str, float | None] | None:
        """The field `smooth` as method and value."""
        match = None if self.smooth is None else _SMOOTH.fullmatch(self.smooth)
        if match is None or (match[2] is not None and match[1] in ("exp", "none")):
            return None
        try:
            value = None if match[2] is None else float(match[2])
        except ValueError:
            return None
        return (match[1], value) if value is None or 0 <= value < math.inf else None

    def compare(self, other: Signature) -> SignatureComparison:
        """Say what keeps the two scores from being compared, and what that took for granted."""
        differences: dict[str, tuple[str | None, str | None]] = {}
        assumptions: dict[str, str] = {}
        for key in _KEYS:
            mine, theirs = getattr(self, key), getattr(other, key)
            if key in _HARMLESS or mine == theirs:
                continue
            if key in _IMPLIED and None in (mine, theirs):
                assumptions[key] = _IMPLIED[key]
                mine, theirs = mine or _IMPLIED[key], theirs or _IMPLIED[key]
            if key == "tok" and None not in (mine, theirs):
                unlike = SegmenterId.parse(mine).differs(SegmenterId.parse(theirs))
            elif key == "smooth":
                unlike = self._smoothing_with_default() != other._smoothing_with_default()
            else:
                unlike = mine != theirs
            if unlike:
                differences[key] = (mine, theirs)
        return SignatureComparison(differences=differences, assumptions=assumptions)

    def differences(self, other: Signature) -> Mapping[str, tuple[str | None, str | None]]:
        """Map each field that keeps the two scores from being compared to both values.

        Empty where the scores may be compared.  bs, ar, seed and the version of the tool do not
        count; unstated norm and order count as none and 4; the version of a library counts only
        through what it changes: dictionary or probe.
        """
        return self.compare(other).differences

    @property
    def digest(self) -> str:
        """Eight hex digits that comparable scores share, to group them by."""
        parts = []
        for key in _KEYS:
            value = getattr(self, key) or _IMPLIED.get(key)
            if key in _HARMLESS or value is None:
                continue
            if key == "tok":
                value = SegmenterId.parse(value).group
            elif key == "smooth":
                value = str(self._smoothing_with_default())
            parts.append(f"{key}:{value}")
        return hashlib.sha256("|".join(parts).encode()).hexdigest()[:8]

    def _smoothing_with_default(self) -> tuple[str, float | None] | None:
        smoothing = self.smoothing
        if smoothing is None or smoothing[1] is not None:
            return smoothing
        return smoothing[0], {"floor": 0.1, "add-k": 1.0}.get(smoothing[0])


def _read_version_1(text: str) -> Iterable[tuple[str, str, str]]:
    """Take ``BLEU+case.mixed+numrefs.1+...+version.1.2.3`` apart."""
    pairs: list[tuple[str, str, str]] = []
    for part in text.removeprefix("BLEU+").split("+"):
        key, dot, value = part.partition(".")
        if not dot:
            if not pairs:
                raise SignatureSyntaxError(f"{part!r} in {text!r} is not key.value")
            # a "+" of the value's own, as in a version 1.4.3+git
            before = pairs.pop()
            pairs.append((before[0], f"{before[1]}+{part}", f"{before[2]}+{part}"))
        else:
            pairs.append((key, value, part))
    # "lc" is a value of case in every version; effective order was not written by 1.x
    return pairs
