"""Time bleuprint and its peers on the same real text; print tables and write JSON.

python -m benchmarks DATA [--task whole counting engines resampling growth] [--readme]
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

from benchmarks import corpora, tables
from benchmarks.environments import REQUIREMENTS, ROOT, Environment, UnavailableError, make
from benchmarks.measuring import Measured
from benchmarks.tasks import TASKS, Bench


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
    date, where = datetime.date.today().isoformat(), machine(options.python)
    about = f"{date}, {where}; medians of {options.rounds} rounds."
    print(about, flush=True)
    results: dict[str, list[Measured]] = {}
    for task in options.task:
        results[task] = []
        for measured in TASKS[task](bench):
            if measured:
                print(tables.competition(measured), flush=True)
            results[task].extend(measured)
            report = {
                "date": date,
                "machine": where,
                "rounds": options.rounds,
                "versions": {name: each.versions for name, each in made.items()},
                "left_out": missing,
                "results": [each.to_dict() for done in results.values() for each in done],
            }
            options.json.write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    if options.readme:
        tables.write_readme(about, results)
    return 0


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    data = os.environ.get("BLEUPRINT_SHARED_DATA")
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Time bleuprint and its peers on the same real text.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument(
        "data",
        type=Path,
        nargs="?" if data else None,
        default=data and Path(data),
        help="folder with flores-dev/ and ntrex/; BLEUPRINT_SHARED_DATA can name it",
    )
    parser.add_argument(
        "--task", nargs="+", choices=TASKS, default=list(TASKS), help="what to measure"
    )
    parser.add_argument("--rounds", type=int, default=5, help="how often everybody runs")
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
    build = ROOT / "build" / "benchmarks"
    parser.add_argument("--directory", type=Path, default=build, help="for what is made on the way")
    parser.add_argument("--json", type=Path, default=build / "results.json", help="the results")
    parser.add_argument(
        "--readme", action="store_true", help="put the tables into benchmarks/README.md as well"
    )
    return parser.parse_args(arguments)


def machine(python: str) -> str:
    """Say where this runs."""
    processor = platform.processor() or platform.machine()
    about = Path("/proc/cpuinfo")
    if about.exists():
        names = [line for line in about.read_text("utf-8").splitlines() if "model name" in line]
        processor = names[0].partition(":")[2].strip() if names else processor
    version = subprocess.run([python, "-V"], capture_output=True, text=True, check=True).stdout
    system = f"{platform.system()} {platform.machine()}"
    return f"{processor} ({os.cpu_count()} processors), {system}, {version.strip()}"


def say(message: str) -> None:
    """Tell how far it is, apart from the results."""
    print(message, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
