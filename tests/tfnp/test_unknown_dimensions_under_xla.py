"""Functions of unknown dimensions that XLA compiles, as those of Keras are: it knows sizes, the trace does not."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from oracle import Case, check
from tests.tables import check_each
from tests.tfnp.agreement import SUBJECT, agree

MODE = ("xla_dims",)
FLAT = np.array([[3.0, 1.0, 0.5, 2.0], [1.0, 4.0, 0.25, -1.0], [0.5, 0.25, 5.0, 1.5]])
HERMITIAN = np.array([[2.0, 1j, 0.5], [-1j, 3.0, 1 - 1j], [0.5, 1 + 1j, 1.0]])


def check_call(call):
    name, *args = call
    kwargs = args.pop() if isinstance(args[-1], dict) else {}
    agree(name, *args, modes=MODE, **kwargs)


def test_what_went_wrong_once():
    calls = [("linalg.svdvals", FLAT), ("convolve", FLAT[0, :2], FLAT[0, 1:])]
    calls += [("polynomial.legendre.legint", FLAT[0, :2]), ("polynomial.hermite.hermint", np.zeros(1))]
    check_each([*calls, ("tril_indices_from", FLAT, 1), ("triu_indices_from", FLAT, 1)], check_call)


@pytest.mark.full
def test_singular_values_of_matrices_of_any_form():
    check_each(
        [
            ("linalg.svd", FLAT),
            ("linalg.svd", FLAT.T, False),
            ("linalg.svdvals", FLAT[None, :, :3]),
            ("linalg.svd", np.zeros((0, 3))),
            ("linalg.pinv", FLAT[:, :1]),
            ("linalg.lstsq", FLAT.T, np.arange(4.0)),
        ],
        check_call,
    )


@pytest.mark.full
def test_eigenvalues_of_hermitian_matrices():
    check_each(
        [
            ("linalg.eigh", HERMITIAN),
            ("linalg.eigvalsh", FLAT[:, :3]),
            ("linalg.eigvalsh", FLAT[:1, :1]),
            ("linalg.matrix_rank", HERMITIAN, {"hermitian": True}),
        ],
        check_call,
    )


def test_positions_in_sorted_vectors_of_unknown_length():
    """They were all 0."""
    bins = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    for name in ("searchsorted", "digitize"):
        agree(name, *((bins, 7 * bins / 4) if name == "searchsorted" else (7 * bins / 4, bins)), modes=MODE)


@pytest.mark.full
def test_what_searches_sorted_vectors_of_unknown_length():
    x = np.array([0.5, 1.0, 2.0, 2.5])
    check_each(
        [
            ("searchsorted", np.zeros(0), x),
            ("searchsorted", np.arange(8.0), x, {"side": "right"}),
            ("digitize", x, np.array([3.0, 2.0, 1.0])),
            ("histogram", x, np.arange(4.0)),
            ("interp", x, np.arange(3.0), np.array([1.0, 3.0, 7.0])),
            ("isin", x, np.arange(3.0)),
        ],
        check_call,
    )


@pytest.mark.full
def test_more_products_of_vectors_of_unknown_length():
    short, long = np.array([1.0, 2.0]), np.arange(1.0, 6.0)
    check_each(
        [
            ("convolve", 2.0, long),
            ("convolve", long, short, "valid"),
            ("correlate", short, long, {"mode": "same"}),
            ("correlate", long + 1j, short - 2j, {"mode": "full"}),
        ],
        check_call,
    )
    signature = [tf.TensorSpec([None], tf.float64)] * 2
    multiply = tf.function(partial(tfnp.polynomial.chebyshev.chebmul, size=6), signature, jit_compile=True)
    np.testing.assert_allclose(multiply(short, long), np.polynomial.chebyshev.chebmul(short, long))


def test_edges_of_unknown_length_of_both_axes():
    x, y = np.array([0.5, 1.0, 2.5]), np.array([0.0, 1.5, 2.0])
    agree("histogram2d", x, y, np.arange(4.0), modes=("graph_dims", *MODE))


def test_the_number_of_axes_of_a_histogram_must_be_static():
    with pytest.raises(ValueError, match="the length of `bins` must be static inside tf"):
        tf.function(tfnp.histogramdd, input_signature=[tf.TensorSpec([None, 2]), tf.TensorSpec([None], tf.int64)])(
            np.ones((3, 2), np.float32), np.array([2, 2])
        )


def test_one_or_two_edges_of_unknown_length_fail_when_the_graph_runs():
    signature = [tf.TensorSpec([None], tf.float64)] * 3
    histogram = tf.function(tfnp.histogram2d, input_signature=signature, autograph=False)
    with pytest.raises(tf.errors.InvalidArgumentError, match="`bins` of length 1 or 2"):
        histogram(np.ones(3), np.ones(3), np.array([2.0, 3.0]))


def test_what_depends_on_shapes():
    """XLA gave dynamic sizes to what both branches of a condition could return, and sums of those were 0."""
    total = Case("sum", (Case("cumsum", (Case("polynomial.legendre.legder", (FLAT[0],)),)),))
    check(total, MODE, SUBJECT)
    agree("array_equal", FLAT, FLAT[:2], modes=MODE)


@pytest.mark.full
def test_more_that_depends_on_shapes():
    check_each(
        [
            ("array_equal", FLAT, FLAT),
            ("array_equiv", FLAT, FLAT[0]),
            ("array_equiv", FLAT, FLAT[0, :2]),
            ("cross", FLAT[:, :3], FLAT[:, 1:]),
            ("cross", FLAT[:, :2], FLAT[:, 1:3]),
            ("cross", FLAT[:, :3], FLAT[:, 1:3]),
            ("cov", FLAT, {"rowvar": False}),
            ("cov", FLAT[:, :1], {"rowvar": False}),
            ("polynomial.legendre.legder", FLAT[0], 4),
            ("ndarray.__getitem__", FLAT, np.array([True, False, True])),
        ],
        check_call,
    )


def test_running_sums_and_products_of_complex_numbers():
    x = np.array([1 + 2j, 0.5, -1j, 2.0, 1 - 1j])
    check_each([("cumprod", x), ("polynomial.laguerre.lagder", x), ("polynomial.chebyshev.chebder", x)], check_call)
