"""spm, flores101 and flores200: the pieces of a SentencePiece model."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

import bleuprint_spm
from bleuprint import BleuprintError, EngineError, InputError, OptionError, Registry
from bleuprint.plugin import SegmenterSpec
from bleuprint.testing import check_segmenter

sentencepiece = pytest.importorskip("sentencepiece")

SPECS: dict[str, SegmenterSpec] = {spec.name: spec for spec in bleuprint_spm.bleuprint_segmenters()}
TEXT = [
    "the cat sat on the mat",
    "a cat and a dog sat on a mat",
    "the dog saw the cat",
    "今日は天気がいい",
    "今日の天気は雨です",
]


@pytest.fixture(scope="module", params=["unigram", "bpe", "char"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model of its own."""
    kind: str = request.param
    prefix = tmp_path_factory.mktemp("spm") / kind
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(TEXT * 20),
        model_prefix=str(prefix),
        vocab_size=60,
        model_type=kind,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    return prefix.with_suffix(".model")


@pytest.fixture(scope="module")
def identity(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that keeps white space as it is."""
    prefix = tmp_path_factory.mktemp("spm") / "identity"
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([*TEXT, "a\u3000b\u00a0c"] * 20),
        model_prefix=str(prefix),
        vocab_size=60,
        model_type="char",
        normalization_rule_name="identity",
        remove_extra_whitespaces=False,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    return prefix.with_suffix(".model")


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_pieces_are_those_of_the_model(model: Path) -> None:
    processor = sentencepiece.SentencePieceProcessor(model_file=str(model))
    lines = [*TEXT, "", " ", "unknown: ☃ 犬"]
    assert SPECS["spm"].build(model=str(model)).segment_batch(lines) == [
        processor.encode(line, out_type=str) for line in lines
    ]


def test_white_space_within_pieces_parts_them(identity: Path) -> None:
    segmenter = SPECS["spm"].build(model=str(identity))
    (tokens,) = segmenter.segment_batch(["a\u3000b\u00a0c"])
    assert tokens == ["▁", "a", "b", "c"]


@pytest.mark.parametrize("name", sorted(SPECS))
def test_contract_is_kept(name: str, model: Path, tmp_path: Path) -> None:
    shutil.copy(model, tmp_path / "sacrebleu_tokenizer_spm.model")
    shutil.copy(model, tmp_path / "flores200_sacrebleu_tokenizer_spm.model")
    options = {"model": str(model)} if name == "spm" else {"dir": str(tmp_path)}
    check_segmenter(SPECS[name], options=options, lines=TEXT)


def test_contract_is_kept_by_a_model_that_keeps_white_space(identity: Path) -> None:
    check_segmenter(SPECS["spm"], options={"model": str(identity)}, lines=TEXT)


def test_signature_has_the_digest_and_no_path(model: Path) -> None:
    shown = str(Registry.installed().build("spm", model=str(model)).id)
    assert f"model={digest(model)};" in shown
    assert f"sentencepiece={sentencepiece.__version__}" in shown
    assert model.name not in shown
    assert model.parent.name not in shown


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("flores101", "sacrebleu_tokenizer_spm.model"),
        ("flores101", "flores101_sacrebleu_tokenizer_spm.model"),
        ("flores200", "flores200_sacrebleu_tokenizer_spm.model"),
        ("flores200", "flores200sacrebleuspm"),
    ],
)
def test_flores_model_is_found_by_its_file_name(
    name: str, file: str, model: Path, tmp_path: Path
) -> None:
    shutil.copy(model, tmp_path / file)
    bound = Registry.installed().build(name, dir=str(tmp_path))
    shown = str(bound.id)
    assert shown.startswith(f"{name}[;model={digest(model)},")
    assert tmp_path.name not in shown
    spm = SPECS["spm"].build(model=str(model))
    assert bound.segment_batch(TEXT) == spm.segment_batch(TEXT)


def test_directory_without_the_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"no file flores200_.* or flores200sacrebleuspm there"):
        SPECS["flores200"].build(dir=str(tmp_path))


def test_known_model_that_is_another_is_refused_with_both_digests(
    model: Path, tmp_path: Path
) -> None:
    from bleuprint_spm._flores import Model

    shutil.copy(model, tmp_path / "a.model")
    Model(name="known", files=("a.model",), digest=digest(model)).load(str(tmp_path))
    other = Model(name="known", files=("a.model",), digest="0" * 64)
    with pytest.raises(EngineError) as error:
        other.load(str(tmp_path))
    assert digest(model) in str(error.value)
    assert "0" * 64 in str(error.value)


@pytest.mark.parametrize("content", [b"", b"no model", b"\x00" * 100])
def test_file_that_is_no_model_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.model"
    path.write_bytes(content)
    with pytest.raises(EngineError, match="is no SentencePiece model"):
        SPECS["spm"].build(model=str(path))


@pytest.mark.parametrize(
    ("segmenter", "error"),
    [
        ("spm", OptionError),
        ("flores101", OptionError),
        ("spm[dir=x]", OptionError),
        ("spm[model=/nowhere/x.model]", InputError),
    ],
)
def test_wrong_option_is_refused(segmenter: str, error: type[BleuprintError]) -> None:
    with pytest.raises(error):
        Registry.installed().build(segmenter)
