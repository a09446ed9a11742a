"""The public door: what `import bleuprint` offers, and nothing else."""

from __future__ import annotations

import types

import pytest

import bleuprint
import bleuprint.plugin
import bleuprint.testing


@pytest.mark.parametrize("module", [bleuprint, bleuprint.plugin, bleuprint.testing])
def test_all_is_sorted_and_complete(module: types.ModuleType) -> None:
    named = module.__all__
    # constants, then classes, then the rest, as ruff sorts them
    assert named == sorted(named, key=lambda n: (not n.isupper(), not n[0].isupper(), n))
    assert all(hasattr(module, name) for name in named)


def test_nothing_public_is_left_out_of_all() -> None:
    public = {
        name
        for name, value in vars(bleuprint).items()
        if not name.startswith("_") and not isinstance(value, types.ModuleType)
    }
    late = set(bleuprint._LATE)  # come when they are asked for
    found = public - {"TYPE_CHECKING", "Any"}
    assert found | late | {"__version__"} == set(bleuprint.__all__)


def test_every_error_is_public_and_of_one_family() -> None:
    from bleuprint import _errors

    errors = {
        name: value
        for name, value in vars(_errors).items()
        if isinstance(value, type) and issubclass(value, Exception)
    }
    assert set(errors) <= set(bleuprint.__all__)
    assert all(issubclass(error, bleuprint.BleuprintError) for error in errors.values())


def test_the_tree_of_errors_is_drawn_as_it_is() -> None:
    from bleuprint import _errors

    drawn = (_errors.__doc__ or "").split()
    for name, value in vars(_errors).items():
        if isinstance(value, type) and issubclass(value, Exception):
            assert name in drawn, f"{name} is missing from the tree"
