"""Scorer: a segmenter and settings, bound.  The one place where text meets tokens."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from bleuprint import _choice as choice
from bleuprint._bleu import Formula
from bleuprint._corpus import Batch, References, Work, batches, with_sources
from bleuprint._errors import IncomparableError, RebuildError
from bleuprint._notes import Inspector, SeenReferences, no_ngram, square_references
from bleuprint._prepare import Preparation
from bleuprint._registry import Registry
from bleuprint._score import Score, score_of
from bleuprint._segmenter import BoundSegmenter
from bleuprint._signature import SegmenterId, Signature
from bleuprint._statistics import Statistics, count
from bleuprint._version import VERSION
from bleuprint.plugin import Segmenter

if TYPE_CHECKING:
    from bleuprint._comparison import Comparison

__all__ = ["Scorer", "corpus_bleu", "sentence_bleu"]

_BATCH = 1024  # segments: few enough to stay small in memory, enough to spread the overhead

#: What may look on as a corpus is counted: the batch, tokens by system, tokens by segment.
Watch = Callable[[Batch, list[list[list[str]]], list[list[list[str]]]], None]


class Counted(NamedTuple):
    """What becomes of a batch: a table and an inspector for each system."""

    tables: list[bytearray]
    inspectors: list[Inspector]


class Scorer:
    """Scores text with one segmenter and one set of settings.

    A value: nothing about it changes, making another one never changes the first, and it can be
    pickled to a worker process, where its engine is built again from the recipe.

    Args:
        lang: a language, by any of its codes (BCP 47, ISO 639, FLORES, or a pair whose target
            counts); its default segmenter is taken where no segmenter is named.
        segmenter: a name, with options in brackets if need be (``zh-jieba[hmm=off]``), or any
            object with `segment_batch` and `fingerprint`.
        lowercase: False, True (by Unicode's rules) or ``"tr"`` (Turkish and Azeri).
        normalize: steps joined by ``+`` in the order in which they run (``nfkc+digits``), or none.
        max_order: the longest n-gram.
        smoothing: ``exp``, ``floor``, ``add-k`` or ``none``.
        smoothing_value: for floor (0.1 if None) and add-k (1 if None).
        effective_order: leave out orders that no hypothesis is long enough for.
        registry: where segmenters come from; every installed plugin if None.

    Raises:
        LanguageError: the code is unknown, or the language has no default segmenter.
        SegmenterError: there is no such segmenter, or its engine is not installed.
        SettingError: a setting is out of range.
    """

    def __init__(
        self,
        lang: str | None = None,
        segmenter: str | Segmenter | None = None,
        *,
        lowercase: bool | str = False,
        normalize: str = "none",
        max_order: int = 4,
        smoothing: str = "exp",
        smoothing_value: float | None = None,
        effective_order: bool = False,
        registry: Registry | None = None,
    ) -> None:
        self._recipe: dict[str, Any] = {
            "lang": lang,
            "segmenter": segmenter,
            "lowercase": lowercase,
            "normalize": normalize,
            "max_order": max_order,
            "smoothing": smoothing,
            "smoothing_value": smoothing_value,
            "effective_order": effective_order,
            "registry": registry,
        }
        self.formula = Formula(
            max_order=max_order,
            smoothing=smoothing,
            value=smoothing_value,
            effective_order=effective_order,
        )
        self.preparation = Preparation(normalize=normalize, lowercase=lowercase)
        self.language = None if lang is None else choice.resolve(lang)
        if segmenter is not None and not isinstance(segmenter, str):
            self.segmenter = BoundSegmenter.of_object(segmenter)
        else:
            self.segmenter = choice.choose(self.language, segmenter, registry or choice.installed())
        self._notes = tuple(choice.notes_on_choice(self.language, self.segmenter))

    def __reduce__(self) -> tuple[Callable[[dict[str, Any]], Scorer], tuple[dict[str, Any]]]:
        return _rebuild, (self._recipe,)

    def __repr__(self) -> str:
        settings = ", ".join(
            f"{name}={value!r}" for name, value in self._recipe.items() if value is not None
        )
        return f"Scorer({settings})"

    @classmethod
    def from_signature(
        cls, signature: str | Signature, *, registry: Registry | None = None
    ) -> Scorer:
        """Rebuild the settings that a signature states: bleuprint's own, or sacreBLEU's.

        The number of references, resampling, test set, language and version are no settings and
        are passed over.  What sacreBLEU cannot be but silent about is what it does: no
        normalisation, order 4, and in 1.x no effective order.

        Raises:
            SignatureSyntaxError: the string is no signature.
            RebuildError: what it pins cannot be had here: a missing plugin or model, a dictionary
                or probe that differs from the installed one.
        """
        from bleuprint._rebuild import settings_of, unmet

        registry = registry or choice.installed()
        if not isinstance(signature, Signature):
            signature = Signature.parse(signature)
        settings, pinned = settings_of(signature, registry)
        scorer = cls(registry=registry, **settings)
        differences = unmet(pinned, dict(scorer.segmenter_id.provenance))
        if differences:
            raise RebuildError(
                f"segmenter {scorer.segmenter.name!r} is not the one that the signature pins: "
                + "; ".join(differences)
            )
        return scorer

    @property
    def segmenter_id(self) -> SegmenterId:
        """The segmenter's name, options and provenance, as a signature shows them."""
        return self.segmenter.id

    def corpus(self, hypotheses: Iterable[str], references: Iterable[References]) -> Score:
        """Score a corpus.

        Args:
            hypotheses: one text a segment.
            references: by segment, one text or a list of texts (`by_segment` turns streams).

        Raises:
            ShapeError: the two do not pair up.
        """
        return self.score(self.statistics(hypotheses, references))

    def sentence(
        self, hypothesis: str, references: References, *, effective_order: bool = True
    ) -> Score:
        """Score one segment, with effective order unless told otherwise."""
        formula = replace(self.formula, effective_order=effective_order)
        return self._score(self.statistics([hypothesis], [references]), formula)

    def sentences(
        self,
        hypotheses: Iterable[str],
        references: Iterable[References],
        *,
        effective_order: bool = True,
    ) -> list[Score]:
        """Score every segment by itself, with effective order unless told otherwise.

        The segments are cut and counted in one pass, as a corpus is.
        """
        statistics = self.statistics(hypotheses, references)
        return self.scores(statistics, effective_order=effective_order)

    def statistics(self, hypotheses: Iterable[str], references: Iterable[References]) -> Statistics:
        """Count a corpus, segment by segment.

        Both sides may be any iterable; they are read in step, and no text is held longer than its
        batch.
        """
        (statistics,) = self.collect([hypotheses], references)
        return statistics

    def collect(
        self,
        systems: Sequence[Iterable[str]],
        references: Iterable[References],
        *,
        sources: Iterable[str] | None = None,
        jobs: int = 1,
        watch: Watch | None = None,
    ) -> list[Statistics]:
        """Count several systems against the same references, which are cut and counted once.

        Args:
            systems: for each system, its hypotheses.
            references: by segment, as everywhere.
            sources: the source text of each segment, to find untranslated copies of it.
            jobs: processes to share the work between; the numbers are the same with any.
            watch: called with each batch, the tokens of its hypotheses and of its references.

        Returns:
            For each system, its statistics.
        """
        rows = [bytearray() for _ in systems]
        inspectors = [self._inspector() for _ in systems]
        least, most, square = sys.maxsize, 0, True
        work = with_sources(batches(systems, references, _BATCH), sources)
        for batch, counted in self._counted(work, jobs, watch):
            for row, table in zip(rows, counted.tables, strict=True):
                row += table
            for inspector, seen in zip(inspectors, counted.inspectors, strict=True):
                inspector.absorb(seen)
            lengths = list(map(len, batch.references))
            least, most = min(least, *lengths), max(most, *lengths)
            square = square and batch.several
        segments = len(rows[0]) // (16 + 16 * self.formula.max_order) if rows else 0
        about = (
            [square_references(segments)]
            if square and segments >= 2 and least == most == segments
            else []
        )
        return [
            Statistics(
                rows=row,
                max_order=self.formula.max_order,
                nrefs=(least, most),
                case=self.preparation.case,
                norm=self.preparation.norm,
                tok=str(self.segmenter_id),
                notes=(*self._notes, *about, *inspector.notes()),
            )
            for row, inspector in zip(rows, inspectors, strict=True)
        ]

    def score(self, statistics: Statistics) -> Score:
        """Score the corpus that the statistics were counted from.

        Raises:
            IncomparableError: they were counted with other settings than this scorer's.
        """
        return self._score(statistics, self.formula)

    def scores(self, statistics: Statistics, *, effective_order: bool = True) -> list[Score]:
        """Score every row of the statistics by itself; notes belong to the whole and are left out.

        Raises:
            IncomparableError: as `score`.
        """
        formula = replace(self.formula, effective_order=effective_order)
        signature = self._signature_of(statistics, formula)
        numbers = memoryview(statistics.rows).cast("q")
        width = statistics.columns
        return [
            score_of(numbers[at : at + width].tolist(), formula, signature)
            for at in range(0, len(numbers), width)
        ]

    def bootstrap(
        self, statistics: Statistics, *, samples: int = 1000, seed: int = 12345, level: float = 0.95
    ) -> Score:
        """Score a corpus with a confidence interval, by resampling its segments.

        See `bleuprint._resampling.bootstrap` for the definition.  Seed and samples stand in the
        signature.
        """
        from bleuprint._resampling import bootstrap

        score = self.score(statistics)
        interval = bootstrap(
            statistics.table, formula=self.formula, samples=samples, seed=seed, level=level
        )
        signature = replace(score.signature, bs=str(samples), seed=str(seed))
        return replace(score, interval=interval, signature=signature)

    def compare(self, statistics: Mapping[str, Statistics], **settings: Any) -> Comparison:
        """Score several systems, and test which of them differ by more than chance.

        Args:
            statistics: by name, what `statistics` or `collect` counted, over the same segments.
            settings: test, samples, seed, level, alpha, baseline, baseline_only, like_sacrebleu,
                as `bleuprint._comparison.compare` defines them.

        Raises:
            IncomparableError: the systems were not counted alike.
        """
        from bleuprint._comparison import compare

        return compare(self, statistics, **settings)

    def segment(self, lines: Sequence[str]) -> list[list[str]]:
        """Return the tokens of each line, prepared as for a score."""
        batch = self.segmenter.segment_prepared(self.preparation.apply(lines))
        self.segmenter.check(batch)
        return batch

    def count_batch(
        self, batch: Batch, sources: Sequence[str] | None = None, watch: Watch | None = None
    ) -> Counted:
        """Cut and count one batch: the whole work, but for putting batches together."""
        flat = list(chain.from_iterable(batch.references))
        lines: list[str] = []
        for texts in (*batch.systems, flat):
            lines += self.preparation.apply(texts)
        tokens = self._cut(lines, batch)
        size = len(batch)
        systems = [tokens[i * size : (i + 1) * size] for i in range(len(batch.systems))]
        flat_tokens = tokens[len(batch.systems) * size :]
        if batch.several:
            own = iter(flat_tokens)
            references = [[next(own) for _ in texts] for texts in batch.references]
        else:
            references = [[cut] for cut in flat_tokens]
        try:
            tables = count(systems, references, self.formula.max_order)
        except (TypeError, ValueError):  # a token that is none: say whose
            self.segmenter.check(tokens, batch.name_of)
            raise
        inspectors = [self._inspector() for _ in batch.systems]
        seen = SeenReferences(batch.references)
        for inspector, texts, cut in zip(inspectors, batch.systems, systems, strict=True):
            inspector.see(texts, seen, tokens=cut, reference_tokens=flat_tokens, sources=sources)
        if watch is not None:
            watch(batch, systems, references)
        return Counted(tables, inspectors)

    def _counted(
        self, work: Iterable[Work], jobs: int, watch: Watch | None
    ) -> Iterator[tuple[Batch, Counted]]:
        if jobs > 1 and watch is None:
            from bleuprint._parallel import count_in_parallel

            yield from count_in_parallel(self, work, jobs)
            return
        for batch, sources in work:
            yield batch, self.count_batch(batch, sources, watch)

    def _cut(self, lines: list[str], batch: Batch) -> list[list[str]]:
        """Cut the lines of a batch, each once however often it stands there."""
        unique = list(dict.fromkeys(lines))
        if len(unique) == len(lines):
            return self.segmenter.segment_prepared(lines, batch.name_of)

        def name(index: int) -> str:
            return batch.name_of(lines.index(unique[index]))

        tokens = dict(zip(unique, self.segmenter.segment_prepared(unique, name), strict=True))
        return [tokens[line] for line in lines]

    def _inspector(self) -> Inspector:
        return Inspector(self.segmenter.spec, norm=self.preparation.norm)

    def _score(self, statistics: Statistics, formula: Formula) -> Score:
        signature = self._signature_of(statistics, formula)
        sums = statistics.sums()
        notes = statistics.notes
        if sums[0] and not sums[-1] and not formula.effective_order:
            notes = (*notes, no_ngram(statistics.max_order, len(statistics)))
        return score_of(sums, formula, signature, notes)

    def _signature_of(self, statistics: Statistics, formula: Formula) -> Signature:
        unlike = statistics.unlike(
            case=self.preparation.case,
            norm=self.preparation.norm,
            max_order=self.formula.max_order,
            tok=str(self.segmenter_id),
        )
        if unlike:
            raise IncomparableError(f"this scorer did not make these statistics: {unlike}")
        least, most = statistics.nrefs
        return Signature(
            nrefs=str(least) if least == most else f"{least}-{most}",
            case=statistics.case,
            norm=statistics.norm,
            eff="yes" if formula.effective_order else "no",
            order=str(statistics.max_order),
            tok=statistics.tok,
            smooth=formula.smoothing_field,
            version=f"bleuprint-{VERSION}",
        )


def corpus_bleu(
    hypotheses: Iterable[str], references: Iterable[References], **settings: Any
) -> Score:
    """Score a corpus with a Scorer made of `settings`; see `Scorer` for them."""
    return Scorer(**settings).corpus(hypotheses, references)


def sentence_bleu(hypothesis: str, references: References, **settings: Any) -> Score:
    """Score one segment with a Scorer made of `settings`, with effective order unless they say."""
    effective_order = settings.pop("effective_order", True)
    return Scorer(**settings).sentence(hypothesis, references, effective_order=effective_order)


def _rebuild(recipe: dict[str, Any]) -> Scorer:
    return Scorer(**recipe)
