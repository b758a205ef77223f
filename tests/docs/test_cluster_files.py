"""The files of docs/harness/cluster.md: what a machine without Slurm and Kubernetes can tell of them."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
from pathlib import Path

import pytest
import yaml
from distributed.cli import dask_scheduler, dask_worker

from tests.docs.test_commands import find_unknown

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs/harness/cluster"
PAGE = FOLDER.with_suffix(".md")
DASK = {"scheduler": dask_scheduler.main, "worker": dask_worker.main}


def find_unknown_of_dask(words):
    """Return the option that `dask scheduler` or `dask worker` does not have, or an empty text."""
    known = {option for parameter in DASK[words[0]].params for option in (*parameter.opts, *parameter.secondary_opts)}
    return next((word for word in words if word.startswith("--") and word not in known), "")


def list_dask_commands():
    texts = [path.read_text() for path in (PAGE, *FOLDER.iterdir())]
    return [
        shlex.split(found.partition("#")[0])
        for text in texts
        for found in re.findall(r"\bdask ((?:worker|scheduler) [^\n`]*)", text)
        if "--" in found
    ]


def test_the_page_shows_every_file():
    shown = re.findall(r"\{literalinclude\} cluster/(\S+)", PAGE.read_text())
    assert sorted(shown) == sorted(path.name for path in FOLDER.iterdir())


def test_the_commands_of_dask_have_their_options():
    commands = list_dask_commands()
    assert len(commands) >= 2
    assert [words for words in commands if find_unknown_of_dask(words)] == []
    assert find_unknown_of_dask(["worker", "--threads", "1"]) == "--threads"


def test_the_shell_script_parses():
    done = subprocess.run(["bash", "-n", FOLDER / "workers.sh"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_program_for_slurm_passes_options_that_exist():
    source = (FOLDER / "slurm.py").read_text()
    lists = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.List)]
    words = [[item.value for item in one.elts if isinstance(item, ast.Constant)] for one in lists]
    (worker,) = [one for one in words if "--lifetime" in one]
    (run,) = [one for one in words if "run" in one]
    (where,) = [one for one in words if "--executor" in one]
    assert find_unknown_of_dask(["worker", *worker]) == ""
    assert run == ["-m", "fuzz", "run"]
    assert find_unknown(["run", *where]) == ""


@pytest.mark.parametrize("part", ["worker", "scheduler"])
def test_the_cluster_of_kubernetes_starts_dask_with_options_that_exist(part):
    cluster = yaml.safe_load((FOLDER / "kubernetes.yaml").read_text())
    assert (cluster["apiVersion"], cluster["kind"]) == ("kubernetes.dask.org/v1", "DaskCluster")
    (container,) = cluster["spec"][part]["spec"]["containers"]
    dask, *words = container["args"]
    assert (dask, words[0]) == ("dask", part)
    assert find_unknown_of_dask(words) == ""
    assert {"requests"} <= container["resources"].keys()


def test_the_service_of_kubernetes_finds_the_scheduler():
    cluster = yaml.safe_load((FOLDER / "kubernetes.yaml").read_text())
    scheduler = cluster["spec"]["scheduler"]
    ports = {port["name"]: port["containerPort"] for port in scheduler["spec"]["containers"][0]["ports"]}
    assert {port["targetPort"]: port["port"] for port in scheduler["service"]["ports"]} == ports
    name = cluster["metadata"]["name"]
    assert scheduler["service"]["selector"]["dask.org/cluster-name"] == name
    assert f"dask:tcp://{name}-scheduler:{ports['tcp-comm']}" in PAGE.read_text()
