"""Suite files: what they say, and how mistakes in them are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from bleuprint import InputError, SuiteError
from bleuprint.report._init import write_suite
from bleuprint.report._suite import Suite, read_suite

GOOD = """
title = "T"
baseline = "b"
samples = 50

[defaults]
lowercase = true
also = ["none"]

[[task]]
lang = "de"
references = "de/ref.txt"
systems = { a = "de/a.txt", b = "de/b.txt" }

[[task]]
name = "second"
lang = "en-fr"
references = ["fr/ref.txt", "fr/ref2.txt"]
systems = "fr/sys-*.txt"
segmenter = "intl"
also = []
"""


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    for name in ("de/ref.txt", "de/a.txt", "de/b.txt", "fr/ref.txt", "fr/ref2.txt", "fr/sys-b.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("a b c d\n", "utf-8")
    return tmp_path


def _suite(folder: Path, text: str) -> Path:
    path = folder / "suite.toml"
    path.write_text(text, "utf-8")
    return path


def test_suite_says_what_to_do(folder: Path) -> None:
    suite = read_suite(_suite(folder, GOOD))
    first, second = suite.tasks
    assert (suite.title, suite.baseline, suite.samples, suite.seed) == ("T", "b", 50, 12345)
    assert (first.name, first.lang, first.also) == ("de", "de", ("none",))
    assert first.settings == {"lowercase": True}
    assert (second.name, second.also, second.segmenter) == ("second", (), "intl")
    assert second.systems == {"sys-b": "fr/sys-b.txt"}
    assert second.references == ("fr/ref.txt", "fr/ref2.txt")


def test_suite_comes_back_from_its_data(folder: Path) -> None:
    suite = read_suite(_suite(folder, GOOD))
    assert Suite.from_dict(suite.to_dict(), suite.path) == suite


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title = = 1", "line 1"),
        ("", "needs at least one [[task]]"),
        (GOOD.replace("baseline =", "basline ="), "line 3: basline: no such key"),
        (GOOD.replace("segmenter =", "segmentr ="), "line 20: task 2: segmentr: no such key"),
        (GOOD.replace('lang = "de"\n', ""), "task 1: lang: a task needs its language"),
        (GOOD.replace('lang = "de"', 'lang = "xx"'), "task 1: lang: no language has the code 'xx'"),
        (GOOD.replace('"T"', "3"), "line 2: title: 3: expected text"),
        (GOOD.replace("samples = 50", 'samples = "50"'), "line 4: samples: '50': expected a whole"),
        (GOOD.replace("samples = 50", "samples = true"), "line 4: samples"),
        (GOOD.replace("samples = 50", "samples = 0"), "line 4: samples"),
        (GOOD.replace('baseline = "b"', 'baseline = "x"'), "line 3: baseline: no task has"),
        (GOOD.replace("sys-*.txt", "none-*.txt"), "line 19: task 2: systems: no file matches"),
        (GOOD.replace("fr/sys-*.txt", "../*.txt"), "stays in the suite's folder"),
        (GOOD.replace('{ a = "de/a.txt", b = "de/b.txt" }', "{}"), "line 13: task 1: systems"),
        (GOOD.replace('"de/a.txt"', "1"), "task 1: systems.a"),
        (
            GOOD.replace('references = "de/ref.txt"', "references = []"),
            "line 12: task 1: references",
        ),
        (GOOD.replace('name = "second"', 'name = "de"'), "two tasks are called 'de'"),
        (GOOD.replace("samples = 50", 'test = "t"'), "line 4: test: 't'"),
        (GOOD.replace("samples = 50", "samples = " + "9" * 5000), "5000 digits"),
    ],
)
def test_mistakes_are_told_with_file_key_and_line(folder: Path, text: str, said: str) -> None:
    with pytest.raises(SuiteError) as caught:
        read_suite(_suite(folder, text))
    assert "suite.toml" in str(caught.value)
    assert said in str(caught.value)


def test_file_that_is_not_utf_8_or_not_there_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "suite.toml"
    with pytest.raises(SuiteError, match="No such file"):
        read_suite(path)
    path.write_bytes(b'a = 1\ntitle = "\xff"\n')
    with pytest.raises(SuiteError, match="line 2"):
        read_suite(path)


def test_init_writes_a_suite_for_the_files_in_a_folder(folder: Path) -> None:
    path = write_suite(folder)
    suite = read_suite(path)
    assert [task.lang for task in suite.tasks] == ["de", "fr"]
    assert suite.tasks[0].systems == {"a": "de/a.txt", "b": "de/b.txt"}
    assert suite.tasks[1].references == ("fr/ref.txt", "fr/ref2.txt")
    with pytest.raises(InputError, match="not written over"):
        write_suite(folder)


def test_init_says_what_it_expects_where_it_finds_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected folders named by a language"):
        write_suite(tmp_path)
