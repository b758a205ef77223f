"""Derivatives of a call, by `tf.GradientTape` and `tf.autodiff.ForwardAccumulator`: see
`oracle.equality.finite_differences` for what they are compared with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.equality import finite_differences as differences
from oracle.equality.finite_differences import ACROSS, DOUBLES, SINGLES, TAPE, TAPE_TWICE, Differences, Slopes
from oracle.execution.convert import SCALAR_CACHE, NoTensor, to_tensor
from oracle.execution.devices import make_scope
from oracle.execution.executors import FETCHER, choose_behavior_scope, make_function
from oracle.reference.outcome import Outcome, evaluate
from oracle.subject import Subject


class Taped:
    """A call under a `tf.GradientTape`, eagerly, where the slope's slope is taken, too, or in one `tf.function`.

    In a `tf.function` the gradient is compared with that of an eager tape where finite differences conclude nothing.
    """

    labels: tuple[str, ...] = (TAPE, TAPE_TWICE)
    orders: tuple[int, ...] = (0, 1)
    is_reverse = True

    def __init__(self, case: Case, subject: Subject, device: str, compiled: bool | None = None) -> None:
        import tensorflow as tf

        self.case, self.subject, self.scope = case, subject, make_scope(device)
        self.dtypes: list[np.dtype] = []
        self.is_single = False
        self.numpy_behavior = choose_behavior_scope(case, subject)
        self.traces = 0
        self.got_through = False
        self.is_eager = compiled is None
        tf.get_logger().setLevel("ERROR")
        self.measure: Callable[..., Any] = self.differentiate_twice if compiled is None else self.differentiate
        self.forward: Callable[..., Any] = self.weighted_sum
        if compiled is not None:
            self.measure = make_function(self.measure, device, jit_compile=compiled)
            self.forward = make_function(self.forward, device, jit_compile=compiled)

    def __call__(self, case: Case) -> Outcome:
        has_slopes, in_doubles = differences.has_slope(case), differences.widen(case)
        is_judged = has_slopes or (in_doubles is case and not self.is_eager and differences.is_comparable(case))
        weights = differences.double_weights_of(in_doubles) if is_judged else None
        if weights is None:
            return Outcome(kind="unsupported")
        self.case, self.dtypes = in_doubles, [array.dtype for array in case.arrays()]
        self.is_single, case = in_doubles is not case, in_doubles
        tensors: list[Any] = []
        try:
            with self.scope(), self.numpy_behavior(), np.errstate(all="ignore"):
                SCALAR_CACHE.put_zeros()
                tensors = [to_tensor(array) for array in case.arrays()]
                return Outcome(self.answer(tensors, weights, has_slopes))
        except NoTensor:
            return Outcome(kind="unsupported")
        except Exception as exception:  # noqa: BLE001 - whatever it raises is the answer
            is_the_tapes = has_slopes and self.got_through and self.runs(tensors, weights)
            return Outcome.raised(exception) if is_the_tapes else Outcome(kind="unsupported")

    def answer(self, tensors: Sequence[Any], weights: Sequence[np.ndarray], has_slopes: bool) -> Slopes:
        """Return the slopes, and how gradients differ from the eager ones if finite differences conclude nothing."""
        steps = differences.directions_of(self.case)
        answers = self.measure(tensors, list(map(to_tensor, steps)), list(map(to_tensor, weights)))
        derivatives = [[FETCHER.array(tensor) for tensor in answer] for answer in answers]
        slopes = self.slopes_of(derivatives, steps) if has_slopes else Slopes()
        if self.is_eager or self.is_single or (has_slopes and is_conclusive(self.case)):
            return slopes
        unlike = self.find_unlike(derivatives, weights) if differences.keeps_shapes(self.case) else ""
        return replace(slopes, unlike=unlike) if unlike else slopes

    def slopes_of(self, derivatives: Sequence[Sequence[np.ndarray]], factors: Sequence[np.ndarray]) -> Slopes:
        """Return the sum of each list of derivatives times these factors."""
        sums = [sum_along(parts, factors) for parts in derivatives]
        return Slopes(tuple(one for one, _ in sums), tuple(size for _, size in sums), self.labels, self.orders)

    def find_unlike(self, derivatives: Sequence[Sequence[np.ndarray]], weights: Sequence[np.ndarray]) -> str:
        """Return how gradients differ from those of an eager tape, or "" if they do not, or that raises."""
        try:
            usual = self.differentiate_eagerly(self.case, weights)

            @cache
            def list_others() -> list[list[np.ndarray]]:
                return [self.differentiate_eagerly(case, weights) for case in differences.list_neighbours(self.case)]

            unlike = (differences.find_unlike(gradients, usual, list_others) for gradients in derivatives)
            return next(filter(None, unlike), "")
        except Exception:  # noqa: BLE001 - where eager gradients raise, there is nothing to compare with
            return ""

    def differentiate_eagerly(self, case: Case, weights: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Return the gradient at the case's own values, by an eager tape."""
        before, self.case = self.case, case
        try:
            tensors = [to_tensor(array) for array in case.arrays()]
            (gradients,) = Taped.differentiate(self, tensors, (), list(map(to_tensor, weights)))
        finally:
            self.case = before
        return [FETCHER.array(tensor) for tensor in gradients]

    def runs(self, tensors: Sequence[Any], weights: Sequence[np.ndarray]) -> bool:
        """Return whether the call runs in this mode without a derivative."""
        try:
            with self.scope(), self.numpy_behavior():
                self.forward(tensors, list(map(to_tensor, weights)))
        except Exception:  # noqa: BLE001 - a call that raises any error does not run
            return False
        return True

    def differentiate(self, tensors: Sequence[Any], steps: Sequence[Any], weights: Sequence[Any]) -> list[list[Any]]:
        """Return the gradients. An error raised before the call has returned is not the tape's."""
        import tensorflow as tf

        self.got_through = False
        inputs = self.select_doubles(tensors)
        with tf.GradientTape() as tape:
            tape.watch(inputs)
            weighted = self.weighted_sum(tensors, weights)
        self.got_through = True
        return [fill_missing(tape.gradient(weighted, inputs), inputs)]

    def differentiate_twice(
        self, tensors: Sequence[Any], steps: Sequence[Any], weights: Sequence[Any]
    ) -> list[list[Any]]:
        """Return the gradients, and those of the slope along the steps."""
        import tensorflow as tf

        inputs = self.select_doubles(tensors)
        with tf.GradientTape() as tape:
            tape.watch(inputs)
            (first,) = self.differentiate(tensors, steps, weights)
            slope = tf.add_n([_multiply(gradient, step) for gradient, step in zip(first, steps, strict=True)])
        return [first, fill_missing(tape.gradient(slope, inputs), inputs)]

    def select_doubles(self, tensors: Sequence[Any]) -> list[Any]:
        """Return the tensors of the arrays of doubles."""
        return [tensor for tensor, array in zip(tensors, self.case.arrays(), strict=True) if array.dtype in DOUBLES]

    def narrow(self, tensor: Any, dtype: np.dtype) -> Any:
        """Return a tensor of doubles in single precision if that is asked for, and any other as it is."""
        import tensorflow as tf

        if dtype not in SINGLES or tensor.dtype.as_numpy_dtype not in DOUBLES:
            return tensor
        narrowed = tf.cast(tensor, dtype)
        return check_gradient(narrowed) if self.is_reverse else narrowed

    def double_results(self, inputs: Sequence[Any], weights: Sequence[Any]) -> list[Any]:
        """Return the double results, of single precision cast to doubles. Raises TypeError if they are not those that
        NumPy has.
        """
        arrays = self.case.arrays()
        operands = [self.narrow(tensor, dtype) for tensor, dtype in zip(inputs, self.dtypes, strict=True)]
        tensors = {id(array): tensor for array, tensor in zip(arrays, operands, strict=True)}
        _, flat = FETCHER.dismantle(evaluate(self.case, self.subject.find, lambda array: tensors[id(array)]))
        flat = list(map(widen, flat)) if self.is_single else flat
        results = [tensor for tensor in flat if tensor.dtype.as_numpy_dtype in DOUBLES]
        for result, weight in zip(results, weights, strict=True):
            if result.dtype != weight.dtype or not result.shape.is_compatible_with(weight.shape):
                raise TypeError("not the results that NumPy has")
        return results

    def weighted_sum(self, inputs: Sequence[Any], weights: Sequence[Any]) -> Any:
        """Return the weighted sum of the results."""
        import tensorflow as tf

        results = self.double_results(inputs, weights)
        terms = [_multiply(weight, result) for weight, result in zip(weights, results, strict=True)]
        return tf.add_n([tf.zeros((), tf.float64), *terms])


class Forward(Taped):
    """A call in forward mode, under a `tf.autodiff.ForwardAccumulator`, eagerly."""

    labels, orders = ("the slope of forward mode",), (0,)
    is_reverse = False

    def __init__(self, case: Case, subject: Subject, device: str) -> None:
        super().__init__(case, subject, device)
        self.measure = self.push_forward

    def push_forward(self, tensors: Sequence[Any], steps: Sequence[Any], weights: Sequence[Any]) -> list[list[Any]]:
        """Return the derivatives of the double results along the steps, with zeros for None."""
        import tensorflow as tf

        self.got_through = True  # derivatives are taken with each op
        with tf.autodiff.ForwardAccumulator(self.select_doubles(tensors), list(steps)) as accumulator:
            results = self.double_results(tensors, weights)
        return [fill_missing([accumulator.jvp(result) for result in results], results)]

    def slopes_of(self, derivatives: Sequence[Sequence[np.ndarray]], factors: Sequence[np.ndarray]) -> Slopes:
        return super().slopes_of(derivatives, differences.weights_of(self.case) or [])


class ForwardOverReverse(Taped):
    """The tape's gradient in forward mode, eagerly: the product of the Hessian with the steps.

    It is compared with finite differences of the subject's own gradient, so that a gradient that is wrong itself is
    left to the mode `gradient`.
    """

    labels, orders = ("the slope of the gradient by forward mode",), (0,)
    is_reverse = False

    def __init__(self, case: Case, subject: Subject, device: str) -> None:
        super().__init__(case, subject, device)
        self.measure = self.push_gradient_forward

    def push_gradient_forward(
        self, tensors: Sequence[Any], steps: Sequence[Any], weights: Sequence[Any]
    ) -> list[list[Any]]:
        """Return the derivatives of the gradient along the steps, with zeros for None."""
        import tensorflow as tf

        inputs = self.select_doubles(tensors)
        try:
            self.differentiate(tensors, steps, weights)
        except Exception as error:  # a gradient that raises by itself is not forward mode's
            raise NoTensor(str(error)) from error
        with tf.autodiff.ForwardAccumulator(inputs, list(steps)) as accumulator:
            with tf.GradientTape() as tape:
                tape.watch(inputs)
                weighted = self.weighted_sum(tensors, weights)
            gradients = fill_missing(tape.gradient(weighted, inputs), inputs)
        return [fill_missing([accumulator.jvp(gradient) for gradient in gradients], inputs)]

    def slopes_of(self, derivatives: Sequence[Sequence[np.ndarray]], factors: Sequence[np.ndarray]) -> Slopes:
        weights = differences.weights_of(self.case) or []
        slopes = super().slopes_of(derivatives, differences.directions_of(self.case, ACROSS))
        return replace(slopes, reference=self.differences_of_gradient(weights))

    def differences_of_gradient(self, weights: Sequence[np.ndarray]) -> Differences:
        """Return the slope of the subject's gradient along the steps, of its components in another direction."""
        steps, across = differences.directions_of(self.case), differences.directions_of(self.case, ACROSS)
        sums, sizes = dict[float, float](), [0.0]
        for step in differences.ALL_STEPS:
            gradients = self.differentiate_eagerly(differences.move(self.case, steps, step), weights)
            sums[step], size = sum_along(gradients, across)
            sizes.append(size)
        if not np.isfinite(list(sums.values())).all():
            return Differences((0.0, 0.0), (0.0, 0.0), (False, False))
        epsilon = differences.EPSILON_OF_SINGLES if self.is_single else differences.EPSILON
        return differences.estimate_slopes(sums, differences.OPS * epsilon * max(sizes))


TURNS = 2


class TapedInLoop(Taped):
    """A call under a tape in the body of a `tf.while_loop`, and in a `tf.cond` within it, in one `tf.function`.

    In the body its operands are tensors that were computed before the loop; in the branch, which the last turn takes,
    rows of variables, read at the loop's index. The gradients of both must be that of the call by itself.
    """

    labels, orders = ("the tape's slope in a loop", "the tape's slope in a branch of a loop"), (0, 0)

    def __init__(self, case: Case, subject: Subject, device: str) -> None:
        super().__init__(case, subject, device, compiled=False)
        self.rows: list[Any] = []

    def answer(self, tensors: Sequence[Any], weights: Sequence[np.ndarray], has_slopes: bool) -> Slopes:
        import tensorflow as tf

        stacks = [tf.stack([tensor] * TURNS) for tensor in self.select_doubles(tensors)]
        if not self.rows:
            self.rows = [tf.Variable(stack) for stack in stacks]
        for variable, stack in zip(self.rows, stacks, strict=True):
            variable.assign(stack)
        return super().answer(tensors, weights, has_slopes)

    def differentiate(self, tensors: Sequence[Any], steps: Sequence[Any], weights: Sequence[Any]) -> list[list[Any]]:
        import tensorflow as tf

        self.got_through = False
        inputs = self.select_doubles(tensors)
        with tf.GradientTape() as tape:
            tape.watch(inputs)
            weighted = self.loop(tensors, weights)
        self.got_through = True
        gradients = tape.gradient(weighted, [*inputs, *self.rows])
        of_inputs = fill_missing(gradients[: len(inputs)], inputs)
        of_rows = fill_missing(gradients[len(inputs) :], self.rows)
        return [[gradient / TURNS for gradient in of_inputs], [tf.reduce_sum(gradient, 0) for gradient in of_rows]]

    def loop(self, tensors: Sequence[Any], weights: Sequence[Any]) -> Any:
        """Return the sum of the call's weighted results in the turns of a loop and in a branch of its last turn."""
        import tensorflow as tf

        is_double = [array.dtype in DOUBLES for array in self.case.arrays()]
        computed = [
            tf.identity(tensor) if double else tensor for tensor, double in zip(tensors, is_double, strict=True)
        ]

        def branch(index: Any) -> Any:
            rows = iter(self.rows)
            read = [tf.gather(next(rows), index) if double else t for t, double in zip(tensors, is_double, strict=True)]
            return self.weighted_sum(read, weights)

        def turn(index: Any, total: Any) -> tuple[Any, Any]:
            total += self.weighted_sum(computed, weights)
            added = tf.cond(index == TURNS - 1, lambda: branch(index), lambda: tf.zeros((), tf.float64))
            return index + 1, total + added

        start = (tf.constant(0), tf.zeros((), tf.float64))
        return tf.while_loop(lambda index, _: index < TURNS, turn, start, maximum_iterations=TURNS)[1]


def is_conclusive(case: Case) -> bool:
    """Return whether NumPy's results have a slope at the case."""
    reference = differences.differences_of_results(case)
    return reference is not None and reference.smooth[0]


def check_gradient(tensor: Any) -> Any:
    """Return the tensor, whose gradient raises TypeError where it is of another dtype."""
    import tensorflow as tf

    def check(upstream: Any) -> Any:
        if upstream.dtype != tensor.dtype:
            raise TypeError(f"the gradient of {tensor.dtype.name} is {upstream.dtype.name}")
        return upstream

    return tf.custom_gradient(lambda x: (tf.identity(x), check))(tensor)


def widen(tensor: Any) -> Any:
    """Return a tensor of single precision in doubles, and any other as it is."""
    import tensorflow as tf

    wider = {tf.float32: tf.float64, tf.complex64: tf.complex128}.get(tensor.dtype)
    return tensor if wider is None else tf.cast(tensor, wider)


def fill_missing(derivatives: Sequence[Any], like: Sequence[Any]) -> list[Any]:
    """Return dense derivatives, with zeros for None."""
    import tensorflow as tf

    return [
        tf.zeros(one.shape, one.dtype) if derivative is None else tf.convert_to_tensor(derivative)
        for derivative, one in zip(derivatives, like, strict=True)
    ]


def sum_along(derivatives: Sequence[np.ndarray], factors: Sequence[np.ndarray]) -> tuple[float, float]:
    """Return the slope along the factors, and the sum of its terms' magnitudes."""
    terms = [np.real(np.conj(part) * factor) for part, factor in zip(derivatives, factors, strict=True)]
    return float(sum(np.sum(term) for term in terms)), float(sum(np.sum(np.abs(term)) for term in terms))


def _multiply(first: Any, second: Any) -> Any:
    """Return the real part of the inner product."""
    import tensorflow as tf

    return tf.reduce_sum(tf.math.real(tf.math.conj(first) * second))
