"""Chinese: sacreBLEU's characters (`zh`) and jieba's words (`zh-jieba`)."""

from __future__ import annotations

from collections.abc import Iterable

from bleuprint.plugin import Option, Segmenter, SegmenterSpec, hookimpl


def build_zh() -> Segmenter:
    from bleuprint_zh._classic import Classic

    return Classic()


def build_jieba(hmm: str = "on") -> Segmenter:
    from bleuprint_zh._jieba import JiebaFiles, PlainJieba

    return PlainJieba(JiebaFiles.find(), hmm=hmm == "on")


@hookimpl
def bleuprint_segmenters() -> Iterable[SegmenterSpec]:
    yield SegmenterSpec(
        name="zh",
        languages=("zh",),
        build=build_zh,
        summary="sacreBLEU's zh: every Chinese character a token, the rest as 13a cuts it",
    )
    yield SegmenterSpec(
        name="zh-jieba",
        languages=("zh",),
        build=build_jieba,
        options={
            "hmm": Option(
                "on",
                choices=("on", "off"),
                summary="guess words that the dictionary lacks by jieba's hidden Markov model",
            ),
        },
        requires=("jieba",),
        install="bleuprint[zh]",
        summary="jieba's words",
    )
