"""Judge the verdict corpus and the examples of allowances in this process, where coverage.py sees it.

    coverage run --branch --source oracle -m tests.oracle.judging_in_process [--part K/N]

`tox -e oracle-coverage` reports which branches of the judge nothing reaches. The last lines name allowances that accept
no answer but their own witnesses: dead ones, unless a subject's answers that the corpus lacks need them.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from oracle.corpus import files
from oracle.corpus.comparison import Part, read_part
from oracle.corpus.records import RecordedOutcome, summarize
from oracle.harness import ACCEPTING, find_examples

FOLDER = Path("tests/oracle/corpus")


def list_records(part: Part) -> Iterator[RecordedOutcome]:
    """Yield the records of a part of the corpus, and all examples, each once."""
    records = {record.id: record for source in files.list_sources(FOLDER) for record in read_part(FOLDER, source, part)}
    for entry in ACCEPTING:
        examples = find_examples(entry.id)
        records |= {one.record.id: one.record for one in (*examples.witnesses, *examples.counter)}
    yield from records.values()


def count_accepted(part: Part) -> Counter[str]:
    """Judge, and return how many records each allowance accepts a difference of, its own witness left out."""
    witnesses = {entry.id: {one.record.id for one in find_examples(entry.id).witnesses} for entry in ACCEPTING}
    accepted: Counter[str] = Counter()
    for record in list_records(part):
        used = {text.partition(":")[0] for text in summarize(record.judge()).get("allowed", ())}
        accepted.update(identity for identity in used if record.id not in witnesses.get(identity, ()))
    return accepted


def main() -> int:
    """Judge, and print the allowances that nothing needed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--part", type=Part.parse, default=Part(), metavar="K/N", help="one part of N, such as 1/10")
    accepted = count_accepted(parser.parse_args().part)
    dead = [entry.id for entry in ACCEPTING if not accepted[entry.id]]
    print(f"{len(dead)} of {len(ACCEPTING)} allowances accepted no answer but their own witnesses")
    for identity in dead:
        print(f"  {identity}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
