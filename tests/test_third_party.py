"""A distribution of somebody else's, from a fresh environment to a score and away again."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import pytest

import bleuprint

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "fixtures" / "distributions" / "acme-syllables"
PAGE = ROOT / "docs" / "writing-a-segmenter.md"


class Environment:
    """A virtual environment with bleuprint, what it requires, and nothing else."""

    def __init__(self, directory: Path) -> None:
        venv.create(directory / "venv", with_pip=True)
        self.scripts = directory / "venv" / ("Scripts" if os.name == "nt" else "bin")
        self.directory = directory

    def run(self, *command: str, fails: bool = False, **environment: str) -> str:
        """Run a command of the environment; return what it prints on both streams."""
        done = subprocess.run(
            [str(self.scripts / command[0]), *command[1:]],
            cwd=self.directory,
            env={
                key: value
                for key, value in {**os.environ, **environment}.items()
                if key not in ("PYTHONPATH", "VIRTUAL_ENV")
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=300,
        )
        assert (done.returncode != 0) is fails, done.stdout
        return done.stdout

    def install(self, wheel: Path) -> None:
        self.run("python", "-m", "pip", "install", "-q", "--no-index", "--no-deps", str(wheel))


def build_wheel(tree: Path, out: Path, **environment: str) -> Path:
    """Build a wheel as an installer does, without isolation and so without a network."""
    code = f"import hatchling.build as b; b.build_wheel({str(out)!r})"
    out.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tree,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    (wheel,) = out.iterdir()
    return wheel


def requirements(of: Distribution) -> Iterator[Distribution]:
    """Yield what a distribution requires, and what that requires in turn, as far as it is here."""
    for requirement in of.requires or ():
        own, _, marker = requirement.partition(";")
        name = re.match(r"[\w.-]+", own)
        if name and "extra" not in marker:
            with suppress(PackageNotFoundError):  # for another version of Python, or another system
                yield (found := distribution(name[0]))
                yield from requirements(found)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    pytest.importorskip("hatchling", reason="builds without isolation, and so without a network")
    directory = tmp_path_factory.mktemp("third-party")
    environment = Environment(directory)
    site = environment.run("python", "-c", "import sysconfig as s; print(s.get_path('purelib'))")
    # with no index to install from, what bleuprint requires is lent by the environment of the tests
    for needed in {found.name: found for found in requirements(distribution("bleuprint"))}.values():
        tops = {file.parts[0] for file in needed.files or ()}
        for top in tops - {"..", "__pycache__"}:
            source = Path(str(needed.locate_file(top)))
            os.symlink(source, Path(site.strip()) / top, target_is_directory=source.is_dir())
    tree = directory / "bleuprint"
    tree.mkdir()
    for top in ("core", "plugins"):
        shutil.copytree(ROOT / top, tree / top, ignore=shutil.ignore_patterns("*.so", "*.pyd"))
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree / name)
    environment.install(build_wheel(tree, directory / "own", BLEUPRINT_KERNEL="skip"))
    (directory / "ref.txt").write_text("Bà Rịa - Vũng Tàu là một tỉnh, xã-hội.\n", "utf-8")
    (directory / "hyp.txt").write_text("Bà Rịa - Vũng Tàu là tỉnh, xã-hội.\n", "utf-8")
    return environment


@pytest.fixture(scope="module")
def installed(environment: Environment) -> Environment:
    """The environment, with the example distribution installed."""
    tree = shutil.copytree(EXAMPLE, environment.directory / "acme-syllables")
    environment.install(build_wheel(tree, environment.directory / "acme"))
    return environment


SCORE = ("bleuprint", "score", "-q", "-tok", "acme-syllables", "ref.txt", "-i", "hyp.txt")


@pytest.mark.slow
def test_installed_distribution_is_listed(installed: Environment) -> None:
    plugins = json.loads(installed.run("bleuprint", "plugins", "--json"))
    (own,) = [plugin for plugin in plugins if plugin["distribution"] == "acme-syllables"]
    assert own["version"] == "1.2.0"
    assert own["segmenters"] == ["acme-syllables"]
    assert own["state"] == "loaded"


@pytest.mark.slow
def test_installed_segmenter_scores_and_signs_with_its_distribution(
    installed: Environment,
) -> None:
    printed = installed.run(*SCORE)
    found = re.search(r"\|tok:acme-syllables\[hyphens=cut;([^]]+)\]\|", printed)
    assert found
    assert re.search(r"\bdist=acme-syllables-1\.2\.0\b", found[1])
    assert re.search(r"\bprobe=1-[0-9a-f]{8}\b", found[1])
    assert str(bleuprint.Signature.parse(printed)) in printed


@pytest.mark.slow
def test_installed_segmenter_keeps_the_contract(installed: Environment) -> None:
    (finding,) = json.loads(installed.run("bleuprint", "doctor", "--json", "acme-syllables"))
    assert finding["state"] == "ok"


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["acme-syllables", "Acme_Syllables", "acme-syllables:acme-syllables"]
)
def test_disabled_distribution_is_gone(installed: Environment, name: str) -> None:
    assert "no segmenter 'acme-syllables'" in installed.run(*SCORE, "--no-plugin", name, fails=True)
    assert "no segmenter 'acme-syllables'" in installed.run(
        *SCORE, fails=True, BLEUPRINT_DISABLE_PLUGINS=f"other,{name}"
    )


@pytest.mark.slow
def test_other_scores_stay_as_they_are(installed: Environment) -> None:
    score = ("bleuprint", "score", "-q", "-l", "vi", "ref.txt", "-i", "hyp.txt")
    assert installed.run(*score) == installed.run(*score, "--no-plugin", "acme-syllables")


@pytest.mark.slow
def test_own_tests_pass(installed: Environment) -> None:
    pytest_files = [str(EXAMPLE / "tests"), "--rootdir", str(EXAMPLE), "-p", "no:cacheprovider"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *pytest_files],
        cwd=installed.directory,
        env={**os.environ, "PYTHONPATH": str(EXAMPLE)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_file_that_is_not_installed_is_loaded_when_it_is_named(environment: Environment) -> None:
    file = shutil.copy(EXAMPLE / "acme_syllables.py", environment.directory / "my_syllables.py")
    printed = environment.run(*SCORE, "--plugin", str(file), "--no-plugin", "acme-syllables")
    assert re.search(r"\bdist=my_syllables\.py-[0-9a-f]{8}\b", printed)
    assert str(environment.directory) not in printed


@pytest.mark.slow
def test_distribution_of_the_documentation_works_as_it_is_written(
    environment: Environment,
) -> None:
    tree = environment.directory / "documented"
    tree.mkdir()
    text = PAGE.read_text("utf-8")
    for title, code in re.findall(r'^```\w+ title="([^"]+)"\n(.*?)^```$', text, re.DOTALL | re.M):
        (tree / title).write_text(code, "utf-8")
    environment.install(build_wheel(tree, environment.directory / "documented-wheel"))
    score = ("bleuprint", "score", "-q", "-tok", "my-words", "ref.txt", "-i", "hyp.txt")
    assert "dist=my-segmenter-1.0" in environment.run(*score)
    assert "no segmenter 'my-words'" in environment.run(
        *score, "--no-plugin", "my-segmenter", fails=True
    )
