"""What is NumPy's own, and what memory would say."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree, array
from tfnp.routines import environment

SETTINGS = {"errstate", "getbufsize", "geterr", "geterrcall", "setbufsize", "seterr", "seterrcall"}


@pytest.mark.parametrize("name", sorted(set(environment.__all__) - {"isfortran"} - SETTINGS))
def test_numpys_own(name):
    assert getattr(tfnp, name) is getattr(np, name)


@pytest.fixture
def numpys_settings():
    """NumPy's own settings, which must be left alone; ours are as they were afterwards."""
    before, own = (np.geterr(), np.geterrcall(), np.getbufsize()), (tfnp.geterr(), tfnp.getbufsize())
    yield lambda: (np.geterr(), np.geterrcall(), np.getbufsize()) == before
    tfnp.seterr(**own[0])
    tfnp.setbufsize(own[1])
    tfnp.seterrcall(None)


def test_floating_point_errors_are_never_raised(numpys_settings):
    with tfnp.errstate(all="raise"):
        assert np.isinf(tfnp.divide(tf.constant(1.0), 0.0))
        assert np.isnan(tfnp.sqrt(tf.constant(-1.0)))
        assert numpys_settings()


def test_settings_are_kept_and_given_back(numpys_settings):
    assert tfnp.geterr() == tfnp.seterr(divide="raise", over="ignore")
    assert tfnp.geterr() == {**np.geterr(), "divide": "raise", "over": "ignore"}
    with tfnp.errstate(divide="print", call=print):
        assert tfnp.setbufsize(16384) == 8192
        assert tfnp.geterr()["divide"] == "print"
        assert tfnp.geterrcall() is print
    assert tfnp.geterr()["divide"] == "raise"
    assert tfnp.geterrcall() is tfnp.seterrcall(len) is None
    assert tfnp.geterrcall() is len
    assert tfnp.setbufsize(4096) == 8192
    assert tfnp.getbufsize() == 4096
    assert numpys_settings()


def test_a_function_may_be_decorated(numpys_settings):
    @tfnp.errstate(invalid="raise")
    def settings():
        return tfnp.geterr()["invalid"]

    assert [settings(), settings(), tfnp.geterr()["invalid"]] == ["raise", "raise", "warn"]


@pytest.mark.parametrize(
    "call",
    [
        lambda module: module.seterr(all="bogus"),
        lambda module: module.errstate(under="bogus").__enter__(),
        lambda module: module.seterrcall(3),
        lambda module: module.setbufsize(-1),
        lambda module: module.errstate(bogus="raise"),
    ],
)
def test_settings_are_checked_as_numpy_checks_them(call, numpys_settings):
    with pytest.raises((TypeError, ValueError)) as expected:
        call(np)
    with pytest.raises(expected.type):
        call(tfnp)
    assert tfnp.geterr() == np.geterr()
    assert numpys_settings()


def test_tensors_lie_by_rows():
    agree("isfortran", array(2, 3))
    agree("isfortran", np.asfortranarray(array(2, 3)))
    agree("isfortran", 3.0)
    assert tfnp.isfortran(tf.Variable(array(2, 3))) is False


def test_arrays_are_compared_by_numpys_own_assertions():
    tfnp.testing.assert_allclose(tf.constant([1.0, 2.0]), [1, 2])
    with pytest.raises(AssertionError):
        tfnp.testing.assert_array_equal(tf.constant([1, 2]), [1, 3])
