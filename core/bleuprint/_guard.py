"""Watch what Python code does to the network and to files, by audit events (PEP 578)."""

from __future__ import annotations

import errno
import os
import socket
import sys
import tempfile
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any

import platformdirs

__all__ = ["Guard", "private_cache"]

_NETWORK = frozenset(
    {
        "socket.connect",
        "socket.getaddrinfo",
        "socket.gethostbyaddr",
        "socket.gethostbyname",
        "socket.sendmsg",
        "socket.sendto",
    }
)
#: Events that change files, and which of their arguments is the path that is changed.
_CHANGES = {
    "os.link": 1,
    "os.mkdir": 0,
    "os.remove": 0,
    "os.rename": 1,
    "os.rmdir": 0,
    "os.symlink": 1,
    "os.truncate": 0,
}
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

# The guards that are on.  An audit hook belongs to the process and cannot be taken away again, so
# there is one, installed when it is first needed, and it does nothing while this list is empty.
_on: list[Guard] = []


def private_cache() -> Path:
    """Return the directory below which a segmenter may write: the user's own cache."""
    return Path(os.path.realpath(platformdirs.user_cache_dir()))


class Guard:
    """Refuses connections and records writes, in all threads, while it is entered.

    It sees what Python code does.  What native code does on its own is seen from outside only, by
    a process whose directories are empty before (`bleuprint._isolation`).

    Attributes:
        connections: what was tried and refused, as an error of the network unreachable.
        writes: what was written outside the private cache; it was let through.
    """

    def __init__(self) -> None:
        self.connections: list[str] = []
        self.writes: list[str] = []
        self._cache = private_cache()

    def __enter__(self) -> Guard:
        tempfile.gettempdir()  # its first call tries out directories by writing to them
        _install_hook()
        _on.append(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _on.remove(self)

    def look(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Take note of one audit event.

        Raises:
            OSError: it is a connection.
        """
        if event in _NETWORK:
            if _is_local(arguments[0]):
                return
            # an address behind the socket; or a host, with a port perhaps
            whom = arguments[1] if event.startswith(("socket.c", "socket.s")) else arguments[:2]
            self.connections.append(f"{event} {whom}")
            raise OSError(errno.ENETUNREACH, "no network while a segmenter is checked")
        if event == "open":
            path, mode, flags = arguments
            if not (flags & _WRITING if isinstance(flags, int) else set(mode or "") & set("wax+")):
                return
        elif event in _CHANGES:
            path = arguments[_CHANGES[event]]
        else:
            return
        if isinstance(path, str | bytes | os.PathLike) and not self._may_change(event, path):
            self.writes.append(f"{event} {os.fsdecode(path)}")

    def _may_change(self, event: str, name: str | bytes | os.PathLike[str]) -> bool:
        path = Path(os.path.realpath(os.fsdecode(name)))
        if path == Path(os.path.realpath(os.devnull)) or path.is_relative_to(self._cache):
            return True
        if event == "os.mkdir" and (path.is_dir() or self._cache.is_relative_to(path)):
            return True
        # compiled modules are Python's own business
        prefix = sys.pycache_prefix
        return "__pycache__" in path.parts or (prefix is not None and path.is_relative_to(prefix))


def _is_local(argument: object) -> bool:
    """Tell whether it is a socket that never leaves the machine, such as a Unix domain socket."""
    family = getattr(argument, "family", None)
    return family is not None and family not in (socket.AF_INET, socket.AF_INET6)


@cache
def _install_hook() -> None:
    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        for guard in tuple(_on):
            guard.look(event, arguments)

    sys.addaudithook(hook)
