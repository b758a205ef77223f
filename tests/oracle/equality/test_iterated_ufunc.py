"""Functions applied to one element several times: as far from NumPy's answer as its steps let it, and no farther."""

from __future__ import annotations

import numpy as np
import pytest

from oracle import Case, Mode, Outcome, run_numpy
from oracle.harness import find_deviation


@pytest.mark.parametrize(
    ("name", "start", "times", "apart", "kind"),
    [
        ("exp", -2.0, 5, 1e-5, None),
        ("exp", -2.0, 5, 1e-3, "value"),
        ("exp", -2.0, 1, 1e-5, "value"),
        ("sqrt", 16.0, 3, 1e-5, "value"),
        ("cos", 1.0, 40, 1e-7, None),
        ("cos", 1.0, 40, 1e-4, "value"),
    ],
)
def test_steps_enlarge_what_is_allowed(name, start, times, apart, kind):
    case = Case(f"{name}.at", (np.array([start], np.float32), np.zeros(times, int)))
    expected = run_numpy(case)
    actual = Outcome(after=(expected.after[0] * np.float32(1 + apart),))
    found = find_deviation(case, expected, actual, Mode("eager"))
    assert (found and found.kind) == kind
