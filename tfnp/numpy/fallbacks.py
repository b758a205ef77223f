"""Names and modules that `tfnp` leaves out: NumPy's own, called with NumPy's arrays, which share memory with arrays."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import FunctionType, ModuleType
from typing import Any, Final

import numpy as np

from tfnp.absences import REMOVED_ALIASES, explain
from tfnp.numpy.numpy_calls import COUNTS, call_numpy

PREFIX: Final = "tfnp."


def find_numpy_name(name: str) -> Any:
    """Return NumPy's function of arrays, class or module. Raise AttributeError if NumPy has no such name, either:
    of names of older versions, with the name to use instead.
    """
    if name in REMOVED_ALIASES or not hasattr(np, name):
        raise explain(name, vars(sys.modules["tfnp.numpy"]), module="tfnp.numpy")
    value = getattr(np, name)
    if isinstance(value, type | ModuleType) or not callable(value):
        if not name.startswith("_"):
            COUNTS[name] += 1
        return value

    @functools.wraps(value)
    def call(*args: Any, **kwargs: Any) -> Any:
        return call_numpy(value, name, args, kwargs)

    return call


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
        module.__dict__.update(vars(importlib.import_module(name)), __path__=[])
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: the module has NumPy's names already."""


def name_functions(modules: Sequence[ModuleType]) -> None:
    """Give the functions of modules the names by which they are imported, so that they can be pickled."""
    for module in modules:
        originals = vars(importlib.import_module(module.__name__.replace("tfnp.numpy", "tfnp", 1)))
        for name, value in vars(module).items():
            is_lifted = isinstance(value, FunctionType) and value is not originals.get(name) and name[0] != "_"
            if not is_lifted or not value.__module__.startswith(PREFIX[:-1]):
                continue
            value.__module__ = module.__name__
            if vars(module).get(value.__name__) is not value:
                value.__name__ = value.__qualname__ = name


def register_modules() -> None:
    """Have NumPy's submodules imported by names of this package, after its own."""
    if not any(isinstance(finder, NumPyModules) for finder in sys.meta_path):
        sys.meta_path.append(NumPyModules())
