"""Calls that are saved and loaded in a process without the subject."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace

import ml_dtypes
import numpy as np
import pytest

from oracle import Case, Mode, judge, load_subject
from oracle.execution import export
from oracle.execution.export import LOADING
from oracle.execution.modes import run_case
from tests.oracle.made import kinds, made, status

tf = pytest.importorskip("tensorflow")
X = np.array([0.3, -1.2, 0.7])


@pytest.fixture(scope="module", autouse=True)
def process():
    LOADING.start()


def is_being_saved():
    """Whether TensorFlow's function that saves models is running."""
    frame = sys._getframe()
    while frame is not None:
        if frame.f_code.co_filename.endswith("saved_model/save.py"):
            return True
        frame = frame.f_back
    return False


def test_a_right_call_agrees_with_its_siblings():
    siblings = [Case("sin", (X * k,)) for k in (1, 2, -1)]
    assert kinds("saved", *siblings, sin=tf.sin) == []
    assert status("saved", siblings[0], sin=tf.sin) == "ok"


def test_structures_text_and_errors_come_back():
    subject = load_subject("tfnp")
    assert judge(Case("strings.upper", (np.array(["ab", "\u00e9"]),)), ["saved"], subject).agrees
    assert judge(Case("shape", (X,)), ["saved"], subject).agrees
    assert judge(Case("trace", (np.zeros((1, 1), ml_dtypes.bfloat16),)), ["saved"], subject).agrees
    assert kinds("saved", Case("frexp", (np.array([1.0]),)), frexp=lambda x: (x / 2, tf.constant([1]))) == []
    case = Case("reshape", (X, np.array([4, 4])))
    error = run_case(Mode("saved"), case, made(reshape=tf.reshape)).error
    assert error.name == "InvalidArgumentError"


def test_a_graph_that_passes_text_to_python_is_unsupported():
    def upper(x):
        return tf.numpy_function(np.strings.upper, [x], tf.string)

    def upper_inside(x):
        return tf.function(upper)(x)

    case = Case("strings.upper", (np.array(["a"]),))
    assert status("saved", case, strings__upper=tf.strings.upper) == "ok"
    assert status("saved", case, strings__upper=upper) == "unsupported"
    assert status("saved", case, strings__upper=upper_inside) == "unsupported"
    assert kinds("saved", case, strings__upper=upper) == []  # nor does it count as traced again


def test_another_value_when_it_is_saved_is_found():
    def floor(x):
        return tf.floor(x) + 1 if is_being_saved() else tf.floor(x)

    assert kinds("saved", Case("floor", (X,)), floor=floor) == ["value"]


def test_another_gradient_when_it_is_saved_is_found():
    def sin(x):
        return tf.stop_gradient(tf.sin(x)) if is_being_saved() else tf.sin(x)

    (difference,) = judge(Case("sin", (X,)), ["saved"], made(sin=sin)).deviations
    assert difference.kind == "gradient"
    assert "before it was saved" in difference.detail


def test_a_gradient_in_a_loop_is_lost_in_tensorflow():
    @tf.custom_gradient
    def double(x):
        return 2 * x, lambda upstream: 2 * upstream + 0 * x

    def quadruple(x):
        return tf.while_loop(lambda i, _: i < 2, lambda i, y: (i + 1, double(y)), (0, x))[1]

    case = Case("multiply", (X, 4))
    assert kinds("saved", case, multiply=lambda x, _: quadruple(x)) == []
    assert kinds("saved", case, multiply=lambda x, _: quadruple(x) + 1) == ["value"]


def test_a_gradient_that_cannot_be_traced_without_its_operation_cannot_be_saved():
    """TensorFlow traces registered gradients with the operation None."""

    @tf.custom_gradient
    def sin(x):
        def slope(upstream):
            if is_being_saved():
                raise AttributeError("no inputs")
            return upstream * tf.cos(x)

        return tf.sin(x), slope

    assert kinds("saved", Case("sin", (X,)), sin=sin) == ["spurious error"]


def test_the_process_that_loads_has_no_subject():
    """A Python function that the graph calls exists in the process that has traced it only."""

    def sin(x):
        return tf.ensure_shape(tf.numpy_function(np.sin, [x], tf.float64), x.shape)

    assert kinds("graph", Case("sin", (X,)), sin=sin) == []
    assert kinds("saved", Case("sin", (X,)), sin=sin) == ["spurious error"]


@pytest.mark.full
def test_a_process_that_ends_while_it_starts_is_started_again(monkeypatch):
    started = []

    def start(command, **options):
        started.append(command)
        return subprocess.Popen(command if len(started) > 1 else [sys.executable, "-c", ""], **options)

    monkeypatch.setattr(export, "subprocess", SimpleNamespace(Popen=start))
    loading = export.LoadingProcess()
    loading.start()
    assert len(started) == 2
    assert loading.process.poll() is None
    loading.process.kill()
    loading.process.wait()


@pytest.mark.full
def test_a_process_that_has_ended_is_started_again():
    assert status("saved", Case("sin", (X,)), sin=tf.sin) == "ok"
    LOADING.process.kill()
    LOADING.process.wait()
    assert status("saved", Case("sin", (X,)), sin=tf.sin) == "ok"


@pytest.mark.parametrize(
    "case",
    [
        Case("arange", (3,)),
        Case("add", (X, X), {"out": np.zeros(3)}),
        Case("random.normal", (X,)),
    ],
    ids=str,
)
def test_what_no_model_holds_is_unsupported(case):
    assert run_case(Mode("saved"), case, load_subject("tfnp")).kind == "unsupported"
    assert run_case(Mode("saved", "CPU:1"), Case("sin", (X,)), load_subject("tfnp")).kind == "unsupported"
