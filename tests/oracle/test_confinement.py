"""What calls may write and remove: their own folder, and what libraries and the user need."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from oracle.harness import Lease, Sandbox, Unconfined
from oracle.sandbox import confinement, pool
from tests.oracle.hostile import CHANGES


@pytest.fixture(autouse=True)
def hostile_module(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(Path(__file__).parent)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()


def make_place(folder):
    """A folder with a file and an empty folder."""
    (folder / "empty").mkdir(parents=True)
    (folder / "file").write_text("mine")
    return folder


def list_content(folder):
    return {str(path.relative_to(folder)): path.is_file() and path.read_text() for path in folder.rglob("*")}


def change(*items):
    """What becomes of changes by calls in a sandbox, each in a worker of its own."""
    with Sandbox(1, modules=["numpy"]) as box:
        leases = [Lease(number, "hostile:change", [item], fresh=True) for number, item in enumerate(items)]
        return [reply.results[0] for reply in sorted(box.run(leases), key=lambda reply: reply.index)]


def test_a_call_changes_nothing_outside_its_folder(tmp_path):
    place = make_place(tmp_path / "place")
    before = list_content(place)
    found = dict(zip(CHANGES, change(*((kind, place) for kind in CHANGES)), strict=True))
    assert list_content(place) == before
    assert found.pop("remove by a program") == "CalledProcessError"
    assert set(found.values()) <= {"PermissionError", "OSError"}


def test_a_call_changes_what_it_is_for(tmp_path, monkeypatch):
    """Its own folder, caches, devices, shared memory, and what the user names."""
    monkeypatch.setenv("MPLCONFIGDIR", str(tmp_path / "plots"))
    monkeypatch.setenv("XLA_FLAGS", f"--xla_dump_to={tmp_path / 'dumps'} --xla_dump_hlo_as_text")
    monkeypatch.setenv(confinement.WRITABLE, f"{tmp_path / 'one'}:{tmp_path / 'two'}:{tmp_path / 'alone' / 'file'}")
    names = ("plots", "dumps", "one", "two", "home/.cache/library", "home/.cupy")
    places = [make_place(tmp_path / name) for name in names]
    make_place(tmp_path / "alone")
    items = [(kind, place) for place in places for kind in ("make", "make a folder", "remove a folder", "remove")]
    items += [("overwrite", tmp_path / "alone"), ("make", "."), ("make", "/dev/shm"), ("remove", tmp_path / "alone")]
    Path("/dev/shm/new").unlink(missing_ok=True)
    assert change(*items) == [""] * (len(items) - 1) + ["PermissionError"]
    Path("/dev/shm/new").unlink()
    assert all(sorted(path.name for path in place.iterdir()) == ["folder", "new"] for place in places)
    assert list_content(tmp_path / "alone") == {"empty": False, "file": "changed"}


@pytest.mark.parametrize("path", ["/dev/null", "/dev/urandom", "/proc/self/oom_score_adj"])
def test_a_call_writes_to_devices_that_hold_nothing_and_to_its_own_process(path):
    assert change(("open", path)) == [""]


@pytest.mark.parametrize(
    "path", ["/dev/ptmx", "/proc/sys/kernel/core_pattern", "/proc/1/comm", "/proc/{}/oom_score_adj"]
)
def test_a_call_writes_to_no_terminal_no_setting_of_the_kernel_and_no_other_process(path):
    assert change(("open", path.format(os.getpid()))) in (["PermissionError"], ["OSError"])


def test_a_user_who_names_the_root_directory_has_no_confinement(tmp_path, monkeypatch):
    place = make_place(tmp_path / "place")
    monkeypatch.setenv(confinement.WRITABLE, "/")
    assert change(("make", place)) == [""]


def test_caches_beside_sources_are_kept_in_the_home_directory(monkeypatch):
    """A library that finds out when it is imported where it may write must find out what holds for calls."""
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert confinement.make_cache_variables() == {"NUMBA_CACHE_DIR": f"{os.environ['HOME']}/.cache/numba"}
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert confinement.make_cache_variables() == {"NUMBA_CACHE_DIR": "/caches/numba"}


@pytest.fixture
def root_of_an_old_kernel(monkeypatch):
    monkeypatch.setattr(confinement, "find_version", lambda: 0)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(pool, "may_administer", lambda: True)
    monkeypatch.delenv(confinement.ALLOW_ROOT, raising=False)


def test_root_of_a_machine_runs_no_unconfined_calls(root_of_an_old_kernel):
    with pytest.raises(Unconfined, match=r"pass --allow-root \(or set ORACLE_ALLOW_ROOT=1\)"):
        Sandbox(1, modules=["numpy"]).open()


def test_root_runs_unconfined_calls_if_it_is_allowed(root_of_an_old_kernel, monkeypatch):
    monkeypatch.setenv(confinement.ALLOW_ROOT, "1")
    assert confinement.describe_danger() == ""


def test_root_of_a_container_is_told(root_of_an_old_kernel, monkeypatch):
    """What it could remove is the container's, as in most jobs of continuous integration."""
    monkeypatch.setattr(pool, "may_administer", lambda: False)
    told = []
    with Sandbox(1, modules=["numpy"], notice=told.append):
        pass
    assert told == [confinement.describe_danger()]
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert confinement.describe_danger() == ""
