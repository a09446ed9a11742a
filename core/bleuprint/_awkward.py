"""Awkward lines: text that mixes scripts, spaces and rare characters, made from a seed."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Callable

from bleuprint._probe import probe_lines

__all__ = ["awkward_lines"]

#: Spans of code points, from which single characters are drawn: each script that has a segmenter
#: of its own, some that have none, and what lies between them.
_SPANS = (
    "20-7e a0-24f 250-2af 300-36f 370-3ff 400-4ff 530-58f 591-5f4 600-6ff 900-97f 980-9ff b80-bff "
    "e01-e3a e3f-e5b e81-edf f00-fda 1000-109f 10a0-10ff 1100-11ff 1200-137f 13a0-13ff 1780-17f9 "
    "1800-18aa 1e00-1eff 1f00-1fff 2010-205e 2070-20bf 2100-218f 2190-23ff 2460-24ff 2500-27bf "
    "2e80-2fd5 3000-303f 3041-3096 30a1-30ff 3105-312f 3131-318e 3200-33ff 3400-4dbf 4e00-9fff "
    "a000-a48c ac00-d7a3 f900-fad9 fb00-fdfb fe30-fe6b ff01-ffdc 10400-1044f 1d400-1d7ff "
    "1f300-1faff 20000-2a6df 2a700-2b81d 30000-3134a e000-e0ff 1-1f 7f-9f"
)
_RANGES = [
    range(int(first, 16), int(last, 16) + 1)
    for first, last in (span.split("-") for span in _SPANS.split())
]
#: White space of every kind, and what is nearly white space: as many plain spaces as all others.
_SPACES = (
    *([" "] * 24),
    *"\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2009\u2028\u2029\u202f\u205f\u3000",
    *"\u200b\u200c\u200d\u2060\ufeff",
)
_PIECES = re.compile(r"\w+|[^\w\s]+|\s+")


def awkward_lines(count: int, seed: int = 0) -> list[str]:
    """Make lines that are hard to cut; the same for the same seed.

    They are prepared, as every line is that reaches a segmenter: no NUL, no lone surrogate, no
    white space at the end.  Some are empty, some repeat one character often, some are decomposed
    (NFD), and the words in them are those of the probe lines, so that dictionaries are hit.

    Args:
        count: how many lines.
        seed: another seed makes other lines.
    """
    rng = random.Random(f"bleuprint {seed}")
    words = [piece for line in probe_lines() for piece in _PIECES.findall(line)]
    makers: tuple[Callable[[], str], ...] = (
        *[lambda: rng.choice(words)] * 6,
        *[lambda: rng.choice(_SPACES)] * 5,
        lambda: _characters(rng),
        lambda: _number(rng),
        lambda: rng.choice(words)[: 1 + rng.randrange(4)] * (1 + rng.randrange(12)),
    )
    return [_line(rng, makers) for _ in range(count)]


def _line(rng: random.Random, makers: tuple[Callable[[], str], ...]) -> str:
    line = "".join(rng.choice(makers)() for _ in range(rng.randrange(16)))
    if rng.randrange(20) == 0:
        line = unicodedata.normalize("NFD", line)
    if line and rng.randrange(50) == 0:
        line += rng.choice(line) * rng.randrange(200)
    return line.rstrip()


def _characters(rng: random.Random) -> str:
    span = rng.choice(_RANGES)
    return "".join(chr(rng.choice(span)) for _ in range(1 + rng.randrange(6)))


def _number(rng: random.Random) -> str:
    zero = rng.choice("0000٠०๐០၀０")
    digits = "".join(chr(ord(zero) + rng.randrange(10)) for _ in range(1 + rng.randrange(7)))
    return digits[:3] + rng.choice(("", ".", ",", "-", ":", "٫", "．", "%")) + digits[3:]
