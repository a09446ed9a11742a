"""Everything that a segmenter plugin has to import.

A plugin is a module (or any object) with one function, marked as an implementation of the hook
`bleuprint_segmenters`, and an entry point in the group ``bleuprint`` that names it::

    [project.entry-points.bleuprint]
    acme = "acme_segmenters"
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Protocol, runtime_checkable

import pluggy

from bleuprint._digest import file_digest
from bleuprint._errors import EngineError, LineTooLongError, OptionError

__all__ = [
    "NAME",
    "EngineError",
    "LineTooLongError",
    "Option",
    "OptionError",
    "Segmenter",
    "SegmenterSpec",
    "bleuprint_segmenters",
    "file_digest",
    "hookimpl",
    "hookspec",
]

NAME = "bleuprint"  #: the pluggy project and the entry-point group

hookspec = pluggy.HookspecMarker(NAME)
hookimpl = pluggy.HookimplMarker(NAME)


@runtime_checkable
class Segmenter(Protocol):
    """A segmenter ready to run: its engine imported, its dictionary read.

    It holds no state that a call changes: a batch is cut as its lines would be one by one, in any
    order, however often.
    """

    @property
    def fingerprint(self) -> Mapping[str, str]:
        """What the behaviour depends on: engine and version, dictionary and digest.

        Short keys and values of text, never a path: they stand in every signature, as
        ``jieba=0.42.1``.  Options need not be repeated; the core adds those, and the probe.
        """
        ...

    def segment_batch(self, lines: Sequence[str]) -> list[list[str]]:
        """Return the tokens of each line, one list a line, in the order of the lines.

        The lines are prepared: no NUL, no lone surrogate, no trailing white space, none longer
        than the spec's `max_chars`.  They may be empty (the result is then ``[]``) and may hold any
        other character, line feeds included.  No token is empty or only white space.
        """
        ...


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a segmenter, as a user writes it in brackets: ``zh-jieba[hmm=off]``.

    Exactly one of `choices`, `text` and `file` says what it takes.  A `default` of None means that
    a value must be given.  The value of a `file` option reaches `build` as a path and is shown in
    signatures as the file's SHA-256, never as the path.
    """

    default: str | None
    choices: tuple[str, ...] = ()
    text: bool = False
    file: bool = False
    summary: str = ""
    neutral: bool = False  #: it changes speed and no token, and so stays out of signatures

    def __post_init__(self) -> None:
        if bool(self.choices) + self.text + self.file != 1:
            raise ValueError("an Option takes exactly one of choices=, text=True and file=True")
        if self.choices and self.default is not None and self.default not in self.choices:
            raise ValueError(f"default {self.default!r} is not one of {', '.join(self.choices)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmenterSpec:
    """A segmenter on offer.  Declaring one must not import its engine."""

    name: str  #: lower case, language first where it has one: ``zh-jieba``
    languages: tuple[str, ...]  #: ISO 639 codes it is made for; empty where it claims none
    build: Callable[..., Segmenter]  #: takes the options as keywords; the only place of the import
    options: Mapping[str, Option] = field(default_factory=dict)
    requires: tuple[str, ...] = ()  #: top-level modules that `build` imports
    install: str = ""  #: the requirement that provides them: ``bleuprint[zh]``
    summary: str = ""  #: what it is, in a few words
    rewrites: bool = False  #: tokens joined need not equal the line (contractions, entities)
    max_chars: int | None = None  #: the longest line, in characters, that the engine survives

    @property
    def missing(self) -> tuple[str, ...]:
        """The required modules that are not installed.  Looks for them without an import."""
        return tuple(module for module in self.requires if find_spec(module) is None)


@hookspec
def bleuprint_segmenters() -> Iterable[SegmenterSpec]:  # type: ignore[empty-body]  # a declaration
    """Offer segmenters: return or yield one `SegmenterSpec` each.

    Called once for every plugin, when a registry is made (`Registry.installed`), which is when a
    score is first asked for and not when bleuprint is imported.  Order means nothing: neither that
    of plugins nor that of specs decides anything.  A name that two plugins offer is a conflict,
    raised when that name is asked for.  An exception in the hook, or at the import of the module
    that holds it, sets this plugin aside with its error (`bleuprint plugins` shows it); the others
    work.  What is returned must be cheap to make: engines are imported in `SegmenterSpec.build`.

    A whole plugin::

        from bleuprint.plugin import SegmenterSpec, hookimpl

        class Syllables:
            fingerprint = {"rules": "1"}

            def segment_batch(self, lines):
                return [line.replace("-", " ").split() for line in lines]

        @hookimpl
        def bleuprint_segmenters():
            yield SegmenterSpec(name="acme-syllables", languages=("vi",), build=Syllables,
                                rewrites=True, summary="syllables, cut at hyphens")
    """
    ...
