"""Tasks whose scores may be compared, and what is made of them together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bleuprint.report._view import Json, anchor_of, main_of, with_options

__all__ = ["Cell", "Group", "Line", "groups_of", "systems_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The score of a system in a task, or why there is none.

    Attributes:
        score: BLEU by the group's segmenter; None where it is missing.
        anchor: BLEU of characters; None where it is missing, or the score itself is one.
        best: whether it is in the task's first cluster.
        why: of a missing one, the reason in words.
    """

    score: float | None
    anchor: float | None = None
    best: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """The scores of one task, a cell for each system of the suite."""

    number: int
    task: Json
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Tasks whose scores may be compared: their signatures have one digest.

    Attributes:
        digest: theirs.
        signature: that of the first.
        segmenter: its name, with options where two groups have one name.
        lines: one for each task.
        means: for each system, the mean over all tasks of the group; empty where there is but one
            task, or no system that is in all of them.
        mean_of: the names of the tasks that a mean is over.
    """

    digest: str
    signature: str
    segmenter: str
    lines: tuple[Line, ...]
    means: tuple[Cell, ...]
    mean_of: tuple[str, ...]


def systems_of(tasks: Sequence[Json]) -> list[str]:
    """Return every system of a suite, in the order in which they first come."""
    return list(dict.fromkeys(own["system"] for task in tasks for own in task["systems"]))


def groups_of(
    tasks: Sequence[Json], systems: Sequence[str], *, anchors: bool = False
) -> list[Group]:
    """Put tasks together whose scores may be compared.

    Args:
        tasks: of the report.
        systems: what to give cells for.
        anchors: whether by the scores of characters rather than by each task's own segmenter.
    """
    found: dict[str, list[tuple[int, Json, Json]]] = {}
    for number, task in enumerate(tasks):
        own = main_of(task)
        measure = (anchor_of(task) or own) if anchors else own
        found.setdefault(measure["digest"], []).append((number, task, measure))
    names = [members[0][2]["segmenter"] for members in found.values()]
    return [
        _group(digest, members, systems, distinct=names.count(name) == 1)
        for name, (digest, members) in zip(names, found.items(), strict=True)
    ]


def _group(
    digest: str,
    members: Sequence[tuple[int, Json, Json]],
    systems: Sequence[str],
    *,
    distinct: bool,
) -> Group:
    first = members[0][2]
    lines = tuple(
        Line(number=number, task=task, cells=tuple(_cells(task, measure, systems)))
        for number, task, measure in members
    )
    means = tuple(_means(lines, systems)) if len(lines) > 1 else ()
    return Group(
        digest=digest,
        signature=first["signature"],
        segmenter=first["segmenter"] if distinct else with_options(first),
        lines=lines,
        means=means if any(cell.score is not None for cell in means) else (),
        mean_of=tuple(line.task["name"] for line in lines),
    )


def _cells(task: Json, measure: Json, systems: Sequence[str]) -> Iterator[Cell]:
    scores = {score["system"]: score for score in measure["scores"]}
    anchor = anchor_of(task)
    if anchor is None or anchor is measure:
        anchors = {}
    else:
        anchors = {own["system"]: own["score"] for own in anchor["scores"]}
    for system in systems:
        if system not in scores:
            yield Cell(score=None, why=f"{system} has no output for {task['name']}")
            continue
        own = scores[system]
        yield Cell(score=own["score"], anchor=anchors.get(system), best=own["cluster"] == 1)


def _means(lines: Sequence[Line], systems: Sequence[str]) -> Iterator[Cell]:
    for i, system in enumerate(systems):
        cells = [line.cells[i] for line in lines]
        scores = [cell.score for cell in cells if cell.score is not None]
        anchors = [cell.anchor for cell in cells if cell.anchor is not None]
        if len(scores) < len(lines):
            absent = ", ".join(line.task["name"] for line in lines if line.cells[i].score is None)
            yield Cell(score=None, why=f"no mean: {system} has no output for {absent}")
            continue
        yield Cell(
            score=sum(scores) / len(scores),
            anchor=sum(anchors) / len(anchors) if len(anchors) == len(lines) else None,
        )
