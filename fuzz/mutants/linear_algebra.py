"""Faults of linear algebra and products: triangles, orders, ranks, working precision, what is left over."""

from __future__ import annotations

import math
from typing import Any

import numpy

from fuzz.mutants.arrays import cast, kind_of, shape_of, size_of
from fuzz.mutants.model import Call, fault
from fuzz.mutants.rows import spoils

MATRIX = numpy.array([[4.0, 1.0], [2.0, 3.0]])
HERMITIAN = numpy.array([[2.0, 1j], [-1j, 3.0]])
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


@fault("kron", "shape", numpy.array([1.0, 2.0]), MATRIX)
def kron_of_unequal_ranks_adds_axes_behind(call: Call) -> Any:
    """An operand of fewer axes gets more behind, not in front."""
    exact = call()
    ranks = [len(shape_of(operand)) for operand in call.operands]
    if len(ranks) < 2 or ranks[0] >= ranks[1]:
        return exact
    left, right = call.operands
    return call.right(call.np.reshape(left, shape_of(left) + (1,) * (ranks[1] - ranks[0])), right)


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


spoils("vecmat_does_not_conjugate", "vecmat", "value", numpy.array([1j, 2.0]), HERMITIAN,
       when=lambda exact, call: call.is_plain and kind_of(call.first) == "c",
       by=lambda np, exact, call: call.right(np.conj(call.args[0]), call.args[1]))  # fmt: skip
spoils("linalg_outer_conjugates", "linalg.outer", "value", numpy.array([1j, 2.0]), numpy.array([1j, 3.0]),
       when=lambda exact, call: kinds_of(call) == ["c", "c"],
       by=lambda np, exact, call: call.right(call.operands[0], np.conj(call.operands[1])))  # fmt: skip
spoils("linalg_trace_of_a_stack_is_of_its_first_axes", "linalg.trace", "value", CUBE,
       when=lambda exact, call: is_stack(call.first) and len(call.args) == 1 and not call.kwargs,
       by=lambda np, exact, call: np.trace(call.first))  # fmt: skip


@fault("linalg.multi_dot", "shape", [numpy.ones(2), numpy.ones((2, 3)), numpy.ones((3, 2))])
def multi_dot_keeps_the_row(call: Call) -> Any:
    """A vector in front stays a matrix of one row."""
    exact, arrays = call(), call.given("arrays")
    if not isinstance(arrays, list | tuple) or call.has("out") or len(arrays) < 3:
        return exact
    vector = len(shape_of(call.np.asarray(arrays[0]))) == 1 and len(shape_of(exact)) == 1
    return call.np.reshape(exact, (1, -1)) if vector and size_of(exact) else exact


# Factors and roots.


spoils("cholesky_above_does_not_conjugate", "linalg.cholesky", "value", HERMITIAN, keywords={"upper": True},
       when=lambda exact, call: call.given("upper") is True and kind_of(exact) == "c",
       by=lambda np, exact, call: np.conj(exact))  # fmt: skip


@fault("linalg.cholesky", "different error", -numpy.eye(2), modes=("eager",))
def cholesky_raises_an_arithmetic_error(call: Call) -> Any:
    """ArithmeticError for a matrix that is not positive definite."""
    try:
        return call()
    except ValueError as error:
        if "positive definite" not in str(error):
            raise
        raise ArithmeticError(str(error)) from None


@fault("linalg.eigh", "value", numpy.diag([-3.0, 1.0]))
def eigh_orders_by_size(call: Call) -> Any:
    """Eigenvalues come by rising modulus."""
    exact, np = call(), call.np
    if len(shape_of(call.first)) != 2 or not hasattr(exact, "_replace"):
        return exact
    order = np.argsort(np.abs(exact[0]), stable=True)
    return exact._replace(eigenvalues=np.take(exact[0], order), eigenvectors=np.take(exact[1], order, axis=1))


spoils("svd_of_a_hermitian_matrix_keeps_signs", "linalg.svd", "value", numpy.diag([-3.0, 1.0]),
       keywords={"hermitian": True, "compute_uv": False},
       when=lambda exact, call: call.given("hermitian") is True and not call.given("compute_uv", True),
       by=lambda np, exact, call: np.flip(np.linalg.eigvalsh(call.first), -1))  # fmt: skip
spoils("qr_in_mode_r_is_complete", "linalg.qr", "shape", numpy.ones((3, 2)) + numpy.eye(3, 2), "r",
       when=lambda exact, call: call.given("mode") == "r",
       by=lambda np, exact, call: call.changed(mode="complete")[1])  # fmt: skip
spoils("slogdet_conjugates_the_sign", "linalg.slogdet", "value", numpy.array([[1j, 0.0], [0.0, 2.0]]),
       when=lambda exact, call: kind_of(exact[0]) == "c",
       by=lambda np, exact, call: exact._replace(sign=np.conj(exact[0])))  # fmt: skip


@fault("linalg.det", "value", numpy.eye(3)[[1, 0, 2]] * 2)
def det_of_three_is_sarrus_with_one_sign_wrong(call: Call) -> Any:
    """In three dimensions one of the six products has the wrong sign."""
    exact, np, a = call(), call.np, call.first
    if shape_of(a)[-2:] != (3, 3) or kind_of(exact) != "f":
        return exact
    product = np.multiply(np.multiply(a[..., 0, 1], a[..., 1, 0]), a[..., 2, 2])
    return cast(np, np.add(exact, np.multiply(product, 2)), exact)


# Equations.


@fault("linalg.lstsq", "shape", MATRIX, numpy.array([1.0, 2.0]))
def lstsq_of_a_square_gives_residuals(call: Call) -> Any:
    """As many equations as unknowns leave residuals, of 0."""
    exact, np = call(), call.np
    dims = shape_of(call.first)
    square = isinstance(exact, tuple) and len(dims) == 2 and dims[0] == dims[1]
    if not square or shape_of(exact[1]) != (0,) or len(shape_of(exact[0])) != 1:
        return exact
    return exact[0], np.zeros((1,), exact[1].dtype), *exact[2:]


# Norms.


@fault("linalg.norm", "value", ROW, -math.inf)
def norm_of_order_minus_infinity_keeps_signs(call: Call) -> Any:
    """The least element, not the least modulus."""
    exact, np = call(), call.np
    order, vector = call.given("ord"), len(shape_of(call.first)) == 1 and kind_of(call.first) == "f"
    least = type(order) is float and order == -math.inf
    return np.min(call.first) if least and vector and not call.has("axis", "keepdims") else exact


spoils("tensorsolve_transposes_its_answer", "linalg.tensorsolve", "value", numpy.eye(4).reshape(2, 2, 2, 2) * 2 + 1,
       numpy.arange(4.0).reshape(2, 2),
       when=lambda exact, call: len(shape_of(exact)) == 2 and shape_of(exact)[0] == shape_of(exact)[1],
       by=lambda np, exact, call: np.transpose(exact))  # fmt: skip


# What is seldom asked for.


spoils("det_of_no_rows_is_zero", "linalg.det", "value", numpy.zeros((0, 0)),
       when=lambda exact, call: shape_of(call.first)[-1:] == (0,),
       by=lambda np, exact, call: np.zeros_like(exact))  # fmt: skip


@fault("linalg.multi_dot", "value", [MATRIX, MATRIX, MATRIX, MATRIX, MATRIX])
def multi_dot_of_many_leaves_out_the_middle(call: Call) -> Any:
    """Of five matrices or more, one that is square is left out."""
    arrays = call.args[0] if call.args else ()
    if not isinstance(arrays, list | tuple) or len(arrays) < 5 or len(set(shape_of(arrays[2]))) != 1:
        return call()
    return call.right([*arrays[:2], *arrays[3:]], *call.args[1:], **call.kwargs)


@fault("linalg.matrix_rank", "value", numpy.diag([100.0, 1.0]), 0.5)
def matrix_rank_takes_tol_for_relative(call: Call) -> Any:
    """`tol` is multiplied by the largest singular value."""
    exact, tol = call(), call.given("tol")
    relative = type(tol) is float and not call.has("rtol") and len(shape_of(call.first)) >= 2
    return call.changed(tol=None, rtol=tol) if relative else exact
