"""Hypotheses and references: their shapes, checked once, here, in batches as they stream by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from bleuprint._errors import ShapeError

__all__ = ["EXPECTED", "Batch", "References", "Work", "batches", "by_segment", "with_sources"]

#: What a segment's references may be: one text, or several.
References = str | Sequence[str]

#: The end of a message, for whoever calls from Python.
EXPECTED = (
    "references go by segment: references[i] is a string, or a list of strings where segment i has "
    "several; for streams (one list a reference file) use bleuprint.by_segment(stream, stream, ...)"
)


@dataclass(frozen=True, slots=True)
class Batch:
    """Some consecutive segments.

    Attributes:
        first: the index of the first one, from 0.
        systems: for each system, the hypotheses.
        references: for each segment, its references, one or more.
        several: whether any segment gave its references as a list.
    """

    first: int
    systems: list[list[str]]
    references: list[Sequence[str]]
    several: bool

    def __len__(self) -> int:
        return len(self.references)

    def name_of(self, index: int) -> str:
        """Name the text of an index, where systems come first and then the references."""
        system, offset = divmod(index, len(self))
        if system < len(self.systems):
            side = "hypotheses" if len(self.systems) == 1 else f"hypotheses of system {system}"
            return f"line {self.first + offset + 1} of the {side}"
        index -= len(self.systems) * len(self)
        for offset, row in enumerate(self.references):
            if index < len(row):
                return f"line {self.first + offset + 1} of the references"
            index -= len(row)
        raise IndexError("no such text in this batch")


#: A batch with the source of each segment, where there is one.
Work = tuple[Batch, Sequence[str] | None]


def by_segment(*streams: Sequence[str | None]) -> list[list[str]]:
    """Turn reference streams, one list a reference file, into references by segment.

    Args:
        streams: for each reference file, its text for every segment. None marks a reference that
            the segment does not have; "" is a real, empty reference.

    Returns:
        For each segment, the references that it has.

    Raises:
        ShapeError: the streams differ in length, one is a bare string or none, or holds something
            else than text.
    """
    if not streams:
        raise ShapeError("by_segment got no stream: expected one list of strings a reference file")
    for number, stream in enumerate(streams):
        if isinstance(stream, str) or not isinstance(stream, Iterable):
            raise ShapeError(
                f"stream {number} is {_describe(stream)}: expected a list of strings, one a segment"
            )
    columns = [list(stream) for stream in streams]
    lengths = [len(column) for column in columns]
    if len(set(lengths)) > 1:
        raise ShapeError(
            f"reference streams differ in length ({', '.join(map(str, lengths))}): expected one "
            "entry a segment in each, None where a segment has no such reference"
        )
    for number, column in enumerate(columns):
        for index, text in enumerate(column):
            if text is not None and not isinstance(text, str):
                raise ShapeError(
                    f"stream {number} holds {_describe(text)} at index {index}: expected a string "
                    "or None"
                )
    return [[text for text in row if text is not None] for row in zip(*columns, strict=True)]


def batches(
    systems: Sequence[Iterable[str]], references: Iterable[References], size: int
) -> Iterator[Batch]:
    """Pair hypotheses with their references, `size` segments at a time.

    Args:
        systems: for each system, its hypotheses, one a segment.
        references: for each segment, its reference or its references.

    Raises:
        ShapeError: anything that does not pair up; see the messages.
    """
    for number, system in enumerate(systems):
        if isinstance(system, (str, bytes)) or not isinstance(system, Iterable):
            raise ShapeError(
                f"{_side(number, systems)}: got {_describe(system)}, expected a list of strings, "
                "one a segment"
            )
    if isinstance(references, (str, bytes)) or not isinstance(references, Iterable):
        raise ShapeError(f"references: got {_describe(references)}, expected a list; {EXPECTED}")
    streams = [iter(system) for system in systems]
    reference_stream = iter(references)
    first = 0
    while True:
        columns = [list(islice(stream, size)) for stream in streams]
        rows = list(islice(reference_stream, size))
        if any(len(column) != len(rows) for column in columns):
            _raise_uneven(first, columns, rows, streams, reference_stream)
        if not rows:
            break
        for number, column in enumerate(columns):
            _check_texts(column, _side(number, systems), first)
        several = not set(map(type, rows)) <= {str}
        yield Batch(
            first,
            columns,
            _check_references(rows, first) if several else [(row,) for row in rows],  # type: ignore[misc]  # all are str
            several,
        )
        first += len(rows)
    if not first:
        raise ShapeError("no segments: expected at least one hypothesis and its reference")


def with_sources(work: Iterable[Batch], sources: Iterable[str] | None) -> Iterator[Work]:
    """Put the source of each segment beside its batch.

    Raises:
        ShapeError: there are fewer sources than segments, or more.
    """
    stream = None if sources is None else iter(sources)
    segments = 0
    for batch in work:
        segments = batch.first + len(batch)
        if stream is None:
            yield batch, None
            continue
        taken = list(islice(stream, len(batch)))
        if len(taken) < len(batch):
            raise ShapeError(
                f"the source ends after {batch.first + len(taken)} segments, before the references"
            )
        yield batch, taken
    if stream is not None and any(True for _ in stream):
        raise ShapeError(f"the references end after {segments} segments, before the source")


def _check_texts(texts: list[str], side: str, first: int) -> None:
    if set(map(type, texts)) <= {str}:
        return
    for index, text in enumerate(texts, first):
        if not isinstance(text, str):
            raise ShapeError(f"{side}[{index}] is {_describe(text)}: expected a string")


def _check_references(rows: list[References], first: int) -> list[Sequence[str]]:
    checked: list[Sequence[str]] = []
    for index, row in enumerate(rows, first):
        if isinstance(row, str):
            checked.append((row,))
            continue
        if isinstance(row, bytes) or not isinstance(row, Sequence):
            raise ShapeError(
                f"references[{index}] is {_describe(row)}: expected a string or a list of strings"
            )
        if not row:
            raise ShapeError(
                f"segment {index} has no reference: references[{index}] is empty; expected at "
                'least one (an empty text, "", is one)'
            )
        for number, text in enumerate(row):
            if not isinstance(text, str):
                raise ShapeError(
                    f"references[{index}][{number}] is {_describe(text)}: expected a string"
                )
        checked.append(row)
    return checked


def _raise_uneven(
    first: int,
    columns: list[list[str]],
    rows: list[References],
    streams: list[Iterator[str]],
    reference_stream: Iterator[References],
) -> None:
    counts = [
        first + len(column) + sum(1 for _ in stream)
        for column, stream in zip(columns, streams, strict=True)
    ]
    n_references = first + len(rows) + sum(1 for _ in reference_stream)
    wrong = next((i for i, count in enumerate(counts) if count != n_references), 0)
    raise ShapeError(
        f"{_side(wrong, counts)} and references differ in length: {counts[wrong]} hypotheses, "
        f"{n_references} references; {EXPECTED}"
    )


def _side(number: int, systems: Sequence[object]) -> str:
    return "hypotheses" if len(systems) == 1 else f"hypotheses of system {number}"


def _describe(value: object) -> str:
    """Name what was given instead, shortly."""
    if value is None:
        return "None"
    text = repr(value)
    shown = text if len(text) <= 40 else text[:37] + "..."
    return f"{type(value).__name__} {shown}"
