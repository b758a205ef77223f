"""A run in the terminal: the causes of the findings, and a short summary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.text import Text

from fuzz.differences import SIGNATURE
from fuzz.engine.domains import find_domain
from fuzz.report.record import (
    RunRecord,
    describe_agreement,
    describe_fault,
    format_count,
    format_duration,
    format_share,
    list_some,
)
from fuzz.triage.commands import format_replay, format_script, show_path
from fuzz.triage.records import STILL, describe_statuses
from fuzz.triage.root_cause import Cause, split_detail

SHOWN = 60
LISTED = 5  # listed allowances and reasons for being undecided, at most
LONGEST = 400  # printed characters of a case, at most
NAMED = 12  # printed names of a cause, at most
STYLES = {
    "value": "red",
    "dtype": "yellow",
    "shape": "magenta",
    "structure": "magenta",
    "missing error": "dark_orange3",
    "spurious error": "blue",
    "different error": "cyan",
    "crash": "bold white on red",
    "hang": "bold white on red",
    "memory": "bold white on red",
    "growth": "bold white on red",
    "signature": "bright_black",
}


def show(record: RunRecord, directory: Path | None, console: Console) -> None:
    """Print the causes, the worst first, and the summary."""
    for cause in record.causes[:SHOWN]:
        _print_cause(cause, record, console)
    if len(record.causes) > SHOWN:
        console.print(f"... and {len(record.causes) - SHOWN} more causes, in the report.")
    _print_unreproduced(record, console)
    for problem in record.complaints:
        console.print(f"[red]allowance[/]  {escape(problem)}")
    summary = record.summary
    console.print()
    console.print(
        f"[bold {'green' if record.is_clean else 'yellow' if record.passes else 'red'}]{escape(record.headline)}[/]",
        highlight=False,
    )
    if record.by_kind:
        console.print(
            "  " + "  ".join(f"[{choose_style(kind)}]{kind}[/] {count}" for kind, count in record.by_kind.items())
        )
    if record.severities:
        console.print(f"  {record.severities}", markup=False, highlight=False, soft_wrap=True)
    rates = summary.get("cases_per_core_second") or {}
    speed = ", ".join(f"{mode} {rate:,.0f}" for mode, rate in rates.items())
    parts = [
        format_count(summary["cases"], "case"),
        f"in {format_duration(summary['seconds'])}",
        f"(seed {summary['seed']})",
    ]
    console.print(" ".join(parts) + (f"; cases per core-second: {speed}" if speed else ""), highlight=False)
    names, owner = summary["names"], find_domain(summary["subject"]).owner
    console.print(
        f"{names['present']} of {owner}'s {names['total']} names present, {names['exercised']} exercised, "
        f"{names.get('judged', names['exercised'])} judged, {names['agreeing']} agreeing",
        highlight=False,
    )
    if record.reexported:
        console.print(f"{summary['subject']} {record.reexported}", markup=False, highlight=False, soft_wrap=True)
    if record.rejudged:
        print_rejudged(record.rejudged, console)
        console.print(f"Baseline: {describe_statuses(row['status'] for row in record.rejudged)}", highlight=False)
    if record.not_judged["names"]:
        unjudged = list_some(record.not_judged["names"])
        console.print(f"Not judged, for want of an answer: {unjudged}", markup=False, highlight=False, soft_wrap=True)
    _print_standing(record, console)
    _print_faults(record, console)
    for line in record.troubled_workers:
        console.print(f"Worker {line}", markup=False, highlight=False, soft_wrap=True)
    if untried := record.describe_untried():
        console.print(f"There was no time {untried}.", highlight=False, soft_wrap=True)
    if record.not_offered:
        console.print(f"{record.not_offered[:1].upper()}{record.not_offered[1:]}", highlight=False, soft_wrap=True)
    if directory is not None:
        console.print(f"Report: {directory / 'report.html'}", highlight=False, soft_wrap=True)
        for line in _list_commands(record, directory):
            console.print(line, markup=False, highlight=False, soft_wrap=True)


def print_rejudged(rows: Sequence[Mapping[str, Any]], console: Console) -> None:
    """Print a line for each known finding that is not as it was, or could not be judged."""
    for row in rows:
        if row["status"] != STILL:
            text = f"{row['status']}  {row['id']}  {row['name']}  {row['kind']}  {shorten(row['shown'])}"
            console.print(text.rstrip(), markup=False, highlight=False, soft_wrap=True)


def _list_commands(record: RunRecord, directory: Path) -> Iterator[str]:
    """Yield the commands that show the first finding again which a call showed."""
    shown = [row for cause in record.causes for row in (cause.example,) if row["kind"] != SIGNATURE]
    if not shown:
        return
    row, subject = shown[0], record.summary["subject"]
    if row.get("case"):
        yield f"Replay: {format_replay(str(show_path(directory) / row['case']), record.summary, row['modes'])}"
    if row.get("repro"):
        interpreter = record.summary.get("interpreter", "")
        yield f"Script: {format_script(show_path(directory) / row['repro'], subject, interpreter)}"


def _print_standing(record: RunRecord, console: Console) -> None:
    """Print how many answers depend on allowances and how many are undecided, with the largest reasons."""
    console.print(record.standing[:1].upper() + record.standing[1:], highlight=False)
    for entries, title in ((record.allowed, "allowed"), (record.undecided, "undecided")):
        for name, entry in entries[:LISTED]:
            part = format_share(entry["count"], record.answers)
            console.print(f"  {title} {escape(name)}: {entry['count']:,} ({part})", highlight=False)
        if len(entries) > LISTED:
            console.print(f"  and {len(entries) - LISTED} more, in the report", highlight=False)


def _print_faults(record: RunRecord, console: Console) -> None:
    """Print the judge's own exceptions, each on a line."""
    if not record.harness_faults:
        return
    count = format_count(len(record.harness_faults), "location")
    console.print(f"Harness faults in {count}, which accept nothing and are no findings:", highlight=False)
    for fault in record.harness_faults[:LISTED]:
        console.print(f"  {shorten(describe_fault(fault), LONGEST)}", markup=False, highlight=False, soft_wrap=True)
    if len(record.harness_faults) > LISTED:
        console.print(f"  and {len(record.harness_faults) - LISTED} more, in the report", highlight=False)


def _print_unreproduced(record: RunRecord, console: Console) -> None:
    """Print the findings that their scripts did not show, each on a line."""
    if not record.unreproduced:
        return
    count = format_count(len(record.unreproduced), "finding")
    console.print(f"{count} not reproduced by a script, which do not fail the run:", highlight=False)
    for row in record.unreproduced[:SHOWN]:
        line = (
            f"  {row['id']}  {row['name']}  {row['kind']}  {shorten(row['minimal'])}  {shorten(row.get('detail', ''))}"
        )
        console.print(line.rstrip(), markup=False, highlight=False, soft_wrap=True)
    if len(record.unreproduced) > SHOWN:
        console.print(f"  and {len(record.unreproduced) - SHOWN} more, in the report")


def _print_cause(cause: Cause, record: RunRecord, console: Console) -> None:
    """Print the cause, the names that show it, and the call that shows it best; in a log, on one line."""
    row, known = cause.example, "" if cause.new else cause.status
    _, expected, actual = split_detail(row.get("detail", ""))
    differs = f"{shorten(expected)} ≠ {shorten(actual)}" if expected else shorten(actual)
    more = f" and {cause.count - 1} more" if cause.count > 1 else ""
    mark = f", {record.describe_trial(row)}" if record.describe_trial(row) else ""
    title = Text.assemble(
        (cause.kind, choose_style(cause.kind)),
        f" ({cause.call_class} call)  ",
        (cause.title.replace("`", ""), "bold"),
        f"  {known}",
    )
    details = [
        (list_some(cause.names, NAMED), "dim"),
        (shorten(row["minimal"], LONGEST), ""),
        (differs if row["kind"] != SIGNATURE else "", "dim"),
        (f"looks like {list_some(cause.upstream)}" if cause.upstream else "", "dim"),
        (f"{row['id']}{more}  {describe_agreement(row)}{mark}", "dim"),
    ]
    title.rstrip()
    if not console.is_terminal:
        line = "  ".join([title.plain, *(text for text, _ in details if text)])
        console.print(line, markup=False, highlight=False, soft_wrap=True)
        return
    console.print(title)
    for text, shade in details:
        if text:
            console.print(Padding(Text(text, shade), (0, 0, 0, 2)))
    console.print()


def choose_style(kind: str) -> str:
    """Return the colour of a kind of finding."""
    return STYLES.get(kind, "white")


def shorten(text: str, most: int = 160) -> str:
    """Return the text on one line of at most `most` characters."""
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 3] + "..."
