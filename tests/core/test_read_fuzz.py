"""Whatever a file holds, reading it gives its lines or one error in one line."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bleuprint import BleuprintError, Scorer
from bleuprint._errors import InputError
from bleuprint._read import open_lines
from bleuprint.cli._inputs import Inputs
from bleuprint.cli.score import count_files

TEXT = "今天天气很不错。\r\nHe said “no”.\n\n&quot;é\u0301\u200b\u2028x\n@@ <unk> .\n"
WMT = (
    "<?xml version='1.0' encoding='utf-8'?><dataset id='d'><doc id='o' origlang='en'>"
    "<src lang='en'><p><seg id='1'>A &amp; B</seg><seg id='2'>b</seg></p></src>"
    "<ref lang='de' translator='A'><p><seg id='1'>á</seg><seg id='2'/></p></ref>"
    "<hyp system='S' lang='de'><p><seg id='1'>c</seg><seg id='2'>d</seg></p></hyp></doc></dataset>"
)
TABLE = 'id\ttext\n1\ta\n2\t"b\tb""b\nb"\n3\t\n'
JSON = "\n".join(json.dumps({"t": {"u": text, "v": [text]}}) for text in TEXT.split("\n"))


def _zst(content: bytes) -> bytes:
    return bytes(pytest.importorskip("zstandard").ZstdCompressor().compress(content))


def _parquet(content: bytes) -> bytes:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    texts = content.decode().split("\n")
    table = pa.table({"text": texts, "n": [{"m": text} for text in texts]})
    sink = io.BytesIO()
    parquet.write_table(table, sink)
    return sink.getvalue()


#: By name, and the part to be read: how a sound file is made of `TEXT`.
SEEDS: dict[str, Callable[[], bytes]] = {
    "a.txt": lambda: TEXT.encode(),
    "a.txt.gz": lambda: gzip.compress(TEXT.encode(), mtime=0),
    "a.txt.bz2": lambda: bz2.compress(TEXT.encode()),
    "a.txt.xz": lambda: lzma.compress(TEXT.encode()),
    "a.txt.zst": lambda: _zst(TEXT.encode()),
    "a.jsonl#t.u": lambda: JSON.encode(),
    "a.jsonl.gz#t.v.0": lambda: gzip.compress(JSON.encode(), mtime=0),
    "a.tsv#text": lambda: TABLE.encode(),
    "a.csv#2": lambda: TABLE.replace("\t", ",").encode(),
    "a.xml#ref:A": lambda: WMT.encode(),
    "a.xml.gz#hyp": lambda: gzip.compress(WMT.encode(), mtime=0),
    "a.parquet#text": lambda: _parquet(TEXT.encode()),
    "a.parquet#n.m": lambda: _parquet(TEXT.encode()),
}

#: Pieces that formats are made of, which random bytes would hardly ever be.
PIECES = [
    *[b"\n", b"\r\n", b"\r", b"\0", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b'"'],
    *[b"\t", b",", b"<seg id='1'>", b"</p>", b"<!DOCTYPE d [<!ENTITY e 'e'>]>", b"&e;", b"]]>"],
    *[
        b'{"t":',
        b"[",
        b"]",
        b"}",
        b"NaN",
        b"1e999",
        b'"\\ud800"',
        b"PAR1",
        b"\x1f\x8b\x08",
        b"BZh9",
    ],
    *[
        "\u2028".encode(),
        "\x85".encode(),
        "\ufeff".encode(),
        "𠀀".encode(),
        b"\x00" * 64,
        b"9" * 40,
    ],
]

ENCODINGS = ["utf-8", "utf-16", "utf-16-le", "utf-32", "latin-1", "gb18030", "shift_jis", "utf-7"]
ENCODINGS += ["cp1252", "euc_kr", "iso2022_jp", "hz", "big5hkscs", "utf-8-sig", "ascii"]


def mutate(content: bytes, rng: random.Random) -> bytes:
    """Change a few places: flip bits, cut, repeat, or put in a piece of some format."""
    data = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        at, end = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        kind = rng.randrange(6)
        if kind == 0 and data:
            data[at % len(data)] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del data[at : min(end, at + 40)]
        elif kind == 2:
            data[at:at] = data[at : min(end, at + 200)] * rng.choice((1, 2, 9))
        elif kind == 3:
            data[at:at] = rng.choice(PIECES)
        elif kind == 4:
            data[at : at + rng.randrange(8)] = rng.randbytes(rng.randrange(8))
        else:
            del data[at:]
    return bytes(data)


def read(source: str, **options: str) -> list[str] | str:
    """Read a file; return its lines, or what was said about it, which must be one line."""
    try:
        lines = open_lines(source, max_bytes=1 << 22, **options)
        texts = list(lines)
    except InputError as error:
        message = str(error)
        assert message.isprintable()
        assert "a." in message
        return message
    assert all(isinstance(text, str) for text in texts)
    assert all(note.message.isprintable() for note in lines.notes)
    return texts


def mutants(name: str, count: int, folder: Path) -> Iterator[str]:
    """Write one changed file after the other under the same name, and yield what to open."""
    rng = random.Random(name)
    content = SEEDS[name]()
    path, _, _ = name.partition("#")
    for _ in range(count):
        (folder / path).write_bytes(mutate(content, rng))
        yield str(folder / name)


@pytest.mark.parametrize("name", SEEDS)
def test_seeds_are_sound(name: str, tmp_path: Path) -> None:
    (tmp_path / name.partition("#")[0]).write_bytes(SEEDS[name]())
    assert isinstance(read(str(tmp_path / name)), list)


@pytest.mark.parametrize("name", SEEDS)
def test_changed_files_give_lines_or_one_error(name: str, tmp_path: Path) -> None:
    outcomes = {type(read(source)) for source in mutants(name, 300, tmp_path)}
    assert str in outcomes or name == "a.csv#2"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(
    content=st.one_of(
        st.binary(max_size=200),
        st.lists(st.one_of(st.sampled_from(PIECES), st.binary(max_size=8))).map(b"".join),
    ),
    name=st.sampled_from(sorted({*SEEDS, "a.txt#x", "a.json#t"})),
    encoding=st.sampled_from(ENCODINGS),
)
def test_any_bytes_give_lines_or_one_error(
    content: bytes, name: str, encoding: str, tmp_path: Path
) -> None:
    (tmp_path / name.partition("#")[0]).write_bytes(content)
    if "parquet" in name:
        pytest.importorskip("pyarrow")
    read(str(tmp_path / name), encoding=encoding)


@given(content=st.binary(max_size=60), encoding=st.sampled_from(ENCODINGS))
def test_what_decodes_as_a_whole_decodes_in_blocks_to_the_same(
    content: bytes, encoding: str
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        whole = _read_stream(content, encoding)
        patch.setattr("bleuprint._read._source.BLOCK", 3)
        assert _read_stream(content, encoding) == whole


def _read_stream(content: bytes, encoding: str) -> list[str] | str:
    try:
        return list(open_lines(io.BytesIO(content), encoding=encoding))
    except InputError as error:
        # what the first block alone shows of other formats depends on its size
        return str(error).partition(": ")[0]


@given(st.lists(st.text(st.characters(exclude_characters="\n", codec="utf-8")), min_size=1))
def test_text_is_read_as_it_was_written(texts: list[str]) -> None:
    content = "".join(f"{text}\n" for text in texts)
    expected = [text.removesuffix("\r") for text in texts]
    expected[0] = expected[0].removeprefix("\ufeff")
    if content.startswith(("\ufffe", "\x1f\x8b")) or content[:9].count("\0") > 1:
        return  # may be taken for something else, and refused
    assert list(open_lines(io.BytesIO(content.encode()))) == expected


def score_mutants(name: str, count: int, folder: Path) -> None:
    """Score changed files against a sound one as the command does: a result or a one-line error."""
    reference = folder / "reference.txt"
    reference.write_bytes(TEXT.encode())
    scorer, inputs = Scorer(segmenter="13a"), Inputs(max_bytes=1 << 22)
    outcomes = set()
    for source in mutants(name, count, folder):
        refusal = None
        try:
            (statistics,), notes = count_files(scorer, inputs, [str(reference)], [source])
        except BleuprintError as error:
            refusal = str(error)
        if refusal is not None:
            assert refusal.isprintable()
            assert "a." in refusal
            outcomes.add("refused")
            continue
        score = scorer.score(statistics)
        assert 0 <= score.score <= 100
        assert all(note.message.isprintable() for note in (*notes, *score.notes))
        outcomes.add("scored")
    assert "refused" in outcomes, "the changes did not reach the file"


@pytest.mark.parametrize("name", SEEDS)
def test_changed_files_score_or_give_one_error(name: str, tmp_path: Path) -> None:
    score_mutants(name, 100, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", SEEDS)
def test_a_hundred_thousand_changed_files_score_or_give_one_error(
    name: str, tmp_path: Path
) -> None:
    score_mutants(name, 100_000 // len(SEEDS) + 1, tmp_path)
