from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from dataclasses import replace
from pathlib import Path

import pytest

from oracle.harness import Death, Failure, Lease, Limits, Reply, Sandbox, SandboxError
from oracle.sandbox import client
from oracle.sandbox.client import PreparationError
from oracle.sandbox.confinement import WRITABLE
from oracle.sandbox.crash import explain
from oracle.sandbox.progress import ProgressMarker, make_memory
from oracle.sandbox.worker import enter_folder

QUICK = Limits(seconds=0.3, patience=1.0, memory_bytes=2 << 30)
PATIENT = replace(QUICK, patience=60.0)  # on a busy machine, 0.3 s of CPU time can take long


@pytest.fixture(autouse=True)
def hostile_module(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parent)


def sandbox(jobs=1, prepare="hostile:prepare", **options):
    return Sandbox(jobs, prepare, **{"modules": ["numpy"], "limits": QUICK, **options})


def obey(box, *items, **options):
    """The reply to one lease."""
    (reply,) = box.run([Lease(0, "hostile:obey", items, **options)])
    return reply


@pytest.fixture(scope="module")
def box(tmp_path_factory):
    """A sandbox whose calls have a folder for marks that outlive their worker."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(Path(__file__).parent)
        patch.setenv(WRITABLE, str(tmp_path_factory.mktemp("marks")))
        with sandbox(2, arguments={"word": "ready"}, start="hostile:start") as opened:
            yield opened


@pytest.mark.full
def test_what_a_call_writes_is_no_module_and_is_gone_with_the_sandbox():
    with sandbox() as opened:
        (written,) = obey(opened, "write").results
        folder, is_module = written
        assert Path(folder, "json5.py").exists()
        assert not Path(folder).is_relative_to(Path.cwd())
        assert not is_module
    assert not Path(folder).exists()


@pytest.mark.parametrize("end", ["retired", "abort", "be_killed", "kill_template"])
def test_the_files_of_a_worker_are_gone_when_it_has_ended(end, monkeypatch, tmp_path):
    """Also if it is killed: then nothing that it planned for its end takes place."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with sandbox(limits=PATIENT) as opened:
        ((pid, folder, files),) = obey(opened, "leave_files", fresh=end == "retired").results
        if end == "kill_template":
            os.kill(template := template_of(pid), signal.SIGKILL)
            wait_for_the_end_of(template)
        elif end != "retired":
            assert isinstance(obey(opened, end, confirm=False).results[0], Death)
        assert obey(opened, 1).results == [("ready", 1)]
        assert Path(folder).is_relative_to(tmp_path)
        assert {Path(file).parent for file in files} == {Path(folder)}
        assert len(files) == 3
        deadline = time.monotonic() + 60
        while Path(folder).exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not Path(folder).exists()
        if end != "kill_template":
            assert Path(folder).parent.exists()
    assert not list(tmp_path.iterdir())


def test_sockets_fit_into_the_temporary_folder_of_a_worker(box):
    """Of 107 bytes at most."""
    (address,) = obey(box, "listen_in_a_temporary_folder").results
    assert len(address) < 90, "there is room for a temporary directory of a longer name"


def test_a_folder_that_cannot_be_made_is_not_entered():
    """The disk is full, say: workers then share one."""
    before = os.getcwd(), os.environ.get("TMPDIR"), tempfile.gettempdir()
    enter_folder(Path(os.devnull, "folder"))
    assert (os.getcwd(), os.environ.get("TMPDIR"), tempfile.gettempdir()) == before


def test_a_lease_without_items_is_answered(box):
    assert obey(box).results == []


def test_many_leases_are_each_answered_under_their_number(box):
    replies = list(box.run(Lease(number, "hostile:obey", [number]) for number in range(20)))
    assert sorted((reply.index, reply.results[0][1]) for reply in replies) == [(n, n) for n in range(20)]


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("act", "kind", "detail"),
    [
        ("abort", "crash", "SIGABRT: abort (hostile.py:"),
        ("dereference", "crash", "SIGSEGV: string_at"),
        ("exit", "crash", "exited with status 0"),
        ("loop", "hang", "more than 0.3 s of CPU time"),
        ("loop_in_c", "hang", "more than 0.3 s of CPU time"),
        ("wait", "hang", "waited for more than 1 s"),
        ("exhaust_numpy", "memory", "MemoryError: Unable to allocate 100. GiB"),
        ("exhaust_malloc", "memory", "SIGABRT: std::bad_alloc"),
        ("be_killed", "memory", "SIGKILL"),
        ("leave", "crash", "raised SystemExit: 7 in leave (hostile.py:"),
        ("interrupt", "crash", "raised KeyboardInterrupt in interrupt (hostile.py:"),
        ("escape", "crash", "raised BaseException: of all things in escape (hostile.py:"),
    ],
)
def test_a_death_is_the_answer_of_its_item_alone(box, act, kind, detail):
    reply = obey(box, 1, act, 2, limits=QUICK if act == "wait" else PATIENT)
    first, death, last = reply.results
    assert isinstance(death, Death)
    assert (death.kind, death.item) == (kind, act)
    assert death.detail.startswith(detail)
    assert [first[1], last[1]] == [1, 2]
    assert reply.unconfirmed == []


def test_who_waits_for_a_processor_is_not_hanging(box, monkeypatch):
    (death,) = obey(box, "wait_two_seconds").results
    assert (death.kind, death.detail) == ("hang", "waited for more than 1 s")
    monkeypatch.setattr("oracle.sandbox.client._ready_seconds", lambda pid: time.monotonic())
    assert obey(box, "wait_two_seconds").results == ["waited"]


def test_a_death_names_the_step_and_keeps_the_stack(box):
    (death,) = obey(box, "abort").results
    assert death.step == "about to abort"
    assert "in abort" in death.tail


def test_a_death_that_does_not_happen_again_is_no_answer(box):
    reply = obey(box, "work", "die_if_used", 3)
    assert reply.results[1:] == ["alone", ("ready and started", 3)]
    assert [(death.kind, death.item) for death in reply.unconfirmed] == [("crash", "die_if_used")]


def test_without_confirmation_the_first_death_counts(box):
    reply = obey(box, "work", "die_if_used", confirm=False)
    assert isinstance(reply.results[1], Death)


def test_a_mistake_is_a_failure_and_no_death(box):
    mistake, unpicklable, after = obey(box, "mistake", "unpicklable", 1).results
    assert isinstance(mistake, Failure)
    assert "KeyError: 'mistake'" in mistake.trace
    assert isinstance(unpicklable, Failure)
    assert after[1] == 1


def test_a_function_that_is_not_there_is_a_failure(box):
    (reply,) = box.run([Lease(0, "hostile:nonesuch", [1])])
    assert isinstance(reply.results[0], Failure)


def test_a_fresh_lease_has_a_worker_of_its_own(box):
    used = obey(box, "work").results
    fresh = obey(box, "work", fresh=True).results
    assert fresh != used
    assert obey(box, "work").results == used


def test_risky_leases_have_workers_apart(box):
    usual = obey(box, "work").results
    risky = obey(box, "work", risky=True).results
    assert risky != usual
    assert obey(box, "work", risky=True).results == risky
    assert obey(box, "work").results == usual


def test_workers_leave_interrupts_to_their_parent(box):
    assert obey(box, "interrupts").results == [(True, True)]


@pytest.mark.full
@pytest.mark.parametrize(
    ("limits", "act"), [(Limits(leases=1), "work"), (Limits(growth_bytes=32 << 20), "keep")], ids=["leases", "growth"]
)
def test_a_worker_is_replaced(limits, act):
    with sandbox(limits=limits) as box:
        first, second = (obey(box, act).results[0] for _ in range(2))
    assert first != second


def test_the_memory_of_workers_that_grow_is_bounded():
    with sandbox(limits=replace(QUICK, growth_bytes=100 << 20)) as box:
        replies = list(box.run(Lease(number, "hostile:obey", ["keep"]) for number in range(6)))
    assert [reply.index for reply in replies] == list(range(6))
    pids = [reply.results[0] for reply in replies]
    assert pids[0::2] == pids[1::2], "64 MB are kept: fewer than the bound"
    assert len(set(pids)) == 3


def test_no_status_is_kept_of_workers_that_have_ended():
    """A later worker may have the number of an earlier one, and must not have its status."""
    with sandbox() as opened:
        for _ in range(3):
            (pid,) = obey(opened, "work", fresh=True).results
            wait_for_the_end_of(pid)
        assert isinstance(obey(opened, "abort", confirm=False).results[0], Death)
        assert not opened._server._statuses
        assert not opened._server._workers


@pytest.mark.full
def test_what_preparing_raises_reaches_the_parent():
    with pytest.raises(LookupError, match="no such subject"):
        sandbox(prepare="hostile:refuse").open()


@pytest.mark.full
def test_after_threads_have_started_every_worker_prepares_for_itself():
    with sandbox(prepare="hostile:prepare_with_a_thread") as box:
        assert obey(box, 1).results == [("late", 1)]


@pytest.mark.full
def test_a_worker_that_cannot_start_is_the_sandbox_failing():
    with sandbox(prepare="hostile:refuse_late") as box, pytest.raises(SandboxError, match="no start"):
        obey(box, 1)


def template_of(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().split()[3])


@pytest.mark.full
def test_a_template_that_is_killed_is_started_again():
    told = []
    with sandbox(2, arguments={"word": "ready"}, notice=told.append) as box:
        os.kill(template_of(obey(box, "work").results[0]), signal.SIGKILL)
        for number in range(3):
            box.submit(Lease(number, "hostile:obey", [number, "work"]))
        replies = [reply for _ in range(3) for reply in box.wait(60.0)]
    assert sorted(reply.results[0][1] for reply in replies) == [0, 1, 2]
    assert all(isinstance(reply.results[1], int) and not reply.unconfirmed for reply in replies)
    assert told == ["the fork server has died: it is started again"]


@pytest.mark.full
def test_a_template_that_dies_again_and_again_is_the_sandbox_failing():
    with sandbox() as box, pytest.raises(SandboxError, match="the fork server has died"):
        obey(box, "kill_template")


@pytest.mark.full
@pytest.mark.parametrize("act", ["exit", "be_killed"])
def test_a_process_that_ends_while_it_imports_is_named(act):
    ending = {"exit": "exited with status 0", "be_killed": "was killed by SIGKILL"}[act]
    with pytest.raises(PreparationError, match=f"the process that imports mine {ending}"):
        sandbox(prepare=f"hostile:{act}", arguments={"subject": "mine"}).open()


def test_a_worker_that_somebody_kills_has_its_lease_tried_again(box):
    """Whatever the lease says of deaths: the item need not have done it."""
    reply = obey(box, "work", "be_killed_once", 3, confirm=False)
    assert reply.results[1:] == ["alive", ("ready and started", 3)]
    assert [death.detail for death in reply.unconfirmed] == ["SIGKILL"]
    (death,) = obey(box, "be_killed", confirm=False).results
    assert (death.kind, death.detail, death.killed) == ("memory", "SIGKILL", True)


def test_a_worker_that_somebody_stops_has_its_lease_tried_again(box):
    reply = obey(box, "work", "be_stopped_once", 3, confirm=False)
    assert reply.results[1:] == ["alive", ("ready and started", 3)]
    assert [death.detail for death in reply.unconfirmed] == ["was stopped for more than 1 s"]


@pytest.mark.full
def test_a_worker_that_is_stopped_whenever_it_judges_an_item_hangs(box):
    (death,) = obey(box, "be_stopped", confirm=False).results
    assert (death.kind, death.detail, death.killed) == ("hang", "was stopped for more than 1 s", True)


@pytest.mark.full
def test_a_worker_that_waits_leaves_its_processor_to_another():
    with sandbox(limits=replace(PATIENT, seconds=10.0)) as opened:
        opened.submit(Lease(0, "hostile:obey", ["wait"]))
        opened.submit(Lease(1, "hostile:obey", [2]))
        replies: list[Reply] = []
        while not replies:
            replies = opened.wait(1.0)
        assert [(reply.index, reply.results) for reply in replies] == [(1, [("ready", 2)])]
        assert opened.busy


@pytest.mark.parametrize(("most", "expected"), [(0.1, "waited"), (60.0, "waited for more than 1.5 s")])
def test_time_in_which_nobody_watches_is_none_of_a_step(most, expected, monkeypatch):
    """The machine may have been paused, or the run stopped, and with it this process."""
    monkeypatch.setattr(client, "_UNWATCHED", most)
    with sandbox(limits=replace(QUICK, patience=1.5)) as opened:
        opened.submit(Lease(0, "hostile:obey", ["wait_three_seconds"], confirm=False))
        assert opened.wait(0.5) == []
        time.sleep(1.3)
        (reply,) = opened.wait(60.0)
    (result,) = reply.results
    assert getattr(result, "detail", result) == expected


@pytest.mark.full
def test_tensorflow_out_of_memory_is_a_death_and_the_worker_goes_on():
    with sandbox(modules=["tensorflow"], limits=Limits(seconds=5, memory_bytes=4 << 30)) as box:
        death, after = obey(box, "exhaust_tensorflow", "use_tensorflow").results
    assert (death.kind, death.detail.partition(":")[0]) == ("memory", "ResourceExhaustedError")
    assert after == 3.0


PARENT = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # those who run tests in the background ignore it
sys.path.insert(0, {folder!r})
from oracle.harness import Lease, Sandbox
with Sandbox(2, "hostile:prepare", modules=["numpy"]) as box:
    pids = [reply.results[0] for reply in box.run(Lease(i, "hostile:obey", ["work"]) for i in range(2))]
    box.submit(Lease(3, "hostile:obey", ["loop"]))
    print(*pids, flush=True)
    box.wait(3600)
"""


@pytest.mark.full
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_no_process_outlives_the_parent(number):
    root = Path(__file__).parents[2]
    parent = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(PARENT.format(folder=str(Path(__file__).parent)))],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(root)},
        text=True,
    )
    workers = {int(pid) for pid in parent.stdout.readline().split()}
    family = workers | {int(Path(f"/proc/{pid}/stat").read_text().split()[3]) for pid in workers}
    folders = {os.readlink(f"/proc/{pid}/cwd") for pid in workers}
    parent.send_signal(number)
    parent.communicate()
    for pid in family:
        wait_for_the_end_of(pid)
    assert len(family) >= 2
    assert len(folders) == 2
    assert len({os.path.dirname(folder) for folder in folders}) == 1
    folders |= {os.path.dirname(folder) for folder in folders}
    deadline = time.monotonic() + 60
    while any(map(os.path.exists, folders)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(map(os.path.exists, folders))


def test_the_folder_is_removed_where_the_parent_dies_before_it_reads_a_report():
    """Its socket is reset then, and not closed."""
    program = PARENT.replace('box.submit(Lease(3, "hostile:obey", ["loop"]))', "import time")
    program = program.replace("box.wait(3600)", "time.sleep(3600)").format(folder=str(Path(__file__).parent))
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as parent:
        workers = [int(pid) for pid in parent.stdout.readline().split()]
        folder = Path(os.readlink(f"/proc/{workers[0]}/cwd")).parent
        server = int(Path(f"/proc/{workers[0]}/stat").read_text().split()[3])
        os.kill(workers[0], signal.SIGKILL)
        wait_for_the_end_of(workers[0])
        parent.kill()
    wait_for_the_end_of(server)
    assert not folder.exists()


def test_what_was_answered_is_returned_when_leases_are_given_up():
    with sandbox() as box:
        box.submit(Lease(7, "hostile:obey", ["keep", "wait"]))
        box.submit(Lease(8, "hostile:obey", ["keep"]))
        while not any(task.results for task in box._tasks.values()):
            assert box.wait(0.2) == []
        replies = box.cut()
        assert not box.busy
    assert sorted((reply.index, len(reply.results)) for reply in replies) == [(7, 1), (8, 0)]


def wait_for_the_end_of(pid):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return
        except OSError:
            return
        time.sleep(0.01)
    raise AssertionError(f"process {pid} lives on")


@pytest.mark.parametrize(
    ("status", "text", "overrun", "expected"),
    [
        (
            signal.SIGABRT,
            "2026-01-01 00:00:00.123: F tensorflow/core/framework/tensor.cc:12] Check failed: 1 == 2 (0x7f00aa11)\n",
            "",
            ("crash", "SIGABRT: tensorflow/core/framework/tensor.cc:12 Check failed: 1 == 2 (0x...)"),
        ),
        (
            signal.SIGABRT,
            "F0000 00:00:1795252311.427455    8201 shape.cc:153] Check failed: ok\n*** stack ***",
            "",
            ("crash", "SIGABRT: shape.cc:153 Check failed: ok"),
        ),
        (signal.SIGABRT, "terminate called after throwing an instance of 'std::bad_alloc'\n", "", ("memory", None)),
        (signal.SIGSEGV, "", "", ("crash", "SIGSEGV")),
        (63, "", "", ("crash", "signal 63")),
        (signal.SIGKILL, "", "", ("memory", "SIGKILL")),
        (signal.SIGKILL, "OOM when allocating tensor", "more than 1 s", ("memory", "no memory was left")),
        (signal.SIGKILL, 'Stack:\n  File "/x/y.py", line 3 in f', "more than 1 s", ("hang", "more than 1 s")),
        (3 << 8, "", "", ("crash", "exited with status 3")),
        (
            signal.SIGSEGV,
            'Stack (most recent call first):\n  File "/x/site-packages/y/z.py", line 3 in f\n',
            "",
            ("crash", "SIGSEGV: f (y/z.py:3)"),
        ),
        (
            signal.SIGSEGV,
            'Stack (most recent call first):\n  File "/x/oracle/reference/outcome.py", line 3 in call\n',
            "",
            ("crash", "SIGSEGV: in a function written in C"),
        ),
    ],
)
def test_deaths_are_explained_without_what_changes_from_run_to_run(status, text, overrun, expected):
    kind, detail = explain(status, text, overrun)
    assert kind == expected[0]
    assert expected[1] in (None, detail)


def test_breadcrumbs_are_read_where_they_are_not_written():
    descriptor = make_memory()
    writer, reader = ProgressMarker(descriptor), ProgressMarker(descriptor)
    assert reader.read().text == "starting"
    writer.leave("first", 2.0)
    writer.leave("é" * 1000)
    crumb = reader.read()
    assert (crumb.steps, crumb.allowance) == (2, 1.0)
    assert set(crumb.text) <= {"é", "\N{REPLACEMENT CHARACTER}"}
    os.close(descriptor)


def test_breadcrumbs_are_read_while_they_are_written():
    """A reader never sees an allowance that nobody left: of zero seconds, say."""
    descriptor = make_memory()
    writer = os.fork()
    if not writer:
        marker = ProgressMarker(descriptor)
        for _ in range(200_000):
            marker.leave("a step", 2.0)
        os._exit(0)
    marker, seen = ProgressMarker(descriptor), set()
    while os.waitpid(writer, os.WNOHANG) == (0, 0):
        seen.update(marker.read().allowance for _ in range(1000))
    assert seen <= {marker.read().allowance, 6.0}
    os.close(descriptor)


@pytest.mark.full
def test_a_template_that_is_killed_while_it_starts_again_is_started_once_more(monkeypatch):
    told, killed = [], []
    with sandbox(arguments={"word": "ready"}, notice=told.append) as box:
        template, launch = template_of(obey(box, "work").results[0]), box._server._launch

        def launch_and_kill(*arguments):
            process = launch(*arguments)
            if not killed:
                killed.append(process.pid)
                process.kill()
            return process

        monkeypatch.setattr(box._server, "_launch", launch_and_kill)
        os.kill(template, signal.SIGKILL)
        assert obey(box, 1, fresh=True).results == [("ready", 1)]
    assert len(told) == 2
    assert told[1].endswith("was killed by SIGKILL: it is started again")


def is_alive(pid):
    return os.path.exists(f"/proc/{pid}") and Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"


@pytest.mark.parametrize("act", ["start_daemon", "start_program"])
def test_what_a_call_starts_ends_with_its_worker(act):
    with sandbox() as opened:
        (pid,) = obey(opened, act).results
        assert is_alive(pid)
        reply = obey(opened, "abort", confirm=False)
        assert isinstance(reply.results[0], Death)
        end = time.monotonic() + 10.0
        while is_alive(pid) and time.monotonic() < end:
            time.sleep(0.01)
        assert not is_alive(pid)
        (pid,) = obey(opened, act).results
    assert not is_alive(pid)


def test_a_daemon_does_not_hide_the_death_of_its_worker():
    with sandbox() as opened:
        begun = time.monotonic()
        (death,) = obey(opened, "die_with_daemon", confirm=False).results
        assert (death.kind, death.detail) == ("crash", "exited with status 7")
        assert time.monotonic() - begun < 30.0


def test_a_call_changes_nothing_for_the_next_one(box):
    reply = obey(box, "change_process", "look_at_process")
    assert reply.results[1] == (True, False, False, False, True, False, False)


@pytest.mark.parametrize("act", ["leak", "lower_limit"])
def test_a_worker_without_descriptors_is_replaced(act):
    with sandbox() as opened:
        reply = obey(opened, "work", *[act] * 6, "work")
    assert all(isinstance(one, int) for one in reply.results), reply.results
    assert len(set(reply.results)) > 1
    assert list(reply.unconfirmed) == []


PROGRAM = """
import sys
from oracle.harness import Lease, Sandbox
with Sandbox(1, modules=["numpy"]) as box:
    (reply,) = box.run([Lease(0, "hostile:obey", [5])])
    sys.exit(0 if reply.results == [(None, 5)] else 4)
"""


@pytest.mark.parametrize(
    "shell",
    [
        "ulimit -v 50000000; exec {}",
        "exec {} <&- >&- 2>&-",
        "ulimit -c 0; ulimit -n 200; exec {}",
        "umask 077; exec {}",
    ],
)
def test_a_sandbox_opens_under_limits_and_without_standard_files(tmp_path, shell):
    root, here = Path(__file__).parents[2], Path(__file__).parent
    (tmp_path / "program.py").write_text(PROGRAM)
    words = shell.format(f"{sys.executable} {tmp_path / 'program.py'}")
    environment = os.environ | {"PYTHONPATH": f"{root}{os.pathsep}{here}"}
    assert subprocess.run(["bash", "-c", words], env=environment, check=False, timeout=120).returncode == 0
