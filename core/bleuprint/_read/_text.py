"""Bytes into lines: the encoding, the byte order mark, and where a line ends."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import NoReturn

from bleuprint._errors import SettingError
from bleuprint._notes import Note
from bleuprint._read._source import MAX_LINE, Source, packing_of

_MARK = "\ufeff"
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

# Text encodings to Python, but of identifiers and host names, not of files.
_NOT_OF_FILES = {"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"}


def codec_of(encoding: str) -> codecs.CodecInfo:
    """Return the codec of an encoding; raise SettingError where it is none that files have."""
    try:
        codec = codecs.lookup(encoding)
        "".encode(encoding)  # refuses codecs that do not go between text and bytes
    except (LookupError, ValueError):
        codec = None
    if codec is None or codec.name.replace("_", "-") in _NOT_OF_FILES:
        raise SettingError(
            f"encoding {encoding!r}: no text encoding of that name; Python's names are meant, "
            f"such as utf-8, utf-16, latin-1, cp1252, gb18030, shift_jis, euc-kr"
        )
    # The text layer drops a byte order mark itself, so as to say so.
    return codecs.lookup("utf-8") if codec.name == "utf-8-sig" else codec


def text_blocks(source: Source) -> Iterator[list[str]]:
    """Yield the lines of a text file, some thousands at a time.

    A line ends at LF, and one CR before it goes with it; nothing else ends a line.  What follows
    the last LF is a line if it is not empty.  A byte order mark at the start is dropped and noted
    (that of UTF-16 and UTF-32 belongs to the encoding and is not noted).
    """
    codec = codec_of(source.encoding)
    decoder = codec.incrementaldecoder()
    pending: list[str] = []  # pieces of a line whose end has not come yet
    waiting = 0  # their characters
    number = 0  # lines that were given out
    started = False
    for block in _and_end(source.blocks()):
        if not started and block:
            _refuse_other_formats(source, codec.name, block)
        state = decoder.getstate()
        try:
            text = decoder.decode(block, final=not block)
        except UnicodeError as error:
            lenient = codec.incrementaldecoder("replace")
            lenient.setstate(state)
            line = number + 1 + _line_ends_before(error, block, lenient)
            _refuse_encoding(source, codec.name, line, error)
        if not started and text:
            started = True
            if text[0] == _MARK:
                text = text[1:]
                source.notes.append(_mark_note(source.name))
        if not block:
            # What the decoder still held back may complete the last line, or begin others.
            rest = "".join([*pending, text]).replace("\r\n", "\n")
            if rest:
                yield rest.removesuffix("\n").split("\n")
            return
        cut = text.rfind("\n") + 1
        if not cut:
            pending.append(text)
            waiting += len(text)
            if waiting > MAX_LINE:
                source.fail(f"is longer than {MAX_LINE:,} characters", number + 1)
            continue
        whole = "".join([*pending, text[:cut]])
        pending = [text[cut:]]
        waiting = len(pending[0])
        if "\r" in whole:
            whole = whole.replace("\r\n", "\n")
        lines = whole.split("\n")
        lines.pop()
        number += len(lines)
        yield lines


def _and_end(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the blocks, none of them empty, and then an empty one."""
    yield from blocks
    yield b""


def _mark_note(name: str) -> Note:
    return Note(
        code="byte-order-mark",
        message=f"{name} starts with a byte order mark, which was dropped.",
        count=1,
        first=1,
    )


def _refuse_other_formats(source: Source, codec: str, start: bytes) -> None:
    """Name the mistake where the first bytes show plainly that this is no UTF-8 text."""
    if codec != "utf-8":
        return
    if start.startswith(_UTF16_MARKS):
        source.fail("is UTF-16, by its byte order mark; read it with --encoding utf-16", 1)
    if start.count(0) * 3 > len(start) >= 4:
        order = "le" if start[1] == 0 else "be"
        source.fail(f"looks like UTF-16; if it is, read it with --encoding utf-16-{order}", 1)
    suffix = packing_of(start)
    if suffix and suffix != ".bz2":  # those three letters may well begin a text
        source.fail(f"is packed; unpack it, or give it a name that ends in {suffix}", 1)


def _line_ends_before(error: UnicodeError, block: bytes, decoder: codecs.IncrementalDecoder) -> int:
    """Count the line ends between the start of a block and what could not be decoded in it."""
    if not isinstance(error, UnicodeDecodeError):
        return 0
    held = len(error.object) - len(block)  # bytes that the decoder had kept from the block before
    try:
        return decoder.decode(block[: max(0, error.start - held)]).count("\n")
    except UnicodeError:  # UTF-16 without its mark does not begin to decode
        return 0


def _refuse_encoding(source: Source, codec: str, line: int, error: UnicodeError) -> NoReturn:
    what = f" ({error})"
    if isinstance(error, UnicodeDecodeError) and error.start < len(error.object):
        what = f" (byte 0x{error.object[error.start]:02x}: {error.reason})"
    source.fail(
        f"is not {codec.upper()}{what}; say which encoding the file has: --encoding NAME", line
    )
