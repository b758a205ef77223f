"""Comparing the verdicts of today with the recorded ones, and recording those of today."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from oracle.corpus import files
from oracle.corpus.changes import VerdictChange, describe_status
from oracle.corpus.records import Judgement, RecordedOutcome
from oracle.corpus.replay import judge_records


@dataclass(frozen=True)
class Part:
    """One of `count` parts of a corpus. A record is always in the same part, whatever else is recorded."""

    index: int = 1
    count: int = 1

    @classmethod
    def parse(cls, text: str) -> Part:
        """Return the part that `1/10` names."""
        index, _, count = text.partition("/")
        if not (index.isdigit() and count.isdigit() and 1 <= int(index) <= int(count)):
            raise argparse.ArgumentTypeError(f"{text!r} is no part such as 1/10")
        return cls(int(index), int(count))

    def has(self, record: RecordedOutcome) -> bool:
        """Return whether the record is in this part."""
        return int(record.id, 16) % self.count == self.index - 1


@dataclass
class CorpusCheck:
    """Verdicts of today by source and record, the changes, and the CPU seconds of the judge."""

    verdicts: dict[str, dict[str, Judgement]] = field(default_factory=dict)
    changes: list[VerdictChange] = field(default_factory=list)
    seconds: float = 0.0

    def describe(self) -> str:
        """Return how many verdicts there are of each sort, and how many changed."""
        judged = [verdict for verdicts in self.verdicts.values() for verdict in verdicts.values()]
        sorts = Counter(describe_status(verdict).partition(" ")[0] for verdict in judged)
        counts = ", ".join(f"{count} {sort}" for sort, count in sorted(sorts.items()))
        return f"{len(self.changes)} of {len(judged)} verdicts changed ({counts}); {self.seconds:.0f} s of CPU time"


def check(folder: Path, sources: Sequence[str] = (), part: Part | None = None, jobs: int = 1) -> CorpusCheck:
    """Judge the records of some sources, or of all. Raises FileNotFoundError if there are none."""
    known, part = files.list_sources(folder), part or Part()
    for source in sources or [""]:
        if not known or (source and source not in known):
            raise FileNotFoundError(f"{folder} has no records{f' of {source}' if source else ''}")
    result, before = CorpusCheck(), {}
    records: dict[str, RecordedOutcome] = {}
    sources_of: dict[str, list[str]] = {}
    for source in sources or known:
        result.verdicts[source], before[source] = {}, files.read_verdicts(folder, source)
        for record in read_part(folder, source, part):
            records[record.id] = record
            sources_of.setdefault(record.id, []).append(source)
    for one in judge_records(list(records.values()), jobs):
        result.seconds += one.seconds
        for source in dict.fromkeys(sources_of[one.record.id]):
            result.verdicts[source][one.record.id] = one.verdict
            earlier = before[source].get(one.record.id, {})
            if earlier != one.verdict:
                result.changes.append(VerdictChange(source, earlier, one))
    return result


def read_part(folder: Path, source: str, part: Part) -> list[RecordedOutcome]:
    """Return the records of a source that are in a part."""
    return [record for record in files.read_records(folder, source) if part.has(record)]


def accept(folder: Path, result: CorpusCheck) -> None:
    """Record the verdicts of today. Those of records that were not judged stay; those without a record go."""
    for source, verdicts in result.verdicts.items():
        records = files.read_records(folder, source)
        files.write_verdicts(folder, source, records, files.read_verdicts(folder, source) | verdicts)
    if len(result.verdicts) == len(files.list_sources(folder)):
        files.write_circumstances(folder)


def describe_circumstances(folder: Path) -> Iterator[str]:
    """Yield a line for each circumstance that is not as it was when the verdicts were recorded."""
    there, here = files.read_circumstances(folder), files.find_circumstances()
    for key, value in here.items():
        if there.get(key) != value:
            yield f"{key} is {value}, was {there.get(key, 'not recorded')} when verdicts were recorded: they may differ"
