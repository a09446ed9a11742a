"""Preparation: unusable characters, normalisation steps, case, trailing white space."""

from __future__ import annotations

import pickle
import sys
import unicodedata
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bleuprint._errors import SettingError
from bleuprint._prepare import STEPS, Preparation, replace_unusable

# Text in which what the steps look for is common, lone surrogates and line feeds included.
TEXT = st.text(
    st.one_of(
        st.sampled_from(
            "aIiİı\u0307\u0323ΣσÅA\u030aﬁｶﾞ゛カ\u3099１٣९①Ａ　「」“’«\0\ud800\n\r \t日\u200b"
        ),
        st.characters(),
    ),
    max_size=30,
)
NORMALIZATIONS = st.lists(st.sampled_from(sorted(STEPS)), max_size=3).map(
    lambda steps: "+".join(steps) or "none"
)


def prepare(text: str, normalize: str = "none", lowercase: bool | str = False) -> str:
    (prepared,) = Preparation(normalize=normalize, lowercase=lowercase).apply([text])
    return prepared


@pytest.mark.parametrize(
    ("steps", "text", "prepared"),
    [
        ("none", "a\u0301 ", "a\u0301"),
        ("nfc", "Tie\u0302\u0301ng", "Tiếng"),
        ("nfd", "ế", "e\u0302\u0301"),
        ("nfc", "한", "한"),
        ("nfkc", "３個，ﬁ①", "3個,fi1"),
        ("nfkd", "ﬁé", "fie\u0301"),
        ("fullwidth", "ＡＢＣ１２３，．！～　x", "ABC123,.!~ x"),
        ("fullwidth", "ｶﾞｷﾞﾊﾟ", "ガギパ"),
        ("fullwidth", "カﾞ", "ガ"),
        ("fullwidth", "ｱﾞ", "ア゛"),
        ("fullwidth", "aﾞﾟ", "a゛゜"),
        ("fullwidth", "ｳﾞｧｲｵﾘﾝ｡｢｣､･ｰ", "ヴァイオリン。「」、・ー"),
        ("fullwidth", "①ﬁ￥￡ﾡ", "①ﬁ￥￡ﾡ"),
        ("fullwidth", "か\u3099", "か\u3099"),
        ("digits", "٣४๕３𝟗①²", "34539①²"),
        ("quotes", "“a” „b‟ «c» ‘d’ ‚e‛ ‹f› 〝g〞 ＂h＂", '"a" "b" "c" \'d\' \'e\' \'f\' "g" "h"'),
        ("quotes", "「a」『b』 5′ 6″ `", "「a」『b』 5′ 6″ `"),
        ("fullwidth+digits", "１٣", "13"),
        ("quotes+nfkc", "＂", '"'),
        ("nfkc", "他有３个苹果，很好吃。", "他有3个苹果,很好吃。"),
    ],
)
def test_steps_do_what_they_are_defined_to(steps: str, text: str, prepared: str) -> None:
    assert prepare(text, steps) == prepared


def test_steps_run_in_the_order_in_which_they_are_written() -> None:
    assert prepare("ｶﾞ", "nfd+fullwidth") == "ガ"
    assert prepare("ｶﾞ", "fullwidth+nfd") == "カ\u3099"


@pytest.mark.parametrize(
    ("lowercase", "text", "prepared"),
    [
        (False, "ABC İI", "ABC İI"),
        (True, "ABC ÀÉ ΑΣ ẞ", "abc àé ας ß"),
        (True, "İ", "i\u0307"),
        ("tr", "İSTANBUL IĞDIR", "istanbul ığdır"),
        ("tr", "I\u0307STANBUL", "istanbul"),
        ("tr", "I\u0323\u0307", "i\u0323"),
        ("tr", "I\u0301\u0307", "ı\u0301\u0307"),
        ("tr", "Iz\u0307", "ız\u0307"),
        ("tr", "Iα\u0307I\u0307", "ıα\u0307i"),
        ("tr", "ii\u0307", "ii\u0307"),
    ],
)
def test_case_follows_unicode_and_turkish(lowercase: bool | str, text: str, prepared: str) -> None:
    assert prepare(text, lowercase=lowercase) == prepared


@pytest.mark.parametrize(
    ("text", "prepared"),
    [
        ("日本\x00語です", "日本\ufffd語です"),
        ("a\ud800b\udfff", "a\ufffdb\ufffd"),
        ("a\x00", "a\ufffd"),
        ("a \t\u3000\u2028\x1c", "a"),
        ("  a", "  a"),
        ("\u200b", "\u200b"),
        ("", ""),
    ],
)
def test_nul_and_surrogates_are_replaced_and_trailing_white_space_goes(
    text: str, prepared: str
) -> None:
    assert prepare(text) == prepared


@given(st.lists(TEXT, max_size=6), NORMALIZATIONS, st.sampled_from([False, True, "tr"]))
def test_a_batch_is_prepared_as_its_lines_are_one_by_one(
    lines: list[str], normalize: str, lowercase: bool | str
) -> None:
    preparation = Preparation(normalize=normalize, lowercase=lowercase)
    assert preparation.apply(lines) == [preparation.apply([line])[0] for line in lines]


FORMS: list[Literal["NFC", "NFD", "NFKC", "NFKD"]] = ["NFC", "NFD", "NFKC", "NFKD"]


@given(TEXT)
def test_unicode_forms_are_those_of_the_standard_library(text: str) -> None:
    for form in FORMS:
        expected = unicodedata.normalize(form, replace_unusable(text)).rstrip()
        assert prepare(text, form) == expected


@pytest.mark.parametrize("form", FORMS)
def test_every_character_is_normalised_as_by_the_standard_library(
    form: Literal["NFC", "NFD", "NFKC", "NFKD"],
) -> None:
    characters = [f"a{chr(c)}b" for c in range(1, sys.maxunicode + 1) if not 0xD7FF < c < 0xE000]
    expected = [unicodedata.normalize(form, text) for text in characters]
    assert Preparation(normalize=form).apply(characters) == expected


def test_every_decimal_digit_becomes_ascii() -> None:
    digits = [chr(c) for c in range(sys.maxunicode + 1) if chr(c).isdecimal()]
    expected = [str(unicodedata.decimal(digit)) for digit in digits]
    assert Preparation(normalize="digits").apply(digits) == expected


@settings(max_examples=300)
@given(TEXT)
def test_folding_width_is_nfkc_where_it_changes_anything_but_the_spacing_of_marks(
    text: str,
) -> None:
    folded = prepare(text, "fullwidth")
    spacing = {0x309B: "\u3099", 0x309C: "\u309a"}
    nfkc = unicodedata.normalize("NFKC", replace_unusable(text).rstrip()).translate(spacing)
    assert unicodedata.normalize("NFKC", folded.translate(spacing)) == unicodedata.normalize(
        "NFKC", nfkc
    )


@pytest.mark.parametrize(
    ("normalize", "lowercase", "norm", "case"),
    [
        ("none", False, "none", "mixed"),
        ("nfkc+digits", True, "nfkc+digits", "lc"),
        (" NFKC + Digits ", "tr", "nfkc+digits", "lc.tr"),
    ],
)
def test_the_signature_has_steps_and_case_in_one_spelling(
    normalize: str, lowercase: bool | str, norm: str, case: str
) -> None:
    preparation = Preparation(normalize=normalize, lowercase=lowercase)
    assert (preparation.norm, preparation.case) == (norm, case)


@pytest.mark.parametrize("normalize", ["nfx", "", "nfc+", "nfc,digits", "none+nfc", "digit", 3])
def test_a_step_that_there_is_not_is_refused_with_those_there_are(normalize: object) -> None:
    with pytest.raises(SettingError) as caught:
        Preparation(normalize=normalize)  # type: ignore[arg-type]  # what is tested
    assert repr(normalize) in str(caught.value)
    if normalize == "digit":
        assert "did you mean 'digits'?" in str(caught.value)


@pytest.mark.parametrize("lowercase", ["de", None, 2, "TR"])
def test_another_case_setting_is_refused(lowercase: object) -> None:
    with pytest.raises(SettingError, match="lowercase"):
        Preparation(lowercase=lowercase)  # type: ignore[arg-type]  # what is tested


def test_a_preparation_is_a_value() -> None:
    preparation = Preparation(normalize="nfkc+quotes", lowercase="tr")
    assert pickle.loads(pickle.dumps(preparation)) == preparation
    assert hash(preparation) == hash(Preparation(normalize="nfkc+quotes", lowercase="tr"))
