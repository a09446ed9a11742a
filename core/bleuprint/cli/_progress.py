"""A progress bar on standard error, where that is a terminal and the work takes a while."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress

__all__ = ["ProgressBar", "counted"]

_T = TypeVar("_T")

_PATIENCE = 1.0  # seconds of work that nobody needs a bar for
_EVERY = 1024  # segments between two looks at the clock


class ProgressBar:
    """A bar of so many steps; nothing at all where standard error is no terminal, or `quiet`.

    Args:
        total: the steps, or None where nobody knows: then it counts.
        quiet: whether to draw nothing.
    """

    def __init__(self, total: int | None, *, quiet: bool) -> None:
        self._on = _watched(quiet)
        self._total = total
        self._bar: Progress | None = None
        self._done = 0

    @property
    def done(self) -> int:
        """The steps that are behind."""
        return self._done

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def step(self, what: str, done: int = 1) -> None:
        """Say what is under way now, once `done` steps more are behind."""
        if not self._on:
            return
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

            columns = (
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.description}", markup=False),
            )
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._bar.start()
            self._bar.add_task(what, total=self._total)
            done = done if self._total is None else 0  # the first step is only under way
        self._done += done
        self._bar.update(self._bar.task_ids[0], description=what, completed=self._done)


def counted(segments: Iterable[_T], *, quiet: bool) -> Iterable[_T]:
    """Pass segments on; where that takes longer than a second, show how many there have been."""
    if not _watched(quiet):
        return segments  # as they are: it would cost a call a segment
    return _counted(segments)


def _counted(segments: Iterable[_T]) -> Iterator[_T]:
    start = time.monotonic()
    with ProgressBar(None, quiet=False) as bar:
        for number, segment in enumerate(segments):
            if number % _EVERY == 0 and number and time.monotonic() - start > _PATIENCE:
                bar.step("segments", done=number - bar.done)
            yield segment


def _watched(quiet: bool) -> bool:
    return sys.stderr is not None and sys.stderr.isatty() and not quiet
