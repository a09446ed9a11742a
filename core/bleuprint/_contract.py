"""The contract of a segmenter as rules, and a report on how one keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["RULES", "Fault", "Found", "Report"]

#: Every rule by its name, in the order in which they are reported.
RULES: Mapping[str, str] = {
    "spec": "the spec is well-formed, names languages by their ISO 639 codes, and takes lines that "
    "are long enough",
    "build": "it can be built, with the options that its spec declares",
    "errors": "no line makes it raise",
    "lines": "it returns one list of strings for each line, in a list, and leaves its input alone",
    "blank": "an empty or blank line gives no token",
    "tokens": "no token is empty or only white space",
    "text": "the tokens hold the text of their line, white space aside, unless the spec says "
    "rewrites=True",
    "batch": "a line is cut the same alone, in a batch, and in a batch in another order",
    "repeat": "a batch is cut the same way twice",
    "rebuild": "one that is built anew cuts the same way, and changes nothing about the first",
    "fingerprint": "its fingerprint is a mapping of short texts, none a path, and stays the same",
    "network": "it connects to nothing",
    "files": "it writes no file outside the user's cache directory",
    "process": "it neither ends its process nor hangs",
    "long-lines": "the time for a line grows about as its length does, up to the longest it takes",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A rule that is broken, with the first example and how many there are."""

    rule: str  #: a key of `RULES`
    example: str
    count: int = 1

    def __str__(self) -> str:
        more = f" (and {self.count - 1} more)" if self.count > 1 else ""
        return f"{self.rule}: {RULES[self.rule]}\n    {self.example}{more}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What an examination found."""

    segmenter: str  #: name, options and provenance, as far as it got
    faults: tuple[Fault, ...] = ()
    lines: int = 0  #: how many lines were cut
    startup: float = 0.0  #: seconds to import its engine, build it and cut a first line
    seconds: float = 0.0  #: to cut the lines once, as one batch; 0.0 where that failed

    @property
    def broken(self) -> frozenset[str]:
        """The rules that are broken."""
        return frozenset(fault.rule for fault in self.faults)

    def __str__(self) -> str:
        if not self.faults:
            return f"{self.segmenter} keeps the contract of segmenters, on {self.lines} lines"
        faults = "\n".join(f"  {fault}" for fault in self.faults)
        return f"{self.segmenter} breaks the contract of segmenters:\n{faults}"


@dataclass(slots=True)
class Found:
    """Faults as they are found: of each rule the first example, and how many."""

    examples: dict[str, str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, rule: str, example: str) -> None:
        """Take down one case of a broken rule."""
        self.examples.setdefault(rule, example)
        self.counts[rule] = self.counts.get(rule, 0) + 1

    def faults(self) -> tuple[Fault, ...]:
        """Return them in the order of `RULES`."""
        return tuple(
            Fault(rule=rule, example=self.examples[rule], count=self.counts[rule])
            for rule in RULES
            if rule in self.examples
        )
