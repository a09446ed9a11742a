"""``bleuprint segment``: one line in, its tokens out."""

from __future__ import annotations

import json
from itertools import islice

import click

from bleuprint._scorer import Scorer
from bleuprint.cli._inputs import Inputs, reading_options
from bleuprint.cli._options import load_registry, registry_options

_BATCH = 256


@click.command("segment")
@click.argument("file", default="-")
@click.option("-l", "--lang", metavar="LANG", help="Language: its default segmenter.")
@click.option(
    "-tok", "--segmenter", "--tokenize", "segmenter", metavar="NAME", help="Segmenter by name."
)
@click.option("-lc", "--lowercase", is_flag=True, help="Lowercase first.")
@click.option("--normalize", metavar="STEPS", default="none", help="Normalise first.")
@click.option(
    "-f", "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@reading_options
@registry_options
def command(
    file: str,
    lang: str | None,
    segmenter: str | None,
    lowercase: bool,
    normalize: str,
    form: str,
    encoding: str,
    field: str | None,
    column: str | None,
    max_bytes: int | None,
    plugin_files: tuple[str, ...],
    disabled: tuple[str, ...],
) -> None:
    """Show the tokens that a segmenter makes of each line of FILE, or of standard input.

    Tokens are separated by spaces; a token may hold spaces itself, so for other programs take -f
    json, a list of tokens a line.
    """
    if lang is None and segmenter is None:
        raise click.UsageError("name a language with -l, or a segmenter with --segmenter")
    registry = load_registry(disabled=disabled, files=plugin_files)
    scorer = Scorer(lang, segmenter, lowercase=lowercase, normalize=normalize, registry=registry)
    inputs = Inputs(encoding=encoding, field=field, column=column, max_bytes=max_bytes)
    lines = iter(inputs.open(file))
    while batch := list(islice(lines, _BATCH)):
        for tokens in scorer.segment(batch):
            text = json.dumps(tokens, ensure_ascii=False) if form == "json" else " ".join(tokens)
            click.echo(text)
