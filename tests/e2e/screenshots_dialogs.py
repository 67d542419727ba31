# SPDX-License-Identifier: GPL-3.0-or-later
"""Menus, the preferences with their pages, and the shortcuts."""

import contextlib
import os
import random
import shutil
import sqlite3
import subprocess
import time

import accessible
from screenshots_camera import Camera


# What a tab of a dialog is called.
TABS = ('button', 'page tab', 'radio button', 'toggle button')


class DialogStates(Camera):
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
        app.key('ctrl+shift+k')
        app.type('zzz')
        app.wait_text('No chat has such a title.')
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

    def searching(self, app):
        app.key('ctrl+shift+f')
        app.find('label', 'All chats')
        app.type('store')
        app.wait_text('match')
        time.sleep(0.5)
        self.shoot(app, 'searching')
        app.key('ctrl+a')
        app.type('unicorn')
        app.wait_text('No chat has')
        self.shoot(app, 'searching-nothing')
        app.key('Escape')
        time.sleep(0.3)
        app.key('ctrl+k')
        app.find('label', 'Last Chats')
        time.sleep(0.5)
        self.shoot(app, 'switcher')
        app.type('sto')
        app.wait_text('Search all chats for')
        time.sleep(0.3)
        self.shoot(app, 'switcher-words')
        app.key('Escape')
        time.sleep(0.3)

    def exporting(self, app):
        self.open_chat(app, 'Slow start')
        for name, tab in (('export', None), ('export-json', 'JSON'), ('export-pdf', 'PDF')):
            app.press('toggle button', 'Chat Menu')
            time.sleep(0.4)
            app.press('menu item', 'Export…')
            app.find('dialog', 'Export')
            time.sleep(0.5)
            if tab is not None:
                self.turn_to(app, tab)
            self.shoot(app, name)
            app.key('Escape')
            app.wait_gone('dialog', 'Export')
            time.sleep(0.3)

    # What a day of work costs, at its busiest: model, provider, sent, cached, written, reasoning, cost.
    USAGE = (
        ('claude-sonnet-4-5', 'anthropic', 520000, 450000, 23000, 6700, 171000000),
        ('gpt-5-mini', 'openai', 220000, 177000, 12000, 5400, 63000000),
        ('deepseek-chat', 'deepseek', 108000, 79000, 8100, 0, 13600000),
        ('qwen3:14b', 'ollama', 98000, None, 25800, 11400, None),
        ('mistral-small', 'vllm', 17000, None, 5000, None, None),
    )
    USAGE_PROVIDERS = (('anthropic', 'Anthropic', 'https://api.anthropic.com'),
                       ('openai', 'OpenAI', 'https://api.openai.com/v1'),
                       ('deepseek', 'DeepSeek', 'https://api.deepseek.com/v1'),
                       ('vllm', 'vllm.local', 'http://vllm.local:8000/v1'))

    @contextlib.contextmanager
    def used(self):
        """A month of usage, more on working days; as if nothing had been used yet afterwards."""
        path = os.path.join(os.environ['XDG_DATA_HOME'], 'gadget', 'gadget.db')
        chance = random.Random(22)
        rows = []
        for day in range(30):
            at = int(time.time()) - 86400 * day
            share = chance.uniform(0.3, 1) * (0.15 if time.gmtime(at).tm_wday > 4 else 1)
            for model, provider, *numbers in self.USAGE:
                rows.append((at * 1000, int(share * 200000), 'chat%d' % (day % 9), 't%d%s' % (day, model), provider,
                             model, *(None if n is None else int(n * share) for n in numbers)))
        with contextlib.closing(sqlite3.connect(path)) as database:
            with database:
                database.execute('DELETE FROM usage')
                database.executemany('INSERT INTO provider (id, name, kind, base_url, position) VALUES '
                                     "(?, ?, 'openai-chat', ?, 9)", self.USAGE_PROVIDERS)
                database.executemany('INSERT INTO usage (at, ms, session, turn, provider, model, purpose, '
                                     'input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost, '
                                     "estimated) VALUES (?, ?, ?, ?, ?, ?, 'reply', ?, ?, ?, ?, ?, 0)", rows)
            yield
            with database:
                database.execute('DELETE FROM usage')
                database.executemany('DELETE FROM provider WHERE id = ?', ((p[0],) for p in self.USAGE_PROVIDERS))

    def usage(self, app):
        with self.used():
            self.open_usage(app)
            app.wait_text('in the last 30 days')
            app.key('Tab')
            app.key('Tab')
            app.key('Tab')
            app.key('Left', 'Left', 'Left', 'Left')
            time.sleep(0.3)
            self.shoot(app, 'usage')
            app.key('Tab')
            app.scroll_down(40)
            time.sleep(0.3)
            self.shoot(app, 'usage-end')
            self.go_to_row(app, 'claude-sonnet-4-5')
            app.key('Return')
            time.sleep(0.5)
            self.shoot(app, 'usage-opened')
            self.turn_to(app, 'Money')
            self.turn_to(app, '12 Months')
            app.wait_text('in the last 12 months')
            self.shoot(app, 'usage-money')
            app.press('button', 'Set Prices…')
            app.find('dialog', 'Prices')
            app.wait_text('mistral-small')
            self.go_to_row(app, 'qwen3:14b')
            app.key('Return')
            time.sleep(0.5)
            self.shoot(app, 'usage-prices')
            app.key('Escape')
            app.wait_gone('dialog', 'Prices')
            app.key('Escape')
            app.wait_gone('dialog', 'Usage')
        self.open_usage(app)
        app.wait_text('Nothing Used Yet')
        time.sleep(0.3)
        self.shoot(app, 'usage-empty')
        app.key('Escape')
        app.wait_gone('dialog', 'Usage')

    @staticmethod
    def go_to_row(app, words):
        """The row whose name begins with the words."""
        for _ in range(40):
            if any(node.role == 'list item' and node.name.startswith(words) and node.has_state(accessible.FOCUSED)
                   for node in app.walk()):
                return
            app.key('Tab')
            time.sleep(0.1)

    @staticmethod
    def open_usage(app):
        app.key('F10')
        time.sleep(0.4)
        app.key('u')
        app.find('dialog', 'Usage')
        time.sleep(0.5)

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

    @staticmethod
    def fill_cache():
        home = os.environ.get('XDG_CACHE_HOME', os.path.join(os.environ['HOME'], '.cache'))
        folder = os.path.join(home, 'gadget', 'commands', 'one')
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, 'files'), 'wb') as file:
            file.write(bytes(146000000 // 100))

    @staticmethod
    def forget_backups():
        """No backup, and chats that were used long ago."""
        folder = os.path.join(os.environ['XDG_DATA_HOME'], 'gadget')
        shutil.rmtree(os.path.join(folder, 'backups'), ignore_errors=True)
        with contextlib.closing(sqlite3.connect(os.path.join(folder, 'gadget.db'))) as database, database:
            database.execute('UPDATE session SET updated_at = 1000 WHERE number IN (2, 3, 4)')
            database.execute('INSERT OR IGNORE INTO attachment (id, session, kept, made_at, data)'
                             " VALUES ('old-image', 3, 1, 1, zeroblob (1200000))")

    def clearing(self, app, button, question, text, name):
        app.press('button', button)
        app.find('label', question)
        if text is not None:
            app.wait_text(text)
        time.sleep(0.5)
        self.shoot(app, name)
        app.key('Escape')
        time.sleep(0.5)

    def storage(self, app):
        self.fill_cache()
        self.forget_backups()
        app.key('ctrl+comma')
        app.find('dialog', 'Preferences')
        self.turn_to(app, 'Storage')
        app.wait_text('There is no backup yet.')
        app.wait_text('Gadget takes')
        self.shoot(app, 'storage')
        self.clearing(app, 'Clear Chats…', 'Clear Chats?', 'are deleted', 'storage-clear-chats')
        self.clearing(app, 'Clear Attachments…', 'Clear Attachments?', 'is removed, which',
                      'storage-clear-attachments')
        self.clearing(app, 'Clear Undo Data…', 'Clear Undo Data?', None, 'storage-clear-undo')
        self.clearing(app, 'Clear Caches…', 'Clear Caches?', None, 'storage-clear-caches')
        app.press('button', 'Back Up Now')
        app.wait_text('Copy of all chats')
        app.go_to('button', 'Back Up Now')
        app.key('Tab')
        app.key('Return')
        app.wait_text('Chats that come back')
        time.sleep(0.5)
        self.shoot(app, 'storage-backup')
        app.scroll_down(40)
        self.shoot(app, 'storage-end')
        app.go_to('button', 'Delete Everything…')
        time.sleep(0.5)
        app.key('Return')
        app.find('label', 'Delete Everything?')
        time.sleep(0.5)
        self.shoot(app, 'storage-erase')
        app.key('Escape')
        time.sleep(0.5)
        app.key('Escape')
        app.wait_gone('dialog', 'Preferences')

    def dialogs(self, app):
        self.run_cli('permission', 'allow', 'command:make check')
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
