from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from fuzz.differences import SIGNATURE
from fuzz.engine.campaign import Campaign, Earlier
from fuzz.engine.domain import Unusable
from fuzz.engine.executors import UnknownExecutor
from fuzz.engine.run_options import Options
from fuzz.generate.signatures import parameters_of
from fuzz.report.progress import Display, format_clock, format_line, format_workers
from fuzz.triage.events import (
    Died,
    Found,
    Preparing,
    Progress,
    Reproduced,
    Saved,
    Started,
    Stopped,
    Troubled,
    WorkerState,
)
from fuzz.triage.ledger import Finding
from fuzz.triage.records import Record
from oracle import Case
from oracle.harness import Death, Limits, Reply, UnknownSubject
from tests.fuzz.inline import InlineExecutor, run_inline

QUICK = Limits(seconds=0.5, patience=20.0)
FAULTY = ("negative", "positive", "conjugate", "absolute", "fabs")
CALLS: list[object] = []  # of NumPy, by this process, during the runs of `planted`
UNTIMED = {"provenance", "seconds", "cases_per_core_second", "core_seconds", "core_seconds_by_name", "spent", "work"}


@pytest.fixture(autouse=True)
def planted_modules(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[1])


@pytest.fixture
def inline(monkeypatch):
    """Have campaigns run in this process."""
    run_inline(monkeypatch)


def campaign(observe=lambda event: None, **options):
    return Campaign(Options(**{"seed": 3, "limits": QUICK, "subject": "planted_many", **options}), observe)


def shown(summary):
    """The findings that calls showed: signatures tell the others."""
    return [finding for finding in summary.findings if finding.kind != SIGNATURE]


def results(summary):
    """The summary as it is kept, without what the clock says."""
    data = {key: value for key, value in summary.data().items() if key not in UNTIMED}
    return json.dumps(data, sort_keys=True)


@pytest.fixture(scope="module")
def planted():
    """Summaries with one job and with two, and the events of the second, for a subject that fails and dies; NumPy is
    not called in this process meanwhile.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(Path(__file__).parents[1])
        patch.setattr("oracle.reference.outcome.evaluate", lambda *args: CALLS.append(args))
        patch.setattr("fuzz.triage.leased_reduction.BUDGET", 25)  # candidates that die: each takes a process with it
        events = []
        one = campaign(subject="planted", names=FAULTY, cases=80).run()
        two = campaign(events.append, subject="planted", names=FAULTY, cases=80, jobs=2).run()
    return one, two, events


@pytest.mark.full
def test_the_number_of_jobs_does_not_matter(planted):
    one, two, _ = planted
    assert results(one) == results(two)


@pytest.mark.full
def test_numpy_is_never_called_in_the_process_that_must_not_die(planted):
    """It has its own segmentation faults."""
    summary, _, _ = planted
    assert "crash" in {finding.kind for finding in summary.findings}
    assert not CALLS


@pytest.mark.full
def test_planted_faults_are_found_reduced_and_reproduced(planted):
    summary, _, _ = planted
    found = {(finding.name, finding.kind): finding for finding in summary.findings}
    for key in [("negative", "value"), ("conjugate", "value"), ("absolute", "crash"), ("fabs", "hang")]:
        assert found[key].modes == ("eager", "graph", "xla")
        assert sum(array.size for array in found[key].minimal.arrays()) <= 1  # or a number of Python's
    assert "planted.py" in found["absolute", "crash"].detail
    assert all(finding.reduced and finding.reproduced for finding in shown(summary))
    assert not summary.counts.failures


@pytest.mark.full
def test_what_candidates_die_of_does_not_keep_others_from_being_reduced(planted):
    summary, _, _ = planted
    (finding,) = [entry for entry in summary.findings if (entry.name, entry.kind) == ("conjugate", "value")][:1]
    assert np.shape(finding.minimal.args[0]) == (1,)  # of an array, or of a list


@pytest.mark.full
def test_events_tell_the_story_in_order(planted):
    _, two, events = planted
    kinds = [type(event) for event in events if not isinstance(event, Progress)]
    assert kinds[:4] == [Preparing, Preparing, Started, Saved]
    assert kinds[-1] is Stopped
    assert kinds.count(Found) == len(two.findings)
    assert kinds.count(Reproduced) == len(shown(two))
    assert {event.death.kind for event in events if isinstance(event, Died)} == {"crash", "hang"}


@pytest.mark.full
def test_replacing_workers_changes_nothing():
    options = {"names": ("negative", "multiply"), "cases": 48, "modes": ("eager",)}
    always = replace(QUICK, growth_bytes=-(1 << 40))
    assert results(campaign(**options).run()) == results(campaign(**options, limits=always).run())


def test_numpy_agrees_with_itself(inline):
    options = {"subject": "numpy", "names": ("add", "sqrt", "multiply"), "modes": ("eager",)}
    summary = campaign(**options, cases=600, seed=5).run()
    assert summary.findings == []
    assert summary.agreeing == ["add", "multiply", "sqrt"]
    given = summary.data()["by_name"]["add"]["parameters"]
    assert {"x1", "x2", "out", "dtype"} <= given.keys() <= parameters_of("add").keys()
    assert all(modes.keys() <= {"eager"} for modes in given.values())


def test_an_interrupt_ends_it_with_what_was_found():
    summary = campaign(names=("negative",), modes=("eager",), observe=stop_at(Found)).run()
    assert summary.interrupted
    assert [finding.name for finding in summary.findings][:1] == ["negative"]
    assert summary.counts.total > 0


def stop_at(kind):
    stopped = []

    def observe(event):
        if isinstance(event, kind) and not stopped:
            stopped.append(event)
            raise KeyboardInterrupt

    return observe


def test_known_findings_are_judged_for_half_of_the_time(inline, monkeypatch):
    monkeypatch.setattr("fuzz.engine.campaign.SHARE_OF_KNOWN", -1000.0)
    known = [Record("f-0123456789", "add", "value", ("eager",), (Case("add", (1.0, 2.0)),))]
    options = Options(subject="numpy", names=("add",), seconds=0.1, modes=("eager",), jobs=1)
    summary = Campaign(options, known=known).run()
    assert [row["status"] for row in summary.rejudged] == ["undecided"]


@pytest.mark.parametrize(
    ("options", "error", "match"),
    [
        ({"names": ("ad",)}, Unusable, "no name 'ad' .* did you mean .*add"),
        ({"modes": ("Eager!",)}, Unusable, "no mode 'Eager!'"),
        ({"shard": (3, 2)}, Unusable, "no shard 3/2"),
        ({"executor": "slurm"}, UnknownExecutor, "no executor 'slurm'"),
    ],
)
def test_options_that_make_no_sense_are_refused_before_anything_starts(options, error, match):
    with pytest.raises(error, match=match):
        campaign(**options)


@pytest.mark.full
@pytest.mark.parametrize(
    ("options", "error", "match"),
    [
        ({"subject": "planted_mani"}, UnknownSubject, "planted_mani"),
        ({"names": ("sin", "cos"), "modes": ("eager",)}, Unusable, "planted_many has none of the 2 names"),
        ({"devices": ("GPU:7",), "modes": ("eager",)}, Unusable, "no device GPU:7; there are CPU:0"),
    ],
)
def test_what_only_a_worker_can_tell_is_refused_then(options, error, match):
    with pytest.raises(error, match=match):
        campaign(**options).run()


@pytest.mark.parametrize(("share", "is_first"), [(0.0, True), (1.0, False)])
def test_new_cases_come_before_reductions_while_they_have_less_than_their_share(monkeypatch, share, is_first):
    """Whatever is seen is reduced all the same, if there is time."""
    monkeypatch.setattr("fuzz.engine.dispatcher.Dispatcher.find_share", lambda self, function: share)
    sent = []

    class Watched(InlineExecutor):
        def submit(self, lease):
            sent.append(lease.function.partition(":")[2])
            super().submit(lease)

    monkeypatch.setattr("fuzz.engine.campaign.make_executor", lambda text, jobs, setup, *more: Watched(setup))
    summary = campaign(subject="planted_many", cases=300, modes=("eager",)).run()
    assert summary.findings
    assert summary.untried == []
    last, first = max(i for i, one in enumerate(sent) if one == "judge_item"), sent.index("reduce_difference")
    assert (last < first) == is_first


def test_a_cluster_is_waited_for_as_long_as_the_options_say(monkeypatch):
    asked = []
    monkeypatch.setattr("fuzz.engine.campaign.make_executor", lambda *arguments: asked.append(arguments))
    campaign(subject="numpy", names=("add",), executor="dask:tcp://here:1", patience=7.0)
    ((text, *_, patience),) = asked
    assert (text, patience) == ("dask:tcp://here:1", 7.0)


def test_what_there_was_no_time_for_is_listed_and_tried_when_the_run_is_resumed(inline, monkeypatch):
    monkeypatch.setattr("fuzz.engine.campaign.find_deadlines", lambda seconds, preparing: (0.0, 0.0))
    events = []
    options = {"subject": "planted_many", "modes": ("eager",), "signatures": False}
    first = campaign(events.append, **options, seconds=1.0).run()
    untried = {finding.id for finding in first.findings if finding.reproduced is None}
    assert untried
    assert untried <= set(first.untried)
    monkeypatch.undo()
    run_inline(monkeypatch)
    monkeypatch.syspath_prepend(Path(__file__).parents[1])
    earlier = Earlier(events[-1].state, first.findings)
    second = Campaign(Options(**options, seed=3, limits=QUICK, cases=1), executor=None, earlier=earlier).run()
    assert second.untried == []
    assert all(finding.reproduced is not None for finding in second.findings)


@pytest.mark.parametrize("step", ["eager 1", "reference of 1"])
def test_workers_draw_the_case_in_which_one_died(monkeypatch, step):
    """Their NumPy may be another one than that of this process."""
    asked = []

    class Dying(InlineExecutor):
        def submit(self, lease):
            function = lease.function.partition(":")[2]
            if function == "draw_item":
                asked.extend(lease.items)
                self._replies.append(Reply(lease.index, [Case("add", (1.0, 2.0)).json() for _ in lease.items]))
            elif function == "judge_item" and not asked:
                deaths = [Death("crash", item, "SIGSEGV: somewhere", step) for item in lease.items]
                self._replies.append(Reply(lease.index, deaths))
            else:
                super().submit(lease)

    monkeypatch.setattr("fuzz.engine.campaign.make_executor", lambda text, jobs, setup, *more: Dying(setup))
    summary = campaign(subject="numpy", names=("sqrt",), cases=8, modes=("eager",)).run()
    assert [sibling for _, sibling in asked] == [1]
    assert asked[0][0].name == "sqrt"
    shown = [(finding.kind, str(finding.minimal)) for finding in summary.findings]
    faults = [json.loads(row["case"])["case"] for row in summary.data()["harness_faults"]]
    assert (shown, faults) == (([("crash", "np.add(1.0, 2.0)")], []) if step.startswith("eager") else ([], ["add"]))


PROGRESS = Progress(61.0, 120.0, 12345, None, 100, 219, {"value": 2, "crash": 1}, 4)


def test_a_line_sums_up():
    whole = "1:01 (left 0:59)  12,345 cases  3 findings  4 being reduced  202/s  100 of 219 names  2 value, 1 crash"
    assert format_line(PROGRESS) == whole
    assert (
        format_line(Progress(3661.0, None, 5, 10, 1, 2, {}, 0))
        == "1:01:01  5 of 10 cases  0 findings  0/s  1 of 2 names"
    )
    assert format_clock(5) == "0:05"
    for width in range(1, 120):  # whole parts, from the left; the kinds go first
        shown = format_line(PROGRESS, width)
        assert len(shown) <= width
        assert width < 16 or whole.split(shown)[1][:2] in ("", "  ")


def test_progress_has_a_line_for_each_worker():
    names = [f"w{i}" for i in range(12)]
    workers = [WorkerState(f"tcp://{name}", name, "ready", "", answered=5) for name in names]
    workers[11] = WorkerState("tcp://w11", "tcp://w11", "lost", "")
    lines = format_workers(workers)
    assert lines[0] == "  worker tcp://w11: lost, 0 answered"
    assert lines[1] == "  worker w0 (tcp://w0): ready, 5 answered"
    assert lines[-1] == "  and 4 more workers, 4 ready"
    assert len(lines) == 9
    assert format_workers(()) == []
    output = io.StringIO()
    with Display(Console(file=output, width=40)) as display:
        display(replace(PROGRESS, workers=workers))
        display(replace(PROGRESS, elapsed=62.0, workers=workers))  # too soon for further lines
    assert output.getvalue().splitlines()[1:] == lines


@pytest.mark.full
def test_where_nobody_watches_a_finding_is_one_line_that_grep_finds(planted):
    _, _, events = planted
    output = io.StringIO()
    with Display(Console(file=output, width=40)) as display:
        for event in events:
            display(event)
        display(Troubled("the disk is full\nand more"))
        display(Started({**events[2].run, "names": ["sin"]}, ("add",), tuple(f"n{i}" for i in range(10))))
    text = output.getvalue()
    lines = text.splitlines()
    assert lines[0] == "importing planted ..."
    assert not any(shown.endswith(" ") for shown in lines)
    for event in events:
        if isinstance(event, Found) and event.finding.kind != SIGNATURE:  # those are told as causes, at the end
            (shown,) = [shown for shown in lines if shown.startswith(f"found {event.finding.id} ")]
            assert str(event.finding.minimal) in shown
    assert "trouble: the disk is full and more" in lines
    assert "of those asked for, planted lacks 10: n0, n1, n2, n3, n4, n5, n6, n7 and 2 more" in lines


def test_a_long_call_is_shortened_in_the_line_of_its_finding():
    output = io.StringIO()
    case = Case("sum", (np.arange(5000),))
    with Display(Console(file=output, width=40)) as display:
        display(Found(Finding("sum", "value", ("eager",), "int", "expected 1, got 2", case)))
    (line,) = output.getvalue().splitlines()
    assert len(line) < 600
    assert line.endswith("...: expected 1, got 2")


def test_in_a_terminal_the_line_is_live():
    output = io.StringIO()
    with Display(Console(file=output, width=200, force_terminal=True)) as display:
        display(PROGRESS)
    assert "12,345 cases" in output.getvalue()
