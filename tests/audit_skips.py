# SPDX-License-Identifier: GPL-3.0-or-later
"""Why a test may skip: a rule of audit.py."""

import re

README = 'tests/README.md'
HEADING = '| a test skips where | what it lacks then |'

# In C and in Python; what a program adds to the reason comes after it.
SKIPS = [('.c', r'g_test_skip(?:_printf)?\s*\(\s*"([^"%]*)'), ('.py', r"raise Skip\('([^'%]*)")]

C = 'tests/engine/test-a.c'
PY = 'tests/e2e/test_a.py'
TABLE = HEADING + '\n| --- | --- |\n'

BAD = [{README: TABLE, C: 'g_test_skip ("no moon");'},
       {README: TABLE + '| `no moon` | tides |\n'},
       {README: TABLE + '| `no moon` | |\n', C: 'g_test_skip ("no moon");'},
       {README: 'nothing', C: 'g_test_skip ("no moon");'},
       {README: TABLE, PY: "raise Skip('no moon')"}]
GOOD = {README: 'x\n' + TABLE + '| `no moon` | tides |\n| `no sun: …` | light |\n\n| `other` | table |\n',
        C: 'g_test_skip ("no moon");\ng_test_skip_printf ("no sun: %s", why);\n',
        PY: "raise Skip('no moon')"}


def read_table(text):
    """Reason: (line, what is lacking)."""
    rows = {}
    inside = False
    for number, line in enumerate(text.split('\n'), 1):
        inside = line == HEADING or (inside and line.startswith('|'))
        match = re.match(r'\| `([^`]*)` \|(.*)\|$', line)
        if inside and match:
            rows[match.group(1).rstrip('…').strip()] = (number, match.group(2).strip())
    return rows


def every_skip_is_listed(tree):
    """What tests say when they skip, and the table of the README, are the same."""
    rows = read_table(tree.get(README, ''))
    said = set()
    for path, text in tree.items():
        for suffix, pattern in SKIPS:
            if not path.startswith('tests/') or not path.endswith(suffix) or 'audit' in path:
                continue
            for match in re.finditer(pattern, text):
                reason = match.group(1).strip()
                said.add(reason)
                if reason not in rows:
                    yield path, text.count('\n', 0, match.start()) + 1, \
                        'not in the table of %s: %s' % (README, reason)
    for reason, (number, lacking) in rows.items():
        if reason not in said:
            yield README, number, 'no test skips for that: ' + reason
        if not lacking:
            yield README, number, 'it is not said what is lacking: ' + reason
