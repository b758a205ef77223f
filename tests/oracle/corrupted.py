"""Corrupted answers: NumPy's own answer to a call, changed into something that no function of NumPy returns."""

from __future__ import annotations

import random
from collections import namedtuple
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import ml_dtypes
import numpy as np

from oracle import Case, Outcome

Point = namedtuple("Point", ["x", "y"])


class Unprintable:
    """An object that cannot be shown, compared or counted."""

    def __repr__(self) -> str:
        raise RuntimeError("no text")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no comparison")

    __hash__ = None  # type: ignore[assignment]


class Mute(Exception):
    """An exception whose message raises."""

    def __str__(self) -> str:
        raise RuntimeError("no message")


STRUCTURED = np.dtype([("a", "i4"), ("b", "f8", (2,))])
DTYPES = (
    *("?", "i1", "u8", "f2", "f4", "f8", "g", "F", "D", "G", ">f8", ">i4", ">c16", "<u2", "U3", "S2", "O", "T"),
    *("M8[s]", "m8[D]", "V3", STRUCTURED, ml_dtypes.bfloat16),
)
OBJECTS: tuple[Callable[[], Any], ...] = (
    *(lambda: "odd", lambda: "", lambda: b"\xff\x00", lambda: None, object, lambda: ..., lambda: NotImplemented),
    *(list, tuple, dict, set, lambda: {1, 2}, lambda: {"a": np.ones(2)}, lambda: {1: 2}, lambda: range(3)),
    *(lambda: Point(1, np.zeros(2)), lambda: 10**5000, lambda: -(2**63) - 1, lambda: float("nan"), lambda: 1e400j),
    *(lambda: True, lambda: 0, lambda: 1.5, lambda: np.float64, lambda: np.dtype(">f4"), lambda: np.sum, Unprintable),
    *(lambda: iter([1]), lambda: np.random.default_rng(0), lambda: slice(1, None), lambda: np.finfo("f4"), lambda: np),
    *(lambda: memoryview(b"ab"), lambda: np.ma.masked, lambda: np.ma.array([1.0, 2.0], mask=[True, False])),
    *(lambda: np.poly1d([1.0, 2.0]), lambda: np.str_("odd"), lambda: np.bytes_(b"x"), lambda: np.void(b"abc")),
    *(lambda: np.datetime64("nat"), lambda: np.timedelta64(3, "D"), lambda: np.longdouble("1e4000")),
    *(lambda: [[1, 2], [3]], lambda: [np.ones(2), np.ones(3)], lambda: [None, "a", 10**400], lambda: [[[]], ()]),
    *(lambda: np.array([Unprintable()], object), lambda: np.array([10**400, None], object), lambda: [Unprintable()]),
    *(lambda: np.zeros((0, 3)), lambda: np.zeros((2, 0), "U1"), lambda: np.zeros((1,) * 20), lambda: np.zeros(2)[::-1]),
    *(lambda: np.array("text"), lambda: np.array(["a", "b"], "T"), lambda: np.array([b"a", None], object)),
)
ERRORS: tuple[Callable[[], BaseException], ...] = (
    *(ValueError, lambda: ValueError(""), lambda: ValueError(None), lambda: ValueError("%s {0} \n\n\x00")),
    *(Mute, lambda: KeyError(Unprintable()), lambda: KeyError("a"), lambda: OSError(2, "no file"), Exception),
    *(lambda: TypeError("f() got an unexpected keyword argument 'axis'"), lambda: TypeError("x" * 10_000)),
    *(lambda: TypeError("f() takes from 1 to 2 positional arguments but 3 were given"), lambda: StopIteration(3)),
    *(lambda: ValueError("Graph execution error:"), lambda: ValueError("Graph execution error:\n[[{{node a}}]]")),
    *(lambda: UnicodeDecodeError("utf-8", b"\xff", 0, 1, "odd"), lambda: np.exceptions.AxisError(5, 2)),
    *(lambda: np.linalg.LinAlgError("Singular matrix"), lambda: ExceptionGroup("many", [ValueError(1)])),
    *(lambda: IndexError("index 5 is out of bounds for axis 0 with size 3"), ZeroDivisionError),
    *(lambda: MemoryError("Unable to allocate 1. PiB"), RecursionError, lambda: OverflowError(34, "range")),
    *(NotImplementedError, lambda: AssertionError(np.zeros(3)), type("Ünknown", (Exception,), {})),
    *(lambda: type("InvalidArgumentError", (Exception,), {})("\udcff"), lambda: FloatingPointError("invalid value")),
)


def corrupt(rng: random.Random, expected: Outcome, case: Case) -> Outcome:
    """Return NumPy's outcome with one or two changes."""
    if rng.random() < (0.2 if expected.ok else 0.6):
        return Outcome.raised(rng.choice(ERRORS)(), rng.choice(["run", "trace"]))
    if expected.ok:
        answer = replace(expected, value=corrupt_value(rng, expected.value, case))
    else:
        arrays = case.arrays()
        answer = Outcome(rng.choice(OBJECTS)() if not arrays or rng.random() < 0.5 else rng.choice(arrays).copy())
    roll = rng.random()
    if roll < 0.05:
        return replace(answer, after=tuple(corrupt_array(rng, array) for array in answer.after)[: rng.randrange(3)])
    if roll < 0.08:
        return replace(answer, changed=(0, 99))
    if roll < 0.11:
        return replace(answer, unkept="a dtype of its own")
    if roll < 0.16:
        return replace(answer, others=(corrupt_value(rng, answer.value, case),))
    return answer


def corrupt_value(rng: random.Random, value: Any, case: Case) -> Any:
    """Return a value with one change, often in a part of it only."""
    if rng.random() < 0.12:
        return rng.choice(OBJECTS)()
    if isinstance(value, (tuple, list)) and value:
        items = list(value)
        index = rng.randrange(len(items))
        items[index] = corrupt_value(rng, items[index], case)
        return rng.choice(
            [
                tuple,
                tuple,
                tuple,
                list,
                lambda items: items[1:],
                lambda items: Point(*items[:2]) if len(items) > 1 else None,
                lambda items: (*items, items[0]),
            ]
        )(items)
    if isinstance(value, dict) and value:
        key = rng.choice(list(value))
        changed = {**value, key: corrupt_value(rng, value[key], case)}
        return rng.choice([changed, changed, {other: changed[other] for other in changed if other != key}])
    if isinstance(value, (np.ndarray, np.generic, bool, int, float, complex, str, bytes)):
        return corrupt_array(rng, np.asarray(value)[()] if rng.random() < 0.1 else np.array(value))
    return rng.choice(OBJECTS)()


def corrupt_array(rng: random.Random, array: Any) -> Any:
    """Return an array with another element, dtype, shape or class."""
    array = np.array(array)
    change = rng.choice([change_element, change_element, change_dtype, change_dtype, change_shape, change_class])
    with np.errstate(all="ignore"):
        try:
            return change(rng, array)
        except (TypeError, ValueError, OverflowError, RuntimeError, MemoryError):
            return rng.choice(OBJECTS)()


def change_element(rng: random.Random, array: np.ndarray) -> Any:
    flat = array.reshape(-1).copy()
    if not flat.size:
        return np.zeros((1, *array.shape), array.dtype)
    index = rng.randrange(flat.size)
    if flat.dtype.kind in "fcV" and flat.dtype != STRUCTURED and flat.dtype.names is None and flat.dtype.kind != "V":
        flat[index] = rng.choice([np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-320, 1e300, flat[index] * 1.0001, 7])
    elif flat.dtype.kind in "iu":
        flat[index] = rng.choice([0, 1, np.iinfo(flat.dtype).max, np.iinfo(flat.dtype).min, flat[index] ^ 1])
    else:
        flat[index] = flat[rng.randrange(flat.size)] if flat.dtype.kind != "b" else ~flat[index]
    return flat.reshape(array.shape)


def change_dtype(rng: random.Random, array: np.ndarray) -> Any:
    return array.astype(rng.choice(DTYPES))


def change_shape(rng: random.Random, array: np.ndarray) -> Any:
    shape = array.shape
    return rng.choice(
        [
            lambda: array[None],
            lambda: array[..., None],
            lambda: array.ravel()[:1],
            lambda: array.ravel()[:0],
            array.ravel,
            lambda: array.T,
            lambda: np.zeros((), array.dtype),
            lambda: np.zeros((2, *shape), array.dtype),
            lambda: np.concatenate([array, array]) if shape else np.stack([array, array]),
            lambda: np.asfortranarray(array)[::-1] if shape else array[()],
        ]
    )()


def change_class(rng: random.Random, array: np.ndarray) -> Any:
    return rng.choice(
        [
            array.tolist,
            lambda: tuple(array) if array.ndim else (array,),
            lambda: list(array) if array.ndim else [array],
            lambda: np.ma.masked_array(array),
            lambda: array.view(np.recarray),
            lambda: np.matrix(array),
            lambda: array.astype(object),
            lambda: str(array),
            lambda: {"value": array},
            lambda: Point(array, array),
            lambda: iter(array.tolist() if array.ndim else ()),
            lambda: array.astype(array.dtype.newbyteorder(">")),
        ]
    )()
