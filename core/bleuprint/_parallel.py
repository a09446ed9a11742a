"""Share the cutting and counting of a corpus between processes.

Texts go in and statistics come back, never tokens: those are ten times as large.  What comes out is
the same, bit for bit, as from one process.  Starting the processes costs about what 30,000 lines of
a slow engine do.
"""

from __future__ import annotations

import multiprocessing
import pickle
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from typing import TYPE_CHECKING

from bleuprint._corpus import Batch, Work
from bleuprint._errors import SettingError

if TYPE_CHECKING:
    from bleuprint._scorer import Counted, Scorer

__all__ = ["count_in_parallel"]

# The scorer of a worker process: it is built once there, from its recipe.
_scorer: Scorer | None = None


def count_in_parallel(
    scorer: Scorer, work: Iterable[Work], jobs: int
) -> Iterator[tuple[Batch, Counted]]:
    """Count batches in `jobs` processes, and yield them in their order.

    Raises:
        SettingError: the scorer cannot travel, since its segmenter is an object that cannot.
    """
    try:
        recipe = pickle.dumps(scorer)
    except Exception as error:  # pickling runs the object's own code, which may raise anything
        raise SettingError(
            f"{scorer!r} cannot go to another process: {error}; use one job, or make its segmenter "
            "a plugin"
        ) from error
    # spawned, not forked: engines have threads and locks of their own
    context = multiprocessing.get_context("spawn")
    waiting: deque[tuple[Batch, Future[Counted]]] = deque()
    with ProcessPoolExecutor(jobs, context, _start, (recipe,)) as pool:
        try:
            for batch, sources in work:
                waiting.append((batch, pool.submit(_count, batch, sources)))
                if len(waiting) > 2 * jobs:  # no more texts in memory than keep all busy
                    done, future = waiting.popleft()
                    yield done, future.result()
            while waiting:
                done, future = waiting.popleft()
                yield done, future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _start(recipe: bytes) -> None:
    global _scorer
    _scorer = pickle.loads(recipe)


def _count(batch: Batch, sources: Sequence[str] | None) -> Counted:
    if _scorer is None:
        raise RuntimeError("this process was not started by count_in_parallel")
    return _scorer.count_batch(batch, sources)
