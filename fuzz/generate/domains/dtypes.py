"""Dtypes: conversions, limits, and scalar types as functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzz.generate import arrays
from fuzz.generate.builder import OMITTED, Draft, Strategy, always
from fuzz.generate.call_classes import DTYPE
from fuzz.generate.constraints import array
from fuzz.generate.scalars import either, keywords, literal, number, sometimes

ABSTRACT = (np.inexact, np.floating, np.integer, np.signedinteger, np.unsignedinteger, np.number, np.complexfloating)
CONCRETE = (
    np.float32, np.float64, np.int32, np.int64, np.bool, np.uint8, np.int8, np.float16, np.complex64, np.complex128,
    np.uint64, np.uint16, np.uint32, np.int16,
)  # fmt: skip
SPELT = ("float32", "f8", "int", "i4", "uint8", "bool", "complex128", "?", "float", ">f4")
PYTHON = (bool, int, float, complex)
BAD = ("bogus", "float33")

dtype = literal(*CONCRETE, *SPELT, *PYTHON, *[np.dtype(one) for one in CONCRETE], bad=BAD)
floating = literal(
    np.float32, np.float64, np.float16, np.complex64, np.complex128, float, "f4", "d", bad=(int, np.int32, *BAD)
)
integral = literal(
    np.int32, np.int64, np.int8, np.uint8, np.uint64, np.int16, int, "i4", "u2", bad=(float, np.float32, *BAD)
)


def mixed(draft: Draft) -> Any:
    """Draw arrays, dtypes and scalars together."""
    strategy = either(dtype, array(0, 2), number())
    return [strategy(draft) for _ in range(draft.choices.integer(1, 4))]


def inexact_arrays(draft: Draft) -> Any:
    choices = draft.choices
    dtypes = arrays.BOOLS if draft.should_be_invalid(DTYPE) else arrays.REALS + arrays.COMPLEX
    return [
        arrays.array(choices, choices.pick(dtypes), arrays.shape(choices, 0, 3)) for _ in range(choices.integer(1, 3))
    ]


def value(*kinds: str) -> Strategy:
    """Return a strategy for the argument of a scalar type: a number, an array, or nothing."""

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        if "f" not in kinds and draft.should_be_invalid():
            return choices.pick((2**70, np.nan))
        if choices.flag(0.3):
            return array(0, 3, arrays.of_kind("".join(kinds)), "small")(draft)
        if "f" in kinds:
            return choices.pick((0, 1.5, 2, 0.0, -0.0, -1, np.nan, 1e10))
        is_unsigned = np.dtype(draft.plan.name).kind == "u"
        return choices.pick((0, 1, 2, 3, 100, True, 5 if is_unsigned else -1))

    return draw


def made_of(kinds: str) -> dict[str, Strategy]:
    return {"value": value(*kinds)}


def spoken(coded: Any, *others: Any) -> Strategy:
    """Return a strategy for `coded` if the codec is given in `args`, else for one of `others`."""
    return lambda draft: draft.choices.pick(others) if draft.omits("args") else coded


def has_codec_alone(draft: Draft) -> bool:
    """Return whether the codec is given, but not what to do about errors."""
    return not draft.omits("args") and len(draft["args"]) == 1


CODEC: dict[str, Strategy] = {
    "args": sometimes(literal(["ascii"], ["utf-8", "strict"], bad=(["bogus"],)), 0.3),
    "kwargs": lambda draft: {"errors": "strict"} if has_codec_alone(draft) else OMITTED,
}


def pair(draft: Draft) -> Any:
    return draft.choices.pick((0, 1.5, 2, -1.0, np.inf, 0.0, -0.0))


REAL = ["float16", "float32", "float64", "half", "single", "double"]
WHOLE = (
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "byte", "short", "intc", "int_", "long",
    "longlong", "intp", "ubyte", "ushort", "uintc", "uint", "ulong", "ulonglong", "uintp",
)  # fmt: skip

LINES: dict[str, dict[str, Strategy]] = {
    **{name: made_of("biuf") for name in REAL if hasattr(np, name)},
    **{name: made_of("biu") for name in WHOLE if hasattr(np, name)},
    **{name: made_of("biufc") for name in ("bool", "bool_")},
    **{name: {"real": pair, "imag": pair} for name in ("complex64", "complex128", "csingle", "cdouble")},
    "can_cast": {
        "from_": either(dtype, dtype, array(0, 3)),
        "to": dtype,
        "casting": always(sometimes(literal("same_kind", "safe", "unsafe", "no", "equiv", bad=("bogus",)), 0.7)),
    },
    "common_type": {"arrays": inexact_arrays},
    "dtype": {
        "dtype": dtype,
        "align": literal(False),
        "copy": literal(False, True),
        "kwargs": keywords({"metadata": {}}),
    },
    "finfo": {"dtype": either(floating, literal(1.0, np.float32(2), 1j))},
    "iinfo": {"int_type": either(integral, literal(1, np.int8(2)))},
    "isdtype": {
        "dtype": literal(*[np.dtype(one) for one in CONCRETE], bad=("f4",)),
        "kind": literal(
            "bool",
            "signed integer",
            "unsigned integer",
            "integral",
            "real floating",
            "complex floating",
            "numeric",
            np.float32,
            ("integral", "bool"),
        ),
    },
    "isscalar": {"element": either(number(), array(0, 3), literal("a", None, [1]))},
    "issubdtype": {"arg1": dtype, "arg2": literal(*ABSTRACT, *CONCRETE, bad=BAD)},
    "min_scalar_type": {"a": either(number(), array(0, 3))},
    "promote_types": {"type1": dtype, "type2": dtype},
    "result_type": {"arrays_and_dtypes": mixed},
    "mintypecode": {
        "typechars": either(literal("f", "dF", "ifd", "FD", ["f", "d"]), array(0, 2)),
        "typeset": literal("GDFgdf", "df"),
        "default": literal("d", "f"),
    },
    "typename": {"char": literal("f", "d", "i", "?", "D", "l", bad=("bogus",))},
    "str_": {"value": spoken(b"a", "a", "", 1, 1.5, -2), **CODEC},
    "bytes_": {"value": spoken("a", b"a", b""), **CODEC},
    "require": {"a": array(0, 3), "requirements": literal(None, "C", ["F"], [], bad=("bogus",))},
}
