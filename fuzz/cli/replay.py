"""The command `replay`: judge stored cases again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape

from fuzz.cli.case_files import Judged, StoredCase, find_cases
from fuzz.cli.history import append_verdicts
from fuzz.cli.options import Unclear, errors_option, mode_options, python_option, setup_option, subject_option
from fuzz.cli.recorded_replay import find_recorded_files, prune_recorded, replay_recorded
from fuzz.differences import Difference
from fuzz.engine.case_judge import CaseJudge, JudgeDied
from fuzz.engine.tasks import OWN
from fuzz.report.console import open_console
from fuzz.report.record import format_count
from fuzz.report.terminal import LONGEST, shorten
from fuzz.triage.known_cases import KnownFinding, Rejudged, decide_status
from fuzz.triage.untrusted_input import FINDING_ID

DIFFERS, AGREES, UNDECIDED = VERDICTS = ("differs", "agrees", "undecided")


@click.command(
    "replay",
    short_help="Judge stored cases again.",
    epilog="Exit status: 0 if every case agrees, 1 if one disagrees, or is recorded as open and agrees, 2 for a usage "
    "error, 3 if the harness itself failed.",
)
@click.argument("words", nargs=-1, required=True, metavar="FILE|ID ...")
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
    help="Append to this history what has become of findings of runs; see `fuzz history`.",
)
@click.option(
    "--prune",
    is_flag=True,
    help="Judge nothing: sort files of recorded cases, and keep only the smallest of the cases that show the same.",
)
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
    *,
    errors: bool,
    prune: bool,
    verbose: bool,
) -> int:
    """Judge stored cases again: case files, a findings.jsonl, a run's directory, or the ids of findings; or recorded
    cases: a file of them, one of its lines (FILE::ID), or a directory of such files.

    A recorded case is judged in its own modes, unless --modes names others. It must still differ where it is open.

    A case from a run's directory is judged against that run's subject, unless --subject names another. A subject that
    only a file names is imported if it is well known; any other must be named by --subject. The same holds for --setup.
    """
    console = open_console()
    recorded = find_recorded_files(words, Judged(subject, setup))
    if prune and (not recorded or any("::" in word for word in words)):
        raise Unclear("--prune takes whole files of recorded cases")
    if prune:
        return prune_recorded(recorded, console)
    if recorded:
        return replay_recorded(recorded, modes or (), devices or (), console, exact_errors=errors)
    stored = [case for word in words for case in find_cases(word, out, subject, setup)]
    counts: Counter[str] = Counter()
    for judged in dict.fromkeys((case.subject, case.setup) for case in stored):
        labels = (modes or None, devices or ("CPU:0",))
        known = [case for case in stored if (case.subject, case.setup) == judged]
        with CaseJudge(judged[0], *labels, judged[1], exact_errors=errors, interpreter=interpreter) as case_judge:
            shown = [(case, _judge(case, case_judge, console)) for case in known]
        counts.update(UNDECIDED if one is None else DIFFERS if one else AGREES for _, one in shown)
        if history is not None:
            findings = [(case, found) for case, found in shown if FINDING_ID.match(case.label)]
            append_verdicts(history, [_rejudge(*one) for one in findings], judged[0] or OWN)
    if len(stored) > 1:
        parts = [
            f"{counts[verdict]} {_agree_with(counts[verdict], verdict)}" for verdict in VERDICTS if counts[verdict]
        ]
        console.print(f"{format_count(len(stored), 'case')}: {', '.join(parts)}", highlight=False)
    return 1 if counts[DIFFERS] else 0


def _judge(stored: StoredCase, case_judge: CaseJudge, console: Console) -> list[Difference] | None:
    """Judge a case, and print what it shows; None if it cannot be judged."""
    try:
        differences = case_judge.judge(stored.case)
    except JudgeDied as error:
        console.print(f"[yellow]undecided[/]  {escape(f'{stored.label}: {error}')}", soft_wrap=True)
        return None
    show_judgement(stored, differences, case_judge, console)
    return differences


def _rejudge(stored: StoredCase, differences: Sequence[Difference] | None) -> Rejudged:
    """Return what has become of the finding that a case belongs to: it is still there if the case shows a difference of
    its kind, or any if the kind is not known.
    """
    identity = stored.label[: len("f-0123456789")]
    alike = next((one for one in differences or () if stored.kind in ("", one.kind)), None)
    kind, detail = (alike.kind, alike.detail) if alike is not None else (stored.kind, "")
    return decide_status(KnownFinding(identity, stored.case.name, kind, (), (stored.case,), detail=detail), differences)


def _agree_with(count: int, verdict: str) -> str:
    """Return the verb in singular or plural."""
    return verdict if count == 1 else verdict.removesuffix("s")


def show_judgement(
    stored: StoredCase, differences: Sequence[Difference], case_judge: CaseJudge, console: Console
) -> None:
    """Print one line about the case, and one for each difference."""
    verdict = f"[red]{DIFFERS}[/]" if differences else f"[green]{AGREES}[/]"
    console.print(
        f"{verdict}  [bold]{escape(stored.label)}[/]  {case_judge.subject}, {', '.join(case_judge.modes)}",
        highlight=False,
    )
    console.print(f"  {shorten(str(stored.case), LONGEST)}", markup=False, highlight=False, soft_wrap=True)
    for difference in differences:
        text = f"  {difference.kind} in {', '.join(difference.modes)}: {difference.detail}"
        console.print(text, markup=False, highlight=False, soft_wrap=True)
