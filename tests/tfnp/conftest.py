"""TensorFlow calculates in the tests of `tfnp`: where NumPy did, they would compare NumPy with itself."""

from __future__ import annotations

import pytest

from tfnp.numpy import calculate_with


@pytest.fixture(autouse=True)
def _tensorflow_calculates():
    with calculate_with("tensorflow"):
        yield


@pytest.fixture
def auto_policy(_tensorflow_calculates):
    with calculate_with("auto"):
        yield
