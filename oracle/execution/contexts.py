"""Cases inside the contexts that programs run in: a Keras layer, replicas of a strategy, the body of a loop."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.execution.convert import assign_variable, read_variable
from oracle.execution.devices import REPLICAS, has_replicas
from oracle.execution.executors import FETCHER, Compiled, Runner, Unsupported, make_function
from oracle.modes import FIRST_DEVICE
from oracle.reference.outcome import Outcome, destinations
from oracle.subject import Subject


class InLayer(Compiled):
    """Runs a case in `call` of a Keras layer, in a `tf.function`, as `fit` and `predict` do.

    If every array has a first axis, the layer is part of a functional model, which Keras builds from symbolic inputs of
    these shapes and dtypes; its outputs must have the shapes and dtypes found then. Otherwise, or if the result
    contains no tensor, the layer is called directly.
    """

    error: Exception | None = None

    def make(self, tensors: Sequence[Any]) -> Callable[[Sequence[Any]], Any]:
        import keras
        import tensorflow as tf

        layer = _layer_class()(self.body)
        called: Callable[[Any], Any] = layer
        if all(tensor.shape.rank for tensor in tensors):
            inputs = [keras.Input(batch_shape=tuple(each.shape), dtype=each.dtype.name) for each in tensors]
            outputs = layer(inputs)
            said = [(output.shape, output.dtype) for output in outputs]
            called = keras.Model(inputs, outputs) if outputs else layer
        self.traces = 0  # Keras has traced it to infer the output

        def call(tensors: Sequence[Any]) -> Any:
            flat = tf.nest.flatten(called(list(tensors)))  # a model returns a single output without its list
            if called is not layer:
                self.promised = [(tf.TensorShape(shape), tf.as_dtype(dtype)) for shape, dtype in said]
            return flat

        return make_function(call, self.device, self.jit_compile)

    def body(self, tensors: Sequence[Any]) -> list[Any]:
        try:
            return super().body(tensors)
        except Exception as exception:
            self.error = exception
            raise

    def run(self, arrays: list[np.ndarray]) -> Outcome:
        """Feed the arrays, call, fetch. Keras may replace the subject's error by one of another class, with a message
        that begins with Keras's own text.
        """
        self.error = None
        try:
            return super().run(arrays)
        except Exception:
            if self.error is not None:
                raise self.error from None
            raise


@cache
def _layer_class() -> Callable[[Callable[[Sequence[Any]], Any]], Any]:
    """Return a class of layers whose `call` is the function given to the constructor, on the tensors unchanged."""
    import keras

    class Calling(keras.layers.Layer):
        def __init__(self, function: Callable[[Sequence[Any]], Any]) -> None:
            super().__init__(autocast=False)  # Keras would cast all floats to float32
            self.function = function

        def call(self, tensors: Sequence[Any]) -> Any:
            return self.function(tensors)

    return Calling


def prepare_in_layer(case: Case, subject: Subject, device: str) -> Runner:
    """Return a runner with a layer for the case. A case without inputs to read, or with text, is unsupported."""
    written = destinations(case)
    inputs = [array for array in case.arrays() if not any(array is target for target in written)]
    if not inputs or any(array.dtype.kind in "USTO" for array in inputs):
        return Unsupported()
    return InLayer(case, subject, device)


class InReplicas(Compiled):
    """Runs a case in each replica of a `MirroredStrategy` over two CPUs, in a `tf.function`. The first replica's result
    is the outcome; the others' are stored beside it.
    """

    def __init__(self, case: Case, subject: Subject, device: str) -> None:
        super().__init__(case, subject, device)
        self.others: list[list[Any]] = []

    def make(self, tensors: Sequence[Any]) -> Callable[[Sequence[Any]], Any]:
        function = make_function(self.each, self.device, self.jit_compile)

        def call(tensors: Sequence[Any]) -> Any:
            first, *self.others = function(tensors)
            return first

        return call

    def each(self, tensors: Sequence[Any]) -> list[list[Any]]:
        """Return the tensors of the result, replica by replica. This is what is traced."""
        strategy, traces = _strategy(), self.traces
        flat = strategy.run(self.body, args=(tensors,))
        self.traces = traces + 1
        of_each = [strategy.experimental_local_results(item) for item in flat]
        count = len(REPLICAS)  # a result that all replicas share, such as an input, occurs once
        return [[(results * count)[replica] for results in of_each] for replica in range(count)]

    def run(self, arrays: list[np.ndarray]) -> Outcome:
        outcome = super().run(arrays)
        outcome.others = tuple([FETCHER.assemble(self.result, flat) for flat in self.others])
        return outcome


def prepare_in_replicas(case: Case, subject: Subject, device: str) -> Runner:
    """Return a runner with replicas on two CPUs. A case that writes to arrays is unsupported: both replicas would
    write.

    Raises RuntimeError if TensorFlow has started with one CPU.
    """
    if device != FIRST_DEVICE or destinations(case):
        return Unsupported()
    if not has_replicas():
        raise RuntimeError(
            f"the mode strategy needs {' and '.join(REPLICAS)}: call "
            f"oracle.harness.configure_devices({list(REPLICAS)}) before TensorFlow starts"
        )
    return InReplicas(case, subject, device)


@cache
def _strategy() -> Any:
    return sys.modules["tensorflow"].distribute.MirroredStrategy(list(REPLICAS))


TURNS = 2
"""How often a loop goes round: what the first turn has left must not show in the second."""


class InLoop(Compiled):
    """Runs a case in the body of a `tf.while_loop` of two iterations, in a `tf.function`; the last result is the
    outcome.

    Inputs are loop variables, and so are results, which start as zeros of the shapes known when the call is traced by
    itself. Arrays that the case writes to are reset before each iteration.
    """

    def make(self, tensors: Sequence[Any]) -> Callable[[Sequence[Any]], Any]:
        return make_function(self.loop, self.device, self.jit_compile)

    def loop(self, tensors: Sequence[Any]) -> list[Any]:
        """Return the tensors of the last iteration's result. This is what is traced."""
        tf, traces = sys.modules["tensorflow"], self.traces
        signature = [tf.TensorSpec(tensor.shape, tensor.dtype) for tensor in tensors]
        alone: Any = make_function(self.body, self.device, self.jit_compile)
        outputs = alone.get_concrete_function(signature).structured_outputs
        known = [(result.shape, result.dtype) for result in outputs]
        starts = {i: read_variable(self.variables[i]) for i in self.output_indices}
        self.traces = traces

        def turn(count: Any, inputs: Sequence[Any], _: Sequence[Any]) -> Any:
            for i, start in starts.items():
                assign_variable(self.variables[i], start)
            return count + 1, inputs, self.body(inputs)

        shapes = (tf.TensorShape([]), [tensor.shape for tensor in tensors], [shape for shape, _ in known])
        _, _, flat = tf.while_loop(
            lambda count, *_: count < TURNS,
            turn,
            (tf.constant(0), list(tensors), [_zeros(*each) for each in known]),
            shape_invariants=shapes,
        )
        return list(flat)


def _zeros(shape: Any, dtype: Any) -> Any:
    """Return zeros of a shape that may be known in part, with 0 for unknown dimensions; a 0-d tensor if the rank is
    unknown.
    """
    dims = () if shape.rank is None else [dim or 0 for dim in shape.as_list()]
    return sys.modules["tensorflow"].zeros(dims, dtype)
