"""reduceat, bincount, histogram, pad: equality with today's, and times."""

from __future__ import annotations

from prototypes.harness import agree, outcome, report, same

import sys

import numpy as np
import tensorflow as tf

import tfnp
from prototypes import reducing as new
from tfnp._core import ops, ufunc_folds
from tfnp.routines import histograms

rng = np.random.default_rng(0)
KERNELS = {"add": ops.add, "maximum": ops.maximum, "minimum": ops.minimum}


def new_reduceat(name, t, starts):
    found = new.by_even_stretches(KERNELS[name], tf.reshape(t, (1, -1, 1)), starts)
    return None if found is None else tf.reshape(found, [-1])


def check():
    new.LARGE = 1
    done = 0
    for _ in range(150):
        n, step, first = int(rng.integers(4, 80)), int(rng.integers(1, 9)), int(rng.integers(0, 3))
        starts = np.arange(first, n, step)
        name = str(rng.choice(list(KERNELS)))
        dtype = str(rng.choice(["i4", "i8", "f8", "f4"]))
        x = rng.integers(-9, 9, n).astype(dtype)
        if dtype[0] == "f" and name != "add":
            x[rng.integers(0, n)] = np.nan
        t = tf.constant(x)
        found = new_reduceat(name, t, tf.constant(starts))
        if found is not None:
            with np.errstate(all="ignore"):
                assert np.array_equal(found.numpy(), getattr(np, name).reduceat(x, starts).astype(dtype), equal_nan=True), (name, x, starts)
            done += 1
        starts = np.unique(rng.integers(0, n, 5))
        x = rng.integers(-9, 9, n)
        found = new.by_rising_stretches(KERNELS[name], tf.reshape(tf.constant(x), (1, -1, 1)), tf.constant(starts))
        assert found is None or np.array_equal(tf.reshape(found, [-1]), getattr(np, name).reduceat(x, starts))
        y = rng.integers(0, 30, n)
        w = rng.standard_normal(n)
        for weights in (None, w):
            a = outcome(tfnp.bincount, tf.constant(y), weights, 5)
            b = outcome(new.bincount, tf.constant(y), None if weights is None else tf.constant(weights), 5)
            assert agree(a, b), (y, weights, a, b)
        f = tf.function(lambda q: new.count_bins(q, None, 40), autograph=False, jit_compile=True)
        if _ < 4:
            assert np.array_equal(f(tf.constant(y)), np.bincount(y, minlength=40))
        bins = int(rng.integers(1, 12))
        for dt in ("f8", "f4"):
            v = (rng.standard_normal(n) if rng.random() < 0.5 else rng.integers(0, 8, n) * 0.1).astype(dt)
            ends = None if rng.random() < 0.6 else (-0.3, 0.7)
            if ends and rng.random() < 0.5:
                v[0] = [np.nan, np.inf, -np.inf][rng.integers(0, 3)]
            counts, edges = tfnp.histogram(tf.constant(v), bins, ends)
            expected = np.histogram(v, bins, ends)[0]
            if edges.dtype == tf.constant(v).dtype:
                b = new.count_even(tf.constant(v), edges, None)
                assert same(counts, b) or np.array_equal(b.numpy(), expected), (v, bins, ends, counts, b, expected)
                b = new.count_even(tf.constant(v), edges, tf.constant(np.ones(n)))
                assert np.array_equal(b.numpy(), expected)
                if rng.random() < 0.04:
                    f = tf.function(lambda q, e: new.count_even(q, e, None), autograph=False, jit_compile=True)
                    assert np.array_equal(f(tf.constant(v), edges), expected)
        shape = tuple(rng.integers(1, 6, rng.integers(1, 4)))
        z = rng.standard_normal(shape)
        axis = int(rng.integers(0, len(shape)))
        width = tuple(int(k) for k in rng.integers(0, 5, 2))
        mode = str(rng.choice(["reflect", "symmetric", "wrap", "edge"]))
        widths = [width if k == axis else (0, 0) for k in range(len(shape))]
        b = new.pad_axis(tf.constant(z), axis, width, mode)
        assert b is None or same(tfnp.pad(tf.constant(z), widths, mode), b), (z.shape, axis, width, mode)
    new.LARGE = 4096
    print("agree", done)


def main():
    if "times" not in sys.argv:
        check()
    n = 10**6
    x = rng.standard_normal(n)
    t = tf.constant(x)
    starts = np.arange(0, n, 100)
    report("add.reduceat steps of 100", {"numpy": lambda: np.add.reduceat(x, starts), "raw": lambda: tf.reduce_sum(tf.reshape(t, (-1, 100)), 1), "today": lambda: tfnp.add.reduceat(t, starts), "new": lambda: new_reduceat("add", t, starts)}, 0.7)
    rising = np.unique(rng.integers(0, n, 10**4))
    z = rng.integers(0, 99, n)
    tz = tf.constant(z)
    report("add.reduceat int64, irregular", {"numpy": lambda: np.add.reduceat(z, rising), "today": lambda: tfnp.add.reduceat(tz, rising), "new": lambda: new.by_rising_stretches(ops.add, tf.reshape(tz, (1, -1, 1)), rising)}, 0.7)
    if "reduceat" in sys.argv:
        return
    y = rng.integers(0, n, n)
    ty = tf.constant(y)
    report("bincount", {"numpy": lambda: np.bincount(y), "raw": lambda: tf.math.bincount(tf.cast(ty, tf.int32)), "today": lambda: tfnp.bincount(ty), "new": lambda: new.bincount(ty)}, 0.7)
    report("bincount weights", {"numpy": lambda: np.bincount(y, x), "today": lambda: tfnp.bincount(ty, t), "new": lambda: new.bincount(ty, t)}, 0.7)
    edges = tfnp.histogram(t, 100)[1]
    report("histogram 100", {"numpy": lambda: np.histogram(x, 100), "raw": lambda: tf.histogram_fixed_width(t, [-5.0, 5.0], 100), "today": lambda: tfnp.histogram(t, 100), "today counted": lambda: histograms._counted(t, edges, None), "new counted": lambda: new.count_even(t, edges, None), "today edges": lambda: histograms._edges(t, 100, None, None)}, 1)
    for mode in ("reflect", "symmetric", "wrap", "edge"):
        report(f"pad {mode} 10", {"numpy": lambda: np.pad(x, 10, mode), "today": lambda: tfnp.pad(t, 10, mode), "new": lambda: new.pad_axis(t, 0, (10, 10), mode)}, 0.5)


if __name__ == "__main__":
    main()
