"""A call of NumPy's API, or a program of calls, as data.

An argument is the object to be passed: an array with its memory layout, a NumPy scalar, a Python scalar, a slice, a
dtype, a list of such things, or another case, whose result is passed. An array that occurs twice is the same array; a
case that occurs twice is called once. A name that begins with `tf.` is that of an op of TensorFlow's: see
`oracle.case.tensor_ops`. Two cases are no calls: the value of `last` is the last of its arguments, after
calls that write to it; `program`, the outermost, returns its arguments. Cases are never changed; to run one, take
`fresh` arguments.
"""

from __future__ import annotations

import hashlib
import json
import keyword
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from oracle.case import decoding, encoding, source, tensor_source
from oracle.case.layout import copy_array
from oracle.case.tensor_ops import check_ops, has_name, is_of_ops
from oracle.case.vocabulary import (
    COMPOSITIONS,
    LAST,
    MAKERS_OF_GENERATORS,
    OF_GENERATORS,
    PROGRAM,
    check_name,
    constants,
    quote,
)

LONGEST_TRUSTED = 1 << 19  # characters: a longer text may exceed the limits when it is encoded again
PARAMETER = re.compile(r"[A-Za-z]\w{0,60}", re.ASCII)


@dataclass(frozen=True, eq=False, slots=True)
class Case:
    """One call: a dotted name, positional and keyword arguments."""

    name: str
    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    _nested: bool | None = field(default=None, init=False, repr=False)
    """What `is_nested` found."""

    def __str__(self) -> str:
        return self.typed()

    def __repr__(self) -> str:
        return f"Case({self.typed()})"

    def typed(
        self,
        module: str = "np",
        array: Callable[[np.ndarray], str] | None = None,
        other: Callable[[Any], str | None] | None = None,
    ) -> str:
        """Return the source of the case on `module`, in one line: an expression; if the program writes to arrays,
        statements with semicolons between them.

        `array` writes each array; `other` may write other arguments, and returns None for those that it leaves to the
        default.
        """
        if array is None and is_of_ops(self):
            return tensor_source.write_statement(self)
        if not self.is_sequence():
            return self._typed(module, array or source.array, other)
        if array is not None:
            return "; ".join(self.statements(module, array, other))
        counts = Counter(id(value) for _, value in self._references() if type(value) is np.ndarray)
        repeated = [one for one in self.arrays() if counts[id(one)] > 1]
        names = {id(one): f"x{number}" for number, one in enumerate(repeated, 1)}
        lines = [f"{names[id(one)]} = {source.array(one)}" for one in repeated]
        return "; ".join([*lines, *self.statements(module, lambda one: names.get(id(one)) or source.array(one), other)])

    def statements(
        self,
        module: str = "np",
        array: Callable[[np.ndarray], str] = source.array,
        other: Callable[[Any], str | None] | None = None,
    ) -> list[str]:
        """Return the source of the program, a call a line, in the order in which the calls are made. The last line is
        the expression of the result.
        """
        read = {id(value) for is_read, value in self._references() if is_read}
        lines: list[str] = []
        texts: dict[int, str] = {}

        def write(value: Any) -> str | None:
            if type(value) is not Case:
                return None if other is None else other(value)
            if id(value) not in texts:
                text = value._typed(module, array, write)
                if value.name != LAST:
                    name = f"s{len(lines) + 1}"
                    if id(value) in read:
                        text = f"{name} = {text}"
                    elif value.name == "ndarray.__setitem__" and len(value.args) == 3 and not value.kwargs:
                        owner, index, item = value.args
                        target = Case("ndarray.__getitem__", (owner, index))._typed(module, array, write)
                        text = f"{target} = {source.value(item, array, module, write)}"
                    lines.append(text)
                    text = name
                texts[id(value)] = text
            return texts[id(value)]

        result = self._typed(module, array, write)
        return [*lines, result]

    def is_sequence(self) -> bool:
        """Return whether the program is no expression: it writes to an array before a call reads it, or has several
        results.
        """
        if self.name == PROGRAM:
            return True
        return self.is_nested() and any(type(value) is Case and value.name == LAST for _, value in self._references())

    def _references(self) -> Iterator[tuple[bool, Any]]:
        """Yield each argument, and each item of one, of every call, and whether it is read: `last` reads its last."""
        seen: set[int] = set()
        pending: list[tuple[bool, Any]] = [(True, self)]
        while pending:
            is_read, value = pending.pop()
            kind = type(value)
            if value is not self:
                yield is_read, value
            if kind is list or kind is tuple:
                pending.extend((True, item) for item in value)
            elif kind is dict:
                pending.extend((True, item) for item in value.values())
            elif kind is Case and id(value) not in seen:
                seen.add(id(value))
                pending.extend((value.name != LAST or arg is value.args[-1], arg) for arg in value.args)
                pending.extend((True, arg) for arg in value.kwargs.values())

    def _typed(self, module: str, array: Callable[[np.ndarray], str], other: Callable[[Any], str | None] | None) -> str:
        """Return the source of the call; its inner calls are written by `other`, or by themselves."""
        parts = [source.value(arg, array, module, other) for arg in self.args]
        parts += [f"{key}={source.value(arg, array, module, other)}" for key, arg in self.kwargs.items()]
        if self.name == LAST:
            return parts[-1]
        if self.name == PROGRAM:
            return f"{', '.join(parts)}{',' if len(parts) == 1 else ''}"
        if self.name.startswith(("ndarray.", "tf.Tensor.")) and self.args:
            owner = f"({parts[0]})" if parts[0][0] in "-.0123456789" else parts[0]
            if self.name.endswith(".__getitem__") and len(parts) == 2 == len(self.args):
                return f"{owner}[{source.subscript(self.args[1], array, module, other)}]"
            call = f"{owner}.{self.name.removeprefix('ndarray.')}"
            return call if self.name in source.ATTRIBUTES else f"{call}({', '.join(parts[1:])})"
        function = self.name if self.name.startswith(f"{module}.") else f"{module}.{self.name}"
        return function if not parts and self.name in constants() else f"{function}({', '.join(parts)})"

    def json(self) -> str:
        """Return the canonical text of the case: one line, lossless except for NaN payloads."""
        return json.dumps(encoding.encode(self, CODECS), sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Case:
        """Return the case that `json` wrote. Raises ValueError with a message of one line for anything else.

        All files, findings and workers' messages are read by this method: see `oracle.case.decoding` for what it
        rejects.
        """
        case = decoding.decode(decoding.parse_json(text, floats=False), CODECS)
        if not isinstance(case, Case):
            raise ValueError('not a case: expected an object with the key "case"')
        if case.name in COMPOSITIONS or case.is_nested():
            _check_compositions(case)
        check_ops(case, case.calls())
        if len(text) > LONGEST_TRUSTED:
            decoding.check_text(case.json())
        return case

    @property
    def id(self) -> str:
        """A short identifier that equal cases share, in every process and on every machine."""
        return "c-" + hashlib.sha256(self.json().encode()).hexdigest()[:12]

    def fresh(self) -> Case:
        """Return the same case with copies of its arrays; layouts are kept, and an array that occurs twice is copied
        once.
        """
        return self.map_leaves(copy_array)

    def map_arrays(self, function: Callable[[np.ndarray], Any]) -> Case:
        """Return the same case with each array, nested ones too, replaced by `function` of it."""
        return self.map_leaves(function)

    def map_calls(self, function: Callable[[Case], Case]) -> Case:
        """Return the same program with each call replaced by `function` of it, innermost first."""
        return self.map_leaves(lambda array: array, of_call=function)

    def map_leaves(
        self,
        of_array: Callable[[np.ndarray], Any],
        of_other: Callable[[Any], Any] | None = None,
        of_call: Callable[[Case], Case] | None = None,
    ) -> Case:
        """Return the same case with each array, and optionally each other leaf and each call, replaced. An array or a
        call that occurs twice is replaced once.
        """
        arrays: dict[int, Any] = {}
        calls: dict[int, Case] = {}

        def replace(value: Any) -> Any:
            kind = type(value)
            if kind is np.ndarray:
                if id(value) not in arrays:
                    arrays[id(value)] = of_array(value)
                return arrays[id(value)]
            if kind is list or kind is tuple:
                return kind([replace(item) for item in value])
            if kind is dict:
                return {key: replace(item) for key, item in value.items()}
            if kind is Case:
                if id(value) not in calls:
                    calls[id(value)] = rebuild(value)
                return calls[id(value)]
            return value if of_other is None else of_other(value)

        def rebuild(case: Case) -> Case:
            kwargs = {key: replace(arg) for key, arg in case.kwargs.items()} if case.kwargs else {}
            rebuilt = Case(case.name, tuple([replace(arg) for arg in case.args]), kwargs)
            return rebuilt if of_call is None else of_call(rebuilt)

        return rebuild(self)

    def arrays(self) -> list[np.ndarray]:
        """Return the distinct arrays of the case, in order of appearance."""
        arrays: dict[int, np.ndarray] = {}
        for value in self.leaves():
            if type(value) is np.ndarray:
                arrays.setdefault(id(value), value)
        return list(arrays.values())

    def leaves(self) -> Iterator[Any]:
        """Return every argument that is not a container, in order of appearance."""
        is_nested = self.is_nested() if self._nested is None else self._nested
        return self._nested_leaves() if is_nested else iter((*self.args, *self.kwargs.values()))

    def _nested_leaves(self) -> Iterator[Any]:
        pending: list[Any] = [*self.args, *self.kwargs.values()][::-1]
        while pending:
            value = pending.pop()
            kind = type(value)
            if kind is list or kind is tuple:
                pending.extend(reversed(value))
            elif kind is dict:
                pending.extend(reversed(value.values()))
            elif kind is Case:
                pending.extend([*value.args, *value.kwargs.values()][::-1])
            else:
                yield value

    def calls(self) -> list[Case]:
        """Return the distinct calls of a program, innermost first; for a single call, itself."""
        if not (self.is_nested() if self._nested is None else self._nested):
            return [self] if self.name not in COMPOSITIONS else []
        calls: dict[int, Case] = {}

        def visit(values: Iterable[Any]) -> None:
            for value in values:
                kind = type(value)
                if kind is list or kind is tuple:
                    visit(value)
                elif kind is dict:
                    visit(value.values())
                elif kind is Case and id(value) not in calls:
                    visit(value.args)
                    visit(value.kwargs.values())
                    calls[id(value)] = value

        visit((self,))
        return [call for call in calls.values() if call.name not in COMPOSITIONS]

    def steps(self) -> list[Case]:
        """Return the calls of a program whose results are data: all but those that make a random generator."""
        return [call for call in self.calls() if call.name not in MAKERS_OF_GENERATORS]

    def is_nested(self) -> bool:
        """Return whether an argument is a container or another case."""
        if self._nested is None:
            object.__setattr__(
                self, "_nested", not CONTAINERS.isdisjoint(map(type, (*self.args, *self.kwargs.values())))
            )
        return bool(self._nested)


CONTAINERS = frozenset({Case, list, tuple, dict})
"""Classes of arguments in which there may be others."""


def _check_compositions(case: Case) -> None:
    """Raise ValueError if `last` is the outermost case, or `program` an inner one, or of less than two calls."""
    if case.name == LAST:
        raise ValueError(f"a case cannot be {quote(LAST)} itself, which is no call")
    if any(type(value) is Case and value.name == PROGRAM for _, value in case._references()):
        raise ValueError(f"{quote(PROGRAM)} can only be the outermost case")
    if case.name == PROGRAM:
        are_calls = all(type(arg) is Case and arg.name != LAST for arg in case.args)
        if not are_calls or len({id(arg) for arg in case.args}) < 2:
            raise ValueError(f"{quote(PROGRAM)} takes at least two calls")


def encode_case(case: Case, encode: Callable[[Any], Any]) -> dict[str, Any]:
    """Return a case as data; `encode` writes its arguments."""
    return {
        "case": case.name,
        "args": [encode(arg) for arg in case.args],
        "kwargs": {key: encode(case.kwargs[key]) for key in sorted(case.kwargs)},
    }


def decode_case(data: dict[str, Any], decode: Callable[[Any], Any]) -> Case:
    """Return the case that data are; `decode` reads its arguments."""
    name, args, kwargs = data["case"], data.get("args", []), data.get("kwargs", {})
    if not (isinstance(name, str) and isinstance(args, list) and isinstance(kwargs, dict)):
        raise ValueError('a case needs a string "case", a list "args" and an object "kwargs"')
    if name not in COMPOSITIONS:
        if not has_name(name):
            check_name(name)
    elif kwargs or not args:
        raise ValueError(f"{quote(name)} takes arguments, at least one, and none by keyword")
    decoded: list[Any] = []
    named: dict[str, Any] = {}
    key = None
    try:
        for arg in args:
            decoded.append(decode(arg))  # noqa: PERF401 - how many there are says which one is wrong
        for key in sorted(kwargs):
            if not PARAMETER.fullmatch(key) or keyword.iskeyword(key):
                raise ValueError("no name of a parameter")
            named[key] = decode(kwargs[key])
    except decoding.MALFORMED as error:
        part = f"args[{len(decoded)}]" if key is None else f"kwargs[{quote(key)}]"
        raise decoding.Undecodable.within(part, error) from None
    case = Case(name, tuple(decoded), named)
    _check_generator(case)
    return case


def _check_generator(case: Case) -> None:
    """Raise ValueError if `self` of a generator's method is not a generator: NumPy might crash."""
    if not case.name.startswith(OF_GENERATORS):
        return
    if not (case.args and type(case.args[0]) is Case and case.args[0].name in MAKERS_OF_GENERATORS):
        raise ValueError(f"{case.name} of something that is no call of random.default_rng")


CODECS = (encoding.Codec("case", ("args", "kwargs"), Case, encode_case, decode_case),)
