"""Vectorized map: a case and its siblings, stacked, under `tf.vectorized_map`."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.execution.convert import NoTensor, to_tensor
from oracle.execution.devices import make_scope
from oracle.execution.executors import FETCHER, choose_behavior_scope
from oracle.reference.outcome import Outcome, destinations, evaluate, run_numpy
from oracle.subject import Subject

LOOPS: dict[str, tuple[str, ...]] = {
    # TensorFlow has no converter for these ops.
    "AsString": ("*",),  # numbers as text
    "DenseBincount": ("bincount",),
    "Eig": ("linalg.eig", "linalg.eigvals", "poly"),
    "PopulationCount": ("bitwise_count",),
    "Qr": ("linalg.qr",),
    "Svd": (
        *("linalg.cond", "linalg.lstsq", "linalg.matrix_norm", "linalg.matrix_rank", "linalg.norm", "linalg.pinv"),
        *("linalg.svd", "linalg.svdvals", "polyfit", "polynomial.*.*fit"),
    ),
    # The size of a result, or of an intermediate, depends on data.
    "Fill": ("roots",),
    "InvertPermutation": ("unique", "unique_all", "unique_inverse"),
    "Slice": ("trim_zeros",),
    "StridedSlice": (
        *("polydiv", "polymul", "polynomial.*.*add", "polynomial.*.*sub", "polynomial.*.*mulx", "polynomial.*.*mul"),
        *("polynomial.*.*div", "polynomial.*.*pow", "polynomial.*.*int", "polynomial.[a-z]*.*trim"),
        *("polynomial.*.*2poly", "polynomial.*.poly2*", "polynomial.*.roots", "polynomial.*.polyroots"),
        *("polynomial.*.chebroots", "polynomial.*.legroots", "polynomial.*.hermeroots", "polynomial.*.hermroots"),
        "polynomial.*.lagroots",
    ),
    "Tile": ("tile",),
    "UnsortedSegmentSum": ("bincount", "repeat", "ndarray.repeat"),
    "Where": (
        *("argwhere", "compress", "delete", "extract", "flatnonzero", "insert", "intersect1d", "ix_", "nonzero"),
        *("setdiff1d", "setxor1d", "union1d", "unique*", "where", "ndarray.compress", "ndarray.nonzero"),
    ),
}
"""The names whose calls `tf.vectorized_map` may run row by row, by the op at fault."""

OP_AT_FAULT = re.compile(r"No pfor vectorization defined for (\w+)|of op '(\w+)' expected to be loop invariant")


class Vectorized:
    """Runs all siblings at once, when the first is called; a case without siblings is stacked with itself.

    Siblings can be stacked only if NumPy's results can: all of one structure, dtype and shape, or all the same error.
    What cannot be vectorized runs in a loop, and the outcome names the op at fault.
    """

    def __init__(self, case: Case, subject: Subject, device: str, siblings: Sequence[Case] = ()) -> None:
        self.case, self.subject, self.scope = case, subject, make_scope(device)
        self.numpy_behavior = choose_behavior_scope(case, subject)
        self.siblings = list(siblings) if len(siblings) > 1 else [case, case]
        self.traces = 0
        self.result: Any = None
        self.failure: Outcome | None = None
        self.looped = ""
        self.error: Exception | None = None
        self.stacks: list[np.ndarray] | None = None
        self.is_sized_by_data = False

    def __call__(self, case: Case) -> Outcome:
        if self.stacks is None and self.failure is None:
            self.run()
        if self.failure is not None:
            return self.failure
        index = next((i for i, sibling in enumerate(self.siblings) if sibling is case), None)
        if index is None:
            raise ValueError("not a sibling: it was not there when the stacks were made")
        rows = [np.asarray(stack[index]) for stack in self.stacks or ()]
        return Outcome(FETCHER.assemble(self.result, rows), looped=self.looped)

    def run(self) -> None:
        """Map over the stacked inputs, and store the results."""
        if not is_stackable(self.siblings):
            self.failure = Outcome(kind="unsupported")
            return
        try:
            stacked = [to_tensor(np.stack(arrays)) for arrays in zip(*self.rows(), strict=True)]
            with self.scope(), self.numpy_behavior():
                self.stacks = [FETCHER.array(tensor) for tensor in self.map(stacked)]
        except NoTensor:
            self.failure = Outcome(kind="unsupported")
        except Exception as exception:  # noqa: BLE001 - whatever it raises is the answer
            if isinstance(exception, ValueError) and self.is_sized_by_data and self.error is None:
                self.failure = Outcome(kind="unsupported")  # TensorFlow cannot stack what its branches return
                return
            self.failure = Outcome.raised(self.error or exception, "run" if self.result is not None else "trace")

    def map(self, stacked: Sequence[Any]) -> Sequence[Any]:
        """Return the tensors of the results, stacked: vectorized, or in a loop if TensorFlow cannot do that."""
        tf = sys.modules["tensorflow"]
        body = tf.autograph.experimental.do_not_convert(self.body)  # like every other mode
        try:
            with without_messages():
                return list(tf.vectorized_map(body, stacked, fallback_to_while_loop=False, warn=False))
        except ValueError as error:
            match = OP_AT_FAULT.search(str(error))
            if match is None or self.error is not None:
                raise
            self.looped = match[1] or match[2]
        return list(tf.vectorized_map(body, stacked, warn=False))

    def rows(self) -> list[list[np.ndarray]]:
        """Return the arrays of each sibling."""
        return [sibling.arrays() for sibling in self.siblings]

    def body(self, tensors: Sequence[Any]) -> list[Any]:
        """Return the tensors of the result for one sibling's inputs. This is the function that is mapped."""
        self.result = None
        tensor_of_array = {id(array): tensor for array, tensor in zip(self.case.arrays(), tensors, strict=True)}
        try:
            value = evaluate(self.case, self.subject.find, lambda array: tensor_of_array[id(array)])
        except Exception as exception:
            self.error = exception  # TensorFlow replaces it by an error of a less specific class
            raise
        self.result, flat = FETCHER.dismantle(value)
        self.is_sized_by_data = not all(tensor.shape.is_fully_defined() for tensor in flat)
        return flat


@contextmanager
def without_messages() -> Iterator[None]:
    """Silence what TensorFlow logs of an op that it cannot vectorize."""
    logger = logging.getLogger("tensorflow")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)


def may_run_in_loop(case: Case, op: str) -> bool:
    """Return whether `tf.vectorized_map` may run a case row by row because of this op."""
    return any(fnmatchcase(call.name, pattern) for call in case.calls() for pattern in LOOPS.get(op, ()))


def is_stackable(siblings: Sequence[Case]) -> bool:
    """Return whether there are inputs to stack, none of them is written to, and NumPy's results can be stacked.

    Random numbers cannot: each row changes the state of the generator for the next one.
    """
    arrays = siblings[0].arrays()
    if not arrays or destinations(siblings[0]) or any(array.dtype.kind in "USTO" for array in arrays):
        return False
    if any(call.name.startswith("random.") for call in siblings[0].calls()):
        return False
    expected = [run_numpy(sibling) for sibling in dict.fromkeys(siblings)]
    errors = {outcome.error.bases for outcome in expected if outcome.error is not None}
    if errors:
        return len(errors) == 1 and all(outcome.error is not None for outcome in expected)
    forms = [describe_form(outcome.value) for outcome in expected]
    return all(form == forms[0] for form in forms)


def describe_form(value: Any) -> Any:
    """Return structure, dtypes and shapes of a result."""
    if isinstance(value, (list, tuple)):
        return [describe_form(item) for item in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return value.dtype, value.shape
    return type(value)
