"""What ``bleuprint compare`` prints: text, JSON, Markdown, LaTeX or CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import click

from bleuprint._comparison import Comparison, Pair, System
from bleuprint.cli._tables import print_rows

__all__ = ["Moved", "print_comparison"]

_TESTS = {"bs": "paired bootstrap resampling", "ar": "approximate randomization"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A segment that moves the difference of a pair, with the texts that stand there.

    Attributes:
        number: of the segment, from 1.
        influence: what it adds to the difference.
        first: the output of the pair's first system.
        second: the output of the second.
        references: one text or several.
    """

    number: int
    influence: float
    first: str
    second: str
    references: tuple[str, ...]


def print_comparison(
    comparison: Comparison,
    moved: Mapping[Pair, Sequence[Moved]],
    *,
    form: str,
    width: int,
    short: bool,
    show_pairs: bool,
) -> None:
    """Print a comparison on standard output.

    Args:
        comparison: what to print.
        moved: by pair, the segments to show.
        form: ``text``, ``json``, ``markdown``, ``latex`` or ``csv``.
        width: decimals, where numbers are rounded: not in JSON and CSV.
        short: signatures with one-letter keys.
        show_pairs: show every pair below the systems; in CSV instead of them.
    """
    if form == "json":
        _print_json(comparison, moved)
    elif form == "csv":
        _print_csv(*(_pair_values(comparison) if show_pairs else _system_values(comparison)))
    else:
        _print_tables(comparison, moved, form, width, short, show_pairs)


def _print_json(comparison: Comparison, moved: Mapping[Pair, Sequence[Moved]]) -> None:
    document = comparison.to_dict()
    for pair, own in zip(comparison.pairs, document["pairs"], strict=True):
        if pair in moved:
            own["top"] = [
                {
                    "segment": segment.number,
                    "influence": segment.influence,
                    "first": segment.first,
                    "second": segment.second,
                    "references": list(segment.references),
                }
                for segment in moved[pair]
            ]
    click.echo(json.dumps(document, indent=2, ensure_ascii=False))


def _system_values(comparison: Comparison) -> tuple[list[str], list[list[object]]]:
    header = ["system", "baseline", "score", "low", "high", "mean", "level", "difference", "p",
              "p_corrected", "cluster", "rank_from", "rank_to", "signature"]  # fmt: skip
    rows: list[list[object]] = []
    for own in comparison.systems:
        pair, interval = comparison.against_baseline(own.name), own.score.interval
        assert interval is not None  # compare() makes one for every system
        tested = [None] * 3 if pair is None else [pair.difference, pair.p, pair.p_corrected]
        rows.append(
            [own.name, int(pair is None), own.score.score, interval.low, interval.high,
             interval.mean, interval.level, *tested, own.cluster, *(own.rank or (None, None)),
             str(own.score.signature)]
        )  # fmt: skip
    return header, rows


def _pair_values(comparison: Comparison) -> tuple[list[str], list[list[object]]]:
    header = ["first", "second", "difference", "p", "p_corrected", "significant"]
    return header, [
        [p.first, p.second, p.difference, p.p, p.p_corrected, int(p.significant)]
        for p in comparison.pairs
    ]


def _print_csv(header: list[str], rows: list[list[object]]) -> None:
    """Print comma-separated values, nothing rounded."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows([header, *rows])
    click.echo(buffer.getvalue(), nl=False)


def _print_tables(
    comparison: Comparison,
    moved: Mapping[Pair, Sequence[Moved]],
    form: str,
    width: int,
    short: bool,
    show_pairs: bool,
) -> None:
    ranked = comparison.systems[0].rank is not None
    header = ["system", "BLEU", "\u03bc \u00b1 95%", "95% interval"]
    header += ["difference", "p", "p corrected"]
    header += ["rank", "cluster"] if ranked else []
    best_first = sorted(comparison.systems, key=lambda own: own.score.score, reverse=True)
    rows = [_row(comparison, own, width) for own in best_first]
    print_rows(form, header, rows, "l" + "r" * (len(header) - 1))
    if show_pairs:
        click.echo()
        cells = [
            [p.first, p.second, f"{p.difference:+.{width}f}", _format_p(p.p), _corrected(p)]
            for p in comparison.pairs
        ]
        print_rows(form, ["first", "second", "difference", "p", "p corrected"], cells, "llrrr")
    # In LaTeX, what goes below the table are comments.
    say: Callable[[str], None] = (
        (lambda line: click.echo(f"% {line}")) if form == "latex" else click.echo
    )
    click.echo()
    for line in _legend(comparison):
        say(line)
        if form == "markdown":
            click.echo()
    signature = comparison.systems[0].score.signature
    say("signature: " + (signature.short() if short else str(signature)))
    for pair, segments in moved.items():
        click.echo()
        say(f"segments that move the difference of {pair.second} from {pair.first} most:")
        click.echo()
        _print_moved(pair, segments, form, width)


def _row(comparison: Comparison, own: System, width: int) -> list[str]:
    pair, interval = comparison.against_baseline(own.name), own.score.interval
    assert interval is not None  # compare() makes one for every system
    half_width = (interval.high - interval.low) / 2
    row = [
        own.name + (" (baseline)" if pair is None else ""),
        f"{own.score.score:.{width}f}",
        f"{interval.mean:.{width}f} \u00b1 {half_width:.{width}f}",
        f"[{interval.low:.{width}f}, {interval.high:.{width}f}]",
        *(
            ("", "", "")
            if pair is None
            else (f"{pair.difference:+.{width}f}", _format_p(pair.p), _corrected(pair))
        ),
    ]
    if own.rank is not None:
        low, high = own.rank
        row += [str(low) if low == high else f"{low}-{high}", str(own.cluster)]
    return row


def _print_moved(pair: Pair, segments: Sequence[Moved], form: str, width: int) -> None:
    rows = []
    for own in segments:
        texts = [(pair.first, own.first), (pair.second, own.second)]
        texts += [("reference", text) for text in own.references]
        numbers = [str(own.number), f"{own.influence:+.{width + 2}f}"]
        for name, text in texts:
            rows.append([*numbers, name, text.replace("\n", "\\n")])
            numbers = ["", ""]
    print_rows(form, ["segment", "influence", "text of", "text"], rows, "rrll")


def _format_p(p: float) -> str:
    return "<0.0001" if p < 0.00005 else f"{p:.4f}"


def _corrected(pair: Pair) -> str:
    return _format_p(pair.p_corrected) + ("*" if pair.significant else " ")


def _legend(comparison: Comparison) -> list[str]:
    """Say in sentences how the table was made."""
    drawn = {"bs": "resamples", "ar": "trials"}[comparison.test]
    number = len(comparison.pairs)
    lines = [
        f"{_TESTS[comparison.test]}, {comparison.samples} {drawn}, seed {comparison.seed}; "
        f"difference: from the baseline; p corrected for {number} pair{'s' * (number > 1)} (Holm); "
        f"*: below {comparison.alpha:g}"
    ]
    if comparison.systems[0].rank is not None:
        lines.append(
            "cluster: its systems are significantly better than all of the next; rank: the range "
            "that the tests leave"
        )
    if comparison.like_sacrebleu:
        lines.append(
            "p as sacreBLEU computes it (--like-sacrebleu): "
            + (
                "close systems are told apart too often, equal ones always"
                if comparison.test == "bs"
                else "equal systems are told apart always"
            )
        )
    return lines
