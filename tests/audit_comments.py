# SPDX-License-Identifier: GPL-3.0-or-later
"""Comments on public functions: a rule of audit.py.

A function is public if a header without "private" in its name declares it. It is described by
 - a comment directly above its definition,
 - a comment directly above its prototype, or above the prototypes that stand before it without
   anything between them, not even an empty line, unless it describes a type or is a heading, or
 - a comment of its source, or of a header that declares it, that has its name as a subject: with
   ":" or "()" behind it, where the comment or a sentence or a part of one begins, alone or in a
   list of such names. That is how functions which belong together share a comment.
"""

import collections
import re

PROTOTYPE = re.compile(r'^(?!static|typedef|[ *}])[^\n;{}=#()]*?\b(gadget_\w+)\s*\([^;{}]*;\n',
                       re.MULTILINE)
DEFINITION = re.compile(r'^[^\n/#}].*\n(gadget_\w+) \([^;{}]*?\)\n\{', re.MULTILINE)
# Literals are passed over: "*/*" is no comment.
COMMENT_OR_LITERAL = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
MARKS = re.compile(r'^/\*+|\s*\*+/$|\n\s*\*[ \t]?')
NAMES = re.compile(r'(?:^|[.;:,]\s)\s*((?:gadget_\w+(?: ?\(\)|:)(?:,?\s(?:and|or)\s|,\s)?)+)')
NO_GROUP = re.compile(r'Gadget\w+:|---')  # a comment on a type, or a heading


def without_comments(text):
    return COMMENT_OR_LITERAL.sub(lambda match: re.sub(r'[^\n]', ' ', match.group(0)), text)


def list_described(path, text):
    """The functions that the comments of a file describe, in any of the three ways."""
    comments = {match.end(): MARKS.sub('\n', match.group(0)).strip()
                for match in COMMENT_OR_LITERAL.finditer(text) if match.group(0)[0] == '/'}
    for words in comments.values():
        for names in NAMES.findall(words):
            yield from re.findall(r'gadget_\w+', names)
    code = without_comments(text)
    if path.endswith('.c'):
        for match in DEFINITION.finditer(code):
            if match.start() - 1 in comments:
                yield match.group(1)
        return
    group_end, in_group = -1, False
    for match in PROTOTYPE.finditer(code):
        above = comments.get(match.start() - 1)
        if above is not None:
            in_group = not NO_GROUP.match(above)
        elif match.start() != group_end:
            in_group = False
        group_end = match.end()
        if in_group:
            yield match.group(1)


def sample(header='', source='', end=''):
    return {'src/engine/common/gadget-a.h': header + 'void gadget_a_free (A *a);\n',
            'src/engine/common/gadget-a.c':
            source + 'void\ngadget_a_free (A *a)\n{\n}\n' + end}


OTHER = 'void gadget_a_start (A *a);\n'
BAD = [sample(),
       sample(header='/* Not this one. */\n\n'),
       sample(header='/* A group. */\n' + OTHER + '\n'),
       sample(header='/* A group. */\n' + OTHER + 'typedef int B;\n'),
       sample(header='/**\n * GadgetA:\n *\n * A type.\n */\n'),
       sample(source='/* Not this one. */\n\n'),
       sample(source='/* Ends the work; see gadget_a_free (). */\n\n'),
       sample(source='/* See gadget_a_new () and gadget_a_free (). */\n\n'),
       sample(source='/* gadget_a_free_all: frees. */\n\n'),
       sample(source='const char any[] = "*/*";\n\n', end='\n/* Not this one. */\n'),
       {**sample(), 'src/engine/common/gadget-b.c': '/* gadget_a_free () frees. */\n'}]
GOOD = {**sample(header='/* A group. */\n' + OTHER),
        'src/engine/common/gadget-b.h': 'B *gadget_b_ref (B *b);\n'
                                        'void gadget_b_unref (gpointer b);\n'
                                        'void gadget_b_end (B *b,\n                   int i);\n',
        'src/engine/common/gadget-b.c':
            '/* gadget_b_ref () and\n * gadget_b_unref () count references. */\n'
            'B *\ngadget_b_ref (B *b)\n{\n}\n\nvoid\ngadget_b_unref (gpointer b)\n{\n}\n\n'
            '/**\n * gadget_b_end:\n */\nvoid\ngadget_b_end (B *b, int i)\n{\n}\n\n'
            'static void\ngadget_b_init (B *b)\n{\n}\n',
        'src/engine/common/gadget-b-private.h': 'void gadget_b_look (B *b);\n',
        'src/engine/common/gadget-b-look.c': 'void\ngadget_b_look (B *b)\n{\n}\n'}


# The folders whose public functions have been described.
UNDER = ('src/',)


def public_functions_are_described(tree):
    """Whoever calls a public function need not read it: it says what it takes, returns and owns."""
    headers = collections.defaultdict(set)  # of a public function: what the headers describe
    for path, text in tree.items():
        if path.startswith('src/') and path.endswith('.h') and 'private' not in path:
            described = set(list_described(path, text))
            for match in PROTOTYPE.finditer(without_comments(text)):
                headers[match.group(1)] |= described
    for path, text in tree.items():
        if path.startswith(UNDER) and path.endswith('.c'):
            described = set(list_described(path, text))
            for match in DEFINITION.finditer(without_comments(text)):
                name = match.group(1)
                if name in headers and name not in described | headers[name]:
                    yield (path, text.count('\n', 0, match.start(1)) + 1,
                           '%s is public, and no comment describes it' % name)
