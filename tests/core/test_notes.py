"""Notes: each fires where it should, and none where it should not."""

from __future__ import annotations

import pickle
import random
import unicodedata
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint._notes import CODES, Inspector, Note, SeenReferences, merge_notes
from bleuprint._registry import Registry
from bleuprint.plugin import SegmenterSpec


def spec(name: str = "x", languages: tuple[str, ...] = ()) -> SegmenterSpec:
    return SegmenterSpec(name=name, languages=languages, build=lambda: pytest.fail("not built"))


def look(
    hypotheses: Sequence[str],
    references: Sequence[str | Sequence[str]],
    *,
    segmenter: SegmenterSpec | None = None,
    norm: str = "none",
    sources: Sequence[str] | None = None,
    tokens: Sequence[Sequence[str]] | None = None,
) -> tuple[Note, ...]:
    rows = [[row] if isinstance(row, str) else row for row in references]
    inspector = Inspector(segmenter, norm=norm)
    inspector.see(hypotheses, rows, tokens=tokens, sources=sources)
    return inspector.notes()


def found(notes: Sequence[Note]) -> list[tuple[str, str, int, int | None]]:
    return [(note.code, note.side, note.count, note.first) for note in notes]


PLAIN = ["The cat sat on the mat.", "It was warm there.", "Nobody minded, much."]
OTHER = ["A cat was sitting on the mat.", "It was quite warm.", "Nobody cared much."]


def test_plain_text_has_no_notes() -> None:
    assert look(PLAIN, OTHER) == ()


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("", "empty-hypothesis"),
        (" \t\u3000", "empty-hypothesis"),
        ("He sat .", "looks-tokenized"),
        ("天气 很 好 。", "looks-tokenized"),
        ("He sl@@ ept", "subword-marks"),
        ("He sl@@", "subword-marks"),
        ("▁He ▁sat", "subword-marks"),
        ("He <unk> sat", "subword-marks"),
        ("He ⁇ sat", "subword-marks"),
        ("he sl ##ept", "subword-marks"),
        ("a [UNK] b", "subword-marks"),
        ("He said &quot;no&quot;", "moses-escapes"),
        ("R &amp; D", "moses-escapes"),
        ("it &apos;s", "moses-escapes"),
        ("a well @-@ known man", "moses-escapes"),
        ("a\u200bb", "zero-width"),
        ("a\ufeffb", "zero-width"),
        ("soft\u00adhyphen", "zero-width"),
        ("caf\ufffd", "replacement-character"),
        ("a\0b", "nul-or-surrogate"),
        ("a\ud800b", "nul-or-surrogate"),
        ("cafe\u0301", "not-nfc"),
        ("\u212b", "not-nfc"),
        ("\u2000x", "not-nfc"),
        ("か\u3099", "not-nfc"),
    ],
)
def test_each_note_fires_on_its_side_with_count_and_first(line: str, code: str) -> None:
    pairs = [(code, "hypotheses", 1, 2)]
    notes = look([PLAIN[0], line, PLAIN[2]], OTHER)
    assert [note for note in found(notes) if note[0] == code] == pairs
    assert "hypotheses" in notes[0].message
    assert "line 2" in notes[0].message
    code = code.replace("hypothesis", "reference")
    assert (code, "references", 1, 3) in found(look(PLAIN, [OTHER[0], OTHER[1], line]))


@pytest.mark.parametrize(
    "line",
    [
        "He wrote to a@b.org & went; home.",
        "# Heading, #hashtag, ## and C##",
        "He paused ... and left ...",
        "x < 3 and y > 2",
        "Ça va ? Oui !",
        "It cost 5 @ 3 each",
        "AT&T; Q&A;",
        "naïve café, Dvořák, ế, 한국어, が, “curly” – dash…",
        "👍🏽 👩‍👩‍👧 ❤️",
    ],
)
def test_notes_do_not_cry_wolf(line: str) -> None:
    assert look([line, *PLAIN], [OTHER[0], *OTHER]) == ()


def test_a_full_stop_after_a_space_now_and_then_is_no_tokenized_text() -> None:
    assert look(["He sat ."] + PLAIN * 5, OTHER[:1] + OTHER * 5) == ()
    assert look(["He sat ."] + PLAIN * 3, OTHER[:1] + OTHER * 3)[0].code == "looks-tokenized"


@pytest.mark.parametrize("line", ["He sat .", "R &amp; D"])
def test_segmenter_none_expects_tokenized_and_escaped_text(line: str) -> None:
    assert look([line], OTHER[:1], segmenter=spec("none")) == ()
    assert len(look([line], OTHER[:1], segmenter=spec("13a"))) == 1


def test_identical_sides_are_noted() -> None:
    assert found(look(PLAIN, PLAIN)) == [("sides-identical", "", 3, 1)]
    assert look([*PLAIN, "a"], [*PLAIN, "b"]) == ()


def test_sides_are_identical_if_one_reference_file_is_the_hypothesis_file() -> None:
    rows = [list(pair) for pair in zip(OTHER, PLAIN, strict=True)]
    assert found(look(PLAIN, rows)) == [("sides-identical", "", 3, 1)]
    assert look(PLAIN, [[PLAIN[0], "a"], ["b", PLAIN[1]], [PLAIN[2]]]) == ()


def test_sides_that_are_empty_are_not_called_identical() -> None:
    assert [note.code for note in look([""], [""])] == ["empty-hypothesis", "empty-reference"]


@pytest.mark.parametrize(
    "text", ["Tiếng Việt rất đẹp và hay", "한국어는 아름답다", "\u0958लम", "Å"]
)
def test_unlike_unicode_forms_are_noted(text: str) -> None:
    decomposed = unicodedata.normalize("NFD", text)
    composed = unicodedata.normalize("NFC", text)
    if composed == decomposed:  # a letter that is excluded from composition
        composed, decomposed = text, composed
    codes = {note.code for note in look([decomposed, "a"], [composed, "b"])}
    assert "unicode-forms-differ" in codes
    assert "not-nfc" in codes
    codes = {note.code for note in look([composed], [decomposed])}
    assert "unicode-forms-differ" in codes


@pytest.mark.parametrize("norm", ["nfc", "digits+nfkd"])
def test_forms_that_normalisation_makes_equal_are_not_noted(norm: str) -> None:
    assert look(["cafe\u0301 au lait"], ["un café"], norm=norm) == ()


def test_forms_do_not_differ_where_no_letter_is_shared() -> None:
    notes = look(["cafe\u0301 noir"], ["the menthe"])
    assert [note.code for note in notes] == ["not-nfc"]


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [("می‌روم", "میروم"), ("می روم", "می روم به خانه‌ها"), ("نه", "نه\u200f")],
)
def test_joiners_are_noted_only_where_they_keep_a_word_from_matching(
    hypothesis: str, reference: str
) -> None:
    differs = hypothesis.replace("\u200c", "") == reference.replace("\u200f", "")
    codes = [note.code for note in look([hypothesis], [reference])]
    assert codes == (["zero-width-differs"] if differs else [])
    assert look(["خانه‌ها بزرگ"], ["خانه‌ها کوچک"]) == ()


def test_zero_width_characters_are_counted_one_by_one() -> None:
    notes = look(["a", "b\u200bc\u200b\u200b", "\ufeff"], ["a b", "c", "d"])
    assert found(notes)[0] == ("zero-width", "hypotheses", 4, 2)


@pytest.mark.parametrize(
    "text",
    [
        "今天天气很不错",
        "今日はいい天気ですね。",
        "วันนี้อากาศดีมาก ฉันจะไปเดินเล่น",
        "ថ្ងៃនេះអាកាសធាតុល្អណាស់",
        "ມື້ນີ້ອາກາດດີຫຼາຍ",
        "ဒီနေ့ရာသီဥတုအရမ်းကောင်းတယ်",
        "དེ་རིང་གནམ་གཤིས་ཡག་པོ་འདུག",
        "ဝၼ်းၼႆႉလူမ်းၾႃႉလီတႄႉတႄႉ",
    ],
)
def test_text_without_spaces_that_is_not_cut_is_noted_once(text: str) -> None:
    (note,) = look([text + "x"], [text + "y"])
    assert (note.code, note.count, note.first) == ("no-spaces", 1, 1)
    assert look([text + "x"], [text + "y"], tokens=[text.split()])[0].code == "no-spaces"
    letters = [list(text)]
    inspector = Inspector()
    inspector.see([text + "x"], [[text + "y"]], tokens=letters, reference_tokens=letters)
    assert inspector.notes() == ()


@pytest.mark.parametrize(
    "text", ["今天 天气 很 不错", "วันนี้ อากาศ ดี มาก", "오늘 날씨가 참 좋네요", "你好"]
)
def test_text_with_spaces_is_not_said_to_have_none(text: str) -> None:
    assert look([text + "x"], [text + "y"]) == ()


def test_a_segmenter_of_the_language_may_make_long_tokens() -> None:
    city = "กรุงเทพมหานคร"
    assert look([city], [city + "ๆ"], segmenter=spec("th-x", ("th",))) == ()
    assert len(look([city], [city + "ๆ"], segmenter=spec("pt-x", ("pt",)))) == 1


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [
        ("This was not translated", "这个没有翻译"),
        ("Это не то", "This is not it"),
        ("यह हिन्दी है", "এটা বাংলা"),
        ("שלום", "السلام"),
        ("ສະບາຍດີ", "สวัสดี"),
        ("ഇത് മലയാളം", "මෙය සිංහල"),
    ],
)
def test_unlike_scripts_are_noted(hypothesis: str, reference: str) -> None:
    segmenter = spec(languages=("zh", "th", "lo"))
    notes = look([hypothesis] * 2, [reference] * 2, segmenter=segmenter)
    assert found(notes) == [("scripts-differ", "", 2, 1)]


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [
        ("BBC新闻", "英国广播公司新闻"),
        ("はい", "了解"),
        ("123 - 456", "你好"),
        ("", "你好"),
        ("Dvořák – ế", "Dvorak"),
        ("𠀀𠀁𠀂", "abc"),
    ],
)
def test_scripts_that_mix_are_not_unlike(hypothesis: str, reference: str) -> None:
    notes = look([hypothesis], [reference], segmenter=spec(languages=("zh",)))
    assert "scripts-differ" not in {note.code for note in notes}


def test_few_segments_in_another_script_are_no_matter() -> None:
    chinese, segmenter = ["今天天气很不错"] * 30, spec(languages=("zh",))
    mixed = ["It is fine"] * 2 + chinese[2:]
    assert look(mixed, [text + "。" for text in chinese], segmenter=segmenter) == ()
    mixed = ["It is fine"] * 9 + chinese[9:]
    notes = look(mixed, [text + "。" for text in chinese], segmenter=segmenter)
    assert found(notes) == [("scripts-differ", "", 9, 1)]


def test_copies_of_the_source_are_noted_if_they_are_more_than_half() -> None:
    sources = ["Un chat.", "Il dort.", "", "Bonjour."]
    hypotheses = ["Un chat.", "Il dort.", "", "Hello."]
    references = ["A cat.", "He sleeps.", "x", "Good day."]
    assert "copies-of-source" not in [n.code for n in look(hypotheses, references, sources=sources)]
    notes = look(sources, references, sources=sources)
    assert ("copies-of-source", "", 3, 1) in found(notes)


def test_references_are_counted_by_text_and_placed_by_segment() -> None:
    notes = look(PLAIN, [["a", "b"], ["c"], ["", "d", ""]])
    assert found(notes) == [("empty-reference", "references", 2, 3)]


# What a corpus is cut into makes no difference

LINES = st.sampled_from(
    [
        *["", " ", "He sat .", "a", "a&quot;", "café", "cafe\u0301", "今天天气很不错", "x\u200b"],
        *["می\u200cروم", "میروم", "x\0", "\ud800", "Это оно", "two\nlines .", "\ufffd"],
    ]
)
CORPUS = st.lists(st.tuples(LINES, st.lists(LINES, min_size=1, max_size=2), LINES), min_size=1)


def inspect(corpus: Sequence[tuple[str, list[str], str]]) -> Inspector:
    inspector = Inspector()
    if corpus:
        hypotheses, references, sources = map(list, zip(*corpus, strict=True))
        inspector.see(hypotheses, references, sources=sources)
    return inspector


def keep_what_adds_up(notes: Sequence[Note]) -> list[tuple[str, str, int, int | None]]:
    # these two are judged by batch
    return [note for note in found(notes) if note[0] not in ("no-spaces", "scripts-differ")]


@given(CORPUS, st.integers(0, 9))
def test_batches_add_up_to_the_whole(corpus: list[tuple[str, list[str], str]], cut: int) -> None:
    whole = inspect(corpus)
    left, right = inspect(corpus[:cut]), inspect(corpus[cut:])
    batched = inspect(corpus[:cut])
    if corpus[cut:]:
        hypotheses, references, sources = map(list, zip(*corpus[cut:], strict=True))
        batched.see(hypotheses, SeenReferences(references), sources=sources)
    left.absorb(pickle.loads(pickle.dumps(right)))
    assert left.notes() == batched.notes()
    assert keep_what_adds_up(left.notes()) == keep_what_adds_up(whole.notes())


@given(st.lists(st.text(), min_size=1, max_size=5), st.lists(st.text(), min_size=5, max_size=5))
def test_any_text_can_be_looked_at(left: list[str], right: list[str]) -> None:
    for note in look(left, right[: len(left)], sources=left):
        assert note.code in CODES
        assert note.count >= 1
        assert note.message.isprintable()
        assert note.first is None or 1 <= note.first <= len(left)


# Adding notes


def test_notes_of_one_kind_add_up() -> None:
    left = look(["", "a", ""], ["x", "y", "z"])
    right = look(["a", "", "a"], ["x", "y", ""])
    merged = merge_notes(left, right, offset=3)
    assert found(merged) == [
        ("empty-hypothesis", "hypotheses", 3, 1),
        ("empty-reference", "references", 1, 6),
    ]
    assert "3 lines (first: line 1)" in merged[0].message
    assert "1 line (line 6)" in merged[1].message


def test_other_notes_are_kept_once() -> None:
    note = Note(code="language-reading", message="pt-br is a region", count=1, first=None)
    assert merge_notes([note], [note], offset=5) == (note,)


def test_a_note_is_plain_data() -> None:
    (note,) = look([""], ["a"])
    assert Note(**note.to_dict()) == note


# Real texts


def lines_of(path: Path) -> list[str]:
    return path.read_text("utf-8").split("\n")[:-1]


def notes_on(
    registry: Registry, name: str, hypotheses: list[str], references: list[str]
) -> list[tuple[str, str, int, int | None]]:
    pytest.importorskip({"ja": "fugashi", "zh": "jieba", "th": "pythainlp"}.get(name[:2], "numpy"))
    segmenter = registry.build(name)
    inspector = Inspector(segmenter.spec)
    for start in range(0, len(hypotheses), 500):
        batch = hypotheses[start : start + 500]
        rows = references[start : start + 500]
        inspector.see(
            batch,
            [[row] for row in rows],
            tokens=segmenter.segment_batch(batch),
            reference_tokens=segmenter.segment_batch(rows),
        )
    return found(inspector.notes())


@pytest.mark.parametrize(
    ("segmenter", "hypotheses", "references"),
    [
        ("zh-jieba", "ntrex/zh", "ntrex/zh-TW"),
        ("zh", "ntrex/zh-TW", "ntrex/zh"),
        ("pt-contractions", "ntrex/pt", "ntrex/pt-BR"),
        ("13a", "ntrex/pt-BR", "ntrex/pt"),
        ("ja-mecab", "flores-dev/ja/nllb", "flores-dev/ja/ref"),
        ("ja-mecab", "flores-dev/ja/bergamot-base", "flores-dev/ja/ref"),
        ("zh-jieba", "flores-dev/zh/opusmt", "flores-dev/zh/ref"),
    ],
)
def test_real_texts_with_their_own_segmenter_have_no_notes(
    segmenter: str, hypotheses: str, references: str, registry: Registry, shared_data: Path
) -> None:
    pair = [lines_of(shared_data / f"{name}.txt") for name in (hypotheses, references)]
    assert notes_on(registry, segmenter, *pair) == []


@pytest.mark.parametrize(
    ("segmenter", "name"), [("ja-mecab", "ntrex/ja"), ("th-newmm", "ntrex/th"), ("13a", "ntrex/ko")]
)
def test_real_texts_against_their_own_half_have_no_notes(
    segmenter: str, name: str, registry: Registry, shared_data: Path
) -> None:
    texts = lines_of(shared_data / f"{name}.txt")
    shuffled = list(texts)
    random.Random(3).shuffle(shuffled)
    assert notes_on(registry, segmenter, texts, shuffled) == []


@pytest.mark.parametrize(
    ("hypotheses", "references", "expected"),
    [
        ("ntrex/lo", "ntrex/lo", ("zero-width", "hypotheses", 20028, 117)),
        ("ntrex/my", "ntrex/my", ("not-nfc", "references", 1377, 1)),
        ("flores-dev/ko/nllb", "flores-dev/ko/ref", ("empty-hypothesis", "hypotheses", 1, 555)),
        ("ntrex/th", "ntrex/th", ("no-spaces", "hypotheses", 1975, 1)),
        ("ntrex/pt", "ntrex/pt", ("sides-identical", "", 1997, 1)),
        ("ntrex/ko", "ntrex/zh", ("scripts-differ", "", 1914, 1)),
    ],
)
def test_real_texts_with_something_about_them_are_noted(
    hypotheses: str,
    references: str,
    expected: tuple[str, str, int, int],
    registry: Registry,
    shared_data: Path,
) -> None:
    pair = [lines_of(shared_data / f"{name}.txt") for name in (hypotheses, references)]
    code, side, count, first = expected
    (note,) = [n for n in notes_on(registry, "13a", *pair) if n[:2] == (code, side)]
    assert note[2] == count or code in ("no-spaces", "scripts-differ")
    assert note[3] == first or code == "scripts-differ"


def test_every_kind_of_note_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "notes.md").read_text("utf-8")
    for code in CODES:
        assert f"`{code}`" in page
