"""The four segmenters, on the compiled machine where there is one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from bleuprint_mteval import _unicode

try:
    from bleuprint_mteval._rules_compiled import cut_13a, cut_char, cut_intl, cut_none
except ModuleNotFoundError as error:
    if error.name != "bleuprint_mteval._fast":
        raise
    from bleuprint_mteval._rules_python import cut_13a, cut_char, cut_intl, cut_none


@dataclass(frozen=True, kw_only=True)
class RuleSegmenter:
    """A segmenter that is one function and needs no engine."""

    cut: Callable[[Sequence[str]], list[list[str]]]
    fingerprint: Mapping[str, str] = field(default_factory=dict)

    def segment_batch(self, lines: Sequence[str]) -> list[list[str]]:
        return self.cut(lines)


def none() -> RuleSegmenter:
    """Cut at white space and nowhere else, as `str.split` does: the text is taken as tokenized."""
    return RuleSegmenter(cut=cut_none)


def char() -> RuleSegmenter:
    """Make every character (code point) a token, and drop white space."""
    return RuleSegmenter(cut=cut_char)


def mteval_13a() -> RuleSegmenter:
    """Cut as NIST's mteval-v13a.pl does, WMT's rule for text with spaces.

    ``<skipped>`` is dropped and ``&quot; &amp; &lt; &gt;`` are undone first; then ASCII punctuation
    becomes tokens, the apostrophe apart.  Full stops and commas stay between two digits, and a
    hyphen is a token after a digit only.  Punctuation beyond ASCII stays where it is.  `_rules`
    has the whole rule.
    """
    return RuleSegmenter(cut=cut_13a)


def intl() -> RuleSegmenter:
    """Cut as mteval-v14.pl does with its international tokenization.

    Every symbol of Unicode is a token, and so is every punctuation mark that does not stand between
    two numbers or beside one at an edge of the line.  Entities stay as they are.  `_rules` has the
    whole rule; the fingerprint names the version of Unicode, as which characters are what depends
    on it.
    """
    return RuleSegmenter(cut=cut_intl, fingerprint={"unicode": _unicode.VERSION})
