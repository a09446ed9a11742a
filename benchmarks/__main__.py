"""Time bleuprint and its peers on the same real text; print tables and write JSON.

python -m benchmarks DATA [--task whole counting engines growth] [--json FILE]
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import corpora
from benchmarks.environments import (
    OURS,
    PURE,
    REQUIREMENTS,
    ROOT,
    Environment,
    UnavailableError,
    make,
)
from benchmarks.measuring import Measured
from benchmarks.tasks import TASKS, Bench

HEAD = (
    "who",
    "seconds",
    "segments/s",
    "peak MiB",
    "its time / ours",
    "/ ours, no compiler",
    "answer",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tasks that are asked for."""
    options = parse(arguments)
    options.directory.mkdir(parents=True, exist_ok=True)
    made: dict[str, Environment] = {}
    missing: dict[str, str] = {}
    for name in REQUIREMENTS:
        say(f"environment: {name}")
        try:
            made[name] = make(name, options.directory / "environments", options.python)
        except UnavailableError as error:
            missing[name] = str(error)
            say(f"left out: {name}: {error}")
    bench = Bench(
        environments=made,
        corpus=lambda lang, size: corpora.make(
            options.data, lang, size, options.directory / "corpora"
        ),
        directory=options.directory,
        rounds=options.rounds,
        largest=options.largest,
        largest_for_sacrebleu=options.largest_for_sacrebleu,
    )
    results: list[dict[str, Any]] = []
    report = {
        "date": datetime.date.today().isoformat(),
        "machine": machine(options.python),
        "rounds": options.rounds,
        "versions": {name: each.versions for name, each in made.items()},
        "left_out": missing,
        "results": results,
    }
    print(f"{report['date']}, {', '.join(machine(options.python).values())}", flush=True)
    for task in options.task:
        for competition in TASKS[task](bench):
            if competition:
                print(table(competition), flush=True)
            results.extend(measured.to_dict() for measured in competition)
            options.json.write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    say(f"written: {options.json}")
    return 0


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    data = os.environ.get("BLEUPRINT_SHARED_DATA")
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "data",
        type=Path,
        nargs="?" if data else None,
        default=data and Path(data),
        help="folder with flores-dev/ and ntrex/ (or in BLEUPRINT_SHARED_DATA)",
    )
    parser.add_argument("--task", nargs="+", choices=TASKS, default=list(TASKS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--python", default=sys.executable, help="interpreter for all; sacrebleu-mojo wants 3.12"
    )
    parser.add_argument("--largest", type=int, default=1_000_000, help="leave out larger corpora")
    parser.add_argument(
        "--largest-for-sacrebleu",
        type=int,
        default=200_000,
        help="the same for sacreBLEU, which takes some 20 KiB of memory a segment",
    )
    parser.add_argument("--directory", type=Path, default=ROOT / "build" / "benchmarks")
    parser.add_argument("--json", type=Path, default=ROOT / "build" / "benchmarks" / "results.json")
    return parser.parse_args(arguments)


def table(competition: Sequence[Measured]) -> str:
    """Return one competition as a table in Markdown."""
    first = competition[0]
    rows: list[tuple[str, ...]] = [HEAD]
    for each in competition:
        ratios = [f"{each.times[own]:.2f}" if own in each.times else "" for own in (OURS, PURE)]
        speed = f"{each.segments / each.seconds:,.0f}"
        peak = f"{each.peak_mib:.0f}"
        rows.append((each.name, f"{each.seconds:.3f}", speed, peak, *ratios, each.answer))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    marks = ("-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:]))
    lines = [f"\n{first.work}, {first.segments:,} segments\n"]
    for row in (rows[0], marks, *rows[1:]):
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def machine(python: str) -> dict[str, str]:
    """Say where this runs."""
    processor = platform.processor() or platform.machine()
    about = Path("/proc/cpuinfo")
    if about.exists():
        names = [line for line in about.read_text("utf-8").splitlines() if "model name" in line]
        processor = names[0].partition(":")[2].strip() if names else processor
    version = subprocess.run([python, "-V"], capture_output=True, text=True, check=True).stdout
    return {
        "processor": f"{processor}, {os.cpu_count()} processors",
        "system": f"{platform.system()} {platform.machine()}",
        "python": version.strip(),
    }


def say(message: str) -> None:
    """Tell how far it is, apart from the results."""
    print(message, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
