# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives the built gadget from outside, as a user and a screen reader would.

A Desktop is a virtual display, a session bus and an accessibility bus of their own; an App is one
gadget on it, with a home folder that outlives it and is thrown away with the desktop. Keys and
clicks come from the display server (xdotool), what is seen is read over the accessibility bus.
Everything that is started is ended by its pid.
"""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

from gi.repository import GLib

import accessible

# Around the window, where nothing composes the screen.
EDGE = 5
WIDTH, HEIGHT = 1000, 720


class Failure(Exception):
    """Something that was waited for did not come."""


def wait_for(condition, what, timeout=20):
    """The first true answer of condition (); a Failure when there is none in time."""
    deadline = time.monotonic() + timeout
    while True:
        answer = condition()
        if answer:
            return answer
        if time.monotonic() > deadline:
            raise Failure('waited %d s for %s' % (timeout, what))
        time.sleep(0.05)


def end(process, timeout=5):
    if process is None or process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def read_line(reader, what):
    with os.fdopen(reader) as pipe:
        line = pipe.readline().strip()
    if not line:
        raise Failure('%s did not start' % what)
    return line


class Desktop:
    def __init__(self, size='1280x1024'):
        self.children = []
        self.home = tempfile.mkdtemp(prefix='gadget-e2e-')
        try:
            self._start(size)
        except BaseException:
            self.stop()
            raise

    def _start(self, size):
        quiet = {'stdin': subprocess.DEVNULL, 'stdout': subprocess.DEVNULL,
                 'stderr': subprocess.DEVNULL}
        for name in ('runtime', 'data', 'cache', 'config', 'state'):
            os.mkdir(os.path.join(self.home, name), 0o700)
        env = os.environ
        for name in ('WAYLAND_DISPLAY', 'XAUTHORITY', 'NO_AT_BRIDGE', 'AT_SPI_BUS_ADDRESS', 'G_DEBUG'):
            env.pop(name, None)
        env.update({
            'HOME': self.home,
            'XDG_RUNTIME_DIR': os.path.join(self.home, 'runtime'),
            'XDG_DATA_HOME': os.path.join(self.home, 'data'),
            'XDG_CACHE_HOME': os.path.join(self.home, 'cache'),
            'XDG_CONFIG_HOME': os.path.join(self.home, 'config'),
            'XDG_STATE_HOME': os.path.join(self.home, 'state'),
            'GSETTINGS_BACKEND': 'memory', 'GDK_BACKEND': 'x11', 'ADW_DISABLE_PORTAL': '1',
            'GTK_A11Y': 'atspi', 'LC_ALL': env.get('LC_ALL', 'C.UTF-8'),
        })
        env.setdefault('GDK_DISABLE', 'gl,vulkan')
        self._write_settings()

        reader, writer = os.pipe()
        self.children.append(subprocess.Popen(
            ['Xvfb', '-displayfd', str(writer), '-screen', '0', size + 'x24', '-nolisten', 'tcp',
             '-nolisten', 'unix', '-noreset'], pass_fds=[writer], **quiet))
        os.close(writer)
        env['DISPLAY'] = ':' + read_line(reader, 'Xvfb')

        reader, writer = os.pipe()
        self.children.append(subprocess.Popen(
            ['dbus-daemon', '--session', '--nofork', '--print-address=%d' % writer],
            pass_fds=[writer], **quiet))
        os.close(writer)
        env['DBUS_SESSION_BUS_ADDRESS'] = read_line(reader, 'dbus-daemon')
        self.children.append(subprocess.Popen(
            ['/usr/libexec/at-spi-bus-launcher', '--launch-immediately'], **quiet))

        wait_for(accessible.connect, 'the accessibility bus')

    def _write_settings(self):
        folder = os.path.join(self.home, 'config', 'gtk-4.0')
        os.makedirs(folder)
        with open(os.path.join(folder, 'settings.ini'), 'w', encoding='utf-8') as file:
            # As on a GNOME desktop, whose own font is a variant of this one.
            file.write('[Settings]\ngtk-font-name=Inter 11\n'
                       'gtk-decoration-layout=:close\ngtk-cursor-blink=false\n')

    def stop(self):
        for child in reversed(self.children):
            end(child)
        shutil.rmtree(self.home, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def forget_shown_chat():
    """As if the user had closed the window that was there before."""
    path = os.path.join(os.environ['XDG_DATA_HOME'], 'gadget', 'gadget.db')
    if not os.path.exists(path):
        return
    database = sqlite3.connect(path)
    try:
        with database:
            database.execute("DELETE FROM setting WHERE key = 'shown-chat'")
    except sqlite3.Error:  # a test has damaged it
        pass
    finally:
        database.close()


class App:
    """One gadget, with its window WIDTH x HEIGHT. It begins with a new chat, unless it is to RESTORE
    the one that was shown."""

    last_tree = None  # what was read last, of which little is new

    def __init__(self, build, dark=False, high_contrast=False, env=None, size=(WIDTH, HEIGHT),
                 first_run=False, restore=False):
        if not restore:
            forget_shown_chat()
        self.build = os.path.abspath(build)
        self.log = tempfile.TemporaryFile()
        environment = dict(os.environ)
        environment.update({
            'GADGET_LIBEXEC_DIR': os.path.join(self.build, 'src', 'supervise'),
            'GADGET_LOCALE_DIR': os.path.join(self.build, 'po'),
            'GSETTINGS_SCHEMA_DIR': os.path.join(self.build, 'data'),
            'G_DEBUG': 'fatal-warnings',
        })
        if dark:
            environment['ADW_DEBUG_COLOR_SCHEME'] = 'prefer-dark'
        if high_contrast:
            environment['ADW_DEBUG_HIGH_CONTRAST'] = '1'
        environment.update(env or {})
        self.process = self._start(os.path.join(self.build, 'src', 'gadget'), environment)
        self.size = size
        self.bus = accessible.connect()
        self.application = wait_for(self._find_application, 'the window', 30)
        self.resize(*size)
        if first_run:
            self.find('button', 'Use Guide')
        else:
            wait_for(self._begin, 'the composer')

    def _begin(self):
        """On a new computer nobody who answers was chosen yet."""
        composer = self.look('text', 'Message')
        guide = self.look('button', 'Use Guide')
        if composer is None and guide is not None:
            self.act(guide)
        return composer

    def _start(self, program, environment):
        return subprocess.Popen([program], env=environment, stdin=subprocess.DEVNULL,
                                stdout=self.log, stderr=self.log)

    def get_pid(self):
        return self.process.pid

    # --- The window ---

    def _check(self):
        if self.process.poll() is not None:
            raise Failure('gadget ended with status %d:\n%s' % (self.process.returncode,
                                                              self.output()))

    def _find_application(self):
        self._check()
        return accessible.find_application(self.bus, self.get_pid())

    def _window(self):
        ids = subprocess.run(['xdotool', 'search', '--onlyvisible', '--pid', str(self.process.pid)],
                             capture_output=True, text=True).stdout.split()
        return ids[0] if ids else None

    def resize(self, width, height):
        self.size = (width, height)
        window = wait_for(self._window, 'the window on the screen')
        subprocess.run(['xdotool', 'windowsize', window, str(width + 2 * EDGE),
                        str(height + 2 * EDGE)], check=True)
        time.sleep(0.5)

    def output(self):
        self.log.seek(0)
        return self.log.read().decode(errors='replace')

    def shot(self, path):
        time.sleep(0.35)  # for what moves to come to rest
        self._check()
        width, height = self.size
        subprocess.run(['import', '-window', 'root', '-crop',
                        '%dx%d+%d+%d' % (width, height, EDGE, EDGE), '+repage', path], check=True)
        return path

    # --- Hands ---

    def key(self, *keys, delay=12):
        subprocess.run(['xdotool', 'key', '--delay', str(delay), *keys], check=True)

    def type(self, text):
        subprocess.run(['xdotool', 'type', '--delay', '4', text], check=True)

    def send(self, text):
        self.key('ctrl+l')
        self.type(text)
        self.key('Return')

    def open_chat(self, title):
        """The newest chat, with the keyboard: it stands under the new one."""
        def find():
            return next((node for node in self.walk() if node.role == 'list item'
                         and node.name.startswith(title)), None)
        wait_for(find, 'the chat "%s"' % title)
        self.key('ctrl+shift+k')
        self.key('Tab', 'Down', delay=100)
        wait_for(lambda: self.look('frame', title), 'the window of "%s"' % title)

    def go_to(self, role, name, key='Tab'):
        """Goes there with one key alone, as somebody without a mouse does."""
        self.find(role, name)
        for _ in range(80):
            for node in self.walk():
                if (node.role == role and node.name == name
                        and node.has_state(accessible.FOCUSED)):
                    return node
            self.key(key)
            time.sleep(0.08)
        raise Failure('%s does not reach %s "%s"' % (key, role, name))

    def press(self, role, name, timeout=20):
        return self.act(self.find(role, name, timeout=timeout))

    def allow(self):
        """Presses Allow Once, which does nothing in the first half second of its card."""
        self.find('button', 'Allow Once')
        time.sleep(0.7)
        return self.press('button', 'Allow Once')

    def act(self, node):
        """What a screen reader does with a button."""
        return node.act()

    def click_at(self, x, y):
        subprocess.run(['xdotool', 'mousemove', str(EDGE + x), str(EDGE + y), 'click', '1'],
                       check=True)

    def hold(self, x, y, to):
        """Presses the button there, and moves the pointer down or up with it."""
        subprocess.run(['xdotool', 'mousemove', str(EDGE + x), str(EDGE + y), 'mousedown', '1'], check=True)
        for at in range(9):
            subprocess.run(['xdotool', 'mousemove', str(EDGE + x + at), str(EDGE + y + (to - y) * at // 8)],
                           check=True)
            time.sleep(0.05)

    @staticmethod
    def let_go():
        subprocess.run(['xdotool', 'mouseup', '1'], check=True)

    def _scroll(self, x, notches, button):
        subprocess.run(['xdotool', 'mousemove', str(EDGE + x), str(EDGE + self.size[1] // 2),
                        'click', '--repeat', str(notches), '--delay', '30', button], check=True)

    def scroll_up(self, notches):
        self._scroll(self.size[0] - 60, notches, '4')

    def scroll_down(self, notches):
        """What is in the middle of the window: a dialog."""
        self._scroll(self.size[0] // 2, notches, '5')

    def click_stop(self):
        """A click with the mouse on the button that sends and stops. Its place never moves."""
        width, height = self.size
        self.click_at(width - 24 - 6 - 18, height - 18 - 6 - 18)

    # --- Eyes ---

    def read_tree(self):
        self.last_tree = accessible.Tree(self.bus, self.application, self.last_tree)
        return self.last_tree

    def walk(self, node=None):
        """Every accessible that is showing now, in the window or from NODE down."""
        try:
            tree = self.read_tree()
        except GLib.Error:  # it went while we looked
            return iter(())
        return tree.walk(node.path) if node is not None else tree.walk()

    def look(self, role, name):
        return next((node for node in self.walk()
                     if (role is None or node.role == role) and node.name == name), None)

    def find(self, role, name, timeout=20):
        return wait_for(lambda: self.look(role, name), '%s "%s"' % (role, name), timeout)

    def wait_gone(self, role, name, timeout=20):
        wait_for(lambda: self.look(role, name) is None, 'the end of %s "%s"' % (role, name), timeout)

    def is_sensitive(self, node):
        return node.has_state(accessible.SENSITIVE)

    def texts(self, node=None):
        """What is written, from top to bottom: labels, and the pieces of the transcript."""
        found = []
        for child in self.walk(node):
            try:
                name = child.read_text() or child.name
            except GLib.Error:  # it went while we looked
                continue
            if name and (not found or found[-1] != name):
                found.append(name)
        return found

    def wait_text(self, part, timeout=20):
        return wait_for(lambda: next((t for t in self.texts() if part in t), None),
                        'the text "%s"' % part, timeout)

    def conversation(self):
        return '\n'.join(self.texts(self.find(None, 'Conversation')))

    # --- The end ---

    def stop(self, number=signal.SIGTERM, timeout=10):
        """Ends it, and returns its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(number)
            try:
                self.process.wait(timeout)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                raise Failure('gadget did not leave within %d s' % timeout) from None
        return self.process.returncode

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is not None:
            sys.stderr.write(self.output())
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
        else:
            self.stop()
