"""A run as Markdown, for the step summary of continuous integration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fuzz.engine.domains import find_domain
from fuzz.report.record import (
    Record,
    describe_agreement,
    describe_fault,
    describe_trial,
    format_count,
    format_duration,
    format_share,
    list_some,
)
from fuzz.sightings import SIGNATURE
from fuzz.triage.root_cause import Cause, split_detail

SHOWN = 60
QUOTE, BAR = "'", "\\|"  # an escaped bar for Markdown tables


def summarise(record: Record) -> str:
    """Return the whole report, findings first."""
    summary = record.summary
    lines = [
        f"## {'✅' if record.is_clean else '⚠️' if record.passes else '❌'} {record.headline}",
        "",
        _circumstances(summary),
        "",
    ]
    lines += [f"New findings: {record.severities}.", ""] if record.severities else []
    lines += [f"- {problem}" for problem in record.complaints]
    if record.findings:
        lines += tabulate_causes(record.causes[:SHOWN])
        if len(record.causes) > SHOWN:
            lines += ["", f"... and {len(record.causes) - SHOWN} more causes, in `summary.json` and `report.html`."]
        lines += ["", *_findings(record)]
    lines += ["", *_faults(record), *_workers(record), *_standing(record), *_rates(summary), *_names(record)]
    return "\n".join(lines).rstrip() + "\n"


def _circumstances(summary: Mapping[str, Any]) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in summary["versions"].items())
    cases, seconds = format_count(summary["cases"], "case"), format_duration(summary["seconds"])
    return f"{cases} in {seconds} on {', '.join(summary['devices'])}; seed {summary['seed']}; {versions}."


def tabulate_causes(causes: Sequence[Cause]) -> list[str]:
    """Return the lines of a table of causes."""
    header = ["| kind | call | cause | names | findings | example |", "|---|---|---|---|---:|---|"]
    return [*header, *map(_cause, causes)]


def _cause(cause: Cause) -> str:
    title = cause.title.replace("|", BAR) + ("" if cause.new else " (known)")
    title += f" (looks like {list_some(cause.upstream)})" if cause.upstream else ""
    cells = [
        cause.kind,
        cause.call_class,
        title,
        list_some(cause.names),
        str(cause.count),
        format_code(cause.example["minimal"]),
    ]
    return f"| {' | '.join(cells)} |"


def _findings(record: Record) -> list[str]:
    """Return the lines for individual findings, up to a limit."""
    rows = [row for cause in record.causes for row in cause.rows if row["kind"] != SIGNATURE]
    if not rows:
        return []
    lines = [f"<details><summary>{format_count(len(rows), 'finding')} that calls showed</summary>", ""]
    lines += ["| | name | kind | modes | dtype | minimal case | NumPy | subject |", "|---|---|---|---|---|---|---|---|"]
    lines += [_row(row) for row in rows[:SHOWN]]
    if len(rows) > SHOWN:
        lines += ["", f"... and {len(rows) - SHOWN} more, in `findings.jsonl` and `report.html`."]
    return [*lines, "", "</details>"]


def _faults(record: Record) -> list[str]:
    """Return the lines for exceptions and deaths of the judge's own code."""
    if not record.harness_faults:
        return []
    lines = [f"{format_count(len(record.harness_faults), 'harness fault')}, which accept nothing:", ""]
    return [*lines, *(f"- {format_code(describe_fault(fault))}" for fault in record.harness_faults[:SHOWN]), ""]


def _workers(record: Record) -> list[str]:
    """Return the lines for workers of a cluster that were lost or could not be used."""
    lost = record.troubled_workers
    if not lost:
        return []
    total = format_count(len(record.workers), "worker")
    return [f"{total} of the cluster, {len(lost)} of them with problems:", "", *(f"- {line}" for line in lost), ""]


def _row(row: Mapping[str, Any]) -> str:
    _, expected, actual = split_detail(row.get("detail", ""))
    status = "known" if row.get("known") else "older" if row.get("older") else describe_trial(row)
    cells = [status, format_code(row["name"]), row["kind"], describe_agreement(row), row["dtype"]]
    cells += [format_code(row["minimal"]), format_code(expected), format_code(actual)]
    return f"| {' | '.join(cells)} |"


def format_code(text: str) -> str:
    """Return a text on one line as code, for a table."""
    text = " ".join(text.split())
    text = text if len(text) <= 160 else text[:157] + "..."
    return f"`{text.replace('`', QUOTE).replace('|', BAR)}`" if text else ""


def _standing(record: Record) -> list[str]:
    """Return the lines about accepted differences and undecided answers."""
    lines = [f"{record.standing[:1].upper()}{record.standing[1:]}.", ""]
    if record.not_offered:
        lines += [f"{record.not_offered[:1].upper()}{record.not_offered[1:]}.", ""]
    if record.allowed:
        lines += [
            "<details><summary>Accepted differences</summary>",
            "",
            "| allowance | reason | answers | share | why |",
        ]
        lines += ["|---|---|---:|---:|---|"]
        lines += [
            f"| `{name}` | {entry['reason']} | {entry['count']:,} | {format_share(entry['count'], record.answers)} "
            f"| {entry['why'].replace('|', BAR)} |"
            for name, entry in record.allowed
        ]
        lines += ["", "</details>", ""]
    if record.undecided:
        lines += ["<details><summary>Undecided</summary>", "", "| reason | answers | names |", "|---|---:|---|"]
        lines += [
            f"| {reason.replace('|', BAR)} | {entry['count']:,} | {list_some(list(entry['names']))} |"
            for reason, entry in record.undecided
        ]
        lines += ["", "</details>", ""]
    return lines


def _rates(summary: Mapping[str, Any]) -> list[str]:
    rates = summary.get("cases_per_core_second") or {}
    if not rates:
        return []
    return [f"Cases per core-second: {', '.join(f'{mode} {rate:,.0f}' for mode, rate in rates.items())}.", ""]


def _names(record: Record) -> list[str]:
    summary, names = record.summary, record.summary["names"]
    owner = find_domain(summary["subject"]).owner
    totals = f"{names['total']} of {owner}'s, {names['present']} present, {names['exercised']} exercised"
    lines = [f"Names: {totals}, {names['agreeing']} agreeing."]
    lines += ["", f"`{summary['subject']}` {record.reexported}."] if record.reexported else []
    topics = summary.get("topics") or []
    if not topics:
        return lines
    table = ["", "<details><summary>By topic</summary>", "", "| topic | names | present | exercised | agreeing |"]
    table += ["|---|---:|---:|---:|---:|"]
    columns = ("topic", "total", "present", "exercised", "agreeing")
    table += [f"| {' | '.join(str(row[column]) for column in columns)} |" for row in topics]
    return [*lines, *table, "", "</details>"]
