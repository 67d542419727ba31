# SPDX-License-Identifier: GPL-3.0-or-later
"""States of a chat: what was asked, what the model does, and how a turn ended."""

import json
import os
import subprocess
import time

from screenshots_camera import ABORTED, Camera


class ChatStates(Camera):
    def empty(self, app):
        self.shoot(app, 'empty')

    def first_run(self, app):
        time.sleep(1.5)
        self.shoot(app, 'first-run')

    def sidebar(self, app):
        """Chats that are pinned, unread, branches and interrupted."""
        time.sleep(0.5)
        if self.suffix == '-narrow':
            app.key('F9')
            time.sleep(0.5)
        self.shoot(app, 'sidebar')
        down = ['ctrl+Down'] * 5
        app.key('ctrl+shift+k', 'Tab', *down, 'Left', delay=100)
        time.sleep(0.3)
        self.shoot(app, 'sidebar-closed')
        app.key('Right', 'Menu', delay=100)
        time.sleep(0.5)
        self.shoot(app, 'sidebar-folder-menu')
        app.key('Escape', 'ctrl+Up', 'ctrl+space', 'ctrl+Up', 'space', *down[:3], 'space', delay=100)
        time.sleep(0.3)
        self.shoot(app, 'sidebar-select')
        app.key('Escape')
        app.hold(100, 557, 384)
        time.sleep(0.3)
        self.shoot(app, 'sidebar-drag')
        app.key('Escape')
        app.let_go()
        app.key('ctrl+shift+k', 'Tab', 'Menu', delay=100)
        time.sleep(0.5)
        self.shoot(app, 'sidebar-menu')
        app.key('Escape', 'F2', delay=100)
        time.sleep(0.3)
        self.shoot(app, 'sidebar-rename')
        app.key('Escape', 'End', 'Return', delay=100)
        time.sleep(0.5)
        self.shoot(app, 'sidebar-archive')
        app.key('alt+Left')
        time.sleep(0.3)

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

    def find(self, app):
        self.new_chat(app, 'Cancelling a reply leaves the connection open. Find out why and fix it.')
        app.wait_text('closing while a read is pending fails')
        app.find('button', 'Send')
        app.key('ctrl+f')
        app.type('clos')
        time.sleep(1)
        app.key('Return', 'Return')
        time.sleep(0.8)
        self.shoot(app, 'find')
        app.key('shift+Return', 'shift+Return', 'shift+Return')
        time.sleep(0.5)
        self.shoot(app, 'find-round')
        app.type('e nothing')
        time.sleep(0.8)
        self.shoot(app, 'find-none')
        app.key('Escape')

    def incognito(self, app):
        """A chat of which nothing is stored, and what its card says before a change of files."""
        app.key('ctrl+shift+p')
        time.sleep(0.8)
        self.shoot(app, 'incognito-empty')
        app.send('Cancelling a reply leaves the connection open. Find out why and fix it.')
        app.wait_text('closing while a read is pending fails')
        app.find('button', 'Send')
        time.sleep(0.5)
        self.shoot(app, 'incognito')
        app.press('toggle button', 'Chat Menu')
        time.sleep(0.5)
        self.shoot(app, 'incognito-menu')
        app.key('Escape', 'ctrl+l', delay=100)
        app.send('Now add a test that fails if the socket stays open.')
        app.find('button', 'Allow Once')
        time.sleep(0.5)
        self.shoot(app, 'incognito-permission')
        self.stop(app)

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
        self.open_chat(app, 'Sort imports')  # one that has a folder
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

    def instructions(self, app):
        """What a folder tells agents: asked, allowed, and changed since."""
        path = os.path.join(self.folder, 'AGENTS.md')
        with open(path, 'w', encoding='utf-8') as file:
            file.write('# How we work here\n\n- Indent with **two** blanks; a line has at most 80 characters.\n'
                       '- Run `make check` after each change.\n- Write the changelog in English.\n')
        self.open_chat(app, 'Sort imports')
        app.find('toggle button', 'Workspace: gadget')
        app.key('ctrl+l')
        app.send('What has changed since yesterday?')
        app.find('button', 'Allow Once')
        time.sleep(0.7)
        self.shoot(app, 'instructions')
        app.key('ctrl+j', '3')
        app.wait_text('Follow the instructions in AGENTS.md? Allowed.')
        time.sleep(0.7)
        self.shoot(app, 'instructions-followed')
        self.stop(app)
        with open(path, 'a', encoding='utf-8') as file:
            file.write('- Push to the server when you are done.\n')
        app.key('ctrl+l')
        app.send('What has changed since yesterday?')
        app.find('button', 'Allow Once')
        time.sleep(0.7)
        self.shoot(app, 'instructions-changed')
        self.stop(app)
        os.remove(path)

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

    def closing(self, app):
        self.new_chat(app, 'Go on with the rest')
        app.find('button', 'Cancel')
        app.key('ctrl+w')
        app.find(None, 'Stop and Close?')
        self.shoot(app, 'closing')
        app.key('Escape')
        time.sleep(0.5)
        self.stop(app)
