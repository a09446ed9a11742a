"""SentencePiece models: the user's own (`spm`), and those of spBLEU (`flores101`, `flores200`)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from bleuprint.plugin import Option, Segmenter, SegmenterSpec, hookimpl


def build_spm(model: str) -> Segmenter:
    from bleuprint_spm._spm import Pieces

    return Pieces(model)


def build_flores(name: str, *, dir: str) -> Segmenter:
    from bleuprint_spm._flores import MODELS

    return MODELS[name].load(dir)


@hookimpl
def bleuprint_segmenters() -> Iterable[SegmenterSpec]:
    yield SegmenterSpec(
        name="spm",
        languages=(),
        build=build_spm,
        options={"model": Option(None, file=True, summary="the SentencePiece model")},
        requires=("sentencepiece",),
        install="bleuprint[spm]",
        summary="the pieces of a SentencePiece model of yours",
        rewrites=True,
    )
    for name in ("flores101", "flores200"):
        yield SegmenterSpec(
            name=name,
            languages=(),
            build=partial(build_flores, name),
            options={
                # where it lies changes nothing; its digest is in the fingerprint
                "dir": Option(
                    None, text=True, neutral=True, summary="the directory that holds its model"
                ),
            },
            requires=("sentencepiece",),
            install="bleuprint[spm]",
            summary=f"the pieces of {name.upper()}'s SentencePiece model: spBLEU",
            rewrites=True,
        )
