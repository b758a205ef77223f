"""Recorded cases: what a line holds, what is refused, and which cases show the same."""

from __future__ import annotations

import json
from datetime import date

import numpy as np
import pytest

from fuzz.triage.ledger import Finding
from fuzz.triage.recorded_cases import (
    drop_equal,
    find_structure,
    holds_recorded,
    make_recorded,
    read_recorded,
    record_findings,
    render_line,
    write_recorded,
)
from fuzz.triage.untrusted_input import Unreadable
from oracle import Case

ADD = Case("add", (np.array([1.0, 2.0]), 3))


def recorded(case=ADD, kind="value", modes=("eager",), **more):
    return make_recorded(case, kind, modes, "2026-11-20", **more)


def test_a_file_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "cases.jsonl"
    cases = [
        recorded(why="an `é` in it", open={"xla": "XLA fuses\nthe sum"}, modes=("eager", "xla@CPU:1")),
        recorded(Case("abs", (np.float32(-0.0),)), "spurious error", slow={"graph_rank": "minutes"}),
        recorded(Case("sum", ([1, 2],), {"axis": 0}), flaky={"eager": "depends on the order"}),
    ]
    write_recorded(path, cases)
    assert holds_recorded(path)
    assert [render_line(one) for one in read_recorded(path)] == sorted(render_line(one) for one in cases)
    assert [json.loads(line)["id"] for line in path.read_text().splitlines()] == sorted(one.id for one in cases)
    assert [entry.name for entry in tmp_path.iterdir()] == ["cases.jsonl"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"modes": []}, "it has no modes"),
        ({"modes": ["eager()"]}, r"it\['modes'\]\[0\] cannot be 'eager\(\)'"),
        ({"open": {"eager()": "why"}}, r"no mode 'eager\(\)'"),
        ({"open": {"eager": 1}}, r"it\['open'\]\['eager'\] is a int, not str"),
        ({"opne": {"eager": "why"}}, "it has a field 'opne'"),
        ({"kind": "shape"}, "its id is not NAME-KIND-DIGEST"),
        ({"since": "yesterday"}, "Invalid isoformat string"),
        ({"case": "cases/f-0123456789.json"}, r"it\['case'\] is a str, not dict"),
        ({"case": {"case": "lib._npyio_impl.os.system", "args": [], "kwargs": {}}}, "is left out"),
        (
            {"case": {"case": "add", "args": [{"array": "<f8", "shape": [9**9], "values": ""}], "kwargs": {}}},
            "are decoded",
        ),
    ],
)
def test_what_is_no_recorded_case_is_refused(tmp_path, change, message):
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(json.loads(render_line(recorded())) | change) + "\n")
    with pytest.raises(Unreadable, match=message) as refusal:
        read_recorded(path)
    assert str(refusal.value).startswith(f"{path}, line ")


def test_a_case_is_recorded_once(tmp_path):
    path = tmp_path / "cases.jsonl"
    path.write_text(render_line(recorded()) * 2)
    with pytest.raises(Unreadable, match="is recorded twice"):
        read_recorded(path)


def test_findings_with_one_case_are_one_line():
    findings = [Finding("add", kind, modes, "float", "1 is not 2", ADD) for kind, modes in FOUND]
    lines = record_findings(findings, date(2026, 11, 20))
    assert [(one.kind, one.modes) for one in lines] == [("value", ("eager", "xla")), ("shape", ("graph",))]
    assert {one.since for one in lines} == {"2026-11-20"}


FOUND = (("value", ("xla",)), ("value", ("eager",)), ("shape", ("graph",)))


def array(*values, dtype="f8"):
    return np.array(values, dtype)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Case("add", (array(1, 2), 3)), Case("add", (array(5), 7))),
        (Case("sum", (array(1),), {"axis": 0}), Case("sum", (array(2, dtype="f4"),), {"axis": 0})),
        (Case("sum", ([1, 2],)), Case("sum", ([3, 4],))),
    ],
)
def test_cases_of_one_structure(first, second):
    assert find_structure(first) == find_structure(second)


SHARED = array(1)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Case("add", (array(1), 3)), Case("subtract", (array(1), 3))),
        (Case("add", (array(1), 3)), Case("add", (array(1), 3.0))),
        (Case("add", (array(1), 3)), Case("add", (array(1), 0))),
        (Case("add", (array(1), 3)), Case("add", (array(1), -3))),
        (Case("sum", (array(1),)), Case("sum", (array(1),), {"axis": 0})),
        (Case("sum", (array(1),)), Case("sum", (array(1)[None],))),
        (Case("sum", (array(1),)), Case("sum", (array(1, dtype="i8"),))),
        (Case("sum", (array(1),)), Case("sum", (array(1, dtype="f2"),))),
        (Case("sum", (array(1),)), Case("sum", (array(np.nan),))),
        (Case("sum", (array(0.0),)), Case("sum", (array(-0.0),))),
        (Case("sum", (array(1),)), Case("sum", (array(),))),
        (Case("sum", (array(1, 2),)), Case("sum", (array(1, 2)[::-1],))),
        (Case("add", (SHARED, SHARED)), Case("add", (array(1), array(1)))),
        (Case("sort", (array(1),), {"kind": "stable"}), Case("sort", (array(1),), {"kind": "heapsort"})),
        (Case("sum", (array(1),), {"keepdims": True}), Case("sum", (array(1),), {"keepdims": False})),
        (Case("sum", (array(1),)), Case("sum", (Case("negative", (array(1),)),))),
    ],
)
def test_cases_of_different_structure(first, second):
    assert find_structure(first) != find_structure(second)


def test_the_smallest_of_the_cases_that_show_the_same_is_kept_with_the_modes_of_all():
    large, small = recorded(Case("add", (array(1, 2, 3), 4)), modes=("xla",)), recorded(Case("add", (array(1), 2)))
    apart = [recorded(Case("add", (array(1), 3)), "shape"), recorded(Case("add", (array(1), 4)), open={"eager": "why"})]
    kept, dropped = drop_equal([large, small, *apart])
    assert dropped == [(large.id, small.id)]
    assert {one.id: one.modes for one in kept} == {small.id: ("eager", "xla"), **{one.id: one.modes for one in apart}}
