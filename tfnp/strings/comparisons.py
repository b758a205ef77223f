"""Comparisons of text by code point, as in Python. Numbers are compared by the ufuncs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, DTypeLike, Out
from tfnp.routines.math import ufuncs
from tfnp.strings.text import is_text, to_text, write_text

__all__ = ["equal", "greater", "greater_equal", "less", "less_equal", "not_equal"]


@array_function(unknown_rank="broadcast")
def equal(
    x1: ArrayLike, x2: ArrayLike, /, out: Out = None, *, where: ArrayLike = True, casting: str = "same_kind",
    order: str = "K", dtype: DTypeLike | None = None, subok: bool = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Text is compared by code points, numeric operands by the ufunc of the same name. XLA has no text: tracing for it
    raises TypeError. `out` must be a tf.Variable.
    """
    return _compare(ufuncs.equal, x1, x2, locals())


@array_function(unknown_rank="broadcast")
def not_equal(
    x1: ArrayLike, x2: ArrayLike, /, out: Out = None, *, where: ArrayLike = True, casting: str = "same_kind",
    order: str = "K", dtype: DTypeLike | None = None, subok: bool = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Text is compared by code points, numeric operands by the ufunc of the same name. XLA has no text: tracing for it
    raises TypeError. `out` must be a tf.Variable.
    """
    return _compare(ufuncs.not_equal, x1, x2, locals())


@array_function(unknown_rank="broadcast")
def less(
    x1: ArrayLike, x2: ArrayLike, /, out: Out = None, *, where: ArrayLike = True, casting: str = "same_kind",
    order: str = "K", dtype: DTypeLike | None = None, subok: bool = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Text is compared by code points, numeric operands by the ufunc of the same name. XLA has no text: tracing for it
    raises TypeError. `out` must be a tf.Variable.
    """
    return _compare(ufuncs.less, x1, x2, locals())


@array_function(unknown_rank="broadcast")
def less_equal(
    x1: ArrayLike, x2: ArrayLike, /, out: Out = None, *, where: ArrayLike = True, casting: str = "same_kind",
    order: str = "K", dtype: DTypeLike | None = None, subok: bool = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Text is compared by code points, numeric operands by the ufunc of the same name. XLA has no text: tracing for it
    raises TypeError. `out` must be a tf.Variable.
    """
    return _compare(ufuncs.less_equal, x1, x2, locals())


@array_function(unknown_rank="broadcast")
def greater(
    x1: ArrayLike, x2: ArrayLike, /, out: Out = None, *, where: ArrayLike = True, casting: str = "same_kind",
    order: str = "K", dtype: DTypeLike | None = None, subok: bool = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Text is compared by code points, numeric operands by the ufunc of the same name. XLA has no text: tracing for it
    raises TypeError. `out` must be a tf.Variable.
    """
    return _compare(ufuncs.greater, x1, x2, locals())


@array_function(unknown_rank="broadcast")
def greater_equal(
    x1: ArrayLike, x2: ArrayLike, /, out: Out = None, *, where: ArrayLike = True, casting: str = "same_kind",
    order: str = "K", dtype: DTypeLike | None = None, subok: bool = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Text is compared by code points, numeric operands by the ufunc of the same name. XLA has no text: tracing for it
    raises TypeError. `out` must be a tf.Variable.
    """
    return _compare(ufuncs.greater_equal, x1, x2, locals())


def _compare(compare: Callable[..., Any], x1: Any, x2: Any, options: dict[str, Any]) -> Any:
    """Compare text; for numbers, call the ufunc, which accepts fewer combinations of dtypes than TensorFlow's op."""
    options = {name: value for name, value in options.items() if name not in ("x1", "x2")}
    if not (is_text(x1) or is_text(x2)):
        ufunc_options = {name: value for name, value in options.items() if name != "subok" and value is not None}
        return compare(x1, x2, **ufunc_options)
    return write_text(compare.__name__, compare(to_text(x1), to_text(x2)), options)
