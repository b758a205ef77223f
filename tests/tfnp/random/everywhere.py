"""Show that every distribution gives the same numbers everywhere: in eager, graphs and XLA, on each of two CPUs.

    python -m tests.tfnp.random.everywhere [--count N] [--json FILE] [--distributions] [NAME ...]

A processor is split in two before TensorFlow starts. Of each method of a Generator, of each function of the older
interface, numbers are drawn in two calls, six ways; they are equal bit for bit, or the line says where they are not,
and the exit status is 1. Compiling all for XLA takes about half an hour: the tests draw of a few kinds only. With
`--distributions`, the older interface's are held against NumPy's on 20 seeds, as the tests do for Generator's.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from tests.tfnp.random.parameters import COVARIANCE, PARAMETERS
from tests.tfnp.random.test_distributions import CASES, SEEDS, check_distribution
from tfnp import random
from tfnp.random import global_state

SEED = 20260
CALLS = 2
COMPILED = {"eager": None, "graph": False, "xla": True}
DEVICES = ("CPU:0", "CPU:1")

SHARED = {name: every for name, every in PARAMETERS.items() if hasattr(random.RandomState, name)}
"""What the two interfaces have in common."""

Draw = Callable[[Any, int], tf.Tensor]


@lru_cache(maxsize=1)
def shuffle_place(count: int) -> tf.Variable:
    with tf.init_scope():
        return tf.Variable(np.zeros(count, np.int64))


def shuffled(source: Any, count: int) -> tf.Tensor:
    """What lies in a variable when it has been shuffled."""
    variable = shuffle_place(count)
    variable.assign(tf.range(count, dtype=tf.int64))
    source.shuffle(variable)
    return variable.read_value()


def _share(name: str, given: tuple[Any, ...]) -> Draw:
    return lambda source, count: getattr(source, name)(*given, size=count)


def _draws(table: dict[str, list[tuple[Any, ...]]], others: dict[str, list[Draw]]) -> dict[str, list[Draw]]:
    return {name: [_share(name, given) for given in every] for name, every in table.items()} | others


BOTH: dict[str, list[Draw]] = {
    "choice": [
        lambda source, count: source.choice(1000, count),
        lambda source, count: source.choice(4, count, True, [0.1, 0.0, 0.4, 0.5]),
        lambda source, count: source.choice(count, count, False),
        lambda source, count: source.choice(count, count, False, np.full(count, 1 / count)),
    ],
    "permutation": [lambda source, count: source.permutation(count)],
    "shuffle": [shuffled],
}
GENERATOR: dict[str, list[Draw]] = BOTH | {
    "integers": [
        *(
            lambda source, count, dtype=dtype: source.integers(0, 100, count, dtype)
            for dtype in (np.int64, np.int32, np.int16, np.int8, np.uint64, np.uint32, np.uint16, np.uint8)
        ),
        lambda source, count: source.integers(-(2**63), 2**63, count),
        lambda source, count: source.integers(0, 2, count, bool),
        lambda source, count: source.integers([0, -5], [[10], [2**40]], (count // 2, 2, 2)),
    ],
    "multivariate_hypergeometric": [
        lambda source, count: source.multivariate_hypergeometric([10, 20, 30], 25, count),
        lambda source, count: source.multivariate_hypergeometric([10, 20, 30], 25, count, "count"),
    ],
    "multivariate_normal": [
        lambda source, count, method=method: source.multivariate_normal([0.0, 1.0], COVARIANCE, count, method=method)
        for method in ("svd", "eigh", "cholesky")
    ],
    "permuted": [
        lambda source, count: source.permuted(tf.range(count)),
        lambda source, count: source.permuted(tf.reshape(tf.range(4 * count), (4, count)), axis=0),
    ],
    "random": [lambda source, count, dtype=dtype: source.random(count, dtype) for dtype in (np.float64, np.float32)],
    "standard_exponential": [
        lambda source, count, dtype=dtype, method=method: source.standard_exponential(count, dtype, method)
        for dtype in (np.float64, np.float32)
        for method in ("zig", "inv")
    ],
    "standard_gamma": [
        lambda source, count, dtype=dtype, shape=shape: source.standard_gamma(shape, count, dtype)
        for dtype in (np.float64, np.float32)
        for shape in (1.5, 0.2)
    ],
    "standard_normal": [
        lambda source, count, dtype=dtype: source.standard_normal(count, dtype) for dtype in (np.float64, np.float32)
    ],
}
LEGACY: dict[str, list[Draw]] = BOTH | {
    "rand": [lambda source, count: source.rand(count)],
    "randint": [
        lambda source, count, dtype=dtype: source.randint(0, 100, count, dtype)
        for dtype in (np.int64, np.int32, np.uint8)
    ],
    "randn": [lambda source, count: source.randn(count)],
    "random": [lambda source, count: source.random(count)],
    "random_integers": [lambda source, count: source.random_integers(1, 6, count)],
    "random_sample": [lambda source, count: source.random_sample(count)],
    "ranf": [lambda source, count: source.ranf(count)],
    "sample": [lambda source, count: source.sample(count)],
}
EVERY: dict[str, list[Draw]] = {
    **{f"Generator.{name}": draws for name, draws in _draws(SHARED, GENERATOR).items()},
    **_draws(SHARED, LEGACY),
    "RandomState.tomaxint": [lambda source, count: source.tomaxint(count)],
}
"""Of each name, ways to draw. Bytes are Python's, which no graph makes: their numbers are those of `integers`."""


def new_source(name: str) -> Any:
    if name.startswith("Generator."):
        return random.Generator(random.Philox(SEED))
    if name.startswith("RandomState."):
        return random.RandomState(SEED)
    global_state.set_bit_generator(random.MT19937())  # whose state will be on the device that draws
    random.seed(SEED)
    return random


def drawn(name: str, draw: Draw, count: int, mode: str, device: str) -> np.ndarray:
    """What several calls give, one after another."""
    compiled = COMPILED[mode]
    shuffle_place.cache_clear()  # a variable is on the device that it was made on
    with tf.device(device):
        source = new_source(name)
        function: Any = partial(draw, source, count)
        if compiled is not None:
            function = tf.function(function, autograph=False, jit_compile=compiled)
        return np.concatenate([function().numpy() for _ in range(CALLS)])


def differences(name: str, count: int, devices: tuple[str, ...] = DEVICES) -> Iterator[str]:
    """Where numbers are others than in eager on the first device."""
    for place, draw in enumerate(EVERY[name]):
        expected = drawn(name, draw, count // CALLS, "eager", devices[0])
        for device in devices:
            for mode in COMPILED:
                found = drawn(name, draw, count // CALLS, mode, device)
                if found.dtype != expected.dtype or found.tobytes() != expected.tobytes():
                    which = np.flatnonzero((found != expected).ravel())
                    yield f"[{place}] in {mode} on {device}: {which.size} of {found.size} differ, from {which[:1]}"


def judge_distributions(names: list[str]) -> None:
    """Raise where one is not NumPy's."""
    cases = [case for case in CASES if not names or case[0] in names]
    cases = [case for case in cases if hasattr(random.RandomState, case[0])]
    for name, given in cases:
        check_distribution(random.RandomState, name, given)
        print(f"{name}{given}: as NumPy's on {len(SEEDS)} seeds", flush=True)
    print(f"{len(cases)} distributions of {len({name for name, _ in cases})} names")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="only these, such as Generator.beta")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--json", type=Path, help="also write the figures there")
    parser.add_argument("--distributions", action="store_true", help="judge the older interface's on 20 seeds, instead")
    options = parser.parse_args()
    if options.distributions:
        judge_distributions(options.names)
        return
    one = tf.config.LogicalDeviceConfiguration()
    tf.config.set_logical_device_configuration(tf.config.list_physical_devices("CPU")[0], [one] * len(DEVICES))
    figures: dict[str, Any] = {}
    for name in options.names or EVERY:
        start = time.perf_counter()
        figures[name] = found = list(differences(name, options.count))
        spent = time.perf_counter() - start
        result = "; ".join(found) or f"{options.count} numbers of each, the same {len(COMPILED) * len(DEVICES)} ways"
        print(f"{name:<40}{len(EVERY[name]):>3} {spent:6.1f} s  {result}", flush=True)
        if options.json:
            options.json.write_text(json.dumps(figures, indent=2) + "\n")
    failed = sum(map(bool, figures.values()))
    print(f"{len(figures)} names, {sum(len(EVERY[name]) for name in figures)} draws: {failed} differ")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
