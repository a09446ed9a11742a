"""Long work shows how far it is on a terminal, and nowhere else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SLOW = """
import time
from bleuprint.plugin import SegmenterSpec, hookimpl

class Slow:
    fingerprint = {"v": "1"}

    def segment_batch(self, lines):
        time.sleep(0.6)
        return [line.split() for line in lines]

@hookimpl
def bleuprint_segmenters():
    yield SegmenterSpec(name="slow", languages=(), build=Slow)
"""


@pytest.mark.parametrize(("options", "shown"), [([], True), (["-q"], False)])
def test_slow_scoring_counts_on_a_terminal(tmp_path: Path, options: list[str], shown: bool) -> None:
    pty = pytest.importorskip("pty")
    (tmp_path / "slow.py").write_text(SLOW, "utf-8")
    (tmp_path / "ref.txt").write_text("".join(f"a b c {i}\n" for i in range(4000)), "utf-8")
    (tmp_path / "hyp.txt").write_text("".join(f"a b d {i}\n" for i in range(4000)), "utf-8")
    command = [sys.executable, "-m", "bleuprint", "score", "ref.txt", "-i", "hyp.txt"]
    command += ["-tok", "slow", "--plugin", "slow.py", "-b", *options]
    ours, theirs = pty.openpty()
    run = subprocess.run(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=theirs, timeout=60, check=True
    )
    os.write(theirs, b".")  # so that there is something to read
    os.close(theirs)
    drawn = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert ("segments" in drawn) is shown
    plain = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60, check=True)
    assert b"segments" not in plain.stderr
    assert plain.stdout == run.stdout
