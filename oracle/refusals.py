"""What NumPy refuses and others need not, and what NumPy takes that others may refuse."""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle import fillings, matrices, texts
from oracle.case import Case
from oracle.names import POLYNOMIAL_MODULES
from oracle.outcome import reference

ACCUMULATIONS = frozenset(
    {
        *("cumsum", "cumprod", "nancumsum", "nancumprod", "cumulative_sum", "cumulative_prod"),
        *("ndarray.cumsum", "ndarray.cumprod"),
    }
)


SIZED_BY_VALUES = frozenset(
    {
        *("unique", "unique_all", "unique_counts", "unique_inverse", "unique_values"),
        *("intersect1d", "union1d", "setdiff1d", "setxor1d", "nonzero", "argwhere"),
        *("flatnonzero", "extract", "compress", "bincount", "histogram", "histogram2d"),
        *("histogram_bin_edges", "histogramdd", "polydiv", "polyfit", "polymul", "roots"),
        *(
            f"polynomial.{home}.{prefix}{name}"
            for home, prefix in POLYNOMIAL_MODULES.items()
            for name in ("add", "sub", "mul", "mulx", "div", "pow", "trim", "roots", "companion", "2poly", "fit")
        ),
        *(f"polynomial.{home}.poly2{prefix}" for home, prefix in POLYNOMIAL_MODULES.items()),
    }
)


def may_accept(case: Case, message: str) -> bool:
    """Whether NumPy refuses an `out=` for its layout, of which other arrays have but one; or an array that it may only
    read, of which others know nothing; or breaks, and says so.
    """
    if any(case.kwargs.get(name, "") is None and message.startswith(says) for name, says in OF_DEFAULTS.items()):
        return True
    if case.name.endswith(".at") and "out of bounds" in message and _names_none(case):
        return True
    if case.name == "tile" and message.startswith("Python integer"):
        return True  # sides are multiplied in the dtype of the counts, which may not hold them
    if message.endswith(" is read-only") or _joins_a_truth(case, message):
        return True
    if texts.may_accept(case.name, message) or "an exception set" in message or "setting an exception" in message:
        return True
    if matrices.NUMERICAL.search(message) and (matrices.are_lost(case) or matrices.is_at_the_edge(case)):
        return True
    if _is_one_condition(case, message) or _counts_beyond(case, message):
        return True
    out = case.kwargs.get("out", case.args[-1] if case.args else None)
    refused = message.startswith("output array is not acceptable") and isinstance(out, np.ndarray)
    return refused and not out.flags.c_contiguous


def comes_of_values(case: Case, message: str) -> bool:
    """Whether NumPy's error comes from numbers that a graph knows only when it runs: a matrix that is made of Python's
    is still worked out there.
    """
    of_matrices = matrices.NUMERICAL.search(message) is not None
    return of_matrices or texts.comes_of_values(message) or fillings.depends_on_values(case)


OF_DEFAULTS: dict[str, str | tuple[str, ...]] = {
    "signature": ("the signature object to ufunc", "cannot specify both 'signature' and 'dtype'"),
    "axes": "axes should be a list",
    "dtype": "cannot specify both 'signature' and 'dtype'",
}
"""What NumPy says of None in ufuncs, though its signatures say that it stands there anyway."""


def _names_none(case: Case) -> bool:
    """Whether one of several indices is of no elements: whether NumPy looks at the others hangs on its way there."""
    index = (*case.args, None, None)[1]
    parts = index if isinstance(index, tuple) else ()
    return any(np.size(part) == 0 for part in parts if isinstance(part, (list, np.ndarray)))


def _joins_a_truth(case: Case, message: str) -> bool:
    """Whether `isin`, of many elements only, makes an array of what should be a truth value."""
    asked = case.kwargs.get("invert", (*case.args, None, None, None, None)[3])
    says = ("all the input array", "setting an array element")
    return case.name == "isin" and not isinstance(asked, bool) and message.startswith(says)


def _counts_beyond(case: Case, message: str) -> bool:
    """Whether `histogram` looks for a bin of a complex number, which is not between the edges that it is compared with
    by its real part first, where there is none.
    """
    is_complex = any(array.dtype.kind == "c" for array in case.arrays())
    return case.name == "histogram" and is_complex and "is out of bounds for axis 0" in message


def _is_one_condition(case: Case, message: str) -> bool:
    """Whether `piecewise` looks for the first of several conditions in one without axes. It takes a NumPy scalar, which
    is what a comparison of scalars gives in NumPy; a tensor of rank 0 is both.
    """
    if case.name != "piecewise" or not message.startswith("too many indices for array: array is 0-dimensional"):
        return False
    condition = case.kwargs.get("condlist", (*case.args, None, None)[1])
    return isinstance(condition, np.ndarray) and condition.ndim == 0


def may_refuse(case: Case, compiled: bool) -> bool:
    """Whether NumPy takes what it should not: for an accumulation, an `out=` that has not the shape of the result. It
    reads and writes beyond the ends of that. A graph cannot have a dtype that depends on values, XLA no size.
    """
    if case.name == "real_if_close" or (compiled and case.name in SIZED_BY_VALUES) or _lacks_an_axis(case):
        return True
    if compiled and case.name == "poly" and np.ndim(case.args[0] if case.args else case.kwargs["seq_of_zeros"]) == 2:
        return True  # by eigenvalues of a general matrix, for which XLA has no op
    if compiled and (case.name.endswith(".at") or case.name == "insert") and _chooses_by_masks(case):
        return True
    if case.name == "insert" and _counts_past_its_dtype(_places(case)):
        return True
    if (compiled and case.name in matrices.GENERAL) or matrices.may_be_refused(case):
        return True
    if case.name in ("nanpercentile", "nanquantile") and _is_of_nan_alone((*case.args, case.kwargs.get("a"))[0]):
        return True  # then NumPy looks at nothing else
    if case.name in ("searchsorted", "ndarray.searchsorted") and _sorts_out_of_bounds(case):
        return True  # NumPy looks only at the indices that it comes across
    if case.name == "polyfit" and np.ndim(case.kwargs.get("rcond", (*case.args[3:], 0)[0])) > 0:
        return True  # which gives the result more axes
    if case.name in ("str_", "frombuffer") and any(array.dtype.kind in "SU" for array in case.arrays()):
        return True  # they read what is in memory, where the texts of a tensor are not
    place = 4 if case.name.endswith(".reduceat") else 3
    out = case.kwargs.get("out", case.args[place] if len(case.args) > place else None)
    accumulates = case.name in ACCUMULATIONS or case.name.endswith((".accumulate", ".reduceat"))
    if not accumulates or not isinstance(out, np.ndarray):
        return False
    rest = {key: value for key, value in case.kwargs.items() if key != "out"}
    plain = reference(Case(case.name, case.args[:place], rest))
    if not plain.ok:  # bfloat16 may have no loop of its own
        plain = reference(Case(case.name, case.args[:place], {**rest, "dtype": out.dtype}))
    return plain.ok and np.shape(plain.value) != out.shape


def _sorts_out_of_bounds(case: Case) -> bool:
    sorter = np.asarray(case.kwargs.get("sorter", (*case.args, *[0] * 4)[3]))
    return sorter.dtype.kind in "iu" and bool(np.any((sorter < 0) | (sorter >= sorter.size)))


def _is_of_nan_alone(value: Any) -> bool:
    return isinstance(value, (float, np.ndarray)) and bool(np.all(np.not_equal(value, value)))


def _places(case: Case) -> Any:
    """Where `ufunc.at` and `insert` put something."""
    return case.kwargs.get("obj", (*case.args, None, None)[1])


def _chooses_by_masks(case: Case) -> bool:
    """Whether the places are as many as a mask chooses."""
    return any(array.dtype.kind == "b" for array in Case(case.name, (_places(case),)).arrays())


def _counts_past_its_dtype(places: Any) -> bool:
    """Whether these are more indices than their dtype counts to. NumPy numbers them in it, and wraps."""
    return isinstance(places, np.ndarray) and places.dtype.kind == "i" and places.size - 1 > np.iinfo(places.dtype).max


def _lacks_an_axis(case: Case) -> bool:
    """Whether a product of matrices goes to an `out=` with fewer axes than it has, as NumPy lets it if they are 1."""
    out = case.kwargs.get("out", (*case.args, None, None, None)[2])
    out = out[0] if isinstance(out, tuple) and out else out
    if case.name != "matmul" or not isinstance(out, np.ndarray):
        return False
    options = {key: value for key, value in case.kwargs.items() if key != "out"}
    plain = reference(Case(case.name, case.args[:2], options))
    return plain.ok and np.ndim(plain.value) > out.ndim
