"""The rules themselves: what each does with a character, and what 13a rewrites beforehand.

`none`, `char`, `13a` and `intl` (and `zh`, which the plugin `bleuprint_zh` adds) are one machine
with different tables.  It knows these kinds of character:

* white space ends a token and is part of none.  It is what `str.split` takes for it, U+001C to
  U+001F, U+0085, U+00A0 and U+3000 among it.
* a symbol is a token of its own, wherever it stands.
* a mark is a token of its own, but for the exceptions below: full stop and comma in 13a and zh,
  all punctuation in intl.
* a digit decides what becomes of a mark or a dash: ``0`` to ``9`` in 13a and zh, every number of
  Unicode in intl.
* a dash, ``-`` in 13a and zh, is a token of its own right after a digit, and else as any other.
* any other character joins its neighbours to a token.

The exceptions come from how mteval substitutes: a match uses up the neighbour that it looks at.
Take a run of m marks between the characters p and q.  Every mark is a token, but the last one
stays with q where q is a digit and

* p is a digit and m is odd: ``1...5`` is ``1 . . .5``, and where m is 1 the mark stays with p, too
  (``1,000``); or
* p is no digit and m is even: ``..5`` is ``. .5``, while ``.5`` is ``. 5``.

The edge of a line counts as p or q: as a non-digit in 13a, which pads the line with spaces, and as
a digit in intl and zh, which do not.  So a final ``2020.`` comes apart in 13a only.

Sources: mteval-v13a.pl and mteval-v14.pl of NIST's Open MT evaluations, and sacreBLEU 2.6.0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from bleuprint_mteval import _unicode

Spans = tuple[tuple[int, int], ...]  #: ranges of code points, both ends included

# what a table says of a code point; the compiled machine knows the same numbers
OTHER, SPACE, SYMBOL, MARK, DIGIT, DASH = range(6)

WHITE_SPACE: Spans = (
    (0x09, 0x0D),
    (0x1C, 0x20),
    (0x85, 0x85),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
)


@dataclass(frozen=True, kw_only=True)
class Rule:
    """The kinds of characters that a rule tells apart.  White space comes before all of them."""

    symbols: Spans = ()
    marks: Spans = ()
    digits: Spans = ()
    dash: bool = False  #: ``-`` is a token of its own after a digit
    edge_is_digit: bool = False  #: what the edge of a line counts as

    @cached_property
    def table(self) -> bytes:
        """The kind of every code point, a byte each: 0x110000 bytes, made when first used."""
        kinds = bytearray(0x110000)
        for spans, kind in (
            (self.symbols, SYMBOL),
            (self.marks, MARK),
            (self.digits, DIGIT),
            (each("-") if self.dash else (), DASH),
            (WHITE_SPACE, SPACE),
        ):
            for first, last in spans:
                kinds[first : last + 1] = bytes([kind]) * (last + 1 - first)
        return bytes(kinds)


def each(characters: str) -> Spans:
    """A span for each character."""
    return tuple((ord(character), ord(character)) for character in characters)


def parse_spans(text: str) -> Spans:
    """Read spans as `_unicode` writes them: ``21-23 25-2a 2c``."""
    pairs = (span.partition("-") for span in text.split())
    return tuple((int(first, 16), int(last or first, 16)) for first, _, last in pairs)


def characters(spans: Spans) -> Iterator[str]:
    """Every character of the spans."""
    return (chr(code) for first, last in spans for code in range(first, last + 1))


# ASCII punctuation without the apostrophe, and without `,`, `-` and `.`: these have their own rules
ASCII_SYMBOLS = '!"#$%&()*+/:;<=>?@[\\]^_`{|}~'

NONE = Rule()
CHAR = Rule(symbols=((0, 0x10FFFF),))
MTEVAL_13A = Rule(
    symbols=each(ASCII_SYMBOLS),
    marks=each(",."),
    digits=((ord("0"), ord("9")),),
    dash=True,
)
INTL = Rule(
    symbols=parse_spans(_unicode.SYMBOLS),
    marks=parse_spans(_unicode.PUNCTUATION),
    digits=parse_spans(_unicode.NUMBERS),
    edge_is_digit=True,
)


def unescape(lines: Sequence[str]) -> Sequence[str]:
    """Do what 13a does before it cuts: undo the SGML that its scripts once read.

    ``<skipped>`` goes; a hyphen before a line feed goes with it, and every other line feed becomes
    a space; then four entities are replaced, one after the other, so that ``&amp;lt;`` ends as
    ``<`` and ``&amp;quot;`` as ``&quot;``.
    """
    text = "".join(lines)
    if "<skipped>" in text:
        lines = [line.replace("<skipped>", "") for line in lines]
    if "\n" in text:
        lines = [line.replace("-\n", "").replace("\n", " ") for line in lines]
    if "&" in text:
        lines = [_undo_entities(line) if "&" in line else line for line in lines]
    return lines


def _undo_entities(line: str) -> str:
    line = line.replace("&quot;", '"').replace("&amp;", "&")
    return line.replace("&lt;", "<").replace("&gt;", ">")
