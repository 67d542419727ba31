#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What applications tell a screen reader, over the accessibility bus.

usage: announcements.py FILE

Appends a line to FILE for each announcement and for each widget that gets the focus, with its name,
its role and its description; "ready" is the first. The accessibility library connects once in a
process, so this is one of its own.
"""

import sys

import gi

gi.require_version('Atspi', '2.0')
from gi.repository import Atspi, GLib  # noqa: E402


def describe(node):
    parts = [node.get_name(), node.get_role_name(), node.get_description()]
    return ' '.join(part for part in parts if part)


def main():
    with open(sys.argv[1], 'a', buffering=1, encoding='utf-8') as out:
        def write(text):
            print(' '.join(text.split()), file=out)

        def event_cb(event):
            if event.type.startswith('object:announcement'):
                write(event.any_data)
            elif event.detail1:
                try:
                    write(describe(event.source))
                except GLib.Error:  # it is gone
                    pass

        Atspi.init()
        listener = Atspi.EventListener.new(event_cb)
        for name in ('object:announcement', 'object:state-changed:focused'):
            listener.register(name)
        write('ready')
        Atspi.event_main()


if __name__ == '__main__':
    main()
