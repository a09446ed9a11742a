"""A segmenter bound to its name, options and origin, and held to its contract as it runs."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial

from bleuprint._errors import BleuprintError, ContractError, LineTooLongError
from bleuprint._signature import SegmenterId
from bleuprint.plugin import Segmenter, SegmenterSpec

__all__ = ["BoundSegmenter", "TokenDigest"]

#: What breaks engines, and what the core replaces by U+FFFD before any engine sees it.
HARMFUL = re.compile("[\0\ud800-\udfff]")


def _number(index: int) -> str:
    return f"line {index + 1}"


class BoundSegmenter:
    """A segmenter that was built: what a Scorer runs.

    Attributes:
        spec: what its plugin declared.
        origin: the distribution and entry point it comes from, for messages.
    """

    def __init__(
        self,
        engine: Segmenter,
        *,
        spec: SegmenterSpec,
        origin: str,
        options: Mapping[str, str],
        dist: str | None,
        recipe: Callable[[], BoundSegmenter],
    ) -> None:
        if not callable(getattr(engine, "segment_batch", None)):
            raise ContractError(
                f"segmenter {spec.name!r} of {origin} is {engine!r}: expected an object with "
                "segment_batch(lines) and fingerprint"
            )
        self.spec = spec
        self.origin = origin
        self._recipe = recipe
        self._engine = engine
        self._options = dict(options)
        self._dist = dist

    @classmethod
    def of_object(cls, engine: Segmenter) -> BoundSegmenter:
        """Bind an object that no plugin offers: anything with `segment_batch`.

        Raises:
            ContractError: it does not have what the protocol asks for.
        """
        if not callable(getattr(engine, "segment_batch", None)):
            raise ContractError(
                f"{engine!r} is no segmenter: expected a name, or an object with "
                "segment_batch(lines) and fingerprint"
            )
        fingerprint = getattr(engine, "fingerprint", None)
        if not isinstance(fingerprint, Mapping):
            raise ContractError(
                f"{type(engine).__name__}.fingerprint is {fingerprint!r}: expected a mapping, "
                "such as {'version': '1.0'}"
            )
        kind = type(engine)
        name = f"object-{kind.__module__}.{kind.__qualname__}"
        spec = SegmenterSpec(name=name, languages=(), build=lambda: engine, rewrites=True)
        return cls(
            engine,
            spec=spec,
            origin=name,
            options={},
            dist=None,
            recipe=partial(cls.of_object, engine),
        )

    def __reduce__(self) -> tuple[Callable[[], BoundSegmenter], tuple[()]]:
        # In a worker process it is built again: an engine does not travel.
        return self._recipe, ()

    def __repr__(self) -> str:
        return f"<BoundSegmenter {SegmenterId.of(self.spec.name, self._options)}>"

    @property
    def engine(self) -> Segmenter:
        """The segmenter itself, as its plugin built it."""
        return self._engine

    @property
    def name(self) -> str:
        """The name it was asked for by."""
        return self.spec.name

    @property
    def fingerprint(self) -> Mapping[str, str]:
        """What its behaviour depends on, as its plugin says.

        Raises:
            ContractError: it is no mapping of text, or reading it raised.
        """
        try:
            fingerprint = self._engine.fingerprint
        except BleuprintError:
            raise
        except Exception as error:  # a plugin may raise anything
            raise ContractError(
                f"{self._who} has no fingerprint: {type(error).__name__}: {error}"
            ) from error
        if not isinstance(fingerprint, Mapping) or not all(
            isinstance(key, str) and isinstance(value, str) and key and value
            for key, value in fingerprint.items()
        ):
            raise ContractError(
                f"{self._who}: its fingerprint is {fingerprint!r}; expected a mapping of text"
            )
        return fingerprint

    @cached_property
    def id(self) -> SegmenterId:
        """Name, options and provenance as a signature shows them, the probe included."""
        provenance = {**self.fingerprint, "probe": self.probe}
        if self._dist:
            provenance["dist"] = self._dist
        return SegmenterId.of(self.spec.name, self._options, provenance)

    @cached_property
    def probe(self) -> str:
        """What it makes of the probe lines, as ``SET-DIGEST``: a set's number, eight hex digits.

        Segmenters that cut the probe lines alike have the same probe.
        """
        from bleuprint._probe import PROBE_SET, probe_lines

        digest = TokenDigest()
        digest.add(self.segment_batch(probe_lines()))
        return f"{PROBE_SET}-{digest.hex()[:8]}"

    def segment_batch(self, lines: Sequence[str]) -> list[list[str]]:
        """Return the tokens of each line.

        NUL and lone surrogates, which break engines, reach it as U+FFFD.

        Raises:
            ContractError: it returned what is not one list of tokens a line, or raised.
            LineTooLongError: a line is longer than the engine can take.
        """
        batch = self.segment_prepared([HARMFUL.sub("\ufffd", line).rstrip() for line in lines])
        self.check(batch)
        return batch

    def segment_prepared(
        self, lines: Sequence[str], name: Callable[[int], str] = _number
    ) -> list[list[str]]:
        """Do the same for lines that are prepared, and leave it to the caller to `check`.

        Args:
            lines: the lines.
            name: what messages call the line of an index.
        """
        limit = self.spec.max_chars
        if limit is not None and lines and max(map(len, lines)) > limit:
            for index, line in enumerate(lines):
                if len(line) > limit:
                    raise LineTooLongError(
                        f"{name(index)} has {len(line):,} characters; segmenter "
                        f"{self.name!r} can take {limit:,}: split it, or choose another segmenter"
                    )
        try:
            batch = self._engine.segment_batch(lines)
        except BleuprintError:
            raise
        except (Exception, SystemExit) as error:  # a plugin may raise anything, or exit
            raise self._blame(lines, name, error) from error
        if not isinstance(batch, list) or len(batch) != len(lines):
            got = f"{len(batch)} results" if isinstance(batch, list) else type(batch).__name__
            first = f", of which {name(0)} is the first" if lines else ""
            raise ContractError(
                f"{self._who} returned {got} for {len(lines)} lines{first}; expected a list with "
                "one list of tokens a line"
            )
        return batch

    def check(self, batch: Sequence[object], name: Callable[[int], str] = _number) -> None:
        """Hold what it returned to the contract, token by token.

        Raises:
            ContractError: not all are lists of tokens, or a token is none.
        """
        for index, tokens in enumerate(batch):
            if not _well_formed(tokens):
                raise ContractError(f"{self._who}: {name(index)}: {_fault(tokens)}")

    @property
    def _who(self) -> str:
        return f"segmenter {self.name!r} of {self.origin}"

    def _blame(
        self, lines: Sequence[str], name: Callable[[int], str], error: BaseException
    ) -> ContractError:
        """Find the line that made it raise."""
        for index, line in enumerate(lines):
            try:
                self._engine.segment_batch([line])
            except (Exception, SystemExit) as own:  # the one that is looked for, whatever it is
                return ContractError(
                    f"{self._who} failed on {name(index)}: {type(own).__name__}: {own}"
                )
        return ContractError(
            f"{self._who} failed on {name(0)} to {name(len(lines) - 1)} together, and on none of "
            f"them alone: {type(error).__name__}: {error}"
        )


def _well_formed(tokens: object) -> bool:
    # all() of a list stops at an empty string and join at what is no string, both in C
    if not isinstance(tokens, list) or not all(tokens):
        return False
    try:
        joined = "".join(tokens)
    except TypeError:
        return False
    # looked for token by token only where the line kept any white space at all
    return not tokens or joined.split(None, 1) == [joined] or not any(map(str.isspace, tokens))


def _fault(tokens: object) -> str:
    if not isinstance(tokens, list):
        return f"returned {type(tokens).__name__}, expected a list of tokens"
    for token in tokens:
        if not isinstance(token, str):
            return f"returned the token {token!r}, expected a string"
    return "returned a token that is empty or only white space"


class TokenDigest:
    """The SHA-256 of a stream of token lists: equal for equal cuts, and for no others."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()

    def add(self, batch: Iterable[Sequence[str]]) -> None:
        """Go on with the tokens of some more lines."""
        for tokens in batch:
            for token in tokens:
                data = token.encode("utf-8", "surrogatepass")
                self._digest.update(b"%d:" % len(data) + data)
            self._digest.update(b"\n")

    def hex(self) -> str:
        """Return the digest so far, 64 hex digits."""
        return self._digest.hexdigest()
