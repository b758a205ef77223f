"""Calls within a Keras layer, the replicas of a strategy and the body of a loop are judged as others are."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

from oracle import Case, Mode, judge, load_subject
from oracle.execution.modes import run_case
from oracle.harness import needed_devices
from tests.oracle.made import made

tf = pytest.importorskip("tensorflow")

A = np.arange(6.0).reshape(2, 3)
RIGHT = (
    Case("sum", (A,), {"axis": 0}),
    Case("nonzero", (A,)),
    Case("shape", (A,)),
    Case("add", (A, np.array(2.0))),
    Case("add", (A.astype(np.complex64), A.astype(np.float16))),
    Case("linalg.svd", (A,)),
    Case("array_equal", (A, A)),
    Case("copy", (A,)),
    Case("ndarray.sum", (A,)),
    Case("sort", (Case("negative", (A,)),)),
    Case("take", (A, np.array([7]))),
    Case("reshape", (A, (4, 4))),
)
WRITING = (
    Case("add", (A, A), {"out": np.zeros((2, 3))}),
    Case("add.at", (np.zeros(3), np.array([0, 0, 1]), np.ones(3))),
    Case("copyto", (np.zeros((2, 3)), A)),
)

BUILDING = "scratch_graph"
"""What Keras calls the graphs in which it looks what a layer is going to give."""


def kinds(mode, case, subject):
    return {difference.kind: difference.detail for difference in judge(case, [mode], subject).deviations}


@pytest.mark.sample(2)
@pytest.mark.parametrize("case", [*RIGHT, *WRITING], ids=str)
@pytest.mark.parametrize("mode", ["keras", "while"])
def test_a_right_subject_agrees(mode, case):
    verdict = judge(case, [mode], "tfnp")
    assert verdict.agrees
    assert {outcome.kind for outcome in verdict.outcomes.values()} <= {"ok", "error"}


@pytest.mark.parametrize(
    ("mode", "graph"), [("while", "WhileBodyFuncGraph"), ("keras", "FuncGraph")], ids=["while", "keras"]
)
def test_what_is_wrong_there_alone_is_found(mode, graph):
    def sin(x):
        where = type(getattr(x, "graph", None)).__name__
        return tf.cos(x) if where == graph and not tf.executing_eagerly() else tf.sin(x)

    subject = made(sin=sin)
    assert not kinds("eager", Case("sin", (A,)), subject)
    assert set(kinds(mode, Case("sin", (A,)), subject)) == {"value"}


@pytest.mark.full
def test_only_the_last_turn_counts_and_takes_what_the_first_has_left():
    kept = []

    def sin(x):
        if not kept:
            kept.append(tf.Variable(0))
        turn = kept[0].assign_add(1)
        return tf.where(turn % 2 == 0, tf.cos(x), tf.sin(x))

    assert set(kinds("while", Case("sin", (A,)), made(sin=sin))) >= {"value"}


class TestLayers:
    """Keras builds a model over symbols where it can, and keeps to what it has said of its outputs."""

    def test_a_model_is_built_of_inputs_with_a_first_axis(self):
        graphs = []

        def sin(x):
            graphs.append(getattr(x, "graph", None) and x.graph.name)
            return tf.sin(x)

        subject = made(sin=sin)
        assert judge(Case("sin", (A,)), ["keras"], subject).agrees
        assert graphs[0].startswith(BUILDING)
        graphs.clear()
        assert judge(Case("sin", (np.array(1.0),)), ["keras"], subject).agrees
        assert not any(name.startswith(BUILDING) for name in graphs if name)

    def test_outputs_that_come_out_otherwise_than_it_says(self):
        def sort(x):
            is_building = getattr(x, "graph", None) and x.graph.name.startswith(BUILDING)
            return tf.concat([x, x], 0) if is_building else x

        found = kinds("keras", Case("sort", (np.ones(2),)), made(sort=sort))
        assert found == {"static shape": "tensor 0 of the result was traced with shape (4,), and came out with (2,)"}

    def test_errors_are_the_subjects(self):
        class OwnError(Exception):
            def __init__(self, one, two):
                super().__init__(one, two)

        def sin(x):
            raise OwnError("a", "b")

        assert run_case(Mode("keras"), Case("sin", (A,)), made(sin=sin)).error.name == "OwnError"

    @pytest.mark.parametrize(
        "case",
        [Case("arange", (3,)), Case("strings.upper", (np.array(["a"]),)), Case("sin", (A.astype("g"),))],
        ids=str,
    )
    def test_what_no_layer_takes_is_unsupported(self, case):
        assert run_case(Mode("keras"), case, load_subject("tfnp")).kind == "unsupported"


PROGRAM = """
import json
from tests.oracle.test_contexts import A, RIGHT, WRITING, made, kinds, needed_devices, tf
from oracle import Case, Mode, judge, load_subject
from oracle.execution.modes import run_case
from oracle.harness import configure_devices
configure_devices(needed_devices(["strategy"], ["CPU:0"]))

def replica():
    context = tf.distribute.get_replica_context()
    return context.replica_id_in_sync_group if context else -1

tfnp = load_subject("tfnp")
wrong = made(sin=lambda x: tf.cos(x) if tf.distribute.has_strategy() else tf.sin(x))
one = made(sin=lambda x: tf.where(replica() == 1, tf.cos(x), tf.sin(x)))
sin = Case("sin", (A,))
found = {
    "right": [str(case) for case in RIGHT if not judge(case, ["strategy"], tfnp).agrees],
    "asked": [run_case(Mode("strategy"), case, tfnp).kind for case in RIGHT],
    "writing": [run_case(Mode("strategy"), case, tfnp).kind for case in WRITING],
    "elsewhere": run_case(Mode("strategy", "CPU:1"), sin, tfnp).kind,
    "wrong": [sorted(kinds(mode, sin, wrong)) for mode in ("graph", "strategy")],
    "one": [kinds(mode, sin, one) for mode in ("graph", "strategy")],
    "shared": judge(Case("atleast_1d", (A,)), ["strategy"], tfnp).agrees,
    "random": judge(Case("random.normal", (), {"size": 4}), ["graph", "strategy"], tfnp).agrees,
}
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def found():
    run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False, timeout=300)
    assert run.returncode == 0, run.stderr[-3000:]
    return json.loads(run.stdout.splitlines()[-1])


@pytest.mark.full
class TestReplicas:
    """In a process of its own: the CPU has to be split in two before TensorFlow starts."""

    @pytest.mark.full
    def test_a_right_subject_agrees(self, found):
        assert found["right"] == []
        assert set(found["asked"]) == {"ok", "error"}
        assert found["shared"]

    def test_random_numbers_of_the_global_state_may_differ_between_replicas(self, found):
        assert found["random"]

    def test_what_is_wrong_in_replicas_alone_is_found(self, found):
        assert found["wrong"] == [[], ["value"]]

    def test_what_one_replica_gives_and_another_does_not_is_found(self, found):
        assert found["one"][0] == {}
        assert set(found["one"][1]) == {"nondeterminism"}
        assert "in one replica, and" in found["one"][1]["nondeterminism"]

    def test_what_replicas_would_both_write_to_is_unsupported_and_so_are_other_devices(self, found):
        assert set(found["writing"]) == {"unsupported"}
        assert found["elsewhere"] == "unsupported"

    @pytest.mark.full
    def test_a_process_with_one_processor_is_told_what_to_do(self):
        program = """
import tensorflow as tf, numpy as np
tf.constant(1.0)
from oracle import Case, Mode, load_subject
from oracle.execution.modes import run_case
try:
    run_case(Mode("strategy"), Case("sin", (np.ones(2),)), load_subject("tfnp"))
except RuntimeError as error:
    assert "oracle.harness.configure_devices(['CPU:0', 'CPU:1'])" in str(error), error
else:
    raise SystemExit("no error")
"""
        subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


def test_modes_say_which_devices_they_need():
    assert needed_devices(["eager", "strategy"], ["CPU:0"]) == ("CPU:0", "CPU:1")
    assert needed_devices(["strategy@CPU:0"], ["GPU:0"]) == ("GPU:0", "CPU:0", "CPU:1")
    assert needed_devices(["eager", "keras"], ["CPU:0"]) == ("CPU:0",)
