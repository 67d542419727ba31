# SPDX-License-Identifier: GPL-3.0-or-later
"""The long answer of the Guide, to be stopped in the middle of its text."""

import time

ABORTED = 'The turn was aborted by you.'
AGAIN = 'Press Esc again to abort'


def new_chat(app):
    app.key('ctrl+n')
    app.find('label', 'Press Esc twice to stop a reply at any time.')


def start_story(app, prompt='tell me a story'):
    new_chat(app)
    # The keys are in the message there, without going to it.
    app.type(prompt)
    app.key('Return')
    app.find('button', 'Cancel')
    app.wait_text('On night 2')


def assert_stopped(app):
    app.find('label', ABORTED)
    app.find('button', 'Send')
    before = app.conversation()
    time.sleep(0.5)
    assert app.conversation() == before, 'something was added after the abort'
