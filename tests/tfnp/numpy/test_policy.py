"""Who calculates in eager mode is one policy, which results, dtypes and errors do not show."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter

import numpy
import pytest

import tfnp.numpy as np
from tfnp.numpy.policy import Policy

CALLS = {
    "operator": lambda x: x + x,
    "ufunc": np.sqrt,
    "function": np.cumsum,
    "method": lambda x: x.sum(),
    "statistic": np.mean,
    "reduction": np.add.reduce,
    "decomposition": lambda x: np.linalg.eigvalsh(np.outer(x, x)),
    "numbers": lambda x: np.linspace(0, 1, 5),
    "in place": lambda x: x.copy().__iadd__(x),
    "output": lambda x: np.add(x, x, out=np.zeros(len(x))),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls_are_counted_where_numpy_calculates(name, monkeypatch):
    x = np.arange(6.0)
    results = {}
    for mode in ("auto", "tensorflow", "numpy"):
        monkeypatch.setattr(Policy, "counts", Counter())
        with np.calculate_with(mode):
            results[mode] = CALLS[name](x)
        assert bool(Policy.counts) == (mode != "tensorflow"), Policy.counts
    for result in results.values():
        assert type(result) is type(results["tensorflow"])
        numpy.testing.assert_allclose(numpy.asarray(result), numpy.asarray(results["tensorflow"]), atol=1e-12)


def test_the_policy_numpy_has_no_limit(monkeypatch):
    x = np.zeros(40_000)
    for mode, is_counted in (("auto", False), ("numpy", True)):
        monkeypatch.setattr(Policy, "counts", Counter())
        with np.calculate_with(mode):
            np.exp(x)
            np.fliplr(x.reshape(2, -1))
            np.cumsum(x)
        assert (("cumsum", "the policy is numpy") in Policy.counts) == is_counted


def test_policies_nest_and_last():
    assert Policy.mode == "tensorflow"
    with np.calculate_with("auto"):
        with np.calculate_with("numpy"):
            assert Policy.mode == "numpy"
        assert Policy.mode == "auto"
    np.calculate_with("auto")
    assert Policy.mode == "auto"
    np.calculate_with("tensorflow")
    with pytest.raises(ValueError, match="one of auto, tensorflow, numpy"):
        np.calculate_with("torch")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("numpy", "numpy"),
        pytest.param("", "auto", marks=pytest.mark.full),
        pytest.param("torch", "ValueError: TFNP_NUMPY", marks=pytest.mark.full),
    ],
)
def test_the_environment_has_the_policy(name, expected):
    program = "import tfnp.numpy as np; from tfnp.numpy.policy import Policy; print(Policy.mode)"
    environment = {key: value for key, value in os.environ.items() if key != "TFNP_NUMPY"}
    environment |= {"TFNP_NUMPY": name} if name else {}
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False
    )
    assert expected in result.stdout + result.stderr
