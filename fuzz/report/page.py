"""A run as one HTML page that needs no network; it only links to other files of the run's directory."""

from __future__ import annotations

import io
import json
import keyword
import tokenize
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from fuzz.differences import SIGNATURE
from fuzz.report.history_page import PAGE as HISTORY
from fuzz.report.issues import write_issue
from fuzz.report.record import RUN, RunRecord, format_share
from fuzz.report.templates import load_template
from fuzz.triage.commands import format_replay, set_python_path, show_path
from fuzz.triage.root_cause import rank_kind
from fuzz.triage.severity import STATUSES, count_classes, find_class, find_status
from fuzz.triage.untrusted_input import DOTTED, Unreadable, read_data
from oracle.harness import TOPICS

_CLASSES = {tokenize.COMMENT: "c", tokenize.STRING: "s", tokenize.NUMBER: "n"}
OTHER = "Other"
REPORT = "report.html"
MOST_EARLIER = 20  # earlier runs among which the one before is looked for


def render_page(record: RunRecord, directory: Path = Path()) -> str:
    """Render the page of a run, whose files are in a directory."""
    summary, modes = record.summary, record.modes
    heat = make_heat_map(record)
    findings = [row for cause in record.causes for row in cause.rows]
    statuses = {find_status(row) for row in findings}
    unreproduced = [{**row, "code": highlight_python(row["minimal"])} for row in record.unreproduced]
    return load_template("page.html").render(
        record=record,
        summary=summary,
        modes=modes,
        causes=[_shown(cause) for cause in record.causes],
        statuses=[status for status in STATUSES if status in statuses],
        history=(directory / HISTORY).is_file() and HISTORY,
        previous=find_previous(directory, summary["subject"]),
        kinds=sorted({row["kind"] for row in findings}, key=rank_kind),
        classes=list(count_classes(findings)),
        dtypes=sorted({part for row in findings for part in row["dtype"].split("+")}),
        topics=[topic for topic in (*TOPICS, OTHER) if any(find_topic_of_row(row) == topic for row in findings)],
        heat=heat,
        findings=findings,
        unreproduced=unreproduced,
        idle=[topic for topic in TOPICS if topic not in {row["topic"] for row in heat}],
        rates=summary.get("cases_per_core_second") or {},
        share=format_share,
        repeat=set_python_path(record.command, summary["subject"]) if record.command else "",
        data=embed(_data(record, show_path(directory))),
    )


def embed(data: Any) -> Markup:
    """Return JSON for a script element, escaped so that no text in it can end the element."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))


def find_previous(directory: Path, subject: str) -> str:
    """Return the address of the report of the run of a subject before that in a numbered directory; empty if there is
    none.
    """
    if not directory.name.isdecimal():
        return ""
    earlier = [path for path in directory.parent.iterdir() if path.name.isdecimal() and path.name < directory.name]
    for path in sorted(earlier, reverse=True)[:MOST_EARLIER]:
        if (path / REPORT).is_file() and _read_subject(path) == subject:
            return f"../{path.name}/{REPORT}"
    return ""


def _read_subject(directory: Path) -> str:
    try:
        return str(read_data(directory / RUN, {"subject": DOTTED})["subject"])
    except (Unreadable, OSError):
        return ""


def _shown(cause: Any) -> dict[str, Any]:
    rows = [{**row, "code": highlight_python(row["minimal"])} for row in cause.rows]
    return {
        "id": cause.id,
        "kind": cause.kind,
        "call_class": cause.call_class,
        "title": cause.title,
        "names": cause.names,
        "rows": rows,
        "status": cause.status,
        "first_seen": cause.first_seen,
        "newest": max(row.get("first_seen", "") for row in cause.rows),
        "count": sum(row.get("count", 1) for row in cause.rows),
        "location": cause.example.get("location", ""),
    } | {"upstream": cause.upstream}


def _data(record: RunRecord, directory: Path) -> dict[str, Any]:
    """Return the data that the page's script works with."""
    topics = {name: topic for topic, names in TOPICS.items() for name in names}
    names: dict[str, list[str]] = {}
    for name in sorted(set(record.worst), key=str.lower):
        names.setdefault(topics.get(name, OTHER), []).append(name)
    return {
        "subject": record.summary["subject"],
        "modes": record.modes,
        "findings": {
            row["id"]: _card(row, record, cause.id, directory) for cause in record.causes for row in cause.rows
        },
        "names": names,
        "worst": record.worst,
        "asked": {name: sorted(asked) for name, asked in record.asked.items() if name in record.worst},
    }


def _card(row: Mapping[str, Any], record: RunRecord, cause: str, directory: Path) -> dict[str, Any]:
    keys = ("name", "kind", "modes", "dtype", "minimal", "case", "repro", "outputs", "message")
    return {key: row.get(key) for key in keys} | {
        "id": row["id"],
        "cause": cause,
        "detail": row.get("detail", ""),
        "count": row.get("count", 1),
        "topic": find_topic_of_row(row),
        "call_class": find_class(row),
        "replay": format_replay(str(directory / row["case"]), record.summary, row["modes"]) if row.get("case") else "",
        "script": record.scripts.get(row["id"], ""),
        "text": record.cases.get(row["id"], ""),
        "status": find_status(row),
        "first_seen": row.get("first_seen", "")[:10],
        "issue": _frame_issue(row, record),
    }


def _frame_issue(row: Mapping[str, Any], record: RunRecord) -> list[str]:
    """Return what an issue about a finding has before and after its script; nothing without one."""
    script = record.scripts.get(row["id"], "").rstrip("\n")
    if not script or row["kind"] == SIGNATURE:
        return []
    before, _, after = write_issue(row, script, record.summary).rpartition(script)
    return [before, after]


def find_topic_of_row(row: Mapping[str, Any]) -> str:
    """Return the topic of a finding's name in NumPy's manual."""
    return next((topic for topic, names in TOPICS.items() if row["name"] in names), OTHER)


def make_heat_map(record: RunRecord) -> list[dict[str, Any]]:
    """Count by topic and mode the names that differ, among the exercised ones, with their worst kind."""
    totals = {row["topic"]: row for row in record.summary.get("topics") or []}
    other = sorted(set(record.worst) - {name for names in TOPICS.values() for name in names})
    found = []
    for topic, names in (*TOPICS.items(), (OTHER, other)):
        cells = [_cell(record, names, mode) for mode in record.modes]
        if any(cell["asked"] or cell["differing"] for cell in cells):
            differing = [name for name in names if name in record.worst]
            found.append({"topic": topic, "names": differing, "cells": cells} | totals.get(topic, {}))
    return found


def _cell(record: RunRecord, names: Sequence[str], mode: str) -> dict[str, Any]:
    kinds = [record.worst[name][mode] for name in names if mode in record.worst.get(name, {})]
    asked = sum(mode in record.asked.get(name, ()) or mode in record.worst.get(name, {}) for name in names)
    silent = sum(mode in record.asked.get(name, ()) and mode not in record.answered.get(name, ()) for name in names)
    worst = min(kinds, key=rank_kind, default="")
    return {"mode": mode, "differing": len(kinds), "asked": asked, "silent": silent, "kind": worst}


def highlight_python(source: str) -> Markup:
    """Return Python source with its comments, strings, numbers and keywords highlighted."""
    lines = source.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    parts, position = [], 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            kind = _CLASSES.get(token.type) or ("k" if keyword.iskeyword(token.string) else "")
            begin, end = (starts[row - 1] + column for row, column in (token.start, token.end))
            if kind and begin >= position:
                parts += [escape(source[position:begin]), Markup('<i class="{}">{}</i>').format(kind, token.string)]
                position = end
    except (tokenize.TokenError, SyntaxError, IndexError):
        pass
    return Markup().join([*parts, escape(source[position:])])
