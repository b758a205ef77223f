"""A run ends in time, however long it takes to begin."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from fuzz.engine.time_limit import CONCLUDING, Clock, find_deadlines, measure_age


@pytest.mark.parametrize("seconds", [20.0, 60.0, 120.0, 7200.0])
@pytest.mark.parametrize("preparing", [0.0, 5.0, 12.0])
def test_the_time_is_that_of_the_whole_run(seconds, preparing):
    last_case, end = find_deadlines(seconds, preparing)
    concluding = CONCLUDING[0] + CONCLUDING[1] * seconds
    assert preparing + end + concluding <= seconds + 1e-9
    assert seconds / 10 <= last_case < end


def test_a_part_of_the_time_is_for_cases_where_the_subject_takes_longer_to_import():
    assert find_deadlines(60.0, 100.0)[0] == 6.0
    assert find_deadlines(10.0, 100.0)[0] == 2.0
    assert find_deadlines(0.01, 100.0)[0] == 0.005


def test_time_in_which_nobody_judges_does_not_count():
    waited = [0.0]
    clock = Clock(time.monotonic() - 100.0, lambda: waited[0])
    waited[0] = 90.0
    clock.begin_cases()
    assert 9.0 < clock.preparing < 15.0
    assert clock.elapsed < 5.0
    waited[0] += 1000.0
    assert clock.elapsed < 0.0
    clock.end_cases()
    assert ", 1090.0 s without workers; workers judged for 2.0 s" in clock.describe(1200.0, {"judged": 2.0})


def test_a_process_knows_its_age():
    code = "import time; time.sleep(0.2); from fuzz.engine.time_limit import measure_age; print(measure_age())"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 0.2 <= float(found.stdout) < 120
    assert measure_age() > 0
