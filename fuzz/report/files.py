"""Writing the reports into a run's directory."""

from __future__ import annotations

from pathlib import Path

from fuzz.report.junit import make_document
from fuzz.report.markdown import summarise
from fuzz.report.page import render_page
from fuzz.report.record import Record


def write_reports(record: Record, directory: Path) -> None:
    """Write all reports of a run into its directory."""
    (directory / "report.md").write_text(summarise(record))
    (directory / "junit.xml").write_bytes(make_document(record))
    (directory / "report.html").write_text(render_page(record, directory))
