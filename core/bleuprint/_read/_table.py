"""One column of a TSV or CSV file."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from itertools import chain, islice

from bleuprint._notes import Note
from bleuprint._read._source import MAX_LINE, Source
from bleuprint._read._text import text_blocks

_ROWS = 1024  # rows that are read at a time

# The csv module takes a lone CR for the end of a row, and older ones refuse NUL.  Text that was
# decoded holds no lone surrogates, so two of these stand in for them on the way through.
_HIDE = str.maketrans("\r\0", "\ud80d\ud800")
_SHOW = str.maketrans("\ud80d\ud800", "\r\0")

# A cell in quotation marks that holds nothing which would need them; a line all in such marks.
_NEEDLESS = re.compile(r'(?:^|\t)"[^"\t,\r\n]+"(?=\t|\n)')
_ALL_QUOTED = re.compile(r'"[^"\t\n]*"(?:\t"[^"\t\n]*")*\n')

_HEADING = re.compile(
    r"(?i)\s*(hyp(othesis)?|mt|output|prediction|system|ref(erence)?|src|source|target|tgt|"
    r"text|translation|sentence|segment)\s*"
)


def column_blocks(source: Source, column: str, delimiter: str) -> Iterator[list[str]]:
    """Yield the cells of one column, one a row.

    A name is looked up in the first row, which then is no data.  A number counts from 1, as in
    ``cut``, and every row is data.  A cell in quotation marks may hold the delimiter, line ends and
    doubled quotation marks (RFC 4180).  Every row has as many cells as the first.
    """
    lines = _Lines(source, tab=delimiter == "\t")
    blocks = _row_blocks(source, lines, delimiter)
    first = next(blocks, [])
    if column.isdecimal():
        index = int(column[:9]) - 1
        if index < 0:
            source.fail("there is no column 0: columns count from 1")
        if not first:
            return
        if index < len(first[0][1]):
            _note_heading(source, column, first[0][1][index])
    else:
        if not first:
            source.fail(f"is empty, so there is no column {column!r}", 1)
        index = _find(source, column, first[0][1])
    width = len(first[0][1])
    if index >= width:
        source.fail(f"there is no column {column}: the line has {width}", 1)
    if not column.isdecimal():
        del first[0]
    for block in chain([first], blocks):
        cells = []
        for number, row in block:
            if len(row) != width:
                source.fail(f"has {len(row)} columns where the first line has {width}", number)
            cells.append(row[index])
        if lines.hidden:
            cells = [cell.translate(_SHOW) for cell in cells]
        yield cells
    lines.note()


def _row_blocks(
    source: Source, lines: _Lines, delimiter: str
) -> Iterator[list[tuple[int, list[str]]]]:
    """Yield rows, each with the number of the line it starts on, `_ROWS` at a time."""
    reader = csv.reader(iter(lines), delimiter=delimiter, strict=True)
    end = 0
    while True:
        block: list[tuple[int, list[str]]] = []
        limit = csv.field_size_limit(MAX_LINE)  # of the whole process, so it is put back
        try:
            for row in islice(reader, _ROWS):
                block.append((end + 1, row or [""]))
                lines.rows_over_lines += reader.line_num > end + 1
                end = reader.line_num
        except csv.Error as error:
            source.fail(
                f"quotation marks that do not pair up, or a cell of more than {MAX_LINE:,} "
                f"characters ({error}); where they are plain text, take the column out first: "
                f"cut -f N FILE",
                end + 1,
            )
        finally:
            csv.field_size_limit(limit)
        if not block:
            return
        yield block


class _Lines:
    """The lines of the file as the csv module takes them, and what is odd about them."""

    def __init__(self, source: Source, *, tab: bool) -> None:
        self.source = source
        self.tab = tab
        self.hidden = False
        self.rows_over_lines = 0
        self.needless = 0
        self.first_needless = 0
        self.count = 0
        self.all_quoted = False

    def __iter__(self) -> Iterator[str]:
        for block in text_blocks(self.source):
            for line in block:
                self.count += 1
                if "\r" in line or "\0" in line:
                    self.hidden = True
                    line = line.translate(_HIDE)
                line += "\n"
                if self.tab and '"' in line and _NEEDLESS.search(line):
                    self.needless += 1
                    self.first_needless = self.first_needless or self.count
                    if self.count == 1:
                        self.all_quoted = _ALL_QUOTED.fullmatch(line) is not None
                yield line

    def note(self) -> None:
        """Note what suggests that the quotation marks of a TSV belong to its text.

        Programs that write quotation marks put them round every cell, or round those that need
        them; round a cell here and there that does not need them they are somebody's words.
        """
        if self.tab and self.needless and not self.all_quoted and self.needless * 4 < self.count:
            self.source.notes.append(
                Note(
                    code="quotes-removed",
                    message=f"In {self.needless} lines of {self.source.name} a cell stands in "
                    f"quotation marks, which were taken off as a spreadsheet's; if they belong to "
                    f"the text, take the column out with cut -f.",
                    count=self.needless,
                    first=self.first_needless,
                )
            )
        if self.tab and self.rows_over_lines:
            self.source.notes.append(
                Note(
                    code="quoted-line-ends",
                    message=f"{self.rows_over_lines} rows of {self.source.name} go over several "
                    f"lines, held together by quotation marks; if these are plain text, take the "
                    f"column out with cut -f.",
                    count=self.rows_over_lines,
                    first=None,
                )
            )


def _find(source: Source, column: str, header: list[str]) -> int:
    count = header.count(column)
    if count == 1:
        return header.index(column)
    if count:
        source.fail(f"{count} columns are named {column!r}; choose one by number, from 1", 1)
    names = ", ".join(repr(name)[:40] for name in header[:8])
    source.fail(f"there is no column {column!r}; the first line names {names}", 1)


def _note_heading(source: Source, column: str, cell: str) -> None:
    if _HEADING.fullmatch(cell):
        source.notes.append(
            Note(
                code="header-row",
                message=f"The first line of {source.name} has {cell.strip()!r} in column {column}, "
                f"which looks like a heading and was taken for a segment; to leave it out, choose "
                f"the column by this name.",
                count=1,
                first=1,
            )
        )
