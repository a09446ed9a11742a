"""One field of a JSON Lines file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NoReturn

from bleuprint._read._source import MAX_LINE, Source
from bleuprint._read._text import text_blocks

_KINDS = {type(None): "null", bool: "true or false", float: "a number", dict: "an object"}


def field_blocks(source: Source, field: str) -> Iterator[list[str]]:
    """Yield the texts that stand in `field`, one a line of the file.

    ``a.b`` is field b of the object in field a, unless a field is named ``a.b``; in a list a number
    from 0 picks: ``refs.0``.  Blank lines may end the file and stand nowhere else.
    """
    # A number is told from a text and used for nothing else: as floats, numbers of any length are
    # read in no time.
    decode = json.JSONDecoder(parse_int=float).decode
    number = 0
    blank = 0
    for lines in text_blocks(source):
        texts = []
        for line in lines:
            number += 1
            if not line or line.isspace():
                blank = blank or number
                continue
            if blank:
                source.fail("is blank, and JSON Lines has one value a line", blank)
            try:
                value = decode(line)
            except (ValueError, RecursionError) as error:
                _refuse_line(source, number, error)
            text = _pick(source, number, value, field)
            if len(text) > MAX_LINE:
                source.fail(f"{field!r} is longer than {MAX_LINE:,} characters", number)
            texts.append(text)
        yield texts


def _refuse_line(source: Source, number: int, error: ValueError | RecursionError) -> NoReturn:
    if isinstance(error, json.JSONDecodeError):
        reason = f"{error.msg[:1].lower()}{error.msg[1:]} at character {error.pos + 1}"
    else:
        reason = "it is nested too deeply"
    source.fail(
        f"is not JSON: {reason} (to name the field of one file only, write FILE.jsonl#FIELD)",
        number,
    )


def _pick(source: Source, number: int, value: object, field: str) -> str:
    path: str = field
    while path:
        if isinstance(value, dict) and path in value:
            value, path = value[path], ""
            continue
        key, _, rest = path.partition(".")
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isdecimal() and int(key[:9]) < len(value):
            value = value[int(key[:9])]
        else:
            _refuse_path(source, number, value, field, key)
        path = rest
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        source.fail(f"{field!r} holds a list; pick one by number, as in {field}.0", number)
    source.fail(f"{field!r} holds {_KINDS[type(value)]}, not text", number)


def _refuse_path(source: Source, number: int, value: object, field: str, key: str) -> NoReturn:
    if isinstance(value, dict):
        names = ", ".join(repr(name)[:40] for name in list(value)[:8]) or "no field at all"
        source.fail(f"there is no field {key!r} (of {field!r}); there is {names}", number)
    if isinstance(value, list):
        source.fail(f"there is no item {key!r} (of {field!r}) in a list of {len(value)}", number)
    kind = "text" if isinstance(value, str) else _KINDS[type(value)]
    source.fail(f"there is no {key!r} (of {field!r}) in {kind}", number)
