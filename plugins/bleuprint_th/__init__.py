"""Thai: the words of pythainlp's newmm (`th-newmm`)."""

from __future__ import annotations

from collections.abc import Iterable

from bleuprint.plugin import Option, Segmenter, SegmenterSpec, hookimpl


def build_newmm(numbers: str = "join") -> Segmenter:
    from bleuprint_th._newmm import PlainNewmm, ThaiWords

    return PlainNewmm(ThaiWords.find(), join_numbers=numbers == "join")


@hookimpl
def bleuprint_segmenters() -> Iterable[SegmenterSpec]:
    yield SegmenterSpec(
        name="th-newmm",
        languages=("th",),
        build=build_newmm,
        options={
            "numbers": Option(
                "join",
                choices=("join", "split"),
                summary="join 12:30 and its like, as pythainlp's word_tokenize does, or as newmm cuts",
            ),
        },
        requires=("pythainlp",),
        install="bleuprint[th]",
        summary="pythainlp's newmm with the dictionary that ships with it",
    )
