"""newmm's rules written anew for speed: the same words as pythainlp 5.3 and later.

A line is first cut into Thai character clusters, which no word may divide.  From the place reached,
every dictionary word that ends where a cluster ends is a way on.  While there are several ways, the
places that they lead to are looked at in turn, the nearest first, until all ways meet in one place.
Of the paths to it the one with the fewest words is taken, and of several the one with the shorter
word at the first difference.  Where no word fits, the text up to the next that does is a word.

Sources: Theeramunkong et al. (2000, https://doi.org/10.1145/355214.355225) for the clusters, with
pythainlp's improvements; newmm by Korakot Chaovavanich.
"""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Final, TypeAlias

from bleuprint_th._newmm import ThaiWords

_MOST_WAYS: Final = 50  #: once so many are known before all ways meet, one more a place is enough


def _cluster_pattern() -> re.Pattern[str]:
    consonant = "[ก-ฮ]"
    tone = "[่-๋]?"
    silenced = f"(?:{consonant}{consonant}?[ิุู]?์)?"  # letters that a thanthakhat makes mute
    before_syllable = f"(?=[เ-ไ]|{consonant}|$)"
    rules = f"""
        C(?:ัTวะK | [ัื]TC[ะิุ]?K | [ิุู]์ | [ะ-ู]TK | รรC์ | ็ | T[ะาำ]?K)
        | เC(?:็CK | CTาะK | CีTย(?:ะK | {before_syllable}K) | C็CK | ิC์CK | ิTCK | ีTยะ?K | ืTอะ?K
              | [ิุู]Tย{before_syllable}K | Tา?ะ?K)
        | แC(?:็C | C์ | Tะ | C็C | CC์ | T)
        | [โ]CTะ?
        | [ใไ]CT
        | .
    """
    rules = rules.replace("C", consonant).replace("T", tone).replace("K", silenced)
    return re.compile(rules, re.DOTALL | re.VERBOSE)


_CLUSTERS: Final = _cluster_pattern()
_FOREIGN: Final = re.compile(r"[a-zA-Z-]+|\d+(?:[,.]\d+)*|[ \t]+|\r?\n|[^\u0e00-\u0e7f \t\r\n]+")
_JOINED_NUMBER: Final = re.compile(r"(?<!\d)\d+(?:[.,:]\d+)+")
_WEAK: Final = re.compile("[ก-ฮ]{1,2}")  #: a word that does not end a stretch of unknown text


#: A trie, by character.  Where only one word is left, its rest stands for all the nodes below; a
#: word that ends at a node has the key "" there.
Trie: TypeAlias = "dict[str, Trie | str]"


def make_trie(words: Iterable[str]) -> Trie:
    """Return the trie of some words, none of them empty."""
    root: Trie = {}
    for word in words:
        node = root
        depth = 0
        while True:
            character = word[depth : depth + 1]
            depth += 1
            below = node.get(character)
            if below is None:
                node[character] = word[depth:]
                break
            if isinstance(below, str):
                if not character or below == word[depth:]:
                    break  # the word was there
                below = node[character] = {below[:1]: below[1:]}
            node = below
    return root


class FastNewmm:
    """newmm's words, in plain Python."""

    def __init__(self, dictionary: ThaiWords, *, join_numbers: bool) -> None:
        self._trie = make_trie(dictionary.words)
        self._join_numbers = join_numbers
        self.fingerprint: Mapping[str, str] = dictionary.fingerprint

    def segment_batch(self, lines: Sequence[str]) -> list[list[str]]:
        """Return the words of each line."""
        return [self._segment(line) for line in lines]

    def _segment(self, line: str) -> list[str]:
        ends = set(accumulate(map(len, _CLUSTERS.findall(line))))
        size = len(line)
        cuts = [0]
        place = 0
        while place < size:
            ways = self._ways(line, ends, place)
            if len(ways) == 1:
                cuts += ways
            elif ways:
                cuts += self._shortest_path(line, ends, ways)
            else:
                cuts.append(self._skip(line, ends, place))
            place = cuts[-1]
        if self._join_numbers and _JOINED_NUMBER.search(line):
            cuts = _without_cuts_in_numbers(line, cuts)
        return [w for begin, end in pairwise(cuts) if not (w := line[begin:end]).isspace()]

    def _ways(self, line: str, ends: Container[int], place: int) -> list[int]:
        """Return where the dictionary words from a place on end, the nearest first."""
        ways = []
        node = self._trie
        size = len(line)
        while place < size:
            below = node.get(line[place])
            if below is None:
                break
            place += 1
            if isinstance(below, str):
                end = place + len(below)
                if end in ends and line.startswith(below, place):
                    ways.append(end)
                break
            if place in ends and "" in below:
                ways.append(place)
            node = below
        return ways

    def _shortest_path(self, line: str, ends: Container[int], ways: list[int]) -> list[int]:
        """Return the places of the best path by these ways to where all paths meet."""
        first = ways = ways[: _MOST_WAYS + 1]
        graph = {}
        seen = len(ways)
        pending = ways.copy()  # the places yet to look at, in order
        while len(pending) > 1:
            place = pending.pop(0)
            ways = self._ways(line, ends, place)
            if seen + len(ways) > _MOST_WAYS:
                ways = ways[: max(1, _MOST_WAYS + 1 - seen)]
            graph[place] = ways
            seen += len(ways)
            for way in ways:
                if way not in pending:
                    insort(pending, way)
        goal = pending[0]
        if goal in first:
            return [goal]
        for way in first:
            if goal in graph[way]:
                return [way, goal]
        return _breadth_first(graph, first, goal)

    def _skip(self, line: str, ends: Container[int], place: int) -> int:
        """Return where the text ends that starts at a place where no word does."""
        if found := _FOREIGN.match(line, place):
            return found.end()
        for end in range(place + 1, len(line)):
            if end in ends:
                words = (line[end:way] for way in self._ways(line, ends, end))
                if _FOREIGN.match(line, end) or not all(map(_WEAK.fullmatch, words)):
                    return end
        return len(line)


def _breadth_first(graph: Mapping[int, list[int]], first: list[int], goal: int) -> list[int]:
    before: dict[int, int | None] = dict.fromkeys(first)
    queue = first.copy()
    for place in queue:  # which grows meanwhile
        for way in graph[place]:
            if way not in before:
                before[way] = place
                queue.append(way)
        if goal in before:
            break
    path = []
    step: int | None = goal
    while step is not None:
        path.append(step)
        step = before[step]
    path.reverse()
    return path


def _without_cuts_in_numbers(line: str, cuts: list[int]) -> list[int]:
    """Drop the cuts inside numbers such as 12:30 and 1.000,5.

    A word that began before the number stays as it is, and the joining starts behind it, as in
    pythainlp's `word_tokenize`.
    """
    kept = []
    numbers = _JOINED_NUMBER.finditer(line)
    number = next(numbers, None)
    joining = False
    for cut in cuts:
        while number is not None and cut >= number.end():
            number = next(numbers, None)
            joining = False
        if number is not None and cut >= number.start():
            if joining:
                continue
            joining = True
        kept.append(cut)
    return kept
