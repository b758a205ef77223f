"""How programs of TensorFlow's ops are judged: what is accepted, with its reason, and what is close to it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import tensorflow  # noqa: F401 - programs run in this process

from oracle import tensor_judgement
from oracle.harness import Constant, Input, Program, Result, Step, examine_program, find_excessive, list_not_compared
from oracle.tensor_programs.tolerances import tolerance_of


def program(inputs, *steps, gradient=False):
    return Program(tuple(np.array(array, dtype) for array, dtype in inputs), steps, gradient)


def of(number, dtype="float32"):
    return Constant(np.array(number, dtype))


def spread(text, dtype="float32"):
    """A program of one op, whose name comes last, on inputs of that dtype."""
    *arrays, op = text
    return program([(array, dtype) for array in arrays], Step(op, tuple(Input(i) for i in range(len(arrays)))))


ACCEPTED = {
    "a power that a graph multiplies": (
        program([([2.7], "float32")], Step("math.pow", (Input(0), of(3)))), "graph", "rewritten",
    ),
    "the sign of a zero part": (
        program([([complex(-0.0, 0)], "complex128")], Step("math.divide", (Input(0), of(0.5, "complex128")))),
        "graph", "complex-zero",
    ),
    "one over a zero of either sign": (
        program(
            [([0.0, 0, 0, 0, 0, 0, -0.0, -0.0], "float32")],
            Step("math.minimum", (Input(0), of(0))),
            Step("math.log", (Result(0),)),
            gradient=True,
        ),
        "xla", "tie-of-zeros",
    ),
    "a substitution that overflows": (
        spread(([[1, 0], [-3.4e38, -2.5e38]], [[8.5e37, -1.7e38], [-3.4e38, -2.5e38]], "linalg.triangular_solve")),
        "xla", "overflow-in-between",
    ),
    "a mean whose sum overflows": (
        program([([-1.7e308, -9e307, 4e307, 1.3e308, 1.7e307, 1.3e308, -1.3e308, 1.7e308], "float64")],
                Step("nn.moments", (Input(0), [0]))),
        "xla", "overflow-in-between",
    ),
    "a search in what is not sorted": (spread(([0, 2, 0], [1, 2, 0], "searchsorted")), "eager", "unsorted"),
}  # fmt: skip


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", ACCEPTED)
def test_what_nothing_promises_is_declared_and_not_reported(name):
    posed, way, reason = ACCEPTED[name]
    found = examine_program(posed, [posed.inputs], ("eager", way))
    assert (found.differences, set().union(*found.declared.values())) == ([], {reason})


REPORTED = {
    "a power that is another number": (
        program([([-0.0], "float32")], Step("math.pow", (Input(0), of(0.5)))), "graph",
    ),
    "the root of a number on the cut": (
        program([([complex(-4, -0.0)], "complex64")], Step("math.sqrt", (Input(0),))), "eager",
    ),
    "the greatest behind an infinity": (spread(([-np.inf, np.finfo(np.float32).min], "math.argmax")), "eager"),
    "an elementary function of a small number": (
        program([([-1e-9], "float32")], Step("nn.elu", (Input(0),))), "eager",
    ),
    "a sum of squares that overflows": (spread(([0, 8.5e37], "math.reduce_std")), "eager"),
}  # fmt: skip


@pytest.mark.parametrize("name", REPORTED)
def test_what_is_close_to_what_is_accepted_is_reported(name):
    posed, way = REPORTED[name]
    assert [one.way for one in examine_program(posed, [posed.inputs], ("eager", way)).differences] == [way]


DEMANDED = {
    "a search in what is sorted": ("searchsorted", "int32", ([0, 1, 2], [1, 2, 0])),
    "a search in what has ties": ("searchsorted", "int32", ([0, 1, 1, 2], [1])),
    "a substitution in triangles": ("linalg.triangular_solve", "float32", ([[1, 0], [-3, -2]], [[8, -1], [-3, -2]])),
    "a system whose matrix is far from singular": ("linalg.solve", "float32", ([[2, 0], [1, 1]], [[1], [1]])),
    "a mean of numbers whose sum is within range": ("math.reduce_mean", "float32", ([1e38, -1e38, 1e38],)),
    "a shift by less than the width": ("bitwise.left_shift", "int32", ([1, 2], [31, 0])),
    "a division by integers none of which is zero": ("math.floordiv", "int32", ([7, -7], [2, -2])),
    "a range that is not empty": ("clip_by_value", "float32", ([-1, 5], [0, 0], [0, 3])),
    "a power of finite complex numbers": ("math.pow", "complex64", ([1j, 2], [2, 1])),
}  # fmt: skip
"""Calls beside those whose results are not compared: an op, the dtype and the operands."""


@pytest.mark.parametrize("name", DEMANDED)
def test_results_close_to_what_is_not_compared_are_compared(name):
    op, dtype, operands = DEMANDED[name]
    arrays = [np.array(operand, dtype) for operand in operands]
    step = Step(op, tuple(Input(index) for index in range(len(arrays))))
    assert tolerance_of(step, arrays, np.zeros(2, dtype)).declared == ""


WRONG = {
    "nan for one over a zero that won a tie": (
        ACCEPTED["one over a zero of either sign"][0], "xla", lambda slope: np.where(np.isinf(slope), np.nan, slope),
    ),
    "another infinity where no zeros tie": (
        program([([0.0, 1.0], "float32")], Step("math.sqrt", (Input(0),)), gradient=True), "xla", np.negative,
    ),
    "another number beside the sign of a zero part": (
        program([([complex(-0.0, 0), 1], "complex128")], Step("math.divide", (Input(0), of(0.5, "complex128")))),
        "graph", lambda quotient: quotient + np.array([0, 1e-9]),
    ),
    "a second result behind the sign of a zero part": (
        program([([complex(-0.0, 0), 1], "complex128")], Step("split", (Input(0), 2))),
        "graph", lambda part: np.where(part == 0, 0, part + 1e-9),
    ),
    "a power that a graph multiplies too roughly": (
        ACCEPTED["a power that a graph multiplies"][0], "graph", lambda power: power * np.float32(1 + 1e-5),
    ),
}  # fmt: skip
"""Programs beside accepted differences, and what is done to the answer of a way before it is judged."""


@pytest.mark.parametrize("name", WRONG)
def test_wrong_answers_beside_accepted_differences_are_reported(name, monkeypatch):
    posed, way, change = WRONG[name]
    run = tensor_judgement.run_program

    def run_wrongly(program, siblings, to_run, **options):
        answers = run(program, siblings, to_run, **options)
        if to_run != way:
            return answers
        return [
            replace(one, values=tuple(change(array).astype(array.dtype) for array in one.values)) for one in answers
        ]

    monkeypatch.setattr(tensor_judgement, "run_program", run_wrongly)
    assert [one.way for one in examine_program(posed, [posed.inputs], ("eager", way)).differences] == [way]


@pytest.mark.parametrize("row", list_not_compared(), ids=lambda row: row.id)
def test_a_reason_that_takes_more_than_its_share_is_told(row):
    def find(count, answers):
        taken = {row.id: {"add": {"graph": count // 2}, "cast": {"xla": count - count // 2}}}
        return find_excessive([row], taken, {"add": {"graph": answers // 2}, "cast": {"xla": answers - answers // 2}})

    answers = 100_000
    assert find(int(row.most * answers), answers) == []
    (message,) = find(int(2 * row.most * answers) + 20, answers)
    assert message.startswith(f"{row.id} took ")
    assert find(1000, 1000) == []
