"""Random numbers: the same as the traced way's and as NumPy's, in any order of calls, states too; and times."""

from __future__ import annotations

from prototypes.harness import report, same

import sys

import numpy as np
import tensorflow as tf

import tfnp
from prototypes import host_random as new

rng = np.random.default_rng(0)
KINDS = ["PCG64", "PCG64DXSM", "Philox", "MT19937", "SFC64"]
CALLS = {
    "random": lambda g: g.random(int(rng_size())),
    "random2": lambda g: g.random((3, 2), dtype=np.float32),
    "random0": lambda g: g.random(),
    "normal": lambda g: g.standard_normal(7),
    "normal32": lambda g: g.standard_normal((2, 3), dtype=np.float32),
    "moved": lambda g: g.normal(1.5, 2.5, 5),
    "uniform": lambda g: g.uniform(-1.0, 3.0, (2, 2)),
    "int": lambda g: g.integers(0, 10, 9),
    "int8": lambda g: g.integers(-100, 100, 7, np.int8),
    "int16": lambda g: g.integers(0, 2**16, 3, np.uint16),
    "intbool": lambda g: g.integers(0, 2, 37, bool),
    "int32": lambda g: g.integers(-5, 2**31 - 1, 3, np.int32, endpoint=True),
    "int64": lambda g: g.integers(-(2**63), 2**63 - 1, 4, endpoint=True),
    "int1": lambda g: g.integers(5),
    "intw": lambda g: g.integers(3, 4, 5),
    "uint64": lambda g: g.integers(0, 2**40, (2, 2), np.uint64),
    "permutation": lambda g: g.permutation(11),
    "permuted": lambda g: g.permuted(np.arange(12.0).reshape(3, 4), axis=1),
    "permute array": lambda g: g.permutation(np.arange(10.0).reshape(5, 2)),
    "choice": lambda g: g.choice(20, 6),
    "exponential": lambda g: g.standard_exponential(3),
    "bytes": lambda g: g.bytes(5),
}
EXACT = set(CALLS) - {"exponential"}
SIZE = 3


def rng_size():
    return SIZE


def numpys(x):
    return np.asarray(x.numpy() if hasattr(x, "numpy") else x)


def check():
    global SIZE
    for kind in KINDS:
        for trial in range(8 if kind != "SFC64" else 3):
            seed = int(rng.integers(0, 2**31))
            names = list(rng.choice(list(CALLS), 10))
            host = np.random.Generator(getattr(np.random, kind)(seed))
            ours = tfnp.random.Generator(getattr(tfnp.random, kind)(seed))
            old = tfnp.random.Generator(getattr(tfnp.random, kind)(seed))
            for name in names:
                SIZE = int(rng.integers(0, 5))
                a = CALLS[name](host)
                new.install()
                b = CALLS[name](ours)
                new.install(False)
                c = CALLS[name](old) if trial < 2 else b
                if name == "bytes":
                    assert a == b == c, name
                    continue
                b, c = numpys(b), numpys(c)
                assert same(b, c), (kind, name, b, c)
                assert b.dtype == np.asarray(a).dtype or name in ("int1",), (name, b.dtype)
                if name in EXACT:
                    assert np.array_equal(a, b) if name not in ("moved", "uniform") else np.allclose(a, b, 1e-15), (kind, name, a, b)
                state, expected = ours.bit_generator.state, host.bit_generator.state
                assert str(state["state"]) == str(expected["state"]) or np.array_equal(state["state"].get("key", 0), expected["state"].get("key", 1)), (kind, name)
                assert state.get("has_uint32") == expected.get("has_uint32"), (kind, name)
    print("generators agree with NumPy's and with the traced way")
    g, h = tfnp.random.default_rng(5), np.random.default_rng(5)
    new.install()
    f = tf.function(lambda: g.random(3), autograph=False)
    found = [g.random(2), f(), g.random(2), f(), g.integers(0, 9, 3), f()]
    expected = [h.random(2), h.random(3), h.random(2), h.random(3), h.integers(0, 9, 3), h.random(3)]
    assert all(np.array_equal(a, b) for a, b in zip(found, expected, strict=True))
    r, s = tfnp.random.RandomState(3), np.random.RandomState(3)
    for call in (lambda q: q.standard_normal(3), lambda q: q.random_sample(2), lambda q: q.permutation(7), lambda q: q.standard_normal(2), lambda q: q.randint(0, 9, 4), lambda q: q.uniform(0, 2, 2)):
        a, b = call(s), numpys(call(r))
        assert np.allclose(a, b, 1e-13), (a, b)
    v = tf.Variable(2.0, dtype=tf.float64)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(g.normal(v, 3.0, 4))
    assert tape.gradient(y, v).numpy() == 4.0
    new.install(False)
    print("eager and graph in turn, RandomState, gradients agree")


def main():
    if "times" not in sys.argv:
        check()
    n = 10**6
    for kind in ("PCG64", "Philox", "MT19937"):
        host = np.random.Generator(getattr(np.random, kind)(1))
        ours = tfnp.random.Generator(getattr(tfnp.random, kind)(1))
        for what, call in {
            "random": lambda g: g.random(n),
            "standard_normal": lambda g: g.standard_normal(n),
            "integers": lambda g: g.integers(0, 1000, n),
            "permutation": lambda g: g.permutation(n),
            "choice": lambda g: g.choice(n, n),
            "random of 3": lambda g: g.random(3),
        }.items():
            def at(on, call=call):
                def go():
                    new.install(on)
                    return call(ours)
                return go
            report(f"{kind} {what}", {"numpy": lambda: call(host), "today": at(False), "new": at(True)}, 0.6)
        new.install(False)


if __name__ == "__main__":
    main()
