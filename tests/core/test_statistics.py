"""Statistics: counting in NumPy and in compiled code, adding, saving."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bleuprint import IncomparableError, InputError, Scorer, Statistics
from bleuprint._statistics import count, count_numpy

Systems = list[list[list[str]]]

_DOC = st.lists(st.sampled_from(["a", "b", "c", "\U00020000", "ab"]), max_size=12)


@st.composite
def _corpora(draw: st.DrawFn) -> tuple[Systems, list[list[list[str]]]]:
    segments = draw(st.integers(1, 6))
    references = [draw(st.lists(_DOC, min_size=1, max_size=4)) for _ in range(segments)]
    systems = [[draw(_DOC) for _ in range(segments)] for _ in range(draw(st.integers(1, 3)))]
    return systems, references


def _plain(hypothesis: list[str], references: list[list[str]], max_order: int) -> list[int]:
    """Count one segment as the definition says it."""

    def ngrams(doc: list[str], n: int) -> Counter[tuple[str, ...]]:
        return Counter(tuple(doc[i : i + n]) for i in range(len(doc) - n + 1))

    counts, totals = [], []
    for n in range(1, max_order + 1):
        most: Counter[tuple[str, ...]] = Counter()
        for reference in references:
            most |= ngrams(reference, n)
        own = ngrams(hypothesis, n)
        counts.append((own & most).total())
        totals.append(own.total())
    lengths = [len(reference) for reference in references]
    closest = min(lengths, key=lambda length: (abs(length - len(hypothesis)), length))
    return [len(hypothesis), closest, *counts, *totals]


@settings(deadline=None)
@given(corpus=_corpora(), max_order=st.integers(1, 9))
def test_counts_are_those_of_the_definition(
    corpus: tuple[Systems, list[list[list[str]]]], max_order: int
) -> None:
    systems, references = corpus
    expected = [
        [_plain(doc, refs, max_order) for doc, refs in zip(system, references, strict=True)]
        for system in systems
    ]
    for counter in (count_numpy, count):
        tables = counter(systems, references, max_order)
        shaped = [np.frombuffer(t, np.int64).reshape(len(references), -1).tolist() for t in tables]
        assert shaped == expected


def test_long_segment_with_many_references_is_counted_exactly() -> None:
    rng = random.Random(1)
    words = [str(i) for i in range(3000)]
    hypothesis = rng.choices(words, k=70_000)
    references = [rng.choices(words, k=2_000) for _ in range(60)]
    expected = _plain(hypothesis, references, 4)
    for counter in (count_numpy, count):
        (table,) = counter([[hypothesis]], [references], 4)
        assert np.frombuffer(table, np.int64).tolist() == expected


@pytest.fixture(name="scorer")
def _scorer() -> Scorer:
    return Scorer(segmenter="none")


def test_table_has_the_promised_shape_and_columns(scorer: Scorer) -> None:
    table = scorer.statistics(["a b c", ""], ["a b d", ["x", "y z"]]).table
    assert table.dtype == np.int64
    assert table.tolist() == [[3, 3, 2, 1, 0, 0, 3, 2, 1, 0], [0, 1, 0, 0, 0, 0, 0, 0, 0, 0]]
    with pytest.raises(ValueError, match="read-only"):
        table[0, 0] = 7


def test_iterables_are_read_in_step_and_their_texts_dropped(scorer: Scorer) -> None:
    read: list[str] = []

    def texts(name: str) -> Iterator[str]:
        for i in range(5000):
            read.append(name)
            yield f"{name} {i} a b c"

    statistics = scorer.statistics(texts("h"), texts("r"))
    assert len(statistics) == 5000
    first_reference = read.index("r")
    assert first_reference < 5000, "references were read only after all hypotheses"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"segmenter": "13a"}, "tok none"),
        ({"segmenter": "none", "lowercase": True}, "case mixed and lc"),
        ({"segmenter": "none", "max_order": 2}, "max_order 4 and 2"),
        ({"segmenter": "none", "normalize": "nfc"}, "norm none and nfc"),
    ],
)
def test_unlike_statistics_neither_add_nor_score(
    scorer: Scorer, settings: dict[str, object], said: str
) -> None:
    mine = scorer.statistics(["a"], ["a"])
    other = Scorer(**settings)  # type: ignore[arg-type]  # a table of settings
    theirs = other.statistics(["a"], ["a"])
    with pytest.raises(IncomparableError, match=said):
        mine + theirs
    with pytest.raises(IncomparableError):
        other.score(mine)


def test_adding_widens_the_number_of_references(scorer: Scorer) -> None:
    both = scorer.statistics(["a"], ["a"]) + scorer.statistics(["a"], [["a", "b", "c"]])
    assert both.nrefs == (1, 3)
    assert scorer.score(both).signature.nrefs == "1-3"


def test_built_in_sum_adds_them(scorer: Scorer) -> None:
    parts = [scorer.statistics([text], [text]) for text in ("a b", "c", "d e f g h")]
    assert len(sum(parts[1:], parts[0])) == 3


def test_saved_statistics_come_back(scorer: Scorer, tmp_path: Path) -> None:
    statistics = scorer.statistics(["a b c", ""], ["a b d", ["x", "y z"]])
    path = tmp_path / "without ending"
    statistics.save(path)
    loaded = Statistics.load(path)
    assert loaded == statistics
    assert loaded.notes == statistics.notes
    assert scorer.score(loaded) == scorer.score(statistics)


@pytest.mark.parametrize("content", [b"", b"not zip", b"PK\x03\x04 broken"])
def test_what_is_no_statistics_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.npz"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"x\.npz"):
        Statistics.load(path)


def test_statistics_of_another_shape_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    np.savez(path, table=np.zeros((2, 3)), about=np.array("{}"))
    with pytest.raises(InputError, match=r"x\.npz"):
        Statistics.load(path)


def test_missing_statistics_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        Statistics.load(tmp_path / "none.npz")
