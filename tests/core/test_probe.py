"""The probe lines are frozen, fit for every segmenter, and show what they are there to show."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path

import pytest

from bleuprint import Registry
from bleuprint._probe import PROBE_SET, probe_lines
from bleuprint._segmenter import HARMFUL, TokenDigest

#: Signatures in papers refer to the set by its number: it never changes.  A better one gets the
#: next number, and a line of its own here.
FROZEN = {1: "42475154ee1ad115bd1c0062eaadc97ffae5193935840e9ce618a002f9d96f25"}

#: What the segmenters without an engine make of set 1.  One that moves moves scores.
PROBES = {
    "13a": "1-f6389986",
    "char": "1-722ef939",
    "intl": "1-5015843b",
    "none": "1-dae57db6",
    "zh": "1-648dfa88",
}

SCRIPTS = [
    "ARABIC", "ARMENIAN", "BENGALI", "CJK", "CYRILLIC", "DEVANAGARI", "ETHIOPIC", "GEORGIAN",
    "GREEK", "GUJARATI", "GURMUKHI", "HANGUL", "HEBREW", "HIRAGANA", "KANNADA", "KATAKANA",
    "KHMER", "LAO", "LATIN", "MALAYALAM", "MONGOLIAN", "MYANMAR", "ORIYA", "SINHALA", "TAMIL",
    "TELUGU", "THAI", "TIBETAN", "TIFINAGH",
]  # fmt: skip


def test_set_is_frozen() -> None:
    text = "\n".join(probe_lines())
    assert hashlib.sha256(text.encode()).hexdigest() == FROZEN[PROBE_SET]


def test_set_has_at_most_200_lines_and_none_twice() -> None:
    assert 150 <= len(probe_lines()) <= 200
    assert len(set(probe_lines())) == len(probe_lines())


def test_lines_are_prepared_as_any_line_is() -> None:
    for line in probe_lines():
        assert line
        assert line == line.rstrip()
        assert not HARMFUL.search(line)
        assert not re.search("[\r\n]", line)
        assert len(line) <= 120, "max_chars of a segmenter may not be below this"


@pytest.mark.parametrize("script", SCRIPTS)
def test_script_is_there(script: str) -> None:
    letters = {c for line in probe_lines() for c in line if c.isalpha()}
    assert sum(unicodedata.name(c, "").startswith(script) for c in letters) >= 3


@pytest.mark.parametrize(
    "what",
    [
        "3.14", "1,000", "2020.", ".5", "a-b", "2-3", "&quot;", "<skipped>", "L'homme", "'s ",
        "aujourd'hui", "\t", "\u00a0", "\u3000", "\u200b", "\u200c", "\u200d", "\ufeff", "\u2028",
        "\u0085", "e\u0301", "\U00020000", "\u2014", "\u2026", "ต่าง ๆ", "ฯลฯ", "๒", "ｺ", "々", "।",
        "។", "༌", "၊", "ຯ", "😀", "👩\u200d", "Àquela", "nos jogos", "Dir-lho-ei", "@handle", "▁",
    ],
)  # fmt: skip
def test_what_segmenters_stumble_over_is_there(what: str) -> None:
    assert any(what in line for line in probe_lines())


def test_composed_and_decomposed_text_are_both_there() -> None:
    composed = [line for line in probe_lines() if unicodedata.is_normalized("NFC", line)]
    decomposed = [line for line in probe_lines() if unicodedata.is_normalized("NFD", line)]
    assert len(set(composed) - set(decomposed)) >= 3
    assert len(set(decomposed) - set(composed)) >= 3


@pytest.mark.parametrize("name", PROBES)
def test_segmenter_without_an_engine_has_its_probe(registry: Registry, name: str) -> None:
    assert registry.build(name).probe == PROBES[name]


def test_every_segmenter_has_a_probe_of_its_own(registry: Registry) -> None:
    specs = [offer.spec for offer in registry.offers if not offer.spec.missing]
    ready = [s for s in specs if all(o.default is not None for o in s.options.values())]
    assert len({registry.build(spec.name).probe for spec in ready}) == len(ready)


@pytest.mark.parametrize(
    ("name", "option", "values"),
    [
        ("zh-jieba", "hmm", ("on", "off")),
        ("pt-contractions", "clitics", ("on", "off")),
        ("th-newmm", "numbers", ("join", "split")),
        ("moses", "lang", ("en", "fr", "de", "fi")),
    ],
)
def test_options_that_move_tokens_move_the_probe(
    registry: Registry, name: str, option: str, values: Sequence[str]
) -> None:
    if registry.find(name).spec.missing:
        pytest.skip(f"the engine of {name} is not installed")
    assert len({registry.build(name, **{option: v}).probe for v in values}) == len(values)


def test_user_word_that_touches_a_line_moves_the_probe() -> None:
    jieba = pytest.importorskip("jieba")
    with (Path(jieba.__file__).parent / "dict.txt").open("rb") as file:
        words, total = jieba.Tokenizer.gen_pfdict(file)
    digests = []
    for user_words in ([], ["杭研大厦"]):
        tokenizer = jieba.Tokenizer()
        # as jieba itself would, less the cache that it writes
        tokenizer.FREQ, tokenizer.total, tokenizer.initialized = dict(words), total, True
        for word in user_words:
            tokenizer.add_word(word)
        digest = TokenDigest()
        digest.add([tokenizer.lcut(line) for line in probe_lines()])
        digests.append(digest.hex())
    assert digests[0] != digests[1]
