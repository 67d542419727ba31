# SPDX-License-Identifier: GPL-3.0-or-later
"""Two windows, commands and imports that write at the same time: nothing fails, nothing is lost, and
the windows show what the others do. GADGET_TEST_SECONDS says for how long."""

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

import tap
from driver import App, Desktop, Failure, wait_for
from story import start_story

BUILD = os.path.abspath(sys.argv[1])
SECONDS = float(os.environ.get('GADGET_TEST_SECONDS', '4'))
CHATS_IN_FILE = 40
# A window reads what another process wrote within a second; a busy machine takes longer.
SHOWN_S = 10 if SECONDS < 60 else 2
TESTS = []


def test(function):
    TESTS.append(function)
    return function


def run_cli(*words):
    environment = dict(os.environ, GADGET_LIBEXEC_DIR=os.path.join(BUILD, 'src', 'supervise'),
                       GSETTINGS_SCHEMA_DIR=os.path.join(BUILD, 'data'))
    result = subprocess.run([os.path.join(BUILD, 'src', 'cli', 'gadget-cli'), *words], env=environment,
                            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise Failure(f'{words[:3]} ended with status {result.returncode}: {result.stderr}')
    return result.stdout


def ask(text):
    """Returns the id of the new chat."""
    return json.loads(run_cli('ask', '--new', '--provider', 'guide', '--json', text).splitlines()[0])['session']


def write_export(path, number):
    """An export of ChatGPT's with chats that are in no other file."""
    chats = []
    for i in range(CHATS_IN_FILE):
        nodes = {f'm{k}': {'id': f'm{k}', 'parent': f'm{k - 1}' if k else None, 'children': [],
                           'message': {'id': f'{number}-{i}-{k}', 'create_time': 1600000000 + k,
                                       'author': {'role': ('user', 'assistant')[k % 2]}, 'recipient': 'all',
                                       'content': {'content_type': 'text', 'parts': [f'imported text {k}']}}}
                 for k in range(6)}
        chats.append({'id': f'{number}-{i}', 'title': f'Imported {number}', 'create_time': 1600000000,
                      'mapping': nodes, 'current_node': 'm5'})
    with open(path, 'w', encoding='utf-8') as file:
        json.dump(chats, file)


class Writer(threading.Thread):
    """Repeats a function until it is told to stop; keeps what made it fail."""

    def __init__(self, function):
        super().__init__()
        self.function = function
        self.done = threading.Event()
        self.n = 0
        self.error = None

    def run(self):
        try:
            while not self.done.is_set():
                self.function(self.n)
                self.n += 1
        except Exception as error:  # pylint: disable=broad-except
            self.error = error


def list_ids():
    return {chat['session'] for chat in json.loads(run_cli('session', 'list', '--json'))}


@test
def everybody_writes():
    kept = []
    deleted = []

    def command(n):
        first, second = ask(f'kept {n}'), ask(f'deleted {n}')
        run_cli('session', 'pin' if n % 2 else 'archive', first)
        run_cli('session', 'delete', second)
        if n % 2 == 0:
            run_cli('session', 'unarchive', first)
        kept.append(first)
        deleted.append(second)

    with tempfile.TemporaryDirectory() as folder, App(BUILD) as app:
        def import_file(n):
            path = os.path.join(folder, f'{n}.json')
            write_export(path, n)
            run_cli('session', 'import', path)

        start_story(app, 'a story of writers')
        app.key('ctrl+shift+n')
        wait_for(lambda: sum(node.role == 'frame' for node in app.walk()) == 2, 'the second window')
        writers = [Writer(command), Writer(import_file)]
        for writer in writers:
            writer.start()
        worst = 0
        n_seen = 0
        end = time.monotonic() + SECONDS
        try:
            while time.monotonic() < end:
                ask(f'shown {n_seen}')
                begin = time.monotonic()
                wait_for(lambda: any(node.role == 'list item' and node.name.startswith(f'shown {n_seen},')
                                     for node in app.walk()), f'the chat "shown {n_seen}"', SHOWN_S)
                worst = max(worst, time.monotonic() - begin)
                n_seen += 1
        finally:
            for writer in writers:
                writer.done.set()
            for writer in writers:
                writer.join()
        for writer in writers:
            if writer.error is not None:
                raise writer.error
        texts = [text for text in app.texts() if 'could not' in text or 'failed' in text.lower()]
        if texts:
            raise Failure(f'the windows say: {texts}')
        print(f'# {n_seen} chats were shown after at most {worst:.2f} s; {writers[0].n} times kept and deleted, '
              f'{writers[1].n} imports')
        ids = list_ids()
        if not set(kept) <= ids or set(deleted) & ids:
            raise Failure('a chat is lost, or one that was deleted is there')
        database = sqlite3.connect(os.path.join(os.environ['XDG_DATA_HOME'], 'gadget', 'gadget.db'))
        with database:
            n_imported, = database.execute("SELECT count(*) FROM session WHERE title LIKE 'Imported %'").fetchone()
            check, = database.execute('PRAGMA integrity_check').fetchone()
        database.close()
        if n_imported != writers[1].n * CHATS_IN_FILE or check != 'ok':
            raise Failure(f'{n_imported} chats of {writers[1].n} files; {check}')


if __name__ == '__main__':
    sys.exit(tap.run(TESTS, sys.argv[2:], Desktop))
