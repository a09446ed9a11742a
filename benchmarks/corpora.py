"""Corpora of any size out of a few thousand real lines, no line of a reference twice.

Real texts are small, and repeating them would measure a cache.  A line is made of the first half of
one real line and the second half of another, in references and hypotheses alike, so that words,
lengths and matches stay those of real text.  Where no translation by a system is at hand, a
hypothesis is the reference with some words dropped, repeated and swapped.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count
from pathlib import Path

SPACED = {"ko": True, "pt": True, "ja": False, "th": False, "zh": False}

Row = tuple[str, ...]  # a hypothesis and its references

REFERENCES = 3
_SEED = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """Files with one segment a line, all of the same length."""

    lang: str
    segments: int
    hypotheses: Path
    references: tuple[Path, ...]


def make(data: Path, lang: str, segments: int, directory: Path) -> Corpus:
    """Return the corpus of that size; write it if it is not there.

    Args:
        data: the folder that holds ``flores-dev/LANG/*.txt`` and ``ntrex/LANG*.txt``.
        lang: one of `SPACED`.
        segments: how many lines.
        directory: where corpora are kept.
    """
    directory.mkdir(parents=True, exist_ok=True)
    names = ["hyp", *(f"ref{number}" for number in range(1, REFERENCES + 1))]
    paths = [directory / f"{lang}.{segments}.{name}.txt" for name in names]
    if not all(path.exists() for path in paths):
        parts = [path.with_suffix(".part") for path in paths]
        with ExitStack() as stack:
            files = [
                stack.enter_context(open(part, "w", encoding="utf-8", newline="\n"))
                for part in parts
            ]
            for row in _take(recombined(real_rows(data, lang), SPACED[lang]), segments):
                for file, line in zip(files, row, strict=True):
                    file.write(line + "\n")
        for part, path in zip(parts, paths, strict=True):
            part.rename(path)
    return Corpus(lang=lang, segments=segments, hypotheses=paths[0], references=tuple(paths[1:]))


def real_rows(data: Path, lang: str) -> list[Row]:
    """Return every real line of a language as a reference, with a hypothesis and more references.

    The outputs of several systems stand in for a second and a third reference.
    """
    rng = random.Random(_SEED)
    folder = data / "flores-dev" / lang
    systems = sorted(path for path in folder.glob("*.txt") if path.stem != "ref")
    rows = []
    for reference, *outputs in zip(
        _lines(folder / "ref.txt"), *map(_lines, systems[:REFERENCES]), strict=True
    ):
        rows.append((outputs[0], reference, *outputs[1:]))
    for path in sorted((data / "ntrex").glob(f"{lang}*.txt")):
        rows.extend((perturbed(line, SPACED[lang], rng), line) for line in _lines(path))
    return [
        (*row, *(perturbed(row[1], SPACED[lang], rng) for _ in range(REFERENCES + 1 - len(row))))
        for row in rows
    ]


def perturbed(line: str, spaced: bool, rng: random.Random) -> str:
    """Drop, repeat and swap some words, or characters where words have no spaces."""
    units = line.split(" ") if spaced else list(line)
    made: list[str] = []
    for unit in units:
        chance = rng.random()
        if chance < 0.12:
            continue
        made.append(unit)
        if chance > 0.96:
            made.append(unit)
        elif chance > 0.88 and len(made) > 1:
            made[-2:] = made[-1], made[-2]
    return (" " if spaced else "").join(made)


def recombined(rows: list[Row], spaced: bool) -> Iterator[Row]:
    """Yield rows of a first and a second half, until every pair has been."""
    halves = [[_halves(line, spaced) for line in row] for row in rows]
    random.Random(_SEED).shuffle(halves)
    glue = " " if spaced else ""
    seen: set[int] = set()
    for step in range(1, len(halves)):
        for at, first in enumerate(halves):
            second = halves[(at + step) % len(halves)]
            row = tuple(a[0] + glue + b[1] for a, b in zip(first, second, strict=True))
            key = hash(row[1])
            if key not in seen:
                seen.add(key)
                yield row


def _halves(line: str, spaced: bool) -> tuple[str, str]:
    if spaced:
        words = line.split(" ")
        return " ".join(words[: len(words) // 2]), " ".join(words[len(words) // 2 :])
    return line[: len(line) // 2], line[len(line) // 2 :]


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").rstrip("\n").split("\n")


def _take(rows: Iterator[Row], segments: int) -> Iterator[Row]:
    for number in count():
        if number == segments:
            return
        try:
            yield next(rows)
        except StopIteration:
            raise ValueError(f"the real lines make {number} segments, not {segments}") from None
