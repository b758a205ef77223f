"""What the array API standard lets a program ask of a namespace."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import dtypes, shapes
from tfnp._core.arguments import on_device

__all__ = ["__array_namespace_info__"]


class __array_namespace_info__:  # noqa: N801 - the standard's name
    """https://data-apis.org/array-api/latest/API_specification/inspection.html, of TensorFlow's devices."""

    def capabilities(self) -> dict[str, Any]:
        """Shapes that depend on data: eagerly and in graphs. XLA has to be told their size."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": shapes.MAX_RANK}

    def default_device(self) -> str:
        """The first GPU, if there is one."""
        return next((device for device in self.devices() if device.startswith("GPU")), "CPU:0")

    def devices(self) -> list[str]:
        """As `device=` takes them. Starts TensorFlow's runtime."""
        return [f"{device.device_type}:{device.name.rpartition(':')[2]}" for device in tf.config.list_logical_devices()]

    def default_dtypes(self, *, device: Any = None) -> dict[str, np.dtype]:
        with on_device(device):
            names = {"real floating": float, "complex floating": complex, "integral": int, "indexing": int}
            return {name: dtypes.default_dtype(kind) for name, kind in names.items()}

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, Any]:
        """Those of the standard, which bfloat16 is none of."""
        with on_device(device):
            return np.__array_namespace_info__().dtypes(kind=kind)
