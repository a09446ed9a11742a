"""Files as they come from other tools: what is read, what is refused, and what is said."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import bleuprint

Run = Callable[..., tuple[int, str, str]]
LINES = [f"The {i} big cats sat down, and {i} dogs ran away." for i in range(8)]


@pytest.fixture(name="write")
def _write(tmp_path: Path) -> Callable[[str, bytes | str], Path]:
    def write(name: str, content: bytes | str) -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    return write


def _text(lines: list[str], end: str = "\n") -> str:
    return "".join(line + end for line in lines)


def _codes(out: str) -> set[str]:
    return {note["code"] for note in json.loads(out)["notes"]}


@pytest.mark.parametrize("separator", ["\r", "\u2028", "\x85", "\x0c", "\x1c"])
def test_only_a_line_feed_ends_a_line(
    run: Run, write: Callable[[str, bytes | str], Path], separator: str
) -> None:
    path = write("a.txt", f"the big cat{separator}sat down\n")
    code, out, _ = run("score", path, "-i", path, "-tok", "none", "-f", "json")
    assert code == 0
    assert json.loads(out)["segments"] == 1
    piped = subprocess.run(
        [sys.executable, "-m", "bleuprint", "score", str(path), "-tok", "none", "-f", "json"],
        input=path.read_bytes(), capture_output=True, timeout=60, check=True,
    )  # fmt: skip
    assert json.loads(piped.stdout)["segments"] == 1


def test_byte_order_mark_is_dropped_with_a_note(
    run: Run, write: Callable[[str, bytes | str], Path]
) -> None:
    reference = write("r.txt", _text(LINES))
    marked = write("h.txt", "\ufeff" + _text(LINES))
    code, out, _ = run("score", reference, "-i", marked, "-tok", "13a", "-f", "json")
    assert code == 0
    assert json.loads(out)["score"] == 100.0
    assert "byte-order-mark" in _codes(out)


def test_line_ends_of_windows_change_no_score(
    run: Run, write: Callable[[str, bytes | str], Path]
) -> None:
    reference = write("r.txt", _text(LINES))
    other = [line.replace("big", "large") for line in LINES]
    unix, windows = write("u.txt", _text(other)), write("w.txt", _text(other, "\r\n"))
    scores = [run("score", reference, "-i", path, "-tok", "13a", "-b", "-w", "9")[1]
              for path in (unix, windows)]  # fmt: skip
    assert scores[0] == scores[1]


def test_one_blank_line_too_many_is_refused_with_counts_and_place(
    run: Run, write: Callable[[str, bytes | str], Path]
) -> None:
    reference = write("r.txt", _text([*LINES[:3], "", *LINES[3:]]))
    hypothesis = write("h.txt", _text(LINES))
    code, out, err = run("score", reference, "-i", hypothesis, "-tok", "13a")
    assert (code, out) == (2, "")
    assert "9" in err
    assert "8" in err
    assert "line 4" in err
    assert "blank" in err
    assert err.count("\n") == 1


def test_missing_final_line_end_is_no_matter_and_a_final_blank_line_is_one(
    run: Run, write: Callable[[str, bytes | str], Path]
) -> None:
    reference = write("r.txt", _text(LINES))
    bare = write("bare.txt", _text(LINES).removesuffix("\n"))
    blank = write("blank.txt", _text(LINES) + "\n")
    assert run("score", reference, "-i", bare, "-tok", "13a", "-b")[:2] == (0, "100.0\n")
    code, _, err = run("score", reference, "-i", blank, "-tok", "13a", "-b")
    assert code == 2
    assert "blank.txt" in err


def test_tabs_are_data_unless_a_column_is_asked_for(
    run: Run, write: Callable[[str, bytes | str], Path]
) -> None:
    path = write("a.txt", "a b\tc d\n")
    _, out, _ = run("score", path, "-i", path, "-tok", "none", "-f", "json", "-q")
    assert json.loads(out)["sys_len"] == 4
    _, out, _ = run("score", path, "-i", path, "-tok", "none", "-f", "json", "-q", "--column", "1")
    assert json.loads(out)["sys_len"] == 2


def test_text_that_is_not_utf_8_is_refused_with_file_and_line(
    run: Run, write: Callable[[str, bytes | str], Path]
) -> None:
    reference = write("r.txt", "a\nb\nc\n")
    hypothesis = write("h.txt", b"a\nb\nc\xe9\n")
    code, out, err = run("score", reference, "-i", hypothesis, "-tok", "13a")
    assert (code, out) == (2, "")
    assert "h.txt" in err
    assert "line 3" in err
    latin = run("score", hypothesis, "-i", hypothesis, "-tok", "13a", "-e", "latin-1", "-b", "-q")
    assert latin[0] == 0


@pytest.mark.parametrize(
    ("lang", "segmenter"),
    [
        ("zho_Hans", "zh-jieba"), ("jpn", "ja-mecab"), ("en-zh", "zh-jieba"), ("zh-CN", "zh-jieba"),
        ("pt_BR", "pt-contractions"), ("pt-br", "pt-contractions"), ("zh-tw", "zh-jieba"),
    ],
)  # fmt: skip
def test_language_by_any_of_its_codes(
    run: Run, write: Callable[[str, bytes | str], Path], lang: str, segmenter: str
) -> None:
    if bleuprint.Registry.installed().find(segmenter).spec.missing:
        pytest.skip(f"{segmenter} is not installed")
    path = write("a.txt", "今天天气很不错，我们去公园散步吧。\n")
    code, out, _ = run("score", path, "-i", path, "-l", lang, "-f", "json")
    assert code == 0
    assert f"|tok:{segmenter}[" in json.loads(out)["signature"]


def test_same_file_twice_is_noted(run: Run, write: Callable[[str, bytes | str], Path]) -> None:
    path = write("a.txt", _text(LINES))
    _, out, err = run("score", path, "-i", path, "-tok", "13a", "-f", "json")
    assert "sides-identical" in _codes(out)
    assert "note: " in err


def test_notes_are_silenced_or_taken_for_errors(
    run: Run, write: Callable[[str, bytes | str], Path]
) -> None:
    path = write("a.txt", _text(LINES))
    assert run("score", path, "-i", path, "-tok", "13a", "-b", "-q") == (0, "100.0\n", "")
    code, out, err = run("score", path, "-i", path, "-tok", "13a", "-b", "--strict")
    assert (code, out) == (2, "")
    assert "sides-identical" in err


@pytest.mark.parametrize(
    ("suffix", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)]
)
def test_packed_files_are_read(
    run: Run,
    write: Callable[[str, bytes | str], Path],
    suffix: str,
    pack: Callable[[bytes], bytes],
) -> None:
    reference = write("r.txt", _text(LINES))
    packed = write("h.txt" + suffix, pack(_text(LINES).encode()))
    assert run("score", reference, "-i", packed, "-tok", "13a", "-b", "-q")[:2] == (0, "100.0\n")


def test_json_lines_and_tables_are_read_by_field_and_column(
    run: Run, write: Callable[[str, bytes | str], Path]
) -> None:
    rows = [{"id": i, "out": {"text": line}} for i, line in enumerate(LINES)]
    field = write("h.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    table = write("r.tsv", "id\ttext\n" + "".join(f"{i}\t{x}\n" for i, x in enumerate(LINES)))
    code, out, _ = run(
        "score", f"{table}#text", "-i", f"{field}#out.text", "-tok", "13a", "-b", "-q"
    )
    assert (code, out) == (0, "100.0\n")


def test_copies_of_the_source_are_noted_where_a_source_is_given(
    run: Run, write: Callable[[str, bytes | str], Path]
) -> None:
    source = write("s.txt", _text([f"Das ist der {i}. Satz des Textes." for i in range(8)]))
    reference = write("r.txt", _text(LINES))
    _, out, _ = run(
        "score", reference, "-i", source, "-tok", "13a", "--source", source, "-f", "json"
    )
    assert "copies-of-source" in _codes(out)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "options", "code"),
    [
        ("a .\nb .\nc .\n", "a.\nb.\nc.\n", ["-tok", "13a"], "looks-tokenized"),
        ("wo@@ rd\n", "word\n", ["-tok", "13a"], "subword-marks"),
        ("a &quot;b&quot; c\n", 'a "b" c\n', ["-tok", "13a"], "moses-escapes"),
        ("今天天气很不错\n", "今天天气很好\n", [], "no-spaces"),
        ("a\u200bb c\n", "ab c\n", ["-tok", "13a"], "zero-width"),
        ("\n", "a\n", ["-tok", "13a"], "empty-hypothesis"),
        ("a\n", "\n", ["-tok", "13a"], "empty-reference"),
        ("a \ufffd b\n", "a b\n", ["-tok", "13a"], "replacement-character"),
        ("a\0b\n", "a b\n", ["-tok", "13a"], "nul-or-surrogate"),
        ("e\u0301te\u0301 ici\n", "\u00e9t\u00e9 ici\n", ["-tok", "13a"], "unicode-forms-differ"),
        ("hello world\n", "hello, world\n", ["-tok", "none"], "no-ngram"),
    ],
)
def test_what_a_colleague_would_point_out(
    run: Run,
    write: Callable[[str, bytes | str], Path],
    hypothesis: str,
    reference: str,
    options: list[str],
    code: str,
) -> None:
    files = write("r.txt", reference), write("h.txt", hypothesis)
    _, out, err = run("score", files[0], "-i", files[1], *options, "-f", "json")
    assert code in _codes(out)
    assert "note: " in err


def test_unicode_forms_are_brought_together_on_request(
    run: Run, write: Callable[[str, bytes | str], Path]
) -> None:
    import unicodedata

    text = "Tiếng Việt rất đẹp và hay"
    reference = write("r.txt", unicodedata.normalize("NFC", text) + "\n")
    hypothesis = write("h.txt", unicodedata.normalize("NFD", text) + "\n")
    _, out, _ = run("score", reference, "-i", hypothesis, "-tok", "13a", "-f", "json")
    assert json.loads(out)["score"] == pytest.approx(8.12, abs=0.005)
    assert "unicode-forms-differ" in _codes(out)
    _, out, _ = run(
        "score", reference, "-i", hypothesis, "-tok", "13a", "--normalize", "nfc", "-f", "json"
    )
    assert json.loads(out)["score"] == 100.0
    assert "norm:nfc|" in json.loads(out)["signature"]


def test_widths_are_folded_on_request(run: Run, write: Callable[[str, bytes | str], Path]) -> None:
    reference = write("r.txt", "他有３个苹果，很好吃。\n")
    hypothesis = write("h.txt", "他有3个苹果,很好吃.\n")
    _, out, _ = run("score", reference, "-i", hypothesis, "-tok", "zh", "-f", "json")
    plain = json.loads(out)["score"]
    assert plain == pytest.approx(26.66, abs=0.005)
    _, out, _ = run(
        "score", reference, "-i", hypothesis, "-tok", "zh", "--normalize", "nfkc", "-f", "json"
    )
    assert json.loads(out)["score"] > plain
    assert "norm:nfkc|" in json.loads(out)["signature"]


@pytest.mark.parametrize("jobs", ["2", "3"])
def test_processes_give_the_same_bits_and_notes(
    run: Run, write: Callable[[str, bytes | str], Path], jobs: str
) -> None:
    lines = [f"O livro {i} da menina está na mesa {i % 7} do professor." for i in range(3000)]
    reference = write("r.txt", _text(lines))
    changed = [line.replace("mesa", "cadeira") if i % 3 else "" for i, line in enumerate(lines)]
    hypothesis = write("h.txt", _text(changed))
    arguments = ("score", reference, "-i", hypothesis, "-l", "pt", "-f", "json")
    one, many = run(*arguments), run(*arguments, "-j", jobs)
    assert one == many
    assert json.loads(one[1])["notes"][0]["count"] == 1000


def test_error_in_a_process_comes_out_with_its_line(
    run: Run, write: Callable[[str, bytes | str], Path], tmp_path: Path
) -> None:
    plugin = write(
        "bad.py",
        "from bleuprint.plugin import SegmenterSpec, hookimpl\n"
        "class Bad:\n"
        "    fingerprint = {'v': '1'}\n"
        "    def segment_batch(self, lines):\n"
        "        return [[''] if 'bad' in line else line.split() for line in lines]\n"
        "@hookimpl\n"
        "def bleuprint_segmenters():\n"
        "    yield SegmenterSpec(name='bad', languages=(), build=Bad)\n",
    )
    lines = [f"line {i}" for i in range(3000)]
    reference = write("r.txt", _text(lines))
    hypothesis = write("h.txt", _text([*lines[:2500], "a bad line", *lines[2501:]]))
    for jobs in ("1", "2"):
        code, out, err = run(
            "score", reference, "-i", hypothesis, "-tok", "bad", "--plugin", plugin, "-j", jobs
        )
        assert (code, out) == (2, "")
        assert "line 2501 of the hypotheses" in err
        assert "'bad'" in err
