"""Language codes of every kind, and the table of default segmenters."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint._errors import NoSegmenterError, UnknownLanguageError
from bleuprint._languages import _tables, default_segmenter, languages, resolve

CODES = Path(__file__).parents[2] / "fixtures/languages/codes.tsv"
SEGMENTERS = {
    "13a",
    "icu",
    "ja-mecab",
    "ko-mecab",
    "pt-contractions",
    "th-newmm",
    "zh-jieba",
}
TWO_LETTERS = """
aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv
dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie
ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv
mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm
rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts
tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


GOLDEN = read(CODES)


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: f"{row['set']}-{row['code']}")
def test_code_of_a_published_set_has_its_row(row: dict[str, str]) -> None:
    language = resolve(row["code"])
    assert language.tag == row["tag"]
    assert language.script == row["script"]
    assert (language.segmenter or "-") == row["segmenter"]
    assert language.reason
    assert language.note is None


@pytest.mark.parametrize("name", ["flores200", "ntrex128"])
def test_listing_of_a_published_set_is_complete(name: str, shared_data: Path) -> None:
    published = [row["code"] for row in read(shared_data / "languages" / f"{name}.tsv")]
    assert [row["code"] for row in GOLDEN if row["set"] == name] == published


@pytest.mark.parametrize("code", TWO_LETTERS.split())
def test_every_two_letter_code_is_its_own_canonical_code(code: str) -> None:
    language = resolve(code)
    assert language.code == language.tag == code
    assert language.note is None or code in ("br", "ch", "ee", "kr", "se")


@pytest.mark.parametrize(
    ("spelling", "tag"),
    [
        ("zho_Hans", "zh-Hans"),
        ("zho_simpl", "zh-Hans"),
        ("zho_trad", "zh-Hant"),
        ("zh-hant", "zh-Hant"),
        ("zH_hANT_TW", "zh-Hant-TW"),
        ("chi", "zh"),
        ("zho", "zh"),
        ("cmn", "zh"),
        ("jpn", "ja"),
        ("JA", "ja"),
        ("yue", "yue"),
        ("zh-yue", "yue"),
        ("zh-yue-HK", "yue-HK"),
        ("zh-min-nan", "nan"),
        ("fre", "fr"),
        ("srp-latn", "sr-Latn"),
        ("sr-Latn-RS", "sr-Latn-RS"),
        ("pt_BR", "pt-BR"),
        ("es-419", "es-419"),
        ("en-UK", "en-GB"),
        ("iw", "he"),
        ("in", "id"),
        ("ca-valencia", "ca-valencia"),
        ("sl-rozaj-1994", "sl-rozaj-1994"),
        ("de-DE-u-co-phonebk", "de-DE-u-co-phonebk"),
        ("gsw-ZH", "gsw-CH-u-sd-chzh"),
        (" ja\n", "ja"),
    ],
)
def test_spelling_of_one_language(spelling: str, tag: str) -> None:
    language = resolve(spelling)
    assert (language.tag, language.note) == (tag, None)


@pytest.mark.parametrize(
    ("pair", "tag"),
    [
        ("en-ja", "ja"),
        ("EN-JA", "ja"),
        ("en-JA", "ja"),
        ("en_ja", "ja"),
        ("en-zh", "zh"),
        ("zh-ja", "ja"),
        ("ko-ja", "ja"),
        ("ja-en", "en"),
        ("de-en", "en"),
        ("en-de", "de"),
        ("fr-en", "en"),
        ("en-fr", "fr"),
        ("en-tr", "tr"),
        ("en-ar", "ar"),
        ("en-pl", "pl"),
        ("en-ga", "ga"),
        ("en-is", "is"),
        ("en-vi", "vi"),
        ("en-kn", "kn"),
        ("en-km", "km"),
        ("en-th", "th"),
        ("en-lo", "lo"),
        ("en-pt", "pt"),
        ("en-uk", "uk"),
        ("eng-jpn", "ja"),
        ("eng_Latn-jpn_Jpan", "ja-Jpan"),
        ("en-zh-Hant", "zh-Hant"),
        ("en-zh-TW", "zh-TW"),
        ("en-pt-br", "pt-BR"),
        ("de-en-kn", "en-KN"),
        ("en_US-pt_BR", "pt-BR"),
        ("zh-tw-en", "en"),
        ("sr-Latn-en", "en"),
    ],
)
def test_target_of_a_pair_counts(pair: str, tag: str) -> None:
    language = resolve(pair)
    assert (language.tag, language.note) == (tag, None)


@pytest.mark.parametrize(
    "tag",
    ["de-at", "pt-pt", "zh-hk", "zh-cn", "en-in", "sr-me", "en-gb", "nb-no", "en-il"],
)
def test_region_without_a_second_reading_has_no_note(tag: str) -> None:
    language = resolve(tag)
    assert language.tag == f"{tag[:2]}-{tag[3:].upper()}"
    assert language.note is None


@pytest.mark.parametrize(
    ("spelling", "tag", "other"),
    [
        ("pt-br", "pt-BR", "Portuguese to Breton write br"),
        ("por_br", "pt-BR", "Portuguese to Breton write br"),
        ("PT-BR", "pt-BR", "Portuguese to Breton write br"),
        ("zh-tw", "zh-TW", "Chinese to Twi write tw"),
        ("fr-ca", "fr-CA", "French to Catalan write ca"),
        ("es-ar", "es-AR", "Spanish to Arabic write ar"),
        ("ms-my", "ms-MY", "Malay to Burmese write my"),
        ("ar-sa", "ar-SA", "Arabic to Sanskrit write sa"),
        ("ko-kr", "ko-KR", "Korean to Kanuri write kr"),
        ("lo-la", "lo-LA", "Lao to Latin write la"),
        ("en-my", "my", "English (Malaysia) write en-MY"),
        ("sv-fi", "fi", "Swedish (Finland) write sv-FI"),
        ("en-mt", "mt", "English (Malta) write en-MT"),
        ("ca-es", "es", "Catalan (Spain) write ca-ES"),
        ("en-at", "en-AT", "German write en-de"),
        ("en-br", "br", "Portuguese write pt-BR"),
        ("en-kr", "kr", "Korean write ko"),
        ("kr", "kr", "Korean write ko"),
    ],
)
def test_ambiguous_code_is_read_with_a_note(spelling: str, tag: str, other: str) -> None:
    language = resolve(spelling)
    assert language.tag == tag
    assert language.note is not None
    assert language.note.startswith(f"{spelling} is read as ")
    assert language.note.endswith(other)


@pytest.mark.parametrize("tag", ["pt-BR", "zh-TW", "en-TR", "en-MY", "sv-FI", "en-JP", "ar-SA"])
def test_upper_case_region_is_a_region(tag: str) -> None:
    language = resolve(tag)
    assert (language.tag, language.region, language.note) == (tag, tag[3:], None)


@pytest.mark.parametrize(
    ("nonsense", "hint"),
    [
        ("xx", "did you mean"),
        ("", "empty"),
        (" ", "empty"),
        ("Japanese", "did you mean ja (Japanese)"),
        ("jp", "did you mean ja (Japanese)?"),
        ("cz", "did you mean cs (Czech)?"),
        ("en-xx", "'xx' is not known here"),
        ("en-Abcd", "'Abcd' is not known here"),
        ("zh-", "no pair of languages"),
        ("en--ja", "no pair of languages"),
        ("en-ja-zh", "no pair of languages"),
        ("日本語", "no language has the code"),
        ("x-private", "no pair of languages"),
    ],
)
def test_nonsense_is_an_error_with_a_hint(nonsense: str, hint: str) -> None:
    with pytest.raises(UnknownLanguageError) as error:
        resolve(nonsense)
    assert hint in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("pair", "way_out"), [("en-jp", "en-ja"), ("en-cn", "en-zh"), ("zh-us", "zh-en")]
)
def test_region_written_for_a_language_is_never_scored_by_guess(pair: str, way_out: str) -> None:
    with pytest.raises(UnknownLanguageError, match=f"{way_out} for the pair"):
        resolve(pair)


@pytest.mark.parametrize(
    ("tag", "segmenter"),
    [
        ("zh", "zh-jieba"),
        ("zh-Latn", "13a"),
        ("ja", "ja-mecab"),
        ("ja-Latn", "13a"),
        ("th", "th-newmm"),
        ("ko", "ko-mecab"),
        ("ko-Hang", "ko-mecab"),
        ("pt", "pt-contractions"),
        ("km", "icu"),
        ("lo", "icu"),
        ("my", "icu"),
        ("vi", "13a"),
        ("en", "13a"),
        ("kas_Deva", "13a"),
        ("ace_Arab", "13a"),
        ("taq_Tfng", "13a"),
    ],
)
def test_default_segmenter(tag: str, segmenter: str) -> None:
    assert default_segmenter(resolve(tag)) == segmenter


@pytest.mark.parametrize(
    "tag", ["yue", "lzh", "nan", "bo", "dzo", "shn", "jv-Java", "vi-Hani", "en-Jpan"]
)
def test_language_without_a_default_names_the_ways_out(tag: str) -> None:
    with pytest.raises(NoSegmenterError, match=r"--segmenter .*char") as error:
        default_segmenter(resolve(tag))
    assert resolve(tag).reason in str(error.value)


@pytest.mark.parametrize(
    ("tag", "script"),
    [("zh", "Hans"), ("zh-TW", "Hant"), ("zh-HK", "Hant"), ("sr-ME", "Latn"), ("pa-PK", "Arab")],
)
def test_region_may_change_the_usual_script(tag: str, script: str) -> None:
    assert resolve(tag).script == script


def test_marks_that_13a_leaves_glued_are_in_the_reason() -> None:
    assert "।" in resolve("hi").reason
    assert "؟" in resolve("ar").reason
    assert "intl" in resolve("am").reason


def test_every_row_has_a_segmenter_or_says_what_to_do() -> None:
    rows = languages()
    assert len({(row.code, row.script) for row in rows}) == len(rows)
    for row in rows:
        assert row.reason
        assert row.segmenter in SEGMENTERS or "--segmenter" in row.reason
        assert row.segmenter != "13a" or row.spaced
        assert resolve(row.tag).code == row.code


def test_canonical_tag_means_itself() -> None:
    for row in languages():
        again = resolve(row.tag)
        assert (again.tag, again.script) == (row.tag, row.script)


def test_tables_agree_with_each_other() -> None:
    tables = _tables()
    assert {script for _, script in tables.rows} <= set(tables.scripts)
    for region, row in tables.regions.items():
        used = {*row.languages, *row.pair_first}
        assert used <= set(tables.names), region
        # in lower case, a region without a main language is always the other reading
        assert row.languages or region.isdigit() or region.lower() in tables.codes, region


SUBTAGS = (
    "en ja zh pt br BR tw TW my MY jp JP Hant Latn hant yue jpn kr kn 419 x u sl valencia xx a"
)


@given(
    st.lists(st.sampled_from(SUBTAGS.split()) | st.text("abzHX1", max_size=4), max_size=5),
    st.sampled_from("-_"),
)
def test_any_text_is_a_language_or_an_error(subtags: list[str], joint: str) -> None:
    try:
        language = resolve(joint.join(subtags))
    except UnknownLanguageError:
        return
    assert resolve(language.tag).code == language.code
