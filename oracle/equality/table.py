"""Table of relations: by name, what makes a result equal to NumPy's, and how far it may be away.

It is the file `table.toml`. A name without a row is exact. Elementwise functions are compared with the exact value,
sums by their forward error bound, ill-conditioned functions by their condition.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from oracle.equality import measured

TABLE = Path(__file__).with_name("table.toml")

RULES = {
    "exact": "bit for bit",
    "ulps": "each element within {ulps} ulps of the exact value, or no more than twice as far from it as NumPy's",
    "sum": "by the forward error bound of sums in NumPy's accumulator, and {ulps} ulps",
    "series": "each number within {ulps} ulps of the larger end, of half precision within one of the exact value",
    "median": "one of the elements, or the mean of two within {ulps} ulp or {condition} times as far as rounding "
    "errors of inputs move it",
    "quantile": "one of the elements, or a number between two within {ulps} ulps or {condition} times as far as "
    "rounding errors of inputs move it",
    "conditioned": "each element within {ulps} ulps, or {condition} times as far as rounding errors of inputs move it",
    "product": "each element within {ulps} ulps, or {condition} times as far as rounding errors of factors move it",
    "scaled": "each element within {ulps} ulps of the largest one, or {condition} times as far as rounding errors of "
    "inputs move any",
    "shape": "by dtype and shape: the values are not specified",
}
"""How elements are compared, in words."""

CHECKS = {
    "matrix": "matrix by matrix, by the errors of a backward stable algorithm",
    "factors": "matrix by matrix, by what the factors multiply to and the errors of a backward stable algorithm",
    "roots": "each root with the nearest of NumPy's",
    "draws": "by support, moments and distribution",
}
"""How results are judged as a whole, in words: those of single calls."""


@dataclass(frozen=True, slots=True)
class Relation:
    """Comparison of results by one of `RULES`; of single calls by one of `CHECKS`, unless that is empty.

    `ulps`, in units in the last place, is part of the definition of equality, and so is `condition`, the factor on how
    far NumPy's result moves for perturbed inputs. `eager` and `compiled` are granted to TensorFlow's kernels beyond
    that, eagerly and under XLA.
    """

    rule: str
    ulps: float = 0
    eager: float = 0
    compiled: float = 0
    condition: float = 8.0
    check: str = ""

    def granted(self, compiled: bool) -> float:
        """Return the units in the last place that TensorFlow's kernels, or XLA's, are granted."""
        return self.compiled if compiled else self.eager

    def describe(self) -> str:
        """Return the relation in words."""
        text = RULES[self.rule].format(ulps=self.ulps, condition=f"{self.condition:g}")
        if self.check and self.rule != "shape":
            return f"{CHECKS[self.check]}; in programs {text}"
        return CHECKS.get(self.check, text)


_DATA = tomllib.loads(TABLE.read_text(encoding="utf-8"))
_FIELDS = {"id", "like", "rule", "check", "ulps", "condition", "granted", "traits", "names"}


def _read() -> tuple[dict[str, Relation], dict[str, Relation], dict[str, set[str]]]:
    """Return the relations by name or pattern, those with an id by it, and names or patterns by trait."""
    by_name: dict[str, Relation] = {}
    by_id: dict[str, Relation] = {}
    by_trait: dict[str, set[str]] = {}
    for row in _DATA["relation"]:
        if not row.keys() <= _FIELDS:
            raise ValueError(f"{TABLE.name}: {row}")
        relation = _relation_of_row(row) if "rule" in row else by_id[row["like"]]
        names = row["names"].split()
        if by_name.keys() & names:
            raise ValueError(f"{TABLE.name}: {by_name.keys() & names} in two rows")
        by_name |= dict.fromkeys(names, relation)
        for trait in row.get("traits", "").split():
            by_trait.setdefault(trait, set()).update(names)
        if "id" in row:
            by_id[row["id"]] = relation
    return by_name, by_id, by_trait


def _relation_of_row(row: dict[str, Any]) -> Relation:
    if row["rule"] not in RULES or row.get("check", "matrix") not in CHECKS:
        raise ValueError(f"{TABLE.name}: {row}")
    ulps = row.get("ulps", 0)
    eager, compiled = row.get("granted", (ulps, ulps))
    return Relation(row["rule"], ulps, eager, compiled, row.get("condition", 8.0), row.get("check", ""))


_ROWS, _BY_ID, TRAITS = _read()
RELATIONS = {name: relation for name, relation in _ROWS.items() if "*" not in name}
"""The relation of every name that has a row of its own."""

PATTERNS = sorted(_ROWS.keys() - RELATIONS.keys(), key=len, reverse=True)
"""The patterns of names, of which the longest that fits decides."""

SYNONYMS = {name: other for other, names in _DATA["synonyms"].items() for name in names.split()}
"""The functions that do to each element what another one does."""


EXACT = Relation("exact")
ULPS, CONDITIONED, ROOTS, COMPLEX = (_BY_ID[name] for name in ("elementwise", "conditioned", "roots", "complex"))


def has_trait(name: str, trait: str) -> bool:
    """Return whether the row of a name has this trait."""
    return not TRAITS[trait].isdisjoint((name, name.removeprefix("ndarray.")))


def multiplies(name: str) -> bool:
    """Return whether the function sums products.

    NumPy does not promise which part of an infinite complex sum is infinite and which is nan: BLAS may multiply its
    sums by a complex 1, depending on shapes and layouts.
    """
    return has_trait(name, "products")


def divides(name: str) -> bool:
    """Return whether the result is smaller than the sum from which it is computed."""
    return has_trait(name, "averages")


def is_root(name: str) -> bool:
    """Return whether the result is the root of something that may underflow."""
    return has_trait(name, "roots_of_sums")


def rounds_each_step(name: str) -> bool:
    """Return whether every intermediate result is rounded to the result's dtype, also in half precision, as when a
    ufunc is applied repeatedly, except for sums and products.
    """
    ufunc, _, method = name.partition(".")
    is_repeated = method in ("reduce", "accumulate", "reduceat") and ufunc not in ("add", "multiply")
    return is_repeated or has_trait(name, "rounded_each_step")


def jumps(name: str) -> bool:
    """Return whether the function is discontinuous."""
    return has_trait(name, "discontinuous")


def adds_products(name: str) -> bool:
    """Return whether each part of a complex result is the sum of two products, one of which may vanish."""
    return elementwise_name(name) in ("multiply", "square")


def steps(name: str, length: int) -> float:
    """Return the growth factor of rounding errors over this many operations, if they are random."""
    is_repeated = name.endswith((".reduce", ".accumulate", ".reduceat"))
    is_long = is_repeated or has_trait(name, "summed_up") or has_trait(name, "roots_of_sums")
    return length**0.5 if is_long else 1.0


def growth(name: str, dtype: np.dtype, compiled: bool) -> float:
    """Return the additional units in the last place for each unit of the result's logarithm.

    TensorFlow's kernel of float64 powers rounds y log(x), the logarithm of the result, before the exponential, where
    NumPy and XLA carry it in higher precision. Measured: 0.62 eps for each unit, of which there are up to 709. This is
    granted to TensorFlow, and is not part of the definition of equality. Powers of complex numbers are exponentials of
    such products everywhere.
    """
    if dtype.kind == "c":
        return 2.5 if has_trait(elementwise_name(name), "powers") else 0.0
    return 1.25 if dtype == np.float64 and not compiled and has_trait(elementwise_name(name), "powers") else 0.0


def elementwise_name(name: str) -> str:
    """Return the ufunc that `outer` and `at` apply to each element; of another name, its first synonym, or itself."""
    ufunc, _, method = name.partition(".")
    name = ufunc if method in ("outer", "at") and ufunc != "linalg" else name
    return SYNONYMS.get(name, name)


@lru_cache(maxsize=8192)
def relation_of(name: str, kind: str = "f") -> Relation:
    """Return the relation of a name for results with this dtype kind."""
    name = SYNONYMS.get(name, name)
    if kind == "c" and has_trait(name, "complex_powers"):
        return CONDITIONED
    relation = RELATIONS.get(name) or RELATIONS.get(name.removeprefix("ndarray."))
    if relation is None and name != elementwise_name(name):
        relation = relation_of(elementwise_name(name), kind)
        is_repeated = name.endswith(".at") and relation.rule == "ulps"  # `at` works on its own results
        return CONDITIONED if is_repeated else relation
    if relation is None:
        relation = next((_ROWS[pattern] for pattern in PATTERNS if fnmatchcase(name, pattern)), EXACT)
    is_complex = relation is ULPS or has_trait(name, "rounded_if_complex")
    return COMPLEX if (kind == "c" and is_complex) or name == "absolute" else relation


def describe_relation(name: str) -> str:
    """Return in words how results of a name are compared."""
    text, of_complex = (relation_of(name, kind).describe() for kind in "fc")
    return text if text == of_complex else f"{text}; complex results {of_complex}"


def finds_roots(name: str) -> bool:
    """Return whether the function returns the roots of a polynomial, or of a series in a polynomial basis."""
    return relation_of(name).check == "roots"


def decomposes(name: str) -> bool:
    """Return whether results are judged matrix by matrix."""
    return relation_of(name).check in ("matrix", "factors")


MEASURED = tuple(sorted({name for name, row in RELATIONS.items() if row is ULPS} | TRAITS["rounded_if_complex"]))
"""The functions whose distances from NumPy are measured: `tests/oracle/measured_recording.py`."""


def is_measured(name: str, dtype: np.dtype) -> bool:
    """Return whether the function is measured for this dtype: not if it is exact, or so ill-conditioned that no number
    of units in the last place bounds its error.
    """
    rule = relation_of(name, dtype.kind).rule
    return name in MEASURED and rule == "ulps" and (not has_trait(name, "rounded_if_complex") or dtype.kind == "c")


@lru_cache(maxsize=8192)
def allowed_ulps(name: str, dtype: np.dtype, compiled: bool) -> float:
    """Return the units in the last place that TensorFlow's results are granted: measured ones where they exist."""
    relation = relation_of(name, dtype.kind)
    if relation in (ULPS, COMPLEX):
        measured_ulps = measured.table().allowed(elementwise_name(name), dtype.name, "xla" if compiled else "eager")
        if measured_ulps is not None:
            return measured_ulps
        if dtype.itemsize == 2:  # rounded once from float32
            return min(relation.granted(compiled), measured.MARGIN)
    return relation.granted(compiled)


TRUSTED_FACTOR = 2.0
"""How many times NumPy's own error a result may have, where NumPy's is past the table."""

SEEDS = (1, 2, 3, 4)
"""Of the perturbations."""

MORE_SEEDS = tuple(range(5, 17))
"""Of more of them, where those are not enough: of two numbers that cancel, both move the same way in all of four with a
probability of 1/8, in all of sixteen of 1/32768.
"""
