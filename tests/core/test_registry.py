"""Plugins are found, set aside where they are broken, switched off, and their segmenters built."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import bleuprint
from bleuprint import Registry, Scorer
from bleuprint._registry import Offer, Origin
from bleuprint.plugin import Option, SegmenterSpec

Install = Callable[..., None]

BROKEN = {
    "broken-import": ("acme-broken-import", "RuntimeError: the licence file is missing"),
    "exits": ("acme-exits", "sys.exit"),
    "absent": ("acme-absent", "acme_absent_module"),
    "raises": ("acme-raises", "ZeroDivisionError: no segmenters today"),
    "misspelt-hook": ("acme-misspelt", "'bleuprint_segmentors'"),
    "undecorated": ("acme-undecorated", "@hookimpl"),
    "hookless": ("acme-hookless", "implements no hook"),
    "offers-nothing": ("acme-nothing", "offers no segmenter"),
    "bad-spec": ("acme-bad-spec", "languages='vi'"),
    "one-name-twice": ("acme-twice", "one name twice"),
}


@pytest.fixture
def install(fixtures: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Put distributions of fixtures/distributions on the path, as if they were installed."""

    def put(*names: str) -> None:
        for name in names:
            assert (fixtures / "distributions" / name).is_dir()
            monkeypatch.syspath_prepend(fixtures / "distributions" / name)

    return put


def built_in() -> set[str]:
    return {offer.spec.name for offer in Registry.installed().offers if offer.origin.built_in}


class Letters:
    """Cuts text into letters, and joins as many as its option says."""

    def __init__(self, size: str = "1", mark: str = "", words: str = "", speed: str = "") -> None:
        self.size = int(size)
        self.fingerprint = {"rules": "1"}
        self.words = words

    def segment_batch(self, lines: list[str]) -> list[list[str]]:
        texts = ["".join(line.split()) for line in lines]
        step = self.size
        return [[text[at : at + step] for at in range(0, len(text), step)] for text in texts]


def registry_of(**spec: object) -> Registry:
    fields: dict[str, object] = {"name": "letters", "languages": ("vi",), "build": Letters}
    made = SegmenterSpec(**{**fields, **spec})  # type: ignore[arg-type]  # some are wrong on purpose
    return Registry((Offer(Origin("acme-letters", "1.2", "letters"), made),))


# --- finding


def test_every_entry_point_of_ours_loads() -> None:
    registry = Registry.installed()
    assert [failure for failure in registry.failures if failure.origin.built_in] == []
    own = {entry.name for entry in entry_points(group="bleuprint") if entry.dist
           and entry.dist.name == "bleuprint"}  # fmt: skip
    assert {o.origin.entry for o in registry.offers if o.origin.built_in} == own


def test_installed_plugin_is_offered_with_its_origin(install: Install) -> None:
    install("good")
    offer = Registry.installed().find("acme-words")
    assert offer.origin == Origin("acme-good", "1.2", "acme")
    assert not offer.origin.built_in


@pytest.mark.parametrize("folder", BROKEN)
def test_broken_plugin_is_set_aside_with_its_error(install: Install, folder: str) -> None:
    distribution, reason = BROKEN[folder]
    before = built_in()
    install(folder, "good")
    registry = Registry.installed()
    (failure,) = [f for f in registry.failures if f.origin.distribution == distribution]
    assert failure.origin.version == "0.3"
    assert failure.origin.entry == distribution
    assert reason in failure.reason
    assert "\n" not in failure.reason
    assert {*before, "acme-words"} <= set(registry.names())
    assert registry.build("acme-words").segment_batch(["a b"]) == [["a", "b"]]


def test_all_broken_plugins_at_once_leave_the_rest_working(install: Install) -> None:
    before = built_in()
    install(*BROKEN)
    registry = Registry.installed()
    assert {f.origin.distribution for f in registry.failures} >= {d for d, _ in BROKEN.values()}
    assert before <= set(registry.names())
    assert Scorer(segmenter="13a", registry=registry).corpus(["a b c d"], ["a b c d"]).score == 100


def test_unknown_name_blames_the_plugin_that_did_not_load(install: Install) -> None:
    install("broken-import")
    with pytest.raises(bleuprint.UnknownSegmenterError) as caught:
        Registry.installed().find("acme-broken")
    assert "acme-broken-import 0.3" in str(caught.value)
    assert "the licence file is missing" in str(caught.value)


def test_unknown_name_is_answered_with_the_nearest_and_all() -> None:
    with pytest.raises(bleuprint.UnknownSegmenterError) as caught:
        Registry.installed().build("zh-jeiba")
    assert "did you mean 'zh-jieba'?" in str(caught.value)
    for name in Registry.installed().names():
        assert name in str(caught.value)


def test_no_plugin_at_all_is_said_plainly() -> None:
    with pytest.raises(bleuprint.UnknownSegmenterError, match="There are: none"):
        Registry(()).find("13a")


# --- conflicts


@pytest.mark.parametrize(
    ("folder", "name", "origins"),
    [
        ("clashes", "acme-words", ("acme-good 1.2", "acme-clashes 2.0")),
        ("clashes-built-in", "13a", ("bleuprint ", "acme-clashes-built-in 2.0")),
    ],
)
def test_conflict_names_both_and_is_raised_when_asked_for(
    install: Install, folder: str, name: str, origins: tuple[str, str]
) -> None:
    install("good", folder)
    registry = Registry.installed()  # no error yet
    assert registry.build("none").segment_batch(["a b"]) == [["a", "b"]]
    for ask in (registry.find, registry.build, lambda n: Scorer(segmenter=n, registry=registry)):
        with pytest.raises(bleuprint.SegmenterConflictError) as caught:
            ask(name)
        for origin in origins:
            assert origin in str(caught.value)
    assert registry.names().count(name) == 1


@pytest.mark.parametrize("off", ["acme-clashes", "acme-good"])
def test_conflict_goes_when_one_is_disabled(install: Install, off: str) -> None:
    install("good", "clashes")
    registry = Registry.installed(disabled=[off])
    assert registry.find("acme-words").origin.distribution in {"acme-clashes", "acme-good"} - {off}


def test_two_distributions_with_one_entry_point_name_are_both_seen(install: Install) -> None:
    install("good", "same-entry")
    registry = Registry.installed()
    assert registry.find("acme-words").origin == Origin("acme-good", "1.2", "acme")
    assert registry.find("other-words").origin == Origin("other-acme", "4.5", "acme")


def test_entry_point_named_like_a_built_in_one_hides_nothing(install: Install) -> None:
    install("shadows-built-in")
    registry = Registry.installed()
    assert registry.find("zh-jieba").origin.built_in
    assert registry.find("acme-shadow").origin.entry == "zh"


def test_installed_plugin_changes_no_score(install: Install) -> None:
    hypotheses, references = ["Tôi yêu tiếng Việt."], ["Tôi rất yêu tiếng Việt."]
    before = Scorer("vi", registry=Registry.installed()).corpus(hypotheses, references)
    install("good", "same-entry", "clashes")
    assert Scorer("vi", registry=Registry.installed()).corpus(hypotheses, references) == before


# --- switching off


@pytest.mark.parametrize(
    "off",
    ["acme", "acme-good", "Acme_Good", "acme.good", "acme-good:acme", " acme-good "],
)
def test_plugin_is_switched_off_by_name(install: Install, off: str) -> None:
    install("good")
    assert "acme-words" not in Registry.installed(disabled=[off]).names()


@pytest.mark.parametrize("off", ["acme-goo", "acme-good:zh", "acme-words", "zh:acme", ""])
def test_other_names_switch_nothing_off(install: Install, off: str) -> None:
    install("good")
    assert "acme-words" in Registry.installed(disabled=[off]).names()


def test_entry_point_name_switches_off_all_that_have_it(install: Install) -> None:
    install("good", "same-entry")
    assert not {"acme-words", "other-words"} & set(Registry.installed(disabled=["acme"]).names())


def test_distribution_and_entry_point_switch_off_one(install: Install) -> None:
    install("good", "same-entry")
    names = Registry.installed(disabled=["other-acme:acme"]).names()
    assert "acme-words" in names
    assert "other-words" not in names


def test_environment_switches_plugins_off(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    install("good", "same-entry")
    monkeypatch.setenv("BLEUPRINT_DISABLE_PLUGINS", "nothing, other-acme ,,acme-good:acme")
    registry = Registry.installed()
    assert not {"acme-words", "other-words"} & set(registry.names())
    assert registry.disabled == {"nothing", "other-acme", "acme-good:acme"}


def test_environment_adds_to_what_is_disabled(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    install("good", "same-entry")
    monkeypatch.setenv("BLEUPRINT_DISABLE_PLUGINS", "other-acme")
    assert not {"acme-words", "other-words"} & set(Registry.installed(disabled=["acme"]).names())


def test_disabled_plugin_is_not_even_imported(install: Install) -> None:
    install("broken-import")
    registry = Registry.installed(disabled=["acme-broken-import"])
    assert "acme-broken-import" not in {f.origin.distribution for f in registry.failures}


def test_built_in_plugin_can_be_switched_off() -> None:
    assert "zh-jieba" not in Registry.installed(disabled=["bleuprint:zh"]).names()
    assert Registry.installed(disabled=["bleuprint"]).names() == []


def test_one_string_of_names_is_refused() -> None:
    with pytest.raises(TypeError, match="collection of names"):
        Registry.installed(disabled="zh")


def test_registry_is_a_value(install: Install) -> None:
    install("good")
    whole = Registry.installed()
    Registry.installed(disabled=["acme"])
    assert "acme-words" in whole.names()


# --- files


def test_file_is_loaded_only_when_it_is_named(fixtures: Path) -> None:
    file = fixtures / "distributions" / "good" / "acme_good.py"
    assert "acme-words" not in Registry.installed().names()
    offer = Registry.installed(files=[file]).find("acme-words")
    assert offer.origin.distribution == "acme_good.py"
    assert offer.origin.entry == "file"
    assert len(offer.origin.version) == 8


def test_file_is_pinned_by_its_digest_in_the_signature(fixtures: Path, tmp_path: Path) -> None:
    text = (fixtures / "distributions" / "good" / "acme_good.py").read_text("utf-8")
    ids = set()
    for number, comment in enumerate(("", "# one more line\n")):
        file = tmp_path / str(number) / "my-words.py"
        file.parent.mkdir()
        file.write_text(text + comment, "utf-8")
        ids.add(str(Registry.installed(files=[file]).build("acme-words").id))
    assert len(ids) == 2
    for written in ids:
        assert "dist=my-words.py-" in written
        assert str(tmp_path) not in written


def test_file_named_twice_is_loaded_once(fixtures: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = fixtures / "distributions" / "good"
    monkeypatch.chdir(folder)
    registry = Registry.installed(files=[folder / "acme_good.py", "acme_good.py"])
    assert registry.build("acme-words").name == "acme-words"


def test_file_can_be_switched_off(fixtures: Path) -> None:
    file = fixtures / "distributions" / "good" / "acme_good.py"
    assert "acme-words" not in Registry.installed(files=[file], disabled=["acme_good.py"]).names()


def test_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(bleuprint.InputError, match=r"nowhere\.py: No such file"):
        Registry.installed(files=[tmp_path / "nowhere.py"])


def test_broken_file_is_set_aside(fixtures: Path) -> None:
    file = fixtures / "distributions" / "broken-import" / "acme_broken_import.py"
    (failure,) = [f for f in Registry.installed(files=[file]).failures if f.origin.entry == "file"]
    assert failure.origin.distribution == "acme_broken_import.py"
    assert "the licence file is missing" in failure.reason


def test_file_that_is_no_python_is_set_aside(tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text("a b c", "utf-8")
    (failure,) = [f for f in Registry.installed(files=[file]).failures if f.origin.entry == "file"]
    assert "end in .py" in failure.reason


# --- options


def options() -> dict[str, Option]:
    return {
        "size": Option("1", choices=("1", "2")),
        "mark": Option("", text=True),
        "speed": Option("low", choices=("low", "high"), neutral=True),
    }


def test_options_come_from_brackets_and_keywords_which_win() -> None:
    registry = registry_of(options=options())
    assert registry.build("letters").segment_batch(["abcd"]) == [["a", "b", "c", "d"]]
    assert registry.build("letters[size=2]").segment_batch(["abcd"]) == [["ab", "cd"]]
    assert registry.build("letters[size=2]", size="1").segment_batch(["ab"]) == [["a", "b"]]


def test_options_stand_in_the_id_with_their_defaults_and_neutral_ones_do_not() -> None:
    registry = registry_of(options=options())
    own = registry.build("letters[size=2,speed=high]").id
    assert dict(own.options) == {"size": "2", "mark": ""}
    assert own == registry.build("letters[size=2,speed=low]").id


def test_value_with_signs_of_the_grammar_comes_through() -> None:
    registry = registry_of(options=options())
    built = registry.build("letters", mark="a=b,[c];|:% d")
    assert dict(bleuprint._signature.SegmenterId.parse(str(built.id)).options)["mark"] == (
        "a=b,[c];|:% d"
    )


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ("letters[colour=red]", r"has no option 'colour'; it has: mark, size, speed"),
        ("letters[size=3]", r"letters\[size=3\]: expected one of 1, 2"),
        ("letters[size=]", r"letters\[size=\]: expected one of 1, 2"),
    ],
)
def test_wrong_option_is_an_error_that_says_what_there_is(asked: str, says: str) -> None:
    with pytest.raises(bleuprint.OptionError, match=says):
        registry_of(options=options()).build(asked)


@pytest.mark.parametrize(
    ("option", "says"),
    [
        (Option(None, file=True), r"write 'letters\[words=FILE\]'"),
        (Option(None, text=True), r"write 'letters\[words=VALUE\]'"),
    ],
)
def test_option_without_a_default_must_be_given(option: Option, says: str) -> None:
    with pytest.raises(bleuprint.OptionError, match=says):
        registry_of(options={"words": option}).build("letters")


@pytest.mark.parametrize(
    "wrong",
    [{}, {"choices": ("a",), "text": True}, {"text": True, "file": True}, {"choices": ("b",)}],
)
def test_option_that_does_not_say_what_it_takes_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"exactly one|not one of"):
        Option("a", **wrong)  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize("asked", ["letters[", "letters]", "letters[size]", "letters[size=1", ""])
def test_name_that_is_not_well_formed_is_an_error(asked: str) -> None:
    with pytest.raises(bleuprint.SignatureSyntaxError):
        registry_of(options=options()).build(asked)


def test_file_option_is_a_path_for_the_plugin_and_a_digest_in_the_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "words.txt").write_text("a b c", "utf-8")
    monkeypatch.chdir(tmp_path)
    registry = registry_of(options={"words": Option(None, file=True)})
    built = registry.build("letters[words=words.txt]")
    assert isinstance(built.engine, Letters)
    assert built.engine.words == str(tmp_path / "words.txt")
    ((key, value),) = built.id.options
    assert key == "words"
    assert len(value) == 64
    assert str(tmp_path) not in str(built.id)


def test_file_option_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    registry = registry_of(options={"words": Option(None, file=True)})
    with pytest.raises(bleuprint.InputError, match=r"letters\[words=FILE\].*No such file"):
        registry.build("letters", words=str(tmp_path / "nowhere"))


# --- building


def test_missing_engine_is_an_error_with_the_command() -> None:
    registry = registry_of(requires=("acme_engine",), install="acme-letters[all]")
    with pytest.raises(bleuprint.MissingExtraError) as caught:
        registry.build("letters")
    assert 'pip install "acme-letters[all]"' in str(caught.value)
    (command,) = [part for part in str(caught.value).split(": ") if part.startswith("pip")]
    assert shlex.split(command)[-1] == "acme-letters[all]"  # quoted, as zsh needs it


def test_missing_engine_of_a_default_is_never_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bleuprint.plugin.find_spec", lambda name: None)
    with pytest.raises(bleuprint.MissingExtraError, match=r'pip install "bleuprint\[zh\]"'):
        Scorer("zh", registry=Registry.installed())


def test_engine_that_does_not_start_is_an_error_that_names_who() -> None:
    def build() -> Letters:
        raise OSError("no dictionary")

    with pytest.raises(bleuprint.EngineError) as caught:
        registry_of(build=build).build("letters")
    assert "'letters' of acme-letters 1.2 (letters) does not start" in str(caught.value)
    assert "OSError: no dictionary" in str(caught.value)


@pytest.mark.parametrize("built", [None, "text", object()])
def test_what_is_no_segmenter_is_refused_when_it_is_built(built: object) -> None:
    with pytest.raises(bleuprint.ContractError, match=r"'letters' of acme-letters 1\.2"):
        registry_of(build=lambda: built).build("letters")


def test_a_segmenter_is_built_once() -> None:
    registry = registry_of(options=options())
    assert registry.build("letters") is registry.build("letters[size=1]")
    assert registry.build("letters") is not registry.build("letters[size=2]")


def test_id_names_the_distribution_of_a_third_party_only() -> None:
    assert dict(registry_of().build("letters").id.provenance)["dist"] == "acme-letters-1.2"
    assert "dist" not in dict(Registry.installed().build("13a").id.provenance)


# --- cheap to list


def test_listing_imports_no_engine() -> None:
    code = """
        import json, sys
        from bleuprint import Registry
        registry = Registry.installed()
        for offer in registry.offers:
            offer.spec.missing
        engines = {module for offer in registry.offers for module in offer.spec.requires}
        print(json.dumps([sorted(engines), sorted(engines & set(sys.modules))]))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True
    )
    engines, imported = json.loads(done.stdout)
    assert engines
    assert imported == []


# --- other processes


def test_pickled_registry_finds_the_same_plugins(install: Install, fixtures: Path) -> None:
    install("same-entry")
    file = fixtures / "distributions" / "good" / "acme_good.py"
    registry = Registry.installed(disabled=["bleuprint:zh"], files=[file])
    copy = pickle.loads(pickle.dumps(registry))
    assert copy.names() == registry.names()
    assert copy.disabled == registry.disabled


def test_pickled_segmenter_is_a_recipe_without_its_engine() -> None:
    registry = Registry.installed()
    if registry.find("zh-jieba").spec.missing:
        pytest.skip("jieba is not installed")
    built = registry.build("zh-jieba[hmm=off]")
    built.segment_batch(["今天天气很不错"])
    pickled = pickle.dumps(built)
    assert len(pickled) < 2_000
    assert pickle.loads(pickled).id == built.id


SLOW_OR_NATIVE = ("ja-mecab", "ja-unidic", "ko-mecab", "th-newmm", "zh-jieba", "icu", "moses")


@pytest.mark.parametrize("name", SLOW_OR_NATIVE)
def test_segmenter_is_built_again_in_a_worker_process(name: str) -> None:
    if Registry.installed().find(name).spec.missing:
        pytest.skip(f"the engine of {name} is not installed")
    lines = ["東京都の今天天气 สวัสดีครับ 오늘은 don't."]
    scorer = Scorer(segmenter=name)
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as pool:
        theirs = pool.submit(scorer.segmenter.segment_batch, lines).result()
        score = pool.submit(scorer.corpus, lines, lines).result()
    assert theirs == scorer.segmenter.segment_batch(lines)
    assert score == scorer.corpus(lines, lines)


def test_segmenter_of_a_plugin_file_is_built_again_in_a_worker_process(fixtures: Path) -> None:
    file = fixtures / "distributions" / "good" / "acme_good.py"
    registry = Registry.installed(files=[os.path.relpath(file)])
    scorer = Scorer(segmenter="acme-words[letters=cut]", registry=registry)
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as pool:
        score = pool.submit(scorer.corpus, ["a bc de"], ["a bc de"]).result()
    assert score == scorer.corpus(["a bc de"], ["a bc de"])
    assert "tok:acme-words[letters=cut;dist=acme_good.py-" in str(score.signature)
