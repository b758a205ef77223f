"""Functions of unknown dimensions that XLA compiles, as those of Keras are: it knows sizes, the trace does not."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tables import check_each
from tests.tfnp.agreement import agree

MODE = ("xla_dims",)
FLAT = np.array([[3.0, 1.0, 0.5, 2.0], [1.0, 4.0, 0.25, -1.0], [0.5, 0.25, 5.0, 1.5]])
HERMITIAN = np.array([[2.0, 1j, 0.5], [-1j, 3.0, 1 - 1j], [0.5, 1 + 1j, 1.0]])


def check_call(call):
    name, *args = call
    kwargs = args.pop() if isinstance(args[-1], dict) else {}
    agree(name, *args, modes=MODE, **kwargs)


def test_decompositions():
    check_each([("linalg.svdvals", FLAT), ("linalg.eigvalsh", FLAT[:, :3])], check_call)


@pytest.mark.full
def test_singular_values_of_matrices_of_any_form():
    check_each(
        [
            ("linalg.svd", FLAT),
            ("linalg.svd", FLAT.T, False),
            ("linalg.svdvals", FLAT[None, :, :3]),
            ("linalg.svd", np.zeros((0, 3))),
            ("linalg.pinv", FLAT[:, :1]),
            ("linalg.lstsq", FLAT.T, np.arange(4.0)),
        ],
        check_call,
    )


@pytest.mark.full
def test_eigenvalues_of_hermitian_matrices():
    check_each(
        [
            ("linalg.eigh", HERMITIAN),
            ("linalg.eigvalsh", FLAT[:1, :1]),
            ("linalg.matrix_rank", HERMITIAN, {"hermitian": True}),
        ],
        check_call,
    )
