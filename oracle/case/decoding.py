"""Validating decoder: arguments from JSON in exactly the form that `encode` writes, within limits checked first.

A file is only data, whoever sent it: names come from the tables of `oracle.case.vocabulary`, and sizes are counted
while it is read. Whatever is rejected raises `Undecodable`, with one line that names the part.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from oracle.case.encoding import LARGEST_JSON_INT, Codec, bits_dtype, find_storage_kind
from oracle.case.layout import laid_out, overlaps_itself
from oracle.case.vocabulary import dtype_named, function_named, quote, type_named

MALFORMED = (LookupError, TypeError, AttributeError, ValueError, ArithmeticError, MemoryError, RecursionError)
CONTAINERS = (list, tuple, dict, slice, np.ndarray)
LONGEST_PART = 120
MOST_DIMS = 64  # NumPy's own limit


@dataclass(frozen=True)
class DecodingLimits:
    """Limits on the content of one text. Shared parts count each time they occur, as they do when a case is printed or
    copied.

    `text` is in characters; `arguments` counts values outside arrays, `elements` those inside; `array_bytes` is their
    memory; `depth` counts nested containers; `digits` are those of an integer; `entries` those of dictionaries.
    """

    text: int = 8 << 20
    arguments: int = 1 << 13
    elements: int = 1 << 19
    array_bytes: int = 64 << 20
    depth: int = 64
    digits: int = 4300
    entries: int = 1000


LIMITS = DecodingLimits()


class Undecodable(ValueError):
    """The data are too large, or not in the form that `encode` writes; `part` says where, as in
    `args[0].kwargs['axis']`.
    """

    def __init__(self, message: str, part: str = "") -> None:
        shown = part if len(part) <= LONGEST_PART else f"{part[:LONGEST_PART]}..."
        super().__init__(f"{shown}: {message}" if part else message)
        self.message = message
        self.part = part

    @classmethod
    def within(cls, part: str, error: Exception) -> Undecodable:
        """Return the error with `part` as the position inside a larger value."""
        if isinstance(error, cls):
            return cls(error.message, f"{part}.{error.part}" if part and error.part else part or error.part)
        said = str(error).split("\n", 1)[0][:200]
        return cls(said if type(error) is ValueError else f"malformed: {type(error).__name__}: {said}", part)


def parse_json(text: str, *, floats: bool = True, limits: DecodingLimits = LIMITS) -> Any:
    """Return plain data from a JSON text: strict JSON of bounded size, without repeated keys. Raises Undecodable."""
    check_text(text, limits)
    try:
        return (_STRICT if floats else _WITHOUT_FLOATS).decode(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise Undecodable(f"not JSON: {error}") from None
    except Undecodable:
        raise
    except ValueError:
        raise Undecodable(f"an integer of more than {limits.digits:,} digits") from None


def check_text(text: str, limits: DecodingLimits = LIMITS) -> None:
    """Raise Undecodable if the text, or what a parser would make of it, is too large."""
    if len(text) <= limits.arguments:
        return
    if len(text) > limits.text:
        raise Undecodable(f"{format_bytes(len(text))} of JSON; at most {format_bytes(limits.text)} are decoded")
    for mark, most in (
        ("{", 2 * limits.arguments),
        ("[", 3 * limits.arguments + limits.elements),
        (",", 4 * limits.arguments + 2 * limits.elements),
    ):
        count = text.count(mark)
        if count > most:
            raise Undecodable(f"{count:,} times {mark!r}; at most {most:,} are decoded")


def format_bytes(count: int) -> str:
    """Format a number of bytes: 64 MiB, 4.0 GB."""
    for unit, size in (("GB", 10**9), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= size:
            return f"{count / size:.1f} {unit}".replace(".0 MiB", " MiB").replace(".0 KiB", " KiB")
    return f"{count} bytes"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) != len(pairs):
        ((twice, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise Undecodable(f"not strict JSON: the key {quote(twice)} twice")
    return entries


def _reject_float(text: str) -> NoReturn:
    raise Undecodable(f'the number {text[:30]}: a float is written in hexadecimal, as {{"float": "0x1.8p+0"}}')


_STRICT = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_reject_float)
_WITHOUT_FLOATS = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_reject_float, parse_float=_reject_float)


def decode(data: Any, codecs: Sequence[Codec] = (), limits: DecodingLimits = LIMITS) -> Any:
    """Return the value that `encode` wrote. Raises Undecodable, naming the part, for anything else."""
    try:
        return _Reader(codecs, limits).read(data)
    except MALFORMED as error:
        raise Undecodable.within("", error) from None


class _Reader:
    """State while reading one text: what was counted so far, and which values may occur again."""

    def __init__(self, codecs: Sequence[Codec], limits: DecodingLimits) -> None:
        self.limits = limits
        self.codecs = codecs
        self.seen: list[tuple[Any, int, int]] = []  # with the arguments and the elements that each holds
        self.arguments = self.elements = self.array_bytes = self.entries = self.depth = 0

    def read(self, data: Any) -> Any:
        self.arguments += 1
        kind = type(data)
        if kind is dict:
            return self.read_object(data)
        if kind is list:
            return self.read_items(data)
        if kind is int and not -LARGEST_JSON_INT <= data <= LARGEST_JSON_INT:
            raise ValueError('an integer beyond 2**53 is written as {"int": "0x..."}')
        if kind is float:
            _reject_float(str(data))
        return data

    def read_items(self, data: Any) -> list[Any]:
        if type(data) is not list:
            raise ValueError(f"{quote(data)} where a list is expected")
        self.enter()
        items = [self.read(item) for item in data]
        self.check_arguments()
        self.depth -= 1
        return items

    def read_object(self, data: dict[str, Any]) -> Any:
        self.enter()
        arguments, elements = self.arguments, self.elements
        for codec in self.codecs:
            if codec.key in data:
                _check_keys(data, codec.key, codec.others)
                value = codec.decode(data, self.read)
                break
        else:
            key = next(filter(READERS.__contains__, data), "")
            if not key:
                raise ValueError(f"no known kind of value: an object with {_list_keys(data)}")
            if len(data) > 1:
                _check_keys(data, key, OTHER_KEYS.get(key, ()))
            value = READERS[key](self, data)
            if key != "array":
                self.depth -= 1
                return value
        self.check_arguments()
        self.seen.append((value, self.arguments - arguments, self.elements - elements))
        self.depth -= 1
        return value

    def enter(self) -> None:
        """Check the counts, and go one level deeper."""
        self.check_arguments()
        self.depth += 1
        if self.depth > self.limits.depth:
            raise ValueError(f"more than {self.limits.depth} values within one another")

    def check_arguments(self) -> None:
        if self.arguments > self.limits.arguments:
            raise ValueError(f"more than {self.limits.arguments:,} arguments, shared ones counted each time")

    def count_elements(self, count: int) -> None:
        self.elements += count
        if self.elements > self.limits.elements:
            raise ValueError(f"more than {self.limits.elements:,} elements, shared ones counted each time")

    def reserve(self, count: int) -> None:
        """Count the memory of an array before it is allocated."""
        self.array_bytes += count
        if self.array_bytes > self.limits.array_bytes:
            sum_of = "an array of" if count == self.array_bytes else "arrays of"
            most = format_bytes(self.limits.array_bytes)
            raise ValueError(f"{sum_of} {format_bytes(self.array_bytes)}; at most {most} are decoded")

    def read_int(self, data: dict[str, Any]) -> int:
        text = data["int"]
        if len(text) > self.limits.digits:
            raise ValueError(f"an integer of {len(text):,} digits; at most {self.limits.digits:,} are decoded")
        value = int(text, 0)
        if value.bit_length() > 3.3 * self.limits.digits and abs(value) >= 10**self.limits.digits:
            raise ValueError(f"an integer of more than {self.limits.digits:,} digits")
        return value

    def read_dict(self, data: dict[str, Any]) -> dict[Any, Any]:
        self.entries += len(data["dict"])
        if self.entries > self.limits.entries:
            raise ValueError(f"more than {self.limits.entries:,} entries of dictionaries")
        entries = {}
        for key, value in map(self.read_items, data["dict"]):
            self.check_scalar(key)
            entries[key] = value
        return entries

    def read_slice(self, data: dict[str, Any]) -> slice:
        start, stop, step = self.read_items(data["slice"])
        for part in (start, stop, step):
            self.check_scalar(part)
        return slice(start, stop, step)

    def check_scalar(self, value: Any) -> None:
        """Reject a container or a shared value in a position that traversals of a case do not visit."""
        if isinstance(value, CONTAINERS) or any(isinstance(value, codec.kind) for codec in self.codecs):
            raise ValueError(f"a {type(value).__name__} where a scalar is expected")

    def read_scalar(self, data: dict[str, Any]) -> Any:
        return self.read_elements(data["values"], dtype_named(data["scalar"]), ())[()]

    def read_array(self, data: dict[str, Any]) -> np.ndarray:
        shape = data["shape"]
        if not (type(shape) is list and len(shape) <= MOST_DIMS and set(map(type, shape)) <= {int}):
            raise ValueError(f"a shape is a list of at most {MOST_DIMS} integers")
        if shape and not 0 <= min(shape) <= max(shape) <= self.limits.elements:
            raise ValueError(
                f"a shape with {min(shape)} and {max(shape)}; from 0 to {self.limits.elements:,} are decoded"
            )
        array = self.read_elements(data["values"], dtype_named(data["array"]), tuple(shape))
        if "layout" in data:
            array = self.read_layout(data["layout"], array)
        if "readonly" in data:
            array.flags.writeable = data["readonly"] is not True
        return array

    def read_layout(self, data: dict[str, Any], array: np.ndarray) -> np.ndarray:
        strides, shift = tuple(data["strides"]), data["shift"]
        if not (set(map(type, strides)) <= {int} and len(strides) == array.ndim and type(shift) is int):
            raise ValueError("a layout needs an integer for each dimension, and a shift")
        if not 0 <= shift < max(1, array.dtype.alignment):
            raise ValueError(f"a shift of {shift} bytes, of an alignment of {array.dtype.alignment}")
        self.reserve(sum(abs(stride) * max(0, dim - 1) for stride, dim in zip(strides, array.shape, strict=True)))
        if overlaps_itself(array.shape, strides, array.dtype.itemsize):
            raise ValueError("elements that lie over one another")
        laid = laid_out(array, strides, shift)
        if laid.tobytes() != array.tobytes():
            raise ValueError("elements that share their memory, and differ")
        return laid

    def read_elements(self, values: Any, dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
        size = math.prod(shape)
        self.reserve(size * dtype.itemsize)
        self.count_elements(size)
        kind = find_storage_kind(dtype)
        if kind == "O":
            raise ValueError("an array of Python objects")
        expected, count = (list, size) if kind in "biufcU" else (str, 2 * size * dtype.itemsize)
        if type(values) is not expected or len(values) != count:
            raise ValueError(f"values of {dtype.str} and shape {shape} are a {expected.__name__} of {count:,}")
        return ELEMENTS.get(kind, _raw)(values, dtype, shape)

    def read_same(self, data: dict[str, Any]) -> Any:
        index = data["same"]
        if type(index) is not int or not 0 <= index < len(self.seen):
            raise ValueError(f"no earlier array or call {index if type(index) is int else quote(index)}")
        value, arguments, elements = self.seen[index]
        self.arguments += arguments
        self.check_arguments()
        self.count_elements(elements)
        return value


READERS: dict[str, Callable[[_Reader, dict[str, Any]], Any]] = {
    "int": _Reader.read_int,
    "float": lambda _, data: _float(data["float"]),
    "complex": lambda _, data: _complex(*data["complex"]),
    "tuple": lambda reader, data: tuple(reader.read_items(data["tuple"])),
    "dict": _Reader.read_dict,
    "slice": _Reader.read_slice,
    "ellipsis": lambda _, data: ...,
    "bytes": lambda _, data: bytes.fromhex(data["bytes"]),
    "dtype": lambda _, data: dtype_named(data["dtype"]),
    "type": lambda _, data: type_named(data["type"]),
    "function": lambda _, data: function_named(data["function"]),
    "scalar": _Reader.read_scalar,
    "array": _Reader.read_array,
    "same": _Reader.read_same,
}
"""How each kind of value is read, by its telling key."""

OTHER_KEYS = {"scalar": ("values",), "array": ("shape", "values", "layout", "readonly")}


def _check_keys(data: dict[str, Any], key: str, others: Sequence[str]) -> None:
    if sum(other in data for other in others) + 1 != len(data):
        raise ValueError(f"an object with {_list_keys(data)}; beside {key} there may be {', '.join(others) or 'none'}")


def _list_keys(data: dict[str, Any]) -> str:
    return ", ".join(map(quote, list(data)[:6])) or "no keys"


def _complex(real: str, imag: str) -> complex:
    return complex(_float(real), _float(imag))


def _float(text: str) -> float:
    return float.fromhex(text) if not text.startswith(NAN_BITS) else float(_floats([text], np.dtype(float), ())[()])


NAN_BITS = "nan("


def _floats(values: list[str], dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
    bits = {index: text for index, text in enumerate(values) if text.startswith(NAN_BITS)}
    floats = [np.nan if index in bits else float.fromhex(text) for index, text in enumerate(values)]
    array = _narrow(np.array(floats, np.float64), dtype)
    view = array.view(bits_dtype(dtype))
    for index, text in bits.items():
        number = int(text.removeprefix(NAN_BITS).removesuffix(")"), 16)
        if text != f"{NAN_BITS}{number:#x})" or number >> (8 * dtype.itemsize):
            raise ValueError(f"{quote(text)} is no nan of {dtype.itemsize} bytes")
        view[index] = number
        if not np.isnan(array[index]):
            raise ValueError(f"{quote(text)} is no nan")
    return array.reshape(shape)


def _complexes(values: list[list[str]], dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
    parts = [part for real, imag in values for part in (real, imag)]
    return _floats(parts, np.zeros(0, dtype).real.dtype, (len(parts),)).view(dtype).reshape(shape)


def _narrow(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    if array.dtype == dtype:
        return array
    with np.errstate(all="ignore"):
        return array.astype(dtype)


def _of_type(kind: type) -> Callable[[list[Any], np.dtype, tuple[int, ...]], np.ndarray]:
    def read(values: list[Any], dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
        if not set(map(type, values)) <= {kind}:
            raise ValueError(f"values of {dtype.str} that are no {kind.__name__}")
        return np.array(values, dtype).reshape(shape) if dtype.itemsize else np.ndarray(shape, dtype)

    return read


def _raw(values: str, dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
    if not dtype.itemsize:
        return np.ndarray(shape, dtype)  # `zeros` and `array` make text of no width one wide
    return np.frombuffer(bytes.fromhex(values), dtype).reshape(shape).copy()


ELEMENTS: dict[str, Callable[[Any, np.dtype, tuple[int, ...]], np.ndarray]] = {
    "b": _of_type(bool),
    "i": _of_type(int),
    "u": _of_type(int),
    "U": _of_type(str),
    "f": _floats,
    "c": _complexes,
}
"""How elements are read, by the kind of their dtype; those of all others are raw bytes."""
