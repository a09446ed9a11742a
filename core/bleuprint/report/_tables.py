"""Markdown, LaTeX, CSV and YAML of a report: nothing in them that its JSON does not say."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any

from bleuprint._errors import MissingExtraError
from bleuprint._latex import escape_latex
from bleuprint.report._groups import groups_of, systems_of
from bleuprint.report._view import anchor_of, main_of

__all__ = ["rows", "to_csv", "to_latex", "to_markdown", "to_model_index"]

MISSING = "–"  #: what stands where a system was not run: never a zero

_COLUMNS = (
    "task", "lang", "role", "segmenter", "system", "baseline", "score", "low", "high", "cluster",
    "rank_low", "rank_high", "difference", "p", "p_corrected", "p1", "p2", "p3", "p4", "bp",
    "ratio", "sys_len", "ref_len", "characters_per_token", "segments", "signature", "digest",
)  # fmt: skip


def rows(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return one flat row a score, with the same columns in each."""
    found = []
    for task in data["tasks"]:
        for measure in task["measures"]:
            for score in measure["scores"]:
                row = {
                    **{key: score.get(key) for key in _COLUMNS},
                    **{key: measure[key] for key in ("role", "segmenter", "signature", "digest")},
                    "task": task["name"],
                    "lang": task["lang"],
                    "segments": task["segments"],
                    "low": (score.get("interval") or {}).get("low"),
                    "high": (score.get("interval") or {}).get("high"),
                    "rank_low": (score["rank"] or [None, None])[0],
                    "rank_high": (score["rank"] or [None, None])[1],
                }
                for order, precision in enumerate(score["precisions"][:4], 1):
                    row[f"p{order}"] = precision
                found.append(row)
    return found


def to_csv(data: Mapping[str, Any]) -> str:
    """Return one row a score, numbers unrounded, an empty cell where there is none."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows([row[column] for column in _COLUMNS] for row in rows(data))
    return text.getvalue()


def _cell(measure: Mapping[str, Any], system: str, between: str) -> str:
    """Return score and half-width of a system, or a dash where it was not run."""
    for score in measure["scores"]:
        if score["system"] == system:
            text = f"{score['score']:.1f}"
            interval = score.get("interval")
            if interval:
                text += f"{between}{(interval['high'] - interval['low']) / 2:.1f}"
            return text
    return MISSING


def _grid(data: Mapping[str, Any], between: str) -> Iterator[tuple[str, list[list[str]], str]]:
    """Yield for each group its signature, a table with header, and what an average averages."""
    systems = systems_of(data["tasks"])
    for group in groups_of(data["tasks"], systems):
        tasks = [line.task for line in group.lines]
        header = ["system"]
        for task in tasks:
            header.append(task["name"])
            if group.segmenter != "char":
                header.append(f"{task['name']} char")
        averaged = f"average: of {', '.join(group.mean_of)}" if group.means else ""
        table = [header + (["average"] if averaged else [])]
        for i, system in enumerate(systems):
            if all(line.cells[i].score is None for line in group.lines):
                continue
            row = [system]
            for task in tasks:
                row.append(_cell(main_of(task), system, between))
                anchor = anchor_of(task)
                if group.segmenter != "char" and anchor is not None:
                    row.append(_cell(anchor, system, between))
            if averaged:
                mean = group.means[i].score
                row.append(MISSING if mean is None else f"{mean:.1f}")
            table.append(row)
        yield group.signature, table, averaged


def to_markdown(data: Mapping[str, Any]) -> str:
    """Return the scores in Markdown, a table for each group that may be compared."""
    lines = [f"# {_escape_markdown(data['title'])}", ""]
    lines += [
        "BLEU with the half-width of its 95% interval; beside each score the one by characters, "
        "which needs no segmenter. Scores of different tables may not be compared.",
        "",
    ]
    for signature, table, about in _grid(data, " ± "):
        cells = [[_escape_markdown(cell) for cell in line] for line in table]
        rule = ["---"] + ["---:"] * (len(cells[0]) - 1)
        lines += ["| " + " | ".join(line) + " |" for line in (cells[0], rule, *cells[1:])]
        lines += ["", *([about, ""] if about else []), f"Signature: `{signature}`", ""]
    further = [
        (task, measure) for task in data["tasks"] for measure in task["measures"]
        if measure["role"] == "also"
    ]  # fmt: skip
    if further:
        lines += ["## By other segmenters", ""]
        for task, measure in further:
            ordered = sorted(measure["scores"], key=lambda score: -score["score"])
            scores = ", ".join(
                f"{_escape_markdown(score['system'])} {score['score']:.1f}" for score in ordered
            )
            lines.append(f"- {_escape_markdown(task['name'])}: {scores} (`{measure['signature']}`)")
        lines.append("")
    return "\n".join(lines)


def to_latex(data: Mapping[str, Any]) -> str:
    """Return the scores in LaTeX (booktabs), a table for each group that may be compared."""
    parts = ["% needs \\usepackage{booktabs}"]
    for signature, table, about in _grid(data, " ± "):
        cells = [[escape_latex(cell).replace("\0", " $\\pm$ ") for cell in line] for line in table]
        body = [" & ".join(line) + r" \\" for line in cells]
        caption = f"BLEU with the half-width of its 95\\% interval. {escape_latex(about)}".strip()
        parts += [
            "\\begin{table}",
            "\\centering",
            f"\\begin{{tabular}}{{l{'r' * (len(cells[0]) - 1)}}}",
            "\\toprule",
            body[0],
            "\\midrule",
            *body[1:],
            "\\bottomrule",
            "\\end{tabular}",
            f"\\caption{{{caption} Signature: \\texttt{{{escape_latex(signature)}}}}}",
            "\\end{table}",
        ]
    return "\n".join(parts) + "\n"


def to_model_index(data: Mapping[str, Any]) -> str:
    """Return the ``model-index`` of a Hugging Face model card, one model a system.

    Raises:
        MissingExtraError: PyYAML is not installed.
    """
    try:
        import yaml
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            'report.yaml needs PyYAML: pip install "bleuprint[report]"'
        ) from error
    models = []
    for system in systems_of(data["tasks"]):
        results = []
        for task in data["tasks"]:
            metrics = [
                {
                    "type": "bleu",
                    "name": f"BLEU ({measure['segmenter']})",
                    "value": round(score["score"], 2),
                    "args": {"signature": measure["signature"]},
                }
                for measure in task["measures"]
                for score in measure["scores"]
                if score["system"] == system
            ]
            if metrics:
                results.append(
                    {
                        "task": {"type": "translation", "name": f"Translation to {task['lang']}"},
                        "dataset": {
                            "name": task["references"][0]["path"],
                            "type": task["references"][0]["path"],
                            "revision": task["references"][0]["sha256"],
                        },
                        "metrics": metrics,
                    }
                )
        models.append({"name": system, "results": results})
    text: str = yaml.safe_dump(
        {"model-index": models}, sort_keys=False, allow_unicode=True, width=1000
    )
    return text


def _escape_markdown(text: str) -> str:
    for character in "\\`*_[]<>|#":
        text = text.replace(character, f"\\{character}")
    return text.replace("\n", " ")
