"""The suite: a TOML file that says what a report is to be made of."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from bleuprint._errors import LanguageError, SuiteError
from bleuprint._languages import resolve

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["Suite", "Task", "read_suite"]

_SUITE_KEYS = {"title", "baseline", "test", "samples", "seed", "segments", "defaults", "task"}
#: What a task may set, and what `[defaults]` may set for all of them.
_DEFAULT_KEYS = {
    "also", "lowercase", "normalize", "max_order", "smoothing", "smoothing_value", "encoding",
    "field", "column",
}  # fmt: skip
_TASK_KEYS = _DEFAULT_KEYS | {
    "name", "lang", "references", "systems", "segmenter", "labels", "source"
}  # fmt: skip

_SETTINGS = ("lowercase", "normalize", "max_order", "smoothing", "smoothing_value")
_READING = ("encoding", "field", "column")


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One language: its references, and the systems that translate into it.

    Attributes:
        name: what the report calls it; the language's code if the suite does not say.
        lang: the language, by any of its codes.
        references: one file a reference, as the suite writes them.
        systems: for each system's name, its file.
        segmenter: the main one; the language's default if None.
        also: further segmenters, to see what the choice does.
        labels: a file with a document or domain label a segment, or None.
        source: a file with the source texts, or None.
        settings: what a Scorer takes besides.
        reading: encoding, field and column of the files.
    """

    name: str
    lang: str
    references: tuple[str, ...]
    systems: Mapping[str, str]
    segmenter: str | None = None
    also: tuple[str, ...] = ()
    labels: str | None = None
    source: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    reading: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """What a report is made of.

    Attributes:
        path: the suite file; all paths in it are relative to its folder.
        title: the report's.
        baseline: the system that the others are tested against; each task's first if None.
        test: ``bs`` for paired bootstrap, ``ar`` for approximate randomization.
        samples: resamples, or trials.
        seed: what they are drawn from.
        segments: whether the report holds the texts, for the segment browser.
        tasks: one a language.
    """

    path: Path
    title: str
    tasks: tuple[Task, ...]
    baseline: str | None = None
    test: str = "bs"
    samples: int = 1000
    seed: int = 12345
    segments: bool = True

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data, its location left out, so that a report can be run again."""
        data = asdict(self)
        del data["path"]
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], path: Path) -> Suite:
        """Make it from what `to_dict` returned; `path` is a file in the folder of the inputs.

        Raises:
            SuiteError: the data are not of that shape.
        """
        try:
            tasks = tuple(
                Task(**{**t, "references": tuple(t["references"]), "also": tuple(t["also"])})
                for t in data["tasks"]
            )
            suite = cls(**{**data, "tasks": tasks, "path": path})
            if not _is_sound(suite):
                raise TypeError("a value of another kind")
            return suite
        except (AttributeError, KeyError, TypeError) as error:
            raise SuiteError(f"{path}: the suite in it is not as this version writes it") from error

    def locate(self, name: str) -> str:
        """Return where a file of the suite lies; a part such as ``#field`` stays behind it."""
        return str(self.path.parent / name)


def _is_sound(suite: Suite) -> bool:
    """Tell whether a suite that was read from a report holds what one from a file would."""
    named: list[object] = [suite.title, suite.test]
    optional: list[object] = [suite.baseline]
    for task in suite.tasks:
        named += (task.name, task.lang, *task.references, *task.also)
        named += (*task.systems, *task.systems.values(), *task.reading.values())
        optional += (task.segmenter, task.labels, task.source)
    return (
        all(isinstance(text, str) for text in named)
        and all(text is None or isinstance(text, str) for text in optional)
        and all(isinstance(number, int) for number in (suite.samples, suite.seed))
        and all(task.references and task.systems for task in suite.tasks)
        and all(
            isinstance(task.settings, dict)
            and {*task.settings} <= {*_SETTINGS}
            and {*task.reading} <= {*_READING}
            for task in suite.tasks
        )
    )


def read_suite(path: str | Path) -> Suite:
    """Read a suite file.

    Raises:
        SuiteError: it cannot be read, or does not say what to do; the message has file, key and
            line.
    """
    return _Reader(Path(path)).suite()


class _Reader:
    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.text = path.read_bytes().decode("utf-8")
        except OSError as error:
            raise SuiteError(f"{path}: {error.strerror or error}") from error
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            raise SuiteError(f"{path}, line {line}: a suite is UTF-8, this is not") from error
        try:
            self.data = tomllib.loads(self.text)
        except ValueError as error:  # of tomllib; or of int, for a number of thousands of digits
            raise SuiteError(f"{path}: {error}") from error
        except RecursionError as error:
            raise SuiteError(f"{path}: nested too deeply to be a suite") from error

    def fail(self, key: str, problem: str, task: int | None = None) -> NoReturn:
        where = str(self.path)
        line = self.line_of(key, task)
        if line:
            where += f", line {line}"
        owner = "" if task is None else f"task {task + 1}: "
        raise SuiteError(f"{where}: {owner}{key}: {problem}")

    def line_of(self, key: str, task: int | None) -> int | None:
        """Find the line that sets a key, or the task's own where none does."""
        lines = self.text.split("\n")
        starts = [i for i, line in enumerate(lines) if re.match(r"\s*\[\[\s*task\s*\]\]", line)]
        first, last = 0, len(lines)
        if task is not None and task < len(starts):
            first = starts[task]
            last = starts[task + 1] if task + 1 < len(starts) else last
        elif task is None and starts:
            last = starts[0]
        leaf = re.escape(key.rpartition(".")[2])
        for i in range(first, last):
            if re.match(rf"""\s*(\[+\s*)?["']?{leaf}["']?\s*[\]=.]""", lines[i]):
                return i + 1
        return first + 1 if task is not None else None

    def suite(self) -> Suite:
        data = self.data
        self.known(data, _SUITE_KEYS, "", None)
        tasks = data.get("task")
        if not isinstance(tasks, list) or not tasks:
            self.fail("task", "a suite needs at least one [[task]]")
        defaults = self.typed(data, "defaults", dict, {}, None)
        self.known(defaults, _DEFAULT_KEYS, "defaults.", None)
        test = self.typed(data, "test", str, "bs", None)
        if test not in ("bs", "ar"):
            self.fail("test", f"{test!r}: expected bs (bootstrap) or ar (randomization)")
        samples = self.typed(data, "samples", int, 1000 if test == "bs" else 10000, None)
        seed = self.typed(data, "seed", int, 12345, None)
        if samples < 1 or seed < 0:
            self.fail("samples" if samples < 1 else "seed", "expected a positive number")
        read = tuple(self.task(i, task, defaults) for i, task in enumerate(tasks))
        names = [task.name for task in read]
        for i, name in enumerate(names):
            if name in names[:i]:
                self.fail("name", f"two tasks are called {name!r}: give one another name", i)
        baseline = self.typed(data, "baseline", str, None, None)
        if baseline is not None and not any(baseline in task.systems for task in read):
            self.fail("baseline", f"no task has a system {baseline!r}")
        return Suite(
            path=self.path,
            title=self.typed(data, "title", str, "BLEU report", None),
            tasks=read,
            baseline=baseline,
            test=test,
            samples=samples,
            seed=seed,
            segments=self.typed(data, "segments", bool, True, None),
        )

    def task(self, number: int, data: Any, defaults: Mapping[str, Any]) -> Task:
        if not isinstance(data, dict):
            self.fail("task", "expected a table: [[task]]")
        self.known(data, _TASK_KEYS, "", number)
        merged = {**defaults, **data}
        lang = self.typed(merged, "lang", str, None, number)
        if lang is None:
            self.fail("lang", "a task needs its language", number)
        try:
            resolve(lang)
        except LanguageError as error:
            self.fail("lang", str(error), number)
        settings = {key: merged[key] for key in _SETTINGS if key in merged}
        reading = {
            key: self.typed(merged, key, str, None, number) for key in _READING if key in merged
        }
        return Task(
            name=self.typed(merged, "name", str, lang, number),
            lang=lang,
            references=tuple(self.texts(merged, "references", number)),
            systems=self.systems(merged.get("systems"), number),
            segmenter=self.typed(merged, "segmenter", str, None, number),
            also=tuple(self.texts(merged, "also", number, needed=False)),
            labels=self.typed(merged, "labels", str, None, number),
            source=self.typed(merged, "source", str, None, number),
            settings=settings,
            reading=reading,
        )

    def systems(self, value: Any, task: int) -> dict[str, str]:
        if isinstance(value, dict):
            for name, file in value.items():
                if not isinstance(file, str):
                    self.fail(f"systems.{name}", "expected a file name", task)
            found = dict(value)
        elif isinstance(value, str) or (isinstance(value, list) and value):
            found = {}
            for pattern in [value] if isinstance(value, str) else value:
                if not isinstance(pattern, str):
                    self.fail("systems", f"{pattern!r}: expected a file name or pattern", task)
                for name, file in self.matches(pattern, task):
                    if name in found:
                        self.fail(
                            "systems", f"two files are called {name!r}: name them in a table", task
                        )
                    found[name] = file
        else:
            found = {}
        if not found:
            self.fail("systems", "expected a table of name = file, or a pattern of files", task)
        return found

    def matches(self, pattern: str, task: int) -> Iterator[tuple[str, str]]:
        folder = self.path.parent
        if not re.search(r"[*?\[]", pattern):
            yield Path(pattern.partition("#")[0]).name.partition(".")[0], pattern
            return
        path, _, part = pattern.partition("#")
        if Path(path).is_absolute() or ".." in Path(path).parts:
            self.fail("systems", f"{pattern!r}: a pattern stays in the suite's folder", task)
        files = sorted(file for file in folder.glob(path) if file.is_file())
        if not files:
            self.fail("systems", f"no file matches {pattern!r}", task)
        for file in files:
            name = file.relative_to(folder).as_posix()
            yield file.name.partition(".")[0], name + (f"#{part}" if part else "")

    def texts(self, data: Mapping[str, Any], key: str, task: int, needed: bool = True) -> list[str]:
        value = data.get(key, [])
        values = [value] if isinstance(value, str) else value
        if not isinstance(values, list) or not all(isinstance(v, str) and v for v in values):
            self.fail(key, f"{value!r}: expected text, or a list of texts", task)
        if needed and not values:
            self.fail(key, "expected at least one", task)
        return values

    def typed(
        self, data: Mapping[str, Any], key: str, kind: type, default: Any, task: int | None
    ) -> Any:
        value = data.get(key, default)
        if value is not default and (
            not isinstance(value, kind) or (kind is int and isinstance(value, bool))
        ):
            expected = {str: "text", int: "a whole number", bool: "true or false", dict: "a table"}
            self.fail(key, f"{value!r}: expected {expected[kind]}", task)
        return value

    def known(self, data: Mapping[str, Any], keys: set[str], prefix: str, task: int | None) -> None:
        for key in data:
            if key not in keys:
                self.fail(prefix + key, f"no such key; there are: {', '.join(sorted(keys))}", task)
