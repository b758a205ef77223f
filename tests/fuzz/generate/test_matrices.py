"""Kinds of matrices are what they are called."""

from __future__ import annotations

import numpy as np
import pytest

from fuzz.generate import matrices
from fuzz.generate.argument_classes import array_classes
from fuzz.generate.calls import draw_case
from fuzz.generate.choices import SeedChoices

CLASSES = {
    matrices.make_singular: "singular",
    matrices.make_symmetric: "symmetric",
    matrices.make_ill_conditioned: "ill-conditioned",
    matrices.make_missing: "nan",
    matrices.make_all_missing: "all nan",
    matrices.make_infinite: "infinity",
    matrices.make_zeros_negative: "negative zero",
    matrices.make_subnormal: "subnormal",
    matrices.make_large: "large",
}


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16", ">f8"])
@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_a_kind_is_what_it_is_called(kind, dtype):
    matrix = np.array([[2, 1, 0], [5, 7, 1], [1, 4, 9]], dtype)
    assert CLASSES[kind] in array_classes(kind(matrix.copy()), is_matrix=True)


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_integers_hold_what_they_can(kind):
    matrix = np.array([[2, 1, 0], [5, 7, 1], [1, 4, 9]], np.int16)
    assert kind(matrix.copy()).astype(matrix.dtype).shape == matrix.shape


@pytest.mark.parametrize("name", ["linalg.cholesky", "linalg.inv", "linalg.solve"])
def test_one_in_two_complex_matrices_differs_from_its_conjugate(name: str) -> None:
    drawn = [matrix for seed in range(300) for matrix in draw_case(SeedChoices(seed, 0), name).arrays()[:1]]
    complexes = [matrix for matrix in drawn if matrix.dtype.kind == "c" and matrix.size]
    assert sum(bool((matrix.imag != 0).any()) for matrix in complexes) > len(complexes) / 2
