"""The verdict on growth, on figures that are given: no clock is asked."""

from __future__ import annotations

import itertools

import pytest

from oracle.growth import fit_exponent
from oracle.harness import Rung, judge_growth, measure_peak, measure_times, memory_curve, time_curve

SIZES = [4**step for step in range(6)]


def rungs(seconds, numpy_seconds, peak=lambda n: 8 * 256 * n, numpy_peak=lambda n: 8 * 256 * n):
    return [
        Rung(n, 256 * n, 16 * 256 * n, 2e-8 * n, numpy_seconds(n), seconds(n), int(numpy_peak(n)), int(peak(n)))
        for n in SIZES
    ]


def linear(n):
    return 5e-6 + 1e-7 * n


class TestExponent:
    @pytest.mark.parametrize("power", [0.0, 0.5, 1.0, 2.0, 3.0])
    def test_powers_are_found(self, power):
        assert fit_exponent(SIZES, [3e-6 * n**power for n in SIZES]) == pytest.approx(power)

    def test_only_the_largest_sizes_count(self):
        assert fit_exponent([1, 4, 16, 64], [7.0, 1.0, 4.0, 16.0]) == pytest.approx(1)

    def test_two_sizes_say_nothing(self):
        assert fit_exponent([1, 4], [1.0, 4.0]) is None
        assert judge_growth(rungs(lambda n: 1e-2 * n**2, linear)[:2]) == []
        assert judge_growth([]) == []


class TestVerdict:
    def test_a_quadratic_call_beside_a_linear_one(self):
        (found,) = judge_growth(rungs(lambda n: 1e-4 + 1e-6 * n**2, linear))
        assert found.quantity == "time"
        assert found.exponent == pytest.approx(2, abs=0.1)
        assert found.reference == pytest.approx(1, abs=0.1)
        assert str(found).startswith("time grows as size^1.99, NumPy's as size^1.00; ")

    def test_memory_by_itself(self):
        (found,) = judge_growth(rungs(linear, linear, peak=lambda n: 8 * (256 * n) ** 2))
        assert found.quantity == "memory"

    def test_a_constant_factor_is_no_growth(self):
        assert judge_growth(rungs(lambda n: 200 * linear(n), linear, peak=lambda n: 10**5 * n)) == []

    def test_a_logarithm_is_no_growth(self):
        assert judge_growth(rungs(lambda n: 1e-4 * n * (10 + n.bit_length()), linear)) == []

    def test_overhead_of_numpys_is_none_either(self):
        slow_start = rungs(lambda n: 1e-6 + 1e-6 * n, lambda n: 3e-5 + 1e-7 * n)
        assert judge_growth(slow_start) == []

    def test_who_copies_where_numpy_makes_a_view_grows_as_copies_do(self):
        assert judge_growth(rungs(lambda n: 1e-4 + 4e-6 * n, lambda n: 1e-6, numpy_peak=lambda n: 0)) == []

    def test_the_same_power_as_numpys(self):
        assert judge_growth(rungs(lambda n: 1e-5 * n**2, lambda n: 1e-7 * n**2)) == []

    def test_one_outlier_is_no_growth(self):
        outlier = rungs(lambda n: 1e-5 * n * (30 if n == SIZES[-1] else 1), linear)
        assert time_curve(outlier).exponent - time_curve(outlier).reference > 1
        assert judge_growth(outlier) == []

    def test_what_is_small_is_not_judged(self):
        assert judge_growth(rungs(lambda n: 1e-13 * n**2, lambda n: 1e-9)) == []
        tiny = rungs(linear, linear, peak=lambda n: 1e-4 * n**2, numpy_peak=lambda n: 1)
        assert judge_growth(tiny) == []

    def test_what_is_not_told_is_not_judged(self):
        untold = [Rung(n, n, n, 1e-9, linear(n), linear(n)) for n in SIZES]
        assert memory_curve(untold).costs == ()
        assert judge_growth(untold) == []


class TestTimes:
    def test_minima_of_interleaved_rounds(self):
        """A clock that each call advances; now and then somebody else has the processor."""
        now, calls, disturbance = 0.0, [], itertools.cycle([0.0, 0.5, 0.0, 0.0, 0.7])

        def costing(name, seconds):
            def call():
                nonlocal now
                calls.append(name)
                now += seconds + next(disturbance)

            return call

        found = measure_times([costing("a", 0.01), costing("b", 0.2)], 60.0, lambda: now)
        assert found == pytest.approx([0.01, 0.2])
        assert "abab" in "".join(calls).replace("aa", "a")

    def test_many_calls_where_one_is_short(self):
        now, count = 0.0, 0

        def call():
            nonlocal now, count
            now += 1e-5
            count += 1

        assert measure_times([call], 1.0, lambda: now) == [pytest.approx(1e-5)]
        assert count > 100

    def test_no_round_begins_too_late(self):
        now, count = 0.0, 0

        def call():
            nonlocal now, count
            now += 10.0
            count += 1

        measure_times([call], 1.0, lambda: now)
        assert count == 3


@pytest.mark.full
def test_the_peak_of_memory_counts_what_is_freed_too():
    def hold():
        first = bytearray(32 << 20)
        for place in range(0, len(first), 4096):
            first[place] = 1
        del first
        return bytearray(b"x" * (1 << 20))

    found = measure_peak(hold)
    assert found is None or 31 << 20 <= found <= 80 << 20


@pytest.mark.full
def test_an_allocator_that_keeps_what_is_freed_is_asked():
    told = iter([(100 << 20, 0), (101 << 20, 500 << 20)])
    found = measure_peak(lambda: None, lambda: next(told))
    assert found in (None, 400 << 20)
