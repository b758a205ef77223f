"""Sets and searches: equality with today's on random inputs, and times."""

from __future__ import annotations

from prototypes.harness import agree, outcome, report, same

import sys

import numpy as np
import tensorflow as tf

import tfnp
from prototypes import ordering as new
from tfnp.routines import searching, sets
from tfnp.routines.kernels import orders

rng = np.random.default_rng(0)
DTYPES = ["b", "u1", "i2", "u4", "i4", "i8", "u8", "f2", "f4", "f8", "c8", "c16", "?"]


def vector(n, dtype):
    kind = np.dtype(dtype).kind
    if kind == "b":
        return rng.random(n) < 0.5
    if kind in "iu":
        info = np.iinfo(dtype)
        if rng.random() < 0.3:
            return rng.integers(info.min, info.max, n, np.dtype(dtype), endpoint=True)
        low = [info.min, 0, info.max - 9][rng.integers(0, 3)]
        return (rng.integers(0, 10, n).astype(object) + int(low)).astype(dtype)
    x = rng.choice([0.0, -0.0, 1.5, np.nan, np.inf, -np.inf, -2.0, 1e-310], n)
    return (x + 1j * rng.choice([0.0, -0.0, np.nan, 1.0], n) if kind == "c" else x).astype(dtype)


def check():
    count = 0
    for _ in range(120):
        dtype = str(rng.choice(DTYPES))
        n, m = rng.integers(0, 40, 2)
        x, y = vector(n, dtype), vector(m, dtype)
        t, u = tf.constant(x), tf.constant(y)
        flags = [bool(k) for k in rng.integers(0, 2, 3)]
        en = bool(rng.integers(0, 2))
        a = outcome(tfnp.unique, t, *flags, equal_nan=en)
        b = outcome(new.unique, t, *flags, equal_nan=en)
        assert agree(a, b), ("unique", x, flags, en, a, b)
        a, b = outcome(sets._found, t, u), outcome(new.found, t, u)
        assert agree(a, b), ("isin", x, y, a, b)
        assert np.array_equal(b.numpy(), np.isin(x, y)) or np.dtype(dtype).kind in "fc", (x, y)
        ri = bool(rng.integers(0, 2))
        a, b = outcome(tfnp.intersect1d, t, u, return_indices=ri), outcome(new.intersect, t, u, ri)
        assert agree(a, b), ("intersect1d", x, y, a, b)
        if np.dtype(dtype).kind != "c":
            s = np.sort(x)
            k1, k2 = orders.key(tf.constant(s)), orders.key(u)
            for after in (False, True):
                a = searching.place_among(tf.constant(s), u, after)
                assert same(a, new.place_by_halving(k1, k2, after))
                if rng.random() < 0.04:
                    f = tf.function(lambda p, q: new.place_by_halving(p, q, after), autograph=False, jit_compile=True)
                    assert same(a, f(k1, k2)), (s, y)
                    f = tf.function(lambda p, q: new.place_by_halving(p, q, after), autograph=False, input_signature=[tf.TensorSpec([None], k1.dtype)] * 2)
                    assert same(a, f(k1, k2)), (s, y)
        if rng.random() < 0.08:
            for g_old, g_new, args in (
                (lambda p: tfnp.unique(p, *flags), lambda p: new.unique(p, *flags), (t,)),
                (sets._found, new.found, (t, u)),
                (lambda p, q: tfnp.intersect1d(p, q), new.intersect, (t, u)),
            ):
                for spec in (False, True):
                    sig = {"input_signature": [tf.TensorSpec([None], t.dtype)] * len(args)} if spec else {}
                    a, b = (outcome(tf.function(lambda *p, g=g: g(*p), autograph=False, **sig), *args) for g in (g_old, g_new))
                    assert agree(a, b), (g_old, x, y, flags, spec, a, b)
        order = tf.constant(rng.permutation(n))
        assert same(tf.argsort(order, stable=True, name=None).numpy().astype(np.int64), new.invert_order(order))
        count += 1
    print("agree", count)


def time_sets(rows):
    for what, a, t in rows:
        report(f"unique {what}", {"numpy": lambda: np.unique(a), "raw": lambda: tf.unique(t), "today": lambda: tfnp.unique(t), "new": lambda: new.unique(t)}, 1)
        report(f"unique {what}, all", {"numpy": lambda: np.unique(a, True, True, True), "today": lambda: tfnp.unique(t, True, True, True), "new": lambda: new.unique(t, True, True, True)}, 1)
        b = np.ascontiguousarray(a[::-1] + a.dtype.type(1))
        u = tf.constant(b)
        report(f"isin {what}", {"numpy": lambda: np.isin(a, b), "today": lambda: sets._found(t, u), "new": lambda: new.found(t, u)}, 1)
        report(f"intersect1d {what}", {"numpy": lambda: np.intersect1d(a, b), "today": lambda: tfnp.intersect1d(t, u), "new": lambda: new.intersect(t, u)}, 1)


def main():
    if "times" not in sys.argv:
        check()
    n = 10**6
    i, x = rng.integers(0, n, n), rng.standard_normal(n)
    w = rng.integers(-(2**62), 2**62, n)
    ti, tx, tw = tf.constant(i), tf.constant(x), tf.constant(w)
    if "search" not in sys.argv:
        time_sets(((("int64 dense", i, ti), ("int64 sparse", w, tw), ("float64", x, tx))))
    v = tx[:10]
    report("isin float64 of 10", {"numpy": lambda: np.isin(x, x[:10]), "today": lambda: sets._found(tx, v), "new": lambda: new.found(tx, v)}, 0.5)
    s = np.sort(x)
    ts = tf.constant(s)
    f = tf.function(lambda p, q: new.place_by_halving(orders.key(p), orders.key(q), False), autograph=False, jit_compile=True)
    report("searchsorted n in n, XLA", {"numpy": lambda: np.searchsorted(s, x), "eager today": lambda: tfnp.searchsorted(ts, tx), "new eager": lambda: new.place_by_halving(orders.key(ts), orders.key(tx), False), "new xla": lambda: f(ts, tx)}, 1)


if __name__ == "__main__":
    main()
