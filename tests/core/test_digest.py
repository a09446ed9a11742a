"""Digests of big files: right always, and computed once where that is safe."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from pathlib import Path

import pytest

from bleuprint._digest import file_digest

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="the place of the cache is moved by XDG_CACHE_HOME"
)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "bleuprint" / "digests"


@pytest.fixture
def big(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file worth keeping a digest of, that has not been touched for a while."""
    path = tmp_path / "big.dic"
    path.write_bytes(b"0123456789abcdef" * (1 << 18))
    # ctime cannot be set back, so the clock goes forward
    now = time.time_ns() + 60_000_000_000
    monkeypatch.setattr(time, "time_ns", lambda: now)
    return path


def sha256(*paths: Path) -> str:
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()


def entry_of(cache: Path) -> Path:
    (entry,) = cache.iterdir()
    return entry


def forge(cache: Path) -> str:
    """Put another digest into the only entry, so that its use shows."""
    entry = entry_of(cache)
    kept = json.loads(entry.read_text())
    kept["sha256"] = "f" * 64
    entry.write_text(json.dumps(kept))
    return "f" * 64


def test_digest_is_that_of_the_contents_in_order(tmp_path: Path, cache: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_bytes(b"one")
    second.write_bytes(b"two")
    assert file_digest(first, second) == sha256(first, second)
    assert file_digest(str(second), first) == sha256(second, first)


def test_small_files_leave_no_trace(tmp_path: Path, cache: Path) -> None:
    (tmp_path / "a").write_bytes(b"one")
    file_digest(tmp_path / "a")
    assert not cache.exists()


def test_digest_of_a_big_file_is_kept_privately(big: Path, cache: Path) -> None:
    assert file_digest(big) == sha256(big)
    assert cache.stat().st_mode & 0o777 == 0o700
    assert entry_of(cache).stat().st_mode & 0o777 == 0o600
    forged = forge(cache)
    assert file_digest(big) == forged


def test_file_touched_just_now_is_not_kept(tmp_path: Path, cache: Path) -> None:
    path = tmp_path / "new.dic"
    path.write_bytes(b"x" * (1 << 23))
    assert file_digest(path) == sha256(path)
    assert not cache.exists()


def test_other_content_of_the_same_size_and_mtime_is_noticed(big: Path, cache: Path) -> None:
    file_digest(big)
    info = big.stat()
    with big.open("r+b") as stream:
        stream.write(b"X")
    os.utime(big, ns=(info.st_atime_ns, info.st_mtime_ns))
    assert file_digest(big) == sha256(big)


def test_replaced_file_is_noticed(big: Path, cache: Path) -> None:
    file_digest(big)
    big.write_bytes(b"y" * (1 << 23))
    assert file_digest(big) == sha256(big)


@pytest.mark.parametrize(
    "damage",
    [b"", b"\xff\xfe", b"[]", b"null", b'{"files": 1}', b'{"sha256": "x", "files": []}', b"{" * 99],
)
def test_damaged_entry_is_replaced(big: Path, cache: Path, damage: bytes) -> None:
    file_digest(big)
    entry_of(cache).write_bytes(damage)
    assert file_digest(big) == sha256(big)
    assert json.loads(entry_of(cache).read_text())["sha256"] == sha256(big)


@pytest.mark.parametrize("digest", ["short", "F" * 64, 7, None])
def test_entry_whose_digest_is_none_is_not_believed(big: Path, cache: Path, digest: object) -> None:
    file_digest(big)
    kept = json.loads(entry_of(cache).read_text())
    entry_of(cache).write_text(json.dumps({**kept, "sha256": digest}))
    assert file_digest(big) == sha256(big)


def test_entry_that_others_may_write_is_not_believed(big: Path, cache: Path) -> None:
    file_digest(big)
    forge(cache)
    entry_of(cache).chmod(0o666)
    assert file_digest(big) == sha256(big)


def test_directory_that_others_may_write_is_not_used(big: Path, cache: Path) -> None:
    file_digest(big)
    forge(cache)
    cache.chmod(0o777)
    assert file_digest(big) == sha256(big)


def test_symbolic_link_is_not_followed(big: Path, cache: Path, tmp_path: Path) -> None:
    file_digest(big)
    forge(cache)
    entry = entry_of(cache)
    entry.rename(tmp_path / "elsewhere.json")
    entry.symlink_to(tmp_path / "elsewhere.json")
    assert file_digest(big) == sha256(big)
    assert not entry.is_symlink()
    assert "f" * 64 in (tmp_path / "elsewhere.json").read_text()


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away"
)
@pytest.mark.parametrize("what", ["entry", "directory"])
def test_what_belongs_to_somebody_else_is_not_believed(big: Path, cache: Path, what: str) -> None:
    file_digest(big)
    forge(cache)
    os.chown(entry_of(cache) if what == "entry" else cache, 54321, 54321)
    assert file_digest(big) == sha256(big)


def test_no_place_to_keep_it_is_no_error(
    big: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert file_digest(big) == sha256(big)


def test_missing_file_is_the_error_of_the_system(tmp_path: Path, cache: Path) -> None:
    with pytest.raises(FileNotFoundError):
        file_digest(tmp_path / "none")
