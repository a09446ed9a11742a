"""Shapes: what pairs up, and what is refused with a message that helps."""

from __future__ import annotations

from typing import Any

import pytest

from bleuprint import Scorer, ShapeError, by_segment


@pytest.fixture(scope="module", name="scorer")
def _scorer() -> Scorer:
    return Scorer(segmenter="none")


@pytest.mark.parametrize(
    ("hypotheses", "references", "said"),
    [
        pytest.param(
            ["a b c d e", "x y"],
            [["a b c d e"], ["q q q q q"], ["r"]],
            ["2 hypotheses", "3 references", "by_segment"],
            id="streams where segments are due",
        ),
        pytest.param(
            ["a b c d", "x"],
            [["a b c d"]],
            ["2 hypotheses", "1 references"],
            id="one segment's references for two",
        ),
        pytest.param(["a", "b"], "ab", ["references", "str 'ab'"], id="bare string for references"),
        pytest.param("ab", ["a", "b"], ["hypotheses", "str 'ab'"], id="bare string for hypotheses"),
        pytest.param(
            ["a", 7], ["a", "b"], ["hypotheses[1]", "int 7"], id="number for a hypothesis"
        ),
        pytest.param(["a"], [None], ["references[0]", "None"], id="None for a reference"),
        pytest.param(["a"], [["b", None]], ["references[0][1]", "None"], id="None in references"),
        pytest.param(None, ["a"], ["hypotheses", "None"], id="None for hypotheses"),
        pytest.param(["a"], None, ["references", "None"], id="None for all references"),
        pytest.param(["a"], [b"a"], ["references[0]", "bytes"], id="bytes for a reference"),
        pytest.param([], [], ["no segments"], id="nothing"),
        pytest.param(["a", "b"], [["a"], []], ["segment 1 has no reference"], id="no reference"),
    ],
)
def test_what_does_not_pair_up_is_refused_with_counts_or_index(
    scorer: Scorer, hypotheses: Any, references: Any, said: list[str]
) -> None:
    with pytest.raises(ShapeError) as caught:
        scorer.corpus(hypotheses, references)
    for words in said:
        assert words in str(caught.value)


def test_uneven_iterators_are_counted_to_their_ends(scorer: Scorer) -> None:
    with pytest.raises(ShapeError, match=r"3000 hypotheses, 2999 references"):
        scorer.corpus(iter(["a"] * 3000), iter(["a"] * 2999))


def test_index_of_a_wrong_text_counts_from_the_start_of_the_corpus(scorer: Scorer) -> None:
    hypotheses: list[Any] = ["a"] * 5000
    hypotheses[4321] = 1.5
    with pytest.raises(ShapeError, match=r"hypotheses\[4321\] is float 1\.5"):
        scorer.corpus(hypotheses, ["a"] * 5000)


def test_absent_reference_of_a_stream_counts_for_nothing(scorer: Scorer) -> None:
    references = by_segment(["a b c d e f g h i"], [None])
    assert references == [["a b c d e f g h i"]]
    score = scorer.corpus(["a b c d"], references)
    assert score.score == pytest.approx(28.65, abs=0.005)
    assert score.signature.nrefs == "1"


def test_empty_reference_is_a_real_one(scorer: Scorer) -> None:
    score = scorer.corpus(["a b c d"], by_segment(["a b c d e f g h i"], [""]))
    assert (score.ref_len, score.ratio, score.score) == (0, 0.0, 100.0)


def test_closest_reference_length_counts(scorer: Scorer) -> None:
    score = scorer.corpus(["a b c d e"], [["a b c d e f g h", "x"]])
    assert score.ref_len == 8
    assert score.score == pytest.approx(54.88, abs=0.005)


@pytest.mark.parametrize("references", [["a b c d e f", "a b c d"], ["a b c d", "a b c d e f"]])
def test_shorter_of_two_references_as_close_counts(scorer: Scorer, references: list[str]) -> None:
    assert scorer.corpus(["a b c d e"], [references]).ref_len == 4


def test_segments_may_differ_in_their_number_of_references(scorer: Scorer) -> None:
    score = scorer.corpus(["a", "b", "c"], [["a"], ["b", "x", "y", "z"], ["c", "d"]])
    assert score.signature.nrefs == "1-4"


def test_square_nest_goes_by_segment_with_a_note(scorer: Scorer) -> None:
    square = [["a b c d", "x"], ["e f g h", "y"]]
    score = scorer.corpus(["a b c d", "e f g h"], square)
    assert score.score == 100.0
    assert "square-references" in {note.code for note in score.notes}


@pytest.mark.parametrize(
    "references",
    [["a b c d", "e f g h"], [["a b c d"], ["e f g h"]], [["a b c d", "x"], ["e f g h"]]],
)
def test_other_shapes_leave_no_note_on_squares(scorer: Scorer, references: Any) -> None:
    score = scorer.corpus(["a b c d", "e f g h"], references)
    assert "square-references" not in {note.code for note in score.notes}


@pytest.mark.parametrize(
    ("streams", "said"),
    [
        ((), "no stream"),
        (("abc",), "stream 0 is str"),
        ((["a"], None), "stream 1 is None"),
        ((["a", "b"], ["a"]), "2, 1"),
        ((["a"], [3]), "stream 1 holds int 3 at index 0"),
    ],
)
def test_streams_that_are_none_are_refused(streams: Any, said: str) -> None:
    with pytest.raises(ShapeError, match=said):
        by_segment(*streams)


def test_several_systems_are_named_by_number(scorer: Scorer) -> None:
    with pytest.raises(ShapeError, match="hypotheses of system 1"):
        scorer.collect([["a"], ["a", "b"]], ["a"])
