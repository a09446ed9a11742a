"""Notes on standard error: what a careful colleague would point out."""

from __future__ import annotations

from collections.abc import Sequence

import click

from bleuprint._errors import InputError
from bleuprint._notes import Note
from bleuprint.cli._options import adds

__all__ = ["notes_options", "show_notes"]

notes_options = adds(
    click.option("-q", "--quiet", is_flag=True, help="Print no notes."),
    click.option("--strict", is_flag=True, help="Take notes for errors: exit with 2."),
)


def show_notes(noted: Sequence[tuple[str, Sequence[Note]]], *, quiet: bool, strict: bool) -> None:
    """Print the notes of each system, those that all share once.

    Raises:
        InputError: there are any, and `strict` is set.
    """
    shared = [n for n in noted[0][1] if all(n in notes for _, notes in noted)] if noted else []
    lines = [note.message for note in shared]
    lines += [f"{name}: {n.message}" for name, notes in noted for n in notes if n not in shared]
    if not quiet:
        for line in lines:
            click.echo(f"note: {line}", err=True)
    if strict and lines:
        codes = sorted({note.code for _, notes in noted for note in notes})
        raise InputError(f"--strict: there are notes ({', '.join(codes)})")
