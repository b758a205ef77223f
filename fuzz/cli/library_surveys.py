"""Surveys of several libraries: each is covered in its own environment, and the file and the page grow with it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rich.console import Console

from fuzz.adapters import REQUIREMENTS
from fuzz.cli.options import Unclear
from fuzz.coverage import SURVEY, Coverage, MinimalExample, describe_library, find_changes
from fuzz.engine.domain import Unusable
from fuzz.releases.answerer import NEEDED
from fuzz.releases.environments import Unavailable, make_environment
from fuzz.report import format_count, format_duration, render_survey
from fuzz.report.record import list_some
from fuzz.triage.atomic_files import write_file
from fuzz.triage.untrusted_input import STATE_LIMITS, Unreadable, read_data
from oracle.harness import PreparationError, SandboxError, UnknownSubject, make_line

SAME = ("format", "numpy", "against", "depth", "seed", "topics")
"""What two surveys must have in common for their libraries to stand side by side."""

FAILURES = (Unavailable, Unusable, UnknownSubject, PreparationError, SandboxError, RuntimeError)
"""The reasons for which a library is not on the page, and the others are."""

Cover = Callable[[str, str], tuple[Coverage, dict[str, list[MinimalExample]]]]
"""Returns the coverage of a subject in the environment of an interpreter, and examples of its differences by name."""


def survey_libraries(
    subjects: Sequence[str],
    survey: dict[str, Any],
    cover: Cover,
    earlier: Sequence[Path],
    as_json: Path | None,
    as_html: Path | None,
    console: Console,
) -> int:
    """Cover each library that the JSON file does not have yet, and write the file and the page after each. Return the
    exit status: 3 if a library could not be judged.
    """
    before = [read_survey(path) for path in earlier]
    known = _read_before(as_json, survey)
    failed = False
    for subject in subjects:
        row = known[subject] if subject in known else _cover_library(subject, survey, cover)
        survey["libraries"].append(row)
        told = _describe(row) + (" (as before)" if subject in known else "")
        console.print(f"{subject}: {told}", markup=False, highlight=False, soft_wrap=True)
        failed = failed or bool(row["error"])
        others = [known[name] for name in subjects if name in known and name != subject]
        listed = {one["subject"] for one in survey["libraries"]}
        shown = {**survey, "libraries": survey["libraries"] + [one for one in others if one["subject"] not in listed]}
        if as_json is not None:
            write_file(as_json, json.dumps(shown, separators=(",", ":")) + "\n")
        if as_html is not None:
            write_file(as_html, render_survey(shown))
    for path, data in zip(earlier, before, strict=True):
        _show_changes(path, data, survey, console)
    return 3 if failed else 0


def read_survey(path: Path) -> dict[str, Any]:
    """Return the data of a survey. Raises Unclear if the file has none."""
    try:
        data: dict[str, Any] = read_data(path, SURVEY, STATE_LIMITS)
    except Unreadable as error:
        raise Unclear(f"not a survey written by --subjects and --json: {error}") from None
    return data


def _read_before(path: Path | None, survey: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the libraries that the file has, by name. Raises Unclear if it was made of other calls."""
    if path is None or not path.is_file():
        return {}
    found = read_survey(path)
    other = [key for key in SAME if found[key] != survey[key]]
    if other:
        raise Unclear(f"{path} is a survey with another {other[0]}: give another --json FILE")
    return {row["subject"]: row for row in found["libraries"] if not row["error"]}


def find_environment(subject: str) -> str:
    """Return the interpreter that has a subject: none for this one, or one of an environment that uv makes. Raises
    Unavailable.
    """
    if find_spec(subject.partition(".")[0]) is not None or subject not in REQUIREMENTS:
        return ""
    return str(make_environment((*REQUIREMENTS[subject], "numpy", *NEEDED)))


def _cover_library(subject: str, survey: Mapping[str, Any], cover: Cover) -> dict[str, Any]:
    begun, date = time.monotonic(), datetime.now(UTC).isoformat(timespec="seconds")
    try:
        coverage, examples = cover(subject, find_environment(subject))
    except FAILURES as error:
        empty = {"versions": {}, "calls": [], "modes": {}, "totals": {}, "examples": {}, "refusals": {}, "revision": ""}
        told = make_line(f"{type(error).__name__}: {error}")
        return {"subject": subject, "date": date, "error": told, "seconds": 0, "cases": 0, "unfinished": 0, **empty}
    return describe_library(survey, coverage, examples, date, time.monotonic() - begun)


def _describe(row: Mapping[str, Any]) -> str:
    if row["error"]:
        return f"not judged: {row['error']}"
    counts = ", ".join(f"{count} {state}" for state, count in row["totals"].items() if count)
    left = f"; no time for all calls of {format_count(row['unfinished'], 'name')}" if row["unfinished"] else ""
    return f"{counts}; {format_count(row['cases'], 'case')} in {format_duration(row['seconds'])}{left}"


def _show_changes(path: Path, before: Mapping[str, Any], survey: Mapping[str, Any], console: Console) -> None:
    for subject, names in find_changes(before, survey).items():
        told = f"{format_count(len(names), 'name')} changed" + (f": {list_some(names)}" if names else "")
        console.print(f"Since {path}, {subject}: {told}", markup=False, highlight=False, soft_wrap=True)
