"""Every segmenter that bleuprint brings keeps the contract, with each value of its options."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bleuprint import Registry
from bleuprint._signature import SegmenterId
from bleuprint.plugin import SegmenterSpec
from bleuprint.testing import check_segmenter

SPECS = {
    offer.spec.name: offer.spec for offer in Registry.installed().offers if offer.origin.built_in
}
#: Values of options that take any text.
TEXTS = ("icu[lang=km]", "icu[lang=ja]", "moses[lang=fr]", "moses[lang=fi]", "moses[lang=zu]")


def variants() -> Iterator[str]:
    """Yield every segmenter with its default options, and with each other value of each."""
    for name, spec in SPECS.items():
        yield name
        for key, option in spec.options.items():
            for value in option.choices:
                if value != option.default:
                    yield f"{name}[{key}={value}]"
    yield from TEXTS


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory, fixtures: Path) -> Path:
    """A small SentencePiece model, under the names of those that FLORES has."""
    sentencepiece = pytest.importorskip("sentencepiece")
    directory = tmp_path_factory.mktemp("model")
    texts = [path.read_text("utf-8") for path in sorted(fixtures.glob("*/ref.txt"))]
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter("".join(texts).splitlines()),
        model_prefix=str(directory / "small"),
        vocab_size=2000,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    path = directory / "small.model"
    for name in ("flores101", "flores200"):
        (directory / f"{name}_sacrebleu_tokenizer_spm.model").write_bytes(path.read_bytes())
    return path


@pytest.fixture(params=list(variants()))
def variant(request: pytest.FixtureRequest) -> tuple[SegmenterSpec, dict[str, str]]:
    """A spec and options; skipped, by name, where the engine is not installed."""
    wanted = SegmenterId.parse(request.param)
    spec, options = SPECS[wanted.name], dict(wanted.options)
    if spec.missing:
        pytest.skip(f"{wanted.name} needs {', '.join(spec.missing)}: pip install {spec.install}")
    if "model" in spec.options:
        options["model"] = str(request.getfixturevalue("model"))
    if "dir" in spec.options:
        options["dir"] = str(request.getfixturevalue("model").parent)
    return spec, options


def test_segmenter_keeps_the_contract(variant: tuple[SegmenterSpec, dict[str, str]]) -> None:
    spec, options = variant
    assert check_segmenter(spec, options=options).lines >= 600


@pytest.mark.slow
def test_segmenter_keeps_the_contract_on_20_000_lines_and_on_long_ones(
    variant: tuple[SegmenterSpec, dict[str, str]],
) -> None:
    """In a process of its own, with empty directories, so that native code is seen too."""
    spec, options = variant
    report = check_segmenter(
        spec, options=options, generated=20_000, long_lines=True, timeout=3_000
    )
    assert report.lines >= 20_000
