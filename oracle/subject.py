"""Subject under test: any importable module with NumPy's names, and its adapter if it has one."""

from __future__ import annotations

import difflib
import importlib
import inspect
import os
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from operator import attrgetter
from types import ModuleType
from typing import Any

import numpy as np

from oracle.adapter import Adapter, find_adapter, registered

WELL_KNOWN = ("tfnp", "tensorflow.experimental.numpy", "numpy")


class UnknownSubject(ValueError):
    """No such module."""


class Subject:
    """A namespace under judgement.

    One whose `ndarray` is NumPy's own takes arrays, any other takes tensors. `ndarray.*` names are the attributes of
    the subject's arrays: where those are tensors, the subject has them only if it can lend them for a while, by a
    context manager called `numpy_behavior`; what would change TensorFlow for good is never asked for. Where the
    subject's `ndarray` is no class but a namespace, `ndarray.*` are the functions in it.

    One that has an `adapter`, registered under its name or kept in its attribute `ADAPTER`, is called as that says;
    `namespace` is where the adapter's texts are evaluated.
    """

    def __init__(self, name: str, module: ModuleType | None = None, adapter: Adapter | None = None) -> None:
        self.name = name
        self.adapter = adapter or (find_adapter(name) if module is None else None)
        self.namespace: dict[str, Any] = {"np": np}
        if self.adapter is None:
            module = _module(name) if module is None else module
            adapter_of_module = vars(module).get("ADAPTER") if isinstance(module, ModuleType) else None
            self.adapter = adapter_of_module if isinstance(adapter_of_module, Adapter) else None
        if self.adapter is not None:
            module = _import_adapted(self.adapter, self.namespace)
        self.module: Any = module
        is_native = self.adapter is not None and not self.adapter.tensors
        self.takes_tensors = not is_native and getattr(module, "ndarray", None) is not np.ndarray
        self._resolved: dict[str, Any] = {}

    def __repr__(self) -> str:
        return f"Subject({self.name!r})"

    def find(self, name: str) -> Any:
        """Return what the dotted name means here. Raises AttributeError where it means nothing."""
        try:
            return self._resolved[name]
        except KeyError:
            value = self._resolved[name] = self._look_up(name)
            return value

    def has(self, name: str) -> bool:
        """Return whether `find` would succeed."""
        try:
            self.find(name)
        except AttributeError:
            return False
        return True

    def lending(self) -> AbstractContextManager[Any]:
        """Return the scope in which the subject's arrays have NumPy's methods and operators."""
        lend = getattr(self.module, "numpy_behavior", None)
        return nullcontext() if lend is None or not self.takes_tensors else lend()

    def _look_up(self, name: str) -> Any:
        if self.adapter is not None and not (self.adapter.has(name) and self._makes_arrays(self.adapter, name)):
            raise AttributeError(f"{self.name} means something else by {name} than NumPy")
        if self.adapter is not None and not self.adapter.tensors and name.startswith("ndarray."):
            self._check_method(self.adapter, name.removeprefix("ndarray."))
            return attribute_of_first(name)
        if not name.startswith("ndarray."):
            return attrgetter(name)(self.module)
        if self.takes_tensors and not hasattr(self.module, "numpy_behavior"):
            raise AttributeError(f"{self.name} cannot lend {name} to tensors for a while")
        with self.lending():
            method = attrgetter(name)(self.module)
        return attribute_of_first(name) if isinstance(self.module.ndarray, type) else method

    @staticmethod
    def _makes_arrays(adapter: Adapter, name: str) -> bool:
        """Return whether a name can be called: where dtypes are the library's own objects, `float32` cannot."""
        value = getattr(np, name, None) if adapter.dtype else None
        return not (isinstance(value, type) and issubclass(value, np.generic))

    def _check_method(self, adapter: Adapter, attribute: str) -> None:
        classes = eval(adapter.array, self.namespace)
        for kind in classes if isinstance(classes, tuple) else (classes,):
            if not hasattr(kind, attribute):
                raise AttributeError(f"arrays of {self.name} have no {attribute}")


def attribute_of_first(name: str) -> Any:
    """`ndarray.sort` as a function: the attribute of its first argument, called with the others if it is a method."""
    attribute = name.removeprefix("ndarray.")

    def read_or_call(array: Any, /, *args: Any, **kwargs: Any) -> Any:
        value = getattr(array, attribute)
        return value(*args, **kwargs) if callable(value) else value

    return read_or_call


def load_subject(name: str) -> Subject:
    """Return the subject of that module name. Raises UnknownSubject, with close matches, if there is no such module,
    and also if it cannot be imported, whatever it raises.
    """
    try:
        return Subject(name)
    except UnknownSubject:
        raise
    except BaseException as error:  # a module may end the process that imports it, by SystemExit
        text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise UnknownSubject(f"{name} cannot be imported: {text}") from error


def as_subject(subject: Subject | ModuleType | str) -> Subject:
    """Return the subject of a module, imported or by its name."""
    if isinstance(subject, Subject):
        return subject
    return Subject(subject.__name__, subject) if isinstance(subject, ModuleType) else load_subject(subject)


def _import_adapted(adapter: Adapter, namespace: dict[str, Any]) -> Any:
    """Import an adapted library into a namespace; what stands for its module, which may be any object."""
    for key, value in adapter.environment.items():
        os.environ.setdefault(key, value)
    exec(adapter.imports, namespace)
    for name in adapter.preload:
        importlib.import_module(name)
    return eval(adapter.module, namespace)


def _module(name: str) -> ModuleType:
    """Import a dotted name whose last parts may be attributes, as with `from tensorflow.experimental import numpy`."""
    head, _, tail = name.partition(".")
    try:
        module = importlib.import_module(head)
    except ModuleNotFoundError as error:
        if error.name != head:
            raise
        raise _make_error(name) from None
    path = head
    for part in tail.split(".") if tail else ():
        path = f"{path}.{part}"
        if not hasattr(module, part):
            try:
                importlib.import_module(path)
            except ModuleNotFoundError:
                raise _make_error(name) from None
        module = getattr(module, part)
    if not isinstance(module, ModuleType):
        raise UnknownSubject(f"{name} is no module")
    return module


def _make_error(name: str) -> UnknownSubject:
    known = (*WELL_KNOWN, *registered())
    close = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    hint = f"; did you mean {' or '.join(close)}?" if close else f"; known are {', '.join(known)}"
    return UnknownSubject(f"no module {name!r}{hint}")


@lru_cache(maxsize=4096)
def parameters_of(name: str) -> tuple[str, ...]:
    """Return the names of a function's parameters; none where NumPy does not tell."""
    try:
        return tuple(inspect.signature(attrgetter(name)(np)).parameters)
    except (AttributeError, TypeError, ValueError):
        return ()
