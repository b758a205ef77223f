"""Programs that are run to their end."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from oracle.harness import run_program

SLEEPER = "import subprocess, sys; one = subprocess.Popen(['sleep', '100']); print(one.pid, flush=True); {}"


def run_python(source, seconds=60.0, **options):
    return run_program([sys.executable, "-c", source], seconds, **options)


def test_status_and_streams_are_returned():
    done = run_python("import sys; print(input()); print('e', file=sys.stderr); sys.exit(3)", text="given")
    assert (done.returncode, done.stdout, done.stderr) == (3, "given\n", "e\n")


def wait_for_end(pid):
    for _ in range(500):
        try:
            with open(f"/proc/{pid}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    return True
        except OSError:
            return True
        time.sleep(0.01)
    return False


def test_what_a_program_leaves_behind_ends_with_it():
    done = run_python(SLEEPER.format("pass"))
    assert wait_for_end(int(done.stdout))


def test_what_a_late_program_has_started_ends_with_it():
    with pytest.raises(subprocess.TimeoutExpired) as raised:
        run_python(SLEEPER.format("one.wait()"), 1.0)
    assert wait_for_end(int(raised.value.output))


def test_a_long_output_is_cut_off():
    assert len(run_python("print('x' * (2 << 20))").stdout) == 1 << 20


def test_a_program_that_is_not_there_raises():
    with pytest.raises(OSError, match="no-such-program"):
        run_program([os.path.abspath("no-such-program")], 1.0)
