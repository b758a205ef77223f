"""Texts for issue trackers and pull requests, and SARIF for code scanning."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from fuzz.differences import SIGNATURE, name_in_subject
from fuzz.report.locations import locate_function
from fuzz.report.markdown import QUOTE, escape_markdown, format_code, list_unreproduced, tabulate_causes
from fuzz.report.record import RunRecord, describe_agreement, format_count
from fuzz.triage.root_cause import Cause, split_detail

SHOWN = 10  # causes in a comment
SARIF = "https://json.schemastore.org/sarif-2.1.0.json"


def write_issue(row: Mapping[str, Any], script: str, summary: Mapping[str, Any]) -> str:
    """Return the text of an issue about a finding: what is wrong, expected and actual, versions, and the script."""
    _, expected, actual = split_detail(row.get("detail", ""))
    symptom = row.get("symptom") or row["kind"]
    versions = ", ".join(f"{name} {version}" for name, version in summary["versions"].items())
    title = escape_markdown(f"{name_in_subject(summary['subject'], row['name'])}: {symptom}")
    lines = [f"# {title}", "", f"`{row['minimal'].replace('`', QUOTE)}`", ""]
    lines += [f"- Kind: {row['kind']}, {escape_markdown(symptom)}"]
    lines += [f"- Only with: {escape_markdown(row['structure'])}"] if row.get("structure") else []
    lines += [f"- NumPy: {format_code(expected)}"] if expected else []
    lines += [f"- {summary['subject']}: {format_code(actual)}", f"- Modes: {escape_markdown(describe_agreement(row))}"]
    lines += [f"- Versions: {escape_markdown(versions)}", f"- Finding: {row['id']}"]
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", script)), default=0))
    lines += [
        "",
        "The script exits with 1 while the bug is there.",
        "",
        f"{fence}python",
        script.rstrip("\n"),
        fence,
        "",
    ]
    return "\n".join(lines)


def write_issues(record: RunRecord) -> dict[str, str]:
    """Return the text of an issue for each finding that has a script, by its file in the run's directory."""
    rows = [row for row in record.findings if row["id"] in record.scripts and row["kind"] != SIGNATURE]
    return {f"issues/{row['id']}.md": write_issue(row, record.scripts[row["id"]], record.summary) for row in rows}


def write_comment(record: RunRecord) -> str:
    """Return a comment for a pull request: the verdict, and the new causes in a table."""
    new = [cause for cause in record.causes if cause.new]
    lines = [
        f"### {'✅' if record.is_clean else '⚠️' if record.passes else '❌'} {escape_markdown(record.headline)}",
        "",
    ]
    lines += [f"- {escape_markdown(problem)}" for problem in record.complaints]
    if new:
        lines += tabulate_causes(new[:SHOWN])
    if len(new) > SHOWN:
        lines += ["", f"... and {format_count(len(new) - SHOWN, 'more cause')}, in the report."]
    lines += ["", *list_unreproduced(record)] if record.unreproduced else []
    return "\n".join(lines).rstrip() + "\n"


def make_sarif(record: RunRecord) -> str:
    """Return SARIF 2.1.0 with a result for each new cause, at the function that its example calls."""
    new = [cause for cause in record.causes if cause.new]
    rules = [{"id": kind, "shortDescription": {"text": kind}} for kind in dict.fromkeys(cause.kind for cause in new)]
    results = [_make_result(cause, record.summary["subject"]) for cause in new]
    run = {"tool": {"driver": {"name": "fuzz", "rules": rules}}}
    return json.dumps({"$schema": SARIF, "version": "2.1.0", "runs": [run | {"results": results}]}, indent=1) + "\n"


def _make_result(cause: Cause, subject: str) -> dict[str, Any]:
    row = cause.example
    text = f"{cause.title.replace('`', '')}: {row['minimal']}: {row.get('detail', '')} ({row['id']})"
    text = re.sub(r"[\\\[\]]", r"\\\g<0>", text)  # or a link between brackets
    result: dict[str, Any] = {"ruleId": cause.kind, "level": "error", "message": {"text": text}}
    result["partialFingerprints"] = {"cause/v1": cause.id}
    location = locate_function(subject, row["name"])
    if location is not None:
        region = {"artifactLocation": {"uri": location[0].as_posix()}, "region": {"startLine": location[1]}}
        result["locations"] = [{"physicalLocation": region}]
    return result
