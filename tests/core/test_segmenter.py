"""A segmenter is held to its contract as it runs, whoever wrote it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import bleuprint
from bleuprint import ContractError, LineTooLongError, Registry, Scorer
from bleuprint._registry import Offer, Origin
from bleuprint._segmenter import BoundSegmenter, TokenDigest
from bleuprint.plugin import Segmenter, SegmenterSpec


class Words:
    """Cuts at white space, and keeps the lines that it was given."""

    def __init__(self) -> None:
        self.fingerprint = {"rules": "1"}
        self.seen: list[str] = []

    def segment_batch(self, lines: Sequence[str]) -> list[list[str]]:
        self.seen += lines
        return [line.split() for line in lines]


def bind(engine: Segmenter, **spec: Any) -> BoundSegmenter:
    made = SegmenterSpec(name="acme", languages=("vi",), build=lambda: engine, **spec)
    return Registry((Offer(Origin("acme-dist", "1.2", "acme-entry"), made),)).build("acme")


def bind_function(cut: Callable[[Sequence[str]], object], **spec: Any) -> BoundSegmenter:
    class Engine(Words):
        def segment_batch(self, lines: Sequence[str]) -> Any:
            return cut(lines)

    return bind(Engine(), **spec)


def fail_at(word: str) -> Callable[[Sequence[str]], object]:
    def cut(lines: Sequence[str]) -> object:
        if any(word in line for line in lines):
            raise ValueError(f"no {word}")
        return [line.split() for line in lines]

    return cut


def fail_together(lines: Sequence[str]) -> object:
    if len(lines) > 1:
        raise ValueError("one at a time")
    return [line.split() for line in lines]


LINES = ["a b", "c bad d", "e"]
WRONG: dict[str, tuple[Callable[[Sequence[str]], object], str]] = {
    "a line too few": (lambda lines: [["a"]] * (len(lines) - 1), "returned 2 results for 3 lines"),
    "a line too many": (lambda lines: [["a"]] * 4, "returned 4 results for 3 lines"),
    "none at all": (lambda lines: None, "returned NoneType for 3 lines"),
    "an iterator": (lambda lines: iter([["a"]] * 3), "returned list_iterator for 3 lines"),
    "text": (lambda lines: [line if "bad" in line else ["a"] for line in lines], "line 2.*str"),
    "numbers": (lambda lines: [["a"], ["b", 7], ["c"]], "line 2.*token 7, expected a string"),
    "zero": (lambda lines: [["a"], ["b", 0], ["c"]], "line 2.*token 0, expected a string"),
    "None": (lambda lines: [["a"], ["b", None], ["c"]], "line 2.*token None"),
    "bytes": (lambda lines: [["a"], [b"b"], ["c"]], "line 2.*token b'b'"),
    "empty tokens": (lambda lines: [["a"], ["b", ""], ["c"]], "line 2.*empty or only white"),
    "blank tokens": (lambda lines: [["a"], ["b", " "], ["c"]], "line 2.*empty or only white"),
    "other blanks": (lambda lines: [["a"], ["\u3000"], ["c"]], "line 2.*empty or only white"),
    "a tuple": (lambda lines: [["a"], ("b",), ["c"]], "line 2.*tuple, expected a list"),
    "an error": (fail_at("bad"), "failed on line 2: ValueError: no bad"),
    "an error of all": (fail_together, "failed on line 1 to line 3 together.*ValueError: one at"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_broken_contract_is_an_error_that_names_segmenter_plugin_and_line(wrong: str) -> None:
    cut, says = WRONG[wrong]
    with pytest.raises(ContractError, match=says) as caught:
        bind_function(cut).segment_batch(LINES)
    assert "'acme'" in str(caught.value)
    assert "acme-dist 1.2 (acme-entry)" in str(caught.value)
    assert "line " in str(caught.value)


@pytest.mark.parametrize("wrong", WRONG)
def test_broken_contract_gives_no_score(wrong: str) -> None:
    class Engine(Words):
        def segment_batch(self, lines: Sequence[str]) -> Any:
            # the probe lines are cut well: it is the texts that show the fault
            return WRONG[wrong][0](lines) if "c bad d" in lines else super().segment_batch(lines)

    with pytest.raises(ContractError):
        Scorer(segmenter=Engine()).corpus(LINES, LINES)


def test_token_with_a_space_inside_is_a_token() -> None:
    tokens = [["ต่าง ๆ", "a\u3000b"], ["c\td"], ["e"]]
    assert bind_function(lambda lines: tokens).segment_batch(LINES) == tokens


def test_error_of_ours_passes_through_as_it_is() -> None:
    def cut(lines: Sequence[str]) -> object:
        raise LineTooLongError("line 7 is too long for it")

    with pytest.raises(LineTooLongError, match="line 7 is too long for it"):
        bind_function(cut).segment_batch(LINES)


@pytest.mark.parametrize(
    ("text", "reaches"),
    [
        ("日本\0語", "日本\ufffd語"),
        ("a\ud800b\udfff", "a\ufffdb\ufffd"),
        ("a b \t\u3000", "a b"),
        (" a", " a"),
        ("\0", "\ufffd"),
        ("a\nb\r", "a\nb"),
    ],
)
def test_what_breaks_engines_never_reaches_one(text: str, reaches: str) -> None:
    engine = Words()
    bind(engine).segment_batch([text])
    assert engine.seen == [reaches]


def test_line_beyond_the_limit_is_refused_by_number_and_reaches_nobody() -> None:
    engine = Words()
    bound = bind(engine, max_chars=1_000)
    with pytest.raises(LineTooLongError, match=r"line 2 has 1,001 characters.*can take 1,000"):
        bound.segment_batch(["a" * 1_000, "b" * 1_001])
    assert engine.seen == []
    assert bound.segment_batch(["a" * 1_000]) == [["a" * 1_000]]


def test_white_space_at_the_end_does_not_count_for_the_limit() -> None:
    assert bind(Words(), max_chars=200).segment_batch(["a" + " " * 300]) == [["a"]]


# --- fingerprint and id


@pytest.mark.parametrize(
    "wrong", [None, "1.0", {"version": 3}, {3: "x"}, {"version": ""}, {"": "x"}, [("a", "b")]]
)
def test_fingerprint_that_is_no_mapping_of_text_is_an_error(wrong: object) -> None:
    engine = Words()
    engine.fingerprint = wrong  # type: ignore[assignment]  # wrong on purpose
    bound = bind(engine)
    with pytest.raises(ContractError, match=r"'acme' of acme-dist 1\.2.*fingerprint"):
        _ = bound.id


def test_segmenter_that_exits_is_an_error_and_ends_nothing() -> None:
    class Engine(Words):
        def segment_batch(self, lines: Sequence[str]) -> list[list[str]]:
            raise SystemExit(5)

    with pytest.raises(ContractError, match="failed on line 1: SystemExit: 5"):
        bind(Engine()).segment_batch(["a"])


def test_fingerprint_that_raises_is_an_error() -> None:
    class Engine(Words):
        def __init__(self) -> None:
            pass

        @property
        def fingerprint(self) -> Any:  # type: ignore[override]
            raise FileNotFoundError("words.txt")

    with pytest.raises(ContractError, match=r"no fingerprint: FileNotFoundError: words\.txt"):
        _ = bind(Engine()).id


def test_id_has_fingerprint_distribution_and_probe() -> None:
    engine = Words()
    engine.fingerprint = {"dict": "7197c321", "engine": "1|2,3"}
    bound = bind(engine)
    assert str(bound.id) == (
        f"acme[;dict=7197c321,dist=acme-dist-1.2,engine=1%7C2%2C3,probe={bound.probe}]"
    )


def test_probe_is_the_same_for_the_same_cuts_whatever_the_versions() -> None:
    other = Words()
    other.fingerprint = {"rules": "2"}
    assert bind(Words()).probe == bind(other).probe
    letters = bind_function(lambda lines: [list("".join(line.split())) for line in lines])
    assert bind(Words()).probe != letters.probe


def test_probe_is_taken_once_and_late() -> None:
    engine = Words()
    bound = bind(engine)
    bound.segment_batch(["a"])
    assert engine.seen == ["a"]
    assert bound.probe == bound.probe
    assert len(engine.seen) == 201


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([["ab"]], [["a", "b"]]),
        ([["a"], []], [[], ["a"]]),
        ([["a", "b"]], [["a"], ["b"]]),
        ([["1:a"]], [["a"]]),
        ([["a1:b"]], [["a", "b"]]),
        ([[]], []),
        ([["\ud800"]], [["\ufffd"]]),
    ],
)
def test_unlike_cuts_have_unlike_digests(one: list[list[str]], other: list[list[str]]) -> None:
    digests = [TokenDigest(), TokenDigest()]
    for digest, tokens in zip(digests, (one, other), strict=True):
        digest.add(tokens)
    assert digests[0].hex() != digests[1].hex()


def test_digest_goes_on_over_batches() -> None:
    whole, parts = TokenDigest(), TokenDigest()
    whole.add([["a"], ["b", "c"], []])
    for tokens in ([["a"]], [["b", "c"], []]):
        parts.add(tokens)
    assert whole.hex() == parts.hex()


# --- objects that no plugin offers


def test_object_is_bound_by_module_and_class() -> None:
    scorer = Scorer(segmenter=Words())
    assert scorer.segmenter.name == f"object-{__name__}.Words"
    assert "|tok:object-" in str(scorer.corpus(["a b"], ["a b"]).signature)


def test_signature_of_an_object_is_never_rebuilt() -> None:
    signature = Scorer(segmenter=Words()).corpus(["a b"], ["a b"]).signature
    with pytest.raises(bleuprint.RebuildError, match="object of its user's own"):
        Scorer.from_signature(signature)


@pytest.mark.parametrize("thing", [object(), 7, len, {"segment_batch": len}, ["13a"]])
def test_object_without_the_protocol_is_refused(thing: object) -> None:
    with pytest.raises(ContractError, match="is no segmenter: expected a name, or an object"):
        BoundSegmenter.of_object(thing)  # type: ignore[arg-type]  # wrong on purpose


def test_object_without_a_fingerprint_is_refused() -> None:
    class Engine:
        def segment_batch(self, lines: Sequence[str]) -> list[list[str]]:
            return [line.split() for line in lines]

    with pytest.raises(ContractError, match="expected a mapping"):
        BoundSegmenter.of_object(Engine())  # type: ignore[arg-type]  # wrong on purpose


def test_words_are_a_segmenter() -> None:
    assert isinstance(Words(), Segmenter)


# --- faults of a real plugin, through the registry


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("loses-the-last-line", "returned 1 results for 2 lines, of which line 1 is the first"),
        ("returns-numbers", "line 1: returned the token 1, expected a string"),
        ("empty-token", "line 1: returned a token that is empty"),
        ("blank-token", "line 1: returned a token that is empty"),
        ("raises-at-digits", "failed on line 2: ValueError: digits are not supported"),
    ],
)
def test_faulty_plugin_is_named_with_the_line(
    fixtures: Path, monkeypatch: pytest.MonkeyPatch, name: str, says: str
) -> None:
    monkeypatch.syspath_prepend(fixtures / "distributions" / "faulty")
    bound = Registry.installed().build(name)
    with pytest.raises(ContractError) as caught:
        bound.segment_batch(["a b", "c 4"])
    assert f"segmenter {name!r} of acme-faulty 0.1 (acme-faulty)" in str(caught.value)
    assert says in str(caught.value)
