"""Planted faults: every one differs from what it was made of, and a few are hunted down."""

from __future__ import annotations

import json
from operator import attrgetter

import numpy as np
import pytest

from fuzz.__main__ import main
from fuzz.mutants import FAULTS, subjects
from fuzz.mutants.score import grounds_of, hunt, is_of, open_sandbox, selected
from fuzz.mutants.subjects import DIFFERENT_ERROR, MutantTask, TimedResult, name_of
from oracle import Case, load_subject
from oracle.harness import KINDS, MODES, NAMES, Death, Lease, judge_siblings
from tests.tables import check_each, each_group, group

ON_ARRAYS = [name for name, entry in FAULTS.items() if entry.on in ("", "arrays") and not entry.crashing]
ON_MUTABLE = [name for name, entry in FAULTS.items() if entry.on == "mutable"]
ELSEWHERE = [name for name in FAULTS if name not in (*ON_ARRAYS, *ON_MUTABLE)]
CALLS = 16  # after which a fault that comes and goes has come
EASY = (
    "sin_returns_zero",
    "divide_of_small_integers_is_half",
    "sort_puts_nan_first",
    "max_of_nothing_is_zero",
    "sum_raises_a_bare_value_error",
    "degrees_exits",
)


def changed(witness):
    """The same case with other numbers: of use to what a fault remembers."""
    return witness.map_arrays(lambda array: array if array.dtype.kind in "bUS" else array + array.dtype.type(1))


def shown(subject, cases, exact_errors=False):
    loaded = load_subject(subject)
    loaded.exact_errors = exact_errors
    verdicts = judge_siblings(cases, ["eager"], loaded)
    return {difference.kind for verdict in verdicts for difference in verdict.deviations}


def shows(subject, witness, kind):
    cases = [[witness, changed(witness)], [witness], [witness] * CALLS, [witness]]
    return any(kind in shown(subject, some, kind == DIFFERENT_ERROR) for some in cases)


@each_group("names", group(ON_ARRAYS, lambda name: FAULTS[name].kind), 120)
def test_a_fault_shows_in_its_witness_and_nothing_else_does(names):
    check_each(names, check_witness)


def check_witness(name):
    entry = FAULTS[name]
    assert shows(name_of(name, "numpy"), entry.witness, entry.kind)
    assert shown("numpy", [entry.witness]) == set()


@pytest.fixture(scope="module")
def tensors():
    with open_sandbox("tfnp") as sandbox:
        yield sandbox


def judged(sandbox, subject, case, modes):
    task = MutantTask(subject, (), "judge_case", (case.json(), modes))
    (reply,) = sandbox.run([Lease(0, "fuzz.mutants.subjects:answer", [task], confirm=False)])
    (result,) = reply.results
    if isinstance(result, Death):
        return {(result.kind, modes)}
    assert isinstance(result, TimedResult), result
    return {(difference.kind, difference.modes) for difference in result.result}


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_fault_that_needs_tensors_or_kills_shows_where_it_says(name, tensors):
    entry, subject = FAULTS[name], name_of(name, "tfnp")
    modes = entry.modes[:1] if entry.crashing else tuple(dict.fromkeys(("eager", *entry.modes)))
    found = judged(tensors, subject, entry.witness, modes)
    if not found:
        found = judged(tensors, subject, changed(entry.witness), modes)
    assert found == {(entry.kind, entry.modes[:1] if entry.crashing else entry.modes)}
    assert judged(tensors, "tfnp", entry.witness, modes) == set()


@pytest.mark.parametrize("name", ON_MUTABLE)
def test_a_fault_of_mutable_arrays_shows_where_it_says(name):
    entry = FAULTS[name]
    modes = ("eager", *entry.modes)
    found = judge_siblings([entry.witness], modes, load_subject(name_of(name, "tfnp.numpy")))[0].deviations
    assert {(one.kind, one.mode.name) for one in found} == {(entry.kind, mode) for mode in entry.modes}
    assert judge_siblings([entry.witness], modes, load_subject("tfnp.numpy"))[0].agrees


def test_every_line_of_the_table_is_whole():
    assert len(FAULTS) >= 200
    for name, entry in FAULTS.items():
        assert entry.name == name
        assert "_on_" not in name
        assert entry.summary, name
        assert entry.kind in KINDS
        assert {entry.target, *entry.company} <= set(NAMES)
        assert set(entry.modes) <= set(MODES)
        assert entry.on in ("", "tensors", "arrays", "mutable")
        assert any(call.name == entry.target for call in entry.witness.calls())


def test_there_is_a_fault_of_every_kind():
    of_campaigns = {"never answered"}  # what no single case shows
    assert {entry.kind for entry in FAULTS.values()} == set(KINDS) - of_campaigns


def test_a_planted_namespace_is_its_ground_but_for_one_function():
    subject = load_subject(name_of("linalg.norm/ord/ignored", "numpy"))
    assert subject.find("linalg.norm")([3.0, 4.0], 1) == 5.0
    for name in ("linalg.det", "sin", "ndarray", "float64"):
        assert subject.find(name) is attrgetter(name)(np)
    assert load_subject(name_of("add.reduce/axis/ignored", "numpy")).find("add")(1, 2) == 3


def test_a_name_that_is_no_fault_is_no_subject():
    with pytest.raises(AttributeError, match="FAULT_on_GROUND"):
        subjects.__getattr__("sin_is_fine_on_numpy")
    found = selected(["sin"])
    assert {"sin_ignores_the_byte_order", "sin_returns_zero"} <= {entry.name for entry in found}
    assert {entry.target for entry in found} == {"sin"}


@pytest.fixture(scope="module")
def arrays():
    with open_sandbox("numpy") as sandbox:
        yield sandbox


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", EASY)
def test_an_easy_fault_is_found_and_reduced(name, arrays):
    found = hunt(arrays, FAULTS[name], "numpy", seconds=60.0, seed=1)
    assert FAULTS[name].kind in {finding.kind for finding in found.findings}
    assert found.elements <= 3
    assert len(found.minimal.calls()) == 1
    assert not found.failures


def test_what_the_ground_shows_as_well_is_not_the_fault_s_doing(arrays):
    class Misfit:
        kind, modes, minimal = "value", ("eager",), Case("sin", (np.array([1.0]),))

    assert is_of(arrays, name_of("sin_returns_zero", "numpy"), ("sin",), Misfit)
    assert not is_of(arrays, "numpy", ("sin",), Misfit)


def test_a_fault_is_planted_where_there_is_a_place_for_it(arrays):
    faults = [FAULTS[name] for name in ("sin_returns_zero", "ceil_wrong_under_xla", "cumsum_reads_columns")]
    assert grounds_of(arrays, "numpy", faults) == {"sin_returns_zero": "numpy", "cumsum_reads_columns": "numpy"}


@pytest.mark.full
def test_the_command_tells_what_was_found(tmp_path, capsys):
    path = tmp_path / "faults.json"
    assert main(["lab", "faults", "sin_returns_zero", "ceil_*", "--subject", "numpy", "--json", str(path)]) == 0
    data = json.loads(path.read_text())
    assert (data["faults"], data["found"], data["missed"]) == (1, 1, [])
    (row,) = data["hunts"]
    assert row["fault"] == "sin_returns_zero"
    assert row["findings"][0]["kind"] == "value"
    assert row["minimal"].startswith("np.sin(")
    assert "1 of 1 faults found" in capsys.readouterr().out


@pytest.mark.full
def test_the_command_fails_where_one_is_missed(capsys):
    rare = "pinv_of_a_stack_has_one_cutoff"
    assert main(["lab", "faults", rare, "--subject", "numpy", "--time", "1ms"]) == 1
    assert f"missed: {rare}" in " ".join(capsys.readouterr().out.split())
