"""The command line: one file a command; only here is anything printed, or the process ended."""

from __future__ import annotations

import gc
import importlib
import io
import os
import sys
from collections.abc import Sequence

import click

from bleuprint._errors import BleuprintError
from bleuprint._version import VERSION

__all__ = ["main", "program"]

#: Every command, in the order in which help shows them: the module of that name holds `command`.
COMMANDS = {
    "score": "Score the output of one system or several.",
    "compare": "Tell whether one system is better than another, or chance.",
    "report": "Run a suite of languages and systems into one reproducible report.",
    "verify": "Run a report again and say what, if anything, changed.",
    "segment": "Show the tokens that a segmenter makes of a text.",
    "signature": "Explain a signature, or say whether two scores may be compared.",
    "segmenters": "List the segmenters: ready, or what they need.",
    "plugins": "List the plugins, the broken ones too.",
    "doctor": "Build every segmenter that is installed and check its contract.",
}


class _Program(click.Group):
    """A group whose commands are imported when they are asked for."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args:
            click.echo(ctx.get_help(), err=True)
            ctx.exit(2)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        found = importlib.import_module(f"bleuprint.cli.{cmd_name}").command
        assert isinstance(found, click.Command)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            raise click.UsageError(
                f"no command {args[0]!r}: expected one of {', '.join(COMMANDS)}", ctx
            ) from error


@click.group(
    cls=_Program,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 done; 1 a check failed; 2 bad usage or bad input.",
)
@click.version_option(VERSION, "-V", "--version", prog_name="bleuprint")
def program() -> None:
    """BLEU that says how it was made, for languages with and without spaces."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    # A corpus is millions of tokens and no cycles: looking for some takes a tenth of the time.
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
    # Texts are UTF-8 whatever the locale says; a character that cannot be printed is escaped.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    # Python has None for a stream that was closed before it started.
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # for as long as we run
    if sys.stdout is None:
        return _complain("standard output is closed: there is nowhere to write results to")
    try:
        result = program.main(
            args=None if arguments is None else list(arguments),
            prog_name="bleuprint",
            standalone_mode=False,
        )
        sys.stdout.flush()
    except BleuprintError as error:
        return _complain(str(error))
    except click.UsageError as error:
        where = f" (see: {error.ctx.command_path} --help)" if error.ctx else ""
        return _complain(error.format_message() + where)
    except click.ClickException as error:
        return _complain(error.format_message())
    except (click.Abort, KeyboardInterrupt):
        click.echo("bleuprint: interrupted", err=True)
        return 130
    except BrokenPipeError:
        # Whoever read our output has had enough, as `head` does: no error.
        _drop_output()
        return 141
    except OSError as error:  # a full disk; files that cannot be read are told where they are read
        if error.filename is None:
            _drop_output()
        reason = (error.strerror or str(error)).lower()
        return _complain(f"{error.filename or 'standard output'}: cannot be written: {reason}")
    return result if isinstance(result, int) else 0


def _drop_output() -> None:
    """Send to nowhere what was not written yet, or Python complains of it once more as it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(message: str) -> int:
    """Say it in one line and return the exit code for bad usage and bad input."""
    click.echo("bleuprint: " + " ".join(message.split("\n")), err=True)
    return 2
