from __future__ import annotations

import subprocess
import sys

import pytest

from fuzz.releases.environments import Unavailable, check_package, list_releases, make_environment
from tests.fuzz.releases.wheels import use_index, write_wheel


@pytest.fixture
def index(tmp_path, monkeypatch):
    folder = tmp_path / "index"
    folder.mkdir()
    for version in ("1.0", "1.9", "1.10", "2.0rc1"):
        write_wheel(folder, "fickle", version, f"VERSION = {version!r}\n")
    write_wheel(folder, "needy", "1.0", "", ["fickle<1.5"])
    use_index(monkeypatch, folder)
    return folder


def ask(python, code):
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_final_releases_are_listed_the_newest_first(index):
    assert [*list_releases("fickle")] == ["1.10", "1.9", "1.0"]
    with pytest.raises(Unavailable, match=r"^no release of unheard for "):
        next(list_releases("unheard"))


def test_an_environment_has_what_was_asked_for_and_is_kept(index, tmp_path):
    python = make_environment(("fickle==1.9",), sys.executable, tmp_path / "kept")
    assert ask(python, "import fickle; print(fickle.VERSION)") == "1.9"
    index.joinpath("fickle-1.9-py3-none-any.whl").unlink()
    assert make_environment(("fickle==1.9",), sys.executable, tmp_path / "kept") == python
    with pytest.raises(Unavailable, match=r"fickle==1\.9, needy: "):
        make_environment(("fickle==1.9", "needy"), sys.executable, tmp_path / "kept")


def test_what_does_not_fit_together_is_unavailable(index, tmp_path):
    with pytest.raises(Unavailable, match=r"^fickle==1\.10, needy: .*needy"):
        make_environment(("fickle==1.10", "needy"), sys.executable, tmp_path / "kept")
    assert not [*tmp_path.joinpath("kept").glob("*/ready")]


@pytest.mark.parametrize("name", ["", "-rfile", "a b", "../x", "x==1", "x; y"])
def test_only_names_of_packages_are_asked_for(name):
    with pytest.raises(Unavailable, match="is no name of a package"):
        check_package(name)
