"""What the tests of commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bleuprint.cli import main


@pytest.fixture(name="run")
def _run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run the command line in this process: exit code, standard output, standard error."""

    def run(*arguments: str | Path) -> tuple[int, str, str]:
        code = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return run
