"""Compile the optional accelerators into the wheel; where that fails, build it without them.

Every ``.pyx`` file of a package under core/ and plugins/ has a Python or NumPy twin that does the
same, so a wheel is complete without it.  It ships all of them or none, so that a build is one of
two things and `bleuprint.accelerated` tells which.

The environment variable BLEUPRINT_KERNEL is ``auto`` (the default), ``require`` (not to compile is
an error: for releases and CI) or ``skip`` (a pure wheel, on purpose).
"""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOTS = ("core", "plugins")
MODES = ("auto", "require", "skip")


class AcceleratorHook(BuildHookInterface[Any]):
    """Adds the compiled modules to the wheel and gives it the tag that goes with them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, before the wheel is put together; an editable one finds them in the tree."""
        mode = os.environ.get("BLEUPRINT_KERNEL", "auto")
        if mode not in MODES:
            raise ValueError(f"BLEUPRINT_KERNEL={mode}: expected one of {', '.join(MODES)}")
        root = Path(self.root)
        editable = version == "editable"
        if editable:  # first of all: a stale module, or one of an older source, must not stay
            for stale in find(root, "*" + str(sysconfig.get_config_var("EXT_SUFFIX"))):
                (root / stale).unlink()
        if mode == "skip":
            return
        self._temporary = TemporaryDirectory()
        try:
            built = compile_all(find(root, "*.pyx"), self._temporary.name)
        except (Exception, SystemExit) as error:  # a compiler fails in many ways; one is to exit
            if mode == "require":
                raise
            self.app.display_warning(f"bleuprint is built without its accelerators: {error}")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        for source, module in built.items():
            if editable:
                target = root / source.with_name(module.name)
                target.write_bytes(module.read_bytes())
            else:
                target = Path(*source.parts[1:]).with_name(module.name)
                build_data["force_include"][str(module)] = target.as_posix()

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Clean up, now that the wheel is written."""
        if hasattr(self, "_temporary"):
            self._temporary.cleanup()


def find(root: Path, pattern: str) -> list[Path]:
    """Return the files of the packages that match, relative to `root`, in order."""
    return sorted(
        path.relative_to(root) for top in ROOTS for path in root.glob(f"{top}/*/{pattern}")
    )


def compile_all(sources: list[Path], directory: str) -> dict[Path, Path]:
    """Compile under `directory`, with no trace in the tree; return the module of each source."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    # no debug information: it is six times the code, and holds the names of directories
    flags = [] if os.name == "nt" else ["-O3", "-g0"]
    names = {source: ".".join(source.with_suffix("").parts[1:]) for source in sources}
    extensions = [
        # a relative path, as an absolute one would end up in the module
        Extension(name, [source.as_posix()], extra_compile_args=flags)
        for source, name in names.items()
    ]
    command = build_ext(Distribution({"ext_modules": cythonize(extensions, build_dir=directory)}))
    command.build_temp = command.build_lib = directory
    command.ensure_finalized()
    command.run()
    return {source: Path(command.get_ext_fullpath(name)) for source, name in names.items()}
