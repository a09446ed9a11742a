"""README's examples run, and it names every segmenter and command."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import bleuprint
from bleuprint.cli import COMMANDS, main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def _blocks(kind: str) -> list[str]:
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    return [text for own, text in blocks if own == kind]


def _ready(*names: str) -> None:
    registry = bleuprint.Registry.installed()
    for name in names:
        if registry.find(name).spec.missing:
            pytest.skip(f"{name} is not installed")


@pytest.mark.parametrize("code", _blocks("python"))
def test_python_examples_run(code: str) -> None:
    if 'lang="zh"' in code:
        _ready("zh-jieba")
    run = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", "-c", code],
        capture_output=True, text=True, encoding="utf-8", timeout=120, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("BLEU|nrefs:1|")


@pytest.mark.parametrize("block", _blocks("console"))
def test_console_examples_run(
    block: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _ready("ja-mecab")
    monkeypatch.chdir(ROOT)
    for line in block.splitlines():
        if line.startswith("$ bleuprint "):
            assert main(shlex.split(line.removeprefix("$ bleuprint "))) == 0
            assert capsys.readouterr().out.startswith("BLEU|")


def test_the_signature_shown_is_one() -> None:
    (text,) = [b for b in _blocks("") if b.startswith("nrefs:")]
    assert str(bleuprint.Signature.parse(text)) == text.strip()


def test_every_segmenter_is_named() -> None:
    for name in bleuprint.Registry.installed().names():
        assert re.search(rf"`{re.escape(name)}[`\[]", README), f"{name} is missing from README"


def test_every_command_is_named() -> None:
    for name in COMMANDS:
        assert f"bleuprint {name}" in README, f"{name} is missing from README"


def test_every_link_leads_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target
