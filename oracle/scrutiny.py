"""Floating results that are not bit for bit NumPy's: which elements are past what their function's family allows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from oracle import elements, matrices, problems, series, tolerance, variations
from oracle.case import Case
from oracle.outcome import Outcome, reference, ufunc_inputs
from oracle.variations import EPSILON, SMALLEST_NORMAL

Path = tuple[Any, ...]


@dataclass
class Scrutiny:
    """One case under one mode, and what NumPy says of its variations: asked once, when first needed.

    `compiled` by XLA; `shapeless` where the subject saw no shapes, `traced` where it saw no values.
    `flushes` counts the elements accepted because a subnormal number was flushed to zero on the way in or out;
    `ill_conditioned` those that NumPy's own result does not settle.
    """

    case: Case
    expected: Outcome
    compiled: bool
    shapeless: bool = False
    traced: bool = False
    flushes: int = 0
    ill_conditioned: int = 0
    _asked: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def is_program(self) -> bool:
        return len(self.case.calls()) > 1

    @cached_property
    def is_inexact_program(self) -> bool:
        """Whether inner calls may hand on what is not bit for bit NumPy's."""
        return any(
            tolerance.family_of(call.name, kind).rule != "exact" for call in self.case.calls()[:-1] for kind in "fc"
        ) or (self.is_program and tolerance.family_of(self.case.name).rule not in ("exact", "shape"))

    def _settled(self, path: Path, expected: np.ndarray) -> np.ndarray:
        """Which exact elements stay what they are when the numbers they were decided by move a little."""
        settled = np.ones(expected.shape, bool)
        for other in (_flat_at(outcome, path) for outcome in self.moved):
            if not isinstance(other, np.ndarray) or other.shape != expected.shape:
                self.ill_conditioned += 1
                return np.zeros(expected.shape, bool)
            settled &= ~elements.exactly_differ(expected, other)
        self.ill_conditioned += int((~settled).sum())
        return settled

    @cached_property
    def flushed(self) -> Outcome | None:
        """NumPy's outcome for inputs without subnormal numbers; None where there are none to begin with."""
        return reference(variations.flushed(self.case)) if variations.has_subnormals(self.case) else None

    @cached_property
    def raised(self) -> Outcome:
        """NumPy's outcome for the smallest normal numbers instead of subnormal ones."""
        return reference(variations.flushed(self.case, to_normal=True))

    @cached_property
    def wide(self) -> Outcome:
        """NumPy's outcome in more precision."""
        elementwise = tolerance.family_of(self.case.name).rule == "ulps"
        return variations.wider(self.case, integers=elementwise and not self.is_program)

    @cached_property
    def magnitudes(self) -> Outcome:
        """NumPy's outcome in more precision for the sizes of the numbers: the sum of the terms' sizes."""
        return reference(variations.magnitudes(variations.widened(self.case)))

    @cached_property
    def finite_magnitudes(self) -> Outcome:
        """The same without the terms that are infinite or nan."""
        return reference(variations.magnitudes(variations.widened(self.case), finite=True))

    @cached_property
    def factors(self) -> tuple[Outcome, Outcome]:
        """NumPy's outcomes for the sizes of the large factors alone, and of the small ones."""
        return reference(variations.sizes(self.case, np.maximum)), reference(variations.sizes(self.case, np.minimum))

    @cached_property
    def moved(self) -> list[Outcome]:
        """NumPy's outcomes for perturbed inputs; of a program, for perturbed results of its inner calls too."""
        return self._moved_by(tolerance.SEEDS)

    @cached_property
    def moved_again(self) -> list[Outcome]:
        """The same in more directions."""
        return self._moved_by(tolerance.MORE_SEEDS)

    def _moved_by(self, seeds: tuple[int, ...]) -> list[Outcome]:
        return [matrices.moved(self.case, EPSILON.get(self.working, 2.0**-52), seed) for seed in seeds]

    @cached_property
    def working(self) -> np.dtype:
        """The coarsest floating dtype among the inputs, and those asked for."""
        dtypes = [array.dtype for array in self.case.arrays() if array.dtype in EPSILON]
        dtypes += [
            named for named in map(variations.dtype_named, variations.spelt_out(self.case).leaves()) if named in EPSILON
        ]
        return max(dtypes, key=EPSILON.__getitem__, default=np.dtype(np.float64))

    def wrong(self, path: Path, expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
        """Which elements cannot be accepted."""
        if self._narrow is not None:
            scrutiny, dtype = self._narrow
            if dtype.kind + expected.dtype.kind == "fc":
                left = (actual.imag != expected.imag) & ~np.isnan(expected.imag)  # there before
                return scrutiny.wrong(path, expected.real.astype(dtype), actual.real.astype(dtype)) | left
            return scrutiny.wrong(path, expected.astype(dtype), actual.astype(dtype))
        return self._wrong(path, np.atleast_1d(expected), np.atleast_1d(actual)).reshape(expected.shape)

    def follows_from_subnormal(self, actual: Any) -> bool:
        """Whether all that is wrong with running results comes after a subnormal number along their axis."""
        expected, form = self.expected.value, (getattr(actual, "dtype", None), getattr(actual, "shape", None))
        if not isinstance(expected, np.ndarray) or form != (expected.dtype, expected.shape):
            return False
        axis = self.case.kwargs.get("axis", (*self.case.args, 0, 0)[1])
        after = np.logical_or.accumulate(variations.are_subnormal(expected), axis=axis)
        return not (self.wrong((0,), expected, actual) & ~after).any()

    @cached_property
    def _narrow(self) -> tuple[Scrutiny, np.dtype] | None:
        """The case with an `out=` of the dtype that the ufunc calculates in, if that is less precise than its own."""
        count = ufunc_inputs(self.case.name)
        if count is None or self.is_program:
            return None
        out = self.case.kwargs.get("out", (*self.case.args[count:], None)[0])
        out = out[0] if type(out) is tuple and out else out
        if type(out) is not np.ndarray or out.dtype.kind not in "fc":
            return None
        options = {key: value for key, value in self.case.kwargs.items() if key != "out"}
        plain = reference(Case(self.case.name, self.case.args[:count], options)).value
        dtype = plain.dtype if isinstance(plain, (np.ndarray, np.generic)) else out.dtype
        if dtype.kind + out.dtype.kind not in ("ff", "cc", "fc") or EPSILON[dtype] <= EPSILON.get(out.dtype, 1.0):
            return None
        case = self.case.map_arrays(lambda array: array.astype(dtype) if array is out else array)
        return Scrutiny(case, reference(case), self.compiled, self.shapeless), dtype

    def apart(self, path: Path, expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
        """Units in the last place between elements, by whichever reading of subnormal numbers is nearest."""
        apart = self._gap(expected, actual)
        for left, right in self._flushed_readings(path, expected, actual, bool((apart > 0).any())):
            apart = np.minimum(apart, self._gap(left, right))
        return apart

    def _gap(self, expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
        gap = elements.distance(expected, actual)
        if expected.dtype.kind == "c" and tolerance.adds_products(self.case.name):
            gap = np.where(self._farther(expected, actual, elements.cancelled(expected)), gap, 0)
        return gap

    def _wrong(self, path: Path, expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
        bad = self._beyond(path, expected, actual)
        if not bad.any():
            return bad
        still = bad
        for left, right in self._flushed_readings(path, expected, actual, True):
            if not still.any():
                break
            still = still & self._beyond(path, left, right)
        self.flushes += int((bad & ~still).sum())
        return still

    def _flushed_readings(
        self, path: Path, expected: np.ndarray, actual: np.ndarray, wanted: bool
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """What to compare instead where subnormal numbers may have been flushed, on the way out and on the way in."""
        if not wanted:
            return
        sizes = [SMALLEST_NORMAL.get(dtype, 0.0) for dtype in (expected.dtype, self.working) if dtype != np.float16]
        tiny = max(sizes, default=0.0)
        yield expected, elements.with_flushed_parts(expected, actual, tiny)
        if self.flushed is None:
            return
        others = (self.flushed, self.raised, reference(variations.flushed(self.case, nearly=1.0)))
        zeros, normals, strictly = found = [elements.complex_as(_flat_at(other, path), expected) for other in others]
        form = (expected.shape, expected.dtype)
        if all((getattr(other, "shape", None), getattr(other, "dtype", None)) == form for other in found):
            yield expected, elements.with_parts_between(expected, zeros, normals, actual)
            yield zeros, elements.with_flushed_parts(zeros, actual, tiny)
            yield zeros, variations.flushed_array(actual)
            yield strictly, variations.flushed_array(actual)

    def _beyond(self, path: Path, expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
        if tolerance.family_of(self.case.name).rule == "shape":
            return np.zeros(expected.shape, bool)
        if not variations.is_inexact(expected.dtype):
            bad, ufunc = elements.exactly_differ(expected, actual), self.case.name.removesuffix(".at")
            if bad.any() and ufunc != self.case.name and tolerance.family_of(ufunc).rule != "exact":
                return bad & elements.beyond_spread(expected, actual, [_flat_at(other, path) for other in self.moved])
            return bad & self._settled(path, expected) if self.is_inexact_program and bad.any() else bad
        if self.is_inexact_program:
            ulps = 2 * tolerance.ROOTS_OF_SERIES.ulps if tolerance.finds_roots(self.case.name) else 8
            return self._moved_beyond(path, expected, actual, ulps, by_element=False)
        name = "poly" if series.is_of_roots(self.case) else self.case.name
        family = tolerance.family_of(name, expected.dtype.kind)
        ulps = tolerance.allowed_ulps(name, expected.dtype, self.compiled)
        return RULES[family.rule](self, path, expected, actual, ulps)

    def _exactly(self, path: Path, expected: np.ndarray, actual: np.ndarray, ulps: float) -> np.ndarray:
        apart = elements.classes_differ(expected, actual) | elements.zero_signs_differ(expected, actual)
        return apart | ((expected != actual) & ~np.isnan(expected))

    def _by_ulps(self, path: Path, expected: np.ndarray, actual: np.ndarray, ulps: float) -> np.ndarray:
        growth = tolerance.growth(self.case.name, expected.dtype, self.compiled)
        allowed = ulps + growth * elements.logarithm(expected) if growth else ulps
        bad = elements.distance(expected, actual) > allowed
        if bad.any():
            bad = self._arbitrated(path, expected, actual, bad)
        if expected.dtype.kind != "c":
            return bad | elements.zero_signs_differ(expected, actual)
        if tolerance.multiplies(self.case.name):
            bad &= self._farther(expected, actual, np.asarray(elements.underflow(expected.dtype)))
            return bad & (np.isfinite(expected) | np.isfinite(actual))  # nor do sums of products promise zeros' signs
        if bad.any() and tolerance.adds_products(self.case.name):
            bad &= self._farther(expected, actual, elements.cancelled(expected))
        signs = elements.zero_signs_differ(expected, actual)
        return bad | (signs & ~self._vanish(path, expected, actual) if signs.any() else signs)

    def _vanish(self, path: Path, expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
        """Whether a part, or what cancels in it, is too small to have a sign when flushed; or is the zero found."""
        truth = self.truth(path, expected)
        if truth is None:
            return np.zeros(expected.shape, bool)
        tiny = elements.underflow(expected.dtype)
        turned = variations.by_conjugate(self.case)
        added_up = truth if turned is None else _flat_at(variations.wider(turned, integers=True), path)
        sizes = [np.abs(part) for number in (truth, added_up) for part in (number.real, number.imag)]
        ours = [(truth.real, expected.real, actual.real), (truth.imag, expected.imag, actual.imag)]
        found = [elements.is_true_zero(*parts) | ~elements.zero_signs_differ(*parts[1:]) for parts in ours]
        return np.logical_or.reduce([found[0] & found[1], *[(size > 0) & (size < tiny) for size in sizes]])

    def truth(self, path: Path, expected: np.ndarray) -> np.ndarray | None:
        """The wider evaluation, if it is one."""
        truth = _flat_at(self.wide, path)
        if not isinstance(truth, np.ndarray) or truth.shape != expected.shape or truth.dtype == expected.dtype:
            return None
        return truth

    def _arbitrated(self, path: Path, expected: np.ndarray, actual: np.ndarray, bad: np.ndarray) -> np.ndarray:
        """What is still wrong when a wider evaluation says how far NumPy itself is from the truth."""
        truth = self.truth(path, expected)
        if truth is None:
            return bad
        finite = np.isfinite(truth) & np.isfinite(expected) & np.isfinite(actual)
        truth = np.where(finite, truth, 0)
        error = np.abs(elements.widest(np.where(finite, actual, 0)) - truth)
        own = np.abs(elements.widest(np.where(finite, expected, 0)) - truth)
        return bad & ~(finite & (error <= tolerance.TRUSTED_FACTOR * own))

    def _by_sum(self, path: Path, expected: np.ndarray, actual: np.ndarray, ulps: float) -> np.ndarray:
        terms = _flat_at(self.magnitudes, path)
        parts_may_differ = expected.dtype.kind == "c" and tolerance.multiplies(self.case.name)
        open_parts = ~(np.isfinite(expected) | np.isfinite(actual)) if parts_may_differ else np.False_
        if not isinstance(terms, np.ndarray) or terms.shape != expected.shape or terms.dtype.kind not in "iufc":
            return self._moved_beyond(path, expected, actual, ulps, by_element=False) & ~open_parts
        terms = np.abs(terms).astype(np.longdouble)
        if (np.isinf(terms) & np.isfinite(expected)).any():
            terms = self._without_infinities(path, terms, expected)
        of_steps = self.working if self.case.kwargs.get("optimize") else expected.dtype
        epsilon = max(variations.epsilon(self.case, expected.dtype), EPSILON[of_steps])
        bound = (self._length(expected) + ulps) * (epsilon * terms + elements.underflow(expected.dtype))
        largest = np.longdouble(np.finfo(expected.dtype).max) if expected.dtype.kind in "fc" else np.longdouble(3.38e38)
        sums = terms * self._length(expected) if tolerance.divides(self.case.name) else terms
        order_decides = np.isfinite(terms) & (sums * (1 + 4 * epsilon) > largest)
        if not np.isfinite(terms).all():
            order_decides |= self._overflow_beside_infinity(path, expected, largest)
        return self._farther(expected, actual, np.where(np.isfinite(terms), bound, 0)) & ~(order_decides | open_parts)

    def _without_infinities(self, path: Path, terms: np.ndarray, expected: np.ndarray) -> np.ndarray:
        """The sizes of sums that are finite though a term is not: the logarithm of zero, which is added to others."""
        finite = _flat_at(self.finite_magnitudes, path)
        if not isinstance(finite, np.ndarray) or finite.shape != expected.shape:
            return terms
        sizes = np.maximum(np.abs(finite), np.abs(elements.widest(expected)))  # the first may be past the range
        return np.where(np.isinf(terms) & np.isfinite(expected), sizes, terms)

    def _overflow_beside_infinity(self, path: Path, expected: np.ndarray, largest: np.longdouble) -> np.ndarray:
        """Where finite terms overflow, or do not, as their order has it: of infinity and an infinity that is none, the
        sum may be nan.
        """
        finite = _flat_at(self.finite_magnitudes, path)
        if not isinstance(finite, np.ndarray) or finite.shape != expected.shape:
            return np.zeros(expected.shape, bool)
        sums = np.abs(finite) * (self._length(expected) if tolerance.divides(self.case.name) else 1)
        return sums * (1 + 4 * EPSILON[expected.dtype]) > largest

    def _length(self, expected: np.ndarray) -> int:
        """No sum of the case has more terms than this: a result element's share of the largest input, or a side."""
        arrays = [array for array in self.case.arrays() if array.size]
        share = max([array.size // max(expected.size, 1) for array in arrays], default=1)
        sides, given = [side for array in arrays for side in array.shape], (*self.case.args, *self.case.kwargs.values())
        return max(1, share, *sides, *[len(value) for value in given if isinstance(value, (list, tuple))])

    def _by_condition(self, path: Path, expected: np.ndarray, actual: np.ndarray, ulps: float) -> np.ndarray:
        growth = tolerance.growth(self.case.name, expected.dtype, self.compiled)
        more = growth * float(np.max(elements.logarithm(expected), initial=0)) if growth else 0.0
        ulps *= tolerance.steps(self.case.name, self._length(expected))
        return self._moved_beyond(path, expected, actual, ulps + more, by_element=True)

    def _by_product(self, path: Path, expected: np.ndarray, actual: np.ndarray, ulps: float) -> np.ndarray:
        """Where the large factors alone overflow, or the small ones underflow, the order decides, which is open."""
        ulps *= self._length(expected) ** 0.5 if variations.reads_whole_numbers(self.case) else 1  # which nothing moves
        bad = self._moved_beyond(path, expected, actual, ulps, by_element=True)
        if not bad.any():
            return bad
        large, small = (_flat_at(outcome, path) for outcome in self.factors)
        if not isinstance(large, np.ndarray) or not isinstance(small, np.ndarray) or large.shape != expected.shape:
            return bad
        tiny = SMALLEST_NORMAL[expected.dtype]
        bad &= np.isfinite(large) & (np.abs(small) >= tiny)
        return bad & ~(np.abs(actual - expected) <= tiny * np.abs(large)) if expected.dtype.kind == "c" else bad

    def _by_scale(self, path: Path, expected: np.ndarray, actual: np.ndarray, ulps: float) -> np.ndarray:
        return self._moved_beyond(path, expected, actual, ulps, by_element=False)

    def _moved_beyond(
        self, path: Path, expected: np.ndarray, actual: np.ndarray, ulps: float, by_element: bool
    ) -> np.ndarray:
        """Past what perturbed inputs move the result by, element by element or at most."""
        bad = self._past_moves(self.moved, path, expected, actual, ulps, by_element)
        return bad & self._past_moves(self.moved_again, path, expected, actual, ulps, by_element) if bad.any() else bad

    def _past_moves(
        self,
        moved: list[Outcome],
        path: Path,
        expected: np.ndarray,
        actual: np.ndarray,
        ulps: float,
        by_element: bool,
    ) -> np.ndarray:
        size = np.abs(elements.widest(np.where(np.isfinite(expected), expected, 0)))
        spread = np.zeros(expected.shape, size.dtype)
        own, *found = [_flat_at(outcome, path) for outcome in (self.expected, *moved)]
        unmoved = own if isinstance(own, np.ndarray) and own.shape == expected.shape else expected
        others = [other for other in found if isinstance(other, np.ndarray) and other.shape == expected.shape]
        if not others:
            self.ill_conditioned += 1
            return np.zeros(expected.shape, bool)
        for other in others:
            both = np.isfinite(other) & np.isfinite(expected)
            step = np.abs(elements.widest(np.where(both, other, 0)) - elements.widest(np.where(both, expected, 0)))
            spread = np.maximum(spread, np.where(elements.classes_differ(unmoved, other), np.inf, step))
        if not by_element and expected.size:
            within = problems.axes(self.case, expected.ndim)
            size, spread = (np.max(array, within, keepdims=True) for array in (size, spread))
        epsilon = variations.epsilon(self.case, expected.dtype)
        bound = tolerance.CONDITION_FACTOR * spread + ulps * epsilon * size
        tiny = elements.underflow(expected.dtype)
        return self._farther(expected, actual, bound + (tiny**0.5 if tolerance.is_root(self.case.name) else tiny))

    @staticmethod
    def _farther(expected: np.ndarray, actual: np.ndarray, bound: np.ndarray) -> np.ndarray:
        """Farther apart than the bound, or of another class; the sign of a zero is not an accumulation's to promise."""
        finite = np.isfinite(expected) & np.isfinite(actual)
        gap = np.abs(elements.widest(np.where(finite, actual, 0)) - elements.widest(np.where(finite, expected, 0)))
        return (elements.classes_differ(expected, actual) & ~np.isinf(bound)) | (gap > bound)


RULES: dict[str, Callable[..., np.ndarray]] = {
    "exact": Scrutiny._exactly,
    "ulps": Scrutiny._by_ulps,
    "sum": Scrutiny._by_sum,
    "conditioned": Scrutiny._by_condition,
    "product": Scrutiny._by_product,
    "scaled": Scrutiny._by_scale,
    "factors": Scrutiny._by_scale,
}


def at(outcome: Outcome, path: Path) -> Any:
    """The part of an outcome's value at the path, as an array where it is a number; None where there is none."""
    if not outcome.ok:
        return None
    value: Any = (outcome.value, outcome.after)
    try:
        for step in path:
            value = value[step]
    except (LookupError, TypeError):
        return None
    return np.asarray(value) if isinstance(value, (np.ndarray, np.generic)) else value


def _flat_at(outcome: Outcome, path: Path) -> Any:
    """The same, with one dimension where there is none: ufuncs make NumPy scalars of arrays without."""
    value = at(outcome, path)
    return np.atleast_1d(value) if isinstance(value, np.ndarray) else value
