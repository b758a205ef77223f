"""Tolerance rules: which floating elements are past what the definition of equality allows.

`NumericComparison.wrong` knows no subject: it is bit for bit, a few ulps of the exact value, a forward error bound, or
what the result's own condition explains. Allowances ask for what is accepted beyond that: `within_measured`,
`within_flushed`, `within_order`. Where there is no evidence, or a bound excludes nothing, elements are neither wrong
nor right, but `undecided`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.equality import jumps, scaling, selection, summation, table, ulp
from oracle.equality.conditioning import VACUOUS, Judgement, Perturbations
from oracle.equality.evidence import Evidence, Path, at, flat_at, is_like
from oracle.equality.ulp import farther, gap_between
from oracle.reference import polynomials
from oracle.reference.dtypes import EPSILON, SMALLEST_NORMAL, is_inexact
from oracle.reference.outcome import Outcome, bind_arguments, run_numpy, ufunc_inputs
from oracle.transforms import precision

NO_PERTURBED_RUN = "NumPy answers none of the perturbed inputs"
POSITION_BY_ROUNDING = "a rounding error decides which element is selected"
UNITS_OF_PRECISION = 4  # rounding errors of a subject that calculates in less precision than NumPy
MASKED = "the answer is masked there"
INNER_CALLS = "a rounding error of the inner calls decides"


@dataclass
class NumericComparison(Evidence):
    """One case under one mode, and which elements of a result are wrong.

    `undecided` counts the elements that differ and are neither wrong nor right, by reason. `masks` are those of the
    answer's masked arrays, by path.
    """

    undecided: Counter[str] = field(default_factory=Counter)
    masks: Mapping[Path, np.ndarray] = field(default_factory=dict)

    @property
    def why_undecided(self) -> str:
        """Return why some elements could not be judged; empty where all could."""
        return next(iter(self.undecided), "")

    def leave_undecided(self, reason: str) -> None:
        """Note why something could not be judged, unless the reason is empty."""
        if reason:
            self.undecided[reason] += 1

    def wrong(self, path: Path, expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
        """Return which elements are not equal, by the definition of equality alone; the undecided ones are counted."""
        judgement = self.judge(path, expected, actual)
        differ = ulp.bits_differ(expected, actual)
        for reason, mask in judgement.undecided.items():
            count = int((mask.reshape(expected.shape) & differ & ~judgement.wrong).sum())
            if count:
                self.undecided[reason] += count
        return judgement.wrong

    def is_masked(self, path: Path) -> bool:
        """Return whether an answer is masked as a whole, as `np.ma.masked` is, whose dtype means nothing."""
        mask = self.masks.get(path)
        return mask is not None and bool(mask.all())

    def find_masked(self, path: Path, wrong: np.ndarray) -> np.ndarray:
        """Return which elements of an answer are masked; if wrong, they are undecided: their data means nothing."""
        mask = self.masks.get(path)
        if mask is None or mask.shape != wrong.shape:
            return np.zeros(wrong.shape, bool)
        if (mask & wrong).any():
            self.leave_undecided(MASKED)
        return mask

    def in_precision(self, unit: float) -> NumericComparison:
        """Return the evidence of an answer with a coarser rounding unit than NumPy's. What is undecided is counted
        together.
        """
        return replace(self, precision=unit) if unit > self.precision else self

    def judge(self, path: Path, expected: np.ndarray, actual: np.ndarray, flushing: bool = False) -> Judgement:
        """Judge elements, and count nothing. `flushing` accepts differences smaller than any normal number."""
        if self._narrow is not None:
            evidence, dtype = self._narrow
            if dtype.kind + expected.dtype.kind == "fc":
                judgement = evidence.judge(path, expected.real.astype(dtype), actual.real.astype(dtype), flushing)
                left = (actual.imag != expected.imag) & ~np.isnan(expected.imag)  # there before
                return Judgement(judgement.wrong | left, judgement.undecided)
            return evidence.judge(path, expected.astype(dtype), actual.astype(dtype), flushing)
        left, right = np.atleast_1d(expected), np.atleast_1d(actual)
        judgement = self._judge(path, left, right, flushing)
        wrong = judgement.wrong
        if self.precision and wrong.any() and left.dtype.kind != "b":  # which have no precision
            wrong = wrong & ~self._is_within_precision(path, left, right)
        return Judgement(wrong.reshape(expected.shape), judgement.undecided)

    def _is_within_precision(self, path: Path, expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
        """Return which elements are as near to NumPy's as the subject's own precision allows: within a few rounding
        errors of the result, and of inputs that move by one.
        """
        base, *others = (flat_at(outcome, path) for outcome in self.moved_by_precision)
        if not is_like(base, expected) or not all(is_like(other, expected) for other in others):
            return np.zeros(expected.shape, bool)
        within = scaling.axes(self.case, expected.ndim) if self.case.name in scaling.TRANSFORMS else None
        spread = np.max([gap_between(base, other) for other in others], axis=0)
        size = np.abs(ulp.widest(np.where(np.isfinite(expected), expected, 0)))
        if within is not None:
            spread, size = (np.max(one, within, keepdims=True) for one in (spread, size))
        steps = max([4, *(max(array.shape, default=0) for array in self.case.arrays())]) ** 0.5
        bound = UNITS_OF_PRECISION * (steps * spread + self.precision * size)
        near = ~farther(expected, actual, bound)
        return near if expected.dtype.kind == "c" else near & ~ulp.zero_signs_differ(expected, actual)

    def within_measured(self, path: Path, expected: np.ndarray, actual: np.ndarray, wrong: np.ndarray) -> np.ndarray:
        """Return which of the wrong elements are no farther away than TensorFlow's kernels were measured to be."""
        if self._narrow is not None:
            evidence, dtype = self._narrow
            if dtype.kind + expected.dtype.kind == "fc":
                return np.zeros(expected.shape, bool)
            return evidence.within_measured(path, expected.astype(dtype), actual.astype(dtype), wrong)
        if not is_inexact(expected.dtype) or self.is_inexact_program or not wrong.any():
            return np.zeros(expected.shape, bool)
        left, right = np.atleast_1d(expected), np.atleast_1d(actual)
        relation = table.relation_of(self.case.name, expected.dtype.kind)
        if relation.rule == "ulps":
            accepted = self._are_within_ulps(path, left, right)
        elif relation.granted(self.compiled) > relation.ulps:
            accepted = ~self._judge(path, left, right, False, relation.granted(self.compiled)).wrong
        else:
            return np.zeros(expected.shape, bool)
        return wrong & accepted.reshape(expected.shape)

    def _are_within_ulps(self, path: Path, expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
        name = "poly" if polynomials.is_of_roots(self.case) else self.case.name
        growth = table.growth(name, expected.dtype, self.compiled)
        allowed: Any = table.allowed_ulps(name, expected.dtype, self.compiled)
        allowed = allowed + growth * ulp.logarithm(expected) if growth else allowed
        signs = ulp.zero_signs_differ(expected, actual)
        if expected.dtype.kind == "c" and signs.any():
            signs = signs & ~self._vanish(path, expected, actual)
        return (ulp.distance(expected, actual) <= allowed) & ~signs

    def within_flushed(self, path: Path, expected: np.ndarray, actual: np.ndarray, wrong: np.ndarray) -> np.ndarray:
        """Return which of the wrong elements are right where subnormal numbers are flushed to zero, on the way in or
        out. What is exact, as counts are, has to be right as a whole.
        """
        is_exact = not is_inexact(expected.dtype)
        still = wrong & ~self._is_granted(path, expected, actual)
        for left, right in self._flushed_readings(path, expected, actual, bool(wrong.any())):
            if not still.any():
                break
            granted = self._is_granted(path, left, right)
            if granted.all() or not is_exact:
                still = still & ~granted
        return wrong & ~still

    def _is_granted(self, path: Path, expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
        bad = self.judge(path, expected, actual, flushing=True).wrong
        return ~bad | self.within_measured(path, expected, actual, bad)

    def within_order(self, path: Path, expected: np.ndarray, actual: np.ndarray, wrong: np.ndarray) -> np.ndarray:
        """Return which of the wrong elements some order of the terms, or of the factors, gives: inf, -inf, nan, or a
        number within the bound, as they overflow on the way.
        """
        rule = table.relation_of(self.case.name, expected.dtype.kind).rule
        if not wrong.any() or self.is_inexact_program or rule not in ("sum", "product", "ulps"):
            return np.zeros(expected.shape, bool)
        left, right = np.atleast_1d(expected), np.atleast_1d(actual)
        if rule == "sum":
            accepted = self._some_order_of_terms(path, left, right)
        elif rule == "product":
            accepted = self._some_order_of_factors(path, left, right)
        else:
            accepted = self._are_of_open_parts(left, right)
        return wrong & accepted.reshape(expected.shape) & ~ulp.zero_signs_differ(expected, actual)

    def _are_of_open_parts(self, expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
        """Return which infinite complex sums of products differ only in which part is infinite, and which is nan."""
        is_open = expected.dtype.kind == "c" and table.multiplies(self.case.name)
        return ~(np.isfinite(expected) | np.isfinite(actual)) if is_open else np.zeros(expected.shape, bool)

    @cached_property
    def _narrow(self) -> tuple[NumericComparison, np.dtype] | None:
        """Return the evidence with `out=` in the dtype that the ufunc computes in, and that dtype, if it is coarser
        than `out`'s; else None.
        """
        count = ufunc_inputs(self.case.name)
        if count is None or self.is_program:
            return None
        out = self.case.kwargs.get("out", (*self.case.args[count:], None)[0])
        out = out[0] if type(out) is tuple and out else out
        if type(out) is not np.ndarray or out.dtype.kind not in "fc":
            return None
        options = {key: value for key, value in self.case.kwargs.items() if key != "out"}
        value = run_numpy(Case(self.case.name, self.case.args[:count], options)).value
        dtype = value.dtype if isinstance(value, (np.ndarray, np.generic)) else out.dtype
        if dtype.kind + out.dtype.kind not in ("ff", "cc", "fc") or EPSILON[dtype] <= EPSILON.get(out.dtype, 1.0):
            return None
        case = self.case.map_arrays(lambda array: array.astype(dtype) if array is out else array)
        return NumericComparison(case, run_numpy(case), self.compiled, self.shapeless, precision=self.precision), dtype

    def apart(self, path: Path, expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
        """Return units in the last place between elements, by whichever reading of subnormal numbers is nearest."""
        apart = self._gap(expected, actual)
        for left, right in self._flushed_readings(path, expected, actual, bool((apart > 0).any())):
            apart = np.minimum(apart, self._gap(left, right))
        return apart

    def _gap(self, expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
        gap = ulp.distance(expected, actual)
        if expected.dtype.kind == "c" and table.adds_products(self.case.name):
            gap = np.where(farther(expected, actual, ulp.bound_cancellation(expected)), gap, 0)
        return gap

    def _flushed_readings(
        self, path: Path, expected: np.ndarray, actual: np.ndarray, is_needed: bool
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield pairs to compare instead, where subnormal numbers may have been flushed on the way in or out."""
        if not is_needed:
            return
        shape = expected.shape
        sizes = [SMALLEST_NORMAL.get(dtype, 0.0) for dtype in (expected.dtype, self.working) if dtype != np.float16]
        tiny = max(sizes, default=0.0)
        yield expected, ulp.with_flushed_parts(expected, actual, tiny)
        if self.flushed is None:
            return
        others = (self.flushed, self.raised, run_numpy(precision.flush(self.case, nearly=1.0)))
        results = [ulp.complex_as(at(other, path), expected) for other in others]
        if any(getattr(other, "dtype", None) != expected.dtype or np.shape(other) != shape for other in results):
            return
        zeros, normals, strictly = (np.asarray(other).reshape(shape) for other in results)
        yield expected, ulp.with_parts_between(expected, zeros, normals, actual)
        yield zeros, ulp.with_flushed_parts(zeros, actual, tiny)
        yield zeros, precision.flush_array(actual)
        yield strictly, precision.flush_array(actual)

    def _judge(
        self, path: Path, expected: np.ndarray, actual: np.ndarray, flushing: bool, ulps: float | None = None
    ) -> Judgement:
        if table.relation_of(self.case.name).rule == "shape":
            return Judgement(np.zeros(expected.shape, bool))
        if not is_inexact(expected.dtype):
            return self._judge_exact(path, expected, actual)
        if self.is_inexact_program:
            is_of_series = table.finds_roots(self.case.name) and self.case.name != "roots"
            ulps = 2 * table.ROOTS.ulps if is_of_series else 8
            return self._by_perturbation(path, expected, actual, ulps, flushing, by_element=False)
        name = "poly" if polynomials.is_of_roots(self.case) else self.case.name
        relation = table.relation_of(name, expected.dtype.kind)
        if relation is table.COMPLEX and not self._is_complex(expected):
            relation = table.EXACT
        ulps = relation.ulps if ulps is None else ulps
        judgement = RULES[relation.rule](self, path, expected, actual, ulps, flushing)
        return judgement if isinstance(judgement, Judgement) else Judgement(judgement)

    def _is_complex(self, expected: np.ndarray) -> bool:
        """Return whether complex numbers take part: real ones have absolute values, and signs, that are exact."""
        letters = {
            np.asarray(leaf).dtype.kind for leaf in self.case.leaves() if isinstance(leaf, (complex, np.generic))
        }
        return "c" in {expected.dtype.kind, *letters, *[array.dtype.kind for array in self.case.arrays()]}

    def _judge_exact(self, path: Path, expected: np.ndarray, actual: np.ndarray) -> Judgement:
        """Judge integers, booleans and text: exactly, unless inexact numbers decide them."""
        bad, ufunc = ulp.exactly_differ(expected, actual), self.case.name.removesuffix(".at")
        if not bad.any():
            return Judgement(bad)
        if ufunc != self.case.name and table.relation_of(ufunc).rule != "exact":
            others = [flat_at(other, path) for other in self.moved]
            others = [other for other in others if isinstance(other, np.ndarray) and other.shape == expected.shape]
            return Judgement(bad & ulp.beyond_spread(expected, actual, others) if others else bad)
        if not self.is_inexact_program:
            return Judgement(bad)
        settled = self._find_unmoved(path, expected, self.moved)
        if (bad & settled).any():
            settled &= self._find_unmoved(path, expected, self.moved_again)
        return Judgement(bad & settled, {INNER_CALLS: bad & ~settled})

    @staticmethod
    def _find_unmoved(path: Path, expected: np.ndarray, moved: list[Outcome]) -> np.ndarray:
        """Return which elements are the same in all perturbed runs."""
        same = np.ones(expected.shape, bool)
        for other in (flat_at(outcome, path) for outcome in moved):
            alike = isinstance(other, np.ndarray) and other.shape == expected.shape
            same &= ~ulp.exactly_differ(expected, other) if alike else np.False_
        return same

    def _exactly(self, path: Path, expected: np.ndarray, actual: np.ndarray, ulps: float, flushing: bool) -> np.ndarray:
        apart = ulp.classes_differ(expected, actual) | ulp.zero_signs_differ(expected, actual)
        return apart | ((expected != actual) & ~np.isnan(expected))

    def _by_ulps(self, path: Path, expected: np.ndarray, actual: np.ndarray, ulps: float, flushing: bool) -> np.ndarray:
        """Return which elements are neither within so many ulps of NumPy's result or the exact one, nor twice as near
        to the exact one as NumPy's.
        """
        bad = (ulp.distance(expected, actual) > ulps) | ulp.classes_differ(expected, actual)
        if bad.any():
            bad = self._arbitrate(path, expected, actual, bad, ulps)
        if expected.dtype.kind != "c":
            return bad | ulp.zero_signs_differ(expected, actual)
        tiny = ulp.underflow(expected.dtype) if flushing else ulp.smallest_subnormal(expected.dtype)
        if table.multiplies(self.case.name):  # nor do sums of products promise zeros' signs
            return bad & farther(expected, actual, np.asarray(tiny))
        if bad.any() and table.adds_products(self.case.name):
            bad = bad & farther(expected, actual, np.full(expected.shape, 2 * tiny))
        signs = ulp.zero_signs_differ(expected, actual)
        return bad | (signs & ~self._vanish(path, expected, actual) if signs.any() else signs)

    def _vanish(self, path: Path, expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
        """Return whether a part, or what cancels in it, is too small to have a sign when flushed, or an exact zero."""
        reference = self.reference(path, expected)
        if reference is None:
            return np.zeros(expected.shape, bool)
        tiny = ulp.underflow(expected.dtype)
        turned = precision.by_conjugate(self.case)
        added_up = reference if turned is None else flat_at(precision.wider(turned, integers=True), path)
        sizes = [np.abs(part) for value in (reference, added_up) for part in (value.real, value.imag)]
        ours = [(reference.real, expected.real, actual.real), (reference.imag, expected.imag, actual.imag)]
        accepted = [ulp.is_true_zero(*parts) | ~ulp.zero_signs_differ(*parts[1:]) for parts in ours]
        return np.logical_or.reduce([accepted[0] & accepted[1], *[(size > 0) & (size < tiny) for size in sizes]])

    def _arbitrate(
        self, path: Path, expected: np.ndarray, actual: np.ndarray, bad: np.ndarray, ulps: float
    ) -> np.ndarray:
        """Return what is still wrong, given how far the result, and NumPy's, are from a wider evaluation."""
        reference = self.reference(path, expected)
        if reference is None:
            return bad
        finite = np.isfinite(reference) & np.isfinite(expected) & np.isfinite(actual)
        reference = np.where(finite, reference, 0)
        error = np.abs(ulp.widest(np.where(finite, actual, 0)) - reference)
        numpy_error = np.abs(ulp.widest(np.where(finite, expected, 0)) - reference)
        allowed = np.maximum(table.TRUSTED_FACTOR * numpy_error, ulps * ulp.unit_of(reference, expected.dtype))
        return bad & ~(finite & (error <= allowed))

    def _by_sum(self, path: Path, expected: np.ndarray, actual: np.ndarray, ulps: float, flushing: bool) -> Any:
        terms, case = self._terms(path, expected), self.case
        if terms is None or self._has_weights_of_both_signs:
            return self._by_perturbation(path, expected, actual, ulps, flushing)
        count, dtype = summation.count_terms(case, path, expected), expected.dtype
        bound = summation.bound_error(case, terms, count, dtype, ulps, self.working)
        tiny = ulp.underflow(dtype) if flushing else ulp.smallest_subnormal(dtype)
        bound = np.where(np.isfinite(terms), bound + (count + ulps) * tiny, 0)
        reference = self.reference(path, expected)
        known = np.isfinite(reference) if reference is not None else np.zeros(expected.shape, bool)
        nearest = expected if reference is None else np.where(known, reference, ulp.widest(expected))
        one_rounding = summation.round_once(nearest, dtype)
        both = 2 * (bound + one_rounding)  # NumPy's error, and the subject's
        bad = farther(expected, actual, both)
        if reference is not None:
            true = np.where(known, reference, 0)
            error = gap_between(true, actual)
            numpy_error = gap_between(true, expected)
            allowed = bound + one_rounding
            if not summation.is_half(dtype):
                allowed = np.maximum(allowed, table.TRUSTED_FACTOR * numpy_error)
            near = (error <= allowed) | (ulp.distance(expected, actual) <= (numpy_error > allowed))
            bad = np.where(known, ulp.classes_differ(expected, actual) | ~near, bad)
        vacuous = (bound >= terms) & (terms > 0) & ~bad & np.isfinite(terms)
        signs = ulp.zero_signs_differ(expected, actual)
        if signs.any() and not self._is_complex(expected):
            bad = bad | (signs & ~summation.may_be_of_either_sign(case, terms, dtype))
        return Judgement(bad, {VACUOUS: vacuous})

    def _terms(self, path: Path, expected: np.ndarray) -> np.ndarray | None:
        """Return the sum of the sizes of the terms; None where NumPy cannot tell."""
        terms = flat_at(self.magnitudes, path)
        if not isinstance(terms, np.ndarray) or terms.shape != expected.shape or terms.dtype.kind not in "iufc":
            return None
        terms = np.abs(terms).astype(np.longdouble)
        if (np.isinf(terms) & np.isfinite(expected)).any():
            terms = self._without_infinities(path, terms, expected)
        return terms

    @cached_property
    def _has_weights_of_both_signs(self) -> bool:
        """Return whether an average is divided by a sum that cancels."""
        if self.case.name != "average":
            return False
        weights = bind_arguments(self.case, programs=True).get("weights")
        weights = np.asarray(0 if weights is None else weights)
        return weights.dtype.kind == "c" or (weights.dtype.kind in "fiV" and bool((weights < 0).any()))

    def _without_infinities(self, path: Path, terms: np.ndarray, expected: np.ndarray) -> np.ndarray:
        """Return the sizes of sums that are finite though a term is not, such as the logarithm of zero in logaddexp."""
        finite = flat_at(self.finite_magnitudes, path)
        if not isinstance(finite, np.ndarray) or finite.shape != expected.shape:
            return terms
        sizes = np.maximum(np.abs(finite), np.abs(ulp.widest(expected)))  # the first may be past the range
        return np.where(np.isinf(terms) & np.isfinite(expected), sizes, terms)

    def _some_order_of_terms(self, path: Path, expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
        open_parts = self._are_of_open_parts(expected, actual)
        finite, sizes = (flat_at(outcome, path) for outcome in (self.finite_sum, self.finite_magnitudes))
        terms = self._terms(path, expected)
        if terms is None or not is_like(finite, expected) or not is_like(sizes, expected):
            return open_parts
        count = summation.count_terms(self.case, path, expected)
        divides, is_half = table.divides(self.case.name), expected.dtype.itemsize == 2
        scale = (count if divides else 1) * (1 + 4 * EPSILON[expected.dtype])
        accumulator = np.dtype(np.float32) if divides and is_half else expected.dtype  # of the mean of halves
        largest = ulp.largest(accumulator) / scale
        bound = 2 * summation.bound_error(self.case, np.abs(sizes), count, expected.dtype, 2, self.working)
        reference = self.reference(path, expected)  # in which no finite terms overflow: infinite where one of them is
        reference = expected if reference is None else reference
        accepted = np.ones(expected.shape, bool)
        for part in ("real", "imag") if expected.dtype.kind == "c" else ("real",):
            true, ours, extreme = (getattr(array, part) for array in (finite, actual, reference))
            size = np.abs(sizes).astype(np.longdouble)
            if expected.dtype.kind == "c":  # each part of many products
                plus = minus = nan = (size >= largest) | ~np.isfinite(extreme)
            else:
                plus, minus, nan = summation.possible_infinities(size, true, extreme, largest)
            near = np.isfinite(terms) & (np.abs(ours - true) <= bound + summation.round_once(true, expected.dtype))
            accepted &= np.where(
                np.isnan(extreme) & (expected.dtype.kind != "c"),
                np.isnan(ours),
                (np.isposinf(ours) & plus)
                | (np.isneginf(ours) & minus)
                | (np.isnan(ours) & nan)
                | (np.isfinite(ours) & near),
            )
        return open_parts | accepted

    def _by_condition(self, path: Path, expected: np.ndarray, actual: np.ndarray, ulps: float, flushing: bool) -> Any:
        growth = table.growth(self.case.name, expected.dtype, self.compiled) if expected.dtype.kind == "c" else 0.0
        more = growth * float(np.max(ulp.logarithm(expected), initial=0)) if growth else 0.0
        ulps *= table.steps(self.case.name, summation.longest(self.case, expected))
        return self._by_perturbation(path, expected, actual, ulps + more, flushing)

    def _by_product(self, path: Path, expected: np.ndarray, actual: np.ndarray, ulps: float, flushing: bool) -> Any:
        """Judge as `_by_condition`; the sign of a product that is zero is exact."""
        length = summation.longest(self.case, expected)
        ulps *= length**0.5 if precision.reads_integers(self.case) else 1  # which nothing moves
        judgement = self._by_perturbation(path, expected, actual, ulps, flushing)
        if not flushing or not judgement.wrong.any() or expected.dtype.kind != "c":
            return judgement
        large = flat_at(self.factors[0], path)
        if is_like(large, expected):
            with np.errstate(all="ignore"):
                judgement.wrong &= ~(np.abs(actual - expected) <= SMALLEST_NORMAL[expected.dtype] * np.abs(large))
        return judgement

    def _some_order_of_factors(self, path: Path, expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
        """Return which elements some order of factors gives, where they overflow or underflow: infinity, 0 or nan."""
        large, small = (flat_at(outcome, path) for outcome in self.factors)
        if not is_like(large, expected) or not is_like(small, expected):
            return np.zeros(expected.shape, bool)
        overflows, vanishes = ~np.isfinite(large), np.abs(small) < SMALLEST_NORMAL[expected.dtype]
        reference = self.reference(path, expected)
        true = np.where(np.isfinite(reference), reference, 0) if reference is not None else np.zeros(expected.shape)
        near = gap_between(true, actual) <= 64 * EPSILON[expected.dtype] * np.abs(true)
        if expected.dtype.kind == "c":
            tiny = np.abs(actual) < SMALLEST_NORMAL[expected.dtype]
            lost = (overflows & ~np.isfinite(actual)) | (vanishes & tiny)
            return lost | (np.isfinite(actual) & near & (overflows | vanishes))
        same_sign = (np.signbit(actual) == np.signbit(expected)) | np.isnan(expected)
        accepted = np.isinf(actual) & overflows & same_sign
        accepted |= (np.abs(actual) < SMALLEST_NORMAL[expected.dtype]) & vanishes & same_sign
        accepted |= np.isnan(actual) & overflows & vanishes
        return accepted | (np.isfinite(actual) & near & (overflows | vanishes))

    def _by_scale(self, path: Path, expected: np.ndarray, actual: np.ndarray, ulps: float, flushing: bool) -> Judgement:
        return self._by_perturbation(path, expected, actual, ulps, flushing, by_element=False)

    def _by_series(self, path: Path, expected: np.ndarray, actual: np.ndarray, ulps: float, flushing: bool) -> Any:
        """Judge evenly spaced numbers of half precision, which are rounded once from higher precision: within an ulp of
        the exact value.

        NumPy computes those of `arange` from the first two, rounded: within an ulp of these is right, too.
        """
        reference = self.reference(path, expected) if summation.is_half(expected.dtype) else None
        if reference is None:
            return self._by_perturbation(path, expected, actual, ulps, flushing, by_element=False)
        bad = (ulp.distance(expected, actual) > 1) | ulp.classes_differ(expected, actual)
        bad &= ~(gap_between(reference, actual) <= ulp.unit_of(reference, expected.dtype)) | ~np.isfinite(actual)
        return bad | (ulp.zero_signs_differ(expected, actual) & (reference == 0))

    def _by_median(self, path: Path, expected: np.ndarray, actual: np.ndarray, ulps: float, flushing: bool) -> Any:
        selected = np.atleast_1d(selection.odd_counts(self.case, expected))
        judgement = self._by_perturbation(path, expected, actual, ulps, flushing)
        exactly = ulp.classes_differ(expected, actual) | ((expected != actual) & ~np.isnan(expected))
        judgement.wrong = np.where(selected, exactly, judgement.wrong | selection.is_outside(self.case, actual))
        judgement.undecided = {reason: mask & ~selected for reason, mask in judgement.undecided.items()}
        return judgement

    def _by_quantile(self, path: Path, expected: np.ndarray, actual: np.ndarray, ulps: float, flushing: bool) -> Any:
        if not selection.selects(self.case):
            judgement = self._by_perturbation(path, expected, actual, ulps, flushing)
            return Judgement(judgement.wrong | selection.is_outside(self.case, actual), judgement.undecided)
        bad = ulp.classes_differ(expected, actual) | ((expected != actual) & ~np.isnan(expected))
        is_other = np.zeros(expected.shape, bool)
        for other in selection.candidates(self.case, path) if bad.any() else ():
            if other.shape == expected.shape:
                is_other |= (other == actual) | (np.isnan(other) & np.isnan(actual))
        return Judgement(bad & ~is_other, {POSITION_BY_ROUNDING: bad & is_other})

    def _by_perturbation(
        self,
        path: Path,
        expected: np.ndarray,
        actual: np.ndarray,
        ulps: float,
        flushing: bool,
        by_element: bool = True,
    ) -> Judgement:
        """Judge by how far perturbed inputs move the result, element by element or at most."""
        size = np.abs(ulp.widest(np.where(np.isfinite(expected), expected, 0)))
        within = None if by_element or not expected.size else scaling.axes(self.case, expected.ndim)
        scale = size if within is None else np.max(size, within, keepdims=True)
        tiny = ulp.underflow(expected.dtype) if flushing else ulp.smallest_subnormal(expected.dtype)
        tiny = tiny**0.5 if table.is_root(self.case.name) else tiny
        tolerance = ulps * precision.epsilon(self.case, expected.dtype) * scale + tiny
        bad = farther(expected, actual, tolerance)
        signs = ulp.zero_signs_differ(expected, actual)
        if not by_element or (signs.any() and self._is_complex(expected)):
            signs = np.zeros(expected.shape, bool)  # a rounding error of the others
        if not bad.any() and not signs.any():
            return Judgement(bad)
        perturbations = Perturbations(self, path, expected, within)
        if perturbations.count == 0:
            return Judgement(signs & ~bad & (scale > 0), {NO_PERTURBED_RUN: bad})
        judgement = perturbations.judge(actual, tolerance, bad, signs)
        settled = jumps.find_settled(self.case, expected)
        undecided = {reason: mask & ~settled for reason, mask in judgement.undecided.items()}
        return Judgement(judgement.wrong | (bad & settled), undecided)


RULES: dict[str, Callable[..., Any]] = {
    "exact": NumericComparison._exactly,
    "ulps": NumericComparison._by_ulps,
    "sum": NumericComparison._by_sum,
    "series": NumericComparison._by_series,
    "median": NumericComparison._by_median,
    "quantile": NumericComparison._by_quantile,
    "conditioned": NumericComparison._by_condition,
    "product": NumericComparison._by_product,
    "scaled": NumericComparison._by_scale,
}
