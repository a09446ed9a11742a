"""What the tests of plugins share."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
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


@pytest.fixture(scope="session")
def random_batches() -> Callable[[str, int], Iterator[list[str]]]:
    """A function that yields batches of random lines, `count` in all.

    Four characters of five are from `letters`, with runs of one now and then, the rest from all of
    Unicode but for what no engine ever sees: NUL and surrogates.
    """

    def anything(rng: random.Random) -> str:
        code = rng.randrange(1, 0x110000 - 0x800)
        return chr(code if code < 0xD800 else code + 0x800)

    def piece(rng: random.Random, letters: str) -> str:
        if rng.random() < 0.2:
            return anything(rng)
        return rng.choice(letters) * (rng.randrange(2, 6) if rng.random() < 0.1 else 1)

    def batches(letters: str, count: int) -> Iterator[list[str]]:
        rng = random.Random(count)
        for start in range(0, count, 2000):
            sizes = [rng.randrange(24) for _ in range(min(2000, count - start))]
            yield ["".join(piece(rng, letters) for _ in range(size)) for size in sizes]

    return batches
