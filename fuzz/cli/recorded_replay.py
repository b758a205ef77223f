"""Recorded cases on the command line: judging them again, and dropping those that show the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.markup import escape

from fuzz.cli.case_files import Judged, RecordedFile, find_recorded
from fuzz.cli.options import Unclear
from fuzz.differences import label_mode
from fuzz.engine.case_judge import CaseJudge
from fuzz.engine.regressions import Replay, replay_case
from fuzz.report.record import format_count
from fuzz.report.terminal import LONGEST, shorten
from fuzz.triage.recorded_cases import drop_equal, write_recorded

DIFFERENT_ERROR = "different error"


def find_recorded_files(words: Sequence[str], given: Judged) -> list[RecordedFile]:
    """Return the files of recorded cases that words of the command line name; an empty list if none names one.

    Raises Unclear if only some words do.
    """
    found = [find_recorded(word, given) for word in words]
    if any(found) and not all(found):
        raise Unclear(f"recorded cases and other stored cases need separate commands: {' '.join(words)}")
    return [file for files in found for file in files]


def replay_recorded(
    files: Sequence[RecordedFile],
    modes: Sequence[str],
    devices: Sequence[str],
    console: Console,
    *,
    exact_errors: bool = False,
) -> int:
    """Judge recorded cases again, each in its own modes or in those asked for, and return the exit status: 1 if one of
    them is not as it is recorded, else 0. Errors are judged by NumPy's own classes in cases that were recorded for a
    different error; with `exact_errors` in all.
    """
    totals: Counter[str] = Counter()
    for judged in dict.fromkeys(file.judged for file in files):
        recorded = [one for file in files if file.judged == judged for one in file.recorded]
        own = {mode.partition("@")[2] or "CPU:0" for one in recorded for mode in one.modes}
        asked = [label_mode(f"{mode}@{device}") for device in devices or ("CPU:0",) for mode in modes]
        names = modes or sorted({mode.partition("@")[0] for one in recorded for mode in one.modes})
        for is_exact in (False, True):
            chosen = [one for one in recorded if (exact_errors or one.kind == DIFFERENT_ERROR) == is_exact]
            if not chosen:
                continue
            labels = (names, devices or sorted(own))
            with CaseJudge(judged.subject, *labels, judged.setup, exact_errors=is_exact) as case_judge:
                for one in chosen:
                    totals += _show(replay_case(case_judge, one, asked), console)
    console.print(
        f"{format_count(totals['cases'], 'case')}, {format_count(totals['modes'], 'judgement')}: "
        f"{totals['back']} differ, {totals['open']} open, {totals['mended']} mended",
        highlight=False,
    )
    return 1 if totals["back"] or totals["mended"] else 0


def _show(replay: Replay, console: Console) -> Counter[str]:
    """Print a line for each mode in which a case is not as it is recorded, and return what to count."""
    for line in replay.list_changes():
        console.print(f"[red]{escape(line)}[/]", highlight=False, soft_wrap=True)
    if replay.list_changes():
        console.print(f"  {shorten(str(replay.recorded.case), LONGEST)}", markup=False, highlight=False, soft_wrap=True)
    counts = {"modes": len(replay.modes), "back": bool(replay.back), "open": bool(replay.open)}
    return Counter(cases=1, mended=bool(replay.mended), **counts)


def prune_recorded(files: Iterable[RecordedFile], console: Console) -> int:
    """Rewrite files of recorded cases, sorted, with only the smallest of those that show the same. Judge nothing."""
    for file in files:
        smallest, dropped = drop_equal(file.recorded)
        for gone, other in dropped:
            console.print(f"{escape(gone)} shows the same as {escape(other)}", highlight=False, soft_wrap=True)
        write_recorded(file.path, smallest)
        console.print(
            f"{file.path}: {len(dropped)} dropped, {len(smallest)} left", markup=False, highlight=False, soft_wrap=True
        )
    return 0
