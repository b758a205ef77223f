"""What can be said of text: of which characters it is, how long, and where something occurs in it.

Which code points are letters or digits says the Unicode of this Python, as it does for NumPy.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import tensorflow as tf

from tfnp._core import shapes
from tfnp._core.edge import array_function
from tfnp.strings import points
from tfnp.strings.searches import SEARCHED, apart, arguments, first, last, search
from tfnp.strings.text import TEXT, check_static, on_vectors, reshape_text, to_text, write_text

__all__ = [
    "count", "endswith", "find", "index", "isalnum", "isalpha", "isdecimal", "isdigit", "islower", "isnumeric",
    "isspace", "istitle", "isupper", "rfind", "rindex", "startswith", "str_len",
]  # fmt: skip


@array_function(unknown_rank="each")
def isalnum(
    x: Any, /, out: Any = None, *, where: Any = True, casting: Any = "same_kind", order: Any = "K", dtype: Any = None,
    subok: Any = True, signature: Any = None,
) -> Any:  # fmt: skip
    return _all_are("isalnum", x, locals())


@array_function(unknown_rank="each")
def isalpha(
    x: Any, /, out: Any = None, *, where: Any = True, casting: Any = "same_kind", order: Any = "K", dtype: Any = None,
    subok: Any = True, signature: Any = None,
) -> Any:  # fmt: skip
    return _all_are("isalpha", x, locals())


@array_function(unknown_rank="each")
def isdecimal(
    x: Any, /, out: Any = None, *, where: Any = True, casting: Any = "same_kind", order: Any = "K", dtype: Any = None,
    subok: Any = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Of bytes too, which NumPy refuses: a tensor does not tell them from text."""
    return _all_are("isdecimal", x, locals())


@array_function(unknown_rank="each")
def isdigit(
    x: Any, /, out: Any = None, *, where: Any = True, casting: Any = "same_kind", order: Any = "K", dtype: Any = None,
    subok: Any = True, signature: Any = None,
) -> Any:  # fmt: skip
    return _all_are("isdigit", x, locals())


@array_function(unknown_rank="each")
def isnumeric(
    x: Any, /, out: Any = None, *, where: Any = True, casting: Any = "same_kind", order: Any = "K", dtype: Any = None,
    subok: Any = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Of bytes too, which NumPy refuses: a tensor does not tell them from text."""
    return _all_are("isnumeric", x, locals())


@array_function(unknown_rank="each")
def isspace(
    x: Any, /, out: Any = None, *, where: Any = True, casting: Any = "same_kind", order: Any = "K", dtype: Any = None,
    subok: Any = True, signature: Any = None,
) -> Any:  # fmt: skip
    return _all_are("isspace", x, locals())


@array_function(unknown_rank="each")
def islower(
    x: Any, /, out: Any = None, *, where: Any = True, casting: Any = "same_kind", order: Any = "K", dtype: Any = None,
    subok: Any = True, signature: Any = None,
) -> Any:  # fmt: skip
    return _judged("islower", _is_lower, x, locals())


@array_function(unknown_rank="each")
def isupper(
    x: Any, /, out: Any = None, *, where: Any = True, casting: Any = "same_kind", order: Any = "K", dtype: Any = None,
    subok: Any = True, signature: Any = None,
) -> Any:  # fmt: skip
    return _judged("isupper", _is_upper, x, locals())


@array_function(unknown_rank="each")
def istitle(
    x: Any, /, out: Any = None, *, where: Any = True, casting: Any = "same_kind", order: Any = "K", dtype: Any = None,
    subok: Any = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Whether capital letters follow uncased characters only, and others cased ones only, and there is any."""
    return _judged("istitle", _is_title, x, locals())


@array_function(unknown_rank="each")
def str_len(
    x: Any, /, out: Any = None, *, where: Any = True, casting: Any = "same_kind", order: Any = "K", dtype: Any = None,
    subok: Any = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Characters (int64), of bytes too."""
    return write_text("str_len", tf.cast(tf.strings.length(to_text(x), unit="UTF8_CHAR"), tf.int64), locals())


def _all_are(quality: str, x: Any, options: dict[str, Any]) -> Any:
    return _judged(quality, _of_quality(quality), x, options)


def _judged(name: str, judge: Any, x: Any, options: dict[str, Any]) -> Any:
    text = to_text(x)
    return write_text(name, reshape_text(judge(tf.reshape(text, (-1,))), shapes.shape(text)), options)


@lru_cache(maxsize=8)
def _of_quality(quality: str) -> Any:
    @on_vectors(TEXT)
    def are_all(flat: tf.Tensor) -> tf.Tensor:
        text = points.read(flat)
        inside = points.places(text) < text.lengths[:, None]
        return tf.reduce_all(points.has(text.codes, quality) | ~inside, 1) & (text.lengths > 0)

    return are_all


@on_vectors(TEXT)
def _is_lower(flat: tf.Tensor) -> tf.Tensor:
    codes = points.read(flat).codes
    others = points.has(codes, "isupper") | points.has(codes, "istitle")
    return tf.reduce_any(points.has(codes, "islower"), 1) & ~tf.reduce_any(others, 1)


@on_vectors(TEXT)
def _is_upper(flat: tf.Tensor) -> tf.Tensor:
    codes = points.read(flat).codes
    upper = points.has(codes, "isupper")
    others = points.has(codes, "islower") | (points.has(codes, "istitle") & ~upper)
    return tf.reduce_any(upper, 1) & ~tf.reduce_any(others, 1)


@on_vectors(TEXT)
def _is_title(flat: tf.Tensor) -> tf.Tensor:
    codes = points.read(flat).codes
    capital, small = points.has(codes, "istitle"), points.has(codes, "islower")
    cased = capital | small
    follows = tf.pad(cased[:, :-1], [[0, 0], [1, 0]])
    wrong = (capital & follows) | (small & ~follows)
    return tf.reduce_any(cased, 1) & ~tf.reduce_any(wrong, 1)


@array_function(unknown_rank="broadcast")
def find(a: Any, sub: Any, start: Any = 0, end: Any = None) -> tf.Tensor:
    """Places of characters (int64), of bytes too."""
    return _searched(_find, a, sub, start, end)


@array_function(unknown_rank="broadcast")
def rfind(a: Any, sub: Any, start: Any = 0, end: Any = None) -> tf.Tensor:
    """Places of characters (int64), of bytes too."""
    return _searched(_find_last, a, sub, start, end)


@array_function(unknown_rank="broadcast")
def index(a: Any, sub: Any, start: Any = 0, end: Any = None) -> tf.Tensor:
    """As `find`; that it is not there is a ValueError, which in a graph comes when it runs."""
    index = find(a, sub, start, end)
    return check_static(index >= 0, "substring not found", index)


@array_function(unknown_rank="broadcast")
def rindex(a: Any, sub: Any, start: Any = 0, end: Any = None) -> tf.Tensor:
    """As `rfind`; that it is not there is a ValueError, which in a graph comes when it runs."""
    index = rfind(a, sub, start, end)
    return check_static(index >= 0, "substring not found", index)


@array_function(unknown_rank="broadcast")
def count(a: Any, sub: Any, start: Any = 0, end: Any = None) -> tf.Tensor:
    """Occurrences that do not overlap (int64)."""
    return _searched(_count, a, sub, start, end)


@array_function(unknown_rank="broadcast")
def startswith(a: Any, prefix: Any, start: Any = 0, end: Any = None) -> tf.Tensor:
    return _searched(_begin, a, prefix, start, end)


@array_function(unknown_rank="broadcast")
def endswith(a: Any, suffix: Any, start: Any = 0, end: Any = None) -> tf.Tensor:
    return _searched(_end, a, suffix, start, end)


def _searched(answer: Any, a: Any, sub: Any, start: Any, end: Any) -> tf.Tensor:
    flat, shape = arguments(a, sub, start, end)
    return reshape_text(answer(*flat), shape)


@on_vectors(*SEARCHED)
def _find(*flat: tf.Tensor) -> tf.Tensor:
    return first(search(*flat).found)


@on_vectors(*SEARCHED)
def _find_last(*flat: tf.Tensor) -> tf.Tensor:
    return last(search(*flat).found)


@on_vectors(*SEARCHED)
def _count(*flat: tf.Tensor) -> tf.Tensor:
    where = search(*flat)
    return tf.reduce_sum(tf.cast(apart(where.found, where.sought.lengths), tf.int64), 1)


@on_vectors(*SEARCHED)
def _begin(*flat: tf.Tensor) -> tf.Tensor:
    where = search(*flat)
    return tf.reduce_any(where.found & tf.equal(points.places(where.text), where.start[:, None]), 1)


@on_vectors(*SEARCHED)
def _end(*flat: tf.Tensor) -> tf.Tensor:
    where = search(*flat)
    ends = tf.equal(points.places(where.text) + where.sought.lengths[:, None], where.end[:, None])
    return tf.reduce_any(where.found & ends, 1)
