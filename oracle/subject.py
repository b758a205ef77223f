"""Subjects under test: any importable module with NumPy's names, and its adapter if it has one."""

from __future__ import annotations

import difflib
import importlib
import os
import sys
from contextlib import AbstractContextManager, nullcontext
from functools import cache, lru_cache
from importlib.metadata import packages_distributions
from operator import attrgetter
from types import ModuleType
from typing import Any

import numpy as np

from oracle.adapter import Adapter, find_adapter, registered
from oracle.case.tensor_ops import PREFIX, look_up_op
from oracle.inferred_adapter import infer_adapter
from oracle.modes import OF_OPS
from oracle.signatures import inspect_signature

TENSORFLOW = "tensorflow"
"""The subject whose names are those of ops, not of NumPy's API."""

WELL_KNOWN = ("tfnp", "tensorflow.experimental.numpy", "numpy")


class UnknownSubject(ValueError):
    """The subject cannot be imported."""


class Subject:
    """A namespace under test.

    A subject whose `ndarray` is NumPy's own, or wraps it, takes arrays, and so does one without an `ndarray` that does
    not import TensorFlow; any other takes tensors. `ndarray.*` names are the attributes of its arrays. If those are
    tensors, it has these names only if it offers a context manager `numpy_behavior`; functions that change TensorFlow
    permanently are never called. Where `ndarray` is a namespace and no class, `ndarray.*` are its functions.

    An `adapter`, registered under the subject's name or in its attribute `ADAPTER`, says how to call it; its texts are
    evaluated in `namespace`. With `exact_errors` its errors must be of NumPy's classes: see `compare_status`.
    For a library with arrays of its own and no adapter, one is inferred: see `infer_adapter`.
    """

    def __init__(
        self,
        name: str,
        module: ModuleType | None = None,
        adapter: Adapter | None = None,
        *,
        exact_errors: bool = False,
    ) -> None:
        self.name = name
        self.exact_errors = exact_errors
        self.adapter = adapter or (find_adapter(name) if module is None else None)
        self.namespace: dict[str, Any] = {"np": np}
        if self.adapter is None:
            module = _module(name) if module is None else module
            adapter_of_module = vars(module).get("ADAPTER") if isinstance(module, ModuleType) else None
            self.adapter = adapter_of_module if isinstance(adapter_of_module, Adapter) else None
        self.is_inferred = False
        if self.adapter is None and module is not None and _is_imported(module) and not _takes_tensors(module):
            self.adapter = infer_adapter(name, module)
            self.is_inferred = self.adapter is not None
        if self.adapter is not None:
            module = _import_adapted(self.adapter, self.namespace)
        self.module: Any = module
        self.takes_tensors = _takes_tensors(module) if self.adapter is None else self.adapter.tensors
        self._resolved: dict[str, Any] = {}

    def __repr__(self) -> str:
        return f"Subject({self.name!r})"

    def find(self, name: str) -> Any:
        """Return the object of a dotted name. Raises AttributeError if there is none."""
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

    def reexports(self, name: str) -> bool:
        """Return whether a name of a library of NumPy's arrays is NumPy's own object: `add`, `add.reduce` and
        `ndarray.sort` after `from numpy import add, ndarray`.

        Judging it would compare NumPy with itself. NumPy as the subject re-exports nothing. So is what a module has
        from the standard library or another installed package: `sqrt` after `from math import sqrt`, `random.choice`
        after `import random`; but not if its `__all__` lists it.
        """
        has_adapter = self.adapter is not None and not self.is_inferred
        if self.takes_tensors or has_adapter or self.name.partition(".")[0] == "numpy":
            return False
        if name.startswith("ndarray."):
            of_numpy = self.adapter is None and self.has(name)
            return of_numpy and attrgetter(name)(self.module) is attrgetter(name)(np)
        parts = name.split(".")
        paths = list(map(".".join, _list_prefixes(parts)))
        if not self.has(name):
            return False
        is_numpys = any(self.find(path) is attrgetter(path)(np) for path in paths)
        is_listed = parts[0] in getattr(self.module, "__all__", ())
        values = (attrgetter(path)(self.module) for path in paths)
        return is_numpys or (not is_listed and any(map(self._is_of_another_package, values)))

    def _is_of_another_package(self, value: Any) -> bool:
        """Return whether a module, or a function or class that is found where it says it is defined, is of the standard
        library or of another distribution than the subject.
        """
        package, home = self.name.partition(".")[0], _find_home(value).partition(".")[0]
        if home in (
            "",
            package,
            "numpy",
        ):  # NumPy's own is told by identity
            return False
        others = _list_distributions(home)
        return home in sys.stdlib_module_names or (bool(others) and others.isdisjoint(_list_distributions(package)))

    @property
    def modes(self) -> tuple[str, ...]:
        """The default modes; empty if they are those of libraries of tensors."""
        if self.adapter is not None:
            return self.adapter.default_modes
        if self.name == TENSORFLOW:
            return OF_OPS
        return () if self.takes_tensors else ("eager",)

    @property
    def converts_arrays(self) -> bool:
        """Whether its arrays are neither NumPy's nor TensorFlow's, so that its adapter converts them."""
        return self.adapter is not None and not self.adapter.tensors

    @property
    def has_views(self) -> bool:
        """Whether its arrays can be written to, and have NumPy's views, as NumPy's own do."""
        return not self.takes_tensors if self.adapter is None else self.adapter.views

    def numpy_behavior(self) -> AbstractContextManager[Any]:
        """Return a scope in which the subject's arrays have NumPy's methods and operators."""
        scope = getattr(self.module, "numpy_behavior", None)
        return nullcontext() if scope is None or not self.takes_tensors else scope()

    def _look_up(self, name: str) -> Any:
        if name.startswith(PREFIX) and self.name == TENSORFLOW:
            return look_up_op(self.module, name)
        if self.adapter is not None and not (self.adapter.has(name) and self._makes_arrays(self.adapter, name)):
            raise AttributeError(f"{self.name} means something else by {name} than NumPy")
        if self.adapter is not None and self.converts_arrays and name.startswith("ndarray."):
            self._check_method(self.adapter, name.removeprefix("ndarray."))
            owner = vars(self.module).get("ndarray")
            return attribute_of_first(name) if not isinstance(owner, ModuleType) else attrgetter(name)(self.module)
        if not name.startswith("ndarray."):
            value = attrgetter(name)(self.module)
            if _is_function(name) and not callable(value):
                raise AttributeError(f"{name} of {self.name} is {type(value).__name__}, not a function")
            return value
        if self.takes_tensors and not hasattr(self.module, "numpy_behavior"):
            raise AttributeError(f"{self.name} cannot lend {name} to tensors for a while")
        with self.numpy_behavior():
            method = attrgetter(name)(self.module)
        return attribute_of_first(name) if isinstance(self.module.ndarray, type) else method

    @staticmethod
    def _makes_arrays(adapter: Adapter, name: str) -> bool:
        """Return whether a name is callable: `float32` is not if dtypes are objects of the library's own."""
        value = getattr(np, name, None) if adapter.dtype else None
        return not (isinstance(value, type) and issubclass(value, np.generic))

    def _check_method(self, adapter: Adapter, attribute: str) -> None:
        classes = eval(adapter.array, self.namespace)
        for kind in classes if isinstance(classes, tuple) else (classes,):
            if not hasattr(kind, attribute):
                raise AttributeError(f"arrays of {self.name} have no {attribute}")


def _takes_tensors(module: Any) -> bool:
    """Return whether a module is a library of tensors rather than of NumPy's arrays. One that is made by hand is one
    of tensors where TensorFlow is loaded.
    """
    of_arrays = getattr(module, "ndarray", None)
    if getattr(of_arrays, "__wrapped__", of_arrays) is np.ndarray:
        return False
    if _is_imported(module):
        return _is_of_tensorflow(of_arrays) or _imports_tensorflow(module)
    return of_arrays is not None or "tensorflow" in sys.modules


def _is_imported(module: Any) -> bool:
    return isinstance(module, ModuleType) and sys.modules.get(module.__name__) is module


def _imports_tensorflow(module: ModuleType) -> bool:
    """Return whether a module, one of its package, or one in which its functions are defined has imported TensorFlow or
    parts of it.
    """
    homes = {getattr(value, "__module__", None) for value in vars(module).values()} | {module.__name__}
    packages = {home.partition(".")[0] for home in homes if isinstance(home, str)} - {"builtins", "numpy"}
    loaded = [one for name, one in list(sys.modules.items()) if name in homes or name.partition(".")[0] in packages]
    return any(_is_of_tensorflow(value) for one in loaded for value in list(getattr(one, "__dict__", {}).values()))


def _is_of_tensorflow(value: Any) -> bool:
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    return isinstance(name, str) and name.partition(".")[0] == "tensorflow"


@lru_cache(maxsize=4096)
def _is_function(name: str) -> bool:
    """Return whether NumPy has a function, or a class, of a dotted name."""
    try:
        return callable(attrgetter(name)(np))
    except AttributeError:
        return False


def _find_home(value: Any) -> str:
    """Return the name of the module that a value is, or is defined in; empty if it is not found there."""
    if isinstance(value, ModuleType):
        return value.__name__
    owner = getattr(value, "__self__", None)
    if owner is not None and not isinstance(owner, ModuleType | type):
        return type(owner).__module__ if callable(value) else ""
    name, last = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    try:
        return name if name and last and attrgetter(last)(sys.modules[name]) is value else ""
    except (AttributeError, KeyError, TypeError):
        return ""


@lru_cache(maxsize=64)
def _list_distributions(package: str) -> frozenset[str]:
    """Return the installed distributions that have a top-level package."""
    return frozenset(packages_distributions().get(package, ()))


def _list_prefixes(parts: list[str]) -> list[list[str]]:
    return [parts[:length] for length in range(1, len(parts) + 1)]


def attribute_of_first(name: str) -> Any:
    """Return `ndarray.sort` and the like as a function: an attribute of its first argument, called with the others if
    it is a method.
    """
    attribute = name.removeprefix("ndarray.")

    def read_or_call(array: Any, /, *args: Any, **kwargs: Any) -> Any:
        # Between calls a scalar of NumPy's stands for an array of no axes, and lacks some of its methods.
        value = getattr(np.asarray(array) if isinstance(array, np.generic) else array, attribute)
        return value(*args, **kwargs) if callable(value) else value

    return read_or_call


def load_subject(name: str) -> Subject:
    """Return the subject of a module name. Raises UnknownSubject, with close matches, if it cannot be imported, for
    whatever reason.
    """
    try:
        return Subject(name)
    except UnknownSubject:
        raise
    except BaseException as error:  # a module may end the process that imports it, by SystemExit
        text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise UnknownSubject(f"{name} cannot be imported: {text}") from error


@cache
def load_tensorflow() -> Subject:
    """Return TensorFlow's ops as a subject."""
    return load_subject(TENSORFLOW)


def as_subject(subject: Subject | ModuleType | str) -> Subject:
    """Return the subject for a module or a module's name."""
    if isinstance(subject, Subject):
        return subject
    return Subject(subject.__name__, subject) if isinstance(subject, ModuleType) else load_subject(subject)


def _import_adapted(adapter: Adapter, namespace: dict[str, Any]) -> Any:
    """Import an adapted library into a namespace, and return the object that stands for its module."""
    for key, value in adapter.environment.items():
        os.environ.setdefault(key, value)
    exec(adapter.imports, namespace)
    for name in adapter.preload:
        importlib.import_module(name)
    return eval(adapter.module, namespace)


def _module(name: str) -> ModuleType:
    """Import a dotted name whose last parts may be attributes, as `from tensorflow.experimental import numpy` does."""
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
    known = tuple(dict.fromkeys((*WELL_KNOWN, *registered())))
    if name in known:
        return UnknownSubject(f"no module {name!r}: {name.partition('.')[0]} is not installed here")
    close = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    hint = f"; did you mean {' or '.join(close)}?" if close else f"; known are {', '.join(known)}"
    return UnknownSubject(f"no module {name!r}{hint}")


@lru_cache(maxsize=4096)
def parameters_of(name: str) -> tuple[str, ...]:
    """Return the names of a function's parameters; none if NumPy has no signature for it."""
    try:
        return tuple(inspect_signature(attrgetter(name)(np)).parameters)
    except (AttributeError, TypeError, ValueError):
        return ()
