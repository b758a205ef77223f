"""Results of the class of an argument: subclasses of `ndarray`, where NumPy's functions return them."""

from __future__ import annotations

from typing import Any, Final

from tfnp.numpy.arrays import Array, Public

BASE_RESULTS: Final = frozenset(
    (
        *("append", "argwhere", "array", "asarray", "asarray_chkfinite", "ascontiguousarray", "asfortranarray"),
        *("choose", "column_stack", "concatenate", "convolve", "copy", "corrcoef", "correlate", "cov", "cross"),
        *("diag_indices_from", "digitize", "dstack", "einsum", "flatnonzero", "from_dlpack", "frombuffer"),
        *("histogram", "histogram2d", "histogram_bin_edges", "histogramdd", "hstack", "interp", "intersect1d"),
        *("iscomplex", "isin", "lexsort", "nonzero", "outer", "packbits", "pad", "poly", "polyder", "polyint"),
        *("polymul", "polyval", "resize", "roots", "row_stack", "searchsorted", "select", "setxor1d", "sinc"),
        *("sort_complex", "stack", "tensordot", "tril", "tril_indices_from", "triu", "triu_indices_from", "union1d"),
        *("unpackbits", "unwrap", "vander", "vstack", "where"),
    )
)
"""Functions that return plain arrays, whatever the class of their arguments."""
REDUCTIONS: Final = frozenset(
    (
        *(
            "all",
            "any",
            "average",
            "max",
            "mean",
            "median",
            "min",
            "nanmax",
            "nanmean",
            "nanmedian",
            "nanmin",
            "nanprod",
        ),
        *("nanstd", "nansum", "nanvar", "prod", "ptp", "reduce", "std", "sum", "var"),
    )
)
"""Functions of which a result of rank 0 is an array, too, if it is of a subclass."""


CALLERS: Final = frozenset(
    (
        *(
            "all",
            "any",
            "argmax",
            "argmin",
            "argpartition",
            "argsort",
            "choose",
            "clip",
            "compress",
            "cumprod",
            "cumsum",
        ),
        *(
            "max",
            "mean",
            "min",
            "nonzero",
            "prod",
            "repeat",
            "round",
            "searchsorted",
            "std",
            "sum",
            "take",
            "trace",
            "var",
        ),
    )
)
"""Functions that call the method of their name, if a subclass overrides it."""


class Subclasses:
    """A flag that a program has defined subclasses; before, nothing is looked up."""

    are_used = False


def find_prototype(args: tuple[Any, ...]) -> Array | None:
    """Return the argument whose class a result has: of those of subclasses, the first of the highest priority."""
    prototypes = [arg for arg in args if isinstance(arg, Array) and type(arg) not in (Public.ndarray, Public.scalar)]
    return max(prototypes, key=lambda array: array.__array_priority__, default=None)


def find_method(name: str, args: tuple[Any, ...]) -> Any:
    """Return the method of this name that the class of the first argument overrides, which NumPy's function calls."""
    array = args[0] if args else None
    if name not in CALLERS or not isinstance(array, Array):
        return None
    is_overridden = getattr(type(array), name) is not getattr(Public.ndarray, name)
    return getattr(array, name) if is_overridden and type(array) is not Public.scalar else None


def wrap_result(result: Any, prototype: Any, context: Any = None, *, may_be_scalar: bool = False) -> Any:
    """Return a result wrapped by a method of the prototype, also in tuples and lists.

    Functions whose results of rank 0 are scalars say so, by which the method may return one.
    """
    if type(result) is Public.ndarray:
        return prototype.__array_wrap__(result, context, may_be_scalar and result.ndim == 0)
    if type(result) in (tuple, list):
        return type(result)([wrap_result(item, prototype, context, may_be_scalar=may_be_scalar) for item in result])
    return result


def finalize_result(result: Any, prototype: Any) -> Any:
    """Return a result as an array of the prototype's class, also in tuples and lists."""
    if type(result) is Public.ndarray:
        return prototype._finalize(result)
    if type(result) in (tuple, list):
        return type(result)([finalize_result(item, prototype) for item in result])
    return result
