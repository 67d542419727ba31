# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs functions as tests, and says what came of them as TAP."""

import traceback


class Skip(Exception):
    """A test that cannot run where it is, and why."""


def run(tests, wanted, make_desktop):
    """Those whose names contain one of the WANTED, or all; the exit status of the program."""
    chosen = [t for t in tests if not wanted or any(part in t.__name__ for part in wanted)]
    failed = 0
    try:
        desktop = make_desktop()
    except Skip as skip:
        print('1..0 # SKIP %s' % skip)
        return 0
    print('1..%d' % len(chosen), flush=True)
    with desktop:
        for number, function in enumerate(chosen, 1):
            try:
                function()
                print('ok %d - %s' % (number, function.__name__), flush=True)
            except Skip as skip:
                print('ok %d - %s # SKIP %s' % (number, function.__name__, skip), flush=True)
            except Exception:
                failed += 1
                for line in traceback.format_exc().splitlines():
                    print('# ' + line)
                print('not ok %d - %s' % (number, function.__name__), flush=True)
    return 1 if failed else 0
