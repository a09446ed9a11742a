"""``bleuprint score`` on real files, from the outside."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import bleuprint

Run = Callable[..., tuple[int, str, str]]

_SACREBLEU = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.5.1"


@pytest.fixture(name="files")
def _files(tmp_path: Path) -> tuple[Path, Path, Path]:
    """A reference and two systems, of ten segments each."""
    reference, good, bad = (tmp_path / name for name in ("ref.txt", "good.txt", "bad.txt"))
    lines = [f"The {i} quick brown foxes, said he, jump over {i} lazy dogs." for i in range(10)]
    reference.write_text("\n".join(lines) + "\n", "utf-8")
    good.write_text("\n".join(line.replace("quick", "fast") for line in lines) + "\n", "utf-8")
    bad.write_text("\n".join(line.replace(" jump over", "") for line in lines) + "\n", "utf-8")
    return reference, good, bad


def test_one_system_is_a_line_in_sacrebleus_layout(
    run: Run, files: tuple[Path, Path, Path]
) -> None:
    reference, good, _ = files
    code, out, err = run("score", reference, "-i", good, "--segmenter", "13a")
    assert (code, err) == (0, "")
    assert out.startswith("BLEU|nrefs:1|case:mixed|norm:none|eff:no|order:4|tok:13a")
    assert " (BP = 1.000 ratio = 1.000 hyp_len = 150 ref_len = 150)" in out
    assert out.count("\n") == 1


def test_input_takes_every_file_up_to_the_next_option(
    run: Run, files: tuple[Path, Path, Path]
) -> None:
    reference, good, bad = files
    code, out, _ = run("score", reference, "-i", good, bad, "--segmenter", "13a", "-f", "json")
    assert code == 0
    documents = json.loads(out)
    assert [document["system"] for document in documents] == [str(good), str(bad)]
    assert all("nrefs:1|" in document["signature"] for document in documents)


def test_json_has_what_is_promised(run: Run, files: tuple[Path, Path, Path]) -> None:
    reference, good, _ = files
    _, out, _ = run(
        "score", reference, "-i", good, "-tok", "13a", "-f", "json", "-ci", "-cin", "50"
    )
    document = json.loads(out)
    assert document["name"] == "BLEU"
    assert document["segments"] == 10
    score = bleuprint.Scorer(segmenter="13a").corpus(
        good.read_text("utf-8").splitlines(), reference.read_text("utf-8").splitlines()
    )
    assert document["score"] == score.score
    assert document["counts"] == list(score.counts)
    assert document["totals"] == list(score.totals)
    assert document["precisions"] == list(score.precisions)
    assert (document["bp"], document["ratio"]) == (score.bp, score.ratio)
    assert (document["sys_len"], document["ref_len"]) == (150, 150)
    assert "bs:50|seed:12345" in document["signature"]
    assert set(document["interval"]) == {"low", "high", "level", "samples", "seed", "mean"}
    assert document["notes"] == []


@pytest.mark.parametrize(
    ("options", "expected"),
    [(["-b"], "82.4\n"), (["-b", "-w", "3"], "82.424\n"), (["-b", "-lc", "-w", "0"], "82\n")],
)
def test_score_only_prints_the_number(
    run: Run, files: tuple[Path, Path, Path], options: list[str], expected: str
) -> None:
    reference, good, _ = files
    assert run("score", reference, "-i", good, "-tok", "13a", *options)[1] == expected


def test_sentence_level_prints_a_line_a_segment(run: Run, files: tuple[Path, Path, Path]) -> None:
    reference, good, _ = files
    _, out, _ = run("score", reference, "-i", good, "-tok", "13a", "-sl")
    lines = out.splitlines()
    assert len(lines) == 10
    assert all("|eff:yes|" in line for line in lines)
    _, out, _ = run("score", reference, "-i", good, "-tok", "13a", "-sl", "-f", "json")
    assert len(json.loads(out)["sentences"]) == 10


def test_several_systems_make_a_table_with_one_signature(
    run: Run, files: tuple[Path, Path, Path]
) -> None:
    reference, good, bad = files
    _, out, _ = run("score", reference, "-i", good, bad, "-tok", "13a")
    assert out.count("nrefs:1") == 1
    assert "82.4" in out
    for form, mark in (("markdown", "| --- | ---: |"), ("latex", "\\toprule")):
        _, out, _ = run("score", reference, "-i", good, bad, "-tok", "13a", "-f", form)
        assert mark in out


def test_hypotheses_come_from_standard_input_where_none_are_named(
    files: tuple[Path, Path, Path],
) -> None:
    reference, good, _ = files
    run = subprocess.run(
        [sys.executable, "-m", "bleuprint", "score", str(reference), "-tok", "13a", "-b"],
        input=good.read_text("utf-8"),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "82.4\n", "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["score"], "REF"),
        (["score", "{ref}", "-i"], "at least one file"),
        (["score", "{ref}", "-i", "{none}"], "none.txt"),
        (["score", "{none}", "-i", "{ref}"], "none.txt"),
        (["score", "{ref}", "-i", "{ref}", "-tok", "14a"], "did you mean '13a'"),
        (["score", "{ref}", "-i", "{ref}", "-tok", "char[x=1]"], "no option 'x'"),
        (["score", "{ref}", "-i", "{ref}", "-l", "xx"], "'xx'"),
        (["score", "{ref}", "-i", "{ref}", "--like", "nonsense"], "no signature"),
        (["score", "{ref}", "-i", "{ref}", "--like", "tok:13a", "-lc"], "excludes -lc"),
        (["score", "{ref}", "-i", "{ref}", "-s", "exp", "-sv", "1"], "takes no value"),
        (["score", "{ref}", "-i", "{ref}", "-e", "utf-99"], "utf-99"),
        (["score", "{ref}", "-i", "{ref}", "--plugin", "{none}"], "No such file"),
        (["scroe", "{ref}"], "no command 'scroe'"),
        (["score", "{ref}", "-i", "{ref}", "-sl", "-f", "latex"], "excludes -f latex"),
        (["score", "{ref}", "-i", "{ref}", "-tok", "13a[;probe=1-00000000]"], "brackets pin"),
        (["score", "{ref}", "-i", "{ref}", "--plugin", "{ref}"], "plugin file ref.txt does not"),
        (
            ["score", "{ref}", "-i", "{ref}", "--like", _SACREBLEU + "|order:" + "9" * 5000],
            "no such large one",
        ),
    ],
)
def test_mistakes_are_told_in_one_line(
    run: Run, files: tuple[Path, Path, Path], arguments: list[str], said: str
) -> None:
    reference = files[0]
    names = {"ref": str(reference), "none": str(reference.with_name("none.txt"))}
    code, out, err = run(*(argument.format(**names) for argument in arguments))
    assert (code, out) == (2, "")
    assert said in err
    assert err.startswith("bleuprint: ")
    assert err.count("\n") == 1


def test_default_that_is_not_sacrebleus_is_pointed_out_once(
    run: Run, files: tuple[Path, Path, Path]
) -> None:
    reference, good, bad = files
    _, _, err = run("score", reference, "-i", good, bad, "-l", "pt", "-b")
    assert err.count("sacreBLEU's is 13a") == 1
    for options in (["-l", "pt", "-q"], ["-l", "pt", "-tok", "13a"], ["-l", "en"]):
        assert "sacreBLEU" not in run("score", reference, "-i", good, "-b", *options)[2]
    code, _, _ = run("score", reference, "-i", good, "-l", "pt", "-b", "--strict")
    assert code == 0, "it is about the tool, not about the texts"


def test_segmenter_of_a_plugin_that_is_switched_off_says_so(
    run: Run, files: tuple[Path, Path, Path]
) -> None:
    reference, good, _ = files
    code, _, err = run("score", reference, "-i", good, "-l", "ja", "--no-plugin", "ja")
    assert code == 2
    assert "no segmenter 'ja-mecab'" in err
    assert "switched off: bleuprint " in err


def test_like_brings_back_the_settings_of_a_signature(
    run: Run, files: tuple[Path, Path, Path]
) -> None:
    reference, good, _ = files
    signature = "nrefs:1|case:lc|eff:no|tok:intl|smooth:floor[0.10]|version:2.5.1"
    _, out, _ = run("score", reference, "-i", good, "--like", signature, "-f", "json")
    ours = bleuprint.Signature.parse(json.loads(out)["signature"])
    assert not ours.differences(bleuprint.Signature.parse(signature))


def test_published_scores_are_reproduced(run: Run, shared_data: Path) -> None:
    folder = shared_data / "flores-dev"
    with (folder / "published.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert rows
    for row in rows:
        name = bleuprint.Signature.parse(row["signature"]).segmenter
        assert name is not None
        offer = bleuprint.Registry.installed().find(name.canonical_name)
        if offer.spec.missing:
            pytest.skip(f"{offer.spec.name} is not installed")
        reference = folder / row["lang"] / "ref.txt"
        system = folder / row["lang"] / f"{row['system']}.txt"
        code, out, _ = run(
            "score", reference, "-i", system, "--like", row["signature"], "-f", "json", "-q"
        )
        assert code == 0
        assert json.loads(out)["score"] == pytest.approx(float(row["sacrebleu_2.5.1"]), abs=1e-9)


def test_closed_pipe_is_no_error(files: tuple[Path, Path, Path]) -> None:
    reference, good, _ = files
    read, write = os.pipe()
    os.close(read)
    run = subprocess.run(
        [sys.executable, "-m", "bleuprint", "score", reference, "-i", good, "-tok", "13a", "-sl"],
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
    )
    os.close(write)
    assert run.stderr == ""


@pytest.mark.parametrize("extra", [-1, 1])
def test_source_of_another_length_is_refused_by_name(
    run: Run, files: tuple[Path, Path, Path], extra: int
) -> None:
    reference, good, _ = files
    source = reference.with_name("source.txt")
    source.write_text("eine Zeile\n" * (10 + extra), "utf-8")
    code, _, err = run("score", reference, "-i", good, "--source", source)
    assert code == 2
    assert "source.txt" in err
    assert f"after {min(10, 10 + extra)} segments" in err


def test_line_that_is_too_long_is_told_with_its_files(run: Run, tmp_path: Path) -> None:
    plugin = tmp_path / "short.py"
    plugin.write_text(
        "from bleuprint.plugin import SegmenterSpec, hookimpl\n"
        "class Short:\n"
        "    fingerprint = {}\n"
        "    def segment_batch(self, lines):\n"
        "        return [line.split() for line in lines]\n"
        "@hookimpl\n"
        "def bleuprint_segmenters():\n"
        "    yield SegmenterSpec(name='short', languages=(), build=Short, max_chars=10)\n",
        "utf-8",
    )
    (tmp_path / "ref").write_text("a b c\n", "utf-8")
    (tmp_path / "hyp").write_text("a b c d e f g h\n", "utf-8")
    code, _, err = run(
        "score", tmp_path / "ref", "-i", tmp_path / "hyp", "-tok", "short", "--plugin", plugin
    )
    assert code == 2
    assert f"{tmp_path / 'hyp'} against {tmp_path / 'ref'}: line 1 of the hypotheses" in err


def test_segmenter_copied_from_a_signature_is_taken_where_it_is_the_same(
    run: Run, files: tuple[Path, Path, Path]
) -> None:
    reference, good, _ = files
    name = str(bleuprint.Scorer(segmenter="13a").segmenter_id)
    code, out, _ = run("score", reference, "-i", good, "-tok", name, "-b")
    assert (code, out) == (0, "82.4\n")
