"""Interleaved minima of CPU time on one thread, and equality bit by bit."""

from __future__ import annotations

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import time

import numpy as np
import tensorflow as tf

tf.config.threading.set_inter_op_parallelism_threads(1)
tf.config.threading.set_intra_op_parallelism_threads(1)


def timed(calls, seconds=1.0):
    """Minimum CPU seconds of each call, taking turns."""
    for call in calls.values():
        call()
    found = dict.fromkeys(calls, float("inf"))
    begun = time.process_time()
    rounds = 0
    while rounds < 3 or (time.process_time() - begun < seconds and rounds < 50):
        rounds += 1
        for name, call in calls.items():
            start = time.process_time()
            call()
            found[name] = min(found[name], time.process_time() - start)
    return found


def report(title, calls, seconds=1.0):
    found = timed(calls, seconds)
    base = found.get("numpy")
    print(
        f"{title:34}",
        "  ".join(
            f"{name} {spent * 1e3:.3g} ms" + (f" ({spent / base:.3g}x)" if base and name != "numpy" else "")
            for name, spent in found.items()
        ),
        flush=True,
    )


def same(first, second):
    """Whether two results have the same dtypes, shapes and bytes, nan aside."""
    if isinstance(first, (tuple, list)):
        return len(first) == len(second) and all(map(same, first, second))
    first, second = (np.asarray(x.numpy() if hasattr(x, "numpy") else x) for x in (first, second))
    if first.dtype != second.dtype or first.shape != second.shape:
        return False
    if first.dtype.kind == "O":
        return bool((first == second).all())
    return first.tobytes() == second.tobytes() or bool(
        np.array_equal(first, second, equal_nan=first.dtype.kind in "fc")
        and np.array_equal(np.signbit(first.real), np.signbit(second.real))
    )


def outcome(function, *args, **kwargs):
    """A result, or the class of what was raised."""
    try:
        return function(*args, **kwargs)
    except Exception as error:  # noqa: BLE001
        return type(error).__name__


def agree(first, second):
    if isinstance(first, str) or isinstance(second, str):
        return isinstance(first, str) and isinstance(second, str) and first == second
    return same(first, second)
