from __future__ import annotations

import json
from pathlib import Path

import pytest

from fuzz.__main__ import main
from tests.fuzz.releases.wheels import use_index, write_wheel

SCRIPT = "import fickle\nraise SystemExit(0 if fickle.add(1, 1) == 2 else 1)\n"
RIGHT, WRONG = "def add(x, y):\n    return x + y\n", "def add(x, y):\n    return x - y\n"


@pytest.fixture(autouse=True)
def index(tmp_path, monkeypatch):
    """A package that is wrong from release 1.4, and has no `add` before 1.2."""
    folder = tmp_path / "index"
    folder.mkdir()
    for number in range(8):
        write_wheel(folder, "fickle", f"1.{number}", WRONG if number >= 4 else RIGHT if number >= 2 else "")
    use_index(monkeypatch, folder)
    monkeypatch.chdir(tmp_path)
    Path("script.py").write_text(SCRIPT)


def test_the_release_that_a_finding_begins_with_is_told(capsys):
    assert main(["bisect", "script.py", "--package", "fickle"]) == 0
    printed = capsys.readouterr().out
    assert printed.endswith("fickle: 1.3 right, 1.4 wrong\n")
    assert "fickle 1.0: cannot be tried: AttributeError: module 'fickle' has no attribute 'add'" in printed


def test_a_finding_of_a_run_has_a_script(capsys):
    run = Path("fuzz-out/001")
    run.joinpath("repros").mkdir(parents=True)
    run.joinpath("repros/f-0123456789.py").write_text(SCRIPT)
    row = {"id": "f-0123456789", "case": "cases/f-0123456789.json", "modes": ["eager"], "kind": "value"}
    run.joinpath("findings.jsonl").write_text(json.dumps(row | {"repro": "repros/f-0123456789.py"}) + "\n")
    assert main(["bisect", "f-0123456789", "--package", "fickle", "--bad", "1.4"]) == 0
    assert capsys.readouterr().out.endswith("fickle: 1.3 right, 1.4 wrong\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["other.py", "--package", "fickle"], "other.py: no such script"),
        (["script.py", "--package", "unheard"], "no release of unheard for "),
        (["script.py", "--package", "fickle", "--good", "1.9"], "fickle has no release 1.9 here; did you mean 1.7"),
        (["script.py", "--package", "fickle", "--good", "1.1", "--bad", "1.1"], "--good and --bad are both 1.1"),
        (["jax-acosh-branch-cuts", "--package", "jax"], "did you mean jax-acosh-branch-cut"),
        (["f-0000000000", "--package", "fickle"], "no finding f-0000000000"),
        (["script.py", "--package", "-r x"], "'-r x' is no name of a package"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_makes_no_sense_is_a_usage_error(words, message, capsys):
    assert main(["bisect", *words]) == 2
    assert message in capsys.readouterr().err
