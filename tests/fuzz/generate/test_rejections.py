"""Rejected calls are few, and are counted by class and reason."""

from __future__ import annotations

import numpy as np
import pytest

from fuzz.cli.argument_gaps import MOST_REJECTED, open_sandbox, sample_all
from fuzz.generate import calls
from fuzz.generate.call_classes import INVALID, ORDINARY, DrawnCall
from fuzz.generate.calls import generated_names
from fuzz.generate.rejections import Rejections, count_rejections
from oracle import Case


def test_rejections_are_counted_by_class_and_reason(monkeypatch):
    bad = DrawnCall(Case("sum", (np.zeros(2), 5)), ORDINARY)
    monkeypatch.setattr("fuzz.generate.rejections.draw_call", lambda choices, name: bad)
    found = count_rejections(None, ("sum", ()))
    assert found.drawn == found.rejected == {ORDINARY: 200}
    assert found.unintended == found.share == 1
    assert next(iter(found.reasons)).startswith("AxisError")


def test_few_calls_of_common_functions_are_rejected():
    found = [count_rejections(None, (name, ())) for name in ("add", "sum", "concatenate", "quantile", "linalg.solve")]
    assert max(one.unintended for one in found) < 0.15
    assert all(one.rejected[INVALID] > 0 for one in found)
    assert calls.generated_names()


@pytest.mark.full
def test_few_calls_are_rejected():
    with open_sandbox(2) as sandbox:
        found: dict[str, Rejections] = sample_all(
            sandbox, generated_names(), "fuzz.generate.rejections:count_rejections"
        )
    drawn = sum(one.drawn.total() for one in found.values())
    assert sum(one.rejected.total() for one in found.values()) < MOST_REJECTED * drawn
    assert not {name: one.reasons for name, one in found.items() if one.unintended > 0.3}
