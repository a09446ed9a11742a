"""``bleuprint segmenters``: what there is, and what it needs."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., tuple[int, str, str]]

NAMES = {
    "none", "13a", "intl", "char", "zh", "zh-jieba", "ja-mecab", "ja-unidic", "th-newmm",
    "ko-mecab", "ko-kiwi", "pt-contractions", "moses", "icu", "spm", "flores101", "flores200",
}  # fmt: skip


def listing(run: Run, *arguments: str | Path) -> dict[str, Any]:
    code, out, err = run("segmenters", "--json", *arguments)
    assert (code, err) == (0, "")
    return {segmenter["name"]: segmenter for segmenter in json.loads(out)}


def test_every_name_that_is_promised_is_listed(run: Run) -> None:
    assert set(listing(run)) >= NAMES


def test_text_has_a_row_for_each(run: Run) -> None:
    code, out, err = run("segmenters")
    assert (code, err) == (0, "")
    assert {row.split()[0] for row in out.splitlines()[1:]} >= NAMES


def test_entry_says_what_a_user_has_to_know(run: Run) -> None:
    jieba = listing(run)["zh-jieba"]
    assert jieba["languages"] == ["zh"]
    assert jieba["install"] == 'pip install "bleuprint[zh]"'
    assert jieba["distribution"] == "bleuprint"
    assert jieba["entry"] == "zh"
    assert jieba["rewrites"] is False
    assert jieba["options"]["hmm"]["default"] == "on"
    assert jieba["options"]["hmm"]["choices"] == ["on", "off"]
    assert listing(run)["spm"]["options"]["model"] == {
        "default": None,
        "choices": None,
        "file": True,
        "summary": "the SentencePiece model",
    }


def test_segmenter_without_its_engine_is_listed_with_the_command(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bleuprint.plugin.find_spec", lambda name: None)
    ja = listing(run)["ja-mecab"]
    assert ja["state"] == "needs"
    assert ja["missing"] == ["fugashi", "ipadic"]
    assert ja["install"] == 'pip install "bleuprint[ja]"'
    _, out, _ = run("segmenters")
    assert 'needs: pip install "bleuprint[ja]"' in out
    assert listing(run)["13a"]["state"] == "ready"


def test_segmenter_of_a_plugin_file_is_listed(run: Run, fixtures: Path) -> None:
    file = fixtures / "distributions" / "good" / "acme_good.py"
    words = listing(run, "--plugin", file)["acme-words"]
    assert words["distribution"] == "acme_good.py"
    assert words["entry"] == "file"
    assert words["options"]["letters"]["choices"] == ["keep", "cut"]


def test_disabled_plugin_is_not_listed(run: Run) -> None:
    assert "zh-jieba" not in listing(run, "--no-plugin", "bleuprint:zh")


def test_conflict_is_listed_and_no_error(
    run: Run, fixtures: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("good", "clashes"):
        monkeypatch.syspath_prepend(fixtures / "distributions" / name)
    code, out, err = run("segmenters", "--json")
    assert (code, err) == (0, "")
    rivals = [s for s in json.loads(out) if s["name"] == "acme-words"]
    assert [s["state"] for s in rivals] == ["conflict", "conflict"]
    assert {s["distribution"] for s in rivals} == {"acme-good", "acme-clashes"}


def test_listing_imports_no_engine() -> None:
    code = """
        import sys
        from bleuprint import Registry
        from bleuprint.cli import main
        for command in ("segmenters", "plugins"):
            assert main([command]) == 0
        needed = {m for offer in Registry.installed().offers for m in offer.spec.requires}
        sys.exit(f"imported: {needed & set(sys.modules)}" if needed & set(sys.modules) else 0)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
