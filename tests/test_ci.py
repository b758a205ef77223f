"""What continuous integration runs: workflows that parse, scripts that are explained, an action for other libraries."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from oracle import Case

ROOT = Path(__file__).parent.parent
ACTION = ROOT / ".github/actions/judge"
GUIDE = ROOT / "ci/README.md"
SCRIPTS = [path for path in (ROOT / "ci").iterdir() if path.is_file() and not path.suffix]  # Python caches there, too


def read_yaml(text):
    return yaml.safe_load(text)


def examples():
    return re.findall(r"```yaml\n(.*?)```", GUIDE.read_text(), re.DOTALL)


def steps_of(workflow):
    return [step for job in workflow["jobs"].values() for step in job.get("steps", ())]


@pytest.mark.parametrize("path", sorted((ROOT / ".github").rglob("*.yml")), ids=lambda path: path.name)
def test_every_workflow_and_action_parses(path):
    found = read_yaml(path.read_text())
    assert "jobs" in found or found["runs"]["using"] == "composite"


def test_every_script_is_explained_and_can_be_run():
    assert {"tests", "fuzz", "merge", "pin"} <= {script.name for script in SCRIPTS}
    for script in SCRIPTS:
        assert f"`ci/{script.name}`" in GUIDE.read_text()
        assert os.access(script, os.X_OK)
    assert os.access(ACTION / "judge", os.X_OK)


def test_scripts_are_valid_bash():
    for script in (*SCRIPTS, ACTION / "judge"):
        subprocess.run(["bash", "-n", script], check=True)


def test_the_examples_parse_and_ask_for_what_the_action_takes():
    inputs = read_yaml((ACTION / "action.yml").read_text())["inputs"]
    found = [step for text in examples() for step in steps_of(read_yaml(text)) if "judge" in step.get("uses", "")]
    assert len(found) >= 2
    for step in found:
        assert set(step["with"]) <= set(inputs)
        assert "subject" in step["with"]


def test_the_shortest_example_has_ten_lines():
    job = examples()[0].partition("steps:")[2]
    assert len([line for line in job.splitlines() if line.strip()]) <= 10


def test_the_action_hands_its_inputs_to_the_script():
    action = read_yaml((ACTION / "action.yml").read_text())
    (judge,) = [step for step in action["runs"]["steps"] if step.get("id") == "judge"]
    handed = {value for text in judge["env"].values() for value in re.findall(r"inputs\.(\w+)", text)}
    assert handed == set(action["inputs"]) - {"harness"}
    script = (ACTION / "judge").read_text()
    assert all(f"${name}" in script or f"${{{name}" in script for name in judge["env"])
    assert all(step.get("shell") == "bash" for step in action["runs"]["steps"] if "run" in step)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """A repository with a library in it, of which one function has changed since the commit before."""
    folder = tmp_path_factory.mktemp("library")
    source = (ROOT / "tests/fuzz/planted_arrays.py").read_text()
    git = ("git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
    subprocess.run([*git, "init", "--quiet"], check=True)
    for text in (re.sub(r"(def negative\(.*\n)", r"\1    # before\n", source), source):
        (folder / "lib_of_mine.py").write_text(text)
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "--quiet", "-m", "a change"], check=True)
    return folder


def environment(folder, **others):
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return {**os.environ, "PATH": path, "PYTHONPATH": f"{ROOT}{os.pathsep}{folder}", **others}


@pytest.mark.full
def test_the_action_judges_a_library_and_keeps_what_it_found(library):
    output, corpus = library / "output", library / ".fuzz/corpus"
    corpus.mkdir(parents=True)
    (corpus / "earlier.json").write_text(Case("negative", (1,)).json())
    told = {"SUBJECT": "lib_of_mine", "NAMES": "add", "TIME": "4s", "SEED": "3", "JOBS": "1", "MODES": "eager"}
    told |= {"BASE": "HEAD~1", "BASELINE": "none.json", "GITHUB_OUTPUT": str(output), "SIGNATURES": "off"}
    command = ["bash", str(ACTION / "judge")]
    environ = environment(library, **told)
    done = subprocess.run(command, cwd=library, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert "Cases that earlier runs found" in done.stdout
    assert "earlier.json" in done.stdout
    (changed,) = re.findall("^Changed since HEAD~1: (.*)", done.stdout, re.MULTILINE)
    assert "negative" in changed.split()
    assert "add" not in changed.split()
    outputs = dict(line.split("=") for line in output.read_text().splitlines())
    summary = json.loads((library / outputs["directory"] / "summary.json").read_text())
    assert "negative" in {row["name"] for row in summary["findings"]}
    assert "add" in summary["by_name"]
    assert int(outputs["causes"]) == len(summary["causes"]) > 0
    assert (library / outputs["directory"] / "report.html").exists()
    assert {path.stem for path in corpus.iterdir()} == {"earlier", *(row["id"] for row in summary["findings"])}
