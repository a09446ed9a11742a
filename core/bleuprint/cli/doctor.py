"""``bleuprint doctor``: whether the segmenters that are installed do what they must."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import click

from bleuprint._contract import RULES, Report
from bleuprint._errors import SegmenterConflictError
from bleuprint._isolation import examine_apart
from bleuprint._registry import Failure, Offer, Registry
from bleuprint._signature import SegmenterId
from bleuprint.cli._options import registry_options
from bleuprint.cli._tables import print_rows

_PATIENCE = 600  # seconds for one segmenter

_HEADER = (
    "segmenter", "state", "version", "dictionary", "probe", "lines/s", "start-up",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What was found about one segmenter, or about a plugin that offers none."""

    name: str
    offer: Offer | None = None
    state: str  #: ok, missing, unset (of an option that it needs), fault, conflict or broken
    detail: str = ""
    report: Report | None = None

    @property
    def failed(self) -> bool:
        """Whether this is for somebody to mend."""
        return self.state in ("fault", "conflict", "broken")

    @property
    def provenance(self) -> Mapping[str, str]:
        """Fingerprint and probe."""
        return dict(SegmenterId.parse(self.report.segmenter).provenance) if self.report else {}


@click.command("doctor")
@click.argument("names", nargs=-1, metavar="[SEGMENTER]...")
@click.option(
    "--lines",
    type=click.IntRange(min=0),
    default=500,
    show_default=True,
    metavar="N",
    help="Awkward lines to cut, besides the probe lines.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@registry_options
def command(
    names: tuple[str, ...],
    lines: int,
    as_json: bool,
    plugin_files: tuple[str, ...],
    disabled: tuple[str, ...],
) -> int:
    """Build the segmenters that are installed, and hold each to its contract.

    SEGMENTER is a name, with options in brackets if need be; without any, all are checked with
    their default options.  Each has a process of its own.  Exits with 1 where one fails; one whose
    engine is not installed is listed, and is no failure.

    \b
    bleuprint doctor
    bleuprint doctor 'zh-jieba[hmm=off]' 'spm[model=my.model]'
    """
    registry = Registry.installed(disabled=disabled, files=plugin_files)
    wanted = [SegmenterId.parse(name) for name in names]
    for each in wanted:
        if each.name not in registry.names():
            registry.find(each.name)  # raises, with the names that there are
    wanted = wanted or [SegmenterId(name=name) for name in registry.names()]
    findings = [_find(registry, each, lines) for each in _shown(wanted)]
    if not names:
        findings += map(_broken, registry.failures)
    if as_json:
        click.echo(json.dumps([_as_json(finding) for finding in findings], indent=2))
    else:
        _print(findings)
    return 1 if any(finding.failed for finding in findings) else 0


def _shown(wanted: Sequence[SegmenterId]) -> Iterable[SegmenterId]:
    """Show on a terminal how far it is."""
    if not sys.stderr.isatty():
        return wanted
    from rich.console import Console
    from rich.progress import track

    return track(wanted, "checking", console=Console(stderr=True), transient=True)


def _find(registry: Registry, wanted: SegmenterId, lines: int) -> Finding:
    name, options = str(wanted), dict(wanted.options)
    try:
        offer = registry.find(wanted.name)
    except SegmenterConflictError as error:
        return Finding(name=name, state="conflict", detail=str(error))
    spec = offer.spec
    if spec.missing:
        detail = f"needs {', '.join(spec.missing)}"
        if spec.install:
            detail += f': pip install "{spec.install}"'
        return Finding(name=name, offer=offer, state="missing", detail=detail)
    unset = [key for key, o in spec.options.items() if o.default is None and key not in options]
    if unset:
        shown = ",".join(f"{key}={'FILE' if spec.options[key].file else 'VALUE'}" for key in unset)
        detail = f"needs an option: bleuprint doctor '{wanted.name}[{shown}]'"
        return Finding(name=name, offer=offer, state="unset", detail=detail)
    report = examine_apart(
        partial(registry.find, wanted.name),
        options,
        name=name,
        generated=lines,
        empty=False,
        timeout=_PATIENCE,
    )
    state = "fault" if report.faults else "ok"
    return Finding(name=name, offer=offer, state=state, report=report)


def _broken(failure: Failure) -> Finding:
    detail = f"{failure.origin}: {failure.reason}"
    return Finding(name=failure.origin.entry, state="broken", detail=detail)


def _print(findings: Sequence[Finding]) -> None:
    print_rows("text", _HEADER, [_row(finding) for finding in findings], "lllllrr")
    for finding in findings:
        if finding.report is not None and finding.report.faults:
            click.echo(f"\n{finding.report}")
    others = [finding for finding in findings if finding.detail]
    if others:
        click.echo()
    for finding in others:
        click.echo(f"{finding.name}: {finding.detail}")


def _row(finding: Finding) -> tuple[str, ...]:
    report, provenance = finding.report, finding.provenance
    if report is None:
        return (finding.name, finding.state, "", "", "", "", "")
    engine = [
        f"{key} {value}"
        for key, value in provenance.items()
        if key not in ("probe", "dist") and not key.startswith("dict")
    ]
    origin = finding.offer.origin if finding.offer else None
    own = f"{origin.distribution} {origin.version}" if origin else ""
    return (
        finding.name,
        finding.state,
        ", ".join(engine) or own,
        " ".join(value for key, value in provenance.items() if key.startswith("dict")),
        provenance.get("probe", ""),
        f"{_speed(report):,.0f}",
        f"{report.startup:.2f} s",
    )


def _speed(report: Report) -> float:
    return report.lines / report.seconds if report.seconds else 0.0


def _as_json(finding: Finding) -> dict[str, object]:
    offer, report, provenance = finding.offer, finding.report, dict(finding.provenance)
    return {
        "name": finding.name,
        "distribution": offer.origin.distribution if offer else None,
        "version": offer.origin.version if offer else None,
        "entry": offer.origin.entry if offer else None,
        "state": finding.state,
        "detail": finding.detail or None,
        "install": f'pip install "{offer.spec.install}"' if offer and offer.spec.install else None,
        "probe": provenance.pop("probe", None),
        "fingerprint": provenance,
        "lines": report.lines if report else None,
        "lines_per_second": _speed(report) if report else None,
        "startup_seconds": report.startup if report else None,
        "faults": [
            {
                "rule": fault.rule,
                "asks": RULES[fault.rule],
                "example": fault.example,
                "count": fault.count,
            }
            for fault in (report.faults if report else ())
        ],
    }
