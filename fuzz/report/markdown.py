"""A run as Markdown, for the step summary of continuous integration."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

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
from fuzz.triage.root_cause import Cause, split_detail
from fuzz.triage.severity import find_status

SHOWN = 60
QUOTE, BAR = "'", "\\|"  # an escaped bar for Markdown tables
_BEFORE_BAR = re.compile(r"\\(?=\|)")  # it would escape itself, and not the bar


def summarise(record: RunRecord) -> str:
    """Return the whole report, findings first."""
    summary = record.summary
    lines = [
        f"## {'✅' if record.is_clean else '⚠️' if record.passes else '❌'} {escape_markdown(record.headline)}",
        "",
        _circumstances(summary),
        "",
    ]
    lines += [f"New findings: {record.severities}.", ""] if record.severities else []
    lines += [f"- {escape_markdown(problem)}" for problem in record.complaints]
    if record.causes:
        lines += tabulate_causes(record.causes[:SHOWN])
        if len(record.causes) > SHOWN:
            lines += ["", f"... and {len(record.causes) - SHOWN} more causes, in `summary.json` and `report.html`."]
        lines += ["", *_findings(record)]
    lines += ["", *list_unreproduced(record)] if record.unreproduced else []
    lines += ["", *_faults(record), *_workers(record), *_standing(record), *_rates(summary), *_names(record)]
    return "\n".join(lines).rstrip() + "\n"


def _circumstances(summary: Mapping[str, Any]) -> str:
    versions = escape_markdown(", ".join(f"{name} {version}" for name, version in summary["versions"].items()))
    cases, seconds = format_count(summary["cases"], "case"), format_duration(summary["seconds"])
    return (
        f"{cases} in {seconds} on {escape_markdown(', '.join(summary['devices']))}; seed {summary['seed']}; {versions}."
    )


_SPECIAL = re.compile(r"[\\`*_{}\[\]#|~!]")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "@&#8203;", "://": "&#58;//", "www.": "www&#46;"}
_ACTIVE = re.compile("|".join(map(re.escape, _ENTITIES)))


def escape_markdown(text: str) -> str:
    """Return a printable text for Markdown: shown as it is, without links, mentions, headings or HTML."""
    return _ACTIVE.sub(lambda found: _ENTITIES[found[0]], _SPECIAL.sub(r"\\\g<0>", text))


def escape_title(title: str) -> str:
    """Return the title of a cause for Markdown, in which words between backticks are code."""
    parts = title.split("`")
    if len(parts) % 2 == 0:
        return escape_markdown(title)
    return "".join(format_code(part) if at % 2 else escape_markdown(part) for at, part in enumerate(parts))


def tabulate_causes(causes: Sequence[Cause]) -> list[str]:
    """Return the lines of a table of causes."""
    header = ["| kind | call | cause | names | findings | example |", "|---|---|---|---|---:|---|"]
    return [*header, *map(_cause, causes)]


def _cause(cause: Cause) -> str:
    title = escape_title(cause.title) + ("" if cause.new else f" ({cause.status})")
    title += f" (looks like {list_some(cause.upstream)})" if cause.upstream else ""
    cells = [
        cause.kind,
        cause.call_class,
        title,
        escape_markdown(list_some(cause.names)),
        str(cause.count),
        format_code(cause.example["minimal"]),
    ]
    return f"| {' | '.join(cells)} |"


def _findings(record: RunRecord) -> list[str]:
    """Return the lines for individual findings, up to a limit."""
    rows = [row for cause in record.causes for row in cause.rows if row["kind"] != SIGNATURE]
    if not rows:
        return []
    lines = [f"<details><summary>{format_count(len(rows), 'finding')} that calls showed</summary>", ""]
    return [*lines, *_tabulate_findings(record, rows), "", "</details>"]


def list_unreproduced(record: RunRecord) -> list[str]:
    """Return the lines for the findings that their scripts did not show."""
    count = format_count(len(record.unreproduced), "finding")
    summary = f"<details><summary>{count} not reproduced by a script, which do not fail the run</summary>"
    return [summary, "", *_tabulate_findings(record, record.unreproduced), "", "</details>"]


def _tabulate_findings(record: RunRecord, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    lines = ["| | name | kind | modes | dtype | minimal case | NumPy | subject |", "|---|---|---|---|---|---|---|---|"]
    lines += [_row(record, row) for row in rows[:SHOWN]]
    if len(rows) > SHOWN:
        lines += ["", f"... and {len(rows) - SHOWN} more, in `findings.jsonl` and `report.html`."]
    return lines


def _faults(record: RunRecord) -> list[str]:
    """Return the lines for exceptions and deaths of the judge's own code."""
    if not record.harness_faults:
        return []
    lines = [f"{format_count(len(record.harness_faults), 'harness fault')}, which accept nothing:", ""]
    return [*lines, *(f"- {format_code(describe_fault(fault))}" for fault in record.harness_faults[:SHOWN]), ""]


def _workers(record: RunRecord) -> list[str]:
    """Return the lines for workers of a cluster that were lost or could not be used."""
    lost = record.troubled_workers
    if not lost:
        return []
    total = format_count(len(record.workers), "worker")
    return [
        f"{total} of the cluster, {len(lost)} of them with problems:",
        "",
        *(f"- {escape_markdown(line)}" for line in lost),
        "",
    ]


def _row(record: RunRecord, row: Mapping[str, Any]) -> str:
    _, expected, actual = split_detail(row.get("detail", ""))
    status = find_status(row) if row.get("known") or row.get("older") else record.describe_trial(row)
    cells = [
        status,
        format_code(row["name"]),
        row["kind"],
        *map(escape_markdown, (describe_agreement(row), row["dtype"])),
    ]
    cells += [format_code(row["minimal"]), format_code(expected), format_code(actual)]
    return f"| {' | '.join(cells)} |"


def format_code(text: str) -> str:
    """Return a text on one line as code, for a table."""
    text = " ".join(text.split())
    text = text if len(text) <= 160 else text[:157] + "..."
    text = _BEFORE_BAR.sub(r"\\ ", text.replace("`", QUOTE))
    return f"`{text.replace('|', BAR)}`" if text.strip() else ""


def _standing(record: RunRecord) -> list[str]:
    """Return the lines about accepted differences and undecided answers."""
    lines = [f"{record.standing[:1].upper()}{record.standing[1:]}.", ""]
    if record.not_offered:
        lines += [f"{escape_markdown(record.not_offered[:1].upper() + record.not_offered[1:])}.", ""]
    if record.allowed:
        lines += [
            "<details><summary>Accepted differences</summary>",
            "",
            "| allowance | reason | answers | share | why |",
        ]
        lines += ["|---|---|---:|---:|---|"]
        lines += [
            f"| {format_code(name)} | {escape_markdown(entry['reason'])} | {entry['count']:,} "
            f"| {format_share(entry['count'], record.answers)} | {escape_markdown(entry['why'])} |"
            for name, entry in record.allowed
        ]
        lines += ["", "</details>", ""]
    if record.undecided:
        lines += ["<details><summary>Undecided</summary>", "", "| reason | answers | names |", "|---|---:|---|"]
        lines += [
            f"| {escape_markdown(reason)} | {entry['count']:,} | {escape_markdown(list_some(list(entry['names'])))} |"
            for reason, entry in record.undecided
        ]
        lines += ["", "</details>", ""]
    return lines


def _rates(summary: Mapping[str, Any]) -> list[str]:
    rates = summary.get("cases_per_core_second") or {}
    if not rates:
        return []
    return [
        f"Cases per core-second: {escape_markdown(', '.join(f'{mode} {rate:,.0f}' for mode, rate in rates.items()))}.",
        "",
    ]


def _names(record: RunRecord) -> list[str]:
    summary, names = record.summary, record.summary["names"]
    owner = find_domain(summary["subject"]).owner
    totals = f"{names['total']} of {owner}'s, {names['present']} present, {names['exercised']} exercised"
    lines = [f"Names: {totals}, {names['agreeing']} agreeing."]
    lines += ["", f"{format_code(summary['subject'])} {record.reexported}."] if record.reexported else []
    topics = summary.get("topics") or []
    if not topics:
        return lines
    table = ["", "<details><summary>By topic</summary>", "", "| topic | names | present | exercised | agreeing |"]
    table += ["|---|---:|---:|---:|---:|"]
    columns = ("topic", "total", "present", "exercised", "agreeing")
    table += [f"| {' | '.join(escape_markdown(str(row[column])) for column in columns)} |" for row in topics]
    return [*lines, *table, "", "</details>"]
