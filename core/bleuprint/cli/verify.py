"""``bleuprint verify``: run a report again and say what changed."""

from __future__ import annotations

import json
from pathlib import Path

import click

from bleuprint._errors import InputError
from bleuprint.cli._options import load_registry, registry_options


@click.command("verify")
@click.argument("report", type=click.Path(path_type=Path))
@click.option(
    "--inputs",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder that held the suite.  [default: what inputs.json beside the report says]",
)
@registry_options
def command(
    report: Path, inputs: Path | None, plugin_files: tuple[str, ...], disabled: tuple[str, ...]
) -> int:
    """Run REPORT (a report.json) again from its inputs, and say what changed and why.

    Exits with 0 where everything that counts is as it was, and with 1 where an input, a dictionary
    or probe, tokens or a score changed.
    """
    from bleuprint.report._verify import load, verify

    data = load(report)
    folder = inputs or _inputs_of(report)
    registry = load_registry(disabled=disabled, files=plugin_files)
    findings = list(verify(data, folder, registry))
    for finding in findings:
        click.echo(f"{'changed' if finding.counts else 'note'}: {finding.where}: {finding.what}")
    broken = any(finding.counts for finding in findings)
    scores = sum(len(m["scores"]) for task in data["tasks"] for m in task["measures"])
    if not broken:
        click.echo(f"verified: {scores} scores in {len(data['tasks'])} tasks are as they were")
    return 1 if broken else 0


def _inputs_of(report: Path) -> Path:
    path = report.with_name("inputs.json")
    try:
        return report.parent / str(json.loads(path.read_text("utf-8"))["inputs"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{path}: cannot be read, so there is no telling where the inputs are: name their "
            "folder with --inputs"
        ) from error
