"""Run a report again and say, line by line, what changed and why."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bleuprint._errors import BleuprintError, InputError
from bleuprint._registry import Registry
from bleuprint._signature import SegmenterId, Signature
from bleuprint.report._run import SCHEMA, run
from bleuprint.report._suite import Suite

__all__ = ["Finding", "load", "verify"]


#: Of a score, what may read otherwise in another version, or is compared by itself.
_WORDING = frozenset({"notes", "signature"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is not as it was.

    Attributes:
        where: the task, with segmenter and system where it is about one.
        what: what changed, and from what to what.
        counts: whether the report no longer stands; a new version of an engine that cuts as the
            old one did does not count.
    """

    where: str
    what: str
    counts: bool


def load(path: Path) -> dict[str, Any]:
    """Read a report.json.

    Raises:
        InputError: it cannot be read, or is no report that this version knows.
    """
    try:
        data = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: no JSON: {error}") from error
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        found = data.get("schema") if isinstance(data, dict) else None
        raise InputError(f"{path}: schema {found!r}; this version reads {SCHEMA!r}")
    return data


def verify(data: Mapping[str, Any], inputs: Path, registry: Registry) -> Iterator[Finding]:
    """Run a report again from its inputs, task by task, and yield what changed.

    Args:
        data: the report.
        inputs: the folder that the report's paths are relative to.
        registry: where segmenters come from.
    """
    try:
        suite = Suite.from_dict(data["suite"], inputs / "report.json")
        tasks = {task["name"]: task for task in data["tasks"]}
    except (KeyError, TypeError) as error:
        raise InputError(f"the report lacks {error}: it was not written by bleuprint") from error
    if [task.name for task in suite.tasks] != list(tasks):
        raise InputError("the report's tasks are not those of its suite: it was edited")
    for task in suite.tasks:
        alone = replace(suite, tasks=(task,), segments=False)
        try:
            again = run(alone, registry)["tasks"][0]
        except BleuprintError as error:
            yield Finding(where=task.name, what=f"cannot be run again: {error}", counts=True)
            continue
        try:
            yield from _compare_tasks(tasks[task.name], again)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise InputError(
                f"the report has no such results of task {task.name!r} as bleuprint writes: it was "
                f"edited ({type(error).__name__}: {error})"
            ) from error


def _compare_tasks(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Finding]:
    name = before["name"]
    for old, new in zip(_inputs(before), _inputs(after), strict=True):
        if old["sha256"] != new["sha256"]:
            yield Finding(
                where=name,
                what=f"input changed: {old['path']} had SHA-256 {old['sha256'][:16]}..., "
                f"now {new['sha256'][:16]}...",
                counts=True,
            )
    for old, new in zip(before["measures"], after["measures"], strict=True):
        yield from _compare_measures(f"{name}, {old['segmenter']}", old, new)


def _inputs(task: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    extra = [task[key] for key in ("source", "labels") if task[key] is not None]
    return [*task["references"], *task["systems"], *extra]


def _compare_measures(
    where: str, before: Mapping[str, Any], after: Mapping[str, Any]
) -> Iterator[Finding]:
    old, new = Signature.parse(before["signature"]), Signature.parse(after["signature"])
    apart = old.differences(new)
    for key, (was, now) in apart.items():
        if key != "tok":
            yield Finding(where=where, what=f"{key} was {was}, now {now}", counts=True)
    if old.segmenter is not None and new.segmenter is not None:
        yield from _compare_segmenters(where, old.segmenter, new.segmenter)
    if before["reference_tokens_sha256"] != after["reference_tokens_sha256"]:
        yield Finding(where=where, what="tokens of the references changed", counts=True)
    for was, now in zip(before["scores"], after["scores"], strict=True):
        own = f"{where}, {was['system']}"
        if was["tokens_sha256"] != now["tokens_sha256"]:
            yield Finding(where=own, what="tokens changed", counts=True)
        if was["score"] != now["score"]:
            yield Finding(
                where=own, what=f"score was {was['score']!r}, now {now['score']!r}", counts=True
            )
        elif was["tokens_sha256"] == now["tokens_sha256"]:
            again = json.loads(json.dumps(now))  # lists for tuples, as a file has them
            rest = [key for key in was if key not in _WORDING and was[key] != again.get(key)]
            if rest:
                yield Finding(where=own, what=f"{', '.join(rest)} changed", counts=True)


def _compare_segmenters(where: str, old: SegmenterId, new: SegmenterId) -> Iterator[Finding]:
    if old.name != new.name or old.options != new.options:
        yield Finding(where=where, what=f"segmenter was {old}, now {new}", counts=True)
    was, now = dict(old.provenance), dict(new.provenance)
    for key in sorted(was.keys() | now.keys()):
        if was.get(key) != now.get(key):
            decides = key.startswith(("dict", "probe"))
            kind = {"dict": "dictionary", "probe": "probe"}.get(key, f"version of {key}")
            yield Finding(
                where=where,
                what=f"{kind} was {was.get(key, 'not stated')}, now {now.get(key, 'not stated')}",
                counts=decides,
            )
