"""Drawn programs of TensorFlow's ops give the same with NumPy behavior on and off: values, dtypes, shapes, errors.

Programs call functions of TensorFlow only. Operators of tensors have NumPy's meaning while the behavior is on, which
changes dtypes; nothing else may change, in TensorFlow's own Python code neither.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from fuzz.generate.choices import SeedChoices
from fuzz.generate.ops.drawing import draw_programs, run_eagerly
from fuzz.generate.ops.vocabulary import read_table
from oracle import Case, Outcome
from oracle.execution.convert import Fetcher
from oracle.harness import GRADIENT, PREFIX, evaluate, find_op, list_inputs, load_tensorflow

Read = Callable[[tf.Variable, tf.Tensor], Any]
Compute = Callable[[tf.Tensor], list[tf.Tensor]]
Setting = Callable[[Compute], list[Any]]
SEED, TURNS, FIRST, PART = 2, 2, 16, 200
LEFT_OUT = frozenset({
    "math.divide",  # is the operator `/`, which has NumPy's dtypes while the behavior is on
    # of nan they never end: https://github.com/tensorflow/tensorflow/issues/55243
    *("random.stateless_poisson", "random.stateless_binomial"),
    *("signal.rfft", "signal.irfft", "signal.irfft2d", "signal.stft"),  # https://github.com/tensorflow/tensorflow/issues/74748
})  # fmt: skip
NAMES = [PREFIX + op for op in dict.fromkeys(row.op for row in read_table()) if op not in LEFT_OUT]
evaluate_case = tf.autograph.experimental.do_not_convert(evaluate)


def read_row(variable: tf.Variable, index: tf.Tensor) -> tf.Tensor:
    """Return a row of a variable, whose gradient is an object of `tf.IndexedSlices`."""
    return tf.gather(variable, index)


def read_whole(variable: tf.Variable, index: tf.Tensor) -> tf.Tensor:
    return tf.reshape(tf.slice(variable, [0] * len(variable.shape), [1, *variable.shape[1:]]), variable.shape[1:])


def read_ragged(variable: tf.Variable, index: tf.Tensor) -> Any:
    """Return a row of a variable as a ragged tensor of two parts, if it has any elements."""
    row = read_row(variable, index)
    return tf.RaggedTensor.from_row_lengths(row, [1, row.shape[0] - 1]) if row.shape.rank and row.shape[0] else row


def compute_once(compute: Compute) -> list[Any]:
    return compute(tf.constant(1))


def compute_in_loop(compute: Compute) -> list[Any]:
    """Return the sum of what a branch in a loop computes; AutoGraph makes TensorFlow's of them."""
    result = tf.zeros((), tf.complex128)
    for index in tf.range(TURNS):
        if tf.greater(index, 0):
            result = tf.add(result, total(compute(index)))
    return [result]


def compute_by_map_fn(compute: Compute) -> list[Any]:
    return [tf.map_fn(lambda index: total(compute(index)), tf.range(TURNS), fn_output_signature=tf.complex128)]


def compute_by_dataset(compute: Compute) -> list[Any]:
    return [tf.data.Dataset.range(TURNS).map(compute).batch(TURNS).get_single_element()]


READS: Sequence[Read] = (read_row, read_whole, read_ragged)
SETTINGS: Sequence[Setting] = (compute_once, compute_in_loop, compute_by_map_fn, compute_by_dataset)
MODES = ("legacy", "legacy", "all", "safe", "off")


class Drawn(NamedTuple):
    """A program, how it reads its inputs from variables, where it runs, and the promotion mode of the behavior."""

    program: Case
    read: Read
    setting: Setting
    is_differentiated: bool
    is_graph: bool
    mode: str

    def __repr__(self) -> str:
        words = [self.read.__name__, self.setting.__name__, self.mode]
        words += ["gradient"] * self.is_differentiated + ["graph"] * self.is_graph
        return f"{', '.join(words)}: {self.program}"


def draw(numbers: Iterable[int]) -> Iterator[Drawn]:
    """Yield the program of each number."""
    for number in numbers:
        choices, name = SeedChoices(number), SeedChoices(SEED << 32 | number).pick(NAMES)
        (program,) = draw_programs(name, number, 1, run=run_allowed)
        setting = choices.pick(READS), choices.pick(SETTINGS), choices.flag(), choices.flag(), choices.pick(MODES)
        yield Drawn(program.args[0] if program.name == GRADIENT else program, *setting)


def run_allowed(case: Case) -> Outcome:
    return Outcome(kind="error") if find_op(case) in LEFT_OUT else run_eagerly(case)


def total(results: Sequence[Any]) -> tf.Tensor:
    return tf.reduce_sum(tf.cast(results[0], tf.complex128))


def run(drawn: Drawn) -> list[Any]:
    """Return what is observed of the program's results, or of the gradients, and of what it reads; or the error."""
    given, observed = list_inputs(drawn.program), list[Any]()
    variables = [tf.Variable(np.stack([array] * TURNS)) for array in given]

    def compute(index: tf.Tensor) -> list[tf.Tensor]:
        inputs = [drawn.read(variable, index) for variable in variables]
        observed.extend(map(observe_object, inputs))
        tensors = {id(array): tensor for array, tensor in zip(given, inputs, strict=True)}

        def convert(array: np.ndarray) -> Any:
            return tensors[id(array)] if id(array) in tensors else tf.constant(array)

        return tf.nest.flatten(evaluate_case(drawn.program, load_tensorflow().find, convert))

    def call() -> list[Any]:
        if not drawn.is_differentiated:
            return drawn.setting(compute)
        with tf.GradientTape() as tape:
            result = total(drawn.setting(compute))
        return tape.gradient(result, [variable for variable in variables if variable.dtype.is_floating])

    try:
        results = (tf.function(call) if drawn.is_graph else call)()
    except Exception as error:  # noqa: BLE001 - TensorFlow may raise anything, with the behavior on and off
        return [type(error).__name__]
    observed.extend(map(observe_object, tf.nest.flatten(results)))
    return [*observed, *map(observe_elements, tf.nest.flatten(results, expand_composites=True))]


QUESTIONS: Sequence[Callable[[Any], Any]] = (bool, len, hash, lambda x: x == x, lambda x: x != x, lambda x: x in [0, x])  # noqa: PLR0124 - equality may be by identity


def observe_object(value: Any) -> list[Any]:
    """Return the class of a value, and conversion to bool, length, hash and equality of what is not a tensor."""
    asked = () if isinstance(value, tf.Tensor | None) else (value, value.dtype, value.shape)
    return [type(value).__name__, *(answer(question, each) for each in asked for question in QUESTIONS)]


def answer(question: Callable[[Any], Any], value: Any) -> Any:
    try:
        result = question(value)
    except Exception as error:  # noqa: BLE001 - the same error is the same answer
        result = error
    return result if isinstance(result, bool) else type(result).__name__


def observe_elements(value: Any) -> Any:
    """Return dtype, shape and bits of a tensor."""
    return (value.dtype.name, tuple(value.shape), Fetcher.array(value).tobytes()) if value is not None else None


def run_apart(drawn: Drawn) -> list[Any]:
    """Run a program in a thread of its own: an error in `tf.map_fn` leaves the thread's variable scope changed, so that
    later programs cannot make variables.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(run, drawn).result()


def differs(drawn: Drawn) -> bool:
    expected = run_apart(drawn)
    with tfnp.numpy_behavior(dtype_conversion_mode=drawn.mode):
        return run_apart(drawn) != expected


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.full) for part in range(1, 10))])
def test_drawn_programs_give_the_same(part: int) -> None:
    numbers = range(part * PART, part * PART + (PART if part else FIRST))
    assert [drawn for drawn in draw(numbers) if differs(drawn)] == []


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("cls", "name"),
    [
        (tf.IndexedSlices, "__bool__"),
        (tf.IndexedSlices, "__len__"),
        (tf.RaggedTensor, "__eq__"),
        (tf.DType, "__hash__"),
    ],
)
def test_a_patch_of_another_class_is_found(cls: type, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> Any:
        raise LookupError(name)

    @contextmanager
    def patch_class(**_: Any) -> Iterator[None]:
        with pytest.MonkeyPatch.context() as patches:
            patches.setattr(cls, name, refuse, raising=False)
            yield

    monkeypatch.setattr(tfnp, "numpy_behavior", patch_class)
    assert any(map(differs, draw(range(FIRST))))
