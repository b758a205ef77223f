"""Calls of every kernel that has a gradient of its own, and of selections, for tests of their derivatives."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf

import tfnp
from tfnp._kernels import gradients
from tfnp._kernels.linalg import elimination
from tfnp.routines.indexing.at import At

X = np.array([0.3, -0.7, 0.45, 0.8])
Y = np.array([0.9, 0.6, -1.2, 2.5])
Z = X + 1j * Y
LARGE = np.array([1.3, 2.7, 1.45, 3.8])
MATRIX = np.array([[2.0, 0.5, -0.3], [0.1, 1.5, 0.7], [0.4, -0.6, 1.1]])
TALL = MATRIX[:, :2]
SINGULAR = np.array([[0.0, 1, 2], [0, 2, 1], [0, 3, -1]])
COMPLEX_MATRIX = MATRIX + 0.3j * MATRIX.T


class Call(NamedTuple):
    """A function of tensors that returns a tensor, and its operands."""

    name: str
    function: Callable[..., Any]
    operands: tuple[np.ndarray, ...]


def hermitian(a: tf.Tensor) -> tf.Tensor:
    return a + tf.linalg.adjoint(a)


def projected(vectors: tf.Tensor) -> tf.Tensor:
    """Return what does not depend on the signs of vectors."""
    return tf.matmul(vectors, vectors, adjoint_b=True)


OF_ONE = ("floor", "ceil", "trunc", "rint", "spacing", "exp", "exp2", "expm1", "cbrt", "sinh", "cosh", "sinc", "i0")
OF_POSITIVE = ("log", "log2", "log10", "log1p", "sqrt", "arccosh")
OF_PAIRS = ("hypot", "arctan2", "logaddexp", "logaddexp2", "fmod", "remainder", "floor_divide", "nextafter", "copysign")
OF_COMPLEX = ("exp", "expm1", "log", "log1p", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh")
OF_COMPLEX += ("arcsin", "arccos", "arctan", "arcsinh", "arccosh", "arctanh", "reciprocal", "exp2", "square", "abs")


def call(name: str, *operands: np.ndarray, label: str = "", **options: Any) -> Call:
    def function(*tensors: tf.Tensor) -> Any:
        target: Any = tfnp
        for part in name.split("."):
            target = getattr(target, part)
        return target(*tensors, **options)

    return Call(label or name, function, operands)


KERNELS = [
    *(call(name, X) for name in OF_ONE),
    *(call(name, LARGE) for name in OF_POSITIVE),
    *(call(name, X, Y) for name in OF_PAIRS),
    *(call(name, Z, label=f"{name} of complex") for name in OF_COMPLEX),
    call("arctanh", X),
    call("exp2", np.linspace(0, 1, 10000), label="exp2 of many"),
    call("arctan2", X, Y[:, None], label="arctan2, broadcast"),
    call("spacing", X.astype(np.float16), label="spacing of float16"),
    Call("power", tfnp.power, (LARGE, Y)),
    Call("power 2.5", lambda x: tfnp.power(x, 2.5), (LARGE,)),
    call("power", Z, Z[::-1].copy(), label="power of complex"),
    call("divide", Z, Z[::-1].copy(), label="divide of complex"),
    Call("frexp", lambda x: tfnp.frexp(x)[0], (Y,)),
    Call("frexp of float16", lambda x: tfnp.frexp(x)[0], (Y.astype(np.float16),)),
    Call("modf", lambda x: tfnp.modf(x)[0], (Y,)),
    call("prod", X),
    call("prod", np.array([2.0, 0.0, 3.0]), label="prod with zero"),
    call("cumprod", X),
    call("cumprod", Z, label="cumprod of complex"),
    call("convolve", np.linspace(0, 1, 3000), np.linspace(0, 2, 40)),
    Call("gradient", lambda x: tfnp.gradient(x, tf.constant([0.0, 1, 2, 3], tf.float64)), (X,)),
    Call("histogram_bin_edges", lambda x: tfnp.histogram_bin_edges(x, 3), (X,)),
    Call("random.gamma", lambda x: tfnp.random.default_rng(0).standard_gamma(x), (LARGE,)),
    call("unwrap", np.array([0.0, 3.0, 7.0, 7.5])),
    Call("fft.rfft", tfnp.fft.rfft, (X,)),
    call("linalg.det", MATRIX),
    call("linalg.det", SINGULAR, label="linalg.det of singular"),
    call("linalg.det", COMPLEX_MATRIX, label="linalg.det of complex"),
    Call("linalg.slogdet", lambda a: tfnp.linalg.slogdet(a)[1], (MATRIX,)),
    Call("linalg.slogdet, sign", lambda a: tfnp.linalg.slogdet(a)[0], (COMPLEX_MATRIX,)),
    call("linalg.inv", MATRIX),
    call("linalg.cond", MATRIX, p=1),
    Call("linalg.solve", tfnp.linalg.solve, (MATRIX, TALL)),
    Call("linalg.lstsq", lambda a, b: tfnp.linalg.lstsq(a, b)[0], (TALL, MATRIX[:, 2])),
    call("linalg.pinv", TALL),
    call("linalg.cholesky", MATRIX @ MATRIX.T),
    Call("linalg.qr", lambda a: tfnp.linalg.qr(a)[1], (TALL,)),
    Call("linalg.qr, complete", lambda a: projected(tfnp.linalg.qr(a, "complete")[0][:, 2:]), (TALL,)),
    Call("linalg.svd", lambda a: projected(tfnp.linalg.svd(a, full_matrices=False)[0][:, :1]), (TALL,)),
    Call("linalg.svd, complete", lambda a: projected(tfnp.linalg.svd(a)[0][:, 2:]), (TALL,)),
    call("linalg.svdvals", TALL),
    call("linalg.norm", TALL, ord=2),
    Call("linalg.eigh", lambda a: projected(tfnp.linalg.eigh(hermitian(a))[1][:, :1]), (MATRIX,)),
    Call("linalg.eigvalsh", lambda a: tfnp.linalg.eigvalsh(hermitian(a)), (MATRIX,)),
    Call("inverse", elimination.invert, (MATRIX,)),
]
"""Calls of every kernel that has a gradient of its own."""

SELECTIONS = [
    *(call(name, Y) for name in ("sort", "median", "nanmedian", "max", "min", "ptp", "flip", "unique", "trim_zeros")),
    *(call(name, Y) for name in ("ediff1d", "cumsum", "diff", "std", "unwrap", "sort_complex")),
    Call("partition", lambda x: tfnp.partition(x, 2), (Y,)),
    Call("percentile", lambda x: tfnp.percentile(x, 40), (Y,)),
    Call("nanpercentile", lambda x: tfnp.nanpercentile(x, 40), (Y,)),
    Call("quantile", lambda x: tfnp.quantile(x, [0.2, 0.7]), (Y,)),
    Call("take", lambda x: tfnp.take(x, [0, 2]), (Y,)),
    Call("take of argsort", lambda x: tfnp.take(x, tfnp.argsort(x)), (Y,)),
    Call("take_along_axis", lambda x: tfnp.take_along_axis(x, tf.constant([0, 3, 1]), 0), (Y,)),
    Call("compress", lambda x: tfnp.compress([True, False, True, True], x), (Y,)),
    Call("extract", lambda x: tfnp.extract(x > 0, x), (Y,)),
    Call("where", lambda x: tfnp.where(x > 0, tf.square(x), x), (Y,)),
    Call("select", lambda x: tfnp.select([x > 1, x > 0], [tf.square(x), x], 0.0), (Y,)),
    Call("choose", lambda x: tfnp.choose([0, 1, 0, 1], [x, tf.square(x)]), (Y,)),
    Call("piecewise", lambda x: tfnp.piecewise(x, [x < 0, x >= 0], [tf.square, lambda x: 3.0 * x]), (Y,)),
    Call("maximum.accumulate", tfnp.maximum.accumulate, (Y,)),
    Call("add.reduceat", lambda x: tfnp.add.reduceat(x, [0, 2]), (Y,)),
    Call("repeat", lambda x: tfnp.repeat(x, 2), (Y,)),
    Call("roll", lambda x: tfnp.roll(x, 1), (Y,)),
    Call("pad", lambda x: tfnp.pad(x, 2, "reflect"), (Y,)),
    Call("delete", lambda x: tfnp.delete(x, 1), (Y,)),
    Call("insert", lambda x: tfnp.insert(x, 1, 2.0), (Y,)),
    Call("interp", lambda x: tfnp.interp(x, [-2.0, 0, 3], [1.0, 5, 2]), (Y,)),
    Call("bincount", lambda x: tfnp.bincount([0, 1, 1, 2], x), (Y,)),
    Call("histogram", lambda x: tfnp.histogram([0.0, 1, 2, 2], 3, weights=x)[0], (Y,)),
    Call("clip", lambda x: tfnp.clip(x, -1, 1), (Y,)),
    Call("nan_to_num", tfnp.nan_to_num, (Y,)),
    Call("average", lambda x: tfnp.average(x, weights=[1.0, 2, 3, 4]), (Y,)),
    Call("diagonal", lambda x: tfnp.diagonal(tfnp.reshape(x, (2, 2))), (Y,)),
    Call("at, set", lambda x: At(x)[[1, 3]].set(tf.square(x[:2])), (Y,)),
    Call("at, set dynamically", lambda x: At(x)[tf.argsort(x)[:2]].set(tf.square(x[:2])), (Y,)),
    Call("at, add", lambda x: At(x)[[1, 3, 1]].add(tf.square(x[:3])), (Y,)),
    Call("at, subtract", lambda x: At(x)[[1, 3, 1]].subtract(tf.square(x[:3])), (Y,)),
    Call("at, multiply", lambda x: At(x)[[1, 3, 1]].multiply(tf.square(x[:3])), (Y,)),
    Call("at, max", lambda x: At(x)[[1, 3]].max(x[:2]), (Y,)),
    Call("at, mask", lambda x: At(x)[x > 0].set(0.0), (Y,)),
    Call("tril", lambda x: tfnp.tril(tfnp.reshape(x, (2, 2))), (Y,)),
    Call("union1d", lambda x: tfnp.union1d(x, [1.0]), (Y,)),
    Call("vectorize", tfnp.vectorize(tf.square), (Y,)),
]
"""Calls that select, order or move elements."""


def list_kernels() -> Iterator[str]:
    """Yield the name of each kernel that has a gradient of its own, in any module."""
    code = gradients.differentiable(lambda *_: ())(np.abs).__code__, gradients.differentiable_parts(1, np.abs)
    codes = (code[0], code[1](np.abs).__code__)
    for module in pkgutil.walk_packages(tfnp.__path__, "tfnp."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, FunctionType) and value.__code__ in codes:
                yield f"{value.__module__}.{value.__qualname__}"
