"""What a page shows of a task that does not stand in ``report.json`` as such."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from bleuprint._signature import Signature

__all__ = [
    "Json",
    "Move",
    "Place",
    "Remark",
    "anchor_of",
    "by_score",
    "inputs_of",
    "labels_of",
    "main_of",
    "moves_of",
    "places_of",
    "remarks_of",
    "segments_of",
    "with_options",
]

#: The segmenter that scores of all languages are seen beside.
_ANCHOR = "char"

_NUMBERS = re.compile(r"\d[\d,]*")

Json = Mapping[str, Any]  #: an object of the report


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
        name if names.count(name) == 1 else with_options(measure)
        for name, measure in zip(names, task["measures"], strict=True)
    ]


def with_options(measure: Json) -> str:
    """Return the name of a segmenter with its options."""
    segmenter = Signature.parse(measure["signature"]).segmenter
    options = ",".join(f"{key}={value}" for key, value in segmenter.options) if segmenter else ""
    return f"{measure['segmenter']}[{options}]" if options else str(measure["segmenter"])


def by_score(measure: Json) -> list[Json]:
    """Return the scores of a measure, the highest first; equal ones as the suite has them."""
    return sorted(measure["scores"], key=lambda score: -score["score"])


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
