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


UNFIT = ["[tool.fuzz", "[tool]\nfuzz = 1\n", "x = '\ud800'", "#" * (2 << 20)]
DEEP = ["x = " + "[" * 100_000, "a." * 100_000 + "b = 1", "[" + "a . " * 50_000 + "b]", '"a".' * 50_000 + "b = 1"]
DEEP += ["x = " + "{a=" * 50_000, "x = " + "9" * 5000]


@pytest.mark.parametrize("text", [*UNFIT, *DEEP], ids=lambda text: text[:12])
def test_an_unfit_file_is_named(text, tmp_path):
    path = tmp_path / "pyproject.toml"
    path.write_bytes(text.encode(errors="surrogatepass"))
    with pytest.raises(UnfitConfiguration, match=r"pyproject\.toml"):
        read_table(path)


def test_a_list_without_end_is_refused(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.fuzz]\nnames = [" + '"a*", ' * 2001 + "]\n")
    with pytest.raises(UnfitConfiguration, match="names has more than 2,000 entries"):
        read_table(tmp_path / "pyproject.toml")
