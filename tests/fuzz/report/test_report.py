"""Reports: one record of plain data, told to people, to GitHub, to whoever reads JUnit, with nothing lost or let in."""

from __future__ import annotations

import html
import io
import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from junitparser import JUnitXml
from rich.console import Console

from fuzz.report import RunRecord, annotate, format_count, format_duration, show
from fuzz.report.annotations import format_lines
from fuzz.report.issues import make_sarif, write_comment, write_issues
from fuzz.report.junit import make_document
from fuzz.report.markdown import summarise
from fuzz.report.page import find_previous, highlight_python, render_page
from fuzz.report.record import describe_agreement
from fuzz.triage.root_cause import split_detail


def finding(identity, name="add", kind="value", **others):
    return {
        "id": identity,
        "name": name,
        "kind": kind,
        "modes": ["eager", "xla"],
        "dtype": "float",
        "detail": "at [0] expected 1.0, got nan",
        "minimal": f"np.{name}(np.array([0.0, np.nan]))",
        "case": f"cases/{identity}.json",
        "repro": f"repros/{identity}.py",
        "reproduced": True,
        "reduced": True,
        "known": False,
        "count": 3,
        "index": 1,
        "sibling": 0,
    } | others


def record(findings=(), **others):
    summary = {
        "subject": "tfnp",
        "versions": {"python": "3.11", "numpy": "2.4.6", "tensorflow": "2.21.0"},
        "devices": ["CPU:0"],
        "modes": ["eager", "xla"],
        "seed": 7,
        "seconds": 61.4,
        "interrupted": False,
        "cases": 12345,
        "cases_per_core_second": {"eager": 3210.4, "xla": 55.0},
        "names": {"total": 100, "present": 90, "exercised": 80, "agreeing": 79},
        "topics": [{"topic": "Logic functions", "total": 10, "present": 9, "exercised": 8, "agreeing": 7}],
        "by_name": {"add": {"cases": 5, "valid": 1.0}, "sin": {"cases": 5, "valid": 1.0}},
        "core_seconds_by_name": {"add": 1.5},
        "stale": [],
        "findings": list(findings),
    } | others
    return RunRecord(summary, {row["id"]: "import numpy as np\nprint('a <b> & c')  # why\n" for row in findings})


SILENT = record()
KNOWN = record([finding("f-0000000001", known=True)])
LOUD = record(
    [
        finding("f-0000000001"),
        finding("f-0000000002", kind="spurious error", detail="TypeError: no `out`; NumPy gives array(0.)"),
        finding("f-0000000003", name="linalg.svd", kind="crash", detail="SIGABRT: check.cc:12 <x> | y", repro=""),
        finding("f-0000000004", name="left_shift", kind="different error", known=True, reproduced=False),
    ]
)
FAULTY = record(
    harness_faults=[
        {"location": f"oracle/x.py:{line} in f", "part": "element.x", "error": "KeyError: '<b>|'", "mode": "xla"}
        | {"case": '{"name": "<i>"}', "count": 9 - line}
        for line in range(8)
    ]
)
STALE = record(stale=["argsort: the witness agrees again"])


def test_harness_faults_are_shown_everywhere_and_leave_the_run_clean():
    console = Console(file=io.StringIO(), width=200)
    show(FAULTY, None, console)
    texts = [console.file.getvalue(), summarise(FAULTY), "".join(Page(render_page(FAULTY)).words)]
    for text in texts:
        assert "oracle/x.py:0 in f" in text
        assert "element.x" in text
    assert "and 3 more, in the report" in texts[0]
    assert all(f"oracle/x.py:{line} in f" in text for text in texts[1:] for line in range(8))
    assert not any("arness fault" in text for text in (summarise(SILENT), "".join(Page(render_page(SILENT)).words)))
    assert FAULTY.is_clean


WORKERS = [
    {"address": "tcp://b:1", "name": "<w1>", "state": "lost", "joined": "2026-01-02T03:04:05+00:00", "answered": 19}
    | {"lost": "2026-01-02T03:05:06+00:00", "why": "", "redone": {"reduction": 1, "item": 30}},
    {"address": "tcp://b:2", "name": "tcp://b:2", "state": "unusable", "joined": "2026-01-02T03:04:05+00:00"}
    | {"lost": "", "why": "no module 'mine'", "redone": {}, "answered": 0},
    {"address": "tcp://b:3", "name": "w3", "state": "ready", "joined": "2026-01-02T03:04:05+00:00"}
    | {"lost": "", "why": "", "redone": {}, "answered": 40},
]


def test_workers_that_were_lost_are_shown_everywhere():
    run, console = record(workers=WORKERS), Console(file=io.StringIO(), width=200)
    show(run, None, console)
    lost = "<w1> (tcp://b:1): lost, since 2026-01-02T03:05:06+00:00, after 19 tasks, done again by others: 1 reduction"
    for text in (console.file.getvalue(), html.unescape(re.sub(r"\\(.)|&#8203;", r"\1", summarise(run)))):
        assert f"{lost}, 30 items" in text
        assert "tcp://b:2: unusable, no module 'mine'" in text
        assert "w3" not in text
    words = "".join(Page(render_page(run)).words)
    assert all(text in words for text in ("<w1>", "1 reduction, 30 items", "no module 'mine'", "w3"))
    assert "Workers" not in "".join(Page(render_page(SILENT)).words)


def test_a_finding_that_was_not_tried_is_not_said_not_to_reproduce():
    rows = [finding("f-0000000001", reproduced=None), finding("f-0000000002", "sin", kind="shape", reproduced=False)]
    run, console = record(rows, untried=["f-0000000001"]), Console(file=io.StringIO(), width=400)
    show(run, None, console)
    lines = console.file.getvalue().splitlines()
    marks = {one: next(line for line in lines if one in line) for one in ("f-0000000001", "f-0000000002")}
    assert marks["f-0000000001"].endswith("script not tried: no time")
    assert marks["f-0000000002"].startswith("  f-0000000002  sin  shape  ")
    assert "1 finding not reproduced by a script, which do not fail the run:" in lines
    assert "There was no time to try the script of 1 finding." in lines
    assert "| script not tried: no time | `add` |" in summarise(run)
    assert "| not reproduced | `sin` |" in summarise(run)
    assert "| not reproduced | `sin` |" in write_comment(run)


def test_what_there_was_no_time_for_is_said():
    rows = [finding("f-1", reduced=False), finding("f-2", reduced=False, reproduced=None), finding("f-3")]
    run = record(rows, untried=["f-1", "f-2"])
    assert run.describe_untried() == "to reduce 2 findings thoroughly and to try the script of 1 finding"
    assert record(rows).describe_untried() == ""


def test_what_no_script_shows_does_not_fail_a_run_and_has_a_place_of_its_own():
    run = record([finding("f-0000000002", "sin", kind="crash", reproduced=False)])
    assert run.passes
    assert run.headline == "tfnp: no difference in 80 of 100 names (1 not reproduced)"
    assert format_lines(run) == ["::notice title=not reproduced by a script::sin crash f-0000000002"]
    (case,) = [case for suite in JUnitXml.fromstring(make_document(run)) for case in suite if case.name == "sin"]
    assert [result.message for result in case.result] == ["1 not reproduced"]
    page = Page(render_page(run))
    assert "Not reproduced" in page.words
    assert "not-reproduced" in page.identities
    assert json.loads(make_sarif(run))["runs"][0]["results"] == []


class Page(HTMLParser):
    """What a page refers to, its texts, and whether its elements are closed as they were opened."""

    def __init__(self, source):
        super().__init__()
        self.open, self.references, self.words, self.identities = [], [], [], []
        self.feed(source)

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "input", "br", "link", "img"):
            self.open.append(tag)
        self.references += [value for key, value in attrs if key in ("src", "href", "action")]
        self.identities += [value for key, value in attrs if key == "id"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


@pytest.mark.parametrize("record", [SILENT, KNOWN, LOUD, STALE, FAULTY])
def test_the_page_is_whole_and_needs_nothing_else(record):
    source = render_page(record)
    page = Page(source)
    assert page.open == []
    assert all(re.match(r"#|(cases|repros)/f-[0-9a-f]{10}\.(json|py)$", reference) for reference in page.references)
    assert not re.search(r"https?://|@import|url\(", source)
    assert record.headline in "".join(page.words)
    assert len(page.identities) == len(set(page.identities))
    assert {row["id"] for row in record.findings} <= set(page.identities)
    assert {cause.id for cause in record.causes} <= set(page.identities)
    assert {"findings", "accepted", "undecided"} <= set(page.identities)


def read_data(source):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', source)[1])


def test_a_cause_says_whether_it_is_new_and_since_when_it_is_known():
    seen = "2026-11-20T03:00:00+00:00"
    rows = [
        finding("f-0000000001", name="sort", detail="expected 1.0, got 2.0", location="../../tfnp/sorting.py:7"),
        finding("f-0000000002", detail="expected 3.0, got 4.0", known=True, first_seen=seen),
        finding("f-0000000003", name="roll", detail="expected 5.0, got 6.0", older=True),
        finding("f-0000000004", name="tile", detail="expected 7.0, got 8.0", reproduced=False),
    ]
    run = record(rows)
    source = render_page(run)
    assert {cause.names[0]: (cause.status, cause.first_seen) for cause in run.causes} == {
        "sort": ("new", ""),
        "add": ("known", seen),
        "roll": ("older", ""),
    }
    for status, count in (("new", 1), ("known", 1), ("older", 1), ("not-reproduced", 1)):
        assert source.count(f'<span class="mark {status}">') == count
    assert source.count("first seen 2026-11-20") == 1
    assert '<a href="../../tfnp/sorting.py#L7">tfnp/sorting.py:7</a>' in source
    assert 'data-facet="status"' in source
    assert '<option value="newest">' in source
    assert 'data-facet="status"' not in render_page(record(rows[:1]))
    assert '<option value="newest">' not in render_page(record(rows[:1]))
    assert "known" in summarise(run)
    assert "(older)" in summarise(run)


def test_an_issue_is_copied_as_its_file_has_it():
    cards = read_data(render_page(LOUD))["findings"]
    issues = write_issues(LOUD)
    for identity, card in cards.items():
        if card["issue"]:
            before, after = card["issue"]
            assert before + card["script"].rstrip("\n") + after == issues[f"issues/{identity}.md"]
    copied = {f"issues/{identity}.md" for identity, card in cards.items() if card["issue"]}
    assert copied == {path for path in issues if Path(path).stem in cards} != set()


def test_the_page_links_to_the_run_before_and_to_the_history(tmp_path):
    for name, subject in (("001", "tfnp"), ("002", "other"), ("004", "tfnp")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.json").write_text(json.dumps({"subject": subject}))
        (tmp_path / name / "report.html").touch()
    assert find_previous(tmp_path / "004", "tfnp") == "../001/report.html"
    assert find_previous(tmp_path / "001", "tfnp") == find_previous(tmp_path, "tfnp") == ""
    source = render_page(SILENT, tmp_path / "004")
    assert "../001/report.html" in Page(source).references
    assert "history.html" not in Page(source).references
    (tmp_path / "004/history.html").touch()
    assert "history.html" in Page(render_page(SILENT, tmp_path / "004")).references


@pytest.mark.parametrize(
    "source", ["x = 'a' + \"<b>\"  # c\n", "def f(:\n  '''open", "np.add(1, 2.5)", "", "a\n\tb\n  c\n", "x = f'{y!r}'"]
)
def test_marking_source_changes_nothing_but_the_marks(source):
    marked = Page(str(highlight_python(source)))
    assert "".join(marked.words) == source
    assert marked.open == []


def test_headlines_say_what_came_out():
    assert SILENT.headline == "tfnp: no difference in 80 of 100 names"
    assert KNOWN.headline == "tfnp: no difference in 80 of 100 names (1 known one)"
    assert LOUD.headline == "tfnp: 3 differences in 2 names (1 known one)"
    assert STALE.headline == "tfnp: 1 stale allowance"
    assert record([finding("f-0000000001")], interrupted=True).headline == "tfnp: 1 difference in 1 name so far"
    lacking = finding(
        "f-0000000002", kind="signature", detail="TypeError: add() got an unexpected keyword argument 'out'"
    )
    assert record([lacking]).headline == "tfnp: 1 missing parameter in 1 name"
    both = record([finding("f-0000000001"), lacking])
    assert both.headline == "tfnp: 1 difference and 1 missing parameter in 1 name"
    assert record(cases=0).headline == "tfnp: nothing was judged"
    assert [one.is_clean for one in (SILENT, KNOWN, LOUD, STALE)] == [True, True, False, False]


@pytest.mark.parametrize(
    ("detail", "parts"),
    [
        ("expected float64, got float32", ("", "float64", "float32")),
        (
            "result[1] at [0, 2] expected nan, got 0.0; 2 of 3 elements",
            ("result[1] at [0, 2]", "nan", "0.0; 2 of 3 elements"),
        ),
        ("NumPy raises ValueError: a; b; got array(1)", ("", "ValueError: a; b", "array(1)")),
        ("TypeError: add() got an unexpected 'x'; NumPy gives 3", ("", "3", "TypeError: add() got an unexpected 'x'")),
        ("SIGSEGV", ("", "", "SIGSEGV")),
    ],
)
def test_a_detail_has_two_sides(detail, parts):
    assert split_detail(detail) == parts


def test_markdown_has_a_row_for_each_cause_and_finding_and_no_broken_cells():
    text = summarise(LOUD)
    rows = [line for line in text.splitlines() if line.startswith("|") and "`np." in line]
    cells = [len(re.findall(r"(?<!\\)\|", row)) - 1 for row in rows]
    assert cells == [6] * len(LOUD.causes) + [8] * len(LOUD.findings)
    assert text.startswith("## ❌ tfnp: 3 differences")
    assert summarise(SILENT).startswith("## ✅ tfnp: no difference in 80 of 100 names")
    assert "12,345 cases in 1 min 1 s" in text
    many = record([finding(f"f-{number:010}", name=f"n{number}", detail="expected 1, got 2") for number in range(100)])
    assert "and 40 more causes" in summarise(many)
    assert "and 40 more, in `findings.jsonl`" in summarise(many)


def test_findings_that_the_run_lets_pass_are_warnings_and_skipped_tests():
    edge = finding("f-0000000001", name="add", detail="expected 1, got 2") | {"call_class": "edge"}
    passed, failed = (record([edge]) for _ in range(2))
    passed.summary["fail_on"], failed.summary["fail_on"] = "ordinary", "edge"
    assert (passed.passes, failed.passes, passed.is_clean) == (True, False, False)
    assert [line.partition(" ")[0] for line in format_lines(passed)] == ["::warning"]
    assert [line.partition(" ")[0] for line in format_lines(failed)] == ["::error"]
    assert summarise(passed).startswith("## ⚠️ ")
    assert "1 of edge calls; 1 do not fail the run (--fail-on ordinary)" in summarise(passed)
    (case,) = (one for one in next(iter(JUnitXml.fromstring(make_document(passed)))) if one.name == "add")
    assert case.is_skipped
    (case,) = (one for one in next(iter(JUnitXml.fromstring(make_document(failed)))) if one.name == "add")
    assert case.result[0].message.startswith("value of an edge call")


def test_junit_has_one_test_case_for_each_name():
    suite = next(iter(JUnitXml.fromstring(make_document(LOUD))))
    results = {case.name: case for case in suite}
    assert set(results) == {"add", "sin", "linalg.svd", "left_shift"}
    assert (suite.tests, suite.failures, suite.skipped) == (4, 3, 1)
    assert results["sin"].is_passed
    assert (results["add"].time, results["sin"].time) == (1.5, 0.0)
    assert results["left_shift"].is_skipped
    assert {result.type for result in results["add"].result} == {"value", "spurious error"}
    assert "f-0000000001" in "".join(result.text for result in results["add"].result)
    assert results["linalg.svd"].classname == "Linear algebra"
    stale = next(iter(JUnitXml.fromstring(make_document(STALE))))
    assert stale.failures == 1


@pytest.mark.parametrize("kind", ["pipe", "folder", "full", "nowhere"])
def test_a_summary_of_the_job_that_cannot_be_written_is_a_line(kind, tmp_path, monkeypatch, capsys):
    """It neither keeps the command waiting nor changes its exit status."""
    path = {"full": Path("/dev/full"), "nowhere": tmp_path / "no/such"}.get(kind, tmp_path / "line\nbreak")
    {"pipe": os.mkfifo, "folder": os.mkdir}.get(kind, str)(path)
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    annotate(LOUD)
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if not line.startswith("::")] == [lines[-1]]
    assert lines[-1].startswith("No summary of the job: ")


def test_annotations_are_what_github_reads(tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    annotate(LOUD)
    assert capsys.readouterr().out == ""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    annotate(LOUD)
    assert (tmp_path / "summary.md").read_text().startswith("## ❌ tfnp: 3 differences")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    title = "title=crash (ordinary call)%3A SIGABRT%3A check.cc%3A12 <x> | y::linalg.svd%0Anp.linalg.svd("
    assert re.match(rf"::error (?:file=[^,]+,line=\d+,)?{re.escape(title)}", lines[0])
    many = record([finding(f"f-{number:010}", name=f"n{number}", detail="100 %") for number in range(50)])
    assert len(format_lines(many)) == 10
    assert "41 more" in format_lines(many)[-1]
    assert "100 %25" in format_lines(many)[0]
    assert format_lines(STALE) == ["::error title=accepted divergence::argsort: the witness agrees again"]


@pytest.mark.parametrize("width", [60, 100, 200])
@pytest.mark.parametrize("terminal", [True, False])
def test_the_terminal_shows_every_cause_and_the_way_to_the_report(width, terminal):
    console = Console(file=io.StringIO(), width=width, force_terminal=terminal, color_system=None)
    show(LOUD, Path("out"), console)
    text = console.file.getvalue()
    assert all(cause.example["id"] in text for cause in LOUD.causes)
    assert "Report: out/report.html" in text
    assert "3 differences in 2 names" in " ".join(text.split())


def test_the_terminal_takes_no_text_for_a_style():
    console = Console(file=io.StringIO(), width=200)
    show(
        record([finding("f-0000000001", minimal="np.add([red]1[/red], [0])", detail="expected [/], got [bold]")]),
        None,
        console,
    )
    assert "np.add([red]1[/red], [0])" in console.file.getvalue()


def test_a_finding_says_who_agrees_with_whom():
    row = finding("f-0000000001", outputs={"agreement": [["NumPy", "xla"], ["eager", "graph"]]})
    assert describe_agreement(row) == "eager = graph ≠ NumPy = xla"
    assert describe_agreement(finding("f-0000000001")) == "eager, xla"
    told = record([row])
    console = Console(file=io.StringIO(), width=200)
    show(told, None, console)
    assert "eager = graph ≠ NumPy = xla" in console.file.getvalue()
    assert "eager = graph ≠ NumPy = xla" in summarise(told)


def test_numbers_as_one_says_them():
    assert [format_count(number, "case") for number in (0, 1, 1204)] == ["0 cases", "1 case", "1,204 cases"]
    assert [format_duration(seconds) for seconds in (0.42, 42, 185, 3725)] == [
        "0.4 s",
        "42 s",
        "3 min 5 s",
        "1 h 2 min",
    ]
