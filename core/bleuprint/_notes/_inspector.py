"""Looks at a corpus as it streams by, and compares its sides."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence, Sized
from itertools import chain, compress, count
from typing import TYPE_CHECKING

from bleuprint._notes._note import HYPOTHESES, REFERENCES, Note, make_note
from bleuprint._notes._pairs import forms_differ, joiners_differ, scripts_differ
from bleuprint._notes._scripts import UNSPACED, overlap
from bleuprint._notes._side import JOINERS, Side

if TYPE_CHECKING:
    from bleuprint.plugin import SegmenterSpec

__all__ = ["Inspector", "SeenReferences"]

_TOKENIZED_SHARE = 0.1  # of the lines, from which on a side looks tokenized
_OTHER_SCRIPT_SHARE = 0.1  # of the segments, from which on the scripts of the sides differ
_SAME_SCRIPTS = 0.9  # share of their letters, from which on no segment of a batch is looked at
_FORMS = {"nfc", "nfd", "nfkc", "nfkd"}  # steps that leave no difference of Unicode forms


class SeenReferences:
    """The references of a batch, looked at once for all the systems that are scored on them."""

    def __init__(self, references: Sequence[Sequence[str]]) -> None:
        self.references = references
        self.side = Side(list(chain.from_iterable(references)))
        self.single = len(self.side.texts) == len(references)

    def segments(self, texts: list[int]) -> list[int]:
        """Return the segments, by index, that the texts of these indexes are references of."""
        if self.single:
            return texts
        owners = [index for index, row in enumerate(self.references) for _ in row]
        return [owners[index] for index in texts]


class Inspector:
    """Gathers what is worth pointing out about one system's corpus, batch after batch.

    Args:
        segmenter: what cuts the texts: ``none`` expects text that is tokenized and escaped, and
            one made for a language knows how to cut it.
        norm: the normalisation steps, as in a signature; forms of Unicode that they make equal are
            not pointed out.
    """

    def __init__(self, segmenter: SegmenterSpec | None = None, *, norm: str = "none") -> None:
        self._takes_tokenized = segmenter is not None and segmenter.name == "none"
        self._languages = frozenset(segmenter.languages if segmenter else ())
        self._forms_matter = _FORMS.isdisjoint(norm.split("+"))
        self._segments = 0
        self._lines = {HYPOTHESES: 0, REFERENCES: 0}
        self._tally: dict[tuple[str, str], list[int]] = {}  # by code and side: count, first
        self._twins: set[int] | None = None  # the references that have been equal so far
        self._with_source = 0

    def see(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str]] | SeenReferences,
        *,
        tokens: Sequence[Sized] | None = None,
        reference_tokens: Sequence[Sized] | None = None,
        sources: Sequence[str] | None = None,
    ) -> None:
        """Look at the next batch of segments, as they were read.

        Args:
            hypotheses: one text a segment.
            references: by segment, or already looked at.
            tokens: of each hypothesis.
            reference_tokens: of each reference, those of all segments in one list.
            sources: of each segment.
        """
        if not hypotheses:
            return
        if not isinstance(references, SeenReferences):
            references = SeenReferences(references)
        ours, theirs = Side(hypotheses), references.side
        self._see_side(HYPOTHESES, ours, tokens, None)
        self._see_side(REFERENCES, theirs, reference_tokens, references)
        self._compare(ours, references)
        if sources is not None:
            self._with_source += len(hypotheses)
            copies = compress(count(), map(operator.eq, hypotheses, sources))
            self._add("copies-of-source", "", [i for i in copies if hypotheses[i].strip()])
        self._segments += len(hypotheses)

    def absorb(self, other: Inspector) -> None:
        """Add what another inspector saw of the segments that come after those seen here."""
        for key, (number, first) in other._tally.items():
            self._count(key, number, first + self._segments)
        for side, lines in other._lines.items():
            self._lines[side] += lines
        if other._twins is not None:
            self._twins = other._twins if self._twins is None else self._twins & other._twins
        self._with_source += other._with_source
        self._segments += other._segments

    def notes(self) -> tuple[Note, ...]:
        """Return what there is to say about all that was seen, in a fixed order."""
        notes = []
        for (code, side), (number, first) in sorted(self._tally.items()):
            if self._is_worth_a_note(code, side, number):
                notes.append(make_note(code, side, number, first))
        empty, _ = self._tally.get(("empty-hypothesis", HYPOTHESES), (0, 0))
        if self._twins and empty < self._segments:
            notes.append(make_note("sides-identical", "", self._segments, 1))
        return tuple(notes)

    def _is_worth_a_note(self, code: str, side: str, number: int) -> bool:
        if code == "looks-tokenized":
            return not self._takes_tokenized and number >= _TOKENIZED_SHARE * self._lines[side]
        if code == "moses-escapes":
            return not self._takes_tokenized
        if code == "no-spaces":  # once, where it is said of both sides
            return side == HYPOTHESES or (code, HYPOTHESES) not in self._tally
        if code == "copies-of-source":
            return number * 2 > self._with_source
        if code == "scripts-differ":
            return number >= _OTHER_SCRIPT_SHARE * self._segments
        return True

    def _add(self, code: str, side: str, segments: Sequence[int]) -> None:
        """Count segments of this batch, by index."""
        if segments:
            self._count((code, side), len(segments), self._segments + segments[0] + 1)

    def _count(self, key: tuple[str, str], number: int, first: int) -> None:
        tally = self._tally.setdefault(key, [0, first])
        tally[0] += number

    def _see_side(
        self,
        name: str,
        side: Side,
        tokens: Sequence[Sized] | None,
        references: SeenReferences | None,
    ) -> None:
        self._lines[name] += len(side.texts)
        found = dict(side.found)
        if self._forms_matter and side.pages and side.not_nfc:
            found["not-nfc"] = side.not_nfc
        if side.pages and not side.only_latin:
            found["no-spaces"] = self._uncut(side, tokens)
        for code, texts in found.items():
            segments = texts if references is None else references.segments(texts)
            if code == "empty":
                code = "empty-hypothesis" if name == HYPOTHESES else "empty-reference"
            self._add(code, name, segments)
        if side.zero_width:
            tally = self._tally["zero-width", name]
            tally[0] += side.zero_width - len(found["zero-width"])  # characters, not lines

    def _uncut(self, side: Side, tokens: Sequence[Sized] | None) -> list[int]:
        """Return the texts in a script without spaces that the segmenter leaves in long pieces."""
        letters = side.scripts
        script = max(UNSPACED, key=lambda name: letters.get(name, 0))
        languages, length = UNSPACED[script]
        if letters.get(script, 0) * 2 <= sum(letters.values()) or self._languages & languages:
            return []
        sizes = [len(cut) for cut in (tokens or map(str.split, side.texts))]
        if len(side.text) < length * sum(sizes):
            return []
        pairs = enumerate(zip(side.texts, sizes, strict=True))
        return [index for index, (text, size) in pairs if size and len(text) >= length * size]

    def _compare(self, ours: Side, references: SeenReferences) -> None:
        theirs = references.side
        rows = references.references
        self._see_twins(ours.texts, rows)
        if self._forms_matter and ours.pages and theirs.pages:
            odd = {*ours.not_nfc, *references.segments(theirs.not_nfc)}
            self._add_pairs("unicode-forms-differ", sorted(odd), ours.texts, rows, forms_differ)
        if ours.has_any(JOINERS) or theirs.has_any(JOINERS):
            every = range(len(rows))
            self._add_pairs("zero-width-differs", every, ours.texts, rows, joiners_differ)
        latin = ours.only_latin and theirs.only_latin
        if not latin and overlap(ours.scripts, theirs.scripts) < _SAME_SCRIPTS:
            # Two texts that are in one script by a fifth and more need no closer look.
            script = max(theirs.scripts, key=theirs.scripts.__getitem__)
            other = set(compress(count(), map(operator.not_, ours.are_mostly(script))))
            strange = compress(count(), map(operator.not_, theirs.are_mostly(script)))
            other.update(references.segments(list(strange)))
            self._add_pairs("scripts-differ", sorted(other), ours.texts, rows, scripts_differ)

    def _add_pairs(
        self,
        code: str,
        segments: Iterable[int],
        texts: Sequence[str],
        rows: Sequence[Sequence[str]],
        differ: Callable[[str, str], bool],
    ) -> None:
        """Count the segments whose hypothesis differs so from one of its references."""
        self._add(code, "", [i for i in segments if any(differ(texts[i], r) for r in rows[i])])

    def _see_twins(self, texts: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        if self._twins is None:
            self._twins = set(range(len(rows[0])))
        for number in tuple(self._twins):
            column = (row[number] if number < len(row) else None for row in rows)
            if not all(map(operator.eq, texts, column)):
                self._twins.discard(number)
