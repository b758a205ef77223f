from __future__ import annotations

import json
from pathlib import Path

import pytest

from fuzz.__main__ import main
from fuzz.cli import versions
from tests.fuzz.releases.libraries import NEW, OLD, make_release


def test_an_upgrade_is_told_in_the_terminal_and_as_data(tmp_path, monkeypatch, capsys):
    sources = {"changing-library==1.0": OLD, "changing-library==1.1": NEW}
    monkeypatch.setattr(
        versions,
        "make_environment",
        lambda needed, *_: make_release(tmp_path / needed[0], sources[needed[0]]),
    )
    monkeypatch.chdir(tmp_path)
    words = ["versions", *sources, "roll", "trace", "flipud", "--cases", "600"]
    assert main(words) == 1
    printed = capsys.readouterr().out
    assert "value (ordinary call)  roll  np.roll(" in printed
    assert "    NumPy agrees with 1.1\n" in printed
    assert "New names: fliplr\n" in printed
    assert "Names that are gone: ptp\n" in printed
    data = json.loads(Path("fuzz-out/changing-library-1.0-1.1/changes.json").read_text())
    assert data["releases"] == [*sources]
    assert {(row["kind"], *row["names"]) for row in data["changes"]} >= {("value", "roll"), ("spurious error", "trace")}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["numpy", "numpy==2.3.5"], "'numpy' is no release; write numpy==2.3.5"),
        (["numpy==2.3.5", "jax==0.4.30"], "are of two packages"),
        (["numpy==2.3.5", "numpy==2.3.5"], "there is nothing to compare"),
        (["numpy>=2", "numpy==2.3.5"], "no name of a package"),
        (["numpy==2.3.5", "numpy==2.4.0", "nothing.*"], "nothing.*"),
        (["numpy==2.3.5", "numpy==2.4.0", "--time", "soon"], "'soon' is not a duration"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_makes_no_sense_is_a_usage_error(words, message, capsys):
    assert main(["versions", *words]) == 2
    assert message in capsys.readouterr().err
