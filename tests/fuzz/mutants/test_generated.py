"""Generated faults: ids, kinds, and the sample that is hunted every night."""

from collections import Counter

import pytest

from fuzz.mutants.generated import find_fault, generate_faults, list_generated, take_sample
from fuzz.mutants.operators import list_kinds
from fuzz.mutants.subjects import name_of
from oracle.harness import ALIASES, NAMES


@pytest.fixture(scope="module")
def faults():
    return list_generated()


def test_there_are_thousands_of_every_kind_with_ids_of_their_own(faults):
    assert len(faults) >= 2000
    assert {entry.operator for entry in faults} == set(list_kinds())
    assert len({name_of(entry.name, "numpy") for entry in faults}) == len(faults)
    assert {entry.target for entry in faults} <= set(NAMES) - ALIASES.keys()
    assert all(entry.summary and "{" not in entry.summary for entry in faults)


def test_a_sample_has_as_many_of_each_kind(faults):
    sample = take_sample(faults, 300)
    counts = Counter(entry.operator for entry in sample)
    assert len({entry.name for entry in sample}) == 300
    assert counts.keys() == set(list_kinds())
    assert max(counts.values()) - min(counts.values()) <= 1
    assert take_sample(faults[::-1], 300) == sample


def test_a_sample_hardly_changes_with_the_faults(faults):
    sample = take_sample(faults, 300)
    fewer = take_sample([entry for entry in faults if entry != sample[0]], 300)
    assert len({entry.name for entry in sample} - {entry.name for entry in fewer}) == 1


def test_a_fault_is_found_by_its_id():
    assert find_fault("sum/axis/off-by-one").target == "sum"
    assert find_fault("sum/axis/off-by-two") is None
    assert find_fault("sin_returns_zero").target == "sin"
    assert generate_faults("absolute")
    assert not generate_faults("abs")
