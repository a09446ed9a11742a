"""th-newmm: the words of pythainlp's newmm by three engines, wherever and however it runs."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import bleuprint_th
from bleuprint import LineTooLongError
from bleuprint.plugin import Segmenter

pytest.importorskip("pythainlp")

from bleuprint_th._newmm import PLAIN_MAX_CHARS, PlainNewmm, ThaiWords
from bleuprint_th._newmm_fast import FastNewmm

Engine = Callable[..., Segmenter]
Cut = tuple[list[str], list[list[str]]]
(SPEC,) = bleuprint_th.bleuprint_segmenters()
DICTIONARY = ThaiWords.find()


@pytest.fixture(scope="module", params=["python", "compiled"])
def engine(request: pytest.FixtureRequest) -> Engine:
    """Either engine of ours."""
    if request.param == "python":
        return FastNewmm
    pytest.importorskip("bleuprint_th._fast")
    compiled: Engine = import_module("bleuprint_th._newmm_compiled").CompiledNewmm
    return compiled


@pytest.fixture(scope="module", params=["join", "split"])
def join_numbers(request: pytest.FixtureRequest) -> bool:
    return bool(request.param == "join")


@pytest.fixture(scope="module")
def plain(join_numbers: bool) -> Segmenter:
    return PlainNewmm(DICTIONARY, join_numbers=join_numbers)


@pytest.fixture(scope="module")
def fast(engine: Engine, join_numbers: bool) -> Segmenter:
    return engine(DICTIONARY, join_numbers=join_numbers)


@pytest.fixture(scope="module", params=["fast", "plain"])
def segmenter(request: pytest.FixtureRequest) -> Segmenter:
    """What a user gets."""
    return SPEC.build(engine=request.param)


# Checked against pythainlp 5.4.0.
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", []),
        (" \t\n\u3000\r", []),
        ("สวัสดีครับ ต่าง ๆ", ["สวัสดี", "ครับ", "ต่าง ๆ"]),
        ("ฉันรักภาษาไทย", ["ฉัน", "รัก", "ภาษาไทย"]),
        ("ตากลม", ["ตากลม"]),
        ("เวลา 12:30 น.", ["เวลา", "12:30", "น."]),
        ("ราคา ๑,๒๓๔.๕๐ บาท", ["ราคา", "๑,๒๓๔.๕๐", "บาท"]),
        ("“ผม”ชื่อ(abc123)", ["“", "ผม", "”", "ชื่อ", "(abc123)"]),
        ("ab-c123x", ["ab-c", "123", "x"]),
        ("เเปลก\ufffd", ["เ", "เปล", "ก", "\ufffd"]),
        ("ก\u200bข", ["ก", "\u200b", "ข"]),
    ],
)
def test_words_of_newmm(segmenter: Segmenter, line: str, words: list[str]) -> None:
    assert segmenter.segment_batch([line]) == [words]


@pytest.mark.parametrize("choice", ["fast", "plain"])
def test_parts_of_numbers_stay_apart_on_request(choice: str) -> None:
    segmenter = SPEC.build(engine=choice, numbers="split")
    assert segmenter.segment_batch(["เวลา 12:30 น."]) == [["เวลา", "12", ":30", "น."]]


def test_fingerprint_pins_release_and_dictionary(fast: Segmenter, plain: Segmenter) -> None:
    assert fast.fingerprint == plain.fingerprint
    assert set(fast.fingerprint) == {"pythainlp", "dict"}
    assert fast.fingerprint["dict"] == DICTIONARY.digest[:8]


def test_engine_stays_out_of_signatures() -> None:
    assert {key: option.neutral for key, option in SPEC.options.items()} == {
        "numbers": False,
        "engine": True,
    }


def test_plain_python_serves_where_nothing_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bleuprint_th._fast", None)
    monkeypatch.delitem(sys.modules, "bleuprint_th._newmm_compiled", raising=False)
    assert isinstance(SPEC.build(), FastNewmm)


# --- the same words as pythainlp's own code

#: One of each kind that the rules for clusters tell apart, and some that none of them knows.
KINDS = "กรวยอะัาำิีืุเแโไ็่์ๆ๑1a \n"


def random_line(rng: random.Random, words: list[str]) -> str:
    """Make a line of dictionary words and of all that newmm has rules of its own for."""
    parts: list[str] = []
    for _ in range(rng.randint(1, 14)):
        kind = rng.randrange(10)
        if kind < 4:
            parts.append(rng.choice(words))
        elif kind == 4:  # pieces of words, and clusters that are broken
            word = rng.choice(words)
            parts.append(word[rng.randrange(len(word)) :])
        elif kind == 5:
            parts.append("".join(rng.choice(KINDS) for _ in range(rng.randint(1, 8))))
        elif kind == 6:
            parts.append(
                "".join(chr(rng.randint(0x0E00, 0x0E7F)) for _ in range(rng.randint(1, 4)))
            )
        elif kind == 7:
            parts.append("".join(rng.choice("09๑๙１,.:") for _ in range(rng.randint(1, 8))))
        elif kind == 8:
            parts.append("".join(rng.choice("azAZ-'é“”\"(中") for _ in range(rng.randint(1, 5))))
        else:
            parts.append(
                rng.choice([*" \t\n\rๆฯ.\u200b\u00a0\u3000\u2028\x85😀", "\r\n", "  ", "ๆ "])
            )
    return "".join(parts)


def random_lines(count: int, seed: int) -> list[str]:
    words = sorted(DICTIONARY.words)
    rng = random.Random(seed)
    return [random_line(rng, words) for _ in range(count)]


def random_clusters(count: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    return ["".join(rng.choice(KINDS) for _ in range(rng.randint(4, 12))) for _ in range(count)]


@pytest.fixture(scope="module")
def random_text(plain: Segmenter) -> Cut:
    lines = random_lines(4_000, seed=1)
    return lines, plain.segment_batch(lines)


@pytest.fixture(scope="module")
def real_text(plain: Segmenter, shared_data: Path) -> Cut:
    paths = [shared_data / "ntrex" / "th.txt", *shared_data.glob("flores-dev/th/*.txt")]
    lines = list(dict.fromkeys("\n".join(p.read_text("utf-8") for p in paths).split("\n")))
    assert len(lines) > 3_900
    return lines, plain.segment_batch(lines)


def test_random_lines_are_cut_alike(fast: Segmenter, random_text: Cut) -> None:
    lines, words = random_text
    assert fast.segment_batch(lines) == words


def test_real_text_is_cut_alike(fast: Segmenter, real_text: Cut) -> None:
    lines, words = real_text
    assert fast.segment_batch(lines) == words


def test_text_of_the_web_is_cut_alike(fast: Segmenter, plain: Segmenter, shared_data: Path) -> None:
    text = (shared_data / "ud" / "th.wisesight-160.label").read_text("utf-8")
    lines = [*text.split("\n"), *text.replace("|", "").split("\n")]
    assert fast.segment_batch(lines) == plain.segment_batch(lines)


@pytest.mark.slow
def test_200_000_random_lines_are_cut_alike(fast: Segmenter, plain: Segmenter) -> None:
    for seed in range(20):
        lines = random_lines(10_000, seed=100 + seed)
        assert fast.segment_batch(lines) == plain.segment_batch(lines)


@pytest.mark.slow
def test_text_of_other_languages_is_cut_alike(
    fast: Segmenter, plain: Segmenter, shared_data: Path
) -> None:
    paths = [*shared_data.glob("ntrex/*.txt"), *shared_data.glob("flores-dev/*/*.txt")]
    lines = list(dict.fromkeys("\n".join(p.read_text("utf-8") for p in paths).split("\n")))
    assert fast.segment_batch(lines) == plain.segment_batch(lines)


def test_pythainlp_itself_cuts_real_text_so(
    fast: Segmenter, plain: Segmenter, join_numbers: bool, real_text: Cut
) -> None:
    from pythainlp.tokenize import word_tokenize  # imported already, by `plain`, and read-only

    lines = real_text[0][:2_000]
    assert fast.segment_batch(lines) == [
        [
            word
            for word in word_tokenize(line, engine="newmm", join_broken_num=join_numbers)
            if not word.isspace()
        ]
        for line in lines
    ]


def made_of(*words: str) -> ThaiWords:
    return ThaiWords(words=frozenset(words), release="0", digest="0" * 64)


def every_string(alphabet: str, longest: int) -> Iterator[str]:
    for size in range(1, longest + 1):
        yield from map("".join, product(alphabet, repeat=size))


def test_clusters_are_found_alike(engine: Engine) -> None:
    """Where any short string is a word, clusters alone decide where words may end."""
    dictionary = made_of(*every_string(KINDS.replace(" ", "").replace("\n", ""), 2))
    lines = [*every_string(KINDS, 3), *random_clusters(4_000, seed=3)]
    theirs = PlainNewmm(dictionary, join_numbers=False).segment_batch(lines)
    assert engine(dictionary, join_numbers=False).segment_batch(lines) == theirs


@pytest.mark.slow
def test_200_000_lines_of_clusters_are_found_alike(engine: Engine) -> None:
    dictionary = made_of(*every_string(KINDS.replace(" ", "").replace("\n", ""), 2))
    lines = random_clusters(200_000, seed=4)
    theirs = PlainNewmm(dictionary, join_numbers=False).segment_batch(lines)
    assert engine(dictionary, join_numbers=False).segment_batch(lines) == theirs


FEW = "กาคร1.:a"


@settings(deadline=None)
@given(
    st.sets(st.text(FEW, min_size=1, max_size=6), min_size=1, max_size=12),
    st.lists(st.text(FEW + " ", max_size=24), max_size=4),
    st.booleans(),
)
@example({"กา", "กากา", "กากากา", "าก"}, ["กา" * 80], False)
@example({"กร", "กรก", "กค", "รกค", "คร"}, ["กรกครกคร"], False)
def test_any_dictionary_is_used_alike(
    engine: Engine, words: set[str], lines: list[str], join: bool
) -> None:
    dictionary = made_of(*words)
    theirs = PlainNewmm(dictionary, join_numbers=join).segment_batch(lines)
    assert engine(dictionary, join_numbers=join).segment_batch(lines) == theirs


@pytest.mark.parametrize(
    "words",
    [
        ("ก", "กก", "กกก"),
        ("กก", "กกก"),
        ("กก", "กกกก", "กกกกก", "กกกกกก", "กกกกกกก"),
        tuple("ก" * size for size in range(1, 70)),
        tuple("ก" * size for size in range(2, 70, 2)),
    ],
)
def test_long_choice_is_cut_off_alike(engine: Engine, words: tuple[str, ...]) -> None:
    dictionary = made_of(*words)
    lines = ["ก" * size for size in range(1, 300, 7)]
    theirs = PlainNewmm(dictionary, join_numbers=False).segment_batch(lines)
    assert engine(dictionary, join_numbers=False).segment_batch(lines) == theirs


def test_threads_share_a_segmenter(fast: Segmenter) -> None:
    batches = [random_lines(200, seed) for seed in range(8)]
    expected = [fast.segment_batch(batch) for batch in batches]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(fast.segment_batch, batches)) == expected


@pytest.mark.parametrize(
    "unit", ["การกรรมกรกรรมการ", "ตากลม", "ก", "า", "่", "1", "๑", "1.2:", "a", "x ", "\r", "😀"]
)
def test_line_of_a_megabyte(engine: Engine, unit: str) -> None:
    line = unit * (1_000_000 // len(unit.encode()))
    (words,) = engine(DICTIONARY, join_numbers=True).segment_batch([line])
    assert "".join(words) == "".join(line.split())


def test_plain_engine_refuses_lines_that_would_take_minutes() -> None:
    segmenter = SPEC.build(engine="plain")
    with pytest.raises(LineTooLongError, match=f"line 2 .* {PLAIN_MAX_CHARS + 1:,} characters"):
        segmenter.segment_batch(["ก", "ก" * (PLAIN_MAX_CHARS + 1)])


# --- wherever it runs


LOOK = """
import json, os, sys
before = dict(os.environ)
import bleuprint_th
made = bleuprint_th.build_newmm(engine=ENGINE)
print(json.dumps([made.segment_batch(["สวัสดีครับ ต่าง ๆ"])[0], before == dict(os.environ),
                  "pythainlp" in sys.modules]))
"""


@pytest.mark.parametrize("choice", ["fast", "plain"])
@pytest.mark.parametrize(
    "variables",
    [
        {"HOME": "{directory}"},
        {"HOME": "{directory}/file"},
        {"HOME": None},
        {"HOME": "{directory}", "PYTHAINLP_READ_MODE": "0"},
        {"HOME": "{directory}", "PYTHAINLP_READ_ONLY": "0"},
        {"HOME": "{directory}", "PYTHAINLP_DATA": "{directory}/data"},
    ],
    ids=["home", "no directory", "no home", "old variable", "variable", "data"],
)
def test_nothing_is_written_in_any_home(
    run_python: Callable[..., Any],
    tmp_path: Path,
    choice: str,
    variables: dict[str, str | None],
) -> None:
    (tmp_path / "file").touch()
    environment = {
        name: value and value.format(directory=tmp_path) for name, value in variables.items()
    }
    found = run_python(LOOK.replace("ENGINE", repr(choice)), **environment)
    assert found == [["สวัสดี", "ครับ", "ต่าง ๆ"], True, choice == "plain"]
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_what_others_do_to_pythainlps_dictionary_moves_nothing(
    run_python: Callable[..., Any],
) -> None:
    code = """
import json
import bleuprint_th
made = [bleuprint_th.build_newmm(engine=engine) for engine in ("fast", "plain")]
from pythainlp.tokenize import word_dict_trie
word_dict_trie().add("สวัสดีครับ")
word_dict_trie().remove("สวัสดี")
made += [bleuprint_th.build_newmm(engine=engine) for engine in ("fast", "plain")]
print(json.dumps([one.segment_batch(["สวัสดีครับ"])[0] for one in made]))
"""
    assert run_python(code, PYTHAINLP_READ_ONLY="1") == [["สวัสดี", "ครับ"]] * 4


def test_incomplete_pythainlp_is_an_error(run_python: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "pythainlp").mkdir()
    (tmp_path / "pythainlp" / "__init__.py").touch()
    code = """
import json, bleuprint, bleuprint_th
try:
    bleuprint_th.build_newmm()
except bleuprint.EngineError as error:
    print(json.dumps(str(error)))
"""
    message = run_python(code, PYTHONPATH=str(tmp_path))
    assert "incomplete" in message
    assert 'pip install "bleuprint[th]"' in message
