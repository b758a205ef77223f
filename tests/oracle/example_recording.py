"""Write the examples of an accepted difference: `python -m tests.oracle.example_recording ROW CASE [--subject S]`.

ROW is the id of a row that accepts what a subject answers to a case, and CASE the file of that case, such as
fuzz-out/1/cases/f-0123456789.json. The subject's answer becomes a witness, and the first of the answers which differ
from it in one element, dtype or shape that the judge reports is a counter-example. Read both: only you know whether the
second is a wrong answer that is near enough. Without --write they are printed only.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path

from fuzz.cli.case_files import read_case
from oracle import Case, Mode, Outcome
from oracle.corpus.records import RecordedOutcome
from oracle.examples import COUNTER, WITNESS
from oracle.execution.modes import run_case
from oracle.subject import Subject, load_subject
from tests.oracle.corrupted import corrupt

EXAMPLES = Path(__file__).parents[2] / "oracle" / "accepted_differences" / "examples.jsonl"
MOST_TRIED = 60  # changed answers, until one is reported


class NoExample(ValueError):
    """The row accepts nothing there, or everything."""


def make_examples(row: str, case: Case, mode: Mode, subject: Subject) -> tuple[str, str]:
    """Return the lines of a witness and of a counter-example. Raises NoExample if the row does not accept the answer,
    or if no answer near it is reported.
    """
    answer = run_case(mode, case, subject)
    witness = RecordedOutcome.of(case, mode, subject.takes_tensors, answer)
    verdict = witness.judge()
    if verdict.deviations or row not in {entry.allowance for entry in verdict.allowed}:
        raise NoExample(f"{row} does not accept what {subject.name} answers to {case}")
    for outcome in _change(answer, case):
        try:
            made = RecordedOutcome.of(case, mode, subject.takes_tensors, outcome)
        except (TypeError, ValueError):  # no file can hold it
            continue
        if made.judge().deviations:
            return _format(row, WITNESS, witness), _format(row, COUNTER, made)
    raise NoExample(f"{row} accepts any answer to {case}")


def _change(answer: Outcome, case: Case) -> Iterator[Outcome]:
    """Yield answers of the same form first, then others."""
    changed = [corrupt(random.Random(seed), answer, case) for seed in range(MOST_TRIED)]
    shape = getattr(answer.value, "shape", None)
    yield from sorted(changed, key=lambda one: getattr(one.value, "shape", ()) != shape)


def _format(row: str, role: str, made: RecordedOutcome) -> str:
    return json.dumps({"id": row, "role": role, **json.loads(made.line)}, separators=(",", ":"))


def main() -> None:
    """Print the examples, and add them to the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracle.example_recording", description=__doc__)
    parser.add_argument("row")
    parser.add_argument("case", type=Path)
    parser.add_argument("--subject", default="tfnp")
    parser.add_argument("--mode", default="eager")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    case = read_case(options.case)
    assert isinstance(case, Case)
    lines = make_examples(options.row, case, Mode.parse(options.mode), load_subject(options.subject))
    print(*lines, sep="\n")
    if options.write:
        table = sorted(
            [*EXAMPLES.read_text(encoding="utf-8").splitlines(), *lines], key=lambda line: json.loads(line)["id"]
        )
        EXAMPLES.write_text("\n".join(table) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
