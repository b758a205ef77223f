"""JSON encoding of outcomes, lossless for everything that the judge reads of them.

A result holds more than a case does: named tuples, random generators, dtypes with fields, classes and objects of the
subject's own. Of objects without a meaning in NumPy's terms the judge reads the class's name, whether it can be called,
and its text; a stand-in has the same. Memory layouts of results, which the judge does not read, are left out.
"""

from __future__ import annotations

import dataclasses
import json
import math
import re
from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

import numpy as np

from oracle.case import decoding, encoding
from oracle.case.decoding import DecodingLimits, Undecodable
from oracle.case.encoding import Codec
from oracle.case.layout import has_default_layout
from oracle.case.model import Case
from oracle.case.vocabulary import EXTENSION_DTYPES, dtype_named, function_name, functions, type_name
from oracle.compare.structure import ATTRIBUTES
from oracle.equality.finite_differences import Differences, Slopes
from oracle.execution.convert import Foreign
from oracle.reference.outcome import PUBLIC_BASES, Outcome, Raised

LIMITS = DecodingLimits(digits=10_000)
LONGEST_TEXT = 300
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]{4,}")
FIELDS = ("value", "after", "others")
KINDS = ("ok", "error", "crash", "hang", "memory", "unsupported")


class OtherArray(np.ndarray):
    """An array of a class that is not NumPy's."""


ARRAY_CLASSES = {"matrix": np.matrix, "recarray": np.recarray, "MaskedArray": np.ma.MaskedArray, "": OtherArray}
SELF_ENCODED = (type(None), bool, int, float, complex, str, bytes, slice, type(...))
BIT_GENERATORS = {name: getattr(np.random, name) for name in ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64")}


def encode_outcome(outcome: Outcome) -> dict[str, Any]:
    """Return the outcome as JSON-serializable data. Raises TypeError if a part of it cannot be encoded."""
    count = 3 if outcome.others else 2 if outcome.after else 1
    results = [lower(getattr(outcome, field)) for field in FIELDS[:count]]
    is_empty = count == 1 and outcome.value is None
    data: dict[str, Any] = {} if is_empty else {"results": encoding.encode(results, CODECS)}
    if outcome.error is not None:
        error = outcome.error
        data["error"] = {"name": error.name, "bases": list(error.bases), "message": error.message}
        data["error"] |= {"full_message": error.full_message} if error.full_message else {}
    data |= {"kind": outcome.kind} if outcome.kind != "ok" else {}
    data |= {"phase": outcome.phase} if outcome.phase != "run" else {}
    data |= {"changed": list(outcome.changed)} if outcome.changed else {}
    data |= {"unkept": outcome.unkept} if outcome.unkept else {}
    steps = [[json.loads(case.json()), encode_outcome(step)] for case, step in outcome.steps]
    return data | ({"steps": steps} if steps else {})


def decode_outcome(data: Any) -> Outcome:
    """Return the outcome that `encode_outcome` wrote. Raises Undecodable for anything else."""
    try:
        return _decode(data)
    except decoding.MALFORMED as error:
        raise Undecodable.within("", error) from None


def _decode(data: Any) -> Outcome:
    forms = {"results": list, "error": dict, "kind": str, "phase": str, "changed": list, "unkept": str, "steps": list}
    _check_form(data, forms)
    results = decoding.decode(data.get("results", [None]), CODECS, LIMITS)
    if not 1 <= len(results) <= len(FIELDS):
        raise Undecodable(f"{len(results)} results of an outcome")
    parts = dict(zip(FIELDS, results, strict=False))
    kind, phase, changed = data.get("kind", "ok"), data.get("phase", "run"), data.get("changed", [])
    if kind not in KINDS or phase not in ("run", "trace") or not set(map(type, changed)) <= {int}:
        raise Undecodable("an unknown kind or phase, or an index that is no integer")
    if not all(isinstance(parts.get(field, ()), tuple) for field in FIELDS[1:]):
        raise Undecodable("arrays after the call, and results of replicas, are tuples")
    error = _decode_error(data["error"]) if "error" in data else None
    parts |= {"unkept": data.get("unkept", ""), "steps": tuple(map(_decode_step, data.get("steps", [])))}
    return Outcome(error=error, kind=kind, phase=phase, changed=tuple(changed), **parts)


def _decode_step(data: Any) -> tuple[Case, Outcome]:
    if type(data) is not list or len(data) != 2:
        raise Undecodable("a step is a case and an outcome")
    return Case.from_json(json.dumps(data[0])), _decode(data[1])


def _decode_error(data: dict[str, Any]) -> Raised:
    _check_form(data, {"name": str, "bases": list, "message": str, "full_message": str})
    if not {"name", "bases", "message"} <= data.keys() or not set(data["bases"]) <= PUBLIC_BASES.keys():
        raise Undecodable("an error has a name, public base classes and a message")
    return Raised(data["name"], tuple(data["bases"]), data["message"], data.get("full_message", ""))


def _check_form(data: Any, forms: Mapping[str, type]) -> None:
    if type(data) is not dict or any(type(value) is not forms.get(key) for key, value in data.items()):
        raise Undecodable(f"an object of {', '.join(forms)} is expected")


@dataclass(frozen=True, eq=False)
class NamedTuple:
    """A named tuple; `is_numpys` if its class is NumPy's own."""

    name: str
    fields: tuple[str, ...]
    items: tuple[Any, ...]
    is_numpys: bool


@dataclass(frozen=True, eq=False)
class Elements:
    """An array whose elements are Python objects, or text of variable width."""

    dtype: str
    shape: tuple[int, ...]
    items: tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class OfClass:
    """An array of a subclass of `np.ndarray`, with its mask if any element is masked."""

    name: str
    array: Any
    mask: Any = None


@dataclass(frozen=True, eq=False)
class Fielded:
    """A dtype with fields, each with its name, dtype, shape and offset; with `raw`, an array or a scalar of it."""

    fields: tuple[Any, ...]
    itemsize: int
    raw: bytes | None = None
    shape: tuple[int, ...] | None = None


@dataclass(frozen=True, eq=False)
class GeneratorState:
    """A random generator, by the state of its bit generator."""

    name: str
    state: Any


@dataclass(frozen=True, eq=False)
class DtypeLimits:
    """A result of `finfo` or `iinfo`: an object of a class of this name, with these attributes."""

    name: str
    attributes: dict[str, Any]


@dataclass(frozen=True, eq=False)
class Object:
    """Any other object, or class: its class's name, or its own; its text; and whether it can be called."""

    name: str
    text: str | None
    is_callable: bool
    is_class: bool = False


class Standin:
    """An object of the subject's, as far as the judge reads it."""

    text: str | None = ""

    def __repr__(self) -> str:
        if self.text is None:
            raise RuntimeError("an object without a text")
        return self.text

    __str__ = __repr__


class CallableStandin(Standin):
    """A stand-in for an object that can be called."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError("a stand-in cannot be called")


def lower(value: Any) -> Any:
    """Return a part of a result, with a description of each object that has no encoding by itself."""
    kind = type(value)
    if kind is np.ndarray:
        return _lower_array(value)
    if isinstance(value, tuple) and isinstance(getattr(kind, "_fields", None), tuple):
        is_numpys = kind is numpys_tuples().get(kind.__name__)
        return NamedTuple(kind.__name__, kind._fields, tuple(map(lower, value)), is_numpys)
    if isinstance(value, (list, tuple)):
        return (list if isinstance(value, list) else tuple)(map(lower, value))
    if isinstance(value, dict):
        return {lower(key): lower(item) for key, item in value.items()}
    if kind in SELF_ENCODED or kind is Slopes:
        return value
    if kind is Foreign:
        return replace(value, elements=lower(value.elements))
    if isinstance(value, np.ndarray):
        name = next((name for name, known in ARRAY_CLASSES.items() if isinstance(value, known)), "")
        mask = np.ma.getmaskarray(value) if np.ma.is_masked(value) and not value.dtype.fields else None
        return OfClass(name, _lower_array(np.array(value, order="C", subok=False)), mask)
    if isinstance(value, np.dtype):
        return _lower_dtype(value)
    if isinstance(value, np.generic):
        if value.dtype.fields:
            return _describe_fields(value.dtype, value.tobytes(), None)
        _check_dtype(value.dtype)
        return value
    if isinstance(value, np.random.Generator):
        return GeneratorState(type(value.bit_generator).__name__, lower(dict(value.bit_generator.state)))
    if kind.__name__ in ATTRIBUTES:
        names = [name for name in ATTRIBUTES[kind.__name__].split() if getattr(value, name, None) is not None]
        return DtypeLimits(kind.__name__, {name: lower(getattr(value, name)) for name in names})
    return _lower_object(value)


def _lower_array(array: np.ndarray) -> Any:
    if array.dtype.char in "OT":
        return Elements(array.dtype.char, array.shape, tuple(map(lower, array.ravel().tolist())))
    if array.dtype.fields:
        return _describe_fields(array.dtype, array.tobytes(), array.shape)
    _check_dtype(array.dtype)
    if has_default_layout(array) and array.flags.writeable:
        return array
    return np.array(array, order="C") if array.dtype.itemsize else np.ndarray(array.shape, array.dtype)


def _lower_dtype(dtype: np.dtype) -> Any:
    if dtype.char == "T":
        return Object("StringDType", repr(dtype), is_callable=False)
    if dtype.fields:
        return _describe_fields(dtype, None, None)
    _check_dtype(dtype)
    return dtype


def _check_dtype(dtype: np.dtype) -> None:
    if (dtype.kind == "V" and dtype.type is not np.void and dtype.name not in EXTENSION_DTYPES) or dtype.subdtype:
        raise TypeError(f"an outcome with the dtype {dtype} cannot be encoded")


def _describe_fields(dtype: np.dtype, raw: bytes | None, shape: tuple[int, ...] | None) -> Fielded:
    fields = []
    for name, (inner, offset, *_) in (dtype.fields or {}).items():
        base, dims = (inner, ()) if inner.subdtype is None else inner.subdtype
        if base.hasobject or base.fields:
            raise TypeError(f"an outcome with the dtype {dtype} cannot be encoded")
        fields.append((name, base, dims, offset))
    return Fielded(tuple(fields), dtype.itemsize, raw, shape)


def _lower_object(value: Any) -> Any:
    if isinstance(value, type):
        try:
            type_name(value)
        except TypeError:
            return Object(value.__name__, None, is_callable=True, is_class=True)
        return value
    is_callable = callable(value)
    if is_callable and function_name(value) in functions():
        return value
    try:
        text: str | None = ADDRESS.sub("", repr(value))[:LONGEST_TEXT]
    except Exception:  # noqa: BLE001 - an object's text is made by code of the subject
        text = None
    return Object(type(value).__name__, text, is_callable)


@cache
def numpys_tuples() -> dict[str, type]:
    """Return the classes of NumPy's named tuples by name."""
    one = np.eye(1)
    values: Sequence[Any] = (
        *(np.linalg.eig(one), np.linalg.eigh(one), np.linalg.qr(one), np.linalg.slogdet(one), np.linalg.svd(one)),
        *(np.unique_all(one), np.unique_counts(one), np.unique_inverse(one)),
    )
    return {type(value).__name__: type(value) for value in values}


def _make_tuple(name: str, fields: Sequence[str], items: Sequence[Any], is_numpys: bool) -> Any:
    if not (type(name) is str and set(map(type, fields)) <= {str} and len(fields) == len(items)):
        raise ValueError("a named tuple has a name, and as many fields as items")
    kind: Any = numpys_tuples()[name] if is_numpys else _make_tuple_class(name, tuple(fields))
    if kind._fields != tuple(fields):
        raise ValueError("a named tuple of NumPy's with other fields")
    return kind(*items)


@lru_cache(maxsize=256)
def _make_tuple_class(name: str, fields: tuple[str, ...]) -> Any:
    return namedtuple(name, fields)  # which checks that the names are no code


def _make_elements(dtype: str, shape: Sequence[int], items: Sequence[Any]) -> np.ndarray:
    if dtype not in ("O", "T") or not set(map(type, shape)) <= {int} or math.prod(shape) != len(items):
        raise ValueError("elements of another dtype, or another number of them than the shape says")
    array = np.empty(len(items), np.dtypes.StringDType() if dtype == "T" else object)
    for index, item in enumerate(items):
        array[index] = item
    return array.reshape(tuple(shape))


def _make_fielded(data: dict[str, Any], read: Callable[[Any], Any]) -> Any:
    names, formats, offsets = [], [], []
    for name, base, dims, offset in data["fields"]:
        if type(name) is not str or type(offset) is not int or not set(map(type, dims)) <= {int}:
            raise ValueError("a field has a name, a dtype, a shape and an offset")
        names.append(name)
        formats.append((dtype_named(base), tuple(dims)))
        offsets.append(offset)
    itemsize = data["itemsize"]
    if type(itemsize) is not int or not 0 <= itemsize <= LIMITS.text:
        raise ValueError("an item of a size in bytes")
    dtype = np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": itemsize})
    if "raw" not in data:
        return dtype
    shape = data.get("shape")
    values = np.frombuffer(bytes.fromhex(data["raw"]), dtype).copy()
    return values[0] if shape is None else values.reshape(tuple(shape))


def _make_generator(name: str, state: Any) -> np.random.Generator:
    bits = BIT_GENERATORS[name]()
    bits.state = state
    return np.random.Generator(bits)


def _make_subclass(data: dict[str, Any], read: Callable[[Any], Any]) -> np.ndarray:
    array = read(data["of"])
    kind = ARRAY_CLASSES[data["class"]]
    if "mask" not in data:
        return array.view(kind)
    mask = read(data["mask"])
    if not isinstance(mask, np.ndarray) or mask.dtype.char != "?" or mask.shape != array.shape:
        raise ValueError("a mask of another dtype or shape")
    return np.ma.MaskedArray(array, mask)


def _make_object(name: str, text: str | None, is_callable: bool, is_class: bool, **attributes: Any) -> Any:
    if type(name) is not str or not (text is None or type(text) is str):
        raise ValueError("a stand-in has a name and a text")
    if is_class:
        return _make_class(name, Standin)
    value = _make_class(name, CallableStandin if is_callable else Standin)()
    vars(value).update(text=text, **attributes)
    return value


def _make_limits(name: str, attributes: dict[str, Any]) -> Any:
    if name not in ATTRIBUTES:
        raise ValueError("limits of dtypes are those of finfo and iinfo")
    return _make_object(name, repr(attributes), is_callable=False, is_class=False, **attributes)


@lru_cache(maxsize=1024)
def _make_class(name: str, above: type) -> type:
    return type(name, (above,), {})


def _encode_fielded(value: Fielded, write: Callable[[Any], Any]) -> dict[str, Any]:
    fields = [[name, encoding.dtype_name(base), list(dims), offset] for name, base, dims, offset in value.fields]
    data: dict[str, Any] = {"fields": fields, "itemsize": value.itemsize}
    data |= {} if value.raw is None else {"raw": value.raw.hex()}
    return data | ({} if value.shape is None else {"shape": list(value.shape)})


def _encode_slopes(value: Slopes, write: Callable[[Any], Any]) -> dict[str, Any]:
    """Return slopes as JSON; what has its default is left out."""
    data = {"slopes": write(list(value.slopes)), "sizes": write(list(value.sizes))}
    default = Slopes()
    if (value.labels, value.orders) != (default.labels, default.orders):
        data |= {"labels": list(value.labels), "orders": list(value.orders)}
    if value.reference is not None:
        data["reference"] = [write(list(part)) for part in dataclasses.astuple(value.reference)]
    return data | ({"unlike": value.unlike} if value.unlike else {})


def _decode_slopes(data: dict[str, Any], read: Callable[[Any], Any]) -> Slopes:
    default = Slopes()
    reference = [tuple(read(part)) for part in data.get("reference", ())]
    return Slopes(
        tuple(read(data["slopes"])),
        tuple(read(data["sizes"])),
        tuple(map(str, data.get("labels", default.labels))),
        tuple(map(int, data.get("orders", default.orders))),
        Differences(*reference) if reference else None,
        str(data.get("unlike", "")),
    )


def _encode_object(value: Object, write: Callable[[Any], Any]) -> dict[str, Any]:
    data: dict[str, Any] = {"object": value.name}
    data |= {} if value.text is None else {"text": value.text}
    return data | {key: True for key in ("is_callable", "is_class") if getattr(value, key)}


CODECS = (
    Codec(
        "named",
        ("names", "items", "is_numpys"),
        NamedTuple,
        lambda value, write: {
            "named": value.name,
            "names": list(value.fields),
            "items": [write(item) for item in value.items],
            **({"is_numpys": True} if value.is_numpys else {}),
        },
        lambda data, read: _make_tuple(data["named"], data["names"], read(data["items"]), "is_numpys" in data),
    ),
    Codec(
        "elements",
        ("shape", "items"),
        Elements,
        lambda value, write: {
            "elements": value.dtype,
            "shape": list(value.shape),
            "items": [write(item) for item in value.items],
        },
        lambda data, read: _make_elements(data["elements"], data["shape"], read(data["items"])),
    ),
    Codec(
        "class",
        ("of", "mask"),
        OfClass,
        lambda value, write: (
            {"class": value.name, "of": write(value.array)}
            | ({} if value.mask is None else {"mask": write(value.mask)})
        ),
        _make_subclass,
    ),
    Codec("fields", ("itemsize", "raw", "shape"), Fielded, _encode_fielded, _make_fielded),
    Codec(
        "generator",
        ("state",),
        GeneratorState,
        lambda value, write: {"generator": value.name, "state": write(value.state)},
        lambda data, read: _make_generator(data["generator"], read(data["state"])),
    ),
    Codec(
        "limits",
        ("attributes",),
        DtypeLimits,
        lambda value, write: {"limits": value.name, "attributes": write(value.attributes)},
        lambda data, read: _make_limits(data["limits"], read(data["attributes"])),
    ),
    Codec(
        "foreign",
        ("contents",),
        Foreign,
        lambda value, write: {
            "foreign": value.kind,
            **({} if value.elements is None else {"contents": write(value.elements)}),
        },
        lambda data, read: Foreign(str(data["foreign"]), read(data["contents"]) if "contents" in data else None),
    ),
    Codec(
        "slopes",
        ("sizes", "labels", "orders", "reference", "unlike"),
        Slopes,
        _encode_slopes,
        _decode_slopes,
    ),
    Codec(
        "object",
        ("text", "is_callable", "is_class"),
        Object,
        _encode_object,
        lambda data, read: _make_object(data["object"], data.get("text"), "is_callable" in data, "is_class" in data),
    ),
)
"""Codecs of what results hold beside what cases do."""
