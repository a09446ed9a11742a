"""The report as one page of HTML that needs nothing but itself."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from bleuprint.report import _charts, _groups, _view

__all__ = ["render"]

# What could end a script, begin a comment or, in old engines, end a line of JavaScript.
_ESCAPES = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


def render(data: Mapping[str, Any]) -> str:
    """Render a report as a page: the same page from the same report.

    Args:
        data: a report, in the shape of the schema ``report-1``.

    Returns:
        HTML that loads nothing: styles, scripts, charts and texts stand in it, and its policy
        forbids the network.  Texts are shown as text, whatever they hold.
    """
    environment = _environment()
    tasks = data["tasks"]
    systems = _groups.systems_of(tasks)
    groups = _groups.groups_of(tasks, systems)
    charts = _Charts()
    sections = [_section(number, task, charts) for number, task in enumerate(tasks)]
    browsable = any(section["texts"] is not None for section in sections)
    style = environment.get_template("page.css").render()
    scripts = [_in_script(_charts.script()), environment.get_template("page.js").render()]
    if browsable:
        scripts.append(environment.get_template("segments.js").render())
    return environment.get_template("page.html").render(
        data=data,
        systems=systems,
        groups=groups,
        anchors=[group for group in _groups.groups_of(tasks, systems, anchors=True) if group.means],
        sections=sections,
        heat=charts.add(_charts.heat_chart(groups, systems)),
        style=Markup(style),
        scripts=[Markup(script) for script in scripts],
        policy=_policy(style, scripts),
        charts=_json({"config": _charts.CONFIG, "charts": charts.specs}),
        browsable=browsable,
        level=_view.main_of(tasks[0])["scores"][0]["interval"]["level"],
        languages=len({task["lang"] for task in tasks}),
        total=sum(task["segments"] for task in tasks),
    )


class _Charts:
    """Collects specifications, and gives each chart the id of its place on the page."""

    def __init__(self) -> None:
        self.specs: list[dict[str, Any]] = []

    def add(self, chart: _charts.Chart | None) -> dict[str, Any] | None:
        if chart is None:
            return None
        name = f"chart-{len(self.specs)}"
        self.specs.append({"id": name, "spec": chart.spec})
        return {
            "id": name,
            "height": chart.height,
            "least": chart.least,
            "most": chart.most,
            "text": chart.text,
        }


def _section(number: int, task: Mapping[str, Any], charts: _Charts) -> dict[str, Any]:
    main, anchor = _view.main_of(task), _view.anchor_of(task)
    texts = _view.segments_of(task)
    moves = _view.moves_of(task)
    return {
        "id": f"task-{number}",
        "task": task,
        "main": main,
        "scores": _view.by_score(main),
        "anchor": None if anchor is None else {s["system"]: s["score"] for s in anchor["scores"]},
        "baseline": next((s["system"] for s in main["scores"] if s["baseline"]), None),
        "labels": _view.labels_of(task),
        "columns": _view.places_of(task),
        "moves": moves,
        "keepers": [move.segmenter for move in moves if not move.swaps],
        "domains": list(main["scores"][0]["by_label"] or ()),
        "inputs": _view.inputs_of(task),
        "texts": None if texts is None else _json(texts),
        "remarks": _view.remarks_of(task),
        "intervals": charts.add(_charts.interval_chart(task)),
        "parts": charts.add(_charts.part_chart(task)),
        "slope": charts.add(_charts.slope_chart(task)),
    }


def _policy(style: str, scripts: list[str]) -> str:
    """Write a Content-Security-Policy: these scripts and styles by digest, and no network."""
    allowed = " ".join(_digest(script) for script in scripts)
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src {allowed}",
            f"style-src-elem {_digest(style)}",
            "style-src-attr 'unsafe-inline'",  # charts place their parts by attributes
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _in_script(code: str) -> str:
    """Keep a script from ending early: both mean the same inside its strings and patterns."""
    return code.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _json(value: Any) -> Markup:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.translate(_ESCAPES))


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("bleuprint.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "number": _number,
        "signed": _signed,
        "p": _p,
        "count": lambda value: f"{value:,}",
        "span": lambda rank: str(rank[0]) if rank[0] == rank[1] else f"{rank[0]}–{rank[1]}",
    }
    return environment


def _number(value: float, digits: int = 1) -> str:
    return f"{value:.{digits}f}"


def _signed(value: float, digits: int = 2) -> str:
    text = f"{value:+.{digits}f}"
    return "0.00" if not float(text) else text.replace("-", "\u2212")


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
