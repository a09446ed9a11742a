"""Files named on the command line, opened as streams of texts that pair up."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import click

from bleuprint._corpus import EXPECTED
from bleuprint._errors import BleuprintError, InputError, ShapeError
from bleuprint._notes import Note
from bleuprint._read import Lines, open_lines
from bleuprint.cli._options import adds

__all__ = ["Inputs", "reading_options"]

_ONCE = "give all of them as files to be told from where on they do not pair"

reading_options = adds(
    click.option(
        "-e", "--encoding", default="utf-8", show_default=True, help="Encoding of the files."
    ),
    click.option("--field", metavar="NAME", help="Read this field of JSON Lines: a or a.b."),
    click.option(
        "--column", metavar="NAME", help="Read this column of a TSV, CSV or Parquet file."
    ),
    click.option(
        "--max-bytes",
        type=click.IntRange(min=1),
        metavar="N",
        help="Most bytes a file may hold once unpacked.",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """How files are read, the same for all of a run; ``file#field`` says it for one."""

    encoding: str = "utf-8"
    field: str | None = None
    column: str | None = None
    max_bytes: int | None = None

    def open(self, name: str) -> Lines:
        """Open one file, or standard input for ``-``."""
        return open_lines(
            name,
            encoding=self.encoding,
            field=self.field,
            column=self.column,
            max_bytes=self.max_bytes,
        )

    def open_all(self, names: Sequence[str]) -> list[Lines]:
        """Open several; standard input can be one of them, once."""
        if sum(name.partition("#")[0] == "-" for name in names) > 1:
            raise click.UsageError("standard input can stand for one file only")
        return [self.open(name) for name in names]

    def explain_uneven(self, hypotheses: str, references: str) -> InputError:
        """Read both again and say how many texts each has, and from where on they do not pair."""
        from bleuprint import _align  # needed by none but those whose files do not fit

        sides = list(self.open(hypotheses)), list(self.open(references))
        return InputError(_align.diagnose(*sides, names=(hypotheses, references)).message)


class Streams:
    """References and hypotheses, read in step."""

    def __init__(
        self,
        inputs: Inputs,
        references: Sequence[str],
        hypotheses: Sequence[str],
        source: str | None = None,
    ) -> None:
        self.inputs = inputs
        self.names = (tuple(references), tuple(hypotheses))
        opened = inputs.open_all([*references, *hypotheses, *([source] if source else [])])
        self._references = opened[: len(references)]
        self.hypotheses = opened[len(references) : len(references) + len(hypotheses)]
        self.source = opened[-1] if source else None

    def references(self) -> Iterator[str | list[str]]:
        """Yield the reference, or the list of references, of each segment."""
        if len(self._references) == 1:
            yield from self._references[0]
            return
        for number, row in enumerate(zip_longest(*self._references)):
            if None in row:
                names = self.names[0]
                short = names[row.index(None)]
                other = next(n for n, text in zip(names, row, strict=True) if text is not None)
                if not all(lines.repeatable for lines in self._references):
                    raise InputError(f"{short} ends after {number} lines, before {other}; {_ONCE}")
                raise self.inputs.explain_uneven(short, other)
            yield list(row)

    def explain(self, error: ShapeError) -> BleuprintError:
        """Say of which files an error is, and for uneven ones from where on they do not pair."""
        references, hypotheses = self.names
        if not all(lines.repeatable for lines in (*self._references, *self.hypotheses)):
            problem = str(error)
            if problem.endswith(EXPECTED):
                problem = problem.removesuffix(EXPECTED) + _ONCE
            return InputError(f"{self.pair}: {problem}")
        expected = sum(1 for _ in self.inputs.open(references[0]))
        for name in hypotheses:
            if sum(1 for _ in self.inputs.open(name)) != expected:
                return self.inputs.explain_uneven(name, references[0])
        return InputError(f"{self.pair}: {error}")

    @property
    def pair(self) -> str:
        """What messages call the two sides."""
        references, hypotheses = self.names
        pair = f"{', '.join(hypotheses)} against {', '.join(references)}"
        return pair if self.source is None else f"{pair}, with the source {self.source.name}"

    def notes(self) -> tuple[Note, ...]:
        """What reading the files gave rise to; known once they are read."""
        return tuple(n for lines in (*self._references, *self.hypotheses) for n in lines.notes)


def is_interactive() -> bool:
    """Whether somebody sits before standard input, so that waiting for it needs a word."""
    return sys.stdin is not None and sys.stdin.isatty()
