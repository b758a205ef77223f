"""The measured table: complete, believable, and no wider than what was measured."""

from __future__ import annotations

import re
from datetime import date

import ml_dtypes
import numpy as np
import pytest

from oracle import run_numpy
from oracle.case.model import Case
from oracle.equality.measured import MARGIN, PACKAGES, Measurements, circumstances, table
from oracle.equality.table import MEASURED, ULPS, allowed_ulps, is_measured, relation_of

DTYPES = [np.dtype(code) for code in "efdFD"] + [np.dtype(ml_dtypes.bfloat16)]
LARGEST = 16
UNMEASURED = dict.fromkeys(
    ("degrees", "radians", "sinc", "i0"), "bfloat16 had no reference for these when the table was made"
)
"""Functions of the relation that the table lacks, each with its reason."""


def results():
    """Every function and dtype of results that the relation has."""
    for name in MEASURED:
        operands = getattr(getattr(np, name), "nin", 1)
        for dtype in DTYPES:
            answer = run_numpy(Case(name, (np.ones(1, dtype),) * operands))
            if is_measured(name, dtype) and answer.ok and answer.value.real.dtype == np.ones(1, dtype).real.dtype:
                yield name, answer.value.dtype


def entries():
    for name, dtypes in table().data["functions"].items():
        for dtype, modes in dtypes.items():
            yield from ((name, dtype, mode, found) for mode, found in modes.items())


def test_it_says_when_and_with_what():
    data = table().data
    assert date.fromisoformat(data["date"]) >= date(2026, 11, 1)
    assert data["subject"] == "tfnp"
    assert all(re.match(r"\d+\.\d+", data["versions"][name]) for name in (*PACKAGES, "python"))
    assert data["machine"]["architecture"]
    assert data["machine"]["numpy_dispatches_to"]


def test_it_is_complete():
    missing = {
        name for name, dtype in results() for mode in ("eager", "xla") if not table().measured(name, dtype.name, mode)
    }
    assert missing == set(UNMEASURED)


def test_every_argument_of_two_bytes_was_tried():
    for name, dtype, mode, found in entries():
        if "float16" in dtype:
            single = getattr(getattr(np, name), "nin", 1) == 1
            assert found["exhaustive"] == single, (name, dtype, mode)
            assert found["arguments"] > 60000
        else:
            assert not found["exhaustive"]


def test_no_distance_is_absurd():
    assert {(*key, found["ulps"]) for *key, found in entries() if not 0 <= found["ulps"] <= LARGEST} == set()
    assert all(found["at"] for *_, found in entries() if found["ulps"])


@pytest.mark.parametrize("dtype", ["float16", "float64"])
def test_beyond_what_was_measured_nothing_is_allowed_but_the_margin_of_samples(dtype):
    row = {"ulps": 1, "exhaustive": dtype == "float16"}
    here = Measurements({**circumstances(), "functions": {"sin": {dtype: {"eager": row}}}})
    assert here.allowed("sin", dtype, "eager") == (1 if row["exhaustive"] else 1 + MARGIN)
    assert here.allowed("sin", dtype, "xla") is here.allowed("cos", dtype, "eager") is None
    for other in ({"machine": {}}, {"versions": here.data["versions"] | {"numpy": "2.0.0"}}):
        assert Measurements(here.data | other).allowed("sin", dtype, "eager") == 1 + MARGIN
    assert Measurements(here.data | {"versions": here.data["versions"] | {"python": "3.99"}}).is_of_here


def test_a_processor_without_extensions_is_described(monkeypatch):
    monkeypatch.setattr(np, "show_config", lambda mode: {"SIMD Extensions": {"baseline": ["SSE2"]}})
    assert circumstances.__wrapped__()["machine"]["numpy_dispatches_to"] == ["SSE2"]


def test_the_oracle_reads_it():
    for name, dtype, mode, _ in entries():
        assert allowed_ulps(name, np.dtype(getattr(ml_dtypes, dtype, dtype)), mode == "xla") == table().allowed(
            name, dtype, mode
        )
    assert allowed_ulps("vander", np.dtype(float), False) == ULPS.eager
    assert allowed_ulps("add", np.dtype(float), False) == 0
    assert allowed_ulps("multiply", np.dtype(float), False) == 0
    for name, plain in (("acos", "arccos"), ("arctan2.outer", "arctan2"), ("emath.log", "log"), ("pow", "power")):
        assert allowed_ulps(name, np.dtype(float), True) == allowed_ulps(plain, np.dtype(float), True)
        assert relation_of(name) is ULPS
