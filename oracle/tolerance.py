"""How close is close, by function: a table of families, and for each family the test that its mathematics justifies.

Exact names have no tolerance at all. A transcendental function may be as many units in the last place away as were
measured, by dtype and by mode; beyond that a wider evaluation is asked whether NumPy itself is any closer. A sum may be
away by the forward error bound of sums. What is ill-conditioned may move as far as NumPy's own result moves when its
inputs move by a rounding error.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from oracle import measurements


@dataclass(frozen=True, slots=True)
class Family:
    """How results of a function are compared.

    `rule` is one of: "exact"; "ulps", elementwise; "sum", by the bound of sums; "conditioned", elementwise by how far
    the result moves with its inputs; "product", the same, unless the order of the factors decides; "scaled", the same
    against the largest element; "factors", by what the factors multiply to; "shape", where the values are nobody's
    promise. `ulps` and `compiled` are units in the last place, eager and under XLA.
    """

    rule: str
    ulps: float = 0
    compiled: float = 0


EXACT = Family("exact")
SHAPE = Family("shape")
SUM = Family("sum", 2, 2)
PRODUCT = Family("product", 4, 4)
CONDITIONED = Family("conditioned", 4, 8)
SCALED = Family("scaled", 8, 16)
FACTORS = Family("factors", 32, 32)
ULPS = Family("ulps", 12, 12)
"""What was measured has numbers of its own: these are for what was not, and no function that was is as far."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _table(rows: dict[str, Family]) -> dict[str, Family]:
    return {name: family for names, family in rows.items() for name in names.split()}


MEASURABLE = """
    sin cos exp log hypot cbrt degrees radians deg2rad rad2deg exp2 log2 log10 expm1 log1p arctan arctan2
    arcsin arccos tan tanh sinh cosh arcsinh arccosh arctanh power float_power sinc angle i0"""

FAMILIES: dict[str, Family] = _table(
    {
        # elementwise, each with a result of its own
        MEASURABLE: ULPS,
        "vander": ULPS,
        "logaddexp logaddexp2 nan_to_num emath.logn": CONDITIONED,
        "kaiser blackman hamming hanning bartlett linspace arange": Family("scaled", 4, 4),
        "logspace geomspace": Family("conditioned", 16, 16),
        # sums, sums of products, and what adds up logarithms or squares
        """sum nansum add.reduce add.accumulate add.reduceat add.at cumsum nancumsum cumulative_sum mean nanmean average
        dot vdot inner matmul vecdot matvec vecmat tensordot einsum convolve correlate trace bincount polyval polymul
        kron linalg.matmul linalg.vecdot linalg.tensordot linalg.trace ndarray.sum ndarray.cumsum ndarray.mean
        hypot.reduce hypot.accumulate hypot.reduceat logaddexp.reduce logaddexp.accumulate logaddexp.reduceat
        logaddexp2.reduce logaddexp2.accumulate logaddexp2.reduceat
        ndarray.dot ndarray.trace ndarray.__matmul__ ndarray.__rmatmul__ ndarray.__imatmul__""": SUM,
        """prod nanprod cumprod nancumprod cumulative_prod ndarray.prod ndarray.cumprod multiply.reduce
        multiply.accumulate multiply.reduceat multiply.at""": PRODUCT,
        # applied to functions that add, or that are exact
        "apply_along_axis apply_over_axes": SUM,
        # several roundings in an order that is nobody's promise
        """var std nanvar nanstd ndarray.var ndarray.std median nanmedian percentile nanpercentile quantile
        nanquantile interp gradient trapezoid histogram histogram2d histogramdd histogram_bin_edges
        linalg.norm linalg.vector_norm cross linalg.cross polydiv polyint polyder
        divide.reduce divide.accumulate divide.reduceat power.reduce power.accumulate power.reduceat float_power.reduce
        float_power.accumulate float_power.reduceat arctan2.reduce arctan2.accumulate arctan2.reduceat
        subtract.reduce subtract.accumulate subtract.reduceat""": CONDITIONED,
        # products of centred numbers
        "cov corrcoef": Family("scaled", 32, 64),
        # what is stable only in the norm
        """fft.fft fft.ifft fft.fft2 fft.ifft2 fft.fftn fft.ifftn fft.rfft fft.irfft fft.rfft2 fft.irfft2 fft.rfftn
        fft.irfftn fft.hfft fft.ihfft linalg.solve linalg.inv linalg.pinv linalg.det linalg.slogdet linalg.lstsq
        linalg.matrix_power linalg.multi_dot linalg.cond linalg.cholesky linalg.svdvals linalg.eigvalsh linalg.eigvals
        linalg.matrix_norm linalg.tensorsolve linalg.tensorinv polyfit unwrap""": SCALED,
        "polynomial.chebyshev.chebinterpolate": SCALED,
        "poly": Family("scaled", 32, 32),
        "linalg.svd linalg.eig linalg.eigh linalg.qr": FACTORS,
        "empty empty_like ndarray": SHAPE,
    }
)
"""The family of every name that is not exact."""

SEEDED = _words(
    """random.default_rng random.Generator.random random.Generator.integers random.Generator.uniform
    random.Generator.permutation random.Generator.permuted random.Generator.shuffle random.Generator.standard_normal
    random.Generator.normal"""
)
"""Random numbers that a seed decides: what gives NumPy's names to them gives NumPy's numbers. Of others the form is."""

PRODUCTS = _words(
    """dot vdot inner matmul vecdot matvec vecmat tensordot einsum convolve correlate polyval polymul kron linalg.matmul
    linalg.vecdot linalg.tensordot ndarray.dot ndarray.__matmul__ ndarray.__rmatmul__ ndarray.__imatmul__
    vander"""
)
"""Sums of products, and products of many."""


def multiplies(name: str) -> bool:
    """Whether sums are of products. Of complex ones that are infinite, which part is infinite and which is nan, is
    nobody's promise: BLAS multiplies its sums by a complex 1, or not, as shapes and layouts have it.
    """
    return name in PRODUCTS


AVERAGES = _words("mean nanmean average ndarray.mean")
"""Sums that are divided afterwards."""


def divides(name: str) -> bool:
    """Whether a result is smaller than the sum that it is made of."""
    return name in AVERAGES


ROOTS = _words("std nanstd ndarray.std linalg.norm linalg.vector_norm linalg.matrix_norm hypot.reduce")
"""Roots of sums of squares."""


def is_root(name: str) -> bool:
    """Whether a result is the root of what may underflow."""
    return name in ROOTS


COMPLEX_POWERS = _words("power float_power sinc")
"""Of several steps for complex numbers: exp multiplies its argument's error, no step promises the signs of zeros."""

ROUNDED_IF_COMPLEX = _words("multiply square divide reciprocal sqrt absolute sign")
"""Exact for real numbers, several roundings for complex ones: units in the last place of the modulus."""


def adds_products(name: str) -> bool:
    """Whether each part of a complex result is the sum of two products, of which one may vanish beside the other."""
    return _elementwise(name) in ("multiply", "square")


def steps(name: str, length: int) -> float:
    """How many times a rounding error there may be of so many operations, one upon the other, as likely up as down."""
    return length**0.5 if name.endswith((".reduce", ".accumulate", ".reduceat")) or name in SUMMED_UP else 1.0


SUMMED_UP = _words(
    """trapezoid unwrap var std nanvar nanstd ndarray.var ndarray.std linalg.norm linalg.vector_norm
    linalg.matrix_norm"""
)
"""Sums of what cannot be bounded by the sizes of its terms."""


POWERS = _words("power float_power")


def growth(name: str, dtype: np.dtype, compiled: bool) -> float:
    """Units in the last place that come to the family's for each unit of the logarithm of a result.

    TensorFlow's kernel of float64 powers rounds y log(x), the logarithm of the result, before its exponential, where
    NumPy and XLA carry it in more precision. Measured: 0.62 eps for each unit of it, which is up to 709. Powers of
    complex numbers are exponentials of such products everywhere.
    """
    if dtype.kind == "c":
        return 2.5 if _elementwise(name) in POWERS else 0.0
    return 1.25 if dtype == np.float64 and not compiled and _elementwise(name) in POWERS else 0.0


SYNONYMS = {
    "abs": "absolute",
    "acos": "arccos",
    "acosh": "arccosh",
    "asin": "arcsin",
    "asinh": "arcsinh",
    "atan": "arctan",
    "atan2": "arctan2",
    "atanh": "arctanh",
    "linalg.outer": "outer",
    "pow": "power",
    "true_divide": "divide",
    "outer": "multiply",
    **{f"emath.{name}": name for name in ["arccos", "arcsin", "arctanh", "log", "log2", "log10", "power", "sqrt"]},
    **{f"ndarray.__{prefix}pow__": "power" for prefix in ("", "r", "i")},
    **{f"ndarray.__{prefix}mul__": "multiply" for prefix in ("", "r", "i")},
    **{f"ndarray.__{prefix}truediv__": "divide" for prefix in ("", "r", "i")},
    "ndarray.__abs__": "absolute",
}
"""Names of what is another function by its element."""


def _elementwise(name: str) -> str:
    """The ufunc that `outer` and `at` apply element by element; of other names themselves, but by one of several."""
    ufunc, _, method = name.partition(".")
    name = ufunc if method in ("outer", "at") and ufunc != "linalg" else name
    return SYNONYMS.get(name, name)


@lru_cache(maxsize=8192)
def family_of(name: str, kind: str = "f") -> Family:
    """The family of a name, for results of a dtype of this kind."""
    name = SYNONYMS.get(name, name)
    if kind == "c" and name in COMPLEX_POWERS:
        return CONDITIONED
    if name.startswith("random."):
        return EXACT if name in SEEDED else SHAPE
    found = FAMILIES.get(name)
    if found is None and name != _elementwise(name):
        found = family_of(_elementwise(name), kind)
        repeats = name.endswith(".at") and found.rule == "ulps"  # of what was calculated before
        return Family("conditioned", found.ulps, found.compiled) if repeats else found
    if name == "roots":
        return ROOTS_OF_SERIES
    if found is None and name.startswith("polynomial."):
        if name.endswith(".fit"):
            return FITS_OF_OBJECTS
        return ROOTS_OF_SERIES if finds_roots(name) else SCALED if name.endswith("fit") else CONDITIONED
    if name in ROUNDED_IF_COMPLEX and (kind == "c" or name == "absolute"):
        return ULPS
    return found or EXACT


ROOTS_OF_SERIES = Family("scaled", 16, 16)
"""As near as the norm of a balanced matrix lets eigenvalues be, of which a few thousand were never farther than 9."""

FITS_OF_OBJECTS = Family("scaled", 64, 64)
"""Of points with weights of several magnitudes; what functions give is held to a bound of its own."""


def finds_roots(name: str) -> bool:
    """Whether these are the roots of a series in one of the bases of polynomials."""
    return name.startswith("polynomial.") and name.endswith("roots") and not name.endswith("fromroots")


MEASURED = tuple(sorted(_words(MEASURABLE) | ROUNDED_IF_COMPLEX))
"""The functions whose distances from NumPy are measured: `python -m fuzz measure`."""


def is_measured(name: str, dtype: np.dtype) -> bool:
    """Whether arguments of this dtype are measured: not where the function is exact, or so ill-conditioned that no
    number of units in the last place bounds it.
    """
    rule = family_of(name, dtype.kind).rule
    return name in MEASURED and rule == "ulps" and (name not in ROUNDED_IF_COMPLEX or dtype.kind == "c")


@lru_cache(maxsize=8192)
def allowed_ulps(name: str, dtype: np.dtype, compiled: bool) -> float:
    """How many units in the last place a function's results may be away: as measured, where it was."""
    family = family_of(name, dtype.kind)
    if family is ULPS:
        found = measurements.table().allowed(_elementwise(name), dtype.name, "xla" if compiled else "eager")
        if found is not None:
            return found
    return family.compiled if compiled else family.ulps


TRUSTED_FACTOR = 2.0
"""How many times NumPy's own error a result may have, where NumPy's is past the table."""

CONDITION_FACTOR = 8.0
"""How many times farther than NumPy's result moved a result may lie: a few perturbations do not find the worst."""

SEEDS = (1, 2, 3, 4)
"""Of the perturbations."""

MORE_SEEDS = tuple(range(5, 17))
"""Of more of them, where those are not enough: of two numbers that cancel, both move the same way in all of four with a
probability of 1/8, in all of sixteen of 1/32768.
"""
