from __future__ import annotations

import pytest

from oracle.harness import UnfitConfiguration, read_table


def test_the_table_is_read(tmp_path):
    path = tmp_path / "pyproject.toml"
    assert read_table(path) == {}
    path.write_text("[tool.other]\na = 1\n")
    assert read_table(path) == {}
    path.write_text('[tool.fuzz]\nsubject = "library"\n')
    assert read_table(path) == {"subject": "library"}


@pytest.mark.parametrize("text", ["[tool.fuzz", "[tool]\nfuzz = 1\n", "x = '\ud800'", "#" * (2 << 20)])
def test_an_unfit_file_is_named(text, tmp_path):
    path = tmp_path / "pyproject.toml"
    path.write_bytes(text.encode(errors="surrogatepass"))
    with pytest.raises(UnfitConfiguration, match=r"pyproject\.toml"):
        read_table(path)
