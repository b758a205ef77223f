"""Coverage: what a subject has and how far it was exercised, counted exactly."""

from __future__ import annotations

import io
import json
from collections import Counter
from types import ModuleType, SimpleNamespace

import numpy as np
from rich.console import Console

from fuzz.coverage import (
    SIBLINGS,
    TURNS,
    Coverage,
    Standing,
    enter,
    exercise,
    generate_items,
    look_up,
    rebuild_coverage,
)
from fuzz.engine.tasks import Bench, Tally
from fuzz.report import render_coverage, show_coverage
from fuzz.report.coverage_table import format_share, make_bar
from fuzz.sightings import Sighting
from oracle import NAMES, TOPICS, Death, Subject


def sum_as_numpy(
    a,
    axis=None,
    dtype=None,
    out=None,
    keepdims=np._NoValue,
    initial=np._NoValue,
    where=np._NoValue,
):
    pass


def test_names_are_looked_up_in_the_subject():
    module = ModuleType("partial")
    module.ndarray = np.ndarray
    module.sum, module.linalg, module.pi = sum_as_numpy, SimpleNamespace(norm=lambda x: x), 3.0
    found = look_up(
        SimpleNamespace(subject=Subject("partial", module)), ("sum", "linalg.norm", "linalg.svd", "pi", "sin")
    )
    assert {row.name: (row.present, row.signature) for row in found} == {
        "sum": (True, "same"),
        "linalg.norm": (True, "different"),
        "linalg.svd": (False, ""),
        "pi": (True, ""),
        "sin": (False, ""),
    }


def sighting(*modes):
    return Sighting(0, 0, "sin", "value", modes, "float", "expected 1, got 2", "{}")


def test_every_name_gets_its_turn_in_every_mode():
    first = [
        item
        for item, _ in zip(generate_items(lambda: ("sin", "cos", "tan"), ("eager", "xla"), 5), range(7), strict=False)
    ]
    assert sorted(item.name for item in first[:3]) == sorted(item.name for item in first[3:6]) == ["cos", "sin", "tan"]
    assert {item.runs for item in first} == {(("eager", SIBLINGS), ("xla", SIBLINGS))}
    assert len({item.seed for item in first}) == 7


def test_only_what_ran_and_was_valid_and_did_not_differ_agrees():
    item = next(generate_items(lambda: ("sin",), ("eager", "graph", "xla"), 0))
    row = Standing("sin", True)
    enter(row, item, Tally(0, "sin", 3, valid=0, runs={"eager": 3}))
    assert (row.exercised, row.agrees, row.agrees_in("eager")) == (False, False, False)
    answered = {"asked": Counter({"eager@CPU:0": 2, "graph": 2}), "answered": ("eager@CPU:0", "graph")}
    enter(row, item, Tally(0, "sin", 3, valid=2, runs={"eager@CPU:0": 3, "graph": 3}, **answered))
    assert (row.agrees, row.agrees_in("eager"), row.agrees_in("graph"), row.agrees_in("xla")) == (
        True,
        True,
        True,
        False,
    )
    assert row.runs == {"eager": 6, "graph": 3}
    enter(row, item, Tally(0, "sin", 3, valid=3, runs={"graph": 3}, sightings=[sighting("graph")]))
    assert (row.agrees, row.agrees_in("eager"), row.agrees_in("graph")) == (False, True, False)
    enter(row, item, Death("crash", item, "SIGSEGV", "xla@CPU:0 2"))
    assert row.differs == ("graph", "xla")
    other = Standing("cos", True)
    enter(other, item, Death("crash", item, "SIGSEGV", "drawing"))
    assert not other.exercised


def test_a_parameter_is_exercised_by_valid_calls_in_every_mode_that_answers():
    item = next(generate_items(lambda: ("sum",), ("eager", "xla"), 0))
    (row,) = look_up(SimpleNamespace(subject=Subject("numpy", np)), ("sum",))
    assert list(row.parameters) == ["a", "axis", "dtype", "out", "keepdims", "initial", "where"]
    assert row.exercised_parameters == []
    enter(row, item, Tally(0, "sum", 3, given=frozenset({"a", "axis"}), answered=("eager@CPU:0",)))
    assert row.exercised_parameters == ["a", "axis"]
    enter(row, item, Tally(0, "sum", 3, given=frozenset({"a"}), answered=("eager", "xla")))
    assert (row.exercised_parameters, row.modes_without("axis")) == (["a"], ("xla",))
    enter(row, item, Tally(0, "sum", 3, given=frozenset({"a", "out"}), answered=()))
    assert row.parameters["a"] == {"eager": 2, "xla": 1}
    assert row.parameters["out"] == {}


def test_structures_are_chosen_for_the_parameters_that_no_call_has_given_yet():
    bench = Bench(Subject("numpy", np), ("sum",))
    item = next(generate_items(lambda: ("sum",), ("eager",), 0))
    for lacking in ({"initial"}, {"where", "keepdims"}):
        tally = exercise(bench, (item, {"eager": frozenset(lacking)}))
        assert not lacking.isdisjoint(tally.given)
        assert tally.answered == ("eager",)


def test_only_modes_that_lack_a_parameter_are_asked_again():
    bench = Bench(Subject("numpy", np), ("sum",))
    item = next(generate_items(lambda: ("sum",), ("eager", "lists"), 0))
    assert set(exercise(bench, (item, {})).runs) == {"eager", "lists"}
    assert set(exercise(bench, (item, {"lists": frozenset({"where"})})).runs) == {"lists"}
    assert exercise(bench, (item, {"lists": frozenset({"bogus"})})).cases == 0


def test_a_mode_lacks_what_it_has_not_answered_unless_it_never_answers():
    row = Standing("sum", True, parameters={"a": {"eager": 2}, "axis": {}}, runs={"eager": 3, "xla": 3})
    assert row.lacking("eager") == {"axis"}
    assert row.lacking("xla") == {"a", "axis"}
    row.runs["xla"] = SIBLINGS * TURNS
    assert row.lacking("xla") == frozenset()


def test_a_round_has_the_names_that_there_are_when_it_begins():
    rounds = iter([("sin", "cos"), ("cos",), ()])
    assert [item.name for item in generate_items(lambda: next(rounds), ("eager",), 0)][2:] == ["cos"]


def coverage():
    table = {
        "sin": Standing(
            "sin",
            True,
            "same",
            runs={"eager": 3, "xla": 3},
            valid=3,
            asked={"eager": 3, "xla": 3},
            answers={"eager": 1, "xla": 1},
            allowed=("xla",),
            parameters={"x": {"eager": 3, "xla": 2}, "out": {"eager": 1}, "dtype": {}},
        ),
        "cos": Standing("cos", True, "different", "lacks out", runs={"eager": 3}, valid=3, differs=("eager",)),
        "linalg.svd": Standing("linalg.svd", True, "same"),
    }
    return Coverage("some.module", ("eager", "xla"), [table.get(name, Standing(name)) for name in NAMES])


def test_totals_are_sums_of_topics():
    found = coverage()
    totals = found.totals()
    expected = {
        "present": 3,
        "reexported": 0,
        "same signature": 2,
        "extended signature": 0,
        "with signature": 3,
        "exercised": 2,
        "agreeing": 1,
        "with allowances": 1,
        "eager": 1,
        "xla": 1,
        "parameters": 3,
        "exercised parameters": 1,
    }
    assert totals == {"total": len(NAMES)} | expected
    for key, total in totals.items():
        assert sum(row[key] for row in found.topics()) == total
    assert [row["topic"] for row in found.topics()] == [topic for topic, names in TOPICS.items() if names]


def test_data_is_json_and_holds_every_name():
    data = json.loads(json.dumps(coverage().data()))
    assert [row["name"] for row in data["names"]] == list(NAMES)
    assert [row["name"] for row in data["names"] if row["agrees"]] == ["sin"]
    assert data["totals"]["present"] == 3


def test_the_page_and_the_table_tell_the_totals():
    page = render_coverage(coverage())
    assert f"has 3 of NumPy's {len(NAMES)} names" in page
    assert "lacks out" in page
    assert "1 of 3; not out in xla, not dtype" in page
    assert page.count("<tr data-state=") == len(NAMES)
    console = Console(file=io.StringIO(), width=170)
    show_coverage(coverage(), console)
    text = " ".join(console.file.getvalue().split())
    assert f"some.module has 3 of NumPy's {len(NAMES)} names" in text
    assert "1 of 3 parameters were given in every mode that answers calls of their function" in text
    assert (
        "Of 3 names that have a signature in NumPy, 2 have the same one, and 0 the same with additional keywords."
        in text
    )
    assert "2 names were exercised; 1 of those agree" in text


def test_an_earlier_run_is_taken_as_it_was():
    summary = {
        "subject": "tfnp",
        "modes": ["eager", "xla"],
        "devices": ["CPU:0", "GPU:0"],
        "by_name": {
            "sin": {"cases": 10, "valid": 0.9, "runs": {"eager": 10}, "answers": {"eager": 3}},
            "cos": {"cases": 10, "valid": 0.0, "runs": {"eager": 10}},
            "tan": {
                "cases": 10,
                "valid": 1.0,
                "runs": {"eager": 10, "xla@GPU:0": 3},
                "parameters": {"x": {"eager": 9}},
                "answers": {"eager": 9},
            },
        },
        "findings": [{"name": "tan", "modes": ["xla@GPU:0"]}],
    }
    found = rebuild_coverage(summary, [Standing(name, True) for name in NAMES])
    assert found.modes == ("eager", "xla", "eager@GPU:0", "xla@GPU:0")
    assert [row.parameters for row in found.standings if row.parameters] == [{"x": {"eager": 9}}]
    totals = found.totals()
    assert (totals["exercised"], totals["agreeing"], totals["eager"], totals["xla@GPU:0"]) == (2, 1, 2, 0)


def test_shares_and_bars_do_not_flatter():
    assert [format_share(part, 1000) for part in (0, 1, 500, 999, 1000)] == [
        "0.0 %",
        "0.1 %",
        "50.0 %",
        "99.9 %",
        "100 %",
    ]
    assert format_share(9999, 10000) == "99.9 %"
    assert format_share(1, 100000) == "<0.1 %"
    assert format_share(0, 0) == "-"
    text = make_bar({"total": 4, "agreeing": 1, "exercised": 2, "present": 3}).plain
    assert [text.count(sign) for sign in "█▓▒░"] == [6, 6, 6, 6]
    bar_of_two = make_bar({"total": 4, "agreeing": 4, "with allowances": 2, "exercised": 4, "present": 4})
    assert [(span.style, span.end - span.start) for span in bar_of_two.spans] == [("green", 12), ("cyan", 12)]


def test_topics_are_those_of_the_names_looked_up():
    found = Coverage("some.module", ("eager",), [Standing("linalg.svd", True)])
    assert [row["topic"] for row in found.topics()] == ["Linear algebra"]
    assert found.totals()["total"] == 1
