"""Witnesses of generated faults: found among drawn calls, or none where a fault changes nothing."""

from fuzz.mutants.rates import Sampling, is_same
from fuzz.mutants.subjects import name_of
from fuzz.mutants.witnesses import EAGER, search
from oracle import load_subject, run_numpy
from oracle.harness import run_case
from tests.tables import check_each


def test_a_witness_is_answered_wrongly():
    found = search(None, Sampling("sum/axis/off-by-one", "numpy", 200, 20.0))
    assert found.changed == 1
    assert "axis" in found.witness.kwargs or len(found.witness.args) > 1
    wrong = run_case(EAGER, found.witness, load_subject(name_of("sum/axis/off-by-one", "numpy")))
    assert not is_same(wrong, run_numpy(found.witness))
    assert found.data()["witness"] == str(found.witness)


def test_a_fault_that_changes_nothing_has_none():
    found = search(None, Sampling("polynomial.legendre.legmul/c1/swapped", "numpy", 40, 20.0))
    assert (found.drawn, found.changed, found.witness, found.accepted) == (40, 0, None, None)


def test_numbers_are_drawn_around_the_tolerances():
    check_each(["allclose/atol/ignored", "allclose/atol/doubled", "isclose/rtol/doubled"], check_is_seen)


def test_bytes_beyond_ascii_are_decoded():
    check_each(["strings.decode/errors/ignore-as-replace", "strings.decode/encoding/UTF8-as-ascii"], check_is_seen)


def test_options_of_printed_numbers_are_drawn():
    check_each([f"format_float_scientific/{option}/ignored" for option in ("min_digits", "unique")], check_is_seen)
    check_each([f"array2string/{option}/ignored" for option in ("edgeitems", "threshold")], check_is_seen)


def test_positions_within_text_are_drawn():
    check_is_seen("strings.index/start/ignored")


def test_parameters_of_distributions_are_left_out():
    defaults = ("exponential/scale", "normal/loc", "poisson/lam", "uniform/high", "Generator.exponential/scale")
    check_each([f"random.{name}/default-changed" for name in defaults], check_is_seen)


def check_is_seen(name):
    assert search(None, Sampling(name, "numpy", 300, 20.0)).witness is not None
