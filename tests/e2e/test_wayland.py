#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The built gadget as a client of a Wayland compositor: what is handled by other code of GTK there,
keys, popovers, dialogs and the clipboard, and drawing by OpenGL.

usage: test_wayland.py BUILD_DIR [NAME-PART]…

Output is TAP.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from driver import wait_for  # noqa: E402
from story import AGAIN, assert_stopped, start_story  # noqa: E402
from tap import run  # noqa: E402
from wayland import WaylandApp, WaylandDesktop  # noqa: E402

BUILD = os.path.abspath(sys.argv[1])


def esc_esc_stops():
    with WaylandApp(BUILD) as app:
        start_story(app)
        app.key('Escape')
        app.find('label', AGAIN)
        app.key('Escape')
        assert_stopped(app)
        # And the next message works.
        app.type('what can you do')
        app.key('Return')
        app.wait_text('I am the Guide')


def shift_esc_stops_at_once():
    with WaylandApp(BUILD) as app:
        start_story(app)
        app.key('shift+Escape')
        assert_stopped(app)


def esc_closes_what_is_on_top_first():
    with WaylandApp(BUILD) as app:
        start_story(app)
        app.type('/')
        app.find('label', '/new')
        app.key('Escape')
        app.wait_gone('label', '/new')
        assert app.look('label', AGAIN) is None, 'it armed although it closed the commands'
        app.key('F10')
        app.find('menu item', 'Preferences')
        app.key('Escape')
        app.wait_gone('menu item', 'Preferences')
        assert app.look('label', AGAIN) is None, 'it armed although it closed the menu'
        app.key('Escape')
        app.find('label', AGAIN)
        app.key('Escape')
        assert_stopped(app)


def text_is_selected_and_copied():
    with WaylandApp(BUILD) as app:
        app.type('what can you do')
        app.key('Return')
        app.wait_text('I am the Guide')
        app.find('button', 'Send')
        app.key('shift+Tab', 'ctrl+a', 'ctrl+c', 'ctrl+l', 'ctrl+v')
        message = app.find('text', 'Message')
        wait_for(lambda: 'I am the Guide' in message.read_text(), 'the copy')


def open_gl_draws():
    with WaylandApp(BUILD, env={'GDK_DISABLE': 'vulkan', 'GSK_RENDERER': 'ngl'}) as app:
        start_story(app)
        app.key('shift+Escape')
        assert_stopped(app)
        with open('/proc/%d/maps' % app.get_pid(), encoding='utf-8') as file:
            assert 'libEGL' in file.read(), 'it was drawn by something else'


TESTS = [esc_esc_stops, shift_esc_stops_at_once, esc_closes_what_is_on_top_first,
         text_is_selected_and_copied, open_gl_draws]

if __name__ == '__main__':
    sys.exit(run(TESTS, sys.argv[2:], WaylandDesktop))
