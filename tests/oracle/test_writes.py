"""Programs that write to an array between its reads: the case, NumPy's answer, and each mode's."""

from __future__ import annotations

import json

import numpy as np
import pytest

from oracle import Case, Subject, judge, run_numpy
from tests.oracle.made import made

tf = pytest.importorskip("tensorflow")

V, Y = np.arange(6.0).reshape(2, 3), np.ones((2, 3))


def written(*writes, to=V):
    return Case("last", (*writes, to))


PROGRAMS = {
    "copyto": Case("sum", (written(Case("copyto", (V, Y))),)),
    "a ufunc's at": Case("sum", (written(Case("add.at", (V, np.array([0, 0]), np.ones(3)))),), {"axis": 0}),
    "an index": Case("exp", (written(Case("ndarray.__setitem__", (V, (0, 1), 5.0))),)),
    "two writes": Case(
        "multiply",
        (written(Case("put", (V, np.array([0, 5]), np.array([9.0, 8.0]))), Case("fill_diagonal", (V, 2.0))), Y),
    ),
    "out": Case("multiply", (written(Case("add", (V, Y), {"out": V})), V)),
    "before and after": Case("program", (Case("copy", (V,)), Case("sum", (written(Case("copyto", (V, Y))),)))),
}
MODES = ("eager", "graph", "xla", "while")


@pytest.mark.sample(4)
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
@pytest.mark.parametrize("mode", MODES)
def test_a_right_subject_agrees(mode, program):
    verdict = judge(program, [mode], "tfnp")
    assert verdict.agrees
    assert [outcome.kind for outcome in verdict.outcomes.values()] == ["ok"]


def test_numpy_reads_what_was_written():
    program = PROGRAMS["before and after"]
    found = run_numpy(program)
    assert found.value[0].tolist() == V.tolist()
    assert found.value[1] == 6.0
    assert [array.tolist() for array in found.after] == [Y.tolist()]
    assert V[0, 1] == 1.0  # nothing of the case has changed


@pytest.mark.parametrize("mode", MODES)
def test_a_subject_that_reads_what_was_before_is_found(mode):
    read = []

    def copyto(target, source):
        read.append(tf.identity(target))
        target.assign(source)

    def total(x):
        return tf.reduce_sum(read[-1])  # as if the write had come after the read

    subject = made(copyto=copyto, sum=total)
    assert {found.kind for found in judge(PROGRAMS["copyto"], [mode], subject).deviations} == {"value"}


BASE = Case("array", (V,))
ROW = Case("ndarray.__getitem__", (BASE, (0,)))


def through_a_view(write):
    return Case("program", (Case("copy", (Case("last", (write, BASE)),)), Case("copy", (ROW,))))


@pytest.mark.parametrize("wrong", [False, True])
def test_the_result_of_a_view_without_the_write_is_not_accepted(wrong):
    """The copy of the view alone, without the write before it, is what it was: no answer to the program."""

    class Arrays:
        ndarray = np.ndarray
        array, atleast_1d = staticmethod(np.array), staticmethod(np.atleast_1d)

        @staticmethod
        def copy(array):
            return np.array(V[0]) if wrong and array.shape == (3,) else np.copy(array)

    verdict = judge(through_a_view(Case("ndarray.fill", (ROW, 7.0))), ["eager"], Subject("arrays", Arrays))
    assert {found.kind for found in verdict.deviations} == ({"value"} if wrong else set())


class TestCase:
    """`last` is data as any case is, and no call."""

    def test_it_is_written_and_read(self):
        for program in PROGRAMS.values():
            assert Case.from_json(program.json()).json() == program.json()

    def test_it_is_typed_as_statements(self):
        x = np.array([1.0])
        program = Case("sum", (Case("last", (Case("copyto", (x, 2.0)), x)),))
        assert program.typed(array=lambda array: "x") == "np.copyto(x, 2.0); np.sum(x)"
        assert str(program) == "x1 = np.array([1.0], np.float64); np.copyto(x1, 2.0); np.sum(x1)"

    def test_an_assignment_is_typed_as_one(self):
        lines = through_a_view(Case("ndarray.__setitem__", (ROW, (slice(1, None),), 7.0))).statements(
            array=lambda _: "v"
        )
        assert lines[:3] == ["s1 = np.array(v)", "s2 = s1[0,]", "s2[1:,] = 7.0"]

    def test_a_view_that_occurs_twice_is_made_once(self):
        *lines, result = through_a_view(Case("ndarray.fill", (ROW, 7.0))).statements(array=lambda array: "v")
        assert lines == ["s1 = np.array(v)", "s2 = s1[0,]", "s2.fill(7.0)", "s4 = np.copy(s1)", "s5 = np.copy(s2)"]
        assert result == "s4, s5"
        values = {"np": np, "v": V}
        exec("; ".join(lines), values)
        assert [part.tolist() for part in eval(result, values)] == [[[7, 7, 7], [3, 4, 5]], [7, 7, 7]]

    def test_it_is_not_counted_as_a_call(self):
        assert [call.name for call in PROGRAMS["copyto"].calls()] == ["copyto", "sum"]

    @pytest.mark.parametrize(
        "data",
        [
            {"case": "last", "args": [1]},
            {"case": "sum", "args": [{"case": "last", "args": []}]},
            {"case": "program", "args": []},
            {"case": "program", "args": [1, 2]},
            {"case": "program", "args": [{"case": "sum", "args": [1]}]},
            {"case": "sum", "args": [{"case": "program", "args": [{"case": "pi"}, {"case": "e"}]}]},
            {"case": "sum", "args": [{"case": "last", "args": [1], "kwargs": {"a": 1}}]},
        ],
        ids=str,
    )
    def test_what_is_no_program_is_refused(self, data):
        with pytest.raises(ValueError, match=r"last|program"):
            Case.from_json(json.dumps(data))

    def test_what_is_changed_in_a_program_stays_one_array(self):
        changed = PROGRAMS["copyto"].map_arrays(lambda array: array + 1)
        (last,) = changed.args
        assert last.args[0].args[0] is last.args[1]


def test_two_arrays_that_are_written_to_are_judged_each_by_its_own():
    other = np.zeros(2, np.float32)
    program = Case(
        "copyto", (other, Case("sum", (written(Case("copyto", (V, Y))),), {"axis": 1})), {"casting": "unsafe"}
    )
    assert [array.dtype.name for array in run_numpy(program).after] == ["float64", "float32"]
    assert all(judge(program, [mode], "tfnp").agrees for mode in MODES)
