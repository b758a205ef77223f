"""Programs of TensorFlow's own ops, run eagerly, as a graph with or without Grappler's passes, and under XLA."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np

from oracle.execution.convert import Fetcher, to_tensor
from oracle.sandbox.progress import step as announce_step
from oracle.tensor_programs.model import Program
from oracle.tensor_programs.steps import Constant, DType, Function, Input, Result, Step, Subscript
from oracle.tensor_programs.vocabulary import FUNCTIONS, OPS, SUBSCRIPT

EAGER, GRAPH, XLA = "eager", "graph", "xla"

PASSES = (
    *("constant_folding", "arithmetic_optimization", "remapping", "shape_optimization", "dependency_optimization"),
    *("layout_optimizer", "function_optimization", "loop_optimization", "common_subgraph_elimination"),
)
"""Grappler's optimizers, by the names of `tf.config.optimizer.set_experimental_options`."""

EVERY_PASS = "disable_meta_optimizer"
LONGEST_MESSAGE = 300
PATIENCE_OF_XLA = 4.0  # times that of other steps: it compiles
_STEP = re.compile(r"(?:^|/)step(\d+)(?:/|$)")


@dataclass(frozen=True)
class Answer:
    """The answer of a program: the tensors of its results, flat, or an error. `static` has their static shapes."""

    values: tuple[np.ndarray, ...] = ()
    error: str = ""
    message: str = ""
    static: tuple[tuple[int | None, ...] | None, ...] = ()

    @property
    def is_error(self) -> bool:
        return bool(self.error)


class Session:
    """A program that is run eagerly, step by step, while it is made."""

    def __init__(self, inputs: Sequence[np.ndarray] = ()) -> None:
        self.tensors = [to_tensor(array) for array in inputs]
        self.results: list[tuple[Any, ...]] = []

    def feed(self, array: np.ndarray) -> None:
        """Append an input."""
        self.tensors.append(to_tensor(array))

    def run(self, step: Step) -> tuple[np.ndarray, ...] | Answer:
        """Run one more step, and return its results, which later steps may use, or its error."""
        try:
            tensors = call_step(step, self.tensors, self.results)
            values = tuple(Fetcher.array(tensor) for tensor in tensors)
        except Exception as error:  # noqa: BLE001 - whatever it raises is the answer
            return answer_of_error(error)
        self.results.append(tensors)
        return values


def run_program(
    program: Program, siblings: Sequence[Sequence[np.ndarray]], way: str, *, results_of: Sequence[int] = (-1,)
) -> list[Answer]:
    """Return the answers to a program for several sets of inputs of the same dtypes and shapes.

    A graph is traced once for all of them. `results_of` are the indices of the steps whose results form the answer.
    """
    tf = sys.modules["tensorflow"]
    if way == EAGER:
        return [_answer(lambda *tensors: _results(program, tensors, results_of), inputs) for inputs in siblings]
    function = tf.function(
        lambda *tensors: _results(program, tensors, results_of),
        autograph=False,
        jit_compile=way == XLA,
        reduce_retracing=False,
    )
    answers: list[Answer] = []
    for number, inputs in enumerate(siblings):
        announce_step(f"{way} {number}", PATIENCE_OF_XLA if way == XLA else 1.0)
        answer = _answer(function, inputs, is_traced=True)
        answers.append(answer)
        if answer.is_error and len(answers) == 1 and way == XLA:
            break  # it does not compile
    return answers + [answers[-1]] * (len(siblings) - len(answers))


def trace(program: Program) -> Any:
    """Return the program as a concrete function for inputs like its own."""
    tf = sys.modules["tensorflow"]
    function = tf.function(lambda *tensors: _results(program, tensors, (-1,)), autograph=False)
    return function.get_concrete_function(*(to_tensor(array) for array in program.inputs))


def step_of_node(name: str) -> int:
    """Return the index of the step to which a node of a traced program belongs, by its name; -1 if to none. Nodes of a
    gradient belong to the step that they differentiate.
    """
    match = _STEP.search(name)
    return int(match[1]) if match else -1


def prepare_tensorflow() -> None:
    """Import TensorFlow without starting it, in the process that workers are forked from."""
    import tensorflow as tf

    tf.get_logger().setLevel("ERROR")  # TensorFlow warns about functions made in a loop, which is intended here


def start_tensorflow() -> None:
    """Start TensorFlow's runtime, with one thread."""
    import tensorflow as tf

    tf.config.threading.set_inter_op_parallelism_threads(1)
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.constant(0)


@contextmanager
def without_passes(*names: str) -> Iterator[None]:
    """Context manager in which functions are traced and run without some of Grappler's passes, or without any."""
    tf = sys.modules["tensorflow"]
    tf.config.optimizer.set_experimental_options({name: name == EVERY_PASS for name in names})
    try:
        yield
    finally:
        tf.config.optimizer.set_experimental_options({name: name != EVERY_PASS for name in names})


def find_passes(program: Program, inputs: Sequence[np.ndarray], agrees: Callable[[Answer], bool]) -> tuple[str, ...]:
    """Return the Grappler passes without each of which the graph agrees; "several passes" if only removing all
    helps.
    """

    def agrees_without(name: str) -> bool:
        with without_passes(name):
            return agrees(run_program(program, [inputs], GRAPH)[0])

    if not agrees_without(EVERY_PASS):
        return ()
    return tuple(name for name in PASSES if agrees_without(name)) or ("several passes",)


def call_step(step: Step, inputs: Sequence[Any], results: Sequence[Sequence[Any]]) -> tuple[Any, ...]:
    """Return the output tensors of a step."""
    tf = sys.modules["tensorflow"]
    if step.op not in OPS:
        raise ValueError(f"no op {step.op!r}")

    def argument(value: Any) -> Any:
        match value:
            case Input():
                return inputs[value.index]
            case Result():
                return results[value.step][value.output]
            case Constant():
                return tf.constant(value.array)
            case DType():
                return tf.as_dtype(value.name)
            case Function():
                return attrgetter(value.name if value.name in FUNCTIONS else "")(tf)
            case Subscript():
                return value.entries if len(value.entries) != 1 else value.entries[0]
        return value

    made = step.map(argument)
    if step.op == SUBSCRIPT:
        return (made.args[0][made.args[1]],)
    return tuple(_flat(attrgetter(step.op)(tf)(*made.args, **made.kwargs)))


def answer_of_error(error: Exception) -> Answer:
    """Return an exception as an answer."""
    return Answer(error=type(error).__name__, message=" ".join(str(error).split())[:LONGEST_MESSAGE])


def _results(program: Program, tensors: Sequence[Any], results_of: Sequence[int]) -> list[Any]:
    if program.gradient:
        return _gradient(program, tensors)
    results: list[tuple[Any, ...]] = []
    for index, step in enumerate(program.steps):
        with sys.modules["tensorflow"].name_scope(f"step{index}"):
            results.append(call_step(step, tensors, results))
    return [tensor for index in results_of for tensor in results[index]]


def _gradient(program: Program, tensors: Sequence[Any]) -> list[Any]:
    tf = sys.modules["tensorflow"]
    sources = [tensor for tensor in tensors if tensor.dtype.is_floating]
    results: list[tuple[Any, ...]] = []
    with tf.GradientTape() as tape:
        for source in sources:
            tape.watch(source)
        for index, step in enumerate(program.steps):
            with tf.name_scope(f"step{index}"):
                results.append(call_step(step, tensors, results))
        total = tf.reduce_sum(results[-1][0])
    return tape.gradient(total, sources, unconnected_gradients=tf.UnconnectedGradients.ZERO)


def _answer(function: Any, inputs: Sequence[np.ndarray], *, is_traced: bool = False) -> Answer:
    tensors = [to_tensor(array) for array in inputs]
    try:
        if is_traced:
            traced = function.get_concrete_function(*tensors).structured_outputs
            static = tuple(_shape(tensor) for tensor in traced)
        else:
            static = ()
        values = tuple(Fetcher.array(tensor) for tensor in function(*tensors))
    except Exception as error:  # noqa: BLE001 - whatever it raises is the answer
        return answer_of_error(error)
    return Answer(values, static=static)


def _shape(tensor: Any) -> tuple[int | None, ...] | None:
    return None if tensor.shape.rank is None else tuple(tensor.shape.as_list())


def _flat(value: Any) -> Iterator[Any]:
    """Yield the tensors of a result, in order; of a ragged or sparse one, its components."""
    tf = sys.modules["tensorflow"]
    if value is None:
        return
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _flat(item)
    elif isinstance(value, (tf.RaggedTensor, tf.SparseTensor)):
        yield from tf.nest.flatten(value, expand_composites=True)
    else:
        yield tf.convert_to_tensor(value)
