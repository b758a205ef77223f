from __future__ import annotations

import subprocess

import pytest

from fuzz.history.revision import find_revision


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository with a module `shown_module`, and one that is ignored."""
    (tmp_path / "shown_module.py").write_text("")
    (tmp_path / ".gitignore").write_text("installed\n")
    for words in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a", "commit", "-qm", "first"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    (tmp_path / "installed").mkdir()
    (tmp_path / "installed" / "other_module.py").write_text("")
    for path in (tmp_path, tmp_path / "installed"):
        monkeypatch.syspath_prepend(str(path))
    monkeypatch.chdir(tmp_path / "installed")
    return tmp_path


def test_the_commit_is_that_of_the_subjects_sources(repository):
    found = find_revision("shown_module.part")
    assert len(found) == 40
    (repository / "shown_module.py").write_text("1")
    assert find_revision("shown_module") == f"{found}+"


def test_an_installed_subject_has_no_commit_unless_its_sources_are_here(repository, monkeypatch):
    monkeypatch.chdir(repository)
    assert find_revision("other_module") == find_revision("no_such_module") == ""
    (repository / "src" / "other_module").mkdir(parents=True)
    assert len(find_revision("other_module")) == 40
