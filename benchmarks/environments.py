"""An environment for each peer, made here: nobody's dependencies meet anybody else's."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXTRAS = "zh,ja,th,ko,ko-kiwi,moses,icu"

OURS = "bleuprint"
PURE = "bleuprint, no compiler"
SACREBLEU = "sacreBLEU"

#: What is installed for whom.  Versions are pinned where a table of ours names one.
REQUIREMENTS: dict[str, tuple[str, ...]] = {
    OURS: (f"{ROOT}[{EXTRAS}]",),
    PURE: (f"{ROOT}[{EXTRAS}]",),
    SACREBLEU: ("sacrebleu[ja,ko]==2.6.0", "regex"),
    "NLTK": ("nltk",),
    "bleuscore": ("bleuscore",),
    "sacrebleu-mojo": ("sacrebleu-mojo",),
    "jieba": ("jieba==0.42.1", "setuptools<81"),
    "pythainlp": ("pythainlp>=5.0.5,<6",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """A Python with one peer in it."""

    name: str
    directory: Path
    versions: tuple[str, ...]  #: what is installed, as pip writes it

    def program(self, name: str) -> str:
        """Return the path of one of its programs."""
        return str(self.directory / "bin" / name)


class UnavailableError(Exception):
    """A peer that cannot be installed here, and why."""


def make(name: str, directory: Path, python: str) -> Environment:
    """Return the environment of that name; make it if it is not there.

    Ours are installed anew every time, from the sources as they are.

    Raises:
        UnavailableError: the peer does not install; the message is the installer's.
    """
    where = directory / "".join(c if c.isalnum() or c == "-" else "_" for c in name)
    requirements = REQUIREMENTS[name]
    stamp = where / "requirements.txt"
    wanted = "\n".join([python, *requirements])
    ours = name in (OURS, PURE)
    uv = shutil.which("uv")
    if not stamp.exists() or stamp.read_text("utf-8") != wanted:
        shutil.rmtree(where, ignore_errors=True)
        _run(
            [uv, "venv", "-q", "--python", python, str(where)]
            if uv
            else [python, "-m", "venv", str(where)]
        )
    elif not ours:
        return Environment(name=name, directory=where, versions=_versions(where, uv))
    interpreter = str(where / "bin" / "python")
    if uv:
        command = [uv, "pip", "install", "-q", "--compile-bytecode", "--python", interpreter]
        fresh = ["--refresh-package", "bleuprint", "--reinstall-package", "bleuprint"]
    else:
        command = [interpreter, "-m", "pip", "install", "-q"]
        fresh = ["--no-cache-dir", "--force-reinstall"]
    # with the accelerators or without: nothing in between passes for either
    mode = {OURS: "require", PURE: "skip"}.get(name, "")
    _run([*command, *(fresh if ours else ()), *requirements], BLEUPRINT_KERNEL=mode or "auto")
    stamp.write_text(wanted, "utf-8")
    return Environment(name=name, directory=where, versions=_versions(where, uv))


def _versions(where: Path, uv: str | None) -> tuple[str, ...]:
    interpreter = str(where / "bin" / "python")
    command = (
        [uv, "pip", "freeze", "--python", interpreter]
        if uv
        else [interpreter, "-m", "pip", "freeze"]
    )
    lines = _run(command).splitlines()
    # our own stands there with the path of this checkout
    return tuple(line.split(" @ ")[0] for line in lines)


def _run(command: list[str], **environment: str) -> str:
    done = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True
    )
    if done.returncode:
        raise UnavailableError(done.stderr.strip().splitlines()[-1] if done.stderr else "failed")
    return done.stdout
