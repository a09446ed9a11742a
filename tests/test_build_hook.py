"""The build ships all compiled modules where a C compiler works, and none where it does not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("hatchling", reason="builds without isolation, and so without a network")
pytest.importorskip("Cython")
pytest.importorskip("setuptools")

ROOT = Path(__file__).parents[1]
SUFFIX = str(sysconfig.get_config_var("EXT_SUFFIX"))
SOURCES = sorted(
    path.relative_to(ROOT) for top in ("core", "plugins") for path in ROOT.glob(f"{top}/*/*.pyx")
)
MODULES = {f"{source.parent.name}/{source.stem}{SUFFIX}" for source in SOURCES}
COMPILER = (str(sysconfig.get_config_var("CC") or "cc")).split()[0]

needs_compiler = pytest.mark.skipif(
    os.name != "nt" and shutil.which(COMPILER) is None, reason=f"no C compiler: {COMPILER}"
)
breaks_compiler = pytest.mark.skipif(os.name == "nt", reason="CC means nothing on Windows")


def build(
    tree: Path, out: Path, what: str = "wheel", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Call the back end as an installer does: in a process of its own, from the tree's root."""
    return subprocess.run(
        [sys.executable, "-c", f"import hatchling.build as b; b.build_{what}({str(out)!r})"],
        cwd=tree,
        env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000", **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


def build_one(tree: Path, out: Path, what: str = "wheel", **environment: str) -> Path:
    """Build what must succeed; return the file."""
    done = build(tree, out, what, **environment)
    assert done.returncode == 0, done.stderr
    (path,) = out.iterdir()
    return path


def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def compiled(wheel: Path) -> set[str]:
    return {name for name in names(wheel) if name.endswith((".so", ".pyd"))}


def files(tree: Path) -> set[Path]:
    """Return the files of a tree, but for what Python itself caches of the hook."""
    found = {path.relative_to(tree) for path in tree.rglob("*") if path.is_file()}
    return {path for path in found if "__pycache__" not in path.parts}


def accelerated(wheel: Path, to: Path) -> str:
    """Say what `bleuprint.accelerated` is when that wheel is what gets imported."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(to)
    code = "import bleuprint; print(bleuprint.__file__, bleuprint.accelerated)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(to)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    path, flag = done.stdout.split()
    assert Path(path).is_relative_to(to)
    return flag


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a build reads, and no compiled module that lies about."""
    to = tmp_path_factory.mktemp("build") / "pristine"
    for top in ("core", "plugins"):
        shutil.copytree(
            ROOT / top, to / top, ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
        )
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(ROOT / name, to / name)
    return to


@pytest.fixture
def tree(pristine: Path, tmp_path: Path) -> Path:
    return shutil.copytree(pristine, tmp_path / "tree")


@pytest.fixture(scope="module")
def full_wheel(pristine: Path) -> Path:
    return build_one(pristine, pristine.parent / "full", BLEUPRINT_KERNEL="require")


@needs_compiler
@pytest.mark.slow
def test_wheel_holds_every_compiled_module_and_no_source_of_one(full_wheel: Path) -> None:
    assert MODULES
    assert compiled(full_wheel) == MODULES
    assert not [name for name in names(full_wheel) if name.endswith((".pyx", ".c"))]


@needs_compiler
@pytest.mark.slow
def test_wheel_with_compiled_modules_is_tagged_for_this_python(full_wheel: Path) -> None:
    version = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert f"-{version}-{version}-" in full_wheel.name


@needs_compiler
@pytest.mark.slow
def test_wheel_with_compiled_modules_is_accelerated(full_wheel: Path, tmp_path: Path) -> None:
    assert accelerated(full_wheel, tmp_path) == "True"


@needs_compiler
@pytest.mark.slow
def test_wheel_from_the_sdist_elsewhere_has_the_same_bytes(
    full_wheel: Path, tree: Path, tmp_path: Path
) -> None:
    sdist = build_one(tree, tmp_path / "sdist", "sdist")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "unpacked")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    before = files(unpacked)
    wheel = build_one(unpacked, tmp_path / "wheel", BLEUPRINT_KERNEL="require")
    assert names(wheel) == names(full_wheel)
    assert wheel.read_bytes() == full_wheel.read_bytes()
    assert files(unpacked) == before, "the build left files in the tree"


def test_sdist_holds_the_hook_and_every_source(tree: Path, tmp_path: Path) -> None:
    sdist = build_one(tree, tmp_path / "sdist", "sdist")
    with tarfile.open(sdist) as archive:
        held = {Path(*Path(name).parts[1:]) for name in archive.getnames()}
    assert {Path("hatch_build.py"), *SOURCES} <= held


@breaks_compiler
@pytest.mark.slow
def test_wheel_without_a_compiler_is_pure_and_says_so(tree: Path, tmp_path: Path) -> None:
    done = build(tree, tmp_path / "out", CC="/bin/false", BLEUPRINT_KERNEL="auto")
    assert done.returncode == 0, done.stderr
    (wheel,) = (tmp_path / "out").iterdir()
    assert wheel.name.endswith("-py3-none-any.whl")
    assert compiled(wheel) == set()
    assert "built without its accelerators" in done.stdout + done.stderr
    assert accelerated(wheel, tmp_path / "unpacked") == "False"


@needs_compiler
@pytest.mark.slow
def test_one_module_that_does_not_compile_leaves_out_all(tree: Path, tmp_path: Path) -> None:
    (tree / "plugins" / "bleuprint_pt" / "_broken.pyx").write_text("def broken(:\n", "utf-8")
    wheel = build_one(tree, tmp_path / "out", BLEUPRINT_KERNEL="auto")
    assert wheel.name.endswith("-py3-none-any.whl")
    assert compiled(wheel) == set()


@breaks_compiler
@pytest.mark.slow
def test_required_modules_that_do_not_compile_are_an_error(tree: Path, tmp_path: Path) -> None:
    done = build(tree, tmp_path / "out", CC="/bin/false", BLEUPRINT_KERNEL="require")
    assert done.returncode != 0


def test_skipping_builds_a_pure_wheel_and_ignores_modules_in_the_tree(
    tree: Path, tmp_path: Path
) -> None:
    (tree / "core" / "bleuprint" / f"_kernel{SUFFIX}").write_bytes(b"left over")
    wheel = build_one(tree, tmp_path / "out", BLEUPRINT_KERNEL="skip")
    assert wheel.name.endswith("-py3-none-any.whl")
    assert compiled(wheel) == set()


def test_unknown_mode_is_refused_by_name(tree: Path, tmp_path: Path) -> None:
    done = build(tree, tmp_path / "out", BLEUPRINT_KERNEL="maybe")
    assert done.returncode != 0
    assert "BLEUPRINT_KERNEL=maybe" in done.stderr


@needs_compiler
@pytest.mark.slow
def test_editable_install_finds_the_modules_beside_their_sources(
    tree: Path, tmp_path: Path
) -> None:
    before = files(tree)
    build_one(tree, tmp_path / "out", "editable", BLEUPRINT_KERNEL="require")
    new = {source.with_name(source.stem + SUFFIX) for source in SOURCES}
    assert files(tree) - before == new


def test_editable_install_that_skips_removes_stale_modules(tree: Path, tmp_path: Path) -> None:
    stale = tree / "plugins" / "bleuprint_zh" / f"_gone{SUFFIX}"
    stale.write_bytes(b"of a source that is gone")
    build_one(tree, tmp_path / "out", "editable", BLEUPRINT_KERNEL="skip")
    assert not stale.exists()
