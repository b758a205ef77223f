"""`einsum`, as a sequence of matrix products."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, ops, outputs, shapes
from tfnp._core.arguments import as_casting, check_order
from tfnp._core.checks import check
from tfnp._core.convert import to_tensor
from tfnp._core.eager_tensors import EagerTensor
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, Out
from tfnp._core.tensor_conversion import apply_conversion
from tfnp._kernels.linalg import contraction
from tfnp._kernels.reduce import over_axes
from tfnp.routines.linear_algebra.products import diagonal
from tfnp.routines.math import ufuncs

__all__ = ["einsum", "einsum_path"]

Labels = tuple[Any, ...]
_ELEMENTWISE: Final = frozenset((tf.float32, tf.float64, tf.int32, tf.int64))
_MAX_PRODUCTS: Final = 2**18
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


@array_function(promotes=("operands",), unknown_rank="each", traces=("operands",))
def einsum(*operands: Any, out: Out = None, optimize: bool | str | Sequence[Any] = False, **kwargs: Any) -> tf.Tensor:
    """Pairs of operands are contracted by matrix products: in the order of `optimize`, or from left to right where
    shapes are not static.

    float16 and bfloat16 are summed in float32. `out` must be a tf.Variable.
    """
    for name in kwargs:
        if name not in {"dtype", "casting", "order"}:
            raise TypeError(f"Did not understand the following kwargs: ['{name}']")
    outputs.as_variable(out)
    check_order(kwargs.get("order", "K"))
    is_pair = False
    if not isinstance(optimize, bool | str | list | tuple | None):
        np.einsum_path("i->i", np.zeros(1), optimize=optimize)  # raises
    if optimize is not False and _have_static_shapes(operands):
        operands, is_pair = _run_path(operands, optimize, kwargs)
    tensors, labels, expected = _parse(operands, optimize is False)
    casting = as_casting(kwargs.get("casting", "safe"))
    requested_dtype = None if kwargs.get("dtype") is None else dtypes.as_dtype(kwargs["dtype"])
    if len(tensors) == 1 and out is None and {*labels[0]} <= {*expected}:
        requested_dtype = None  # NumPy returns a view of the operand
    dtype_sources = tensors if out is None or is_pair else [*tensors, out]
    dtype = requested_dtype or dtypes.result_type(*dtype_sources)
    dtypes.check_arithmetic(dtype, "einsum")
    for tensor in tensors:
        dtypes.check_cast(dtypes.as_numpy(tensor.dtype), dtypes.as_numpy(dtype), casting, "array data")
    terms = [_take_diagonals(tensor, term_labels) for tensor, term_labels in zip(tensors, labels, strict=True)]
    if is_pair:
        terms = [_sum_out(*terms[0], {*terms[1][1], *expected}), _sum_out(*terms[1], {*terms[0][1], *expected})]
    terms = [(convert.cast(tensor, dtype), term_labels) for tensor, term_labels in terms]
    result = _contract_terms(terms, expected, optimize is False)
    if out is None:
        return result
    if is_pair:  # NumPy uses a ufunc, unless sums are written to the output afterwards
        casting = as_casting(kwargs.get("casting", "same_kind"))
    if not is_pair or set(terms[0][1]) & set(terms[1][1]) <= set(expected):
        dtypes.check_cast(dtypes.as_numpy(dtype), dtypes.as_numpy(out.dtype), casting, "the result")
    if out.shape.rank != shapes.rank(result) and not is_pair:
        raise ValueError(
            f"out parameter does not have the correct number of dimensions, has {out.shape.rank} but should have "
            f"{shapes.rank(result)}"
        )
    return outputs.write_output(result, out, None, casting="unsafe")


def _have_static_shapes(operands: tuple[Any, ...]) -> bool:
    items = map(apply_conversion, operands)
    return all(item.shape.is_fully_defined() for item in items if isinstance(item, tf.Tensor | tf.Variable))


def _run_path(operands: tuple[Any, ...], optimize: Any, kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], bool]:
    """Contract along NumPy's path up to its last step. Return the operands of that, and whether they are a pair."""
    _, steps = einsum_path(*operands, optimize=optimize, einsum_call=True)
    tensors = _parse(operands, False)[0]
    for step, (indices, text, *_) in enumerate(steps, 1):
        step_operands = [tensors.pop(index) for index in indices]
        if step == len(steps):
            return (text, *step_operands), len(step_operands) == 2
        tensors.append(einsum(text, *step_operands, optimize=len(step_operands) == 2, **kwargs))
    return operands, False


@array_function(unknown_rank="each")
def einsum_path(*operands: ArrayLike, optimize: bool | str | Sequence[Any] = "greedy", einsum_call: Any = False) -> Any:
    """The path is NumPy's own. Shapes must be static."""
    placeholders = [_as_placeholder(item) for item in operands]
    return np.einsum_path(*placeholders, optimize=optimize, einsum_call=einsum_call)


def _as_placeholder(item: Any) -> Any:
    item = apply_conversion(item)
    if isinstance(item, tf.Tensor | tf.Variable):
        return np.broadcast_to(np.zeros((), dtypes.as_numpy(item.dtype)), tuple(item.shape))
    return item


def _parse(operands: tuple[Any, ...], strict: bool) -> tuple[list[tf.Tensor], list[Labels], Labels]:
    """Return the operands, the labels of their axes, and those of the result.

    The axes of an ellipsis are labeled by negative integers.
    """
    if not operands:
        raise ValueError("must specify the einstein sum subscripts string and at least one operand")
    if isinstance(operands[0], str):
        tensors = [to_tensor(operand) for operand in operands[1:]]
        left, arrow, right = operands[0].replace(" ", "").partition("->")
        terms = [_parse_letters(term) for term in left.split(",")]
        expected = _parse_letters(right) if arrow else None
    else:
        pairs = list(zip(operands[0::2], operands[1::2], strict=False))
        tensors = [to_tensor(operand) for operand, _ in pairs]
        terms = [_parse_sublist(labels) for _, labels in pairs]
        expected = _parse_sublist(operands[-1]) if len(operands) % 2 else None
    if len(terms) != len(tensors):
        raise ValueError("the number of operands does not match the number of terms in the subscripts string")
    labels = [_expand_ellipsis(term, shapes.rank(tensor)) for term, tensor in zip(terms, tensors, strict=True)]
    return tensors, labels, _find_output_labels(labels, expected, strict)


def _parse_letters(term: str) -> Labels:
    sections = term.split("...")
    if len(sections) > 2 or any(letter not in _LETTERS for section in sections for letter in section):
        raise ValueError(f"invalid subscript in {term!r}: only letters and one ellipsis are allowed")
    return tuple(sections[0]) + ((Ellipsis, *sections[1]) if len(sections) == 2 else ())


def _parse_sublist(labels: Any) -> Labels:
    result = []
    for label in labels:
        if label is Ellipsis:
            result.append(Ellipsis)
            continue
        value = shapes.as_int(label)
        if not 0 <= value < len(_LETTERS):
            raise ValueError("subscript is not within the valid range [0, 52)")
        result.append(_LETTERS[26 + value] if value < 26 else _LETTERS[value - 26])
    return tuple(result)


def _expand_ellipsis(term: Labels, rank: int) -> Labels:
    """Replace the ellipsis by integers, counted from the last axis it stands for."""
    ellipsis_rank = rank - sum(label is not Ellipsis for label in term)
    if ellipsis_rank < 0:
        raise ValueError("einstein sum subscripts string contains too many subscripts for operand")
    if Ellipsis not in term:
        if ellipsis_rank:
            raise ValueError("operand has more dimensions than subscripts given in einstein sum, but no '...' ellipsis")
        return term
    index = term.index(Ellipsis)
    return (*term[:index], *range(-ellipsis_rank, 0), *term[index + 1 :])


def _find_output_labels(labels: list[Labels], expected: Labels | None, strict: bool) -> Labels:
    """Return the labels of the result: the expected ones, with the ellipsis expanded, or all that occur once."""
    counts: dict[Any, int] = {}
    for term in labels:
        for label in term:
            counts[label] = counts.get(label, 0) + 1
    ellipsis_labels = tuple(sorted(label for label in counts if isinstance(label, int)))
    if expected is None:
        return (
            *ellipsis_labels,
            *sorted(label for label, count in counts.items() if count == 1 and isinstance(label, str)),
        )
    named = [label for label in expected if label is not Ellipsis]
    if len(set(named)) != len(named):
        raise ValueError("einstein sum subscripts string includes output subscript multiple times")
    if any(label not in counts for label in named):
        raise ValueError("einstein sum subscripts string included output subscript which never appeared in an input")
    if Ellipsis not in expected:
        if ellipsis_labels and strict:
            raise ValueError("output has no ellipsis, but the operands have broadcast dimensions")
        return expected
    index = expected.index(Ellipsis)
    return (*expected[:index], *ellipsis_labels, *expected[index + 1 :])


def _take_diagonals(tensor: tf.Tensor, labels: Labels) -> tuple[tf.Tensor, Labels]:
    """Take the diagonal of axes that have the same label. Return the tensor and its labels."""
    while len(set(labels)) != len(labels):
        repeated = next(label for label in labels if labels.count(label) > 1)
        first, second = [index for index, label in enumerate(labels) if label == repeated][:2]
        message = f"dimensions in single operand for collapsing index '{repeated}' don't match"
        if not tensor.shape[first : first + 1].is_compatible_with(tensor.shape[second : second + 1]):
            raise ValueError(message)
        if None in (tensor.shape[first], tensor.shape[second]):
            shape = shapes.shape(tensor)
            tensor = check(tf.equal(shape[first], shape[second]), ValueError(message), tensor)
        tensor = diagonal(tensor, 0, first, second)
        labels = (*(label for index, label in enumerate(labels) if index not in (first, second)), repeated)
    return tensor, labels


def _contract_terms(terms: list[tuple[tf.Tensor, Labels]], expected: Labels, strict: bool) -> tf.Tensor:
    """Contract from left to right, by matrix products.

    With `strict`, multiply everything before anything is summed, as NumPy does, unless there are too many products:
    with infinite elements this gives another result.
    """
    shape = _label_dims(terms)
    terms = _broadcast_shared([_drop_unit_axes(tensor, labels, shape) for tensor, labels in terms], shape)
    count = layout.product(list(shape.values()))
    if strict and isinstance(count, int) and count <= _MAX_PRODUCTS and _sums_early(terms, expected):
        return _sum_products(terms, expected, shape)
    product, labels = terms[0]
    for index, (other, other_labels) in enumerate(terms[1:], 1):
        later = set(expected).union(*(names for _, names in terms[index + 1 :]))
        product, labels = _sum_out(product, labels, later | set(other_labels))
        other_term = _sum_out(other, other_labels, later | set(labels))
        product, labels = _multiply(product, labels, *other_term, later)
    product, labels = _sum_out(product, labels, set(expected))
    return _align_axes(product, labels, expected, shape)


def _sums_early(terms: list[tuple[tf.Tensor, Labels]], expected: Labels) -> bool:
    """Return whether a sequence of matrix products sums before everything is multiplied."""
    if len(terms) != 2:
        return len(terms) > 2
    return bool((set(terms[0][1]) ^ set(terms[1][1])) - set(expected))


def _sum_products(terms: list[tuple[tf.Tensor, Labels]], expected: Labels, shape: dict[Any, shapes.Dim]) -> tf.Tensor:
    """Broadcast all operands to all labels, multiply them, then sum."""
    order = [*expected, *(label for label in shape if label not in expected)]
    dtype = terms[0][0].dtype
    upcast = contraction.WIDER.get(dtype, dtype) if dtype.is_floating else dtype
    product: Any = None
    for tensor, labels in terms:
        arranged = _align_axes(convert.cast(tensor, upcast), labels, tuple(x for x in order if x in labels), shape)
        dims = dict(zip((x for x in order if x in labels), shapes.shape(arranged), strict=True))
        arranged = shapes.reshape(arranged, [dims.get(label, 1) for label in order])
        # Without this, Grappler would multiply the small operands first.
        arranged = shapes.broadcast_to(arranged, [shape[label] for label in order])
        product = arranged if product is None else ufuncs.multiply(product, arranged)
    return convert.cast(over_axes.reduce_sum(product, tuple(range(len(expected), len(order)))), dtype)


def _label_dims(terms: list[tuple[tf.Tensor, Labels]]) -> dict[Any, shapes.Dim]:
    """Return the dimension of each label, to which dimensions of 1 are broadcast."""
    shape: dict[Any, shapes.Dim] = {}
    for tensor, labels in terms:
        for label, dim in zip(labels, shapes.shape(tensor), strict=True):
            shape[label] = shapes.broadcast_shapes((shape.get(label, 1),), (dim,))[0]
    return shape


def _broadcast_shared(
    terms: list[tuple[tf.Tensor, Labels]], shape: dict[Any, shapes.Dim]
) -> list[tuple[tf.Tensor, Labels]]:
    """Broadcast axes whose label occurs in several operands, where their dimensions are known when the graph runs."""
    named = [label for _, labels in terms for label in labels]

    def broadcast(tensor: tf.Tensor, labels: Labels) -> tf.Tensor:
        tensor_shape = shapes.shape(tensor)
        pairs = zip(tensor_shape, labels, strict=True)
        common = [dim if isinstance(dim, int) or named.count(label) == 1 else shape[label] for dim, label in pairs]
        return tensor if shapes.is_static(tensor_shape) else shapes.broadcast_to(tensor, common)

    return [(broadcast(tensor, labels), labels) for tensor, labels in terms]


def _drop_unit_axes(tensor: tf.Tensor, labels: Labels, shape: dict[Any, shapes.Dim]) -> tuple[tf.Tensor, Labels]:
    """Drop axes of length 1 whose label has a larger dimension."""
    tensor_shape = shapes.shape(tensor)
    axes = [
        axis for axis, label in enumerate(labels) if not (_is_one(tensor_shape[axis]) and not _is_one(shape[label]))
    ]
    if len(axes) == len(labels):
        return tensor, labels
    return shapes.reshape(tensor, [tensor_shape[index] for index in axes]), tuple(labels[index] for index in axes)


def _is_one(dim: shapes.Dim) -> bool:
    return isinstance(dim, int) and dim == 1


def _sum_out(tensor: tf.Tensor, labels: Labels, needed: set[Any]) -> tuple[tf.Tensor, Labels]:
    """Sum over the axes whose labels are not needed. Return the result and its labels."""
    axes = tuple(index for index, label in enumerate(labels) if label not in needed)
    if not axes:
        return tensor, labels
    return over_axes.reduce_sum(tensor, axes), tuple(label for label in labels if label in needed)


def _multiply(a: tf.Tensor, first: Labels, b: tf.Tensor, second: Labels, later: set[Any]) -> tuple[tf.Tensor, Labels]:
    """Multiply two operands as batches of matrices. Return the product and its labels.

    Of the labels of both, those needed later are the batch axes, and the others are summed.
    """
    common = [label for label in first if label in second]
    batch, inner = [x for x in common if x in later], [x for x in common if x not in later]
    left, right = [x for x in first if x not in common], [x for x in second if x not in common]
    shape = {**dict(zip(second, shapes.shape(b), strict=True)), **dict(zip(first, shapes.shape(a), strict=True))}

    def product(names: list[Any]) -> shapes.Dim:
        return layout.product([shape[name] for name in names])

    rows = _as_batch(a, first, [*batch, *left, *inner], (product(batch), product(left), product(inner)))
    columns = _as_batch(b, second, [*batch, *inner, *right], (product(batch), product(inner), product(right)))
    zero = convert.as_constant(np.zeros((), dtypes.as_numpy(rows.dtype)))  # Grappler omits the sum with another one
    if not inner and rows.dtype in _ELEMENTWISE and (type(zero) is EagerTensor or rows.dtype.is_integer):
        result = ops.add(ops.multiply(rows, columns), zero)  # a sum of products is never -0.0
    else:
        result = contraction.matmul(rows, columns)
    names = (*batch, *left, *right)
    return tf.reshape(result, shapes.shape_tensor([shape[name] for name in names])), names


def _as_batch(tensor: tf.Tensor, labels: Labels, order: list[Any], shape: tuple[shapes.Dim, ...]) -> tf.Tensor:
    """Transpose the axes to an order of labels, and reshape the tensor to a batch of matrices."""
    permutation = tuple(labels.index(label) for label in order)
    if permutation != tuple(range(len(labels))):
        tensor = layout.transpose(tensor, permutation)
    return tf.reshape(tensor, shapes.shape_tensor(shape))


def _align_axes(tensor: tf.Tensor, labels: Labels, expected: Labels, shape: dict[Any, shapes.Dim]) -> tf.Tensor:
    """Transpose and broadcast the axes to the expected labels."""
    present = [label for label in expected if label in labels]
    permutation = tuple(labels.index(label) for label in present)
    if permutation != tuple(range(len(labels))):
        tensor = layout.transpose(tensor, permutation)
    return (
        shapes.broadcast_to(tensor, [shape[label] for label in expected])
        if len(present) == len(expected)
        else (shapes.reshape(tensor, [shape[label] if label in labels else 1 for label in expected]))
    )
