# SPDX-License-Identifier: GPL-3.0-or-later
"""What all pictures of screenshots.py need: the states that are wanted, and steps to many of them."""

import contextlib
import os
import sqlite3
import subprocess
import time

from driver import Failure


ABORTED = 'The turn was aborted by you.'


class Camera:
    def __init__(self, build, out, arguments):
        self.build, self.out = os.path.abspath(build), out
        self.states = [a.removeprefix('--state=') for a in arguments if a.startswith('--state=')]
        self.wanted = [a for a in arguments if not a.startswith('--')]
        self.cli = os.path.join(self.build, 'src', 'cli', 'gadget-cli')
        self.suffix = ''
        self.folder = ''
        self.n = 0

    def go(self, app, *states):
        for state in states:
            if not self.states or state.__name__ in self.states:
                state(app)

    def shoot(self, app, name):
        name += self.suffix
        if self.wanted and not any(part in name for part in self.wanted):
            return
        app.shot(os.path.join(self.out, name + '.png'))
        self.n += 1

    def run_cli(self, *arguments):
        done = subprocess.run([self.cli, *arguments], check=False, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise Failure('%s: %s' % (' '.join(arguments), done.stderr))

    @contextlib.contextmanager
    def without_table(self, name):
        """Meanwhile the database has no such table."""
        database = os.path.join(os.environ['XDG_DATA_HOME'], 'gadget', 'gadget.db')
        for old, new in (name, 'away'), ('away', name):
            with contextlib.closing(sqlite3.connect(database)) as db:
                db.executescript('PRAGMA legacy_alter_table = ON; ALTER TABLE %s RENAME TO %s' % (old, new))
            if new == 'away':
                yield

    def new_chat(self, app, text=None):
        app.key('ctrl+n')
        app.find('label', 'Press Esc twice to stop a reply at any time.')
        if text is not None:
            app.send(text)

    def open_chat(self, app, words):
        """The chat that a search for the words finds first."""
        app.key('ctrl+shift+k')
        app.type(words)
        time.sleep(0.5)
        app.key('Tab', 'Down', 'Return', delay=100)

    def stop(self, app):
        app.key('shift+Escape')
        app.find('button', 'Send')
        time.sleep(0.3)
        app.key('ctrl+l', 'ctrl+a', 'Delete')

    def unqueue(self, app):
        if app.look('button', 'Remove From Queue') is not None:
            app.press('button', 'Remove From Queue')
            return
        app.press('toggle button', 'Message Menu')
        time.sleep(0.4)
        self.shoot(app, 'queue-menu')
        app.key('r')
        time.sleep(0.4)

    def open_receipt(self, app):
        for node in app.walk():
            if node.role == 'button' and node.name.startswith('Stopped in'):
                app.press('button', node.name)
                return
