"""The compiled kernel counts what plain dictionaries count, whatever the tokens and the hashes."""

from __future__ import annotations

import ctypes
import gc
import random
import sys
import tracemalloc
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bleuprint._statistics import count_numpy

kernel = pytest.importorskip("bleuprint._kernel", reason="built without a C compiler")

Tokens = list[str]
Row = list[int]

ALL_COLLIDE = 0
AS_THEY_ARE = 0xFFFFFFFFFFFFFFFF


def count(
    systems: list[list[Tokens]], references: list[list[Tokens]], max_order: int = 4, **hook: int
) -> list[list[Row]]:
    """Return the kernel's tables as rows of integers."""
    columns = 2 + 2 * max_order
    tables = []
    for table in kernel.count(systems, references, max_order, **hook):
        assert isinstance(table, bytearray)
        numbers = memoryview(table).cast("q").tolist() if table else []
        assert len(numbers) == len(references) * columns
        tables.append([numbers[i : i + columns] for i in range(0, len(numbers), columns)])
    return tables


def ngrams(tokens: Tokens, order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def expected_row(hypothesis: Tokens, references: list[Tokens], max_order: int) -> Row:
    """Papineni et al. (2002), section 2.1, word for word."""
    lengths = sorted(len(reference) for reference in references)
    closest = min(lengths, key=lambda length: abs(length - len(hypothesis)))
    matches, totals = [], []
    for order in range(1, max_order + 1):
        most: Counter[tuple[str, ...]] = Counter()
        for reference in references:
            most |= ngrams(reference, order)
        own = ngrams(hypothesis, order)
        matches.append(sum((own & most).values()))
        totals.append(sum(own.values()))
    return [len(hypothesis), closest, *matches, *totals]


def expected(
    systems: list[list[Tokens]], references: list[list[Tokens]], max_order: int = 4
) -> list[list[Row]]:
    return [
        [expected_row(hyp, refs, max_order) for hyp, refs in zip(system, references, strict=True)]
        for system in systems
    ]


def corpora(tokens: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    """Draw systems and references of a few segments."""

    def of_size(size: int) -> st.SearchStrategy[Any]:
        segment = st.lists(tokens, max_size=12)
        system = st.lists(segment, min_size=size, max_size=size)
        references = st.lists(segment, min_size=1, max_size=4)
        return st.tuples(
            st.lists(system, max_size=3), st.lists(references, min_size=size, max_size=size)
        )

    return st.integers(0, 4).flatmap(of_size)


few_words = st.sampled_from(
    ["a", "b", "ab", "a b", "\u00e9", "猫", "𠮷", "seventh", "eight or more"]
)
any_words = st.text(min_size=1, max_size=10).filter(lambda word: not word.isspace())
# the sizes and widths around which a token stops being its own key
edge_words = st.text(alphabet="aé猫𠮷\x00", min_size=1, max_size=9)


@pytest.mark.parametrize("mask", [AS_THEY_ARE, ALL_COLLIDE, 1, 0xFF00])
@settings(max_examples=150, deadline=None)
@given(
    corpus=st.one_of(corpora(few_words), corpora(any_words), corpora(edge_words)),
    max_order=st.integers(1, 9),
)
def test_counts_are_those_of_plain_dictionaries(mask: int, corpus: Any, max_order: int) -> None:
    systems, references = corpus
    assert count(systems, references, max_order, _hash_mask=mask) == expected(
        systems, references, max_order
    )


@settings(max_examples=300, deadline=None)
@given(
    corpus=st.one_of(corpora(few_words), corpora(any_words), corpora(edge_words)),
    max_order=st.integers(1, 9),
)
def test_counts_are_those_of_numpy(corpus: Any, max_order: int) -> None:
    systems, references = corpus
    assert kernel.count(systems, references, max_order) == count_numpy(
        systems, references, max_order
    )


@pytest.mark.parametrize("character", ["a", "é", "猫", "𠮷"])
@pytest.mark.parametrize("size", range(1, 12))
def test_tokens_that_differ_in_one_place_do_not_match(size: int, character: str) -> None:
    token = character * size
    others = [token[:i] + chr(ord(character) + 1) + token[i + 1 :] for i in range(size)]
    others += [token + character, token[1:] or "x", token + "\x00", "\x00" + token]
    ((row,),) = count([[[token, token]]], [[others]], 1)
    assert row[2] == 0
    ((row,),) = count([[[token, token]]], [[[*others, token]]], 1)
    assert row[2] == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ab", "\u6261"),
        ("ba", "\u6261"),
        ("a\x00\x01\x00", "\U00010061"),
        ("\u0161\x01", "\U00010161"),
    ],
)
def test_tokens_of_the_same_bytes_and_other_widths_do_not_match(one: str, other: str) -> None:
    assert [row[2] for row in count([[[one], [other]]], [[[other]], [[one]]], 1)[0]] == [0, 0]


def zipf(rng: random.Random, words: list[str], size: int) -> Tokens:
    """Draw tokens with the frequencies of a language, each a string of its own."""
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    return ["".join(list(word)) for word in rng.choices(words, weights, k=size)]


def corpus_of(
    seed: int, segments: int, references: int
) -> tuple[list[list[Tokens]], list[list[Tokens]]]:
    rng = random.Random(seed)
    words = ["".join(rng.choices("abcdefgh猫é", k=rng.randint(1, 12))) for _ in range(60)]
    refs = [
        [zipf(rng, words, rng.randint(0, 40)) for _ in range(rng.randint(1, references))]
        for _ in range(segments)
    ]
    systems = [
        [
            [token for token in rng.choice(each) if rng.random() < 0.9] + zipf(rng, words, 3)
            for each in refs
        ]
        for _ in range(2)
    ]
    return systems, refs


@pytest.mark.parametrize("mask", [AS_THEY_ARE, ALL_COLLIDE])
@pytest.mark.parametrize("max_order", range(1, 10))
def test_counts_of_many_segments_at_every_order(max_order: int, mask: int) -> None:
    systems, references = corpus_of(max_order, 300, 4)
    assert count(systems, references, max_order, _hash_mask=mask) == expected(
        systems, references, max_order
    )


@pytest.mark.parametrize("references", [1, 3])
def test_counts_are_those_of_sacrebleu(references: int) -> None:
    metrics = pytest.importorskip("sacrebleu.metrics")
    bleu = metrics.BLEU(tokenize="none", force=True)
    systems, refs = corpus_of(7, 500, 1)
    refs = [each * references for each in refs]
    for i, each in enumerate(refs):
        for r in range(1, references):
            each[r] = each[r][: len(each[r]) - (i + r) % 5]
    found = count(systems, refs)
    for system, rows in zip(systems, found, strict=True):
        for hyp, each, row in zip(system, refs, rows, strict=True):
            info = bleu._extract_reference_info([" ".join(ref) for ref in each])
            assert row == bleu._compute_segment_statistics(" ".join(hyp), info)


@pytest.mark.parametrize("max_order", [1, 4, 9, 255])
def test_highest_and_lowest_orders_of_short_and_long_segments(max_order: int) -> None:
    systems: list[list[Tokens]] = [[[], ["a"], ["a"] * 300, ["a", "b"] * 150]]
    references: list[list[Tokens]] = [
        [[], ["a"]],
        [[]],
        [["a"] * 260, ["a"] * 20],
        [["b", "a"] * 160],
    ]
    assert count(systems, references, max_order) == expected(systems, references, max_order)


@pytest.mark.parametrize(
    ("hypothesis", "references", "closest"),
    [
        (3, [5, 1], 1),
        (3, [1, 5], 1),
        (3, [4, 2, 3], 3),
        (0, [7], 7),
        (10, [7, 13, 8, 12], 8),
        (4, [0, 9], 0),
    ],
)
def test_closest_reference_is_the_shorter_of_two_equally_close(
    hypothesis: int, references: list[int], closest: int
) -> None:
    ((row,),) = count([[["a"] * hypothesis]], [[["a"] * size for size in references]])
    assert row[1] == closest


def test_matches_are_clipped_by_the_reference_that_has_most() -> None:
    ((row,),) = count([[["a"] * 5]], [[["a", "b", "a"], ["a", "a", "a"], ["a"]]], 2)
    assert row == [5, 3, 3, 2, 5, 4]


def test_systems_do_not_see_each_other() -> None:
    systems, references = corpus_of(3, 200, 3)
    together = count([*systems, systems[0], systems[1]], references)
    assert together == [count([system], references)[0] for system in [*systems, *systems]]


def test_no_system_and_no_segment_are_empty_tables() -> None:
    assert count([], [[["a"]]]) == []
    assert kernel.count([[], []], [], 4) == [bytearray(), bytearray()]


def test_tables_of_two_calls_share_nothing() -> None:
    first, second = (kernel.count([[["a"]]], [[["a"]]], 1)[0] for _ in range(2))
    first[0] = 9
    assert memoryview(second).cast("q").tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize("distinct", [200_000, 3])
def test_one_segment_of_hundreds_of_thousands_of_tokens(distinct: int) -> None:
    rng = random.Random(distinct)
    hypothesis = [f"token {rng.randrange(distinct)}" for _ in range(300_000)]
    reference = [f"token {rng.randrange(distinct)}" for _ in range(300_000)]
    reference[1000:150_000] = hypothesis[1000:150_000]
    # between small ones: the table grows for it, and shrinks to what the next needs
    systems = [[["a", "b"], hypothesis, ["b", "a"]]]
    references = [[["a", "b"]], [reference], [["a", "b"]]]
    assert count(systems, references) == expected(systems, references)


class Impostor(str):
    """A string that lies about itself to whoever asks in Python."""

    def __hash__(self) -> int:
        raise AssertionError("asked for its hash")

    def __eq__(self, other: object) -> bool:
        raise AssertionError("asked whether it is equal")


def test_token_of_a_subclass_counts_as_its_text() -> None:
    words = ["猫", "a", "longer than seven bytes"]
    ((row,),) = count([[[Impostor(word) for word in words]]], [[words]])
    assert row == [3, 3, 3, 2, 1, 0, 3, 2, 1, 0]


def test_lone_surrogates_and_nul_are_characters_like_others() -> None:
    hypothesis = ["\ud800", "\x00", "a\x00", "a", "\udfff\x00longer"]
    reference = ["\ud801", "\x00", "a", "a\x00", "\udfff\x00longer"]
    ((row,),) = count([[hypothesis]], [[reference]], 1)
    assert row[2] == 4


@pytest.mark.parametrize(
    ("systems", "references", "message"),
    [
        (
            [[["a"], ["b", 7]]],
            [[["a"]], [["a"]]],
            r"systems\[0\]\[1\]\[1\]: .* str, not int",
        ),
        ([[["a"]]], [[["a"], ["b", None]]], r"references\[0\]\[1\]\[1\]: .* str, not NoneType"),
        ([[["a"]]], [[[b"a"]]], r"references\[0\]\[0\]\[0\]: expected a str, not bytes"),
        ([["a"]], [[["a"]]], r"systems\[0\]\[0\]: expected a list of tokens, not str"),
        ([[("a",)]], [[["a"]]], r"systems\[0\]\[0\]: expected a list of tokens, not tuple"),
        ([[["a"]]], [["a"]], r"references\[0\]\[0\]: expected a list of tokens, not str"),
        ([[["a"]]], ["a"], r"references\[0\]: expected a list of references, not str"),
        ([[["a"]], "a"], [[["a"]]], r"systems\[1\]: expected a list of segments, not str"),
    ],
)
def test_wrong_type_is_named_with_its_index(systems: Any, references: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        kernel.count(systems, references, 4)


@pytest.mark.parametrize("arguments", [(None, [], 4), ([], None, 4), ((), [], 4), ([], [], "4")])
def test_wrong_type_of_an_argument_is_refused(arguments: tuple[Any, Any, Any]) -> None:
    with pytest.raises(TypeError):
        kernel.count(*arguments)


@pytest.mark.parametrize("max_order", [0, -1, 256, 10**6])
def test_order_out_of_range_is_refused(max_order: int) -> None:
    with pytest.raises(ValueError, match="max_order: expected 1 to 255"):
        kernel.count([[["a"]]], [[["a"]]], max_order)


def test_segment_without_a_reference_is_refused() -> None:
    with pytest.raises(ValueError, match=r"references\[1\]: expected one reference at least"):
        kernel.count([[["a"], ["a"]]], [[["a"]], []], 4)


@pytest.mark.parametrize("size", [0, 1, 3])
def test_system_of_another_length_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match=rf"systems\[1\]: expected 2 segments, .* not {size}"):
        kernel.count([[["a"]] * 2, [["a"]] * size], [[["a"]]] * 2, 4)


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="strings of that form are gone")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("size", [1, 8])
def test_string_in_the_form_of_old_extension_modules_is_read(size: int) -> None:
    make = ctypes.pythonapi.PyUnicode_FromUnicode
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_wchar_p, ctypes.c_ssize_t]

    def old() -> str:
        token: str = make(None, size)  # room for characters, to be written by whoever asked
        address = ctypes.pythonapi.PyUnicode_AsUnicode
        address.restype, address.argtypes = ctypes.c_void_p, [ctypes.py_object]
        ctypes.memmove(address(token), ctypes.create_unicode_buffer("x" * size), size * 4)
        return token

    assert count([[[old()]]], [[["x" * size]]], 1) == [[[1, 1, 1, 1]]]
    assert count([[["x" * size]]], [[[old()]]], 1) == [[[1, 1, 1, 1]]]


LONG = [f"longer than seven bytes {i}" for i in range(50)]


@pytest.mark.parametrize(
    ("systems", "references"),
    [
        pytest.param([[LONG] * 20], [[LONG, LONG[::-1]]] * 20, id="counts"),
        pytest.param([[LONG] * 20], [[LONG]] * 19 + [[[*LONG, 1]]], id="fails late"),
        pytest.param([[LONG, [1]]], [[LONG], [LONG]], id="fails early"),
    ],
)
def test_memory_is_given_back(systems: Any, references: Any) -> None:
    def run() -> None:
        try:
            kernel.count(systems, references, 4)
        except TypeError:
            return

    run()
    gc.collect()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for _ in range(200):
            run()
        gc.collect()
        after, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most - before > 1000, "the kernel's memory is not traced"
    assert after - before < 1000


@pytest.mark.parametrize("blank", ["", " ", "\t\u3000", "\u2028", "\x1c"])
@pytest.mark.parametrize("counter", [kernel.count, count_numpy])
def test_blank_token_is_refused(counter: Any, blank: str) -> None:
    with pytest.raises(ValueError, match="empty or only white space"):
        counter([[["a", "b"], ["a", blank]]], [[["a"]], [["a"]]], 4)
