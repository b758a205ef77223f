from __future__ import annotations

import re
from datetime import timedelta
from xml.etree import ElementTree

import pytest

from fuzz.history.database import Database
from fuzz.history.lives import trace_lives
from fuzz.report.history_page import ATOM, describe_rate, draw_curves, make_feed, render_history
from tests.fuzz.history.nights import BEGIN, make_summary, simulate


def test_the_page_says_the_truth_and_needs_no_network(tmp_path):
    with Database(tmp_path / "history.sqlite") as database:
        simulate(database)
        runs = database.list_runs()
        page = render_history(runs, database.list_seen(runs), database.list_verdicts())
    text = re.sub(r"<(?:style|svg).*?</(?:style|svg)>|<[^>]*>", " ", page, flags=re.DOTALL)
    text = re.sub(r"\s+", " ", text)
    assert "library: 2 of 3 causes open" in text
    assert "0.15 new causes per core-hour, in 20 core-hours" in text
    assert "7.0 days from found to fixed" in text
    assert "2026-03-09 1 2 0 1" in text
    assert "regressed 2026-03-16" in text
    assert "By mode: eager 3" in text
    assert not re.search(r"https?://", page)


def test_text_of_findings_is_escaped(tmp_path):
    summary = make_summary(["add"])
    summary["findings"][0]["minimal"] = "np.add('<script>')"
    with Database(tmp_path / "history.sqlite") as database:
        database.add_run(summary, BEGIN)
        runs = database.list_runs()
        page = render_history(runs, database.list_seen(runs), database.list_verdicts())
        feed = make_feed(trace_lives(database.list_seen(runs), []), "library", BEGIN)
    assert "<script>" not in page
    assert b"<script>" not in feed


def test_the_feed_has_the_newest_cause_first(tmp_path):
    with Database(tmp_path / "history.sqlite") as database:
        simulate(database)
        runs = database.list_runs()
        lives = trace_lives(database.list_seen(runs), database.list_verdicts())
    feed = ElementTree.fromstring(make_feed(lives, "library", BEGIN))
    entries = [entry.findtext(f"{{{ATOM}}}summary") for entry in feed.iter(f"{{{ATOM}}}entry")]
    assert entries == ["np.cos(1.0) (open)", "np.sin(1.0) (fixed)", "np.add(1.0) (regressed)"]
    assert feed.findtext(f"{{{ATOM}}}updated") == (BEGIN + timedelta(days=10)).isoformat()


def test_no_curve_is_drawn_of_one_day(tmp_path):
    with Database(tmp_path / "history.sqlite") as database:
        database.add_run(make_summary([]), BEGIN)
        runs = database.list_runs()
        page = render_history(runs, database.list_seen(runs), database.list_verdicts())
        assert draw_curves(runs) == draw_curves([]) == []
        assert "<svg" not in page
        database.add_run(make_summary([]), BEGIN + timedelta(days=2))
        runs = database.list_runs()
        curves = dict(draw_curves(runs))
        assert curves["exercised"] == "0.0,22.5 720.0,22.5"
        assert "<svg" in render_history(runs, database.list_seen(runs), database.list_verdicts())


@pytest.mark.parametrize(
    ("causes", "hours", "told"),
    [
        (3, 20.0, ("0.15", "new causes per core-hour, in 20 core-hours")),
        (9, 0.000485, ("9", "causes in 1.7 s of one core")),
        (1, 0.5, ("1", "cause in 30 min 0 s of one core")),
        (0, 0.0, ("0", "causes in 0.0 s of one core")),
    ],
)
def test_no_rate_is_told_of_less_than_an_hour(causes, hours, told):
    assert describe_rate(causes, hours) == told
