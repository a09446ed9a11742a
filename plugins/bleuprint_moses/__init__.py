"""The tokenizer of the Moses toolkit (`moses`), for languages written with spaces."""

from __future__ import annotations

from collections.abc import Iterable

from bleuprint.plugin import Option, Segmenter, SegmenterSpec, hookimpl

#: Languages with a list of abbreviations, whose full stop stays with them.
LANGUAGES = (
    *("as", "bn", "ca", "cs", "de", "el", "en", "es", "et", "fi", "fr", "ga", "gu", "hi", "hu"),
    *("is", "it", "kn", "lt", "lv", "ml", "mni", "mr", "nl", "or", "pa", "pl", "pt", "ro", "ru"),
    *("sk", "sl", "sv", "ta", "te", "tet"),
)


def build(lang: str = "en", escape: str = "on", aggressive: str = "off") -> Segmenter:
    from bleuprint_moses._moses import Moses

    return Moses(lang, escape=escape == "on", aggressive=aggressive == "on")


@hookimpl
def bleuprint_segmenters() -> Iterable[SegmenterSpec]:
    yield SegmenterSpec(
        name="moses",
        languages=LANGUAGES,
        build=build,
        options={
            "lang": Option(
                "en",
                text=True,
                summary="whose abbreviations and apostrophes; English abbreviations for others",
            ),
            "escape": Option(
                "on",
                choices=("on", "off"),
                summary="write & < > | [ ] and quotes as entities (-no-escape in Moses)",
            ),
            "aggressive": Option(
                "off", choices=("off", "on"), summary="part hyphens: foo @-@ bar (-a in Moses)"
            ),
        },
        requires=("sacremoses",),
        install="bleuprint[moses]",
        summary="the Moses tokenizer, as sacremoses has it",
        rewrites=True,
    )
