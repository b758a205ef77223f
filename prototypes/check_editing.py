"""Editing: equality with today's on random inputs, and times."""

from __future__ import annotations

from prototypes.harness import agree, outcome, report

import numpy as np
import tensorflow as tf

import tfnp
from prototypes import editing as new
from tfnp.routines import editing as old
from tfnp.routines import tiling

DTYPES = ["?", "b", "u8", "i4", "i8", "f2", "f4", "f8", "c8", "c16"]
rng = np.random.default_rng(0)


def array(shape, dtype):
    found = rng.integers(-2, 3, shape)
    if np.dtype(dtype).kind in "fc":
        found = np.where(rng.random(shape) < 0.1, np.nan, found * 1.5)
        found = np.where(rng.random(shape) < 0.1, -0.0, found)
    return found.astype(dtype)


def zeros_at_ends(shape, dtype):
    found = array(shape, dtype)
    for axis, length in enumerate(shape):
        view = np.moveaxis(found, axis, 0)
        view[: rng.integers(0, length + 1) // 2] = 0
        view[length - rng.integers(0, length + 1) // 2 :] = -0.0 if found.dtype.kind == "f" else 0
    return found


def check_trim():
    count = 0
    for _ in range(300):
        dtype = rng.choice(DTYPES)
        rank = rng.integers(1, 4)
        shape = tuple(rng.integers(0, 7, rank))
        if rank == 1 and rng.random() < 0.2:
            shape = (5000,)
        x = zeros_at_ends(shape, dtype) if rng.random() < 0.7 else np.zeros(shape, dtype)
        trim = rng.choice(["fb", "f", "b", "BF", "x"])
        axis = [None, 0, -1, tuple(range(rank)), 9][rng.integers(0, 5)]
        a, b = (outcome(f, tf.constant(x), str(trim), axis) for f in (tfnp.trim_zeros, new.trim_zeros))
        assert agree(a, b), (x, trim, axis, a, b)
        if rng.random() < 0.15:
            for spec in (x.shape, [None] * x.ndim):
                a, b = (
                    outcome(
                        tf.function(
                            lambda t, f=f: f(t, str(trim), axis),
                            input_signature=[tf.TensorSpec(spec, x.dtype)],
                            autograph=False,
                        ),
                        x,
                    )
                    for f in (tfnp.trim_zeros, new.trim_zeros)
                )
                assert agree(a, b), (x, trim, axis, a, b)
        count += 1
    assert new.trim_zeros([0, 1, 0]) == tfnp.trim_zeros([0, 1, 0])
    print("trim_zeros agrees", count)


def new_delete(arr, obj, axis=None):
    arr, number = old._flat_or_along(tf.constant(arr), axis)
    return new.delete_known(arr, old._known(obj), arr.shape[number], number)


def new_insert(arr, obj, values, axis=None):
    arr, number = old._flat_or_along(tf.constant(arr), axis)
    obj = old._known(obj)
    sides = tuple(arr.shape)
    length = sides[number]
    places = len(np.insert(np.arange(length), obj, 0)) - length
    shaped = old._shaped(tf.cast(values, arr.dtype), obj, None if places == 1 else places, sides, number)
    return new.insert_known(arr, shaped, obj, length, shaped.shape[number], number)


def index(length):
    form = rng.integers(0, 8)
    n = max(length, 1)
    return [
        lambda: int(rng.integers(-n, n)),
        lambda: rng.integers(-n, n, rng.integers(0, 5)),
        lambda: list(map(int, rng.integers(-n, n, rng.integers(0, 20)))),
        lambda: slice(
            *(int(k) if rng.random() < 0.7 else None for k in rng.integers(-n - 1, n + 2, 2)),
            int(rng.choice([1, -1, 2, -3, 7])),
        ),
        lambda: rng.random(length) < 0.5,
        lambda: length + 3,
        lambda: np.array([1.5]),
        lambda: np.array([[1], [0]]),
    ][form]()


def check_delete_insert():
    count = 0
    new.LARGE = 1  # slices for all
    for _ in range(600):
        dtype = rng.choice(DTYPES)
        shape = tuple(rng.integers(1, 9, rng.integers(1, 4)))
        x = array(shape, dtype)
        axis = [None, *range(len(shape))][rng.integers(0, len(shape) + 1)]
        obj = index(x.size if axis is None else shape[axis])
        a, b = outcome(tfnp.delete, tf.constant(x), obj, axis), outcome(new_delete, x, obj, axis)
        assert agree(a, b), (x, obj, axis, a, b)
        value = array((), dtype)
        a, b = outcome(tfnp.insert, tf.constant(x), obj, value, axis), outcome(new_insert, x, obj, value, axis)
        assert agree(a, b), (x, obj, axis, a, b)
        count += 1
    for obj, values in ((3, [1.0, 2.0, 3.0]), ([3, 3, 1], [7.0, 8.0, 9.0]), ([-1], [4.0, 5.0]), ([2, 2], [1.0, 2.0])):
        x = np.arange(6.0)
        assert agree(tfnp.insert(tf.constant(x), obj, values), new_insert(x, obj, values)), obj
        x = np.arange(12.0).reshape(6, 2)
        assert agree(
            outcome(tfnp.insert, tf.constant(x), obj, [[v, v + 0.5] for v in values], 0),
            outcome(new_insert, x, obj, [[v, v + 0.5] for v in values], 0),
        ), obj
    new.LARGE = 4096
    print("delete, insert agree", count)


def check_repeat():
    count = 0
    new.LARGE = 1
    for _ in range(300):
        dtype = rng.choice(DTYPES)
        shape = tuple(rng.integers(0, 5, rng.integers(1, 4)))
        x = array(shape, dtype)
        axis = int(rng.integers(0, len(shape)))
        known = [int(rng.integers(-1, 4)), np.array([2]), np.int32(3), rng.integers(0, 3, shape[axis]), True, 1.5][
            rng.integers(0, 6)
        ]
        a = outcome(tfnp.repeat, tf.constant(x), known, axis)
        b = outcome(new.repeat_known, tf.constant(x), known, shape[axis], axis)
        assert agree(a, b), (x, known, axis, a, b)
        counts = tf.constant(rng.integers(0, 4, rng.choice([1, shape[axis]])))
        for spec in (counts.shape, [None]):
            a, b = (
                (
                    outcome(
                        tf.function(
                            lambda c, f=f: f(shape[axis], c),
                            input_signature=[tf.TensorSpec(spec, tf.int64)],
                            autograph=False,
                        ),
                        counts,
                    )
                    for f in (tiling._repeated, new.repeated)
                )
                if rng.random() < 0.1
                else (1, 1)
            )
            assert agree(a, b), (counts, shape[axis], a, b)
        count += 1
    new.LARGE = 4096
    print("repeat agrees", count)


def main():
    check_trim()
    check_delete_insert()
    check_repeat()
    n = 10**6
    x = rng.standard_normal(n)
    t = tf.constant(x)
    z = np.concatenate([np.zeros(1000), x, np.zeros(1000)])
    tz = tf.constant(z)
    report(
        "trim_zeros",
        {
            "numpy": lambda: np.trim_zeros(z),
            "raw": lambda: tz[1000:-1000],
            "today": lambda: tfnp.trim_zeros(tz),
            "new": lambda: new.trim_zeros(tz),
        },
        2,
    )
    m = tf.reshape(t, (1000, 1000))
    report(
        "trim_zeros 1000x1000",
        {
            "numpy": lambda: np.trim_zeros(x.reshape(1000, 1000)),
            "today": lambda: tfnp.trim_zeros(m),
            "new": lambda: new.trim_zeros(m),
        },
        2,
    )
    g = {
        k: tf.function(f, autograph=False, reduce_retracing=False)
        for k, f in (("today", tfnp.trim_zeros), ("new", new.trim_zeros))
    }
    report(
        "trim_zeros in a graph", {"numpy": lambda: np.trim_zeros(z), **{k: (lambda f=f: f(tz)) for k, f in g.items()}}
    )
    arr = t
    for what, obj in (
        ("one", 500),
        ("slice", slice(100, 2000)),
        ("every 3rd", slice(None, None, 3)),
        ("1000 places", rng.integers(0, n, 1000)),
        ("mask", rng.random(n) < 0.5),
    ):
        report(
            f"delete {what}",
            {
                "numpy": lambda: np.delete(x, obj),
                "raw": lambda: tf.concat([arr[:500], arr[501:]], 0),
                "today": lambda: tfnp.delete(arr, obj),
                "new": lambda: new.delete_known(arr, obj, n, 0),
            },
        )
    one = tf.constant([1.0], tf.float64)
    for what, obj, c in (("one", 500, 1), ("1000 places", rng.integers(0, n, 1000), 1000)):
        v = tf.ones(c, tf.float64)
        report(
            f"insert {what}",
            {
                "numpy": lambda: np.insert(x, obj, 1.0),
                "raw": lambda: tf.concat([arr[:500], one, arr[500:]], 0),
                "today": lambda: tfnp.insert(arr, obj, 1.0),
                "new": lambda: new.insert_known(arr, v, obj, n, c, 0),
            },
        )
    counts = rng.integers(0, 4, n)
    report(
        "repeat 2",
        {
            "numpy": lambda: np.repeat(x, 2),
            "raw": lambda: tf.repeat(t, 2),
            "today": lambda: tfnp.repeat(t, 2),
            "new": lambda: new.repeat_known(t, 2, n, 0),
        },
    )
    report(
        "repeat counts",
        {
            "numpy": lambda: np.repeat(x, counts),
            "raw": lambda: tf.repeat(t, counts),
            "today": lambda: tfnp.repeat(t, counts),
            "new": lambda: new.repeat_known(t, counts, n, 0),
        },
    )
    tc = tf.constant(counts)
    g = {
        k: tf.function(lambda c, f=f: tf.gather(t, f(n, c)), autograph=False)
        for k, f in (("today", tiling._repeated), ("new", new.repeated))
    }
    report(
        "repeat counts in a graph",
        {"numpy": lambda: np.repeat(x, counts), **{k: (lambda f=f: f(tc)) for k, f in g.items()}},
    )


if __name__ == "__main__":
    main()
