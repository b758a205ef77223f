"""What calls cost on a million elements, eager and in a graph, where kernels and passes over memory are all there is.

`raw` is what a person would write in TensorFlow, where there is such a thing.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt
from typing import Any

import numpy as np
import tensorflow as tf

import tfnp
from tests.benchmarks.measurement import Group, Row
from tests.benchmarks.rivals import compare
from tests.benchmarks.rivals import of_name as of_eager_name

COMPLEX = (
    "TensorFlow's kernel is wrong for some numbers; ours takes a pass for each step of both parts, with NumPy's digits."
)
CORRECT = "TensorFlow's kernel is wrong for some numbers; ours takes several operations, each a pass over memory."
SERIES = "XLA lacks TensorFlow's kernel, which is also less exact: a series of 23 terms, each of two operations."
KERNEL = "The time is that of TensorFlow's kernel."
BLOCKS = "TensorFlow has no convolution of float64 vectors that is as exact: products of blocks, as matrices."
COUNTS = "NumPy counts; in a graph TensorFlow's kernel does, after two reductions that check the indices."
COPIES = "Slices are copies: TensorFlow has no strides. Each further operation is a pass that fills a new array."
CUBE_ROOT = (
    "TensorFlow has no kernel: a quotient by an exponential of a logarithm, and a step of Newton's method; ten passes."
)
EXPONENT = (
    "TensorFlow has no kernel: an exponential, and six passes that split off the integer and add it to the exponent."
)
LOGARITHM = (
    "TensorFlow's logarithm takes three times NumPy's time; seven passes split off the exponent, for exact powers."
)
NAN = "TensorFlow's kernel skips nan, and is slower than NumPy's loop; a maximum tells first whether there is one."
PASSES = "Several of TensorFlow's operations, each a pass over memory that fills a new array."
PLUS_ZERO = "NumPy's sums of products begin with 0, so that none is -0.0: ours are added to 0, in a second pass."
TWO_MASKS = "The one mask of `raw` does not tell nan from infinities: two masks are made, and read on the host."
BOOLS = "Numbers are cast to bools first, in a pass that fills a new array; then TensorFlow's kernel."
POWER = "The time is that of TensorFlow's kernel; float32 is computed in float64 by exp and log."
TWO_ARRAYS = "The product is an array that is then summed: two passes, where NumPy calls BLAS for one."
VIEW = "NumPy's is a view: it copies nothing. TensorFlow has no strides."
SELECTS = "TensorFlow cannot select: a mask of candidates is made, and they are gathered and sorted, in several passes."
BOUNDS = "TensorFlow's kernel compares nan and subnormal numbers wrongly: a pass tells first whether there are any."
SORTS = "NumPy sorts; in a graph TensorFlow's kernel does, which uses no vector instructions."


def rows(n: int) -> Iterator[Row]:
    for topic in (elementwise, reductions, movements, sorting, sets, histograms, padding, products):
        heading = (topic.__doc__ or "").rstrip(".")
        for row in topic(n):
            yield Row(row.name, row.contenders, heading, row.note, row.same)
    for topic in (elementwise, reductions):
        heading = (topic.__doc__ or "").rstrip(".") + ", of float32"
        for row in topic(n, np.float32):
            yield Row(f"{row.name} float32", row.contenders, heading, row.note, row.same)


def of_name(name: str, *args: Any, **options: Any) -> Row:
    """Return a row of one of NumPy's names, in a graph, too."""
    return of_eager_name(name, *args, graph=True, **options)


def elementwise(n: int, dtype: type = np.float64) -> Iterator[Row]:
    """Elementwise."""
    rng = np.random.default_rng(0)
    a, b, positive = (
        array.astype(dtype) for array in (rng.standard_normal(n), rng.standard_normal(n), rng.random(n) + 0.5)
    )
    integers, divisors = rng.integers(-1000, 1000, n), rng.integers(1, 9, n)
    math = tf.math
    for name, op in (("add", tf.add), ("multiply", tf.multiply), ("true_divide", tf.divide), ("maximum", tf.maximum)):
        yield of_name(name, a, b, raw=op)
    for name, op in (("exp", tf.exp), ("sin", tf.sin), ("tanh", tf.tanh)):
        yield of_name(name, a, raw=op)
    yield of_name("cbrt", a, note=CUBE_ROOT)
    yield of_name("exp2", a, note=EXPONENT)
    for name, op, note in (("sqrt", tf.sqrt, ""), ("log", math.log, KERNEL), ("log2", None, LOGARITHM)):
        yield of_name(name, positive, raw=op, note=note)
    yield of_name("power", positive, b, raw=tf.pow, note=POWER)
    yield of_name("arctan2", a, b, raw=math.atan2, note=CORRECT)
    yield of_name("hypot", a, b, raw=lambda x, y: tf.sqrt(x * x + y * y), note=CORRECT)
    yield of_name("nextafter", a, b, raw=math.nextafter, note=CORRECT)
    yield of_name("logaddexp", a, b, raw=lambda x, y: tf.reduce_logsumexp([x, y], 0), note=PASSES)
    yield of_name("i0", a, raw=math.bessel_i0, note=SERIES)
    yield of_name("floor_divide", a, b, raw=math.floordiv, note=CORRECT)
    yield of_name("divmod", a, b, raw=lambda x, y: (math.floordiv(x, y), math.floormod(x, y)), note=CORRECT)
    if dtype is np.float64:
        yield of_name("floor_divide", integers, divisors, raw=math.floordiv, label="floor_divide int64")
        yield of_name("bitwise_count", integers, note=PASSES)
        z = a + 1j * b
        yield of_name("exp", z, raw=tf.exp, label="exp, complex", note=COMPLEX)
        yield of_name("log", z, raw=math.log, label="log, complex", note=COMPLEX)
        yield of_name("divide", z, z[::-1].copy(), raw=tf.divide, label="divide, complex", note=COMPLEX)
    yield of_name("round", a, 2, raw=lambda x, _: tf.round(x * 100) / 100, note=PASSES)
    yield of_name("clip", a, -1.0, 1.0, raw=tf.clip_by_value, note=PASSES)
    yield of_name("where", a > 0, a, b, raw=tf.where)
    yield of_name("isclose", a, b, note=PASSES)
    yield of_name("nan_to_num", a, raw=lambda x: tf.where(math.is_finite(x), x, tf.zeros_like(x)), note=TWO_MASKS)


def reductions(n: int, dtype: type = np.float64) -> Iterator[Row]:
    """Reductions and scans."""
    a = np.random.default_rng(0).standard_normal(n).astype(dtype)
    matrix = a[: isqrt(n) ** 2].reshape(isqrt(n), -1)
    for name, op in (("sum", tf.reduce_sum), ("mean", tf.reduce_mean), ("max", tf.reduce_max)):
        yield of_name(name, a, raw=op)
    yield of_name("any", a, note=BOOLS)
    yield of_name("var", a, raw=tf.math.reduce_variance, note=PASSES)
    yield of_name("nanmean", a, note=PASSES)
    yield of_name("sum", matrix, axis=0, raw=lambda x: tf.reduce_sum(x, 0), label="sum, axis=0")
    yield of_name("std", matrix, axis=1, raw=lambda x: tf.math.reduce_std(x, 1), label="std, axis=1", note=PASSES)
    yield of_name("argmax", a, raw=tf.argmax, note=NAN)
    yield of_name("cumsum", a, raw=tf.cumsum, note=KERNEL)
    yield of_name("diff", a, raw=lambda x: x[1:] - x[:-1], note=COPIES)
    yield of_name("gradient", a, note=COPIES)
    yield of_name("trapezoid", a, note=COPIES)


def movements(n: int) -> Iterator[Row]:
    """Movements and indexing."""
    rng = np.random.default_rng(0)
    a, order, mask = rng.standard_normal(n), rng.permutation(n), rng.random(n) < 0.5
    matrix = a[: isqrt(n) ** 2].reshape(isqrt(n), -1)
    yield of_name("transpose", matrix, raw=lambda x: tf.transpose(x, [1, 0]), note=VIEW)
    yield of_name("concatenate", [a, a], raw=lambda both: tf.concat(both, 0))
    yield of_name("roll", a, 7, raw=lambda x, shift: tf.roll(x, shift, 0), note=KERNEL)
    yield of_name("flip", a, raw=lambda x: tf.reverse(x, [0]), note=VIEW)
    yield of_name("repeat", a, 2, raw=tf.repeat)
    yield of_name("take", a, order, raw=tf.gather, note=KERNEL)
    yield of_name("compress", mask, a, raw=lambda keep, x: tf.boolean_mask(x, keep), note=KERNEL)
    yield of_name("nonzero", mask, raw=lambda x: [tf.where(x)[:, 0]], note=KERNEL)


def sorting(n: int) -> Iterator[Row]:
    """Sorting and selection."""
    rng = np.random.default_rng(0)
    a = rng.standard_normal(n)
    b = np.where(rng.random(n) < 0.1, np.nan, a)
    matrix = a[: isqrt(n) ** 2].reshape(isqrt(n), -1)
    integers = rng.integers(0, 1000, n)

    def sort(x: tf.Tensor, *_: Any) -> tf.Tensor:
        return tf.sort(x)

    yield of_name("sort", a, raw=sort, note=SORTS)
    yield of_name("argsort", a, raw=tf.argsort, note=SORTS, stable=True)
    yield of_name("lexsort", [integers, a], note=SORTS)
    yield of_name("searchsorted", np.sort(a), a[::-1], raw=tf.searchsorted, note=BOUNDS)
    for name, args in (
        ("median", (a,)),
        ("nanmedian", (b,)),
        ("percentile", (a, np.array([25.0, 50.0, 75.0]))),
        ("nanquantile", (b, 0.3)),
    ):
        yield of_name(name, *args, note=SELECTS)
    yield of_name("median", matrix, axis=1, label="median, axis=1", note=SELECTS)
    yield _selection("partition", a)
    yield _selection("partition", matrix, ", axis=1")
    yield _selection("argpartition", a)


def _selection(name: str, a: np.ndarray, label: str = "") -> Row:
    """Return a row of a partial order: only what stands in the middle is determined."""
    middle, x = a.shape[-1] // 2, tf.constant(a)
    ours, theirs = getattr(tfnp, name), getattr(np, name)
    raw = tf.argsort if name == "argpartition" else tf.sort
    return compare(
        name + label,
        lambda: ours(x, middle),
        raw=lambda: raw(x),
        numpy=lambda: theirs(a, middle),
        same=False,
        note=SORTS,
    )


def sets(n: int) -> Iterator[Row]:
    """Sets."""
    rng = np.random.default_rng(0)
    i, j = rng.integers(0, max(n // 10, 1), n), rng.integers(n // 20, max(n // 7, 2), n)
    a, b = rng.standard_normal(n), rng.standard_normal(n)
    for kind, first, second in (("int64", i, j), ("float64", a, b)):
        note = SORTS if kind == "float64" else ""
        yield of_name("unique", first, raw=lambda x: tf.sort(tf.unique(x).y), label=f"unique {kind}", note=note)
        for name in ("isin", "intersect1d", "union1d", "setdiff1d", "setxor1d"):
            yield of_name(name, first, second, label=f"{name} {kind}", note=note)


def histograms(n: int) -> Iterator[Row]:
    """Histograms."""
    rng = np.random.default_rng(0)
    a, b, weights, integers = rng.standard_normal(n), rng.standard_normal(n), rng.random(n), rng.integers(0, 1000, n)
    integers[0] = 999
    w, i = tf.constant(weights), tf.constant(integers)
    yield of_name("histogram", a, 100, (-5, 5))
    yield of_name("histogram2d", a, b, 50)
    yield of_name("digitize", a, np.linspace(-3, 3, 20))
    yield of_name("bincount", integers, raw=tf.math.bincount, note=COUNTS)
    yield compare(
        "bincount, weights",
        lambda: tfnp.bincount(i, w),
        raw=lambda: tf.math.unsorted_segment_sum(w, i, 1000),
        numpy=lambda: np.bincount(integers, weights),
        note=COUNTS,
    )


def padding(n: int) -> Iterator[Row]:
    """Padding."""
    a, width = np.random.default_rng(0).standard_normal(n), min(100, n - 1)
    widths = [[width, width]]
    for mode in ("constant", "reflect", "symmetric"):
        yield of_name(
            "pad",
            a,
            width,
            mode,
            raw=lambda x, _, how: tf.pad(x, widths, how.upper()),
            label=f"pad {mode}",
            note=KERNEL,
        )
    for mode in ("edge", "wrap"):
        yield of_name("pad", a, width, mode, label=f"pad {mode}", note=PASSES)


def products(n: int) -> Iterator[Row]:
    """Products, transforms and fits."""
    rng = np.random.default_rng(0)
    a, b, kernel = rng.standard_normal(n), rng.standard_normal(n), rng.standard_normal(min(n, 33))
    side = isqrt(n) // 2
    matrix = a[: side**2].reshape(side, side)
    ends = np.linspace(-3, 3, max(n // 10, 2))
    yield of_name("dot", a, b, raw=lambda x, y: tf.tensordot(x, y, 1), note=KERNEL)
    yield of_name("matmul", matrix, matrix, raw=tf.matmul, label=f"matmul {side} x {side}")
    yield of_name("einsum", "i,i->i", a, b, raw=lambda _, x, y: tf.multiply(x, y), note=PLUS_ZERO)
    yield of_name("convolve", a, kernel, "same", note=BLOCKS)
    yield of_name("interp", a, ends, np.sin(ends))
    yield of_name("cov", a[: n // 10 * 10].reshape(10, -1), note=PASSES)
    yield of_name("fft.fft", a[: 1 << (n.bit_length() - 1)], raw=lambda x: tf.signal.fft(tf.cast(x, tf.complex128)))
    yield of_name("fft.rfft", a[: 1 << (n.bit_length() - 1)], raw=tf.signal.rfft)
    yield of_name("linalg.solve", matrix, matrix[0], raw=_solve)
    yield of_name(
        "linalg.svd",
        matrix[:100, :100],
        compute_uv=False,
        raw=lambda x: tf.linalg.svd(x, compute_uv=False),
        note=KERNEL,
    )
    yield of_name("polyval", kernel[:8], a)


def _solve(a: tf.Tensor, b: tf.Tensor) -> tf.Tensor:
    return tf.linalg.solve(a, b[:, None])[:, 0]


GROUP = Group(
    "A million elements",
    "Eager calls on a million elements, of float64 where nothing else is said. `graph` is the same call of tfnp in a "
    "`tf.function`: it is slower where eager mode looks at values first, to leave out what only special ones need, or "
    "to count and select where a graph has to sort. `raw` is what a person would write in TensorFlow, where there is "
    "such a thing: it need not give NumPy's answer for every number.",
    rows,
)
