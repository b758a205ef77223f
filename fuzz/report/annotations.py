"""Reports for GitHub workflows: annotations, which are lines on standard output, and the job's summary."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from fuzz.report.locations import locate_function
from fuzz.report.markdown import summarise
from fuzz.report.record import RunRecord, list_some
from fuzz.triage.root_cause import Cause
from fuzz.triage.severity import fails_run
from oracle.harness import make_line

SHOWN = 10  # GitHub shows no more of one step


def annotate(record: RunRecord) -> None:
    """Print the annotations and append to the job's summary, if a workflow is running."""
    if os.environ.get("GITHUB_ACTIONS") != "true":
        return
    for line in format_lines(record):
        print(line)
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        try:
            _append(summary, summarise(record) + "\n")
        except OSError as error:
            print(f"No summary of the job: {make_line(summary)}: {error.strerror or error}")


def _append(path: str, text: str) -> None:
    """Append to a file. Raises OSError for what cannot be written at once, such as a pipe that nobody reads."""
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
    with open(descriptor, "w", encoding="utf-8") as file:
        file.write(text)


def format_lines(record: RunRecord) -> list[str]:
    """Return an annotation for each new cause up to a limit, one for the remaining causes, and one for each complaint:
    an error if it fails the run, else a warning.
    """
    lines = [_command("error", "accepted divergence", problem) for problem in record.complaints]
    causes = [cause for cause in record.causes if cause.new]
    shown = causes if len(causes) <= SHOWN else causes[: SHOWN - 1]
    for cause in shown:
        row = cause.example
        title = f"{cause.kind} ({cause.call_class} call): {cause.title.replace('`', '')}"
        text = f"{list_some(cause.names)}\n{row['minimal']}\n{row.get('detail', '')}\n{row['id']}"
        location = locate_function(record.summary["subject"], row["name"])
        lines.append(_command(_find_level(record, cause), title, text, location))
    if len(shown) < len(causes):
        rest = causes[len(shown) :]
        level = min(_find_level(record, cause) for cause in rest)
        lines.append(_command(level, "more causes", f"{len(rest)} more are in the report"))
    if record.unreproduced:
        listed = list_some([f"{row['name']} {row['kind']} {row['id']}" for row in record.unreproduced])
        lines.append(_command("notice", "not reproduced by a script", listed))
    return lines


def _find_level(record: RunRecord, cause: Cause) -> str:
    """Return "error" for a cause that fails the run, else "warning"."""
    return "error" if any(fails_run(row, record.fail_on) for row in cause.rows) else "warning"


def _command(level: str, title: str, message: str, location: tuple[Path, int] | None = None) -> str:
    where = f"file={_escape(str(location[0]), PROPERTY)},line={location[1]}," if location is not None else ""
    return f"::{level} {where}title={_escape(title, PROPERTY)}::{_escape(message, MESSAGE)}"


MESSAGE = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
PROPERTY = MESSAGE | str.maketrans({":": "%3A", ",": "%2C"})


def _escape(text: str, codes: Mapping[int, str]) -> str:
    """Return a text for a workflow command; "##[" would begin another one."""
    return text.translate(codes).replace("##[", "## [")
