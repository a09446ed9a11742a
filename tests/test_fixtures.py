"""The project's own texts have the shape that every other test relies on."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest

LANGUAGES = ("zh", "ja", "th", "ko", "pt", "en")
SYSTEMS = ("system-a", "system-b")
TEXTS = ("ref", *SYSTEMS)
DEFAULTS = {
    "zh": "zh-jieba",
    "ja": "ja-mecab",
    "th": "th-newmm",
    "ko": "ko-mecab",
    "pt": "pt-contractions",
    "en": "13a",
}


def lines(fixtures: Path, lang: str, name: str) -> list[str]:
    text = (fixtures / lang / f"{name}.txt").read_bytes().decode("utf-8")
    return text.removesuffix("\n").split("\n")


def golden(fixtures: Path, lang: str, name: str) -> Any:
    return json.loads((fixtures / lang / f"{name}.json").read_bytes())


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("lang", LANGUAGES)
class TestText:
    def test_has_sixteen_lines(self, fixtures: Path, lang: str, name: str) -> None:
        assert len(lines(fixtures, lang, name)) == 16

    def test_ends_with_one_line_feed(self, fixtures: Path, lang: str, name: str) -> None:
        data = (fixtures / lang / f"{name}.txt").read_bytes()
        assert data.endswith(b"\n")
        assert not data.endswith(b"\n\n")

    def test_breaks_lines_at_line_feeds_alone(self, fixtures: Path, lang: str, name: str) -> None:
        text = (fixtures / lang / f"{name}.txt").read_bytes().decode("utf-8")
        assert text.splitlines() == lines(fixtures, lang, name)
        assert "\r" not in text

    def test_has_no_white_space_at_the_ends_of_a_line(
        self, fixtures: Path, lang: str, name: str
    ) -> None:
        found = lines(fixtures, lang, name)
        assert found == [line.strip() for line in found]

    def test_repeats_no_line(self, fixtures: Path, lang: str, name: str) -> None:
        found = lines(fixtures, lang, name)
        assert len(set(found)) == len(found)

    def test_is_nfc_without_control_characters(self, fixtures: Path, lang: str, name: str) -> None:
        for line in lines(fixtures, lang, name):
            assert unicodedata.is_normalized("NFC", line)
            assert not [char for char in line if unicodedata.category(char) in ("Cc", "Cf", "Cn")]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_output_repeats_another_or_the_reference(fixtures: Path, lang: str) -> None:
    for versions in zip(*(lines(fixtures, lang, name) for name in TEXTS), strict=True):
        assert len(set(versions)) == len(TEXTS)


@pytest.mark.parametrize("lang", LANGUAGES)
class TestTokens:
    def test_cover_the_references_by_the_default_segmenter(self, fixtures: Path, lang: str) -> None:
        by_segmenter = {
            entry["segmenter"]: dict(entry["lines"]) for entry in golden(fixtures, lang, "tokens")
        }
        assert set(lines(fixtures, lang, "ref")) <= by_segmenter[DEFAULTS[lang]].keys()

    def test_name_each_segmenter_and_line_once(self, fixtures: Path, lang: str) -> None:
        entries = golden(fixtures, lang, "tokens")
        names = [entry["segmenter"] for entry in entries]
        assert len(set(names)) == len(names)
        for entry in entries:
            assert entry["made_by"]
            assert len(dict(entry["lines"])) == len(entry["lines"])

    def test_are_never_blank(self, fixtures: Path, lang: str) -> None:
        for entry in golden(fixtures, lang, "tokens"):
            for _, tokens in entry["lines"]:
                assert all(token.strip() for token in tokens)


@pytest.mark.parametrize("lang", LANGUAGES)
class TestScores:
    def test_cover_both_systems_by_the_same_segmenters(self, fixtures: Path, lang: str) -> None:
        scores = golden(fixtures, lang, "scores")["scores"]
        by_system = {
            system: [row["segmenter"] for row in scores if row["system"] == system]
            for system in SYSTEMS
        }
        assert by_system["system-a"] == by_system["system-b"]
        assert len(scores) == 2 * len(set(by_system["system-a"]))
        assert {DEFAULTS[lang], "13a", "intl", "char", "none"} <= set(by_system["system-a"])

    def test_put_system_a_ahead_by_the_default_segmenter(self, fixtures: Path, lang: str) -> None:
        score = {
            row["system"]: row["score"]
            for row in golden(fixtures, lang, "scores")["scores"]
            if row["segmenter"] == DEFAULTS[lang]
        }
        assert 45 < score["system-a"] < 66
        assert 15 < score["system-b"] < 30

    def test_add_up(self, fixtures: Path, lang: str) -> None:
        for row in golden(fixtures, lang, "scores")["scores"]:
            # Every segment of length n has n - 1 bigrams, so totals fall with the order.
            assert row["totals"][0] == row["sys_len"]
            assert row["totals"] == sorted(row["totals"], reverse=True)
            assert all(
                count <= total for count, total in zip(row["counts"], row["totals"], strict=True)
            )
