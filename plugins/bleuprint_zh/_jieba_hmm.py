"""The hidden Markov model by which jieba guesses the words that its dictionary lacks.

A character begins a word, is inside one, ends one, or is one: the states B, M, E and S.  The
tables of log probabilities are jieba's, read from its files as a copy that nobody else holds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Any, Final, TypeAlias

from bleuprint.plugin import EngineError

_HAN: Final = re.compile(r"[\u4e00-\u9fd5]+")
#: Han, which the model cuts; numbers and words of ASCII; the signs between them.
_PIECES: Final = re.compile(r"([\u4e00-\u9fd5]+)|[a-zA-Z0-9]+(?:\.[0-9]+)?%?|[+#&._%-]+")

Scores: TypeAlias = tuple[float, float, float, float]

_NEVER: Final = -3.14e100  #: jieba's log probability of what was not seen in training
_NO_EMISSION: Final = (_NEVER, _NEVER, _NEVER, _NEVER)

# How a state came about, one bit each: from the second of its two possible predecessors.
_B_FROM_S: Final = 1  # else from E
_M_FROM_M: Final = 2  # else from B
_E_FROM_M: Final = 4  # else from B
_S_FROM_S: Final = 8  # else from E


@dataclass(frozen=True, kw_only=True)
class HiddenMarkovModel:
    """The model's tables, all in log probabilities."""

    start: Scores  #: of the states B, M, E, S
    emission: Mapping[str, Scores]  #: of the characters, in the same states
    transition: tuple[float, ...]  #: B to M, B to E, M to M, M to E, E to B, E to S, S to B, S to S

    @classmethod
    def load(cls, directory: Path) -> HiddenMarkovModel:
        """Read the tables of the jieba in `directory`.

        Raises:
            EngineError: one of them is missing, or has another shape.
        """
        start, transition, emission = (
            _read_table(directory / "finalseg" / f"prob_{name}.py")
            for name in ("start", "trans", "emit")
        )
        of_b, of_m, of_e, of_s = (emission[state].get for state in "BMES")
        return cls(
            start=(start["B"], start["M"], start["E"], start["S"]),
            emission={
                character: (
                    of_b(character, _NEVER),
                    of_m(character, _NEVER),
                    of_e(character, _NEVER),
                    of_s(character, _NEVER),
                )
                for character in set().union(*emission.values())
            },
            transition=tuple(
                transition[before][after]
                for before, after in ("BM", "BE", "MM", "ME", "EB", "ES", "SB", "SS")
            ),
        )

    def cut(self, run: str) -> list[str]:
        """Return the words of a run of characters that the dictionary makes no word of."""
        if _HAN.fullmatch(run):
            return self._cut_han(run)
        words = []
        for piece in _PIECES.finditer(run):
            if piece[1]:
                words += self._cut_han(piece[1])
            else:
                words.append(piece[0])
        return words

    def _cut_han(self, run: str) -> list[str]:
        """Return the words by the likeliest states of the characters (Viterbi).

        Sums are taken in jieba's order: state before, transition, emission.  Of equals the state
        later in the alphabet wins: S over E, M over B, M over E.
        """
        b_m, b_e, m_m, m_e, e_b, e_s, s_b, s_s = self.transition
        b, m, e, s = self.start
        emissions = iter(map(self.emission.get, run, repeat(_NO_EMISSION)))
        emit_b, emit_m, emit_e, emit_s = next(emissions)
        b, m, e, s = b + emit_b, m + emit_m, e + emit_e, s + emit_s
        origins = [0]
        for emit_b, emit_m, emit_e, emit_s in emissions:
            origin = 0
            new_b = e + e_b + emit_b
            if (other := s + s_b + emit_b) >= new_b:
                new_b = other
                origin = _B_FROM_S
            new_m = b + b_m + emit_m
            if (other := m + m_m + emit_m) >= new_m:
                new_m = other
                origin |= _M_FROM_M
            new_e = b + b_e + emit_e
            if (other := m + m_e + emit_e) >= new_e:
                new_e = other
                origin |= _E_FROM_M
            new_s = e + e_s + emit_s
            if (other := s + s_s + emit_s) >= new_s:
                new_s = other
                origin |= _S_FROM_S
            b, m, e, s = new_b, new_m, new_e, new_s
            origins.append(origin)
        return _words_by_states(run, origins, "S" if s >= e else "E")


def _words_by_states(run: str, origins: list[int], state: str) -> list[str]:
    """Follow the states back from the last one, and cut where words begin and end."""
    words = []
    end = len(run)
    for position in range(end - 1, -1, -1):
        origin = origins[position]
        if state == "S":
            words.append(run[position])
            end = position
            state = "S" if origin & _S_FROM_S else "E"
        elif state == "E":
            state = "M" if origin & _E_FROM_M else "B"
        elif state == "M":
            state = "M" if origin & _M_FROM_M else "B"
        else:
            words.append(run[position:end])
            end = position
            state = "S" if origin & _B_FROM_S else "E"
    if end:  # the first character has no emission for a begin, and counts as an end or inside
        words.append(run[:end])
    words.reverse()
    return words


def _read_table(path: Path) -> Any:
    """Return the dictionary in a table's file, ``P={...}``, which is JSON but for its quotes.

    The file is read and not run: as a part of jieba it would import all of jieba, to whose logging,
    warnings and shared state we want no tie.
    """
    try:
        _, _, table = path.read_text("utf-8").partition("P=")
        return json.loads(table.replace("'", '"'))
    except (OSError, ValueError) as error:
        raise EngineError(f"jieba is incomplete ({path.name}: {error})") from error
