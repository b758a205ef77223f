"""Sandboxes for the setup of a campaign: on this machine, and in the workers of a Dask cluster, which call the other
functions here.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import fuzz.engine.item_results  # noqa: F401 - a worker rebuilds answers of imported classes only
from fuzz.engine.provenance import find_versions
from fuzz.releases.interpreters import find_interpreter
from oracle.harness import Lease, Reply, Sandbox

IDLE_SECONDS = 600.0  # after which a sandbox is closed: its client may be gone, or another lease opens one again
LOOKING = 60.0  # seconds between two looks for such

_IDLE: list[tuple[str, float, Sandbox]] = []
"""The open sandboxes of this worker that run nothing: of which run, since when."""

_OVER: set[str] = set()
"""The runs that are over: their sandboxes are closed as soon as they run nothing."""

_LOCK = threading.Lock()
_REAPERS: list[threading.Thread] = []


def make_sandbox(jobs: int, setup: Mapping[str, Any], notice: Callable[[str], None] = lambda text: None) -> Sandbox:
    """Return a sandbox, not yet open. The interpreter that `setup` names is looked for on this machine.

    Raises Unavailable if it cannot run the harness.
    """
    interpreter = find_interpreter(setup.get("interpreter", ""))
    return Sandbox(jobs, **{**setup, "interpreter": interpreter}, notice=notice)


def open_sandbox(run: str, setup: Mapping[str, Any]) -> dict[str, str]:
    """Open a sandbox for the leases of a run, and return the versions of the packages that it uses."""
    _keep(run, _open(setup))
    return find_versions(setup.get("arguments", {}).get("subject", "numpy"), setup.get("interpreter", ""))


def run_lease(run: str, setup: Mapping[str, Any], lease: Lease) -> Reply:
    """Run one lease in a sandbox of this worker. One that fails is closed, and the next lease opens another."""
    sandbox = _take(run) or _open(setup)
    try:
        (reply,) = sandbox.run([lease])
    except BaseException:
        sandbox.close()
        raise
    _keep(run, sandbox)
    return reply


def close_sandboxes(run: str) -> None:
    """Close the sandboxes of a run that is over."""
    _OVER.add(run)
    _close_idle(lambda owner, since: owner in _OVER)


def _open(setup: Mapping[str, Any]) -> Sandbox:
    with _LOCK:  # it may make links in the working directory
        sandbox = make_sandbox(1, setup)
        if not _REAPERS:
            _REAPERS.append(threading.Thread(target=_reap, daemon=True))
            _REAPERS[0].start()
    sandbox.open()
    return sandbox


def _reap() -> None:
    while True:
        time.sleep(LOOKING)
        _close_idle(lambda owner, since: time.monotonic() - since > IDLE_SECONDS)


def _keep(run: str, sandbox: Sandbox) -> None:
    with _LOCK:
        _IDLE.append((run, time.monotonic(), sandbox))
    if run in _OVER:
        _close_idle(lambda owner, since: owner in _OVER)


def _take(run: str) -> Sandbox | None:
    with _LOCK:
        found = next((entry for entry in reversed(_IDLE) if entry[0] == run), None)
        if found is None:
            return None
        _IDLE.remove(found)
        return found[2]


def _close_idle(is_over: Callable[[str, float], bool]) -> None:
    with _LOCK:
        over = [entry for entry in _IDLE if is_over(*entry[:2])]
        _IDLE[:] = [entry for entry in _IDLE if entry not in over]
    for _, _, sandbox in over:
        sandbox.close()
