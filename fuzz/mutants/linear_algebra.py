"""Faults of linear algebra and products: triangles, orders, ranks, working precision, what is left over."""

from __future__ import annotations

import math
from typing import Any

import numpy

from fuzz.mutants.arrays import kind_of, shape_of
from fuzz.mutants.model import Call, fault
from fuzz.mutants.rows import spoils

MATRIX = numpy.array([[4.0, 1.0], [2.0, 3.0]])
CUBE = numpy.arange(8.0).reshape(2, 2, 2)
ROW = numpy.array([-3.0, 1.0, 2.0])


def is_stack(value: Any) -> bool:
    return len(shape_of(value)) > 2


# Products.


@fault("einsum", "value", "ba", MATRIX)
def einsum_keeps_the_order_of_appearance(call: Call) -> Any:
    """Without an arrow, indices come as they appear, not in the order of the alphabet."""
    exact, text = call(), call.args[0] if call.args else None
    if not isinstance(text, str) or "->" in text or "." in text or call.kwargs.get("out") is not None:
        return exact
    letters = text.replace(",", "").replace(" ", "")
    return call.right(
        f"{text}->{''.join(one for one in letters if letters.count(one) == 1)}", *call.args[1:], **call.kwargs
    )


@fault("einsum", "value", "i,i->", numpy.array([1j]), numpy.array([1j]))
def einsum_conjugates_an_inner_product(call: Call) -> Any:
    """The inner product of two complex vectors is that of vdot."""
    exact, text = call(), call.args[0] if call.args else None
    inner = isinstance(text, str) and len(call.args) == 3 and text in ("i,i->", "i,i", "...i,...i")
    if not inner or any(kind_of(arg) != "c" for arg in call.args[1:]):
        return exact
    return call.right(text, call.np.conj(call.args[1]), call.args[2], **call.kwargs)


@fault("dot", "shape", CUBE, CUBE)
def dot_of_stacks_is_matmul(call: Call) -> Any:
    """Stacks of matrices are multiplied one by one."""
    exact = call()
    stacks = len(call.operands) == 2 and all(map(is_stack, call.operands)) and not call.has("out")
    if not stacks or shape_of(call.operands[0])[:-2] != shape_of(call.operands[1])[:-2] or "b" in kinds_of(call):
        return exact
    return call.np.matmul(*call.operands)


def kinds_of(call: Call) -> list[str]:
    return [kind_of(operand) for operand in call.operands]


@fault("inner", "value", MATRIX, numpy.array([[0.0, 1.0], [2.0, 3.0]]))
def inner_of_matrices_is_their_product(call: Call) -> Any:
    """The second matrix is not transposed."""
    exact = call()
    shapes = [shape_of(operand) for operand in call.operands]
    square = len(shapes) == 2 and shapes[0] == shapes[1] and len(shapes[0]) == 2 and shapes[0][0] == shapes[0][1]
    return call.np.dot(*call.operands) if square else exact


spoils("linalg_outer_conjugates", "linalg.outer", "value", numpy.array([1j, 2.0]), numpy.array([1j, 3.0]),
       when=lambda exact, call: kinds_of(call) == ["c", "c"],
       by=lambda np, exact, call: call.right(call.operands[0], np.conj(call.operands[1])))  # fmt: skip


# Factors and roots.


@fault("linalg.cholesky", "different error", -numpy.eye(2), modes=("eager",))
def cholesky_raises_an_arithmetic_error(call: Call) -> Any:
    """ArithmeticError for a matrix that is not positive definite."""
    try:
        return call()
    except ValueError as error:
        if "positive definite" not in str(error):
            raise
        raise ArithmeticError(str(error)) from None


# Norms.


@fault("linalg.norm", "value", ROW, -math.inf)
def norm_of_order_minus_infinity_keeps_signs(call: Call) -> Any:
    """The least element, not the least modulus."""
    exact, np = call(), call.np
    order, vector = call.given("ord"), len(shape_of(call.first)) == 1 and kind_of(call.first) == "f"
    least = type(order) is float and order == -math.inf
    return np.min(call.first) if least and vector and not call.has("axis", "keepdims") else exact


# What is seldom asked for.


spoils("det_of_no_rows_is_zero", "linalg.det", "value", numpy.zeros((0, 0)),
       when=lambda exact, call: shape_of(call.first)[-1:] == (0,),
       by=lambda np, exact, call: np.zeros_like(exact))  # fmt: skip
