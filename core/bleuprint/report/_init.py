"""Write a suite for the files in a folder, to begin with."""

from __future__ import annotations

import json
from pathlib import Path

from bleuprint import _languages
from bleuprint._errors import InputError, UnknownLanguageError

__all__ = ["write_suite"]

_REFERENCE = ("ref", "reference", "references", "tgt", "target")
_SOURCE = ("src", "source")
_KINDS = {".txt", ".gz", ".bz2", ".xz", ".zst"}

_HEAD = """\
# A suite: what `bleuprint report` makes one report of.  Paths are relative to this file.
title = "BLEU report"
# The system that the others are tested against; without it, the first of each task.
# baseline = "NAME"
# Test: bs (paired bootstrap, 1000 samples) or ar (approximate randomization, 10000 trials).
# test = "bs"
# samples = 1000
# seed = 12345
# Leave the texts out of the report: segments = false

# What holds for all tasks unless they say otherwise:
# [defaults]
# lowercase = false
# normalize = "none"
# also = ["char"]
"""

_TASK = """
[[task]]
lang = {lang}
references = {references}
systems = {{ {systems} }}
# segmenter = "NAME"      # instead of the language's default
# also = ["NAME"]         # further segmenters, to see what the choice does
"""


def write_suite(folder: Path) -> Path:
    """Write ``suite.toml`` for a folder that holds one folder a language, or one language's files.

    In a language's folder, the file whose name begins with ``ref`` (or ``tgt``) is the reference,
    one that begins with ``src`` the source, and every other text file a system.

    Raises:
        InputError: there is a suite.toml already, or nothing that one could be written for.
    """
    target = folder / "suite.toml"
    if target.exists():
        raise InputError(f"{target}: is there already; it is not written over")
    if not folder.is_dir():
        raise InputError(f"{folder}: is not a folder")
    tasks = []
    for place in (folder, *sorted(path for path in folder.iterdir() if path.is_dir())):
        task = _task(folder, place)
        if task:
            tasks.append(task)
    if not tasks:
        raise InputError(
            f"{folder}: found no language in it; expected folders named by a language (ja, "
            "zho_Hans), each with a file ref.txt and one text file a system"
        )
    target.write_text(_HEAD + "".join(tasks), "utf-8")
    return target


def _task(root: Path, folder: Path) -> str | None:
    try:
        language = _languages.resolve(folder.resolve().name)
    except UnknownLanguageError:
        return None
    files = sorted(
        file for file in folder.iterdir() if file.is_file() and file.suffix.lower() in _KINDS
    )
    references = [file for file in files if _begins(file, _REFERENCE)]
    sources = [file for file in files if _begins(file, _SOURCE)]
    systems = [file for file in files if file not in (*references, *sources)]
    if not references or not systems:
        return None
    text = _TASK.format(
        lang=json.dumps(folder.resolve().name),
        references=json.dumps([_relative(file, root) for file in references], ensure_ascii=False),
        systems=", ".join(
            f"{_quoted(file.name.partition('.')[0])} = {_quoted(_relative(file, root))}"
            for file in systems
        ),
    )
    if sources:
        text += f"source = {_quoted(_relative(sources[0], root))}\n"
    if language.segmenter is None:
        text += f"# {language.name}: {language.reason}\n"
    return text


def _begins(file: Path, names: tuple[str, ...]) -> bool:
    return file.name.lower().partition(".")[0].startswith(names)


def _relative(file: Path, root: Path) -> str:
    return file.relative_to(root).as_posix()


def _quoted(text: str) -> str:
    # a basic TOML string is written as a JSON string is
    return json.dumps(text, ensure_ascii=False)
