"""Tokens into the sufficient statistics of BLEU: n-gram counting, and the table that holds it.

The table has one row a segment: sys_len, ref_len, counts 1..N, totals 1..N.  `counts` are the
n-grams that a hypothesis shares with its references, each clipped to the largest number that one
reference has of it; `totals` are all n-grams of the hypothesis; `ref_len` is the length of the
reference closest to the hypothesis, the shorter one of two that are as close.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bleuprint._errors import IncomparableError, InputError
from bleuprint._notes import Note, merge_notes
from bleuprint._signature import SegmenterId

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

try:
    import bleuprint._kernel as _kernel
except ModuleNotFoundError:  # built without a compiler; one that will not load is an error
    _kernel = None  # type: ignore[assignment]  # the module is optional

__all__ = ["Statistics", "Tokens", "accelerated", "count", "count_numpy"]

Tokens = Sequence[str]

#: Whether the compiled counting kernel is installed.  Without it NumPy counts, to the same numbers.
accelerated: bool = _kernel is not None

_BLOCK_TOKENS = 1 << 15  # what fits a cache: one sort of everything is half as fast


def count(
    systems: Sequence[list[list[str]]], references: list[list[list[str]]], max_order: int
) -> list[bytearray]:
    """Count the statistics of several systems against the same references.

    Args:
        systems: for each system, the tokens of each segment's hypothesis.
        references: for each segment, the tokens of each of its references, at least one.
        max_order: the longest n-gram, N.

    Returns:
        For each system a table of int64 in native byte order, segments by 2 + 2N, row by row.

    Raises:
        TypeError, ValueError: a token is no string, or is empty or only white space.
    """
    if _kernel is not None:
        return _kernel.count(list(systems), references, max_order)
    return count_numpy(systems, references, max_order)


def count_numpy(
    systems: Sequence[list[list[str]]], references: list[list[list[str]]], max_order: int
) -> list[bytearray]:
    """Do what `count` does in NumPy alone: the reference for the compiled kernel."""
    import numpy as np

    tables = np.zeros((len(systems), len(references), 2 + 2 * max_order), dtype=np.int64)
    start = size = 0
    for stop, refs in enumerate(references, 1):
        i = stop - 1
        size += sum(map(len, refs)) + sum(len(system[i]) for system in systems)
        if size >= _BLOCK_TOKENS or stop == len(references):
            block = [system[start:stop] for system in systems]
            _count_block(block, references[start:stop], tables[:, start:stop])
            start, size = stop, 0
    return [bytearray(table.tobytes()) for table in tables]


def _count_block(
    systems: list[list[list[str]]], references: list[list[list[str]]], out: NDArray[np.int64]
) -> None:
    """Fill `out`, of shape (systems, segments, columns)."""
    import numpy as np

    n_systems, n_segments = len(systems), len(references)
    # One "document" is a hypothesis or a reference.  Those of a segment stand side by side, the
    # hypotheses first, so that equal n-grams of a segment sort into runs, one run a document.
    docs = [doc for i, refs in enumerate(references) for doc in (*(s[i] for s in systems), *refs)]
    if not all(isinstance(doc, list) for doc in docs):
        raise TypeError("expected a list of tokens for every text")
    lengths = np.fromiter(map(len, docs), np.int64, len(docs))
    per_segment = np.fromiter((n_systems + len(r) for r in references), np.int64, n_segments)
    first_doc = np.cumsum(per_segment) - per_segment
    segment_of_doc = np.repeat(np.arange(n_segments), per_segment)
    slot_of_doc = np.arange(len(docs)) - first_doc[segment_of_doc]  # below n_systems: hypothesis

    hyp_docs = first_doc[None, :] + np.arange(n_systems)[:, None]
    sys_len = lengths[hyp_docs]
    out[:, :, 0] = sys_len
    out[:, :, 1] = _closest(sys_len, lengths, segment_of_doc, slot_of_doc >= n_systems)

    max_order = (out.shape[2] - 2) // 2
    orders = np.arange(max_order)
    out[:, :, 2 + max_order :] = np.maximum(sys_len[:, :, None] - orders, 0)

    ids: dict[str, int] = {}
    tokens = np.fromiter(
        (ids.setdefault(token, len(ids)) for token in chain.from_iterable(docs)),
        np.int64,
        int(lengths.sum()),
    )
    _check(ids)
    doc = np.repeat(np.arange(len(docs)), lengths)
    ends = np.cumsum(lengths)[doc]
    at = np.arange(len(tokens))
    prefix = segment_of_doc[doc]  # the empty n-gram of each segment: a prefix like any other
    n_ids = max(len(ids), 1)
    for order in range(max_order):
        inside = at + order < ends[at]
        at, prefix = at[inside], prefix[inside]
        if not len(at):
            return
        key, at = _sorted(prefix * n_ids + tokens[at + order], at)
        new_key = np.empty(len(key), dtype=bool)
        new_key[0] = True
        np.not_equal(key[1:], key[:-1], out=new_key[1:])
        here = doc[at]
        new_run = new_key.copy()
        new_run[1:] |= here[1:] != here[:-1]
        runs = np.flatnonzero(new_run)
        size = np.diff(runs, append=len(key))
        slot = slot_of_doc[here[runs]]
        is_ref = slot >= n_systems
        ngram_starts = np.flatnonzero(new_key[runs])
        most = np.maximum.reduceat(np.where(is_ref, size, 0), ngram_starts)
        ngram = np.cumsum(new_key[runs]) - 1
        matched = np.minimum(size, most[ngram])
        matched[is_ref] = 0
        cell = slot * n_segments + segment_of_doc[here[runs]]
        sums = np.bincount(cell[~is_ref], matched[~is_ref], minlength=n_systems * n_segments)
        out[:, :, 2 + order] = sums.reshape(n_systems, n_segments)
        # An n-gram that does not match has no continuation that does: only matches go on.
        shared = np.bincount(ngram, matched, minlength=len(most)) > 0
        prefix = np.cumsum(new_key) - 1
        keep = shared[prefix]
        at, prefix = at[keep], prefix[keep]


def _check(tokens: Iterable[object]) -> None:
    for token in tokens:
        if not isinstance(token, str):
            raise TypeError(f"expected a str, not {type(token).__name__}")
        if not token or token.isspace():
            raise ValueError("a token that is empty or only white space")


def _closest(
    sys_len: NDArray[np.int64],
    lengths: NDArray[np.int64],
    segment_of_doc: NDArray[np.int64],
    is_ref: NDArray[np.bool_],
) -> NDArray[np.int64]:
    """Return, by system and segment, the reference length closest to the hypothesis'."""
    import numpy as np

    ref_len, segment = lengths[is_ref], segment_of_doc[is_ref]
    starts = np.flatnonzero(np.r_[True, segment[1:] != segment[:-1]])
    scale = int(lengths.max(initial=0)) + 1
    closest = np.empty_like(sys_len)
    for own, into in zip(sys_len, closest, strict=True):
        # distance first, then length: the least of both together is the closest, ties to shorter
        rank = np.abs(ref_len - own[segment]) * scale + ref_len
        into[:] = np.minimum.reduceat(rank, starts) % scale
    return closest


def _sorted(
    key: NDArray[np.int64], at: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Sort keys, and positions within equal keys."""
    import numpy as np

    bits = int(at.max()).bit_length()
    if int(key.max()).bit_length() + bits < 63:
        # packed into one number they sort five times as fast as by an index
        packed = np.sort((key << bits) | at)
        return packed >> bits, packed & ((1 << bits) - 1)
    by = np.lexsort((at, key))
    return key[by], at[by]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Statistics:
    """The sufficient statistics of a corpus, one row a segment, and how they were made.

    They add: ``a + b`` has the rows of both, and scores as the joined corpus does, to the last bit.
    Texts are not held.
    """

    rows: bytes | bytearray = field(repr=False)  #: int64 in native byte order, row by row
    max_order: int
    nrefs: tuple[int, int]  #: the least and the most references of a segment
    case: str  #: as in a signature: ``mixed``, ``lc`` or ``lc.tr``
    norm: str  #: as in a signature: ``none`` or the steps joined by ``+``
    tok: str  #: the segmenter with options and provenance, as in a signature
    notes: tuple[Note, ...] = ()

    @property
    def columns(self) -> int:
        """How many numbers a row has: 2 + 2 * max_order."""
        return 2 + 2 * self.max_order

    @property
    def table(self) -> NDArray[np.int64]:
        """The table, of shape (segments, 2 + 2 * max_order), read-only."""
        import numpy as np

        table = np.frombuffer(self.rows, dtype=np.int64).reshape(-1, self.columns)
        table.flags.writeable = False
        return table

    def __len__(self) -> int:
        return len(self.rows) // (8 * self.columns)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Statistics):
            return NotImplemented
        return self.rows == other.rows and self.nrefs == other.nrefs and not self._unlike(other)

    __hash__ = None  # type: ignore[assignment]  # compared by content, and large

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        import numpy as np

        return np.array(self.table, dtype=dtype)

    def __add__(self, other: Statistics) -> Statistics:
        """Join two corpora.

        Raises:
            IncomparableError: the two were counted in unlike ways; the message says in which.
        """
        if not isinstance(other, Statistics):
            return NotImplemented
        unlike = self._unlike(other)
        if unlike:
            raise IncomparableError(f"statistics made in unlike ways do not add: {unlike}")
        return Statistics(
            rows=bytes(self.rows) + bytes(other.rows),
            max_order=self.max_order,
            nrefs=(min(self.nrefs[0], other.nrefs[0]), max(self.nrefs[1], other.nrefs[1])),
            case=self.case,
            norm=self.norm,
            tok=self.tok,
            notes=merge_notes(self.notes, other.notes, offset=len(self)),
        )

    def __radd__(self, other: object) -> Statistics:
        # lets the built-in sum() add them up
        return self if other == 0 else NotImplemented

    def sums(self) -> tuple[int, ...]:
        """Return the sum of each column as plain integers."""
        numbers = memoryview(self.rows).cast("q")
        return tuple(sum(numbers[column :: self.columns]) for column in range(self.columns))

    def sum(self) -> Statistics:
        """Return the statistics of the whole as one row."""
        import array

        return Statistics(
            rows=array.array("q", self.sums()).tobytes(),
            max_order=self.max_order,
            nrefs=self.nrefs,
            case=self.case,
            norm=self.norm,
            tok=self.tok,
            notes=self.notes,
        )

    def unlike(self, *, case: str, norm: str, max_order: int, tok: str) -> str:
        """Say in what these statistics were made otherwise; empty where in nothing that counts."""
        others = {"case": case, "norm": norm, "max_order": max_order}
        found = [
            f"{name} {getattr(self, name)} and {other}"
            for name, other in others.items()
            if getattr(self, name) != other
        ]
        if self.tok != tok and SegmenterId.parse(self.tok).differs(SegmenterId.parse(tok)):
            found.append(f"tok {self.tok} and {tok}")
        return "; ".join(found)

    def _unlike(self, other: Statistics) -> str:
        return self.unlike(
            case=other.case, norm=other.norm, max_order=other.max_order, tok=other.tok
        )

    def save(self, path: str | Path) -> None:
        """Write them to a ``.npz`` file, for `load` and for numpy.load."""
        import json

        import numpy as np

        about = {
            "format": 1,
            "max_order": self.max_order,
            "nrefs": self.nrefs,
            "case": self.case,
            "norm": self.norm,
            "tok": self.tok,
            "notes": [note.to_dict() for note in self.notes],
        }
        with open(path, "wb") as file:  # a file, lest numpy add an ending to the name
            np.savez_compressed(file, table=self.table, about=np.array(json.dumps(about)))

    @classmethod
    def load(cls, path: str | Path) -> Statistics:
        """Read what `save` wrote.

        Raises:
            InputError: the file cannot be read, or is not such a file.
        """
        import json
        import zipfile

        import numpy as np

        try:
            # opened here: numpy leaves the file open where it is no archive
            with open(path, "rb") as file, np.load(file, allow_pickle=False) as held:
                table, about = held["table"], json.loads(str(held["about"]))
            if about["format"] != 1:
                raise InputError(f"{path}: format {about['format']} is newer than this bleuprint")
            columns = 2 + 2 * about["max_order"]
            if table.dtype != np.int64 or table.ndim != 2 or table.shape[1] != columns:
                raise ValueError(f"a table of {table.dtype} with shape {table.shape}")
            return cls(
                rows=np.ascontiguousarray(table).tobytes(),
                max_order=about["max_order"],
                nrefs=(about["nrefs"][0], about["nrefs"][1]),
                case=about["case"],
                norm=about["norm"],
                tok=about["tok"],
                notes=tuple(Note(**note) for note in about["notes"]),
            )
        except OSError as error:
            raise InputError(f"{path}: {error.strerror or error}") from error
        except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
            raise InputError(
                f"{path}: expected statistics that Statistics.save wrote ({error})"
            ) from error
