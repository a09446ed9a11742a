"""The language-neutral rules of NIST's mteval, as sacreBLEU 2.6.0 has them, token for token."""

from __future__ import annotations

from collections.abc import Iterable

from bleuprint.plugin import Segmenter, SegmenterSpec, hookimpl


def build_none() -> Segmenter:
    from bleuprint_mteval import _segmenters

    return _segmenters.none()


def build_13a() -> Segmenter:
    from bleuprint_mteval import _segmenters

    return _segmenters.mteval_13a()


def build_intl() -> Segmenter:
    from bleuprint_mteval import _segmenters

    return _segmenters.intl()


def build_char() -> Segmenter:
    from bleuprint_mteval import _segmenters

    return _segmenters.char()


@hookimpl
def bleuprint_segmenters() -> Iterable[SegmenterSpec]:
    yield SegmenterSpec(
        name="none",
        languages=(),
        build=build_none,
        summary="no segmentation: tokens as white space parts them",
    )
    yield SegmenterSpec(
        name="13a",
        languages=(),
        build=build_13a,
        rewrites=True,
        summary="mteval-v13a: ASCII punctuation apart, for languages written with spaces",
    )
    yield SegmenterSpec(
        name="intl",
        languages=(),
        build=build_intl,
        summary="mteval-v14, international: Unicode punctuation and symbols apart",
    )
    yield SegmenterSpec(
        name="char",
        languages=(),
        build=build_char,
        summary="every character a token",
    )
