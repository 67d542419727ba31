#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of every state: light, dark, narrow, high contrast, and from right to left.

usage: screenshots.py BUILD_DIR OUT_DIR [--state=STATE]… [NAME-PART]…

To be looked at after each change of what is seen. Names that begin with "rows-" are of the
transcript alone, with states that take long to come to; the others are of the whole window. Nothing
is asserted but that each state comes. With --state only these are gone through: methods below.
"""

import contextlib
import json
import os
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from driver import App, Desktop, Failure, end  # noqa: E402
from model_server import ModelServer  # noqa: E402

# What a tab of a dialog is called.
TABS = ('button', 'page tab', 'radio button', 'toggle button')
ABORTED = 'The turn was aborted by you.'
ANSWER = """Cancelling only ended the read. The stream itself was still referenced by `ReadState`, \
so the socket lived until that was freed. It is now closed in two steps:

- wait until the pending read has returned;
- close with a `NULL` cancellable, then drop the reference.

The order matters, because closing while a read is pending fails."""
SCRIPT = {
    'models': ['qwen3:14b', {'id': 'llama3.2:3b', 'architecture': {'input_modalities': ['text']}},
               'gpt-oss:20b'],
    # Found anywhere in the request, history included: the later question stands first.
    'replies': [
        {'when': 'Ask the model that is gone', 'status': 404,
         'body': {'error': {'message': 'model "gone" not found', 'type': 'not_found_error'}}},
        # A turn that changes files, step by step from below; and one that is stopped after it did.
        {'when': 'Made notes/second.txt', 'text': 'Now the tests. ', 'repeat': 300,
         'per_second': 3},
        {'when': 'Write it down a second time', 'text': 'I write it down.',
         'tool_calls': [{'id': 'u6', 'name': 'write_file', 'arguments': {
             'path': 'notes/second.txt', 'content': 'The option is called color.\n'}},
                        {'id': 'u7', 'name': 'shell', 'arguments': {
                            'command': 'rm notes/rename.txt'}}]},
        {'when': 'The old list is gone.', 'text': 'The option is called color now.'},
        {'when': 'Made notes/rename.txt', 'text': 'Nothing else needs the old list.',
         'tool_calls': [{'id': 'u4', 'name': 'shell', 'arguments': {
             'command': 'rm src/old.txt && echo The old list is gone.'}}]},
        {'when': 'colour = red', 'text': 'It is in one file only.',
         'tool_calls': [{'id': 'u2', 'name': 'edit_file', 'arguments': {
             'path': 'src/options.txt',
             'edits': [{'old_text': 'colour = red', 'new_text': 'color = red\n# was: colour'}]}},
                        {'id': 'u3', 'name': 'write_file', 'arguments': {
                            'path': 'notes/rename.txt',
                            'content': 'The option is called color.\nNothing else changed.\n'}}]},
        {'when': 'Rename the option', 'reasoning': 'First where it is. ',
         'tool_calls': [{'id': 'u1', 'name': 'read_file', 'arguments': {
             'path': 'src/options.txt'}}]},
        {'when': 'All of them are there.', 'text': 'There is one file for each line now.'},
        {'when': 'Make a file of each line', 'tool_calls': [{'id': 'm1', 'name': 'shell',
                                                             'arguments': {
            'command': 'mkdir lines && seq 45000 | split -l 1 -a 4 - lines/ && '
                       'echo All of them are there.'}}]},
        {'when': 'is a picture: image/png', 'text': 'It is blue, and lighter towards its end.'},
        {'when': 'Look at the picture', 'tool_calls': [
            {'id': 'p1', 'name': 'read_file', 'arguments': {'path': 'sky.png'}}]},
        {'when': 'What has changed since', 'text': 'I look at the repository.',
         'tool_calls': [{'id': 'g1', 'name': 'shell', 'arguments': {
             'command': 'git status --short'}},
                        {'id': 'g2', 'name': 'shell', 'arguments': {
                            'command': 'git push origin main'}}]},
        {'when': 'Do it all in one line', 'text': 'This is one long command.',
         'tool_calls': [{'id': 'l1', 'name': 'shell', 'arguments': {
             'command': 'set -e\n' + ''.join('echo "step %d" && ./configure --with-part=%d\n'
                                              % (n, n) for n in range(20))
             + 'cat \u202egpj.x\u202c # \x1b[2K'}}]},
        {'when': 'Put the new test somewhere', 'text': 'Several places are possible.',
         'tool_calls': [{'id': 'q1', 'name': 'ask_user', 'arguments': {
             'question': 'Where should the new test go?',
             'choices': ['In tests/test-abort.c', 'In a file of its own']}}]},
        {'when': 'Now add a test', 'reasoning': 'The suite is small, so all of it can run. ',
         'text': 'I run what is there first.',
         'tool_calls': [{'id': 's1', 'name': 'shell', 'arguments': {
             'command': 'for n in 1 2 3; do echo "ok $n"; done; sleep 60'}},
                        {'id': 'w1', 'name': 'wait', 'arguments': {'seconds': 60}}]},
        {'when': 'Leave the other tests alone', 'text': 'Then I add it in a file of its own. '},
        {'when': 'Go step by step', 'text': 'One step at a time.',
         'tool_calls': [{'id': 'w3', 'name': 'wait', 'arguments': {'seconds': 6}}]},
        {'when': 'Look into both folders', 'text': 'I let two subagents look at the same time.',
         'tool_calls': [{'id': 't1', 'name': 'task', 'arguments': {
             'description': 'Read the sources', 'prompt': 'Read all of the sources'}},
                        {'id': 't2', 'name': 'task', 'arguments': {
                            'description': 'Read the tests', 'prompt': 'Read all of the tests'}}]},
        {'when': 'Read all of the sources', 'reasoning': 'It is a small tree. ',
         'text': 'I wait until the lists are there.',
         'tool_calls': [{'id': 'w2', 'name': 'wait', 'arguments': {'seconds': 60}}]},
        {'when': 'Read all of the tests', 'text': 'There are three folders of tests. ',
         'repeat': 300, 'per_second': 3},
        {'when': 'Say nothing at all', 'steps': [{'stall': True}]},
        {'when': 'Write one very long line', 'text': 'x' * 4000},
        {'when': 'Go on with the rest', 'text': ANSWER + '\n\n', 'repeat': 200, 'per_second': 3},
        {'when': 'Find out why', 'text': ANSWER,
         'reasoning': 'First the order of the two calls, then the reference. ' * 6},
        {'text': ANSWER},
    ],
}


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
        subprocess.run([self.cli, *arguments], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    def furnish(self, url, folder):
        """Chats and a provider, as of somebody who has used Gadget for a while."""
        self.run_cli('provider', 'add', 'ollama', '--kind', 'openai-chat', '--base-url', url,
                     '--model', 'qwen3:14b')
        self.run_cli('provider', 'default', 'ollama')
        for title in ('Sort imports', 'Flaky test in store', 'Compare settings back ends',
                      'Slow start on first launch'):
            self.run_cli('ask', '--new', '--workspace', folder, title)

    # --- States ---

    def new_chat(self, app, text=None):
        app.key('ctrl+n')
        app.find('label', 'Press Esc twice to stop a reply at any time.')
        if text is not None:
            app.send(text)

    def stop(self, app):
        app.key('shift+Escape')
        app.find('button', 'Send')
        time.sleep(0.3)
        app.key('ctrl+l', 'ctrl+a', 'Delete')

    def empty(self, app):
        self.shoot(app, 'empty')

    def first_run(self, app):
        time.sleep(1.5)
        self.shoot(app, 'first-run')

    def waiting(self, app):
        self.new_chat(app, 'Say nothing at all')
        app.find('button', 'Cancel')
        time.sleep(2.6)
        self.shoot(app, 'waiting')
        self.stop(app)

    def answer(self, app):
        self.new_chat(app, 'Cancelling a reply leaves the connection open. Find out why and fix it.')
        app.wait_text('closing while a read is pending fails')
        app.find('button', 'Send')
        self.shoot(app, 'answer')
        app.send('Go on with the rest.')
        app.wait_text('closing while a read is pending fails')
        time.sleep(1)
        self.shoot(app, 'streaming')
        app.send('Then run the whole test suite once more')
        app.send('And draft the release notes')
        app.key('ctrl+l')
        app.type('A draft')
        self.shoot(app, 'queue')
        app.key('ctrl+a', 'Delete')
        app.key('Escape')
        app.find(None, 'Press Esc again to abort')
        self.shoot(app, 'toast')
        app.key('Escape')
        app.find('label', ABORTED)
        time.sleep(1.2)
        self.shoot(app, 'aborted')
        self.unqueue(app)
        self.unqueue(app)

    def unqueue(self, app):
        if app.look('button', 'Remove From Queue') is not None:
            app.press('button', 'Remove From Queue')
            return
        app.press('toggle button', 'Message Menu')
        time.sleep(0.4)
        self.shoot(app, 'queue-menu')
        app.key('r')
        time.sleep(0.4)

    def turn_actions(self, app):
        """What is offered at the foot of turns, and what comes of it."""
        self.new_chat(app, 'Cancelling a reply leaves the connection open. Find out why and fix it.')
        app.wait_text('closing while a read is pending fails')
        app.find('button', 'Send')
        app.send('Is the order of the two steps important?')
        app.wait_text('Is the order of the two steps important?')
        app.find('button', 'Send')
        time.sleep(0.5)
        self.shoot(app, 'turn-actions')
        app.key('ctrl+l')
        app.type('A draft of the next question')
        if app.look('button', 'Edit and Resend') is not None:
            app.press('button', 'Edit and Resend')
        else:
            self.press_in_menu(app, 'e')
        time.sleep(0.5)
        self.shoot(app, 'turn-edit')
        app.key('Escape')
        time.sleep(0.3)
        app.key('ctrl+l', 'ctrl+a', 'Delete')
        if app.look('button', 'Delete Turn') is not None:
            app.press('button', 'Delete Turn')
        else:
            self.press_in_menu(app, 'd')
        app.find(None, 'Turn deleted')
        time.sleep(0.5)
        self.shoot(app, 'turn-deleted')
        app.press('button', 'Undo')
        time.sleep(0.5)

    def deleted(self, app):
        """The command line deletes the chat that is shown, while something is written there."""
        self.new_chat(app, 'Cancelling a reply leaves the connection open. Find out why and fix it.')
        app.wait_text('closing while a read is pending fails')
        app.find('button', 'Send')
        app.key('ctrl+l')
        app.type('Do not delete anything; first look')
        listed = subprocess.run([self.cli, 'session', 'list', '--json'], check=True,
                                stdout=subprocess.PIPE).stdout
        self.run_cli('session', 'delete', '--force', json.loads(listed)[0]['session'])
        app.find('label', 'This chat was deleted elsewhere. '
                 'What you have written is kept for a new chat.')
        time.sleep(0.5)
        self.shoot(app, 'deleted')
        app.key('ctrl+n')
        app.wait_text('Do not delete anything; first look')
        app.key('ctrl+a', 'Delete')
        time.sleep(0.5)

    def press_in_menu(self, app, letter):
        """Where there is little room the actions are a menu; its items by their letters."""
        app.press('toggle button', 'Turn Actions')
        time.sleep(0.3)
        self.shoot(app, 'turn-menu')
        app.key(letter)
        time.sleep(0.5)

    def tools(self, app):
        self.new_chat(app, 'Now add a test that fails if the socket stays open.')
        app.find('button', 'Allow Once')
        self.shoot(app, 'permission')
        app.allow()
        app.find('button', 'Stop')
        time.sleep(2.2)
        self.shoot(app, 'tool')
        self.stop(app)
        app.find('label', ABORTED)
        self.open_receipt(app)
        self.shoot(app, 'receipt')

    def activity(self, app):
        """What a reply is doing, with a message that waits; and when it is over."""
        self.new_chat(app, 'Now add a test that fails if the socket stays open.')
        app.find('button', 'Allow Once')
        app.allow()
        app.find('button', 'Stop')
        app.key('ctrl+l')
        app.send('And draft the release notes')
        app.key('shift+F9')
        time.sleep(2.2)
        self.shoot(app, 'activity')
        app.key('shift+Escape')
        app.find('label', ABORTED)
        time.sleep(0.6)
        self.shoot(app, 'activity-after')
        app.key('shift+F9')
        time.sleep(0.6)
        self.unqueue(app)

    def permissions(self, app):
        """Two that wait, one that is too long for its field; what is remembered of the answers."""
        app.key('ctrl+k')  # one that has a folder
        app.type('Sort imports')
        time.sleep(0.5)
        app.key('Tab', 'Down', 'Return', delay=100)
        app.find('toggle button', 'Workspace: gadget')
        app.key('ctrl+l')
        app.send('What has changed since yesterday?')
        app.find('button', 'Allow Once')
        time.sleep(0.7)
        self.shoot(app, 'permission-rules')
        app.key('ctrl+j', 'Tab', 'Tab', 'space')
        app.find('button', 'This Folder')
        time.sleep(0.4)
        self.shoot(app, 'permission-menu')
        app.key('Escape', '3')
        time.sleep(0.7)
        app.key('ctrl+j', 'Tab', 'Tab', 'Tab', 'Tab', 'space')
        time.sleep(0.5)
        self.shoot(app, 'permission-deny')
        app.key('Down', 'Return')
        time.sleep(0.5)
        self.stop(app)
        self.new_chat(app, 'Do it all in one line')
        app.find('button', 'Allow Once')
        time.sleep(0.4)
        self.shoot(app, 'permission-long')
        self.stop(app)

    def prepare(self, folder):
        """Chats to be shown; nothing is allowed that was allowed in the window before."""
        self.run_cli('permission', 'revoke', '--all')
        self.change_files(folder)
        self.picture_files(folder)

    def change_files(self, folder):
        """Chats whose turns have changed files, made outside of the window."""
        for name, text in (('src/options.txt', 'width = 3\ncolour = red\nheight = 4\n'),
                           ('src/old.txt', 'one\ntwo\n')):
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text)
        for name in ('notes', 'lines'):
            shutil.rmtree(os.path.join(folder, name), ignore_errors=True)
        for prompt in ('Make a file of each line', 'Rename the option'):
            self.run_cli('ask', '--new', '--workspace', folder, '--approve', 'auto',
                         prompt + self.suffix.replace('-', ' '))

    def picture_files(self, folder):
        """A chat in which a picture was read, made outside of the window."""
        width, height = 1200, 800
        rows = b''.join(b'\0' + b''.join(bytes((x * 200 // width, 60 + y * 150 // height, 230))
                                         for x in range(width)) for y in range(height))
        with open(os.path.join(folder, 'sky.png'), 'wb') as file:
            file.write(b'\x89PNG\r\n\x1a\n')
            for kind, data in ((b'IHDR', struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 0)),
                               (b'IDAT', zlib.compress(rows)), (b'IEND', b'')):
                file.write(struct.pack('>I', len(data)) + kind + data
                           + struct.pack('>I', zlib.crc32(kind + data)))
        self.run_cli('ask', '--new', '--workspace', folder, '--approve', 'auto',
                     'Look at the picture' + self.suffix.replace('-', ' '))

    def draft_with_files(self, folder):
        """What was being written when the window was closed: a picture, a text, and no words yet."""
        database = os.path.join(os.environ['XDG_DATA_HOME'], 'gadget', 'gadget.db')
        with open(os.path.join(folder, 'sky.png'), 'rb') as file:
            data = file.read()
        name = 'sky' + self.suffix
        given = [{'name': 'sky.png', 'size': len(data), 'picture': name, 'mime_type': 'image/png',
                  'width': 1200, 'height': 800},
                 {'name': 'meeting-notes-of-the-whole-week.md', 'size': 4200, 'text': '# Notes\n'}]
        with contextlib.closing(sqlite3.connect(database)) as connection, connection:
            connection.execute('INSERT INTO attachment (id, made_at, data) VALUES (?, ?, ?)',
                               (name, int(time.time() * 1000), data))
            connection.execute('INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)',
                               ('draft-attachments', json.dumps(given)))

    @staticmethod
    def choose_model(app, key):
        """The one before or behind that which is used."""
        app.find('label', 'gpt-oss:20b')
        time.sleep(0.3)
        app.key(key, 'Return')

    def attaching(self, app):
        """What goes with a message, before it is sent and after."""
        app.find('list item', 'sky.png · 1200 × 800')
        app.key('ctrl+l')
        app.type('What is in this picture, and what do the notes say of it?')
        time.sleep(1)
        self.shoot(app, 'attachments')
        app.press('toggle button', 'Model: qwen3:14b')
        self.choose_model(app, 'Down')
        app.find('label', 'llama3.2:3b doesn’t support images')
        app.key('ctrl+l')
        time.sleep(0.7)
        self.shoot(app, 'picture-note')
        app.press('button', 'Choose Another Model')
        self.choose_model(app, 'Up')
        app.find('toggle button', 'Model: qwen3:14b')
        app.key('ctrl+l', 'Return')
        app.wait_text('closing while a read is pending fails')
        app.find('button', 'sky.png · 1200 × 800')
        app.find('button', 'Send')
        time.sleep(1)
        self.shoot(app, 'attachments-sent')
        self.new_chat(app)
        app.key('ctrl+l')
        app.type('/')
        time.sleep(0.7)
        self.shoot(app, 'commands')
        app.key('Escape', 'BackSpace')
        app.key('ctrl+l')
        app.type('/foo bar')
        app.key('Return')
        app.find('button', 'Send as Text')
        time.sleep(0.5)
        self.shoot(app, 'unknown-command')
        app.key('ctrl+a', 'Delete')

    def pictures(self, app):
        """A picture that a tool read: in its call, and large."""
        app.key('ctrl+k')
        app.type('Look at the picture' + self.suffix.replace('-', ' '))
        time.sleep(0.5)
        app.key('Tab', 'Down', 'Return', delay=100)
        app.wait_text('lighter towards its end')
        for node in app.walk():
            if node.role == 'button' and 'sky.png' in node.name:
                app.act(node)
                break
        app.find('button', 'sky.png · 1200 × 800')
        time.sleep(0.8)
        self.shoot(app, 'picture')
        app.press('button', 'sky.png · 1200 × 800')
        app.find('dialog', 'sky.png')
        time.sleep(1)
        self.shoot(app, 'picture-large')
        app.key('Escape')
        app.wait_gone('dialog', 'sky.png')

    def changes(self, app):
        """Files that a turn changed: shown, taken back, changed since; and of a turn that is stopped."""
        app.key('ctrl+k')
        app.type('Rename the option' + self.suffix.replace('-', ' '))
        time.sleep(0.5)
        app.key('Tab', 'Down', 'Return', delay=100)
        app.find('button', 'Undo…')
        time.sleep(0.4)
        self.shoot(app, 'changes')
        app.press('button', 'What Was Done')
        app.find('dialog', 'What Was Done')
        time.sleep(0.5)
        self.shoot(app, 'changes-effects')
        app.key('Escape')
        app.wait_gone('dialog', 'What Was Done')
        with open(os.path.join(self.folder, 'notes', 'rename.txt'), 'a', encoding='utf-8') as file:
            file.write('Somebody else was here.\n')
        app.press('button', 'Undo…')
        app.find('dialog', 'Undo Changes')
        app.find('label', 'Changed Since')
        time.sleep(0.6)
        self.shoot(app, 'changes-undo')
        app.scroll_down(20)
        time.sleep(0.6)
        self.shoot(app, 'changes-undo-end')
        for node in app.walk(app.find('dialog', 'Undo Changes')):
            if node.role == 'button' and node.name == 'Undo':
                app.act(node)
                break
        app.find('label', 'Changes undone')
        time.sleep(0.4)
        self.shoot(app, 'changes-undone')
        app.key('ctrl+l')
        app.send('Write it down a second time')
        for _ in range(2):
            app.allow()
            time.sleep(0.5)
        app.wait_text('Now the tests.')
        app.key('ctrl+l')
        self.stop(app)
        app.find('label', ABORTED)
        app.find('button', 'Undo Changes…')
        time.sleep(4)  # until the toast is gone
        self.shoot(app, 'changes-aborted')
        self.open_receipt(app)
        time.sleep(0.4)
        self.shoot(app, 'changes-receipt')

    def undoing(self, app):
        """An undo that takes long enough to be stopped."""
        app.key('ctrl+k')
        app.type('Make a file of each line' + self.suffix.replace('-', ' '))
        time.sleep(0.5)
        app.key('Tab', 'Down', 'Return', delay=100)
        app.press('button', 'Undo…')
        app.find('label', 'lines/aaaa')
        time.sleep(0.6)
        app.key('Return')  # Undo has the focus
        time.sleep(0.8)
        self.shoot(app, 'undoing')
        app.key('Escape', 'Escape', delay=30)  # it would be over before a button was found
        app.find('button', 'Continue')
        time.sleep(0.6)
        self.shoot(app, 'undo-stopped')

    def subagents(self, app):
        self.new_chat(app, 'Look into both folders')
        app.find('button', 'Stop')
        time.sleep(2)
        self.shoot(app, 'subagents')
        for node in app.walk():
            if node.role == 'button' and 'Read the sources' in node.name:
                app.act(node)  # by name it could not be found again: the time in it goes on
                break
        app.wait_text('I wait until the lists are there.')
        self.shoot(app, 'subagents-open')
        self.stop(app)
        app.find('label', ABORTED)
        self.open_receipt(app)
        self.shoot(app, 'subagents-receipt')

    def open_receipt(self, app):
        for node in app.walk():
            if node.role == 'button' and node.name.startswith('Stopped in'):
                app.press('button', node.name)
                return

    def banner(self, app):
        """A question out of sight, and the way to it."""
        self.new_chat(app, 'Go on with the rest')
        app.wait_text('closing while a read is pending fails')
        time.sleep(5)
        self.stop(app)
        app.send('Put the new test somewhere')
        app.find('label', 'Where should the new test go?')
        app.scroll_up(25)
        time.sleep(0.6)
        self.shoot(app, 'banner')
        app.key('ctrl+j')
        time.sleep(0.6)
        self.shoot(app, 'banner-followed')
        self.stop(app)

    def steering(self, app):
        """Words of the user that the model is given in the middle of its turn."""
        self.new_chat(app, 'Go step by step, and add a test.')
        app.find('button', 'Stop')
        app.key('ctrl+l')
        app.type('Leave the other tests alone.')
        app.key('ctrl+Return')
        time.sleep(0.5)
        self.shoot(app, 'steering')
        app.wait_text('Then I add it in a file of its own.')
        app.find('button', 'Send')
        self.shoot(app, 'steered')

    def limit(self, app):
        self.new_chat(app, 'Go step by step, and add a test.')
        app.find('label', 'This turn has reached its limit: 1 step.')
        self.shoot(app, 'limit')
        app.press('button', 'Stop')
        app.find('label', ABORTED)
        self.shoot(app, 'limit-stopped')

    def question(self, app):
        self.new_chat(app, 'Put the new test somewhere')
        app.find('label', 'Where should the new test go?')
        self.shoot(app, 'question')
        self.stop(app)

    def error(self, app):
        self.new_chat(app, 'Ask the model that is gone')
        app.find('label', 'Failed')
        details = app.look('button', 'Details')
        if details is not None:
            app.press('button', 'Details')
        self.shoot(app, 'error')

    def long_line(self, app):
        self.new_chat(app, 'Write one very long line')
        app.find('button', 'Send')
        self.shoot(app, 'long-line')

    def menus(self, app):
        self.new_chat(app)
        app.press('toggle button', 'Model: qwen3:14b')
        app.find('label', 'llama3.2:3b')
        self.shoot(app, 'models')
        app.key('Escape')
        time.sleep(0.3)
        app.press('toggle button', 'Permissions: Ask First')
        app.find('label', 'Read Only')
        time.sleep(0.3)
        self.shoot(app, 'modes')
        app.key('Escape')
        time.sleep(0.3)
        app.key('F10')
        time.sleep(0.3)
        self.shoot(app, 'menu')
        app.key('Escape')
        time.sleep(0.3)
        app.key('ctrl+k')
        app.type('zzz')
        app.find('label', 'No Results Found')
        self.shoot(app, 'nothing-found')
        app.key('Escape')

    def new_provider(self, app):
        """The page of a provider that is added, for a kind without a key and one with."""
        app.key('Down', 'Return')
        app.find('button', 'OpenRouter')
        time.sleep(1.2)
        self.shoot(app, 'provider-services')
        app.press('button', 'OpenRouter')
        app.find('button', 'Change Address')
        time.sleep(0.5)
        self.shoot(app, 'provider-service')
        app.press('button', 'Back')
        time.sleep(0.5)
        app.press('button', 'Other…')
        app.find('label', 'Type')
        self.shoot(app, 'provider-new')
        app.key('space')
        time.sleep(0.4)
        self.shoot(app, 'provider-kinds')
        app.key('End', 'Return')
        time.sleep(0.4)
        self.shoot(app, 'provider-gemini')
        app.key('space')
        time.sleep(0.4)
        app.key('Up', 'Return')
        time.sleep(0.4)
        self.shoot(app, 'provider-ollama')
        app.key('Escape')
        app.press('button', 'Discard')
        time.sleep(0.5)

    @staticmethod
    def turn_to(app, page):
        for node in app.walk():
            if node.name == page and node.role in TABS:
                app.act(node)
                break
        time.sleep(0.6)

    def tool_servers_page(self, app):
        """None yet; then in each state; the page of one, and of a new one."""
        self.turn_to(app, 'Tools')
        app.find('label', 'No Tool Servers Yet')
        self.shoot(app, 'tool-servers-empty')
        app.press('button', 'Add Tool Server…')
        app.find('label', 'Type')
        time.sleep(0.5)
        self.shoot(app, 'tool-server-new')
        app.scroll_down(40)
        self.shoot(app, 'tool-server-new-end')
        app.key('Escape')
        time.sleep(0.5)
        self.add_servers()
        app.wait_text('Starts when it is needed')
        app.press('button', 'Change notes')
        app.press('button', 'Test')
        app.wait_text('Connected · 28 tools')
        app.go_to('list item', 'Tools')
        app.key('Return')
        time.sleep(0.5)
        self.shoot(app, 'tool-server')
        app.scroll_down(200)
        self.shoot(app, 'tool-server-end')
        app.key('Escape')
        time.sleep(0.5)
        for _ in range(2):
            app.go_to('check box', 'Offer the tools of tickets')
            app.key('space')
            time.sleep(0.5)
        app.wait_text('Failed: ')
        self.shoot(app, 'tool-servers')
        for name in ('notes', 'tickets', 'weather', 'old'):
            self.run_cli('mcp', 'remove', name)
        app.find('label', 'No Tool Servers Yet')

    def add_servers(self):
        mock = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'support',
                            'mcp_server.py')
        log = os.path.join(os.environ['HOME'], 'mcp.log')
        self.run_cli('mcp', 'add', 'notes', '--no-sandbox', '--folder', os.environ['HOME'],
                     '--env', 'NOTES_LANGUAGE=en', '--command', 'python3', mock, '--log', log)
        for name in ('tickets', 'weather', 'old'):
            subprocess.run([self.cli, 'mcp', 'add', name, '--url', 'http://127.0.0.1:9/mcp'],
                           check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.run_cli('mcp', 'disable', 'old')

    def permissions_page(self, app):
        self.turn_to(app, 'Permissions')
        self.shoot(app, 'permissions')
        app.press('button', 'Revoke All…')
        app.press('button', 'Revoke All')
        app.find('label', 'Nothing Allowed Permanently')
        time.sleep(0.5)
        self.shoot(app, 'permissions-empty')
        self.tool_servers_page(app)
        self.turn_to(app, 'Providers')

    def dialogs(self, app):
        for keys, title, name in (('ctrl+comma', 'Preferences', 'preferences'),
                                  ('ctrl+question', 'Keyboard Shortcuts', 'shortcuts')):
            app.key(keys)
            app.find('dialog', title)
            self.shoot(app, name)
            if name == 'preferences':
                self.permissions_page(app)
                app.go_to('list item', 'Guide')
                app.go_to('list item', 'ollama', 'Down')
                app.key('Return')
                app.press('button', 'Test')
                app.wait_text('Connected')
                self.shoot(app, 'provider')
                app.key('Escape')
                time.sleep(0.5)
                self.new_provider(app)
            app.key('Escape')
            app.wait_gone('dialog', title)
            time.sleep(0.3)

    def keyring(self, app):
        """None can be reached, which is known when a key was looked for."""
        app.key('ctrl+comma')
        app.find('dialog', 'Preferences')
        app.wait_text('no keyring can be reached')
        app.scroll_down(40)
        self.shoot(app, 'preferences-no-keyring')
        app.key('Escape')
        app.wait_gone('dialog', 'Preferences')
        time.sleep(0.3)
        self.shoot(app, 'no-keyring')

    def closing(self, app):
        self.new_chat(app, 'Go on with the rest')
        app.find('button', 'Cancel')
        app.key('ctrl+w')
        app.find(None, 'Stop and Close?')
        self.shoot(app, 'closing')
        app.key('Escape')
        time.sleep(0.5)
        self.stop(app)

    def run_all(self, app):
        self.go(app, self.attaching, self.empty, self.waiting, self.answer, self.turn_actions,
                self.deleted,
                self.tools, self.activity, self.permissions, self.changes, self.undoing, self.pictures,
                self.subagents, self.steering, self.question, self.banner, self.error, self.long_line, self.menus,
                self.dialogs, self.closing)

    def rows(self):
        """The transcript alone, drawn by a program of its own."""
        if self.states and 'rows' not in self.states:
            return
        with tempfile.TemporaryDirectory() as folder:
            for environment in {}, {'ADW_DEBUG_HIGH_CONTRAST': '1'}:
                subprocess.run(
                    [os.path.join(self.build, 'tests', 'ui', 'show-transcript'), folder],
                    check=True, stdin=subprocess.DEVNULL, env={**os.environ, **environment})
            for name in sorted(os.listdir(folder)):
                if not self.wanted or any(part in name for part in self.wanted):
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
            self.go(app, self.empty, self.answer, self.tools, self.activity, self.permissions,
                    self.changes, self.pictures, self.subagents, self.steering, self.question,
                    self.error, self.dialogs)


def main():
    build, out = sys.argv[1], os.path.abspath(sys.argv[2])
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    camera = Camera(build, out, sys.argv[3:])
    with Desktop() as desktop:
        folder = os.path.join(desktop.home, 'gadget')
        os.mkdir(folder)
        with tempfile.TemporaryDirectory() as logs, \
                ModelServer(camera.build, logs, SCRIPT) as server:
            camera.rows()
            camera.run(server.url, folder)
    print('%d pictures in %s' % (camera.n, out))
    return 0


if __name__ == '__main__':
    sys.exit(main())
