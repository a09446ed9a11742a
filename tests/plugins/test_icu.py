"""icu: what stands between ICU's word boundaries."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import bleuprint_icu
from bleuprint import OptionError, Registry
from bleuprint.plugin import Segmenter
from bleuprint.testing import check_segmenter

icu4py = pytest.importorskip("icu4py")

(SPEC,) = bleuprint_icu.bleuprint_segmenters()


@pytest.fixture(scope="module")
def icu() -> Segmenter:
    return SPEC.build()


# Words that the dictionaries of ICU 70 to 78 agree on.
@pytest.mark.parametrize(
    ("line", "tokens"),
    [
        ("", []),
        (" \r\n\t\u3000", []),
        ("Hello, world!", ["Hello", ",", "world", "!"]),
        ("3.5% of it's", ["3.5", "%", "of", "it's"]),
        ("ខ្ញុំទៅសាលារៀន", ["ខ្ញុំ", "ទៅ", "សាលារៀន"]),
        ("ຂ້ອຍໄປໂຮງຮຽນ", ["ຂ້ອຍ", "ໄປ", "ໂຮງຮຽນ"]),
        ("ကျွန်တော် ကျောင်းသွားတယ်", ["ကျွန်တော်", "ကျောင်း", "သွား", "တယ်"]),
        ("བོད་སྐད།", ["བོད", "་", "སྐད", "།"]),
        ("日\u3000本", ["日", "本"]),
        ("a\u200bb", ["a", "\u200b", "b"]),
        ("\ufffd", ["\ufffd"]),
    ],
)
def test_words(icu: Segmenter, line: str, tokens: list[str]) -> None:
    assert icu.segment_batch([line]) == [tokens]


@pytest.mark.parametrize("lang", ["root", "km", "zh-Hant"])
def test_contract_is_kept(lang: str) -> None:
    check_segmenter(SPEC, options={"lang": lang}, lines=["ၵႂၢမ်းတႆး", " \u0301", "\U000e0001"])


@pytest.mark.slow
def test_contract_is_kept_on_long_lines() -> None:
    check_segmenter(SPEC, long_lines=True)


@pytest.mark.parametrize("lang", ["", "k", "km;", "km@x=y", "ខ្មែរ", "a" * 40])
def test_locale_that_is_none_is_refused(lang: str) -> None:
    with pytest.raises(OptionError, match="expected a locale"):
        SPEC.build(lang=lang)


def test_fingerprint_is_the_release_of_icu(icu: Segmenter) -> None:
    assert icu.fingerprint["icu"] == icu4py.icu_version
    assert set(icu.fingerprint) == {"icu", "icu4py"}


@pytest.mark.parametrize("lang", ["km", "lo", "my"])
def test_it_is_the_default_where_icu_has_the_dictionary(lang: str, shared_data: Path) -> None:
    lines = (shared_data / "ntrex" / f"{lang}.txt").read_text("utf-8").split("\n")[:200]
    bound = Registry.installed().build("icu", lang=lang)
    words = sum(map(len, bound.segment_batch(lines)))
    assert words > 3 * sum(len(line.split()) for line in lines)


def test_threads_cut_alike(icu: Segmenter, shared_data: Path) -> None:
    lines = (shared_data / "ntrex" / "my.txt").read_text("utf-8").split("\n")[:300]
    expected = icu.segment_batch(lines)
    with ThreadPoolExecutor(4) as pool:
        assert all(got == expected for got in pool.map(icu.segment_batch, [lines] * 8))
