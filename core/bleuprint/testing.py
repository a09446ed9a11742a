"""Hold a segmenter to its contract: for the tests of a plugin, ours or anybody's.

In a test of its own::

    from bleuprint.testing import check_segmenter

    def test_syllables_keep_the_contract():
        check_segmenter(acme_syllables.SPEC)

or as a class, with a test for each rule::

    from bleuprint.testing import SegmenterContract

    class TestSyllables(SegmenterContract):
        spec = acme_syllables.SPEC

The rules are in `RULES`, each with what it asks for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar

from bleuprint._awkward import awkward_lines
from bleuprint._contract import RULES, Fault, Report
from bleuprint._examination import examine
from bleuprint._isolation import examine_apart
from bleuprint._registry import Offer, Origin
from bleuprint.plugin import SegmenterSpec

__all__ = [
    "RULES",
    "ContractViolation",
    "Fault",
    "Report",
    "SegmenterContract",
    "awkward_lines",
    "check_segmenter",
]

_UNDER_TEST = Origin("", "", "the plugin under test")


class ContractViolation(AssertionError):
    """A segmenter breaks its contract; the message lists every rule that is broken.

    Attributes:
        report: what was found.
    """

    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self.report = report


def check_segmenter(
    spec: SegmenterSpec,
    *,
    options: Mapping[str, str] | None = None,
    lines: Sequence[str] = (),
    generated: int = 500,
    seed: int = 0,
    isolated: bool = False,
    long_lines: bool = False,
    timeout: float = 600,
) -> Report:
    """Build a segmenter and hold it to every rule of the contract (`RULES`).

    It cuts the probe lines, awkward lines made from a seed, and yours: one by one, as a batch,
    in another order and again.  Meanwhile Python's own audit events show connections, which are
    refused, and files that are written.  What native code does by itself shows with `isolated`
    only.

    Args:
        spec: what the plugin offers.
        options: the segmenter's options, as a user would set them.
        lines: texts of your own to cut besides.
        generated: how many awkward lines to make (`awkward_lines`).
        seed: which awkward lines.
        isolated: do it in a process of its own, whose home, temporary and working directory are
            empty at first.  `build` must then be a function that can be imported by name.
        long_lines: cut lines as long as the spec allows, at most a million characters, too, and see
            that time grows as they do.  Implies `isolated`, as such a line may end a process.
        timeout: seconds after which an isolated process counts as hanging.

    Returns:
        A report without faults: lines cut, seconds to start and to cut them.

    Raises:
        ContractViolation: a rule is broken.
        SegmenterError, InputError: it cannot be tried: its engine is not installed, an option is
            wrong or missing.
        ValueError: `isolated`, and the spec cannot be sent to another process.
    """
    if isolated or long_lines:
        report = examine_apart(
            partial(Offer, _UNDER_TEST, spec),
            options or {},
            name=spec.name,
            lines=lines,
            generated=generated,
            seed=seed,
            long_lines=long_lines,
            timeout=timeout,
        )
    else:
        offer = Offer(_UNDER_TEST, spec)
        report = examine(offer, options or {}, lines=lines, generated=generated, seed=seed)
    if report.faults:
        raise ContractViolation(report)
    return report


class SegmenterContract:
    """The contract as a class of tests, to be subclassed: one test for each rule.

    Name the subclass ``Test...`` and set `spec`; the rest is optional.  The segmenter is examined
    once for the class.
    """

    spec: ClassVar[SegmenterSpec]  #: what the plugin offers
    options: ClassVar[Mapping[str, str]] = {}  #: its options, as a user would set them
    lines: ClassVar[Sequence[str]] = ()  #: texts of your own to cut besides
    generated: ClassVar[int] = 500  #: how many awkward lines to make

    _report: ClassVar[Report | None] = None

    @classmethod
    def _keep(cls, rule: str) -> None:
        if "_report" not in cls.__dict__:
            offer = Offer(_UNDER_TEST, cls.spec)
            cls._report = examine(offer, cls.options, lines=cls.lines, generated=cls.generated)
        assert cls._report is not None
        for fault in cls._report.faults:
            assert fault.rule != rule, str(fault)

    def test_spec_is_well_formed(self) -> None:
        self._keep("spec")

    def test_it_can_be_built(self) -> None:
        self._keep("build")

    def test_no_line_makes_it_raise(self) -> None:
        self._keep("errors")

    def test_each_line_gives_one_list_of_strings(self) -> None:
        self._keep("lines")

    def test_blank_line_gives_no_token(self) -> None:
        self._keep("blank")

    def test_no_token_is_blank(self) -> None:
        self._keep("tokens")

    def test_text_is_kept_unless_the_spec_says_rewrites(self) -> None:
        self._keep("text")

    def test_batch_is_cut_as_its_lines_are_alone(self) -> None:
        self._keep("batch")

    def test_same_batch_is_cut_the_same_way_again(self) -> None:
        self._keep("repeat")

    def test_one_built_anew_cuts_alike(self) -> None:
        self._keep("rebuild")

    def test_fingerprint_is_short_and_stable(self) -> None:
        self._keep("fingerprint")

    def test_it_needs_no_network(self) -> None:
        self._keep("network")

    def test_it_writes_no_files(self) -> None:
        self._keep("files")
