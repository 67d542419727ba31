#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""flatpak-tour.py OUT: the Guide, a command, Esc Esc and the next message, in the sandboxed Gadget.

flatpak/session.sh starts this in the developer root, on the session bus of the application, and
the application on the host when this has written the display's name to file descriptor 3. After
the tour it writes "done" there, and keeps the screen until its standard input ends.
"""

import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import accessible  # noqa: E402
import driver  # noqa: E402
from driver import App, Desktop, read_line, wait_for  # noqa: E402

ABORTED = 'The turn was aborted by you.'


class Screen(Desktop):
    """A display and an accessibility bus for a program of another root: the X socket is in /tmp,
    which both see, and the session bus and the folders are there already."""

    def __init__(self, size='1280x1024'):
        self.children = []
        self.home = ''
        reader, writer = os.pipe()
        self.children.append(subprocess.Popen(
            ['Xvfb', '-displayfd', str(writer), '-screen', '0', size + 'x24', '-nolisten', 'tcp',
             '-noreset'], pass_fds=[writer], stderr=subprocess.DEVNULL))
        os.close(writer)
        os.environ['DISPLAY'] = ':' + read_line(reader, 'Xvfb')
        self.children.append(subprocess.Popen(
            ['/usr/libexec/at-spi-bus-launcher', '--launch-immediately'],
            stderr=subprocess.DEVNULL))
        wait_for(accessible.connect, 'the accessibility bus')


class Sandboxed(App):
    """The one application on this display. Its process is another's, in a namespace of its own."""

    def __init__(self):
        self.bus = accessible.connect()
        self.application = wait_for(self._find_application, 'the window', 90)
        self.resize(driver.WIDTH, driver.HEIGHT)
        wait_for(self._begin, 'the composer')

    def _check(self):
        """Its end is seen by what does not come."""

    def _find_application(self):
        return accessible.find_application(self.bus, None)

    def _window(self):
        ids = subprocess.run(['xdotool', 'search', '--onlyvisible', '--class', 'gadget'],
                             capture_output=True, text=True).stdout.split()
        return ids[0] if ids else None


def say(text):
    print('flatpak: ' + text, flush=True)


def stop(app):
    app.key('Escape')
    app.find(None, 'Press Esc again to abort')
    app.key('Escape')
    app.wait_gone('button', 'Cancel')
    app.wait_text(ABORTED)
    app.find('button', 'Send')


def tour(app, out):
    def shot(name):
        app.shot(os.path.join(out, name + '.png'))

    shot('1-empty')
    say('asking the Guide')
    app.send('What can you do?')
    app.wait_text('I am the Guide')
    app.find('button', 'Send')
    shot('2-answer')

    say('a command, which runs by flatpak-spawn in a sandbox of its own')
    app.send('Run a command')
    app.find('button', 'Allow Once', 60)
    shot('3-permission')
    app.allow()
    app.wait_text('Ran ', 60)
    app.find('button', 'Send', 60)
    shot('4-command')

    say('Esc Esc in the middle of a command and a timer')
    app.send('Run a slow command')
    app.find('button', 'Allow Once', 60)
    app.allow()
    app.wait_text('Running ', 60)
    time.sleep(2)
    stop(app)
    app.wait_text('1 command')
    shot('5-command-aborted')

    say('Esc Esc in the middle of a story')
    app.send('Tell me a long story')
    app.wait_text('On night 2')
    stop(app)
    shot('6-aborted')

    say('the next message')
    app.send('What happened?')
    app.wait_text('You stopped me, and it worked.')
    app.find('button', 'Send')
    shot('7-next-message')


def main():
    out = sys.argv[1]
    with Screen():
        os.write(3, (os.environ['DISPLAY'] + '\n').encode())
        try:
            app = Sandboxed()
            tour(app, out)
        except driver.Failure as failure:
            subprocess.run(['import', '-window', 'root', os.path.join(out, 'failure.png')])
            print('flatpak: %s; see failure.png' % failure, file=sys.stderr)
            return 1
        os.write(3, b'done\n')
        sys.stdin.read()
    return 0


if __name__ == '__main__':
    sys.exit(main())
