"""References say what ops should give, and keep silent where nothing is defined."""

from __future__ import annotations

import numpy as np
import pytest

from oracle.case.model import Case
from oracle.ops.reference import compute_expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (Case("tf.math.floordiv", (np.array([np.inf, -1.0]), np.array([1.0, np.inf]))), [np.nan, -1.0]),
        (Case("tf.math.argmax", (np.array([1.0, np.nan, 3.0]), 0)), 1),
        (Case("tf.sort", (np.array([2.0, np.nan, 1.0]),)), [1.0, 2.0, np.nan]),
        (Case("tf.math.erf", (np.array([np.inf]),)), [1.0]),
        (Case("tf.math.segment_max", (np.array([np.nan, 1.0, 2.0]), np.array([0, 0, 1]))), [np.nan, 2.0]),
        (Case("tf.math.digamma", (np.array([1.0]),)), [-0.5772156649015329]),
        (Case("tf.einsum", ("...ij,...ij->...", np.array([[1.0, 2]]), np.array([[3.0, np.inf]]))), np.inf),
        (Case("tf.tensordot", (np.array([[1.0, 2], [3, 4]]), np.array([[1.0, 0], [0, 1]]), 2)), 5.0),
        (Case("tf.linalg.matvec", (np.array([[1.0, 2], [3, 4]]), np.array([1.0, 1]))), [3.0, 7.0]),
    ],
)
def test_references_say_what_an_op_should_give(call, expected):
    (found,) = compute_expected(call, [np.asarray(expected).dtype])
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    "call",
    [
        Case("tf.cast", (np.array([np.nan, 1e20]), np.dtype("int32"))),
        Case("tf.bitwise.left_shift", (np.array([1]), np.array([64]))),
        Case("tf.math.multiply", (np.array([complex(np.inf, 0)]), np.array([1j]))),
        Case("tf.math.lgamma", (np.array([-1.5]),)),
        Case("tf.reshape", (np.zeros(2), [2])),
    ],
)
def test_references_keep_silent_where_nothing_is_defined(call):
    assert compute_expected(call, [np.dtype(float)]) is None
