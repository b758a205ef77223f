"""How an outcome departs from NumPy's: status, error class, structure, dtype, shape, value, in this order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from oracle import casts, domains, dtypes, elements, factors, freedoms, programs, statuses, texts, variations, zeros
from oracle.case import Case
from oracle.modes import SHAPELESS, Mode
from oracle.outcome import Outcome, reference
from oracle.promises import mask_of_promised
from oracle.scrutiny import Path, Scrutiny, at
from oracle.statuses import Departure, has_no_tensor, shown

KINDS = (
    "value",
    "dtype",
    "shape",
    "structure",
    "missing error",
    "spurious error",
    "different error",
    "crash",
    "hang",
    "memory",
    "inputs changed",
    "nondeterminism",
    "retrace",
    "static shape",
    "gradient",
)


@dataclass(frozen=True, slots=True)
class Difference:
    """One departure: its kind, the mode that shows it, and what a reader needs to see."""

    kind: str
    mode: Mode
    detail: str

    def __str__(self) -> str:
        return f"{self.kind} in {self.mode}: {self.detail}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """The first departure if there is one; how many elements agree only because subnormal numbers were flushed, and
    how many were let go because NumPy's own result does not settle them.
    """

    difference: Difference | None = None
    flushes: int = 0
    ill_conditioned: int = 0


SAME = Comparison()


def compare(case: Case, expected: Outcome, actual: Outcome, mode: Mode) -> Difference | None:
    """The first departure of the outcome from NumPy's, if there is one."""
    return examine(case, expected, actual, mode).difference


def examine(case: Case, expected: Outcome, actual: Outcome, mode: Mode) -> Comparison:
    """What `compare` says, and what it had to overlook."""
    if actual.kind == "ok" == expected.kind and _identical(expected.value, actual.value) and not expected.after:
        return SAME
    scrutiny = Scrutiny(case, expected, mode.name == "xla", mode.name in SHAPELESS, mode.is_traced)
    found = statuses.departure(case, expected, actual, mode)
    if found is None and expected.ok and actual.ok:
        found = _results(scrutiny, actual)
        if found is not None and found[0] in {"value", "shape"} and _is_flushed(scrutiny, actual):
            return Comparison(flushes=1)
        if found is not None and found[0] == "value" and (text := texts.as_text(case) or texts.uncut(case)) is not None:
            return examine(text, reference(text), actual, mode)
        if found is not None and mode.is_traced and domains.passes_on(case):
            return SAME
        if found is not None and mode.is_traced and (twin := domains.twin(case)) is not None:
            return examine(twin, reference(twin), actual, mode)
        if found is not None and found[0] == "value" and not mode.is_traced and _is_of_one_zero(scrutiny, actual):
            return SAME
        if found is not None and found[0] in {"value", "shape"} and _is_open_in_the_last_call(case, actual, mode):
            return SAME
    difference = None if found is None else Difference(found[0], mode, found[1])
    return Comparison(difference, scrutiny.flushes, scrutiny.ill_conditioned)


def _is_open_in_the_last_call(case: Case, actual: Outcome, mode: Mode) -> bool:
    """Whether the result is right for what NumPy gave the calls before, or several are, each by itself."""
    if case.name == programs.JOINING:
        pairs = zip(case.args, actual.value if len(case.args) > 1 else (actual.value,), strict=True)
        return all(isinstance(call, Case) and _is_answer(call, value, mode) for call, value in pairs)
    last = programs.last_call(case)
    return last is not None and _answers(last, actual, mode)


def _answers(call: Case, actual: Outcome, mode: Mode) -> bool:
    """Whether this is what NumPy gives the call, which it takes."""
    expected = reference(call)
    return expected.ok and examine(call, expected, actual, mode).difference is None


def _is_answer(call: Case, value: np.ndarray, mode: Mode) -> bool:
    expected = reference(call)
    alike = np.reshape(value, np.shape(expected.value)) if np.ndim(expected.value) == 0 else value
    return _answers(call, Outcome(alike), mode)


def _identical(expected: Any, actual: Any) -> bool:
    """The fast path: one array, the same bytes."""
    if isinstance(expected, (np.ndarray, np.generic)) and type(actual) is np.ndarray:
        return (
            expected.dtype == actual.dtype and expected.shape == actual.shape and expected.tobytes() == actual.tobytes()
        )
    return False


def _results(scrutiny: Scrutiny, actual: Outcome) -> Departure | None:
    expected = scrutiny.expected
    if zeros.are_of_one_matrix(scrutiny.case, expected.value, actual.value, scrutiny.traced):
        return None
    if factors.applies(scrutiny.case, expected.value):
        found = tree(Structure(scrutiny), (0,), expected.value, actual.value)
        return found or factors.departure(scrutiny, expected.value, actual.value)
    found = tree(scrutiny, (0,), expected.value, actual.value)
    if (
        found is not None
        and found[0] in {"value", "shape"}
        and freedoms.allow(scrutiny.case, expected.value, actual.value)
    ):
        return None
    if found is not None or not expected.after:
        return found
    found = tree(scrutiny, (1,), expected.after, actual.after)
    is_open = found is not None and found[0] == "value" and scrutiny.case.name.endswith((".at", *IN_PLACE))
    return None if is_open and freedoms.allow(scrutiny.case, expected.after[0], actual.after[0]) else found


def _is_flushed(scrutiny: Scrutiny, actual: Outcome) -> bool:
    """Whether this is all that NumPy answers to zeros in place of the subnormal numbers: counts and places too. Where
    one comes up on the way, what follows from it is open.
    """
    if scrutiny.case.name.endswith(".accumulate") and scrutiny.follows_from_subnormal(actual.value):
        return True
    if scrutiny.case.name.endswith((".reduce", ".reduceat")) and casts.are_flushed_between(scrutiny, actual):
        return True
    if scrutiny.case.name.endswith(".at") and casts.are_flushed_on_the_way(scrutiny, actual):
        return True
    if not variations.has_subnormals(scrutiny.case):
        return False
    for case in variations.flushings(scrutiny.case):
        expected = reference(case)
        if expected.ok and _results(Scrutiny(case, expected, scrutiny.compiled, scrutiny.shapeless), actual) is None:
            return True
    return False


def _is_of_one_zero(scrutiny: Scrutiny, actual: Outcome) -> bool:
    """Whether this is NumPy's answer to Python's zeros of one sign: eager TensorFlow keeps the tensors of such numbers
    by their value, and gives for 0.0 what it made of -0.0, if that came first.
    """
    if not any(type(leaf) in (float, complex) and leaf == 0 for leaf in scrutiny.case.leaves()):
        return False
    for zero in (0.0, -0.0):
        case = variations.with_zeros(scrutiny.case, zero)
        expected = reference(case)
        if expected.ok and _results(Scrutiny(case, expected, False), actual) is None:
            return True
    return False


class Structure(Scrutiny):
    """A scrutiny that leaves values to somebody else."""

    def __init__(self, scrutiny: Scrutiny) -> None:
        super().__init__(scrutiny.case, scrutiny.expected, scrutiny.compiled, scrutiny.shapeless, scrutiny.traced)

    def wrong(self, path: Path, expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
        return np.zeros(expected.shape, bool)


VALUES_AS_PYTHON = frozenset(
    {
        "allclose",
        "array_equal",
        "array_equiv",
        "ndarray.item",
        "ndarray.tolist",
        "ndarray.__bool__",
        "ndarray.__float__",
        "ndarray.__int__",
        "ndarray.__complex__",
        "ndarray.__contains__",
        "count_nonzero",
        "linalg.matrix_rank",
        "iscomplex",
        "isreal",
    }
)
"""Functions whose results are Python objects though they depend on values: a tensor without dimensions has to do."""


IN_PLACE = ("ndarray.sort", "ndarray.partition")
"""Methods that leave in their array what a function gives."""


ELEMENTS_AS_PYTHON = frozenset({"ndarray.item", "ndarray.tolist"})
"""Those whose results are elements: a tensor of one keeps its dtype, where a Python number has but its class."""


def _is_of_class(dtype: np.dtype, kind: type) -> bool:
    """Whether an element of the dtype is, in Python, a number of that class."""
    return type(np.zeros((), dtype).item()) is kind


def tree(scrutiny: Scrutiny, path: Path, expected: Any, actual: Any) -> Departure | None:
    """The first departure of one part of a result, and of what is inside it."""
    if scrutiny.shapeless and scrutiny.case.name == "ndarray.shape":
        return None  # a tensor says what is known while tracing: None for a side
    if isinstance(expected, (np.ndarray, np.generic)):
        if not isinstance(actual, (np.ndarray, np.generic)):
            return _structure(path, expected, actual)
        return leaf(scrutiny, path, np.asarray(expected), np.asarray(actual))
    if isinstance(expected, (tuple, list)):
        return _sequence(scrutiny, path, expected, actual)
    if isinstance(expected, dict):
        if not isinstance(actual, dict) or set(actual) != set(expected):
            return _structure(path, expected, actual)
        found = (tree(scrutiny, (*path, key), part, actual[key]) for key, part in expected.items())
        return next(filter(None, found), None)
    if isinstance(expected, (bool, int, float, complex, str, bytes)):
        return _python(scrutiny, path, expected, actual)
    return _other(scrutiny, path, expected, actual)


def _sequence(scrutiny: Scrutiny, path: Path, expected: Any, actual: Any) -> Departure | None:
    kind = tuple if isinstance(expected, tuple) else list
    fields = getattr(expected, "_fields", None)
    if scrutiny.shapeless and isinstance(actual, np.ndarray) and all(type(part) is int for part in expected):
        actual = kind(actual) if actual.ndim == 1 else actual  # sides whose number only running can tell
    if not isinstance(actual, kind) or len(actual) != len(expected) or getattr(actual, "_fields", None) != fields:
        return _structure(path, expected, actual)
    for i, (left, right) in enumerate(zip(expected, actual, strict=True)):
        found = tree(scrutiny, (*path, i), left, right)
        if found is not None:
            return found
    return None


def _is_integer(array: np.ndarray) -> bool:
    return array.ndim == 0 and array.dtype.kind in "iu"


def _is_truth(array: np.ndarray) -> bool:
    return array.ndim == 0 and array.dtype.kind == "b"


def _python(scrutiny: Scrutiny, path: Path, expected: Any, actual: Any) -> Departure | None:
    """A Python number or text has to be usable as one, unless only running the program can tell it."""
    if isinstance(actual, np.ndarray):
        of_its_class = {int: _is_integer, bool: _is_truth}.get(type(expected))
        if scrutiny.shapeless and of_its_class is not None and of_its_class(actual):
            return None if actual == expected else ("value", f"{where(path)}expected {expected!r}, got {actual}")
        by_value = scrutiny.case.name in VALUES_AS_PYTHON or scrutiny.case.name.startswith("random.")
        if not by_value or actual.ndim:
            return _structure(path, expected, actual)
        keeps = scrutiny.case.name in ELEMENTS_AS_PYTHON and _is_of_class(actual.dtype, type(expected))
        return leaf(scrutiny, path, np.asarray(expected, actual.dtype if keeps else None), actual)
    if isinstance(actual, np.generic):
        actual = actual.item()
    if type(actual) is not type(expected):
        return _structure(path, expected, actual)
    if isinstance(expected, (float, complex)):
        return leaf(scrutiny, path, np.asarray(expected), np.asarray(actual))
    if type(expected) is str and actual != expected and scrutiny.is_inexact_program:
        scrutiny.ill_conditioned += 1  # the text of numbers whose last digits are open
        return None
    return None if actual == expected else ("value", f"{where(path)}expected {expected!r}, got {actual!r}")


def _other(scrutiny: Scrutiny, path: Path, expected: Any, actual: Any) -> Departure | None:
    """None, dtypes, classes, functions, and objects that mean something only in their own library."""
    if expected is None or isinstance(expected, (np.dtype, type)):
        if isinstance(expected, np.dtype) and getattr(actual, "kind", "") == f"tf.{expected.name}":
            same = scrutiny.case.name == "ndarray.dtype"
        elif isinstance(expected, np.dtype) and getattr(actual, "kind", "") == "tf.string":
            same = expected.kind in "US" and scrutiny.case.name == "ndarray.dtype"
        else:
            same = type(actual) is type(expected) and actual in (expected, _in_native_order(expected))
        return None if same else _structure(path, expected, actual)
    if type(actual).__name__ == "Foreign":
        return None if actual.kind == type(expected).__name__ else _structure(path, expected, actual)
    return None if callable(actual) == callable(expected) else _structure(path, expected, actual)


def _in_native_order(value: Any) -> Any:
    """A dtype in the machine's byte order: a tensor has no other."""
    return value.newbyteorder("=") if isinstance(value, np.dtype) and not value.isnative else value


def leaf(scrutiny: Scrutiny, path: Path, expected: np.ndarray, actual: np.ndarray) -> Departure | None:
    """The first departure of one array from another."""
    if has_no_tensor(expected.dtype):
        return None
    if expected.dtype.kind in "USTO" and actual.dtype.kind in "USTO":
        expected, actual = text_of(expected), text_of(actual)
    else:
        expected, actual = native(expected), native(actual)
    if scrutiny.traced and dtypes.is_real_by_values(scrutiny.case, expected.dtype, actual.dtype):
        expected = expected.astype(actual.dtype)
    if expected.dtype.kind + actual.dtype.kind in ("fc", "cf") and dtypes.is_barely_real(scrutiny.case):
        common = np.result_type(expected, actual)
        expected, actual = expected.astype(common), actual.astype(common)
    expected = statuses.as_of_other_sides(scrutiny, path, expected, actual)
    if expected.dtype != actual.dtype and expected.dtype.kind != "O":
        if scrutiny.traced and dtypes.is_dtype_of_others(scrutiny.case, expected.dtype, actual.dtype):
            return None
        return "dtype", f"{where(path)}expected {expected.dtype}, got {actual.dtype}"
    if scrutiny.traced and path[-1] in ("coef", "coeffs"):
        actual = _without_zeros(actual, len(expected), is_last=path[-1] == "coef")
    if expected.shape != actual.shape:
        return _shape(scrutiny, path, expected, actual)
    if expected.tobytes() == actual.tobytes():
        return None
    wrong = scrutiny.wrong(path, expected, actual)
    promised = mask_of_promised(scrutiny.case, expected.shape)
    if promised is not None:
        wrong = wrong & promised
    if wrong.any():
        wrong = _settled_by_casts(scrutiny, path, expected, wrong)
    if wrong.any():
        wrong = wrong & ~casts.are_on_both_sides(scrutiny.case, path, expected, actual)
    return ("value", described(path, expected, actual, wrong)) if wrong.any() else None


def _settled_by_casts(scrutiny: Scrutiny, path: Path, expected: np.ndarray, wrong: np.ndarray) -> np.ndarray:
    """What is wrong without the elements that C leaves open, which are counted."""
    unsettled = casts.open_elements(scrutiny.case, path, expected)
    if unsettled is None:
        return wrong
    scrutiny.ill_conditioned += int((wrong & unsettled).sum())
    return wrong & ~unsettled


def native(array: np.ndarray) -> np.ndarray:
    """The array in the machine's byte order: a tensor has no other."""
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def _without_zeros(actual: np.ndarray, count: int, is_last: bool) -> np.ndarray:
    """The coefficients of a series whose degree a graph has to know, without the zeros of the highest powers."""
    if actual.ndim != 1 or len(actual) <= count:
        return actual
    kept, others = np.split(actual, [count]) if is_last else np.split(actual, [-count])[::-1]
    return actual if others.any() else kept


def _shape(scrutiny: Scrutiny, path: Path, expected: np.ndarray, actual: np.ndarray) -> Departure | None:
    """A shape that hangs on values may hang on a rounding error."""
    if scrutiny.is_inexact_program:
        shapes = {getattr(at(outcome, path), "shape", None) for outcome in scrutiny.moved}
        if shapes != {expected.shape}:
            return None
    return "shape", f"{where(path)}expected {expected.shape}, got {actual.shape}"


def text_of(array: np.ndarray) -> np.ndarray:
    """Texts and bytes alike as texts: a tensor's are bytes, and have no width."""
    return np.array(
        [item.decode("utf-8", "replace") if isinstance(item, bytes) else str(item) for item in array.ravel().tolist()],
        dtype=object,
    ).reshape(array.shape)


def described(path: Path, expected: np.ndarray, actual: np.ndarray, wrong: np.ndarray) -> str:
    """The first wrong element, how far it is, and how many there are."""
    index = tuple(int(i) for i in np.argwhere(wrong)[0])
    left, right = expected[index], actual[index]
    place = f"at {list(index)} " if index else ""
    text = f"{where(path)}{place}expected {left!s}, got {right!s}"
    if variations.is_inexact(expected.dtype) and np.isfinite(left) and np.isfinite(right):
        ulps = elements.distance(np.asarray([left]), np.asarray([right]))
        text += f" ({ulps[0]:.3g} ulp)"
    count = int(wrong.sum())
    return text if count == 1 else f"{text}; {count} of {wrong.size} elements"


def where(path: Path) -> str:
    """A place in a result, as one would index it."""
    name = "out" if path[0] == 1 else "result"
    return "" if path == (0,) else name + "".join(f"[{step!r}]" for step in path[1:]) + " "


def _structure(path: Path, expected: Any, actual: Any) -> Departure:
    return "structure", f"{where(path)}expected {shown(expected)}, got {shown(actual)}"
