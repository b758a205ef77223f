"""Kernels that look at values to choose a path, and those that must not look: on an accelerator each look waits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tables import check_each
from tests.tfnp.agreement import take_gradient
from tests.tfnp.kernels.agreement import classes
from tfnp._core.traces import MAX_SIZE
from tfnp._kernels import select_rare
from tfnp._kernels.complex import arithmetic
from tfnp._kernels.real import binary, floats

REALS = np.array([0.0, -0.0, 1.5, -2.0, 1e-40, 3e38, np.inf, -np.inf, np.nan, 7.0])
PAIRS = [array.ravel() for array in np.meshgrid(REALS, REALS)]
COMPLEXES = np.array(
    [0, 1 + 2j, -3j, complex(np.inf, 1), complex(np.nan, 0), complex(2, -0.0), 1e200 + 1e200j, 1e-310j]
)
COMPLEX_PAIRS = [array.ravel() for array in np.meshgrid(COMPLEXES, COMPLEXES)]
LONG = np.tile(np.linspace(0.5, 3, 64), MAX_SIZE // 32)
CALLS: tuple[tuple[str, tuple[np.ndarray, ...]], ...] = (
    *((name, tuple(PAIRS)) for name in ("hypot", "arctan2", "floor_divide", "remainder", "fmod", "divmod")),
    *((name, tuple(array.astype("f") for array in PAIRS)) for name in ("hypot", "arctan2", "remainder", "divmod")),
    *((name, tuple(COMPLEX_PAIRS)) for name in ("multiply", "divide")),
    *((name, (COMPLEXES,)) for name in ("sign", "reciprocal", "square")),
    ("cumprod", (np.array([2, 1e200, 0, 1e200, 1e200] * 4) * (1 + 0j),)),
    *((name, (LONG, LONG[::-1].copy())) for name in ("hypot", "arctan2", "floor_divide", "remainder", "power")),
)


def parts(result: Any) -> list[np.ndarray]:
    """Return the real and imaginary parts of one result or of several."""
    arrays = [array.numpy() for array in (result if isinstance(result, tuple) else (result,))]
    return [part for array in arrays for part in ((array.real, array.imag) if array.dtype.kind == "c" else (array,))]


@contextmanager
def accelerated() -> Iterator[list[Any]]:
    """Have no tensor lie in the host's memory, and yield the tensors that are looked at all the same."""
    looks = list[Any]()
    owner = next(cls for cls in type(tf.constant(0)).__mro__ if "_numpy" in vars(cls))
    read = owner._numpy
    with pytest.MonkeyPatch.context() as patch:
        for module in (select_rare, arithmetic, binary, floats):
            patch.setattr(module, "is_on_host", lambda x: False)
        patch.setattr(owner, "_numpy", lambda self: looks.append(self) or read(self))
        yield looks


def test_no_kernel_looks_at_values_that_an_accelerator_holds():
    def check(case: tuple[str, tuple[np.ndarray, ...]]) -> None:
        name, arrays = case
        tensors = list(map(tf.constant, arrays))
        expected = getattr(tfnp, name)(*tensors)
        with accelerated() as looks:
            actual = getattr(tfnp, name)(*tensors)
            assert not looks
        for part, expected_part in zip(parts(actual), parts(expected), strict=True):
            np.testing.assert_array_equal(classes(part), classes(expected_part))
            np.testing.assert_allclose(part, expected_part, rtol=4 * np.finfo(part.dtype).eps)

    check_each(CALLS, check)


def test_gradients_of_products_do_not_look_either():
    x = tf.constant([2.0, 0.0, 3.0, 5.0])
    with accelerated() as looks:
        gradient = take_gradient(tfnp.prod, x)
        assert not looks
    np.testing.assert_array_equal(gradient, [0, 30, 0, 0])


@pytest.mark.parametrize("name", ["replace_rare", "replace_few"])
def test_the_special_values_are_not_computed_where_none_is_seen(name):
    replace: Callable[..., tf.Tensor] = getattr(select_rare, name)
    usual = tf.zeros(3)
    assert replace(usual, tf.fill((3,), False), lambda: pytest.fail("called")) is usual
