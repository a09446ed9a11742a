"""Standard input, output and error that are closed, full, or pipes that can be read once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]

posix = pytest.mark.skipif(os.name != "posix", reason="redirections of a POSIX shell")


@pytest.fixture(name="pair")
def _pair(tmp_path: Path) -> Path:
    """A folder with a reference of three lines, and hypotheses of three and of two."""
    (tmp_path / "ref.txt").write_text("a b c d e\nf g h i j\nk l m n o\n", "utf-8")
    (tmp_path / "hyp.txt").write_text("a b c d e\nf g h i j\nk l m n o\n", "utf-8")
    (tmp_path / "short.txt").write_text("a b c d e\nk l m n o\n", "utf-8")
    return tmp_path


def _shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    program = f"'{sys.executable}' -m bleuprint"
    return subprocess.run(
        ["sh", "-c", command.replace("bleuprint", program, 1)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@posix
@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("bleuprint score ref.txt -i hyp.txt -q >&-", 2, "standard output is closed"),
        ("bleuprint score ref.txt -q <&-", 2, "standard input is closed"),
        ("bleuprint score ref.txt -i hyp.txt 2>&-", 0, ""),
        ("bleuprint score ref.txt -i nowhere.txt 2>&-", 2, ""),
        ("bleuprint report suite.toml -o report 2>&-", 2, ""),
    ],
)
def test_closed_streams_are_no_crash(pair: Path, command: str, code: int, said: str) -> None:
    run = _shell(command, pair)
    assert run.returncode == code
    assert said in run.stderr
    assert run.stderr.count("\n") == (1 if said else 0)


@posix
@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("cat short.txt | bleuprint score ref.txt", "2 hypotheses, 3 references; give all"),
        ("cat short.txt | bleuprint score - -i ref.txt", "3 hypotheses, 2 references; give all"),
        (
            "cat short.txt | bleuprint score ref.txt - -i hyp.txt",
            "- ends after 2 lines, before",
        ),
        (
            "mkfifo p; cat short.txt > p & bleuprint score p -i ref.txt",
            "3 hypotheses, 2 references",
        ),
        ("cat hyp.txt | bleuprint score ref.txt --source -", "one file only"),
    ],
)
def test_pipes_that_do_not_pair_up_are_told_and_not_read_again(
    pair: Path, command: str, said: str
) -> None:
    run = _shell(command, pair)
    assert (run.returncode, run.stdout) == (2, "")
    assert said in run.stderr
    assert "by_segment" not in run.stderr
    assert run.stderr.count("\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_full_disk_is_told_in_one_line(pair: Path) -> None:
    run = _shell("bleuprint score ref.txt -i hyp.txt -q >/dev/full", pair)
    assert run.returncode == 2
    assert run.stderr == "bleuprint: standard output: cannot be written: no space left on device\n"


def test_no_command_shows_the_help(run: Run) -> None:
    code, out, err = run()
    assert (code, out) == (2, "")
    assert "Commands:\n  score " in err
