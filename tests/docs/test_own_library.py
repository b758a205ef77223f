"""The libraries of docs/harness/own_library.md: the command under each finds the fault that its text describes."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

from fuzz.__main__ import main
from tests.fuzz.inline import run_inline

PAGE = Path(__file__).parents[2] / "docs/harness/own_library.md"
SECTION = re.compile(r"^`(?P<file>\w+)\.py`", re.MULTILINE)
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def find_libraries():
    """Return by file of a section its source, its command, and what that prints."""
    found = {}
    for section in PAGE.read_text().split("\n### ")[1:]:
        (_, source), (_, console), *_ = BLOCK.findall(section)
        command, _, printed = console.strip().partition("\n")
        found[SECTION.search(section)["file"]] = (source, command.removeprefix("$ python -m fuzz "), printed)
    return found


FOUND = find_libraries()


def test_every_kind_has_a_library():
    assert len(FOUND) == PAGE.read_text().count("\n### ") == 7


@pytest.mark.parametrize("name", FOUND)
def test_the_fault_is_found(name, tmp_path, monkeypatch, capsys):
    source, command, printed = FOUND[name]
    (tmp_path / f"{name}.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    run_inline(monkeypatch)
    try:
        assert main([*shlex.split(command), "--seed", "1"]) == 1
    finally:
        sys.modules.pop(name, None)
    assert printed in capsys.readouterr().out
