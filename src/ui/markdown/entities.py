#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# entities.py OUTPUT: writes the named character references of HTML, from Python's library, as a
# sorted table in C. Markdown has only those that end with a semicolon.

import html.entities
import sys


def quote(text):
    return ''.join('\\%03o' % byte for byte in text.encode())


names = sorted(name[:-1] for name in html.entities.html5 if name.endswith(';'))
with open(sys.argv[1], 'w', encoding='utf-8') as out:
    out.write('/* Made by entities.py. */\n\n')
    for name in names:
        out.write('{ "%s", "%s" },\n' % (name, quote(html.entities.html5[name + ';'])))
