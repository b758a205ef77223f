from __future__ import annotations

import io

from rich.table import Table

from fuzz.report.console import WIDTH, open_console
from fuzz.report.progress import Display
from fuzz.triage.events import Troubled

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


def test_the_name_of_a_file_is_printed_with_escapes(monkeypatch, capsys):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    name = "\x1b[2J\n::error::x\u202e"
    open_console().print(f"Report: [bold]{name}[/]", name)
    Display(open_console())(Troubled(name))
    printed = capsys.readouterr().out
    assert all(line.isprintable() and not line.startswith("::") for line in printed.splitlines())
    assert printed.count(r"\x1b[2J") == 3
