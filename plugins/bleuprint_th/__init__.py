"""Thai: the words of pythainlp's newmm (`th-newmm`)."""

from __future__ import annotations

from collections.abc import Iterable

from bleuprint.plugin import Option, Segmenter, SegmenterSpec, hookimpl


def build_newmm(numbers: str = "join", engine: str = "fast") -> Segmenter:
    from bleuprint_th._newmm import PlainNewmm, ThaiWords

    dictionary = ThaiWords.find()
    if engine == "plain":
        return PlainNewmm(dictionary, join_numbers=numbers == "join")
    try:
        from bleuprint_th._newmm_compiled import CompiledNewmm
    except ModuleNotFoundError as error:
        if error.name != "bleuprint_th._fast":
            raise
        from bleuprint_th._newmm_fast import FastNewmm

        return FastNewmm(dictionary, join_numbers=numbers == "join")
    return CompiledNewmm(dictionary, join_numbers=numbers == "join")


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
                summary="join the parts of 12:30 and its like, as pythainlp's word_tokenize does",
            ),
            "engine": Option(
                "fast",
                choices=("fast", "plain"),
                summary="the same words by our own code, or by pythainlp's",
                neutral=True,
            ),
        },
        requires=("pythainlp",),
        install="bleuprint[th]",
        summary="pythainlp's newmm with the dictionary that ships with it",
    )
