"""Scripts of what is no plain call: tapes, array-likes, unknown shapes, vectorized maps, traces, workers."""

from __future__ import annotations

import ast
from dataclasses import dataclass

import numpy as np
import pytest

from fuzz.repro.script import run_repro, write_repro
from oracle import Case

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


@pytest.mark.parametrize(
    ("mode", "line"),
    [
        ("arrays", "actual = tfnp.add(x, y)"),
        ("lists", "actual = tfnp.add(x.tolist(), y.tolist())"),
        ("variables", "actual = tfnp.add(tf.Variable(x), tf.Variable(y))"),
        ("repeated", "[tfnp.add(tf.constant(x), tf.constant(y)) for _ in range(70)][-1]"),
        ("graph_dims", "tf.TensorSpec([None] * x.ndim, x.dtype)"),
        ("graph_rank", "tf.TensorSpec(None, x.dtype)"),
        ("vmap", "tf.vectorized_map("),
        (f"graph@{REMOTE}", f'with tf.device("{REMOTE}"):'),
        (f"xla@{REMOTE}", "function = tf.function(lambda *given: compiled(*given), autograph=False)"),
    ],
)
@pytest.mark.parametrize("kind", ["value", "dtype", "missing error", "spurious error"])
def test_a_script_says_the_way(mode, line, kind):
    source = write_repro(Found(Case("add", (A, X)), kind, (mode,), "expected one, got another"), "tfnp")
    ast.parse(source)
    assert line in source
    assert len(source.splitlines()) <= 20 + 6 * (REMOTE in mode)  # a server, and a function around the compiled one


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
        (Found(Case("add", (A, X)), "value", ("lists",)), False),
        (Found(Case("add", (A, X)), "value", ("variables",)), False),
        (Found(Case("sum", (A,)), "static shape", ("graph_dims",)), False),
        (Found(Case("sum", (A,)), "retrace", ("graph",)), False),
    ],
    ids=str,
)
def test_a_script_decides(tmp_path, found, reproduces):
    path = tmp_path / "repro.py"
    path.write_text(write_repro(found, STOCK))
    assert run_repro(path, found.kind) is reproduces


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
"""


@pytest.mark.parametrize("mode", ["gradient", "gradient_graph", "gradient_xla", f"gradient_xla@{REMOTE}"])
def test_a_wrong_gradient_is_reproduced(tmp_path, monkeypatch, mode):
    (tmp_path / "wrong_gradients.py").write_text(WRONG)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    path = tmp_path / "repro.py"
    path.write_text(write_repro(Found(Case("sin", (X,)), "gradient", (mode,)), "wrong_gradients"))
    assert run_repro(path, "gradient", afresh=True)
    if mode == "gradient":
        found = Found(Case("exp", (X,)), "gradient", (mode,), "the tape's slope's slope")
        path.write_text(write_repro(found, "wrong_gradients"))
        assert run_repro(path, "gradient", afresh=True)
