"""``bleuprint plugins``, and the options by which every command switches plugins on and off."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bleuprint

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(name="install")
def _install(fixtures: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def install(*names: str) -> None:
        for name in names:
            monkeypatch.syspath_prepend(fixtures / "distributions" / name)

    return install


@pytest.fixture(name="good")
def _good(fixtures: Path) -> Path:
    return fixtures / "distributions" / "good" / "acme_good.py"


@pytest.fixture(name="text")
def _text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("text").write_text("a bc de\n", "utf-8")
    return "text"


def listing(run: Run, *arguments: str | Path, code: int = 0) -> dict[str, Any]:
    got, out, err = run("plugins", "--json", *arguments)
    assert (got, err) == (code, "")
    return {f"{plugin['distribution']}:{plugin['entry']}": plugin for plugin in json.loads(out)}


def test_built_in_plugins_are_listed_and_none_is_broken(run: Run) -> None:
    plugins = listing(run)
    assert plugins["bleuprint:zh"] == {
        "distribution": "bleuprint",
        "version": bleuprint.__version__,
        "entry": "zh",
        "state": "loaded",
        "segmenters": ["zh", "zh-jieba"],
        "error": None,
    }
    assert {plugin["state"] for plugin in plugins.values()} == {"loaded"}


def test_text_has_a_row_for_each(run: Run) -> None:
    code, out, err = run("plugins")
    assert (code, err) == (0, "")
    header, *rows = out.splitlines()
    assert header.split()[:3] == ["plugin", "from", "state"]
    assert any(row.split()[:2] == ["th", "bleuprint"] and "th-newmm" in row for row in rows)


def test_broken_plugin_is_listed_with_its_error_and_exit_code_1(
    run: Run, install: Callable[..., None]
) -> None:
    install("broken-import", "misspelt-hook", "offers-nothing", "good")
    plugins = listing(run, code=1)
    for entry, says in (
        ("acme-broken-import", "RuntimeError: the licence file is missing"),
        ("acme-misspelt", "bleuprint_segmentors"),
        ("acme-nothing", "offers no segmenter"),
    ):
        plugin = plugins[f"{entry}:{entry}"]
        assert plugin["state"] == "broken"
        assert plugin["version"] == "0.3"
        assert says in plugin["error"]
    assert plugins["acme-good:acme"]["segmenters"] == ["acme-words"]
    code, out, _ = run("plugins")
    assert code == 1
    assert "the licence file is missing" in out
    assert "acme-broken-import 0.3" in out


def test_broken_plugin_that_is_disabled_is_not_listed(
    run: Run, install: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    install("broken-import")
    listing(run, "--no-plugin", "acme-broken-import")
    monkeypatch.setenv("BLEUPRINT_DISABLE_PLUGINS", "acme-broken-import")
    listing(run)


def test_broken_plugin_is_in_nobodys_way(run: Run, install: Callable[..., None], text: str) -> None:
    install("broken-import", "exits", "raises")
    assert run("segment", "-tok", "none", text) == (0, "a bc de\n", "")


def test_plugin_file_is_listed_by_name_and_digest(run: Run, good: Path) -> None:
    plugin = listing(run, "--plugin", good)["acme_good.py:file"]
    assert plugin["segmenters"] == ["acme-words"]
    assert len(plugin["version"]) == 8


def test_plugin_file_cuts_and_signs(run: Run, good: Path, text: str) -> None:
    options = ("--plugin", good, "-tok", "acme-words[letters=cut]", text)
    assert run("segment", *options) == (0, "a b c d e\n", "")
    code, out, _ = run("score", "-q", *options, "-i", text)
    assert code == 0
    assert "|tok:acme-words[letters=cut;dist=acme_good.py-" in out
    assert str(good.parent) not in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--plugin", "nowhere.py"), "nowhere.py: No such file"),
        (("-tok", "acme-words"), "no segmenter 'acme-words'"),
        (("-tok", "nnoe"), "did you mean 'none'?"),
    ],
)
def test_plugin_that_is_not_there_is_bad_usage_in_one_line(
    run: Run, text: str, arguments: tuple[str, ...], says: str
) -> None:
    tok = () if "-tok" in arguments else ("-tok", "none")
    code, out, err = run("segment", text, *tok, *arguments)
    assert (code, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


def test_conflict_is_bad_usage_that_names_both_until_one_is_off(
    run: Run, install: Callable[..., None], text: str
) -> None:
    install("good", "clashes")
    code, out, err = run("segment", "-tok", "acme-words", text)
    assert (code, out) == (2, "")
    assert "acme-good 1.2 (acme)" in err
    assert "acme-clashes 2.0 (acme-clashes)" in err
    assert run("segment", "-tok", "none", text)[0] == 0
    assert run("segment", "-tok", "acme-words", text, "--no-plugin", "acme-clashes")[0] == 0


def test_faulty_segmenter_gives_no_score_but_an_error_that_names_it(
    run: Run, install: Callable[..., None], text: str
) -> None:
    install("faulty")
    for name in ("loses-the-last-line", "returns-numbers", "empty-token", "returns-text"):
        code, out, err = run("score", "-q", "-tok", name, text, "-i", text)
        assert (code, out) == (2, "")
        assert f"segmenter {name!r} of acme-faulty 0.1 (acme-faulty)" in err
        assert "Traceback" not in err
