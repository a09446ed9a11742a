"""Tables: drawn by rich on a terminal, plain columns elsewhere, Markdown or LaTeX on request."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from bleuprint._latex import escape_latex

__all__ = ["print_rows"]


def print_rows(
    form: str, header: Sequence[str], rows: Sequence[Sequence[str]], sides: str = ""
) -> None:
    """Print a table on standard output.

    Args:
        form: ``text``, ``markdown`` or ``latex`` (booktabs).
        header: the names of the columns.
        rows: the cells, as text.
        sides: for each column ``r`` where it is aligned to the right, ``l`` where not.
    """
    sides = sides.ljust(len(header), "l")
    if form == "markdown":
        _print_markdown(header, rows, sides)
    elif form == "latex":
        _print_latex(header, rows, sides)
    elif sys.stdout.isatty():
        _draw(header, rows, sides)
    else:
        _print_columns(header, rows, sides)


def _draw(header: Sequence[str], rows: Sequence[Sequence[str]], sides: str) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name, side in zip(header, sides, strict=True):
        table.add_column(name, justify="right" if side == "r" else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))  # Text, since a cell is no markup
    Console().print(table)


def _print_columns(header: Sequence[str], rows: Sequence[Sequence[str]], sides: str) -> None:
    from rich.cells import cell_len  # a CJK character is two columns wide

    lines = [header, *rows]
    widths = [max(cell_len(line[i]) for line in lines) for i in range(len(header))]
    for line in lines:
        cells = []
        for cell, width, side in zip(line, widths, sides, strict=True):
            space = " " * (width - cell_len(cell))
            cells.append(space + cell if side == "r" else cell + space)
        click.echo("  ".join(cells).rstrip())


def _print_markdown(header: Sequence[str], rows: Sequence[Sequence[str]], sides: str) -> None:
    rule = ["---:" if side == "r" else "---" for side in sides]
    for line in (header, rule, *rows):
        click.echo("| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |")


def _print_latex(header: Sequence[str], rows: Sequence[Sequence[str]], sides: str) -> None:
    click.echo(f"\\begin{{tabular}}{{{sides}}}\n\\toprule")
    click.echo(" & ".join(map(escape_latex, header)) + r" \\" + "\n\\midrule")
    for row in rows:
        click.echo(" & ".join(map(escape_latex, row)) + r" \\")
    click.echo("\\bottomrule\n\\end{tabular}")
