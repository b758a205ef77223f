"""Judging recorded outcomes again: in worker processes that import NumPy alone, so that a crash ends one of them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from oracle.corpus.records import Judgement, RecordedOutcome, summarize
from oracle.sandbox.crash import Death
from oracle.sandbox.pool import Lease, Limits, Sandbox
from oracle.sandbox.worker import Failure

IN_LEASE = 40
LIMITS = Limits(seconds=30.0)
DETAIL = 200  # characters of a difference to show


@dataclass(frozen=True)
class Replay:
    """The verdict on a record now, with details of the differences, and the CPU seconds that it took."""

    record: RecordedOutcome
    verdict: Judgement
    details: Sequence[str] = field(default=())
    seconds: float = 0.0


def judge_records(records: Sequence[RecordedOutcome], jobs: int = 1) -> Iterator[Replay]:
    """Judge records in `jobs` processes, and yield the results in any order."""
    leases = [
        Lease(index, f"{__name__}:judge_line", [record.line for record in group], confirm=False)
        for index, group in enumerate(_split(records))
    ]
    with Sandbox(jobs, limits=LIMITS, modules=(__name__,)) as sandbox:
        for reply in sandbox.run(leases):
            for line, result in zip(leases[reply.index].items, reply.results, strict=True):
                yield _interpret(RecordedOutcome(line), result)


def _split(records: Sequence[RecordedOutcome]) -> Iterable[Sequence[RecordedOutcome]]:
    return (records[start : start + IN_LEASE] for start in range(0, len(records), IN_LEASE))


def _interpret(record: RecordedOutcome, result: Any) -> Replay:
    if isinstance(result, Death):
        return Replay(record, {"faults": [f"the judge's process ended: {result.kind}"]}, [result.detail])
    if isinstance(result, Failure):
        *_, last = result.trace.strip().split("\n")
        return Replay(record, {"faults": [f"the judge raised {last.partition(':')[0]}"]}, [last])
    verdict, details, seconds = result
    return Replay(record, verdict, details, seconds)


def judge_line(context: Any, line: str) -> tuple[Judgement, list[str], float]:
    """Judge a record in a worker. Returns verdict, details and CPU seconds."""
    begun = time.process_time()
    verdict = RecordedOutcome(line).judge()
    details = [f"{difference.kind}: {difference.detail[:DETAIL]}" for difference in verdict.deviations]
    return summarize(verdict), details, time.process_time() - begun
