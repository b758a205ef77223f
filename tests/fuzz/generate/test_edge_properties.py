"""Each property of a call that makes it an edge call, and calls that have none."""

import ml_dtypes
import numpy as np
import pytest

from fuzz.generate.call_classes import EDGE, INVALID, ORDINARY
from fuzz.generate.edge_properties import classify_call, find_edges
from oracle import Case

VECTOR = np.array([0.0, 1.5, -2.0])
SWAPPED = VECTOR.astype(VECTOR.dtype.newbyteorder())
READ_ONLY = np.array([1.0, 2.0])
READ_ONLY.flags.writeable = False
MISALIGNED = np.ndarray((2,), np.float64, np.zeros(24, np.uint8), 1)

ORDINARY_CALLS = [
    Case("sum", (VECTOR,)),
    Case("sum", (np.asfortranarray(np.ones((3, 4))),), {"axis": -1}),
    Case("sum", (np.arange(10)[::2],)),
    Case("add", (np.array([1, 2], np.uint8), 3)),
    Case("multiply", (np.array([1e4 + 1j], np.complex64), 2.5)),
    Case("concatenate", ([VECTOR, np.ones((2,))],)),
    Case("strings.upper", (np.array(["a", ""]),)),
    Case("sum", (np.ones((1, 3))[:, :1],)),
    Case("arange", (10,)),
]

EDGE_CALLS = {
    "an empty array": np.zeros((0, 3)),
    "more than 4 dimensions": np.ones((1, 1, 1, 1, 1)),
    "byte-swapped elements": SWAPPED,
    "a read-only array": READ_ONLY,
    "a misaligned array": MISALIGNED,
    "negative strides": VECTOR[::-1],
    "elements that share memory": np.lib.stride_tricks.as_strided(VECTOR, (3,), (0,)),
    "half precision": np.ones(2, ml_dtypes.bfloat16),
    "a large integer": np.array([2**40]),
    "a bound of the dtype": np.array([-128], np.int8),
    "nan": np.array([1.0, np.nan]),
    "an infinity": np.array([1.0, np.inf], np.complex64),
    "a negative zero": -0.0,
    "a large magnitude": np.array([1e300]),
    "a small magnitude": np.array([1e-300]),
}


@pytest.mark.parametrize("case", ORDINARY_CALLS, ids=lambda case: case.name)
def test_ordinary_calls_have_no_edge(case):
    assert list(find_edges(case)) == []
    assert classify_call(case) == ORDINARY


@pytest.mark.parametrize("edge", EDGE_CALLS)
def test_each_edge_is_found_wherever_it_stands(edge):
    value = EDGE_CALLS[edge]
    for case in (
        Case("sum", (value,)),
        Case("add", (VECTOR, value)),
        Case("concatenate", ([VECTOR, value],)),
        Case("add", (VECTOR, Case("negative", (value,)))),
    ):
        assert edge in list(find_edges(case)), case
        assert classify_call(case) == EDGE


def test_a_python_scalar_is_judged_as_an_element_is():
    assert list(find_edges(Case("add", (1, 2**40)))) == ["a large integer"]
    assert list(find_edges(Case("add", (1.0, float("nan"))))) == ["nan"]
    assert list(find_edges(Case("add", (True, 2.5)))) == []


def test_a_long_list_of_options_is_an_edge():
    few = Case("sum", (VECTOR,), {"axis": 0, "keepdims": True})
    many = Case("loadtxt", ("x",), dict.fromkeys(("dtype", "comments", "delimiter", "converters", "skiprows")))
    assert list(find_edges(few)) == []
    assert list(find_edges(many)) == ["more than 4 optional arguments"]


def test_a_call_that_numpy_rejects_is_invalid_whatever_its_arguments():
    assert classify_call(Case("sum", (VECTOR,), {"axis": 3}), is_rejected=True) == INVALID
    assert classify_call(Case("sum", (np.zeros(0),), {"axis": 3}), is_rejected=True) == INVALID
