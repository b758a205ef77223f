"""Text, element by element. Arrays of text have one width, whatever is in them, so that siblings are alike."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fuzz import values
from fuzz.drafts import Draft, Word
from fuzz.quantities import integer, literal

WORDS = ("", "a", "Ab", "hello", " x ", "12", "a,b", "AB12", "\u00e9t\u00e9", "aaa", "one two", "\tz", "-5", "\u00df")
PLAIN_WORDS = tuple(word for word in WORDS if word.isascii())
PIECES = ("a", "", "l", " ", "1", "b", "lo")


def text(draft: Draft) -> Any:
    """Strings, now and then bytes; when it slips, numbers."""
    choices = draft.choices
    shape = values.shape(choices, 0, 3)
    if draft.slips():
        return values.array(choices, choices.pick(values.ANY), shape)
    if choices.flag(0.1):
        return np.array(choices.values.picks([word.encode() for word in PLAIN_WORDS], math.prod(shape)), "S8").reshape(
            shape
        )
    return np.array(choices.values.picks(WORDS, math.prod(shape)), "U8").reshape(shape)


def like(name: str) -> Word:
    """Text of the same kind that broadcasts with another argument."""

    def draw(draft: Draft) -> Any:
        choices, shape = draft.choices, draft.shape(name)
        shape = values.nearly(choices, shape) if draft.slips() else values.narrowed(choices, shape)
        words: Any = [word.encode() for word in PLAIN_WORDS] if _is_bytes(draft, name) else WORDS
        return np.array(
            choices.values.picks(words, math.prod(shape)), "S8" if _is_bytes(draft, name) else "U8"
        ).reshape(shape)

    return draw


def piece(draft: Draft) -> Any:
    """A short string to look for, or none."""
    found = draft.choices.pick(PIECES if not draft.slips() else (1, None, 1.5))
    return found.encode() if isinstance(found, str) and _is_bytes(draft, next(iter(draft.plan.slots))) else found


def _is_bytes(draft: Draft, name: str) -> bool:
    return getattr(draft[name], "dtype", None) == np.dtype("S8")


TEXT: dict[str, Word] = {"a": text}
PLACES: dict[str, Word] = {"start": integer(-2, 3), "end": literal(None, 2, 5, -1)}
PADDED: dict[str, Word] = {"a": text, "width": integer(0, 12), "fillchar": literal(" ", "*", bad=("ab", 1))}
SOUGHT: dict[str, Word] = {"a": text, "sub": piece, **PLACES}
STRIPPED: dict[str, Word] = {"a": text, "chars": piece}
PAIR: dict[str, Word] = {"x1": text, "x2": like("x1")}
ALONE: dict[str, Word] = {"x": text, "dtype": literal(None), "order": literal("K", "C")}

COMPARISONS = ("equal", "not_equal", "greater", "greater_equal", "less", "less_equal", "add")
PREDICATES = ("isalnum", "isalpha", "isdigit", "islower", "isspace", "istitle", "isupper", "str_len")

LINES: dict[str, dict[str, Word]] = {
    **{f"strings.{name}": {**PAIR, "dtype": literal(None), "order": literal("K")} for name in COMPARISONS},
    **{f"strings.{name}": ALONE for name in (*PREDICATES, "isdecimal", "isnumeric")},
    **{f"strings.{name}": TEXT for name in ("capitalize", "lower", "swapcase", "title", "upper")},
    **{f"strings.{name}": STRIPPED for name in ("strip", "lstrip", "rstrip")},
    **{f"strings.{name}": PADDED for name in ("center", "ljust", "rjust")},
    **{f"strings.{name}": SOUGHT for name in ("count", "find", "rfind")},
    **{f"strings.{name}": {"a": text, "sub": literal("", "", "", "a", bad=(1, None))} for name in ("index", "rindex")},
    "strings.startswith": {"a": text, "prefix": piece, **PLACES},
    "strings.endswith": {"a": text, "suffix": piece, **PLACES},
    "strings.expandtabs": {"a": text, "tabsize": integer(1, 8)},
    "strings.multiply": {"a": text, "i": integer(-1, 3)},
    "strings.partition": {"a": text, "sep": piece},
    "strings.rpartition": {"a": text, "sep": piece},
    "strings.replace": {"a": text, "old": piece, "new": piece, "count": integer(-1, 2)},
    "strings.slice": {
        "a": text,
        "start": integer(-2, 3),
        "stop": literal(None, 3, -1),
        "step": literal(None, 1, 2, -1),
    },
    "strings.zfill": {"a": text, "width": integer(0, 12)},
    "strings.encode": {"a": text, "encoding": literal("utf-8"), "errors": literal("strict")},
}
