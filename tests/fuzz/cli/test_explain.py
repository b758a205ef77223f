"""Accepted differences as people see them: the registry, the reports, and names that never answered."""

from __future__ import annotations

import io
import json
from collections import Counter

import numpy as np
import pytest
from rich.console import Console

from fuzz.__main__ import main
from fuzz.adapters.jax import JAX
from fuzz.engine.campaign import Campaign
from fuzz.engine.name_findings import CALLS_UNANSWERED
from fuzz.engine.run_options import Options
from fuzz.engine.summary import Counts, Summary
from fuzz.report import RunRecord, show
from fuzz.report.markdown import summarise
from fuzz.report.page import render_page
from oracle import Case
from oracle.harness import ACCEPTING

ENTRY = "order.unspecified"


def record():
    counts = Counts(
        cases=Counter({"sin": 100}),
        valid=Counter({"sin": 90}),
        runs=Counter({"eager": 100}),
        runs_of={"sin": Counter({"eager": 100})},
        asked={"sin": Counter({"eager": 90})},
        answered={"sin": Counter({"eager": 9})},
        allowed={ENTRY: {"sin": Counter({"eager": 7})}},
        undecided={"NumPy has no answer": {"sin": Counter({"eager": 3})}},
        unsupported={"sin": Counter({"eager": 1})},
    )
    return RunRecord(Summary(Options(subject="mine"), 1, 1.0, counts, ("sin",), []).data())


class TestRegistry:
    def run(self, capsys, *words):
        status = main(["explain", *words])
        return status, capsys.readouterr().out

    def test_every_entry_is_printed(self, capsys):
        status, text = self.run(capsys)
        assert status == 0
        assert all(entry.id in text for entry in ACCEPTING)
        assert f"{len(ACCEPTING)} of {len(ACCEPTING)} accepted differences" in text

    def test_a_name_has_those_that_concern_it(self, capsys):
        _, text = self.run(capsys, "linalg.inv")
        assert "matrix.at-the-edge" in text
        assert ENTRY not in text

    def test_a_name_has_the_details_that_concern_it(self, capsys):
        roots, dtype = "roots are complex, real or not", "the dtype of a tensor is a tf.DType"
        _, text = self.run(capsys, "roots")
        assert roots in text
        assert dtype not in text
        _, text = self.run(capsys, "tensor.form")
        assert roots in text
        assert dtype in text

    def test_a_name_has_its_relation_first(self, capsys):
        for name, words in {
            "sort": "bit for bit",
            "sqrt": "bit for bit; complex results each element within 4 ulps of the exact value",
            "percentile": "one of the elements, or a number between two",
            "linalg.eig": "errors of a backward stable algorithm; in programs each element",
            "random.gamma": "by support, moments and distribution",
        }.items():
            _, text = self.run(capsys, name)
            first, _, rest = " ".join(text.split()).partition("What NumPy leaves open")
            assert first.startswith(f"How {name} is compared: ")
            assert words in first
            unspecified, _, others = rest.partition("What is accepted beyond that:")
            assert ("zero.of-either-sign" in unspecified) == (name == "sort")
            assert ("factors.of-another-choice" in unspecified) == (name == "linalg.eig")
            assert ("order.of-terms" in unspecified) == (name == "sqrt")
            assert "subnormal.flushed" in others

    def test_an_entry_shows_its_witness_and_its_counter_examples(self, capsys):
        _, text = self.run(capsys, ENTRY)
        assert "accepted in eager: np.argsort(" in text
        assert "reported in eager: np.argsort(" in text

    def test_it_can_be_read_by_programs(self, capsys):
        _, text = self.run(capsys, ENTRY, "--json")
        (entry,) = json.loads(text)
        assert (entry["id"], entry["reason"]) == (ENTRY, "NUMPY_OPEN")

    def test_a_library_has_what_its_adapter_declares(self, capsys):
        (entry,) = (entry for entry in JAX.by_design if entry.id == "immutable")
        _, text = self.run(capsys, "--subject", "jax.numpy")
        assert f"jax.numpy: {entry.id}" in text
        assert entry.why in text
        _, text = self.run(capsys, "jax.numpy: immutable", "--subject", "jax.numpy")
        assert "1 of" in text

    def test_a_library_of_other_arrays_has_no_faults_of_tensorflow(self, capsys):
        _, text = self.run(capsys, "--subject", "dask.array", "--json")
        assert "TENSORFLOW_FAULT" not in {row["reason"] for row in json.loads(text)}

    def test_ops_of_tensorflow_have_what_is_not_compared(self, capsys):
        _, text = self.run(capsys, "undefined-cast", "--subject", "tensorflow", "--json")
        (row,) = json.loads(text)
        assert (row["reason"], row["of_run"]) == ("NOT_COMPARED", True)

    def test_a_mistaken_name_is_a_mistake(self, capsys):
        assert main(["explain", "medain"]) == 2
        assert "did you mean median" in capsys.readouterr().err
        assert main(["explain", "--subject", "jaxx.numpy"]) == 2
        assert "no module 'jaxx.numpy'; did you mean jax.numpy" in capsys.readouterr().err


class TestReports:
    def test_the_terminal_says_how_much_rests_on_allowances(self):
        console = Console(file=io.StringIO(), width=200)
        show(record(), None, console)
        text = console.file.getvalue()
        assert "Of 100 answers: 7 allowed (7 %), 3 undecided (3 %), 1 unsupported (1 %)" in text
        assert f"allowed {ENTRY}: 7 (7 %)" in text
        assert "undecided NumPy has no answer: 3 (3 %)" in text

    @pytest.mark.parametrize("render", [render_page, summarise])
    def test_the_reports_have_a_section_for_each(self, render):
        text = render(record())
        assert "Accepted differences" in text
        assert "Undecided" in text
        assert ENTRY in text
        assert "NumPy has no answer" in text


class TestNeverAnswered:
    def campaign(self, **counts):
        found = Campaign(Options(names=("sin",), subject="numpy", cases=4), executor=object())
        found._counts = Counts(
            asked={"sin": Counter({"eager": CALLS_UNANSWERED})},
            answered={"sin": Counter()},
            unanswered={("sin", "eager"): (3, Case("sin", (np.ones(1),)).json(), "RuntimeError: boom")},
            **counts,
        )
        found._enter_unanswered()
        return list(found._ledger)

    def test_a_name_without_a_single_value_is_a_finding(self):
        (finding,) = self.campaign()
        assert (finding.name, finding.kind, finding.modes) == ("sin", "never answered", ("eager",))
        assert finding.detail.startswith(f"{CALLS_UNANSWERED} valid calls, none answered by a value: RuntimeError")

    def test_an_allowance_that_may_take_all_explains_it(self):
        taken = {"mode.limit": {"sin": Counter({"eager": CALLS_UNANSWERED})}}
        assert self.campaign(allowed=taken) == []
        others = {ENTRY: {"sin": Counter({"eager": CALLS_UNANSWERED})}}
        assert len(self.campaign(allowed=others)) == 1


def test_a_library_of_numpys_arrays_has_nothing_of_tensorflows_faults(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "rolling.py").write_text("from numpy import ndarray\ndef roll(a, shift, axis=None): ...")
    assert main(["explain", "multiply", "--subject", "rolling"]) == 0
    named = capsys.readouterr().out
    assert "subnormal" not in named
    assert "until TensorFlow" not in named
    assert "graph" not in named
    (tmp_path / "pyproject.toml").write_text('[tool.fuzz]\nsubject = "rolling"\n')
    assert main(["explain", "multiply"]) == 0
    assert capsys.readouterr().out == named


def test_without_tfnp_a_subject_is_needed(monkeypatch, capsys):
    monkeypatch.setattr("fuzz.cli.options.find_spec", lambda name: None)
    assert main(["explain"]) == 2
    assert capsys.readouterr().err.startswith("fuzz: a subject is needed: --subject MODULE")
