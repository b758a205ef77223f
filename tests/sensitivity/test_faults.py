"""The planted faults still fit the sources."""

from __future__ import annotations

import shutil
from collections import Counter

from tests.sensitivity.__main__ import FAILURE
from tests.sensitivity.faults import ROOT, Fault, plant, read_faults
from tests.tables import check_each

FAULTS = read_faults()


def test_each_fault_replaces_text_that_occurs_once():
    def check(fault: Fault) -> None:
        text = (ROOT / fault.file).read_text()
        assert text.count(fault.old) == 1
        compile(text.replace(fault.old, fault.new), fault.file, "exec")
        assert fault.new != fault.old
        assert all((ROOT / path).exists() for path in fault.tests)

    check_each(FAULTS, check)


def test_each_area_has_ten_faults_with_names_of_their_own():
    assert Counter(fault.area for fault in FAULTS) == dict.fromkeys(("routines", "kernels", "indexing", "random"), 10)
    assert max(Counter(fault.id for fault in FAULTS).values()) == 1


def test_a_fault_is_planted_for_a_while(tmp_path):
    fault = FAULTS[0]
    source, target = ROOT / fault.file, tmp_path / fault.file
    target.parent.mkdir(parents=True)
    shutil.copy2(source, target)
    with plant(fault, tmp_path):
        assert target.read_text() == source.read_text().replace(fault.old, fault.new)
    assert target.read_text() == source.read_text()
    assert target.stat().st_mtime == source.stat().st_mtime


def test_failures_are_read_from_the_summary_of_pytest():
    summary = """
FAILED tests/a.py::test_b[x - y] - AssertionError: [1]
FAILED tests/a.py::test_c
ERROR tests/d.py - ImportError: no
2 failed in 3 s
"""
    assert FAILURE.findall(summary) == ["tests/a.py::test_b[x - y]", "tests/a.py::test_c", "tests/d.py"]
