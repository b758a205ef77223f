"""Eager mode finds a gradient where a graph finds one, and the other way round, whichever float argument is watched.

Fast paths of eager mode take arguments as constants. One that a tape watches has no gradient then, and nothing says so.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from fuzz.generate.calls import draw_case, generated_names
from fuzz.generate.choices import SeedChoices
from oracle import Case, load_subject, run_numpy
from oracle.execution.convert import Fetcher, to_tensor
from oracle.reference.outcome import destinations, evaluate
from tests import tiers
from tests.tables import check_each, each_topic
from tfnp.routines.statistics import quantiles

SUBJECT = load_subject("tfnp")
NAMES = [name for name in generated_names() if SUBJECT.has(name)]
FLOATS = frozenset(map(np.dtype, ("f4", "f8", "c8", "c16")))
MOST_DRAWN = 60
MOST_NAMES = 40
"""Names of one test: gradients of a division of series, unrolled in a graph, take ten seconds."""
Results = list[tf.Tensor]
Gradients = list[list[tf.Tensor | None]]
"""The gradients of each result, with respect to each watched tensor."""


def draw_calls(name: str) -> Iterator[Case]:
    """Yield a valid call with floats, in the full tier four of them; Python's floats are arrays if NumPy takes them."""
    found, count = 0, 4 if tiers.is_full else 1
    for number in range(MOST_DRAWN):
        case = draw_case(SeedChoices(zlib.crc32(f"{name} {number}".encode())), name)
        if found < count and not destinations(case) and run_numpy(case).ok:
            replaced = case.map_leaves(lambda array: array, as_array)
            case = replaced if run_numpy(replaced).ok else case
            if list_floats(case):
                found += 1
                yield case


def as_array(leaf: Any) -> Any:
    return np.array(leaf) if type(leaf) is float else leaf


def list_floats(case: Case) -> list[int]:
    """Return the indices of the arrays of floats among those of the call."""
    return [index for index, array in enumerate(case.arrays()) if array.dtype in FLOATS and array.size]


def call(case: Case, tensors: Sequence[tf.Tensor]) -> Results:
    """Return the results of floats."""
    by_array = {id(array): tensor for array, tensor in zip(case.arrays(), tensors, strict=True)}
    _, results = Fetcher().dismantle(evaluate(case, SUBJECT.find, lambda array: by_array[id(array)]))
    return [result for result in results if result.dtype.is_floating or result.dtype.is_complex]


def differentiate(case: Case, tensors: Sequence[tf.Tensor], watched: Sequence[int]) -> tuple[Results, Gradients]:
    sources = [tensors[index] for index in watched]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(sources)
        results = call(case, tensors)
    return results, [tape.gradient(result, sources) for result in results]


def find_lost(case: Case) -> Iterator[str]:
    """Yield each gradient that is None in eager mode and neither None nor zero in a graph, or the other way round.

    Calls that raise in a graph or have other shapes there are not compared.
    """
    tensors, watched = [to_tensor(array) for array in case.arrays()], list_floats(case)

    @tf.function(autograph=False)
    def in_graph(*tensors: tf.Tensor) -> tuple[Results, Gradients]:
        return differentiate(case, tensors, watched)

    try:
        _, traced = in_graph.get_concrete_function(*tensors).structured_outputs
    except Exception:  # noqa: BLE001 - the subject or the tape may raise anything
        return
    for position, index in enumerate(watched):
        results, eager = differentiate(case, tensors, [index])
        for number, (result, (mine,)) in enumerate(zip(results, eager, strict=True)):
            if (mine is None) == (traced[number][position] is None):
                continue
            others, gradients = in_graph(*tensors)
            present = gradients[number][position] if mine is None else mine
            if result.shape == others[number].shape and np.any(tf.convert_to_tensor(present)):
                yield f"result {number} by array {index}: None {'eagerly' if mine is None else 'in a graph'}"


def check_name(name: str) -> None:
    with tfnp.numpy_behavior():
        for case in draw_calls(name):
            assert list(find_lost(case)) == [], case


@each_topic(NAMES, 12, MOST_NAMES)
@pytest.mark.filterwarnings("ignore")
def test_no_gradient_is_lost(names: list[str]) -> None:
    check_each(names, check_name)


def test_a_lost_gradient_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case("quantile", (np.array([0.0, 1.0, 5.0]), np.array(0.3)))
    assert list(find_lost(case)) == []
    monkeypatch.setattr(quantiles, "is_watched", lambda tensor: False)
    assert list(find_lost(case)) == ["result 0 by array 1: None eagerly"]
