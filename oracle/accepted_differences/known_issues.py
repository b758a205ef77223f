"""Known-issue registry: faults of TensorFlow's and XLA's kernels that are accepted while they last."""

from __future__ import annotations

import numpy as np

from oracle.accepted_differences.model import Allowance, Query, Reason
from oracle.case.model import Case
from oracle.reference.outcome import Outcome

HUGE_EXPONENT = 3e18


def _has_huge_exponent(case: Case, expected: Outcome) -> bool:
    """Return whether an exponent is beyond what Eigen takes for finite, and NumPy's result is still in range."""
    return any(
        np.abs(np.asarray(call.args[1], np.float64)).max(initial=0) > HUGE_EXPONENT
        for call in case.calls()
        if len(call.args) > 1 and not isinstance(call.args[1], Case) and np.asarray(call.args[1]).dtype.kind in "iuf"
    )


def _are_past_range(query: Query) -> np.ndarray | bool:
    """Return which results are those of an infinite exponent: zero or infinity where NumPy has a number."""
    actual, wrong = query.actual_part, query.deviation.wrong
    if wrong is None or not isinstance(actual, np.ndarray) or not isinstance(query.case.args[1], (np.ndarray, float)):
        return wrong is not None
    exponents = np.broadcast_to(np.abs(np.asarray(query.case.args[1], np.float64)), wrong.shape)
    return (exponents > HUGE_EXPONENT) & ((np.abs(actual) == 0) | np.isinf(actual) | np.isnan(actual))


def _doubles_past_range(case: Case, expected: Outcome) -> bool:
    return any(
        bool((np.abs(array) > np.finfo(array.dtype).max / 2).any())
        for array in case.arrays()
        if array.dtype.kind in "fc"
    )


def _are_not_finite(query: Query) -> np.ndarray | bool:
    """Return which elements are nan or infinite in NumPy's result, which is where doubling overflows."""
    expected, wrong = query.expected_part, query.deviation.wrong
    return wrong is not None and isinstance(expected, np.ndarray) and ~np.isfinite(expected)


ALLOWANCES = (
    # Upstream bug: tensorflow-pow-huge-exponent
    Allowance(
        id="tensorflow.power-of-huge-exponent",
        reason=Reason.TENSORFLOW_FAULT,
        names=("power", "pow", "float_power"),
        modes=("eager", "graph"),
        applies=_has_huge_exponent,
        holds=_are_past_range,
        why="Eigen's vectorized pow treats exponents above 3.2e18 as infinite, but the largest base below 1 has "
        "finite powers up to 6.4e18",
        link="https://gitlab.com/libeigen/eigen/-/blob/master/Eigen/src/Core/arch/Default/GenericPacketMathFunctions.h",
        until="2.23",
    ),
    # Upstream bug: tensorflow-constants-reassociated
    Allowance(
        id="grappler.constants-first",
        reason=Reason.TENSORFLOW_FAULT,
        names=tuple(f"polynomial.hermite.herm{name}" for name in ("val", "val2d", "val3d", "grid2d", "grid3d")),
        modes=("graph",),
        applies=_doubles_past_range,
        holds=_are_not_finite,
        why="Grappler folds constants first: 0 * (2 * x) becomes 0 * x, which hides the overflow of 2 * x",
        link="https://github.com/tensorflow/tensorflow/blob/master/tensorflow/core/grappler/optimizers/constant_folding.cc",
        until="2.23",
    ),
)
