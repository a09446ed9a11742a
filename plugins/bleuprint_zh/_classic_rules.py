"""What sacreBLEU's `zh` takes for Chinese."""

from __future__ import annotations

from dataclasses import replace

from bleuprint_mteval._rules import MTEVAL_13A, Spans

#: By code point, not by script, and fixed: no later block of Unicode is in it.
CHINESE: Spans = (
    # The oddity: meant as Extension B, U+20000 to U+2A6D6, but written with four-digit escapes.  So
    # curly quotes, dashes, the ellipsis, arrows and mathematics count, and Extension B does not.
    (0x2001, 0x2A6D),
    (0x2E80, 0x2EFF),  # radicals
    (0x2F00, 0x2FDF),  # Kangxi radicals
    (0x2FF0, 0x303F),  # descriptions of characters; punctuation
    (0x3100, 0x312F),  # bopomofo
    (0x31A0, 0x31BF),  # bopomofo of other languages
    (0x31C0, 0x31EF),  # strokes
    (0x3200, 0x33FF),  # enclosed and squared characters
    (0x3400, 0x4DB5),  # Extension A, without what Unicode 13 added
    (0x4E00, 0x9FBB),  # unified ideographs, as of Unicode 4.1
    (0xF900, 0xFA2D),  # compatibility ideographs, as of Unicode 4.1
    (0xFA30, 0xFA6A),
    (0xFA70, 0xFAD9),
    (0xFE10, 0xFE1F),  # vertical forms
    (0xFE30, 0xFE4F),
    (0xFF00, 0xFFEF),  # full-width and half-width forms: Latin, kana and Hangul among them
)

ZH = replace(MTEVAL_13A, symbols=MTEVAL_13A.symbols + CHINESE, edge_is_digit=True)
