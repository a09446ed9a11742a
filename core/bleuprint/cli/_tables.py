"""Tables for people: drawn by rich on a terminal, plain and unwrapped columns elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

__all__ = ["print_table"]


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]], right: str = "") -> None:
    """Print a table on standard output.

    Args:
        header: the names of the columns.
        rows: the cells, as text.
        right: for each column ``r`` where it is aligned to the right, anything else where not.
    """
    right = right.ljust(len(header))
    if sys.stdout.isatty():
        from rich.box import SIMPLE_HEAD
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        table = Table(box=SIMPLE_HEAD, pad_edge=False)
        for name, side in zip(header, right, strict=True):
            table.add_column(name, justify="right" if side == "r" else "left", overflow="fold")
        for row in rows:
            table.add_row(*(Text(cell) for cell in row))  # Text: a cell is no markup
        Console().print(table)
        return
    from rich.cells import cell_len

    lines = [list(header), *(list(row) for row in rows)]
    widths = [max(cell_len(line[i]) for line in lines) for i in range(len(header))]
    for line in lines:
        cells = (
            " " * (width - cell_len(cell)) + cell
            if side == "r"
            else cell + " " * (width - cell_len(cell))
            for cell, width, side in zip(line, widths, right, strict=True)
        )
        click.echo("  ".join(cells).rstrip())
