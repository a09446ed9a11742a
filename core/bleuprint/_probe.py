"""The probe lines: a fixed, numbered set of texts that a segmenter's behaviour is read off from.

What a segmenter makes of them stands in every signature as ``probe=SET-DIGEST``.  A set is never
changed once it was released, since signatures in papers refer to it; a better one gets a number of
its own and a file of its own.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

__all__ = ["PROBE_SET", "probe_lines"]

PROBE_SET = 1  #: the number of the set, the first part of a probe


@cache
def probe_lines() -> tuple[str, ...]:
    """Return the lines of the set, at most 200, each prepared as any line is."""
    text = Path(__file__).with_name(f"probe-{PROBE_SET}.txt").read_text("utf-8")
    return tuple(text.removesuffix("\n").split("\n"))
