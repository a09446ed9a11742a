"""What a rendering shows that does not stand in ``report.json`` as such: groups, moves, marks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from bleuprint._signature import Signature

__all__ = [
    "Cell",
    "Group",
    "Line",
    "Move",
    "Remark",
    "anchor_of",
    "by_score",
    "groups_of",
    "inputs_of",
    "labels_of",
    "main_of",
    "moves_of",
    "places_of",
    "remarks_of",
    "segments_of",
    "systems_of",
]

#: The segmenter that scores of all languages are seen beside.
_ANCHOR = "char"

_NUMBERS = re.compile(r"\d[\d,]*")

Json = Mapping[str, Any]  #: an object of the report


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A score by one segmenter, and which it is, the highest being 1."""

    score: float
    rank: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """What another segmenter does to the order of the systems of a task.

    Attributes:
        segmenter: the other one's label.
        pairs: how many pairs of systems there are.
        swaps: pairs that change places: first the system that is ahead by the main segmenter.
    """

    segmenter: str
    pairs: int
    swaps: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """Notes that differ in nothing but numbers, as one.

    Attributes:
        message: what the one with the highest count says.
        systems: those they are on, with their counts where these differ; empty where it is one note
            on all systems of the task.
        segmenters: the labels of those with which they came; empty where they came with all.
    """

    message: str
    systems: tuple[str, ...]
    segmenters: tuple[str, ...]


def main_of(task: Json) -> Json:
    """Return what the task's own segmenter measured."""
    measure: Json = next(m for m in task["measures"] if m["role"] == "main")
    return measure


def anchor_of(task: Json) -> Json | None:
    """Return what characters measured; None where the task's own segmenter is that."""
    if main_of(task)["segmenter"] == _ANCHOR:
        return None
    return next((m for m in task["measures"] if m["segmenter"] == _ANCHOR), None)


def labels_of(task: Json) -> list[str]:
    """Return what to call each measure: its segmenter, with options where names are not enough."""
    names = [measure["segmenter"] for measure in task["measures"]]
    return [
        name if names.count(name) == 1 else _with_options(measure)
        for name, measure in zip(names, task["measures"], strict=True)
    ]


def _with_options(measure: Json) -> str:
    segmenter = Signature.parse(measure["signature"]).segmenter
    options = ",".join(f"{key}={value}" for key, value in segmenter.options) if segmenter else ""
    return f"{measure['segmenter']}[{options}]" if options else str(measure["segmenter"])


def by_score(measure: Json) -> list[Json]:
    """Return the scores of a measure, the highest first; equal ones as the suite has them."""
    return sorted(measure["scores"], key=lambda score: -score["score"])


def systems_of(tasks: Sequence[Json]) -> list[str]:
    """Return every system of a suite, in the order in which they first come."""
    return list(dict.fromkeys(own["system"] for task in tasks for own in task["systems"]))


def groups_of(tasks: Sequence[Json], systems: Sequence[str], *, anchors: bool = False) -> list[Group]:
    """Put tasks together whose scores may be compared.

    Args:
        tasks: of the report.
        systems: what to give cells for.
        anchors: whether by the scores of characters rather than by each task's own segmenter.
    """
    found: dict[str, list[tuple[int, Json, Json]]] = {}
    for number, task in enumerate(tasks):
        measure = anchor_of(task) if anchors else main_of(task)
        if measure is not None:
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
        segmenter=first["segmenter"] if distinct else _with_options(first),
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
            absent = ", ".join(
                line.task["name"] for line in lines if line.cells[i].score is None
            )
            yield Cell(score=None, why=f"no mean: {system} has no output for {absent}")
            continue
        yield Cell(
            score=sum(scores) / len(scores),
            anchor=sum(anchors) / len(anchors) if len(anchors) == len(lines) else None,
        )


def places_of(task: Json) -> list[dict[str, Place]]:
    """Return for each measure, by system, the score and its place in the order of scores."""
    return [
        {
            score["system"]: Place(score=score["score"], rank=rank)
            for rank, score in enumerate(by_score(measure), 1)
        }
        for measure in task["measures"]
    ]


def moves_of(task: Json) -> list[Move]:
    """Tell for each further segmenter which systems change places."""
    measures, labels = task["measures"], labels_of(task)
    scores = [{s["system"]: s["score"] for s in measure["scores"]} for measure in measures]
    at = measures.index(main_of(task))
    order = [score["system"] for score in by_score(measures[at])]
    pairs = list(combinations(order, 2))
    return [
        Move(
            segmenter=labels[i],
            pairs=len(pairs),
            swaps=tuple((a, b) for a, b in pairs if scores[i][a] < scores[i][b]),
        )
        for i in range(len(measures))
        if i != at
    ]


def remarks_of(task: Json) -> list[Remark]:
    """Return the notes on all systems of a task by all segmenters, those that are alike as one."""
    labels = labels_of(task)
    every = [own["system"] for own in task["systems"]]
    found: dict[str, dict[str, list[tuple[Json, str]]]] = {}
    for label, measure in zip(labels, task["measures"], strict=True):
        for score in measure["scores"]:
            for note in score["notes"]:
                alike = found.setdefault(_NUMBERS.sub("#", note["message"]), {})
                alike.setdefault(score["system"], []).append((note, label))
    remarks = []
    for by_system in found.values():
        notes = {system: own[0][0] for system, own in by_system.items()}
        most = max(notes.values(), key=lambda note: int(note["count"]))
        with_these = {label for own in by_system.values() for _, label in own}
        whole = len(notes) == len(every) > 1 and all(n == most for n in notes.values())
        remarks.append(
            Remark(
                message=most["message"],
                systems=()
                if whole
                else tuple(
                    name if notes[name] == most else f"{name} ({notes[name]['count']:,})"
                    for name in every
                    if name in notes
                ),
                segmenters=()
                if len(with_these) == len(labels)
                else tuple(label for label in labels if label in with_these),
            )
        )
    return remarks


def inputs_of(task: Json) -> list[dict[str, Any]]:
    """Return what was read, in rows: files with their digests, and those of their tokens."""
    main = main_of(task)
    scores = {score["system"]: score for score in main["scores"]}
    several = len(task["references"]) > 1
    rows = [
        {
            **reference,
            "what": f"reference {number}" if several else "reference",
            "per_token": None,
            "tokens": None if several else main["reference_tokens_sha256"],
        }
        for number, reference in enumerate(task["references"], 1)
    ]
    if several:
        rows.append(
            {
                "what": "all references",
                "path": "",
                "empty": sum(reference["empty"] for reference in task["references"]),
                "characters": sum(reference["characters"] for reference in task["references"]),
                "sha256": None,
                "per_token": None,
                "tokens": main["reference_tokens_sha256"],
            }
        )
    rows += [
        {
            **own,
            "what": own["system"],
            "per_token": scores[own["system"]]["characters_per_token"],
            "tokens": scores[own["system"]]["tokens_sha256"],
        }
        for own in task["systems"]
    ]
    rows += [
        {**task[key], "what": key, "per_token": None, "tokens": None}
        for key in ("source", "labels")
        if task[key] is not None
    ]
    return rows


def segments_of(task: Json) -> dict[str, Any] | None:
    """Return the texts of a task for the segment browser; None where the report has none.

    Tokens are numbers into a vocabulary, the most frequent first: a tenth of the size of the texts
    as lists of tokens, and quick to compare.
    """
    texts = task["texts"]
    if texts is None:
        return None
    counts: Counter[str] = Counter()
    for segment in texts["references"]:
        for tokens in segment:
            counts.update(tokens)
    for system in texts["systems"]:
        for tokens in system["tokens"]:
            counts.update(tokens)
    vocabulary = sorted(counts, key=lambda token: (-counts[token], token))
    number = {token: i for i, token in enumerate(vocabulary)}
    main = main_of(task)
    return {
        "lang": task["lang"],
        "direction": task["direction"],
        "first": _to_compare(main),
        "order": len(main["scores"][0]["precisions"]),
        "source": texts["source"],
        "labels": texts["labels"],
        "vocabulary": vocabulary,
        "references": [
            [[number[token] for token in tokens] for tokens in segment]
            for segment in texts["references"]
        ],
        "systems": [
            {
                "system": system["system"],
                "scores": system["scores"],
                "tokens": [[number[token] for token in tokens] for tokens in system["tokens"]],
            }
            for system in texts["systems"]
        ],
    }


def _to_compare(main: Json) -> list[int]:
    """Choose the systems that the browser begins with: the best one, and the baseline or second."""
    ordered = by_score(main)
    second = [score for score in ordered[1:] if score["baseline"]] or ordered[1:2]
    return [main["scores"].index(score) for score in [ordered[0], *second]]
