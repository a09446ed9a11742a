"""Where two files that should pair up line by line part, and why."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

__all__ = ["Diagnosis", "diagnose"]

_REGION = 1500  # lines that are aligned, on each side of where the files seem to part
_WINDOW = 60  # lines that tell whether two files are in step at some place
_BAND = 8  # the largest difference in length for which every place of every extra line is tried
_UNRELATED = 0.45  # likeness of two lines below which they count against an alignment
_GAP = -0.8  # what a line without a counterpart counts
_BLANK_GAP = -0.1  # and a blank one
_IN_STEP = 0.12  # by how much lines in step are more alike than lines a few lines apart

_NUMBER = re.compile(r"\d+")

# Where some tools end a line and others do not.  The first entry is all that `str.splitlines` has.
_SEPARATORS = ("\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029", "\r", "\u2028\u2029", "\x85", "\x0b\x0c")


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """What is wrong with two files of unlike length.

    Attributes:
        counts: how many lines each has.
        first: the number, from 1, of the first line where they seem to part; None if unknown.
        cause: ``blank-line``, ``final-blank-line``, ``line-separator``, ``joined-lines``,
            ``repeated-line``, ``extra-line``, ``ends-early``, ``empty``, ``unknown``, or ``none``
            where the counts agree.
        message: all of this in one line.
    """

    counts: tuple[int, int]
    first: int | None
    cause: str
    message: str


def diagnose(
    hypotheses: Sequence[str],
    references: Sequence[str],
    *,
    names: tuple[str, str] = ("the hypotheses", "the references"),
) -> Diagnosis:
    """Find where two files in one language, of unlike length, cease to pair up.

    Lines are compared by the pairs of characters and the numbers that they share, and by length;
    then the alignment with the best sum is sought that leaves out the difference in length.  What
    comes out is a guess, and is worded as one.
    """
    counts = (len(hypotheses), len(references))
    longer_first = len(hypotheses) > len(references)
    longer, shorter = (hypotheses, references) if longer_first else (references, hypotheses)
    long_name, short_name = names if longer_first else names[::-1]
    first, cause, guess = _explain(longer, shorter, long_name, short_name)
    return Diagnosis(
        counts=counts,
        first=first,
        cause=cause,
        message=f"{counts[0]} line{'s' * (counts[0] != 1)} in {names[0]}, {counts[1]} in "
        f"{names[1]}; {guess}",
    )


def _explain(
    longer: Sequence[str], shorter: Sequence[str], long_name: str, short_name: str
) -> tuple[int | None, str, str]:
    extra = len(longer) - len(shorter)
    if not shorter:
        return (1 if longer else None), "empty", f"nothing stands in {short_name}"
    if not extra:
        return None, "none", "the counts agree"
    if not any(line.strip() for line in longer[len(shorter) :]):
        blank = "last line is blank" if extra == 1 else f"last {extra} lines are blank"
        return len(shorter) + 1, "final-blank-line", f"in {long_name} the {blank}"
    for separators in _SEPARATORS:
        holding = [i for i, line in enumerate(shorter) if any(char in line for char in separators)]
        if holding and sum(_splits(shorter[i], separators) for i in holding) == extra:
            return _separator(holding[0], shorter[holding[0]], short_name)
    place = _part(longer, shorter)
    if place is None:
        return None, "unknown", "where they part could not be told; are they of one text?"
    return _cause(place, longer, shorter, long_name, short_name)


def _splits(line: str, separators: str) -> int:
    """Count the places where a tool that ends lines at these characters would cut a line."""
    pieces = re.split(f"[{separators}]", line)
    return len(pieces) - 1 - (not pieces[-1])


def _separator(place: int, line: str, name: str) -> tuple[int, str, str]:
    char = next(char for char in line if char in _SEPARATORS[0])
    return (
        place + 1,
        "line-separator",
        f"line {place + 1} of {name} holds U+{ord(char):04X}, where some tools end a line",
    )


def _cause(
    place: int, longer: Sequence[str], shorter: Sequence[str], long_name: str, short_name: str
) -> tuple[int, str, str]:
    number = place + 1
    if place >= len(shorter):
        return number, "ends-early", f"after line {place} nothing seems to be left in {short_name}"
    if not longer[place].strip():
        return number, "blank-line", f"line {number} of {long_name} is blank"
    if any(char in shorter[place] for char in _SEPARATORS[0]):
        return _separator(place, shorter[place], short_name)
    for at in (place, place - 1):  # either half may be the one that seemed to be too many
        if at >= 0 and _ran_together(longer[at], longer[at + 1], shorter[at]):
            return (
                at + 1,
                "joined-lines",
                f"lines {at + 1} and {at + 2} of {long_name} seem to stand in one line of "
                f"{short_name}, as when files are joined and one lacks its final line end",
            )
        if at >= 0 and longer[at] == longer[at + 1]:
            return at + 1, "repeated-line", f"line {at + 1} of {long_name} stands there twice"
    return (
        number,
        "extra-line",
        f"they seem to part at line {number}, which has no counterpart in {short_name}",
    )


def _ran_together(first: str, second: str, both: str) -> bool:
    whole = _Line(both)
    apart = max(_Line(first).likeness(whole), _Line(second).likeness(whole))
    return _Line(first + second).likeness(whole) > apart + 0.05


class _Line:
    """A line as it is compared."""

    __slots__ = ("length", "numbers", "pairs")

    def __init__(self, text: str) -> None:
        text = text.strip()[:2000].lower()
        self.length = len(text)
        self.pairs = set(pairwise(text))
        self.numbers = set(_NUMBER.findall(text))

    def likeness(self, other: _Line) -> float:
        """Return how alike two lines are: 1.2 where equal, some 0.3 where only the language is."""
        if not self.length or not other.length:
            return 0.5 if self.length == other.length else -0.5
        shared = 2 * len(self.pairs & other.pairs) / max(1, len(self.pairs) + len(other.pairs))
        ratio = min(self.length, other.length) / max(self.length, other.length)
        numbers = 0.0
        if self.numbers and other.numbers:
            numbers = -0.2 if self.numbers.isdisjoint(other.numbers) else 0.2
        return shared + 0.2 * ratio + numbers


class _Lines:
    """Lines as they are compared, made when they are first asked for."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts
        self.made: dict[int, _Line] = {}

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, index: int) -> _Line:
        if index not in self.made:
            self.made[index] = _Line(self.texts[index])
        return self.made[index]


def _part(longer_texts: Sequence[str], shorter_texts: Sequence[str]) -> int | None:
    """Return the index of the first line of the longer side that has no counterpart."""
    longer, shorter = _Lines(longer_texts), _Lines(shorter_texts)
    count = len(shorter)

    def in_step(start: int) -> bool:
        lines = range(start, min(start + _WINDOW, count))
        own = sum(longer[i].likeness(shorter[i]) for i in lines)
        away = sum(longer[(i + 7) % count].likeness(shorter[i]) for i in lines)
        return own > away + _IN_STEP * len(lines)

    start, stop = 0, count
    if count > 2 * _REGION:
        start = max(0, _last_true(in_step, 0, count - _WINDOW) - _REGION)
        stop = min(count, start + 2 * _REGION)
    extra = len(longer) - count
    if extra <= _BAND:
        return _part_anywhere(longer, shorter, start, stop, extra)
    return _part_once(longer, shorter, start, stop, extra)


def _last_true(holds: Callable[[int], bool], low: int, high: int) -> int:
    """Return the last place where something holds that holds up to some place, by bisection."""
    while low < high:
        middle = (low + high + 1) // 2
        if holds(middle):
            low = middle
        else:
            high = middle - 1
    return low


def _part_once(longer: _Lines, shorter: _Lines, start: int, stop: int, extra: int) -> int | None:
    """Find where all the extra lines stand, if they stand in one place."""
    before = [longer[i].likeness(shorter[i]) for i in range(start, stop)]
    after = [longer[i + extra].likeness(shorter[i]) for i in range(start, stop)]
    gains = [0.0, *accumulate(b - a for b, a in zip(before, after, strict=True))]
    best = max(range(len(gains)), key=gains.__getitem__)
    alike = sum(before[:best]) + sum(after[best:])
    return start + best if alike > _UNRELATED * len(before) else None


def _part_anywhere(
    longer: _Lines, shorter: _Lines, start: int, stop: int, extra: int
) -> int | None:
    """Find where the first extra line stands, by the best alignment within a band.

    The state is by how many lines the longer side is ahead.  It starts at 0 and changes by lines
    of one side that have no counterpart; one more than the difference is allowed either way.
    """
    ahead = range(-1, extra + 2)
    last = len(longer)
    lowest = float("-inf")
    sums = {state: 0.0 if state == 0 else lowest for state in ahead}
    # For each state, where on the best way to it the first extra line of the longer side stands.
    firsts: dict[int, int | None] = dict.fromkeys(ahead)

    def gap(side: _Lines, index: int) -> float:
        return _GAP if side[index].length else _BLANK_GAP

    def skip_longer(index: int) -> None:
        for state in ahead[:-1]:
            at = index + state
            if 0 <= at < last and sums[state] + gap(longer, at) > sums[state + 1]:
                sums[state + 1] = sums[state] + gap(longer, at)
                firsts[state + 1] = at if firsts[state] is None else firsts[state]

    for index in range(start, stop):
        skip_longer(index)
        old_sums, old_firsts = dict(sums), dict(firsts)
        for state in ahead:
            at = index + state
            matched = lowest
            if 0 <= at < last:
                matched = old_sums[state] + longer[at].likeness(shorter[index]) - _UNRELATED
            skipped = lowest
            if state + 1 in old_sums:
                skipped = old_sums[state + 1] + gap(shorter, index)
            sums[state] = max(matched, skipped)
            if skipped > matched:
                firsts[state] = old_firsts[state + 1]
    if stop < len(shorter):
        best = max(ahead, key=sums.__getitem__)
        return firsts[best] if sums[best] > 0 else None
    skip_longer(stop)
    return firsts[extra] if sums[extra] > _GAP * extra else None
