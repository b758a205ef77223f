"""Mutation operators: each makes a planted fault of every parameter of NumPy's functions that it applies to.

An operator knows the signature and the options that the generator draws, and no function by its name. Most of them call
the right function with another argument; the others spoil its result, which stands for a parameter named `result`. A
call whose wrong arguments the function rejects is answered rightly, unless an option was ignored or taken for another.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from inspect import Parameter
from typing import Any

import numpy as np

from fuzz.generate.calls import find_plan
from fuzz.generate.option_pairs import list_options
from fuzz.generate.signatures import POSITIONAL, parameters_of
from fuzz.mutants.arrays import dtype_of, is_array, kind_of
from fuzz.mutants.model import Call
from oracle.harness import topic_of

RESULT = Parameter("result", Parameter.KEYWORD_ONLY)
"""What stands for the result of a function, beside its parameters."""

UNSEEN: dict[str, str] = {
    "b": "required by `at` of a ufunc that takes two operands",
    "casting": "forbids calls, and changes no answer",
    "check_valid": "warns, or forbids calls",
    "copy": "decides who owns memory",
    "device": "there is one",
    "like": "chooses the library",
    "maxpower": "limits which calls are accepted",
    "optimize": "a matter of speed",
    "overwrite_input": "what is left in the input is unspecified",
    "signature": "chooses a loop, as dtype does",
    "subok": "for subclasses",
    "symbol": "appears in the text of a series alone",
}
"""Parameters that change no answer in which a fault could be seen, and why."""

AXES = re.compile(r"axis\w?|axes")
SEQUENCES = re.compile(r"axes|arrays|tup|keys|choices|choicelist|xi|shape|reps|s|shift|source|destination|pad_width")
WORD = re.compile(r"\w[\w-]*")
SCALED = re.compile("Random")
NONE = (None, np._NoValue)

Arguments = Mapping[str, Any]
Change = Callable[[Call, str], Arguments | None]


@dataclass(frozen=True)
class Operator:
    """A kind of faults. `applies` tells, of a function's name and a parameter, whether there is such a fault of it;
    `apply` answers a call wrongly, and `summary` says how, with {} for the parameter.
    """

    kind: str
    summary: str
    applies: Callable[[str, Parameter], bool]
    apply: Callable[..., Any]


def list_operators(name: str, parameter: Parameter) -> Iterator[tuple[str, Operator]]:
    """Yield the operators that apply to a parameter, each with what names it in an id."""
    for operator in OPERATORS:
        if operator.applies(name, parameter):
            yield operator.kind, operator
    for value, other in _list_mapped(name, parameter):
        change = partial(_map_value, value=value, other=other)
        summary = f"{{}}={value!r} is taken for {other!r}"
        yield f"{value}-as-{other}", Operator(MAPPED, summary, _always, partial(_obey, change=change))


def list_kinds() -> list[str]:
    """Return the kinds of all operators."""
    return [*(operator.kind for operator in OPERATORS), MAPPED]


MAPPED = "value-mapped"


def _always(name: str, parameter: Parameter) -> bool:
    return True


def _answer(call: Call, parameter: str, change: Change) -> Any:
    return call.answer(change(call, parameter), acts_once=parameter == "out")


def _obey(call: Call, parameter: str, change: Change) -> Any:
    """Return the result of the changed call, or raise what it raises, unless the right one raises."""
    arguments = change(call, parameter)
    return call() if arguments is None else call.answer(arguments, acts_once=parameter == "out", may_raise=True)


def _without(call: Call, *names: str) -> Arguments:
    return {name: value for name, value in call.arguments.items() if name not in names}


def _with(call: Call, **arguments: Any) -> Arguments:
    return {**call.arguments, **arguments}


# What a parameter is.


def _is_option(name: str, parameter: Parameter) -> bool:
    is_given = parameter.default is not parameter.empty and parameter.name not in UNSEEN
    return is_given and not _is_layout(name, parameter)


def _is_layout(name: str, parameter: Parameter) -> bool:
    """Return whether a parameter decides how a result lies in memory; `order` of reshape and the like does more."""
    is_new = topic_of(name) == "Array creation" or parameter.default in ("K", None)
    return parameter.name == "order" and is_new


def _is_axis(parameter: Parameter) -> bool:
    return AXES.fullmatch(parameter.name) is not None


def _options(name: str, parameter: Parameter) -> tuple[Any, ...]:
    """Return the documented values of a parameter that the generator draws, if it has a list of them."""
    plan = find_plan(name)
    slot = plan.slots.get(parameter.name) if plan is not None else None
    return list_options(slot) if slot is not None else ()


def _is_integer(name: str, parameter: Parameter) -> bool:
    if _is_axis(parameter) or type(parameter.default) is int:
        return parameter.name not in UNSEEN
    options = _options(name, parameter)
    return any(type(option) is int for option in options) and all(type(one) in (int, type(None)) for one in options)


def _is_flag(name: str, parameter: Parameter) -> bool:
    if parameter.name in UNSEEN or parameter.name == "where":
        return False
    options = _options(name, parameter)
    is_listed = bool(options) and all(isinstance(option, bool | np.bool_) for option in options)
    return type(parameter.default) is bool or is_listed


def _is_ufunc(name: str) -> bool:
    return isinstance(getattr(np, name, None), np.ufunc)


# Options that are ignored.


def _ignore(call: Call, parameter: str) -> Arguments | None:
    return _without(call, parameter) if call.has(parameter) else None


def _ignore_beside_another(call: Call, parameter: str) -> Arguments | None:
    options = {key for key in call.arguments if key not in UNSEEN and call.has_default(key)}
    return _without(call, parameter) if len(options) > 1 and parameter in options else None


def _has_another(name: str, parameter: Parameter) -> bool:
    options = [one for one in parameters_of(name).values() if _is_option(name, one)]
    return _is_option(name, parameter) and len(options) > 1


def _takes_array(name: str) -> bool:
    """Return whether the first argument is data: of a ufunc or a method it is."""
    if name.startswith("random.") or topic_of(name) in ("Data type routines", "Data types", "Array creation"):
        return False
    plan = find_plan(name)
    if plan is None:
        return _is_ufunc(name)
    first = next(iter(plan.slots.values()), None)
    is_series = name.startswith("polynomial.") and name.split(".")[1][0].isupper()
    return first is not None and first.takes_data and not is_series


# Options and numbers that mean something else.


def _change_default(call: Call, parameter: str) -> Arguments | None:
    return None if call.has(parameter) else _with(call, **{parameter: _other_default(call.name, parameter)})


def _has_other_default(name: str, parameter: Parameter) -> bool:
    return (
        _is_option(name, parameter) and parameter.name != "where" and _other_default(name, parameter.name) is not None
    )


def _other_default(name: str, key: str) -> Any:
    """Return another value of the sort of a parameter's default; None if there is none."""
    parameter = parameters_of(name)[key]
    default = parameter.default
    if type(default) is bool or key == "keepdims":
        return default is not True
    if type(default) is int:
        return default + 1 if not _is_axis(parameter) else 0 if default else -1
    if type(default) is float:
        return 2 * default or 1.0
    if default in (float, np.float64) and isinstance(default, type):
        return np.float32
    words = [option for option in _options(name, parameter) if isinstance(option, str)]
    if type(default) is str and default in words and len(words) > 1:
        return words[(words.index(default) + 1) % len(words)]
    return 0 if any(default is one for one in NONE) and _is_axis(parameter) else None


def _add_one(call: Call, parameter: str) -> Arguments | None:
    value = call.given(parameter)
    if isinstance(value, tuple) and value and (first := _read_integer(value[0])) is not None:
        return _with(call, **{parameter: (first + 1, *value[1:])})
    number = _read_integer(value)
    return None if number is None else _with(call, **{parameter: number + 1})


def _read_integer(value: Any) -> int | None:
    return int(value) if isinstance(value, int | np.integer) and not isinstance(value, bool) else None


def _count_axis_from_front(call: Call, parameter: str) -> Arguments | None:
    value = call.given(parameter)
    axes = [_read_integer(one) for one in (value if isinstance(value, tuple | list) else [value])]
    if not any(axis is not None and axis < 0 for axis in axes):
        return None
    turned = [axis if axis is None or axis >= 0 else -1 - axis for axis in axes]
    return _with(call, **{parameter: tuple(turned) if isinstance(value, tuple | list) else turned[0]})


def _lose_sign(call: Call, parameter: str) -> Arguments | None:
    number = _read_integer(call.given(parameter))
    return None if number is None or number >= 0 else _with(call, **{parameter: -number})


def _can_be_negative(name: str, parameter: Parameter) -> bool:
    numbers = [option for option in _options(name, parameter) if type(option) is int]
    return bool(numbers) and min(numbers) < 0 and not _is_axis(parameter)


def _invert(call: Call, parameter: str) -> Arguments | None:
    value = call.given(parameter)
    return _with(call, **{parameter: not value}) if isinstance(value, bool | np.bool_) else None


def _invert_mask(call: Call, parameter: str) -> Arguments | None:
    value = call.given(parameter)
    return _with(call, **{parameter: call.np.logical_not(value)}) if is_array(value) or value is True else None


def _take_first(call: Call, parameter: str) -> Arguments | None:
    value = call.given(parameter)
    return _with(call, **{parameter: value[:1]}) if isinstance(value, tuple | list) and len(value) > 1 else None


def _reverse(call: Call, parameter: str) -> Arguments | None:
    value = call.given(parameter)
    return _with(call, **{parameter: value[::-1]}) if isinstance(value, tuple | list) and len(value) > 1 else None


def _takes_sequence(name: str, parameter: Parameter) -> bool:
    if parameter.kind is Parameter.VAR_POSITIONAL:
        return parameter.name != "args"
    return SEQUENCES.fullmatch(parameter.name) is not None


def _takes_several(name: str, parameter: Parameter) -> bool:
    may_be_several = parameter.name == "axis" and any(parameter.default is one for one in NONE)
    return may_be_several or _takes_sequence(name, parameter)


def _double(call: Call, parameter: str) -> Arguments | None:
    value = call.given(parameter)
    is_number = isinstance(value, float | np.floating) or (type(value) is int and call.name.startswith("random."))
    if is_number and value:
        return _with(call, **{parameter: value * 2})
    return _with(call, **{parameter: call.np.multiply(value, 2)}) if kind_of(value) == "f" else None


def _takes_float(name: str, parameter: Parameter) -> bool:
    if parameter.name in UNSEEN or parameter.kind not in POSITIONAL or parameter.name in ("self", "size"):
        return False
    is_distribution = SCALED.search(topic_of(name)) is not None and parameter.default is parameter.empty
    return type(parameter.default) is float or is_distribution


def _swap(call: Call, parameter: str) -> Arguments | None:
    first, second = list(parameters_of(call.name))[:2]
    values = call.arguments
    if parameter != first or not {first, second} <= set(values):
        return None
    return _with(call, **{first: values[second], second: values[first]})


def _can_be_swapped(name: str, parameter: Parameter) -> bool:
    """Return whether a parameter is the first of two that take data, in a function that does not commute."""
    pair = list(parameters_of(name).values())[:2]
    if len(pair) < 2 or parameter.name != pair[0].name or pair[0].name == "self":
        return False
    if any(one.kind not in POSITIONAL or one.default is not one.empty for one in pair):
        return False
    return not any(_options(name, one) for one in pair) and not (_is_ufunc(name) and _commutes(getattr(np, name)))


def _commutes(ufunc: Any) -> bool:
    """Return whether a ufunc gives the same for 3 and 2 as for 2 and 3, and for vectors."""
    vectors = np.array([3, 2, 1]), np.array([2, 1, 1])
    try:
        right, swapped = ufunc(*vectors), ufunc(*vectors[::-1])
    except (TypeError, ValueError):
        return False
    return bool(np.array_equal(right, swapped))


def _map_value(call: Call, parameter: str, value: str, other: str) -> Arguments | None:
    is_asked = isinstance(call.given(parameter), str) and call.given(parameter) == value
    return _with(call, **{parameter: other}) if is_asked else None


def _list_mapped(name: str, parameter: Parameter) -> Iterator[tuple[str, str]]:
    """Yield each word that a parameter may be, with another one. Words for dtypes are not options."""
    if parameter is RESULT or not (_is_option(name, parameter) or parameter.default is parameter.empty):
        return
    options = _options(name, parameter)
    words = list(dict.fromkeys(option for option in options if isinstance(option, str)))
    if len(words) < 2 or any(not isinstance(option, str | None) for option in options):
        return
    for value, other in zip(words, [*words[1:], words[0]], strict=True):
        if WORD.fullmatch(value) and WORD.fullmatch(other):
            yield value, other


def _reject(call: Call, parameter: str) -> Any:
    if parameter in call.kwargs:
        call()
        raise TypeError(f"{call.name}() got an unexpected keyword argument {parameter!r}")
    return call()


def _is_given_by_keyword(name: str, parameter: Parameter) -> bool:
    is_required = parameter.kind is Parameter.POSITIONAL_OR_KEYWORD and parameter.default is parameter.empty
    is_listed = parameter.name in parameters_of(name) and parameter.name not in UNSEEN and parameter.name != "self"
    return is_listed and (is_required or (parameter.kind is Parameter.KEYWORD_ONLY and not _is_ufunc(name)))


# Results.


def _spoil(call: Call, parameter: str, spoil: Callable[[Call, Any], Any]) -> Any:
    """Return the result with each of its arrays spoiled; a result that is written to an argument is right."""
    exact = call()
    if call.has("out"):
        return exact
    try:
        return _map_parts(exact, partial(spoil, call))
    except Exception:  # noqa: BLE001 - whatever a library raises for a dtype that it lacks
        return exact


def _map_parts(value: Any, spoil: Callable[[Any], Any]) -> Any:
    if isinstance(value, list | tuple):
        parts = [_map_parts(part, spoil) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    return spoil(value) if is_array(value) else value


def _keep_dtype(call: Call, value: Any) -> Any:
    first = dtype_of(call.first)
    return call.np.astype(value, call.first.dtype) if first and first != dtype_of(value) else value


NARROW = {"float64": "float32", "int64": "int32", "uint64": "int64", "complex128": "complex64", "bool": "uint8"}


def _narrow(call: Call, value: Any) -> Any:
    narrow = NARROW.get(dtype_of(value))
    return value if narrow is None else call.np.astype(value, getattr(call.np, narrow))


def _lose_precision(call: Call, value: Any) -> Any:
    narrow = {"float64": "float32", "complex128": "complex64"}.get(dtype_of(value))
    return value if narrow is None else call.np.astype(call.np.astype(value, getattr(call.np, narrow)), value.dtype)


def _gives_array(name: str, parameter: Parameter) -> bool:
    return parameter is RESULT and _takes_array(name)


def _is_computed(name: str, parameter: Parameter) -> bool:
    """Return whether a result consists of new numbers, not of elements of the arguments."""
    return _gives_array(name, parameter) and COMPUTED.search(topic_of(name)) is not None


COMPUTED = re.compile("Linear|Mathematical|Statistics|Fourier|Polynomials|Universal|Window")


def _changing(kind: str, summary: str, applies: Callable[[str, Parameter], bool], change: Change) -> Operator:
    return Operator(kind, summary, applies, partial(_answer, change=change))


def _spoiling(
    kind: str, summary: str, applies: Callable[[str, Parameter], bool], spoil: Callable[[Call, Any], Any]
) -> Operator:
    return Operator(kind, summary, applies, partial(_spoil, spoil=spoil))


OPERATORS: tuple[Operator, ...] = (
    Operator("ignored", "{} is accepted and ignored", _is_option, partial(_obey, change=_ignore)),
    Operator(
        "ignored-beside-another",
        "{} is ignored beside another option",
        _has_another,
        partial(_obey, change=_ignore_beside_another),
    ),
    _changing("default-changed", "{} has another default", _has_other_default, _change_default),
    _changing("off-by-one", "{} is taken for the next integer", _is_integer, _add_one),
    _changing(
        "negative-from-front",
        "a negative {} counts from the front",
        lambda name, parameter: _is_axis(parameter),
        _count_axis_from_front,
    ),
    _changing("sign-lost", "a negative {} is taken for a positive one", _can_be_negative, _lose_sign),
    _changing("inverted", "{} means the opposite", _is_flag, _invert),
    _changing("mask-inverted", "{} is inverted", lambda name, parameter: parameter.name == "where", _invert_mask),
    _changing("first-of-several", "of several values of {} only the first counts", _takes_several, _take_first),
    _changing("reversed", "several values of {} are taken in reverse", _takes_sequence, _reverse),
    _changing("doubled", "{} is doubled", _takes_float, _double),
    _changing("swapped", "{} and the next argument are exchanged", _can_be_swapped, _swap),
    Operator("rejected", "{} is rejected by keyword", _is_given_by_keyword, _reject),
    _spoiling("dtype-kept", "the {} has the dtype of the first argument", _gives_array, _keep_dtype),
    _spoiling("dtype-changed", "the {} has a narrower dtype, or another for bool", _gives_array, _narrow),
    _spoiling("precision-lost", "the {} has gone through float32", _is_computed, _lose_precision),
)
