"""Examine a segmenter in a process of its own, among empty directories.

What native code does shows here and nowhere else: files that appear, a process that dies, a long
line that never ends.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import TextIO

from bleuprint._contract import Found, Report
from bleuprint._errors import BleuprintError, LineTooLongError
from bleuprint._examination import build_alone, check_tokens, examine
from bleuprint._guard import private_cache
from bleuprint._registry import Offer
from bleuprint.plugin import Segmenter

__all__ = ["examine_apart"]

#: Of what long lines are made, without a space: a text of each script that has none, one letter,
#: numbers, and a mixture.
_UNITS = (
    "a", "7.", "我们研究生命起源。", "東京のコンピュータです、", "ประเทศไทยตัดสินใจ",
    "학교에서먹었다.", "ភាសាខ្មែរ", "aé中8-ไทい,한!",
)  # fmt: skip
_LONGEST = 1_000_000  # characters, where the spec sets no limit
_SHORTER = 8  # the shorter line has this part of them
_GROWTH = 3.0  # how many times more than in proportion the time may grow
_QUICK = 2.0  # seconds up to which growth is no matter


def examine_apart(
    find: Callable[[], Offer],
    options: Mapping[str, str],
    *,
    name: str,
    lines: Sequence[str] = (),
    generated: int,
    seed: int = 0,
    long_lines: bool = False,
    empty: bool = True,
    timeout: float,
) -> Report:
    """Do what `examine` does, in another process, and look at what that leaves behind.

    Args:
        find: returns what is examined, when it is called there.
        name: of the segmenter, for a report on a process that ends early.
        long_lines: cut lines of the greatest length, too.
        empty: give it empty directories as home, for temporary files and to work in.
        timeout: seconds after which the process counts as hanging.

    Raises:
        ValueError: `find` cannot be sent to another process.
        SegmenterError, InputError: as `examine`.
    """
    try:
        job = pickle.dumps((find, dict(options), list(lines), generated, seed, long_lines))
    except Exception as error:  # pickle raises whatever the object at hand raises
        raise ValueError(_no_travel(str(error))) from error
    with TemporaryDirectory(prefix="bleuprint-") as directory:
        top = Path(os.path.realpath(directory))
        rooms = [top / room for room in ("home", "temporary", "working")]
        for room in rooms:
            room.mkdir()
        (top / "job").write_bytes(job)
        code = "import sys; from bleuprint._isolation import work; work(sys.argv[1])"
        try:
            done = subprocess.run(
                [sys.executable, "-c", code, str(top)],
                cwd=top / "working" if empty else None,
                env=_environment(top if empty else None),
                capture_output=True,
                text=True,
                errors="replace",
                timeout=timeout,
            )
            end = _end(done)
        except subprocess.TimeoutExpired:
            end = f"was still at work after {timeout:.0f} s"
        return _read(top, rooms, name, end)


def _no_travel(error: str) -> str:
    return (
        "the spec cannot be sent to another process: its build has to be a function or class that "
        f"can be imported by name there ({error})"
    )


def _environment(top: Path | None) -> dict[str, str]:
    path = {"PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
    if top is None:
        return {**os.environ, **path}
    kept = {key: value for key, value in os.environ.items() if not key.startswith("XDG_")}
    home, temporary = str(top / "home"), str(top / "temporary")
    return {
        **kept,
        **path,
        "HOME": home,
        "USERPROFILE": home,
        "APPDATA": home,
        "LOCALAPPDATA": str(top / "home" / "cache"),
        "TMPDIR": temporary,
        "TEMP": temporary,
        "TMP": temporary,
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def _end(done: subprocess.CompletedProcess[str]) -> str:
    """Say how the process ended, if not well."""
    if done.returncode < 0:
        return f"died of {signal.Signals(-done.returncode).name}"
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:]
        return f"ended with {done.returncode} ({''.join(last)})"
    return ""


def _read(top: Path, rooms: Sequence[Path], name: str, end: str) -> Report:
    """Put together what the process said and what it left."""
    report, found = Report(segmenter=name), Found()
    if (top / "result").exists():
        report, error = pickle.loads((top / "result").read_bytes())
        if error is not None:
            raise error
    for fault in report.faults:
        found.examples[fault.rule], found.counts[fault.rule] = fault.example, fault.count
    if end:
        stages = (top / "stages").read_text("utf-8").splitlines() if _began(top) else ["starting"]
        found.add("process", f"it {end}, while {stages[-1]}")
    cache = Path((top / "cache").read_text("utf-8")) if _began(top) else top / "home"
    for room in rooms:
        for path in sorted(room.rglob("*")):
            if not (path.is_relative_to(cache) or cache.is_relative_to(path)):
                found.add("files", f"{path.name} in the {room.name} directory")
    return replace(report, faults=found.faults())


def _began(top: Path) -> bool:
    return (top / "stages").exists()


def work(name: str) -> None:
    """Be the other process: read the job, examine, write the result."""
    top = Path(name)
    (top / "cache").write_text(str(private_cache()), "utf-8")
    with (top / "stages").open("w", encoding="utf-8") as stages:
        _say(stages, "starting")
        try:
            job = pickle.loads((top / "job").read_bytes())
        except Exception as error:  # an import may raise anything
            result = Report(segmenter=""), ValueError(_no_travel(str(error)))
            (top / "result").write_bytes(pickle.dumps(result))
            return
        find, options, lines, generated, seed, long_lines = job
        try:
            offer = find()
            report = examine(
                offer,
                options,
                lines=lines,
                generated=generated,
                seed=seed,
                progress=partial(_say, stages),
            )
        except BleuprintError as error:
            (top / "result").write_bytes(pickle.dumps((Report(segmenter=""), error)))
            return
        (top / "result").write_bytes(pickle.dumps((report, None)))
        if long_lines and "build" not in report.broken and "spec" not in report.broken:
            found = Found()
            for line, seconds, shorter in _cut_long_lines(offer, options, stages, found):
                if seconds > max(_QUICK, _GROWTH * _SHORTER * shorter):
                    found.add(
                        "long-lines",
                        f"{line} take {seconds:.1f} s, and an eighth of them {shorter:.2f} s",
                    )
            faults = (*report.faults, *found.faults())
            (top / "result").write_bytes(pickle.dumps((replace(report, faults=faults), None)))


def _cut_long_lines(
    offer: Offer, options: Mapping[str, str], stages: TextIO, found: Found
) -> Iterator[tuple[str, float, float]]:
    """Yield what each long line is, the seconds that it takes, and those of a shorter one.

    A line that the engine refuses, by an error of its own or by its spec's limit, is no fault.
    """
    engine = build_alone(offer, options).engine
    length = min(offer.spec.max_chars or _LONGEST, _LONGEST)
    for unit in _UNITS:
        what = f"{length:,} characters of {unit!r}"
        _say(stages, f"cutting a line of {what}")
        long = (unit * (length // len(unit) + 1))[:length]
        try:
            shorter = _time(engine, long[: length // _SHORTER], offer, found)
            yield what, _time(engine, long, offer, found), shorter
        except LineTooLongError:
            continue
        except Exception as error:  # a plugin may raise anything
            found.add("errors", f"{what}: {type(error).__name__}: {error}")


def _time(engine: Segmenter, line: str, offer: Offer, found: Found) -> float:
    start = process_time()  # of the processor's time, since others may have their share of it
    (tokens,) = engine.segment_batch([line])
    seconds = process_time() - start
    check_tokens(line, tokens, offer.spec, found)
    return seconds


def _say(stages: TextIO, stage: str) -> None:
    # flushed, as the process may be gone in the next moment
    print(stage, file=stages, flush=True)
