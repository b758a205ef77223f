"""Blocks of code in documents: each is run, or says why not.

| fence | what becomes of it |
|---|---|
| `python` | `tests/test_guide.py` runs it, and compares what it prints with the `text` block below |
| `python NAME.py` | a file, for the commands of the page |
| `console` | its commands are run on a terminal, in a folder of the page, and print the lines that follow |
| `sh REASON`, `console REASON`, `python REASON` | not run; `test_commands.py` checks the options of commands |
| `pycon` | `test_verdicts_page.py` runs it |
| `toml`, `yaml`, `json` | is parsed |
| `text` | what something prints, or a sketch |
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import struct
import subprocess
import sys
import termios
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from tests.docs.test_commands import PAGES, ROOT

FENCE = re.compile(r"^( *)(`{3,})(.*)$")
MODULE = re.compile(r"\w+\.py")
SPACED = re.compile(r"\s*([-*]|\d+\.)\s")  # begins an item of a list, in which an indented text is a paragraph
RUN, PARSED, PRINTED = {"python", "console", "pycon"}, {"toml", "yaml", "json"}, {"text"}
NOT_RUN = {"python", "console", "sh"}
WIDTH = 120  # columns of the terminal
SECONDS = 240  # for one command, on a busy machine


class Block(NamedTuple):
    """A fenced block, or an indented one, whose language is empty: its line, its language, the rest of its first line,
    its text.
    """

    line: int
    language: str
    note: str
    text: str


def list_blocks(page: str) -> Iterator[Block]:
    """Yield the blocks of a page, in order."""
    lines, is_item, is_after_blank = iter(enumerate(page.splitlines(), 1)), False, True
    for number, line in lines:
        if (fence := FENCE.match(line)) is not None:
            body = []
            for _, inner in lines:
                if inner.strip() == fence[2]:
                    break
                body.append(inner.removeprefix(fence[1]))
            language, _, note = fence[3].strip().partition(" ")
            yield Block(number, language, note, "\n".join([*body, ""]))
            continue
        if line.startswith("    ") and is_after_blank and not is_item and line.strip():
            yield Block(number, "", "", line)
        if line.strip() and not line.startswith("    "):
            is_item = SPACED.match(line) is not None or (is_item and line.startswith(" "))
        is_after_blank = not line.strip()


UPSTREAM = ROOT / "docs/upstream"  # pages made of scripts, which `lab upstream --check` runs
BLOCKS = {page: list(list_blocks(page.read_text())) for page in PAGES if page.parent.parent != UPSTREAM}


def is_file(block: Block) -> bool:
    return block.language == "python" and MODULE.fullmatch(block.note) is not None


def complain(block: Block) -> str:
    """Return what is wrong with a block; an empty text for one that is run, or says why not."""
    if block.language.startswith("{") or is_file(block) or block.language in {*PARSED, *PRINTED}:
        return ""
    if block.language not in RUN | NOT_RUN:
        return "no language"
    if not block.note and block.language not in RUN:
        return "not run, and does not say why"
    return (
        "" if not block.note or (block.language in NOT_RUN and " " in block.note) else "a reason has two words or more"
    )


def test_every_block_is_run_or_says_why_not():
    wrong = [
        f"{page.relative_to(ROOT)}:{block.line}: {complaint}"
        for page, blocks in BLOCKS.items()
        for block in blocks
        if (complaint := complain(block))
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("```sh\nls\n```", "not run, and does not say why"),
        ("```sh slow\nls\n```", "a reason has two words or more"),
        ("```sh takes hours\nls\n```", ""),
        ("```\nls\n```", "no language"),
        ("Do:\n\n    ls\n", "no language"),
        ("- Do:\n\n      ls\n", None),
        ("```python mine.py\n1\n```", ""),
        ("```console\n$ ls\n```", ""),
    ],
)
def test_a_block_that_is_not_run_is_seen(text, complaint):
    assert [complain(block) for block in list_blocks(text)] == ([] if complaint is None else [complaint])


PARSERS: dict[str, Callable[[str], Any]] = {"toml": tomllib.loads, "yaml": yaml.safe_load, "json": json.loads}


def test_data_can_be_parsed():
    blocks = [block for blocks in BLOCKS.values() for block in blocks if block.language in PARSED]
    assert {"toml", "yaml"} <= {block.language for block in blocks}
    for block in blocks:
        assert PARSERS[block.language](block.text)


ELSEWHERE = {ROOT / "docs/harness/own_library.md"}  # `test_own_library.py` runs its commands beside its modules
CONSOLES = [
    page
    for page, blocks in BLOCKS.items()
    if page not in ELSEWHERE and any(one.language == "console" and not one.note for one in blocks)
]


def run_on_terminal(command: str, folder: Path) -> tuple[int, list[str]]:
    """Run a command of bash; return its exit status, and the lines that a terminal shows, but those that are blank."""
    own, its = os.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 50, WIDTH, 0, 0))
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "ORACLE_ALLOW_ROOT": "1", "TERM": "xterm"}
    environment |= {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1", "COLUMNS": str(WIDTH)}
    environment = {key: value for key, value in environment.items() if not key.startswith(("PYTEST", "GITHUB", "CI"))}
    environment["PYTEST_ADDOPTS"] = "--hypothesis-seed=1"  # it draws other calls each time, and may miss a fault
    if command.startswith("PYTHONPATH=. "):  # what the page has installed is here in the checkout
        command = command.replace("PYTHONPATH=.", f"PYTHONPATH=.:{ROOT}", 1)
    process = subprocess.Popen(
        ["timeout", str(SECONDS), "bash", "-c", command],
        cwd=folder,
        env=environment,
        stdin=its,
        stdout=its,
        stderr=its,
        start_new_session=True,
    )
    os.close(its)
    printed = b""
    while True:
        try:
            part = os.read(own, 1 << 16)
        except OSError:  # the last process that has the terminal has ended
            break
        if not part:
            break
        printed += part
    os.close(own)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", printed.decode(errors="replace")).replace("\r\n", "\n")
    lines = [line.rpartition("\r")[2].rstrip() for line in text.splitlines()]
    return process.wait(), [line for line in lines if line]


def list_commands(text: str) -> list[tuple[str, list[list[str]]]]:
    """Return the commands of a console, each with the stretches of lines that it prints; others may be between them."""
    found: list[tuple[str, list[list[str]]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line.removeprefix("$ "), [[]]))
        elif line.strip() == "...":
            found[-1][1].append([])
        elif line.strip():
            found[-1][1][-1].append(line.rstrip())
    return found


def find_missing(stretches: list[list[str]], lines: list[str]) -> list[str]:
    """Return the first stretch that the lines do not have after those before it; an empty list if they have all."""
    begin = 0
    for stretch in stretches:
        places = range(begin, len(lines) - len(stretch) + 1)
        at = next((place for place in places if lines[place : place + len(stretch)] == stretch), None)
        if at is None:
            return stretch
        begin = at + len(stretch)
    return []


def test_what_is_not_printed_is_seen():
    ((command, stretches),) = list_commands("$ ls\na\nb\n...\nd\n")
    assert command == "ls"
    assert find_missing(stretches, ["x", "a", "b", "c", "d"]) == []
    assert find_missing(stretches, ["a", "x", "b", "d"]) == ["a", "b"]
    assert find_missing(stretches, ["d", "a", "b"]) == ["d"]


@pytest.mark.full
@pytest.mark.parametrize("page", CONSOLES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_commands_print_what_the_page_says(page, tmp_path):
    for block in BLOCKS[page]:
        if is_file(block):
            (tmp_path / block.note).write_text(block.text)
        if block.language == "console" and not block.note:
            for command, stretches in list_commands(block.text):
                status, lines = run_on_terminal(command, tmp_path)
                shown = "\n".join(lines[-60:])
                assert find_missing(stretches, lines) == [], f"{command}\n{shown}"
                assert status == 0 or (status == 1 and any(stretches)), f"{command}: status {status}\n{shown}"


def test_a_file_is_there_for_the_commands_of_its_page():
    with_files = {page for page, blocks in BLOCKS.items() if any(map(is_file, blocks))}
    assert with_files
    assert with_files - {*CONSOLES} - ELSEWHERE == set()
