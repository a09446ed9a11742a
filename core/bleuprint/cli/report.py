"""``bleuprint report``: a suite in, one reproducible report out."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import click

from bleuprint._errors import InputError
from bleuprint.cli._options import load_registry, registry_options
from bleuprint.cli._progress import ProgressBar
from bleuprint.cli._tables import print_rows


@click.command("report")
@click.argument("suite", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder to write the report to.  [default: report, beside where you are]",
)
@click.option("--init", is_flag=True, help="Write a suite for the files in the folder SUITE.")
@click.option("-q", "--quiet", is_flag=True, help="Print no table and no progress.")
@registry_options
def command(
    suite: Path,
    output: Path | None,
    init: bool,
    quiet: bool,
    plugin_files: tuple[str, ...],
    disabled: tuple[str, ...],
) -> None:
    """Run the suite file SUITE: all languages, all systems, one report.

    Writes report.json, and from it report.html, report.md, report.tex, report.csv and report.yaml
    (the model-index of a Hugging Face model card).  With --init, SUITE is a folder, and a commented
    suite for the files in it is written to suite.toml there.
    """
    if init:
        from bleuprint.report._init import write_suite

        click.echo(f"wrote {write_suite(suite)}: look it over, then run bleuprint report on it")
        return
    from bleuprint.report import Report, read_suite, run_suite, steps

    output = output or Path("report")
    registry = load_registry(disabled=disabled, files=plugin_files)
    total = steps(read_suite(suite))  # a mistake in it is told before anything is made
    Report.require_extra()
    _make_folder(output)
    with ProgressBar(total, quiet=quiet) as progress:
        report = run_suite(suite, registry=registry, progress=progress.step)
    for path in report.write(output):
        click.echo(f"wrote {path}", err=True)
    where = {"inputs": Path(os.path.relpath(suite.parent, output)).as_posix()}
    (output / "inputs.json").write_text(json.dumps(where) + "\n", "utf-8")
    if not quiet:
        _show(report.data)


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path}: cannot be made: {error.strerror or error}") from error


def _show(data: dict[str, Any]) -> None:
    header = ("task", "system", "BLEU", "95%", "char", "p", "rank", "group")
    lines = []
    signatures: dict[str, str] = {}
    for task in data["tasks"]:
        main = task["measures"][0]
        anchor = next(m for m in task["measures"] if m["segmenter"] == "char")
        signatures.setdefault(main["digest"], main["signature"])
        for score, plain in zip(main["scores"], anchor["scores"], strict=True):
            interval = score["interval"]
            rank = score["rank"]
            lines.append(
                (
                    task["name"],
                    score["system"] + (" (baseline)" if score["baseline"] else ""),
                    f"{score['score']:.1f}",
                    f"{interval['low']:.1f}-{interval['high']:.1f}",
                    f"{plain['score']:.1f}",
                    "" if score["p"] is None else f"{score['p']:.3f}",
                    ""
                    if rank is None
                    else f"{rank[0]}"
                    if rank[0] == rank[1]
                    else f"{rank[0]}-{rank[1]}",
                    main["digest"],
                )
            )
    print_rows("text", header, lines, "llrrrrrl")
    click.echo("\nScores of different groups may not be compared.  Signatures:")
    for digest, signature in signatures.items():
        click.echo(f"{digest}  {signature}")
