from __future__ import annotations

import io

from rich.table import Table

from fuzz.report.console import WIDTH, open_console

LONG = "word " * 100


def test_lines_of_a_log_are_not_broken(monkeypatch):
    monkeypatch.setattr("sys.stdout", io.StringIO())
    console = open_console()
    console.print(LONG)
    table = Table(box=None)
    table.add_column("column")
    table.add_row(LONG)
    console.print(table, soft_wrap=False)
    lines = console.file.getvalue().splitlines()
    assert lines[0].strip() == LONG.strip()
    assert max(map(len, lines[1:])) <= WIDTH
