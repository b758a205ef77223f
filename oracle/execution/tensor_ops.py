"""Calls of TensorFlow's ops where they are not called as those of NumPy's API: constants, gradients, and graphs without
some of Grappler's passes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.case.tensor_ops import GRADIENT, is_constant
from oracle.reference.outcome import Apply, evaluate

PASSES = (
    *("constant_folding", "arithmetic_optimization", "remapping", "shape_optimization", "dependency_optimization"),
    *("layout_optimizer", "function_optimization", "loop_optimization", "common_subgraph_elimination"),
)
"""Grappler's optimizers, by the names of `tf.config.optimizer.set_experimental_options`."""

EVERY_PASS = "disable_meta_optimizer"


def list_passed(case: Case) -> list[np.ndarray]:
    """Return the arrays of a case that a traced function is given: all but constants of the graph."""
    innermost = case.calls()[0]  # the outermost may be one that puts several together
    return [array for array in case.arrays() if not is_constant(innermost, array)]


def evaluate_case(
    case: Case, find: Callable[[str], Any], of_array: Callable[[np.ndarray], Any], apply: Apply | None = None
) -> Any:
    """Return what the functions that `find` returns make of a case; of a gradient of ops, the gradients by the inputs
    of floating dtypes. For `of_array` and `apply` see `evaluate`.
    """
    if case.name != GRADIENT:
        return evaluate(case, find, of_array, apply=apply)
    tf = sys.modules["tensorflow"]
    (inner,) = case.args
    sources = [tensor for tensor in map(of_array, list_passed(case)) if tensor.dtype.is_floating]
    with tf.GradientTape() as tape:
        tape.watch(sources)
        total = tf.reduce_sum(tf.nest.flatten(evaluate(inner, find, of_array, apply=apply))[0])
    slopes = tape.gradient(total, sources, unconnected_gradients=tf.UnconnectedGradients.ZERO)
    return [tf.convert_to_tensor(slope) for slope in slopes]


@contextmanager
def without_passes(*names: str) -> Iterator[None]:
    """Context manager in which functions are traced and run without some of Grappler's passes, or without any."""
    tf = sys.modules["tensorflow"]
    tf.config.optimizer.set_experimental_options({name: name == EVERY_PASS for name in names})
    try:
        yield
    finally:
        tf.config.optimizer.set_experimental_options({name: name != EVERY_PASS for name in names})


def find_passes(agrees: Callable[[], bool]) -> Sequence[str]:
    """Return the Grappler passes without each of which a graph agrees; "several passes" if only removing all helps."""

    def agrees_without(name: str) -> bool:
        with without_passes(name):
            return agrees()

    if not agrees_without(EVERY_PASS):
        return ()
    return tuple(name for name in PASSES if agrees_without(name)) or ("several passes",)
