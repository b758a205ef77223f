"""Commands in documents: they install from a clone, and the commands of the fuzzer have the options that are given."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from fuzz.__main__ import program
from fuzz.cli import MOVED

ROOT = Path(__file__).parents[2]
GENERATED = {"reference", "examples"}  # of docs
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "ci/README.md",
    ROOT / "fuzz/README.md",
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if page.parent.name not in GENERATED),
]


COMMAND = r"(?:python -m fuzz|tox -e fuzz --|(?<![\w=])array-oracle(?= [a-z-]+\b.*--)) [^`\n]+"


def list_commands():
    """Return a pair of file and words for each command of the fuzzer in a page; a comment ends it."""
    found = []
    for page in PAGES:
        for text in re.findall(COMMAND, page.read_text()):
            words = re.sub("^(?:tox -e fuzz --|python -m fuzz|array-oracle)", "", text.partition(" #")[0])
            words = f"run {words}" if text.startswith("tox") else words
            found.append((page.relative_to(ROOT).as_posix(), shlex.split(words.split(";")[0])))
    return found


def find_unknown(words):
    """Return the command or option that does not exist, or an empty text."""
    command = program.commands.get(words[0]) if not words[0].startswith("-") else program
    if words[0] == "lab" and len(words) > 1:
        command, words = command.commands.get(words[1]), words[1:]
    if command is None:
        return words[0]
    known = {option for parameter in command.params for option in parameter.opts} | {"-h", "--help"}
    return next((word for word in words if word.startswith("--") and word.partition("=")[0] not in known), "")


def test_the_fuzzers_commands_exist_with_their_options():
    commands = list_commands()
    assert len(commands) > 60
    wrong = [f"{page}: {' '.join(words)}: {unknown}" for page, words in commands if (unknown := find_unknown(words))]
    assert wrong == []


@pytest.mark.parametrize(("words", "unknown"), [("run --nothing", "--nothing"), ("nothing", "nothing"), ("run x", "")])
def test_an_unknown_command_is_seen(words, unknown):
    assert find_unknown(words.split()) == unknown


ANOTHER_MEANING = {
    "measure": "of lab",
    "faults": "of lab",
    "upstream": "of lab, and a key of summary.json",
    "allowances": "records of the corpus",
}


def test_no_page_names_a_command_that_has_another_name_now():
    names = "|".join(MOVED.keys() - ANOTHER_MEANING)
    gone = re.compile(rf"`(?:fuzz )?(?:{names})(?: [A-Z]\S*)?`")
    assert [f"{page.name}: {found}" for page in PAGES for found in gone.findall(page.read_text())] == []
    assert gone.findall("`report DIR` or `triage`") == ["`report DIR`", "`triage`"]


FROM_THE_INDEX = re.compile(r"pip install[^`#]*['\" ](tfnp|array-oracle)(?!\S* @)(?![\w/-])")


def test_documents_install_from_a_clone():
    """The distributions are on no index: `pip install tfnp` would find none, or another one."""
    lines = [f"{page.name}: {line.strip()}" for page in PAGES for line in page.read_text().splitlines()]
    assert [line for line in lines if FROM_THE_INDEX.search(line)] == []


def test_extras_that_documents_install_exist():
    """Extras are the harness's: those of tfnp need an index that has both distributions."""
    project = tomllib.loads((ROOT / "fuzz/pyproject.toml").read_text())["project"]
    matches = [re.findall(r"pip install ['\"]([^'\"]*)\[([\w,-]+)\]", page.read_text()) for page in PAGES]
    installed = [match for part in matches for match in part]
    assert len(installed) > 2
    for folder, extras in installed:
        assert folder in {"./fuzz", "./tfnp/fuzz"}
        assert {*extras.split(",")} <= project["optional-dependencies"].keys()


@pytest.mark.parametrize("name", ["tfnp", "'tfnp[fuzz]'", "array-oracle", '"array-oracle[cluster]"'])
def test_an_installation_from_the_index_is_seen(name):
    assert FROM_THE_INDEX.search(f"python -m pip install {name}")
    assert not FROM_THE_INDEX.search(f"python -m pip install ./fuzz  # {name}")


COUNT = re.compile(r"(\d+) bugs")


def test_the_count_of_bugs_is_true():
    pages = list((ROOT / "docs/upstream").glob("*/*.md"))
    libraries = len({page.parent for page in pages})
    for page in ("README.md", "docs/index.md"):
        text = (ROOT / page).read_text()
        assert {int(count) for count in COUNT.findall(text)} == {len(pages)}
        assert ("twelve libraries" in text) == (libraries == 12), f"{page}: {libraries} libraries"
