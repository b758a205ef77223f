"""Properties of text: classes of characters, length, and substring search.

The Unicode tables of this Python decide which code points are letters or digits, as they do for NumPy.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import tensorflow as tf

from tfnp._core import shapes
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, DTypeLike, Out
from tfnp._core.traces import trace_recurring
from tfnp.strings import points
from tfnp.strings.searches import SEARCHED, broadcast_arguments, drop_overlaps, find_first, find_last, search
from tfnp.strings.text import TEXT, check_all, reshape_text, to_text, write_text

__all__ = [
    "count", "endswith", "find", "index", "isalnum", "isalpha", "isdecimal", "isdigit", "islower", "isnumeric",
    "isspace", "istitle", "isupper", "rfind", "rindex", "startswith", "str_len",
]  # fmt: skip


@array_function(unknown_rank="each")
def isalnum(
    x: ArrayLike, /, out: Out = None, *, where: ArrayLike = True, casting: str = "same_kind",
    order: str = "K", dtype: DTypeLike | None = None, subok: bool = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Bytes are read as UTF-8, so non-ASCII characters count too. `out` must be a tf.Variable. XLA has no text: tracing
    for it raises TypeError.
    """
    return _test_characters("isalnum", x, locals())


@array_function(unknown_rank="each")
def isalpha(
    x: ArrayLike, /, out: Out = None, *, where: ArrayLike = True, casting: str = "same_kind",
    order: str = "K", dtype: DTypeLike | None = None, subok: bool = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Bytes are read as UTF-8, so non-ASCII characters count too. `out` must be a tf.Variable. XLA has no text: tracing
    for it raises TypeError.
    """
    return _test_characters("isalpha", x, locals())


@array_function(unknown_rank="each")
def isdecimal(
    x: ArrayLike, /, out: Out = None, *, where: ArrayLike = True, casting: str = "same_kind",
    order: str = "K", dtype: DTypeLike | None = None, subok: bool = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Unlike in NumPy, bytes are accepted: a tf.string tensor does not distinguish them from text. XLA has no text:
    tracing for it raises TypeError.
    """
    return _test_characters("isdecimal", x, locals())


@array_function(unknown_rank="each")
def isdigit(
    x: ArrayLike, /, out: Out = None, *, where: ArrayLike = True, casting: str = "same_kind",
    order: str = "K", dtype: DTypeLike | None = None, subok: bool = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Bytes are read as UTF-8, so non-ASCII characters count too. `out` must be a tf.Variable. XLA has no text: tracing
    for it raises TypeError.
    """
    return _test_characters("isdigit", x, locals())


@array_function(unknown_rank="each")
def isnumeric(
    x: ArrayLike, /, out: Out = None, *, where: ArrayLike = True, casting: str = "same_kind",
    order: str = "K", dtype: DTypeLike | None = None, subok: bool = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Unlike in NumPy, bytes are accepted: a tf.string tensor does not distinguish them from text. XLA has no text:
    tracing for it raises TypeError.
    """
    return _test_characters("isnumeric", x, locals())


@array_function(unknown_rank="each")
def isspace(
    x: ArrayLike, /, out: Out = None, *, where: ArrayLike = True, casting: str = "same_kind",
    order: str = "K", dtype: DTypeLike | None = None, subok: bool = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Bytes are read as UTF-8, so non-ASCII characters count too. `out` must be a tf.Variable. XLA has no text: tracing
    for it raises TypeError.
    """
    return _test_characters("isspace", x, locals())


@array_function(unknown_rank="each")
def islower(
    x: ArrayLike, /, out: Out = None, *, where: ArrayLike = True, casting: str = "same_kind",
    order: str = "K", dtype: DTypeLike | None = None, subok: bool = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Bytes are read as UTF-8, so non-ASCII characters count too. `out` must be a tf.Variable. XLA has no text: tracing
    for it raises TypeError.
    """
    return _test("islower", _is_lower, x, locals())


@array_function(unknown_rank="each")
def isupper(
    x: ArrayLike, /, out: Out = None, *, where: ArrayLike = True, casting: str = "same_kind",
    order: str = "K", dtype: DTypeLike | None = None, subok: bool = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Bytes are read as UTF-8, so non-ASCII characters count too. `out` must be a tf.Variable. XLA has no text: tracing
    for it raises TypeError.
    """
    return _test("isupper", _is_upper, x, locals())


@array_function(unknown_rank="each")
def istitle(
    x: ArrayLike, /, out: Out = None, *, where: ArrayLike = True, casting: str = "same_kind",
    order: str = "K", dtype: DTypeLike | None = None, subok: bool = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Bytes are read as UTF-8, so non-ASCII characters count too. `out` must be a tf.Variable. XLA has no text: tracing
    for it raises TypeError.
    """
    return _test("istitle", _is_title, x, locals())


@array_function(unknown_rank="each")
def str_len(
    x: ArrayLike, /, out: Out = None, *, where: ArrayLike = True, casting: str = "same_kind",
    order: str = "K", dtype: DTypeLike | None = None, subok: bool = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Lengths (int64) count characters, also of bytes, which are read as UTF-8. XLA has no text: tracing for it raises
    TypeError.
    """
    return write_text("str_len", tf.cast(tf.strings.length(to_text(x), unit="UTF8_CHAR"), tf.int64), locals())


def _test_characters(predicate: str, x: Any, options: dict[str, Any]) -> Any:
    return _test(predicate, _make_test(predicate), x, options)


def _test(name: str, test: Any, x: Any, options: dict[str, Any]) -> Any:
    text = to_text(x)
    return write_text(name, reshape_text(test(tf.reshape(text, (-1,))), shapes.shape(text)), options)


@lru_cache(maxsize=8)
def _make_test(predicate: str) -> Any:
    @trace_recurring(TEXT)
    def test_all(flat: tf.Tensor) -> tf.Tensor:
        text = points.read(flat)
        is_text = points.positions(text) < text.lengths[:, None]
        return tf.reduce_all(points.matches(text.codes, predicate) | ~is_text, 1) & (text.lengths > 0)

    return test_all


@trace_recurring(TEXT)
def _is_lower(flat: tf.Tensor) -> tf.Tensor:
    codes = points.read(flat).codes
    has_other = points.matches(codes, "isupper") | points.matches(codes, "istitle")
    return tf.reduce_any(points.matches(codes, "islower"), 1) & ~tf.reduce_any(has_other, 1)


@trace_recurring(TEXT)
def _is_upper(flat: tf.Tensor) -> tf.Tensor:
    codes = points.read(flat).codes
    upper = points.matches(codes, "isupper")
    has_other = points.matches(codes, "islower") | (points.matches(codes, "istitle") & ~upper)
    return tf.reduce_any(upper, 1) & ~tf.reduce_any(has_other, 1)


@trace_recurring(TEXT)
def _is_title(flat: tf.Tensor) -> tf.Tensor:
    codes = points.read(flat).codes
    capital, small = points.matches(codes, "istitle"), points.matches(codes, "islower")
    is_cased = capital | small
    follows = tf.pad(is_cased[:, :-1], [[0, 0], [1, 0]])
    is_violation = (capital & follows) | (small & ~follows)
    return tf.reduce_any(is_cased, 1) & ~tf.reduce_any(is_violation, 1)


@array_function(unknown_rank="broadcast")
def find(a: ArrayLike, sub: ArrayLike, start: ArrayLike = 0, end: ArrayLike | None = None) -> tf.Tensor:
    """Positions (int64) count characters, also for bytes, which are read as UTF-8. XLA has no text: tracing for it
    raises TypeError.
    """
    return _search(_find, a, sub, start, end)


@array_function(unknown_rank="broadcast")
def rfind(a: ArrayLike, sub: ArrayLike, start: ArrayLike = 0, end: ArrayLike | None = None) -> tf.Tensor:
    """Positions (int64) count characters, also for bytes, which are read as UTF-8. XLA has no text: tracing for it
    raises TypeError.
    """
    return _search(_find_last, a, sub, start, end)


@array_function(unknown_rank="broadcast")
def index(a: ArrayLike, sub: ArrayLike, start: ArrayLike = 0, end: ArrayLike | None = None) -> tf.Tensor:
    """A missing substring raises ValueError, or InvalidArgumentError when a graph runs. Positions (int64) count
    characters, also for bytes, which are read as UTF-8. XLA has no text: tracing for it raises TypeError.
    """
    index = find(a, sub, start, end)
    return check_all(index >= 0, "substring not found", index)


@array_function(unknown_rank="broadcast")
def rindex(a: ArrayLike, sub: ArrayLike, start: ArrayLike = 0, end: ArrayLike | None = None) -> tf.Tensor:
    """A missing substring raises ValueError, or InvalidArgumentError when a graph runs. Positions (int64) count
    characters, also for bytes, which are read as UTF-8. XLA has no text: tracing for it raises TypeError.
    """
    index = rfind(a, sub, start, end)
    return check_all(index >= 0, "substring not found", index)


@array_function(unknown_rank="broadcast")
def count(a: ArrayLike, sub: ArrayLike, start: ArrayLike = 0, end: ArrayLike | None = None) -> tf.Tensor:
    """Return int64. XLA has no text: tracing for it raises TypeError."""
    return _search(_count, a, sub, start, end)


@array_function(unknown_rank="broadcast")
def startswith(a: ArrayLike, prefix: ArrayLike, start: ArrayLike = 0, end: ArrayLike | None = None) -> tf.Tensor:
    """Bounds count characters, also for bytes. XLA has no text: tracing for it raises TypeError."""
    return _search(_starts, a, prefix, start, end)


@array_function(unknown_rank="broadcast")
def endswith(a: ArrayLike, suffix: ArrayLike, start: ArrayLike = 0, end: ArrayLike | None = None) -> tf.Tensor:
    """Bounds count characters, also for bytes. XLA has no text: tracing for it raises TypeError."""
    return _search(_ends, a, suffix, start, end)


def _search(find_in: Any, a: Any, sub: Any, start: Any, end: Any) -> tf.Tensor:
    flat, shape = broadcast_arguments(a, sub, start, end)
    return reshape_text(find_in(*flat), shape)


@trace_recurring(*SEARCHED)
def _find(*flat: tf.Tensor) -> tf.Tensor:
    return find_first(search(*flat).is_match)


@trace_recurring(*SEARCHED)
def _find_last(*flat: tf.Tensor) -> tf.Tensor:
    return find_last(search(*flat).is_match)


@trace_recurring(*SEARCHED)
def _count(*flat: tf.Tensor) -> tf.Tensor:
    result = search(*flat)
    return tf.reduce_sum(tf.cast(drop_overlaps(result.is_match, result.pattern.lengths), tf.int64), 1)


@trace_recurring(*SEARCHED)
def _starts(*flat: tf.Tensor) -> tf.Tensor:
    result = search(*flat)
    return tf.reduce_any(result.is_match & tf.equal(points.positions(result.text), result.start[:, None]), 1)


@trace_recurring(*SEARCHED)
def _ends(*flat: tf.Tensor) -> tf.Tensor:
    result = search(*flat)
    ends = tf.equal(points.positions(result.text) + result.pattern.lengths[:, None], result.end[:, None])
    return tf.reduce_any(result.is_match & ends, 1)
