"""Graph bisection: the node of a traced case that departs. Each node gets eager's values, so that errors do not
propagate.

Called functions, taken branches and loops are followed: what runs is a list of single nodes.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.execution.convert import Fetcher
from oracle.execution.executors import Compiled
from oracle.modes import FIRST_DEVICE
from oracle.subject import Subject

MOST_NODES = 120  # nodes to run, counting each iteration of a loop
_CALLS = frozenset({"PartitionedCall", "StatefulPartitionedCall"})
_BRANCHES = frozenset({"If", "StatelessIf", "Case", "StatelessCase"})
_LOOPS = frozenset({"While", "StatelessWhile"})
_WITHOUT_VALUE = frozenset({"Placeholder", "NoOp"})
_NO_ARRAYS = frozenset({"resource", "variant", "string"})

Agrees = Callable[["NodeRun", Sequence[Any]], bool]
"""Whether other outputs of a node that ran, tensors, are what eager gave."""


class Unwalkable(Exception):
    """Raised if the nodes cannot be run one by one."""


@dataclass(frozen=True)
class NodeRun:
    """A node that ran eagerly, with its inputs and outputs."""

    operation: Any
    inputs: tuple[Any, ...]
    outputs: tuple[Any, ...]

    @property
    def type(self) -> str:
        """The name of the raw op."""
        return str(self.operation.type)

    @property
    def is_comparable(self) -> bool:
        """Whether all inputs and outputs are arrays."""
        return not any(tensor.dtype.name in _NO_ARRAYS for tensor in (*self.inputs, *self.outputs))

    def attribute(self, name: str) -> Any:
        """Return an attribute of the node."""
        return self.operation.get_attr(name)

    def is_constant(self, index: int) -> bool:
        """Return whether the input of that index is a constant of the graph."""
        return bool(self.operation.inputs[index].op.type == "Const")


@dataclass
class Walk:
    """Record of an eager run: single nodes in order, and the graphs of functions, branches and loops with their
    inputs.
    """

    runs: list[NodeRun] = field(default_factory=list)
    entered: list[tuple[Any, Any, tuple[Any, ...]]] = field(default_factory=list)
    rejection: tuple[str, str, tuple[Any, ...]] | None = None
    """The type of the node that raised in eager, what it raised, and what it was given."""

    def run_graph(self, graph: Any, inputs: Sequence[Any]) -> dict[str, Any]:
        """Run the nodes of a function's graph eagerly, and return the value of each tensor by name."""
        tf = sys.modules["tensorflow"]
        values = {tensor.name: value for tensor, value in zip(graph.inputs, inputs, strict=True)}
        for operation in graph.get_operations():
            if operation.type == "Const":
                values[operation.outputs[0].name] = tf.constant(tf.make_ndarray(operation.get_attr("value")))
            elif operation.type not in _WITHOUT_VALUE:
                operands = tuple(values[tensor.name] for tensor in operation.inputs)
                results = self._run(operation, operands)
                values |= {tensor.name: result for tensor, result in zip(operation.outputs, results, strict=True)}
        return values

    def _run(self, operation: Any, operands: tuple[Any, ...]) -> Sequence[Any]:
        if operation.type in _CALLS:
            return self._enter(operation, "f", operands)
        if operation.type in _BRANCHES:
            return self._enter_branch(operation, operands)
        if operation.type in _LOOPS:
            while bool(self._enter(operation, "cond", operands)[0]):
                operands = tuple(self._enter(operation, "body", operands))
            return operands
        if len(self.runs) >= MOST_NODES:
            raise Unwalkable(f"more than {MOST_NODES} nodes")
        try:
            call = prepare_call(operation, operands)
        except Exception as error:
            raise Unwalkable(operation.type) from error
        try:
            results = _listed(call(), operation)
        except Exception as error:
            self.rejection = (operation.type, type(error).__name__, operands)
            raise
        self.runs.append(NodeRun(operation, operands, tuple(results)))
        return results

    def _enter(self, operation: Any, attribute: str, operands: tuple[Any, ...]) -> list[Any]:
        return self._enter_function(operation, operation.get_attr(attribute).name, operands)

    def _enter_branch(self, operation: Any, operands: tuple[Any, ...]) -> list[Any]:
        if operation.type.endswith("If"):
            return self._enter(operation, "then_branch" if bool(operands[0]) else "else_branch", operands[1:])
        branches = operation.get_attr("branches")
        chosen = int(operands[0])
        chosen = chosen if 0 <= chosen < len(branches) else len(branches) - 1
        return self._enter_function(operation, branches[chosen].name, operands[1:])

    def _enter_function(self, operation: Any, name: str, operands: tuple[Any, ...]) -> list[Any]:
        graph = operation.graph._get_function(name).graph
        self.entered.append((operation, graph, operands))
        values = self.run_graph(graph, operands)
        return [values[tensor.name] for tensor in graph.outputs]


def call_node(operation: Any, inputs: Sequence[Any]) -> list[Any]:
    """Call a node as a raw op, and return its output tensors."""
    return _listed(prepare_call(operation, inputs)(), operation)


def prepare_call(operation: Any, inputs: Sequence[Any]) -> Callable[[], Any]:
    """Return a function that calls the raw op of a node."""
    function = getattr(sys.modules["tensorflow"].raw_ops, operation.type)
    parameters, left, kwargs = inspect.signature(function).parameters, list(inputs), {}
    attributes = {attribute.name for attribute in operation.op_def.attr}
    names = [name for name in parameters if name not in attributes and name != "name"]
    arguments = operation.op_def.input_arg
    for argument, name in zip(arguments, names, strict=False):  # the names of arguments may differ in Python
        many = argument.number_attr or argument.type_list_attr
        count = operation.get_attr(argument.number_attr) if argument.number_attr else 1
        if argument.type_list_attr:
            count = len(operation.get_attr(argument.type_list_attr))
        taken, left = left[:count], left[count:]
        kwargs[argument.name if argument.name in parameters else name] = taken if many else taken[0]
    for attribute in operation.op_def.attr:
        if attribute.name in parameters and attribute.name not in kwargs:
            kwargs[attribute.name] = operation.get_attr(attribute.name)
    inferred = {name for one in arguments for name in (one.type_attr, one.number_attr, one.type_list_attr)}
    renamed = [one.name for one in operation.op_def.attr if one.name not in parameters and one.name not in inferred]
    kwargs |= {
        name: operation.get_attr(attribute) for name, attribute in zip(names[len(arguments) :], renamed, strict=False)
    }
    return partial(function, **kwargs)


def _listed(result: Any, operation: Any) -> list[Any]:
    if result is None or not operation.outputs:
        return []
    return list(result) if isinstance(result, (list, tuple)) else [result]


def find_first_compiled(runs: Sequence[NodeRun], agrees: Agrees) -> Any:
    """Return the operation of the first node that departs when compiled by itself, or None."""
    comparable = [run for run in runs if run.is_comparable and run.outputs]
    together = _compile(comparable)
    results = (
        iter(together) if together is not None else (next(iter(_compile([run]) or ()), None) for run in comparable)
    )
    for run, group in zip(comparable, results, strict=True):
        if group is not None and not agrees(run, group):
            return run.operation
    return None


def find_first_uncompiled(runs: Sequence[NodeRun]) -> Any:
    """Return the operation of the first node that XLA does not compile by itself, or None."""
    comparable = (run for run in runs if run.is_comparable and run.outputs)
    return next((run.operation for run in comparable if _compile([run]) is None), None)


def _compile(runs: Sequence[NodeRun]) -> list[Sequence[Any]] | None:
    """Return XLA's outputs of each node, independent of one another but compiled together; None if that fails.

    Constants of the graph remain constants, because XLA may need their values.
    """
    tf = sys.modules["tensorflow"]
    positions = [(i, j) for i, run in enumerate(runs) for j in range(len(run.inputs)) if not run.is_constant(j)]

    def each_alone(*operands: Any) -> list[list[Any]]:
        at_hand = dict(zip(positions, operands, strict=True))
        called = []
        for i, run in enumerate(runs):
            inputs = [at_hand[i, j] if (i, j) in at_hand else _constant(x) for j, x in enumerate(run.inputs)]
            called.append(call_node(run.operation, inputs))
        return called

    function = tf.function(each_alone, autograph=False, jit_compile=True)
    try:
        return list(function(*(runs[i].inputs[j] for i, j in positions)))
    except Exception:  # noqa: BLE001 - one that does not compile alone cannot be blamed
        return None


def _constant(tensor: Any) -> Any:
    return sys.modules["tensorflow"].constant(tensor.numpy())


def find_first_composed(graph: Any, inputs: Sequence[Any], values: dict[str, Any], agrees: Agrees) -> Any:
    """Return the operation of the first node that departs when compiled with all its predecessors, or None."""
    tf = sys.modules["tensorflow"]
    nodes = [operation for operation in graph.get_operations() if operation.type not in _WITHOUT_VALUE]
    for end, operation in enumerate(nodes):
        run = NodeRun(operation, (), tuple(values[tensor.name] for tensor in operation.outputs))
        if operation.type == "Const" or not run.outputs or not run.is_comparable:
            continue

        def as_far(*operands: Any, last: int = end) -> Any:
            made = {tensor.name: value for tensor, value in zip(graph.inputs, operands, strict=True)}
            for one in nodes[: last + 1]:
                if one.type == "Const":
                    made[one.outputs[0].name] = tf.constant(tf.make_ndarray(one.get_attr("value")))
                    continue
                results = call_node(one, [made[tensor.name] for tensor in one.inputs])
                made |= {tensor.name: result for tensor, result in zip(one.outputs, results, strict=True)}
            return [made[tensor.name] for tensor in nodes[last].outputs]

        try:
            result = tf.function(as_far, autograph=False, jit_compile=True)(*inputs)
        except Exception:  # noqa: BLE001 - what does not compile cannot be blamed
            return None
        if not agrees(run, result):
            return operation
    return None


def find_first_rewritten(graph: Any, inputs: Sequence[Any], values: dict[str, Any], walk: Walk, agrees: Agrees) -> Any:
    """Return the operation of the first node that departs when Grappler optimises the nodes up to it, or None.

    If the node calls a function, a branch or a loop, the operation is one inside it.
    """
    tf = sys.modules["tensorflow"]
    definition = graph.as_graph_def()
    names = [tensor.name for tensor in graph.inputs]
    for operation in graph.get_operations():
        if operation.type in ("Const", *_WITHOUT_VALUE) or not operation.outputs:
            continue
        run = NodeRun(operation, (), tuple(values[tensor.name] for tensor in operation.outputs))
        if not run.is_comparable:
            continue

        def as_far(*operands: Any, target: Any = operation) -> Any:
            fed = dict(zip(names, operands, strict=True))
            target_names = [tensor.name for tensor in target.outputs]
            return tf.graph_util.import_graph_def(definition, fed, target_names, name="")

        try:
            result = tf.function(as_far, autograph=False)(*inputs)
        except Exception:  # noqa: BLE001 - it departs, by an error
            return operation
        if not agrees(run, result):
            return _rewritten_within(operation, walk, agrees) or operation
    return None


def _rewritten_within(operation: Any, walk: Walk, agrees: Agrees) -> Any:
    for caller, graph, operands in walk.entered:
        if caller is operation:
            inner = Walk()
            values = inner.run_graph(graph, operands)
            culprit = find_first_rewritten(graph, operands, values, inner, agrees)
            if culprit is not None:
                return culprit
    return None


def to_arrays(tensors: Sequence[Any]) -> list[np.ndarray]:
    """Return tensors as arrays."""
    return [Fetcher.array(tensor) for tensor in tensors]


def trace_case(case: Case, subject: Subject) -> tuple[Any, list[Any]] | None:
    """Return the graph of a case as traced from the subject, and its input tensors; None if there is none.

    Raises what the subject raises.
    """
    return Compiled(case, subject, FIRST_DEVICE).trace()
