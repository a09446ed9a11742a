"""Where uneven files part, and why."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint._align import diagnose

_SYLLABLES = [
    "ba",
    "ce",
    "di",
    "fo",
    "gu",
    "hal",
    "ji",
    "ko",
    "lu",
    "men",
    "po",
    "stri",
    "tra",
    "u",
]


def _pairs(count: int) -> tuple[list[str], list[str]]:
    """Return sentences, and what a middling system might have made of them."""
    rng = random.Random(7)
    words = ["".join(rng.choices(_SYLLABLES, k=rng.randint(1, 4))) for _ in range(3000)]
    words += [str(rng.randrange(3000)) for _ in range(300)]
    references = [" ".join(rng.choices(words, k=rng.randint(6, 16))) for _ in range(count)]
    hypotheses = []
    for reference in references:
        kept = [word for word in reference.split() if rng.random() > 0.1]
        for _ in range(2):
            kept[rng.randrange(len(kept))] = rng.choice(words)
        hypotheses.append(" ".join(kept))
    return hypotheses, references


@pytest.mark.parametrize("place", [1, 40, 150, 297])
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize(
    ("change", "cause"),
    [
        (lambda lines, place: lines.insert(place, ""), "blank-line"),
        (lambda lines, place: lines.insert(place, "  "), "blank-line"),
        (lambda lines, place: lines.insert(place, lines[place]), "repeated-line"),
        (lambda lines, place: lines.insert(place, "quite another matter"), "extra-line"),
        (lambda lines, place: lines.insert(place, lines[(place + 97) % 300]), "extra-line"),
        (lambda lines, place: lines.__setitem__(slice(place, place), ["x y"] * 30), None),
    ],
)
def test_extra_lines_are_found(
    change: object, cause: str | None, swapped: bool, place: int
) -> None:
    hypotheses, references = _pairs(300)
    change(hypotheses if swapped else references, place)  # type: ignore[operator]  # a function
    found = diagnose(hypotheses, references)
    assert found.first == place + 1
    assert cause in (None, found.cause)
    assert found.counts == (len(hypotheses), len(references))
    assert all(str(count) in found.message for count in found.counts)
    assert f"line {place + 1}" in found.message
    assert "\n" not in found.message


def test_the_first_of_several_extra_lines_is_named() -> None:
    hypotheses, references = _pairs(300)
    for place in (250, 130, 60):
        references.insert(place, "")
    found = diagnose(hypotheses, references)
    assert (found.first, found.cause) == (61, "blank-line")


def test_lines_that_ran_together_are_recognised() -> None:
    hypotheses, references = _pairs(300)
    hypotheses[100:102] = [hypotheses[100] + hypotheses[101]]
    found = diagnose(hypotheses, references)
    assert (found.first, found.cause) == (101, "joined-lines")


@pytest.mark.parametrize(
    ("separator", "name"),
    [("\u2028", "U+2028"), ("\x85", "U+0085"), ("\r", "U+000D"), ("\x0c", "U+000C")],
)
def test_lines_that_another_tool_cut_are_recognised(separator: str, name: str) -> None:
    hypotheses, references = _pairs(300)
    for place in (50, 200):
        words = references[place].split()
        references[place] = " ".join(words[:3]) + separator + " ".join(words[3:])
    cut = [
        piece
        for hypothesis, reference in zip(hypotheses, references, strict=True)
        for piece in (
            (hypothesis[:20], hypothesis[20:]) if separator in reference else (hypothesis,)
        )
    ]
    found = diagnose(cut, references)
    assert (found.first, found.cause) == (51, "line-separator")
    assert name in found.message


@pytest.mark.parametrize(
    ("hypotheses", "references", "first", "cause"),
    [
        (["a", "b"], ["a", "b", ""], 3, "final-blank-line"),
        (["a", "b"], ["a", "b", "", " "], 3, "final-blank-line"),
        ([], ["a"], 1, "empty"),
        (["a"], [], 1, "empty"),
        ([], [], None, "empty"),
        (["a"], ["b"], None, "none"),
        (["a b c", "d e f"], ["a b c", "", "d e f"], 2, "blank-line"),
        (["a b c", "d e f"], ["", "a b c", "d e f"], 1, "blank-line"),
        (["", "the cat", "a dog"], ["the cat", "a dog"], 1, "blank-line"),
        (["the cat", "a dog"], ["the cat", "a dog", "it rains"], 3, "ends-early"),
        (["the cat", "it rains"], ["the cat", "a dog", "it rains"], 2, "extra-line"),
    ],
)
def test_ends_are_looked_at_first(
    hypotheses: list[str], references: list[str], first: int | None, cause: str
) -> None:
    found = diagnose(hypotheses, references)
    assert (found.first, found.cause) == (first, cause)


def test_a_file_that_ends_early_is_recognised() -> None:
    hypotheses, references = _pairs(300)
    found = diagnose(hypotheses[:280], references)
    assert (found.first, found.cause) == (281, "ends-early")


def test_files_of_unlike_texts_are_not_guessed_at() -> None:
    _, references = _pairs(300)
    found = diagnose(["完全に別の文章です。"] * 299, references)
    assert (found.first, found.cause) == (None, "unknown")


def test_names_stand_for_the_sides() -> None:
    found = diagnose(["a"], ["a", ""], names=("out.txt", "ref.txt"))
    assert found.message == "1 line in out.txt, 2 in ref.txt; in ref.txt the last line is blank"


@pytest.mark.parametrize("place", [10, 10_000, 19_990])
def test_long_files_are_searched_by_halves(place: int) -> None:
    hypotheses, references = _pairs(20_000)
    references.insert(place, "")
    assert diagnose(hypotheses, references).first == place + 1


@pytest.mark.parametrize("place", [30, 400, 960])
@pytest.mark.parametrize(
    "system", ["ja/nllb", "zh/opusmt", "ko/argos", "th/nllb", "my/nllb", "pt/bergamot-tiny"]
)
def test_a_missing_line_is_found_in_real_output(system: str, place: int, shared_data: Path) -> None:
    path = shared_data / "flores-dev" / f"{system}.txt"
    hypotheses = path.read_text("utf-8").split("\n")[:-1]
    references = (path.parent / "ref.txt").read_text("utf-8").split("\n")[:-1]
    del hypotheses[place]
    first = diagnose(hypotheses, references).first
    assert first is not None
    assert abs(first - (place + 1)) <= 1


@given(st.lists(st.text(max_size=8), max_size=12), st.lists(st.text(max_size=8), max_size=12))
def test_anything_gets_an_answer_in_one_line(left: list[str], right: list[str]) -> None:
    found = diagnose(left, right)
    assert len(found.message.splitlines()) == 1
    assert found.first is None or 1 <= found.first <= max(len(left), len(right))
