#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the benchmarks, prints their figures as a table and writes them as JSON.

usage: run.py BUILD OUT [NAME]

Each program prints rows, one JSON object a line; OUT gets them as one array. NAME picks a group;
without it every group runs but those that take minutes ("soak", "fuzz"). The exit status is 1 when a row is not ok (null counts as ok) or a
program failed, 2 when the arguments make no sense.
"""

import json
import os
import subprocess
import sys

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WITH_DISPLAY = [sys.executable, os.path.join(TESTS, "support", "with-display")]

GADGET = "src/gadget"
MANY = (False, ["bench-abort-many"])
REMOTE = (False, ["bench-abort-remote", "src/cli/gadget-cli"])
PRESS = (False, ["bench-press.py", "."])
IMPORT = (False, ["bench-import.py", "."])
ESCAPE = (True, ["bench-escape", GADGET, "src/cli/gadget-cli", "tests/bench/bare-escape"])

# For each group its programs: whether on a display, and the command. A name alone is of tests/bench,
# a path of the build folder.
GROUPS = {
    "abort": [(False, ["bench-abort"]), MANY, REMOTE, (False, ["bench-mcp"]), ESCAPE, PRESS],
    "journal": [(False, ["bench-journal"])],
    "process": [(False, ["bench-process"])],
    "tools": [
        (False, ["bench-scan", "."]),
        (False, ["bench-undo"]),
        (False, ["bench-folders"]),
        (False, ["bench-search", "."]),
        (False, ["bench-sandbox"]),
    ],
    "library": [(False, ["bench-library", "."]), (True, ["bench-library-window", "."]), IMPORT],
    "start": [(True, ["bench-start", GADGET, "tests/bench/bare-window"])],
    "transcript": [(True, ["bench-transcript"]), (True, ["bench-streaming"]), (False, ["bench-markdown"])],
}
# Picked by name only: parts of the groups above, what takes minutes, and what measures a way that was
# not taken.
PARTS = {
    "escape": [ESCAPE],
    "press": [PRESS],
    "many": [MANY],
    "remote": [REMOTE],
    "streaming": [(True, ["bench-streaming"])],
    "mcp": [(False, ["bench-mcp"])],
    "markdown-blocks": [(False, ["bench-markdown-blocks"])],
    "soak": [(False, ["bench-soak"])],
    "fuzz": [(False, ["bench-fuzz.py"])],
    "import": [IMPORT],
}

NUMBERS = ("median", "p95", "worst", "floor", "ratio")
COLUMNS = ("bench", "case", "metric", "n") + NUMBERS + ("limit", "ok")


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def load():
    return " ".join(f"{value:.1f}" for value in os.getloadavg())


def command_line(build, display, words):
    program, *arguments = words
    if program.endswith(".py"):
        where = [os.path.join(build, argument) for argument in arguments]
        return [sys.executable, os.path.join(TESTS, "bench", program)] + (where or [os.path.dirname(build)])
    line = [os.path.join(build, "tests", "bench", program)]
    line += [os.path.join(build, argument) for argument in arguments]
    return WITH_DISPLAY + line if display else line


def read_row(line, name):
    try:
        row = json.loads(line)
        missing = [key for key in ("bench", "case", "metric", "n", "median", "ok") if key not in row]
    except (ValueError, TypeError):
        missing = ["JSON"]
    if missing:
        say(f"{name} printed what is no row (no {', '.join(missing)}): {line}")
        return None
    return {column: row.get(column) for column in COLUMNS} | row


def run_program(build, display, words):
    """Returns the rows of a program, and whether it did all that it should."""
    name = words[0]
    line = command_line(build, display, words)
    absent = [path for path in line if not os.path.exists(path)]
    if absent:
        say(f"{name} cannot run, this was not built: {', '.join(absent)}")
        return [], False
    say(f"{name} …")
    # Where commands are run, their helper is the one that was built.
    environment = {"GADGET_LIBEXEC_DIR": os.path.join(build, "src", "supervise"),
                   "GADGET_SOURCE_ROOT": os.path.dirname(TESTS)} | os.environ
    result = subprocess.run(line, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                            check=False)
    lines = [line for line in result.stdout.splitlines() if line.strip()]
    rows = [read_row(line, name) for line in lines]
    whole = bool(rows) and None not in rows
    rows = [row for row in rows if row is not None]
    if not rows:
        say(f"{name} measured nothing")
    # A program may say by its status what a row says already.
    said = result.returncode == 1 and any(row["ok"] is False for row in rows)
    if result.returncode != 0 and not said:
        status = result.returncode if result.returncode >= 0 else 128 - result.returncode
        how = f"crashed (signal {status - 128})" if status > 128 else f"failed (status {status})"
        say(f"{name} {how}; what it printed before is above, and its rows until then are kept")
        whole = False
    return rows, whole


def cell(row, column):
    value = row[column]
    if value is None:
        return "–"
    if column == "ok":
        return "ok" if value else "NOT OK"
    if column in NUMBERS:
        return f"{value:.2f}" if column == "ratio" else f"{value:.3f}"
    return str(value)


def print_table(rows):
    table = [COLUMNS] + [[cell(row, column) for column in COLUMNS] for row in rows]
    widths = [max(len(line[i]) for line in table) for i in range(len(COLUMNS))]
    for line in table:
        cells = [text.rjust(width) if column in NUMBERS + ("n",) else text.ljust(width)
                 for text, width, column in zip(line, widths, COLUMNS)]
        print("  ".join(cells).rstrip())


def choose(name):
    if name is None:
        return [program for programs in GROUPS.values() for program in programs]
    names = GROUPS | PARTS
    if name not in names:
        say(f"there is no benchmark \"{name}\"; there are: {', '.join(names)}")
        sys.exit(2)
    return names[name]


def main():
    if len(sys.argv) not in (3, 4):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    build, out, name = (sys.argv[1:] + [None])[:3]
    programs = choose(name)
    before = load()
    rows = []
    failed = []
    for display, words in programs:
        more, whole = run_program(os.path.abspath(build), display, words)
        rows += more
        if not whole:
            failed.append(words[0])
    with open(out + ".part", "w", encoding="utf-8") as file:
        file.write("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")
    os.replace(out + ".part", out)

    print_table(rows)
    bad = [f"{row['bench']} {row['case']} {row['metric']}" for row in rows if row["ok"] is False]
    print(f"\n{len(rows)} rows in {out}; {os.cpu_count()} processors, "
          f"load before {before}, after {load()}")
    if bad:
        print("not ok: " + ", ".join(bad))
    if failed:
        print("failed: " + ", ".join(failed))
    return 1 if bad or failed else 0


if __name__ == "__main__":
    sys.exit(main())
