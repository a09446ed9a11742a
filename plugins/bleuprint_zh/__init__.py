"""Chinese: sacreBLEU's characters (`zh`) and jieba's words (`zh-jieba`)."""

from __future__ import annotations

from collections.abc import Iterable

from bleuprint.plugin import Option, Segmenter, SegmenterSpec, hookimpl


def build_zh() -> Segmenter:
    from bleuprint_zh._classic import Classic

    return Classic()


def build_jieba(hmm: str = "on", engine: str = "fast") -> Segmenter:
    from bleuprint_zh._jieba import JiebaFiles, PlainJieba

    files = JiebaFiles.find()
    if engine == "plain":
        return PlainJieba(files, hmm=hmm == "on")
    try:
        from bleuprint_zh._jieba_compiled import CompiledJieba
    except ModuleNotFoundError as error:
        if error.name != "bleuprint_zh._fast":
            raise
        from bleuprint_zh._jieba_fast import FastJieba

        return FastJieba(files, hmm=hmm == "on")
    return CompiledJieba(files, hmm=hmm == "on")


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
            "engine": Option(
                "fast",
                choices=("fast", "plain"),
                summary="the same words by our own code, or by jieba's",
                neutral=True,
            ),
        },
        requires=("jieba",),
        install="bleuprint[zh]",
        summary="jieba's words",
    )
