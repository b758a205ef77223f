"""Write to variables of every strategy that one processor can play, and print as JSON how each differs from NumPy; then
draw random numbers in their replicas, and print these.

    python -m tests.tfnp.replicas

The processor is split in two before TensorFlow starts. Each entry is "" where all copies hold what NumPy's array does.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow.python.distribute import distribute_utils, ps_values

import tfnp

START = np.array([3.0, 1.0, 2.0], np.float32)
SYNCHRONIZATION, AGGREGATION = tf.VariableSynchronization, tf.VariableAggregation


def iadd(numpy: Any, v: Any) -> None:
    v += np.float32([1, 2, 3])


WRITES: dict[str, Callable[[Any, Any], Any]] = {
    "element": lambda numpy, v: v.__setitem__(0, 5.0),
    "slice": lambda numpy, v: v.__setitem__(slice(None, None, 2), [7.0, 8.0]),
    "rows": lambda numpy, v: v.__setitem__([0, 1], 5.0),
    "mask": lambda numpy, v: v.__setitem__(np.array([True, False, True]), -1.0),
    "out": lambda numpy, v: numpy.add(np.float32([1, 1, 1]), 1, out=v),
    "out, where": lambda numpy, v: numpy.add(np.float32([1, 1, 1]), 1, out=v, where=np.array([True, False, True])),
    "out of a reduction": lambda numpy, v: numpy.sum(np.ones((2, 3), np.float32), 0, out=v),
    "out of a mean": lambda numpy, v: numpy.mean(np.ones((2, 3), np.float32), 0, out=v),
    "copyto": lambda numpy, v: numpy.copyto(v, 4.0),
    "copyto, where": lambda numpy, v: numpy.copyto(v, 4.0, where=np.array([True, False, False])),
    "put": lambda numpy, v: numpy.put(v, [0, 2], [9.0, 8.0]),
    "place": lambda numpy, v: numpy.place(v, np.array([True, False, True]), [9.0, 8.0]),
    "putmask": lambda numpy, v: numpy.putmask(v, np.array([True, False, True]), np.float32([9, 8, 7])),
    "put_along_axis": lambda numpy, v: numpy.put_along_axis(v, np.array([1]), np.float32(6), 0),
    "ufunc.at": lambda numpy, v: numpy.add.at(v, [0, 0, 2], np.float32(1)),
    "iadd": iadd,
    "sort": lambda numpy, v: v.sort(),
    "partition": lambda numpy, v: v.partition(1),
    "fill": lambda numpy, v: v.fill(2.5),
    "put method": lambda numpy, v: v.put([1], [7.0]),
    "flat": lambda numpy, v: v.flat.__setitem__(slice(0, 2), 0.0),
    "shuffle": lambda numpy, v: numpy.random.default_rng(3).shuffle(v),
    "twice": lambda numpy, v: (v.__setitem__(0, 5.0), v.__setitem__(1, 6.0)),
}  # fmt: skip
WHOLE = ("out", "out of a reduction", "copyto", "fill")
"""Writes that do not depend on what was there."""


def mirrored() -> tf.distribute.Strategy:
    return tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])


def central() -> tf.distribute.Strategy:
    return tf.distribute.experimental.CentralStorageStrategy(["CPU:0", "CPU:1"], "CPU:0")


def one_device() -> tf.distribute.Strategy:
    return tf.distribute.OneDeviceStrategy("CPU:1")


def variable(strategy: tf.distribute.Strategy, synchronization: str = "AUTO", aggregation: str = "NONE") -> Any:
    with strategy.scope():
        return tf.Variable(
            START,
            synchronization=getattr(SYNCHRONIZATION, synchronization),
            aggregation=getattr(AGGREGATION, aggregation),
        )


def copies(v: Any) -> list[np.ndarray]:
    """Return what each replica holds; of copies that are added up when they are read, their sum."""
    is_sum = isinstance(v, tf.distribute.DistributedValues) and v.synchronization == SYNCHRONIZATION.ON_READ
    if is_sum and v.aggregation == AGGREGATION.SUM:
        return [v.read_value().numpy()]
    return [part.numpy() for part in v.values] if isinstance(v, tf.distribute.DistributedValues) else [v.numpy()]


def try_write(v: Any, write: Callable[[Any, Any], Any], around: Callable[[Callable[[], None]], Any]) -> str:
    """Return how the copies differ from NumPy's array, or what was raised."""
    expected = np.array(tfnp.asarray(v))
    write(np, expected)

    def apply() -> None:
        write(tfnp, v)

    try:
        around(apply)
    except Exception as error:  # noqa: BLE001 - a message is an answer
        return f"{type(error).__name__}: {error}"[:200]
    found = [*copies(v), tfnp.asarray(v).numpy(), np.asarray(v[:])]
    return "" if all(np.array_equal(one, expected) for one in found) else f"{found} instead of {expected}"


def at_once(write: Callable[[], Any]) -> None:
    write()


def in_graph(write: Callable[[], Any]) -> None:
    tf.function(write, autograph=False)()


def in_scope(strategy: tf.distribute.Strategy) -> Callable[[Callable[[], Any]], None]:
    def around(write: Callable[[], Any]) -> None:
        with strategy.scope():
            write()

    return around


def in_replicas(strategy: tf.distribute.Strategy) -> Callable[[Callable[[], Any]], None]:
    return lambda write: strategy.run(tf.autograph.experimental.do_not_convert(write))


def in_replicas_of_graph(strategy: tf.distribute.Strategy) -> Callable[[Callable[[], Any]], None]:
    return lambda write: tf.function(lambda: strategy.run(write), autograph=False)()


def cached(write: Callable[[], Any]) -> None:
    """In a scope where what was read once is read again from a cache."""
    with distribute_utils.cache_variable_reads():
        write()


def survey() -> dict[str, str]:
    """Return an entry for each kind of variable, place to write from, and write."""
    results: dict[str, str] = {}

    def write_all(kind: str, make: Callable[[], Any], around: Callable[[Callable[[], None]], Any]) -> None:
        for name, write in WRITES.items():
            results[f"{kind}: {name}"] = try_write(make(), write, around)

    for strategy in (mirrored(), central(), one_device()):
        kind = type(strategy).__name__
        write_all(kind, lambda s=strategy: variable(s), at_once)
        write_all(f"{kind}, in its scope", lambda s=strategy: variable(s), in_scope(strategy))
        write_all(f"{kind}, in a graph", lambda s=strategy: variable(s), in_graph)
        for aggregation in ("MEAN", "ONLY_FIRST_REPLICA", "SUM"):
            make = lambda s=strategy, a=aggregation: variable(s, aggregation=a)  # noqa: E731
            write_all(f"{kind}, in replicas, {aggregation}", make, in_replicas(strategy))
        make = lambda s=strategy: variable(s, aggregation="MEAN")  # noqa: E731
        write_all(f"{kind}, in replicas of a graph", make, in_replicas_of_graph(strategy))
    strategy = mirrored()
    for aggregation in ("MEAN", "SUM", "ONLY_FIRST_REPLICA"):
        write_all(f"on read, {aggregation}", lambda s=strategy, a=aggregation: variable(s, "ON_READ", a), at_once)
    strategy = central()
    write_all("unaggregated, in replicas", lambda: variable(strategy), in_replicas(strategy))
    write_all("cached", lambda: ps_values.CachingVariable(tf.Variable(START)), cached)
    return results


def survey_draws() -> dict[str, Any]:
    """Return the numbers that replicas draw in two runs and what is drawn after them, with the number of traces."""
    results: dict[str, Any] = {}
    for strategy in (mirrored(), central(), one_device()):
        for before in ("nothing", "a draw", "a draw in the scope"):
            for is_graph in (False, True):
                rng, traces = tfnp.random.default_rng(1), []
                with strategy.scope() if "scope" in before else contextlib.nullcontext():
                    drawn = [] if before == "nothing" else [float(rng.random())]

                def step(rng: Any = rng, traces: list[int] = traces) -> tf.Tensor:
                    traces.append(1)
                    return rng.random()

                def run(strategy: Any = strategy, step: Any = step) -> Any:
                    return strategy.run(step)

                run = tf.function(run, autograph=False) if is_graph else run
                for _ in range(2):
                    drawn += [float(number) for number in strategy.experimental_local_results(run())]
                drawn.append(float(rng.random()))
                results[f"{type(strategy).__name__}, {before} before, graph {is_graph}"] = [len(traces), drawn]
    return results


if __name__ == "__main__":
    processor = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(processor, [tf.config.LogicalDeviceConfiguration()] * 2)
    with tfnp.numpy_behavior():
        differences = survey()
    print(json.dumps({"writes": differences, "draws": survey_draws()}))
