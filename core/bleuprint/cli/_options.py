"""Options that several commands share, and what they are turned into."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from bleuprint._errors import InputError
from bleuprint._registry import Registry
from bleuprint._scorer import Scorer

__all__ = [
    "InputCommand",
    "adds",
    "files_options",
    "load_registry",
    "make_scorer",
    "registry_options",
    "scoring_options",
]

_F = TypeVar("_F", bound=Callable[..., Any])


class InputCommand(click.Command):
    """A command whose ``-i`` takes every argument up to the next option, as sacreBLEU's does."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, _repeat_input(args))


def _repeat_input(args: list[str]) -> list[str]:
    """Turn ``-i a b`` into ``-i a -i b``."""
    result: list[str] = []
    taking = False
    for at, arg in enumerate(args):
        if arg == "--":
            return result + args[at:]
        if arg in ("-i", "--input"):
            if at + 1 == len(args) or _is_option(args[at + 1]):
                raise click.UsageError(f"{arg} needs at least one file")
            taking = True
        elif _is_option(arg):
            taking = False
            result.append(arg)
        else:
            result += ["-i", arg] if taking else [arg]
    return result


def _is_option(arg: str) -> bool:
    return arg.startswith("-") and arg != "-"


def adds(*options: Callable[[_F], _F]) -> Callable[[_F], _F]:
    """Make one decorator of several, so that a command's help lists them in this order."""

    def add(command: _F) -> _F:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def files_options(metavar: str, help_text: str, *, required: bool) -> Callable[[_F], _F]:
    """Add the references and ``-i``, which takes every file up to the next option."""
    return adds(
        click.argument("references", nargs=-1, required=True, metavar="REF..."),
        click.option(
            "-i",
            "--input",
            "hypotheses",
            multiple=True,
            required=required,
            metavar=metavar,
            help=help_text,
        ),
    )


registry_options = adds(
    click.option(
        "--plugin",
        "plugin_files",
        multiple=True,
        metavar="FILE",
        help="Load a plugin file that is not installed.  May be repeated.",
    ),
    click.option(
        "--no-plugin",
        "disabled",
        multiple=True,
        metavar="NAME",
        help="Switch a plugin off: entry point, distribution, or distribution:entry.",
    ),
)

scoring_options = adds(
    click.option("-l", "--lang", metavar="LANG", help="Language, or pair: ja, zho_Hans, en-ja."),
    click.option(
        "-tok",
        "--segmenter",
        "--tokenize",
        "segmenter",
        metavar="NAME",
        help="Segmenter, with options in brackets: zh-jieba[hmm=off].",
    ),
    click.option(
        "--like", metavar="SIGNATURE", help="The settings of a signature, ours or sacreBLEU's."
    ),
    click.option("-lc", "--lowercase", is_flag=True, help="Ignore case, by Unicode's rules."),
    click.option(
        "--lowercase-tr", is_flag=True, help="Ignore case, by the rules of Turkish and Azeri."
    ),
    click.option("--normalize", metavar="STEPS", help="Normalisation, joined by '+': nfkc+digits."),
    click.option(
        "-s",
        "--smooth-method",
        type=click.Choice(["exp", "floor", "add-k", "none"]),
        help="Smoothing.  [default: exp]",
    ),
    click.option("-sv", "--smooth-value", type=float, help="Value of floor (0.1) or add-k (1)."),
    click.option("--max-ngram-order", type=int, metavar="N", help="Longest n-gram.  [default: 4]"),
    click.option("--effective-order", is_flag=True, help="Leave out orders that no text reaches."),
)


def load_registry(*, disabled: Sequence[str], files: Sequence[str]) -> Registry:
    """Load the plugins, of which those that were named have to load.

    Raises:
        InputError: a plugin file cannot be read or does not load.
    """
    registry = Registry.installed(disabled=disabled, files=files)
    for failure in registry.failures:
        if failure.origin.entry == "file":
            raise InputError(
                f"plugin file {failure.origin.distribution} does not load: {failure.reason}"
            )
    return registry


def make_scorer(
    *,
    registry: Registry,
    lang: str | None,
    segmenter: str | None,
    like: str | None,
    lowercase: bool,
    lowercase_tr: bool,
    normalize: str | None,
    smooth_method: str | None,
    smooth_value: float | None,
    max_ngram_order: int | None,
    effective_order: bool,
) -> Scorer:
    """Make the Scorer that the options ask for."""
    if like is not None:
        given = {
            "-l": lang, "--segmenter": segmenter, "-lc": lowercase, "--lowercase-tr": lowercase_tr,
            "--normalize": normalize, "-s": smooth_method, "-sv": smooth_value is not None,
            "--max-ngram-order": max_ngram_order is not None, "--effective-order": effective_order,
        }  # fmt: skip
        both = [name for name, value in given.items() if value]
        if both:
            raise click.UsageError(f"--like states all settings: it excludes {', '.join(both)}")
        return Scorer.from_signature(like, registry=registry)
    return Scorer(
        lang,
        segmenter,
        lowercase="tr" if lowercase_tr else lowercase,
        normalize=normalize or "none",
        max_order=4 if max_ngram_order is None else max_ngram_order,
        smoothing=smooth_method or "exp",
        smoothing_value=smooth_value,
        effective_order=effective_order,
        registry=registry,
    )
