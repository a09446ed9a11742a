"""Suite in, JSON out; HTML, Markdown, LaTeX, CSV and YAML are renderings of that JSON.

* `_suite`: what to do, read from TOML; `_init` writes one to begin with
* `_run`: doing it, into plain data
* `_tables`, `_html`: the renderings
* `_verify`: doing it again, and what changed
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bleuprint._errors import InputError, MissingExtraError
from bleuprint._registry import Registry
from bleuprint.report import _tables
from bleuprint.report._run import run, steps
from bleuprint.report._suite import read_suite

if TYPE_CHECKING:
    import pandas
    import polars

__all__ = ["Report", "read_suite", "run_suite", "steps"]


class Report:
    """A report: the data of ``report.json``, and what can be made of it.

    Attributes:
        data: plain data in the shape of the published schema ``report-1``.
    """

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    def __repr__(self) -> str:
        tasks = ", ".join(task["name"] for task in self.data["tasks"])
        return f"<Report {self.data['title']!r}: {tasks}>"

    def to_json(self) -> str:
        """Return it as JSON, byte for byte the same for the same data."""
        return json.dumps(self.data, ensure_ascii=False, indent=1) + "\n"

    def to_html(self) -> str:
        """Return it as one self-contained page.

        Raises:
            MissingExtraError: what draws it is not installed.
        """
        self.require_extra()
        from bleuprint.report._html import render

        return render(self.data)

    @staticmethod
    def require_extra() -> None:
        """Raise MissingExtraError where what renders reports is not installed."""
        try:
            import altair  # noqa: F401  # only looked for
            import jinja2  # noqa: F401
            import vl_convert  # noqa: F401
            import yaml  # noqa: F401
        except ModuleNotFoundError as error:
            raise MissingExtraError(
                f'reports need {error.name}: pip install "bleuprint[report]"'
            ) from error

    def rows(self) -> list[dict[str, Any]]:
        """Return one flat row a score, as in ``report.csv``."""
        return _tables.rows(self.data)

    def to_pandas(self) -> pandas.DataFrame:
        """Return the rows as a pandas DataFrame; pandas has to be installed."""
        import pandas

        return pandas.DataFrame(self.rows())

    def to_polars(self) -> polars.DataFrame:
        """Return the rows as a polars DataFrame; polars has to be installed."""
        import polars

        return polars.DataFrame(self.rows(), infer_schema_length=None)

    def _repr_html_(self) -> str:
        """Return a table for notebooks."""
        columns = ("task", "segmenter", "system", "score", "low", "high", "p", "digest")
        head = "".join(f"<th>{column}</th>" for column in columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{_shown(row[column])}</td>" for column in columns) + "</tr>"
            for row in self.rows()
        )
        title = escape(self.data["title"])
        return f"<table><caption>{title}</caption><thead><tr>{head}</tr></thead>{body}</table>"

    def write(self, folder: Path) -> Iterator[Path]:
        """Write it in every form, yielding each file that was written."""
        forms: list[tuple[str, Callable[[], str]]] = [
            ("report.json", self.to_json),
            ("report.html", self.to_html),
            ("report.md", lambda: _tables.to_markdown(self.data)),
            ("report.tex", lambda: _tables.to_latex(self.data)),
            ("report.csv", lambda: _tables.to_csv(self.data)),
            ("report.yaml", lambda: _tables.to_model_index(self.data)),
        ]
        for name, make in forms:
            path = folder / name
            text = make()
            try:
                path.write_bytes(text.encode("utf-8", "backslashreplace"))
            except OSError as error:
                raise InputError(f"{path}: {error.strerror or error}") from error
            yield path


def run_suite(
    path: str | Path,
    *,
    registry: Registry | None = None,
    progress: Callable[[str], None] = lambda step: None,
) -> Report:
    """Run a suite file and return its report.

    Args:
        path: the suite, a TOML file.
        registry: where segmenters come from; every installed plugin if None.
        progress: called before each step with what it is.

    Raises:
        SuiteError: the file does not say what to do; the message has file, key and line.
        BleuprintError: what it asks for cannot be done; the message says which task and why.
    """
    suite = read_suite(path)
    return Report(run(suite, registry or Registry.installed(), progress))


def _shown(value: object) -> str:
    if value is None:
        return "\u2013"
    return f"{value:.2f}" if isinstance(value, float) else escape(str(value))
