"""Files into lines: whatever the format, what comes out is one text a segment.

* `_source`: the bytes, unpacked, and no more of them than is allowed
* `_text`: their lines: encoding, byte order mark, line ends
* `_jsonl`, `_table`, `_parquet`, `_wmtxml`: one field, column or side of what is more than lines
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from bleuprint._errors import InputError, SettingError
from bleuprint._notes import Note
from bleuprint._read._source import Source, printable
from bleuprint._read._text import codec_of, text_blocks

__all__ = ["Lines", "open_lines"]

_TABLES = {".tsv": "\t", ".tab": "\t", ".csv": ","}
_JSON = {".jsonl", ".ndjson", ".json"}


class Lines:
    """The segments of one file, read as they are asked for.

    Each iteration reads the file from its start (standard input and open files can be read once).
    At no time is more held than a block of lines, or one document of a WMT test set.
    """

    def __init__(self, source: Source, part: str | None, kind: str) -> None:
        self._source = source
        self._part = part
        self._kind = kind

    @property
    def name(self) -> str:
        """What messages call the file: its path, or ``standard input``."""
        return self._source.name

    @property
    def repeatable(self) -> bool:
        """Whether it can be read again: standard input, open files and pipes cannot."""
        return isinstance(self._source.origin, Path) and self._source.origin.is_file()

    @property
    def notes(self) -> tuple[Note, ...]:
        """What the last iteration found worth pointing out; complete when it has ended."""
        return tuple(self._source.notes)

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(self.blocks())

    def blocks(self) -> Iterator[list[str]]:
        """Yield the segments in lists of some thousands: the fastest way to go through them."""
        source, part = self._source, self._part
        source.notes.clear()
        if part is None:
            return text_blocks(source)
        if self._kind in _JSON:
            from bleuprint._read._jsonl import field_blocks

            return field_blocks(source, part)
        if self._kind == ".parquet":
            from bleuprint._read import _parquet

            return _parquet.column_blocks(source, part)
        if self._kind == ".xml":
            from bleuprint._read._wmtxml import segment_blocks

            return segment_blocks(source, part)
        from bleuprint._read._table import column_blocks

        return column_blocks(source, part, _TABLES[self._kind])


def open_lines(
    source: str | Path | BinaryIO,
    *,
    encoding: str = "utf-8",
    field: str | None = None,
    column: str | int | None = None,
    max_bytes: int | None = None,
) -> Lines:
    """Return the segments of a file, to be iterated over.

    `source` is a path, ``-`` for standard input, or a file open in binary mode.  The name decides
    how it is read: ``.gz .bz2 .xz .zst`` are unpacked; ``.jsonl .ndjson .json`` are JSON Lines,
    ``.tsv .tab .csv`` tables, ``.parquet`` Parquet, ``.xml`` a WMT test set; anything else is lines
    of text, unless `field` (then JSON Lines) or `column` (then a table with tabs) is given.

    `field` is a field of JSON Lines, nested ones by dots; `column` a column of a table or of
    Parquet by name, or, in tables, by number from 1.  ``#`` and a name after the path say it for
    one file, and go before these: ``out.jsonl#text``, ``out.csv#2``, ``wmt.xml#ref:A``.

    `encoding` is any text encoding of Python (XML and Parquet state their own).  `max_bytes` is how
    much the file may hold, unpacked; by default packed files are refused beyond 64 MiB if that is
    more than 100 times their size, and others are not limited.  Lines of more than 16,777,216
    characters are refused.

    Raises SettingError for an unknown encoding, InputError for a file that cannot be read so, and
    MissingExtraError where a library is missing; of these, what shows without reading at once.
    """
    codec_of(encoding)
    if max_bytes is not None and max_bytes < 1:
        raise SettingError(f"max_bytes {max_bytes}: expected 1 or more")
    origin, part = _locate(source)
    name = str(origin) if isinstance(origin, Path) else _name_of(origin)
    opened = Source(
        name=printable(name),
        origin=origin,
        encoding=encoding,
        max_bytes=max_bytes,
    )
    opened.check()
    kind = opened.suffix
    if kind == ".parquet":
        from bleuprint._read import _parquet

        _parquet.check(opened)
    column = None if column is None else str(column)
    if kind in _JSON:
        part = part or field
        if part is None:
            opened.fail(f"is JSON Lines; name the field that holds the text: {name}#FIELD")
    elif kind in _TABLES or kind == ".parquet":
        part = part or column
        if part is None:
            opened.fail(f"has columns; say which holds the text: {name}#COLUMN")
    elif kind == ".xml":
        if part is None:
            from bleuprint._read._wmtxml import CHOICES

            opened.fail(f"is XML; say which side to read: {CHOICES}")
    elif part is not None:
        opened.fail(f"is read as plain text, by its name, and has no part {part!r}")
    elif field is not None and column is not None:
        opened.fail("its name does not say whether --field or --column is meant; give one")
    elif field is not None:
        part, kind = field, ".jsonl"
    elif column is not None:
        part, kind = column, ".tsv"
    return Lines(opened, part, kind)


def _locate(source: str | Path | BinaryIO) -> tuple[Path | BinaryIO, str | None]:
    """Tell a file from the part of it that is named after ``#``."""
    if not isinstance(source, str | Path):
        return source, None
    text = str(source)
    if source == "-":
        if sys.stdin is None:  # Python's sign that it was closed before it started
            raise InputError("standard input is closed: name a file instead of -")
        return sys.stdin.buffer, None
    path, mark, part = text.rpartition("#")
    if mark and path and part and not os.path.exists(text):
        return Path(path), part
    return Path(text), None


def _name_of(stream: BinaryIO) -> str:
    if stream is getattr(sys.stdin, "buffer", None):
        return "standard input"
    name: object = getattr(stream, "name", None)
    return name if isinstance(name, str) else "the open file"
