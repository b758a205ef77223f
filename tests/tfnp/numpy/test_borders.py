"""What TensorFlow and Keras do with arrays is a table: each line is a test, and the page shows the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy
import pytest
import tensorflow as tf

from tests.tables import check_each
from tests.tfnp.numpy.borders import WORKS, WRITE, evaluate, make_page

RANDOM = (
    "random",
    "shuffle",
    "keras.layers",
    "keras.Sequential",
    "model()",
    "compiled(",
    "classify(",
    "fit_",
    "sample",
)
"""Parts of calls whose values are random."""


@pytest.mark.parametrize("section", WORKS)
def test_calls_work_as_with_numpys_arrays(section):
    def check(call):
        result = evaluate(call)
        assert result is not False, call
        if not any(part in call for part in RANDOM):
            compare(result, call)

    check_each(list(WORKS[section]), check)


def compare(result: Any, call: str) -> None:
    """Compare a result with that for NumPy's arrays, if TensorFlow takes them."""
    try:
        expected = evaluate(call, numpy)
    except Exception:  # noqa: BLE001 - TensorFlow and Keras may raise anything
        return
    for one, other in zip(list_values(result), list_values(expected), strict=True):
        numpy.testing.assert_allclose(one, other, rtol=1e-5, err_msg=call)


def list_values(result: Any) -> list[numpy.ndarray]:
    """Return the numbers in a nest of results."""
    arrays = []
    for leaf in tf.nest.flatten(result, expand_composites=True):
        try:
            array = numpy.asarray(leaf)
        except (TypeError, ValueError, NotImplementedError):
            continue
        if array.dtype.kind in "biufc":
            arrays.append(array)
    return arrays


def test_what_raises_an_error_has_something_to_write_instead():
    def check(call):
        with pytest.raises((TypeError, ValueError, tf.errors.InvalidArgumentError)):
            evaluate(call)
        evaluate(WRITE[call])

    check_each(list(WRITE), check)


def test_the_page_shows_the_table():
    page = Path(__file__).parents[3] / "docs" / "borders.md"
    assert page.read_text() == make_page(), "write it by `python -m tests.tfnp.numpy.borders`"
