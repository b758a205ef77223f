"""Workflows and forms parse, scripts are explained, and the action for other libraries works."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import tfnp
from fuzz.adapters import REQUIREMENTS
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


RUN = [path for part in ("workflows", "actions") for path in sorted((ROOT / ".github" / part).rglob("*.yml"))]


@pytest.mark.parametrize("path", RUN, ids=lambda path: path.name)
def test_every_workflow_and_action_parses(path):
    found = read_yaml(path.read_text())
    assert "jobs" in found or found["runs"]["using"] == "composite"


BRACES = re.compile(r"\{([^{}]*)\}")


def expand_braces(text):
    """Return the names that tox makes of `{a,b}-{c,d}`."""
    if (match := BRACES.search(text)) is None:
        return [text]
    return [name for one in match[1].split(",") for name in expand_braces(text.replace(match[0], one, 1))]


def list_environments():
    sections = re.findall(r"^\[testenv:(.*)\]$", (ROOT / "tox.ini").read_text(), re.MULTILINE)
    return {name for section in sections for name in expand_braces(section)}


def list_named_environments():
    """Return the environments of tox that workflows, scripts and documents name."""
    files = [
        *RUN,
        *SCRIPTS,
        ROOT / ".ci/run",
        GUIDE,
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *ROOT.glob("docs/*.md"),
    ]
    texts = [re.findall(r"tox (?:exec )?-e ([a-z][\w.,-]*)", path.read_text()) for path in files]
    matrices = [
        job["strategy"]["matrix"]
        for path in sorted((ROOT / ".github/workflows").glob("*.yml"))
        for job in read_yaml(path.read_text())["jobs"].values()
        if "strategy" in job
    ]
    chosen = [name for matrix in matrices for name in matrix.get("environment", ())]
    included = [
        row["command"].split()[0] for matrix in matrices for row in matrix.get("include", ()) if "command" in row
    ]
    return {name for text in texts for part in text for name in part.split(",")} | {*chosen, *included}


def test_every_environment_that_is_named_exists():
    named = list_named_environments()
    assert {"tests", "fuzz", "package", "lowest-py312", "prereleases", "oracle-coverage"} <= named
    assert named - list_environments() == set()


def test_a_change_tries_every_environment_of_packages():
    (packages,) = [read_yaml((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]["packages"]]
    tried = {name for name in list_environments() if name.startswith(("lowest", "highest"))} | {
        "docs",
        "package",
        "numpy",
    }
    assert {*packages["strategy"]["matrix"]["environment"]} == tried


def test_every_week_libraries_are_installed_as_surveys_install_them():
    jobs = read_yaml((ROOT / ".github/workflows/libraries.yml").read_text())["jobs"]
    rows = jobs["library"]["strategy"]["matrix"]["include"]
    assert {row["subject"]: row["package"] for row in rows} == {
        row["subject"]: REQUIREMENTS[row["subject"]][0] for row in rows
    }
    command = next(step["run"] for step in jobs["survey"]["steps"] if "array-oracle" in step.get("run", ""))
    surveyed = set(command.split()[-1].split(","))
    assert surveyed == {*REQUIREMENTS, "numpy.ma"}


def test_both_distributions_are_published_without_a_token():
    text = (ROOT / ".github/workflows/publish.yml").read_text()
    publish = read_yaml(text)["jobs"]["publish"]
    assert publish["permissions"] == {"id-token": "write"}
    assert publish["environment"] == "release"
    assert "--trusted-publishing always dist/*" in text
    assert not re.search(r"secrets|password|[^-]token:", text)


def test_the_changelog_begins_with_this_version_and_can_be_read():
    text = (ROOT / "CHANGELOG.md").read_text()
    sections = text.split("\n## ")
    assert sections[1].startswith(f"{tfnp.__version__}\n") or sections[1].startswith("Unreleased\n")
    (released,) = [section for section in sections if section.startswith(f"{tfnp.__version__}\n")]
    assert released.count("\n") <= 60


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


def test_the_action_installs_the_harness_of_this_repository():
    (step,) = [
        one
        for one in read_yaml((ACTION / "action.yml").read_text())["runs"]["steps"]
        if "HARNESS" in one.get("env", {})
    ]
    folder = re.search(r"\$\{HARNESS:-\$GITHUB_ACTION_PATH/(.*?)\}", step["run"])[1]
    assert (ACTION / folder).resolve() == ROOT / "fuzz"
    assert (ROOT / "fuzz/pyproject.toml").exists()


def test_the_action_hands_its_inputs_to_the_script():
    action = read_yaml((ACTION / "action.yml").read_text())
    (judge,) = [step for step in action["runs"]["steps"] if step.get("id") == "judge"]
    handed = {value for text in judge["env"].values() for value in re.findall(r"inputs\.(\w+)", text)}
    assert handed == set(action["inputs"]) - {"harness"}
    script = (ACTION / "judge").read_text()
    assert all(f"${name}" in script or f"${{{name}" in script for name in judge["env"])
    assert all(step.get("shell") == "bash" for step in action["runs"]["steps"] if "run" in step)


def test_the_history_is_restored_before_it_is_fed_and_kept_afterwards():
    workflow = read_yaml((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]["report"]["steps"]
    action = read_yaml((ACTION / "action.yml").read_text())["runs"]["steps"]
    for steps, feeds in ((workflow, "ci/merge"), (action, "judge")):
        kinds = [step.get("uses", "").partition("@")[0] for step in steps]
        feeding = next(index for index, step in enumerate(steps) if feeds in step.get("run", ""))
        restoring, keeping = kinds.index("actions/cache/restore"), kinds.index("actions/cache/save")
        assert restoring < feeding < keeping
        assert all(".fuzz/history.sqlite" in steps[index]["with"]["path"] for index in (restoring, keeping))
    assert "--history .fuzz/history.sqlite" in (ROOT / "ci/merge").read_text()
    assert (ACTION / "judge").read_text().count('--history "$history"') == 3


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """A repository with a library in it, of which one function was right in the commit before."""
    folder = tmp_path_factory.mktemp("library")
    source = (ROOT / "tests/fuzz/planted_many.py").read_text()
    git = ("git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
    subprocess.run([*git, "init", "--quiet"], check=True)
    for text in (source.replace("np.negative(x, *args, **kwargs) + 1", "np.negative(x, *args, **kwargs)"), source):
        (folder / "lib_of_mine.py").write_text(text)
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "--quiet", "-m", "a change"], check=True)
    return folder


def environment(folder, **others):
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return {**os.environ, "PATH": path, "PYTHONPATH": f"{ROOT}{os.pathsep}{folder}", **others}


FAKE = """#!/usr/bin/env bash
# Stands for python: campaigns and merges only leave a summary, and end as they are told.
case "$1 $2 $3" in
  "-m fuzz run") status=$RUN_STATUS ;;
  "-m fuzz merge") status=$MERGE_STATUS ;;
  *) exec "$REAL" "$@" ;;
esac
directory=$(sed 's/.*--out \\([^ ]*\\).*/\\1/' <<< "$*")
if [ "$status" != 2 ]; then
  mkdir -p "$directory/cases"
  echo '{"causes": []}' > "$directory/summary.json"
fi
exit "$status"
"""


def act(library, folder, **told):
    """What the script of the action does in the library's repository, if campaigns and merges end as told."""
    (folder / "bin").mkdir()
    (folder / "bin/python").write_text(FAKE)
    (folder / "bin/python").chmod(0o755)
    told = {"SUBJECT": "lib_of_mine", "OUT": str(folder / "out"), "CORPUS": str(folder / "corpus")} | told
    environ = environment(library, REAL=sys.executable, RUN_STATUS="0", MERGE_STATUS="0") | told
    environ["PATH"] = os.pathsep.join([str(folder / "bin"), environ["PATH"]])
    command = ["bash", str(ACTION / "judge")]
    return subprocess.run(command, cwd=library, env=environ, capture_output=True, text=True, check=False)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("told", "status", "last"),
    [
        (
            {"RUN_STATUS": "2"},
            2,
            "judge ended while running the campaign {out}-all, with status 2; complete runs: none",
        ),
        (
            {"MERGE_STATUS": "2", "BASE": "HEAD~1"},
            2,
            "judge ended while making the report {out}, with status 2; complete runs: {out}-changed {out}-all",
        ),
        ({"TIME": "soon"}, 1, "judge ended while finding out what has changed, with status 1; complete runs: none"),
    ],
    ids=["usage error", "merge", "time"],
)
def test_the_action_says_why_there_is_no_report(library, tmp_path, told, status, last):
    done = act(library, tmp_path, **told)
    assert done.returncode == status, done.stderr
    expected = "::error title=No report::" + last.format(out=tmp_path / "out")
    assert done.stdout.splitlines()[-1] == expected
    assert not (tmp_path / "out").exists()


@pytest.mark.sample(1)
@pytest.mark.parametrize("status", [3, 1, 0])
def test_the_action_ends_with_a_report_whatever_a_campaign_ends_with(library, tmp_path, status):
    done = act(library, tmp_path, RUN_STATUS=str(status), BASE="HEAD~1")
    assert done.returncode == status, done.stderr
    assert "::error" not in done.stdout
    assert f"directory={tmp_path / 'out'}" in done.stdout
    assert (tmp_path / "out/summary.json").exists()


def test_the_action_judges_everything_if_the_base_is_not_there(library, tmp_path):
    done = act(library, tmp_path, BASE="0" * 40)
    assert done.returncode == 0, done.stderr
    assert "::warning::judge cannot tell what has changed since 0000" in done.stdout
    assert (tmp_path / "out/summary.json").exists()


def test_a_report_that_is_not_there_fails_the_job():
    files = [ACTION / "action.yml", ROOT / ".github/workflows/ci.yml"]
    found = [read_yaml(path.read_text()) for path in files]
    steps = [*found[0]["runs"]["steps"], *steps_of(found[1])]
    uploads = [step for step in steps if "upload-artifact" in step.get("uses", "")]
    assert len(uploads) == 3
    assert all(step["with"]["if-no-files-found"] == "error" for step in uploads)


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
