# SPDX-License-Identifier: GPL-3.0-or-later
"""The folders of src, their files, and how they depend on each other: five rules of audit.py.

The meson.build files list the folders from the ground up: a file includes only headers of its own
folder and of folders that come before it there. So there is no circle between folders. Between the
files of one folder there is none either, but for the folders of a table.
"""

import collections
import posixpath
import re

from audit_base import CODE, files, line_of, without_comments

INCLUDED_FROM = ('', 'src', 'src/engine', 'src/ui')
MOST_PAIRS = 45
LISTED = re.compile(r"^\s*subdir\('([^']+)'\)|\bfiles\(", re.MULTILINE)


def sample(texts):
    """A tree with two folders, "low" below "high", and files with these texts."""
    return {'src/meson.build': "subdir('low')\nsubdir('high')\n",
            'src/low/meson.build': 'files(', 'src/low/low.h': '',
            'src/high/meson.build': 'files(', 'src/high/high.h': '', **texts}


UP = '#include "high/high.h"\n'
DOWN = '#include "low/low.h"\n'
BAD = [sample({'src/low/low.c': UP}),
       sample({'src/low/low.c': UP, 'src/high/high.c': DOWN}),
       sample({'src/high/file-%d.c' % i: '' for i in range(MOST_PAIRS + 1)}),
       sample({'src/other/other.c': DOWN})]
GOOD = sample({'src/high/high.c': DOWN + '#include "high.h"\n#include <gio/gio.h>\n'})


def list_folders(tree, folder='src'):
    """The folders below one, from the ground up; the folder itself stands where its files do."""
    found, own = [], False
    for match in LISTED.finditer(tree.get(folder + '/meson.build', '')):
        if match.group(1):
            found += list_folders(tree, posixpath.join(folder, match.group(1)))
        elif not own:
            found.append(folder)
            own = True
    return found if own else found + [folder]


def read_includes(tree):
    """(file, line, included file) for what is included of the tree."""
    for path, text in tree.items():
        if path.startswith('src/') and path.endswith(CODE):
            own = posixpath.dirname(path)
            for number, line in enumerate(text.split('\n'), 1):
                match = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
                for start in (own,) + INCLUDED_FROM if match else ():
                    target = posixpath.normpath(posixpath.join(start, match.group(1)))
                    if target in tree:
                        yield path, number, target
                        break


def get_pair(path):
    """The path without its ending: one for NAME.c, NAME.h and NAME-private.h."""
    return posixpath.splitext(path)[0].removesuffix('-private')


def find_way(arrows, start, end):
    """The folders, or pairs of files, on the shortest way from one to another; none if there is no
    way."""
    came_from, waiting = {start: None}, collections.deque([start])
    while waiting and end not in came_from:
        here = waiting.popleft()
        for there in sorted(arrows[here]):
            if there not in came_from:
                came_from[there] = here
                waiting.append(there)
    way, at = [], end if end in came_from else None
    while at is not None:
        way.append(at)
        at = came_from[at]
    return way[::-1]


def folders_stand_on_each_other(tree):
    """Folders include downwards only, and none of them is too large to know."""
    order = {folder: i for i, folder in enumerate(list_folders(tree))}
    included = list(read_includes(tree))
    arrows = collections.defaultdict(set)
    for path, _, target in included:
        arrows[posixpath.dirname(path)].add(posixpath.dirname(target))
    for path, line, target in included:
        folder, other = posixpath.dirname(path), posixpath.dirname(target)
        if folder not in order:
            yield path, line, '%s is in no meson.build' % folder
        elif order.get(other, -1) > order[folder]:
            way = find_way(arrows, other, folder)
            circle = '; circle: ' + ' -> '.join([folder] + way) if way else ''
            yield path, line, 'includes %s, which is above it%s' % (target, circle)
    names = collections.defaultdict(set)
    for path in tree:
        if path.startswith('src/') and path.endswith(CODE):
            names[posixpath.dirname(path)].add(get_pair(path))
    for folder, pairs in names.items():
        if len(pairs) > MOST_PAIRS:
            yield folder, 1, 'has %d pairs of .c and .h, more than %d' % (len(pairs), MOST_PAIRS)


# The folders whose files may include each other in a circle, and why.
CIRCLES = {
    'src/engine/session': 'the item of a call has the chat of its subagent, with turns and items',
    'src/ui/pictures': 'a picture asks the pictures of its chat to load it, and to stop that',
}
KNOWN_CIRCLES = {path: text for folder in CIRCLES for path, text in (
    (folder + '/one.h', '#include "two.h"\n'), (folder + '/two.c', '#include "one.h"\n'),
    (folder + '/two.h', ''))}
ONE_WAY = {'src/low/one.c': '#include "one-private.h"\n#include "two.h"\n',
           'src/low/one-private.h': '#include "one.h"\n', 'src/low/one.h': '',
           'src/low/two.c': '#include "two.h"\n', 'src/low/two.h': '#include "three.h"\n',
           'src/low/three.h': ''}
BAD_CIRCLES = [
    {**KNOWN_CIRCLES, **ONE_WAY, 'src/low/two.c': '#include "one.h"\n'},
    {**KNOWN_CIRCLES, **ONE_WAY, 'src/low/three-private.h': '#include "low/one-private.h"\n'},
    {**KNOWN_CIRCLES, 'src/engine/session/two.c': ''}]
GOOD_CIRCLES = {**KNOWN_CIRCLES, **ONE_WAY, 'src/high/one.c': '#include "low/two.h"\n'}


def files_stand_on_each_other(tree):
    """Between the pairs of .c and .h of a folder there is no circle of includes."""
    arrows = collections.defaultdict(set)
    inside = []
    for path, line, target in read_includes(tree):
        pair, other = get_pair(path), get_pair(target)
        if pair != other and posixpath.dirname(pair) == posixpath.dirname(other):
            arrows[pair].add(other)
            inside.append((path, line, pair, other))
    with_circle = set()
    for path, line, pair, other in inside:
        way = find_way(arrows, other, pair)
        if way:
            with_circle.add(posixpath.dirname(path))
        if way and posixpath.dirname(path) not in CIRCLES:
            names = ' -> '.join(posixpath.basename(one) for one in [pair] + way)
            yield path, line, 'includes what includes it; circle: ' + names
    for folder in sorted(set(CIRCLES) - with_circle):
        yield folder, 1, 'has no circle of includes any more, but an entry in CIRCLES'


PRIVATE = re.compile(r'\b_gadget_\w+')
DECLARED = re.compile(r'^[^\n;{}=#()/*]*?[ *](_gadget_\w+)\s*\(', re.MULTILINE)
BAD_PRIVATE = [
    {'src/engine/low/a.h': 'void _gadget_a_go (void);\n',
     'src/engine/high/b.c': '_gadget_a_go ();\n'},
    {'src/engine/low/a-private.h': '', 'src/engine/high/b.c': '#include "low/a-private.h"\n'}]
GOOD_PRIVATE = {
    'src/engine/low/a-private.h': 'void _gadget_a_go (void);\n',
    'src/engine/low/room/b.c': '#include "low/a-private.h"\n_gadget_a_go ();\n',
    'src/engine/high/c.c': '/* Unlike _gadget_a_go (). */\n_gadget_own ();\n'}


def get_top_folder(path):
    """The folder that a file is in, or of which it is in a room: src/engine/tools, say."""
    return '/'.join(posixpath.dirname(path).split('/')[:3])


def private_names_stay_in_their_folder(tree):
    """Functions that begin with _gadget_, and private headers, are for one folder and its rooms."""
    for path, line, target in read_includes(tree):
        if target.endswith('-private.h') and get_top_folder(path) != get_top_folder(target):
            yield path, line, 'includes %s, which is private' % target
    owners = {}
    for path, text in files(tree, 'src/', '.h'):
        for match in DECLARED.finditer(without_comments(text)):
            owners[match.group(1)] = get_top_folder(path)
    for path, text in files(tree, 'src/', CODE):
        code = without_comments(text)
        for match in PRIVATE.finditer(code):
            if owners.get(match.group(0), get_top_folder(path)) != get_top_folder(path):
                yield path, line_of(code, match.start()), '%s is private to %s' % (
                    match.group(0), owners[match.group(0)])


DOCUMENT = 'data/docs/architecture.md'
TABLE = '| `src/low` | ground |\n| `src/high` | above |\n'
BAD_TABLES = [sample({DOCUMENT: TABLE.replace('`src/low`', '`src/gone`')}),
              sample({DOCUMENT: '| `src/high` | above |\n| `src/low` | ground |\n'}),
              sample({})]
GOOD_TABLE = sample({DOCUMENT: '# Folders\n' + TABLE})


def folders_are_described(tree):
    """The table of the architecture names the folders that there are, from the ground up."""
    with_code = {posixpath.dirname(path) for path in tree
                 if path.startswith('src/') and path.endswith(CODE)}
    there = [folder for folder in list_folders(tree) if folder in with_code - {'src'}]
    named = re.findall(r'^\| `(src/[^`]*)` \|', tree.get(DOCUMENT, ''), re.MULTILINE)
    if named != there:
        yield DOCUMENT, 1, 'names %s, and there are %s' % (', '.join(named), ', '.join(there))


# Folders of tests that have no folder of src beside them.
TESTS_OF_THEIR_OWN = ('tests/engine/abort', 'tests/ui/show')
BAD_TESTS = [{'src/ui/code/code.c': '', 'tests/ui/kode/test-code.c': ''},
             {'src/ui/code/code.c': '', 'tests/ui/test-code.c': ''}]
GOOD_TESTS = {'src/ui/code/code.c': '', 'tests/ui/code/test-code.c': '',
              'tests/engine/abort/test-abort.c': '', 'tests/support/fake.c': ''}


def tests_lie_beside_what_they_test(tree):
    """The tests of src/engine and src/ui lie in folders of the same names."""
    folders = {posixpath.dirname(path) for path in tree if path.endswith(CODE)}
    for path in sorted(tree):
        folder = posixpath.dirname(path)
        if path.endswith('.c') and path.startswith(('tests/engine/', 'tests/ui/')) and \
                folder not in TESTS_OF_THEIR_OWN and \
                ('src' + folder.removeprefix('tests') not in folders or folder.count('/') < 2):
            yield path, 1, 'there is no folder %s' % ('src' + folder.removeprefix('tests'))
