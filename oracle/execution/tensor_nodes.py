"""Graph bisection: the node of a traced program that departs, each fed with eager's values."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from oracle.execution.convert import Fetcher, tensor_of
from oracle.execution.tensor_programs import XLA, trace
from oracle.tensor_programs.model import Program

MOST_NODES = 60
_CALLS = ("PartitionedCall", "StatefulPartitionedCall")

Agrees = Callable[[np.ndarray, np.ndarray], bool]


def find_node(program: Program, way: str, agrees: Agrees) -> str:
    """Return the type of the first node whose output departs from eager's; empty where none does, or where a node
    cannot be run by itself.

    Under XLA each node is compiled alone; as a graph, the nodes up to it go through Grappler. Calls of functions are
    walked into.
    """
    concrete = trace(program)
    try:
        operations, values = _run_nodes(concrete, [tensor_of(array) for array in program.inputs])
    except Exception:  # noqa: BLE001 - a node that cannot be run alone cannot be blamed
        return ""
    if len(operations) > MOST_NODES:
        return ""
    if way == XLA:
        return _first_compiled(operations, values, agrees)
    return _first_rewritten(concrete, operations, values, program, agrees)


def _run_nodes(concrete: Any, tensors: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
    """Return the nodes that compute something, in order, and the value of each tensor in eager."""
    tf = sys.modules["tensorflow"]
    values = {tensor.name: value for tensor, value in zip(concrete.inputs, tensors, strict=False)}
    operations = []
    for operation in concrete.graph.get_operations():
        if operation.type == "Const":
            values[operation.outputs[0].name] = tf.constant(tf.make_ndarray(operation.get_attr("value")))
        elif operation.type != "Placeholder" and operation.outputs:
            results = call_node(operation, [values[tensor.name] for tensor in operation.inputs])
            values |= {tensor.name: result for tensor, result in zip(operation.outputs, results, strict=True)}
            operations.append(operation)
    return operations, values


def call_node(operation: Any, inputs: Sequence[Any]) -> list[Any]:
    """Return the tensors that a node gives for some inputs, called as a raw op."""
    tf = sys.modules["tensorflow"]
    if operation.type in _CALLS:
        function = operation.graph._get_function(operation.get_attr("f").name)
        return list(function(*inputs))
    function = getattr(tf.raw_ops, operation.type)
    parameters, left, kwargs = inspect.signature(function).parameters, list(inputs), {}
    attributes = {attribute.name for attribute in operation.op_def.attr}
    names = [name for name in parameters if name not in attributes and name != "name"]
    for argument, name in zip(operation.op_def.input_arg, names, strict=True):  # Python may call them otherwise
        many = argument.number_attr or argument.type_list_attr
        count = operation.get_attr(argument.number_attr) if argument.number_attr else 1
        if argument.type_list_attr:
            count = len(operation.get_attr(argument.type_list_attr))
        taken, left = left[:count], left[count:]
        kwargs[argument.name if argument.name in parameters else name] = taken if many else taken[0]
    for attribute in operation.op_def.attr:
        if attribute.name in parameters and attribute.name not in kwargs:
            kwargs[attribute.name] = operation.get_attr(attribute.name)
    result = function(**kwargs)
    return list(result) if isinstance(result, (list, tuple)) else [result]


def _first_compiled(operations: Sequence[Any], values: dict[str, Any], agrees: Agrees) -> str:
    tf = sys.modules["tensorflow"]
    needed = sorted({tensor.name for operation in operations for tensor in operation.inputs})
    constants = {
        tensor.name for one in operations for tensor in one.inputs if tensor.op.type == "Const"
    }  # what has to be known while compiling is
    fed = [name for name in needed if name not in constants]

    def each_alone(*tensors: Any) -> list[Any]:
        at_hand = dict(zip(fed, tensors, strict=True)) | {name: tf.constant(values[name].numpy()) for name in constants}
        return [call_node(operation, [at_hand[tensor.name] for tensor in operation.inputs]) for operation in operations]

    function = tf.function(each_alone, autograph=False, jit_compile=True)
    try:
        results = function(*(values[name] for name in fed))
    except Exception:  # noqa: BLE001 - one that does not compile alone cannot be blamed
        return ""
    for operation, group in zip(operations, results, strict=True):
        for tensor, result in zip(operation.outputs, group, strict=True):
            if not agrees(Fetcher.array(values[tensor.name]), Fetcher.array(result)):
                return operation.type
    return ""


def _first_rewritten(
    concrete: Any, operations: Sequence[Any], values: dict[str, Any], program: Program, agrees: Agrees
) -> str:
    tf = sys.modules["tensorflow"]
    definition = concrete.graph.as_graph_def()
    names = [tensor.name for tensor in concrete.inputs]
    tensors = [tensor_of(array) for array in program.inputs]
    for operation in operations:
        output = operation.outputs[0]

        def as_far(*tensors: Any, name: str = output.name) -> Any:
            fed = dict(zip(names, tensors, strict=True))
            return tf.graph_util.import_graph_def(definition, fed, [name], name="")[0]

        try:
            result = tf.function(as_far, autograph=False)(*tensors)
        except Exception:  # noqa: BLE001 - it departs, by an error
            return operation.type
        if not agrees(Fetcher.array(values[output.name]), Fetcher.array(result)):
            return operation.type
    return ""
