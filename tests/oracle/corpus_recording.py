"""Record outcomes for the verdict corpus: `python -m tests.oracle.corpus_recording SOURCE [--modes M,..] [--cases N]`.

A source is a subject, whose answers to drawn cases are recorded; or one of

- `corrupted`: NumPy's answers to drawn cases, changed into wrong ones;
- `perturbed`: NumPy's answers, changed as little as other arithmetic might;
- `allowances`: their witnesses and counter-examples, and the wrong answers of `test_counterexamples`;
- `recorded_cases`: what `tfnp` answers to the cases in `tests/repros`, in their modes;
- `programs`: what `tfnp` answers to drawn programs, with the steps of the answer;
- `corrupted_programs`: NumPy's answers to drawn programs, of which one step is changed.

What an outcome is recorded for is its verdict. So an outcome is left out if it is NumPy's own, bit by bit, and there
are such for its name already; if elements of NumPy's answer are uninitialised, or drawn without a seed; if it cannot be
encoded, or the judge's verdict on the decoded outcome is another one; if the verdict is not the same twice; if it is
large, or judging it takes long.

Run `python -m oracle.corpus --accept` afterwards, which records the verdicts.
"""

from __future__ import annotations

import argparse
import random
import time
import warnings
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from fuzz.engine.tasks import WorkerContext
from fuzz.generate.calls import draw_case, generated_names
from fuzz.generate.choices import SeedChoices
from fuzz.generate.programs import draw_program
from fuzz.triage.recorded_cases import read_recorded
from oracle import Case, Mode, Outcome, run_numpy
from oracle.accepted_differences.uninitialised import mask_of_promised
from oracle.compare.pipeline import is_identical
from oracle.corpus import files
from oracle.corpus.records import ON_ARRAYS, ON_TENSORS, RecordedOutcome, judge_alone, summarize
from oracle.equality.finite_differences import Slopes, is_differentiable, weights_of
from oracle.execution.modes import run_case
from oracle.execution.steps import is_recordable
from oracle.harness import ACCEPTING, Lease, Sandbox, find_examples, judge_siblings
from oracle.modes import GRADIENTS
from oracle.sandbox.pool import Death, Limits
from oracle.sandbox.worker import Failure
from oracle.verdict import LARGEST_ANSWER, count_bytes
from tests.oracle.corrupted import corrupt
from tests.oracle.perturbed import perturb

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent / "corpus"
PROGRAMS = 0.1  # the share of programs among the drawn cases
LONGEST = 20_000  # characters of a record
SLOWEST = 0.5  # CPU seconds of a verdict
MOST_IDENTICAL = 1  # records of a name in a mode whose outcome is NumPy's own
CHANGES = {"corrupted": corrupt, "perturbed": perturb}
MODES_OF_CHANGES = ("eager", "eager", "graph", "xla", "graph_dims", "graph_rank", "while", "gradient", "repeated")
OF_PROGRAMS = ("programs", "corrupted_programs")
PROGRAM = "program"  # instead of a name: programs of several steps
STRIDE = 331  # from one name to the next: it has no divisor in common with their number
MOST_DRAWN = 40  # cases, until one has a gradient
STORED_EVERY = 200  # new records: what is interrupted has stored these


@dataclass(frozen=True)
class Task:
    """A case to answer in some modes: drawn for a name by a seed, or given as JSON. `modes` may name a change."""

    modes: tuple[str, ...]
    name: str = ""
    seed: int = 0
    case: str = ""


@dataclass(frozen=True)
class Recorded:
    """A record, or why there is none of a case."""

    line: str = ""
    is_identical: bool = False
    left_out: str = ""
    case: str = ""


def draw(name: str, seed: int) -> Case:
    """Draw a case for a name, or in one of ten a program."""
    choices = SeedChoices(seed)
    if random.Random(seed).random() < PROGRAMS:
        return draw_program(choices, generated_names())
    return draw_case(choices, name)


def draw_differentiable(name: str, seed: int) -> Case:
    """Draw a case that has a gradient, if one of many has."""
    cases = (draw(name, zlib.crc32(f"{seed} {number}".encode())) for number in range(MOST_DRAWN))
    return next((case for case in cases if is_differentiable(case) and weights_of(case)), draw(name, seed))


def draw_steps(seed: int) -> Case:
    """Draw a program of several steps."""
    cases = (
        draw_program(SeedChoices(zlib.crc32(f"{seed} {number}".encode())), generated_names()) for number in count()
    )
    return next(case for case in cases if is_recordable(case))


def answer_task(bench: WorkerContext, task: Task) -> list[Recorded]:
    """Run a case in a subject. Runs in a worker."""
    drawn = draw_steps(task.seed) if task.name == PROGRAM else draw(task.name, task.seed)
    case = Case.from_json(task.case) if task.case else drawn
    if not task.case and GRADIENTS.issuperset(task.modes):
        case = draw_differentiable(task.name, task.seed)
    if reason := find_unfitness(case, run_numpy(case)):
        return [Recorded(left_out=reason)]
    results = []
    for mode in map(Mode, task.modes):
        (verdict,) = judge_siblings([case], [mode], bench.subject, twice=False)
        outcome = verdict.outcomes[str(mode)]
        results.append(record(case, mode, bench.subject.takes_tensors, outcome))
    return results


def change_task(context: Any, task: Task) -> list[Recorded]:
    """Change NumPy's answer to a case. Runs in a worker."""
    rng, case = random.Random(task.seed), draw(task.name, task.seed)
    expected = run_numpy(case)
    if reason := find_unfitness(case, expected):
        return [Recorded(left_out=reason)]
    mode, on_tensors = Mode(rng.choice(MODES_OF_CHANGES)), rng.random() < 0.5
    outcome = CHANGES[task.modes[0]](rng, expected, case)
    if mode.name == "gradient" and rng.random() < 0.5:
        outcome = Outcome(Slopes((rng.choice([0.0, np.nan, 1e300]),), (1.0,)))
    return [record(case, mode, on_tensors, outcome)]


def change_step(context: Any, task: Task) -> list[Recorded]:
    """Change a step of NumPy's answer to a program. Runs in a worker."""
    rng, case = random.Random(task.seed), draw_steps(task.seed)
    outcome = run_case(Mode("eager"), case, ON_ARRAYS)
    if reason := find_unfitness(case, run_numpy(case)):
        return [Recorded(left_out=reason)]
    if not outcome.steps:
        return [Recorded(left_out="no steps")]
    index = rng.randrange(len(outcome.steps))
    posed, step = outcome.steps[index]
    changed = corrupt(rng, step, posed)
    steps = (*outcome.steps[:index], (posed, changed))
    is_last = index == len(outcome.steps) - 1
    steps += () if changed.error is not None else outcome.steps[index + 1 :]
    outcome = changed if is_last or changed.error is not None else outcome
    return [record(case, Mode("eager"), False, replace(outcome, steps=steps))]


def find_unfitness(case: Case, expected: Outcome) -> str:
    """Return why no outcome of a case is recorded; nothing if it may be."""
    if count_bytes(expected) > LARGEST_ANSWER:
        return "large"
    if any(call.name == "random.default_rng" and not (call.args or call.kwargs) for call in case.calls()):
        return "random without a seed"
    mask = mask_of_promised(case, getattr(expected.value, "shape", ()))
    if mask is not None and not mask.all():
        return "elements are uninitialised"
    return ""


def record(case: Case, mode: Mode, on_tensors: bool, outcome: Outcome) -> Recorded:
    """Return the record of an outcome, or why it is left out."""
    expected = run_numpy(case)
    if outcome.kind == "unsupported" or expected.kind == "memory":
        return Recorded(left_out=outcome.kind if outcome.kind == "unsupported" else expected.kind)
    try:
        made = RecordedOutcome.of(case, mode, on_tensors, outcome)
        reason = find_reason(made, case, mode, on_tensors, outcome)
    except (TypeError, ValueError) as error:
        reason = f"not encoded: {type(error).__name__}: {str(error)[:80]}"
    if reason:
        return Recorded(left_out=reason, case=f"{mode}: {str(case)[:200]}")
    same = outcome.kind == expected.kind == "ok" and is_identical(expected.value, outcome.value) and not outcome.after
    return Recorded(made.line, same)


def find_reason(made: RecordedOutcome, case: Case, mode: Mode, on_tensors: bool, outcome: Outcome) -> str:
    """Return why a record is left out; nothing if it is not."""
    begun = time.process_time()
    verdict = summarize(made.judge())
    seconds = time.process_time() - begun
    if len(made.line) > LONGEST:
        return "large"
    if seconds > SLOWEST:
        return "slow to judge"
    if verdict != summarize(judge_alone(case, mode, ON_TENSORS if on_tensors else ON_ARRAYS, outcome)):
        return "judged differently when decoded"
    if verdict != summarize(made.judge()):
        return "judged differently the second time"
    return ""


def list_examples() -> Iterator[tuple[Case, Mode, Outcome]]:
    """Yield the witnesses and counter-examples of the allowances, and the wrong answers once accepted."""
    from tests.oracle.test_counterexamples import WRONG

    for entry in ACCEPTING:
        examples = find_examples(entry.id)
        for example in (*examples.witnesses, *examples.counter):
            yield example.case, example.mode, example.outcome()
    for exchange in WRONG.values():
        yield exchange.case, Mode(exchange.mode), exchange.outcome()


def record_examples() -> Iterator[Recorded]:
    """Yield the records of the examples."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for case, mode, outcome in list_examples():
            reason = find_unfitness(case, run_numpy(case))
            yield Recorded(left_out=reason) if reason else record(case, mode, True, outcome)


def list_tasks(source: str, modes: Sequence[str], cases: int, seed: int, names: Sequence[str] = ()) -> Iterator[Task]:
    """Yield the tasks of a source. A few cases are of names of every topic."""
    if source == "recorded_cases":
        for path in sorted((ROOT / "tests" / "repros").glob("*.jsonl")):
            for one in read_recorded(path):
                own = [mode.partition("@")[0] for mode in one.modes if mode.partition("@")[0] not in one.slow]
                yield Task(tuple(own), case=one.case.json())
        return
    if source in OF_PROGRAMS:
        names = (PROGRAM,)
    names, modes = names or generated_names(), (source,) if source in CHANGES else tuple(modes)
    for number in range(cases):
        name = names[number * STRIDE % len(names)]
        drawn = zlib.crc32(f"{seed} {source} {','.join(modes)} {name} {number // len(names)}".encode())
        yield Task(modes, name, drawn)


FUNCTIONS = {**dict.fromkeys(CHANGES, "change_task"), "corrupted_programs": "change_step"}
"""The functions that run the tasks of sources; of others it is `answer_task`."""


def run_tasks(source: str, tasks: Iterable[Task], jobs: int) -> Iterator[Recorded]:
    """Run the tasks in workers, and yield records."""
    subject = {"recorded_cases": "tfnp", "programs": "tfnp"}.get(source, source)
    is_changed = source in (*CHANGES, "corrupted_programs")
    function = f"{__name__}:{FUNCTIONS.get(source, 'answer_task')}"
    arguments = {"subject": "numpy" if is_changed else subject, "devices": ("CPU:0",), "names": ()}
    modules = () if is_changed or subject == "numpy" else ("tensorflow",)
    with Sandbox(
        jobs,
        "fuzz.engine.tasks:prepare",
        arguments,
        start="fuzz.engine.tasks:start",
        limits=Limits(20.0),
        modules=modules,
    ) as sandbox:
        leases = (Lease(index, function, [task], confirm=False) for index, task in enumerate(tasks))
        for reply in sandbox.run(leases):
            for result in reply.results:
                if isinstance(result, (Death, Failure)):
                    yield Recorded(left_out=f"died: {result.kind}" if isinstance(result, Death) else "not drawn")
                else:
                    yield from result


def select(
    results: Iterable[Recorded], left_out: dict[str, list[str]], most_identical: int
) -> Iterator[RecordedOutcome]:
    """Yield the records to add. `left_out` lists the other cases by reason."""
    identical: Counter[tuple[str, str]] = Counter()
    for result in results:
        if result.left_out:
            left_out.setdefault(result.left_out, []).append(result.case)
            continue
        made = RecordedOutcome(result.line)
        identical[made.name, made.mode] += result.is_identical
        if result.is_identical and identical[made.name, made.mode] > most_identical:
            left_out.setdefault("NumPy's own answer", []).append("")
        else:
            yield made


def main() -> None:
    """Record outcomes, and say how many, and what was left out."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracle.corpus_recording", description=__doc__)
    parser.add_argument("source")
    parser.add_argument("--file", default="", help="name of the source in the corpus; by default that of the subject")
    parser.add_argument("--modes", default="eager")
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--names", default="", metavar="NAME,..", help="by default all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    name, left_out = options.file or options.source.replace(".", "_"), dict[str, list[str]]()
    if options.source == "allowances":
        results: Iterable[Recorded] = record_examples()
    else:
        names = options.names.split(",") if options.names else ()
        tasks = list_tasks(options.source, options.modes.split(","), options.cases, options.seed, names)
        results = run_tasks(options.source, tasks, options.jobs)
    FOLDER.mkdir(exist_ok=True)
    records = {made.id: made for made in files.read_records(FOLDER, name)}
    before = stored = len(records)
    most = options.cases if options.source in OF_PROGRAMS else 0 if options.source in CHANGES else MOST_IDENTICAL
    for made in select(results, left_out, most):
        records.setdefault(made.id, made)
        if len(records) >= stored + STORED_EVERY:
            files.write_records(FOLDER, name, records.values())
            stored = len(records)
    files.write_records(FOLDER, name, records.values())
    print(f"{name}: {len(records) - before} records added, {len(records)} in all")
    for reason, cases in sorted(left_out.items(), key=lambda item: -len(item[1])):
        print(f"    {len(cases)} left out: {reason}")
        if "differently" in reason or "not encoded" in reason:
            print(*(f"        {case}" for case in cases), sep="\n")


if __name__ == "__main__":
    from tests.oracle import corpus_recording  # whose tasks workers can import

    corpus_recording.main()
