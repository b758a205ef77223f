"""NumPy behaviour, which every example enables, ends with each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import tfnp


@pytest.fixture(autouse=True)
def _behaviour_ends() -> Iterator[None]:
    """Disable what the examples of this test enabled."""
    yield
    while True:
        try:
            tfnp.disable_numpy_behavior()
        except RuntimeError:
            return
