"""Results as tables in Markdown, on the terminal and in the README beside this file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from benchmarks.environments import OURS, PURE
from benchmarks.measuring import Measured

README = Path(__file__).with_name("README.md")
BEGIN, END = "<!-- results: written by --readme -->\n", "<!-- end of results -->"

HEAD = ("who", "seconds", "segments/s", "peak MiB", "its time / ours", "/ ours, no compiler")


def competition(measured: Sequence[Measured]) -> str:
    """Return those who did the same work, with what each made of it: equal, it is hoped."""
    first = measured[0]
    rows = [(*HEAD, "answer"), *((*cells(each), each.answer) for each in measured)]
    return f"\n{first.work}, {first.segments:,} segments\n\n{aligned(rows, texts=1)}"


def task(measured: Iterable[Measured]) -> str:
    """Return all of a task in one table."""
    rows: list[tuple[str, ...]] = [("work", "segments", *HEAD)]
    for (work, segments), group in groupby(measured, lambda each: (each.work, each.segments)):
        names = (work.partition(", ")[2], f"{segments:,}")
        for each in group:
            rows.append((*names, *cells(each)))
            names = ("", "")
    return aligned(rows, texts=3)


def cells(each: Measured) -> tuple[str, ...]:
    """Return the numbers of one contender."""
    ratios = [f"{each.times[own]:.2f}" if own in each.times else "" for own in (OURS, PURE)]
    speed = f"{each.segments / each.seconds:,.0f}"
    return (each.name, f"{each.seconds:.3f}", speed, f"{each.peak_mib:.0f}", *ratios)


def aligned(rows: Sequence[Sequence[str]], texts: int) -> str:
    """Return rows as a table; the first is its head, and the first `texts` columns are text."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    marks = [
        "-" * width if column < texts else "-" * (width - 1) + ":"
        for column, width in enumerate(widths)
    ]
    lines = []
    for row in (rows[0], marks, *rows[1:]):
        padded = [
            cell.ljust(width) if column < texts else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("| " + " | ".join(padded) + " |")
    return "\n".join(lines)


def write_readme(about: str, results: Mapping[str, Sequence[Measured]]) -> None:
    """Put the results where the last ones of the same tasks stand; those of others stay."""
    before, _, rest = README.read_text("utf-8").partition(BEGIN)
    kept, _, after = rest.partition(END)
    sections = {part.partition("\n")[0]: part.strip() for part in kept.split("### ")[1:]}
    for name, measured in results.items():
        sections[name] = f"{name}\n\n{about}\n\n{task(measured)}"
    text = "".join(f"### {section}\n\n" for section in sections.values())
    README.write_text(f"{before}{BEGIN}\n{text}{END}{after}", "utf-8")
