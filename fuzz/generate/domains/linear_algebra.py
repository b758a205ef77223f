"""Products, decompositions, equations, norms."""

from __future__ import annotations

import itertools
import string
from typing import Any

import numpy as np

from fuzz.generate import arrays, matrices
from fuzz.generate.arguments import first_array
from fuzz.generate.arrays import REALS, Shape
from fuzz.generate.builder import OMITTED, Draft, Strategy, always
from fuzz.generate.call_classes import AXIS, BOUND, OPTION, SHAPE
from fuzz.generate.constraints import array, array_of_shape, axis_of, same_shape, square
from fuzz.generate.domains.indexing import TWO_AXES
from fuzz.generate.matrices import Kind, conditioned
from fuzz.generate.scalars import either, integer, keywords, literal, sometimes, unless

SOLVABLE = tuple(
    dtype for dtype in arrays.REALS + arrays.COMPLEX + arrays.BOOLS if dtype not in (np.float16, arrays.BFLOAT16)
)
NUMBERS = REALS + arrays.COMPLEX


def contracted(draft: Draft) -> Shape:
    """Draw a shape whose second-to-last dimension (or only one) equals the last of the first argument, as `dot`
    requires.
    """
    first, choices = draft.shape("a"), draft.choices
    if not first:
        return arrays.shape(choices, 0, 2)
    lead = arrays.shape(choices, 0, 1) if choices.flag(0.3) else ()
    return (first[-1],) if choices.flag(0.4) else (*lead, first[-1], choices.pick(arrays.usual_dims(choices, 2)))


def rows_alike(draft: Draft) -> Shape:
    """Draw a shape with the same last dimension, as `inner` requires."""
    first = draft.shape("a")
    return (*arrays.shape(draft.choices, 0, 2), *first[-1:])


def flat_alike(draft: Draft) -> Shape:
    return (int(np.prod(draft.shape("a"))),) if draft.choices.flag() else draft.shape("a")


def summed_axes(draft: Draft) -> Any:
    """Draw a number of axes, or lists of axes for both operands; those of the second are its first or its last ones."""
    choices, rank = draft.choices, len(draft.shape(first_array(draft)))
    if draft.should_be_invalid(AXIS):
        return choices.pick((rank + 1, ([0], [0, 0])))
    if choices.flag(0.6):
        return choices.integer(0, min(rank, 2))
    axes = arrays.shuffled(choices, range(rank))[: choices.integer(0, min(rank, 2))]
    order = arrays.shuffled(choices, range(len(axes)))
    named = [axis - rank if choices.flag(0.2) else axis for axis in axes]
    return (named, [axis - len(axes) for axis in order] if choices.flag(0.3) else order)


def axes_or_default(draft: Draft) -> Any:
    """Draw axes to sum over; left out, the default sums over two, if there are as many."""
    if draft.is_due() or len(draft.shape(first_array(draft))) < 2 or draft.choices.flag(0.7):
        return summed_axes(draft)
    return OMITTED


def summed_with(draft: Draft) -> Shape:
    """Draw a shape that `axes` can contract with the first argument."""
    first, axes = draft.shape(first_array(draft)), draft["axes"]
    free = tuple(draft.choices.picks((2, 1, 3), draft.choices.integer(0, 2)))
    if type(axes) is tuple:
        placed = sorted(zip(axes[1], axes[0], strict=False))
        summed = tuple([first[axis] for _, axis in placed if axis < len(first)])
        return free + summed if placed and placed[0][0] < 0 else summed + free
    return (first[len(first) - axes :] if type(axes) is int and 0 < axes <= len(first) else ()) + free


def triples(name: str, other: str = "") -> Strategy:
    """Vectors of 3, or of 2, along the axis that is said of this argument."""

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        lead = arrays.narrowed(choices, _without(draft, other)) if other else arrays.shape(choices, 0, 2)
        dim = 4 if draft.should_be_invalid(SHAPE) else choices.pick((3, 3, 3, 2)) if draft.plan.name == "cross" else 3
        axis = _vector_axis(draft, name)
        if not -len(lead) - 1 <= axis <= len(lead):
            lead = (1, *lead)
        at = axis % (len(lead) + 1)
        return arrays.array(choices, choices.pick(NUMBERS), (*lead[:at], dim, *lead[at:]))

    return draw


def _vector_axis(draft: Draft, name: str) -> int:
    """The axis that the vectors of an argument lie along."""
    axis = draft["axis"]
    axis = draft[f"axis{name}"] if axis is None and f"axis{name}" in draft else axis
    return axis if type(axis) is int else -1


def _without(draft: Draft, name: str) -> Shape:
    """The shape of an argument less the axis of its vectors."""
    shape = draft.shape(name)
    at = _vector_axis(draft, name) % max(len(shape), 1)
    return (*shape[:at], *shape[at + 1 :])


# Operands for subscripts are drawn together: `einsum` has no signature of its own.


USUAL_SUBSCRIPTS = (
    *("i,i->", "i,i", "i,j->ij", "ij,j->i", "ij,jk->ik", "ij,kj->ik", "ij,ij->", "ij,ij->i", "ij,ij->ij"),
    *("ii->", "ii->i", "ij->ji", "ij->i", "ij->", "ijk,ikl->ijl", "i,ij,j->", "ij,jk,kl->il"),
)
"""Products, traces, transposes and sums as people write them."""


def operands(draft: Draft) -> list[Any]:
    """Draw subscripts and arrays with matching dimensions; with repeated letters, ellipses, transposed and reduced
    results.
    """
    choices = draft.choices
    terms = ["".join(choices.picks("ijkl", choices.integer(0, 3))) for _ in range(choices.integer(1, 3))]
    usual, arrow, usual_result = choices.pick(USUAL_SUBSCRIPTS).partition("->")
    is_usual = choices.flag(0.4)
    if is_usual:
        terms = usual.split(",")
    letters = sorted(set("".join(terms)))
    dim = {letter: choices.pick((2, 3, 1, 4) if choices.flag(0.2) else (2, 3)) for letter in letters}
    dots = choices.flag(0.15)
    lead = (2,) if dots else ()
    dtype = choices.pick(arrays.ANY)
    shapes = [lead + tuple([dim[letter] for letter in term]) for term in terms]
    shared = sorted({letter for letter in letters if sum(letter in term for term in terms) > 1})
    if shared and choices.flag(BROADCAST_SHARE):  # a dim of 1 is broadcast to that of another operand
        letter = choices.pick(shared)
        index = next(index for index, term in enumerate(terms) if letter in term)
        at = [position for position, one in enumerate(terms[index], len(lead)) if one == letter]
        shapes[index] = tuple([1 if position in at else one for position, one in enumerate(shapes[index])])
    if draft.should_be_invalid(SHAPE):
        shapes[-1] = arrays.nearly(choices, shapes[-1])
    drawn = [
        arrays.array(choices, choices.pick(arrays.ANY) if choices.flag(0.15) else dtype, shape) for shape in shapes
    ]
    subscripts = ",".join("..." * dots + term for term in terms)
    if is_usual and arrow:
        subscripts += "->" + "..." * dots + usual_result
    elif not is_usual and choices.flag(0.7):
        result = arrays.shuffled(choices, letters)[: choices.integer(0, len(letters))]
        subscripts += "->" + "..." * dots + "".join(result)
    if choices.flag(0.1):
        return _interleaved(subscripts, drawn, dots)
    return [subscripts, *drawn]


BROADCAST_SHARE = 0.1


def _interleaved(subscripts: str, arrays: list[Any], dots: bool) -> list[Any]:
    """Return the operands with subscripts as lists of integers after each, the other form that einsum takes."""
    inputs, arrow, result = subscripts.replace("...", "").partition("->")

    def numbered(term: str) -> list[Any]:
        return [Ellipsis] * dots + [string.ascii_lowercase.index(letter) for letter in term]

    found = [part for array, term in zip(arrays, inputs.split(","), strict=True) for part in (array, numbered(term))]
    return [*found, numbered(result)] if arrow else found


def matrix(low: int = 2, high: int = 4) -> Strategy:
    """Return a strategy for a matrix or a stack of them. None contains an infinity, for which LAPACK may not
    terminate.
    """
    return conditioned(array(low, high, SOLVABLE, "finite"), *matrices.KINDS)


def square_matrix(low: int = 2, high: int = 4, *more: Kind) -> Strategy:
    """Return a strategy for a square matrix or a stack of them."""
    return conditioned(square(low, high, SOLVABLE, "finite"), *matrices.KINDS, *more)


def hermitian_if_said(strategy: Strategy) -> Strategy:
    """Return the strategy with a Hermitian matrix if the argument `hermitian` says so: NumPy does not check it."""

    def draw(draft: Draft) -> Any:
        if draft["hermitian"] is not True or draft.should_violate():
            return strategy(draft)
        return mirrored(SQUARE)(draft)

    return draw


def mirrored(strategy: Strategy) -> Strategy:
    """Return the strategy with the lower triangle of a square matrix mirrored."""

    def draw(draft: Draft) -> Any:
        found = strategy(draft)
        shape = np.shape(found)
        if len(shape) < 2 or shape[-1] != shape[-2] or not np.size(found) or draft.should_violate():
            return found
        return arrays.laid(draft.choices, matrices.make_hermitian(np.array(found)), exactly=True)

    return draw


def definite(draft: Draft) -> Any:
    """Draw a positive definite matrix: I + A A^H of a small A."""
    choices = draft.choices
    dim = arrays.dim(choices, 4)
    dtype = choices.pick(SOLVABLE)
    if arrays.kind(dtype) in "iu":
        dtype = np.dtype(np.float64)
    shape = (*(arrays.shape(choices, 0, 1) if choices.flag(0.2) else ()), dim, dim + draft.should_be_invalid(SHAPE))
    half = arrays.filled(choices, dtype, shape, (0.0, 1.0, 0.5, -1.0, 2.0, *(IMAGINARY if dtype.kind == "c" else ())))
    if shape[-1] != shape[-2]:
        return half
    found = (half @ half.swapaxes(-1, -2).conj() + np.eye(dim)).astype(dtype)
    return arrays.laid(choices, found, exactly=True)


IMAGINARY = (1j, -2j, 0.5 + 1j)
"""Entries by which a matrix differs from its conjugate."""


def entries(dtype: np.dtype) -> tuple[complex, ...]:
    """Return numbers for the entries beside a dominant diagonal."""
    if dtype.kind == "u":
        return (0, 1, 2, 1, 0)
    return (0, 1, 2, -1, 0, 0.5, *(IMAGINARY if dtype.kind == "c" else ()))


def regular(draft: Draft) -> Any:
    """Draw a square matrix that is far from singular, with a dominant diagonal. One in ten is arbitrary."""
    choices = draft.choices
    if draft.should_be_invalid(SHAPE) or choices.flag(0.1):
        return square(2, 3, SOLVABLE, "finite")(draft)
    dim, dtype = arrays.dim(choices, 4), choices.pick(SOLVABLE)
    batch = arrays.shape(choices, 0, 1) if choices.flag(0.2) else ()
    found = arrays.filled(choices, dtype, (*batch, dim, dim), entries(dtype))
    return arrays.laid(choices, (found + 9 * np.eye(dim)).astype(dtype), exactly=True)


def invertible(draft: Draft) -> Any:
    """Draw an array that is a square matrix once some axes are merged."""
    choices = draft.choices
    shape = (
        choices.pick(((2, 2), (4, 2, 2), (2, 2, 4), (6, 3, 2), (1, 1), (2, 3, 6)))
        if not draft.should_be_invalid(SHAPE)
        else (2, 3)
    )
    dim = shape[0] if len(shape) == 2 or shape[0] > 2 else shape[-1]
    dtype = choices.pick(SOLVABLE)
    matrix = arrays.filled(choices, dtype, (dim, dim), entries(dtype))
    found = (matrix + 9 * np.eye(dim)).astype(matrix.dtype)
    if dim * dim != np.prod(shape):
        return np.zeros(shape)
    return arrays.laid(choices, found.reshape(shape), exactly=True)


def halfway(draft: Draft) -> Any:
    """Draw the number of axes that are merged into rows."""
    shape = draft.shape("a")
    return (
        draft.choices.pick((0, -1)) if draft.should_be_invalid(BOUND) else 1 if len(shape) == 2 or shape[0] > 2 else 2
    )


def moved(strategy: Strategy) -> Strategy:
    """Return a strategy for an array that is what another draws once its `axes` are moved to the end."""

    def draw(draft: Draft) -> Any:
        found = np.asarray(strategy(draft))
        order = order_of_axes(draft["axes"], found.ndim)
        return found.transpose(np.argsort(order)) if len(order) == found.ndim else found

    return draw


def order_of_axes(axes: Any, rank: int) -> list[int]:
    """Return the axes of an array with some of them moved to the end."""
    if not isinstance(axes, tuple | list):
        return list(range(rank))
    return [axis for axis in range(rank) if axis not in axes] + [axis for axis in axes if axis < rank]


def rows_together(draft: Draft) -> Shape:
    """Draw the shape of the merged row axes of an array that is a square matrix once its axes are moved."""
    shape = draft.shape("a")
    if draft["axes"] is not None:
        shape = tuple([shape[axis] for axis in order_of_axes(draft["axes"], len(shape))])
    return shape[: 1 if len(shape) < 3 or shape[0] > 2 else 2]


def right_hand_shape(draft: Draft) -> Shape:
    """Draw the shape of right-hand sides, in a stack that broadcasts with that of the matrices."""
    shape, choices = draft.shape("a"), draft.choices
    lead = shape[:-2] if choices.flag(0.4) else (2, *shape[:-2]) if choices.flag(0.1) else ()
    return (*lead, shape[-1], arrays.dim(choices, 3)) if shape else ()


def right_hand_rows(draft: Draft) -> Shape:
    """Draw the shape of one right-hand side, or of several as columns."""
    choices = draft.choices
    return (*draft.shape("a")[:1], *((arrays.dim(choices, 3),) if choices.flag(0.4) else ()))


def multiplied(draft: Draft) -> Shape:
    """Draw the shape of a matrix, or of a stack that broadcasts with the first, for `matmul`."""
    first, choices = draft.shape("x1"), draft.choices
    lead = arrays.narrowed(choices, first[:-2]) if choices.flag() else ()
    return (*lead, *first[-1:], choices.pick((2, 1, 3)))


def chain(draft: Draft) -> Any:
    """Draw matrices that can be multiplied in a chain, with vectors at the ends."""
    choices = draft.choices
    dims = [choices.integer(1, 4) for _ in range(choices.pick((3, 4, 5, 3, 4, 5, 6, 7)))]
    shapes: list[Shape] = list(itertools.pairwise(dims))
    if choices.flag(0.3):
        shapes[0] = shapes[0][1:]
    if choices.flag(0.3):
        shapes[-1] = shapes[-1][:1]
    if draft.should_be_invalid(SHAPE):
        shapes[-1] = arrays.nearly(choices, shapes[-1])
    return [arrays.array(choices, choices.pick(arrays.ANY), shape, "small") for shape in shapes]


def condition_norm(draft: Draft) -> Any:
    """Draw the norm of a condition number: only that of singular values is defined for a matrix that is not square."""
    shape = draft.shape("x")
    is_square = len(shape) > 1 and shape[-1] == shape[-2]
    return literal(*(None, 2, -2), *((1, -1, np.inf, "fro", "nuc") if is_square else ()), bad=("a",))(draft)


MORE_ORDERS = (0, 3, 0.5, 0.0, -0.0, -2, -0.5, np.float64(2.5))


def norm_order(draft: Draft) -> Any:
    axis, rank = draft["axis"], len(draft.shape("x"))
    matrix = (axis is None and rank == 2) or (type(axis) is tuple and len(axis) == 2)
    if draft.should_be_invalid(OPTION):
        return draft.choices.pick(("bogus", "nuc" if not matrix else 7))
    options = (None, 1, 2, np.inf, -np.inf, -1)
    return draft.choices.pick((*options, "fro", "nuc", -2) if matrix else (*options, *MORE_ORDERS))


def norm_axis(draft: Draft) -> Any:
    rank = len(draft.shape("x"))
    if not rank > 0:
        return None
    if draft.should_be_invalid(AXIS):
        return draft.choices.pick((rank, (0, 0)))
    if rank > 1 and (draft.choices.flag(0.4) or rank > 2):
        return tuple(arrays.shuffled(draft.choices, range(rank))[:2]) if draft.choices.flag() else axis_of("x")(draft)
    return axis_of("x", none=True)(draft)


MATRIX = matrix()
SQUARE = square_matrix()
MATRICES = either(MATRIX, SQUARE)
FINITE = conditioned(square(2, 4, SOLVABLE, "finite"), matrices.make_singular, *matrices.REGULAR)
REGULAR = conditioned(regular, *matrices.REGULAR, matrices.make_missing, matrices.make_infinite)
ANY_FIRST = array(0, 3)

LINES: dict[str, dict[str, Strategy]] = {
    "cross": {
        "a": triples("a"),
        "b": triples("b", "a"),
        **dict.fromkeys(("axisa", "axisb", "axisc"), literal(-1, 0, -2, 0, 1)),
        "axis": sometimes(literal(-1, None, 0, -2), 0.3),
    },
    "dot": {"a": ANY_FIRST, "b": array_of_shape(contracted, like="a")},
    "einsum": {
        "operands": operands,
        "optimize": literal(False, True, "greedy", "optimal"),
        "kwargs": keywords({"dtype": np.float64, "casting": "unsafe"}, {"order": "F"}, {"dtype": "c16"}),
    },
    "inner": {"a": ANY_FIRST, "b": array_of_shape(rows_alike, like="a")},
    "kron": {"a": array(0, 2), "b": array(0, 2)},
    "outer": {"a": array(0, 2), "b": array(0, 2)},
    "tensordot": {"a": ANY_FIRST, "b": array_of_shape(summed_with, like="a"), "axes": always(axes_or_default)},
    "trace": {"a": array(2, 4), **TWO_AXES},
    "vdot": {"a": ANY_FIRST, "b": array_of_shape(flat_alike, like="a")},
    "linalg.cholesky": {
        "a": mirrored(conditioned(definite, *matrices.REGULAR[1:], matrices.make_missing)),
    },
    "linalg.cond": {
        "x": either(square_matrix(2, 3), matrix(2, 3)),
        "p": condition_norm,
    },
    "linalg.cross": {"x1": triples("x1"), "x2": triples("x2", "x1"), "axis": either(literal(-1), literal(0, -2))},
    "linalg.det": {"a": square_matrix(2, 4, matrices.make_infinite)},
    "linalg.diagonal": {"x": array(2, 4)},
    "linalg.eig": {"a": FINITE},
    "linalg.eigh": {"a": SQUARE, "UPLO": literal("L", "U", "l", bad=("X",))},
    "linalg.eigvals": {"a": FINITE},
    "linalg.eigvalsh": {"a": SQUARE, "UPLO": literal("L", "U", "l", "u")},
    "linalg.inv": {"a": REGULAR},
    "linalg.lstsq": {
        "a": matrix(2, 2),
        "b": array_of_shape(right_hand_rows, SOLVABLE),
        "rcond": literal(None, 1e-8, 0.3, 0.6, -1),
    },
    "linalg.matmul": {"x1": array(2, 3), "x2": array_of_shape(multiplied, like="x1")},
    "linalg.matrix_norm": {"x": MATRIX, "ord": literal("fro", "nuc", 1, 2, -1, -2, np.inf, -np.inf)},
    "linalg.matrix_power": {"a": REGULAR, "n": either(*[integer(-2, 5)] * 4, literal(8, 11, 16, 6, -7))},
    "linalg.matrix_rank": {
        "A": hermitian_if_said(either(matrix(0, 3), SQUARE)),
        "tol": literal(None, None, 0.1, 2),
        "hermitian": literal(False, True),
        "rtol": unless("tol", literal(None, None, 0.5)),
    },
    "linalg.matrix_transpose": {"x": array(2)},
    "linalg.multi_dot": {"arrays": chain},
    "linalg.norm": {
        "x": either(array(1, 1), conditioned(array(2, 3, arrays.ANY, "finite"), *matrices.KINDS)),
        "ord": norm_order,
        "axis": norm_axis,
    },
    "linalg.outer": {"x1": array(1, 1), "x2": array(1, 1)},
    "linalg.pinv": {
        "a": hermitian_if_said(MATRICES),
        "rcond": literal(None, None, 1e-8, 0.1, 0.5, 0),
        "hermitian": literal(False, True),
        "rtol": unless("rcond", literal(1e-6, 0.5)),
    },
    "linalg.qr": {"a": conditioned(MATRIX, matrices.make_infinite), "mode": literal("reduced", "complete", "r", "raw")},
    "linalg.slogdet": {"a": square_matrix(2, 4, matrices.make_infinite)},
    "linalg.solve": {
        "a": REGULAR,
        "b": either(
            array_of_shape(right_hand_shape, SOLVABLE), array_of_shape(lambda draft: draft.shape("a")[-1:], SOLVABLE)
        ),
    },
    "linalg.svd": {"a": hermitian_if_said(MATRICES), "hermitian": literal(False, True)},
    "linalg.svdvals": {"x": MATRIX},
    "linalg.tensordot": {
        "x1": ANY_FIRST,
        "x2": array_of_shape(summed_with, like="x1"),
        "axes": always(axes_or_default),
    },
    "linalg.tensorinv": {
        "a": conditioned(invertible, *matrices.KINDS[1:]),
        "ind": always(halfway),
    },
    "linalg.tensorsolve": {
        "a": moved(either(REGULAR, invertible)),
        "b": array_of_shape(rows_together, SOLVABLE),
        "axes": literal(None, (0,), (1,), (0, 2), (2, 0), (1, 0)),
    },
    "linalg.trace": {"x": array(2, 4)},
    "linalg.vecdot": {
        "x1": array(1, 3),
        "x2": either(same_shape("x1"), array_of_shape(lambda draft: draft.shape("x1")[-1:], like="x1")),
        "axis": literal(-1),
    },
    "linalg.vector_norm": {
        "x": array(0, 3, NUMBERS),
        "axis": axis_of("x", none=True, many=True),
        "ord": literal(2, 1, 0, 3, np.inf, -np.inf, 0.5, -1, -2, -0.5),
    },
}
