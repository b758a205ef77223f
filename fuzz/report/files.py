"""Writing the reports into a run's directory."""

from __future__ import annotations

from pathlib import Path

from fuzz.report.issues import make_sarif, write_comment, write_issues
from fuzz.report.junit import make_document
from fuzz.report.markdown import summarise
from fuzz.report.page import render_page
from fuzz.report.record import RunRecord
from fuzz.triage.atomic_files import write_inside


def write_reports(record: RunRecord, directory: Path) -> None:
    """Write all reports of a run into its directory, each of them whole."""
    texts: dict[str, str | bytes] = {
        "report.md": summarise(record),
        "junit.xml": make_document(record),
        "report.html": render_page(record, directory),
        "report.sarif": make_sarif(record),
        "comment.md": write_comment(record),
        **write_issues(record),
    }
    for name, text in texts.items():
        write_inside(directory, name, text)
