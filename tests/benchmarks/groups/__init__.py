"""What is measured, group by group."""

from __future__ import annotations

from tests.benchmarks.groups import compiled, headlines, overhead, processes, random, scale, writes
from tests.benchmarks.measurement import Group

GROUPS: dict[str, Group] = {
    "overhead": overhead.GROUP,
    "scale": scale.GROUP,
    "compiled": compiled.GROUP,
    "random": random.GROUP,
    "writes": writes.GROUP,
    "processes": processes.GROUP,
    "headlines": headlines.GROUP,
}
