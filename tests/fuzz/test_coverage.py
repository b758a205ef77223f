"""Coverage: what a subject has and how far it was exercised, counted exactly."""

from __future__ import annotations

import html
import io
import json
from collections import Counter
from dataclasses import replace
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from rich.console import Console

from fuzz.coverage import (
    ARRAY_API,
    DENOMINATORS,
    QUICK,
    Coverage,
    CoverageSource,
    Depth,
    NameCoverage,
    compare_with,
    confirm_changes,
    find_cases,
    judge_again,
    look_up,
    rebuild_coverage,
    survey,
)
from fuzz.coverage.name_coverage import enter
from fuzz.coverage.structures import DrawingTask, Structure, draw_structures, name_dtypes
from fuzz.coverage.surveys import PATIENCE, SPARE, NameSurvey, list_stages
from fuzz.differences import Difference
from fuzz.engine.item_results import ItemResult
from fuzz.report import render_coverage, show_coverage
from fuzz.report.coverage_table import format_share, make_bar
from oracle import Case, Subject
from oracle.harness import NAMES, TOPICS, Death
from tests.fuzz.inline import InlineSandbox


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
        SimpleNamespace(subject=Subject("partial", module)), (("sum", "linalg.norm", "linalg.svd", "pi", "sin"), True)
    )
    assert {row.name: (row.present, row.signature) for row in found} == {
        "sum": (True, "same"),
        "linalg.norm": (True, "different"),
        "linalg.svd": (False, ""),
        "pi": (True, ""),
        "sin": (False, ""),
    }


def difference(*modes):
    return Difference(0, 0, "sin", "value", modes, "float", "expected 1, got 2", "{}")


CALL = Structure(0, 5, frozenset({"x"}), frozenset({"float"}))


def item(name, *modes):
    return CALL.item(name, frozenset(), [(mode, 3) for mode in modes])


def test_only_what_ran_and_was_valid_and_did_not_differ_agrees():
    call = item("sin", "eager", "graph", "xla")
    row = NameCoverage("sin", True)
    enter(row, CALL, call, ItemResult(0, "sin", 3, valid=0, runs={"eager": 3}))
    assert (row.exercised, row.agrees, row.agrees_in("eager")) == (False, False, False)
    answered = {"asked": Counter({"eager@CPU:0": 2, "graph": 2}), "answered": ("eager@CPU:0", "graph")}
    enter(row, CALL, call, ItemResult(0, "sin", 3, valid=2, runs={"eager@CPU:0": 3, "graph": 3}, **answered))
    in_modes = (row.agrees_in("eager"), row.agrees_in("graph"), row.agrees_in("xla"))
    assert (row.agrees, *in_modes) == (True, True, True, False)
    assert row.runs == {"eager": 6, "graph": 3}
    enter(row, CALL, call, ItemResult(0, "sin", 3, valid=3, runs={"graph": 3}, differences=[difference("graph")]))
    assert (row.agrees, row.agrees_in("eager"), row.agrees_in("graph")) == (False, True, False)
    assert row.examples == {"graph": {"kind": "value", "case": "{}"}}
    enter(row, CALL, call, Death("crash", call, "SIGSEGV", "xla@CPU:0 2"))
    assert row.differs == ("graph", "xla")
    assert row.examples["xla"]["kind"] == "crash"
    other = NameCoverage("cos", True)
    enter(other, CALL, call, Death("crash", call, "SIGSEGV", "drawing"))
    assert not other.exercised


def test_a_parameter_or_dtype_is_exercised_by_valid_calls_in_every_mode_that_answers():
    call = item("sum", "eager", "xla")
    (row,) = look_up(SimpleNamespace(subject=Subject("numpy", np)), (("sum",), True))
    assert list(row.parameters) == ["a", "axis", "dtype", "out", "keepdims", "initial", "where"]
    assert row.exercised_parameters == []
    enter(row, CALL, call, ItemResult(0, "sum", 3, given=frozenset({"a", "axis"}), answered=("eager@CPU:0",)))
    assert (row.exercised_parameters, row.exercised_dtypes) == (["a", "axis"], ["float"])
    integers = Structure(1, 5, dtypes=frozenset({"int"}))
    enter(row, integers, call, ItemResult(0, "sum", 3, given=frozenset({"a"}), answered=("eager", "xla")))
    assert (row.exercised_parameters, row.exercised_dtypes) == (["a"], ["int"])
    assert row.modes_without(row.parameters["axis"]) == row.modes_without(row.dtypes["float"]) == ("xla",)
    enter(row, integers, call, ItemResult(0, "sum", 3, given=frozenset({"a", "out"}), answered=()))
    assert row.parameters["a"] == {"eager": 2, "xla": 1}
    assert row.parameters["out"] == {}


SUM = DrawingTask("sum", 0, QUICK, frozenset({"a", "axis", "dtype", "out", "keepdims", "initial", "where"}))


def test_calls_are_drawn_for_every_parameter_from_the_seed_and_the_name_alone():
    drawn = draw_structures(None, SUM)
    assert drawn == draw_structures(None, SUM)
    counts = Counter(parameter for one in drawn for parameter in one.parameters)
    assert min(counts[parameter] for parameter in SUM.parameters) >= QUICK.cheapest
    assert {dtype for one in drawn for dtype in one.dtypes} == {"bool", "int", "uint", "float", "complex"}
    assert sum(one.invalid for one in drawn) == QUICK.cheapest
    other = draw_structures(None, replace(SUM, seed=1))
    assert {one.seed for one in other}.isdisjoint(one.seed for one in drawn)


def test_arguments_that_are_dtypes_count():
    assert name_dtypes(Case("zeros", (3, np.float32)), QUICK) == {"float"}
    assert name_dtypes(Case("issubdtype", (np.dtype("int8"), np.integer)), QUICK) == {"int"}
    assert name_dtypes(Case("add", (np.zeros(2, ">f4"), 1)), Depth(1, 1, by_kind=False)) == {"float32"}


def test_calls_at_which_numpy_dies_are_left_out():
    row = NameSurvey(NameCoverage("sin", True, parameters={"x": {}}), ("eager",), QUICK, 0)
    assert row.next_lease(0).items == [DrawingTask("sin", 0, QUICK, frozenset({"x"}))]
    row.take([Death("crash", None, "SIGSEGV", "drawing 7")])
    assert row.next_lease(0).items[0].excluded == {7}
    row.take([Death("crash", None, "SIGSEGV", "elsewhere")])
    assert row.next_lease(0) is None


def begin(structures, *modes, depth=QUICK):
    row = NameSurvey(NameCoverage("sin", True, parameters={"x": {}}), modes, depth, 0)
    row.next_lease(0)
    row.take([structures])
    return row


def answer(task, *answered):
    runs = {mode: 3 for mode, _ in task.runs}
    modes = tuple(mode for mode in runs if mode in answered)
    return ItemResult(task.index, task.name, 3, 3, Counter(runs), runs, answered=modes, given=frozenset({"x"}))


def run_to_the_end(row, *answered):
    """Answer all leases, and return how many structures were judged in each mode."""
    counts = Counter()
    while lease := row.next_lease(0):
        counts.update(mode for task in lease.items for mode, _ in task.runs)
        row.take([answer(task, *answered) for task in lease.items])
    return counts


MANY = [Structure(number, number, frozenset({"x"}), frozenset({"float"})) for number in range(40)]


def test_a_mode_is_asked_until_it_has_answered_often_enough():
    survey = begin(MANY, "eager", "xla")
    assert run_to_the_end(survey, "eager", "xla") == {"eager": QUICK.cheapest, "xla": QUICK.others}
    assert survey.row.parameters["x"] == {"eager": QUICK.cheapest, "xla": QUICK.others}
    assert survey.row.dtypes["float"] == {"eager": QUICK.cheapest, "xla": QUICK.others}


def test_a_stage_asks_for_a_part_of_the_calls_that_the_depth_does():
    row = begin(MANY, "eager", "xla")
    counts = []
    for row.stage, row.of_calls in list_stages(QUICK):
        counts.append(run_to_the_end(row, "eager", "xla"))
    assert counts == [{"eager": 1}, {"xla": 1}, {}, {"eager": QUICK.cheapest - 1}, {}]


def test_a_survey_ends_when_its_time_is_over_and_counts_the_names_that_are_left():
    asked = Counter()

    def is_over():
        asked["times"] += 1
        return asked["times"] > 9

    origin = CoverageSource(depth="quick", seed=0)
    with open_sandbox(LIBRARY) as sandbox:
        found = survey(sandbox, LIBRARY, ("eager",), QUICK, origin, names=OWN, is_over=is_over)
        assert found.unfinished == len(OWN)
        assert not sandbox.busy
        whole = survey(sandbox, LIBRARY, ("eager",), QUICK, origin, names=OWN)
    assert 0 < found.cases < whole.cases
    assert whole.unfinished == 0


def test_what_gave_no_value_is_noted_by_mode():
    row = NameCoverage("sin", True)
    unanswered = {"xla@CPU:0": ("{}", "TypeError: no\nmore"), "eager": ("{}", "hang")}
    enter(row, CALL, item("sin", "eager", "xla"), ItemResult(0, "sin", 3, valid=3, unanswered=unanswered))
    assert row.unanswered == {"xla": "TypeError: no more", "eager": "hang"}


def test_differences_are_of_one_kind_and_symptom_each_with_all_modes():
    row = NameCoverage("sin", True)
    differences = [
        difference("xla"),
        replace(difference("eager"), case='{"later": 1}'),
        replace(difference("xla"), symptom="nan"),
    ]
    enter(row, CALL, item("sin", "eager", "xla"), ItemResult(0, "sin", 3, valid=3, differences=differences))
    assert {key: (one.modes, one.case) for key, one in row.differences.items()} == {
        ("value", ""): (("eager", "xla"), "{}"),
        ("value", "nan"): (("xla",), "{}"),
    }
    assert "differences" not in row.data()


def test_a_mode_that_answers_nothing_is_given_up():
    counts = run_to_the_end(begin(MANY, "eager", "xla"), "eager")
    assert counts["xla"] == PATIENCE


def test_a_dtype_that_is_not_answered_is_tried_a_few_times_more():
    floats = [replace(one, number=one.number + 100, dtypes=frozenset({"complex"})) for one in MANY]
    row = begin(MANY + floats, "eager", depth=Depth(1, 1, by_kind=True))
    tried = Counter()
    while lease := row.next_lease(0):
        dtypes = ["complex" if task.index >= 100 else "float" for task in lease.items]
        tried.update(dtypes)
        row.take(
            [
                answer(task, *(["eager"] if dtype == "float" else []))
                for task, dtype in zip(lease.items, dtypes, strict=True)
            ]
        )
    assert tried == {"float": 1, "complex": 1 + SPARE}


def test_a_mode_in_which_a_worker_dies_is_left_out():
    survey = begin(MANY, "eager", "xla")
    lease = survey.next_lease(0)
    dying = [task for task in lease.items if "xla" in dict(task.runs)]
    assert dying
    deaths = [Death("crash", task, "SIGSEGV", "xla 0") for task in lease.items]
    survey.take([death if death.item in dying else answer(death.item, "eager") for death in deaths])
    assert survey.row.differs == ("xla",)
    assert run_to_the_end(survey, "eager", "xla") == {"eager": len(dying)}
    assert survey.row.answers == {"eager": QUICK.cheapest}


LIBRARY = "tests.fuzz.small_library"
OWN = ("clip", "diff", "median", "roll", "tile", "trace")


def cover(subject=LIBRARY, jobs=1, seed=0, names=OWN):
    origin = CoverageSource(depth="quick", seed=seed)
    with open_sandbox(subject, jobs) as sandbox:
        return survey(sandbox, subject, ("eager",), QUICK, origin, names=names)


def open_sandbox(subject, jobs=1):
    arguments = {"subject": subject, "devices": ("CPU:0",), "names": ()}
    return InlineSandbox(jobs, "fuzz.engine.tasks:prepare", arguments, start="fuzz.engine.tasks:start")


@pytest.fixture(scope="module")
def library():
    return cover()


def test_the_same_seed_gives_the_same_coverage_with_any_number_of_jobs(library):
    again = cover(jobs=3)
    assert json.dumps(again.data()) == json.dumps(library.data())
    assert json.dumps(cover(seed=1).data()) != json.dumps(library.data())
    assert library.cases == sum(row.runs["eager"] for row in library.rows)
    assert "median" in {row.name for row in library.rows if row.differs}


def confirm(found, earlier, subject):
    change = compare_with(found, earlier)
    with open_sandbox(subject) as sandbox:
        shown = list(judge_again(sandbox, find_cases(change, found, earlier)))
    return confirm_changes(change, found, earlier, shown)


def test_changes_are_those_that_show_again(library):
    right = cover("numpy")
    wrong = tuple(sorted(row.name for row in library.rows if row.differs))
    for found, earlier, what in ((right, library, "now agreeing"), (library, right, "no longer agreeing")):
        change = confirm(found, earlier.data(), found.subject)
        assert {key: names for key, names in change.names.items() if names} == {what: wrong}
        assert change.unconfirmed == ()


def test_a_change_that_does_not_show_again_is_not_listed(library):
    right = cover("numpy")
    change = confirm(library, right.data(), "numpy")  # as if the library answered rightly the second time
    assert set(change.names.values()) == {()}
    assert set(change.unconfirmed) == {row.name for row in library.rows if row.differs}
    change = confirm(right, library.data(), LIBRARY)
    assert set(change.names.values()) == {()}


def test_other_calls_show_nothing_of_what_agrees_no_longer(library):
    change = confirm(library, cover("numpy", seed=1).data(), LIBRARY)
    assert set(change.names.values()) == {()}
    assert change.unconfirmed


def test_denominators_are_names_of_numpys():
    sizes = {key: len(one.names) for key, one in DENOMINATORS.items()}
    assert sizes["numpy"] == len(NAMES)
    assert sizes["numpy"] > sizes["main"] > sizes["array-api"] > 200
    assert not any("." in name for name in DENOMINATORS["main"].names)


def test_the_standards_names_are_those_of_the_strict_library():
    strict = pytest.importorskip("array_api_strict")
    own = [name for name in ARRAY_API.names if not name.startswith("ndarray.")]
    assert [name for name in own if not hasattr(strict, name.partition(".")[0])] == []
    spaces = {f"{home}.{name}" for home in ("linalg", "fft") for name in getattr(strict, home).__all__}
    assert spaces == {name for name in own if "." in name}


def coverage():
    table = {
        "sin": NameCoverage(
            "sin",
            True,
            "same",
            runs={"eager": 3, "xla": 3},
            valid=3,
            asked={"eager": 3, "xla": 3},
            answers={"eager": 1, "xla": 1},
            allowed=("xla",),
            parameters={"x": {"eager": 3, "xla": 2}, "out": {"eager": 1}, "dtype": {}},
            dtypes={"float": {"eager": 3, "xla": 2}, "int": {"eager": 1}},
        ),
        "cos": NameCoverage("cos", True, "different", "lacks out", runs={"eager": 3}, valid=3, differs=("eager",)),
        "linalg.svd": NameCoverage("linalg.svd", True, "same"),
    }
    return Coverage("some.module", ("eager", "xla"), [table.get(name, NameCoverage(name)) for name in NAMES])


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
        "judged": 2,
        "agreeing": 1,
        "with allowances": 1,
        "eager": 1,
        "xla": 1,
        "parameters": 3,
        "exercised parameters": 1,
        "dtypes": 2,
        "exercised dtypes": 1,
    }
    assert totals == {"total": len(NAMES)} | expected
    for key, total in totals.items():
        assert sum(row[key] for row in found.topics()) == total
    assert [row["topic"] for row in found.topics()] == [topic for topic, names in TOPICS.items() if names]


def test_the_page_and_the_table_tell_the_totals():
    page = render_coverage(coverage())
    assert f"has 3 of NumPy's {len(NAMES)} names" in html.unescape(page)
    assert "lacks out" in page
    assert "1 of 3; not out in xla, not dtype" in page
    assert "1 of 2; not int in xla" in page
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
        "cases": 30,
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
    found = rebuild_coverage(summary, [NameCoverage(name, True) for name in NAMES])
    assert found.modes == ("eager", "xla", "eager@GPU:0", "xla@GPU:0")
    assert [row.parameters for row in found.rows if row.parameters] == [{"x": {"eager": 9}}]
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
