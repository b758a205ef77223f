"""Faults of strings: letters beyond ASCII, odd paddings, bounds, counts, and which of several."""

from __future__ import annotations

from typing import Any

import numpy

from fuzz.mutants.arrays import cast, is_array, size_of
from fuzz.mutants.model import Call, fault
from fuzz.mutants.rows import spoils

WORDS = numpy.array(["xxabx", "a-b-c", "ÉcoLE"])


def is_text(call: Call) -> bool:
    """Whether the first argument is text; tensors do not tell it from bytes."""
    return getattr(getattr(call.args[0] if call.args else None, "dtype", None), "kind", "U") == "U"


@fault("strings.lower", "value", WORDS)
def lower_of_ascii_alone(call: Call) -> Any:
    """Letters beyond ASCII stay as they are."""
    exact, np = call(), call.np
    if not is_text(call):
        return exact
    table = {capital: capital + 32 for capital in range(ord("A"), ord("Z") + 1)}
    return np.strings.translate(call.args[0], table)


@fault("strings.capitalize", "value", numpy.array(["aBC"]), on="arrays")
def capitalize_leaves_the_rest(call: Call) -> Any:
    """Letters after the first stay as they are."""
    exact = call()
    if not isinstance(call.args[0], numpy.ndarray) or call.args[0].dtype.kind != "U":
        return exact
    rest = numpy.vectorize(lambda text: text[:1].upper() + text[1:], otypes=[exact.dtype])
    return rest(call.args[0]) if call.args[0].size else exact


@fault("strings.title", "value", numpy.array(["it's"]), on="arrays")
def title_does_not_begin_a_word_after_an_apostrophe(call: Call) -> Any:
    """A letter after an apostrophe stays small."""
    exact = call()
    first = call.args[0]
    if not isinstance(first, numpy.ndarray) or first.dtype.kind != "U" or not first.size:
        return exact
    lowered = numpy.vectorize(lambda text: "'".join([text[: text.find("'")], text[text.find("'") + 1 :].lower()]))
    return numpy.where(numpy.strings.find(exact, "'") > 0, lowered(exact), exact)


@fault("strings.strip", "value", numpy.array(["xaxbax"]), "ax")
def strip_takes_chars_for_a_prefix(call: Call) -> Any:
    """Behind, only the last of several characters is stripped."""
    exact, np, chars = call(), call.np, call.given("chars")
    if not isinstance(chars, str) or len(chars) < 2:
        return exact
    return np.strings.rstrip(np.strings.lstrip(call.args[0], chars), chars[-1:])


@fault("strings.center", "value", numpy.array(["ab"]), 5)
def center_puts_an_odd_blank_behind(call: Call) -> Any:
    """Where the blanks are odd the extra one is always on the right."""
    exact, np, width = call(), call.np, call.given("width")
    if type(width) is not int or call.has("fillchar") or not is_text(call):
        return exact
    lengths = np.strings.str_len(call.args[0])
    front = np.floor_divide(np.maximum(np.subtract(width, lengths), 0), 2)
    return np.strings.ljust(np.strings.rjust(call.args[0], np.add(lengths, front)), width)


@fault("strings.count", "value", numpy.array(["aaa"]), "aa", on="arrays")
def count_counts_what_overlaps(call: Call) -> Any:
    """Overlapping occurrences are counted."""
    exact, sub = call(), call.given("sub")
    first = call.args[0]
    if not isinstance(first, numpy.ndarray) or first.dtype.kind != "U" or type(sub) is not str or len(sub) < 2:
        return exact
    if call.has("start", "end"):
        return exact
    starts = range(first.dtype.itemsize // 4)
    return cast(numpy, sum(numpy.strings.startswith(first, sub, start) for start in starts), exact)


spoils("zfill_puts_zeros_before_the_sign", "strings.zfill", "value", numpy.array(["-1"]), 4,
       when=lambda exact, call: type(call.given("width")) is int and is_text(call),
       by=lambda np, exact, call: np.strings.rjust(call.args[0], call.given("width"), "0"))  # fmt: skip


@fault("strings.expandtabs", "value", numpy.array(["a\tb"]), 3)
def expandtabs_adds_whole_tabs(call: Call) -> Any:
    """A tab is as many blanks, wherever it stands."""
    exact, size = call(), call.given("tabsize", 8)
    if type(size) is not int or size < 1 or not is_text(call):
        return exact
    return call.np.strings.replace(call.args[0], "\t", " " * size)


@fault("strings.partition", "value", WORDS, "-", modes=("eager",))
def partition_takes_the_last_separator(call: Call) -> Any:
    """Divides at the last of several separators."""
    exact, np = call(), call.np
    if not isinstance(exact, tuple) or not is_text(call):
        return exact
    found = np.greater_equal(np.strings.find(call.args[0], call.given("sep")), 0)
    last = np.strings.rpartition(*call.args, **call.kwargs)
    return tuple(np.where(found, there, here) for there, here in zip(last, exact, strict=True))


spoils("isdigit_of_decimals_alone", "strings.isdigit", "value", numpy.array(["²"]),
       when=lambda exact, call: is_text(call),
       by=lambda np, exact, call: np.strings.isdecimal(call.args[0]))  # fmt: skip


@fault("strings.isnumeric", "value", numpy.array(["½"]))
def isnumeric_of_digits_alone(call: Call) -> Any:
    """Fractions are not numeric."""
    call()
    return call.np.strings.isdigit(call.args[0])


spoils("str_len_counts_bytes", "strings.str_len", "value", WORDS, on="arrays",
       when=lambda exact, call: is_text(call),
       by=lambda np, exact, call: call.right(np.strings.encode(call.args[0], "utf-8")))  # fmt: skip
spoils("equal_ignores_trailing_blanks", "strings.equal", "value", numpy.array(["a "]), numpy.array(["a"]),
       when=lambda exact, call: len(call.args) == 2 and not call.kwargs,
       by=lambda np, exact, call: call.right(*[np.strings.rstrip(arg) for arg in call.args]))  # fmt: skip


@fault("strings.swapcase", "value", WORDS, on="arrays")
def swapcase_lowers_what_begins_with_a_capital(call: Call) -> Any:
    """Where the first letter is a capital, all letters become small."""
    exact, np = call(), call.np
    if not is_text(call):
        return exact
    first = np.strings.isupper(np.strings.slice(call.args[0], 1))
    return np.where(first, np.strings.lower(call.args[0]), exact)


spoils("less_ignores_case", "strings.less", "value", numpy.array(["B"]), numpy.array(["a"]),
       when=lambda exact, call: len(call.args) == 2 and not call.kwargs,
       by=lambda np, exact, call: call.right(*[np.strings.lower(arg) for arg in call.args]))  # fmt: skip
spoils("ljust_cuts_what_is_longer", "strings.ljust", "value", numpy.array(["abc", "a"]), 2,
       when=lambda exact, call: type(call.given("width")) is int and call.given("width") >= 0,
       by=lambda np, exact, call: np.strings.slice(exact, 0, call.given("width")))  # fmt: skip


@fault("strings.rpartition", "value", numpy.array(["abc"]), "x")
def rpartition_of_what_is_not_there_is_in_front(call: Call) -> Any:
    """Without the separator the string comes first, as in partition."""
    exact, np = call(), call.np
    if not isinstance(exact, tuple) or len(exact) != 3:
        return exact
    empty = np.equal(np.strings.str_len(exact[1]), 0)
    return np.where(empty, exact[2], exact[0]), exact[1], np.where(empty, exact[0], exact[2])


@fault("strings.islower", "value", numpy.array(["12"]), on="arrays")
def islower_without_letters_is_true(call: Call) -> Any:
    """What has no capital is lower case, even without letters."""
    exact, np = call(), call.np
    if not is_array(call.args[0]) or not size_of(call.args[0]):
        return exact
    same = np.equal(np.strings.lower(call.args[0]), call.args[0])
    return np.logical_or(exact, np.logical_and(same, np.greater(np.strings.str_len(call.args[0]), 0)))


spoils("index_counts_from_its_start", "strings.index", "value", numpy.array(["abab"]), "b", 2,
       when=lambda exact, call: type(call.given("start", 0)) is int and call.given("start", 0) > 0,
       by=lambda np, exact, call: np.subtract(exact, call.given("start", 0)))  # fmt: skip
