from __future__ import annotations

from datetime import date, timedelta

import pytest

from fuzz.history.database import Database
from fuzz.history.lives import (
    count_core_hours,
    count_weeks,
    describe_lives,
    describe_weeks,
    estimate_unseen,
    list_neglected,
    trace_lives,
)
from tests.fuzz.history.nights import BEGIN, make_summary, simulate


@pytest.fixture
def database(tmp_path):
    with Database(tmp_path / "history.sqlite") as database:
        yield database


def test_twenty_nights_are_told_as_they_were(database):
    simulate(database)
    runs = database.list_runs()
    lives = {next(iter(one.names)): one for one in trace_lives(database.list_seen(runs), database.list_verdicts())}
    assert {name: life.status for name, life in lives.items()} == {"add": "regressed", "sin": "fixed", "cos": "open"}
    dates = {name: (life.first.run.at - BEGIN).days for name, life in lives.items()}
    assert dates == {"add": 0, "sin": 3, "cos": 10}
    assert [(at - BEGIN).days for at in lives["add"].fixed + lives["add"].regressed] == [7, 14]
    assert lives["sin"].days_to_fix == 7
    assert lives["cos"].days_to_fix is None
    weeks = count_weeks([*lives.values()], runs)
    assert [(week.monday, week.new, week.fixed, week.regressed, week.open) for week in weeks] == [
        (date(2026, 3, 2), 2, 0, 0, 2),
        (date(2026, 3, 9), 1, 2, 0, 1),
        (date(2026, 3, 16), 0, 0, 1, 2),
    ]
    assert count_core_hours(runs) == 20


def test_weeks_without_a_change_are_one_line(database):
    database.add_run(make_summary(["add"], {}, seed=1), BEGIN)
    database.add_run(make_summary([], {}, seed=2), BEGIN + timedelta(days=70 * 365))
    runs = database.list_runs()
    lives = trace_lives(database.list_seen(runs), database.list_verdicts())
    first, second = describe_weeks(count_weeks(lives, runs))
    assert first == "week of 2026-03-02: 1 new, 0 fixed, 0 regressed, 1 open"
    assert second == "weeks of 2026-03-09 to 2096-02-13: no change, 1 open"


def test_a_finding_that_shows_another_bug_is_itself_fixed(database):
    simulate(database, [(["add"], {}), (["cos"], {"add": "changed"})])
    lives = trace_lives(database.list_seen(database.list_runs()), database.list_verdicts())
    assert {(*life.names, life.status) for life in lives} == {("add", "fixed"), ("cos", "open")}


@pytest.mark.parametrize("status", ["fixed", "changed", "regressed", "still"])
def test_another_librarys_finding_of_the_same_id_says_nothing_of_this_one(database, status):
    """Libraries with the same bug share the ids of its finding and its cause."""
    simulate(database, [(["add"], {}), (["add"], {"add": "still"})])
    before = trace_lives(database.list_seen(database.list_runs("library")), database.list_verdicts())
    other = make_summary(["add"], {"add": status}, seed=7) | {"subject": "other"}
    database.add_run(other | {"rejudged": []}, BEGIN + timedelta(days=2))
    database.add_verdicts("other", other["rejudged"], BEGIN + timedelta(days=3))
    assert before == trace_lives(database.list_seen(database.list_runs("library")), database.list_verdicts())
    lives = trace_lives(database.list_seen(database.list_runs()), database.list_verdicts())
    expected = "fixed" if status in ("fixed", "changed") else "open"
    assert {(life.subject, life.status) for life in lives} == {("library", "open"), ("other", expected)}
    assert {line.rpartition("  ")[2] for line in describe_lives(lives)} == {"library", "other"}


def test_a_run_that_does_not_find_a_bug_does_not_fix_it(database):
    simulate(database, [(["add"], {}), ([], {}), ([], {"add": "undecided"})])
    (life,) = trace_lives(database.list_seen(database.list_runs()), database.list_verdicts())
    assert life.status == "open"


def test_the_chance_of_the_unseen_is_that_of_good_and_turing(database):
    assert estimate_unseen([]) is None
    for seed, counts in enumerate(({"add": 6, "sin": 1}, {"add": 2, "cos": 1})):
        summary = make_summary(counts, seed=seed)
        for row in summary["findings"]:
            row["count"] = counts[row["name"]]
        database.add_run(summary, BEGIN + timedelta(days=seed))
    assert estimate_unseen(database.list_seen(database.list_runs())) == 2 / 10


def test_names_that_were_not_judged_for_a_month_are_listed(database):
    for day, names in ((0, ("add", "sin")), (20, ("add",)), (31, ("cos",))):
        database.add_run(make_summary([], seed=day, names=names), BEGIN + timedelta(days=day))
    runs = database.list_runs()
    assert list_neglected(runs, runs[-1].at) == ["sin"]
