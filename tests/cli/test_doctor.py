"""``bleuprint doctor``: what is installed does what it must, or somebody is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bleuprint
from bleuprint.testing import RULES

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(name="install")
def _install(fixtures: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def install(*names: str) -> None:
        for name in names:
            monkeypatch.syspath_prepend(fixtures / "distributions" / name)

    return install


def findings(run: Run, *arguments: str | Path, code: int = 0) -> dict[str, Any]:
    got, out, err = run("doctor", "--json", "--lines", "50", *arguments)
    assert (got, err) == (code, "")
    return {finding["name"]: finding for finding in json.loads(out)}


def test_segmenter_that_is_well_shows_what_it_is(run: Run) -> None:
    finding = findings(run, "13a")["13a"]
    probe = bleuprint.Registry.installed().build("13a").probe
    assert finding["state"] == "ok"
    assert finding["probe"] == probe
    assert finding["distribution"] == "bleuprint"
    assert finding["lines"] == 250
    assert finding["lines_per_second"] > 0
    assert finding["startup_seconds"] > 0
    assert finding["faults"] == []


def test_dictionary_and_version_are_shown(run: Run) -> None:
    if bleuprint.Registry.installed().find("zh-jieba").spec.missing:
        pytest.skip("jieba is not installed")
    assert findings(run, "zh-jieba[hmm=off]")["zh-jieba[hmm=off]"]["fingerprint"] == {
        "dict": "7197c321",
        "jieba": "0.42.1",
    }
    code, out, err = run("doctor", "zh-jieba", "--lines", "0")
    assert (code, err) == (0, "")
    header, row = out.splitlines()
    assert header.split() == (
        ["segmenter", "state", "version", "dictionary", "probe", "lines/s", "start-up"]
    )
    assert row.split()[:5] == ["zh-jieba", "ok", "jieba", "0.42.1", "7197c321"]


def test_segmenter_without_its_engine_is_no_failure(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bleuprint.plugin.find_spec", lambda name: None)
    finding = findings(run, "ja-mecab")["ja-mecab"]
    assert finding["state"] == "missing"
    assert finding["install"] == 'pip install "bleuprint[ja]"'
    code, out, _ = run("doctor", "ja-mecab")
    assert code == 0
    assert 'ja-mecab: needs fugashi, ipadic: pip install "bleuprint[ja]"' in out


def test_option_that_has_to_be_given_is_no_failure(run: Run) -> None:
    pytest.importorskip("sentencepiece")
    finding = findings(run, "spm")["spm"]
    assert finding["state"] == "unset"
    assert "'spm[model=FILE]'" in finding["detail"]


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("loses-the-last-line", "lines"),
        ("blank-token", "tokens"),
        ("raises-at-digits", "errors"),
        ("drops-punctuation", "text"),
        ("minds-the-first-line", "batch"),
        ("shows-a-path", "fingerprint"),
        ("phones-home", "network"),
        ("does-not-start", "build"),
        ("ends-its-process", "process"),
    ],
)
def test_fault_is_named_and_exit_code_is_1(
    run: Run, install: Callable[..., None], name: str, rule: str
) -> None:
    install("faulty")
    finding = findings(run, name, "none", code=1)[name]
    assert finding["state"] == "fault"
    (fault,) = finding["faults"]
    assert fault["rule"] == rule
    assert fault["asks"] == RULES[rule]
    assert fault["count"] >= 1
    code, out, _ = run("doctor", name, "--lines", "50")
    assert code == 1
    assert f"{rule}: {RULES[rule]}" in out


def test_faulty_segmenter_leaves_the_others_checked(run: Run, install: Callable[..., None]) -> None:
    install("faulty")
    found = findings(run, "ends-its-process", "none", code=1)
    assert found["none"]["state"] == "ok"


def test_plugin_file_is_checked(run: Run, fixtures: Path) -> None:
    file = fixtures / "distributions" / "good" / "acme_good.py"
    finding = findings(run, "acme-words", "--plugin", file)["acme-words"]
    assert finding["state"] == "ok"
    assert finding["distribution"] == "acme_good.py"


def test_conflict_is_a_failure_that_names_both(run: Run, install: Callable[..., None]) -> None:
    install("good", "clashes")
    finding = findings(run, "acme-words", code=1)["acme-words"]
    assert finding["state"] == "conflict"
    assert "acme-good 1.2" in finding["detail"]
    assert "acme-clashes 2.0" in finding["detail"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("no-such",), "no segmenter 'no-such'"),
        (("none[mode=fast]",), "has no option 'mode'"),
        (("none[",), "is no segmenter"),
        (("--lines", "-1"), "-1"),
    ],
)
def test_wrong_request_is_bad_usage(run: Run, arguments: tuple[str, ...], says: str) -> None:
    code, out, err = run("doctor", *arguments)
    assert (code, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


@pytest.mark.slow
def test_everything_that_is_installed_is_well(run: Run) -> None:
    found = findings(run)
    assert set(found) == set(bleuprint.Registry.installed().names())
    assert {finding["state"] for finding in found.values()} <= {"ok", "missing", "unset"}


@pytest.mark.slow
def test_broken_plugin_is_a_failure_of_the_whole(run: Run, install: Callable[..., None]) -> None:
    install("broken-import")
    finding = findings(run, code=1)["acme-broken-import"]
    assert finding["state"] == "broken"
    assert "the licence file is missing" in finding["detail"]
    assert findings(run, "none")["none"]["state"] == "ok"
