"""moses."""

from __future__ import annotations

from collections.abc import Iterable

from bleuprint.plugin import SegmenterSpec, hookimpl


@hookimpl
def bleuprint_segmenters() -> Iterable[SegmenterSpec]:
    return ()
