"""Names that `tfnp` leaves out: NumPy's own, called with NumPy's arrays, which share memory with arrays.

`COUNTS` says which were used, for the report of `python -m tfnp --report`.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final

import numpy as np

from tfnp.numpy.multiarray import make_array
from tfnp.numpy.protocols import to_numpy

PREFIX: Final = "tfnp."
COUNTS: Final[Counter[str]] = Counter()


def find_numpy_name(name: str) -> Any:
    """Return NumPy's function of arrays, class or module. Raise AttributeError if NumPy has no such name, either."""
    if name.startswith("_"):
        raise AttributeError(f"module 'tfnp.numpy' has no attribute {name!r}", name=name)
    value = getattr(np, name)
    COUNTS[name] += 1
    return value if isinstance(value, type | ModuleType) or not callable(value) else _call_numpy(value)


def _call_numpy(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        return lift_numpy(function(*map(to_numpy, args), **to_numpy(kwargs)))

    return call


def lift_numpy(result: Any) -> Any:
    """Return NumPy's arrays as arrays, where a tensor can hold them."""
    if type(result) is np.ndarray and result.dtype.kind in "biufcUS":
        return make_array(result)
    return type(result)(map(lift_numpy, result)) if type(result) in (tuple, list) else result


class NumPyModules(MetaPathFinder, Loader):
    """The importer of submodules that this package lacks: `import tfnp.numpy.char` gives `numpy.char`."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        name = fullname.removeprefix(PREFIX)
        if not fullname.startswith(f"{PREFIX}numpy.") or importlib.util.find_spec(name) is None:
            return None
        return ModuleSpec(fullname, self)

    def create_module(self, module_spec: ModuleSpec) -> ModuleType:
        name = module_spec.name.removeprefix(PREFIX)
        COUNTS[name] += 1
        module = ModuleType(module_spec.name)
        module.__dict__.update(vars(importlib.import_module(name)))
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: the module has NumPy's names already."""


def register_modules() -> None:
    """Have NumPy's submodules imported by names of this package, after its own."""
    if not any(isinstance(finder, NumPyModules) for finder in sys.meta_path):
        sys.meta_path.append(NumPyModules())
