"""``bleuprint compare`` on real files, from the outside."""

from __future__ import annotations

import csv
import doctest
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

Run = Callable[..., tuple[int, str, str]]

PAGE = (Path(__file__).parents[2] / "docs/comparing.md").read_text("utf-8")

NAMES = ("base", "better", "same", "worse")


@pytest.fixture(name="folder", autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A reference and four systems, of sixty segments each, in the working directory."""
    rng = np.random.default_rng(0)
    reference = [[f"w{number}" for number in rng.integers(0, 500, 15)] for _ in range(60)]

    def write(name: str, wrong: float, seed: int) -> None:
        errors = np.random.default_rng(seed)
        lines = [
            " ".join("x" if errors.random() < wrong else word for word in words)
            for words in reference
        ]
        (tmp_path / name).write_text("\n".join(lines) + "\n", "utf-8")

    write("ref", 0, 0)
    write("base", 0.2, 1)
    write("better", 0.05, 2)
    write("same", 0.2, 1)
    write("worse", 0.5, 3)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def compare(run: Run, *arguments: str) -> str:
    code, out, err = run("compare", "--segmenter", "none", "ref", *arguments)
    assert (code, err) == (0, "")
    return out


def compare_json(run: Run, *arguments: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(compare(run, "-i", *NAMES, "-f", "json", *arguments))
    return document


def rows(out: str) -> list[list[str]]:
    """The cells of a table in plain columns, up to its end."""
    return [line.split() for line in out[: out.index("\n\n")].split("\n")[1:]]


class TestText:
    def test_has_the_best_first_and_marks_the_baseline(self, run: Run) -> None:
        out = compare(run, "-i", *NAMES)
        assert [row[0] for row in rows(out)] == ["better", "base", "same", "worse"]
        assert [line.split("  ")[0] for line in out.split("\n") if "(baseline)" in line] == [
            "base (baseline)"
        ]

    def test_has_score_interval_p_rank_and_cluster(self, run: Run) -> None:
        out = compare(run, "-i", *NAMES)
        assert out.split("\n")[0].split("  ")[0] == "system"
        for name in ("BLEU", "μ ± 95%", "95% interval", "difference", "p corrected", "cluster"):
            assert name in out.split("\n")[0]
        better, _, same, worse = rows(out)
        assert better[-4:] == ["0.0010", "0.0060*", "1", "1"]
        assert same[-4:] == ["1.0000", "1.0000", "2-3", "2"]
        assert worse[-4:] == ["0.0010", "0.0060*", "4", "3"]

    def test_says_how_it_was_made(self, run: Run) -> None:
        out = compare(run, "-i", *NAMES)
        assert "paired bootstrap resampling, 1000 resamples, seed 12345;" in out
        assert "p corrected for 6 pairs (Holm); *: below 0.05" in out
        assert "signature: nrefs:1|bs:1000|seed:12345|case:mixed" in out
        assert "sacreBLEU" not in out

    def test_settings_show(self, run: Run) -> None:
        out = compare(
            run, "-i", *NAMES, "-par", "--n-samples", "99", "--seed", "0", "--alpha", "0.1",
            "-w", "3", "-sh",
        )  # fmt: skip
        assert "approximate randomization, 99 trials, seed 0;" in out
        assert "*: below 0.1" in out
        assert "signature: #:1|bs:1000|ar:99|rs:0|c:mixed" in out
        assert rows(out)[0][-3] == "0.0600*"
        assert len(rows(out)[0][1].partition(".")[2]) == 3

    def test_like_sacrebleu_says_so(self, run: Run) -> None:
        out = compare(run, "-i", "base", "same", "--like-sacrebleu")
        assert "p as sacreBLEU computes it (--like-sacrebleu)" in out
        assert "|bs:1000.sacrebleu|" in out
        assert "0.0010*" in out

    def test_baseline_only_has_no_ranks(self, run: Run) -> None:
        out = compare(run, "-i", *NAMES, "--baseline-only")
        assert "rank" not in out
        assert "cluster" not in out
        assert "p corrected for 3 pairs" in out

    def test_pairs_lists_every_pair(self, run: Run) -> None:
        out = compare(run, "-i", *NAMES, "--pairs")
        listed = [line.split() for line in out.split("\n\n")[1].split("\n")]
        assert listed[0] == ["first", "second", "difference", "p", "p", "corrected"]
        assert [row[:2] for row in listed[1:]] == [
            ["base", "better"],
            ["base", "same"],
            ["base", "worse"],
            ["better", "same"],
            ["better", "worse"],
            ["same", "worse"],
        ]


class TestTop:
    def test_shows_the_segments_that_move_the_difference_most(self, run: Run, folder: Path) -> None:
        lines = (folder / "base").read_text("utf-8").splitlines()
        lines[41] = " ".join(["nothing"] * 15)
        (folder / "same").write_text("\n".join(lines) + "\n", "utf-8")
        out = compare(run, "-i", "base", "same", "--top", "2")
        shown = out[out.index("segments that move the difference of same from base most:") :]
        first = shown.split("\n")[3].split(None, 3)
        assert first[0] == "42"
        assert first[1].startswith("-")
        assert first[2] == "base"
        assert first[3] == (folder / "base").read_text("utf-8").splitlines()[41]
        assert shown.split("\n")[4].split() == ["same", *["nothing"] * 15]
        reference = (folder / "ref").read_text("utf-8").splitlines()[41]
        assert shown.split("\n")[5].split() == ["reference", *reference.split()]

    def test_is_in_json_for_every_pair_with_the_baseline(self, run: Run, folder: Path) -> None:
        document = compare_json(run, "--top", "3")
        for pair in document["pairs"]:
            assert len(pair.get("top", [])) == (3 if pair["first"] == "base" else 0)
        texts = {name: (folder / name).read_text("utf-8").splitlines() for name in (*NAMES, "ref")}
        for own in document["pairs"][0]["top"]:
            at = own["segment"] - 1
            assert own["first"] == texts["base"][at]
            assert own["second"] == texts["better"][at]
            assert own["references"] == [texts["ref"][at]]
        sizes = [abs(own["influence"]) for own in document["pairs"][0]["top"]]
        assert sizes == sorted(sizes, reverse=True)

    def test_shows_all_references(self, run: Run) -> None:
        out = compare(run, "base", "-i", "better", "worse", "--top", "1", "-f", "json")
        assert len(json.loads(out)["pairs"][0]["top"][0]["references"]) == 2

    def test_keeps_a_text_with_line_feeds_in_its_row(self, run: Run, folder: Path) -> None:
        (folder / "r.jsonl").write_text('{"t": "a b c d e"}\n', "utf-8")
        (folder / "a.jsonl").write_text('{"t": "a b c\\nd e"}\n', "utf-8")
        (folder / "b.jsonl").write_text('{"t": "a b c x e"}\n', "utf-8")
        arguments = ["r.jsonl", "-i", "a.jsonl", "b.jsonl", "--field", "t", "--top", "1", "-q"]
        code, out, _ = run("compare", "--segmenter", "none", *arguments)
        assert code == 0
        assert "a b c\\nd e\n" in out


class TestJson:
    def test_follows_the_published_schema(self, run: Run) -> None:
        jsonschema = pytest.importorskip("jsonschema")
        schema = json.loads(files("bleuprint").joinpath("schemas/compare-1.json").read_text())
        for arguments in ([], ["-par", "--top", "2"], ["--baseline-only", "--like-sacrebleu"]):
            jsonschema.validate(compare_json(run, *arguments), schema)

    def test_keeps_the_order_of_the_systems(self, run: Run) -> None:
        document = compare_json(run)
        assert document["baseline"] == "base"
        assert [own["system"] for own in document["systems"]] == list(NAMES)
        assert document["segments"] == 60

    def test_rounds_nothing(self, run: Run) -> None:
        document = compare_json(run, "--n-samples", "300")
        assert document["pairs"][0]["p"] == 1 / 301
        assert document["pairs"][0]["p_corrected"] == 6 / 301


class TestCsv:
    def test_has_a_row_a_system(self, run: Run) -> None:
        out = compare(run, "-i", *NAMES, "-f", "csv")
        document = compare_json(run)
        for own, row in zip(document["systems"], csv.DictReader(io.StringIO(out)), strict=True):
            assert row["system"] == own["system"]
            assert row["baseline"] == str(int(own["baseline"]))
            assert float(row["score"]) == own["score"]
            assert float(row["low"]) == own["interval"]["low"]
            assert float(row["high"]) == own["interval"]["high"]
            assert row["p_corrected"] == ("" if own["baseline"] else str(own["p_corrected"]))
            assert [row["rank_from"], row["rank_to"]] == [str(rank) for rank in own["rank"]]
            assert row["signature"] == own["signature"]

    def test_has_a_row_a_pair_where_pairs_are_asked_for(self, run: Run) -> None:
        out = compare(run, "-i", *NAMES, "-f", "csv", "--pairs")
        read = list(csv.DictReader(io.StringIO(out)))
        assert [(row["first"], row["second"]) for row in read[:2]] == [
            ("base", "better"),
            ("base", "same"),
        ]
        assert [row["significant"] for row in read[:2]] == ["1", "0"]


def test_markdown_is_a_table(run: Run) -> None:
    lines = compare(run, "-i", *NAMES, "-f", "markdown").split("\n")
    assert lines[0].startswith("| system | BLEU | μ ± 95% | 95% interval | difference | p |")
    assert set(lines[1]) == set("| -:")
    assert [line.count("|") for line in lines[:6]] == [10] * 6
    assert lines[3].startswith("| base (baseline) | ")
    assert lines[6] == ""


def test_latex_is_a_booktabs_table_with_its_legend_in_comments(run: Run) -> None:
    out = compare(run, "-i", *NAMES, "-f", "latex")
    table, legend = out.split("\n\n")
    for part in (r"\begin{tabular}{lrrrrrrrr}", r"\toprule", r"\midrule", r"\bottomrule"):
        assert part in table
    assert r"base (baseline) & " in table
    assert r" $\pm$ " in table
    assert all(line.startswith("% ") for line in legend.splitlines())


def test_same_arguments_print_the_same(run: Run) -> None:
    assert compare(run, "-i", *NAMES, "-par") == compare(run, "-i", *NAMES, "-par")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ref", "-i", "base"], "two files or more: a baseline, and what to compare to it"),
        (["ref"], "Missing option '-i'"),
        (["ref", "-i", "base", "base"], "-i names base twice"),
        (["ref", "-i", "base", "same", "-pbs", "-par"], "-pbs and -par are two tests"),
        (["ref", "-i", "base", "same", "--top", "1", "-f", "csv"], "--top shows texts"),
        (["ref", "-i", "base", "-", "--top", "1"], "none can be standard input or a pipe"),
        (["ref", "-i", "base", "same", "--n-samples", "0"], "--n-samples"),
        (["ref", "-i", "base", "same", "--alpha", "1"], "--alpha"),
        (["ref", "-i", "base", "same", "--seed", "-1"], "--seed"),
        (["ref", "-i", "base", "nowhere"], "nowhere"),
        (["empty", "-i", "base", "same"], "empty"),
    ],
)
def test_bad_usage_is_one_line_and_exit_code_2(
    run: Run, folder: Path, arguments: list[str], message: str
) -> None:
    (folder / "empty").write_text("", "utf-8")
    code, out, err = run("compare", "--segmenter", "none", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_strict_takes_notes_for_errors(run: Run) -> None:
    code, _, err = run("compare", "--segmenter", "none", "ref", "-i", "ref", "base", "--strict")
    assert code == 2
    assert "--strict: there are notes" in err


def test_numpy_and_the_tests_are_loaded_by_no_other_command() -> None:
    program = (
        "import sys; from bleuprint.cli import main; main(['segmenters']);"
        "sys.exit('numpy' in sys.modules or 'bleuprint._comparison' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.DEVNULL)


def test_documented_session_runs_as_shown() -> None:
    [session] = re.findall(r"^```pycon\n(.+?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    test = doctest.DocTestParser().get_doctest(session, {}, "comparing.md", None, 0)
    assert doctest.DocTestRunner().run(test) == (0, len(test.examples))


def test_documented_options_and_columns_are_there(run: Run) -> None:
    _, help_text, _ = run("compare", "--help")
    for option in re.findall(r"`(--?[a-z][a-z-]*)", PAGE):
        assert option in help_text or option == "-ci"
    header = compare(run, "-i", *NAMES).split("\n")[0]
    for column in re.findall(r"^\| ([^|]+?) \|", PAGE, re.MULTILINE)[2:]:
        assert column in header
