"""Text in tensors: bytes of no width, which do not say whether they are text or bytes."""

from __future__ import annotations

import re

_DTYPE = re.compile(r"numpy\.dtypes\.(\w+)DType")
_MIXED = re.compile(r"cannot use operands with types dtype\('[<|]?[US]\d*'\) and dtype\('[<|]?[US]\d*'\)")


def may_accept(name: str, message: str) -> bool:
    """Whether NumPy refuses bytes where it takes text, or the one beside the other; no text, which has no width; or
    `signature=None`, which is what its signatures say stands there anyway.
    """
    if not name.startswith("strings."):
        return False
    if message.startswith(("zero-size array to reduction", "the signature object to ufunc")) or _MIXED.search(message):
        return True
    named = set(_DTYPE.findall(message))
    return "Bytes" in named and named <= {"Bytes", "Str", "Int64", "_PyInt", "_PyLong"}


def comes_of_values(message: str) -> bool:
    """Whether NumPy looked for a text in vain: which others it would have found is hard to say."""
    return message == "substring not found"
