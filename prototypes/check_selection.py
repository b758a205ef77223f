"""Selection: equality with NumPy's sort on random inputs, and times."""

from __future__ import annotations

from prototypes.harness import report

import sys

import numpy as np
import tensorflow as tf

import tfnp
from prototypes import selection as new

rng = np.random.default_rng(0)


def vector(n, dtype):
    kind = np.dtype(dtype).kind
    if kind in "iu":
        info = np.iinfo(dtype)
        form = rng.integers(0, 3)
        if form == 0:
            return rng.integers(info.min, info.max, n, np.dtype(dtype), endpoint=True)
        return rng.integers(0, 5, n).astype(dtype) if form == 1 else np.full(n, info.max, dtype)
    x = rng.standard_normal(n) * 10.0 ** rng.integers(-300, 300) if rng.random() < 0.5 else rng.choice([0.0, -0.0, 1.5, np.inf, -np.inf, 1e-310], n)
    with np.errstate(all="ignore"):
        x = x.astype(dtype)
    if rng.random() < 0.3:
        x[rng.integers(0, n, 3)] = np.nan
    return x


def check():
    new.SMALL = 8
    for _ in range(150):
        dtype = str(rng.choice(["b", "u1", "i2", "u4", "i4", "i8", "u8", "f2", "f4", "f8"]))
        n = int(rng.integers(1, 300))
        x = vector(n, dtype)
        t = tf.constant(x)
        places = rng.integers(0, n, 3)
        s = np.sort(x)
        assert np.array_equal(new.select(t, places).numpy(), s[places], equal_nan=x.dtype.kind == "f"), (x, places)
        k = int(places[0])
        p = new.partition(t, k).numpy()
        assert np.array_equal(np.sort(p), s, equal_nan=x.dtype.kind == "f")
        assert p[k] == s[k] or (p[k] != p[k] and s[k] != s[k])
        assert np.array_equal(np.sort(p[:k]), s[:k], equal_nan=x.dtype.kind == "f")
        assert np.array_equal(np.sort(new.argpartition(t, k).numpy()), np.arange(n))
        if dtype in ("f4", "f8"):
            with np.errstate(all="ignore"):
                a, b = np.median(x), new.median(t).numpy()
            c = tfnp.median(t).numpy()
            assert np.array_equal(b, c, equal_nan=True) or np.array_equal(a, b, equal_nan=True), (x, a, b, c)
    new.SMALL = 1 << 13
    print("agree")
    v = tf.constant(rng.standard_normal(99))
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(v)
        a, b = new.median(v), tfnp.median(v)
    assert np.array_equal(tf.convert_to_tensor(tape.gradient(a, v)), tf.convert_to_tensor(tape.gradient(b, v)))
    print("gradients agree")


def main():
    if "times" not in sys.argv:
        check()
    n = 10**6
    for what, x in (("normal", rng.standard_normal(n)), ("float32", rng.standard_normal(n).astype("f4")), ("int64", rng.integers(0, 10**6, n)), ("two values", (rng.random(n) < 0.5) * 1.0)):
        t = tf.constant(x)
        if x.dtype.kind == "f":
            report(f"median {what}", {"numpy": lambda: np.median(x), "today": lambda: tfnp.median(t), "new": lambda: new.median(t)}, 0.6)
        q = np.array([0.1, 0.25, 0.5, 0.9])
        places = (q * (n - 1)).astype(int)
        report(f"percentile of 4 {what}", {"numpy": lambda: np.percentile(x, q * 100), "today": lambda: tfnp.percentile(t, q * 100), "new select of 8": lambda: new.select(t, [*places, *(places + 1)])}, 0.6)
        report(f"partition {what}", {"numpy": lambda: np.partition(x, n // 2), "today": lambda: tfnp.partition(t, n // 2), "new": lambda: new.partition(t, n // 2)}, 0.6)


if __name__ == "__main__":
    main()
