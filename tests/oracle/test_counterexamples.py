"""Wrong answers that were once accepted: each must be reported."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from oracle import Case, Mode, compare_outcomes, run_numpy
from tests.oracle.exchanges import Exchange

BFLOAT16 = ml_dtypes.bfloat16
HALF = np.float16
DTYPE_OBJECT = TypeError("add() got data of dtype object")
MATRIX = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]])
SINGULAR = np.ones((2, 2))


def eigen_of_nan(matrix):
    values, vectors = np.linalg.eig(matrix)
    return type(np.linalg.eig(matrix))(values, np.full_like(vectors, np.nan))


ARANGE = np.arange(100).astype(HALF)
ARANGE[1] = 1.3

WRONG = {
    "a TypeError that names a dtype": Exchange(Case("add", (np.ones(2), 1.0)), DTYPE_OBJECT),
    "the same under XLA": Exchange(Case("roll", (np.ones(2), 1)), DTYPE_OBJECT, "xla"),
    "real_if_close raises in eager": Exchange(Case("real_if_close", (np.ones(2),)), RuntimeError("boom")),
    "any error of histogram under XLA": Exchange(
        Case("histogram", (np.ones(4), 3)), AttributeError("'SymbolicTensor' object has no attribute"), "xla"
    ),
    "a KeyError of polymul under XLA": Exchange(Case("polymul", (np.ones(2), np.ones(2))), KeyError("x"), "xla"),
    "a KeyError of bincount under XLA": Exchange(
        Case("bincount", (np.array([1, 2]),), {"minlength": 5}), KeyError("x"), "xla"
    ),
    "eigenvectors of nan": Exchange(Case("linalg.eig", (MATRIX,)), eigen_of_nan(MATRIX)),
    "int8 for longdouble": Exchange(Case("zeros", ((7, 2), np.longdouble)), np.full((7, 2), 99, np.int8)),
    "another value for longdouble": Exchange(
        Case("add", (np.ones(2), np.longdouble(2))), np.array([99.0, 0.0], np.longdouble)
    ),
    "finfo of another dtype": Exchange(Case("finfo", (np.dtype(np.float64),)), np.finfo(np.float16)),
    "iinfo of another dtype": Exchange(Case("iinfo", (np.dtype(np.int64),)), np.iinfo(np.int8)),
    "randint beyond its bounds": Exchange(Case("random.randint", (0, 5, 4)), np.array([99, -7, 99, 99])),
    "gamma below zero": Exchange(Case("random.gamma", (2.0, 1.0, 5)), np.full(5, -7.0)),
    "an inverse of a singular matrix": Exchange(Case("linalg.inv", (SINGULAR,)), np.eye(2)),
    "an AttributeError of eigvalsh": Exchange(
        Case("linalg.eigvalsh", (np.array([[np.nan, 0.0], [0.0, 1.0]]),)), AttributeError("no attribute")
    ),
    "a histogram of zeros": Exchange(
        Case("histogram", (np.zeros(10), 3)), (np.array([7, 0, 3]), np.array([1.0, 2.0, 3.0, 9.0]))
    ),
    "a histogram of nothing": Exchange(
        Case("histogram", (np.zeros(0), 3)), (np.array([7, 0, 3]), np.array([1.0, 2.0, 3.0, 9.0]))
    ),
    "a histogram of integers": Exchange(
        Case("histogram", (np.zeros(5, int), 3)), (np.array([7, 0, 3]), np.array([1.0, 2.0, 3.0, 9.0]))
    ),
    "an inverse of a singular matrix under XLA": Exchange(Case("linalg.inv", (SINGULAR,)), np.full((2, 2), 7.0), "xla"),
    "an accident of an unknown rank": Exchange(
        Case("dot", (np.ones(2), np.ones(2))),
        ValueError("as_list() is not defined on an unknown TensorShape. rank unknown"),
        "graph_rank",
        "trace",
    ),
    "a shape that is nonsense": Exchange(Case("ndarray.shape", (np.ones((2, 3)),)), "nonsense", "graph_dims"),
    "a lost zero of sort": Exchange(Case("sort", (np.array([1.0, -0.0]),)), np.array([0.0, 1.0])),
}

ON_ARRAYS = {
    "copysign of Python's -0.0": Exchange(Case("copysign", (np.array([1.0, -2.0]), -0.0)), np.array([1.0, 2.0])),
    "arctan2 of Python's -0.0": Exchange(Case("arctan2", (np.array([0.0, 0.0]), -0.0)), np.zeros(2)),
    "divide by Python's -0.0": Exchange(Case("divide", (np.array([1.0]), -0.0)), np.array([np.inf])),
}
"""Faults of TensorFlow's, which no subject that takes arrays is excused by."""

STILL_ACCEPTED: frozenset[str] = frozenset()


def report(exchange, on_tensors=True):
    case = exchange.case
    expected, mode = run_numpy(case), Mode(exchange.mode)
    return compare_outcomes(case, expected, exchange.outcome(), mode, on_tensors=on_tensors).deviations


@pytest.mark.sample(21)
@pytest.mark.parametrize(
    "exchange",
    [
        pytest.param(exchange, id=name, marks=[pytest.mark.xfail(strict=True)] if name in STILL_ACCEPTED else [])
        for name, exchange in WRONG.items()
    ],
)
def test_a_wrong_answer_is_reported(exchange):
    assert report(exchange) != []


@pytest.mark.parametrize("exchange", [pytest.param(exchange, id=name) for name, exchange in ON_ARRAYS.items()])
def test_a_fault_of_tensorflow_is_no_excuse_for_arrays(exchange):
    assert report(exchange, on_tensors=False) != []


def test_numbers_that_nobody_seeded_may_be_others():
    assert report(Exchange(Case("random.poisson"), 3)) == []
