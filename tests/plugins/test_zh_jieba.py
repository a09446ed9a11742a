"""zh-jieba: jieba's words by three engines, whatever else the process does with jieba."""

from __future__ import annotations

import marshal
import random
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import bleuprint_zh
from bleuprint import EngineError
from bleuprint.plugin import Segmenter

pytest.importorskip("jieba")

from bleuprint_zh._jieba import JiebaFiles, PlainJieba
from bleuprint_zh._jieba_fast import FastJieba

Engine = Callable[..., Segmenter]
(SPEC,) = (spec for spec in bleuprint_zh.bleuprint_segmenters() if spec.name == "zh-jieba")
FILES = JiebaFiles.find()


@pytest.fixture(scope="module", params=["python", "compiled"])
def engine(request: pytest.FixtureRequest) -> Engine:
    """Either engine of ours."""
    if request.param == "python":
        return FastJieba
    pytest.importorskip("bleuprint_zh._fast")
    compiled: Engine = import_module("bleuprint_zh._jieba_compiled").CompiledJieba
    return compiled


@pytest.fixture(scope="module", params=["on", "off"])
def hmm(request: pytest.FixtureRequest) -> bool:
    return bool(request.param == "on")


@pytest.fixture(scope="module")
def plain(hmm: bool) -> Segmenter:
    return PlainJieba(FILES, hmm=hmm)


@pytest.fixture(scope="module")
def fast(engine: Engine, hmm: bool) -> Segmenter:
    return engine(FILES, hmm=hmm)


@pytest.fixture(scope="module")
def default() -> Segmenter:
    return SPEC.build()


@pytest.fixture(scope="module")
def plain_default() -> Segmenter:
    return SPEC.build(engine="plain")


# Checked against jieba 0.42.1.
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", ""),
        (" \t\u3000\u2028\r\n", ""),
        ("他来到了网易杭研大厦", "他 来到 了 网易 杭研 大厦"),
        ("今天天气很不错", "今天天气 很 不错"),
        ("小明硕士毕业于中国科学院计算所", "小明 硕士 毕业 于 中国科学院 计算所"),
        ("KSWB-TV，1-0！", "KSWB - TV ， 1 - 0 ！"),
        ("涨了3.5%，用C++写。", "涨 了 3.5% ， 用 C++ 写 。"),
        ("𠀀龥㐀\ufffd", "𠀀 龥 㐀 \ufffd"),
        ("哈哈哈哈哈", "哈哈哈 哈哈"),
        ("中国\u3000北京\x85上海", "中国 北京 上海"),
    ],
)
def test_words_of_jieba(
    default: Segmenter, plain_default: Segmenter, line: str, words: str
) -> None:
    assert default.segment_batch([line]) == [words.split()]
    assert plain_default.segment_batch([line]) == [words.split()]


def test_without_the_model_unknown_words_fall_apart(engine: Engine) -> None:
    lines = ["他来到了网易杭研大厦", "abc123网 x.y"]
    assert engine(FILES, hmm=False).segment_batch(lines) == [
        ["他", "来到", "了", "网易", "杭", "研", "大厦"],
        ["abc123", "网", "x", ".", "y"],
    ]


def test_fingerprint_pins_release_and_dictionary(fast: Segmenter, plain: Segmenter) -> None:
    assert fast.fingerprint == plain.fingerprint == {"jieba": "0.42.1", "dict": "7197c321"}


def test_engine_stays_out_of_signatures() -> None:
    assert {key: option.neutral for key, option in SPEC.options.items()} == {
        "hmm": False,
        "engine": True,
    }


def test_plain_python_serves_where_nothing_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bleuprint_zh._fast", None)
    monkeypatch.delitem(sys.modules, "bleuprint_zh._jieba_compiled", raising=False)
    assert isinstance(SPEC.build(), FastJieba)


# --- the same words as jieba's own code


def random_line(rng: random.Random, words: list[str]) -> str:
    """Make a line of dictionary words and of all that is rare in jieba's input."""
    parts: list[str] = []
    for _ in range(rng.randint(1, 12)):
        kind = rng.randrange(10)
        if kind < 4:
            parts.append(rng.choice(words))
        elif kind == 4:  # any Han of the main block
            parts.append(
                "".join(chr(rng.randint(0x4E00, 0x9FD5)) for _ in range(rng.randint(1, 5)))
            )
        elif kind == 5:  # Han at the edges of the block and outside
            ranges = ((0x3400, 0x4DBF), (0x9FD0, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF))
            parts.append(chr(rng.randint(*rng.choice(ranges))))
        elif kind == 6:
            parts.append(rng.choice([*"哈啊一的", rng.choice(words)]) * rng.randint(2, 8))
        elif kind == 7:
            letters = "aAzZ09xK5+#&._%-"
            parts.append("".join(rng.choice(letters) for _ in range(rng.randint(1, 7))))
        elif kind == 8:  # pieces of words, which leave the model work to do
            word = rng.choice(words)
            parts.append(word[rng.randrange(len(word)) :])
        else:
            parts.append(rng.choice([*" \t\n\r，。！？（）“”…·γ１２ａé\u3000\u2028\x85😀", "\r\n"]))
    return "".join(parts)


def random_lines(count: int, seed: int) -> list[str]:
    words = [line.split(" ")[0] for line in FILES.dictionary.decode().splitlines()]
    rng = random.Random(seed)
    return [random_line(rng, words) for _ in range(count)]


Cut = tuple[list[str], list[list[str]]]


@pytest.fixture(scope="module")
def random_text(plain: Segmenter) -> Cut:
    lines = random_lines(3_000, seed=1)
    return lines, plain.segment_batch(lines)


@pytest.fixture(scope="module")
def real_text(plain: Segmenter, shared_data: Path) -> Cut:
    paths = [*shared_data.glob("ntrex/zh*.txt"), *shared_data.glob("flores-dev/zh/*.txt")]
    lines = list(dict.fromkeys("\n".join(p.read_text("utf-8") for p in paths).split("\n")))
    assert len(lines) > 8_000
    return lines, plain.segment_batch(lines)


def test_random_lines_are_cut_alike(fast: Segmenter, random_text: Cut) -> None:
    lines, words = random_text
    assert fast.segment_batch(lines) == words


def test_real_text_is_cut_alike(fast: Segmenter, real_text: Cut) -> None:
    lines, words = real_text
    assert fast.segment_batch(lines) == words


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


def test_jieba_itself_cuts_real_text_so(fast: Segmenter, hmm: bool, shared_data: Path) -> None:
    tokenizer = pytest.importorskip("jieba").Tokenizer()
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True  # without its cache
    lines = (shared_data / "ntrex" / "zh.txt").read_text("utf-8").split("\n")
    theirs = [tokenizer.lcut(line, HMM=hmm) for line in lines]
    assert fast.segment_batch(lines) == [
        [word for word in words if not word.isspace()] for words in theirs
    ]


LETTERS = "一中国人abC1+-.%γ 。"


def dictionaries() -> st.SearchStrategy[bytes]:
    """Small dictionaries with few counts, so that many paths are equally likely."""
    word = st.text(st.sampled_from(LETTERS.replace(" ", "")), min_size=1, max_size=5)
    entries = st.lists(st.tuples(word, st.integers(0, 3)), max_size=12)
    return entries.map(
        lambda found: "".join(f"{w} {n} x\n" for w, n in [*found, ("国", 5)]).encode()
    )


@settings(deadline=None)  # each builds two engines
@given(dictionaries(), st.lists(st.text(LETTERS, max_size=20), max_size=4), st.booleans())
@example("一 0 x\n一中 1 x\n中 1 x\n一 1 x\n国 5 x\n".encode(), ["一中一国"], True)
def test_any_dictionary_is_used_alike(
    engine: Engine, dictionary: bytes, lines: list[str], hmm: bool
) -> None:
    files = replace(FILES, dictionary=dictionary)
    theirs = PlainJieba(files, hmm=hmm)
    assert engine(files, hmm=hmm).segment_batch(lines) == theirs.segment_batch(lines)


def test_threads_share_a_segmenter(fast: Segmenter) -> None:
    batches = [random_lines(200, seed) for seed in range(8)]
    expected = [fast.segment_batch(batch) for batch in batches]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(fast.segment_batch, batches)) == expected


@pytest.mark.parametrize("unit", ["中华人民共和国", "哈", "x", "%", "1.", "，", "𠀀", "龥", " "])
def test_line_of_a_megabyte(engine: Engine, unit: str) -> None:
    line = unit * (1_000_000 // len(unit.encode()))
    (words,) = engine(FILES, hmm=True).segment_batch([line])
    assert "".join(words) == line.replace(" ", "")


# --- apart from the rest of the process

PROBE = "他来到了网易杭研大厦"
EXPECTED = ["他", "来到", "了", "网易", "杭研", "大厦"]
SEGMENT = f"""
import json
import bleuprint_zh
line = {PROBE!r}
made = bleuprint_zh.build_jieba(engine=ENGINE)
"""
SEGMENT_ONCE = SEGMENT + "print(json.dumps(made.segment_batch([line])[0]))"
DAMAGE = (
    'jieba.add_word("杭研大厦")',
    'jieba.del_word("杭研")',
    'jieba.add_word("来到", 0)',
    'jieba.suggest_freq(("来", "到"), True)',
    "jieba.re_han_default = jieba.re_skip_default",
    "jieba.finalseg.emit_P.clear()",
    "jieba.finalseg.cut = list",
    "jieba.Tokenizer.cut = list",
)


@pytest.mark.parametrize("choice", ["fast", "plain"])
def test_what_others_do_to_jieba_moves_nothing(
    run_python: Callable[..., Any], tmp_path: Path, choice: str
) -> None:
    code = f"""{SEGMENT}
import jieba
jieba.setLogLevel(60)
found = []
for damage in {DAMAGE!r}:
    exec(damage)
    found += made.segment_batch([line])
print(json.dumps(found + bleuprint_zh.build_jieba(engine=ENGINE).segment_batch([line])))
"""
    code = code.replace("ENGINE", repr(choice))
    found = run_python(code, warnings="ignore", TMPDIR=str(tmp_path))  # for jieba's own cache
    assert found == [EXPECTED] * (len(DAMAGE) + 1)


@pytest.mark.parametrize("choice", ["fast", "plain"])
def test_others_find_jieba_untouched(run_python: Callable[..., Any], choice: str) -> None:
    code = f"""
import logging, sys, warnings
filters = list(warnings.filters)
{SEGMENT}
made.segment_batch([line])
print(json.dumps([sorted(name for name in sys.modules if name.split(".")[0] == "jieba"),
                  sorted(n for n in logging.root.manager.loggerDict if n.startswith("jieba")),
                  logging.root.handlers, filters == warnings.filters]))
"""
    assert run_python(code.replace("ENGINE", repr(choice))) == [[], [], [], True]


@pytest.mark.parametrize("choice", ["fast", "plain"])
@pytest.mark.parametrize("planted", ["none", "doctored"])
def test_jiebas_cache_is_neither_read_nor_written(
    run_python: Callable[..., Any], tmp_path: Path, choice: str, planted: str
) -> None:
    cache = tmp_path / "jieba.cache"
    if planted == "doctored":
        cache.write_bytes(marshal.dumps(({"他": 0, "他来": 0, "他来到": 10**9}, 10**9)))
    before = [(path.name, path.stat()) for path in tmp_path.iterdir()]
    code = SEGMENT_ONCE.replace("ENGINE", repr(choice))
    assert run_python(code, TMPDIR=str(tmp_path), HOME=str(tmp_path)) == EXPECTED
    after = [(path.name, path.stat()) for path in tmp_path.iterdir()]
    assert [(name, s.st_mtime_ns, s.st_size, s.st_ino) for name, s in after] == [
        (name, s.st_mtime_ns, s.st_size, s.st_ino) for name, s in before
    ]


@pytest.mark.parametrize("choice", ["fast", "plain"])
def test_no_temporary_directory_is_needed(
    run_python: Callable[..., Any], tmp_path: Path, choice: str
) -> None:
    code = SEGMENT_ONCE.replace("ENGINE", repr(choice))
    assert run_python(code, TMPDIR=str(tmp_path / "missing")) == EXPECTED


def test_two_threads_build_the_plain_engine() -> None:
    with ThreadPoolExecutor(2) as pool:
        made = list(pool.map(lambda _: SPEC.build(engine="plain"), range(2)))
    assert [one.segment_batch([PROBE]) for one in made] == [[EXPECTED], [EXPECTED]]


# --- an installation that is not as it should be


@pytest.mark.parametrize(
    "dictionary", [b"", b"\n", b"a\n", b"a 1\n", b"a b x\n", b"a 1 x y\nb 1 x\n"]
)
def test_dictionary_of_another_shape_is_an_error(engine: Engine, dictionary: bytes) -> None:
    with pytest.raises(EngineError, match=r"dict\.txt"):
        engine(replace(FILES, dictionary=dictionary), hmm=True)


def test_missing_model_is_an_error(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"prob_start\.py"):
        engine(replace(FILES, directory=tmp_path), hmm=True)


@pytest.mark.parametrize(
    ("release", "expected"), [("0.39", "jieba 0.39 is installed"), ("0.42.1", "incomplete")]
)
def test_another_jieba_is_an_error(
    run_python: Callable[..., Any], tmp_path: Path, release: str, expected: str
) -> None:
    (tmp_path / "jieba").mkdir()
    (tmp_path / "jieba" / "__init__.py").touch()
    if release != "0.42.1":
        (tmp_path / "jieba" / "dict.txt").write_text("a 1 x\n")
    metadata = tmp_path / f"jieba-{release}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: jieba\nVersion: {release}\n")
    code = """
import json, bleuprint, bleuprint_zh
try:
    bleuprint_zh.build_jieba()
except bleuprint.EngineError as error:
    print(json.dumps(str(error)))
"""
    message = run_python(code, PYTHONPATH=str(tmp_path))
    assert expected in message
    assert "pip install" in message
