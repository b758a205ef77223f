"""Gradient check: gradients of `tf.GradientTape` against finite differences of NumPy's results.

A call becomes a scalar, the sum of its float64 and complex128 results times random weights, and is followed along one
random direction of its float64 and complex128 inputs. The tape gives the first and second slope there, and so do finite
differences of NumPy's results, for several step sizes. How well those agree with one another decides how far off the
tape may be: near kinks, jumps and branch cuts, and where rounding errors dominate, nothing is concluded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.execution.convert import SCALAR_CACHE, NoTensor, to_tensor
from oracle.execution.devices import make_scope
from oracle.execution.executors import FETCHER, choose_lending_scope, make_function
from oracle.reference.outcome import Outcome, destinations, evaluate, run_numpy
from oracle.subject import Subject
from oracle.tolerance import families

DOUBLES = (np.dtype(np.float64), np.dtype(np.complex128))
LARGEST = 1e100  # larger numbers overflow when squared
SMALLEST = 1e-300  # smaller numbers are flushed to zero
STEPS = (2.0**-8, 2.0**-10, 2.0**-13)  # relative to each number
EPSILON = 2.0**-52
OPS = 64  # roundings behind a result, about
TRUST = (1e-5, 1e-4)  # relative error that a tape may have, of the slope and of the slope's slope

UNFOLLOWED = frozenset(
    {
        *("partition", "argpartition", "ndarray.partition", "unique", "linalg.eigvals", "roots"),
        *("nextafter", "spacing"),
        *("arctan2.reduce", "arctan2.reduceat", "power.reduce", "power.reduceat", "ldexp.reduce"),
    }
)
"""Functions that may give their results in another order, beside factors, which have more freedom still; those whose
slope is one thing from one number to the next, and another from afar; and those that NumPy does not join in order."""

STAIRS = frozenset(
    {
        *("around", "ceil", "fix", "floor", "modf", "ndarray.round", "rint", "round", "trunc"),
    }
)
"""Functions that look like slopes where a step is many stairs."""
SAWS = frozenset(
    {
        *("floor_divide", "fmod", "mod", "remainder", "divmod", "unwrap"),
        *("ndarray.__mod__", "ndarray.__rmod__", "ndarray.__floordiv__", "ndarray.__rfloordiv__"),
    }
)
"""Functions that do where a step is many times another number."""
HIGHEST = 2.0**10


@dataclass(frozen=True)
class Slopes:
    """First and second slope from a tape, and the sums of their terms' magnitudes."""

    slopes: tuple[float, ...]
    sizes: tuple[float, ...]


@dataclass(frozen=True)
class Differences:
    """Finite differences of NumPy's results: first and second slope with error bounds. `smooth` says that all steps
    agree, so that no kink, pole or jump is near.
    """

    slopes: tuple[float, float]
    errors: tuple[float, float]
    smooth: tuple[bool, bool]


class Taped:
    """A call under a `tf.GradientTape`, eagerly or in one `tf.function`."""

    def __init__(self, case: Case, subject: Subject, device: str, compiled: bool | None = None) -> None:
        import tensorflow as tf

        self.case, self.subject, self.scope = case, subject, make_scope(device)
        self.lending = choose_lending_scope(case, subject)
        self.traces = 0
        self.got_through = False
        self.arrays = case.arrays()
        self.orders = 2 if compiled is None else 1
        tf.get_logger().setLevel("ERROR")
        self.measure: Callable[..., Any] = self.body
        self.forward: Callable[..., Any] = self.weighted_sum
        if compiled is not None:
            self.measure = make_function(self.body, device, jit_compile=compiled)
            self.forward = make_function(self.weighted_sum, device, jit_compile=compiled)

    def __call__(self, case: Case) -> Outcome:
        weights = weights_of(case) if is_differentiable(case) else None
        if weights is None:
            return Outcome(kind="unsupported")
        self.case = case
        arrays, steps = case.arrays(), directions_of(case)
        tensors: list[Any] = []
        try:
            with self.scope(), self.lending():
                SCALAR_CACHE.put_zeros()
                tensors = [to_tensor(array) for array in arrays]
                measured = self.measure(tensors, list(map(to_tensor, steps)), list(map(to_tensor, weights)))
                values = [float(value) for value in measured]
        except NoTensor:
            return Outcome(kind="unsupported")
        except Exception as exception:  # noqa: BLE001 - whatever it raises is the answer
            is_the_tapes = self.got_through and self.runs(tensors, weights)
            return Outcome.raised(exception) if is_the_tapes else Outcome(kind="unsupported")
        return Outcome(Slopes(tuple(values[::2]), tuple(values[1::2])))

    def runs(self, tensors: Sequence[Any], weights: Sequence[np.ndarray]) -> bool:
        """Return whether the call runs in this mode without a tape."""
        try:
            with self.scope(), self.lending():
                self.forward(tensors, list(map(to_tensor, weights)))
        except Exception:  # noqa: BLE001 - whatever it raises
            return False
        return True

    def body(self, tensors: Sequence[Any], steps: Sequence[Any], weights: Sequence[Any]) -> list[Any]:
        """Return slopes and magnitudes, alternately. An error raised before the call has returned is not the tape's."""
        import tensorflow as tf

        self.got_through = False
        inputs = [tensor for tensor, array in zip(tensors, self.case.arrays(), strict=True) if array.dtype in DOUBLES]
        slopes: list[Any] = []
        with tf.GradientTape() as outer:
            outer.watch(inputs)
            with tf.GradientTape() as inner:
                inner.watch(inputs)
                weighted = self.weighted_sum(tensors, weights)
            self.got_through = True
            slope, size = sum_along(inner.gradient(weighted, inputs), steps)
        slopes += [slope, size]
        if self.orders > 1:
            slopes += sum_along(outer.gradient(slope, inputs), steps) if isinstance(slope, tf.Tensor) else [0.0, 0.0]
        return slopes

    def weighted_sum(self, inputs: Sequence[Any], weights: Sequence[Any]) -> Any:
        """Return the weighted sum of the results."""
        import tensorflow as tf

        tensors = {id(array): tensor for array, tensor in zip(self.case.arrays(), inputs, strict=True)}
        _, flat = FETCHER.dismantle(evaluate(self.case, self.subject.find, lambda array: tensors[id(array)]))
        results = [tensor for tensor in flat if tensor.dtype.as_numpy_dtype in DOUBLES]
        total = tf.zeros((), tf.float64)
        for result, weight in zip(results, weights, strict=True):
            if result.dtype != weight.dtype or not result.shape.is_compatible_with(weight.shape):
                raise TypeError("not the results that NumPy has")
            total += tf.reduce_sum(tf.math.real(tf.math.conj(weight) * result))
        return total


def sum_along(gradients: Sequence[Any], steps: Sequence[Any]) -> list[Any]:
    """Return the slope along the direction, and the sum of its terms' magnitudes. A missing gradient counts as zero."""
    import tensorflow as tf

    terms = [
        tf.math.real(tf.math.conj(tf.convert_to_tensor(gradient)) * move)
        for gradient, move in zip(gradients, steps, strict=True)
        if gradient is not None
    ]
    if not terms:
        return [0.0, 0.0]
    return [
        tf.add_n([tf.reduce_sum(term) for term in terms]),
        tf.add_n([tf.reduce_sum(tf.abs(term)) for term in terms]),
    ]


def find_departure(case: Case, outcome: Outcome) -> tuple[str, str] | None:
    """Return the kind and detail of a tape's departure from NumPy's differences, or None."""
    if outcome.kind == "unsupported":
        return None
    reference = differences_of_results(case)
    departure = None if reference is None else _departure_from(reference, outcome)
    return departure if departure is None or has_smooth_steps(case) else None


def _departure_from(reference: Differences, outcome: Outcome) -> tuple[str, str] | None:
    """Return the kind and detail of the departure of a tape's slopes from finite differences, or None."""
    if not isinstance(outcome.value, Slopes):
        return ("gradient", f"{outcome.error}; the slope is {reference.slopes[0]:.6g}") if reference.smooth[0] else None
    names = ("slope", "slope's slope")
    for i, (slope, size) in enumerate(zip(outcome.value.slopes, outcome.value.sizes, strict=True)):
        true, error = reference.slopes[i], reference.errors[i]
        detail = f"the tape's {names[i]} along a random direction is {slope:.6g}, that of NumPy's results {true:.6g}"
        if reference.smooth[i] and not abs(slope - true) <= error + TRUST[i] * size + SMALLEST:
            return "gradient", f"{detail} within {error:.2g}"
    return None


def has_smooth_steps(case: Case) -> bool:
    """Return whether each call of a program has a slope at NumPy's results of the preceding calls.

    A tape multiplies slopes: an infinite one times zero gives nan, as in `sqrt(x - x)`, though the whole is constant.
    """
    calls = case.calls()
    return len(calls) == 1 or all(map(_is_smooth_by_itself, calls))


def _is_smooth_by_itself(call: Case) -> bool:
    def settle(value: Any) -> Any:
        if type(value) in (list, tuple):
            return type(value)([settle(item) for item in value])
        if type(value) is not Case:
            return value
        result = run_numpy(value).value
        return np.asarray(result) if isinstance(result, np.generic) else result

    alone = Case(call.name, tuple(map(settle, call.args)), {key: settle(value) for key, value in call.kwargs.items()})
    if not any(array.size for array in list_doubles(alone)):
        return True
    reference = differences_of_results(alone)
    return reference is not None and reference.smooth[0]


def is_differentiable(case: Case) -> bool:
    """Return whether the case is a deterministic function of finite float64 or complex128 inputs."""
    inputs = [array for array in case.arrays() if array.dtype in DOUBLES]
    if not any(array.size for array in inputs) or destinations(case):
        return False
    if not all(np.isfinite(array).all() and (np.abs(array) < LARGEST).all() for array in inputs):
        return False
    if any(((np.abs(array) < SMALLEST) & (array != 0)).any() for array in inputs):
        return False
    if any(call.name in STAIRS for call in case.calls()) and any((np.abs(array) > HIGHEST).any() for array in inputs):
        return False
    if (
        any(call.name.partition(".")[0] in SAWS or call.name in SAWS for call in case.calls())
        and _spread(case) > HIGHEST
    ):
        return False
    return not any(
        call.name in UNFOLLOWED or families.family_of(call.name).rule in ("shape", "factors") or "where" in call.kwargs
        for call in case.calls()
    )


def _spread(case: Case) -> float:
    """Return the ratio of the largest to the smallest magnitude in a case; zeros count as 1."""
    leaves = [np.asarray(leaf) for leaf in case.leaves() if isinstance(leaf, (int, float, np.number, np.ndarray))]
    reals = [leaf for leaf in leaves if leaf.dtype.kind in "biuf"]
    sizes = np.concatenate(
        [np.zeros(0), *(np.abs(np.where(leaf == 0, 1, leaf).astype(float)).ravel() for leaf in reals)]
    )
    return float(sizes.max() / sizes.min()) if sizes.size else 1.0


def directions_of(case: Case) -> list[np.ndarray]:
    """Return the step of each element of each double array: half to all of its magnitude (or of 1), in a random
    direction.

    Elements that are only tested for zero do not move: a function may jump there and be back.
    """
    random, conditions = np.random.default_rng(1), _conditions(case)
    return [
        _random(random, array.shape, array.dtype)
        * (0 if any(array is one for one in conditions) else np.where(array == 0, 1, np.abs(array)))
        for array in list_doubles(case)
    ]


CHOOSERS = frozenset({"where", "compress", "extract"})
"""Functions whose first argument is a condition."""


def _conditions(case: Case) -> list[Any]:
    calls = [call for call in case.calls() if call.name in CHOOSERS]
    return [call.args[0] if call.args else call.kwargs.get("condition") for call in calls]


def weights_of(case: Case) -> list[np.ndarray] | None:
    """Return a weight for each element of NumPy's double results; None if there are none."""
    expected = run_numpy(case)
    results = list_results(expected)
    if results is None or not any(result.size for result in results):
        return None
    random = np.random.default_rng(2)
    return [_random(random, result.shape, result.dtype) for result in results]


def _random(random: np.random.Generator, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    def part() -> np.ndarray:
        return random.uniform(0.5, 1, shape) * random.choice([-1.0, 1.0], shape)

    return np.asarray(part() if dtype.kind == "f" else part() + 1j * part())


def list_doubles(case: Case) -> list[np.ndarray]:
    """Return the arrays of doubles, which move."""
    return [array for array in case.arrays() if array.dtype in DOUBLES]


def list_results(outcome: Outcome) -> list[np.ndarray] | None:
    """Return the double results; None if one is not finite or too large."""
    if not outcome.ok:
        return None
    results = [np.asarray(part) for part in _parts(outcome.value) if getattr(part, "dtype", None) in DOUBLES]
    return results if all(np.isfinite(part).all() and (np.abs(part) < LARGEST).all() for part in results) else None


def _parts(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [part for item in value.values() for part in _parts(item)]
    if isinstance(value, (list, tuple)):
        return [part for item in value for part in _parts(item)]
    return [value] if isinstance(value, (np.ndarray, np.generic)) else []


def differences_of_results(case: Case) -> Differences | None:
    """Return NumPy's slopes by central differences; None if a step leaves the function's domain."""
    weights, steps = weights_of(case), directions_of(case)
    if weights is None:
        return None
    sums: dict[float, float] = {}
    size = 0.0
    for step in (0.0, *STEPS, *(-step for step in STEPS)):
        results = list_results(run_numpy(move(case, steps, step)))
        if results is None or [part.shape for part in results] != [part.shape for part in weights]:
            return None
        terms = [np.real(np.conj(weight) * part) for weight, part in zip(weights, results, strict=True)]
        sums[step] = math.fsum(float(part) for term in terms for part in term.ravel())
        size = max(size, math.fsum(float(abs(part)) for term in terms for part in term.ravel()))
    return _slopes(sums, OPS * EPSILON * size)


def _slopes(sums: dict[float, float], rounding: float) -> Differences:
    """Return slopes from sums at several steps, each with an error of `rounding`."""
    large, middle, small = STEPS
    centre = sums[0.0]
    first = {step: (sums[step] - sums[-step]) / (2 * step) for step in STEPS}
    second = {step: (sums[step] - 2 * centre + sums[-step]) / step**2 for step in STEPS}
    bend = {step: abs(second[step] * step) for step in STEPS}  # the difference of the slopes on both sides
    spread = abs(first[middle] - first[small])
    noise = (rounding / small, rounding / middle**2)
    errors = (10 * spread + bend[small] + noise[0], 10 * abs(second[large] - second[middle]) + noise[1])
    straight = bend[small] <= 0.3 * bend[middle] + noise[0] and 10 * spread <= 0.1 * abs(first[small]) + 4 * noise[0]
    turn = [abs(_bent(sums, *pair) - _bent(sums, *(-step for step in pair))) for pair in pairwise(STEPS)]
    even = turn[1] <= 0.5 * turn[0] + 16 * rounding / (
        small * middle
    )  # the difference of the second slopes on both sides
    curved = straight and even and errors[1] <= 0.1 * abs(second[middle]) + 4 * noise[1]
    return Differences((first[small], second[middle]), errors, (straight, curved))


def _bent(sums: dict[float, float], far: float, near: float) -> float:
    """Return the second slope from sums on one side only."""
    slopes = [(sums[step] - sums[0.0]) / step for step in (far, near)]
    return 2 * (slopes[0] - slopes[1]) / (far - near)


def move(case: Case, steps: Sequence[np.ndarray], step: float) -> Case:
    """Return the case after a step along the direction."""
    by_array = {id(array): array + step * move for array, move in zip(list_doubles(case), steps, strict=True)}
    return case.map_arrays(lambda array: by_array.get(id(array), array))
