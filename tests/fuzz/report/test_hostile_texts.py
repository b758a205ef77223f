"""Every output shows the texts of strangers as texts: read back, it holds what it would hold for a plain word."""

from __future__ import annotations

import html
import io
import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

from fuzz.__main__ import _complain
from fuzz.report import console as consoles
from fuzz.report import show
from fuzz.report.annotations import format_lines
from fuzz.report.history_page import make_feed
from fuzz.report.issues import make_sarif, write_comment, write_issues
from fuzz.report.junit import make_document
from fuzz.report.markdown import escape_markdown, format_code, summarise
from fuzz.report.page import render_page
from fuzz.report.record import FORM, RunRecord
from fuzz.triage.untrusted_input import take
from oracle.harness import make_line
from tests.fuzz.hostile_texts import HOSTILE, TEXTS

FEW = settings(max_examples=25, deadline=None)


def make_record(text):
    """The record of a run whose free texts are all this text, read as from a file."""
    row = {"id": "f-0000000001", "name": text, "kind": "value", "modes": ["eager"], "dtype": text, "detail": text}
    row |= {"minimal": text, "case": "cases/f-0000000001.json", "repro": "repros/f-0000000001.py", "reproduced": True}
    row |= {"reduced": True, "known": False, "count": 1, "index": 0, "sibling": 0, "symptom": text, "structure": text}
    row |= {"attribution": text, "message": text, "outputs": None, "upstream": [], "cause": text}
    unshown = row | {"id": "f-0000000002", "reproduced": False, "repro": ""}
    crash = row | {"id": "f-0000000003", "kind": "crash", "detail": f"raised SystemExit: {text}"}
    summary = {
        "subject": "mine",
        "versions": {"numpy": text, text: "1"},
        "devices": ["CPU:0"],
        "modes": ["eager"],
        "seed": 7,
        "seconds": 1.0,
        "cases": 5,
        "broken": text,
        "names": {"total": 9, "present": 9, "exercised": 9, "agreeing": 1},
        "topics": [{"topic": text, "total": 1, "present": 1, "exercised": 1, "agreeing": 1}],
        "by_name": {text: {"cases": 5, "valid": 1.0, "asked": {text: 1}, "answers": {text: 1}}},
        "stale": [text],
        "allowed": {text: {"reason": text, "why": text, "count": 1, "share": 0.1, "names": {text: {"eager": 1}}}},
        "undecided": {text: {"count": 1, "names": {text: {"eager": 1}}}},
        "not_offered": {text: 2},
        "harness_faults": [{"location": text, "part": text, "error": text, "mode": text, "case": text, "count": 1}],
        "workers": [
            dict.fromkeys(("address", "name", "joined", "lost", "why"), text) | {"state": "lost", "answered": 1}
        ],
        "rejudged": [{"id": text, "name": text, "kind": "value", "status": "fixed", "shown": text}],
        "findings": [row, unshown, crash],
    }
    summary["workers"][0]["redone"] = {text: 1}
    read = take(json.loads(json.dumps(summary)), FORM)
    return RunRecord(read, {one["id"]: "import numpy\nprint('</script> ``` ]]>')\n" for one in (row, crash)})


PLAIN = make_record("plain")


class Page(HTMLParser):
    """The elements of a page, with their attributes but for those that hold texts."""

    def __init__(self, source):
        super().__init__()
        self.elements = []
        self.feed(source)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, tuple(sorted(key for key, _ in attrs))))


@given(text=TEXTS)
@FEW
def test_a_page_has_the_elements_of_any_other(text):
    page, plain = (render_page(record) for record in (make_record(text), PLAIN))
    tags = [
        [tag for tag in Page(source).elements if tag[0] in ("script", "img", "a", "style", "form")]
        for source in (page, plain)
    ]
    assert tags[0] == tags[1]
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1]
    assert json.loads(data)["findings"]["f-0000000001"]["detail"] == make_line(text)


@given(text=TEXTS)
@FEW
def test_junit_is_xml_with_the_text(text):
    def shape(element):
        return (element.tag, [shape(child) for child in element])

    found, plain = (ElementTree.fromstring(make_document(record)) for record in (make_record(text), PLAIN))
    assert shape(found) == shape(plain)
    assert make_line(text)[:100] in found.find(".//failure").text


@given(text=TEXTS)
@FEW
def test_sarif_and_feed_are_json_and_xml(text):
    assert len(json.loads(make_sarif(make_record(text)))["runs"][0]["results"]) == 2
    ElementTree.fromstring(make_feed([], text, __import__("datetime").datetime(2026, 1, 1)))


def read_markdown(text):
    """The text that Markdown shows of one that `escape_markdown` wrote."""
    return html.unescape(re.sub(r"\\(.)", r"\1", text.replace("&#8203;", "")))


@given(text=TEXTS)
@FEW
def test_markdown_shows_the_text_and_nothing_else(text):
    line = make_line(text)
    escaped = escape_markdown(line)
    assert read_markdown(escaped) == line
    assert not re.search(r"(?<![\\&])[`*_\[\]#|~!]|[<>]|@(?!&#8203;)|://|www\.", escaped)


SPLIT = re.compile(r"(?:\\[|!-/:-@\[-`{-~]|[^|])+")  # as GitHub splits the rows of tables


@given(text=TEXTS)
@FEW
def test_tables_have_their_columns_and_comments_their_lines(text):
    for write in (summarise, write_comment):
        found, plain = (write(record).splitlines() for record in (make_record(text), PLAIN))
        assert len(found) == len(plain)
        for line, other in zip(found, plain, strict=True):
            assert len(SPLIT.findall(line)) == len(SPLIT.findall(other)), line
            assert line[:2].strip("`") == other[:2].strip("`") or not line.startswith(("#", "<", "::", "```"))
            assert "@everyone" not in re.sub("`[^`]*`", "", line)
            assert re.findall("</?[a-z]+", re.sub("`[^`]*`", "", line)) == re.findall("</?[a-z]+", other)


@given(text=TEXTS)
@FEW
def test_an_issue_has_one_heading_and_one_block_of_code(text):
    for issue in write_issues(make_record(text)).values():
        outside = re.sub(r"^(`{4,})python\n.*?^\1$", "", issue, flags=re.DOTALL | re.MULTILINE)
        assert [line[:2] for line in outside.splitlines() if line.startswith("#")] == ["# "]
        assert "```" not in re.sub("`[^`\n]+`", "", outside)


@given(text=TEXTS)
@FEW
def test_code_is_one_span(text):
    shown = format_code(make_line(text))
    assert shown == "" or re.fullmatch("`[^`\n]+`", shown)
    assert len(SPLIT.findall(shown)) <= 1


@given(text=TEXTS)
@FEW
def test_annotations_are_one_command_a_line(text):
    found, plain = (format_lines(record) for record in (make_record(text), PLAIN))
    assert len(found) == len(plain)
    for line in found:
        assert re.fullmatch(r"::(error|warning|notice) [^\n\r]*?title=[^:,\n\r]*::[^\n\r]*", line)
        assert "##[" not in line


@pytest.mark.parametrize("text", HOSTILE)
def test_no_line_of_a_log_is_a_command(text, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    lines = {}
    for key, record in (("hostile", make_record(text)), ("plain", PLAIN)):
        output = io.StringIO()
        monkeypatch.setattr(consoles.sys, "stdout", output)
        show(record, None, consoles.open_console())
        lines[key] = output.getvalue().splitlines()
    assert len(lines["hostile"]) == len(lines["plain"])
    for line in lines["hostile"]:
        assert not line.lstrip().startswith("::")
        assert "##[" not in line
        assert line.isprintable()


@given(text=TEXTS)
@FEW
def test_a_usage_error_is_one_printable_line(text):
    with pytest.MonkeyPatch.context() as patch:
        output = io.StringIO()
        patch.setattr("sys.stderr", output)
        _complain(text, 2)
    assert output.getvalue().count("\n") == 1
    assert output.getvalue()[:-1].isprintable()
