"""Writing the reports into a run's directory."""

from __future__ import annotations

from pathlib import Path

from fuzz.report.issues import make_sarif, write_comment, write_issues
from fuzz.report.junit import make_document
from fuzz.report.markdown import summarise
from fuzz.report.page import render_page
from fuzz.report.record import Record


def write_reports(record: Record, directory: Path) -> None:
    """Write all reports of a run into its directory."""
    (directory / "report.md").write_text(summarise(record))
    (directory / "junit.xml").write_bytes(make_document(record))
    (directory / "report.html").write_text(render_page(record, directory))
    (directory / "report.sarif").write_text(make_sarif(record))
    (directory / "comment.md").write_text(write_comment(record))
    for name, text in write_issues(record).items():
        (directory / "issues").mkdir(exist_ok=True)
        (directory / name).write_text(text)
