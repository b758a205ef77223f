"""The array API standard's inspection of a namespace."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import dtypes, shapes
from tfnp._core.arguments import on_device

__all__ = ["__array_namespace_info__"]


class __array_namespace_info__:  # noqa: N801 - the standard's name
    """Inspection of this namespace: https://data-apis.org/array-api/latest/API_specification/inspection.html."""

    def capabilities(self) -> dict[str, Any]:
        """Return what is supported. Shapes may depend on data eagerly and in graphs; XLA needs `size=`."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": shapes.MAX_RANK}

    def default_device(self) -> str:
        """Return the first GPU, if there is one, else "CPU:0"."""
        return next((device for device in self.devices() if device.startswith("GPU")), "CPU:0")

    def devices(self) -> list[str]:
        """Return the devices in the form that `device=` accepts. This starts TensorFlow's runtime."""
        return [f"{device.device_type}:{device.name.rpartition(':')[2]}" for device in tf.config.list_logical_devices()]

    def default_dtypes(self, *, device: Any = None) -> dict[str, np.dtype]:
        """Return the default dtypes, which depend on `prefer_float32`."""
        with on_device(device):
            names = {"real floating": float, "complex floating": complex, "integral": int, "indexing": int}
            return {name: dtypes.default_dtype(python_type) for name, python_type in names.items()}

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, Any]:
        """Return the dtypes of the standard; bfloat16 is not one of them."""
        with on_device(device):
            return np.__array_namespace_info__().dtypes(kind=kind)
