"""Charts: specifications in Vega-Lite, made with Altair, and the script that draws them.

Colours are the page's CSS variables, so that a chart follows its theme and prints in ink.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import altair as alt
import vl_convert

from bleuprint.report._groups import Group
from bleuprint.report._view import Json, by_score, labels_of, main_of

__all__ = ["CONFIG", "Chart", "heat_chart", "interval_chart", "part_chart", "script", "slope_chart"]

_ROW = 28  # pixels from one system to the next
_LABEL = 190  # pixels that a name may take
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
_INK, _SOFT, _LINE = "var(--ink)", "var(--soft)", "var(--line)"
_ACCENT, _PAPER = "var(--accent)", "var(--paper)"
_PALETTE = [f"var(--hue-{i})" for i in range(1, 7)]

#: How all charts look.
CONFIG: dict[str, Any] = {
    "background": None,
    "font": _FONT,
    "aria": False,  # each chart is one picture with a text and a table beside it
    "view": {"stroke": None},
    "padding": {"left": 0, "right": 6, "top": 2, "bottom": 2},
    "axis": {
        "domain": False,
        "ticks": False,
        "gridColor": _LINE,
        "labelColor": _SOFT,
        "labelFontSize": 12,
        "labelPadding": 8,
        "titleColor": _SOFT,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "titlePadding": 8,
    },
    "axisY": {"labelColor": _INK, "labelLimit": _LABEL, "grid": False, "title": None},
    "text": {"color": _INK, "fontSize": 12},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A chart and what it says.

    Attributes:
        spec: in Vega-Lite; its width is that of the page.
        height: in pixels, about.
        least: the least width in pixels with which it can be read.
        most: the width beyond which it gains nothing.
        text: what it shows, for those who do not see it.
    """

    spec: dict[str, Any]
    height: int
    least: int
    most: int
    text: str


@lru_cache(maxsize=1)
def script() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script without imports.

    It is the version that Altair writes for.
    """
    version = "_".join(alt.SCHEMA_VERSION.split(".")[:2])
    code: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", vl_version=version)
    return code


def interval_chart(task: Json) -> Chart:
    """Draw the score of each system with its confidence interval, and where the baseline is."""
    scores = by_score(main_of(task))
    rows = [
        {
            "system": score["system"],
            "score": score["score"],
            "low": score["interval"]["low"],
            "high": score["interval"]["high"],
            "baseline": score["baseline"],
        }
        for score in scores
    ]
    y = _systems_axis(scores)
    x = alt.X("score:Q", title="BLEU", scale=alt.Scale(zero=False, nice=True, padding=8))
    tooltip = [
        alt.Tooltip("system:N", title="system"),
        alt.Tooltip("score:Q", title="BLEU", format=".2f"),
        alt.Tooltip("low:Q", title="from", format=".2f"),
        alt.Tooltip("high:Q", title="to", format=".2f"),
    ]
    base = alt.Chart(_data(rows)).encode(y=y, tooltip=tooltip)
    layers: list[alt.Chart] = [
        base.mark_rule(color=_ACCENT, strokeWidth=2, opacity=0.55).encode(
            x=alt.X("low:Q", title="BLEU"), x2="high:Q"
        ),
        base.mark_point(color=_ACCENT, size=90, filled=True, opacity=1, stroke=_ACCENT).encode(
            x=x, fill=alt.condition("datum.baseline", alt.value(_PAPER), alt.value(_ACCENT))
        ),
    ]
    if len(rows) > 1:
        own = [row for row in rows if row["baseline"]]
        line = alt.Chart(_data(own)).mark_rule(color=_SOFT, strokeDash=[3, 3]).encode(x=x)
        layers.insert(0, line)
    words = "; ".join(
        f"{row['system']} {row['score']:.1f} ({row['low']:.1f} to {row['high']:.1f})"
        for row in rows
    )
    return Chart(
        spec=_spec(alt.layer(*layers), len(rows)),
        height=_ROW * len(rows) + 42,
        least=_names_width(scores) + 200,
        most=720,
        text=f"BLEU by {main_of(task)['segmenter']} with confidence intervals. {words}.",
    )


def part_chart(task: Json) -> Chart:
    """Draw what scores are made of: the precision of each order, and the brevity penalty."""
    scores = by_score(main_of(task))
    marks: list[dict[str, Any]] = []
    spans: list[dict[str, Any]] = []
    for score in scores:
        precisions = score["precisions"]
        spans.append({"system": score["system"], "low": min(precisions), "high": max(precisions)})
        marks += [
            {
                "system": score["system"],
                "value": value,
                "what": f"{n}-gram precision",
                "sign": str(n),
            }
            for n, value in reversed(list(enumerate(precisions, 1)))
        ]
    penalties = [
        {"system": score["system"], "value": 100 * score["bp"], "what": "brevity penalty"}
        for score in scores
    ]
    y = _systems_axis(scores, padding=16)  # a mark at 0 reaches over the edge
    x = alt.X("value:Q", title="%", scale=alt.Scale(domain=[0, 100]), axis=alt.Axis(tickCount=5))
    tooltip = [
        alt.Tooltip("system:N", title="system"),
        alt.Tooltip("what:N", title="part"),
        alt.Tooltip("value:Q", title="%", format=".1f"),
    ]
    span = alt.Chart(_data(spans)).mark_rule(color=_LINE, strokeWidth=2)
    mark = alt.Chart(_data(marks)).encode(x=x, y=y, tooltip=tooltip)
    penalty = alt.Chart(_data(penalties)).encode(x=x, y=y, tooltip=tooltip)
    chart = alt.layer(
        span.encode(x=alt.X("low:Q", title="%"), x2="high:Q", y=y),
        penalty.mark_tick(thickness=3, size=24, opacity=1, color="var(--second)"),
        mark.mark_circle(size=230, opacity=1, color=_PAPER, stroke=_ACCENT, strokeWidth=1.5),
        mark.mark_text(fontSize=11, color=_INK).encode(text="sign:N"),
    )
    words = "; ".join(
        f"{score['system']} {' / '.join(f'{p:.1f}' for p in score['precisions'])}, "
        f"brevity penalty {score['bp']:.3f}"
        for score in scores
    )
    return Chart(
        spec=_spec(chart, len(scores)),
        height=_ROW * len(scores) + 42,
        least=_names_width(scores) + 200,
        most=720,
        text=f"N-gram precisions in percent, from order 1, and brevity penalty. {words}.",
    )


def slope_chart(task: Json) -> Chart | None:
    """Draw the ranks of the systems by each segmenter; None where there is nothing to rank."""
    measures, labels = task["measures"], labels_of(task)
    order = [score["system"] for score in by_score(main_of(task))]
    if len(order) < 2 or len(measures) < 2:
        return None
    rows = []
    places: dict[str, set[int]] = {}
    for label, measure in zip(labels, measures, strict=True):
        for place, score in enumerate(by_score(measure)):
            places.setdefault(score["system"], set()).add(place)
            rows.append(
                {
                    "system": score["system"],
                    "segmenter": label,
                    "rank": place + 1,
                    "score": score["score"],
                    # the axis names the places after the systems that have them by the main one
                    "place": order[place],
                }
            )
    moving = [system for system in order if len(places[system]) > 1]
    colour = alt.Color(
        "system:N",
        legend=None,
        scale=alt.Scale(
            domain=order,
            range=[
                _PALETTE[moving.index(system) % len(_PALETTE)] if system in moving else _SOFT
                for system in order
            ],
        ),
    )
    base = alt.Chart(_data(rows)).encode(
        x=alt.X(
            "segmenter:N",
            sort=labels,
            title=None,
            scale=alt.Scale(type="point", padding=0.25),
            axis=alt.Axis(orient="top", labelAngle=0, labelColor=_INK, labelLimit=110, grid=True),
        ),
        y=alt.Y("place:N", sort=order, title=None, scale=alt.Scale(type="point", padding=0.5)),
        tooltip=[
            alt.Tooltip("system:N", title="system"),
            alt.Tooltip("segmenter:N", title="segmenter"),
            alt.Tooltip("rank:Q", title="rank"),
            alt.Tooltip("score:Q", title="BLEU", format=".2f"),
        ],
    )
    chart = alt.layer(
        base.mark_line(strokeWidth=2).encode(
            color=colour, detail="system:N", order=alt.Order("index:Q")
        ),
        base.mark_circle(size=330, opacity=1, color=_PAPER, strokeWidth=2).encode(
            stroke=colour  # pyright: ignore[reportArgumentType]  # a channel is as good as a stroke
        ),
        base.mark_text(fontSize=12).encode(text="rank:Q"),
    )
    for row in rows:
        row["index"] = labels.index(row["segmenter"])
    words = "; ".join(
        f"{label}: {', '.join(score['system'] for score in by_score(measure))}"
        for label, measure in zip(labels, measures, strict=True)
    )
    return Chart(
        spec=_spec(chart, len(order), step=36),
        height=36 * len(order) + 24,
        least=_names_width(measures[0]["scores"]) + 64 * len(labels),
        most=200 + 180 * len(labels),
        text=f"Systems by rank, the first first. {words}.",
    )


def heat_chart(groups: Sequence[Group], systems: Sequence[str]) -> Chart:
    """Draw systems by languages: shades within a group of signatures, hatching between groups."""
    cells: list[dict[str, Any]] = []
    heads: list[dict[str, Any]] = []
    gaps: list[dict[str, Any]] = []
    at = 0.0
    for i, group in enumerate(groups):
        if i:
            gaps.append({"left": at + 0.06, "right": at + 0.34})
            at += 0.4
        found = [cell.score for line in group.lines for cell in line.cells]
        most = max((score for score in found if score is not None), default=0.0)
        for line in group.lines:
            heads.append({"middle": at + 0.5, "task": line.task["name"]})
            for system, cell in zip(systems, line.cells, strict=True):
                score = cell.score
                cells.append(
                    {
                        "system": system,
                        "task": line.task["name"],
                        "segmenter": group.segmenter,
                        "left": at + 0.03,
                        "right": at + 0.97,
                        "middle": at + 0.5,
                        "score": score,
                        "share": score / most if score is not None and most else 0.0,
                        "sign": "—" if score is None else f"{score:.1f}",
                    }
                )
            at += 1
    y = alt.Y("system:N", sort=list(systems), title=None, scale=alt.Scale(paddingInner=0.08))
    x = alt.X("left:Q", axis=None, scale=alt.Scale(domain=[0, at], nice=False))
    middle = alt.X("middle:Q", axis=None)
    base = alt.Chart(_data(cells)).encode(
        y=y,
        tooltip=[
            alt.Tooltip("system:N", title="system"),
            alt.Tooltip("task:N", title="task"),
            alt.Tooltip("segmenter:N", title="segmenter"),
            alt.Tooltip("sign:N", title="BLEU"),
        ],
    )
    layers: list[alt.Chart] = [
        base.mark_rect(color=_ACCENT, cornerRadius=2).encode(
            x=x,
            x2="right:Q",
            opacity=alt.Opacity(
                "share:Q", legend=None, scale=alt.Scale(domain=[0, 1], range=[0.03, 0.5])
            ),
        ),
        base.mark_text().encode(x=middle, text="sign:N"),
        alt.Chart(_data(heads))
        .mark_text(baseline="bottom", color=_SOFT, limit=90)
        .encode(x=middle, y=alt.value(-6), text="task:N"),
    ]
    if gaps:
        hatch = alt.Chart(_data(gaps)).mark_rect(fill="url(#hatch)")
        layers.append(hatch.encode(x=x, x2="right:Q"))
    return Chart(
        spec=_spec(alt.layer(*layers), len(systems), step=30),
        height=30 * len(systems) + 24,
        least=round(min(_LABEL, 10 + 7 * max(map(len, systems))) + 46 * at),
        most=round(200 + 100 * at),
        text="BLEU of each system in each language, the darker the nearer to the highest score of "
        "its group of signatures. The table beside it has the same numbers.",
    )


def _systems_axis(scores: Sequence[Json], *, padding: int = 8) -> alt.Y:
    return alt.Y(
        "system:N",
        sort=[score["system"] for score in scores],
        title=None,
        axis=alt.Axis(grid=True, labelPadding=padding),
    )


def _names_width(scores: Iterable[Json]) -> int:
    """Estimate the pixels that the names of systems take on an axis."""
    return min(_LABEL, 10 + 7 * max(len(score["system"]) for score in scores))


def _data(rows: list[dict[str, Any]]) -> alt.InlineData:
    return alt.InlineData(values=rows)


def _spec(chart: alt.LayerChart | alt.FacetChart, rows: int, *, step: int = _ROW) -> dict[str, Any]:
    spec: dict[str, Any] = chart.properties(width="container", height=step * rows).to_dict()
    # and not what a theme that a user has set for all charts may add
    keys = ("$schema", "width", "height", "data", "datasets", "layer")
    return {key: spec[key] for key in keys if key in spec}
