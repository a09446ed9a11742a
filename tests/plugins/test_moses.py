"""moses: sacremoses' tokens, by language."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint_moses
from bleuprint import OptionError, Registry
from bleuprint.testing import check_segmenter

sacremoses = pytest.importorskip("sacremoses")

(SPEC,) = bleuprint_moses.bleuprint_segmenters()


def cut(line: str, **options: str) -> str:
    ((*tokens,),) = SPEC.build(**options).segment_batch([line])
    return " ".join(tokens)


# Checked against sacremoses 0.2.0.
@pytest.mark.parametrize(
    ("options", "line", "tokens"),
    [
        ({}, "", ""),
        ({}, " \t\u3000", ""),
        ({}, "Hello, world!", "Hello , world !"),
        ({}, "Mr. Smith isn't in.", "Mr. Smith isn &apos;t in ."),
        ({"escape": "off"}, 'a < b & "c"', 'a < b & " c "'),
        ({}, 'a < b & "c"', "a &lt; b &amp; &quot; c &quot;"),
        ({"aggressive": "on"}, "well-known", "well @-@ known"),
        ({}, "well-known", "well-known"),
        ({"lang": "fr"}, "L'eau d'ici", "L&apos; eau d&apos; ici"),
        ({"lang": "de"}, "z.B. am 3. Mai", "z.B. am 3. Mai"),
        ({"lang": "pt-BR"}, "O Sr. Silva", "O Sr. Silva"),
        ({}, "one...two....", "one ... two ...."),
        ({}, "bell\x07rings", "bellrings"),
    ],
)
def test_tokens(options: dict[str, str], line: str, tokens: str) -> None:
    assert cut(line, **options) == tokens


def test_contract_is_kept() -> None:
    check_segmenter(SPEC, lines=["a.b. c.d.", "THISISPROTECTED000", "DOTDOTMULTI"])


@pytest.mark.slow
def test_contract_is_kept_on_long_lines() -> None:
    check_segmenter(SPEC, long_lines=True)


@pytest.mark.parametrize("lang", ["", "english", "d", "de;", "de DE", "../de", "д"])
def test_language_that_is_none_is_refused(lang: str) -> None:
    with pytest.raises(OptionError, match="expected a language code"):
        SPEC.build(lang=lang)


@pytest.mark.parametrize(
    ("lang", "abbreviations"),
    [("en", "en"), ("DE", "de"), ("pt_BR", "pt"), ("tet", "tdt"), ("xx", "en"), ("nb", "en")],
)
def test_fingerprint_says_whose_abbreviations_are_heeded(lang: str, abbreviations: str) -> None:
    fingerprint = SPEC.build(lang=lang).fingerprint
    assert set(fingerprint) == {"sacremoses", "abbreviations"}
    assert fingerprint["abbreviations"] == abbreviations


def test_claimed_languages_are_those_with_abbreviations() -> None:
    codes = set(sacremoses.corpus.NonbreakingPrefixes().available_langs.values())
    # Chinese has a list for its Latin abbreviations; its words are not parted
    assert set(SPEC.languages) == codes - {"tdt", "yue", "zh"} | {"tet"}


def test_options_are_in_the_signature_and_checked() -> None:
    registry = Registry.installed()
    shown = str(registry.build("moses[lang=de]").id)
    assert shown.startswith("moses[aggressive=off,escape=on,lang=de;abbreviations=de,probe=1-")
    with pytest.raises(OptionError, match="expected one of on, off"):
        registry.build("moses[escape=yes]")


def theirs(lines: list[str], lang: str, *, escape: bool, aggressive: bool) -> list[list[str]]:
    tokenizer = sacremoses.MosesTokenizer(lang=lang)
    return [
        tokenizer.tokenize(line, escape=escape, aggressive_dash_splits=aggressive) for line in lines
    ]


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_real_texts_are_cut_as_by_sacremoses(lang: str, shared_data: Path) -> None:
    lines = [
        line
        for name in ("pt", "ko", "th")
        for line in (shared_data / "ntrex" / f"{name}.txt").read_text("utf-8").split("\n")[:500]
    ]
    mine = SPEC.build(lang=lang).segment_batch(lines)
    assert mine == theirs(lines, lang, escape=True, aggressive=False)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.text(st.sampled_from([*"aB.1 ,'’-\"&<|[\t\x07é日।"]) | st.characters()), max_size=3
    ),
    st.sampled_from(["en", "fr", "de", "hi", "ko", "xx"]),
    st.booleans(),
    st.booleans(),
)
def test_any_text_is_cut_as_by_sacremoses(
    lines: list[str], lang: str, escape: bool, aggressive: bool
) -> None:
    options = {"escape": "on" if escape else "off", "aggressive": "on" if aggressive else "off"}
    mine = SPEC.build(lang=lang, **options).segment_batch(lines)
    assert mine == theirs(lines, lang, escape=escape, aggressive=aggressive)
