"""Measuring the fuzzer on reported bugs: one run over their names and three times as many others of the library, and
which of them it has found.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.markup import escape

from fuzz.cli.options import Unclear, hint
from fuzz.engine.provenance import find_versions
from fuzz.engine.sandboxes import make_sandbox
from fuzz.generate.calls import generated_names
from fuzz.lab.reported import APART, HALVES, TUNED, ReportedBug, find_shown
from fuzz.report.record import SUMMARY, RunRecord
from fuzz.triage.severity import NOT_REPRODUCED, find_status
from oracle import Case
from oracle.harness import Lease

OTHERS = 3
"""How many other names are run for each that has a reported bug: what a user runs is a library, not its faults."""


def measure_reported(
    table: Sequence[ReportedBug],
    library: str,
    half: str | None,
    seconds: float,
    seed: int,
    interpreter: str,
    console: Console,
    out: Path | None = None,
) -> int:
    """Run the fuzzer once, and print which bugs of the installed release it found: those of a half by name, all as
    counts. Without a half those set apart are not named. Return the exit status.
    """
    bugs = choose_bugs(table, library, interpreter)
    names = sorted({name for bug in bugs for name in (bug.name, *bug.names)})
    names += find_others(library, names, interpreter)
    with TemporaryDirectory() as folder:
        directory = out or Path(folder, "run")
        options = ["--subject", library, "--time", f"{seconds:g}s", "--seed", str(seed), "--out", str(directory)]
        options += ["--python", interpreter] if interpreter else []
        status = subprocess.run([sys.executable, "-m", "fuzz", "run", *names, *options], check=False).returncode
        if not Path(directory, SUMMARY).exists():
            return status
        record = RunRecord.load(directory)
    rows = [
        (row, Case.from_json(record.cases[row["id"]]))
        for row in record.findings
        if row["id"] in record.cases and find_status(row) != NOT_REPRODUCED
    ]
    shown = find_shown(bugs, rows)
    for bug, ids in shown.items():
        if bug.half == (half or TUNED):
            text = f"[green]found[/]  {escape(bug.link)}: {bug.says} {', '.join(ids)}"
            missed = f"[red]missed[/] {escape(bug.link)}: {bug.says} {escape(bug.call)}"
            console.print(text if ids else missed, highlight=False, soft_wrap=True)
    for one in HALVES:
        found = [bool(ids) for bug, ids in shown.items() if bug.half == one]
        title = "set apart" if one == APART else "to tune by"
        console.print(f"{sum(found)} of {len(found)} reported bugs {title} found", highlight=False)
    return max(status, 1) if status > 1 or not all(shown.values()) else 0


def choose_bugs(table: Sequence[ReportedBug], library: str, interpreter: str) -> list[ReportedBug]:
    """Return the bugs of a library that the installed release has. Raises Unclear if there is none."""
    known = [bug for bug in table if bug.library == library]
    if not known:
        raise Unclear(f"no bug of {library!r} is listed{hint(library, sorted({bug.library for bug in table}))}")
    installed = find_versions(library, interpreter).get(library.partition(".")[0], "")
    bugs = [bug for bug in known if bug.release in ("", installed)]
    if not bugs:
        releases = ", ".join(sorted({bug.release for bug in known}))
        raise Unclear(f"the listed bugs are in {library} {releases}, and {installed or 'none'} is installed")
    return bugs


def find_others(library: str, names: Sequence[str], interpreter: str) -> list[str]:
    """Return three times as many other names that the library has, always the same."""
    others = sorted(set(generated_names()) - set(names), key=lambda name: hashlib.sha256(name.encode()).digest())
    arguments = {"subject": library, "devices": ("CPU:0",), "modes": ("eager",)}
    setup = {"prepare": "fuzz.engine.tasks:prepare", "start": "fuzz.engine.tasks:start", "modules": ()}
    with make_sandbox(1, {**setup, "arguments": arguments, "interpreter": interpreter}) as sandbox:
        (reply,) = sandbox.run([Lease(0, "fuzz.engine.case_judge:look_at", [(others, False)])])
    (present,) = reply.results
    if not isinstance(present, dict):
        raise RuntimeError(f"{library} cannot be inspected: {getattr(present, 'trace', present)}")
    return [name for name in others if name in present][: OTHERS * len(names)]
