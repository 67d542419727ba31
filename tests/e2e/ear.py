# SPDX-License-Identifier: GPL-3.0-or-later
"""What somebody hears who cannot see the window."""

import os
import subprocess
import sys
import time

from driver import Failure, end, wait_for

HERE = os.path.dirname(os.path.abspath(__file__))
SLOW = 20  # seconds in which something has to be heard


class Ear:
    """The lines of a file that something else writes, in their order."""

    # Whether it reads what is within the widget that got the focus, too.
    reads_on = True

    def __init__(self, path):
        self.path = path
        self.position = self.column = 0  # behind what was expected last

    def lines(self):
        with open(self.path, encoding='utf-8', errors='replace') as file:
            return [self.clean(line.rstrip('\n')) for line in file if line.endswith('\n')]

    def clean(self, line):
        return line

    def wait_until_ready(self, app):
        """The window has come."""

    def forget(self):
        """What was heard until now is not waited for."""
        self.position, self.column = len(self.lines()), 0

    def expect(self, *parts, seconds=SLOW):
        """Each part is heard, in this order and behind what was expected before; the lines. Two
        that came at once may be one line."""
        return [self._expect(part, seconds) for part in parts]

    def _expect(self, part, seconds):
        heard = []

        def find():
            heard[:] = self.lines()
            for i, line in enumerate(heard[self.position:], self.position):
                at = line.find(part, self.column if i == self.position else 0)
                if at >= 0:
                    return i, at + len(part)
            return None

        try:
            found = wait_for(find, '"%s" to be heard' % part, seconds)
        except Failure as failure:
            raise Failure('%s; heard:\n  %s' % (failure, '\n  '.join(heard[self.position:]))) \
                from None
        self.position, self.column = found
        return heard[self.position]

    def count(self, part, since=0):
        return sum(part in line for line in self.lines()[since:])

    def expect_once(self, *parts, since):
        """In a second in which nothing else is done none of the parts was or is heard again."""
        time.sleep(1)
        heard = self.lines()[since:]
        for part in parts:
            times = sum(line.count(part) for line in heard)
            if times != 1:
                raise Failure('"%s" was heard %d times:\n  %s' % (part, times, '\n  '.join(heard)))


class Announcements(Ear):
    """What the application announces, and what gets the focus."""

    reads_on = False

    def __init__(self, folder):
        super().__init__(os.path.join(folder, 'announcements'))
        with open(self.path, 'w', encoding='utf-8'):
            pass
        self.process = subprocess.Popen([sys.executable, os.path.join(HERE, 'announcements.py'),
                                         self.path], stdin=subprocess.DEVNULL)
        wait_for(lambda: 'ready' in self.lines(), 'the listener')

    def clean(self, line):
        """libadwaita announces a toast as well, which is not heard: see gadget-announcer.c."""
        return '' if line.startswith('A toast appeared') else line

    def __enter__(self):
        return self

    def __exit__(self, *_):
        end(self.process)
