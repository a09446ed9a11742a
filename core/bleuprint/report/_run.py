"""Run a suite: everything that a report says, as plain data."""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from bleuprint import _languages
from bleuprint._comparison import compare
from bleuprint._corpus import Batch
from bleuprint._errors import BleuprintError, SuiteError
from bleuprint._read import open_lines
from bleuprint._registry import Registry
from bleuprint._score import Score
from bleuprint._scorer import Scorer
from bleuprint._segmenter import TokenDigest
from bleuprint._statistics import Statistics
from bleuprint._version import VERSION
from bleuprint.report._suite import Suite, Task

__all__ = ["SCHEMA", "run", "steps"]

SCHEMA = "report-1"  #: the name of the published schema, its version last

#: The segmenter that needs no segmenter: every character a token, the same in every language.
ANCHOR = "char"

_RIGHT_TO_LEFT = {
    "Adlm", "Arab", "Aran", "Hebr", "Mand", "Mend", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa", "Yezi",
}  # fmt: skip


def run(
    suite: Suite, registry: Registry, progress: Callable[[str], None] = lambda step: None
) -> dict[str, Any]:
    """Score every task of a suite with each of its segmenters.

    Args:
        suite: what to run.
        registry: where segmenters come from.
        progress: called before each step with what it is.

    Returns:
        The report, in the shape of the schema `SCHEMA`: the same from the same inputs and versions.

    Raises:
        BleuprintError: a file cannot be read, a segmenter cannot be had, or files do not pair up;
            a report is made whole or not at all.
    """
    tasks = [_Task(suite, task, registry, progress).report() for task in suite.tasks]
    return {
        "schema": SCHEMA,
        "title": suite.title,
        "suite": suite.to_dict(),
        "environment": _environment(tasks),
        "tasks": tasks,
    }


def steps(suite: Suite) -> int:
    """Return how often `run` calls its progress."""
    return sum(len(_segmenters(task)) for task in suite.tasks)


def _segmenters(task: Task) -> list[tuple[str, str | None]]:
    """Return role and name of each segmenter of a task, the main one first."""
    found: list[tuple[str, str | None]] = [("main", task.segmenter)]
    found += [("also", name) for name in task.also if name != task.segmenter]
    if ANCHOR not in [name for _, name in found]:
        found.append(("anchor", ANCHOR))
    return found


class _Task:
    """Runs one task: its files are read once and cut by each segmenter."""

    def __init__(
        self, suite: Suite, task: Task, registry: Registry, progress: Callable[[str], None]
    ) -> None:
        self.suite, self.task = suite, task
        self.registry, self.progress = registry, progress
        self.language = _languages.resolve(task.lang)
        self.references = [self._read(name) for name in task.references]
        self.systems = {name: self._read(file) for name, file in task.systems.items()}
        self.source = None if task.source is None else self._read(task.source)
        self.labels = None if task.labels is None else self._read(task.labels)
        self._check_lengths()

    def _read(self, name: str) -> list[str]:
        return list(open_lines(self.suite.locate(name), **self.task.reading))

    def _check_lengths(self) -> None:
        expected = len(self.references[0])
        files = {
            **dict(zip(self.task.references, self.references, strict=True)),
            **{self.task.systems[name]: lines for name, lines in self.systems.items()},
        }
        for name, lines in ((self.task.source, self.source), (self.task.labels, self.labels)):
            if name is not None and lines is not None:
                files[name] = lines
        for name, lines in files.items():
            if len(lines) != expected:
                raise SuiteError(
                    f"{self.suite.path}: task {self.task.name!r}: {name} has {len(lines)} segments "
                    f"and {self.task.references[0]} has {expected}: expected equally many"
                )
        if not expected:
            raise SuiteError(
                f"{self.suite.path}: task {self.task.name!r}: {self.task.references[0]} is empty"
            )

    def report(self) -> dict[str, Any]:
        task, language = self.task, self.language
        script = language.script or "Zyyy"
        report: dict[str, Any] = {
            "name": task.name,
            "lang": language.tag,
            "language": language.name,
            "script": script,
            "direction": "rtl" if script in _RIGHT_TO_LEFT else "ltr",
            "segments": len(self.references[0]),
            "references": [
                self._input(name, lines)
                for name, lines in zip(task.references, self.references, strict=True)
            ],
            "systems": [
                {"system": name, **self._input(task.systems[name], lines)}
                for name, lines in self.systems.items()
            ],
            "source": None if self.source is None else self._input(task.source, self.source),
            "labels": None if self.labels is None else self._input(task.labels, self.labels),
            "measures": [],
        }
        for role, name in _segmenters(task):
            self.progress(f"{task.name}: {name or 'default segmenter'}")
            try:
                measure = _Measure(self, role, name)
            except BleuprintError as error:
                raise type(error)(f"{self.suite.path}: task {task.name!r}: {error}") from error
            report["measures"].append(measure.report())
            if role == "main":
                report["texts"] = measure.texts() if self.suite.segments else None
        return report

    def _input(self, name: str | None, lines: Sequence[str]) -> dict[str, Any]:
        path = self.suite.locate(str(name))
        return {
            "path": name,
            "sha256": _sha256_of_file(path),
            "empty": sum(not line.strip() for line in lines),
            "characters": sum(map(len, lines)),
        }


class _Measure:
    """All systems of a task, scored with one segmenter."""

    def __init__(self, owner: _Task, role: str, segmenter: str | None) -> None:
        self.owner, self.role = owner, role
        task, suite = owner.task, owner.suite
        # an anchor is the same for all languages, whatever their default
        lang = None if role == "anchor" else task.lang
        self.scorer = Scorer(lang, segmenter, registry=owner.registry, **task.settings)
        self.names = list(owner.systems)
        self.keep = role == "main" and suite.segments
        self.digests = [TokenDigest() for _ in self.names]
        self.reference_digest = TokenDigest()
        self.characters = [0 for _ in self.names]
        self.tokens: list[list[list[str]]] = [[] for _ in self.names]
        self.reference_tokens: list[list[list[str]]] = []
        references = [list(row) for row in zip(*owner.references, strict=True)]
        statistics = self.scorer.collect(
            list(owner.systems.values()),
            references if len(owner.references) > 1 else owner.references[0],
            sources=owner.source,
            watch=self._watch,
        )
        self.statistics = dict(zip(self.names, statistics, strict=True))

    def _watch(
        self, batch: Batch, systems: list[list[list[str]]], references: list[list[list[str]]]
    ) -> None:
        for i, tokens in enumerate(systems):
            self.digests[i].add(tokens)
            self.characters[i] += sum(len(token) for line in tokens for token in line)
            if self.keep:
                self.tokens[i] += tokens
        for row in references:
            self.reference_digest.add(row)
        if self.keep:
            self.reference_tokens += references

    def report(self) -> dict[str, Any]:
        scores, tests = self._scores()
        # one signature serves the systems: that of the score, without the resampling's fields
        signature = self.scorer.score(next(iter(self.statistics.values()))).signature
        return {
            "role": self.role,
            "segmenter": self.scorer.segmenter.name,
            "signature": str(signature),
            "digest": signature.digest,
            "reference_tokens_sha256": self.reference_digest.hex(),
            "scores": [
                {
                    "system": name,
                    **_without(scores[name].to_dict(), "name"),
                    **tests[name],
                    "tokens_sha256": self.digests[i].hex(),
                    "characters_per_token": self._characters_per_token(i),
                    "by_label": self._by_label(self.statistics[name]),
                }
                for i, name in enumerate(self.names)
            ],
        }

    def _characters_per_token(self, i: int) -> float | None:
        tokens = self.statistics[self.names[i]].sums()[0]
        return round(self.characters[i] / tokens, 4) if tokens else None

    def _scores(self) -> tuple[dict[str, Score], dict[str, dict[str, Any]]]:
        suite = self.owner.suite
        none = {"cluster": None, "rank": None, "difference": None, "p": None, "p_corrected": None}
        if len(self.names) < 2:
            name = self.names[0]
            score = self.scorer.bootstrap(self.statistics[name], seed=suite.seed)
            return {name: score}, {name: {"baseline": True, **none}}
        baseline = suite.baseline if suite.baseline in self.names else self.names[0]
        comparison = compare(
            self.scorer,
            self.statistics,
            test="ar" if suite.test == "ar" else "bs",
            samples=suite.samples,
            seed=suite.seed,
            baseline=baseline,
        )
        scores, tests = {}, {}
        for system in comparison.systems:
            pair = comparison.against_baseline(system.name)
            scores[system.name] = system.score
            tests[system.name] = {
                "baseline": system.name == baseline,
                "cluster": system.cluster,
                "rank": None if system.rank is None else list(system.rank),
                "difference": None if pair is None else pair.difference,
                "p": None if pair is None else pair.p,
                "p_corrected": None if pair is None else pair.p_corrected,
            }
        return scores, tests

    def _by_label(self, statistics: Statistics) -> dict[str, float] | None:
        labels = self.owner.labels
        if labels is None:
            return None
        table = statistics.table
        found: dict[str, float] = {}
        for label in sorted(set(labels)):
            rows = [i for i, own in enumerate(labels) if own == label]
            sums = table[rows].sum(axis=0).tolist()
            found[label] = self.scorer.formula.score(sums).score
        return found

    def texts(self) -> dict[str, Any]:
        """Return the texts as the segmenter cut them, for the segment browser."""
        scores = {
            name: [round(s.score, 2) for s in self.scorer.scores(statistics)]
            for name, statistics in self.statistics.items()
        }
        return {
            "source": self.owner.source,
            "labels": self.owner.labels,
            "references": self.reference_tokens,
            "systems": [
                {"system": name, "tokens": self.tokens[i], "scores": scores[name]}
                for i, name in enumerate(self.names)
            ],
        }


def _without(data: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key not in keys}


def _sha256_of_file(path: str) -> str:
    file = path if os.path.exists(path) else path.rpartition("#")[0]
    digest = hashlib.sha256()
    with open(file, "rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _environment(tasks: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Say what the numbers were made with."""
    distributions = {"bleuprint": VERSION}
    for name in ("numpy", "pluggy", *_engines(tasks)):
        try:
            distributions[name] = version(name)
        except PackageNotFoundError:
            continue
    return {
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "platform": platform.platform(terse=True),
        "distributions": dict(sorted(distributions.items())),
    }


def _engines(tasks: Sequence[Mapping[str, Any]]) -> set[str]:
    """Return what the signatures name: the keys of their provenance that are distributions."""
    from bleuprint._signature import Signature

    found = set()
    for task in tasks:
        for measure in task["measures"]:
            segmenter = Signature.parse(measure["signature"]).segmenter
            found |= {key for key, _ in segmenter.provenance} if segmenter else set()
    return found - {"probe", "dict", "dist"}
