"""The command `modes`: the modes of each sort of subject."""

from __future__ import annotations

import pytest

from fuzz.__main__ import main
from oracle.harness import COMPILERS, MODES, WAYS


@pytest.mark.parametrize(
    ("subject", "modes"),
    [
        ("tfnp", [name for name in MODES if name not in COMPILERS]),
        ("tensorflow", list(WAYS)),
        ("numpy", ["eager"]),
    ],
)
def test_the_modes_of_a_subject_are_listed(subject, modes, capsys):
    assert main(["modes", "--subject", subject]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == modes


def test_a_line_says_what_a_mode_is_and_what_it_costs(capsys):
    assert main(["modes", "--subject", "tfnp"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "xla_dims        XLA, unknown dimensions         18 x  in long runs" in lines
    assert "lists           eager, lists                     3 x  if it is asked for" in lines
