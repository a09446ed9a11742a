"""Suite in, JSON out; HTML, Markdown, LaTeX, CSV and YAML are renderings of that JSON.

* `_suite`: what to do, read from TOML
* `_run`: doing it, into plain data
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bleuprint._registry import Registry
from bleuprint.report._run import run
from bleuprint.report._suite import read_suite

__all__ = ["Report", "run_suite"]


class Report:
    """A report: the data of ``report.json``, and what can be made of it."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    def to_json(self) -> str:
        """Return it as JSON, byte for byte the same for the same data."""
        return json.dumps(self.data, ensure_ascii=False, indent=1) + "\n"


def run_suite(
    path: str | Path,
    *,
    registry: Registry | None = None,
    progress: Callable[[str], None] = lambda step: None,
) -> Report:
    """Run a suite file and return its report.

    Raises:
        SuiteError: the file does not say what to do.
        BleuprintError: what it asks for cannot be done; the message says which task and why.
    """
    suite = read_suite(path)
    return Report(run(suite, registry or Registry.installed(), progress))
