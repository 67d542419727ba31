# SPDX-License-Identifier: GPL-3.0-or-later
"""The messages that wait above the composer, from outside."""

import os
import signal
import sys
import time

import tap
from driver import App, Desktop
from story import start_story

BUILD = os.path.abspath(sys.argv[1])
PROMPT = 'now a story of queues'
TESTS = []


def test(function):
    TESTS.append(function)
    return function


def row(place, text):
    return f'Queued message {place} of 3: {text}'


def assert_order(app, *texts):
    for place, text in enumerate(texts, 1):
        app.find('list item', row(place, text))


@test
def moved_message_survives_a_kill():
    """Moved by keys alone and by what a screen reader does; on disk before anything can happen."""
    with App(BUILD) as app:
        start_story(app, PROMPT)
        for text in ('alpha', 'beta', 'who are you'):
            app.send(text)
        assert_order(app, 'alpha', 'beta', 'who are you')
        app.go_to('list item', row(3, 'who are you'), key='shift+Tab')
        app.key('alt+Up')
        assert_order(app, 'alpha', 'who are you', 'beta')
        app.key('alt+Up')
        assert_order(app, 'who are you', 'alpha', 'beta')
        time.sleep(0.3)  # so much may be lost
        app.process.send_signal(signal.SIGKILL)
        app.process.wait()
    with App(BUILD, restore=True) as app:
        app.find('label', 'Gadget was closed before this turn ended.')
        assert_order(app, 'who are you', 'alpha', 'beta')
        app.press('button', 'Send Now')
        app.wait_text('I am the Guide')


if __name__ == '__main__':
    sys.exit(tap.run(TESTS, sys.argv[2:], Desktop))
