"""Freedoms: what NumPy leaves open of results, by the rows of the table, and the functions that check it.

A freedom is counted, and has examples and a largest share, as allowances have. `applies` and `holds` are those of an
allowance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from oracle.allowances.model import Allowance, Question, Reason
from oracle.case.model import Case
from oracle.reference.outcome import Outcome
from oracle.relations import chosen, fits, matrices, order, ranges, sets, sums, table, uninitialised


class Check(NamedTuple):
    """Functions by which a freedom is checked: of a case and NumPy's outcome, and of an answer."""

    applies: Callable[[Case, Outcome], bool]
    holds: Callable[[Question], Any]


CHECKS: dict[str, Check] = {
    "element.uninitialised": Check(uninitialised.leaves_elements_open, uninitialised.are_unspecified),
    "order.of-terms": Check(sums.has_order, sums.are_within_order),
    "range.on-the-way": Check(ranges.overflows_on_the_way, ranges.are_right_in_more_precision),
    "spread.of-too-few": Check(ranges.has_few_terms, ranges.have_few_terms),
    "index.of-no-number": Check(ranges.has_undefined_rows, ranges.are_within_rows),
    "rounding.within-bound": Check(sums.adds_terms, sums.are_within_bound),
    "matrix.at-the-edge": Check(matrices.may_raise_or_return, matrices.is_at_the_edge),
    "factors.of-another-choice": Check(matrices.is_factored, matrices.is_right_choice),
    "roots.of-one-polynomial": Check(matrices.finds_roots, matrices.are_of_one_polynomial),
    "order.unspecified": Check(order.leaves_order_open, order.is_other_order),
    "zero.of-either-sign": Check(chosen.has_opposite_zeros, chosen.are_of_either_sign),
    "set.order": Check(sets.asks_for_no_order, sets.are_in_another_order),
    "set.which-nan": Check(sets.chooses_among_nan, sets.are_other_nan),
    "set.inverse-of-nan": Check(sets.tells_nan_apart, sets.are_indices_of_nan),
    "fit.least-squares": Check(fits.is_fit, fits.solves_equations),
    "fit.beside-infinity": Check(fits.has_finite_columns, fits.are_fits_of_their_columns),
}


FREEDOMS = tuple(
    Allowance(reason=Reason.NUMPY_OPEN, applies=CHECKS[row["id"]].applies, holds=CHECKS[row["id"]].holds, **row)
    for row in table.list_freedoms()
)
