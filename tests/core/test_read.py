"""Files into lines: formats, encodings, line ends, packing, and what is refused."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bleuprint._errors import InputError, SettingError
from bleuprint._read import open_lines


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    def write(name: str, content: bytes | str) -> str:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    return write


Write = Callable[..., str]


# Lines of text


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        ("", []),
        ("\n", [""]),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\n\n", ["a", ""]),
        ("a\n\n\n", ["a", "", ""]),
        ("\na", ["", "a"]),
        ("a\nb", ["a", "b"]),
        ("a\r\nb\r\n", ["a", "b"]),
        ("a\r\r\nb\n", ["a\r", "b"]),
        ("a\r", ["a\r"]),
        ("\r\n", [""]),
        ("the big cat\rsat down\n", ["the big cat\rsat down"]),
        ("a\u2028b\u2029c\n", ["a\u2028b\u2029c"]),
        ("a\x85b\x0bc\x0cd\x1ce\x1df\x1eg\n", ["a\x85b\x0bc\x0cd\x1ce\x1df\x1eg"]),
        ("a\tb\tc\n", ["a\tb\tc"]),
        ("a\0b\n", ["a\0b"]),
        ("  a  \n", ["  a  "]),
        ("日本\n語\n", ["日本", "語"]),
    ],
)
@pytest.mark.parametrize("block", [1, 2, 3, 1 << 18])
def test_a_line_ends_at_lf_and_at_nothing_else(
    content: str, lines: list[str], block: int, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bleuprint._read._source.BLOCK", block)
    assert list(open_lines(write("a.txt", content))) == lines


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-be", "utf-32", "gb18030", "utf-7"])
@pytest.mark.parametrize("block", [1, 3, 1 << 18])
def test_an_encoding_is_read_as_it_is_named(
    encoding: str, block: int, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bleuprint._read._source.BLOCK", block)
    lines = ["今天天气很好。", "", "a b", "𠀀𠀁 é", "last"]
    path = write("a.txt", "\r\n".join(lines).encode(encoding))
    assert list(open_lines(path, encoding=encoding)) == lines


@pytest.mark.parametrize("encoding", ["utf-8", "utf8", "UTF-8", "utf-8-sig", "utf-16-le"])
def test_a_byte_order_mark_is_dropped_with_a_note(encoding: str, write: Write) -> None:
    content = "\ufeffa\nb\ufeff\n".encode("utf-8" if "8" in encoding else encoding)
    lines = open_lines(write("a.txt", content), encoding=encoding)
    assert list(lines) == ["a", "b\ufeff"]
    (note,) = lines.notes
    assert (note.code, note.count, note.first) == ("byte-order-mark", 1, 1)
    assert lines.name in note.message


def test_a_file_without_a_byte_order_mark_has_no_notes(write: Write) -> None:
    lines = open_lines(write("a.txt", "a\n"))
    assert list(lines) == ["a"]
    assert lines.notes == ()


def test_the_byte_order_mark_that_utf_16_needs_is_not_noted(write: Write) -> None:
    lines = open_lines(write("a.txt", "a\n".encode("utf-16")), encoding="utf-16")
    assert list(lines) == ["a"]
    assert lines.notes == ()


@pytest.mark.parametrize("block", [1, 7, 1 << 18])
@pytest.mark.parametrize(
    ("content", "encoding", "line", "says"),
    [
        (b"a\nb\ncaf\xe9 au lait\n", "utf-8", 3, "0xe9"),
        (b"\xff\n", "utf-8", 1, "--encoding"),
        (b"a\nb\n\xe3\x81", "utf-8", 3, "unexpected end"),
        (b"a\nb\nc\x80\n", "ascii", 3, "ascii"),
        (b"a\n\x81\xff\n", "shift_jis", 2, "shift_jis"),
        (b"a\x00\n\x00b\x00\n\x00\x00\xd8x\x00", "utf-16-le", 3, "utf-16"),
        ("日\n本\n".encode("iso2022_jp") + b"\x1b$B\xff\xff", "iso2022_jp", 3, "iso2022_jp"),
        ("a\nb\nc".encode("utf-16")[:-1], "utf-16", 3, "utf-16"),
    ],
)
def test_what_does_not_decode_is_refused_with_file_and_line(
    content: bytes,
    encoding: str,
    line: int,
    says: str,
    block: int,
    write: Write,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bleuprint._read._source.BLOCK", block)
    path = write("a.txt", content)
    with pytest.raises(InputError) as caught:
        list(open_lines(path, encoding=encoding))
    message = str(caught.value)
    assert message.startswith(f"{path}, line {line}: ")
    assert says.lower() in message.lower()
    assert "\n" not in message


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_read_as_utf_8_is_recognised(encoding: str, write: Write) -> None:
    path = write("a.txt", "a sentence in English\n".encode(encoding))
    with pytest.raises(InputError, match=f"--encoding {encoding}"):
        list(open_lines(path))


@pytest.mark.parametrize("encoding", ["no-such", "rot13", "base64", "hex", "idna", "a\0b", ""])
def test_what_is_no_encoding_is_refused_at_once(encoding: str, write: Write) -> None:
    with pytest.raises(SettingError, match="encoding"):
        open_lines(write("a.txt", "a\n"), encoding=encoding)


def test_a_file_is_read_anew_each_time(write: Write) -> None:
    lines = open_lines(write("a.txt", "\ufeffa\nb\n"))
    assert list(lines) == list(lines) == ["a", "b"]
    assert len(lines.notes) == 1


def test_blocks_hold_the_same_lines(write: Write) -> None:
    content = [f"line {number}" for number in range(100_000)]
    lines = open_lines(write("a.txt", "\n".join(content)))
    blocks = list(lines.blocks())
    assert len(blocks) > 1
    assert [line for block in blocks for line in block] == content


def test_a_reading_that_is_given_up_leaves_no_file_open(write: Write) -> None:
    assert next(iter(open_lines(write("a.txt.gz", gzip.compress(b"a\nb\n"))))) == "a"


def test_a_stream_is_read_and_left_open() -> None:
    stream = io.BytesIO(b"a\nb\n")
    assert list(open_lines(stream)) == ["a", "b"]
    assert not stream.closed


def test_standard_input_is_read_where_the_name_is_a_dash(monkeypatch: pytest.MonkeyPatch) -> None:
    class Input:
        buffer = io.BytesIO(b"the big cat\rsat\tdown\n\xff")

    monkeypatch.setattr(sys, "stdin", Input)
    lines = open_lines("-")
    assert lines.name == "standard input"
    with pytest.raises(InputError, match="standard input, line 2"):
        list(lines)


def test_a_stream_of_text_is_refused() -> None:
    with pytest.raises(InputError, match="binary"):
        list(open_lines(io.StringIO("a\n")))  # type: ignore[arg-type]  # what is tested


# Paths


def test_a_missing_file_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.txt: there is no such file"):
        open_lines(tmp_path / "none.txt")


def test_a_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="directory"):
        open_lines(tmp_path)


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000, "", "no\nsuch", "\udcff"])
def test_an_impossible_path_is_refused_in_one_line(name: str) -> None:
    with pytest.raises(InputError) as caught:
        list(open_lines(name))
    assert str(caught.value).isprintable()


def test_a_number_sign_in_a_name_that_exists_is_part_of_the_name(write: Write) -> None:
    assert list(open_lines(write("a#b.txt", "a\n"))) == ["a"]


def test_plain_text_has_no_parts(write: Write) -> None:
    with pytest.raises(InputError, match="plain text"):
        open_lines(write("a.txt", "a\n") + "#text")


# Packed files

PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
}


@pytest.fixture(params=["gz", "bz2", "xz", "zst"])
def packed(request: pytest.FixtureRequest) -> tuple[str, Callable[[bytes], bytes]]:
    if request.param == "zst":
        pack = pytest.importorskip("zstandard").ZstdCompressor().compress
    else:
        pack = PACKERS[request.param]
    return request.param, pack


Packed = tuple[str, Callable[[bytes], bytes]]


def test_packed_files_are_unpacked(packed: Packed, write: Write) -> None:
    suffix, pack = packed
    content = "".join(f"línea {number}\r\n" for number in range(50_000))
    path = write(f"a.txt.{suffix}", pack(content.encode()))
    assert list(open_lines(path)) == content.split("\r\n")[:-1]


def test_packed_files_that_were_joined_are_read_to_the_end(packed: Packed, write: Write) -> None:
    suffix, pack = packed
    path = write(f"a.{suffix}", pack(b"a\nb") + pack(b"c\nd\n"))
    assert list(open_lines(path)) == ["a", "bc", "d"]


def test_a_packed_file_that_was_cut_off_is_refused(packed: Packed, write: Write) -> None:
    suffix, pack = packed
    content = pack("".join(f"{number * 7919}\n" for number in range(20_000)).encode())
    for length in (len(content) - 1, len(content) // 2, 5):
        with pytest.raises(InputError, match="cannot be read as"):
            list(open_lines(write(f"a.{suffix}", content[:length])))


def test_what_is_not_packed_as_its_name_says_is_refused(packed: Packed, write: Write) -> None:
    suffix, _ = packed
    with pytest.raises(InputError, match="cannot be read as"):
        list(open_lines(write(f"a.{suffix}", "plain text\n")))


def test_a_packed_file_under_a_plain_name_is_recognised(packed: Packed, write: Write) -> None:
    suffix, pack = packed
    says = "is not UTF-8" if suffix == "bz2" else rf"ends in \.{suffix}"
    with pytest.raises(InputError, match=says):
        list(open_lines(write("a.txt", pack(bytes(range(256)) * 9))))


def test_packed_tables_and_fields_are_read(write: Write) -> None:
    assert list(open_lines(write("a.tsv.gz", gzip.compress(b"a\tb\n")) + "#2")) == ["b"]
    assert list(open_lines(write("a.jsonl.xz", lzma.compress(b'{"t": "a"}\n')) + "#t")) == ["a"]


def test_a_bomb_is_refused(packed: Packed, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bleuprint._read._source.PACKED_FREE", 1 << 20)
    suffix, pack = packed
    path = write(f"a.txt.{suffix}", pack(b"a\n" * (1 << 20)))
    with pytest.raises(InputError, match="100 times its size"):
        for _ in open_lines(path).blocks():
            pass


def test_a_limit_of_bytes_replaces_the_ratio(write: Write) -> None:
    path = write("a.txt.gz", gzip.compress(b"a\n" * (40 << 20)))
    assert sum(len(block) for block in open_lines(path, max_bytes=80 << 20).blocks()) == 40 << 20
    with pytest.raises(InputError, match="more than the 1000 bytes"):
        list(open_lines(path, max_bytes=1000))
    with pytest.raises(InputError, match="more than the 3 bytes"):
        list(open_lines(write("a.txt", "abcd"), max_bytes=3))
    assert list(open_lines(write("a.txt", "abcd"), max_bytes=4)) == ["abcd"]
    with pytest.raises(SettingError):
        open_lines(path, max_bytes=0)


def test_a_long_line_is_read_and_one_beyond_the_limit_is_refused(write: Write) -> None:
    long = "é" * (1 << 20)
    assert list(open_lines(write("a.txt", f"a\n{long}\nb\n"))) == ["a", long, "b"]
    with pytest.raises(InputError, match="line 2: is longer than 16,777,216"):
        list(open_lines(write("a.txt", b"a\n" + b"x" * (1 << 25))))


# JSON Lines


@pytest.mark.parametrize(
    ("value", "field", "text"),
    [
        ({"t": "a"}, "t", "a"),
        ({"t": {"u": "a"}}, "t.u", "a"),
        ({"t": {"u.v": "a"}}, "t.u.v", "a"),
        ({"t.u": "a", "t": {"u": "b"}}, "t.u", "a"),
        ({"refs": ["a", "b"]}, "refs.1", "b"),
        ({"t": [{"u": "a"}]}, "t.0.u", "a"),
        ({"": "a"}, "x", None),
        ({"t": "a\nb\u2028c\ud800\0"}, "t", "a\nb\u2028c\ud800\0"),
        ({"t": ""}, "t", ""),
    ],
)
def test_a_field_is_read(value: object, field: str, text: str | None, write: Write) -> None:
    lines = open_lines(write("a.jsonl", json.dumps(value) + "\n"), field=field)
    if text is None:
        with pytest.raises(InputError):
            list(lines)
    else:
        assert list(lines) == [text]


@pytest.mark.parametrize(
    ("content", "line", "says"),
    [
        ('{"t": "a"}\n{"u": "b"}\n', 2, "there is no field 't' (of 't'); there is 'u'"),
        ('{"t": 3}\n', 1, "'t' holds a number"),
        ('{"t": null}\n', 1, "null"),
        ('{"t": true}\n', 1, "true or false"),
        ('{"t": ["a"]}\n', 1, "t.0"),
        ('{"t": {"u": "a"}}\n', 1, "an object"),
        ('"a"\n', 1, "in text"),
        ("17\n", 1, "a number"),
        ('["a"]\n', 1, "in a list of 1"),
        ("{}\n", 1, "no field at all"),
        ('{"t": "a"}\n\n{"t": "b"}\n', 2, "blank"),
        ('{"t": "a"\n', 1, "is not JSON"),
        ("plain text\n", 1, "FILE.jsonl#FIELD"),
        ('{"t": "a"} {"t": "b"}\n', 1, "extra data"),
        ("[" * 200_000 + "\n", 1, "nested too deeply"),
        ('{"t": ' + "9" * 1_000_000 + "}\n", 1, "a number"),
        ('{"t": "a"}\n{"t": "\x01"}', 2, "control character"),
    ],
)
def test_a_field_that_is_not_there_is_refused_with_its_line(
    content: str, line: int, says: str, write: Write
) -> None:
    path = write("a.jsonl", content)
    with pytest.raises(InputError) as caught:
        list(open_lines(path, field="t"))
    assert str(caught.value).startswith(f"{path}, line {line}: ")
    assert says in str(caught.value)


def test_blank_lines_may_end_json_lines(write: Write) -> None:
    assert list(open_lines(write("a.jsonl", '{"t": "a"}\n\n \n') + "#t")) == ["a"]


def test_a_field_option_makes_json_lines_of_any_name(write: Write) -> None:
    assert list(open_lines(write("a.txt", '{"t": "a"}\n'), field="t")) == ["a"]
    assert list(open_lines(io.BytesIO(b'{"t": "a"}\n'), field="t")) == ["a"]


def test_json_lines_without_a_field_are_refused(write: Write) -> None:
    with pytest.raises(InputError, match="#FIELD"):
        open_lines(write("a.jsonl", '{"t": "a"}\n'))


def test_the_part_after_the_path_goes_before_the_option(write: Write) -> None:
    assert list(open_lines(write("a.jsonl", '{"t": "a", "u": "b"}\n') + "#u", field="t")) == ["b"]
    assert list(open_lines(write("a.tsv", "t\tu\na\tb\n") + "#u", column="t")) == ["b"]


# Tables


@pytest.mark.parametrize("write_crlf", [False, True])
def test_quoted_cells_keep_delimiters_quotes_and_line_ends(write_crlf: bool, write: Write) -> None:
    cells = ['a, "b"', "one\ntwo", "", "tab\there", "lone\rCR", "x" * 200_000, "nul", "  b "]
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\r\n" if write_crlf else "\n")
    writer.writerow(["id", "the text"])
    writer.writerows(enumerate(cells))
    # written afterwards, as the csv module of Python 3.10 does not write it
    path = write("a.csv", file.getvalue().replace("nul", "nul\0"))
    cells = [cell.replace("nul", "nul\0") for cell in cells]
    assert list(open_lines(path, column="the text")) == cells
    assert list(open_lines(f"{path}#2")) == ["the text", *cells]
    assert list(open_lines(path, column=2)) == ["the text", *cells]


def test_a_tsv_is_cut_at_tabs(write: Write) -> None:
    path = write("a.tsv", 'id\ttext\n1\tsays "no", then "yes"\n2\t5" pipe\n')
    lines = open_lines(path, column="text")
    assert list(lines) == ['says "no", then "yes"', '5" pipe']
    assert lines.notes == ()


def test_a_column_option_makes_a_table_with_tabs_of_any_name(write: Write) -> None:
    assert list(open_lines(write("a.txt", "a,b\tc\n"), column="1")) == ["a,b"]
    assert list(open_lines(io.BytesIO(b"a\tb\n"), column=2)) == ["b"]


def test_a_table_of_one_column_may_have_empty_cells(write: Write) -> None:
    assert list(open_lines(write("a.csv", "text\n\na\n\n") + "#text")) == ["", "a", ""]


@pytest.mark.parametrize(
    ("content", "column", "line", "says"),
    [
        ("a\tb\n", "c", 1, "the first line names 'a', 'b'"),
        ("a\ta\n", "a", 1, "2 columns are named 'a'"),
        ("", "a", 1, "empty"),
        ("a\tb\n", "3", 1, "there is no column 3: the line has 2"),
        ("a\tb\n", "0", None, "count from 1"),
        ("a\tb\nc\n", "1", 2, "has 1 columns where the first line has 2"),
        ("a\tb\nc\td\te\n", "a", 2, "has 3 columns"),
        ('a\tb\n"c\nd"\te\n\n', "a", 4, "has 1 columns"),
        ('a\tb\n"c" d\te\n', "a", 2, "cut -f"),
        ('a\tb\nc\td\n"e\tf\ng\th\n', "a", 3, "cut -f"),
    ],
)
def test_a_table_that_does_not_fit_is_refused_with_its_line(
    content: str, column: str, line: int | None, says: str, write: Write
) -> None:
    path = write("a.tsv", content)
    with pytest.raises(InputError) as caught:
        list(open_lines(path, column=column))
    where = path if line is None else f"{path}, line {line}"
    assert str(caught.value).startswith(f"{where}: ")
    assert says in str(caught.value)


def test_an_empty_table_has_no_rows(write: Write) -> None:
    assert list(open_lines(write("a.tsv", ""), column=1)) == []


def test_a_table_without_a_column_is_refused(write: Write) -> None:
    with pytest.raises(InputError, match="#COLUMN"):
        open_lines(write("a.csv", "a,b\n"))


def test_the_limit_of_the_csv_module_is_left_as_it_was(write: Write) -> None:
    limit = csv.field_size_limit()
    cell = "x" * (limit + 1)
    rows = iter(open_lines(write("a.csv", f"{cell},b\n" * 3), column=1))
    assert next(rows) == cell
    assert csv.field_size_limit() == limit
    with pytest.raises(InputError):
        list(open_lines(write("a.csv", "a,b\n" + '"' + "x" * (1 << 24) + "y\n"), column=1))
    assert csv.field_size_limit() == limit


def test_a_heading_taken_for_a_segment_is_noted(write: Write) -> None:
    lines = open_lines(write("a.tsv", "id\tHypothesis\n1\ta\n"), column=2)
    assert list(lines) == ["Hypothesis", "a"]
    assert [note.code for note in lines.notes] == ["header-row"]


@pytest.mark.parametrize(
    ("rows", "codes"),
    [
        (["1\ta"] * 8 + ['2\t"Hello there."'], ["quotes-removed"]),
        (['"1"\t"a"'] * 8, []),
        (['1\t"a"'] * 8, []),
        (["1\ta"] * 8 + ['2\t"Hello, there."'], []),
        (["1\ta"] * 8 + ['2\t"Hello', 'there."'], ["quoted-line-ends"]),
    ],
)
def test_quotation_marks_in_a_tsv_that_may_be_text_are_noted(
    rows: list[str], codes: list[str], write: Write
) -> None:
    lines = open_lines(write("a.tsv", "\n".join(rows)), column=2)
    assert len(list(lines)) >= 8
    assert [note.code for note in lines.notes] == codes


def test_field_and_column_at_once_need_a_name_that_decides(write: Write) -> None:
    with pytest.raises(InputError, match="give one"):
        open_lines(write("a.txt", "a\n"), field="t", column="t")
    path = write("a.tsv", "t\na\n")
    assert list(open_lines(path, field="t", column="t")) == ["a"]


# Parquet


@pytest.fixture
def parquet(tmp_path: Path) -> Callable[..., str]:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")

    def write(columns: dict[str, Any], **options: Any) -> str:
        path = str(tmp_path / "a.parquet")
        pq.write_table(pa.table(columns), path, **options)
        return path

    return write


def test_a_parquet_column_is_read(parquet: Write) -> None:
    texts = [f"text {number % 700}\n\0" for number in range(3000)]
    pairs = [{"en": text, "de": text.upper()} for text in texts]
    path = parquet({"text": texts, "pair": pairs}, row_group_size=1000)
    assert list(open_lines(path, column="text")) == texts
    assert list(open_lines(f"{path}#pair.de")) == [text.upper() for text in texts]


@pytest.mark.parametrize("dictionary", [True, False])
def test_parquet_is_read_with_a_dictionary_and_without(dictionary: bool, parquet: Write) -> None:
    texts = [str(number % 7) for number in range(2000)]
    assert list(open_lines(parquet({"t": texts}, use_dictionary=dictionary), column="t")) == texts


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ({"u": ["a"]}, "no column 't'; its columns are 'u'"),
        ({"t": [1]}, "int64, not text"),
        ({"t": [b"a"]}, "byte_array, not text"),
        ({"t": [["a"]]}, "no column"),
        ({"t": ["a", None]}, "row 2: 't' holds null"),
        ({"t": [{"u": "a"}]}, "no column 't'; its columns are 't.u'"),
    ],
)
def test_a_parquet_column_that_is_not_text_is_refused(
    columns: dict[str, Any], says: str, parquet: Write
) -> None:
    with pytest.raises(InputError) as caught:
        list(open_lines(parquet(columns), column="t"))
    assert says in str(caught.value)


def test_a_parquet_list_is_refused(parquet: Write) -> None:
    with pytest.raises(InputError, match="holds a list"):
        list(open_lines(parquet({"t": [["a"]]}), column="t.list.element"))


def test_a_null_struct_in_parquet_is_refused(parquet: Write) -> None:
    with pytest.raises(InputError, match="row 2"):
        list(open_lines(parquet({"t": [{"u": "a"}, None]}), column="t.u"))


def test_what_is_no_parquet_is_refused(write: Write) -> None:
    pytest.importorskip("pyarrow")
    with pytest.raises(InputError, match="cannot be read as Parquet") as caught:
        list(open_lines(write("a.parquet", "PAR1 nonsense PAR1"), column="t"))
    assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match="#COLUMN"):
        open_lines(write("a.parquet", ""))


def test_a_parquet_bomb_is_refused(parquet: Write) -> None:
    texts = ["x" * 10_000_000 + str(number) for number in range(10)]
    path = parquet({"t": texts}, compression="zstd", use_dictionary=False)
    with pytest.raises(InputError, match="--max-bytes"):
        list(open_lines(path, column="t"))


def test_a_text_stored_once_in_parquet_is_held_once(parquet: Write) -> None:
    path = parquet({"t": ["x" * 1_000_000] * 200})
    assert len({id(text) for block in open_lines(path, column="t").blocks() for text in block}) == 1


# WMT test sets

WMT = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="wmttest2022.en-de">
  <collection id="general">
  <doc origlang="en" id="one" domain="news">
    <src lang="en"><p><seg id="1">A &amp; B</seg><seg id="2">two</seg></p><p><seg id="3"/></p></src>
    <ref lang="de" translator="A">
      <p><seg id="1">A und B</seg><seg id="2">zwei</seg><seg id="3"></seg></p></ref>
    <ref lang="de" translator="B">
      <p><seg id="3">drei</seg><seg id="1">A+B</seg><seg id="2">2</seg></p></ref>
    <hyp system="S" lang="de"><p><seg id="1">a</seg><seg id="2">b</seg><seg id="3">c</seg></p></hyp>
  </doc>
  </collection>
  <collection id="suite">
  <doc origlang="en" id="left out" testsuite="x"><src lang="en"><p><seg id="1">no</seg></p></src>
    <hyp system="S" lang="de"><p><seg id="1">nein</seg></p></hyp></doc>
  <doc origlang="en" id="two"><src lang="en"><p><seg id="1">three</seg></p></src>
    <ref lang="de" translator="A"><p><seg id="1">日本</seg></p></ref>
    <ref lang="de" translator="B"><p><seg id="1">d</seg></p></ref>
    <hyp system="S" lang="de"><p><seg id="1">d
e</seg></p></hyp></doc>
  </collection>
</dataset>
"""


@pytest.mark.parametrize(
    ("part", "lines"),
    [
        ("src", ["A & B", "two", "", "three"]),
        ("ref:A", ["A und B", "zwei", "", "日本"]),
        ("ref:B", ["A+B", "2", "drei", "d"]),
        ("hyp:S", ["a", "b", "c", "d\ne"]),
        ("hyp", ["a", "b", "c", "d\ne"]),
    ],
)
@pytest.mark.parametrize("block", [1, 1 << 18])
def test_a_side_of_a_wmt_test_set_is_read(
    part: str, lines: list[str], block: int, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bleuprint._read._source.BLOCK", block)
    assert list(open_lines(write("wmt.xml", WMT) + "#" + part)) == lines


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "latin-1"])
def test_xml_states_its_own_encoding(encoding: str, write: Write) -> None:
    declared = "utf-8" if encoding == "utf-8-sig" else encoding
    content = WMT.replace("utf-8", declared).replace("日本", "ü").encode(encoding)
    assert list(open_lines(write("wmt.xml", content) + "#ref:A"))[-1] == "ü"


@pytest.mark.parametrize(
    ("part", "old", "new", "says"),
    [
        ("ref", "", "", "several; choose one of #ref:A, #ref:B"),
        ("ref:C", "", "", "no reference by 'C'; it has 'A', 'B'"),
        ("hyp:T", "", "", "no hypothesis by 'T'; it has 'S'"),
        ("refs", "", "", "names no part"),
        ("src:A", "", "", "names no part"),
        ("ref:", "", "", "names no part"),
        ("ref:B", '<seg id="3">drei</seg>', "", "do not both have segment '3'"),
        ("ref:B", '<seg id="3">', '<seg id="4">', "do not both have segment"),
        ("ref:B", '<seg id="3">', '<seg id="1">', "segment '1' twice"),
        ("ref:A", 'translator="B"', 'translator="A"', "twice"),
        ("src", "<doc origlang", "<doc><doc origlang", "inside a document"),
        ("src", "dataset", "tstset", "root is <tstset>"),
        ("src", "</dataset>", "", "well-formed"),
        ("src", "A &amp; B", "A & B", "line 5: is not well-formed"),
        ("src", "&amp;", "&nbsp;", "undefined entity"),
        ("src", "encoding='utf-8'", "encoding='klingon'", "encoding"),
        ("src", "encoding='utf-8'", "encoding='shift_jis'", "cannot be read as XML"),
        ("src", "<dataset", "<!DOCTYPE dataset><dataset", "document type"),
    ],
)
def test_a_wmt_test_set_that_does_not_fit_is_refused(
    part: str, old: str, new: str, says: str, write: Write
) -> None:
    content = WMT.replace(old, new) if old else WMT
    with pytest.raises(InputError) as caught:
        list(open_lines(write("wmt.xml", content) + "#" + part))
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "declaration",
    [
        '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">',
        '<!ENTITY a SYSTEM "file:///etc/passwd">',
        '<!ENTITY % a SYSTEM "file:///etc/passwd"> %a;',
    ],
)
def test_entities_are_refused(declaration: str, write: Write) -> None:
    content = WMT.replace("<dataset", f"<!DOCTYPE dataset [{declaration}]><dataset")
    with pytest.raises(InputError, match="declares a document type or entities"):
        list(open_lines(write("wmt.xml", content.replace("A &amp; B", "&a;")) + "#src"))


def test_xml_without_a_part_is_refused(write: Write) -> None:
    with pytest.raises(InputError, match="#ref:TRANSLATOR"):
        open_lines(write("wmt.xml", WMT))


def test_a_segment_of_xml_has_a_longest_length(write: Write) -> None:
    content = WMT.replace(">two<", f">{'x' * (1 << 24)}y<")
    with pytest.raises(InputError, match="longer than"):
        list(open_lines(write("wmt.xml", content) + "#src"))
