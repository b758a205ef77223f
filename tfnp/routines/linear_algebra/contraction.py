"""Einstein's summation: `einsum`, as one product of matrices after another."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, outputs, shapes
from tfnp._core.arguments import as_casting, check_order
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.errors import not_a_variable_error
from tfnp._core.tensor_conversion import apply_conversion
from tfnp._kernels.linalg import contraction
from tfnp._kernels.reduce import over_axes
from tfnp.routines.linear_algebra.products import diagonal
from tfnp.routines.math import ufuncs

__all__ = ["einsum", "einsum_path"]

Labels = tuple[Any, ...]
MOST_PRODUCTS: Final = 2**18
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


@array_function(promotes=("operands",), unknown_rank="each")
def einsum(*operands: Any, out: Any = None, optimize: Any = False, **kwargs: Any) -> tf.Tensor:
    """In the order that `optimize` asks for, of two operands after another where NumPy would do so; where sides are
    unknown while tracing, from left to right.
    """
    for name in kwargs:
        if name not in {"dtype", "casting", "order"}:
            raise TypeError(f"Did not understand the following kwargs: ['{name}']")
    if out is not None and not isinstance(out, tf.Variable):
        raise not_a_variable_error("out", out)
    check_order(kwargs.get("order", "K"))
    is_pair = False
    if not isinstance(optimize, bool | str | list | tuple | None):
        np.einsum_path("i->i", np.zeros(1), optimize=optimize)  # which raises
    if optimize is not False and _is_known(operands):
        operands, is_pair = _stepped(operands, optimize, kwargs)
    tensors, labels, expected = _parsed(operands, optimize is False)
    casting = as_casting(kwargs.get("casting", "safe"))
    asked = None if kwargs.get("dtype") is None else dtypes.as_dtype(kwargs["dtype"])
    if len(tensors) == 1 and out is None and {*labels[0]} <= {*expected}:
        asked = None  # NumPy looks at the operand in another order, and does nothing to it
    holders = tensors if out is None or is_pair else [*tensors, out]
    kind = asked or dtypes.result_type(*holders)
    for tensor in tensors:
        dtypes.check_cast(dtypes.as_numpy(tensor.dtype), dtypes.as_numpy(kind), casting, "array data")
    terms = [_simplified(tensor, own) for tensor, own in zip(tensors, labels, strict=True)]
    if is_pair:
        terms = [_summed(*terms[0], {*terms[1][1], *expected}), _summed(*terms[1], {*terms[0][1], *expected})]
    terms = [(convert.cast(tensor, kind), own) for tensor, own in terms]
    result = _contracted(terms, expected, optimize is False)
    if out is None:
        return result
    if is_pair:  # by a ufunc, unless sums are written to the output afterwards
        casting = as_casting(kwargs.get("casting", "same_kind"))
    if not is_pair or set(terms[0][1]) & set(terms[1][1]) <= set(expected):
        dtypes.check_cast(dtypes.as_numpy(kind), dtypes.as_numpy(out.dtype), casting, "the result")
    if out.shape.rank != shapes.rank(result) and not is_pair:
        raise ValueError(
            f"out parameter does not have the correct number of dimensions, has {out.shape.rank} but should have "
            f"{shapes.rank(result)}"
        )
    return outputs.write_output(result, out, None, casting="unsafe")


def _is_known(operands: tuple[Any, ...]) -> bool:
    items = map(apply_conversion, operands)
    return all(item.shape.is_fully_defined() for item in items if isinstance(item, tf.Tensor | tf.Variable))


def _stepped(operands: tuple[Any, ...], optimize: Any, kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], bool]:
    """The last step of NumPy's plan, all before it done; and whether it is one of two operands."""
    _, steps = einsum_path(*operands, optimize=optimize, einsum_call=True)
    tensors = _parsed(operands, False)[0]
    for number, (indices, text, *_) in enumerate(steps, 1):
        chosen = [tensors.pop(index) for index in indices]
        if number == len(steps):
            return (text, *chosen), len(chosen) == 2
        tensors.append(einsum(text, *chosen, optimize=len(chosen) == 2, **kwargs))
    return operands, False


@array_function(unknown_rank="each")
def einsum_path(*operands: Any, optimize: Any = "greedy", einsum_call: Any = False) -> Any:
    """NumPy's own, which looks at shapes only."""
    shown = [_stand_in(item) for item in operands]
    return np.einsum_path(*shown, optimize=optimize, einsum_call=einsum_call)


def _stand_in(item: Any) -> Any:
    item = apply_conversion(item)
    if isinstance(item, tf.Tensor | tf.Variable):
        return np.broadcast_to(np.zeros((), dtypes.as_numpy(item.dtype)), tuple(item.shape))
    return item


def _parsed(operands: tuple[Any, ...], strict: bool) -> tuple[list[tf.Tensor], list[Labels], Labels]:
    """Operands, the labels of their axes, and those of the result. An ellipsis stands for axes labelled by number."""
    if not operands:
        raise ValueError(
            "must specify the einstein sum subscripts string and at least one operand, or at least one ..."
        )
    if isinstance(operands[0], str):
        tensors = [to_tensor(operand) for operand in operands[1:]]
        left, arrow, right = operands[0].replace(" ", "").partition("->")
        terms = [_letters(term) for term in left.split(",")]
        expected = _letters(right) if arrow else None
    else:
        pairs = list(zip(operands[0::2], operands[1::2], strict=False))
        tensors = [to_tensor(operand) for operand, _ in pairs]
        terms = [_listed(labels) for _, labels in pairs]
        expected = _listed(operands[-1]) if len(operands) % 2 else None
    if len(terms) != len(tensors):
        raise ValueError("the number of operands does not match the number of terms in the subscripts string")
    labels = [_spelled(term, shapes.rank(tensor)) for term, tensor in zip(terms, tensors, strict=True)]
    return tensors, labels, _result(labels, expected, strict)


def _letters(term: str) -> Labels:
    parts = term.split("...")
    if len(parts) > 2 or any(letter not in _LETTERS for part in parts for letter in part):
        raise ValueError(f"invalid subscript in {term!r}: only letters and one ellipsis are allowed")
    return tuple(parts[0]) + ((Ellipsis, *parts[1]) if len(parts) == 2 else ())


def _listed(labels: Any) -> Labels:
    result = []
    for label in labels:
        if label is Ellipsis:
            result.append(Ellipsis)
            continue
        number = shapes.as_int(label)
        if not 0 <= number < len(_LETTERS):
            raise ValueError("subscript is not within the valid range [0, 52)")
        result.append(_LETTERS[26 + number] if number < 26 else _LETTERS[number - 26])
    return tuple(result)


def _spelled(term: Labels, rank: int) -> Labels:
    """With numbers in place of the ellipsis, counted from the last axis it stands for."""
    missing = rank - sum(label is not Ellipsis for label in term)
    if missing < 0:
        raise ValueError("einstein sum subscripts string contains too many subscripts for operand")
    if Ellipsis not in term:
        if missing:
            raise ValueError("operand has more dimensions than subscripts given in einstein sum, but no '...' ellipsis")
        return term
    index = term.index(Ellipsis)
    return (*term[:index], *range(-missing, 0), *term[index + 1 :])


def _result(labels: list[Labels], expected: Labels | None, strict: bool) -> Labels:
    counts: dict[Any, int] = {}
    for term in labels:
        for label in term:
            counts[label] = counts.get(label, 0) + 1
    spread = tuple(sorted(label for label in counts if isinstance(label, int)))
    if expected is None:
        return (*spread, *sorted(label for label, count in counts.items() if count == 1 and isinstance(label, str)))
    named = [label for label in expected if label is not Ellipsis]
    if len(set(named)) != len(named):
        raise ValueError("einstein sum subscripts string includes output subscript multiple times")
    if any(label not in counts for label in named):
        raise ValueError("einstein sum subscripts string included output subscript which never appeared in an input")
    if Ellipsis not in expected:
        if spread and strict:
            raise ValueError("output has no ellipsis, but the operands have broadcast dimensions")
        return expected
    index = expected.index(Ellipsis)
    return (*expected[:index], *spread, *expected[index + 1 :])


def _simplified(tensor: tf.Tensor, labels: Labels) -> tuple[tf.Tensor, Labels]:
    """Diagonals in place of labels that appear twice."""
    while len(set(labels)) != len(labels):
        twice = next(label for label in labels if labels.count(label) > 1)
        first, second = [index for index, label in enumerate(labels) if label == twice][:2]
        message = f"dimensions in single operand for collapsing index '{twice}' don't match"
        if not tensor.shape[first : first + 1].is_compatible_with(tensor.shape[second : second + 1]):
            raise ValueError(message)
        if None in (tensor.shape[first], tensor.shape[second]):
            shape = shapes.shape(tensor)
            is_valid = tf.debugging.Assert(tf.equal(shape[first], shape[second]), [message])
            with tf.control_dependencies([is_valid]):
                tensor = tf.identity(tensor)
        tensor = diagonal(tensor, 0, first, second)
        labels = (*(label for index, label in enumerate(labels) if index not in (first, second)), twice)
    return tensor, labels


def _contracted(terms: list[tuple[tf.Tensor, Labels]], expected: Labels, strict: bool) -> tf.Tensor:
    """Where `strict`, nothing is summed before all is multiplied, unless that makes too much of it: of infinite numbers
    the result is another.
    """
    shape = _sides(terms)
    terms = _widened([_narrowed(tensor, labels, shape) for tensor, labels in terms], shape)
    count = layout.product(list(shape.values()))
    if strict and isinstance(count, int) and count <= MOST_PRODUCTS and _sums_early(terms, expected):
        return _total_of_products(terms, expected, shape)
    current, labels = terms[0]
    for number, (other, own) in enumerate(terms[1:], 1):
        later = set(expected).union(*(names for _, names in terms[number + 1 :]))
        current, labels = _summed(current, labels, later | set(own))
        second = _summed(other, own, later | set(labels))
        current, labels = _multiplied(current, labels, *second, later)
    current, labels = _summed(current, labels, set(expected))
    return _arranged(current, labels, expected, shape)


def _sums_early(terms: list[tuple[tf.Tensor, Labels]], expected: Labels) -> bool:
    """Whether one product of matrices after another sums what is still to be multiplied."""
    if len(terms) != 2:
        return len(terms) > 2
    return bool((set(terms[0][1]) ^ set(terms[1][1])) - set(expected))


def _total_of_products(
    terms: list[tuple[tf.Tensor, Labels]], expected: Labels, shape: dict[Any, shapes.Dim]
) -> tf.Tensor:
    order = [*expected, *(label for label in shape if label not in expected)]
    dtype = terms[0][0].dtype
    upcast = contraction.WIDER.get(dtype, dtype) if dtype.is_floating else dtype
    product: Any = None
    for tensor, labels in terms:
        spread = _arranged(convert.cast(tensor, upcast), labels, tuple(x for x in order if x in labels), shape)
        own = dict(zip((x for x in order if x in labels), shapes.shape(spread), strict=True))
        spread = shapes.reshape(spread, [own.get(label, 1) for label in order])
        spread = shapes.broadcast_to(
            spread, [shape[label] for label in order]
        )  # or else a graph multiplies small first
        product = spread if product is None else ufuncs.multiply(product, spread)
    return convert.cast(over_axes.reduce_sum(product, tuple(range(len(expected), len(order)))), dtype)


def _sides(terms: list[tuple[tf.Tensor, Labels]]) -> dict[Any, shapes.Dim]:
    """The side that each label stands for; one of length 1 goes with any."""
    shape: dict[Any, shapes.Dim] = {}
    for tensor, labels in terms:
        for label, dim in zip(labels, shapes.shape(tensor), strict=True):
            shape[label] = shapes.broadcast_shapes((shape.get(label, 1),), (dim,))[0]
    return shape


def _widened(terms: list[tuple[tf.Tensor, Labels]], shape: dict[Any, shapes.Dim]) -> list[tuple[tf.Tensor, Labels]]:
    """What shares labels with others made as long as they are, where a graph learns when it runs whether it is."""
    named = [label for _, labels in terms for label in labels]

    def wide(tensor: tf.Tensor, labels: Labels) -> tf.Tensor:
        own = shapes.shape(tensor)
        pairs = zip(own, labels, strict=True)
        common = [dim if isinstance(dim, int) or named.count(label) == 1 else shape[label] for dim, label in pairs]
        return tensor if shapes.is_static(own) else shapes.broadcast_to(tensor, common)

    return [(wide(tensor, labels), labels) for tensor, labels in terms]


def _narrowed(tensor: tf.Tensor, labels: Labels, shape: dict[Any, shapes.Dim]) -> tuple[tf.Tensor, Labels]:
    """Without axes of length 1 whose label stands for more."""
    own = shapes.shape(tensor)
    kept = [p for p, label in enumerate(labels) if not (_is_one(own[p]) and not _is_one(shape[label]))]
    if len(kept) == len(labels):
        return tensor, labels
    return shapes.reshape(tensor, [own[index] for index in kept]), tuple(labels[index] for index in kept)


def _is_one(dim: shapes.Dim) -> bool:
    return isinstance(dim, int) and dim == 1


def _summed(tensor: tf.Tensor, labels: Labels, needed: set[Any]) -> tuple[tf.Tensor, Labels]:
    axes = tuple(index for index, label in enumerate(labels) if label not in needed)
    if not axes:
        return tensor, labels
    return over_axes.reduce_sum(tensor, axes), tuple(label for label in labels if label in needed)


def _multiplied(a: tf.Tensor, first: Labels, b: tf.Tensor, second: Labels, later: set[Any]) -> tuple[tf.Tensor, Labels]:
    """A batch of products of matrices: labels of both that are needed later, one's own, and what is summed."""
    both = [label for label in first if label in second]
    batch, inner = [x for x in both if x in later], [x for x in both if x not in later]
    left, right = [x for x in first if x not in both], [x for x in second if x not in both]
    shape = {**dict(zip(second, shapes.shape(b), strict=True)), **dict(zip(first, shapes.shape(a), strict=True))}

    def product(names: list[Any]) -> shapes.Dim:
        return layout.product([shape[name] for name in names])

    rows = _as(a, first, [*batch, *left, *inner], (product(batch), product(left), product(inner)))
    columns = _as(b, second, [*batch, *inner, *right], (product(batch), product(inner), product(right)))
    result = contraction.matmul(rows, columns)
    names = (*batch, *left, *right)
    return tf.reshape(result, shapes.shape_tensor([shape[name] for name in names])), names


def _as(tensor: tf.Tensor, labels: Labels, order: list[Any], shape: tuple[shapes.Dim, ...]) -> tf.Tensor:
    permutation = tuple(labels.index(label) for label in order)
    if permutation != tuple(range(len(labels))):
        tensor = layout.transpose(tensor, permutation)
    return tf.reshape(tensor, shapes.shape_tensor(shape))


def _arranged(tensor: tf.Tensor, labels: Labels, expected: Labels, shape: dict[Any, shapes.Dim]) -> tf.Tensor:
    present = [label for label in expected if label in labels]
    permutation = tuple(labels.index(label) for label in present)
    if permutation != tuple(range(len(labels))):
        tensor = layout.transpose(tensor, permutation)
    return (
        shapes.broadcast_to(tensor, [shape[label] for label in expected])
        if len(present) == len(expected)
        else (shapes.reshape(tensor, [shape[label] if label in labels else 1 for label in expected]))
    )
