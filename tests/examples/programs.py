"""The programs in `examples/` as modules, on NumPy or tfnp, and their results compared."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy

EXAMPLES = Path(__file__).parents[2] / "examples"


def load(name: str, np: Any) -> ModuleType:
    """Return an example as a module of its own, its functions calling `np`."""
    spec = importlib.util.spec_from_file_location(f"example_{name}_{np.__name__}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.np = np
    return module


def as_array(value: Any) -> numpy.ndarray:
    """Return an array of what NumPy or TensorFlow gave; text as NumPy has it."""
    array = numpy.asarray(value)
    return numpy.strings.decode(array.astype("S"), "utf-8") if array.dtype == object else array


def compare(expected: Any, found: Any) -> None:
    """Check that two results have the same structure, dtypes and shapes, and close values."""
    if isinstance(expected, list | tuple):
        assert len(expected) == len(found)
        for one, other in zip(expected, found, strict=True):
            compare(one, other)
        return
    expected, array = numpy.asarray(expected), as_array(found)
    assert array.shape == expected.shape
    if expected.dtype.kind == "U":
        assert array.tolist() == expected.tolist()
        return
    assert array.dtype == expected.dtype
    tolerance = 1e-4 if expected.dtype == numpy.float32 else 1e-8
    numpy.testing.assert_allclose(array, expected, rtol=tolerance, atol=tolerance)
