"""Stored programs of TensorFlow's ops: in files, or in the directories of runs of `--subject tensorflow`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.markup import escape

from fuzz.cli.options import Unclear
from fuzz.tensorflow_subject.campaign import LIMITS, MODULE
from fuzz.tensorflow_subject.summary import SUBJECT
from fuzz.tensorflow_subject.trials import Found, Seen
from fuzz.triage.output import FINDINGS, RUN
from fuzz.triage.untrusted_input import Unreadable, check_path, find_misfit, read_data, read_lines, read_text
from oracle import WAYS, Death, Lease, Program, Sandbox, Undecodable, decode_program, encode_program, statement

ROW = dict.fromkeys(("id", "name", "kind", "minimal", "detail", "root", "case"), str) | {"modes": [str]}


def is_program_run(directory: Path) -> bool:
    """Return whether a directory holds a run of `--subject tensorflow`."""
    try:
        return bool(read_data(directory / RUN, {"subject": str})["subject"] == SUBJECT)
    except (Unreadable, OSError):
        return False


def reject_programs(directory: Path, what: str) -> None:
    """Raise Unclear if the directory holds a run of programs, for which the command `what` is not offered."""
    if is_program_run(directory):
        raise Unclear(f"{directory} contains a run of --subject {SUBJECT}, and {what}")


def read_program_rows(directory: Path) -> list[dict[str, Any]]:
    """Return the findings of a run of programs, without repetitions. Raises Unreadable."""
    rows: dict[str, dict[str, Any]] = {}
    for number, row in enumerate(read_lines(directory / FINDINGS), 1):
        wrong = find_misfit(row, ROW)
        if wrong:
            raise Unreadable(f"{directory / FINDINGS}, line {number}: not a finding: {wrong}")
        rows[row["id"]] = row
    return list(rows.values())


def find_programs(words: Sequence[str]) -> list[tuple[str, Program]]:
    """Return the programs that words of the command line name, each with a label; an empty list if none names one.

    A word is a program's file, or the directory or findings.jsonl of a run of programs. Raises Unclear if only some
    words name programs, or if a file that looks like a program is malformed.
    """
    found = [_read_programs(Path(word)) for word in words]
    if any(found) and not all(found):
        raise Unclear(
            f"calls of NumPy's names and programs of --subject {SUBJECT} need separate commands: {' '.join(words)}"
        )
    return [one for programs in found for one in programs]


def _read_programs(path: Path) -> list[tuple[str, Program]]:
    folder = path if path.is_dir() else path.parent
    try:
        if path.is_dir() or path.suffix == ".jsonl":
            rows = read_program_rows(folder) if is_program_run(folder) else []
            return [(row["id"], _read_program(check_path(folder, row["case"], str(path)))) for row in rows]
        if path.is_file() and '"tensorflow program' in read_text(path)[:100]:
            return [(path.stem, _read_program(path))]
    except (Unreadable, OSError) as error:
        raise Unclear(str(error)) from None
    return []


def _read_program(path: Path) -> Program:
    try:
        return decode_program(read_text(path))
    except Undecodable as error:
        raise Unclear(f"{path}: {error}") from None


class ProgramJury:
    """Context manager around a sandbox that judges programs, each execution mode in its own process."""

    def __init__(self, ways: Sequence[str]) -> None:
        self.ways = tuple(ways)
        self._sandbox = Sandbox(1, f"{MODULE}:prepare", start=f"{MODULE}:start", limits=LIMITS, modules=("tensorflow",))

    def __enter__(self) -> ProgramJury:
        self._sandbox.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._sandbox.close()

    def judge(self, program: Program) -> list[Seen | Death]:
        """Return the departures in each mode. A mode that ends its process does not affect the others."""
        found: list[Seen | Death] = []
        for way in self.ways:
            result = self._ask("attempt", (encode_program(program), way), is_alone=True)
            found += [result] if isinstance(result, Death) else [seen for seen in result if seen.way == way]
            if isinstance(result, Death) and way == WAYS[0]:
                break  # every other mode starts with it
        return found

    def reduce(self, seen: Seen) -> Found | None:
        """Return the smallest program with the same departure as a finding; None if the departure does not recur."""
        found = self._ask("pursue", (seen, True))
        return found if isinstance(found, Found) else None

    def _ask(self, function: str, item: Any, *, is_alone: bool = False) -> Any:
        lease = Lease(0, f"{MODULE}:{function}", [item], confirm=False, fresh=is_alone, risky=is_alone)
        (reply,) = self._sandbox.run([lease])
        result = reply.results[0]
        if not isinstance(result, (Death, Found, list, type(None))):
            raise RuntimeError(f"the program cannot be judged: {getattr(result, 'trace', result)}")
        return result


def select_ways(modes: Sequence[str] | None, settings: dict[str, Any]) -> tuple[str, ...]:
    """Return the modes to run stored programs in. Raises Unclear for options that do not apply to programs."""
    given = [f"--{name}" for name, value in settings.items() if value]
    if given:
        raise Unclear(f"programs of --subject {SUBJECT} do not take {given[0]}")
    strange = [mode for mode in modes or () if mode not in WAYS]
    if strange:
        raise Unclear(f"programs of --subject {SUBJECT} run in {', '.join(WAYS)}, not in {strange[0]}")
    return tuple(modes or WAYS)


def replay_programs(programs: Sequence[tuple[str, Program]], ways: Sequence[str], console: Console) -> int:
    """Judge programs again, and return the exit status: 1 if one departs, else 0."""
    departing = 0
    with ProgramJury(ways) as jury:
        for label, program in programs:
            found = jury.judge(program)
            departing += bool(found)
            verdict = "[red]differs[/]" if found else "[green]agrees[/]"
            console.print(f"{verdict}  [bold]{escape(label)}[/]  {SUBJECT}, {', '.join(ways)}", highlight=False)
            console.print(f"  {statement(program)}", markup=False, highlight=False, soft_wrap=True)
            for seen in found:
                where = "" if isinstance(seen, Death) else f" in {seen.way}"
                console.print(f"  {seen.kind}{where}: {seen.detail}", markup=False, highlight=False, soft_wrap=True)
    return 1 if departing else 0


def reduce_program(program: Program, ways: Sequence[str], write: Path | None, console: Console) -> int:
    """Print the smallest program with the same departure and a script. Return the exit status: 1, or 0 if it agrees."""
    with ProgramJury(ways) as jury:
        found = jury.judge(program)
        if not found:
            console.print(f"agrees: {statement(program)}", markup=False, highlight=False)
            return 0
        first = found[0]
        if isinstance(first, Death):
            raise Unclear(f"the program ends its process ({first.kind}): only a run reduces those")
        minimal = jury.reduce(first)
    if minimal is None:
        raise Unclear(f"it departs in {first.way} at the first time only and cannot be reduced")
    console.print(f"{minimal.kind} in {minimal.way}: {minimal.detail}", markup=False, highlight=False)
    console.print(f"{minimal.source}\n{minimal.program}\n", markup=False, highlight=False)
    console.print(minimal.script, markup=False, highlight=False)
    if write is not None:
        write.parent.mkdir(parents=True, exist_ok=True)
        write.write_text(minimal.program + "\n")
    return 1


def describe_row(row: dict[str, Any]) -> str:
    """Return one line about a finding of a program."""
    return f"{row['kind']}  {row['root']}  {row['minimal']}  {row['detail']}  {row['id']}"


def diff_program_runs(first: Path, second: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]], int]:
    """Return the findings that only the first run has, those that only the second has, and how many both have."""
    before, after = ({row["id"]: row for row in read_program_rows(one)} for one in (first, second))
    gone = [row for key, row in before.items() if key not in after]
    return gone, [row for key, row in after.items() if key not in before], len(before.keys() & after.keys())
