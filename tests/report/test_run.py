"""Reports: what stands in them, that they are the same each time, and that a change is found."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import bleuprint
from bleuprint.cli import main
from bleuprint.report import Report, read_suite, run_suite, steps

SUITE = """
title = "Two languages"
baseline = "bad"
samples = 60

[[task]]
lang = "de"
references = "de/ref.txt"
systems = "de/sys/*.txt"
labels = "de/labels.txt"
also = ["intl"]

[[task]]
lang = "en"
references = ["en/ref.txt", "en/ref2.txt"]
systems = { good = "en/good.txt" }
"""


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    lines = [f"Der {i}. Hund, so sagt man, lief {i} Mal durch den Park." for i in range(12)]
    texts = {
        "de/ref.txt": lines,
        "de/sys/good.txt": [line.replace("Park", "Garten") for line in lines],
        "de/sys/bad.txt": [line.replace("so sagt man, ", "") for line in lines],
        "de/labels.txt": ["news", "talk"] * 6,
        "en/ref.txt": ["a b c d e f"] * 12,
        "en/ref2.txt": ["a b c d e g"] * 12,
        "en/good.txt": ["a b c d e h"] * 11 + [""],
    }
    for name, text in texts.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(text) + "\n", "utf-8")
    (tmp_path / "suite.toml").write_text(SUITE, "utf-8")
    return tmp_path


@pytest.fixture(name="report")
def _report(folder: Path) -> Report:
    return run_suite(folder / "suite.toml")


def _schema(name: str) -> Any:
    return json.loads(files("bleuprint").joinpath(f"schemas/{name}.json").read_text("utf-8"))


def test_report_follows_its_published_schema(report: Report) -> None:
    schema = _schema("report-1")
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(report.to_json()), schema)


def test_scores_are_those_of_a_scorer(report: Report, folder: Path) -> None:
    read = {p.name: p.read_text("utf-8").splitlines() for p in folder.glob("de/**/*.txt")}
    main_measure = report.data["tasks"][0]["measures"][0]
    own = {score["system"]: score for score in main_measure["scores"]}
    expected = bleuprint.Scorer("de").corpus(read["good.txt"], read["ref.txt"])
    assert own["good"]["score"] == expected.score
    assert main_measure["signature"] == str(expected.signature)
    assert own["bad"]["baseline"] is True
    assert own["good"]["p"] < 0.05
    assert own["good"]["difference"] == own["good"]["score"] - own["bad"]["score"]


def test_every_word_level_measure_has_its_anchor(report: Report) -> None:
    for task in report.data["tasks"]:
        roles = [(m["role"], m["segmenter"]) for m in task["measures"]]
        assert roles[0] == ("main", "13a")
        assert roles[-1] == ("anchor", "char")


def test_labels_split_the_score(report: Report, folder: Path) -> None:
    lines = [
        (folder / "de" / n).read_text("utf-8").splitlines() for n in ("sys/good.txt", "ref.txt")
    ]
    expected = bleuprint.Scorer("de").corpus(lines[0][::2], lines[1][::2]).score
    good = report.data["tasks"][0]["measures"][0]["scores"][1]
    assert good["by_label"].keys() == {"news", "talk"}
    assert good["by_label"]["news"] == expected


def test_empty_lines_are_counted_and_noted(report: Report) -> None:
    task = report.data["tasks"][1]
    assert task["systems"][0]["empty"] == 1
    assert "empty-hypothesis" in {n["code"] for n in task["measures"][0]["scores"][0]["notes"]}


def test_report_is_the_same_byte_for_byte(report: Report, folder: Path) -> None:
    assert run_suite(folder / "suite.toml").to_json() == report.to_json()


def test_texts_may_be_left_out(folder: Path) -> None:
    path = folder / "suite.toml"
    path.write_text("segments = false\n" + SUITE, "utf-8")
    assert run_suite(path).data["tasks"][0]["texts"] is None


def test_rows_and_csv_say_the_same(report: Report) -> None:
    from bleuprint.report import _tables

    rows = report.rows()
    assert len(rows) == 2 * 3 + 1 * 2
    read = list(csv.DictReader(io.StringIO(_tables.to_csv(report.data))))
    assert [float(line["score"]) for line in read] == [row["score"] for row in rows]
    assert read[-1]["p"] == ""


def test_markdown_marks_what_is_missing_and_says_what_is_averaged(folder: Path) -> None:
    from bleuprint.report import _tables

    path = folder / "suite.toml"
    path.write_text(SUITE.replace('["en/ref.txt", "en/ref2.txt"]', '"en/ref.txt"'), "utf-8")
    text = _tables.to_markdown(run_suite(path).data)
    assert "average: of de, en" in text
    (bad,) = [line for line in text.splitlines() if line.startswith("| bad |")]
    assert bad.count("–") == 3, "two cells of en, and no average over half the tasks"


def test_groups_that_may_not_be_compared_are_apart(report: Report) -> None:
    from bleuprint.report import _tables

    text = _tables.to_markdown(report.data)
    assert text.count("Signature: `") == 2  # one reference, and two
    assert "average" not in text
    latex = _tables.to_latex(report.data)
    assert latex.count("\\toprule") == 2
    assert "$\\pm$" in latex


def test_model_index_is_yaml_with_a_result_a_task(report: Report) -> None:
    yaml = pytest.importorskip("yaml")
    from bleuprint.report import _tables

    (bad, good) = yaml.safe_load(_tables.to_model_index(report.data))["model-index"]
    assert (bad["name"], len(bad["results"])) == ("bad", 1)
    assert (good["name"], len(good["results"])) == ("good", 2)
    assert good["results"][0]["metrics"][0]["type"] == "bleu"


def test_notebook_table_escapes_what_it_shows(report: Report) -> None:
    report.data["title"] = "<script>"
    assert "<script>" not in report._repr_html_()


def test_data_frames_have_a_row_a_score(report: Report) -> None:
    pandas = pytest.importorskip("pandas")
    frame = report.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert len(frame) == 8


def test_files_of_unlike_length_are_refused_by_name(folder: Path) -> None:
    (folder / "de/sys/bad.txt").write_text("a\n", "utf-8")
    with pytest.raises(bleuprint.SuiteError, match=r"sys/bad\.txt has 1 segments"):
        run_suite(folder / "suite.toml")


def test_missing_engine_is_told_with_its_task(folder: Path) -> None:
    path = folder / "suite.toml"
    path.write_text(SUITE.replace('"intl"', '"14a"'), "utf-8")
    with pytest.raises(bleuprint.UnknownSegmenterError, match=r"suite\.toml: task 'de': .*'14a'"):
        run_suite(path)


def _verify(folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = main(["verify", str(folder / "report.json"), "--inputs", str(folder)])
    return code, capsys.readouterr().out


def test_verify_passes_where_nothing_changed(
    report: Report, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "report.json").write_text(report.to_json(), "utf-8")
    assert _verify(folder, capsys) == (0, "verified: 8 scores in 2 tasks are as they were\n")


def test_verify_finds_a_changed_input_its_tokens_and_its_score(
    report: Report, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "report.json").write_text(report.to_json(), "utf-8")
    path = folder / "de/sys/good.txt"
    path.write_text(path.read_text("utf-8").replace("Hund", "Kater", 1), "utf-8")
    code, out = _verify(folder, capsys)
    assert code == 1
    assert "changed: de: input changed: de/sys/good.txt" in out
    assert "changed: de, 13a, good: tokens changed" in out
    assert "changed: de, 13a, good: score was" in out
    assert "bad" not in out


def test_verify_finds_a_missing_input(
    report: Report, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "report.json").write_text(report.to_json(), "utf-8")
    (folder / "de/ref.txt").unlink()
    code, out = _verify(folder, capsys)
    assert code == 1
    assert "changed: de: cannot be run again" in out
    assert "ref.txt" in out


@pytest.mark.parametrize(
    ("was", "now", "said", "counts"),
    [
        ("probe=1-", "probe=1-0", "probe was", True),
        ("tok:13a[;", "tok:13a[;dict=00,", "dictionary was 00, now not stated", True),
        ("tok:13a[;", "tok:13a[;engine=0.9,", "version of engine was 0.9, now not stated", False),
        ("smooth:exp", "smooth:none", "smooth was none, now exp", True),
    ],
)
def test_verify_tells_what_changed_about_the_segmenter(
    report: Report, folder: Path, capsys: pytest.CaptureFixture[str],
    was: str, now: str, said: str, counts: bool,
) -> None:  # fmt: skip
    measure = report.data["tasks"][0]["measures"][0]
    measure["signature"] = measure["signature"].replace(was, now)
    (folder / "report.json").write_text(report.to_json(), "utf-8")
    code, out = _verify(folder, capsys)
    assert said in out
    assert code == (1 if counts else 0)


@pytest.mark.parametrize("field", ["interval", "p", "counts", "bp", "rank"])
def test_verify_finds_any_number_that_was_edited(
    report: Report, folder: Path, capsys: pytest.CaptureFixture[str], field: str
) -> None:
    report.data["tasks"][0]["measures"][0]["scores"][0][field] = [2]
    (folder / "report.json").write_text(report.to_json(), "utf-8")
    code, out = _verify(folder, capsys)
    assert code == 1
    assert f": {field} changed" in out


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("tasks",), []),
        (("tasks", 0, "measures", 0, "scores"), None),
        (("tasks", 0, "measures", 0), {}),
        (("tasks", 0, "systems", 0, "sha256"), 3),
        (("suite", "tasks", 0, "lang"), 3),
        (("suite", "tasks", 0, "settings"), {"colour": "red"}),
        (("suite", "tasks", 0, "settings"), []),
        (("suite", "tasks", 0, "systems"), {}),
        (("suite", "samples"), "many"),
    ],
)
def test_report_that_was_edited_out_of_shape_is_told_and_no_crash(
    report: Report, folder: Path, capsys: pytest.CaptureFixture[str],
    path: tuple[Any, ...], value: object,
) -> None:  # fmt: skip
    place = report.data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    (folder / "report.json").write_text(report.to_json(), "utf-8")
    code, _ = _verify(folder, capsys)
    assert code in (1, 2)


@pytest.mark.parametrize("text", ["", "[]", '{"schema": "report-2"}', "{" * 5000])
def test_what_is_no_report_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    path = tmp_path / "report.json"
    path.write_text(text, "utf-8")
    assert main(["verify", str(path), "--inputs", str(tmp_path)]) == 2
    assert "report.json" in capsys.readouterr().err


def test_progress_is_told_as_often_as_there_are_steps(folder: Path) -> None:
    told: list[str] = []
    run_suite(folder / "suite.toml", progress=told.append)
    assert len(told) == steps(read_suite(folder / "suite.toml"))
    assert told[0] == "de: default segmenter"


def test_bar_is_drawn_on_a_terminal_and_nowhere_else(folder: Path) -> None:
    pty = pytest.importorskip("pty")
    pytest.importorskip("altair")
    command = [sys.executable, "-m", "bleuprint", "report", "suite.toml", "-o", "out"]
    ours, theirs = pty.openpty()
    shown = subprocess.run(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=theirs, timeout=120, check=True
    )
    os.close(theirs)
    drawn = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert "/5" in drawn  # three measures of one task, two of the other
    plain = subprocess.run(command, cwd=folder, capture_output=True, timeout=120, check=True)
    assert b"/5" not in plain.stderr
    assert plain.stdout == shown.stdout
