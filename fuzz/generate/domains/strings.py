"""Text, elementwise. All text arrays of a case have a fixed width, whatever their elements, so that siblings share
dtypes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from fuzz.generate import arrays
from fuzz.generate.builder import OMITTED, Draft, Strategy
from fuzz.generate.call_classes import DTYPE, SHAPE
from fuzz.generate.choices import Choices
from fuzz.generate.scalars import either, literal, with_options_of

WORDS = (
    "", "a", "Ab", "hello", " x ", "12", "a,b", "AB12", "\u00e9t\u00e9", "aaa", "one two", "\tz", "-5", "\u00df",
    "a\tb\nc\td", "+1", "A-b C", "\u2167\u00bd", "\u01c5a", "\U0001d7d9x", "abababa", "\u0661\u00b2",
    "x\u00a0\u2003", "I'm A",
)  # fmt: skip
PLAIN_WORDS = tuple(word for word in WORDS if word.isascii())
PIECES = ("a", "", "l", " ", "1", "b", "lo", "aba", "aa", "ab", "Ab ")


def text(draft: Draft) -> Any:
    """Draw strings, sometimes bytes; invalid ones are numbers."""
    choices = draft.choices
    shape = arrays.shape(choices, 0, 3)
    if draft.should_be_invalid(DTYPE):
        return arrays.array(choices, choices.pick(arrays.ANY), shape)
    if choices.flag(0.1):
        return texts(choices, PLAIN_WORDS, shape, "S9")
    return texts(choices, WORDS, shape, "U9")


def texts(choices: Choices, words: Sequence[str], shape: arrays.Shape, dtype: str) -> np.ndarray:
    """Draw an array of some of the words, encoded for a bytes dtype, in any layout."""
    found: Sequence[Any] = choices.values.picks(words, math.prod(shape))
    if dtype[0] == "S":
        found = [word.encode() for word in found]
    return arrays.laid(choices, np.array(found, dtype).reshape(shape))


def like(name: str) -> Strategy:
    """Return a strategy for text of the same kind that broadcasts with another argument."""

    def draw(draft: Draft) -> Any:
        choices, shape = draft.choices, draft.shape(name)
        shape = arrays.nearly(choices, shape) if draft.should_be_invalid(SHAPE) else arrays.narrowed(choices, shape)
        return (
            texts(choices, PLAIN_WORDS, shape, "S9") if _is_bytes(draft, name) else texts(choices, WORDS, shape, "U9")
        )

    return draw


def nearly_like(name: str) -> Strategy:
    """Return a strategy for text to compare with another argument: often the same but for its end, or its case."""
    other = like(name)

    def draw(draft: Draft) -> Any:
        choices, first = draft.choices, draft[name]
        if not isinstance(first, np.ndarray) or first.dtype.kind not in "US" or choices.flag(0.4):
            return other(draft)
        words = [_vary(choices.values, word) for word in first.ravel().tolist()]
        return arrays.laid(choices, np.array(words, "S9" if first.dtype.kind == "S" else "U9").reshape(first.shape))

    return draw


def _vary(values: Choices, word: Any) -> Any:
    """Return the word with another end or case, or as it is."""
    blank, letter = (b" ", b"b") if isinstance(word, bytes) else (" ", "b")
    return values.pick((word, word + blank, word.swapcase(), word[:-1], word[:-1] + letter, word + letter))


def piece_of(words: Sequence[str]) -> Strategy:
    """Return a strategy for one of the words, or several that broadcast with the text."""

    def draw(draft: Draft) -> Any:
        choices, first = draft.choices, next(iter(draft.plan.slots))
        is_bytes = _is_bytes(draft, first)
        if choices.flag(0.2):
            return texts(choices, words, arrays.narrowed(choices, draft.shape(first)), "S9" if is_bytes else "U9")
        found = choices.pick(words)
        return found.encode() if is_bytes else found

    return draw


piece, separator = piece_of(PIECES), piece_of(PIECES[:1] + PIECES[2:])
"""Short strings to search for, or to divide text by: a separator is not empty."""


def within(draft: Draft) -> Any:
    """Draw a string that occurs in every text: the empty one, or the end of each."""
    choices, first = draft.choices, draft["a"]
    if draft.should_be_invalid():
        return b"nowhere" if _is_bytes(draft, "a") else "nowhere"
    if not isinstance(first, np.ndarray) or first.dtype.kind not in "US" or choices.flag(0.4):
        return b"" if _is_bytes(draft, "a") else ""
    ends = [word[-choices.values.integer(1, 3) :] for word in first.ravel().tolist()]
    return arrays.laid(choices, np.array(ends, first.dtype.newbyteorder("=")).reshape(first.shape), exactly=True)


def _is_bytes(draft: Draft, name: str) -> bool:
    return getattr(draft[name], "dtype", np.dtype(bool)).kind == "S"


def among(name: str, low: int, high: int, bad: tuple[Any, ...] = ()) -> Strategy:
    """Return a strategy for an integer, or several that broadcast with the text."""

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        if bad and draft.should_be_invalid():
            return choices.pick(bad)
        if choices.flag(0.7):
            return choices.integer(low, high)
        shape = arrays.narrowed(choices, draft.shape(name))
        found = [choices.integer(low, high) for _ in range(math.prod(shape))]
        return arrays.laid(choices, np.array(found, np.int64).reshape(shape))

    return draw


def or_none(strategy: Strategy) -> Strategy:
    """Return a strategy that draws None one time in three."""
    return either(strategy, strategy, literal(None))


def of_kind(words: tuple[str, ...], dtype: str) -> Strategy:
    """Return a strategy for an array of these words as text or bytes."""

    def draw(draft: Draft) -> Any:
        shape = arrays.shape(draft.choices, 0, 3)
        return texts(draft.choices, words, shape, dtype)

    return draw


ONLY_TEXT, ONLY_BYTES = of_kind(WORDS, "U9"), of_kind(PLAIN_WORDS, "S9")
CODECS: dict[str, Strategy] = {
    "encoding": literal(None, "utf-8", "UTF8", "ascii", "latin-1", bad=("bogus",)),
    "errors": literal("strict", "ignore", "replace"),
}


def encoded(draft: Draft) -> Any:
    """Draw bytes, one time in three also of characters beyond ASCII in UTF-8."""
    words = PLAIN_WORDS if draft.choices.flag(0.67) else ENCODED_WORDS
    return texts(draft.choices, words, arrays.shape(draft.choices, 0, 3), "S9")


ENCODED_WORDS = ("a", "\u00e9t\u00e9", "\u00df", "x\u00a0\u2003", "hello")


def codec(draft: Draft) -> Any:
    """Draw an encoding; beyond ASCII one that needs `errors`, or that takes every byte."""
    if draft.is_due() or all(byte < 128 for byte in draft["a"].tobytes()):
        return CODECS["encoding"](draft)
    return draft.choices.pick(("utf-8", "UTF8", "latin-1") if draft.omits("errors") else ("ascii", "utf-8", "latin-1"))


def errors(draft: Draft) -> Any:
    """Draw what to do with bytes that cannot be decoded; not to raise if there may be any."""
    if draft.is_due() or all(byte < 128 for byte in draft["a"].tobytes()):
        return CODECS["errors"](draft)
    return draft.choices.pick(("ignore", "replace"))


TEXT: dict[str, Strategy] = {"a": text}
POSITIONS: dict[str, Strategy] = {"start": among("a", -3, 4), "end": among("a", -3, 6)}
PADDED: dict[str, Strategy] = {"a": text, "width": among("a", -1, 12), "fillchar": literal(" ", "*", bad=("ab",))}
SOUGHT: dict[str, Strategy] = {"a": text, "sub": piece, **POSITIONS}
STRIPPED: dict[str, Strategy] = {"a": text, "chars": piece}


def no_dtype(draft: Draft) -> Any:
    """Draw None, which NumPy distinguishes from a missing argument if `signature` is given."""
    return None if draft.omits("signature") else OMITTED


def room(draft: Draft) -> Any:
    """Draw an output array of the result's shape; an invalid one has another."""
    shape = np.broadcast_shapes(draft.shape("x1"), draft.shape("x2"))
    dtype = "S18" if isinstance(draft["x1"], np.ndarray) and draft["x1"].dtype.kind == "S" else "U18"
    return np.full(arrays.nearly(draft.choices, shape) if draft.should_be_invalid(SHAPE) else shape, "old", dtype)


BYTES = bytes(range(256))
TABLES = literal("".join(map(chr, range(1, 200))), "x" * 100)
TABLES_OF_BYTES = literal(BYTES, BYTES.upper(), BYTES[:97] + BYTES[98:] + b"a")
UNWANTED, UNWANTED_BYTES = literal(None, "a"), literal(None, b"a", b"a", b"lo", b"")


def text_or_bytes(draft: Draft) -> Any:
    """Draw text or, as often, bytes."""
    return (ONLY_TEXT if draft.choices.flag() else ONLY_BYTES)(draft)


def matching(of_text: Strategy, of_bytes: Strategy) -> Strategy:
    """Return one strategy for calls of text, another for calls of bytes."""
    return lambda draft: (of_bytes if _is_bytes(draft, "a") else of_text)(draft)


PAIR: dict[str, Strategy] = {"x1": text, "x2": like("x1")}
ALONE: dict[str, Strategy] = {
    "x": text,
    "dtype": no_dtype,
    "order": literal("K", "C"),
    "signature": literal((None, None)),
}
BOTH: dict[str, Strategy] = {
    **PAIR,
    "dtype": no_dtype,
    "order": literal("K"),
    "signature": literal((None, None, None)),
}

COMPARISONS = ("equal", "not_equal", "greater", "greater_equal", "less", "less_equal")
PREDICATES = ("isalnum", "isalpha", "isdigit", "islower", "isspace", "istitle", "isupper", "str_len")

LINES: dict[str, dict[str, Strategy]] = {
    **{f"strings.{name}": {**BOTH, "x2": nearly_like("x1")} for name in COMPARISONS},
    "strings.add": {**BOTH, "out": room},
    **{f"strings.{name}": ALONE for name in PREDICATES},
    **{f"strings.{name}": {**ALONE, "x": ONLY_TEXT} for name in ("isdecimal", "isnumeric")},
    **{f"strings.{name}": TEXT for name in ("capitalize", "lower", "swapcase", "title", "upper")},
    **{f"strings.{name}": STRIPPED for name in ("strip", "lstrip", "rstrip")},
    **{f"strings.{name}": PADDED for name in ("center", "ljust", "rjust")},
    **{f"strings.{name}": SOUGHT for name in ("count", "find", "rfind")},
    **{
        f"strings.{name}": {"a": text, "sub": within, "start": literal(0, -3, -9, -20), "end": among("a", 9, 20)}
        for name in ("index", "rindex")
    },
    "strings.startswith": {"a": text, "prefix": piece, **POSITIONS},
    "strings.endswith": {"a": text, "suffix": piece, **POSITIONS},
    "strings.expandtabs": {"a": text, "tabsize": among("a", -1, 8)},
    "strings.multiply": {"a": text, "i": among("a", -1, 3)},
    "strings.partition": {"a": text, "sep": separator},
    "strings.rpartition": {"a": text, "sep": separator},
    "strings.replace": {"a": text, "old": piece, "new": piece, "count": among("a", -1, 2)},
    "strings.slice": {
        "a": text,
        "start": or_none(among("a", -4, 4)),
        "stop": or_none(among("a", -4, 6)),
        "step": or_none(among("a", -2, 2)),
    },
    "strings.zfill": {"a": text, "width": among("a", -1, 12)},
    "strings.encode": {"a": ONLY_TEXT, **CODECS},
    "strings.decode": {
        "a": encoded,
        "encoding": with_options_of(CODECS["encoding"], codec),
        "errors": with_options_of(CODECS["errors"], errors),
    },
    "strings.translate": {
        "a": text_or_bytes,
        "table": matching(TABLES, TABLES_OF_BYTES),
        "deletechars": matching(UNWANTED, UNWANTED_BYTES),  # of text NumPy ignores it
    },
    "strings.mod": {"a": of_kind(("%s", "<%s>", "%3s", "%%%s"), "U9"), "values": among("a", -9, 99)},
}
