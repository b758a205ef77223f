"""Text in tensors: bytes of no width, which do not say whether they are text or bytes."""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.transforms import precision


def as_text(case: Case) -> Case | None:
    """The case with texts in place of bytes, if it has both: what NumPy makes of the one beside the other shows which
    they were, "%s" of b"x" for one.
    """
    if not case.name.startswith("strings."):
        return None
    kinds = {np.asarray(leaf).dtype.kind for leaf in case.leaves() if isinstance(leaf, np.ndarray | str | bytes)}
    if not {"S", "U"} <= kinds:
        return None
    return precision.varied(case, _decoded, lambda leaf: leaf.decode("latin-1") if isinstance(leaf, bytes) else leaf)


def uncut(case: Case) -> Case | None:
    """The case with arrays for what `replace` is given without a dtype, if anything is: NumPy cuts that to the width of
    the text that it looks in, and a tensor has none.
    """
    if case.name != "strings.replace":
        return None
    args = [value if place == 0 else _with_width(value) for place, value in enumerate(case.args)]
    kwargs = {key: value if key == "a" else _with_width(value) for key, value in case.kwargs.items()}
    found = Case(case.name, tuple(args), kwargs)
    is_old = all(new is old for new, old in zip(found.leaves(), case.leaves(), strict=True))
    return None if is_old else found


def _with_width(value: Any) -> Any:
    if hasattr(value, "dtype") or type(value) in (int, bool):  # an int is a count
        return value
    own = np.asarray(value)
    return own if own.dtype.kind in "SU" else own.astype(np.str_)


def _decoded(array: np.ndarray) -> np.ndarray:
    return np.char.decode(array, "latin-1") if array.dtype.kind == "S" else array
