# SPDX-License-Identifier: GPL-3.0-or-later
"""The tests that the tables of cases, escapes and pairs name exist: three rules of audit.py."""

import re

from audit_base import CODE, blank, files, rule

CASE_TABLE = 'tests/abort-cases.md'
CASES = {'T': '1-11 13-15 17-21', 'L': '1 3-5 7-12 14-15', 'H': '1-7 10-14', 'X': '1-9 11-24 26',
         'U': '1-4 6 8-22', 'P': '1-7 10-11', 'A': '1-2 4-14 16-17', 'S': '1-8', 'G': '1-5 7-9',
         'R': '1-4', 'N': '1-5 7-9'}


def expand(letter, ranges):
    for part in ranges.replace(letter, '').split():
        first, _, last = part.partition('-')
        yield from ('%s%d' % (letter, n) for n in range(int(first), int(last or first) + 1))


def literals(text):
    """The string literals of a C file."""
    code = re.sub(r'/\*.*?\*/', blank, text, flags=re.DOTALL)
    return set(re.findall(r'"((?:[^"\\\n]|\\.)*)"', code))


def test_exists(path, sources, words):
    """Whether a program of SOURCES (name to literals) has that test: named whole, put together
    with "%s", or of a prefix and the rest (a prefix in a header is for all)."""
    if path.endswith('.py'):
        return False
    for name, found in sources.items():
        for literal in found:
            if not literal.startswith('/'):
                continue
            if literal == path:
                return True
            pattern = '([^/]+)'.join(re.escape(part) for part in literal.split('%s'))
            match = '%s' in literal and re.fullmatch(pattern, path)
            if match and all(group in words for group in match.groups()):
                return True
            rest = path[len(literal):]
            if (literal.endswith('/') and path.startswith(literal) and rest
                    and rest in (words if name.endswith('.h') else found)):
                return True
    return False


def named_tests(text, tree, sources, words):
    """The tests that TEXT names, each with whether it exists."""
    for name in re.findall(r'`(/[^`]*)`', text):
        yield name, (any(word.startswith(name) for word in words) if name.endswith('/')
                     else test_exists(name, sources, words))
    for file, function in re.findall(r'`(\w+\.py):(\w+)`', text):
        yield ('%s in %s' % (function, file),
               any(re.search(r'^def %s\(' % function, text, flags=re.MULTILINE)
                   for path, text in files(tree, 'tests/', '/' + file)))


CASE_ROWS = ''.join('| %s%d | what | not there |\n' % (letter, int(case[1:]))
                    for letter in CASES for case in expand(letter, CASES[letter]))


@rule(bad=[{CASE_TABLE: CASE_ROWS.replace('| T3 | what | not there |\n', '')},
           {CASE_TABLE: CASE_ROWS.replace('| T3 | what | not there |', '| T3 | what | |')},
           {CASE_TABLE: CASE_ROWS + '| T3 | again | not there |\n'},
           {CASE_TABLE: CASE_ROWS.replace('T3 | what | not', 'T3 | what | `/abort/T3` not')},
           {CASE_TABLE: CASE_ROWS.replace('T3 | what | not', 'T3 | what | `/abort/` not')},
           {CASE_TABLE: CASE_ROWS.replace('T3 | what | not', 'T3 | what | `test_a.py:b` not'),
            'tests/e2e/test_a.py': 'def c(home):\n'}],
      good={CASE_TABLE: CASE_ROWS.replace('T3 | what | not',
                                          'T3 | what | `/a/T3`, `/b/x/T4`, `/c/d`, `test_a.py:b`'),
            'tests/engine/test-a.c': 'f ("/a/" "T3", "/a/", "/b/%s/T4", "x");\n/* "/no" */\n',
            'tests/support/s.h': '#define ADD(path) "/c/" path\n', 'tests/engine/test-b.c': '"d"',
            'tests/e2e/test_a.py': 'def b(home):\n'})
def each_case_names_tests_that_exist(tree):
    if CASE_TABLE not in tree:
        return
    sources = {path: literals(text) for path, text in files(tree, 'tests/', CODE)}
    words = set().union(*sources.values()) if sources else set()
    seen = set()
    for number, line in enumerate(tree[CASE_TABLE].split('\n'), 1):
        cells = [cell.strip() for cell in line.strip('|').split('|')]
        if not re.match(r'\| [A-Z]\d', line) or len(cells) != 3:
            continue
        cases = set(expand(cells[0][0], re.sub(r' to ', '-', cells[0]).replace(',', ' ')))
        for case in sorted(cases & seen):
            yield CASE_TABLE, number, '%s is there twice' % case
        seen |= cases
        if not cells[2]:
            yield CASE_TABLE, number, '%s is shown by nothing' % cells[0]
        for name, exists in named_tests(cells[2], tree, sources, words):
            if not exists:
                yield CASE_TABLE, number, 'there is no test ' + name
    wanted = {case for letter in CASES for case in expand(letter, CASES[letter])}
    for case in sorted(wanted ^ seen):
        yield CASE_TABLE, 1, 'no row, or one too many, of %s' % case


# --- The escapes ----------------------------------------------------------------------------------

ESCAPE_TABLE = 'tests/escapes.md'


def table_rows(text):
    """The rows of a Markdown file's tables, with their numbers, but for headings."""
    for number, line in enumerate(text.split('\n'), 1):
        cells = [cell.strip() for cell in line.strip('|').split('|')]
        if line.startswith('| ') and cells[-1] not in ('test', 'shown by', '---'):
            yield number, cells


def untried_rows(tree, table):
    """What is wrong with the tests that the last cells of a table name."""
    sources = {path: literals(text) for path, text in files(tree, 'tests/', CODE)}
    words = set().union(*sources.values()) if sources else set()
    for number, cells in table_rows(tree.get(table, '')):
        named = list(named_tests(cells[-1], tree, sources, words))
        if not named:
            yield table, number, 'this is tried by no test'
        for name, exists in named:
            if not exists:
                yield table, number, 'there is no test ' + name


@rule(bad=[{ESCAPE_TABLE: '| how | test |\n| --- | --- |\n| a | not yet |\n'},
           {ESCAPE_TABLE: '| a | `/engine/none` |\n'},
           {ESCAPE_TABLE: '| a | `/engine/a` |\n| b | `/engine/b` |\n',
            'tests/engine/test-a.c': 'f ("/engine/a");\n'},
           {ESCAPE_TABLE: '| a | `test_a.py:b` |\n'}],
      good={ESCAPE_TABLE: '| how | test |\n| --- | --- |\n| a | `/engine/a`, `test_a.py:b`: so |\n',
            'tests/engine/test-a.c': 'f ("/engine/" "a", "/engine/", "a");\n',
            'tests/e2e/test_a.py': 'def b(home):\n'})
def each_escape_is_tried(tree):
    yield from untried_rows(tree, ESCAPE_TABLE)


# --- The pairs -----------------------------------------------------------------------------------

PAIR_TABLE = 'tests/session-pairs.md'
PAIR_THINGS = ('shown', 'draft', 'queue', 'edit of a turn', 'running turn', 'title run', 'subagent')
PAIR_EVENTS = ('deleted here', 'deleted elsewhere', 'delete undone', 'turn deleted or undone',
               'branched', 'repaired after a crash', 're-read from outside')
PAIR_ROWS = ''.join('| %s | %s | so | `/engine/a` |\n' % (thing, event)
                    for thing in PAIR_THINGS for event in PAIR_EVENTS)
PAIR_TEST = {'tests/engine/test-a.c': 'f ("/engine/a");\n'}


@rule(bad=[{PAIR_TABLE: PAIR_ROWS},
           {PAIR_TABLE: PAIR_ROWS.replace('| so | `/engine/a` |', '| so | not yet |', 1), **PAIR_TEST},
           {PAIR_TABLE: PAIR_ROWS.replace('| draft | branched ', '| draft | moved '), **PAIR_TEST},
           {PAIR_TABLE: PAIR_ROWS + '| draft | branched | so | `/engine/a` |\n', **PAIR_TEST}],
      good={PAIR_TABLE: '| of | what | holds | test |\n' + PAIR_ROWS, **PAIR_TEST})
def each_pair_is_tried(tree):
    """Of what a chat has, and what happens to it meanwhile."""
    if PAIR_TABLE not in tree:
        return
    yield from untried_rows(tree, PAIR_TABLE)
    seen = [tuple(cells[:2]) for _, cells in table_rows(tree[PAIR_TABLE]) if len(cells) == 4]
    for pair in ((thing, event) for thing in PAIR_THINGS for event in PAIR_EVENTS):
        if seen.count(pair) != 1:
            yield PAIR_TABLE, 1, 'no row, or one too many, of %s and %s' % pair
