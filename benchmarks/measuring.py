"""Run contenders in turns and compare them within each turn."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LAUNCHER = Path(__file__).with_name("launcher.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """Who runs, and how.  A `worker` times itself and prints that as JSON."""

    name: str
    command: tuple[str, ...]
    worker: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One process."""

    seconds: float  #: of the work: by the clock, or what a worker has measured
    cpu: float  #: seconds of the processor, of the whole process
    peak: int  #: the most memory that it held, in bytes
    result: Any  #: what it printed: a score, or a worker's answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """All runs of one contender on one piece of work."""

    work: str
    segments: int
    name: str
    runs: tuple[Run, ...]
    times: dict[str, float]  #: median of the turns' ratios: its time by that of another

    @property
    def seconds(self) -> float:
        """The median."""
        return statistics.median(run.seconds for run in self.runs)

    @property
    def peak_mib(self) -> float:
        """The largest of its peaks."""
        return max(run.peak for run in self.runs) / 2**20

    @property
    def answer(self) -> str:
        """What it made of the work, short enough to compare: a score, a digest or a sum."""
        result = self.runs[0].result
        if isinstance(result, dict):
            result = result.get("score", result.get("digest", result.get("statistics")))
        if isinstance(result, list):
            return str(sum(result))
        return result if isinstance(result, str) else f"{result:.6f}"

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values for JSON."""
        return {
            "work": self.work,
            "segments": self.segments,
            "contender": self.name,
            "seconds": self.seconds,
            "segments_per_second": self.segments / self.seconds,
            "peak_mib": self.peak_mib,
            "time_by_that_of": self.times,
            "all_seconds": [run.seconds for run in self.runs],
            "all_cpu_seconds": [run.cpu for run in self.runs],
            "result": self.runs[0].result,
        }


def compete(
    work: str, segments: int, contenders: Sequence[Contender], rounds: int
) -> list[Measured]:
    """Run all contenders once a round, each round starting with another one.

    What slows the machine down for a while slows down all, and the ratios within a round stay.
    Whoever fails is left out from there on, with a word on standard error.
    """
    runs: dict[str, list[Run]] = {contender.name: [] for contender in contenders}
    for number in range(rounds):
        at = number % len(contenders)
        for contender in (*contenders[at:], *contenders[:at]):
            if contender.name in runs:
                try:
                    runs[contender.name].append(launch(contender))
                except ChildProcessError as error:
                    print(f"left out: {error}", file=sys.stderr, flush=True)
                    del runs[contender.name]
    return [
        Measured(
            work=work,
            segments=segments,
            name=name,
            runs=tuple(own),
            times={
                other: statistics.median(
                    a.seconds / b.seconds for a, b in zip(own, theirs, strict=True)
                )
                for other, theirs in runs.items()
                if other != name
            },
        )
        for name, own in runs.items()
    ]


def launch(contender: Contender) -> Run:
    """Run a contender once.

    Raises:
        ChildProcessError: it failed; the message has its output.
    """
    with tempfile.TemporaryDirectory() as directory:
        report = Path(directory, "report.json")
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(LAUNCHER), str(report), *contender.command],
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        if done.returncode:
            raise ChildProcessError(
                f"{contender.name}: {' '.join(contender.command)}\n{done.stderr}"
            )
        usage = json.loads(report.read_text("ascii"))
    result = json.loads(done.stdout)
    seconds = result.pop("seconds") if contender.worker else usage["wall"]
    return Run(seconds=seconds, cpu=usage["cpu"], peak=usage["peak"], result=result)
