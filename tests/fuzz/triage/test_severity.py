"""Severity of findings: the class of the minimal case, the order of reports, and what fails a run."""

import numpy as np

from fuzz.triage.root_cause import group_findings
from fuzz.triage.severity import classify_finding, count_classes, fails_run, find_class, rank_severity
from oracle import Case

ORDINARY, EDGE = Case("sum", (np.ones(2),)), Case("sum", (np.array([np.nan]),))


def make_row(kind, call_class, name="sum", **more):
    return {
        "id": f"f-{kind}-{call_class}-{name}",
        "name": name,
        "kind": kind,
        "call_class": call_class,
        "modes": ["eager"],
        "dtype": "float64",
        "detail": "expected 1.0, got 2.0",
        "minimal": f"np.{name}(x)",
    } | more


def test_a_finding_has_the_class_of_its_minimal_case():
    assert classify_finding("value", ORDINARY) == "ordinary"
    assert classify_finding("value", EDGE) == "edge"
    assert classify_finding("value", ORDINARY, "sign of zero") == "edge"
    assert classify_finding("value", ORDINARY, "nan lost") == "ordinary"
    assert classify_finding("spurious error", EDGE) == "edge"
    assert classify_finding("missing error", ORDINARY) == "invalid"
    assert classify_finding("different error", EDGE) == "invalid"


def test_a_parameter_or_function_that_never_works_is_met_by_ordinary_calls():
    assert classify_finding("signature", EDGE) == "ordinary"
    assert classify_finding("never answered", EDGE) == "ordinary"


def test_wrong_answers_come_before_refusals_and_these_before_errors():
    rows = [
        make_row("different error", "invalid"),
        make_row("spurious error", "edge"),
        make_row("value", "edge"),
        make_row("spurious error", "ordinary"),
        make_row("shape", "ordinary"),
    ]
    ordered = sorted(rows, key=rank_severity)
    assert [(row["kind"], row["call_class"]) for row in ordered] == [
        ("shape", "ordinary"),
        ("value", "edge"),
        ("spurious error", "ordinary"),
        ("spurious error", "edge"),
        ("different error", "invalid"),
    ]


def test_causes_come_by_severity_and_show_their_most_severe_finding():
    rows = [
        make_row("value", "edge", "sum"),
        make_row("value", "ordinary", "sum", minimal="np.sum(a much longer call)"),
        make_row("crash", "edge", "sort"),
    ]
    causes = group_findings(rows)
    assert [cause.names for cause in causes] == [("sum",), ("sort",)]
    assert causes[0].example["call_class"] == causes[0].call_class == causes[0].data()["call_class"] == "ordinary"


def test_new_findings_fail_a_run_by_their_class():
    ordinary, edge, invalid = (make_row("value", name) for name in ("ordinary", "edge", "invalid"))
    assert [fails_run(row, "ordinary") for row in (ordinary, edge, invalid)] == [True, False, False]
    assert [fails_run(row, "edge") for row in (ordinary, edge, invalid)] == [True, True, False]
    assert [fails_run(row, "any") for row in (ordinary, edge, invalid)] == [True, True, True]
    assert not fails_run(ordinary | {"known": True}, "any")


def test_lines_of_older_runs_have_a_class_too():
    old = {key: value for key, value in make_row("value", "edge").items() if key != "call_class"}
    assert find_class(old) == "ordinary"
    assert find_class(old | {"kind": "missing error"}) == "invalid"
    assert count_classes([old, make_row("value", "edge"), make_row("value", "edge")]) == {"ordinary": 1, "edge": 2}
