"""What the tests of plugins share."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def run_python() -> Callable[..., Any]:
    """A function that runs code in a Python of its own and returns what it prints, as JSON.

    Its keyword arguments are variables of the environment, None to take one away.  Nothing may come
    out on standard error, and a warning is an error unless `warnings` says otherwise.
    """

    def run(code: str, *, warnings: str = "error", **variables: str | None) -> Any:
        changed = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **variables}
        done = subprocess.run(
            [sys.executable, "-W", warnings, "-c", code],
            env={name: value for name, value in changed.items() if value is not None},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert done.stderr == ""
        return json.loads(done.stdout)

    return run
