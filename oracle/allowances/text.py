"""Text in tensors: byte strings without a width, which do not say whether they are text or bytes."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.reference.outcome import ufunc_inputs

STRING_DTYPE = np.dtypes.StringDType()


def as_text(case: Case) -> Case | None:
    """Return the case with texts in place of bytes, if it has both: what NumPy makes of the one beside the other shows
    which they were, "%s" of b"x" for one.
    """
    if not case.name.startswith("strings."):
        return None
    kinds = {np.asarray(leaf).dtype.kind for leaf in case.leaves() if isinstance(leaf, np.ndarray | str | bytes)}
    if not {"S", "U"} <= kinds:
        return None
    return case.map_leaves(_decode, lambda leaf: leaf.decode("latin-1") if isinstance(leaf, bytes) else leaf)


def as_string_dtype(case: Case, dtype: np.dtype = STRING_DTYPE) -> Case | None:
    """Return the case over arrays of `StringDType`, NumPy's text without a width, if it has arrays of text or bytes:
    that has loops which text of a width lacks. Objects have more, extremes over several axes for one.
    """
    operands = case.args[: ufunc_inputs(case.name) or 1] or (*case.kwargs.values(), None)[:1]

    def is_operand(leaf: Any) -> bool:
        is_text = isinstance(leaf, str | bytes) and any(leaf is operand for operand in operands)
        return isinstance(leaf, np.str_ | np.bytes_) or is_text

    if not any(map(is_operand, case.leaves())) and not any(array.dtype.kind in "SU" for array in case.arrays()):
        return None
    return case.map_leaves(
        lambda array: _without_width(array, dtype) if array.dtype.kind in "SU" else array,
        lambda leaf: _without_width(np.asarray(leaf), dtype) if is_operand(leaf) else leaf,
    )


def _without_width(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    native = array.astype(array.dtype.newbyteorder("="))  # of others NumPy reads no code points
    return _decode(native).astype(dtype)


_OF_WIDTH = re.compile(r"[<>=|]?[US]\d+")


def without_width(case: Case) -> Case | None:
    """Return the case with NumPy's text of no width for each dtype of a width that it names, if there is any."""
    return case.map_leaves(lambda array: array, _drop_width) if any(map(_has_width, case.leaves())) else None


def _has_width(leaf: Any) -> bool:
    if isinstance(leaf, str):
        return _OF_WIDTH.fullmatch(leaf) is not None
    return isinstance(leaf, np.dtype) and leaf.kind in "US"


def _drop_width(leaf: Any) -> Any:
    return np.dtypes.StringDType() if _has_width(leaf) else leaf


def uncut(case: Case) -> Case | None:
    """Return the case with arrays for what `replace` is given without a dtype, if anything is: NumPy cuts that to the
    width of the text that it looks in, and a tensor has none.
    """
    if case.name != "strings.replace":
        return None
    args = [value if position == 0 else _with_width(value) for position, value in enumerate(case.args)]
    kwargs = {key: value if key == "a" else _with_width(value) for key, value in case.kwargs.items()}
    changed = Case(case.name, tuple(args), kwargs)
    is_old = all(new is old for new, old in zip(changed.leaves(), case.leaves(), strict=True))
    return None if is_old else changed


def _with_width(value: Any) -> Any:
    if hasattr(value, "dtype") or type(value) in (int, bool):  # an int is a count
        return value
    array = np.asarray(value)
    return array if array.dtype.kind in "SU" else array.astype(np.str_)


def _decode(array: np.ndarray) -> np.ndarray:
    return np.char.decode(array, "latin-1") if array.dtype.kind == "S" else array
