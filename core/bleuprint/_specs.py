"""What a `SegmenterSpec` may say, and the options that a user may set by it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence

from bleuprint._errors import OptionError
from bleuprint.plugin import Option, SegmenterSpec

__all__ = ["faults_of_spec", "resolve_options"]

#: Names stand in brackets, lists and signatures, and on command lines.
_NAME = re.compile(r"(?!object-)\w[\w.+-]*")


def faults_of_spec(spec: object) -> Iterator[str]:
    """Yield what is wrong with a spec that a plugin offers.

    A type checker finds most of this; a plugin that has none is told here, and not by an exception
    from somewhere inside, later.
    """
    if not isinstance(spec, SegmenterSpec):
        yield f"it offers {spec!r}: expected a SegmenterSpec"
        return
    if not isinstance(spec.name, str) or not _NAME.fullmatch(spec.name):
        yield (
            f"it offers a segmenter named {spec.name!r}: a name is letters, digits and . _ + -, "
            "and does not begin with 'object-'"
        )
    of = f"its segmenter {spec.name!r} has"
    for field in ("languages", "requires"):
        value = getattr(spec, field)
        if not _is_texts(value):
            yield f"{of} {field}={value!r}: expected a tuple of texts, such as ('vi',)"
        elif field == "requires" and not all(map(str.isidentifier, value)):
            yield f"{of} requires={value!r}: expected top-level modules, such as ('jieba',)"
    for field in ("install", "summary"):
        if not isinstance(getattr(spec, field), str):
            yield f"{of} {field}={getattr(spec, field)!r}: expected a text"
    if not callable(spec.build):
        yield f"{of} build={spec.build!r}: expected a function that returns a segmenter"
    if not isinstance(spec.rewrites, bool):
        yield f"{of} rewrites={spec.rewrites!r}: expected True or False"
    limit = spec.max_chars
    if limit is not None and (not isinstance(limit, int) or limit < 1):
        yield f"{of} max_chars={limit!r}: expected a number of characters, or None"
    if not isinstance(spec.options, Mapping) or not all(
        isinstance(key, str) and key.isidentifier() and isinstance(option, Option)
        for key, option in spec.options.items()
    ):
        yield f"{of} options={spec.options!r}: expected a mapping of keywords to Option"


def _is_texts(value: object) -> bool:
    return (
        isinstance(value, Sequence)
        and not isinstance(value, str)
        and all(isinstance(item, str) and item for item in value)
    )


def resolve_options(spec: SegmenterSpec, given: Mapping[str, str]) -> dict[str, str]:
    """Check options against a spec and fill in its defaults; files become absolute paths.

    Raises:
        OptionError: an unknown option, a value that is not taken, or none where one is needed.
    """
    for key in given:
        if key not in spec.options:
            known = ", ".join(sorted(spec.options)) or "none"
            raise OptionError(f"segmenter {spec.name!r} has no option {key!r}; it has: {known}")
    values: dict[str, str] = {}
    for key, option in spec.options.items():
        value = given.get(key, option.default)
        if value is None:
            what = "FILE" if option.file else "VALUE"
            raise OptionError(
                f"segmenter {spec.name!r} needs its option {key}: write '{spec.name}[{key}={what}]'"
            )
        if option.choices and value not in option.choices:
            raise OptionError(
                f"{spec.name}[{key}={value}]: expected one of {', '.join(option.choices)}"
            )
        values[key] = os.path.abspath(os.path.expanduser(value)) if option.file else value
    return values
