"""docs/files.md says what is read, and what may be done to texts, as it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bleuprint import Scorer
from bleuprint._prepare import STEPS
from bleuprint._read import open_lines
from bleuprint._read._source import MAX_LINE, PACKED_FREE, PACKED_RATIO

PAGE = (Path(__file__).parents[1] / "docs" / "files.md").read_text("utf-8")


def test_every_step_is_described_and_no_other() -> None:
    (table,) = re.findall(r"\| step \|.*?\n\n", PAGE, re.DOTALL)
    first_cells = [line.split("|")[1] for line in table.strip().splitlines()[2:]]
    assert set(re.findall(r"`(\w+)`", "".join(first_cells))) == set(STEPS)


def test_limits_are_those_in_force() -> None:
    assert f"{MAX_LINE:,} characters" in PAGE
    assert f"{PACKED_FREE >> 20} MiB" in PAGE
    assert f"{PACKED_RATIO} times its size" in PAGE


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", "one\ntwo"),
        ("a.jsonl#out.text", '{"out": {"text": "one"}}\n{"out": {"text": "two"}}\n'),
        ("a.jsonl#refs.0", '{"refs": ["one"]}\n{"refs": ["two"]}\n'),
        ("a.tsv#text", "id\ttext\n1\tone\n2\ttwo\n"),
        ("a.csv#2", "1,one\n2,two\n"),
    ],
)
def test_parts_are_named_as_it_says(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name.partition("#")[0]).write_text(content, "utf-8")
    assert list(open_lines(str(tmp_path / name))) == ["one", "two"]


def test_the_settings_it_names_in_python_show_in_signatures() -> None:
    named = dict(re.findall(r"`(normalize|lowercase)=\"?([^`\"]+)\"?`", PAGE))
    assert set(named) == {"normalize", "lowercase"}
    score = Scorer(segmenter="none", **named).corpus(["a"], ["a"])
    assert (score.signature.norm, score.signature.case) == ("nfkc+digits", "lc.tr")
