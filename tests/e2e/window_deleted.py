# SPDX-License-Identifier: GPL-3.0-or-later
"""A window whose chat is deleted by gadget-cli, while somebody writes in it."""

import json
import subprocess
import sys
import time

import tap
from driver import App, Desktop, wait_for
from story import new_chat
from window_remote import BUILD, CLI, cli, model

DELETED = 'This chat was deleted elsewhere. What you have written is kept for a new chat.'
# Long enough to be going on when the other process looks.
ANSWER = {'text': 'All of it. ', 'repeat': 40, 'per_second': 20}
TESTS = []


def test(function):
    TESTS.append(function)
    return function


def show(session):
    """The chat on disk, or None."""
    done = subprocess.run([CLI, 'session', 'show', '--json', session], check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(done.stdout) if done.returncode == 0 else None


def open_new(app, prompt):
    """Shows a chat of one turn, and returns its id."""
    listed = subprocess.run([CLI, 'ask', '--provider', 'remote', '--json', prompt], check=True,
                            text=True, stdout=subprocess.PIPE).stdout
    app.open_chat(prompt)
    app.wait_text('All of it.')
    app.key('ctrl+l')
    return json.loads(listed.splitlines()[0])['session']


def leave_deleted(app, text):
    app.key('ctrl+n')
    app.wait_text(text)
    app.wait_gone('label', DELETED)
    app.key('ctrl+a', 'Delete')


@test
def chat_deleted_by_the_command_line():
    with model(ANSWER, ANSWER) as server, App(BUILD) as app:
        session = open_new(app, 'one to be deleted')
        app.type('do not delete')
        done = subprocess.run([CLI, 'session', 'delete', session], check=False, text=True,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        assert done.returncode == 1 and 'open in a window' in done.stderr, done
        cli('session', 'delete', '--force', session)
        app.find('label', DELETED)
        app.type(' anything')
        app.key('Return')
        time.sleep(0.5)
        assert len(server.events('request')) == 1
        leave_deleted(app, 'do not delete anything')
        assert show(session) is None


@test
def message_and_deletion_at_once():
    """Whichever comes first wins, whole."""
    delays = (0, 0.06, 0.12, 0.25)
    with model(*[ANSWER] * 2 * len(delays)), App(BUILD) as app:
        for delay in delays:
            session = open_new(app, 'begun %d ms before' % (delay * 1000))
            app.type('more of it')
            deletion = subprocess.Popen([CLI, 'session', 'delete', '--force', session],
                                        stderr=subprocess.DEVNULL)
            time.sleep(delay)
            app.key('Return')
            if deletion.wait(20) == 0:
                app.find('label', DELETED)
                assert show(session) is None
                leave_deleted(app, 'more of it')
            else:
                wait_for(lambda: [turn['status'] for turn in show(session)['turns']]  # noqa: B023
                         == ['finished'] * 2, 'both turns on disk')
            assert app.look('label', DELETED) is None
        new_chat(app)


if __name__ == '__main__':
    sys.exit(tap.run(TESTS, sys.argv[2:], Desktop))
