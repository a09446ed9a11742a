"""`check_segmenter` finds every fault, blames nobody who has none, and leaves no trace."""

from __future__ import annotations

import importlib.util
import os
import pickle
import socket
import sys
import threading
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

import platformdirs
import pytest

import bleuprint
from bleuprint._contract import Fault
from bleuprint._guard import Guard
from bleuprint._segmenter import HARMFUL
from bleuprint.plugin import Option, SegmenterSpec
from bleuprint.testing import (
    RULES,
    ContractViolation,
    Report,
    SegmenterContract,
    awkward_lines,
    check_segmenter,
)

FAULTY = Path(__file__).parents[2] / "fixtures" / "distributions" / "faulty" / "acme_faulty.py"


def load_faulty() -> ModuleType:
    spec = importlib.util.spec_from_file_location("acme_faulty", FAULTY)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["acme_faulty"] = module  # where pickle looks its classes up
    spec.loader.exec_module(module)
    return module


faulty = load_faulty()
SPECS: dict[str, SegmenterSpec] = {spec.name: spec for spec in faulty.bleuprint_segmenters()}


class Words:
    def __init__(self) -> None:
        self.fingerprint = {"rules": "1"}

    def segment_batch(self, lines: Sequence[str]) -> list[list[str]]:
        return [line.split() for line in lines]


def words(**spec: object) -> SegmenterSpec:
    fields: dict[str, object] = {"name": "words", "languages": ("vi",), "build": Words}
    return SegmenterSpec(**{**fields, **spec})  # type: ignore[arg-type]  # some are wrong on purpose


@pytest.fixture(autouse=True)
def private_directories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work where nothing is, so that what is left behind is seen."""
    monkeypatch.chdir(tmp_path)


# --- faults


@pytest.mark.parametrize("name", sorted(set(SPECS) - faulty.APART))
def test_faulty_segmenter_fails_for_its_own_reason(name: str) -> None:
    with pytest.raises(ContractViolation) as caught:
        check_segmenter(SPECS[name], generated=50)
    assert caught.value.report.broken == faulty.BREAKS[name]
    for rule in faulty.BREAKS[name]:
        assert f"{rule}: {RULES[rule]}" in str(caught.value)


@pytest.mark.parametrize("name", sorted(faulty.APART))
def test_fault_of_native_code_shows_in_a_process_of_its_own(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(FAULTY.parent)
    with pytest.raises(ContractViolation) as caught:
        check_segmenter(
            SPECS[name],
            generated=50,
            isolated=True,
            long_lines="long-lines" in faulty.BREAKS[name],
            timeout=4 if name == "never-ends" else 120,
        )
    assert caught.value.report.broken == faulty.BREAKS[name]


def test_every_rule_has_a_segmenter_that_breaks_it() -> None:
    assert set().union(*faulty.BREAKS.values()) == set(RULES)


def test_process_that_ends_early_is_told_with_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(FAULTY.parent)
    with pytest.raises(ContractViolation, match=r"while cutting '.*日"):
        check_segmenter(SPECS["ends-its-process"], generated=0, isolated=True)


def test_violation_lists_all_broken_rules_with_an_example_and_a_number() -> None:
    class Bad(Words):
        def segment_batch(self, lines: Sequence[str]) -> list[list[str]]:
            return [["?", ""] for _ in lines]

    with pytest.raises(ContractViolation) as caught:
        check_segmenter(words(build=Bad), lines=["xin chào"], generated=0)
    assert isinstance(caught.value, AssertionError)
    assert caught.value.report.broken == {"blank", "tokens", "text"}
    (tokens,) = [fault for fault in caught.value.report.faults if fault.rule == "tokens"]
    assert tokens.count == 201
    assert "gives the token ''" in tokens.example
    assert "(and 200 more)" in str(caught.value)
    assert "words breaks the contract" in str(caught.value)


def test_violation_can_be_sent_between_processes() -> None:
    with pytest.raises(ContractViolation) as caught:
        check_segmenter(SPECS["drops-punctuation"], generated=0)
    assert pickle.loads(pickle.dumps(caught.value)).report == caught.value.report


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        (words(name="two words"), "named 'two words'"),
        (words(name="object-words"), "does not begin with 'object-'"),
        (words(name="a[b]"), "a name is letters, digits"),
        (words(name=""), "named ''"),
        (words(languages="vi"), "languages='vi': expected a tuple"),
        (words(languages=(7,)), "expected a tuple of texts"),
        (words(requires="jieba"), "requires='jieba': expected a tuple"),
        (words(requires=("jieba.posseg",)), "expected top-level modules"),
        (words(build=None), "build=None: expected a function"),
        (words(rewrites="yes"), "rewrites='yes': expected True or False"),
        (words(max_chars=0), "max_chars=0: expected a number"),
        (words(max_chars="many"), "max_chars='many': expected a number"),
        (words(options=["mode"]), "expected a mapping of keywords to Option"),
        (words(options={"my mode": Option("", text=True)}), "expected a mapping of keywords"),
        (words(options={"mode": "fast"}), "expected a mapping of keywords to Option"),
        (words(install=None), "install=None: expected a text"),
    ],
)
def test_spec_that_is_not_well_formed_is_said_so(spec: SegmenterSpec, says: str) -> None:
    with pytest.raises(ContractViolation) as caught:
        check_segmenter(spec)
    assert caught.value.report.broken == {"spec"}
    assert says in str(caught.value)


def test_what_is_no_spec_is_said_so() -> None:
    with pytest.raises(ContractViolation, match="expected a SegmenterSpec"):
        check_segmenter(Words())  # type: ignore[arg-type]  # wrong on purpose


# --- what cannot be tried


def test_missing_engine_is_an_error_of_its_own() -> None:
    with pytest.raises(bleuprint.MissingExtraError, match='pip install "acme"'):
        check_segmenter(words(requires=("acme_engine",), install="acme"))


@pytest.mark.parametrize("isolated", [False, True])
def test_missing_option_is_an_error_of_its_own(
    isolated: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(FAULTY.parent)
    spec = SPECS["drops-punctuation"]
    option = SegmenterSpec(
        name="words", languages=(), build=spec.build, options={"model": Option(None, file=True)}
    )
    with pytest.raises(bleuprint.OptionError, match=r"words\[model=FILE\]"):
        check_segmenter(option, isolated=isolated)


def test_spec_that_cannot_travel_is_refused_for_isolation() -> None:
    with pytest.raises(ValueError, match="imported by name"):
        check_segmenter(words(build=lambda: Words()), isolated=True)


def test_spec_of_a_module_that_is_not_found_elsewhere_is_refused_for_isolation() -> None:
    with pytest.raises(ValueError, match=r"imported by name there .*acme_faulty"):
        check_segmenter(SPECS["drops-punctuation"], isolated=True)


# --- no faults


def test_segmenter_without_a_fault_gives_a_report() -> None:
    report = check_segmenter(words(), lines=["xin chào"], generated=100)
    assert report.faults == ()
    assert report.lines == 301
    assert report.seconds > 0
    assert report.startup > 0
    assert report.segmenter.startswith("words[;probe=1-")
    assert "keeps the contract" in str(report)


def test_isolated_segmenter_without_a_fault_gives_the_same_report(
    registry: bleuprint.Registry,
) -> None:
    spec = registry.find("13a").spec
    here = check_segmenter(spec, generated=100)
    apart = check_segmenter(spec, generated=100, isolated=True)
    assert (apart.segmenter, apart.lines, apart.faults) == (here.segmenter, here.lines, ())


def test_long_lines_of_a_segmenter_in_linear_time_pass(registry: bleuprint.Registry) -> None:
    assert check_segmenter(registry.find("none").spec, generated=0, long_lines=True).faults == ()


def test_long_line_that_is_refused_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(FAULTY.parent)
    spec = words(build=faulty.RefusesLongLines)
    assert check_segmenter(spec, generated=0, long_lines=True).faults == ()


def test_options_are_passed_on() -> None:
    built = []

    class Sized(Words):
        def __init__(self, size: str) -> None:
            super().__init__()
            built.append(size)

    spec = words(build=Sized, options={"size": Option("1", choices=("1", "2"))})
    assert "size=2" in check_segmenter(spec, options={"size": "2"}, generated=0).segmenter
    assert set(built) == {"2"}


def test_token_with_a_space_is_no_fault() -> None:
    class Phrases(Words):
        def segment_batch(self, lines: Sequence[str]) -> list[list[str]]:
            return [[line.strip()] if line.strip() else [] for line in lines]

    assert check_segmenter(words(build=Phrases)).faults == ()


def test_rewriting_is_no_fault_where_the_spec_says_so() -> None:
    spec = SPECS["lowercases"]
    changed = SegmenterSpec(name="lower", languages=(), build=spec.build, rewrites=True)
    assert check_segmenter(changed).faults == ()


def test_lines_beyond_the_limit_are_not_cut() -> None:
    seen: list[str] = []

    class Watching(Words):
        def segment_batch(self, lines: Sequence[str]) -> list[list[str]]:
            seen.extend(lines)
            return super().segment_batch(lines)

    check_segmenter(words(build=Watching, max_chars=150), lines=["a" * 151, "b" * 150])
    assert max(map(len, seen)) == 150


def test_own_lines_reach_the_segmenter_prepared() -> None:
    seen: list[str] = []

    class Watching(Words):
        def segment_batch(self, lines: Sequence[str]) -> list[list[str]]:
            seen.extend(lines)
            return super().segment_batch(lines)

    check_segmenter(words(build=Watching), lines=["a\0b\ud800c  "], generated=0)
    assert "a\ufffdb\ufffdc" in seen


# --- network and files


def test_network_is_back_after_the_check() -> None:
    with pytest.raises(ContractViolation):
        check_segmenter(SPECS["phones-home"], generated=0)
    with socket.socket() as server, socket.socket() as client:
        server.bind(("127.0.0.1", 0))
        server.listen()
        client.connect(server.getsockname())


def test_connection_of_another_thread_is_seen() -> None:
    def phone() -> None:
        with socket.socket() as own:
            own.connect_ex(("192.0.2.1", 9))

    def try_it() -> None:
        with pytest.raises(OSError, match="no network"):
            phone()

    with Guard() as guard:
        thread = threading.Thread(target=try_it)
        thread.start()
        thread.join()
    assert len(guard.connections) == 1
    assert "192.0.2.1" in guard.connections[0]


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no Unix domain sockets here")
def test_socket_inside_the_machine_is_no_connection(tmp_path: Path) -> None:
    with Guard() as guard, socket.socket(socket.AF_UNIX) as client:
        client.connect_ex("nobody-listens")
    assert guard.connections == []


def test_cache_of_the_user_and_reading_are_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home" / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    own = Path(platformdirs.user_cache_dir()) / "acme"
    (tmp_path / "text").write_text("a", "utf-8")
    with Guard() as guard:
        own.mkdir(parents=True)
        (own / "new").write_text("a", "utf-8")
        os.replace(own / "new", own / "digests")
        (tmp_path / "text").read_text("utf-8")
        with open(os.devnull, "w") as nothing:
            nothing.write("a")
        tmp_path.mkdir(exist_ok=True)
    assert guard.writes == []


@pytest.mark.parametrize(
    "change",
    [
        lambda: Path("new").write_text("a", "utf-8"),
        lambda: open("new", "ab").close(),
        lambda: os.close(os.open("new", os.O_CREAT | os.O_WRONLY)),
        lambda: Path("new").mkdir(),
        lambda: Path("old").unlink(),
        lambda: Path("old").rename("new"),
        lambda: Path("new").symlink_to("old"),
        lambda: os.truncate("old", 0),
    ],
)  # fmt: skip
def test_every_change_to_files_is_seen(change: object) -> None:
    assert callable(change)
    Path("old").write_text("a", "utf-8")
    with Guard() as guard:
        change()
    assert len(guard.writes) == 1
    assert guard.writes[0].endswith(("new", "old"))


def test_nothing_is_seen_once_the_guard_is_off() -> None:
    with Guard() as guard:
        pass
    Path("new").write_text("a", "utf-8")
    assert guard.writes == []


# --- awkward lines


def test_awkward_lines_come_from_their_seed() -> None:
    assert awkward_lines(200) == awkward_lines(200, seed=0)
    assert awkward_lines(200, seed=1) != awkward_lines(200)
    assert awkward_lines(50) == awkward_lines(200)[:50]


def test_awkward_lines_are_prepared() -> None:
    for line in awkward_lines(2_000):
        assert line == line.rstrip()
        assert not HARMFUL.search(line)


def test_awkward_lines_are_awkward() -> None:
    lines = awkward_lines(2_000)
    text = "".join(lines)
    assert "" in lines
    assert any(not unicodedata.is_normalized("NFC", line) for line in lines)
    assert any(line[:1].isspace() for line in lines)
    assert {"\n", "\r", "\u2028", "\x1c", "\u3000", "\u200b", "\ufeff"} <= set(text)
    assert any("\U00020000" <= character <= "\U0002a6df" for character in text)
    assert len({unicodedata.category(character) for character in text}) >= 25


# --- the class of tests


class TestWordsKeepTheContract(SegmenterContract):
    spec = words()
    generated = 20


def rules_of_the_class() -> Iterator[str]:
    for name in vars(SegmenterContract):
        if name.startswith("test_"):
            yield name


def test_class_has_a_test_for_every_rule_of_one_process() -> None:
    class Broken(SegmenterContract):
        spec = words()

    Broken._report = Report(
        segmenter="words", faults=tuple(Fault(rule=rule, example="") for rule in RULES)
    )
    told = set()
    for name in rules_of_the_class():
        with pytest.raises(AssertionError) as caught:
            getattr(Broken(), name)()
        told.add(str(caught.value).partition(":")[0])
    assert told == set(RULES) - {"process", "long-lines"}


def test_class_fails_in_the_test_of_the_broken_rule_only() -> None:
    class Broken(SegmenterContract):
        spec = SPECS["drops-punctuation"]
        generated = 20

    failed = set()
    for name in rules_of_the_class():
        try:
            getattr(Broken(), name)()
        except AssertionError:
            failed.add(name)
    assert failed == {"test_text_is_kept_unless_the_spec_says_rewrites"}


def test_subclass_with_another_spec_is_examined_anew() -> None:
    class Good(SegmenterContract):
        spec = words()
        generated = 0

    class Bad(Good):
        spec = SPECS["empty-token"]

    Good().test_no_token_is_blank()
    with pytest.raises(AssertionError, match="tokens: no token is empty"):
        Bad().test_no_token_is_blank()
