# SPDX-License-Identifier: GPL-3.0-or-later
"""Replies that cannot be saved, from outside: the disk is full for the window from some moment on."""

import glob
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys

import tap
from driver import App, Desktop, wait_for
from story import start_story

BUILD = os.path.abspath(sys.argv[1])
NAME = 'io.github.gadgetchat.Gadget'
UNSAVED = 'This reply hasn’t been saved yet.'
RECOVERED = 'A reply that could not be saved was recovered'
PROMPT = 'tell me a story'
TESTS = []


def test(function):
    TESTS.append(function)
    return function


class FullApp(App):
    """A gadget whose files cannot grow any more, once that is wanted. A write then fails, as it does
    when the disk is full."""

    def _start(self, program, environment):
        return subprocess.Popen(
            [program], env=environment, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
            preexec_fn=lambda: signal.signal(signal.SIGXFSZ, signal.SIG_IGN))

    def fill(self, size=None):
        size = os.path.getsize(data('gadget.db-wal')) if size is None else size
        hard = resource.prlimit(self.get_pid(), resource.RLIMIT_FSIZE)[1]
        resource.prlimit(self.get_pid(), resource.RLIMIT_FSIZE, (size, hard))

    def make_room(self):
        hard = resource.prlimit(self.get_pid(), resource.RLIMIT_FSIZE)[1]
        resource.prlimit(self.get_pid(), resource.RLIMIT_FSIZE, (hard, hard))

    def stop_story(self):
        """In the middle of it, when the disk has become full."""
        start_story(self, PROMPT)
        self.fill()
        self.wait_text('On night 4')
        self.key('shift+Escape')
        self.find('label', UNSAVED)
        wait_for(recovery_files, 'the file with the text')
        return story_of(self)


def data(name):
    return os.path.join(os.environ['XDG_DATA_HOME'], 'gadget', name)


def recovery_files():
    return glob.glob(data('unsaved/reply-*.txt'))


def story_of(app):
    return [text for text in app.conversation().splitlines() if text.startswith('On night')]


def assert_recovered(story):
    """By the next start, which tells of it once."""
    with App(BUILD) as app:
        app.wait_text(RECOVERED)
        app.press('button', 'Show')
        app.find('label', 'The turn was aborted by you.')
        wait_for(lambda: story_of(app) == story, 'the whole story')
        assert not recovery_files(), 'the file is still there'
    with App(BUILD) as app:
        app.find('list', 'Chats')
        assert not any(RECOVERED in text for text in app.texts()), 'it is told of twice'


@test
def unsaved_reply_is_saved_when_there_is_room():
    with FullApp(BUILD) as app:
        app.stop_story()
        app.make_room()
        app.wait_gone('label', UNSAVED)
        wait_for(lambda: not recovery_files(), 'the end of the file')
        # Nothing is asked.
        app.key('ctrl+q')
        wait_for(lambda: app.process.poll() == 0, 'the end')


@test
def closing_with_an_unsaved_reply_asks():
    with FullApp(BUILD) as app:
        story = app.stop_story()
        app.key('ctrl+q')
        app.find('label', 'A Reply Is Not Saved')
        app.press('button', 'Cancel')
        app.wait_gone('label', 'A Reply Is Not Saved')
        app.key('ctrl+q')
        first = app.find('button', 'Close Anyway')
        # The disk is as full as before, so that it is asked again.
        app.key('Return')
        wait_for(lambda: app.look('button', 'Close Anyway') not in (None, first), 'the question')
        app.wait_text('Saving failed again.')
        app.press('button', 'Close Anyway')
        wait_for(lambda: app.process.poll() == 0, 'the end')
    assert_recovered(story)


@test
def stop_and_close_asks_about_unsaved_replies():
    """About one that was not saved before, and one that is stopped for it."""
    with FullApp(BUILD) as app:
        start_story(app, PROMPT)
        start_story(app, 'tell me another story')
        app.fill()
        app.open_chat(PROMPT)
        app.key('shift+Escape')
        app.find('label', UNSAVED)
        app.key('ctrl+q')
        app.press('button', 'Stop and Close')
        app.find('label', '2 Replies Are Not Saved')
        app.press('button', 'Cancel')
        app.wait_gone('label', '2 Replies Are Not Saved')
        app.key('ctrl+q')
        app.press('button', 'Close Anyway')
        wait_for(lambda: app.process.poll() == 0, 'the end')
    with App(BUILD) as app:
        app.wait_text('2 replies that could not be saved were recovered')
        app.press('button', 'Show')
        app.wait_text(RECOVERED)
        app.press('button', 'Show')
        wait_for(lambda: not recovery_files(), 'the end of the files')


@test
def unsaved_reply_that_is_saved_does_not_keep_it_open():
    """By itself, or by Retry, which Return is."""
    with FullApp(BUILD) as app:
        story = app.stop_story()
        app.key('ctrl+q')
        app.find('button', 'Close Anyway')
        app.make_room()
        app.key('Return')
        wait_for(lambda: app.process.poll() == 0, 'the end')
        assert not recovery_files(), 'the file is still there'
    with App(BUILD) as app:
        app.open_chat(PROMPT)
        wait_for(lambda: story_of(app) == story, 'the whole story')


@test
def signal_leaves_an_unsaved_reply_in_a_file():
    """In the middle of a reply, which nobody can be asked about."""
    with FullApp(BUILD) as app:
        start_story(app, PROMPT)
        app.fill()
        app.wait_text('On night 4')
        story = story_of(app)
        assert app.stop(signal.SIGTERM) == 143
        assert len(recovery_files()) == 1
        with open(recovery_files()[0], encoding='utf-8') as file:
            text = file.read()
        for night in story[:-1]:
            assert night in text, night
    with App(BUILD) as app:
        app.wait_text(RECOVERED)
        app.press('button', 'Show')
        wait_for(lambda: len(story_of(app)) >= len(story), 'the whole story')


def type_unsaved(app, text):
    """On a disk that is full."""
    start_story(app, PROMPT)
    app.key('shift+Escape')
    app.find('label', 'The turn was aborted by you.')
    app.fill()
    app.type(text)
    app.wait_text('What you write isn’t saved')
    wait_for(lambda: glob.glob(data('unsaved/draft-*.txt')), 'the file with the text')


def assert_unsent(text):
    """It is there again, and saved."""
    with App(BUILD) as app:
        app.open_chat(PROMPT)
        wait_for(lambda: app.find('text', 'Message').read_text() == text, 'the text')
        wait_for(lambda: not glob.glob(data('unsaved/draft-*')), 'the end of the file')
        app.key('ctrl+a')
        app.key('BackSpace')


@test
def signal_keeps_what_is_not_sent():
    with FullApp(BUILD) as app:
        type_unsaved(app, 'a long thought')
        app.type(', and more')
        # The signal could come before the keys.
        wait_for(lambda: app.find('text', 'Message').read_text() == 'a long thought, and more',
                 'the text')
        assert app.stop(signal.SIGTERM) == 143
    assert_unsent('a long thought, and more')


@test
def kill_keeps_what_is_not_sent():
    with FullApp(BUILD) as app:
        type_unsaved(app, 'a short thought')
        app.stop(signal.SIGKILL)
    assert_unsent('a short thought')


@test
def closing_asks_about_what_is_not_sent_and_would_be_lost():
    """No folder takes it either."""
    with FullApp(BUILD) as app:
        start_story(app, PROMPT)
        app.key('shift+Escape')
        app.find('label', 'The turn was aborted by you.')
        app.fill(0)
        app.type('a great thought')
        app.wait_text('What you write isn’t saved')
        app.key('ctrl+q')
        app.find('label', 'A Message Is Not Saved')
        app.wait_text('It will be lost if you close Gadget now.')
        app.press('button', 'Cancel')
        app.wait_gone('label', 'A Message Is Not Saved')
        app.key('ctrl+q')
        app.press('button', 'Close Anyway')
        wait_for(lambda: app.process.poll() == 0, 'the end')


def queue_unsaved(app):
    """A message, while a reply is written on a disk that is full."""
    start_story(app, PROMPT)
    app.fill()
    app.send('and then')
    app.wait_text('On night 3')
    wait_for(recovery_files, 'the file')
    wait_for(lambda: 'and then' in read_recovery_file(), 'the message in the file')


def read_recovery_file():
    with open(recovery_files()[0], encoding='utf-8') as file:
        return file.read()


def assert_queue_recovered():
    with App(BUILD) as app:
        app.wait_text(RECOVERED)
        app.press('button', 'Show')
        app.wait_text('On night 1')
        app.wait_text('and then')


@test
def signal_keeps_the_queue_of_an_unsaved_reply():
    with FullApp(BUILD) as app:
        queue_unsaved(app)
        assert app.stop(signal.SIGTERM) == 143
    assert_queue_recovered()


@test
def kill_keeps_an_unsaved_reply_and_its_queue():
    """As far as it was a second before."""
    with FullApp(BUILD) as app:
        queue_unsaved(app)
        app.stop(signal.SIGKILL)
    assert_queue_recovered()


# --- Data that cannot be opened, and a start while it closes --------------------------------------

def wait_for_new_start(app):
    """The program starts anew in its own place, with a window."""
    def look():
        app.application = app._find_application()
        # With chats it begins with an empty one, without anything as on a new computer.
        return app.application and (app.look('label', 'Press Esc twice to stop a reply at any time.')
                                    or app.look('label', 'Welcome to Gadget'))
    wait_for(look, 'a window with an empty chat', 40)


def move_away(name):
    shutil.move(data(name), data(name + '.kept'))


@test
def damaged_data_can_be_set_aside():
    with App(BUILD) as app:
        app.find('list', 'Chats')
    for name in ('gadget.db', 'gadget.db-wal', 'gadget.db-shm'):
        if os.path.exists(data(name)):
            move_away(name)
    with open(data('gadget.db'), 'wb') as file:
        file.write(b'no database, but long enough to be looked at as one' * 200)
    try:
        with App(BUILD) as app:
            app.wait_text('Data Cannot Be Opened')
            app.wait_text('It is damaged.')
            app.find('button', 'Show Folder')
            app.press('button', 'Start Fresh…')
            app.find('label', 'Start Fresh?')
            app.press('button', 'Start Fresh')
            wait_for_new_start(app)
        kept = glob.glob(data('gadget-2*.db'))
        assert len(kept) == 1, kept
        with open(kept[0], 'rb') as file:
            assert file.read(11) == b'no database'
        os.unlink(kept[0])
    finally:
        for name in ('gadget.db', 'gadget.db-wal', 'gadget.db-shm'):
            if os.path.exists(data(name)):
                os.unlink(data(name))
            if os.path.exists(data(name + '.kept')):
                shutil.move(data(name + '.kept'), data(name))


@test
def started_again_while_it_closes():
    with App(BUILD) as app:
        start_story(app, 'a story to be closed')
        other = sqlite3.connect(data('gadget.db'), isolation_level=None)
        other.execute('BEGIN IMMEDIATE')  # so that it takes its time
        app.key('ctrl+q')
        app.press('button', 'Stop and Close')
        # Nobody can say yet whether it is saved.
        app.press('button', 'Close Anyway')
        wait_for(lambda: not app._window(), 'the window to go')
        second = subprocess.run([os.path.join(BUILD, 'src', 'gadget')], timeout=30,
                                env=dict(os.environ, G_DEBUG='fatal-warnings'), check=False)
        assert second.returncode == 0, second.returncode
        other.close()
        wait_for_new_start(app)


@test
def started_again_while_it_stops():
    """After Stop and Close the window is still there for a moment, until all is saved."""
    with App(BUILD) as app:
        start_story(app, 'a story to be stopped')
        other = sqlite3.connect(data('gadget.db'), isolation_level=None)
        other.execute('BEGIN IMMEDIATE')  # so that it takes its time
        app.key('ctrl+q')
        app.press('button', 'Stop and Close')
        app.wait_gone('button', 'Stop and Close')
        subprocess.run(['gapplication', 'launch', NAME], timeout=30, check=True)
        other.close()
        wait_for_new_start(app)


@test
def started_again_when_nothing_ends():
    """It raises the window and changes nothing in it, whatever it is given."""
    with App(BUILD) as app:
        app.find('button', 'Send')
        app.key('ctrl+l')
        app.type('half a message')
        app.wait_text('half a message')
        for arguments, status in ([], 0), (['a-file.txt'], 2), (['some-chat-id'], 2):
            second = subprocess.run([os.path.join(BUILD, 'src', 'gadget'), *arguments], timeout=30,
                                    env=dict(os.environ, G_DEBUG='fatal-warnings'), check=False,
                                    capture_output=True, text=True)
            assert second.returncode == status, (arguments, second.returncode, second.stderr)
            assert all(word in second.stderr for word in arguments), second.stderr
            assert 'CRITICAL' not in second.stderr, second.stderr
        assert 'half a message' in app.texts(), app.texts()
        assert app.process.poll() is None


if __name__ == '__main__':
    sys.exit(tap.run(TESTS, sys.argv[2:], Desktop))
