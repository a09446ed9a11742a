"""What is measured: who runs on which corpus, with which command."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.corpora import Corpus
from benchmarks.environments import OURS, PURE, SACREBLEU, Environment
from benchmarks.measuring import Contender, Measured, compete, launch

WORKER = str(Path(__file__).with_name("worker.py"))

WHOLE = {
    "13a": ("pt", (2_000, 20_000, 200_000)),
    "zh": ("zh", (2_000, 20_000, 200_000)),
    "char": ("pt", (20_000,)),
    "intl": ("pt", (20_000,)),
    "ja-mecab": ("ja", (20_000,)),
    "ko-mecab": ("ko", (20_000,)),
}
GROWTH = (1_000, 10_000, 100_000, 1_000_000)
COUNTED = 20_000
RESAMPLED = (2_000, 20_000)
CUT = 20_000

#: Every segmenter, with a text to cut and the peer that cuts the same way.
ENGINES: dict[str, tuple[str, str | None]] = {
    "13a": ("pt", SACREBLEU),
    "intl": ("pt", SACREBLEU),
    "char": ("pt", SACREBLEU),
    "zh": ("zh", SACREBLEU),
    "ja-mecab": ("ja", SACREBLEU),
    "ko-mecab": ("ko", SACREBLEU),
    "zh-jieba": ("zh", "jieba"),
    "th-newmm": ("th", "pythainlp"),
    "none": ("pt", None),
    "pt-contractions": ("pt", None),
    "moses": ("pt", None),
    "ja-unidic": ("ja", None),
    "ko-kiwi": ("ko", None),
    "icu": ("th", None),
}
OPTIONS = {"icu": "icu[lang=th]", "moses": "moses[lang=pt]"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Everything that a task needs."""

    environments: Mapping[str, Environment]
    corpus: Callable[[str, int], Corpus]
    directory: Path  #: for files made on the way
    rounds: int
    largest: int  #: corpora beyond are left out
    largest_for_sacrebleu: int  #: the same for sacreBLEU, which holds a corpus in memory

    def worker(self, name: str, job: str, peer: str, *arguments: str) -> Contender:
        """Return a job in that environment."""
        python = self.environments[name].program("python")
        return Contender(name=name, command=(python, WORKER, job, peer, *arguments), worker=True)

    def ours(self) -> list[str]:
        return [name for name in (OURS, PURE) if name in self.environments]


def score_commands(bench: Bench, segmenter: str, corpus: Corpus) -> Iterator[Contender]:
    """Yield everybody who can score the corpus with that segmenter, as whole processes."""
    hyp, ref = str(corpus.hypotheses), str(corpus.references[0])
    for name in bench.ours():
        command = bench.environments[name].program("bleuprint")
        settings = ("--segmenter", segmenter, "-b", "-w", "9")
        yield Contender(name=name, command=(command, "score", ref, "-i", hyp, *settings))
    if SACREBLEU in bench.environments and corpus.segments <= bench.largest_for_sacrebleu:
        command = bench.environments[SACREBLEU].program("sacrebleu")
        settings = ("-tok", segmenter, "-b", "-w", "9")
        yield Contender(name=SACREBLEU, command=(command, ref, "-i", hyp, *settings))
    if segmenter == "13a":
        for name in ("bleuscore", "sacrebleu-mojo", "NLTK"):
            if name in bench.environments:
                worker = bench.worker(name, "score", name, hyp, ref)
                yield Contender(name=name, command=worker.command)


def whole(bench: Bench) -> Iterator[list[Measured]]:
    """Score as a user does: a process that starts, reads, scores, prints and ends."""
    for segmenter, (lang, sizes) in WHOLE.items():
        for size in sizes:
            if size <= bench.largest:
                contenders = list(score_commands(bench, segmenter, bench.corpus(lang, size)))
                yield compete(f"whole process, {segmenter}", size, contenders, bench.rounds)


def growth(bench: Bench) -> Iterator[list[Measured]]:
    """The same, our own, from small to large."""
    for segmenter, lang in (("13a", "pt"), ("zh", "zh")):
        for size in GROWTH:
            if size <= bench.largest:
                everybody = score_commands(bench, segmenter, bench.corpus(lang, size))
                own = [each for each in everybody if each.name in bench.ours()]
                yield compete(f"growth, {segmenter}", size, own, bench.rounds)


def resampling(bench: Bench) -> Iterator[list[Measured]]:
    """Resample statistics that are there already: an interval, and both paired tests.

    Each run is one call in a process of its own, as a user makes it.  sacreBLEU's second call in a
    process can take a fifth of its first, since it gets its gigabytes of memory back.
    """
    for size in RESAMPLED:
        if size > bench.largest:
            continue
        corpus = bench.corpus("pt", size)
        reference, second, *_ = corpus.references
        tokens = tokenized(bench, "13a", (reference, corpus.hypotheses, second))
        for test in ("bootstrap", "paired-bs", "paired-ar"):
            contenders = [
                bench.worker(name, "resample", "bleuprint", test, *tokens) for name in bench.ours()
            ]
            contenders.append(bench.worker(SACREBLEU, "resample", SACREBLEU, test, *tokens))
            yield compete(f"resampling, {test}", size, contenders, bench.rounds)


def tokenized(bench: Bench, segmenter: str, sources: Sequence[Path]) -> list[str]:
    """Write the tokens of files as sacreBLEU has them, and return where."""
    tokens = []
    for source in sources:
        tokens.append(str(bench.directory / f"{source.stem}.{segmenter}.tokens"))
        launch(bench.worker(SACREBLEU, "tokenize", SACREBLEU, segmenter, str(source), tokens[-1]))
    return tokens


def counting(bench: Bench) -> Iterator[list[Measured]]:
    """Count tokens that are there already, against one reference and against three."""
    size = min(COUNTED, bench.largest)
    for segmenter, lang in (("13a", "pt"), ("zh", "zh")):
        corpus = bench.corpus(lang, size)
        tokens = tokenized(bench, segmenter, (corpus.hypotheses, *corpus.references))
        for references in (1, 3):
            contenders = [
                bench.worker(name, "count", "bleuprint", *tokens[: 1 + references])
                for name in bench.ours()
            ]
            contenders.append(
                bench.worker(SACREBLEU, "count", SACREBLEU, *tokens[: 1 + references])
            )
            work = f"counting, {segmenter}, {references} reference{'s' * (references > 1)}"
            yield compete(work, size, contenders, bench.rounds)


def engines(bench: Bench) -> Iterator[list[Measured]]:
    """Cut with every segmenter, and with the engine that it stands for on its own."""
    size = min(CUT, bench.largest)
    for segmenter, (lang, peer) in ENGINES.items():
        source = str(bench.corpus(lang, size).hypotheses)
        name = OPTIONS.get(segmenter, segmenter)
        contenders = [
            bench.worker(own, "segment", "bleuprint", name, source) for own in bench.ours()
        ]
        if peer is not None and peer in bench.environments:
            contenders.append(bench.worker(peer, "segment", peer, name, source))
        yield compete(f"segmenting, {segmenter}", size, contenders, bench.rounds)


TASKS: dict[str, Callable[[Bench], Iterator[list[Measured]]]] = {
    "whole": whole,
    "counting": counting,
    "engines": engines,
    "resampling": resampling,
    "growth": growth,
}
