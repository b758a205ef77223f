"""Other packages take arrays as they take NumPy's: each idiom of the table is a test, and the page shows the same."""

from __future__ import annotations

from pathlib import Path

import numpy
import pytest

import tfnp.numpy as np
from tests.tables import check_each
from tests.tfnp.numpy.ecosystem import IDIOMS, make_names, make_page


@pytest.mark.parametrize("package", IDIOMS)
def test_results_are_those_with_numpys_arrays(package):
    try:
        names, expected_names = make_names(package, np), make_names(package, numpy)
    except ImportError as error:
        pytest.skip(f"{package} is not installed here but by tox -e ecosystem: {error}")

    def check(call):
        actual, expected = eval(call, dict(names)), eval(call, dict(expected_names))
        assert type(actual) is type(expected) or isinstance(actual, numpy.ndarray | numpy.generic | float)
        if (
            isinstance(expected, numpy.ndarray | numpy.generic | float | list)
            and numpy.asarray(expected).dtype.kind == "f"
        ):
            numpy.testing.assert_array_almost_equal_nulp(*map(numpy.asarray, (actual, expected)), 16)
        else:
            assert actual == expected

    check_each(list(IDIOMS[package]), check)


def test_the_page_shows_the_table():
    page = Path(__file__).parents[3] / "docs" / "ecosystem.md"
    assert page.read_text() == make_page(), "write it by `python -m tests.tfnp.numpy.ecosystem`"
