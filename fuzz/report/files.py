"""The reports in a run's directory."""

from __future__ import annotations

from pathlib import Path

from fuzz.report.junit import junit
from fuzz.report.markdown import markdown
from fuzz.report.page import page
from fuzz.report.record import Record


def write_reports(record: Record, directory: Path) -> None:
    """Write the reports."""
    (directory / "report.md").write_text(markdown(record))
    (directory / "junit.xml").write_bytes(junit(record))
    (directory / "report.html").write_text(page(record))
