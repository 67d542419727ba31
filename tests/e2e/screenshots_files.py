# SPDX-License-Identifier: GPL-3.0-or-later
"""States of a chat with files: what was attached, shown, changed and undone."""

import contextlib
import json
import os
import shutil
import sqlite3
import struct
import time
import zlib

from screenshots_camera import ABORTED, Camera


class FileStates(Camera):
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
        self.open_chat(app, 'Look at the picture' + self.suffix.replace('-', ' '))
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

    def actions(self, app):
        """What was done in all chats; filtered, and nothing."""
        self.open_chat(app, 'Rename the option' + self.suffix.replace('-', ' '))
        app.key('F10')
        app.press('menu item', 'Actions')
        app.find('label', 'Today')
        time.sleep(0.5)
        self.shoot(app, 'actions')
        app.type('rename.txt')
        app.wait_text('1 file')
        app.key('Down', 'Tab', 'Return', delay=200)
        app.find('button', 'Redo')
        time.sleep(1)
        self.shoot(app, 'actions-undone')
        app.key('ctrl+l')
        app.key('F10')
        app.press('menu item', 'Actions')
        app.type('unicorn')
        app.wait_text('No Results Found')
        time.sleep(0.4)
        self.shoot(app, 'actions-nothing')
        app.key('Escape')
        app.wait_gone('label', 'No Results Found')

    def unreadable(self, app):
        """Actions that cannot be read, and chats that cannot be searched."""
        app.key('ctrl+l')
        with self.without_table('effect'):
            app.key('F10')
            app.press('menu item', 'Actions')
            app.wait_text('The actions could not be read.')
            time.sleep(0.4)
            self.shoot(app, 'actions-unreadable')
            app.key('Escape')
        with self.without_table('session'):
            app.key('ctrl+shift+f')
            app.type('store')
            app.wait_text('The chats could not be searched.')
            time.sleep(0.4)
            self.shoot(app, 'searching-unreadable')
            app.key('Escape')

    def changes(self, app):
        """Files that a turn changed: shown, taken back, changed since; and of a turn that is stopped."""
        self.open_chat(app, 'Rename the option' + self.suffix.replace('-', ' '))
        app.find('button', 'Undo…')
        time.sleep(0.4)
        self.shoot(app, 'changes')
        app.press('button', 'Actions')
        app.find('label', 'One Reply')
        time.sleep(0.8)
        self.shoot(app, 'changes-effects')
        app.key('Escape')
        app.wait_gone('label', 'One Reply')
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
        self.open_chat(app, 'Make a file of each line' + self.suffix.replace('-', ' '))
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
