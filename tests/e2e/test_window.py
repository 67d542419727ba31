#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The built gadget, driven from outside: keys and clicks through the display server, what is seen
over the accessibility bus.

usage: test_window.py BUILD_DIR [NAME-PART]…

Output is TAP. Each test has an application of its own; chats stay from one test to the next, as
they do for a user.
"""

import http.server
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from driver import App, Desktop, wait_for  # noqa: E402
from model_server import ModelServer  # noqa: E402
from story import ABORTED, AGAIN, assert_stopped, new_chat, start_story  # noqa: E402
from tap import Skip, run  # noqa: E402

BUILD = os.path.abspath(sys.argv[1])
CLI = os.path.join(BUILD, 'src', 'cli', 'gadget-cli')
TESTS = []


def test(function):
    TESTS.append(function)
    return function


# --- With the Guide ------------------------------------------------------------------------------

@test
def guide_answers():
    with App(BUILD) as app:
        app.send('what can you do')
        app.wait_text('I am the Guide')
        app.find('button', 'Send')


@test
def items_of_menus_have_names():
    with App(BUILD) as app:
        app.key('F10')
        app.find('menu item', 'Keyboard Shortcuts')
        app.key('Escape')
        app.wait_gone('menu item', 'Keyboard Shortcuts')
        # One that is made anew each time.
        app.send('what can you do')
        app.wait_text('I am the Guide')
        app.find('button', 'Send')
        app.key('shift+Tab', 'shift+F10')
        app.find('menu item', 'Copy as Markdown')
        app.key('Escape')


@test
def menus_have_names():
    """What can be opened says what it is, and what is chosen there."""
    with App(BUILD) as app:
        start_story(app)
        app.key('ctrl+l')
        app.type('a message that waits')
        for name in ('Workspace: No Workspace', 'Permissions: Ask First', 'Model: Guide', 'Chat Menu',
                     'Main Menu', 'More Send Options'):
            app.find('toggle button', name)
        nameless = [node.role for node in app.walk()
                    if node.role.endswith('button') and not node.name]
        assert nameless == [], nameless


@test
def cancel_by_mouse():
    with App(BUILD) as app:
        start_story(app)
        time.sleep(0.5)
        app.click_stop()
        assert_stopped(app)
        app.send('what happened')
        app.wait_text('You stopped me, and it worked.')


@test
def cancel_by_screen_reader():
    with App(BUILD) as app:
        start_story(app)
        app.press('button', 'Cancel')
        assert_stopped(app)


@test
def escape_twice():
    with App(BUILD) as app:
        start_story(app)
        app.key('Escape')
        app.find(None, AGAIN)
        assert app.look('button', 'Cancel') is not None
        app.key('Escape')
        assert_stopped(app)
        app.wait_gone(None, AGAIN)
        app.send('what happened')
        app.wait_text('You stopped me, and it worked.')


@test
def escape_once_goes_on():
    with App(BUILD) as app:
        start_story(app)
        app.key('Escape')
        app.find(None, AGAIN)
        app.wait_gone(None, AGAIN, timeout=6)
        assert app.look('button', 'Cancel') is not None
        app.key('shift+Escape')
        assert_stopped(app)


@test
def restart_shows_the_text():
    with App(BUILD) as app:
        start_story(app)
        app.key('Escape', 'Escape', delay=30)
        assert_stopped(app)
        app.find('button', 'Regenerate Reply')  # what is offered comes a frame after what is said
        shown = app.conversation()
    with App(BUILD) as app:
        app.open_chat('tell me a story')
        app.find('label', ABORTED)
        app.find('button', 'Regenerate Reply')
        kept = app.conversation()
        assert 'On night 1' in kept
        assert kept == shown, 'shown before:\n%s\nshown now:\n%s' % (shown, kept)
        assert app.look('button', 'Cancel') is None


@test
def sigterm_stops_and_leaves():
    with App(BUILD) as app:
        start_story(app)
        started = time.monotonic()
        status = app.stop(signal.SIGTERM)
        assert status == 143, status
        assert time.monotonic() - started < 5
    with App(BUILD, restore=True) as app:
        wait_for(lambda: app.look('frame', 'tell me a story'), 'the chat that was shown')
        app.wait_text('On night 1')
        assert app.look('button', 'Cancel') is None


@test
def killed_in_the_middle():
    with App(BUILD) as app:
        start_story(app)
        app.wait_text('On night 3')
        app.process.send_signal(signal.SIGKILL)
        app.process.wait()
    with App(BUILD, restore=True) as app:
        wait_for(lambda: app.look('frame', 'tell me a story'), 'the chat that was shown')
        app.find('label', 'Gadget was closed before this turn ended.')
        app.wait_text('On night 2')
        app.find('button', 'Continue')
        app.send('what happened')
        app.find('button', 'Send')


@test
def other_chats_meanwhile():
    with App(BUILD) as app:
        start_story(app)
        new_chat(app)
        app.find('button', 'Send')
        assert app.look('button', 'Cancel') is None
        app.open_chat('tell me a story')
        app.find('button', 'Cancel')
        app.wait_text('On night 4')
        app.key('Escape', 'Escape', delay=30)
        assert_stopped(app)


@test
def close_asks_while_it_works():
    with App(BUILD) as app:
        start_story(app)
        app.key('ctrl+w')
        app.find(None, 'Stop and Close?')
        app.key('Escape')
        app.wait_gone(None, 'Stop and Close?')
        assert app.look('button', 'Cancel') is not None
        assert app.look(None, AGAIN) is None
        app.key('ctrl+w')
        app.press('button', 'Keep Open')
        app.wait_gone(None, 'Stop and Close?')
        # Also over a dialog, which has the keys of the window for itself.
        app.key('ctrl+comma')
        app.find(None, 'Preferences')
        app.key('ctrl+q')
        app.press('button', 'Stop and Close')
        assert wait_for(lambda: app.process.poll() is not None, 'the end')
        assert app.process.returncode == 0, app.process.returncode


@test
def queue_is_paused_by_an_abort():
    with App(BUILD) as app:
        start_story(app)
        app.send('what can you do')
        app.find('label', 'Queued')
        app.key('Escape', 'Escape', delay=30)
        assert_stopped(app)
        app.find('label', 'Paused')
        app.press('button', 'Send Now')
        app.wait_text('I am the Guide')


# --- With a server -------------------------------------------------------------------------------

def add_provider(app):
    """From the menu of models."""
    def models():
        return next((node for node in app.walk() if node.role == 'toggle button'
                     and node.name.startswith('Model: ')), None)
    app.act(wait_for(models, 'the menu of models'))
    app.press('button', 'Add Provider…')
    app.find('button', 'OpenRouter')


@test
def add_a_provider_and_abort():
    script = {'models': ['tiny', 'other'],
              'replies': [{'text': 'word ', 'repeat': 100000, 'per_second': 100}]}
    with tempfile.TemporaryDirectory() as folder, \
            ModelServer(BUILD, folder, script) as server, App(BUILD) as app:
        add_provider(app)
        app.go_to('button', 'Other…')
        app.key('Return')
        for row, text in (('Name', 'Local test'), ('Address', server.url)):
            app.go_to('text', row)
            app.type(text)
        app.press('button', 'Test')
        app.wait_text('Connected · 2 models available')
        app.go_to('button', 'Add')
        app.key('Return')
        app.wait_gone('dialog', 'Add Provider')
        app.find('button', 'Model: tiny')
        app.send('hello')
        app.wait_text('word word')
        app.key('Escape', 'Escape', delay=30)
        pressed = time.monotonic()
        wait_for(lambda: server.events('fin') or server.events('rst'), 'the closed connection', 5)
        assert time.monotonic() - pressed < 2
        assert_stopped(app)
        assert len(server.events('request')) >= 2


def alive_with(mark):
    """The processes that have MARK as an argument."""
    alive = []
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open('/proc/%s/cmdline' % pid, 'rb') as file:
                if mark.encode() in file.read().split(b'\0'):
                    alive.append(int(pid))
        except OSError:
            continue
    return alive


def tool_call(name, **arguments):
    return {'tool_calls': [{'id': 'call', 'name': name, 'arguments': arguments}],
            'finish': 'tool_calls'}


@test
def one_key_stops_everything():
    """Two chats: one writes, in the other a subagent of a subagent runs a command."""
    mark = '327.%d5' % os.getpid()
    command = "setsid sleep %s & trap '' TERM; sleep %s" % (mark, mark)
    script = {'models': ['tiny'], 'replies': [
        {'when': 'go on with it', 'text': 'Done.'},
        {'when': 'the-writer', 'text': 'word ', 'repeat': 100000, 'per_second': 100},
        {'when': 'the-lowest', **tool_call('shell', command=command)},
        {'when': 'the-middle', **tool_call('task', description='Below', prompt='the-lowest')},
        {'when': 'the-top', **tool_call('task', description='Between', prompt='the-middle')}]}
    with tempfile.TemporaryDirectory() as folder, \
            ModelServer(BUILD, folder, script) as server:
        for arguments in (['add', 'stop', '--kind', 'openai-chat', '--base-url', server.url,
                           '--model', 'tiny'], ['default', 'stop']):
            subprocess.run([CLI, 'provider', *arguments], check=True, stdout=subprocess.DEVNULL)
        with App(BUILD) as app:
            app.send('the-writer')
            app.wait_text('word word')
            new_chat(app)
            app.send('the-top')
            app.allow()
            wait_for(lambda: len(alive_with(mark)) >= 2, 'the command')
            app.key('ctrl+shift+Escape')
            pressed = time.monotonic()
            wait_for(lambda: not alive_with(mark), 'the end of the command', 5)
            wait_for(lambda: server.events('fin') or server.events('rst'), 'the closed connection', 5)
            assert time.monotonic() - pressed < 2
            assert_stopped(app)
            app.open_chat('the-writer')
            assert_stopped(app)
            app.send('go on with it')
            app.wait_text('Done.')
    subprocess.run([CLI, 'provider', 'remove', 'stop'], check=True, stdout=subprocess.DEVNULL)


class Models(http.server.BaseHTTPRequestHandler):
    """Ollama, as far as it is looked for: its own API lists two models."""

    def do_GET(self):
        found = self.path == '/api/tags'
        body = json.dumps({'models': [{'name': name, 'model': name} for name in ('one', 'two')]}
                          if found else {'error': 'not here'}).encode()
        self.send_response(200 if found else 404)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


# --- Other programs ------------------------------------------------------------------------------

def call(method, *arguments):
    """Of the window's object on the bus, as a script calls it."""
    names = json.loads(subprocess.run(
        ['gdbus', 'call', '--session', '--dest', 'org.freedesktop.DBus', '--object-path',
         '/org/freedesktop/DBus', '--method', 'org.freedesktop.DBus.ListNames'],
        check=True, stdout=subprocess.PIPE, text=True).stdout.strip()[1:-2].replace("'", '"'))
    name = next(n for n in names if n.startswith('io.github.gadgetchat.Gadget') and '.Cli.' not in n)
    return subprocess.run(
        ['gdbus', 'call', '--session', '--dest', name, '--object-path',
         '/io/github/gadgetchat/Gadget/Agent', '--method',
         'io.github.gadgetchat.Gadget.Agent1.' + method, *arguments],
        check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        timeout=30).stdout


def is_on_bus():
    """It is once the chats are open, which comes after the window."""
    try:
        return call('ListRuns')
    except (StopIteration, subprocess.CalledProcessError):
        return None


@test
def another_program_asks_the_window():
    with App(BUILD) as app:
        wait_for(is_on_bus, 'the window on the bus')
        answer = call('Ask', '', 'tell me a story', "{'provider': <'guide'>, 'run-id': <'r1'>}")
        assert "'r1'" in answer, answer
        assert "'run': <'r1'>" in call('ListRuns'), call('ListRuns')
        assert call('Abort', '', 'r1').startswith('(true'), 'it was not aborted'
        assert call('Wait', 'r1').startswith("(true, 'aborted'"), call('Wait', 'r1')


@test
def server_on_this_computer_is_found():
    try:
        server = http.server.ThreadingHTTPServer(('127.0.0.1', 11434), Models)
    except OSError as error:
        raise Skip('port 11434 is taken') from error
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with App(BUILD) as app:
            add_provider(app)
            app.find('label', 'Running · 2 models · starts with one')
            app.press('button', 'Use Ollama')
            app.wait_gone('dialog', 'Add Provider')
            app.find('button', 'Model: one')
            listed = json.loads(subprocess.run([CLI, 'provider', 'list', '--json'], check=True,
                                               stdout=subprocess.PIPE).stdout)
            added = [entry for entry in listed if entry['id'] == 'ollama']
            assert [entry['kind'] for entry in added] == ['ollama'], listed
            assert added[0]['base_url'] == 'http://127.0.0.1:11434', listed
    finally:
        server.shutdown()
        server.server_close()
    subprocess.run([CLI, 'provider', 'remove', 'ollama'], check=True, stdout=subprocess.DEVNULL)


@test
def wrong_address_is_explained():
    for arguments in (['add', 'nobody', '--kind', 'openai-chat', '--base-url',
                       'http://127.0.0.1:9/v1', '--model', 'none'], ['default', 'nobody']):
        subprocess.run([CLI, 'provider', *arguments], check=True, stdout=subprocess.DEVNULL)
    with App(BUILD) as app:
        app.find('button', 'Model: none')
        app.send('hello')
        app.wait_text('could not be reached')
        app.find('button', 'Retry')
        app.find('button', 'Send')


if __name__ == '__main__':
    # The last of the others leave a provider that cannot be reached.
    sys.exit(run(TESTS, sys.argv[2:], Desktop))
