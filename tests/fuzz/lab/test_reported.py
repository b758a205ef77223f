"""The table of reported bugs, and which findings show one."""

from __future__ import annotations

import ast
import os
from collections import Counter
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from rich.console import Console

from fuzz.__main__ import main
from fuzz.cli.options import Unclear
from fuzz.cli.reported import OTHERS, choose_bugs, find_others, measure_reported
from fuzz.lab.reported import APART, CONDITIONS, HALVES, TUNED, ReportedBug, list_conditions, load_reported
from oracle import Case, run_numpy

TABLE = load_reported()
NAMES = {"np": np}


def make_case(text):
    """Return the case of a call in NumPy's words, from this repository's own table."""
    call = ast.parse(text, mode="eval").body

    def evaluate(node):
        return eval(compile(ast.Expression(node), text, "eval"), NAMES)

    name = ast.unparse(call.func).removeprefix("np.")
    return Case(name, tuple(map(evaluate, call.args)), {one.arg: evaluate(one.value) for one in call.keywords})


def make_row(bug, **changes):
    symptom = next((need.removeprefix("symptom ") for need in bug.needs if need.startswith("symptom ")), "")
    row = {"id": "f-0", "name": bug.name, "kind": bug.kinds[0], "modes": list(bug.modes or ("eager",))}
    return {**row, "symptom": symptom, **changes}


def test_the_table_has_many_libraries_and_no_bug_twice():
    libraries = Counter(bug.library for bug in TABLE)
    assert len(TABLE) >= 60
    assert len(libraries) >= 6
    assert max(libraries.values()) <= 16
    assert len({bug.link for bug in TABLE}) == len(TABLE)


def test_a_half_is_drawn_by_a_hash_and_has_about_half_of_the_bugs():
    assert {bug.half for bug in TABLE} == set(HALVES)
    assert abs(sum(bug.half == APART for bug in TABLE) - len(TABLE) / 2) < len(TABLE) / 4


@pytest.mark.parametrize("bug", TABLE, ids=lambda bug: bug.link)
def test_numpy_answers_the_call_and_the_call_meets_its_own_condition(bug):
    case = make_case(bug.call)
    assert run_numpy(case).ok
    assert case.name in (bug.name, *bug.names)
    assert bug.is_shown(make_row(bug), case)
    assert bug.numpy != bug.gives.partition(": ")[2]


@pytest.mark.parametrize("bug", [bug for bug in TABLE if bug.needs], ids=lambda bug: bug.link)
def test_another_call_of_the_same_name_does_not_count(bug):
    other = Case(bug.name, (np.array([1.0, 2.0]),))
    assert not bug.is_shown(make_row(bug, symptom=""), other)
    assert not bug.is_shown(make_row(bug, kind="hang"), make_case(bug.call))


def test_conditions_are_named_in_the_vocabulary_or_are_features_of_a_structure():
    forms = ("=", "rank over ", "over ", "keyword ", "symptom ")
    patterns = {part.strip() for bug in TABLE for need in bug.needs for part in need.split("|")}
    unknown = {one for one in patterns if one not in CONDITIONS and not any(form in one for form in forms)}
    assert not unknown


@pytest.mark.parametrize(
    ("argument", "condition"),
    [
        (np.array([1.0, np.nan]), "nan"),
        (np.array([complex(1.0, -np.inf)]), "-infinity"),
        (np.array([], np.uint8), "empty"),
        (np.array([-0.0], np.float16), "negative zero"),
        (np.array([-1.5], ml_dtypes.bfloat16), "negative"),
        (np.zeros((2, 2), bool), "zeros"),
        (np.full(3, 4), "equal elements"),
        (np.array(2**40), "large number"),
        (-400, "over 300"),
        (np.float32(1.0), "single"),
        (2.5, "number"),
        (np.array([[1.0, 2.0], [3.0, 1.0]]), "asymmetric"),
    ],
)
def test_each_condition_has_a_case_that_meets_it_and_one_that_does_not(argument, condition):
    assert condition in list_conditions(Case("negative", (argument,)))
    assert condition not in list_conditions(Case("negative", (np.array([1.0, 2.0]),)))


def test_shapes_that_differ_are_broadcast():
    assert "broadcast" in list_conditions(Case("add", (np.ones((2, 1)), np.ones(3))))
    assert "broadcast" not in list_conditions(Case("add", (np.ones(3), np.ones(()), 2.0)))


def test_a_library_without_listed_bugs_and_another_release_are_usage_errors(capsys):
    assert main(["lab", "faults", "--reported", "jax.nump"]) == 2
    assert "did you mean jax.numpy" in capsys.readouterr().err
    with pytest.raises(Unclear, match=r"the listed bugs are in numpy 0\.1, and 2"):
        choose_bugs([make_bug("sum", "f/1", release="0.1", library="numpy")], "numpy", "")


def make_bug(name, link, kinds=("value",), needs=(), release="", library="small_library"):
    return ReportedBug(library, release, name, link, f"{name} is wrong.", f"np.{name}()", "1", "2", kinds, needs=needs)


@pytest.fixture
def small_library(monkeypatch, tmp_path):
    """A library of six functions, three of which are wrong, that other processes find, too."""
    folder = str(Path(__file__).parents[1])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (folder, os.environ.get("PYTHONPATH")))))
    monkeypatch.syspath_prepend(folder)
    monkeypatch.chdir(tmp_path)


def test_others_are_names_of_the_library_and_always_the_same(small_library):
    others = find_others("small_library", ["median"], "")
    assert set(others) < {"clip", "diff", "roll", "tile", "trace"}
    assert len(others) == OTHERS
    assert find_others("small_library", ["median"], "") == others


@pytest.mark.full
def test_a_run_of_a_library_says_which_of_its_bugs_are_found(small_library, tmp_path):
    there = make_bug("diff", "small/library#1", kinds=("value", "shape"), needs=("n=number",))
    also_there = make_bug("roll", "small/library#2", needs=("negative",))
    not_there = make_bug("tile", "small/library#5")
    assert (there.half, also_there.half, not_there.half) == (TUNED, APART, TUNED)
    output = tmp_path / "output.txt"
    with output.open("w") as file:
        bugs = [there, also_there, not_there]
        status = measure_reported(bugs, "small_library", None, 25.0, 1, "", Console(file=file, width=200))
    assert status == 1
    text = output.read_text()
    assert "found  small/library#1" in text
    assert "missed small/library#5" in text
    assert "small/library#2" not in text, "set apart: counted, not told"
    assert "1 of 2 reported bugs to tune by found" in text
    assert "1 of 1 reported bugs set apart found" in text
