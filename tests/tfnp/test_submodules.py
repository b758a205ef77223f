"""Modules that programs import by NumPy's names."""

from __future__ import annotations

import importlib
import numbers
import typing

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tfnp.random import global_state

MODULES = (
    "dtypes",
    "exceptions",
    "lib.array_utils",
    "lib.introspect",
    "lib.mixins",
    "lib.scimath",
    "lib.stride_tricks",
)
MODULES += (
    "emath",
    "fft",
    "lib",
    "linalg",
    "polynomial",
    "polynomial.polynomial",
    "random",
    "random.mtrand",
    "strings",
)
MODULES += ("testing", "typing", "version")


@pytest.mark.parametrize("name", MODULES)
def test_a_module_is_imported_by_its_name(name):
    own = importlib.import_module(f"tfnp.{name}")
    found = tfnp
    for part in name.split("."):
        found = getattr(found, part)
    assert found is own


def test_the_older_module_of_random_numbers_has_what_the_newer_one_has():
    from tfnp.random import mtrand

    assert all(getattr(mtrand, name) is getattr(tfnp.random, name) for name in mtrand.__all__)
    private = {"get_bit_generator", "set_bit_generator"}  # left out
    assert set(mtrand.__all__) == set(np.random.mtrand.__all__) - private | {"random", "random_integers"}


@pytest.mark.parametrize("name", ["dtypes", "exceptions", "lib.array_utils", "lib.introspect", "lib.mixins"])
def test_what_does_not_calculate_is_numpys(name):
    own, theirs = (importlib.import_module(f"{package}.{name}") for package in ("tfnp", "numpy"))
    assert [getattr(own, one) for one in own.__all__] == [getattr(theirs, one) for one in own.__all__]
    listed = {one for one in dir(theirs) if isinstance(getattr(theirs, one), type) and not one.startswith("_")}
    assert {*listed, *theirs.__all__} <= set(own.__all__)


def test_scimath_is_emath():
    from tfnp.lib import scimath

    assert [getattr(scimath, name) for name in scimath.__all__] == [
        getattr(tfnp.emath, name) for name in scimath.__all__
    ]
    assert scimath.sqrt(-1).numpy() == 1j


def test_an_exception_of_a_function_is_that_of_the_module():
    from tfnp.exceptions import AxisError

    with pytest.raises(AxisError):
        tfnp.sum([1.0], axis=2)


def check_random_state(seed, numpy):
    """The state of a seed, as packages that follow scikit-learn make it."""
    if seed is None or seed is numpy.random:
        return numpy.random.mtrand._rand
    if isinstance(seed, numbers.Integral):
        return numpy.random.RandomState(seed)
    if isinstance(seed, numpy.random.RandomState):
        return seed
    raise ValueError(seed)


def test_the_global_state_of_random_numbers():
    from tfnp.random.mtrand import RandomState, _rand

    assert RandomState is tfnp.random.RandomState
    for seed in (None, tfnp.random):
        state = check_random_state(seed, tfnp)
        assert state is _rand
        tfnp.random.seed(5)
        expected = np.random.RandomState(5).rand(4)
        np.testing.assert_array_equal(state.rand(2), expected[:2])
        np.testing.assert_array_equal(tfnp.random.rand(2), expected[2:])
    np.testing.assert_array_equal(check_random_state(3, tfnp).rand(2), check_random_state(3, np).rand(2))
    assert check_random_state(_rand, tfnp) is _rand
    tfnp.random.mtrand.seed(1)
    np.testing.assert_array_equal(tfnp.random.mtrand.random_sample(2), np.random.RandomState(1).random_sample(2))


def test_the_global_state_is_the_present_one():
    before = global_state.get_bit_generator()
    try:
        global_state.set_bit_generator(tfnp.random.PCG64(3))
        assert tfnp.random.mtrand._rand._bit_generator is global_state.get_bit_generator()
    finally:
        global_state.set_bit_generator(before)
    with pytest.raises(AttributeError, match=r"tfnp\.random\.mtrand.*'_no_such'"):
        tfnp.random.mtrand._no_such  # noqa: B018 - only the error matters


def test_the_version_by_its_other_names():
    assert tfnp.version.version == tfnp.version.full_version == tfnp.version.short_version == tfnp.__version__
    assert tfnp.version.release is True


def test_types_for_annotations():
    from tfnp.typing import NBitBase, NDArray

    def scale(x: NDArray[np.float64], by: NDArray[typing.Any] | None = None) -> NDArray[np.floating[NBitBase]]:
        return x if by is None else x * by

    assert NDArray[np.float64] is tf.Tensor
    assert typing.get_type_hints(scale, {**globals(), **locals()})["return"] is tf.Tensor
