"""The command `replay`: judge again what is known, and say what has become of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markup import escape

from fuzz.cli.case_files import Judged, RecordFile, find_records
from fuzz.cli.history import append_verdicts
from fuzz.cli.options import Unclear, errors_option, mode_options, python_option, setup_option, subject_option
from fuzz.differences import label_mode
from fuzz.engine.case_judge import CaseJudge
from fuzz.engine.domain import Unusable
from fuzz.engine.tasks import OWN
from fuzz.report.console import open_console
from fuzz.report.record import format_count
from fuzz.report.terminal import LONGEST, shorten
from fuzz.triage.atomic_files import write_file
from fuzz.triage.recorded_cases import drop_equal, write_recorded
from fuzz.triage.records import CHANGED, FIXED, REGRESSED, STATUSES, STILL, UNDECIDED, Record
from oracle import Mode

DIFFERENT_ERROR = "different error"
OF_FILES = {STILL: "differs", FIXED: "agrees"}
"""What is said of a case of which nothing is known."""

COLORS = {FIXED: "green", UNDECIDED: "yellow"}


@click.command(
    "replay",
    short_help="Judge again what is known: fixed, still there, changed, back.",
    epilog="Exit status: 0 if nothing differs but what a baseline accepts, or a recorded case has as open, 1 if "
    "something does, has changed or is back, or if an open case agrees, 2 for a usage error, 3 if the harness itself "
    "failed.",
)
@click.argument("words", nargs=-1, required=True, metavar="FILE|DIR|ID ...")
@python_option
@subject_option
@setup_option
@mode_options
@click.option(
    "--out",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="The run's directory in which to look up an ID. Default: all runs under fuzz-out/, the newest first.",
)
@errors_option
@click.option(
    "--history",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Append to this history what has become of findings; see `fuzz history`.",
)
@click.option(
    "--prune",
    is_flag=True,
    help="Remove the fixed findings from a baseline. Of files of recorded cases judge nothing: sort them, and keep "
    "only the smallest of the cases that show the same.",
)
@click.option("--reduce", "reduces", is_flag=True, help="Reduce the case to the smallest one; print it with a script.")
@click.option(
    "--budget", type=click.IntRange(1), metavar="N", help="Largest number of candidates of --reduce. Default: 400."
)
@click.option(
    "--write", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write the reduced case here, too."
)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@click.option("--verbose", is_flag=True, help="Show tracebacks.")
def replay_command(
    words: tuple[str, ...],
    subject: str | None,
    setup: str | None,
    modes: Sequence[str] | None,
    devices: Sequence[str] | None,
    out: Path | None,
    history: Path | None,
    interpreter: str,
    budget: int | None,
    write: Path | None,
    *,
    errors: bool,
    prune: bool,
    reduces: bool,
    as_json: bool,
    verbose: bool,
) -> int:
    """Judge again what is known: a case file, the id of a finding, a run's directory, a findings.jsonl, a baseline; or
    recorded cases: a file of them, one of its lines (FILE::ID), or a directory of such files.

    What is known is *still* there if one of its cases shows it; *changed* if they show something else; *fixed* if all
    agree; *regressed* if it was fixed, as a recorded case is unless it is open. A finding is judged in the modes that
    showed it, a recorded case in its own, a case file in the subject's, unless --modes names others.

    A case from a run's directory is judged against that run's subject, unless --subject names another. A subject that
    only a file names is imported if it is well known; any other must be named by --subject. The same holds for --setup.
    """
    console = open_console()
    files = [file for word in words for file in find_records(word, out, Judged(subject, setup))]
    if prune:
        check_whole(files, words)
    if reduces:
        _check_one(files, write)
    if prune and files[0].is_recorded:
        return _prune_recorded(files, console)
    found: list[Record] = []
    status = 0
    for file in files:
        judged = judge_records(file.records, file.judged, modes, devices, interpreter, exact_errors=errors)
        found += judged
        status = max(status, *(_is_wrong(file, one) for one in judged), 0)
        if not as_json:
            _show(file, judged, console)
        if prune:
            _prune_baseline(file, judged, console)
        if history is not None:
            append_verdicts(history, [one for one in judged if one.kind], file.judged.subject or OWN)
    if as_json:
        console.print_json(json.dumps([one.data() for one in sorted(found, key=lambda one: one.order)]))
    elif len(found) > 1:
        console.print(_count(found), highlight=False)
    if reduces and found[0].seen:
        _reduce(files[0].judged, found[0], budget, write, console, errors=errors, interpreter=interpreter)
    return status


def check_whole(files: Sequence[RecordFile], words: Sequence[str]) -> None:
    """Raise Unclear if files cannot be pruned: all baselines, or all whole files of recorded cases."""
    is_recorded = all(file.is_recorded for file in files) and not any("::" in word for word in words)
    if not (is_recorded or all(file.baseline is not None for file in files)):
        raise Unclear("--prune takes baselines, or whole files of recorded cases")


def _check_one(files: Sequence[RecordFile], write: Path | None) -> None:
    if write is not None and write.exists():
        raise Unclear(f"{write} exists and is not overwritten")
    count = sum(len(file.records) for file in files)
    if count != 1:
        raise Unclear(f"--reduce takes one case, not {count}")


def judge_records(
    records: Sequence[Record],
    judged: Judged,
    modes: Sequence[str] | None = None,
    devices: Sequence[str] | None = None,
    interpreter: str = "",
    *,
    exact_errors: bool = False,
) -> list[Record]:
    """Return the records with their statuses, judged in the environment of an interpreter. Errors are judged by NumPy's
    own classes in cases that were recorded for a different error; with `exact_errors` in all.
    """
    own = [Mode.parse(mode) for one in records for mode in one.modes]
    names = modes or list(dict.fromkeys(mode.name for mode in own)) or None
    locations = devices or list(dict.fromkeys(mode.device for mode in own)) or ("CPU:0",)
    asked = [label_mode(str(Mode(name, device))) for device in devices or locations[:1] for name in modes or ()]
    found: dict[int, Record] = {}
    for is_exact in (False, True):
        chosen = [i for i, one in enumerate(records) if (exact_errors or one.kind == DIFFERENT_ERROR) is is_exact]
        if chosen:
            options: dict[str, Any] = {"exact_errors": is_exact, "interpreter": interpreter}
            with _open_judge(judged, names, locations, not modes, options) as case_judge:
                found |= {i: case_judge.rejudge(records[i], asked) for i in chosen}
    return [found[i] for i in range(len(records))]


@contextmanager
def _open_judge(
    judged: Judged, names: Sequence[str] | None, locations: Sequence[str], may_lack: bool, options: Mapping[str, Any]
) -> Iterator[CaseJudge]:
    """Yield a judge in some modes; in the subject's own, if it may lack some of these and does."""
    with ExitStack() as stack:
        try:
            case_judge = stack.enter_context(CaseJudge(judged.subject, names, locations, judged.setup, **options))
        except Unusable:
            if not (may_lack and names):
                raise
            case_judge = stack.enter_context(CaseJudge(judged.subject, None, locations, judged.setup, **options))
        yield case_judge


def _is_wrong(file: RecordFile, judged: Record) -> bool:
    """Return whether a record is not as it is accepted, or recorded."""
    if judged.status in (REGRESSED, CHANGED):
        return True
    return bool(judged.list_changes()) if file.is_recorded else judged.status == STILL and file.baseline is None


def _word_of(judged: Record) -> str:
    return judged.status if judged.kind else OF_FILES.get(judged.status, judged.status)


def _show(file: RecordFile, judged: Iterable[Record], console: Console) -> None:
    """Print each record with what it shows: of recorded cases and baselines those that are not as they are known."""
    for one in judged:
        is_usual = one.status in (STILL, FIXED) and not one.list_changes() if file.is_recorded else one.status == STILL
        if is_usual and (file.is_recorded or file.baseline is not None):
            continue
        head = f"[{COLORS.get(one.status, 'red')}]{_word_of(one)}[/]  [bold]{escape(one.id)}[/]"
        console.print(f"{head}  {file.judged.subject or OWN}, {', '.join(one.modes)}", highlight=False)
        lines = one.list_changes() if file.is_recorded else []
        lines = lines or [f"{seen.kind} in {', '.join(seen.modes)}: {seen.detail}" for seen in one.seen]
        for line in [*([shorten(str(one.case), LONGEST)] if one.cases else []), *lines, one.trouble]:
            if line:
                console.print(f"  {line}", markup=False, highlight=False, soft_wrap=True)


def _count(judged: Sequence[Record]) -> str:
    """Return how many records there are of each status: "3 known: 1 changed, 2 still"."""
    counts = Counter(map(_word_of, judged))
    words = [*STATUSES, *OF_FILES.values()]
    return f"{format_count(len(judged), 'case')}: {', '.join(f'{counts[one]} {one}' for one in words if counts[one])}"


def _reduce(
    judged: Judged,
    record: Record,
    budget: int | None,
    write: Path | None,
    console: Console,
    *,
    errors: bool,
    interpreter: str,
) -> None:
    """Reduce the first case of a record to the smallest one that shows its first difference; print it with a script."""
    modes = [Mode.parse(mode) for mode in record.modes]
    names, locations = (list(dict.fromkeys(getattr(mode, part) for mode in modes)) for part in ("name", "device"))
    exact = errors or record.kind == DIFFERENT_ERROR
    with CaseJudge(
        judged.subject, names, locations, judged.setup, exact_errors=exact, interpreter=interpreter
    ) as case_judge:
        minimal, last = case_judge.reduce(record.case, record.seen[0], budget)
        script = case_judge.write_script(last, minimal)
    console.print(f"{last.kind} in {', '.join(last.modes)}: {last.detail}", markup=False, highlight=False)
    console.print(f"{minimal}\n{minimal.json()}\n", markup=False, highlight=False)
    console.print(script, markup=False, highlight=False)
    if write is not None:
        write.parent.mkdir(parents=True, exist_ok=True)
        write_file(write, minimal.json() + "\n")


def _prune_baseline(file: RecordFile, judged: Sequence[Record], console: Console) -> None:
    assert file.baseline is not None
    fixed = {one.id for one in judged if one.status == FIXED} & file.baseline.entries.keys()
    write_file(file.path, file.baseline.without(fixed).text())
    left = len(file.baseline.entries) - len(fixed)
    console.print(f"{file.path}: {len(fixed)} removed, {left} left", markup=False, highlight=False)


def _prune_recorded(files: Iterable[RecordFile], console: Console) -> int:
    """Rewrite files of recorded cases, sorted, with only the smallest of those that show the same."""
    for file in files:
        smallest, dropped = drop_equal(file.records)
        for gone, other in dropped:
            console.print(f"{escape(gone)} shows the same as {escape(other)}", highlight=False, soft_wrap=True)
        write_recorded(file.path, smallest)
        text = f"{file.path}: {len(dropped)} dropped, {len(smallest)} left"
        console.print(text, markup=False, highlight=False, soft_wrap=True)
    return 0
