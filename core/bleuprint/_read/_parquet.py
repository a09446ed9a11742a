"""One column of a Parquet file, by pyarrow."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bleuprint._errors import MissingExtraError
from bleuprint._read._source import BLOCK, MAX_LINE, PACKED_FREE, PACKED_RATIO, Source

_ROWS = 512  # rows that are read at a time


def check(source: Source) -> None:
    """Refuse where pyarrow is not installed, or the file is one that it could not read."""
    try:
        import pyarrow.parquet  # noqa: F401  # looked for now, used when the file is read
    except ImportError as error:
        raise MissingExtraError(
            f'{source.name}: reading Parquet needs an extra: pip install "bleuprint[parquet]"'
        ) from error
    if source.packing:
        source.fail("Parquet is packed inside; unpack the file around it")


def column_blocks(source: Source, column: str) -> Iterator[list[str]]:
    """Yield the texts of one column; ``a.b`` is column b of the struct a."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = source.origin
    assert isinstance(path, Path)  # the format is known by the name of a file
    try:
        with pq.ParquetFile(path) as file:
            _check_column(source, column, file)
            names = file.schema_arrow.names
        # As a dictionary, so that a text that is stored once and used often is unpacked once;
        # pyarrow cannot do that inside structs.
        as_dictionary = [column] if column in names else []
        with pq.ParquetFile(path, read_dictionary=as_dictionary, buffer_size=BLOCK) as file:
            number = 0
            for batch in file.iter_batches(batch_size=_ROWS, columns=[column]):
                texts = []
                for text in _texts(batch.column(0)):
                    number += 1
                    if text is None:
                        source.fail(f"row {number}: {column!r} holds null, not text")
                    if len(text) > MAX_LINE:
                        source.fail(f"row {number}: longer than {MAX_LINE:,} characters")
                    texts.append(text)
                yield texts
    except (pa.ArrowException, OSError, ValueError, MemoryError) as error:
        source.fail(f"cannot be read as Parquet: {str(error) or type(error).__name__}")


def _check_column(source: Source, column: str, file: Any) -> None:
    """Refuse a column that is not there once, is not text, or would unpack to too much."""
    leaves = [file.schema.column(index) for index in range(len(file.schema))]
    found = [index for index, leaf in enumerate(leaves) if leaf.path == column]
    if len(found) != 1:
        names = ", ".join(repr(leaf.path)[:40] for leaf in leaves[:8])
        count = "several columns" if found else "no column"
        source.fail(f"there is {count} {column!r}; its columns are {names}")
    leaf = leaves[found[0]]
    if leaf.max_repetition_level or leaf.logical_type.type != "STRING":
        kind = "a list" if leaf.max_repetition_level else leaf.physical_type.lower()
        source.fail(f"column {column!r} holds {kind}, not text")
    # Of all columns together: asking for one ends the process where a file is damaged.
    groups = [file.metadata.row_group(number) for number in range(file.num_row_groups)]
    unpacked = sum(group.total_byte_size for group in groups)
    path = source.origin
    assert isinstance(path, Path)
    allowed = source.max_bytes or max(PACKED_FREE, PACKED_RATIO * path.stat().st_size)
    if unpacked > allowed:
        source.fail(
            f"unpacks to {unpacked} bytes, more than the {allowed} that are allowed; if it is "
            f"sound, say how much is allowed: --max-bytes N"
        )


def _texts(column: Any) -> list[str | None]:
    """Return the texts of one column of a batch, those of the members of structs included."""
    import pyarrow as pa

    while pa.types.is_struct(column.type):
        (column,) = column.flatten()
    if not pa.types.is_dictionary(column.type):
        texts: list[str | None] = column.to_pylist()
        return texts
    codes = column.indices.to_pylist()
    used = sorted({code for code in codes if code is not None})
    words = column.dictionary.take(pa.array(used, pa.int32())).to_pylist()
    text_of: dict[int | None, str | None] = dict(zip(used, words, strict=True))
    return [text_of.get(code) for code in codes]
