# SPDX-License-Identifier: GPL-3.0-or-later
"""What an episode is played in, and what must always hold there.

A World is a home folder with a database, a model server, and the window, which comes and goes. It
knows which messages were sent and what became of their chats, and looks for them in the database,
which it reads by itself: the program under test is not asked whether it lost something.
"""

import contextlib
import glob
import os
import re
import signal
import sqlite3
import subprocess
import time

from gi.repository import GLib

import driver
from driver import Failure, wait_for
from server import Server, get_command

WORD = re.compile(r'\b[wr]\d+\.\d+\b')
MARKER = re.compile(r'\bm(\d+)\b')
COMPLAINT = re.compile(r'^.*(?:WARNING|CRITICAL|ERROR|AddressSanitizer|runtime error).*$', re.MULTILINE)

# What may be lost of a stream when the program is killed, and how long that takes to be read here.
JOURNAL_SECONDS = 1.5
# How soon everything is over after a stop.
STOP_SECONDS = 4
# Shown is an incognito chat in which nothing was said yet.
NEW_PRIVATE = -1
# How long a look at the window serves for what else is asked about it. A look takes longer than
# everything else that the monkey does.
LOOK_SECONDS = 0.1


class Violation(Exception):
    """Something that must always hold does not."""


def read_children(pid):
    """Every process below PID."""
    parents = {}
    for name in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open('/proc/%s/stat' % name, encoding='ascii', errors='replace') as file:
                fields = file.read().rsplit(')', 1)[1].split()
            if fields[0] != 'Z':
                parents[int(name)] = int(fields[1])
        except (OSError, IndexError):
            continue
    found, todo = [], [pid]
    while todo:
        parent = todo.pop()
        below = [child for child, its in parents.items() if its == parent]
        found += below
        todo += below
    return found


def is_alive_with(text):
    """Whether a process has TEXT in its arguments."""
    for name in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open('/proc/%s/cmdline' % name, 'rb') as file:
                if text.encode() in file.read().replace(b'\0', b' ') and int(name) != os.getpid():
                    return True
        except OSError:
            continue
    return False


class App(driver.App):
    """Looks once for all that is asked between two things that are done."""

    tree = None
    looked = 0.0

    def read_tree(self):
        if self.tree is None or time.monotonic() - self.looked > LOOK_SECONDS:
            self.tree = super().read_tree()
            self.looked = time.monotonic()
        return self.tree

    def key(self, *keys, delay=12):
        super().key(*keys, delay=delay)
        self.tree = None

    def type(self, text):
        super().type(text)
        self.tree = None

    def act(self, node):
        self.tree = None
        return super().act(node)

    def click_at(self, x, y):
        super().click_at(x, y)
        self.tree = None


class World:
    GONE = GLib.Error  # what was looked at is not there any more

    def __init__(self, build):
        self.began = time.monotonic()
        self.build = os.path.abspath(build)
        self.cli = os.path.join(self.build, 'src', 'cli', 'gadget-cli')
        self.home = os.environ['HOME']
        self.folder = os.path.join(self.home, 'work')
        os.makedirs(self.folder, exist_ok=True)
        self.server = Server()
        self.app = None
        self.background = []  # gadget-cli, at work
        self.n_markers = 0
        self.sent = {}  # marker → the chat it was sent to, as the marker of its first message
        self.private = {}  # the same of incognito chats, which are never stored
        self.exempt = set()  # what was deleted on purpose
        self.environment = dict(
            os.environ, GADGET_LIBEXEC_DIR=os.path.join(self.build, 'src', 'supervise'),
            GSETTINGS_SCHEMA_DIR=os.path.join(self.build, 'data'),
            GADGET_LOCALE_DIR=os.path.join(self.build, 'po'))
        self.run_cli('provider', 'add', 'mock', '--kind', 'openai-chat', '--base-url',
                     self.server.url, '--model', 'tiny')
        self.run_cli('provider', 'default', 'mock')

    def close(self):
        for process in self.background:
            driver.end(process)
        if self.app is not None and self.app.process.poll() is None:
            self.app.process.kill()
            self.app.process.wait()
        self.server.close()

    # --- The programs ---

    def run_cli(self, *arguments, timeout=60):
        return subprocess.run([self.cli, *arguments], env=self.environment, timeout=timeout,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)

    def start_cli(self, *arguments):
        self.background.append(subprocess.Popen(
            [self.cli, *arguments], env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def start(self):
        self.app = App(self.build)

    def end(self, number):
        """Ends the window by a signal, and checks that nothing of it is left."""
        children = read_children(self.app.get_pid())
        if number == signal.SIGKILL:
            self.app.process.kill()
            self.app.process.wait()
        else:
            self.app.process.send_signal(number)
            try:
                self.app.process.wait(15)
            except subprocess.TimeoutExpired:
                raise Violation('the window did not leave after signal %d' % number) from None
        self.check_output()
        self.app = None
        try:
            wait_for(lambda: not [pid for pid in children if os.path.exists('/proc/%d' % pid)],
                     'the end of every child', 5)
        except Failure:
            raise Violation('processes survived the window') from None

    # --- Messages ---

    def next_message(self, kind):
        self.n_markers += 1
        return self.n_markers, 'm%d %s' % (self.n_markers, kind)

    def get_shown_chat(self):
        """The marker in the title of the window; None for a new chat. An incognito chat has no title:
        the marker in its conversation, or NEW_PRIVATE."""
        if self.app.look('label', 'This chat is not stored.'):
            conversation = self.app.look(None, 'Conversation')
            texts = self.app.texts(conversation) if conversation is not None else []
            found = MARKER.search('\n'.join(texts))
            return int(found.group(1)) if found else NEW_PRIVATE
        for node in self.app.walk():
            if node.role in ('frame', 'window'):
                found = MARKER.search(node.name)
                return int(found.group(1)) if found else None
        return None

    def note_sent(self, marker, chat):
        if self.is_private(chat):
            self.private[marker] = self.private.get(chat, marker)
            return
        self.sent[marker] = self.sent.get(chat, chat) if chat is not None else marker

    def is_private(self, chat):
        return chat == NEW_PRIVATE or chat in self.private

    def keep_private(self, chat):
        """It is stored from now on."""
        first = self.private.get(chat, chat)
        for marker in [m for m, its in self.private.items() if its == first]:
            self.sent[marker] = self.private.pop(marker)

    def forget_chat(self, chat):
        """It is deleted on purpose: what is in it need not be found any more. A title that was made
        later may quote any message of the chat."""
        first = self.sent.get(chat, chat)
        self.exempt.update(m for m, its in self.sent.items() if its == first)

    def read_composer(self):
        node = self.app.look('text', 'Message')
        return (node.read_text() or '') if node is not None else ''

    def is_busy(self):
        return any(self.app.look('button', name) for name in ('Cancel', 'Aborting…'))

    # --- What is stored ---

    @contextlib.contextmanager
    def open_database(self):
        path = os.path.join(os.environ['XDG_DATA_HOME'], 'gadget', 'gadget.db')
        database = sqlite3.connect('file:%s?mode=ro' % path, uri=True, timeout=10)
        try:
            yield database
        finally:
            database.close()

    def read_store(self):
        """Everything that is written in the database, as one text."""
        parts = []
        with self.open_database() as database:
            tables = [row[0] for row in database.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name != 'piece'")]
            for table in tables:
                for row in database.execute('SELECT * FROM "%s"' % table):
                    parts += [v if isinstance(v, str) else v.decode(errors='replace')
                              for v in row if isinstance(v, (str, bytes))]
            # The pieces of a text that still grows follow each other.
            for data, offset in database.execute(
                    'SELECT data, offset FROM piece ORDER BY turn, position, field, offset'):
                text = data if isinstance(data, str) else data.decode(errors='replace')
                if offset > 0:
                    parts[-1] += text
                else:
                    parts.append(text)
        return '\n'.join(parts)

    def read_ended_turns(self):
        """The turns that are over and were not deleted: id → marker, state and texts."""
        turns = {}
        with self.open_database() as database:
            for number, name, prompt, status in database.execute(
                    "SELECT number, id, prompt, status FROM turn WHERE status != 'processing'"):
                marker = MARKER.search(prompt)
                texts = database.execute(
                    'SELECT kind, text, result FROM item WHERE turn = ? ORDER BY position',
                    (number,)).fetchall()
                turns[name] = (int(marker.group(1)) if marker else 0, status, texts)
        return turns

    def read_written_files(self):
        """Turns that are over and wrote a file that is there: (turn id, path)."""
        return [(name, path) for name, (marker, _, _) in self.read_ended_turns().items()
                for path in [os.path.join(self.folder, 'm%d.txt' % marker)]
                if os.path.exists(path)]

    def read_words_of_streams(self):
        """The words that the server wrote long enough ago to be stored, whatever happened since."""
        now = time.monotonic()
        return {word for e in self.server.get_exchanges()
                if e.kind in ('words', 'slow') and e.marker in self.sent
                and e.marker not in self.exempt and not e.is_side
                for when, word in e.words if when < min(now, e.ended or now) - JOURNAL_SECONDS}

    # --- What must hold ---

    def check_output(self):
        found = COMPLAINT.search(self.app.output())
        if found:
            raise Violation('on standard error: %s' % found.group(0)[:400])

    def check_alive(self):
        if self.app.process.poll() is not None:
            raise Violation('the window ended with status %d: %s'
                            % (self.app.process.returncode, self.app.output()[-800:]))
        self.check_output()

    def check_requests(self):
        if self.server.faults:
            raise Violation('; '.join(self.server.faults[:3]))

    def read_recovery_files(self):
        """What the store was too slow to take, or could not."""
        parts = []
        for folder in (os.path.join(os.environ['XDG_DATA_HOME'], 'gadget'),
                       os.path.join(os.environ['XDG_STATE_HOME'], 'gadget')):
            for path in glob.glob(os.path.join(folder, 'unsaved', '*')):
                with contextlib.suppress(OSError), open(path, encoding='utf-8') as file:
                    parts.append(file.read())
        return '\n'.join(parts)

    def describe(self):
        """What is seen and what was asked, for whoever reads of a violation."""
        exchanges = ', '.join('m%d %s %s' % (e.marker, e.kind, 'open' if e.ended is None else 'ended')
                              for e in self.server.get_exchanges())
        shown = self.app.texts() if self.app is not None else []
        return 'asked: %s\nshown: %s' % (exchanges, ' | '.join(shown))

    def find_lost(self):
        text = '\n'.join((self.read_store(), self.read_recovery_files(),
                          self.read_composer() if self.app else ''))
        there = {int(number) for number in MARKER.findall(text)}
        return [m for m in self.sent if m not in there and m not in self.exempt]

    def check_nothing_lost(self):
        """Every message that was sent is stored, in a queue, or in a draft."""
        try:
            wait_for(lambda: not self.find_lost(), 'every message', 6)
        except Failure:
            raise Violation('lost: %s' % ', '.join('m%d' % m for m in self.find_lost())) from None

    def check_nothing_private_is_stored(self):
        there = {int(number) for number in MARKER.findall(
            '\n'.join((self.read_store(), self.read_recovery_files())))}
        stored = sorted(there & set(self.private))
        if stored:
            raise Violation('m%d is of an incognito chat, and stored' % stored[0])

    def check_shown_is_stored(self):
        """Every word that can be seen is stored, a moment later."""
        conversation = self.app.look(None, 'Conversation')
        if conversation is None or self.is_private(self.get_shown_chat()):
            return
        shown = set(WORD.findall('\n'.join(self.app.texts(conversation))))
        try:
            wait_for(lambda: shown <= set(WORD.findall(self.read_store())), 'the words', 6)
        except Failure:
            lost = sorted(shown - set(WORD.findall(self.read_store())))
            raise Violation('shown and not stored: %s' % ' '.join(lost[:5])) from None

    def check_turns_are_kept(self, before):
        """What was over before a restart is as it was."""
        after = self.read_ended_turns()
        for name, turn in before.items():
            if turn[0] in self.sent and turn[0] not in self.exempt and after.get(name) != turn:
                raise Violation('the turn of m%d is not what it was before the restart: %s, %s'
                                % (turn[0], turn, after.get(name)))

    def check_words_are_stored(self, words):
        lost = sorted(words - set(WORD.findall(self.read_store())))
        if lost:
            raise Violation('streamed and not stored: %s' % ' '.join(lost[:5]))

    def check_cancel_is_in_sight(self):
        """While a turn of the shown chat runs there is a Cancel button, within the window."""
        chat = self.get_shown_chat()
        running = [e for e in self.server.get_open() if not e.is_side and chat is not None
                   and chat in (self.sent.get(e.marker), self.private.get(e.marker))
                   and time.monotonic() - e.began > 2]
        if not running:
            return
        try:
            button = wait_for(lambda: self.app.look('button', 'Cancel')
                              or self.app.look('button', 'Aborting…')
                              or not [e for e in running if e.ended is None], 'Cancel', 5)
        except Failure:
            raise Violation('m%d is answered, and there is no Cancel' % running[0].marker) from None
        if button is True:
            return
        x, y, its_width, its_height = button.read_box()
        width, height = self.app.size
        edge = 2 * driver.EDGE
        if x < 0 or y < 0 or x + its_width > width + edge or y + its_height > height + edge:
            raise Violation('Cancel is at %d,%d, %d by %d, in a window of %d by %d'
                            % (x, y, its_width, its_height, width, height))

    def check_all(self):
        self.check_alive()
        self.check_requests()
        self.check_nothing_lost()
        self.check_nothing_private_is_stored()
        self.check_cancel_is_in_sight()

    def check_stopped(self, exchanges, since, markers=()):
        """EXCHANGES are closed, and nothing else was asked since, but for what is sent later."""
        try:
            wait_for(lambda: all(e.ended is not None for e in exchanges), 'closed connections',
                     STOP_SECONDS)
        except Failure:
            raise Violation('still open after a stop: %s' % ', '.join(
                'm%d' % e.marker for e in exchanges if e.ended is None)) from None
        time.sleep(0.3)
        stopped = {e.marker for e in exchanges} | set(markers)
        later = [e for e in self.server.get_exchanges() if e.marker in stopped and e.began > since]
        if later:
            raise Violation('asked again after a stop: m%d' % later[0].marker)
        for marker in stopped:
            try:
                wait_for(lambda m=marker: not is_alive_with(get_command(m)), 'its command', 2)
            except Failure:
                raise Violation('the command of m%d survived the stop' % marker) from None
