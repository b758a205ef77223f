"""Temporary folders of sandboxes: held while somebody lives, removed in whatever way all end."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from oracle.sandbox import folders
from oracle.sandbox.folders import Folder, hold, remove_abandoned


@pytest.fixture(autouse=True)
def temporary(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_that_nobody_holds_is_removed_with_what_is_in_it(temporary):
    for name in ("oracle-sandbox-abandoned", "oracle-other", "sandbox"):
        (temporary / name / "folder").mkdir(parents=True)
        (temporary / name / "folder" / "file").touch()
    (temporary / "oracle-sandbox-file").touch()
    (temporary / "oracle-sandbox-link").symlink_to(temporary / "sandbox")
    remove_abandoned()
    left = {"oracle-other", "sandbox", "oracle-sandbox-file", "oracle-sandbox-link"}
    assert {path.name for path in temporary.iterdir()} == left
    assert (temporary / "sandbox/folder/file").exists()


def test_a_folder_is_removed_however_deep_and_closed_it_is(temporary):
    """Neither recursion nor the longest path ends it, and what a link names stays."""
    outside = temporary / "outside"
    outside.mkdir()
    (outside / "file").touch()
    root = temporary / "oracle-sandbox-deep"
    root.mkdir()
    descriptor = os.open(root, os.O_RDONLY)
    for depth in range(3000):
        os.mkdir("inner", dir_fd=descriptor)
        os.symlink(outside, "link", dir_fd=descriptor)
        inner = os.open("inner", os.O_RDONLY, dir_fd=descriptor)
        if depth % 1000 == 0:
            os.fchmod(descriptor, 0)
        os.close(descriptor)
        descriptor = inner
    os.close(descriptor)
    remove_abandoned()
    assert [path.name for path in temporary.iterdir()] == ["outside"]
    assert (outside / "file").exists()


def test_a_folder_that_was_removed_before_it_was_held_is_made_again(temporary, monkeypatch):
    """By a sandbox that started at the same time."""
    held = []

    def hold_second(path):
        held.append(path)
        if len(held) == 1:
            remove_abandoned()
        return hold(path)

    monkeypatch.setattr(folders, "hold", hold_second)
    folder = Folder()
    assert len(held) == 2
    assert os.path.isdir(folder.path)
    folder.remove()


PROGRAM = """
import time
from oracle.harness import Sandbox
box = Sandbox(1, modules=["numpy"])
box.open()
print(box._server._process.pid, flush=True)
time.sleep(3600)
"""


def test_what_processes_left_that_were_all_killed_at_once_is_removed(temporary):
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2]), "TMPDIR": str(temporary)}
    command = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as parent:
        server = os.pidfd_open(int(parent.stdout.readline()))
        parent.send_signal(signal.SIGSTOP)  # it must not remove the folder of its fork server
        signal.pidfd_send_signal(server, signal.SIGKILL)
        assert select.select([server], [], [], 60.0)[0]
        (abandoned,) = temporary.iterdir()
        folder = Folder()
        assert abandoned.exists(), "one of them lives"
        parent.kill()
    os.close(server)
    Folder().remove()
    folder.remove()
    assert not list(temporary.iterdir())
