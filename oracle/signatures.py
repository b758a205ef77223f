"""Signatures of NumPy's functions: those that the installed NumPy tells, and a stored table for functions of older
releases, which tell none.

The table has what is written in C, as NumPy 2.4 tells it; `python -m oracle.signatures > oracle/signatures.json` makes
it anew. The installed NumPy is asked first.
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
from functools import cache
from operator import attrgetter
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from oracle.inventory import NAMES

PATH = Path(__file__).with_name("signatures.json")
NO_VALUE = "<no value>"  # how a signature shows NumPy's default that stands for none


def inspect_signature(function: Any) -> inspect.Signature:
    """Return the signature of a function, NumPy's or another. Raises ValueError or TypeError if there is none."""
    try:
        told = inspect.signature(function)
    except ValueError:
        stored = _find_stored(function)
        if stored is None:
            raise
        return stored
    if _is_told_in_general(function, told):
        return _find_stored(function) or told
    return told


def find_stored_signature(name: str) -> inspect.Signature | None:
    """Return the signature that the table has for a name of NumPy's, whatever the installed NumPy tells."""
    text = _read_table().get(name, "")
    return parse_signature(text) if text else None


def _find_stored(function: Any) -> inspect.Signature | None:
    name = _list_functions().get(_identify(function))
    return None if name is None else find_stored_signature(name)


def _is_told_in_general(function: Any, told: inspect.Signature) -> bool:
    """Return whether a signature is not the function's own: NumPy 2.3 tells `(*args, **kwargs)` of every ufunc, and
    NumPy 2.1 to 2.3 tell Python's signature of `float` for `float64`.
    """
    if isinstance(function, type):
        return function.__text_signature__ is None
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return isinstance(function, np.ufunc) and all(one.kind in variadic for one in told.parameters.values())


@cache
def parse_signature(text: str) -> inspect.Signature:
    """Return the signature of a text such as "(a, /, axis=None, *, out=None)"."""
    code = text.replace(NO_VALUE, "NO_VALUE")
    (definition,) = ast.parse(f"def function{code}: pass").body
    assert isinstance(definition, ast.FunctionDef)
    arguments = definition.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [inspect.Parameter.empty] * (len(positional) - len(arguments.defaults))
    defaults += map(_evaluate, arguments.defaults)
    kinds: list[Any] = [inspect.Parameter.POSITIONAL_ONLY] * len(arguments.posonlyargs)
    kinds += [inspect.Parameter.POSITIONAL_OR_KEYWORD] * len(arguments.args)
    parameters = [
        inspect.Parameter(one.arg, kind, default=default)
        for one, kind, default in zip(positional, kinds, defaults, strict=True)
    ]
    if arguments.vararg is not None:
        parameters.append(inspect.Parameter(arguments.vararg.arg, inspect.Parameter.VAR_POSITIONAL))
    for one, node in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        default = inspect.Parameter.empty if node is None else _evaluate(node)
        parameters.append(inspect.Parameter(one.arg, inspect.Parameter.KEYWORD_ONLY, default=default))
    if arguments.kwarg is not None:
        parameters.append(inspect.Parameter(arguments.kwarg.arg, inspect.Parameter.VAR_KEYWORD))
    return inspect.Signature(parameters)


def _evaluate(node: ast.expr) -> Any:
    return np._NoValue if isinstance(node, ast.Name) else ast.literal_eval(node)


def list_told() -> dict[str, str]:
    """Return the signatures that the installed NumPy tells of what is written in C, by name."""
    texts = {}
    for name in NAMES:
        function = attrgetter(name)(np)
        if callable(function) and not _is_python_code(function):
            try:
                text = str(inspect.signature(function))
                parse_signature(text)
            except (ValueError, TypeError, SyntaxError):
                continue
            texts[name] = text
    return texts


def _is_python_code(function: Any) -> bool:
    """Return whether a function, or what makes an instance of a class, is a function of Python's."""
    if isinstance(function, type):
        return any(isinstance(getattr(function, method), FunctionType) for method in ("__init__", "__new__"))
    return isinstance(function, FunctionType)


@cache
def _read_table() -> dict[str, str]:
    table: dict[str, str] = json.loads(PATH.read_text(encoding="utf-8"))
    return table


@cache
def _list_functions() -> dict[tuple[int, str], str]:
    """Return the names of NumPy's functions, which NumPy keeps alive, by what identifies them."""
    functions: dict[tuple[int, str], str] = {}
    for name in NAMES:
        functions.setdefault(_identify(attrgetter(name)(np)), name)
    return functions


def _identify(function: Any) -> tuple[int, str]:
    """Return what identifies a function: `add.reduce` is another object each time that it is looked up."""
    owner = getattr(function, "__self__", None)
    is_bound = owner is not None and not isinstance(owner, ModuleType)
    return (id(owner), function.__name__) if is_bound else (id(function), "")


if __name__ == "__main__":
    sys.stdout.write(json.dumps(list_told(), indent=1) + "\n")
