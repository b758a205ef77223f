"""Measured table: how far TensorFlow's results are from NumPy's by function, dtype and mode, and where.

`python -m tests.oracle.measured_recording` makes it. It is exact for what it was measured with.
Of a dtype of two bytes every argument of a unary function was tried, and there is nothing beyond. Of any other there
are samples only, and another processor makes NumPy choose other kernels for its vectors: hence the margin.
"""

from __future__ import annotations

import json
import platform
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

TABLE = Path(__file__).with_name("measured.json")

MARGIN = 2.0
"""Units in the last place beyond what was measured, where not every argument was, or not on such a machine."""

PACKAGES = ("numpy", "tensorflow", "ml_dtypes")


@dataclass(frozen=True)
class Measurements:
    """A table, as its file has it."""

    data: dict[str, Any]

    @cached_property
    def is_of_here(self) -> bool:
        """Return whether versions and processor are those of this process; otherwise kernels may differ."""
        here = circumstances()
        versions = [(self.data["versions"].get(name), here["versions"][name]) for name in PACKAGES]
        return self.data["machine"] == here["machine"] and all(there == now for there, now in versions)

    def measured(self, name: str, dtype: str, mode: str) -> dict[str, Any] | None:
        """Return the measurement for a function's results of this dtype, or None."""
        row: dict[str, Any] | None = self.data["functions"].get(name, {}).get(dtype, {}).get(mode)
        return row

    def allowed(self, name: str, dtype: str, mode: str) -> float | None:
        """Return the measured distance in units in the last place, or None."""
        row = self.measured(name, dtype, mode)
        if row is None:
            return None
        return float(row["ulps"]) + (0.0 if row["exhaustive"] and self.is_of_here else MARGIN)


@lru_cache(maxsize=1)
def table() -> Measurements:
    """Return the table in this package."""
    return Measurements(json.loads(TABLE.read_text(encoding="utf-8")))


@lru_cache(maxsize=1)
def circumstances() -> dict[str, Any]:
    """Return what kernels depend on: versions, and the processor features that NumPy detects."""
    extensions = np.show_config("dicts")["SIMD Extensions"]
    usable = [*extensions["baseline"], *extensions.get("found", ())]  # which is missing if there are none
    return {
        "versions": {"python": platform.python_version(), **{name: _version_of(name) for name in PACKAGES}},
        "machine": {"architecture": platform.machine(), "numpy_dispatches_to": usable},
    }


def _version_of(package: str) -> str:
    if package == "numpy":
        return np.__version__
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
