"""The programs in `examples/` do what NumPy does: the same source with `np = numpy`, in every mode that makes sense."""

from __future__ import annotations

import ast
import functools
import re
import runpy
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy
import pytest
import tensorflow as tf

import tfnp
from tests.examples.programs import EXAMPLES, compare, load

NAMES = sorted(path.stem for path in EXAMPLES.glob("*.py"))
ALONE = {"two_devices"}  # splits the processor before TensorFlow starts: `test_two_devices.py`
PRINTED = re.compile(r"```text\n(.*?)```", re.DOTALL)

MODES: dict[str, Callable[[Callable[..., Any]], Callable[..., Any]]] = {
    "eager": lambda function: function,
    "graph": tf.function,
    "xla": functools.partial(tf.function, jit_compile=True),
}
EVERYWHERE = ("eager", "graph", "xla")
WITHOUT_XLA = ("eager", "graph")  # the size of a result depends on data, or it is text


class Call(NamedTuple):
    """A function of an example, the arrays it is given, options, and the modes in which it is compared."""

    example: str
    function: str
    arrays: Callable[[numpy.random.Generator], tuple[Any, ...]]
    options: Mapping[str, Any] = MappingProxyType({})
    modes: tuple[str, ...] = EVERYWHERE


def floats(*shape: int, dtype: str = "float64") -> Callable[[numpy.random.Generator], numpy.ndarray]:
    """Return what draws an array of a shape."""
    return lambda rng: rng.standard_normal(shape, dtype="float64").astype(dtype)


def drawn(*makers: Callable[[numpy.random.Generator], Any]) -> Callable[[numpy.random.Generator], tuple[Any, ...]]:
    """Return what draws an array by each maker."""
    return lambda rng: tuple(make(rng) for make in makers)


def integers(highest: int, *shape: int, dtype: str = "int64") -> Callable[[numpy.random.Generator], numpy.ndarray]:
    """Return what draws integers from 0 up to a limit."""
    return lambda rng: rng.integers(0, highest, shape, dtype=dtype)


def given(*values: Any) -> Callable[[numpy.random.Generator], tuple[Any, ...]]:
    """Return what gives the same arrays always."""
    return lambda rng: tuple(numpy.array(value) for value in values)


STOCHASTIC = [[0.8, 0.15, 0.05], [0.3, 0.5, 0.2], [0.3, 0.233, 0.467]]
BODIES = ([[0.0, 0], [1, 0], [0, -2]], [[0.0, 0], [0, 1], [0.7, 0]], [1.0, 0.1, 0.3])

CALLS = [
    Call("attention", "attention", drawn(*[floats(2, 5, 8, dtype="float32")] * 3), {"heads": 2}),
    Call("bootstrap", "interval", drawn(floats(20), integers(20, 30, 20)), {"level": 0.9}),
    Call("calibration", "to_degrees", drawn(lambda rng: rng.uniform(-5, 50, (3, 4)))),
    Call("calibration", "segments", drawn(lambda rng: rng.uniform(-5, 50, 9))),
    Call("confusion_matrix", "confusion_matrix", drawn(integers(4, 30), integers(4, 30)), {"classes": 4}),
    Call("confusion_matrix", "scores", drawn(lambda rng: rng.integers(1, 9, (4, 4)))),
    Call("data_pipeline", "prepare", drawn(floats(4, 3))),
    Call("edge_detection", "edges", drawn(lambda rng: rng.random((8, 9))), {"share": 0.3}),
    Call("edit_distance", "edit_distance", drawn(integers(3, 5), integers(3, 7))),
    Call("fft_filter", "low_pass", drawn(floats(3, 40)), {"highest": 6, "rate": 40}),
    Call("gaussian_process", "predict", drawn(floats(6), floats(6), floats(4)), {"scale": 0.8, "noise": 0.3}),
    Call("group_statistics", "group_means", drawn(integers(5, 20), floats(20)), modes=WITHOUT_XLA),
    Call("heat_equation", "diffuse", drawn(floats(6, 7)), {"rate": 0.2, "steps": 5}),
    Call("histogram_equalisation", "equalise", drawn(integers(200, 8, 9, dtype="uint8")), modes=WITHOUT_XLA),
    Call("image_compression", "compress", drawn(floats(7, 6)), {"rank": 2}),
    Call("image_convolution", "convolve", drawn(floats(7, 6), floats(3, 2))),
    Call("kalman_filter", "kalman_filter", drawn(floats(4)), {"process_noise": 0.1, "measurement_noise": 1.0}),
    Call("kmeans", "kmeans", drawn(floats(30, 2), floats(3, 2)), {"steps": 3}),
    Call("life", "play", drawn(integers(2, 6, 7)), {"steps": 3}),
    Call("linear_regression", "fit", drawn(floats(20, 2), floats(20))),
    Call("lstm_cell", "lstm", drawn(*(floats(*shape, dtype="float32") for shape in [(3, 4, 2), (6, 16), (16,)]))),
    Call("mandelbrot", "escape_times", drawn(lambda rng: rng.normal(size=(4, 5)) * (1 + 0.5j)), {"steps": 5}),
    Call("markov_chain", "after", given([0.0, 0.0, 1.0], STOCHASTIC), {"steps": 10}),
    Call("markov_chain", "stationary", given(STOCHASTIC)),
    Call("markov_chain", "walk", given(STOCHASTIC, [0.1, 0.9, 0.95, 0.2, 0.7])),
    Call("monte_carlo_option", "price", drawn(lambda rng: numpy.array(100.0), *[lambda rng: numpy.array(0.5)] * 3,
         lambda rng: numpy.array(1.0), floats(50))),
    Call("moving_average", "by_convolution", drawn(floats(9)), {"width": 4}),
    Call("moving_average", "by_running_sum", drawn(floats(9)), {"width": 4}),
    Call("moving_average", "exponential", drawn(floats(9)), {"weight": 0.3}),
    Call("nbody", "simulate", given(*BODIES), {"step": 0.01, "steps": 3}),
    Call("nearest_neighbours", "classify", drawn(floats(20, 2), integers(3, 20), floats(7, 2)),
         {"neighbours": 3, "classes": 3}),
    Call("ode", "runge_kutta", drawn(floats(3), lambda rng: numpy.array(0.01))),
    Call("pagerank", "pagerank", drawn(integers(2, 5, 5)), {"damping": 0.85, "steps": 5}),
    Call("pca", "pca", drawn(floats(12, 4)), {"count": 2}),
    Call("per_example_gradients", "clip", lambda rng: ([floats(5, 3, 1)(rng), floats(5, 1)(rng)],), {"largest": 1}),
    Call("polynomial_fit", "fit", drawn(floats(9), floats(9)), {"degree": 2}, WITHOUT_XLA),
    Call("saved_model", "softmax", drawn(floats(3, 4))),
    Call("spectrogram", "spectrogram", drawn(floats(40)), {"length": 8, "step": 4}),
    Call("text_cleaning", "describe", given(["  Num!", "TensorFlow?\t", "", " a b "]), modes=WITHOUT_XLA),
]  # fmt: skip


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", sorted(set(NAMES) - ALONE))
def test_an_example_prints_what_its_page_shows(name, capsys):
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    said = ast.get_docstring(ast.parse((EXAMPLES / f"{name}.py").read_text()), clean=False)
    assert capsys.readouterr().out == PRINTED.search(said).group(1)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("call", "mode"),
    [pytest.param(call, mode, id=f"{call.example}-{call.function}-{mode}") for call in CALLS for mode in call.modes],
)
def test_an_example_does_what_numpy_does(call, mode):
    arrays = call.arrays(numpy.random.default_rng(7))
    expected = getattr(load(call.example, numpy), call.function)(*arrays, **call.options)
    function = functools.partial(getattr(load(call.example, tfnp), call.function), **call.options)
    compare(expected, MODES[mode](function)(*tf.nest.map_structure(tf.constant, arrays)))


def test_every_example_is_compared_with_numpy():
    others = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    compared = {call.example for call in CALLS} | set(re.findall(r'load\("(\w+)"', others))
    assert set(NAMES) <= compared
    assert len(NAMES) >= 30


@pytest.mark.parametrize(
    "wrong",
    [numpy.float32([1.0, 2.0]), numpy.array([1.0, 2.0, 3.0]), numpy.array([[1.0, 2.0]]), numpy.array([1.0, 2.1])],
)
def test_a_difference_is_seen(wrong):
    with pytest.raises(AssertionError):
        compare([numpy.array([1.0, 2.0])], [tf.constant(wrong)])
