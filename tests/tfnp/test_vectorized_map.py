"""`tf.vectorized_map` runs functions for all rows at once, not in a loop: all but those that `oracle` lists, each with
the op at fault.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from fuzz.generate.calls import draw_case, generated_names
from fuzz.generate.choices import SeedChoices
from oracle import Case, Mode, Outcome, load_subject, run_numpy
from oracle.execution.modes import run_case
from oracle.execution.vmap import LOOPS, is_stackable, may_run_in_loop
from tests.tables import check_each, each_group, each_topic, group
from tests.tfnp.agreement import take_gradient

ROWS = np.random.default_rng(0).normal(size=(5, 8))
FUNCTIONS: dict[str, Callable[[tf.Tensor], tf.Tensor]] = {
    "argpartition": lambda x: tfnp.argpartition(x, 3),
    "argsort": tfnp.argsort,
    "copysign": lambda x: tfnp.copysign(x, -1.0),
    "cumsum": tfnp.cumsum,
    "digitize": lambda x: tfnp.digitize(x, [-1.0, 0, 1]),
    "frexp": lambda x: tfnp.frexp(x)[0],
    "gcd": lambda x: tfnp.gcd(tf.cast(10 * x, tf.int32), 6),
    "histogram": lambda x: tfnp.histogram(x, bins=4, range=(-2, 2))[0],
    "interp": lambda x: tfnp.interp(x, [-1.0, 0, 1], [1.0, 2, 0]),
    "isin": lambda x: tfnp.isin(x, ROWS[0]),
    "lexsort": lambda x: tfnp.lexsort((x,)),
    "log2": lambda x: tfnp.log2(tfnp.abs(x)),
    "median": tfnp.median,
    "nanmedian": tfnp.nanmedian,
    "nextafter": lambda x: tfnp.nextafter(x, 1.0),
    "partition": lambda x: tfnp.partition(x, 3),
    "percentile": lambda x: tfnp.percentile(x, [30, 60]),
    "quantile": lambda x: tfnp.quantile(x, 0.3),
    "searchsorted": lambda x: tfnp.searchsorted(tf.constant([-1.0, 0, 1], tf.float64), x),
    "searchsorted in sorted": lambda x: tfnp.searchsorted(tfnp.sort(x), x),
    "signbit": tfnp.signbit,
    "sort": tfnp.sort,
    "sort of bfloat16": lambda x: tfnp.sort(tf.cast(x, tf.bfloat16)),
    "sort of complex": lambda x: tfnp.sort(tf.complex(x, -x)),
    "sort of uint32": lambda x: tfnp.sort(tf.cast(100 * tf.abs(x), tf.uint32)),
    "unwrap": tfnp.unwrap,
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_are_vectorized(name: str) -> None:
    function, rows = FUNCTIONS[name], tf.constant(ROWS)
    actual = tf.vectorized_map(function, rows, fallback_to_while_loop=False)
    np.testing.assert_allclose(
        tf.cast(actual, tf.complex128), tf.cast(tf.stack([function(row) for row in rows]), tf.complex128), rtol=1e-6
    )


@pytest.mark.parametrize("dtype", [tf.uint8, tf.int32, tf.float64])
def test_bits_are_vectorized_whatever_the_width(dtype: tf.DType) -> None:
    with tfnp.numpy_behavior():
        rows = tf.constant(ROWS)
        actual = tf.vectorized_map(lambda x: x.view(dtype), rows, fallback_to_while_loop=False)
        np.testing.assert_array_equal(actual, ROWS.view(dtype.as_numpy_dtype))


def differentiate_median(x: tf.Tensor) -> tf.Tensor:
    return take_gradient(tfnp.median, x)


def test_gradients_are_vectorized() -> None:
    actual = tf.vectorized_map(differentiate_median, tf.constant(ROWS), fallback_to_while_loop=False)
    np.testing.assert_array_equal(actual, tf.stack([differentiate_median(tf.constant(row)) for row in ROWS]))


SUBJECT = load_subject("tfnp")
ANYWHERE = "*"
NAMES = [name for name in generated_names() if SUBJECT.has(name) and not name.startswith("random.")]
LISTED = [
    (op, name)
    for op, patterns in LOOPS.items()
    for name in NAMES
    if ANYWHERE not in patterns and any(fnmatchcase(name, pattern) for pattern in patterns)
]
MANY, MOST_DRAWN, MOST_NAMES = 60, 400, 40


def draw_stackable(name: str, count: int) -> Iterator[Case]:
    """Yield valid calls with arrays that can be stacked, at most so many."""
    found = 0
    for number in range(MOST_DRAWN):
        case = draw_case(SeedChoices(zlib.crc32(f"{name} {number}".encode())), name)
        if any(array.size for array in case.arrays()) and run_numpy(case).ok and is_stackable([case, case]):
            yield case
            found += 1
        if found == count or (not found and number == MOST_DRAWN // 10):
            return


def run_mapped(case: Case) -> Outcome:
    return run_case(Mode("vmap"), case, SUBJECT)


def check_name(name: str) -> None:
    """Check one call; campaigns in the mode vmap draw more."""
    for case in draw_stackable(name, 1):
        op = run_mapped(case).looped
        assert not op or may_run_in_loop(case, op), f"{op} in {case}"


@each_topic(NAMES, 4, MOST_NAMES)
def test_only_listed_names_run_row_by_row(names: list[str]) -> None:
    check_each(names, check_name)


SELDOM_DRAWN = {"linalg.norm": Case("linalg.norm", (ROWS, 2))}
"""A call that runs row by row, of names for which few drawn calls do."""


def check_listed(listed: tuple[str, str]) -> None:
    op, name = listed
    cases = [SELDOM_DRAWN[name]] if name in SELDOM_DRAWN else draw_stackable(name, MANY)
    assert any(run_mapped(case).looped == op for case in cases), f"{name} does not need {op}"


@each_group("listed", group(LISTED, lambda listed: listed[0]), 1)
def test_listed_names_run_row_by_row(listed: list[tuple[str, str]]) -> None:
    check_each(listed, check_listed)


@pytest.mark.full
def test_numbers_become_text_row_by_row() -> None:
    assert run_mapped(Case("ndarray.astype", (ROWS[0], "U3"))).looped == "AsString"
