"""Examine a segmenter: build it, cut awkward lines in every way, and find what it breaks."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from time import perf_counter

from bleuprint import _languages
from bleuprint._awkward import awkward_lines
from bleuprint._contract import Found, Report
from bleuprint._errors import BleuprintError, ContractError, EngineError, LanguageError
from bleuprint._guard import Guard
from bleuprint._probe import probe_lines
from bleuprint._registry import Offer, Registry
from bleuprint._segmenter import HARMFUL, BoundSegmenter
from bleuprint._specs import faults_of_spec
from bleuprint.plugin import SegmenterSpec

__all__ = ["build_alone", "check_tokens", "examine"]

Batch = list[list[str]]

_BLANK = ("", " ", "\u3000", "\t \n", "\u2028")
_LONGEST_VALUE = 80  # characters; a fingerprint stands in every signature


def examine(
    offer: Offer,
    options: Mapping[str, str],
    *,
    lines: Sequence[str] = (),
    generated: int,
    seed: int = 0,
    progress: Callable[[str], None] = lambda step: None,
) -> Report:
    """Build a segmenter and hold it to its contract.

    Args:
        offer: the segmenter, and where it comes from.
        options: as a user would set them.
        lines: texts to cut besides the probe lines and the generated ones.
        generated: how many awkward lines to make.
        seed: which awkward lines.
        progress: is told what comes next, as the process may not outlive it.

    Raises:
        SegmenterError, InputError: it cannot be tried: its engine is not installed, an option is
            wrong or missing.
    """
    found = Found()
    spec = offer.spec
    name = str(getattr(spec, "name", spec))
    for fault in faults_of_spec(spec):
        found.add("spec", fault)
    if found.examples:
        return Report(segmenter=name, faults=found.faults())
    for fault in _faults_of_claims(spec):
        found.add("spec", fault)
    guard = Guard()
    tried = _prepared([*probe_lines(), *lines, *awkward_lines(generated, seed)], spec)
    startup = seconds = 0.0
    with guard:
        try:
            start = perf_counter()
            bound = build_alone(offer, options)
        except (EngineError, ContractError) as error:
            found.add("build", str(error))
        else:
            examination = _Examination(bound, tried, found, progress)
            examination.start()
            startup = perf_counter() - start
            seconds = examination.run(lambda: build_alone(offer, options))
            name = examination.identity()
    for connection in guard.connections:
        found.add("network", connection)
    for path in guard.writes:
        found.add("files", path)
    return Report(
        segmenter=name,
        faults=found.faults(),
        lines=len(tried),
        startup=startup,
        seconds=seconds,
    )


def build_alone(offer: Offer, options: Mapping[str, str]) -> BoundSegmenter:
    """Build a segmenter anew; a registry, of which this takes one each time, would keep it."""
    return Registry((offer,)).build(offer.spec.name, **options)


def _faults_of_claims(spec: SegmenterSpec) -> Iterator[str]:
    """Yield what is wrong with a spec that can be used."""
    for code in spec.languages:
        try:
            own = _languages.resolve(code).code
        except LanguageError as error:
            yield f"languages: {error}"
        else:
            if own != code:
                yield f"languages: {code!r} is to be written {own!r}, or it is never matched"
    longest = max(map(len, probe_lines()))
    if spec.max_chars is not None and spec.max_chars < longest:
        yield f"max_chars={spec.max_chars}: probe lines have up to {longest} characters"


def _prepared(texts: Sequence[str], spec: SegmenterSpec) -> list[str]:
    """Prepare lines as a Scorer does, and leave out those that the segmenter does not take."""
    prepared = [HARMFUL.sub("\ufffd", text).rstrip() for text in texts]
    limit = spec.max_chars
    return [text for text in prepared if limit is None or len(text) <= limit]


class _Examination:
    """One segmenter, the lines, and what was found about it so far."""

    def __init__(
        self,
        bound: BoundSegmenter,
        lines: list[str],
        found: Found,
        progress: Callable[[str], None],
    ) -> None:
        self.bound = bound
        self.engine = bound.engine
        self.lines = lines
        self.found = found
        self.progress = progress

    def start(self) -> None:
        """Cut a first line, for which some engines do what others do when they are built."""
        self._cut(self.lines[:1], "first line")

    def run(self, rebuild: Callable[[], BoundSegmenter]) -> float:
        """Try everything; return the seconds that one batch took."""
        fingerprint = self._fingerprint(self.bound)
        alone = [self._cut_alone(line) for line in self.lines]
        for line, tokens in zip(self.lines, alone, strict=True):
            if tokens is not None:
                check_tokens(line, tokens, self.bound.spec, self.found)
        for line in _BLANK:
            if tokens := self._cut_alone(line):
                self.found.add("blank", f"{show(line)} gives {show(tokens)}")
        batch = self.cut("a batch")
        if batch is not None:
            self._compare("batch", alone, batch, "alone and as {} in a batch")
            again = self.cut("the same batch, as a tuple", kind=tuple)
            self._compare("repeat", batch, again, "at first and as {} the second time")
            self._compare("batch", batch, self._in_another_order(), "and as {} in another order")
        self._cut([], "no lines")
        return self._rebuild(rebuild, batch, fingerprint)

    def identity(self) -> str:
        """Return the segmenter as a signature shows it, or by its bare name where that fails."""
        try:
            return str(self.bound.id)
        except BleuprintError:  # the rules that this breaks are reported by themselves
            return self.bound.name

    def _fingerprint(self, bound: BoundSegmenter) -> dict[str, str] | None:
        try:
            fingerprint = dict(bound.fingerprint)
        except BleuprintError as error:
            self.found.add("fingerprint", str(error))
            return None
        for key, value in fingerprint.items():
            if key in ("probe", "dist"):
                self.found.add("fingerprint", f"{key!r} is added by bleuprint itself")
            if len(key) + len(value) > _LONGEST_VALUE:
                self.found.add("fingerprint", f"{key}={show(value)} is too long for a signature")
            if value[:1] in ("/", "~") or "\\" in value or value.count("/") > 1:
                self.found.add("fingerprint", f"{key}={value} looks like a path")
        return fingerprint

    def cut(self, what: str, kind: type[list[str]] | type[tuple[str, ...]] = list) -> Batch | None:
        """Cut all lines as one batch."""
        return self._cut(self.lines, what, kind)

    def _cut(
        self,
        lines: Sequence[str],
        what: str,
        kind: type[list[str]] | type[tuple[str, ...]] = list,
    ) -> Batch | None:
        """Cut a batch; None, with the fault taken down, where the result is none."""
        given = kind(lines)
        what = show(lines[0]) if len(lines) == 1 else f"{what} of {len(lines)} lines"
        self.progress(f"cutting {what}")
        try:
            batch = self.engine.segment_batch(given)
        except Exception as error:  # a plugin may raise anything
            self.found.add("errors", f"{what}: {type(error).__name__}: {error}")
            return None
        if given != kind(lines):
            self.found.add("lines", f"it changed the list that it was given: {what}")
        fault = _fault_of_shape(batch, lines)
        if fault:
            self.found.add("lines", fault)
            return None
        return batch

    def _cut_alone(self, line: str) -> list[str] | None:
        batch = self._cut([line], "one line")
        return None if batch is None else batch[0]

    def _in_another_order(self) -> Batch | None:
        order = list(range(len(self.lines)))
        random.Random(0).shuffle(order)
        shuffled = self._cut([self.lines[at] for at in order], "a shuffled batch")
        if shuffled is None:
            return None
        cut = dict(zip(order, shuffled, strict=True))
        return [cut[at] for at in range(len(order))]

    def _compare(
        self,
        rule: str,
        one: Sequence[list[str] | None],
        other: Sequence[list[str] | None] | None,
        how: str,
    ) -> None:
        if other is None:
            return
        for line, mine, theirs in zip(self.lines, one, other, strict=True):
            if mine is not None and theirs is not None and mine != theirs:
                self.found.add(
                    rule, f"{show(line)} is cut as {show(mine)} {how.format(show(theirs))}"
                )

    def _rebuild(
        self,
        rebuild: Callable[[], BoundSegmenter],
        batch: Batch | None,
        fingerprint: dict[str, str] | None,
    ) -> float:
        """Build a second one, compare, and return the seconds that it took for a batch."""
        try:
            second = rebuild()
        except (EngineError, ContractError) as error:
            self.found.add("rebuild", str(error))
            return 0.0
        if fingerprint is not None:
            for bound in (second, self.bound):
                try:
                    own = dict(bound.fingerprint)
                except BleuprintError as error:
                    self.found.add("fingerprint", str(error))
                else:
                    if own != fingerprint:
                        self.found.add("fingerprint", f"{fingerprint}, and later {own}")
        if batch is None:
            return 0.0
        new = _Examination(second, self.lines, self.found, self.progress)
        new.start()
        start = perf_counter()  # here, since it has not seen the lines, and may remember some
        anew = new.cut("a new one's batch")
        seconds = perf_counter() - start
        self._compare("rebuild", batch, anew, "and as {} by one that is built anew")
        after = self.cut("a batch after that")
        self._compare("rebuild", batch, after, "and as {} once another one is built")
        return seconds


def check_tokens(line: str, tokens: list[str], spec: SegmenterSpec, found: Found) -> None:
    """Look at the tokens of one line by themselves."""
    for token in tokens:
        if not token or token.isspace():
            found.add("tokens", f"{show(line)} gives the token {token!r}")
    if not spec.rewrites:
        kept = "".join("".join(tokens).split())
        if kept != "".join(line.split()):
            found.add("text", f"{show(line)} becomes {show(tokens)}")


def _fault_of_shape(batch: object, lines: Sequence[str]) -> str:
    if not isinstance(batch, list):
        return f"the result is {type(batch).__name__}: expected a list of lists"
    if len(batch) != len(lines):
        return f"the number of results is {len(batch)}, that of lines {len(lines)}"
    for line, tokens in zip(lines, batch, strict=True):
        if not isinstance(tokens, list):
            return f"{show(line)} gives {type(tokens).__name__}: expected a list of strings"
        for token in tokens:
            if not isinstance(token, str):
                return f"{show(line)} gives the token {token!r}: expected a string"
    return ""


def show(value: object) -> str:
    """Write a line or tokens out, as far as they help; a lone surrogate is escaped."""
    text = repr(value).encode("utf-8", "backslashreplace").decode("utf-8")
    return text if len(text) <= 100 else f"{text[:60]}...{text[-30:]}"
