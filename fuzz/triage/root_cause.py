"""Grouping of findings by root cause: one bucket for each fault that one fix would mend, however many names show it.

Buckets are made from the lines of findings.jsonl alone, so that any run can be grouped again. Findings share a bucket
if they share a parameter that signatures lack; an error message, with the parts that vary removed; how dtypes differ;
or a pair of container types or of error classes. Other findings share a bucket only with those of the same function,
and so do dtypes that a call asks for.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fuzz.differences import SIGNATURE, find_parameter
from fuzz.generate.signatures import parameters_of
from fuzz.triage.severity import KNOWN, NEW, NOT_REPRODUCED, OLDER, find_class, find_status, is_new, rank_severity
from oracle.harness import ALIASES

STRONG = "strong number"
"""The symptom of a Python number that decides on the dtype as an array of its own dtype would."""

SEVERITY = (
    *("crash", "hang", "memory", "growth", "value", "inputs changed", "nondeterminism"),
    *("differs from eager", "gradient", "dtype", "shape"),
    *("structure", "static shape", "retrace", "not vectorized", "never answered", "spurious error", SIGNATURE),
    *("missing error", "different error"),
)
"""The kinds, the worst first: the end of the process, wrong numbers, wrong forms, refusals, wrong refusals."""

INTERNAL = frozenset(
    {"AssertionError", "AttributeError", "NameError", "RecursionError", "SystemError", "UnboundLocalError"}
)
"""Classes of errors that no caller is meant to see: whatever NumPy does, the mistake is the same."""

READABLE = 56
"""How many causes a reader goes through. What only one function shows is put together, the least bad kinds first, where
there would be more.
"""

FEW, SOME = 3, 6
"""How many functions are few, and how many are some."""

NAMED = 6
"""How many parameters a title names."""

SHORT = 40
"""How many characters of an answer a title has room for."""

_REQUIRED = re.compile(r"missing \d+ required (?:positional|keyword-only) arguments?")
_UNSUPPORTED = re.compile(  # but not Python's "'>=' not supported between instances of ..."
    r"\b(?:not|n't|doesnt|only)\b.*\bsupport(?!ed between)|\bunsupported\b.*\bargument\b|not (?:yet )?implemented",
    re.IGNORECASE,
)
_OF_DTYPE = re.compile(
    r"allowed values|not support [\w/]+ dtypes|data type is not supported|find device for node"
    r"|numeric (?:or variant )?tensor"
    r"|integer and \w+ dtypes are supported|those convertible to|dtype .*not supported|unsupported dtype",
    re.IGNORECASE,
)
_UNPROMOTED = re.compile(
    r"could not be promoted|expected to be a \w+ tensor but is a|cannot convert \S+ to \w+ of dtype", re.IGNORECASE
)
_DTYPE_OPTION = re.compile(r"\bdtype=(?!None\b)")
_METHOD = re.compile(r"\w+\.(reduce|accumulate|reduceat|outer|at)")
_ZERO = re.compile(r"[-+]?0(?:\.0*)?(?:e[-+]?\d+)?|\([-+]?0(?:\.0*)?[-+]0(?:\.0*)?j\)|[-+]?0(?:\.0*)?j")
_SPECIAL = re.compile(r"nan|inf")
_OBJECTS = (
    (re.compile(r"\b[\w.]*(?:Eager|Symbolic)Tensor\b|<tf\.Tensor [^>]*>"), "Tensor"),
    (re.compile(r"<class '[^']*'>|<dtype: '[^']*'>|\bdtype\('[^']*'\)|\bDT_[A-Z0-9]+\b"), "<dtype>"),
    (re.compile(r"(?<!attribute )(?<!\w)(?:'[^']*'(?!\w)|\"[^\"]*\")"), "'...'"),  # not the apostrophes of "can't"
)
_DTYPE = r"(?:bool|u?int(?:8|16|32|64)|q[ui]+nt\d+|(?:b?float|complex)\d+|half|float|double|string|complex)_?"
_BRACKETS = re.compile(r"[\[({](?:[^\[\](){}]|\(\.\.\.\))*[\])}]")
_VALUES = (
    (re.compile(rf"\b{_DTYPE}\b"), "<dtype>"),
    (_BRACKETS, "(...)"),
    (_BRACKETS, "(...)"),  # those around others
    (re.compile(r"[-+]?\b\d[\d.e+]*\b"), "N"),
    (re.compile(r"<dtype>(?:,? <dtype>)+(?:, (?:and|or) <dtype>)?"), "<dtype>, ..."),
    (re.compile(r"(?:\(\.\.\.\)\s*){2,}"), "(...) "),
)
"""What is noise in a message, and what stands for it: first objects, then, when the function's name is out, values."""


Row = Mapping[str, Any]
Key = tuple[str, ...]
Buckets = dict[Key, list[Row]]


@dataclass(frozen=True)
class Cause:
    """A bucket of findings with one root cause."""

    key: Key
    rows: tuple[Row, ...]

    @cached_property
    def title(self) -> str:
        """The cause in one line, in the words of its example."""
        return make_title(self.key, [self.example, *(row for row in self.rows if row is not self.example)])

    @property
    def id(self) -> str:
        """An identifier that is the same in every run: a digest of the key."""
        return "c-" + hashlib.sha256("|".join(self.key).encode()).hexdigest()[:10]

    @cached_property
    def kind(self) -> str:
        """The worst kind among its findings."""
        return min((find_kind(row) for row in self.rows), key=rank_kind)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names that show it."""
        return tuple(sorted({row["name"] for row in self.rows}, key=str.lower))

    @cached_property
    def severity(self) -> tuple[int, int]:
        """The severity of its worst finding; see `rank_severity`."""
        return min(rank_severity(row) for row in self.rows if is_new(row) == bool(self.new))

    @property
    def call_class(self) -> str:
        """The class of the call that shows it best: ordinary, edge or invalid."""
        return find_class(self.example)

    @property
    def count(self) -> int:
        """The number of its findings."""
        return len(self.rows)

    @property
    def new(self) -> int:
        """The number of its findings that no baseline accepts, and that no base has."""
        return sum(map(is_new, self.rows))

    @property
    def status(self) -> str:
        """The status of the finding that matters most: new, else older, else known."""
        return min(map(find_status, self.rows), key=(NEW, OLDER, KNOWN, NOT_REPRODUCED).index)

    @property
    def first_seen(self) -> str:
        """When the first of its findings was seen first, in UTC, of ISO 8601; empty without a history."""
        return min(filter(None, (row.get("first_seen") for row in self.rows)), default="")

    @cached_property
    def upstream(self) -> tuple[str, ...]:
        """The known bugs of other libraries that its findings resemble, the most frequent first."""
        return tuple(
            key for key, _ in Counter(key for row in self.rows for key in row.get("upstream", ())).most_common()
        )

    @cached_property
    def example(self) -> Row:
        """The finding that shows it best: new, the most severe, of the worst kind, reproduced, in the shortest call."""
        return min(
            self.rows,
            key=lambda row: (
                not is_new(row),
                rank_severity(row),
                rank_kind(find_kind(row)),
                not row.get("reproduced"),
                len(row["minimal"]),
                row["id"],
            ),
        )

    def data(self) -> dict[str, Any]:
        """Return the cause as summary.json has it."""
        return {
            "id": self.id,
            "kind": self.kind,
            "call_class": self.call_class,
            "title": self.title,
            "names": list(self.names),
            "modes": sorted({mode for row in self.rows for mode in row["modes"]}),
            "findings": [row["id"] for row in self.rows],
            "new": self.new,
            "example": self.example["id"],
            "upstream": list(self.upstream),
        }


def group_findings(rows: Iterable[Row]) -> list[Cause]:
    """Group lines of findings.jsonl by cause, the most severe first, then the worst kinds, then those that more names
    show.
    """
    buckets: Buckets = {}
    for row in rows:
        buckets.setdefault(find_key(row), []).append(row)
    joined = _merge_buckets(buckets).items()
    causes = [Cause(key, tuple(sorted(found, key=_order))) for key, found in joined]
    return sorted(causes, key=_rank_cause)


def _rank_cause(cause: Cause) -> tuple[Any, ...]:
    return (not cause.new, cause.severity, rank_kind(cause.kind), -len(cause.names), cause.title)


def rank_kind(kind: str) -> int:
    """Return how bad a kind is, as a sort key; 0 is the worst."""
    return SEVERITY.index(kind) if kind in SEVERITY else len(SEVERITY)


def find_kind(row: Row) -> str:
    """Return the kind of a finding; `signature` if a parameter is lacking or required, whatever error that gave."""
    detail = row.get("detail", "")
    is_lack = row["kind"] in (SIGNATURE, "spurious error", "different error") and (
        find_parameter(detail) or _REQUIRED.search(split_detail(detail)[2])
    )
    return SIGNATURE if is_lack else row["kind"]


def find_key(row: Row) -> Key:
    """Return the key that findings of one cause share; its first part is the sort of cause."""
    kind, detail, name = find_kind(row), row.get("detail", ""), canonicalize(row["name"])
    if root := row.get("root"):
        return ("root", root)
    if kind == SIGNATURE:
        parameter = find_lacking_parameter(row)
        return ("parameter", parameter) if parameter else ("required",)
    _, expected, actual = split_detail(detail)
    if kind == "different error":
        error = split_error(actual)[0]
        return _key_of_error(actual, expected, row["name"]) if error in INTERNAL else ("error class", error)
    if kind == "missing error":
        _, message = split_error(expected)
        return (kind, _refusal(message))
    if kind in ("spurious error", "never answered"):
        return _key_of_error(actual.rpartition("by a value: ")[2], expected, row["name"])
    if kind == "crash":
        return (kind, strip_noise(detail), name if "(" not in detail else "")
    if row.get("symptom") == STRONG:
        return (STRONG,)
    if kind == "dtype":
        if _DTYPE_OPTION.search(row["minimal"]):
            return ("dtype option", _METHOD.sub(r"ufunc.\1", name))
        return (kind, row.get("symptom") or f"{_first_word(actual)} for {_first_word(expected)}")
    if kind == "structure":
        return (kind, find_form(expected), find_form(actual))
    if kind == "value" and (trait := _trait(row["minimal"], expected, actual)):
        return ("trait", trait)
    return (kind, name)


def canonicalize(name: str) -> str:
    """Return the name under which aliases of one NumPy function are grouped."""
    return ALIASES.get(name, name)


def find_lacking_parameter(row: Row) -> str:
    """Return the parameter that a finding says is lacking. For too many positional arguments, NumPy's parameter at that
    position.
    """
    found = find_parameter(row.get("detail", ""))
    if not found.startswith("after "):
        return found
    names = list(parameters_of(row["name"]))
    number = int(found[6:])
    return names[number] if number < len(names) else found


_DETAIL_PATTERNS = (
    re.compile(r"^(?P<where>)NumPy raises (?P<expected>.+?); got (?P<actual>.+)$", re.DOTALL),
    re.compile(r"^(?P<where>)(?P<actual>.+); NumPy gives (?P<expected>.+)$", re.DOTALL),
    re.compile(r"^(?P<where>.*?)\bexpected (?P<expected>.+?), got (?P<actual>.+)$", re.DOTALL),
)


def split_detail(detail: str) -> tuple[str, str, str]:
    """Split a detail into the position in the result, NumPy's answer and the subject's. If it has no such form, it is
    returned as the last of the three.
    """
    for pattern in _DETAIL_PATTERNS:
        found = pattern.match(detail)
        if found:
            return found["where"].strip(), found["expected"], found["actual"]
    return "", "", detail


def split_error(text: str) -> tuple[str, str]:
    """Split the text of an error into class and message."""
    found = re.match(r"(\w+)(?:: (.*))?$", text, re.DOTALL)
    return (found[1], found[2] or "") if found else ("", text)


def strip_noise(message: str, name: str = "") -> str:
    """Return a message without numbers, shapes, dtypes, quoted values, and the name of the function."""
    message = re.split(r"\. (?=[A-Z])", " ".join(message.split()))[0]
    for pattern, replacement in _OBJECTS:
        message = pattern.sub(replacement, message)
    last = name.rpartition(".")[2]
    if last:
        message = re.sub(rf"(?<!attribute ')\b(?:np\.)?{re.escape(last)}\b(?:\(\))?", "the function", message)
    for pattern, replacement in _VALUES:
        message = pattern.sub(replacement, message)
    return message.rstrip(".")


def find_form(text: str) -> str:
    """Return the outermost type of a value as a detail writes it: a tuple, a list, a NumPy scalar, an array."""
    text = text.strip()
    for start, form in (("(", "a tuple"), ("[", "a list"), ("{", "a dict"), ("np.", "a NumPy scalar")):
        if text.startswith(start) and not re.match(r"\([-+\d.naif]+[-+][\d.naif]+j\)", text):
            return form
    if (found := re.match(r"(\w+)\(\w+=", text)) and found[1] != "Foreign":
        return "a named tuple"
    if re.match(r"(?:[a-z]+\d*|<U\d+|\|S\d+)(?:\[[\d, ]*\])? ", text):
        return "an array"
    if re.match(r"dtype\(", text):
        return "a dtype"
    if found := re.match(r"Foreign\(kind='(?:(\w+)\.)?(\w+)", text):
        return f"an object of {found[1]}" if found[1] else f"an object of the class {found[2]}"
    return "a Python value"


def _key_of_error(text: str, expected: str, name: str) -> Key:
    error, message = split_error(text)
    if re.match(r"object\b", expected):
        return ("objects",)
    if _OF_DTYPE.search(message):
        return ("refused dtype",)
    if _UNPROMOTED.search(message):
        return ("unpromoted",)
    if _UNSUPPORTED.search(message) and not re.search(r"dtype|data ?type|\bcast\b|tensor", message, re.IGNORECASE):
        return ("unsupported",)
    text = strip_noise(message, name)
    return ("error", text) if text.count(" ") > 1 else ("error", f"{error}: {text}" if text else error)


def _refusal(message: str) -> str:
    """Return the first words of NumPy's error message, as a key."""
    text = strip_noise(message)
    if re.search(r"interpreted as an integer|slice indices must be integers|sequence of integers", text):
        return "no integer"
    if re.search(r"as a data type|not understood", text):
        return "no dtype"
    if re.search(r"^ufunc .*(?:not supported for the input types|did not contain a loop)", text):
        return "no loop"
    return re.split(r"[,;.:] ", text)[0]


_LOGICAL = re.compile(r"np\.(?:logical_\w+|any|all|nonzero|flatnonzero|count_nonzero|argwhere|astype)\(")
"""Functions that take numbers for true or false; comparisons do not."""


def _trait(minimal: str, expected: str, actual: str) -> str:
    """Return what is special about a wrong value, apart from the function's name."""
    expected, actual = _without_remarks(expected), _without_remarks(actual)
    if _ZERO.fullmatch(expected) and _ZERO.fullmatch(actual):
        return "sign of zero"
    is_complex = "complex(" in minimal
    if (is_complex or "j" in expected) and (_SPECIAL.search(expected) or _SPECIAL.search(actual)):
        return "complex nan or inf"
    if is_complex and _LOGICAL.search(minimal) and {expected, actual} <= {"True", "False"}:
        return "truth of complex"
    return "nan" if "nan" in (expected, actual) else ""


def _without_remarks(answer: str) -> str:
    """Return an answer without the remarks on the size of the error and the number of elements."""
    return re.split(r" \((?:\S+ (?:ulp|relative)|NumPy)|;", answer)[0]


def _merge_buckets(buckets: Buckets) -> Buckets:
    """Merge buckets: parameters that the very same functions lack; then, if there are still too many to read, buckets
    of one sort that few functions show.
    """
    joined = _rekeyed(buckets, _join_parameters(buckets))
    for sort, most in _JOINING:
        if len(joined) <= READABLE:
            break
        rare = [key for key, rows in joined.items() if key[0] == sort and _is_rare(key, rows, most)]
        joined = _rekeyed(joined, dict.fromkeys(rare, (_PLURALS[sort],)))
    return joined


def _is_rare(key: Key, rows: Sequence[Row], most: int) -> bool:
    is_internal = key[0] == "error" and find_error_class(rows[0]) in INTERNAL
    return len({canonicalize(row["name"]) for row in rows}) <= most and not is_internal


def find_error_class(row: Row) -> str:
    """Return the class of the error that the subject raised."""
    return split_error(split_detail(row["detail"])[2].rpartition("by a value: ")[2])[0]


def _rekeyed(buckets: Buckets, keys: Mapping[Key, Key]) -> Buckets:
    found: Buckets = {}
    for key, rows in buckets.items():
        found.setdefault(keys.get(key, key), []).extend(rows)
    return found


def _join_parameters(buckets: Buckets) -> dict[Key, Key]:
    by_names: dict[Key, list[str]] = {}
    for key, rows in buckets.items():
        if key[0] == "parameter":
            by_names.setdefault(tuple(sorted({row["name"] for row in rows})), []).append(key[1])
    return {("parameter", one): ("parameter", *sorted(alike)) for alike in by_names.values() for one in alike}


_JOINING = (
    *(("error class", 1), ("missing error", 1), ("parameter", 1), ("error class", FEW), ("missing error", FEW)),
    *(("parameter", FEW), ("error", 1), ("error", FEW), ("dtype", 1), ("dtype", FEW), ("parameter", SOME)),
    *(("error class", SOME), ("missing error", SOME), ("shape", 1), ("structure", 1), ("error", SOME)),
)
"""The sorts that are joined, in this order, where there are too many, and how many functions show what is joined."""

_PLURALS = {
    "error class": "error classes",
    "missing error": "missing errors",
    "parameter": "parameters",
    "error": "errors",
    "dtype": "dtypes",
    "dtype option": "dtypes",
    "shape": "shapes",
    "structure": "structures",
}
"""What a sort is called when it is joined."""


def make_title(key: Key, rows: Sequence[Row]) -> str:
    """Return the cause in one line. The first of the rows is its example."""
    sort, *rest = key
    if sort in _TITLES:
        return _TITLES[sort](rest, rows)
    shown = " and ".join(sorted({f"`{row['name']}`" for row in rows}))
    _, expected, actual = map(_without_remarks, split_detail(rows[0]["detail"]))
    if expected and max(map(len, (expected, actual))) <= SHORT:
        return f"{shown}: {actual} where NumPy gives {expected}"
    return f"{shown}: {_SEEN.get(sort, sort)}"


def _title_of_parameters(rest: Sequence[str], rows: Sequence[Row]) -> str:
    parameters = " and ".join(f"`{name}=`" for name in rest)
    return f"{parameters} {'is' if len(rest) == 1 else 'are'} not accepted"


def _title_of_rare_parameters(rest: Sequence[str], rows: Sequence[Row]) -> str:
    lacking: dict[str, set[str]] = {}
    for row in rows:
        lacking.setdefault(row["name"], set()).add(f"`{find_lacking_parameter(row)}=`")
    shown = [f"{' and '.join(sorted(parameters))} of {name}" for name, parameters in sorted(lacking.items())]
    more = f" and {len(shown) - NAMED} more" if len(shown) > NAMED else ""
    return f"Not accepted by few functions each: {', '.join(shown[:NAMED])}{more}"


def _title_of_error(rest: Sequence[str], rows: Sequence[Row]) -> str:
    error = find_error_class(rows[0])
    return rest[0] if rest[0].startswith(error) else f"{error}: {rest[0]}"


def _title_of_classes(rest: Sequence[str], rows: Sequence[Row]) -> str:
    pairs = [split_detail(row["detail"])[1:] for row in rows]
    expected = sorted({split_error(pair[0])[0] for pair in pairs})
    actual = sorted({split_error(pair[1])[0] for pair in pairs})
    return f"{' or '.join(actual)} where NumPy raises {' or '.join(expected)}"


def _title_of_refusal(rest: Sequence[str], rows: Sequence[Row]) -> str:
    """Return a title with NumPy's message for the example."""
    return f"Accepted, where NumPy raises {split_detail(rows[0]['detail'])[1]}"


def _title_of_dtypes(rest: Sequence[str], rows: Sequence[Row]) -> str:
    classes = sorted({part for row in rows for part in row["dtype"].split("+")})
    return f"A dtype that NumPy takes is refused: {', '.join(classes)}"


def _title_of_dtype(rest: Sequence[str], rows: Sequence[Row]) -> str:
    """Return a title with the pair of dtypes of the example, and how many other pairs there are."""
    pairs = list(dict.fromkeys(tuple(map(_first_word, split_detail(row["detail"])[1:])) for row in rows))
    others = f"{len(pairs) - 1} other pair{'s' * (len(pairs) > 2)}"
    more = f", and {others}: {rest[0]}" if len(pairs) > 1 else ""
    return f"{pairs[0][1]} where NumPy gives {pairs[0][0]}{more}"


def _title_of_number(rest: Sequence[str], rows: Sequence[Row]) -> str:
    expected, actual = map(_first_word, split_detail(rows[0]["detail"])[1:])
    return f"A Python number decides on the dtype as an array would: {actual} where NumPy gives {expected}"


_TRAITS: dict[str, str] = {
    "sign of zero": "A zero of the other sign",
    "complex nan or inf": "Complex results with nan or infinity in other places",
    "truth of complex": "Complex numbers are taken for false where NumPy takes them for true, or the other way round",
    "nan": "nan is not treated as NumPy treats it",
}
_TITLES: dict[str, Callable[[Sequence[str], Sequence[Row]], str]] = {
    "root": lambda rest, rows: rest[0],
    "parameter": _title_of_parameters,
    "parameters": _title_of_rare_parameters,
    "objects": lambda rest, rows: "A Python object that NumPy holds in an array of objects is refused",
    "required": lambda rest, rows: "A parameter that NumPy leaves optional is required",
    "unsupported": lambda rest, rows: "An argument that NumPy takes is refused as not supported",
    "refused dtype": _title_of_dtypes,
    "unpromoted": lambda rest, rows: "Operands of different dtypes are not promoted",
    "dtype option": lambda rest, rows: f"`{rest[0]}` does not give the dtype that is asked for",
    STRONG: _title_of_number,
    "error": _title_of_error,
    "errors": lambda rest, rows: "A call that NumPy answers raises, in a few functions each",
    "error class": _title_of_classes,
    "error classes": _title_of_classes,
    "missing error": _title_of_refusal,
    "missing errors": lambda rest, rows: "A call that NumPy refuses is answered, in a few functions each",
    "dtype": _title_of_dtype,
    "dtypes": lambda rest, rows: "Another dtype than NumPy's, in a few functions each",
    "structure": lambda rest, rows: f"{rest[1][:1].upper()}{rest[1][1:]} where NumPy gives {rest[0]}",
    "structures": lambda rest, rows: "Another structure than NumPy's, in a few functions each",
    "shapes": lambda rest, rows: "Another shape than NumPy's, in a few functions each",
    "trait": lambda rest, rows: _TRAITS[rest[0]],
    "crash": lambda rest, rows: rows[0]["detail"],
}
"""What is said of a cause of each sort."""

_SEEN = {
    "value": "wrong values",
    "shape": "wrong shape",
    "hang": "does not come to an end",
    "memory": "exhausts the memory",
    "growth": "time or memory grow faster than NumPy's",
    "gradient": "wrong gradient",
    "nondeterminism": "another answer the next time",
    "differs from eager": "another answer than in eager mode",
    "inputs changed": "changes its inputs",
    "retrace": "is traced anew for the same shapes",
    "not vectorized": "runs row by row in tf.vectorized_map",
    "static shape": "a shape known while tracing that the result does not have",
}


def _first_word(text: str) -> str:
    return re.split(r"[;,]", text)[0].strip()


def _order(row: Row) -> tuple[Any, ...]:
    return (rank_kind(find_kind(row)), row["name"].lower(), row["kind"], row["id"])
