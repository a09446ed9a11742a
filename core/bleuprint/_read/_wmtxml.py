"""One side of a WMT test set in XML, as the shared tasks ship it since 2021.

``dataset`` holds ``doc``, in ``collection`` or not; a document holds ``src``, a ``ref`` for every
``translator`` and a ``hyp`` for every ``system``; in these stand ``seg``, paired by their ``id``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn
from xml.sax.handler import ContentHandler  # imported with this module: only when XML is read

from bleuprint._read._source import MAX_LINE, Source

_SIDES = {"src": "", "ref": "translator", "hyp": "system"}  # elements, and what tells them apart
CHOICES = "#src, #ref, #ref:TRANSLATOR, #hyp or #hyp:SYSTEM"


def segment_blocks(source: Source, choice: str) -> Iterator[list[str]]:
    """Yield the segments of one side, a document at a time, in the order of the source's.

    `choice` is ``src``, ``ref`` or ``hyp``, the latter two followed by ``:`` and a name where a
    document has several.  Documents of a test suite (attribute ``testsuite``) are left out on every
    side, as sacreBLEU leaves them out.  Document types and entities are refused.
    """
    from xml.sax import SAXException

    from defusedxml.common import DefusedXmlException
    from defusedxml.sax import make_parser

    side, colon, name = choice.partition(":")
    if side not in _SIDES or (colon and (side == "src" or not name)):
        source.fail(f"#{choice} names no part of it; write {CHOICES}")
    parser = make_parser()
    parser.forbid_dtd = True
    handler = _Documents(source, side, name if colon else None, parser)
    parser.setContentHandler(handler)
    try:
        for block in source.blocks():
            parser.feed(block)
            if handler.done:
                yield handler.take()
        parser.close()
    except DefusedXmlException:
        source.fail(
            "declares a document type or entities, which a test set does not need; take it out",
            parser.getLineNumber(),
        )
    except SAXException as error:
        source.fail(f"is not well-formed XML: {error.getMessage()}", parser.getLineNumber())
    except (ValueError, LookupError) as error:  # an encoding that the parser does not know
        source.fail(f"cannot be read as XML: {error}", parser.getLineNumber())
    if handler.done:
        yield handler.take()


class _Documents(ContentHandler):
    """Gathers the segments that were asked for, document by document."""

    def __init__(self, source: Source, side: str, name: str | None, locator: Any) -> None:
        super().__init__()
        self.source = source
        self.side = side
        self.name = name
        self.done: list[str] = []  # segments of documents that are complete
        self.document: str | None = None  # the id of the document that is being read
        self.skipping = False  # it belongs to a test suite
        self.order: list[str] = []  # the ids of its source's segments
        self.names: list[str] = []  # its translators or systems
        self.found: dict[str, dict[str, str]] = {}  # of those that fit, the segments by id
        self.segments: dict[str, str] | None = None  # where segments go, while some are wanted
        self.segment: str | None = None  # the id of the segment that is being read
        self.pieces: list[str] = []
        self.length = 0
        self.rooted = False
        self.locator = locator

    def take(self) -> list[str]:
        done, self.done = self.done, []
        return done

    def fail(self, problem: str) -> NoReturn:
        self.source.fail(problem, self.locator.getLineNumber())

    def startElement(self, name: str, attrs: Any) -> None:
        if not self.rooted:
            self.rooted = True
            if name != "dataset":
                self.fail(f"is no WMT test set: its root is <{name[:40]}> and not <dataset>")
        if name == "doc":
            if self.document is not None:
                self.fail("a document stands inside a document")
            self.document = attrs.get("id", "")
            self.skipping = "testsuite" in attrs
            self.order, self.names, self.found = [], [], {}
        elif self.document is None or self.skipping:
            return
        elif name in _SIDES:
            self.segments = self._segments_of(name, attrs)
        elif name == "seg" and self.segments is not None:
            self.segment = attrs.get("id", "")
            self.pieces = []
            self.length = 0

    def _segments_of(self, side: str, attrs: Any) -> dict[str, str] | None:
        if side != self.side:
            return {} if side == "src" else None
        name = attrs.get(_SIDES[side], "")
        if side != "src":
            self.names.append(name)
        if self.name is not None and name != self.name:
            return None
        if name in self.found:
            self.fail(f"document {self.document!r} has {_called(side, name)} twice")
        return self.found.setdefault(name, {})

    def characters(self, content: str) -> None:
        if self.segment is not None:
            self.length += len(content)
            if self.length > MAX_LINE:
                self.fail(f"a segment is longer than {MAX_LINE:,} characters")
            self.pieces.append(content)

    def endElement(self, name: str) -> None:
        if name == "seg" and self.segment is not None and self.segments is not None:
            if self.segment in self.segments:
                self.fail(f"document {self.document!r} has segment {self.segment!r} twice")
            self.segments[self.segment] = "".join(self.pieces)
            self.segment = None
        elif name in _SIDES and self.segments is not None:
            if name == "src":
                self.order = list(self.segments)
            self.segments = None
        elif name == "doc" and self.document is not None:
            if not self.skipping:
                self._finish()
            self.document = None

    def _finish(self) -> None:
        which = f"document {self.document!r}"
        if not self.found:
            has = ", ".join(repr(name)[:40] for name in self.names[:8]) or "none"
            self.fail(f"{which} has no {_called(self.side, self.name)}; it has {has}")
        if len(self.found) > 1:
            names = ", ".join(f"#{self.side}:{name[:40]}" for name in self.names[:8])
            self.fail(f"{which} has several; choose one of {names}")
        (segments,) = self.found.values()
        order = self.order or list(segments)
        if len(segments) != len(order) or any(number not in segments for number in order):
            odd = next(iter(set(order) ^ set(segments)))
            self.fail(f"{which}: source and {self.side} do not both have segment {odd!r}")
        self.done.extend(segments[number] for number in order)


def _called(side: str, name: str | None) -> str:
    word = {"src": "source", "ref": "reference", "hyp": "hypothesis"}[side]
    return f"{word} by {name!r}" if name else word
