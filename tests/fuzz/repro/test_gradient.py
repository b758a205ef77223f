"""Scripts of what is no plain call: derivatives, array-likes, unknown shapes, vectorized maps, traces, workers."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

import numpy as np
import pytest

from fuzz.repro.runner import rerun
from fuzz.repro.script import shows, write_repro
from oracle import Case
from oracle.harness import CONTEXTS

STOCK = "tensorflow.experimental.numpy"
REMOTE = "job:worker/replica:0/task:0/device:CPU:0"
X = np.array([1.5, -2.0])
A = np.array([[1.0, 2.0], [3.0, 4.0]])
BRANCH = np.array([complex(1, 1), complex(2, -1)])


@dataclass
class Found:
    """As much of a finding as a script needs."""

    minimal: Case
    kind: str
    modes: tuple[str, ...]
    detail: str = ""
    outputs: str = ""


@pytest.mark.parametrize(
    ("mode", "line"),
    [
        ("arrays", "actual = tfnp.add(x, y)"),
        ("lists", "actual = tfnp.add(x.tolist(), y.tolist())"),
        ("variables", "actual = tfnp.add(tf.Variable(x), tf.Variable(y))"),
        ("repeated", "[tfnp.add(tf.constant(x), tf.constant(y)) for _ in range(70)][-1]"),
        ("graph_dims", "tf.TensorSpec([None] * x.ndim, x.dtype)"),
        ("graph_rank", "tf.TensorSpec(None, x.dtype)"),
        ("xla_dims", "[None] * y.ndim, y.dtype)], jit_compile=True, autograph=False)"),
        ("vmap", "tf.vectorized_map("),
        ("keras", "tf.keras.Model(inputs, layer(inputs))(list(tensors))"),
        ("strategy", 'strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])'),
        ("while", "tf.while_loop(lambda count, *_: count < 2, turn, start, shape_invariants=shapes)[2]"),
        ("saved", "tf.saved_model.save(module, folder)"),
        (f"graph@{REMOTE}", f'with tf.device("{REMOTE}"):'),
        (f"xla@{REMOTE}", "function = tf.function(lambda *given: compiled(*given), autograph=False)"),
    ],
)
@pytest.mark.parametrize("kind", ["value", "dtype", "missing error", "spurious error"])
def test_a_script_says_the_way(mode, line, kind):
    source = write_repro(Found(Case("add", (A, X)), kind, (mode,), "expected one, got another"), "tfnp")
    ast.parse(source)
    assert line in source
    # A server, and a function around the compiled one; a layer; a program of another process.
    more = 6 * (REMOTE in mode) + 10 * (mode in CONTEXTS) + 14 * (mode == "saved")
    assert len(source.splitlines()) <= 21 + more


def in_contexts(case, kind, usual):
    """A finding that does not reproduce, in each context: in one of them always, in the others on request."""
    for mode in CONTEXTS:
        marks = () if mode == usual else (pytest.mark.full,)
        yield pytest.param(Found(case, kind, (mode,)), False, marks=marks)


@pytest.mark.full
@pytest.mark.parametrize(
    ("found", "reproduces"),
    [
        (Found(Case("sqrt", (BRANCH,)), "gradient", ("gradient",)), False),
        (Found(Case("multiply", (X, A)), "gradient", ("gradient_graph",), "the tape's slope's slope"), False),
        (Found(Case("sort", (X,)), "value", ("graph_dims",)), False),
        (Found(Case("sort", (X,)), "value", ("repeated",)), False),
        (Found(Case("kron", (X, X)), "spurious error", ("graph_rank",)), True),
        (Found(Case("hypot", (np.array(1e200), np.array(1e200))), "value", (f"xla@{REMOTE}",)), True),
        (Found(Case("add", (A, X), {"out": np.zeros((2, 2))}), "value", (f"xla@{REMOTE}",)), False),
        (Found(Case("add", (A, X)), "value", ("vmap",)), False),
        (Found(Case("add", (A, X)), "not vectorized", ("vmap",)), False),
        (Found(Case("linalg.svd", (A,)), "not vectorized", ("vmap",)), True),
        (Found(Case("add", (A, X)), "value", ("lists",)), False),
        (Found(Case("add", (A, X)), "value", ("variables",)), False),
        (Found(Case("sum", (A,)), "static shape", ("graph_dims",)), False),
        (Found(Case("sum", (A,)), "retrace", ("graph",)), False),
        *[(Found(Case("add", (A, X)), "value", (mode,)), False) for mode in CONTEXTS],
        *in_contexts(Case("nonzero", (A,)), "static shape", usual="keras"),
        *in_contexts(Case("sort", (X,)), "nondeterminism", usual="strategy"),
        *in_contexts(Case("kron", (X, np.array(["a"]))), "missing error", usual="while"),
        (Found(Case("add", (A, X), {"out": np.zeros((2, 2))}), "value", ("while",)), False),
    ],
    ids=str,
)
def test_a_script_decides(tmp_path, found, reproduces):
    path = tmp_path / "repro.py"
    path.write_text(write_repro(found, STOCK))
    assert shows(rerun(path, 60.0), found.kind) is reproduces


WRONG = """
import numpy as np
import tensorflow as tf
ndarray = tf.Tensor

@tf.custom_gradient
def sin(x):
    return tf.sin(x), lambda upstream: -upstream * tf.cos(x)

@tf.custom_gradient
def exp(x):
    return tf.exp(x), lambda upstream: upstream * tf.stop_gradient(tf.exp(x))

def cos(x):
    return tf.stop_gradient(tf.cos(x))

def inside(x):
    return type(getattr(tf.identity(x), "graph", None)).__name__

def sinh(x):
    return sin(x) if inside(x) == "WhileBodyFuncGraph" else tf.sinh(x)

def cosh(x):
    return tf.stop_gradient(x) if inside(x) == "CondBranchFuncGraph" else tf.cosh(x)

def abs(x):
    return tf.abs(x) if tf.executing_eagerly() else tf.where(x >= 0, x, -x)

@tf.function
@tf.custom_gradient
def log(x):
    def refuse(upstream):
        raise LookupError("no gradient defined")
    return tf.math.log(x), refuse
"""


WRONG_THERE = """
import tensorflow as tf
ndarray = tf.Tensor

def where(x):
    return type(x.graph).__name__ if not tf.executing_eagerly() else ""

def sin(x):  # in loops
    return tf.cos(x) if where(x) == "WhileBodyFuncGraph" else tf.sin(x)

def cos(x):  # while Keras builds
    if where(x) == "FuncGraph" and x.graph.name.startswith("scratch_graph"):
        raise TypeError("not a tensor")
    return tf.cos(x)

def exp(x):  # in replicas
    return tf.cos(x) if tf.distribute.has_strategy() else tf.exp(x)

def tan(x):  # in the second replica
    return tf.where(tf.distribute.get_replica_context().replica_id_in_sync_group == 1, tf.cos(x), tf.tan(x))

def sum(x):  # reads what was before
    return tf.reduce_sum(kept[-1])

kept = []

def copyto(target, source):
    kept.append(tf.identity(target))
    target.assign(source)
"""
WRITTEN = Case("sum", (Case("last", (Case("copyto", (X, np.array([1.0, 2.0]))), X)),))


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("found", "other"),
    [
        (Found(Case("sin", (X,)), "value", ("while",)), "graph"),
        (Found(Case("cos", (X,)), "spurious error", ("keras",)), ""),
        (Found(Case("exp", (X,)), "value", ("strategy",)), ""),
        (Found(Case("tan", (X,)), "nondeterminism", ("strategy",)), ""),
        (Found(WRITTEN, "value", ("graph",)), ""),
        (Found(WRITTEN, "value", ("eager",)), ""),
    ],
    ids=str,
)
def test_what_is_wrong_within_a_program_alone_is_reproduced(tmp_path, found, other):
    (tmp_path / "wrong_there.py").write_text(WRONG_THERE)
    assert reproduces(tmp_path, found, "wrong_there", takes_tensors=True)
    if other:
        assert not reproduces(tmp_path, replace(found, modes=(other,)), "wrong_there", takes_tensors=True)


def reproduces(folder, found, subject, **options):
    """Whether the script of a finding shows it, where the subject is a module in the folder."""
    path = folder / "repro.py"
    source = write_repro(found, subject, **options)
    path.write_text(f"import sys\n\nsys.path.insert(0, {str(folder)!r})\n{source}")
    return shows(rerun(path, 60.0), found.kind)


TWICE = "the tape's slope's slope along a random direction is 1, that of NumPy's results 2 within 1e-9"
AT_KINK = "element 0 of the gradient of double input 0 is 1, in eager mode 0"
KINK = np.array([0.0, 1.0])
RAISED = "LookupError: no gradient defined; the slope is 1"


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("case", "mode", "detail"),
    [
        (Case("cos", (X,)), "jvp", ""),
        (Case("log", (np.abs(X),)), "jvp", RAISED),
        *[(Case("sin", (X,)), f"gradient{mode}", "") for mode in ("", "_graph", "_xla", "_while", f"_xla@{REMOTE}")],
        *[(Case("sin", (X.astype(np.float32),)), f"gradient{mode}", "") for mode in ("", "_graph", "_while")],
        (Case("cos", (X.astype(np.complex64),)), "jvp", ""),
        (Case("exp", (X,)), "gradient", TWICE),
        (Case("exp", (X,)), "hvp", "the slope ... is 1, that of the tape's gradient 2 within 1e-9"),
        (Case("log", (np.abs(X),)), "gradient_while", RAISED),
        (Case("sinh", (X,)), "gradient_while", "the tape's slope in a loop along"),
        (Case("cosh", (X,)), "gradient_while", "the tape's slope in a branch of a loop along"),
        *[(Case("abs", (KINK,)), f"gradient_{mode}", AT_KINK) for mode in ("graph", "xla", "while")],
    ],
    ids=str,
)
def test_a_wrong_derivative_is_reproduced(tmp_path, case, mode, detail):
    (tmp_path / "wrong_gradients.py").write_text(WRONG)
    assert reproduces(tmp_path, Found(case, "gradient", (mode,), detail), "wrong_gradients")


WRONG_ONCE_SAVED = """
import sys
import tensorflow as tf
ndarray = tf.Tensor

def is_saved():
    frame = sys._getframe()
    while frame is not None and not frame.f_code.co_filename.endswith("saved_model/save.py"):
        frame = frame.f_back
    return frame is not None

def sin(x):
    return tf.cos(x) if is_saved() else tf.sin(x)

def exp(x):
    if is_saved():
        raise ValueError("not to be saved")
    return tf.exp(x)

def cos(x):
    return tf.stop_gradient(tf.cos(x)) if is_saved() else tf.cos(x)
"""


@pytest.mark.full
@pytest.mark.parametrize(("name", "kind"), [("sin", "value"), ("exp", "spurious error"), ("cos", "gradient")])
def test_what_is_wrong_once_saved_is_reproduced(tmp_path, name, kind):
    (tmp_path / "wrong_once_saved.py").write_text(WRONG_ONCE_SAVED)
    assert reproduces(tmp_path, Found(Case(name, (X,)), kind, ("saved",)), "wrong_once_saved", takes_tensors=True)
    path = tmp_path / "right.py"
    path.write_text(write_repro(Found(Case(name, (X,)), kind, ("saved",)), "tfnp"))
    assert rerun(path, 60.0).status == 0


RIGHT = Case("multiply", (X, np.array([2.0, 3.0])))


@pytest.mark.full
@pytest.mark.parametrize(
    ("mode", "detail"),
    [
        ("jvp", ""),
        ("hvp", "within 1e-9"),
        ("gradient_while", "in a loop"),
        ("gradient_while", "in a branch of a loop"),
        *[(f"gradient_{mode}", AT_KINK) for mode in ("graph", "xla", "while")],
    ],
)
def test_a_right_derivative_is_not(tmp_path, mode, detail):
    path = tmp_path / "repro.py"
    path.write_text(write_repro(Found(RIGHT, "gradient", (mode,), detail), "tfnp"))
    assert rerun(path, 60.0).status == 0
