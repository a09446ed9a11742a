"""Where the bytes of a file come from: its path, its packing, and how much of it is read."""

from __future__ import annotations

import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, NoReturn, cast

from bleuprint._errors import InputError, MissingExtraError
from bleuprint._notes import Note

BLOCK = 1 << 18  #: bytes that are unpacked and decoded at a time
MAX_LINE = 1 << 24  #: characters in the longest line, cell or field that is taken: 16,777,216
PACKED_FREE = 1 << 26  #: bytes that a packed file may unpack to whatever its ratio: 64 MiB
PACKED_RATIO = 100  #: times its packed size that a file may unpack to beyond that

_PACKINGS = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".zst": "zstd"}
_MAGIC = {
    b"\x1f\x8b": ".gz",
    b"BZh": ".bz2",
    b"\xfd7zXZ": ".xz",
    b"\x28\xb5\x2f\xfd": ".zst",
}
_ZST_PIECE = 1 << 10  # 4 bytes can unpack to 128 KiB, so that a piece gives 32 MiB at most


@dataclass(slots=True, kw_only=True)
class Source:
    """One input, as bytes; the notes that reading it gives are gathered in it."""

    name: str  #: for messages
    origin: Path | BinaryIO
    encoding: str
    max_bytes: int | None
    notes: list[Note] = field(default_factory=list)

    @property
    def packing(self) -> str:
        """What the name says the file is packed with: gzip, bzip2, xz, zstd, or nothing."""
        if not isinstance(self.origin, Path):
            return ""
        return _PACKINGS.get(self.origin.suffix.lower(), "")

    @property
    def suffix(self) -> str:
        """The file name's last suffix in lower case, that of a packing set aside: ``.jsonl``."""
        if not isinstance(self.origin, Path):
            return ""
        path = self.origin.with_suffix("") if self.packing else self.origin
        return path.suffix.lower()

    def fail(self, problem: str, line: int | None = None) -> NoReturn:
        """Raise an InputError that names the file and, where given, the line."""
        where = self.name if line is None else f"{self.name}, line {line}"
        raise InputError(printable(f"{where}: {problem}"))

    def check(self) -> None:
        """Refuse what can be seen to be unreadable without opening it."""
        if not isinstance(self.origin, Path):
            return
        if os.path.isdir(self.origin):
            self.fail("is a directory, not a file")
        if not os.path.exists(self.origin):
            self.fail("there is no such file")
        if self.packing == "zstd":
            try:
                import zstandard  # noqa: F401  # looked for now, used when the file is read
            except ImportError as error:
                raise MissingExtraError(
                    f'{self.name}: reading .zst needs an extra: pip install "bleuprint[zst]"'
                ) from error

    def blocks(self) -> Iterator[bytes]:
        """Yield the unpacked bytes, `BLOCK` or so at a time; refuse more than is allowed."""
        total = 0
        with ExitStack() as stack:
            try:
                raw, blocks = self._open(stack)
            except (OSError, ValueError) as error:
                self.fail(_reason(error))
            while True:
                try:
                    block = next(blocks, b"")
                except _read_errors() as error:
                    what = f"cannot be read as {self.packing}" if self.packing else "cannot be read"
                    self.fail(f"{what}: {_reason(error)}")
                if not isinstance(block, bytes):
                    self.fail("gives no bytes; open it in binary mode")
                if not block:
                    return
                total += len(block)
                self._limit(total, raw)
                yield block

    def _open(self, stack: ExitStack) -> tuple[BinaryIO, Iterator[bytes]]:
        """Open the file; return it as it lies on the disk, and the blocks unpacked from it."""
        if not isinstance(self.origin, Path):
            return self.origin, _pieces(self.origin)
        raw = stack.enter_context(self.origin.open("rb"))
        if self.packing == "gzip":
            import gzip

            return raw, _pieces(cast(BinaryIO, stack.enter_context(gzip.GzipFile(fileobj=raw))))
        if self.packing == "bzip2":
            import bz2

            return raw, _pieces(cast(BinaryIO, stack.enter_context(bz2.BZ2File(raw))))
        if self.packing == "xz":
            import lzma

            return raw, _pieces(cast(BinaryIO, stack.enter_context(lzma.LZMAFile(raw))))
        if self.packing == "zstd":
            return raw, _unpack_zst(raw)
        return raw, _pieces(raw)

    def _limit(self, total: int, raw: BinaryIO) -> None:
        if self.max_bytes is not None:
            if total > self.max_bytes:
                self.fail(f"holds more than the {self.max_bytes} bytes that are allowed")
        elif self.packing and total > PACKED_FREE and total > PACKED_RATIO * raw.tell():
            self.fail(
                f"unpacks to more than {PACKED_RATIO} times its size, as files made to fill the "
                f"memory do; if it is sound, say how much is allowed: --max-bytes N"
            )


def _pieces(stream: BinaryIO) -> Iterator[bytes]:
    return iter(lambda: stream.read(BLOCK), b"")


def _unpack_zst(raw: BinaryIO) -> Iterator[bytes]:
    # Not `stream_reader`: that ends in silence where the file was cut off.
    import zstandard

    unpacker = zstandard.ZstdDecompressor()
    frame = None
    while piece := raw.read(_ZST_PIECE):
        while piece:
            if frame is None:
                frame = unpacker.decompressobj()
            block = frame.decompress(piece)
            piece = frame.unused_data if frame.eof else b""
            if frame.eof:
                frame = None
            if block:
                yield block
    if frame is not None:
        raise EOFError("the file ends before the packed data does")


def _read_errors() -> tuple[type[Exception], ...]:
    """What reading raises, of the libraries that are imported by now."""
    errors: list[type[Exception]] = [OSError, EOFError, ValueError, zlib.error]
    if "lzma" in sys.modules:
        errors.append(sys.modules["lzma"].LZMAError)
    if "zstandard" in sys.modules:
        errors.append(sys.modules["zstandard"].ZstdError)
    return tuple(errors)


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error) or type(error).__name__


def printable(text: str) -> str:
    """Return the text in one line that a terminal can show, whatever names and files hold."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def packing_of(start: bytes) -> str:
    """Return the suffix of the packing that data starting like this has, or nothing."""
    return next((suffix for magic, suffix in _MAGIC.items() if start.startswith(magic)), "")
