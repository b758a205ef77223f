"""Libraries that calculate in the precision of their results: what is as good as that allows is right, and no more."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from oracle import Adapter, Case, Mode, Outcome, compare_outcomes, run_numpy
from oracle.compare.by_design import find_precision

OWN = Adapter(name="own", imports="import numpy as xp", promotes=False)
SAME = Adapter(name="same", imports="import numpy as xp")
EAGER = Mode("eager")
RANDOM = np.random.default_rng(5)
MATRIX = np.array([[4.0, 1.0, 2.0], [1.0, 3.0, -1.0], [2.0, -1.0, 5.0]])
SINGLE = MATRIX.astype(np.float32)
INTEGERS = np.array([[7, 1, 2], [1, 3, -1], [2, -1, 5]], np.int32)
ROW = RANDOM.standard_normal(12)


def narrow(value):
    """Return what a library gives that calculates in single precision."""
    if isinstance(value, (tuple, list)):
        return type(value)(*map(narrow, value)) if hasattr(value, "_fields") else type(value)(map(narrow, value))
    value = np.asarray(value)
    return value.astype({"f": np.float32, "c": np.complex64}.get(value.dtype.kind, value.dtype))


def nudge(value, relative, seed=0):
    """Return a result whose numbers are off by so much of the largest, as after a calculation."""
    if isinstance(value, (tuple, list)):
        parts = [nudge(part, relative, seed) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    value = np.asarray(value)
    if value.dtype.kind not in "fc":
        return value
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], value.shape)
    return (value + relative * np.abs(value).max(initial=0) * signs).astype(value.dtype)


def kinds(case, value, adapter=OWN, on_tensors=False):
    found = compare_outcomes(case, run_numpy(case), Outcome(value), EAGER, on_tensors=on_tensors, adapter=adapter)
    assert found.harness_faults == []
    return {difference.kind for difference in found.deviations}


CALLS = [
    Case("linalg.inv", (SINGLE,)),
    Case("linalg.inv", (INTEGERS,)),
    Case("linalg.det", (SINGLE,)),
    Case("linalg.slogdet", (INTEGERS,)),
    Case("linalg.solve", (SINGLE, SINGLE[:, 0])),
    Case("linalg.eigvalsh", (SINGLE,)),
    Case("linalg.eigvals", (SINGLE,)),
    Case("linalg.svdvals", (SINGLE,)),
    Case("linalg.pinv", (SINGLE,)),
    Case("linalg.matrix_power", (SINGLE, -2)),
    Case("linalg.multi_dot", ([SINGLE, SINGLE, SINGLE],)),
    Case("linalg.cond", (SINGLE,)),
    Case("fft.hfft", (INTEGERS[0],)),
    Case("fft.fft", (ROW.astype(np.float32),)),
    Case("var", (INTEGERS,)),
    Case("std", (ROW,)),
    Case("corrcoef", (MATRIX,)),
    Case("cov", (INTEGERS,)),
    Case("mean", (INTEGERS,)),
    Case("average", (ROW,)),
]
IDS = [f"{case.name}-{next(iter(case.arrays())).dtype}" for case in CALLS]


@pytest.mark.parametrize("case", CALLS, ids=IDS)
def test_a_result_as_good_as_single_precision_allows_is_right(case):
    value = nudge(narrow(run_numpy(case).value), 2.0**-24)
    assert kinds(case, value) == set()


@pytest.mark.parametrize("case", CALLS, ids=IDS)
def test_a_result_wrong_in_the_third_digit_is_not(case):
    assert "value" in kinds(case, nudge(narrow(run_numpy(case).value), 3e-3))


@pytest.mark.parametrize("case", [case.map_arrays(lambda array: array.astype(float)) for case in CALLS], ids=IDS)
def test_double_precision_has_to_be_as_good_as_it_says(case):
    value = run_numpy(case).value
    assert kinds(case, value) == set()
    wide = nudge(value, 2.0**-22)
    assert "value" in kinds(case, wide)


@pytest.mark.parametrize("name", ["linalg.inv", "linalg.det", "linalg.eigvals"])
def test_matrices_of_single_precision_are_calculated_in_single_precision_by_anyone(name):
    """NumPy does so in double precision, which its manual does not promise."""
    case = Case(name, (SINGLE,))
    right, wrong = (nudge(run_numpy(case).value, error) for error in (2.0**-22, 2.0**-10))
    for adapter, on_tensors in ((SAME, False), (None, False), (None, True), (OWN, False)):
        assert kinds(case, right, adapter, on_tensors) == set()
        assert "value" in kinds(case, wrong, adapter, on_tensors)


def test_elementwise_functions_of_the_same_dtype_are_as_precise_as_numpys():
    case = Case("sin", (ROW.astype(np.float32),))
    value = run_numpy(case).value
    assert kinds(case, value * np.float32(1 + 2.0**-20)) == {"value"}


def test_a_finer_result_is_right_if_it_rounds_to_numpys():
    case = Case("ldexp", (True, -25))
    assert run_numpy(case).value.dtype == np.float16
    assert kinds(case, np.asarray(2.0**-25, np.float32)) == set()
    assert kinds(case, np.asarray(2.0**-23, np.float32)) == {"value"}


def test_the_sign_of_a_zero_part_of_a_complex_number_is_a_rounding_error():
    case = Case("fft.ihfft", (np.array([100, 120, 120, 100, 127], np.int8),))
    value = narrow(run_numpy(case).value)
    assert value[0].imag == 0
    value[0] = complex(value[0].real, -value[0].imag)
    assert kinds(case, value) == set()
    assert kinds(case, value.conj()) == {"value"}


def test_small_rows_are_not_judged_by_large_ones():
    rows = np.array([[1e6, 2e6, 3e6], [1.0, 2.0, 3.5]], np.float32)
    case = Case("mean", (rows,), {"axis": 1})
    right = run_numpy(case).value
    assert kinds(case, right + np.array([0, 0.1], np.float32)) == {"value"}


def test_any_structure_of_results_has_a_precision():
    found = Outcome((np.zeros(2, np.float32), [np.zeros(1)], None, SimpleNamespace(), 3.0))
    assert find_precision(found, OWN) == 2.0**-23
    assert find_precision(found, SAME) == find_precision(found, None) == find_precision(Outcome(None), OWN) == 0.0


BOUNDS = Case("clip", (np.array([1, 2]), np.inf, np.inf))
TRUTH = Case("linalg.matrix_power", (np.array([[True, True], [False, True]]), 2))


@pytest.mark.parametrize(
    ("case", "value", "found"),
    [
        (BOUNDS, np.array([-(2**63)] * 2), {"value"}),  # as C casts infinity
        (BOUNDS, np.array([2**63 - 1] * 2), {"value"}),
        (Case("clip", (np.array([1, 2]), 3.0, 5.0)), np.array([3, 3]), set()),
        (TRUTH, np.array([[1, 2], [0, 1]], np.float32), {"value"}),
        (TRUTH, np.array([[1, 1], [0, 1]], np.float32), set()),
    ],
    ids=str,
)
def test_another_dtype_holds_no_number_that_is_not_in_it(case, value, found):
    assert kinds(case, value) == found
    assert kinds(case, value, SAME) == found | (set() if found else {"dtype"})


ZERO, ONE = np.zeros(1, np.float32), np.ones(1, np.int64)
LARGE = np.array([2**62], np.int64), np.array([1e30], np.float32)


@pytest.mark.parametrize(
    ("case", "right", "wrong"),
    [
        (Case("nextafter", (ZERO, ONE)), np.nextafter(ZERO, np.float32(1)), np.float32([1e-30])),
        (Case("multiply", LARGE), np.float32([np.inf]), np.float32([1e30])),
        (Case("exp", (np.array([100]),)), np.float32([np.inf]), np.float32([3e38])),
    ],
    ids=["nextafter", "multiply", "exp"],
)
def test_what_numpy_gives_for_operands_of_the_results_dtype_is_right(case, right, wrong):
    assert kinds(case, run_numpy(case).value) == set()
    assert kinds(case, right) == set()
    assert kinds(case, wrong) == {"value"}
    assert kinds(case, right, SAME)
