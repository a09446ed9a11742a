"""``bleuprint compare``: is one system better than another, or is it chance?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import click
import numpy as np

from bleuprint._comparison import Comparison, Pair, compare, influence
from bleuprint._scorer import Scorer
from bleuprint._statistics import Statistics
from bleuprint.cli._comparison import Moved, print_comparison
from bleuprint.cli._inputs import Inputs, reading_options
from bleuprint.cli._notes import notes_options, show_notes
from bleuprint.cli._options import (
    InputCommand,
    files_options,
    load_registry,
    make_scorer,
    registry_options,
    scoring_options,
)
from bleuprint.cli.score import count_files


@click.command("compare", cls=InputCommand)
@files_options(
    "BASELINE SYSTEM...",
    "Hypotheses, one file a system; the first is the baseline.",
    required=True,
)
@scoring_options
@click.option("-pbs", "--paired-bs", is_flag=True, help="Paired bootstrap.  [default]")
@click.option("-par", "--paired-ar", is_flag=True, help="Approximate randomization.")
@click.option(
    "--n-samples",
    type=click.IntRange(min=1),
    metavar="N",
    help="Resamples (1000), or trials of -par (10000).",
)
@click.option("--seed", type=click.IntRange(min=0), default=12345, show_default=True)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="Level of significance.",
)
@click.option(
    "--baseline-only",
    is_flag=True,
    help="Test only against the baseline: fewer pairs to correct for, no ranks and clusters.",
)
@click.option(
    "--like-sacrebleu", is_flag=True, help="sacreBLEU's own p-values, for a table to reproduce."
)
@click.option("--pairs", "show_pairs", is_flag=True, help="Show every pair, not only systems.")
@click.option(
    "--top",
    type=click.IntRange(min=1),
    metavar="N",
    help="Show the N segments that move the difference to the baseline most.",
)
@click.option(
    "-w", "--width", type=click.IntRange(0, 15), default=1, show_default=True, help="Decimals."
)
@click.option("-sh", "--short", is_flag=True, help="Signatures with one-letter keys.")
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["text", "json", "latex", "markdown", "csv"]),
    default="text",
    show_default=True,
)
@reading_options
@notes_options
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="Processes; they pay from some 30,000 lines of a slow engine.",
)
@registry_options
def command(
    references: tuple[str, ...],
    hypotheses: tuple[str, ...],
    paired_bs: bool,
    paired_ar: bool,
    n_samples: int | None,
    seed: int,
    alpha: float,
    baseline_only: bool,
    like_sacrebleu: bool,
    show_pairs: bool,
    top: int | None,
    width: int,
    short: bool,
    form: str,
    encoding: str,
    field: str | None,
    column: str | None,
    max_bytes: int | None,
    quiet: bool,
    strict: bool,
    jobs: int,
    plugin_files: tuple[str, ...],
    disabled: tuple[str, ...],
    **settings: Any,
) -> None:
    """Tell whether systems differ by more than chance, on the references REF.

    All pairs of systems are tested, on the same draws, and p-values are corrected for the number of
    pairs by Holm's method.  Systems that cannot be told apart share a cluster.

    \b
    bleuprint compare -l ja ref.txt -i baseline.txt a.txt b.txt
    bleuprint compare -l zh ref.txt -i baseline.txt a.txt -par --top 5
    """
    _check(hypotheses, references, paired_bs and paired_ar, top, form)
    test: Literal["bs", "ar"] = "ar" if paired_ar else "bs"
    registry = load_registry(disabled=disabled, files=plugin_files)
    scorer = make_scorer(registry=registry, **settings)
    inputs = Inputs(encoding=encoding, field=field, column=column, max_bytes=max_bytes)
    if top and not all(inputs.open(name).repeatable for name in (*hypotheses, *references)):
        raise click.UsageError("--top reads the files again: none can be standard input or a pipe")
    counted, notes = count_files(scorer, inputs, references, hypotheses, jobs=jobs, quiet=quiet)
    statistics = dict(zip(hypotheses, counted, strict=True))
    comparison = compare(
        scorer,
        statistics,
        test=test,
        samples=n_samples,
        seed=seed,
        alpha=alpha,
        baseline_only=baseline_only,
        like_sacrebleu=like_sacrebleu,
    )
    comparison = replace(
        comparison,
        systems=tuple(
            replace(own, score=replace(own.score, notes=(*notes, *own.score.notes)))
            for own in comparison.systems
        ),
    )
    show_notes(
        [(own.name, own.score.notes) for own in comparison.systems], quiet=quiet, strict=strict
    )
    moved = _find_moved(scorer, comparison, statistics, inputs, references, top or 0)
    print_comparison(comparison, moved, form=form, width=width, short=short, show_pairs=show_pairs)


def _check(
    hypotheses: Sequence[str], references: Sequence[str], both: bool, top: int | None, form: str
) -> None:
    if both:
        raise click.UsageError("-pbs and -par are two tests: name one")
    if len(hypotheses) < 2:
        raise click.UsageError("-i needs two files or more: a baseline, and what to compare to it")
    twice = sorted({name for name in hypotheses if hypotheses.count(name) > 1})
    if twice:
        raise click.UsageError(f"-i names {', '.join(twice)} twice: systems need different names")
    if top and form in ("latex", "csv"):
        raise click.UsageError(f"--top shows texts: it excludes -f {form}")


def _find_moved(
    scorer: Scorer,
    comparison: Comparison,
    statistics: dict[str, Statistics],
    inputs: Inputs,
    references: Sequence[str],
    top: int,
) -> dict[Pair, list[Moved]]:
    """Find, for each pair with the baseline, the segments that move its difference most."""
    if not top:
        return {}
    effects = {
        pair: influence(statistics[pair.first].table, statistics[pair.second].table, scorer.formula)
        for pair in comparison.pairs
        if pair.first == comparison.baseline
    }
    chosen = {
        pair: np.argsort(-np.abs(own), kind="stable")[:top].tolist()
        for pair, own in effects.items()
    }
    wanted = {at for own in chosen.values() for at in own}
    names = (*statistics, *references)
    texts = {
        at: dict(zip(names, row, strict=True))
        for at, row in enumerate(zip(*map(inputs.open, names), strict=True))
        if at in wanted
    }
    return {
        pair: [
            Moved(
                number=at + 1,
                influence=float(effects[pair][at]),
                first=texts[at][pair.first],
                second=texts[at][pair.second],
                references=tuple(texts[at][name] for name in references),
            )
            for at in own
        ]
        for pair, own in chosen.items()
    }
