"""Measure pt-contractions against the multiword tokens of a Portuguese Universal Dependencies file.

    python benchmarks/pt_contractions.py pt_bosque-test.conllu

Each sentence's raw ``# text`` goes through our own 13a and then through the contractions, as a line
does when it is scored.  A split is right where it covers exactly a multiword token of the treebank,
quotes and dashes at the edge aside, and gives the same words but for case.  Contractions and
hyphenated pronouns are counted apart.  Everything that went wrong is printed with what stands
around it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from unicodedata import normalize

from bleuprint_mteval._segmenters import mteval_13a
from bleuprint_pt._contractions import Contractions

Span = tuple[int, int]  # first and one past the last character, in the sentence's text
Splits = dict[Span, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """The raw text of a sentence and its multiword tokens."""

    text: str
    gold: Splits


@dataclass(slots=True)
class Tally:
    """Splits found and due, of one kind."""

    right: int = 0
    found: int = 0
    due: int = 0
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        precision = self.right / self.found if self.found else 1.0
        recall = self.right / self.due if self.due else 1.0
        return (
            f"precision {precision:.4f} ({self.right}/{self.found})  "
            f"recall {recall:.4f} ({self.right}/{self.due})"
        )


def read(path: Path) -> Iterator[Sentence]:
    """Yield the sentences of a CoNLL-U file.

    Raises ValueError where a token does not stand in the text of its sentence.
    """
    for block in path.read_text("utf-8").split("\n\n"):
        text = ""
        rows = []
        for line in block.split("\n"):
            if line.startswith("# text = "):
                text = normalize("NFC", line.removeprefix("# text = "))
            elif line and not line.startswith("#"):
                identifier, form = line.split("\t")[:2]
                rows.append((identifier, normalize("NFC", form)))
        if rows:
            yield Sentence(text=text, gold=multiword_tokens(text, rows))


def multiword_tokens(text: str, rows: Sequence[tuple[str, str]]) -> Splits:
    """Return where the multiword tokens stand and what they are made of."""
    words = {identifier: form for identifier, form in rows if identifier.isdecimal()}
    splits: Splits = {}
    end = inside = 0  # `inside`: the last word of the multiword token that we are in
    for identifier, form in rows:
        if "." in identifier or (identifier.isdecimal() and int(identifier) <= inside):
            continue  # an empty node, or a word that has no place of its own in the text
        start = text.index(form, end)
        end = start + len(form)
        if "-" in identifier:
            first, inside = map(int, identifier.split("-"))
            splits[start, end] = tuple(words[str(i)] for i in range(first, inside + 1))
    return splits


def splits_made(segmenter: Contractions, text: str, tokens: Sequence[str]) -> Splits:
    """Return where the segmenter splits the base tokens of `text`, without quotes and dashes."""
    splits: Splits = {}
    end = 0
    for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
        words = segmenter.words(token, following)
        start = text.index(token, end)
        end = start + len(token)
        if len(words) > 1:
            first, last = words[0], words[-1]
            before = next(i for i, char in enumerate(first) if char.isalpha())
            after = next(i for i, char in enumerate(reversed(last)) if char.isalpha())
            bare = (first[before:], *words[1:-1], last[: len(last) - after])
            splits[start + before, end - after] = bare
    return splits


def measure(sentences: Iterable[Sentence]) -> dict[str, Tally]:
    """Count the splits of both kinds over all sentences."""
    segmenter = Contractions(mteval_13a())
    tallies = {"contractions": Tally(), "hyphenated pronouns": Tally()}
    for sentence in sentences:
        [tokens] = segmenter.base.segment_batch([sentence.text])
        made = splits_made(segmenter, sentence.text, tokens)
        for span in sorted(made.keys() | sentence.gold.keys()):
            start, end = span
            form = sentence.text[start:end]
            tally = tallies["hyphenated pronouns" if "-" in form else "contractions"]
            found, due = made.get(span), sentence.gold.get(span)
            tally.found += found is not None
            tally.due += due is not None
            if found and due and list(map(str.lower, found)) == list(map(str.lower, due)):
                tally.right += 1
            else:
                around = sentence.text[max(0, start - 30) : end + 30]
                tally.wrong.append(
                    f"{form}: {' '.join(found or (form,))}"
                    f" instead of {' '.join(due or (form,))}  | {around}"
                )
    return tallies


def main(arguments: Sequence[str]) -> None:
    """Print precision, recall and what went wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("file", type=Path, help="a CoNLL-U file with `# text` lines")
    sentences = list(read(parser.parse_args(arguments).file))
    print(f"{len(sentences)} sentences")
    for kind, tally in measure(sentences).items():
        print(f"{kind}: {tally}")
        for line in tally.wrong:
            print(f"  {line}")


if __name__ == "__main__":
    main(sys.argv[1:])
