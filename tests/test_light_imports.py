"""`import bleuprint` stays light: engines, NumPy and what draws tables come when they are used."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import bleuprint

# what a module that Cython compiled brings along, which is no import of anything
CYTHON = {"cython_runtime", *(name for name in sys.modules if name.startswith("_cython_"))}

HEAVY = {
    "numpy", "rich", "jieba", "fugashi", "MeCab", "mecab_ko", "pythainlp", "sacremoses", "icu4py",
    "kiwipiepy", "sentencepiece", "pyarrow", "pandas", "jinja2", "altair", "jsonschema", "scipy",
    "zstandard", "defusedxml", "asyncio", "multiprocessing", "http", "ssl",
}  # fmt: skip


def _imported_by(code: str) -> set[str]:
    program = f"import sys, json\n{code}\nprint(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    return {name.partition(".")[0] for name in json.loads(run.stderr.splitlines()[-1])}


def test_import_brings_the_standard_library_and_pluggy_alone() -> None:
    brought = _imported_by("import bleuprint") - _imported_by("pass")
    foreign = brought - set(sys.stdlib_module_names) - {"bleuprint"}
    assert foreign <= {"pluggy", "_distutils_hack"} | CYTHON
    assert not brought & HEAVY


def test_listing_segmenters_imports_no_engine() -> None:
    brought = _imported_by("import bleuprint; bleuprint.Registry.installed().names()")
    assert not brought & HEAVY


def test_version_is_printed_without_engines_and_numpy() -> None:
    brought = _imported_by("from bleuprint.cli import main; main(['--version'])")
    assert not brought & HEAVY


@pytest.mark.skipif(not bleuprint.accelerated, reason="without the accelerator NumPy counts")
def test_plain_score_needs_no_numpy() -> None:
    brought = _imported_by(
        "import bleuprint; str(bleuprint.corpus_bleu(['a b c d'], ['a b c d'], segmenter='13a'))"
    )
    assert not brought & HEAVY
