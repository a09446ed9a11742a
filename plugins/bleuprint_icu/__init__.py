"""The word breaks of ICU (`icu`), which has dictionaries for scripts without spaces."""

from __future__ import annotations

from collections.abc import Iterable

from bleuprint.plugin import Option, Segmenter, SegmenterSpec, hookimpl


def build(lang: str = "root") -> Segmenter:
    from bleuprint_icu._icu import Icu

    return Icu(lang)


@hookimpl
def bleuprint_segmenters() -> Iterable[SegmenterSpec]:
    yield SegmenterSpec(
        name="icu",
        languages=("ja", "km", "lo", "my", "th", "zh"),
        build=build,
        options={
            "lang": Option(
                "root",
                text=True,
                summary="the locale, which a few languages' rules depend on; root is nobody's",
            ),
        },
        requires=("icu4py",),
        install="bleuprint[icu]",
        summary="ICU's word breaks, by dictionary for Khmer, Lao, Burmese, Thai, Chinese, Japanese",
    )
