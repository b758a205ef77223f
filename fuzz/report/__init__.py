"""Reports of a run: for the terminal, as an HTML page, as Markdown, JUnit XML and workflow annotations."""

from fuzz.report.annotations import annotate
from fuzz.report.coverage_page import make_badge, render_coverage
from fuzz.report.coverage_table import show_changes, show_coverage
from fuzz.report.files import write_reports
from fuzz.report.record import RunRecord, format_count, format_duration
from fuzz.report.survey_page import render_survey
from fuzz.report.terminal import show

__all__ = [
    "RunRecord",
    "annotate",
    "format_count",
    "format_duration",
    "make_badge",
    "render_coverage",
    "render_survey",
    "show",
    "show_changes",
    "show_coverage",
    "write_reports",
]
