"""Tolerance families: for each function, the comparison that its mathematics justifies.

The table is the file `families.toml`. Exact names have no tolerance at all. Elementwise functions are compared with the
exact value, sums by their forward error bound, ill-conditioned functions by their condition.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from oracle.tolerance import measured

TABLE = Path(__file__).with_name("families.toml")

RULES = (
    "exact",  # bit for bit
    "ulps",  # elementwise, to the exact value
    "sum",  # by the forward error bound of sums
    "series",  # of evenly spaced numbers, by the size of their ends
    "median",  # an element, or the mean of two
    "quantile",  # an element, or between two
    "conditioned",  # elementwise, by how far the result moves with its inputs
    "product",  # the same
    "scaled",  # the same against the largest element
    "factors",  # by what the factors multiply to
    "shape",  # the values are not specified
)


@dataclass(frozen=True, slots=True)
class Family:
    """A family of functions whose results are compared by one of `RULES`.

    `ulps`, in units in the last place, is part of the definition of equality, and so is `condition`, the factor on how
    far NumPy's result moves for perturbed inputs. `eager` and `compiled` are granted to TensorFlow's kernels beyond
    that, eagerly and under XLA.
    """

    rule: str
    ulps: float = 0
    eager: float = 0
    compiled: float = 0
    condition: float = 8.0

    def granted(self, compiled: bool) -> float:
        """Return the units in the last place that TensorFlow's kernels, or XLA's, are granted."""
        return self.compiled if compiled else self.eager


def _read() -> tuple[dict[str, Family], dict[str, Family], dict[str, frozenset[str]], dict[str, str]]:
    """Return the families by name, those with an id by it, the sets of names, and the synonyms."""
    table = tomllib.loads(TABLE.read_text())
    by_name: dict[str, Family] = {}
    by_id: dict[str, Family] = {}
    for row in table["family"]:
        family = _family_of_row(row)
        if "id" in row:
            by_id[row["id"]] = family
        for name in row["names"].split():
            if name in by_name:
                raise ValueError(f"{TABLE.name}: {name} is in two families")
            by_name[name] = family
    sets = {name: frozenset(names.split()) for name, names in table["sets"].items()}
    return by_name, by_id, sets, table["synonyms"]


def _family_of_row(row: dict[str, Any]) -> Family:
    if row["rule"] not in RULES or not row.keys() <= {"id", "rule", "ulps", "condition", "granted", "names"}:
        raise ValueError(f"{TABLE.name}: {row}")
    eager, compiled = row.get("granted", (0, 0))
    return Family(row["rule"], row.get("ulps", 0), eager, compiled, row.get("condition", 8.0))


FAMILIES, _BY_ID, SETS, SYNONYMS = _read()
"""The family of every name that is not exact; those that have an id; sets of names; and synonyms, by their element."""

EXACT = Family("exact")
SHAPE, ULPS, CONDITIONED, SCALED = (_BY_ID[name] for name in ("shape", "elementwise", "conditioned", "scaled"))
ROOTS_OF_SERIES, FITS_OF_OBJECTS = (_BY_ID[name] for name in ("roots", "fits"))
COMPLEX = _BY_ID["complex"]
PRODUCTS, POWERS = SETS["products"], SETS["powers"]


def multiplies(name: str) -> bool:
    """Return whether the function sums products.

    NumPy does not promise which part of an infinite complex sum is infinite and which is nan: BLAS may multiply its
    sums by a complex 1, depending on shapes and layouts.
    """
    return name in PRODUCTS


def divides(name: str) -> bool:
    """Return whether the result is smaller than the sum from which it is computed."""
    return name in SETS["averages"]


def is_root(name: str) -> bool:
    """Return whether the result is the root of something that may underflow."""
    return name in SETS["roots_of_sums"]


def rounds_each_step(name: str) -> bool:
    """Return whether every intermediate result is rounded to the result's dtype, also in half precision, as when a
    ufunc is applied repeatedly, except for sums and products.
    """
    ufunc, _, method = name.partition(".")
    is_repeated = method in ("reduce", "accumulate", "reduceat") and ufunc not in ("add", "multiply")
    return is_repeated or name in SETS["rounded_each_step"]


def jumps(name: str) -> bool:
    """Return whether the function is discontinuous."""
    return name in SETS["discontinuous"]


def adds_products(name: str) -> bool:
    """Return whether each part of a complex result is the sum of two products, one of which may vanish."""
    return elementwise_name(name) in ("multiply", "square")


def steps(name: str, length: int) -> float:
    """Return the growth factor of rounding errors over this many operations, if they are random."""
    is_long = name.endswith((".reduce", ".accumulate", ".reduceat")) or name in SETS["summed_up"]
    return length**0.5 if is_long else 1.0


def growth(name: str, dtype: np.dtype, compiled: bool) -> float:
    """Return the additional units in the last place for each unit of the result's logarithm.

    TensorFlow's kernel of float64 powers rounds y log(x), the logarithm of the result, before the exponential, where
    NumPy and XLA carry it in higher precision. Measured: 0.62 eps for each unit, of which there are up to 709. This is
    granted to TensorFlow, and is not part of the definition of equality. Powers of complex numbers are exponentials of
    such products everywhere.
    """
    if dtype.kind == "c":
        return 2.5 if elementwise_name(name) in POWERS else 0.0
    return 1.25 if dtype == np.float64 and not compiled and elementwise_name(name) in POWERS else 0.0


def elementwise_name(name: str) -> str:
    """Return the ufunc that `outer` and `at` apply to each element; of another name, its first synonym, or itself."""
    ufunc, _, method = name.partition(".")
    name = ufunc if method in ("outer", "at") and ufunc != "linalg" else name
    return SYNONYMS.get(name, name)


@lru_cache(maxsize=8192)
def family_of(name: str, kind: str = "f") -> Family:
    """Return the family of a name for results with this dtype kind."""
    name = SYNONYMS.get(name, name)
    if kind == "c" and name in SETS["complex_powers"]:
        return CONDITIONED
    if name.startswith("random."):
        return EXACT if name in SETS["seeded"] else SHAPE
    family = FAMILIES.get(name)
    if family is None and name != elementwise_name(name):
        family = family_of(elementwise_name(name), kind)
        return (
            CONDITIONED if name.endswith(".at") and family.rule == "ulps" else family
        )  # `at` works on its own results
    if family is None and name.startswith("polynomial."):
        if name.endswith(".fit"):
            return FITS_OF_OBJECTS
        return ROOTS_OF_SERIES if finds_roots(name) else SCALED if name.endswith("fit") else CONDITIONED
    if name in SETS["rounded_if_complex"] and (kind == "c" or name == "absolute"):
        return COMPLEX
    return (COMPLEX if kind == "c" and family is ULPS else family) or EXACT


def finds_roots(name: str) -> bool:
    """Return whether the function returns roots of a series in a polynomial basis."""
    return name.startswith("polynomial.") and name.endswith("roots") and not name.endswith("fromroots")


MEASURED = tuple(sorted({name for name, family in FAMILIES.items() if family is ULPS} | SETS["rounded_if_complex"]))
"""The functions whose distances from NumPy are measured: `python -m fuzz measure`."""


def is_measured(name: str, dtype: np.dtype) -> bool:
    """Return whether the function is measured for this dtype: not if it is exact, or so ill-conditioned that no number
    of units in the last place bounds its error.
    """
    rule = family_of(name, dtype.kind).rule
    return name in MEASURED and rule == "ulps" and (name not in SETS["rounded_if_complex"] or dtype.kind == "c")


@lru_cache(maxsize=8192)
def allowed_ulps(name: str, dtype: np.dtype, compiled: bool) -> float:
    """Return the units in the last place that TensorFlow's results are granted: measured ones where they exist."""
    family = family_of(name, dtype.kind)
    if family in (ULPS, COMPLEX):
        measured_ulps = measured.table().allowed(elementwise_name(name), dtype.name, "xla" if compiled else "eager")
        if measured_ulps is not None:
            return measured_ulps
        if dtype.itemsize == 2:  # rounded once from float32
            return min(family.granted(compiled), measured.MARGIN)
    return family.granted(compiled)


TRUSTED_FACTOR = 2.0
"""How many times NumPy's own error a result may have, where NumPy's is past the table."""

SEEDS = (1, 2, 3, 4)
"""Of the perturbations."""

MORE_SEEDS = tuple(range(5, 17))
"""Of more of them, where those are not enough: of two numbers that cancel, both move the same way in all of four with a
probability of 1/8, in all of sixteen of 1/32768.
"""
