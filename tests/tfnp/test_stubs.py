"""The type stubs are what `python ci/stubs.py` writes from the functions as they are."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def stubs():
    spec = importlib.util.spec_from_file_location("stubs", ROOT / "ci" / "stubs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_stubs_are_up_to_date(stubs):
    for path, text in stubs.stubs().items():
        assert (ROOT / path).read_text() == text, f"{path}: run `python ci/stubs.py`"


def test_a_changed_signature_changes_the_stub(stubs):
    def mean(a: ArrayLike, axis: AxisLike = None, colour: bool | None = None, *rest) -> tf.Tensor: ...  # noqa: F821 - never evaluated

    expected = "(a: ArrayLike, axis: AxisLike = ..., colour: builtins.bool | None = ..., *rest: Any) -> ndarray"
    assert stubs.Tensors()._signature(mean) == expected
    assert stubs.Arrays()._signature(mean) == expected.replace("-> ndarray", "-> Any")
