"""The libraries of docs/harness/own_library.md: the command under each finds the fault that its text describes."""

from __future__ import annotations

import shlex
import sys
from itertools import pairwise

import pytest

from fuzz.__main__ import main
from tests.docs.test_blocks import BLOCKS, ROOT, is_file, list_commands
from tests.fuzz.inline import run_inline

PAGE = ROOT / "docs/harness/own_library.md"


def find_libraries():
    """Return by file of the page its source, the command after it, and the lines that that prints."""
    found, blocks = {}, BLOCKS[PAGE]
    for block, after in pairwise(blocks):
        if is_file(block) and after.language == "console":
            ((command, stretches),) = list_commands(after.text)
            found[block.note] = (block.text, command, [line for lines in stretches for line in lines])
    return found


FOUND = find_libraries()


def test_every_kind_of_library_is_there():
    kinds = PAGE.read_text().partition("## By kind of library")[2].partition("\n## ")[0].count("\n### ")
    assert len(FOUND) >= kinds == 7


@pytest.mark.parametrize("name", FOUND)
def test_the_fault_is_found(name, tmp_path, monkeypatch, capsys):
    source, command, printed = FOUND[name]
    (tmp_path / name).write_text(source)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    run_inline(monkeypatch)
    try:
        assert main(shlex.split(command)[1:]) == 1
    finally:
        sys.modules.pop(name.removesuffix(".py"), None)
    found = capsys.readouterr().out
    assert [line for line in printed if line not in found] == []
