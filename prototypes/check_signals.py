"""Convolution: within rounding of NumPy's (bit by bit for integers), and times."""

from __future__ import annotations

from prototypes.harness import outcome, report, timed

import numpy as np
import tensorflow as tf

import tfnp
from prototypes import signals as new
from tfnp.routines import signals as old

rng = np.random.default_rng(0)
old_slid = old._slid


class using:
    def __init__(self, f):
        self.f = f

    def __enter__(self):
        old._slid = self.f

    def __exit__(self, *_):
        old._slid = old_slid


def close(found, expected, a, v, mode, name):
    found = found.numpy()
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape), (
        found.dtype,
        expected.dtype,
        found.shape,
        expected.shape,
    )
    if expected.dtype.kind not in "fc":
        assert np.array_equal(found, expected)
        return
    fin = np.isfinite(expected)
    assert np.array_equal(np.isfinite(found), fin), "finite elsewhere"
    assert np.array_equal(found[~fin], expected[~fin], equal_nan=True)
    with np.errstate(all="ignore"):
        bound = getattr(np, name)(np.abs(a).astype(float), np.abs(v).astype(float), mode)
    eps = np.finfo(expected.dtype).eps
    ok = (
        np.abs(found[fin] - expected[fin])
        <= (np.sqrt(len(v)) * 2 + 4) * max(eps, 2**-53) * bound[fin] + np.finfo(expected.dtype).tiny
    )
    assert ok.all(), (np.abs(found[fin] - expected[fin]).max(), found.dtype)


def check():
    count = 0
    for _ in range(250):
        name = str(rng.choice(["convolve", "correlate"]))
        mode = str(rng.choice(["full", "same", "valid"]))
        n, m = (int(rng.choice([1, 2, 5, 31, 127, 128, 129, 130, 257, 700, 1500, 3000])) for _ in range(2))
        dtype = str(rng.choice(["?", "b", "u1", "i2", "i4", "u4", "i8", "u8", "e", "f", "d", "F", "D"]))
        kind = np.dtype(dtype).kind
        a, v = (
            (
                rng.standard_normal(k)
                if kind in "fc"
                else rng.integers(-(2**62), 2**62, k)
                if dtype != "?"
                else rng.random(k) < 0.02
            )
            for k in (n, m)
        )
        a, v = a.astype(dtype), v.astype(dtype)
        if kind == "c":
            a, v = (a + 1j * rng.standard_normal(n)).astype(dtype), (v + 1j * rng.standard_normal(m)).astype(dtype)
        if kind == "f" and rng.random() < 0.25:
            for x in (a, v):
                x[rng.integers(0, len(x))] = rng.choice([np.inf, -np.inf, np.nan])
        with np.errstate(all="ignore"):
            expected = getattr(np, name)(a, v, mode)
        with using(new.slid):
            close(getattr(tfnp, name)(tf.constant(a), tf.constant(v), mode), expected, a, v, mode, name)
            if rng.random() < 0.2:
                for options in ({}, {"jit_compile": True}, {"input_signature": [tf.TensorSpec([None], a.dtype)] * 2}):
                    f = tf.function(lambda x, y: getattr(tfnp, name)(x, y, mode), autograph=False, **options)
                    close(f(tf.constant(a), tf.constant(v)), expected, a, v, mode, name)
        count += 1
    print("agrees", count)
    a, v = tf.Variable(rng.standard_normal(900)), tf.Variable(rng.standard_normal(200))
    found = []
    for f in (old_slid, new.slid):
        with using(f), tf.GradientTape() as tape:
            y = tf.reduce_sum(tfnp.sin(tfnp.convolve(a, v)))
        found.append([tf.convert_to_tensor(g) for g in tape.gradient(y, [a, v])])
    assert all(np.allclose(p, q, 1e-10, 1e-10) for p, q in zip(*found)), "gradient"
    print("gradients agree")


def main():
    import sys

    if "times" not in sys.argv:
        check()
    for n, m, dtype in (
        (10**5, 101, "d"),
        (10**5, 101, "f"),
        (10**6, 11, "d"),
        (10**5, 1000, "d"),
        (2 * 10**4, 2 * 10**4, "d"),
        (10**5, 101, "i8"),
        (10**5, 101, "D"),
        (200, 100, "d"),
    ):
        a, v = rng.standard_normal(n).astype(dtype), rng.standard_normal(m).astype(dtype)
        ta, tv = tf.constant(a), tf.constant(v)
        calls = {"numpy": lambda: np.convolve(a, v)}
        if dtype in "fd" and n * m < 10**8:
            calls["raw conv1d"] = lambda: tf.nn.conv1d(
                tf.pad(ta, [[m - 1, m - 1]])[None, :, None], tv[::-1, None, None], 1, "VALID"
            )

        def go(f):
            def call():
                with using(f):
                    return tfnp.convolve(ta, tv)

            return call

        if n * m <= 10**7 * 1.2:
            calls["today"] = go(old_slid)
        calls["new"] = go(new.slid)
        if n * m < 10**8:
            with using(new.slid):
                g = tf.function(lambda x, y: tfnp.convolve(x, y), autograph=False)
                x = tf.function(lambda x, y: tfnp.convolve(x, y), autograph=False, jit_compile=True)
                g(ta, tv), x(ta, tv)
            calls["new graph"] = lambda: g(ta, tv)
            calls["new xla"] = lambda: x(ta, tv)
        report(f"convolve {n} by {m} {dtype}", calls, 1.5)


if __name__ == "__main__":
    main()
