"""The ways of running a case in TensorFlow: what goes in, what comes out, and what one trace serves."""

from __future__ import annotations

import subprocess
import sys
from collections import namedtuple
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType

import ml_dtypes
import numpy as np
import pytest
import tensorflow as tf

import tfnp
from fuzz.adapters import ADAPTERS
from oracle import Case, Mode, Subject, judge, load_subject
from oracle.execution.convert import ScalarCache
from oracle.execution.modes import RUNNERS, prepare_case, run_case
from oracle.harness import judge_siblings
from oracle.modes import COMPILERS, MODE_GROUPS, find_mode
from oracle.modes import MODES as ROWS
from tests.oracle.made import made

Pair = namedtuple("Pair", ["first", "second"])
F = np.array([[0.5, -1.25, 3.0], [1.0, 2.0, 4.0]], np.float32)
MODES = ["eager", "graph", "xla"]


def run(mode, case, **functions):
    return run_case(Mode(mode), case, made(**functions))


ADD = made(add=tf.add)


def test_each_mode_has_a_row_and_an_executor():
    scoped = {mode for adapter in ADAPTERS for mode in adapter.scopes}
    assert RUNNERS.keys() == ROWS.keys() - {*COMPILERS} - scoped
    assert len({row.cost for row in ROWS.values()}) == len(ROWS)
    for row in ROWS.values():
        assert row.kernels in ROWS
        assert row.groups
        assert {*row.groups} <= {*MODE_GROUPS}
    assert {group for row in ROWS.values() for group in row.groups} == {*MODE_GROUPS}


def test_a_page_says_of_each_mode_what_it_is():
    text = (Path(__file__).parents[2] / "docs/harness/modes.md").read_text()
    assert [name for name in ROWS if name not in COMPILERS and f"`{name}`" not in text] == []


def test_a_mode_of_an_adapters_own_compiles():
    row = find_mode("njit")
    assert (row.kernels, row.groups) == ("xla", ("tracing",))
    assert row.cost > max(one.cost for one in ROWS.values())
    assert Mode("njit").is_traced
    assert not Mode("njit").is_compiled


def test_an_answer_does_not_depend_on_which_zero_was_converted_before():
    """TensorFlow's eager cache gives for -0.0 what it made of 0.0, if that came first. Every call meets this state."""
    for first in (0.0, -0.0):
        run("eager", Case("positive", (first,)), positive=tf.convert_to_tensor)
        outcome = run("eager", Case("positive", (-0.0,)), positive=tf.convert_to_tensor)
        assert not np.signbit(outcome.value)
        outcome = run("eager", Case("positive", (-0.0,)), positive=tfnp.positive)
        assert np.signbit(outcome.value)


@pytest.mark.parametrize("mode", MODES)
class TestArguments:
    @pytest.mark.sample(23)
    @pytest.mark.parametrize(
        "array",
        [
            F,
            F[::-1, ::2],
            F.T,
            np.broadcast_to(F[0], (2, 3)),
            F.astype(">f4"),
            np.array(3),
            np.array(True),
            np.zeros((0, 2)),
            np.array([1, 2], np.uint16),
            np.array([0.1, np.nan, -0.0], np.float16),
            np.array([0.1, -0.0], ml_dtypes.bfloat16),
            np.array([1j, complex(0, -0.0)]),
            np.frombuffer(b"\0" + np.arange(3.0).tobytes(), np.uint8)[1:].view(np.float64),
        ],
        ids=lambda array: f"{array.dtype}{list(array.shape)}",
    )
    def test_an_array_arrives_with_its_elements(self, mode, array):
        outcome = run(mode, Case("identity", (array,)), identity=tf.identity)
        wanted = array.astype(array.dtype.newbyteorder("="))
        assert outcome.value.dtype == wanted.dtype
        assert outcome.value.shape == wanted.shape
        assert outcome.value.tobytes() == wanted.tobytes()

    def test_arrays_become_tensors_and_nothing_else_does(self, mode):
        seen = []

        def record(*args, **kwargs):
            seen.append((args, kwargs))
            return args[0]

        same = F[0]
        run(
            mode,
            Case("f", (F, [same, 2], (3, same)), {"axis": 1, "like": np.float32(3), "dtype": np.float64}),
            f=record,
        )
        (first, (second, two), (three, third)), kwargs = seen[0]
        assert all(isinstance(tensor, tf.Tensor) for tensor in (first, second, third))
        assert second is third
        assert (two, three, kwargs["axis"], kwargs["dtype"]) == (2, 3, 1, np.float64)
        assert isinstance(kwargs["like"], np.float32)

    def test_a_shared_call_is_called_once(self, mode):
        calls = []

        def exp(x):
            calls.append(x)
            return tf.exp(x)

        inner = Case("exp", (F,))
        outcome = run(mode, Case("add", (inner, inner)), exp=exp, add=tf.add)
        assert len(calls) == 1
        assert np.allclose(outcome.value, 2 * np.exp(F))

    def test_what_no_tensor_can_hold_is_unsupported(self, mode):
        assert run(mode, Case("f", (np.array(["2024"], "M8[D]"),)), f=tf.identity).kind == "unsupported"
        assert run(mode, Case("f", (np.zeros(2, np.longdouble),)), f=tf.identity).kind == "unsupported"


@pytest.mark.parametrize("mode", MODES)
class TestResults:
    def test_structure_is_kept(self, mode):
        def structured(x):
            return [x, (x.shape[0], None, "text", np.float32), Pair(x, 2), {"key": np.dtype("int8")}, 1.5, True]

        value = run(mode, Case("f", (F,)), f=structured).value
        assert value[0].tobytes() == F.tobytes()
        assert value[1] == (2, None, "text", np.float32)
        assert isinstance(value[2], Pair)
        assert (value[2].first == F).all()
        assert value[2].second == 2
        assert value[3:] == [{"key": np.dtype("int8")}, 1.5, True]
        assert isinstance(value[1][0], int)

    def test_foreign_objects_are_told_by_their_class(self, mode):
        value = run(mode, Case("f", (F,)), f=lambda x: (x.shape, tf.float32, tf.TensorShape(None))).value
        assert value[0] == F.shape
        assert [part.kind for part in value[1:]] == ["tf.float32", "TensorShape"]


@pytest.mark.parametrize("mode", MODES)
class TestOutputs:
    def test_an_output_is_a_variable_from_outside(self, mode):
        def add(x, y, out):
            assert isinstance(out, tf.Variable)
            out.assign(x + y)
            return out

        case = Case("add", (F, F), {"out": np.zeros((2, 3), np.float32)})
        outcome = run(mode, case, add=add)
        assert (outcome.value == F + F).all()
        assert (outcome.after[0] == F + F).all()
        assert not judge(case, [mode], made(add=add)).deviations

    def test_each_sibling_starts_from_its_own_elements(self, mode):
        cases = [Case("add.at", (np.full(2, k), np.array([0, 0]), 1.0)) for k in (1.0, 5.0)]
        subject = made(add=ModuleType("add"))

        def at(v, i, x):
            v.scatter_nd_add(i[:, None], tf.fill(tf.shape(i), tf.cast(x, v.dtype)))

        subject.module.add.at = at
        for verdict in judge_siblings(cases, [mode], subject):
            assert not verdict.deviations
            assert verdict.outcomes[f"{mode}@CPU:0"].after[0].tolist() == (verdict.case.args[0] + [2, 0]).tolist()

    def test_a_subject_without_out_is_told_so(self, mode):
        case = Case("add", (F, F), {"out": np.zeros((2, 3), np.float32)})
        (difference,) = judge(case, [mode], ADD).deviations
        assert difference.kind == "spurious error"
        assert "unexpected keyword argument 'out'" in difference.detail


class TestSiblings:
    cases = tuple(Case("add", (F + k, F)) for k in range(3))

    @pytest.mark.parametrize("mode", MODES)
    def test_one_trace_serves_all(self, mode):
        runner = prepare_case(Mode(mode), self.cases[0], ADD)
        for case in self.cases:
            assert (runner(case).value == case.args[0] + F).all()
        assert runner.traces == (mode != "eager")
        assert all(verdict.agrees for verdict in judge_siblings(self.cases, [mode], ADD))

    @pytest.mark.parametrize("mode", ["graph", "xla"])
    def test_a_value_baked_in_at_trace_time_shows(self, mode):
        def add(x, y):
            return tf.constant(self.cases[0].args[0]) + y

        verdicts = judge_siblings(self.cases, [mode], made(add=add))
        assert [len(verdict.deviations) for verdict in verdicts] == [0, 1, 1]

    def test_a_case_of_another_structure_is_refused(self):
        runner = prepare_case(Mode("graph"), self.cases[0], ADD)
        with pytest.raises(ValueError, match="not a sibling"):
            runner(Case("add", (F, F, F)))

    def test_a_failed_trace_is_not_tried_again(self):
        tries = []

        def add(x, y):
            tries.append(x)
            raise ValueError("never")

        verdicts = judge_siblings(self.cases, ["graph"], made(add=add))
        assert [verdict.deviations[0].kind for verdict in verdicts] == ["spurious error"] * 3
        assert verdicts[0].outcomes["graph@CPU:0"].phase == "trace"
        assert len(tries) == 1


class TestErrors:
    def test_at_trace_and_at_run_time(self):
        early = run("graph", Case("f", (F,)), f=lambda x: tf.reshape(x, (4, 4)))
        late = run("graph", Case("f", (F, np.array([4, 4]))), f=tf.reshape)
        assert (early.phase, early.error.bases) == ("trace", ("ValueError",))
        assert (late.phase, late.error.name, late.error.bases) == ("run", "InvalidArgumentError", ())


def test_a_changed_input_is_found():
    import ctypes

    def add(x, y):
        address = np.asarray(x).__array_interface__["data"][0]
        ctypes.memset(address, 0, 4)
        return tf.convert_to_tensor(F + F[0])

    assert [d.kind for d in judge(Case("add", (F, F[0])), ["eager"], made(add=add)).deviations] == ["inputs changed"]


def test_methods_need_a_subject_that_lends_them():
    case = Case("ndarray.twice", (F,))
    assert not made().has("ndarray.shape")
    assert run_case(Mode("eager"), case, made()).error.name == "AttributeError"


def test_methods_are_asked_of_the_subjects_arrays_alone(monkeypatch):
    given = []

    def dot(self, other):
        given.append((self, other))
        return tf.constant(1.0)

    monkeypatch.setattr(tf.Tensor, "dot", dot, raising=False)
    subject = made(numpy_behavior=nullcontext)
    assert run_case(Mode("arrays"), Case("ndarray.dot", (F[0], F[1])), subject).value == 1.0
    assert isinstance(given[0][0], tf.Tensor)
    assert isinstance(given[0][1], np.ndarray)
    assert run_case(Mode("eager"), Case("ndarray.dot", (F[0, 0], F[1])), subject).kind == "unsupported"


@pytest.mark.full
def test_a_logical_device_runs_every_mode():
    program = """
import numpy as np
from oracle import Case, Mode, Subject, load_subject
from oracle.execution.modes import run_case
from oracle.harness import configure_devices, list_devices
configure_devices(["CPU:0", "CPU:1"])
assert list_devices() == ["CPU:0", "CPU:1"], list_devices()
import tensorflow as tf
where = []
import types
module = types.ModuleType("made")
module.ndarray = tf.Tensor
def exp(x):
    result = tf.exp(x)
    where.append(result.device)
    return result
module.exp = exp
for mode in ("eager", "graph", "xla"):
    outcome = run_case(Mode(mode, "CPU:1"), Case("exp", (np.zeros(2),)), Subject("made", module))
    assert outcome.value.tolist() == [1.0, 1.0], outcome
assert where[0].endswith("CPU:1"), where
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


def test_a_subject_that_compiles_what_recurs_is_judged_by_its_last_answer() -> None:
    calls = []

    def sin(x: tf.Tensor) -> tf.Tensor:
        calls.append(x)
        return tf.sin(x) if len(calls) < 60 else tf.cos(x)

    module = ModuleType("hot")
    module.sin = sin
    case, subject = Case("sin", (np.ones(2),)), Subject("hot", module)
    assert not judge(case, ["eager"], subject).deviations
    assert [difference.kind for difference in judge(case, ["repeated"], subject).deviations] == ["value"]


def test_what_a_call_writes_is_not_written_again_and_again() -> None:
    case = Case("add", (np.ones(2), np.ones(2)), {"out": np.ones(2)})
    assert run_case(Mode("repeated"), case, load_subject("tfnp")).kind == "unsupported"


def test_a_scalar_type_of_numpys_needs_a_value_and_not_a_tensor():
    mode, subject = Mode("graph"), load_subject("tfnp")
    for argument, kind in (
        (0.0, "ok"),
        (np.array(0.0), "unsupported"),
        (Case("negative", (np.array(0.0),)), "unsupported"),
    ):
        assert run_case(mode, Case("atleast_1d", (np.zeros(1), Case("int64", (argument,)))), subject).kind == kind


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "complex128"])
def test_a_negative_zero_is_read_as_a_cached_zero_whatever_was_converted_before(dtype: str) -> None:
    cache = ScalarCache()
    tf.constant(-0.0, dtype)
    for _ in range(ScalarCache.MOST + 2):
        cache.put_zeros()
        assert not np.signbit(np.asarray(tf.constant(-0.0, dtype).numpy()).real.astype(float))
