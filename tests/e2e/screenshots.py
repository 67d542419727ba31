#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of every state: light, dark, narrow, high contrast, and from right to left.

usage: screenshots.py BUILD_DIR OUT_DIR [--state=STATE]… [NAME-PART]…

To be looked at after each change of what is seen. Names that begin with "rows-" are of the
transcript alone, with states that take long to come to; the others are of the whole window. Nothing
is asserted but that each state comes. With --state only these are gone through: the methods of
ChatStates, FileStates and DialogStates; "rows" are those of the transcript.
"""

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from driver import App, Desktop, Failure, end  # noqa: E402
from model_server import ModelServer  # noqa: E402
from screenshots_chat import ChatStates  # noqa: E402
from screenshots_dialogs import DialogStates  # noqa: E402
from screenshots_files import FileStates  # noqa: E402
from screenshots_script import SCRIPT  # noqa: E402


DEAF_KEYRING = """
from gi.repository import Gio, GLib
loop = GLib.MainLoop()
Gio.bus_own_name(Gio.BusType.SESSION, 'org.freedesktop.secrets', Gio.BusNameOwnerFlags.DO_NOT_QUEUE,
                 None, lambda *_: print('here', flush=True), lambda *_: loop.quit())
loop.run()
"""


class DeafKeyring:
    """Has the keyring's name on the bus, so that none is started, and understands nothing."""

    def __enter__(self):
        self.process = subprocess.Popen([sys.executable, '-c', DEAF_KEYRING],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        if not self.process.stdout.readline():
            raise Failure('there is a keyring already')
        return self

    def __exit__(self, *_):
        end(self.process)


class Screenshots(ChatStates, FileStates, DialogStates):
    def furnish(self, url, folder):
        """Chats and a provider, as of somebody who has used Gadget for a while."""
        self.run_cli('provider', 'add', 'ollama', '--kind', 'openai-chat', '--base-url', url,
                     '--model', 'qwen3:14b')
        self.run_cli('provider', 'default', 'ollama')
        for title in ('Write the old plans down', 'Sort imports', 'Flaky test in store', 'Compare settings back ends',
                      'Slow start on first launch', 'Translate the shortcuts page', 'Close it with a timeout',
                      'Draw the front page'):
            self.run_cli('ask', '--new', '--workspace', folder, title)
        self.place_chats()

    @staticmethod
    def place_chats():
        """The first is archived, one pinned, one a branch, one interrupted, and one unread. The others are
        in folders."""
        path = os.path.join(os.environ['XDG_DATA_HOME'], 'gadget', 'gadget.db')
        with contextlib.closing(sqlite3.connect(path)) as database, database:
            ids = [row[0] for row in database.execute('SELECT id FROM session ORDER BY number')]
            database.execute('UPDATE session SET archived = 1 WHERE id = ?', ids[:1])
            ids = ids[1:]
            database.execute('UPDATE session SET pinned = 1 WHERE id = ?', ids[:1])
            database.execute('UPDATE session SET origin = ? WHERE id = ?', (ids[3], ids[1]))
            database.execute("UPDATE turn SET status = 'aborted', stop_reason = 'interrupted' WHERE "
                             'session = (SELECT number FROM session WHERE id = ?)', ids[2:3])
            database.execute('UPDATE session SET unread = 1 WHERE id = ?', ids[3:4])
            database.executemany('INSERT INTO chat_folder (id, name, parent) VALUES (?, ?, ?)',
                                 [('v', 'Version 1.0', None), ('t', 'Translations', 'v'), ('w', 'Website', None)])
            for chat, folder in zip(ids[4:], 'tvw'):
                database.execute('UPDATE session SET chat_folder = ? WHERE id = ?', (folder, chat))
            database.execute('UPDATE session SET unread = 1 WHERE id = ?', ids[6:7])

    def run_all(self, app):
        self.go(app, self.attaching, self.empty, self.sidebar, self.waiting, self.answer, self.find,
                self.turn_actions, self.deleted,
                self.tools, self.activity, self.permissions, self.instructions,
                self.changes, self.undoing, self.actions,
                self.unreadable, self.pictures, self.subagents, self.steering, self.question, self.banner,
                self.error, self.long_line, self.menus, self.searching, self.exporting, self.usage, self.dialogs,
                self.storage, self.incognito, self.closing)

    def rows(self):
        """The transcript alone, drawn by a program of its own."""
        if self.states and 'rows' not in self.states:
            return
        with tempfile.TemporaryDirectory() as folder:
            command = [os.path.join(self.build, 'tests', 'ui', 'show-transcript'), folder, *self.wanted]
            for environment in {}, {'ADW_DEBUG_HIGH_CONTRAST': '1'}:
                subprocess.run(command, check=True, stdin=subprocess.DEVNULL,
                               env={**os.environ, **environment})
            for name in sorted(os.listdir(folder)):
                shutil.copy(os.path.join(folder, name), self.out)
                self.n += 1

    @staticmethod
    def limited():
        """An environment in which a turn has one step."""
        folder = os.path.join(os.environ['XDG_CONFIG_HOME'], 'glib-2.0', 'settings')
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, 'keyfile'), 'w', encoding='utf-8') as file:
            file.write('[io/github/gadgetchat/Gadget]\nlimit-steps=uint32 1\n')
        return {'GSETTINGS_BACKEND': 'keyfile'}

    @staticmethod
    def mirrored(folder):
        """An environment that runs from right to left: GTK's words are Hebrew, ours are not."""
        subprocess.run(['localedef', '-i', 'he_IL', '-f', 'UTF-8',
                        os.path.join(folder, 'he_IL.UTF-8')], check=False,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return {'LOCPATH': folder, 'LC_ALL': 'he_IL.UTF-8', 'LANGUAGE': 'he'}

    def run(self, url, folder):
        self.folder = folder
        with DeafKeyring():
            for suffix, options in (('-light', {}), ('-dark', {'dark': True}),
                                    ('-narrow', {'size': (360, 720)})):
                self.suffix = suffix
                with App(self.build, **options) as app:
                    self.go(app, self.keyring)
        for suffix, options in (('-light', {}), ('-dark', {'dark': True}),
                                ('-narrow', {'size': (360, 720)})):
            self.suffix = suffix
            with tempfile.TemporaryDirectory() as data, \
                    App(self.build, env={'XDG_DATA_HOME': data}, first_run=True, **options) as app:
                self.go(app, self.first_run)
        self.furnish(url, folder)
        for suffix, options in (('-light', {}), ('-dark', {'dark': True}),
                                ('-narrow', {'size': (360, 720)}),
                                ('-contrast', {'high_contrast': True})):
            self.suffix = suffix
            self.prepare(folder)
            self.draft_with_files(folder)
            with App(self.build, **options) as app:
                self.run_all(app)
            with App(self.build, env=self.limited(), **options) as app:
                self.go(app, self.limit)
        self.suffix = '-rtl'
        self.prepare(folder)
        with tempfile.TemporaryDirectory() as locales, \
                App(self.build, env=self.mirrored(locales)) as app:
            self.go(app, self.empty, self.answer, self.find, self.tools, self.activity, self.permissions,
                    self.instructions, self.changes, self.actions, self.pictures, self.subagents, self.steering,
                    self.question, self.error, self.usage, self.dialogs, self.storage)


def main():
    build, out = sys.argv[1], os.path.abspath(sys.argv[2])
    if any(a.startswith('-') and not a.startswith('--state=') for a in sys.argv[3:]):
        print(__doc__)
        return 2
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    screenshots = Screenshots(build, out, sys.argv[3:])
    with Desktop() as desktop:
        folder = os.path.join(desktop.home, 'gadget')
        os.mkdir(folder)
        with tempfile.TemporaryDirectory() as logs, \
                ModelServer(screenshots.build, logs, SCRIPT) as server:
            screenshots.rows()
            screenshots.run(server.url, folder)
    print('%d pictures in %s' % (screenshots.n, out))
    return 0


if __name__ == '__main__':
    sys.exit(main())
