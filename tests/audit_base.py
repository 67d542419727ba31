# SPDX-License-Identifier: GPL-3.0-or-later
"""What the rules of audit.py are made with: the tree that they read, and how they are registered.

A rule is a function from a tree (a mapping from path to text) to findings (path, line, text), with
the samples that prove that it can fail beside it.
"""

import functools
import os
import re

ROOTS = ('src', 'data', 'po', 'tests', 'flatpak', '.ci')
TOP_FILES = ('dev', 'meson.build', 'meson.options', 'README.md', 'CONTRIBUTING.md')
CODE = ('.c', '.h')
TEXT = CODE + ('.py', '.sh', '.blp', '.ui', '.css', '.xml', '.in', '.svg', '.build', '.md', '.json')

RULES = []


def rule(bad, good):
    """Registers a rule with a tree, or several, that it must refuse and one that it must accept."""
    def register(function):
        trees = bad if isinstance(bad, list) else [bad]
        RULES.append((function.__name__.replace('_', '-'), function, trees, good))
        return function
    return register


def read_tree(top):
    tree = {}
    for root in ROOTS:
        for folder, folders, names in os.walk(os.path.join(top, root)):
            folders[:] = sorted(f for f in folders if f != '__pycache__')
            for name in sorted(names):
                add_file(tree, top, os.path.join(folder, name))
    for name in TOP_FILES:
        add_file(tree, top, os.path.join(top, name))
    return tree


def add_file(tree, top, path):
    try:
        with open(path, encoding='utf-8') as file:
            tree[os.path.relpath(path, top)] = file.read()
    except (UnicodeDecodeError, FileNotFoundError):
        pass  # a picture, or an optional file


def files(tree, under, suffixes):
    return [(p, t) for p, t in tree.items() if p.startswith(under) and p.endswith(suffixes)]


def blank(match):
    return re.sub(r'[^\n]', ' ', match.group(0))


@functools.lru_cache(maxsize=None)
def without_comments(text):
    """C text with comments and the insides of literals blanked out; lines stay where they are."""
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text,
                  flags=re.DOTALL)


def line_of(text, offset):
    return text.count('\n', 0, offset) + 1


def search_code(tree, under, pattern, message, exempt=()):
    for path, text in files(tree, under, CODE):
        if not path.startswith(tuple(exempt)):
            for match in re.finditer(pattern, without_comments(text)):
                yield path, line_of(text, match.start()), message.format(match.group(0).strip())


def includes(tree, under, pattern, message):
    for path, text in files(tree, under, CODE):
        for number, line in enumerate(text.split('\n'), 1):
            match = re.match(r'\s*#\s*include\s*[<"](' + pattern + r')', line)
            if match:
                yield path, number, message.format(match.group(1))


def function_at(code, offset):
    """The name of the function around an offset, from the style's "name (" in the first column."""
    names = list(re.finditer(r'^([a-z_]\w*) \(', code[:offset], flags=re.MULTILINE))
    return names[-1].group(1) if names else '?'


def arguments_at(code, offset):
    """The arguments of the call whose opening parenthesis is at offset."""
    depth, start, found = 0, offset + 1, []
    for i in range(offset, len(code)):
        if code[i] in '([{':
            depth += 1
        elif code[i] in ')]}':
            depth -= 1
            if depth == 0:
                return found + [code[start:i].strip()]
        elif code[i] == ',' and depth == 1:
            found.append(code[start:i].strip())
            start = i + 1
    return found
