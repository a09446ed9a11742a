"""A note, and what each kind of note says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

__all__ = ["CODES", "HYPOTHESES", "REFERENCES", "Note", "make_note", "merge_notes"]

HYPOTHESES = "hypotheses"
REFERENCES = "references"


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something about the texts that is worth a look.

    Attributes:
        code: what kind of thing it is: a key of `CODES`, or another that never changes its meaning.
        message: a sentence that says what was found, on which side, and what to do.
        count: how often: lines or segments, and characters for ``zero-width``.
        first: the number of the first line or segment, from 1; None where it is of no line.
        side: ``hypotheses``, ``references``, or nothing where it is about both or neither.
    """

    code: str
    message: str
    count: int
    first: int | None
    side: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain data."""
        return asdict(self)


#: The notes on texts: what is found, where `lines` stands for their number and the first of them,
#: and what to do.  Codes never change their meaning.
CODES: Mapping[str, str] = {
    "empty-hypothesis": "The {side} are empty in {lines}; an empty output scores 0 and is counted.",
    "empty-reference": "The {side} are empty in {lines}; nothing can match them.",
    "looks-tokenized": "The {side} look tokenized in {lines}: these end in a full stop after a "
    "space; score detokenized text, or choose segmenter none.",
    "subword-marks": "The {side} hold marks of subwords (@@, ▁, ##, <unk>) in {lines}; put the "
    "words together before scoring.",
    "moses-escapes": "The {side} look Moses-escaped (&quot;, &apos;, &amp;, @-@) in {lines}; "
    "detokenize and unescape them before scoring.",
    "no-spaces": "The {side} have no spaces between words in {lines}, and the segmenter leaves "
    "them in long pieces, so that little can match; choose the language's segmenter (lang=, -l).",
    "not-nfc": "The {side} are not in Unicode's form NFC in {lines}; what looks alike may not "
    "match: normalize with nfc.",
    "unicode-forms-differ": "Hypotheses and references write the same letters in different Unicode "
    "forms in {lines}, which do not match: normalize with nfc.",
    "zero-width": "The {side} hold {count} zero-width characters (first: line {first}), which are "
    "kept and can keep words from matching; take them out unless they are meant.",
    "zero-width-differs": "Hypotheses and references write the same words with and without "
    "zero-width joiners or direction marks in {lines}, which do not match.",
    "replacement-character": "The {side} hold U+FFFD, the mark of text that was decoded wrongly, "
    "in {lines}.",
    "nul-or-surrogate": "The {side} hold NUL or lone surrogates in {lines}; these were replaced by "
    "U+FFFD.",
    "sides-identical": "The hypotheses are the same as the references in all of {lines}; was one "
    "file given twice?",
    "copies-of-source": "The hypotheses are untranslated copies of the source in {lines}, more "
    "than half of them all.",
    "scripts-differ": "Hypotheses and references are in different scripts in {lines}; were files "
    "of different languages given?",
}


def make_note(code: str, side: str, count: int, first: int | None) -> Note:
    """Make a note of a kind in `CODES`."""
    lines = "1 line" if count == 1 else f"{count:,} lines"
    if first is not None and code != "sides-identical":
        lines += f" (line {first})" if count == 1 else f" (first: line {first})"
    message = CODES[code].format(side=side, lines=lines, count=f"{count:,}", first=first)
    return Note(code=code, message=message, count=count, first=first, side=side)


def merge_notes(left: Iterable[Note], right: Iterable[Note], *, offset: int) -> tuple[Note, ...]:
    """Join the notes on two corpora, the right one of which starts `offset` segments later.

    Notes of `CODES` on one side add up.  Of others, equal ones are kept once.
    """
    merged: dict[tuple[str, str], Note] = {_key(note): note for note in left}
    for note in right:
        first = None if note.first is None else note.first + offset
        before = merged.get(_key(note))
        if note.code in CODES:
            if before is not None and before.first is not None:
                first = before.first
            count = note.count + (before.count if before else 0)
            merged[_key(note)] = make_note(note.code, note.side, count, first)
        elif before is None:
            merged[_key(note)] = replace(note, first=first)
    return tuple(merged.values())


def _key(note: Note) -> tuple[str, str]:
    return note.code, note.side if note.code in CODES else note.message
