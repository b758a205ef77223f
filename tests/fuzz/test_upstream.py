"""Bugs of other libraries: what scripts say, how they run, the pages, the check, and findings that look like them."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from fuzz.__main__ import main
from fuzz.cli.upstream import find_named_bugs
from fuzz.repro.runner import Ending, rerun
from fuzz.upstream.bugs import EFFECTS, VERDICTS, UnfitScript, find_scripts_folder, read_bug, read_bugs
from fuzz.upstream.observation import judge, observe, read_observations
from fuzz.upstream.pages import render_pages
from fuzz.upstream.recognition import find_library, load_bugs, recognise
from oracle.harness import NAMES

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "upstream"
SCRIPTS = PAGES / "scripts"
BUGS = {bug.id: bug for bug in read_bugs(SCRIPTS)}
OBSERVED = read_observations(PAGES / "observed")

FIELDS = {
    "op": '["sort"]',
    "part": '"C"',
    "modes": '["eager"]',
    "dtypes": '["float64"]',
    "effect": '"wrong value"',
    "verdict": '"defect"',
    "search": '"not found"',
}
METHODS = (".reduce", ".accumulate", ".reduceat", ".at")
SHOWS = 'import sys\n\nprint("expected", 1)\nprint("actual  ", 2)\nsys.exit(1)\n'
IS_GONE = 'import sys\n\nprint("expected", 1)\nprint("actual  ", 1)\nsys.exit(0)\n'


def write(
    folder, name="sort_wrong", code=SHOWS, docstring="It sorts 1 * 2 [wrongly].\n\nNobody knows why.\n", **fields
):
    """A script about NumPy, which is imported faster than others are."""
    lines = "\n".join(f"# {key} = {value}" for key, value in (FIELDS | fields).items() if value is not None)
    path = folder / "docs" / "upstream" / "scripts" / "numpy" / f"{name}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'"""{docstring}"""\n\n# /// upstream\n{lines}\n# ///\n\n{code}')
    return path


def run(folder, *words):
    return main(["lab", "upstream", "--folder", str(folder / "docs" / "upstream"), *words])


class TestScripts:
    def test_a_script_says_what_there_is_to_say(self, tmp_path):
        bug = read_bug(write(tmp_path, reason='"""\n# a long\n# reason"""', verdict='"arguable"', seconds="3"))
        assert (bug.id, bug.page, bug.title) == ("numpy-sort-wrong", "numpy/sort_wrong", "It sorts 1 * 2 [wrongly]")
        assert (bug.text, bug.reason, bug.seconds) == ("Nobody knows why.", "a long reason", 3)
        assert bug.code == SHOWS

    @pytest.mark.parametrize("fields", [{"op": None}, {"number": "1"}, {"op": "["}])
    def test_a_field_that_is_missing_unknown_or_no_toml_is_a_mistake(self, tmp_path, fields):
        with pytest.raises(UnfitScript, match="sort_wrong"):
            read_bug(write(tmp_path, **fields))

    def test_a_script_has_a_docstring_and_a_block(self, tmp_path):
        path = write(tmp_path)
        path.write_text(SHOWS)
        with pytest.raises(UnfitScript, match="a block"):
            read_bug(path)

    def test_those_of_the_checkout_are_found_and_fit(self):
        assert find_scripts_folder() == SCRIPTS
        assert len(BUGS) > 80
        assert {bug.effect for bug in BUGS.values()} == set(EFFECTS)
        for bug in BUGS.values():
            check_fields(bug)

    def test_they_are_plain_library_code(self):
        for bug in BUGS.values():
            assert not any(name in bug.code for name in ("tfnp", "oracle", "fuzz")), bug.id
            assert "expected" in bug.code, bug.id

    def test_names_are_such_as_campaigns_have(self):
        for bug in BUGS.values():
            assert not [name for name in bug.names if name not in NAMES and not name.endswith(METHODS)], bug.id


def check_fields(bug):
    """Lists have texts, words are of the page's vocabulary, and no field contradicts another."""
    lists = (bug.op, bug.modes, bug.dtypes, bug.issues, bug.workarounds, bug.names, bug.signals)
    assert all(isinstance(one, tuple) and all(isinstance(text, str) for text in one) for one in lists), bug.id
    assert all((bug.op, bug.dtypes, bug.modes, bug.part, bug.text, len(bug.title) < 110)), bug.id
    assert set(bug.modes) <= {"eager", "graph", "xla", "jit", "vmap", "grad", "compile"}, bug.id
    assert bug.verdict in VERDICTS, bug.id
    assert bug.search in ("reported", "not found", "not searched"), bug.id
    assert all(re.fullmatch(r"[\w.-]+/[\w.-]+#\d+", issue) for issue in bug.issues), bug.id
    assert all(re.fullmatch("SIG[A-Z]+", name) for name in bug.signals), bug.id
    assert bool(bug.issues) == (bug.search == "reported"), bug.id
    assert bool(bug.reason) == (bug.verdict != "defect"), bug.id
    assert bool(bug.signals) == (bug.effect == "crash"), bug.id
    assert re.fullmatch("[a-z0-9_]+", bug.name), bug.id
    assert re.compile(bug.shows)


class TestWorkarounds:
    def test_every_bug_that_a_comment_names_is_known_and_names_the_file(self):
        found = {}
        for path in sorted(path for package in ("tfnp", "oracle") for path in (ROOT / package).rglob("*.py")):
            for line in path.read_text().splitlines():
                for key in find_named_bugs(line):
                    found.setdefault(key, set()).add(path.relative_to(ROOT).as_posix())
                assert ("# Upstream" in line) == bool(find_named_bugs(line)), f"{path}: {line}"
        assert found == {key: set(bug.workarounds) for key, bug in BUGS.items() if bug.workarounds}


class TestEndings:
    @pytest.mark.parametrize(
        ("effect", "ending", "status"),
        [
            ("wrong value", Ending(1, None, False, "expected 1\nactual 2\n"), "there"),
            ("wrong value", Ending(0, None, False, "expected 1\nactual 1\n"), "gone"),
            ("wrong value", Ending(1, None, False, "Traceback (most recent call last):\n"), "unclear"),
            ("wrong value", Ending(70, None, False, "expected 1\nTraceback (most recent call last):\n"), "unclear"),
            ("wrong value", Ending(1, None, False, ""), "unclear"),
            ("wrong value", Ending(-9, "SIGKILL", True, "expected 1\n"), "unclear"),
            ("wrong value", Ending(-6, "SIGABRT", False, "expected 1\n"), "unclear"),
            ("crash", Ending(-6, "SIGABRT", False, "expected a result\n"), "there"),
            ("crash", Ending(-11, "SIGSEGV", False, "expected a result\n"), "unclear"),
            ("crash", Ending(0, None, False, "expected a result\nactual an error\n"), "gone"),
            ("crash", Ending(1, None, False, "expected a result\nactual an error\n"), "unclear"),
            ("crash", Ending(-6, "SIGABRT", True, "expected a result\n"), "unclear"),
            ("hang", Ending(-9, "SIGKILL", True, "expected an end\n"), "there"),
            ("hang", Ending(0, None, False, "expected an end\nactual an end\n"), "gone"),
            ("error", Ending(1, None, False, "expected 1\nactual an error\n"), "there"),
        ],
    )
    def test_an_ending_shows_a_bug_or_none_or_neither(self, tmp_path, effect, ending, status):
        signals = '["SIGABRT"]' if effect == "crash" else None
        bug = read_bug(write(tmp_path, effect=f'"{effect}"', signals=signals))
        assert judge(bug, ending).status == status

    @pytest.mark.full
    def test_memory_is_limited(self, tmp_path):
        path = tmp_path / "large.py"
        path.write_text("block = bytearray(1 << 30)\n")
        assert "MemoryError" in rerun(path, 30, ("numpy",), memory_bytes=256 << 20).output
        assert rerun(path, 30, ("numpy",)).status == 0

    def test_an_environment_gets_an_interpreter_of_its_own(self, tmp_path):
        code = 'import os\n\nos.environ["A"] = "1"\n'
        code += 'print("expected", os.getppid())\nprint("actual", 2)\nraise SystemExit(1)\n'
        seen = observe(read_bug(write(tmp_path, code=code)))
        assert (seen.status, seen.expected) == ("there", str(os.getpid()))


class TestPages:
    def test_those_of_the_checkout_are_as_the_scripts_say(self):
        pages = render_pages(list(BUGS.values()), OBSERVED)
        written = {path.relative_to(PAGES).as_posix(): path.read_text() for path in PAGES.rglob("*.md")}
        assert written == pages | {"reporting.md": written["reporting.md"]}, "run `python -m fuzz lab upstream`"

    def test_of_a_script_that_is_gone_the_page_goes(self, tmp_path):
        path = write(tmp_path)
        write(tmp_path, name="other")
        run(tmp_path)
        path.unlink()
        run(tmp_path)
        pages = {one.name for one in (tmp_path / "docs/upstream").rglob("*.md")}
        assert pages == {"index.md", "other.md"}
        assert json.loads((tmp_path / "docs/upstream/observed/numpy.json").read_text()).keys() == {"numpy-other"}


class TestCheck:
    def test_a_bug_that_is_gone_makes_its_page_wrong_and_its_workaround_unneeded(self, tmp_path, capsys):
        write(tmp_path, workarounds='["lib/sort.py"]')
        (tmp_path / "lib").mkdir()
        (tmp_path / "lib/sort.py").write_text("import numpy\n\n# Upstream bugs: numpy-other, numpy-sort-wrong\nx = 1\n")
        assert run(tmp_path) == 0
        assert run(tmp_path, "--check") == 0
        before = (tmp_path / "docs/upstream/numpy/sort_wrong.md").read_text()

        write(tmp_path, workarounds='["lib/sort.py"]', code=IS_GONE)
        capsys.readouterr()
        assert run(tmp_path, "--check") == 1
        lines = capsys.readouterr().out.splitlines()
        assert lines[0] == "gone     numpy-sort-wrong (was there)"
        assert lines[1].startswith("wrong page: numpy-sort-wrong is gone in NumPy ")
        assert lines[2].startswith("unneeded workaround: lib/sort.py:3: numpy-sort-wrong is gone in NumPy ")
        assert lines[3] == "1 bugs: 0 present, 1 gone, 0 unclear"
        assert (tmp_path / "docs/upstream/numpy/sort_wrong.md").read_text() == before

        assert run(tmp_path) == 1  # the workaround is still there
        page = (tmp_path / "docs/upstream/numpy/sort_wrong.md").read_text()
        assert "| gone in NumPy " in page
        assert "There is nothing to send: the bug is gone." in page
        assert "(gone)" in (tmp_path / "docs/upstream/index.md").read_text()

        write(tmp_path, code=IS_GONE)
        assert run(tmp_path) == 0
        assert run(tmp_path, "--check") == 0

    def test_what_is_unclear_fails_and_changes_no_page(self, tmp_path, capsys):
        write(tmp_path)
        run(tmp_path)
        write(tmp_path, code="raise ImportError('no such name')\n")
        capsys.readouterr()
        assert run(tmp_path) == 1
        assert "unclear: numpy-sort-wrong: the script ended with status 70: ImportError" in capsys.readouterr().out
        assert "still there" in (tmp_path / "docs/upstream/numpy/sort_wrong.md").read_text()

    def test_a_library_that_is_not_here_is_left_out(self, tmp_path, capsys):
        write(tmp_path)
        run(tmp_path)
        folder = tmp_path / "docs/upstream/scripts"
        (folder / "numpy").rename(folder / "no_such_library")
        assert run(tmp_path, "--check") == 0
        assert "1 not run: no_such_library not installed" in capsys.readouterr().out

    @pytest.mark.parametrize("words", [("no-such-*",), ("--folder", "nowhere")])
    def test_mistakes_are_told_in_a_line(self, tmp_path, words, capsys):
        write(tmp_path)
        assert run(tmp_path, *words) == 2
        assert capsys.readouterr().err.count("\n") == 1

    @pytest.mark.full
    def test_all_are_as_the_pages_say(self, capsys):
        assert main(["lab", "upstream", "--check"]) == 0, capsys.readouterr().out


def finding(**fields):
    row = {"id": "f-0123456789", "name": "argmax", "kind": "value", "modes": ["eager", "graph@CPU:1"], "dtype": "float"}
    row |= {"detail": "expected 1, got 0", "minimal": "np.argmax(np.array([-np.inf, -3.4e38]))", "reproduced": True}
    return row | fields


def looks_like(bug, name, modes, minimal):
    row = finding(name=name, modes=modes.split(), minimal=minimal)
    return bug in recognise(row, load_bugs(bug.partition("-")[0]))


STORED = (
    ("torch-gcd-lowest-negative", "gcd", "eager compile vmap", "np.gcd(np.int8(-128), -128)"),
    ("torch-count-nonzero-no-axes", "count_nonzero", "eager compile", "np.count_nonzero(np.array([1.0]), ())"),
    ("keras-unravel-index-order", "unravel_index", "eager graph xla", "np.unravel_index(1, (2, 2), order='F')"),
    ("keras-var-integers-float32", "var", "eager graph graph_dims xla", "np.var(np.array([0, 0, 1]))"),
    ("jax-logical-reduceat-not-boolean", "logical_or.reduceat", "eager jit vmap", "np.logical_or.reduceat([2], [0])"),
    ("jax-division-by-constant", "ndarray.__truediv__", "eager jit vmap", "np.array(1.0) / 3"),
    ("jax-interp-infinite-value", "interp", "eager vmap", "np.interp(0.5, [0, 1], [0, np.inf])"),
)
"""Findings that have a page: its id, name, modes and the minimal call."""

OTHER_MODES = (
    ("torch-heaviside-nan", "heaviside", "compile"),  # eager agrees: it is another bug
    ("torch-sqrt-not-rounded", "sqrt", "eager gradient"),
    ("jax-interp-infinite-value", "interp", "gradient"),
    ("jax-power-integer-modulo", "power", "jit xla"),
)


class TestRecognition:
    ID = "tensorflow-argmax-lowest"

    def test_a_finding_of_the_same_op_kind_modes_and_values_looks_like_the_bug(self):
        alike = ({}, {"name": "tf.math.argmax"}, {"name": "program", "attribution": "ArgMax alone, float"})
        assert [recognise(finding(**fields), load_bugs("tensorflow")) for fields in alike] == [[self.ID]] * 3
        minimal = "np.argmax(np.array([1.0, 2.0]))"
        for fields in ({"name": "argsort"}, {"kind": "dtype"}, {"modes": ["eager", "xla"]}, {"minimal": minimal}):
            assert self.ID not in recognise(finding(**fields), load_bugs("tensorflow"))

    def test_a_subject_has_the_bugs_of_its_own_library(self):
        own = {"tfnp": "tensorflow", "tensorflow.experimental.numpy": "tensorflow", "torch._numpy": "torch"}
        own |= {"jax.numpy": "jax", "keras.ops": "keras", "dask.array": "dask", "numpy.ma": "numpy"}
        own |= dict.fromkeys(("mine", "mine.tensorflow", "array_api_strict", "sparse", "..", ""), "")
        assert {subject: find_library(subject) for subject in own} == own
        assert {library: bool(load_bugs(library)) for library in own.values()} == {
            library: bool(library) for library in own.values()
        }

    def test_a_finding_that_has_a_page_is_recognised_in_its_modes_alone(self):
        assert [row for row in STORED if not looks_like(*row)] == []
        assert [row for row in OTHER_MODES if looks_like(*row, "nan e+ 0")] == []

    @pytest.mark.parametrize("library", ["jax", "keras", "tensorflow", "torch"])
    def test_nine_of_ten_pages_are_named_for_the_call_that_they_show(self, library):
        bugs = load_bugs(library)
        rows = {bug.id: row_of_page(bug) for bug in bugs}
        missed = [name for name, row in rows.items() if name not in recognise(row, bugs)]
        assert len(missed) <= len(bugs) / 10, missed
        kernels = [bug for bug in bugs if bug.effect != "wrong gradient" and set(bug.modes) & {"eager", "graph"}]
        batched = [{**rows[bug.id], "modes": [*rows[bug.id]["modes"], "vmap"]} for bug in kernels]
        missed = [bug.id for bug, row in zip(kernels, batched, strict=True) if bug.id not in recognise(row, bugs)]
        assert len(missed) <= len(bugs) / 10, missed


KINDS = {"crash": "crash", "hang": "hang", "error": "spurious error", "wrong gradient": "gradient"}


def row_of_page(bug):
    """Return the finding that a campaign has of the call on a bug's page: with the page's code and output."""
    seen = OBSERVED.get(bug.id)
    return finding(
        name=bug.names[0].replace("*", "x") if bug.names else f"tf.{bug.op[0]}",
        kind=KINDS.get(bug.effect, "value"),
        modes=["gradient" if mode == "grad" else mode for mode in bug.modes],
        minimal=bug.code,
        detail=f"expected {seen.expected}, got {seen.actual} (300 ulp)" if seen else "",
        attribution=bug.op[0],
    )
