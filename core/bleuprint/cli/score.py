"""``bleuprint score``: the main job."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import click

from bleuprint._errors import ContractError, LineTooLongError, ShapeError
from bleuprint._notes import Note
from bleuprint._score import Score
from bleuprint._scorer import Scorer
from bleuprint._statistics import Statistics
from bleuprint.cli._inputs import Inputs, Streams, is_interactive, reading_options
from bleuprint.cli._notes import notes_options, show_notes
from bleuprint.cli._options import (
    InputCommand,
    files_options,
    load_registry,
    make_scorer,
    registry_options,
    scoring_options,
)
from bleuprint.cli._progress import counted
from bleuprint.cli._tables import print_rows

_SACREBLEU_DEFAULTS = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}  # 13a for all others


@click.command("score", cls=InputCommand)
@files_options(
    "HYP...", "Hypotheses, one file a system; standard input if left out.", required=False
)
@scoring_options
@click.option("-sl", "--sentence-level", is_flag=True, help="Score every segment by itself.")
@click.option("-ci", "--confidence", is_flag=True, help="Add a confidence interval, by bootstrap.")
@click.option(
    "-cin",
    "--confidence-n",
    type=click.IntRange(min=2),
    default=1000,
    show_default=True,
    metavar="N",
    help="Samples of the bootstrap.",
)
@click.option("--seed", type=click.IntRange(min=0), default=12345, show_default=True)
@click.option(
    "-w", "--width", type=click.IntRange(0, 15), default=1, show_default=True, help="Decimals."
)
@click.option("-b", "--score-only", is_flag=True, help="Print nothing but the number.")
@click.option("-sh", "--short", is_flag=True, help="Signatures with one-letter keys.")
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["text", "json", "latex", "markdown"]),
    default="text",
    show_default=True,
)
@reading_options
@click.option("--source", metavar="FILE", help="The source text, to find untranslated copies.")
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
    sentence_level: bool,
    confidence: bool,
    confidence_n: int,
    seed: int,
    width: int,
    score_only: bool,
    short: bool,
    form: str,
    encoding: str,
    field: str | None,
    column: str | None,
    max_bytes: int | None,
    source: str | None,
    quiet: bool,
    strict: bool,
    jobs: int,
    plugin_files: tuple[str, ...],
    disabled: tuple[str, ...],
    **settings: Any,
) -> None:
    """Score the output of one system or several against the references REF.

    Each file holds one segment a line; several REF files are several references a segment.
    Results go to standard output, notes to standard error.

    \b
    bleuprint score -l ja ref.txt -i system.txt
    bleuprint score -l zh ref.txt -i a.txt b.txt -f json
    """
    if sentence_level and confidence:
        raise click.UsageError("-sl scores segments one by one: it excludes -ci")
    if sentence_level and form not in ("text", "json"):
        raise click.UsageError(f"-sl prints text or JSON: it excludes -f {form}")
    registry = load_registry(disabled=disabled, files=plugin_files)
    scorer = make_scorer(registry=registry, **settings)
    if not hypotheses:
        hypotheses = ("-",)
        if is_interactive():
            click.echo("bleuprint: reading hypotheses from standard input", err=True)
    inputs = Inputs(encoding=encoding, field=field, column=column, max_bytes=max_bytes)
    statistics, notes = count_files(
        scorer, inputs, references, hypotheses, source, jobs, quiet=quiet
    )
    if confidence:
        scores = [scorer.bootstrap(s, samples=confidence_n, seed=seed) for s in statistics]
    else:
        scores = [scorer.score(s) for s in statistics]
    scores = [replace(score, notes=(*notes, *score.notes)) for score in scores]
    named = list(zip(hypotheses, scores, strict=True))
    if not quiet and settings["segmenter"] is None:
        _tell_default(scorer)
    show_notes([(name, score.notes) for name, score in named], quiet=quiet, strict=strict)
    sentences = [scorer.scores(s) for s in statistics] if sentence_level else None
    if form == "json":
        _print_json(named, statistics, sentences)
    elif sentences is not None:
        for own in sentences:
            for score in own:
                click.echo(score.format(width=width, score_only=score_only, short=short))
    elif form == "text" and (score_only or len(named) == 1):
        for _, score in named:
            click.echo(score.format(width=width, score_only=score_only, short=short))
    else:
        _print_table(named, form, width, short)


def _tell_default(scorer: Scorer) -> None:
    """Say that a default is not sacreBLEU's, to whoever expects its number."""
    language = scorer.language
    if language is None:
        return
    theirs = _SACREBLEU_DEFAULTS.get(language.code, "13a")
    if theirs != scorer.segmenter.name:
        click.echo(
            f"note: {scorer.segmenter.name} is the default for {language.name} here; sacreBLEU's "
            f"is {theirs}: for its number, --segmenter {theirs}",
            err=True,
        )


def count_files(
    scorer: Scorer,
    inputs: Inputs,
    references: Sequence[str],
    hypotheses: Sequence[str],
    source: str | None = None,
    jobs: int = 1,
    *,
    quiet: bool = False,
) -> tuple[list[Statistics], tuple[Note, ...]]:
    """Count the systems in `hypotheses` against the references; the files' own notes come along.

    Raises:
        InputError: a file cannot be read, or the files do not pair up.
    """
    streams = Streams(inputs, references, hypotheses, source)
    try:
        statistics = scorer.collect(
            streams.hypotheses,
            counted(streams.references(), quiet=quiet),
            sources=streams.source,
            jobs=jobs,
        )
    except ShapeError as error:
        raise streams.explain(error) from error
    except (ContractError, LineTooLongError) as error:  # they have the line, and not its file
        raise type(error)(f"{streams.pair}: {error}") from error
    return statistics, streams.notes()


def _print_json(
    named: list[tuple[str, Score]],
    statistics: list[Statistics],
    sentences: list[list[Score]] | None,
) -> None:
    import json

    documents = []
    for at, (name, score) in enumerate(named):
        document = {"system": name, "segments": len(statistics[at]), **score.to_dict()}
        if sentences is not None:
            document["sentences"] = [_sentence(own) for own in sentences[at]]
        documents.append(document)
    click.echo(
        json.dumps(documents[0] if len(documents) == 1 else documents, indent=2, ensure_ascii=False)
    )


def _sentence(score: Score) -> dict[str, Any]:
    # The notes are the corpus', and one signature serves all sentences.
    return {key: value for key, value in score.to_dict().items() if key not in ("name", "notes")}


def _print_table(named: list[tuple[str, Score]], form: str, width: int, short: bool) -> None:
    orders = range(1, 1 + len(named[0][1].counts))
    header = ("system", "BLEU", *(f"p{n}" for n in orders), "BP", "ratio", "hyp_len", "ref_len")
    rows = [
        (
            name,
            score.format(width=width, score_only=True),
            *(f"{p:.1f}" for p in score.precisions),
            f"{score.bp:.3f}",
            f"{score.ratio:.3f}",
            str(score.sys_len),
            str(score.ref_len),
        )
        for name, score in named
    ]
    print_rows(form, header, rows, "l" + "r" * (len(header) - 1))
    signature = named[0][1].signature
    click.echo("\nsignature: " + (signature.short() if short else str(signature)))
