"""ja-mecab and ja-unidic: MeCab's words, with the dictionary that was asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint_ja
from bleuprint import EngineError, LineTooLongError, Registry
from bleuprint.plugin import Segmenter, SegmenterSpec
from bleuprint.testing import check_segmenter

pytest.importorskip("fugashi")
pytest.importorskip("ipadic")
pytest.importorskip("unidic_lite")

SPECS: dict[str, SegmenterSpec] = {spec.name: spec for spec in bleuprint_ja.bleuprint_segmenters()}


@pytest.fixture(scope="module", params=sorted(SPECS))
def spec(request: pytest.FixtureRequest) -> SegmenterSpec:
    return SPECS[request.param]


@pytest.fixture(scope="module")
def mecab() -> Segmenter:
    return SPECS["ja-mecab"].build()


# Checked against mecab-python3 1.0.12 with ipadic 1.0.0.
@pytest.mark.parametrize(
    ("line", "tokens"),
    [
        ("", ""),
        (" \t\n\u3000", ""),
        ("今日は天気がいいです。", "今日 は 天気 が いい です 。"),
        ("すもももももももものうち", "すもも も もも も もも の うち"),
        ("価格は1,980円（税込）。", "価格 は 1 , 980 円 （ 税込 ） 。"),
        ("日本\u3000語", "日本 語"),
        ("\u3000日本", "日本"),
        ("日本\u00a0語\x85で\x1c\u2028す", "日本 語 で す"),
        ("日本\n語", "日本 語"),
        ("日本\ufffd語です", "日本 \ufffd 語 です"),
        ("😀日本", "😀 日本"),
    ],
)
def test_words_of_ipadic(mecab: Segmenter, line: str, tokens: str) -> None:
    assert mecab.segment_batch([line]) == [tokens.split()]


def test_unidic_cuts_short_units() -> None:
    line = "国立国語研究所で調べました。"
    (short,) = SPECS["ja-unidic"].build().segment_batch([line])
    assert short == ["国立", "国語", "研究", "所", "で", "調べ", "まし", "た", "。"]


def test_contract_is_kept(spec: SegmenterSpec) -> None:
    check_segmenter(spec, lines=["日本\u3000語", "ﾃｽﾄ", "𠮷野家", "ア" * 300])


@pytest.mark.slow
def test_contract_is_kept_on_long_lines(spec: SegmenterSpec) -> None:
    check_segmenter(spec, long_lines=True)


COSTLY = ["1", "a", "ア", "!", "\u0301", "한", "\U0010ffff", "1a", "1。", "ぁ", "々", "①"]


@pytest.mark.parametrize("text", COSTLY)
def test_longest_line_ends_no_process(spec: SegmenterSpec, text: str) -> None:
    limit = spec.max_chars
    assert limit is not None
    code = (
        "import sys, bleuprint_ja\n"
        "(spec,) = (s for s in bleuprint_ja.bleuprint_segmenters() if s.name == sys.argv[1])\n"
        "line = (sys.argv[2] * spec.max_chars)[:spec.max_chars]\n"
        "(tokens,) = spec.build().segment_batch([line])\n"
        "assert ''.join(tokens) == line\n"
    )
    done = subprocess.run([sys.executable, "-c", code, spec.name, text], check=False)
    assert done.returncode == 0


def test_line_beyond_the_limit_is_refused_by_number(spec: SegmenterSpec) -> None:
    bound = Registry.installed().build(spec.name)
    with pytest.raises(LineTooLongError, match="line 2 has 1,000,000 characters"):
        bound.segment_prepared(["短い", "あ" * 1_000_000])


def test_nul_and_lone_surrogates_lose_nothing() -> None:
    bound = Registry.installed().build("ja-mecab")
    assert (
        bound.segment_batch(["日本\x00語です", "日本\ud800語です"])
        == [["日本", "\ufffd", "語", "です"]] * 2
    )


def test_fingerprint_names_engine_dictionary_and_digest(spec: SegmenterSpec) -> None:
    fingerprint = spec.build().fingerprint
    dictionary = {"ja-mecab": "ipadic", "ja-unidic": "unidic-lite"}[spec.name]
    assert set(fingerprint) == {"fugashi", dictionary, "dict"}
    assert len(fingerprint["dict"]) == 8


def test_digest_is_that_of_the_known_dictionary(mecab: Segmenter) -> None:
    assert mecab.fingerprint["dict"] == "d85d9eca"  # of ipadic 1.0.0


def test_settings_of_the_user_do_not_reach_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mecab: Segmenter
) -> None:
    line = "すもももももももものうち"
    (tmp_path / ".mecabrc").write_text("dicdir = /nowhere\nuserdic = /nowhere/user.dic\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("MECABRC", str(tmp_path / ".mecabrc"))
    again = SPECS["ja-mecab"].build()
    assert again.segment_batch([line]) == mecab.segment_batch([line])


def test_dictionary_of_another_size_is_refused() -> None:
    from bleuprint_ja._mecab import Dictionary, Mecab, unidic_lite

    unidic = unidic_lite()
    posing = Dictionary(distribution="ipadic", directory=unidic.directory, words=392_126)
    with pytest.raises(EngineError, match=r"ipadic has .* entries instead of 392126"):
        Mecab(posing)


def test_directory_with_spaces_and_quotes_is_found(tmp_path: Path) -> None:
    from bleuprint_ja._mecab import Dictionary, Mecab, ipadic

    real = ipadic()
    place = tmp_path / 'it\'s a "place"'
    os.symlink(real.directory, place, target_is_directory=True)
    moved = Dictionary(distribution="ipadic", directory=place, words=real.words)
    assert Mecab(moved).segment_batch(["すもも"]) == [["すもも"]]


def test_incomplete_dictionary_is_named(tmp_path: Path) -> None:
    (tmp_path / "ipadic").mkdir()
    (tmp_path / "ipadic" / "__init__.py").write_text(f"DICDIR = {str(tmp_path)!r}\n")
    code = "import bleuprint_ja; bleuprint_ja.build_mecab()"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "EngineError: ipadic is incomplete (no sys.dic," in done.stderr


class TestAgainstSacrebleu:
    """The same tokens as sacreBLEU's ja-mecab, which drives MeCab by other bindings."""

    @staticmethod
    def theirs(lines: list[str]) -> list[list[str]]:
        pytest.importorskip("MeCab")
        module = pytest.importorskip("sacrebleu.tokenizers.tokenizer_ja_mecab")
        tokenizer = module.TokenizerJaMecab()
        return [tokenizer(line.rstrip()).split() for line in lines]

    def test_real_texts(self, mecab: Segmenter, shared_data: Path) -> None:
        files = [shared_data / "ntrex" / "ja.txt", *(shared_data / "flores-dev/ja").iterdir()]
        lines = [line for file in files for line in file.read_text("utf-8").split("\n")]
        assert len(lines) > 5000
        assert mecab.segment_batch(lines) == self.theirs(lines)

    @settings(max_examples=300, deadline=None)
    @given(
        st.lists(
            st.text(
                st.sampled_from(
                    [*"日本語ですアーab1.,「」（）𠮷😀é\n\t \u3000\x85\x1c\u2028\ufeff\u200b"]
                )
                | st.characters(codec="utf-8", exclude_characters="\0")
            ),
            max_size=4,
        )
    )
    def test_any_text(self, mecab: Segmenter, lines: list[str]) -> None:
        assert mecab.segment_batch(lines) == self.theirs(lines)

    @pytest.mark.parametrize("count", [2_000, pytest.param(200_000, marks=pytest.mark.slow)])
    def test_random_lines(
        self,
        mecab: Segmenter,
        count: int,
        random_batches: Callable[[str, int], Iterator[list[str]]],
    ) -> None:
        letters = "日本語東京都に行くですまアーカッァヴ々〆ﾃｽﾄ12３.,，、。「」（）・a A-Z𠮷😀é"
        letters += "\n\t \u3000\x85\x1c\u2028\ufeff\u200b\u3099"
        for batch in random_batches(letters, count):
            assert mecab.segment_batch(batch) == self.theirs(batch)
