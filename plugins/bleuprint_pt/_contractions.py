"""Portuguese contractions undone on another segmenter's tokens: ``no`` → ``em o``.

Words are those of the Portuguese treebanks of Universal Dependencies: contractions and hyphenated
pronouns are words of their own, hyphenated compounds are one word.  Which forms are split is data
(``contractions.tsv``); what depends on more than the form stands in this module.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from unicodedata import normalize

from bleuprint.plugin import Segmenter

_POLICIES = ("split", "context", "keep", "never")

# What the tokens of 13a may have glued to them.  ASCII quotes and brackets are tokens already,
# except for the apostrophe.
_EDGE = "«»‹›“”„‟‘’‚‛'" + "-‐‑‒–—―−" + "…"
_HYPHENS = ("-", "‐", "‑")
_LIKE_CLITICS = ("no", "na", "nos", "nas")

_MEMO_TOKENS = 1 << 16  # some 10 MB; a test set of 20,000 lines has fewer distinct tokens
_LONGEST = 64  # characters; no contraction is longer, so such tokens are neither split nor kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Contraction:
    """One row of the inventory."""

    form: str  #: NFC and lower case
    expansion: tuple[str, ...]  #: the words that it stands for
    group: str  #: A to G, the kind of words that are fused
    policy: str  #: ``split``, ``context`` (the next token decides), ``keep`` or ``never``
    reason: str


@dataclass(frozen=True, slots=True)
class Inventory:
    """All rows by form, and the digest that names their text."""

    rows: Mapping[str, Contraction]
    digest: str  #: the first eight hex digits of the file's SHA-256


@lru_cache(maxsize=1)
def inventory() -> Inventory:
    """Read the inventory that is installed with this package.

    Raises ValueError, naming the line, for a row that is malformed or comes twice.
    """
    text = files("bleuprint_pt").joinpath("contractions.tsv").read_text("utf-8")
    rows: dict[str, Contraction] = {}
    for number, line in enumerate(text.splitlines()[1:], start=2):
        form, expansion, group, policy, reason = line.split("\t")
        if policy not in _POLICIES or form in rows:
            raise ValueError(f"contractions.tsv, line {number}: {form!r} {policy!r}")
        rows[form] = Contraction(
            form=form,
            expansion=tuple(expansion.split()),
            group=group,
            policy=policy,
            reason=reason,
        )
    # The text and not the bytes: line ends may differ between checkouts.
    return Inventory(rows, hashlib.sha256(text.encode()).hexdigest()[:8])


class Contractions:
    """Cut lines as `base` does, then undo the contractions.

    Lines are brought to NFC first, so that a decomposed ``à`` is found too.  With `clitics`,
    hyphenated pronouns are cut from their verb as well: ``dá-lo`` → ``dá lo``.
    """

    def __init__(self, base: Segmenter, *, clitics: bool = True) -> None:
        self.base = base
        self._clitics = clitics
        found = inventory()
        self.fingerprint: Mapping[str, str] = {**base.fingerprint, "table": found.digest}
        self._table = {
            form: row for form, row in found.rows.items() if row.policy in ("split", "context")
        }
        # What each token stands for, () where the next one decides: all that the table has, in
        # every case, and then what is met that is no plain word.
        self._memo: dict[str, tuple[str, ...]] = {}
        for form in self._table:
            for token in (form, form.capitalize(), form.upper()):
                self.words(token)

    def segment_batch(self, lines: Sequence[str]) -> list[list[str]]:
        """Return the tokens of each line, one list a line."""
        batch = self.base.segment_batch([normalize("NFC", line) for line in lines])
        return [self._undo(tokens) for tokens in batch]

    def _undo(self, tokens: Sequence[str]) -> list[str]:
        memo = self._memo
        undone: list[str] = []
        for index, token in enumerate(tokens):
            if token in memo:
                undone += memo[token] or self.words(token, *tokens[index + 1 : index + 2])
            elif token.isalpha():  # a plain word without an entry, as most tokens are
                undone.append(token)
            else:
                undone += self.words(token, *tokens[index + 1 : index + 2])
        return undone

    def words(self, token: str, following: str = "") -> tuple[str, ...]:
        """Return what a token (NFC) of the base stands for: itself, or at least two words.

        `following` is the token after it in its line, empty at the end.
        """
        if len(token) > _LONGEST:
            return (token,)
        words = self._memo.get(token)
        if words is None:
            words = self._split(token)
            row = self._table.get(token.strip(_EDGE).lower())
            if len(words) > 1 and row is not None and row.policy == "context":
                words = ()
            if len(self._memo) < _MEMO_TOKENS:
                self._memo[token] = words
        if words:
            return words
        return (token,) if _is_verb_after_nos(following) else self._split(token)

    def _split(self, token: str) -> tuple[str, ...]:
        """Split a token that may have quotes and dashes at its edges, whatever follows it."""
        core = token.lstrip(_EDGE)
        before = token[: len(token) - len(core)]
        core = core.rstrip(_EDGE)
        after = token[len(before) + len(core) :]

        row = self._table.get(core.lower())
        if row is None:
            words = _without_clitics(core) if self._clitics else (core,)
        elif before in _HYPHENS and core in _LIKE_CLITICS:
            words = (core,)  # cut off its verb: `deram -no`
        else:
            words = _in_case_of(core, row.expansion)
        if len(words) == 1:
            return (token,)
        return (before + words[0], *words[1:-1], words[-1] + after)


def _in_case_of(form: str, expansion: tuple[str, ...]) -> tuple[str, ...]:
    """Return `expansion` written as `form` is: lower, Title or UPPER.

    Other mixtures are names, and stay: ``DoS``.  One capital letter is a title: ``À`` → ``A a``.
    """
    if form.islower():
        return expansion
    if form[1:].islower() or len(form) == 1:
        return (expansion[0].capitalize(), *expansion[1:])
    if form.isupper():
        return tuple(word.upper() for word in expansion)
    return (form,)


# --- nos: "in the", or the pronoun "us" -----------------------------------------------------------
#
# The pronoun stands before its verb, `em os` before a plural noun phrase.  So the next token is
# a verb where it does not end in -s, and where it ends as only the first person plural does.

# What ends in no -s and yet opens or joins a noun phrase: numerals, prepositions, particles.
_NO_VERBS = """
quatro cinco sete oito nove dez onze doze treze catorze quatorze quinze dezessete dezassete dezoito
dezenove dezanove vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem cento mil
que de do da em no na com sem por para sob sobre entre e ou tão muito quase
"""
# Nouns and adjectives that end like verbs, with no written accent to tell them.
_NOUNS = """
amos ramos reclamos remos extremos supremos blasfemos primos mimos limos cimos arrimos racimos
opimos termos ermos enfermos
"""
_NOT_VERBS = frozenset((_NO_VERBS + _NOUNS).split())

_PRESENT = re.compile(r"[aeiá]mos\Z")  # and preterite: temos, damos, vimos, falámos
_PAST = re.compile(r"(?:áva|ía|[áéíô]ra|[áéíêô]sse|[íú]nha)mos\Z")  # imperfects, pluperfect
_INFINITIVE = re.compile(r"[aeio]rmos\Z")  # personal infinitive, future subjunctive
_IRREGULAR = re.compile(r"(?:[sf]omos|.+pomos|quis|.*pôs)\Z")
_ACCENTED = frozenset("áéíóúâêô")


def _is_verb_after_nos(following: str) -> bool:
    """Whether the token after ``nos`` is a verb, which makes ``nos`` the pronoun."""
    word = following.rstrip(_EDGE)
    if not (word.isalpha() and word.islower()) or word in _NOT_VERBS:
        return False
    if not word.endswith("s"):
        return True
    if _PAST.search(word) or _INFINITIVE.search(word) or _IRREGULAR.match(word):
        return True
    # An accent before the ending makes a noun or an adjective: últimos, empréstimos.
    return bool(_PRESENT.search(word)) and _ACCENTED.isdisjoint(word[:-4])


# --- pronouns after a hyphen ----------------------------------------------------------------------

_PRONOUN = "(?:me|te|se|nos|vos|lhes?|[oa]s?|l[oa]s?|n[oa]s?|(?:m|t|lh)[oa]s?|vo(?=[-‐‑]l[oa]))"
_ENDING = "(?:ei|ás|á|emos|eis|ão|ias?|íamos|íeis|iam)"
_HYPHENATED = re.compile(
    # `é` is the one verb form of a single letter.
    r"(?P<stem>[^\W\d_]{2,}|[éÉ])"
    rf"[-‐‑]{_PRONOUN}(?:[-‐‑]{_PRONOUN})?"
    rf"(?:[-‐‑]{_ENDING})?\Z"
)
_HYPHEN = re.compile("[-‐‑]")


def _without_clitics(core: str) -> tuple[str, ...]:
    """Cut pronouns off a verb: ``dá-se-lhe`` → ``dá se lhe``, ``dar-te-ei`` → ``dar te ei``.

    The verb keeps the form it is written in (``dá-lo`` → ``dá lo``), since only a lexicon could
    restore ``dar``.  It is lower case or Title and the rest is lower case: ``PMDB-MA`` is a party
    and a state.
    """
    match = _HYPHENATED.match(core)
    if match is None or not (match["stem"][1:].islower() or match["stem"] in ("é", "É")):
        return (core,)
    return tuple(_HYPHEN.split(core))
