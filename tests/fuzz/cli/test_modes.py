"""The command `modes`: the modes of each sort of subject."""

from __future__ import annotations

import sys
from dataclasses import fields
from pathlib import Path

import pytest

from fuzz.__main__ import main
from fuzz.adapters.fields import FIELDS
from fuzz.cli import modes as command
from oracle import Adapter, load_subject
from oracle.harness import MODES, OF_ADAPTERS, OF_OPS, list_offered
from tests.fuzz.inline import InlineSandbox


@pytest.mark.parametrize(
    ("subject", "modes"),
    [
        ("tfnp", [name for name in MODES if name not in OF_ADAPTERS]),
        ("tensorflow", list(OF_OPS)),
        ("numpy", ["eager"]),
    ],
)
def test_the_modes_of_a_subject_are_listed(subject, modes, capsys):
    assert main(["modes", "--subject", subject]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == modes


def test_the_modes_that_are_listed_for_tensors_are_those_that_they_have():
    assert set(command.list_modes("tfnp")) == set(list_offered(load_subject("tfnp")))


@pytest.fixture
def inline(monkeypatch):
    def make_sandbox(jobs, setup):
        return InlineSandbox(jobs, setup["prepare"], setup["arguments"], start=setup["start"])

    monkeypatch.setattr(command, "make_sandbox", make_sandbox)


def test_an_adapter_is_tried_in_each_mode(inline, capsys):
    assert main(["modes", "--subject", "tests.fuzz.boxed", "--try"]) == 0
    printed = capsys.readouterr().out
    assert "Conversion: arrays survive it there and back" in printed
    assert "    to_numpy      " in printed
    for mode in ("eager", "jit", "vmap", "gradient"):
        assert f"{mode}: " in printed
    untold = printed.partition("Not given:\n")[2]
    assert "preload" in untold
    assert "    imports" not in untold


WRONG = """
import numpy as np
from oracle import Adapter, load_subject

class Box:
    def __init__(self, held):
        self.held = held

def add(x1, x2):
    raise RuntimeError("not yet")

def sqrt(x):
    return Box(x.held * 3)

ADAPTER = Adapter(imports="import wrong_boxes as wb", module="wb", array="wb.Box", from_numpy="wb.Box({})", to_numpy=%r)
"""


@pytest.mark.parametrize(
    ("to_numpy", "told"),
    [
        ("{}.held", ["add: spurious error", "not yet", "sqrt: value", "eager: 0 plain calls answered as NumPy does"]),
        ("{}.data", ["Conversion: an array of shape (3,) cannot be converted: AttributeError", "Dtypes: none"]),
        ("{}.held[:1]", ["Conversion: to_numpy gives array([1.]) where"]),
    ],
)
def test_what_does_not_work_is_said(to_numpy, told, inline, tmp_path, monkeypatch, capsys):
    (tmp_path / "wrong_boxes.py").write_text(WRONG % to_numpy)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "wrong_boxes", raising=False)
    assert main(["modes", "--subject", "wrong_boxes", "--try"]) == 1
    printed = capsys.readouterr().out
    assert [text for text in told if text not in printed] == []


def test_a_library_of_numpys_arrays_has_nothing_to_try(inline, capsys):
    assert main(["modes", "--subject", "tests.fuzz.small_library", "--try"]) == 0
    assert "needs no adapter" in capsys.readouterr().out


def test_every_field_of_an_adapter_is_described_here_and_in_the_manual():
    assert [*FIELDS] == [*sorted((one.name for one in fields(Adapter) if one.name != "name"), key=[*FIELDS].index)]
    manual = (Path(__file__).parents[3] / "docs/harness/adapters.md").read_text()
    assert [key for key in FIELDS if f"`{key}`" not in manual] == []
