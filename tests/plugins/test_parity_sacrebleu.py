"""The classic rules against sacreBLEU, token for token."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bleuprint_mteval import _rules

sacrebleu = pytest.importorskip("sacrebleu")
regex = pytest.importorskip("regex")

Cut = Callable[[Sequence[str]], list[list[str]]]

ORACLES = {
    "none": ("tokenizer_none", "NoneTokenizer"),
    "13a": ("tokenizer_13a", "Tokenizer13a"),
    "intl": ("tokenizer_intl", "TokenizerV14International"),
    "char": ("tokenizer_char", "TokenizerChar"),
    "zh": ("tokenizer_zh", "TokenizerZh"),
}
IMPLEMENTATIONS = ("python", "compiled")

# --- what is cut ------------------------------------------------------------------------------

WHITE_SPACE = "".join(_rules.characters(_rules.WHITE_SPACE))
ASCII_PUNCTUATION = "".join(chr(code) for code in range(0x21, 0x7F) if not chr(code).isalnum())
WHOLE = [
    "&quot;",
    "&amp;",
    "&lt;",
    "&gt;",
    "&apos;",
    "&#39;",
    "amp;",
    "lt;",
    "&",
    "<skipped>",
    "-\n",
]
# the first and last of spans that zh's table has, and their neighbours
EDGES = "".join(
    chr(code + step)
    for code in (
        *(0x2000, 0x2A6D, 0x2E80, 0x2FDF, 0x2FF0, 0x303F, 0x3100, 0x312F, 0x31A0, 0x31EF, 0x3200),
        *(0x33FF, 0x3400, 0x4DB5, 0x4E00, 0x9FBB, 0xF900, 0xFA2D, 0xFA30, 0xFA6A, 0xFA70, 0xFAD9),
        *(0xFE10, 0xFE1F, 0xFE30, 0xFE4F, 0xFF00, 0xFFEF, 0x20000, 0x2A6D6, 0x2F800, 0x2FA1D),
    )
    for step in (-1, 0, 1)
)
UNICODE_POOLS = [
    "".join(regex.findall(rf"\p{{{category}}}", "".join(map(chr, range(0x110000)))))
    for category in "PSN"
]
POOLS = [
    "0123456789",
    "5",
    ".,",
    ".,-",
    "abé",
    "你们한",
    ASCII_PUNCTUATION,
    WHITE_SPACE,
    " ",
    EDGES,
]
ALPHABETS = {
    "none": "a \n\u3000.",
    "13a": "a5.,-! \n",
    "intl": "a5.!+½ ",
    "char": "a5 \n\u3000\u2028.",
    "zh": "a5.,-你\u3000!",
}


@cache
def changed_since() -> frozenset[str]:
    """Characters that the installed regex puts in another category than our tables do."""
    ours = (_rules.INTL.marks, _rules.INTL.symbols, _rules.INTL.digits)
    return frozenset().union(
        *(
            set(pool).symmetric_difference(_rules.characters(spans))
            for pool, spans in zip(UNICODE_POOLS, ours, strict=True)
        )
    )


def random_line(rng: random.Random) -> str:
    """A short line, full of what the rules look at, and of anything else."""
    pieces = []
    for _ in range(rng.randrange(16)):
        which = rng.random()
        if which < 0.7:
            pieces.append(rng.choice(rng.choice(POOLS)))
        elif which < 0.82:
            pieces.append(rng.choice(rng.choice(UNICODE_POOLS)))
        elif which < 0.9:
            pieces.append(rng.choice(WHOLE))
        else:
            pieces.append(chr(rng.randrange(0x110000)))
    return "".join(pieces)


def lines() -> st.SearchStrategy[str]:
    pools = st.sampled_from([*POOLS, *UNICODE_POOLS]).flatmap(st.sampled_from)
    piece = st.one_of(pools, pools, st.sampled_from(WHOLE), st.characters(codec=None))
    return st.lists(piece, max_size=16).map("".join)


# --- who cuts ---------------------------------------------------------------------------------


@cache
def oracle(name: str) -> Callable[[str], list[str]]:
    """The tokens that sacreBLEU counts: what its tokenizer joins is split at white space."""
    module, class_ = ORACLES[name]
    tokenizer = getattr(import_module(f"sacrebleu.tokenizers.{module}"), class_)()
    return lambda line: tokenizer(line).split()


@cache
def ours(name: str, implementation: str) -> Cut:
    plugin = "bleuprint_zh._classic" if name == "zh" else "bleuprint_mteval._rules"
    cut: Cut = getattr(import_module(f"{plugin}_{implementation}"), f"cut_{name}")
    return cut


@pytest.fixture(scope="module", params=IMPLEMENTATIONS)
def implementation(request: pytest.FixtureRequest) -> str:
    if request.param == "compiled":
        pytest.importorskip("bleuprint_mteval._fast")
    return str(request.param)


def assert_equal(name: str, implementation: str, all_lines: Iterator[str]) -> int:
    """Compare in batches of changing size, as given and without trailing white space."""
    cut, expected, compared = ours(name, implementation), oracle(name), 0
    for size in itertools.cycle((1, 7, 300, 1000)):
        batch = list(itertools.islice(all_lines, size))
        if not batch:
            return compared
        if name == "intl":
            batch = [line for line in batch if changed_since().isdisjoint(line)]
        batch += [line.rstrip() for line in batch if line[-1:].isspace()]
        tokens = cut(batch)
        if tokens != [expected(line) for line in batch]:
            for line, made in zip(batch, tokens, strict=True):
                assert made == expected(line), line
        compared += len(batch)
    raise AssertionError("unreachable")


# --- the comparison ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ORACLES)
@pytest.mark.parametrize("longest", [4, pytest.param(6, marks=pytest.mark.slow)])
def test_every_short_line_over_a_small_alphabet(
    name: str, implementation: str, longest: int
) -> None:
    letters = ALPHABETS[name]
    words = (itertools.product(letters, repeat=length) for length in range(longest + 1))
    assert_equal(name, implementation, map("".join, itertools.chain.from_iterable(words)))


def test_every_short_line_of_entities_and_line_feeds(implementation: str) -> None:
    units = ["&", "amp;", "quot;", "lt;", "-", "\n", "<skipped>", "<skip", "ped>", "5"]
    words = (itertools.product(units, repeat=length) for length in range(5))
    assert_equal("13a", implementation, map("".join, itertools.chain.from_iterable(words)))


@pytest.mark.parametrize("name", ORACLES)
@pytest.mark.parametrize("end", [0x3400, pytest.param(0x110000, marks=pytest.mark.slow)])
def test_every_character_among_letters_digits_and_marks(
    name: str, implementation: str, end: int
) -> None:
    contexts = (f"{c}.5 a{c}b 5{c}5 {c}.5 5-{c}-5.{c}" for c in map(chr, range(end)))
    assert_equal(name, implementation, contexts)


@pytest.mark.parametrize("name", ORACLES)
@settings(max_examples=300, deadline=None)
@given(batch=st.lists(lines(), max_size=8))
def test_lines_that_hypothesis_finds(name: str, implementation: str, batch: list[str]) -> None:
    assert_equal(name, implementation, iter(batch))


@pytest.mark.parametrize("name", ORACLES)
@pytest.mark.parametrize("count", [4_000, pytest.param(250_000, marks=pytest.mark.slow)])
def test_random_lines(name: str, implementation: str, count: int) -> None:
    rng = random.Random(count)
    compared = assert_equal(name, implementation, (random_line(rng) for _ in range(count)))
    assert compared >= 0.8 * count


@pytest.mark.parametrize("name", ORACLES)
@pytest.mark.parametrize("every", [20, pytest.param(1, marks=pytest.mark.slow)])
def test_real_texts(name: str, implementation: str, every: int, shared_data: Path) -> None:
    texts = sorted([*shared_data.glob("ntrex/*.txt"), *shared_data.glob("flores-dev/*/*.txt")])
    assert texts
    for path in texts:
        real = path.read_text("utf-8").split("\n")[::every]
        assert_equal(name, implementation, iter(real))
