"""Fault localisation: which raw op of a traced graph departs by itself, if any; otherwise the library's Python code.

The traced graph is run eagerly, node by node, each on the values of the preceding ones. Each eager node is compared
with NumPy on those values; in graph mode and under XLA, it is compared with eager.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from oracle.case.model import Case
from oracle.case.tensor_ops import find_op, is_of_ops
from oracle.compare.op_comparison import depart, judge_call
from oracle.execution.modes import run_case
from oracle.execution.tensor_nodes import (
    NodeRun,
    Unwalkable,
    Walk,
    find_first_compiled,
    find_first_composed,
    find_first_rewritten,
    find_first_uncompiled,
    to_arrays,
    trace_case,
)
from oracle.execution.tensor_ops import find_passes
from oracle.modes import Mode, find_mode
from oracle.ops.numeric import find_deviation
from oracle.ops.raw_ops import MOVING, make_call
from oracle.ops.reference import REFERENCES
from oracle.ops.tolerances import tolerance_of
from oracle.subject import Subject
from oracle.verdict import find_class

WALKED = ("eager", "graph", "xla")
"""The modes whose nodes are looked at, the first of those that differ: it is the narrowest there is to blame."""

NO_NODE = "no node: the library's Python"
NONE_ALONE = "no node alone: how they are put together"
"""Of a graph or XLA where eager agrees."""
_TRAVELLED = 256.0  # ulps by which a node of an unknown op may differ under XLA


def find_fault(case: Case, kind: str, modes: Sequence[str], subject: Subject) -> str:
    """Return the node at fault for a difference of this `kind` in these modes, such as "ArgMax in eager, half".

    It is NO_NODE if every node is right by itself, so that the library composes them wrongly, or if no node runs; "" if
    unknown.
    """
    adapter = subject.adapter
    kin = {find_mode(label.partition("@")[0]).kernels for label in modes}
    way = next((one for one in WALKED if one in kin), None)
    if way is None or not subject.takes_tensors or (adapter is not None and not adapter.tensors):
        return ""
    try:
        traced = trace_case(case, subject)
    except Exception:  # noqa: BLE001 - it raises before any node could run, whatever it is
        return NO_NODE if "error" in kind else ""
    if traced is None:
        return ""
    graph, inputs = traced
    walk = Walk()
    try:
        values = walk.run_graph(graph, inputs)
    except Unwalkable:
        return ""
    except Exception:  # noqa: BLE001 - the node that raised it is known
        return _refusal(walk, way)
    if way == "eager":
        return _find_contradicted(walk.runs)
    if way == "graph":
        operation = find_first_rewritten(graph, inputs, values, walk, _agrees)
    elif "error" in kind:
        operation = find_first_uncompiled(walk.runs)
    else:
        operation = find_first_compiled(walk.runs, _agrees)
        if operation is None and is_of_ops(case):
            operation = find_first_composed(graph, inputs, values, _agrees)
    fault = NO_NODE if "error" in kind else NONE_ALONE
    if operation is not None:
        operands = next((run.inputs for run in walk.runs if run.operation is operation), ())
        fault = _describe_node(operation.type, way, operands)
    passes = _list_passes(case, subject) if is_of_ops(case) and way == "graph" else ()
    return f"{fault}, by {' or '.join(passes)}" if passes else fault


def _list_passes(case: Case, subject: Subject) -> Sequence[str]:
    """Return the Grappler passes without which the graph of a program of ops agrees with eager mode."""
    eager = run_case(Mode("eager"), case, subject)
    return find_passes(lambda: depart(eager, run_case(Mode("graph"), case, subject), Mode("graph")) is None)


def _refusal(walk: Walk, way: str) -> str:
    if walk.rejection is None:
        return ""
    type_, error, inputs = walk.rejection
    return f"{_describe_node(type_, way, inputs)}: {error}"


def _find_contradicted(runs: Sequence[NodeRun]) -> str:
    """Return the first node that NumPy contradicts, preferably one without an accepted difference; otherwise whether
    all nodes could be compared.
    """
    strange, suspect = [], ""
    for run in runs:
        if not run.is_comparable or not run.outputs:
            continue
        call, declared = _make_call(run), list[tuple[str, str]]()
        if call is None or find_op(call) not in REFERENCES:
            strange += [] if run.type in MOVING else [run.type]
        elif judge_call(call, to_arrays(run.outputs), declared) is not None:
            return _describe_node(run.type, "eager", run.inputs)
        elif declared:
            suspect = suspect or _describe_node(run.type, "eager", run.inputs)
    if strange and not suspect:
        return f"no node that NumPy has; unchecked: {', '.join(dict.fromkeys(strange))}"
    return suspect or NO_NODE


def _agrees(run: NodeRun, others: Sequence[Any]) -> bool:
    """Return whether the outputs agree with eager's, within the op's tolerance."""
    call = _make_call(run) if run.inputs else None
    for expected, actual in zip(to_arrays(run.outputs), to_arrays(others), strict=True):
        if call is None:
            ulps = _TRAVELLED if run.inputs else 0.0
            deviation = find_deviation(expected, actual, ulps)
        else:
            tolerance = tolerance_of(call, expected)
            deviation = find_deviation(expected, actual, tolerance.ulps, tolerance.slack, signs=tolerance.signs)
            if tolerance.declared:
                continue
        if deviation is not None:
            return False
    return True


def _make_call(run: NodeRun) -> Case | None:
    with suppress(Exception):  # inputs that are not arrays, or lack an attribute, make no call
        return make_call(run.type, to_arrays(run.inputs), run.attribute)
    return None


def _describe_node(type_: str, way: str, inputs: Sequence[Any]) -> str:
    """Return node, mode, and dtype class of the first input as text."""
    name = f"{type_} in {way}"
    with suppress(Exception):  # a resource has no NumPy dtype
        name += f", {find_class(to_arrays(inputs[:1])[0].dtype)}"
    return name
