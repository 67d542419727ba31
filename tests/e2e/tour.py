#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Guide tour, on a virtual display: ask, tools, Esc Esc, the next message.

usage: tour.py BUILD_DIR OUT_DIR

Leaves pictures (light, dark, narrow) and what was said in OUT_DIR, and prints where.
"""

import os
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from driver import App, Desktop, Failure  # noqa: E402

ABORTED = 'The turn was aborted by you.'


class Tour:
    def __init__(self, build, out):
        self.build, self.out = os.path.abspath(build), out
        self.number = 0
        self.pictures = []

    def say(self, text):
        print('tour: ' + text, flush=True)

    def shoot(self, app, name):
        self.number += 1
        path = os.path.join(self.out, '%02d-%s.png' % (self.number, name))
        app.shot(path)
        self.pictures.append(path)

    def ask(self, app):
        self.shoot(app, 'empty')
        self.say('asking the Guide what it can do')
        app.send('What can you do?')
        app.wait_text('I am the Guide')
        app.find('button', 'Send')
        self.shoot(app, 'answer')

    def tools(self, app):
        self.say('letting it run a command and a timer, side by side')
        app.send('Run a slow command')
        try:
            app.find('button', 'Allow Once', timeout=10)
        except Failure:
            self.say('no sandbox can be had here, so there is no command')
            return
        self.shoot(app, 'permission')
        app.allow()
        time.sleep(2.5)
        self.shoot(app, 'tools')

    def stop(self, app):
        self.say('pressing Esc twice in the middle of it')
        app.key('Escape')
        app.find(None, 'Press Esc again to abort')
        self.shoot(app, 'press-again')
        app.key('Escape')
        app.find('label', ABORTED)
        app.find('button', 'Send')
        time.sleep(1)
        self.shoot(app, 'aborted')

    def go_on(self, app):
        self.say('sending the next message')
        app.send('What happened?')
        app.wait_text('You stopped me, and it worked.')
        app.find('button', 'Send')
        self.shoot(app, 'next-message')

    def write_transcript(self):
        cli = os.path.join(self.build, 'src', 'cli', 'gadget-cli')
        chats = subprocess.run([cli, 'session', 'list'], capture_output=True, text=True,
                               check=True).stdout.splitlines()
        path = os.path.join(self.out, 'transcript.txt')
        with open(path, 'w', encoding='utf-8') as file:
            for chat in reversed(chats):
                file.write(subprocess.run([cli, 'session', 'show', chat.split()[0]], text=True,
                                          capture_output=True, check=True).stdout + '\n')
        return path

    def narrow(self, app):
        app.resize(360, 720)
        self.shoot(app, 'narrow')

    def run(self):
        with App(self.build) as app:
            self.ask(app)
            self.tools(app)
            self.stop(app)
            self.go_on(app)
            self.narrow(app)
        with App(self.build, dark=True) as app:
            self.say('once more in the dark')
            app.send('Tell me a story')
            app.wait_text('On night 2')
            self.shoot(app, 'streaming-dark')
            app.key('shift+Escape')
            app.find('label', ABORTED)
            self.shoot(app, 'aborted-dark')
        return self.write_transcript()


def main():
    build, out = sys.argv[1], os.path.abspath(sys.argv[2])
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    tour = Tour(build, out)
    with Desktop():
        transcript = tour.run()
    print('\nThe tour is over. Pictures:')
    for path in tour.pictures:
        print('  ' + path)
    print('What was said:\n  ' + transcript)
    return 0


if __name__ == '__main__':
    sys.exit(main())
