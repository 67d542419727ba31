# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said in the window, for any ear: what the application announces (window_spoken.py), or
what a screen reader makes of it (tests/real/screen_reader.py).
"""

import contextlib
import json
import os
import signal
import subprocess
import tempfile
import time

from driver import App, Failure, end
from model_server import ModelServer

SCENES = []


def scene(function):
    SCENES.append(function)
    return function


def run_cli(build, *arguments):
    subprocess.run([os.path.join(build, 'src', 'cli', 'gadget-cli'), 'provider', *arguments],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   env=dict(os.environ, GADGET_LIBEXEC_DIR=os.path.join(build, 'src', 'supervise')))


@contextlib.contextmanager
def window(build, ear, script):
    """The window, before a model server with a script."""
    with tempfile.TemporaryDirectory() as folder, \
            ModelServer(build, folder, {'models': ['tiny'], 'replies': script}) as server:
        for arguments in (['add', 'spoken', '--kind', 'openai-chat', '--base-url', server.url,
                           '--model', 'tiny'], ['default', 'spoken']):
            run_cli(build, *arguments)
        try:
            with App(build) as app:
                ear.wait_until_ready(app)
                yield app
        finally:
            run_cli(build, 'remove', 'spoken')


def call(name, **arguments):
    return {'tool_calls': [{'id': 'call', 'name': name, 'arguments': arguments}]}


def data(**choice):
    return 'data: %s\n\n' % json.dumps({'choices': [{'index': 0, **choice}]})


def chat_chunk(text):
    return data(delta={'content': text})


FINISHED = data(delta={}, finish_reason='stop') + 'data: [DONE]\n\n'


def slow_call(name, **arguments):
    """One that comes late enough to go elsewhere."""
    function = {'name': name, 'arguments': json.dumps(arguments)}
    tool = {'index': 0, 'id': 'call', 'type': 'function', 'function': function}
    return [{'head': 200, 'content_type': 'text/event-stream'}, {'delay': 8000},
            {'chunk': data(delta={'tool_calls': [tool]})},
            {'chunk': data(delta={}, finish_reason='tool_calls') + 'data: [DONE]\n\n'},
            {'end': True}]


def begin_chat(app, ear, prompt):
    """The message is typed and sent; where everything after it begins."""
    app.key('ctrl+n')
    app.find('label', 'Press Esc twice to stop a reply at any time.')
    ear.forget()
    since = ear.position
    app.type(prompt)
    app.key('Return')
    return since


@scene
def answer_is_heard(build, ear):
    """What was sent, how the answer begins while it is still written, and its end."""
    answer = {'steps': [
        {'head': 200, 'content_type': 'text/event-stream'},
        {'chunk': chat_chunk('The sky is **blue**. It scatters')},
        {'delay': 8000},
        {'chunk': chat_chunk(' light.')},
        {'chunk': FINISHED}, {'end': True}]}
    with window(build, ear, [answer]) as app:
        since = begin_chat(app, ear, 'why is it blue')
        ear.expect('Sent: why is it blue', 'Reply: The sky is blue.')
        assert app.look('button', 'Cancel') is not None, 'it was heard after the answer only'
        ear.expect('The reply is complete.')
        ear.expect_once('Sent: why', 'Reply: The sky is blue.', 'The reply is complete.',
                        since=since)


@scene
def short_answer_is_heard(build, ear):
    """One that comes at once, and does not end with a full stop."""
    with window(build, ear, [{'text': 'Forty-two'}]) as app:
        since = begin_chat(app, ear, 'how many')
        ear.expect('Sent: how many', 'Reply: Forty-two')
        ear.expect_once('Sent: how many', 'Reply: Forty-two', 'The reply is complete.', since=since)


@scene
def permission_is_heard(build, ear):
    """The command before it is allowed, what was answered, and what came of it."""
    script = [{'when': 'forty-two', 'text': 'It ran.'},
              {'when': 'run it', **call('shell', command='echo forty-two')}]
    with window(build, ear, script) as app:
        since = begin_chat(app, ear, 'run it')
        ear.expect('Sent: run it', 'Run this command?')
        ear.expect_once('Run this command?', 'echo forty-two', 'Ctrl+J goes to the question.',
                        since=since)
        app.key('ctrl+j')
        ear.expect('What would be done')
        time.sleep(0.7)  # a card takes no answer in its first moment
        app.key('1')
        ear.expect('Message', 'Allowed once', 'Reply: It ran.')
        ear.expect_once('Allowed once', 'Reply: It ran.', 'The reply is complete.', since=since)


@scene
def refusal_is_heard(build, ear):
    script = [{'when': '"role":"tool"', 'text': 'Then not.'},
              {'when': 'run it', **call('shell', command='echo forty-two')}]
    with window(build, ear, script) as app:
        since = begin_chat(app, ear, 'run it')
        ear.expect('Run this command?')
        app.key('ctrl+j')
        ear.expect('What would be done')
        time.sleep(0.7)
        app.key('0')
        ear.expect('Denied')
        ear.expect_once('Denied', since=since)


@scene
def question_is_heard(build, ear):
    """With its choices and the digits that choose them."""
    script = [{'when': '"role":"tool"', 'text': 'Blue it is.'},
              {'when': 'paint', **call('ask_user', question='Which color?',
                                       choices=['Red', 'Blue'])}]
    with window(build, ear, script) as app:
        since = begin_chat(app, ear, 'paint')
        ear.expect('The model asks')
        ear.expect_once('The model asks', 'Which color?', '1: Red', '2: Blue', since=since)
        app.key('ctrl+j')
        ear.expect('Red')
        time.sleep(0.7)
        app.key('2')
        ear.expect('Answered: Blue', 'Reply: Blue it is.')
        ear.expect_once('Answered: Blue', 'Reply: Blue it is.', 'The reply is complete.',
                        since=since)


@scene
def stop_and_queue_are_heard(build, ear):
    """How to confirm, that it worked and what was stopped, and what waits now."""
    with window(build, ear,
                [{'text': 'It goes on. ', 'repeat': 100000, 'per_second': 20}]) as app:
        since = begin_chat(app, ear, 'talk')
        ear.expect('Reply: It goes on.')
        app.type('and then')
        app.key('Return')
        ear.expect('Queued: and then')
        app.key('Escape')
        ear.expect('Press Esc again to abort')
        app.key('Escape')
        ear.expect('The turn was aborted by you. Stopped in ')
        heard = ear.expect('1 queued message is paused.')
        ear.expect_once('Queued: and then', 'Press Esc again to abort', ': 1 connection.',
                        'The turn was aborted by you.', '1 queued message is paused.',
                        since=since)
        assert ear.count('The reply is complete', since) == 0, heard
        app.press('button', 'Send Now')
        ear.expect('Sent: and then', 'Reply: It goes on.')
        app.key('shift+Escape')
        ear.expect('The turn was aborted by you.')


@scene
def failure_is_heard(build, ear):
    """And what to do about it."""
    script = [{'status': 401, 'body': {'error': {'message': 'bad key'}}}]
    with window(build, ear, script) as app:
        since = begin_chat(app, ear, 'hello')
        ear.expect('The reply failed. spoken did not accept the key. '
                   'Enter a valid API key in Preferences, then try again.')
        ear.expect_once('The reply failed.', since=since)


@scene
def reading_is_heard(build, ear):
    """By rows, with the arrow keys, and by turns, with Ctrl."""
    script = [{'when': 'tell-even', 'text': 'Two is even.'},
              {'when': 'tell-odd', 'text': 'One is odd.\n\n- alpha\n- omega\n'}]
    with window(build, ear, script) as app:
        begin_chat(app, ear, 'tell-odd')
        ear.expect('The reply is complete.')
        app.type('tell-even')
        app.key('Return')
        ear.expect('Sent: tell-even', 'Reply: Two is even.', 'The reply is complete.')
        app.find('button', 'Send')
        app.key('shift+Tab')
        ear.expect('Two is even.')
        for text in ('tell-even', 'alpha', 'One is odd.', 'tell-odd'):
            walk(app, ear, 'Up', text)
        walk(app, ear, 'Down', 'One is odd.')
        walk(app, ear, 'ctrl+Down', 'tell-even')
        walk(app, ear, 'ctrl+Up', 'tell-odd')


def walk(app, ear, key, text):
    """A row may be between: what was done in a turn."""
    since = len(ear.lines())
    for _ in range(3):
        ear.forget()
        app.key(key)
        with contextlib.suppress(Failure):
            ear.expect(text, seconds=4)
            return
    raise Failure('%s does not come to "%s":\n  %s' % (key, text, '\n  '.join(ear.lines()[since:])))


@scene
def another_chat_is_heard(build, ear):
    """That it waits, and all of its card once it is shown."""
    script = [{'when': 'forty-two', 'text': 'It ran.'},
              {'when': 'run it', 'steps': slow_call('shell', command='echo forty-two')}]
    with window(build, ear, script) as app:
        begin_chat(app, ear, 'run it')
        ear.expect('Sent: run it')
        app.key('ctrl+n')
        app.find('label', 'Press Esc twice to stop a reply at any time.')
        since = len(ear.lines())
        ear.expect('The chat', 'run it', 'is waiting for you.')
        ear.expect_once('is waiting for you.', since=since)
        assert ear.count('Run this command?', since) == 0
        app.open_chat('run it')
        ear.expect('Run this command?')
        ear.expect_once('Run this command?', since=since)


@contextlib.contextmanager
def asking(build, *arguments):
    """A gadget-cli at work, with a message."""
    process = subprocess.Popen(
        [os.path.join(build, 'src', 'cli', 'gadget-cli'), 'ask', *arguments],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env=dict(os.environ, GADGET_LIBEXEC_DIR=os.path.join(build, 'src', 'supervise')))
    try:
        yield process
    finally:
        end(process)


def last_session(build):
    listed = subprocess.run([os.path.join(build, 'src', 'cli', 'gadget-cli'), 'session', 'list',
                             '--json'], check=True, stdout=subprocess.PIPE).stdout
    return json.loads(listed)[0]['session']


@scene
def turn_of_another_program_is_heard(build, ear):
    """As one of the window: its message, the beginning of its answer while it is written, and its
    end. What is there when one comes to a chat is read and not told."""
    answer = [{'head': 200, 'content_type': 'text/event-stream'},
              {'chunk': chat_chunk('The sky is **blue**. It scatters')}, {'delay': 8000},
              {'chunk': chat_chunk(' light.')}, {'chunk': FINISHED}, {'end': True}]
    script = [{'when': 'and elsewhere', 'steps': answer},
              {'when': 'talk on', 'text': 'It goes on. ', 'repeat': 100000, 'per_second': 20},
              {'when': 'why is it blue', 'steps': answer}, {'text': 'Fine.'}]
    with window(build, ear, script) as app:
        begin_chat(app, ear, 'hello')
        ear.expect('The reply is complete.')
        session = last_session(build)
        since = len(ear.lines())
        with asking(build, '--session', session, 'why is it blue'):
            ear.expect('Sent: why is it blue', 'Reply: The sky is blue.')
            assert app.look('button', 'Cancel') is not None, 'it was heard after the answer only'
            ear.expect('The reply is complete.')
        ear.expect_once('Sent: why', 'Reply: The sky is blue.', 'The reply is complete.',
                        since=since)
        since = len(ear.lines())
        with asking(build, '--session', session, 'talk on') as process:
            ear.expect('Sent: talk on', 'Reply: It goes on.')
            process.send_signal(signal.SIGINT)
            ear.expect('The turn was ')
        ear.expect_once('Sent: talk on', 'Reply: It goes on.', 'The turn was ', since=since)
        with asking(build, '--new', 'and elsewhere'):
            since = len(ear.lines())
            app.open_chat('and elsewhere')
            ear.expect('The reply is complete.')
        ear.expect_once('The reply is complete.', since=since)
        for part in ('Sent: ', 'Reply: '):
            assert ear.count(part, since) == 0, ear.lines()[since:]


@scene
def toast_is_heard(build, ear):
    with window(build, ear, [{'text': 'Fine.'}]) as app:
        begin_chat(app, ear, 'hello')
        ear.expect('The reply is complete.')
        since = len(ear.lines())
        app.key('ctrl+j')
        ear.expect('Nothing is waiting for you here')
        ear.expect_once('Nothing is waiting for you here', since=since)


@scene
def search_is_heard(build, ear):
    """How many chats are found, while the focus stays where it is typed."""
    with window(build, ear, [{'text': 'Quokka'}]) as app:
        begin_chat(app, ear, 'quokka')
        ear.expect('The reply is complete.')
        app.key('ctrl+shift+k')
        ear.expect('Search chats')
        since = len(ear.lines())
        app.type('quok')
        ear.expect('1 chat found')
        app.type('x')
        ear.expect('No chat has such a title.')
        ear.expect_once('No chat has such a title.', since=since)


@scene
def stop_everything_is_heard(build, ear):
    """How many replies were stopped, and what became of the one that is shown."""
    with window(build, ear,
                [{'text': 'It goes on. ', 'repeat': 100000, 'per_second': 20}]) as app:
        begin_chat(app, ear, 'talk')
        ear.expect('Reply: It goes on.')
        since = begin_chat(app, ear, 'and again')
        ear.expect('Reply: It goes on.')
        app.key('ctrl+shift+Escape')
        ear.expect('Stopping 2 replies', 'The turn was aborted by you.')
        ear.expect_once('Stopping 2 replies', 'The turn was aborted by you.', since=since)


@scene
def stopped_undo_is_heard(build, ear):
    """How much is left: Esc twice stops an undo as well."""
    script = [{'when': 'They are there.', 'text': 'Made.'},
              {'when': 'make them', **call('shell', command='mkdir lines && seq 45000 | '
                                           'split -l 1 -a 4 - lines/ && echo They are there.')},
              {'text': 'Fine.'}]
    folder = os.path.join(os.environ['HOME'], 'undone')
    os.mkdir(folder)
    with window(build, ear, script) as app:
        with asking(build, '--new', '--workspace', folder, 'prepare') as process:
            process.wait(timeout=60)
        app.open_chat('prepare')  # no other scene has one of that name
        app.send('make them')
        app.allow()
        app.press('button', 'Undo…', timeout=60)
        app.find('label', 'lines/aaaa', timeout=60)
        since = len(ear.lines())
        app.key('Return')  # the button has the focus
        app.wait_gone('dialog', 'Undo Changes')
        # It would be over before all of what is said about it was heard.
        app.key('Escape')
        app.find(None, 'Press Esc again to abort')
        app.key('Escape')
        ear.expect('files not undone. Button: Continue')
        ear.expect_once('files not undone', since=since)
        assert ear.count('Changes undone', since) == 0, ear.lines()[since:]


@scene
def call_is_heard(build, ear):
    """What was done, when it is gone to."""
    script = [{'when': 'forty-two', 'text': 'It ran.'},
              {'when': 'run it', **call('shell', command='echo forty-two')}]
    with window(build, ear, script) as app:
        begin_chat(app, ear, 'run it')
        ear.expect('Run this command?')
        app.key('ctrl+j')
        ear.expect('What would be done')
        time.sleep(0.7)
        app.key('1')
        ear.expect('The reply is complete.')
        app.key('shift+Tab')
        ear.expect('It ran.')
        since = len(ear.lines())
        app.key('Up')
        ear.expect('Tool call')
        if ear.reads_on:
            ear.expect('echo forty-two')
        time.sleep(2)
        assert ear.count('echo forty-two', since) == (1 if ear.reads_on else 0), \
            ear.lines()[since:]
