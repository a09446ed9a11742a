"""What docs/writing-a-segmenter.md shows is what happens, in the order of the page."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bleuprint.testing import RULES

PAGE = Path(__file__).parents[1] / "docs" / "writing-a-segmenter.md"
TEXT = PAGE.read_text("utf-8")
BLOCKS = re.findall(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', TEXT, re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the files that the page shows."""
    path = tmp_path_factory.mktemp("page")
    for _, title, code in BLOCKS:
        if title:
            (path / title).write_text(code, "utf-8")
    return path


def run(directory: Path, *command: str) -> str:
    """Run a command as a reader would; return what it prints."""
    scripts = os.path.dirname(sys.executable)
    done = subprocess.run(
        command,
        cwd=directory,
        env={
            **os.environ,
            "PATH": os.pathsep.join((scripts, os.environ["PATH"])),
            "PYTHONIOENCODING": "utf-8",
            "PYTHONPATH": str(directory),
        },
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def squeeze(text: str) -> str:
    return re.sub(r" +", " ", text).strip()


def test_page_has_blocks_of_every_kind() -> None:
    kinds = {(kind, bool(title)) for kind, title, _ in BLOCKS}
    assert kinds == {("python", True), ("python", False), ("console", False), ("toml", True)}


@pytest.mark.parametrize("code", [c for kind, title, c in BLOCKS if kind == "python" and not title])
def test_python_runs(directory: Path, code: str) -> None:
    assert run(directory, sys.executable, "-W", "error", "-c", code)


@pytest.mark.skipif(shutil.which("sh") is None, reason="the page's commands are for a POSIX shell")
@pytest.mark.parametrize("block", [code for kind, _, code in BLOCKS if kind == "console"])
def test_commands_print_what_is_shown(directory: Path, block: str) -> None:
    for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, shown = step.partition("\n")
        printed = squeeze(run(directory, "sh", "-c", command))
        pattern = re.escape(squeeze(shown)).replace(r"\.\.\.", ".*")
        assert re.fullmatch(pattern, printed, re.DOTALL), printed


def test_every_rule_is_on_the_page_as_it_reads() -> None:
    table = re.findall(r"^\| `([a-z-]+)` \| (.+) \|$", TEXT, re.MULTILINE)
    assert {rule: asks.replace("`", "") for rule, asks in table} == dict(RULES)


def test_every_link_leads_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (PAGE.parent / target).exists(), target
