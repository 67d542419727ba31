# SPDX-License-Identifier: GPL-3.0-or-later
"""A window that shows a turn of gadget-cli: it is stopped and answered there as one of its own."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

import tap
from driver import App, Desktop, end, wait_for
from model_server import ModelServer
from story import ABORTED, AGAIN, assert_stopped, new_chat

BUILD = os.path.abspath(sys.argv[1])
CLI = os.path.join(BUILD, 'src', 'cli', 'gadget-cli')
NAME = 'io.github.gadgetchat.Gadget'
INTERRUPTED = 'Gadget was closed before this turn ended.'
TESTS = []


def test(function):
    TESTS.append(function)
    return function


def call_tool(name, **arguments):
    return {'tool_calls': [{'id': 'c1', 'name': name, 'arguments': arguments}],
            'finish': 'tool_calls'}


@contextlib.contextmanager
def model(*replies):
    """A provider "remote" with these replies, while it lasts."""
    script = {'models': ['tiny'], 'replies': list(replies)}
    with tempfile.TemporaryDirectory() as folder, \
            ModelServer(BUILD, folder, script) as server:
        cli('provider', 'add', 'remote', '--kind', 'openai-chat', '--base-url', server.url,
            '--model', 'tiny')
        try:
            yield server
        finally:
            cli('provider', 'remove', 'remote')


def cli(*arguments):
    subprocess.run([CLI, *arguments], check=True, stdout=subprocess.DEVNULL)


class Asking:
    """A gadget-cli at work in a terminal somewhere."""

    def __init__(self, prompt, *arguments, env=None):
        environment = dict(os.environ, **(env or {}))
        self.process = subprocess.Popen(
            [CLI, 'ask', '--provider', 'remote', '--json', *arguments, prompt], text=True,
            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)

    def finish(self):
        """Its exit status, and its last line."""
        output = self.process.communicate(timeout=20)[0]
        return self.process.returncode, json.loads(output.splitlines()[-1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            end(self.process)
        self.process.stdout.close()


FLOW = {'text': 'word ', 'repeat': 100000, 'per_second': 100}


def n_ends(server):
    return len(server.events('fin')) + len(server.events('rst'))


def abort_over_the_bus(_app):
    subprocess.run(['gdbus', 'call', '--session', '--dest', NAME, '--object-path',
                    '/io/github/gadgetchat/Gadget/Agent', '--method',
                    NAME + '.Agent1.Abort', '', ''], check=True, stdout=subprocess.DEVNULL)


def press_escape_twice(app):
    app.key('Escape')
    app.find('label', AGAIN)
    app.key('Escape')


def answer(app, name):
    """Nothing acts in the first half second of a card."""
    app.find('button', name)
    time.sleep(0.7)
    app.press('button', name)


@test
def remote_turn_is_stopped_by_each_way():
    ways = {'button': lambda app: app.press('button', 'Cancel'), 'twice': press_escape_twice,
            'shift': lambda app: app.key('shift+Escape'),
            'all': lambda app: app.key('ctrl+shift+Escape'), 'bus': abort_over_the_bus}
    with model(FLOW) as server, App(BUILD) as app:
        for way, stop in ways.items():
            prompt = 'stopped by ' + way
            with Asking(prompt) as asking:
                app.open_chat(prompt)
                app.find('button', 'Cancel')
                app.wait_text('word word')
                before = n_ends(server)
                stop(app)
                wait_for(lambda: n_ends(server) > before, 'the closed connection: ' + way, 5)
                status, last = asking.finish()
                assert (status, last['stop_reason']) == (3, 'api'), (way, status, last)
                assert_stopped(app)


@test
def remote_turn_of_a_killed_owner_is_interrupted():
    """Also of one that is on no bus."""
    for bus in (True, False):
        env = {} if bus else {'DBUS_SESSION_BUS_ADDRESS': 'unix:path=/nowhere'}
        with model({'text': 'word ', 'repeat': 20, 'stall': True}), App(BUILD) as app:
            prompt = 'killed, %s' % bus
            with Asking(prompt, env=env) as asking:
                app.open_chat(prompt)
                app.find('button', 'Cancel')
                app.wait_text('word word')
                if not bus:
                    app.press('button', 'Cancel')
                    app.find('label', 'Could not abort: '
                             'the program that writes this reply cannot be reached')
                    app.find('button', 'Cancel')
                time.sleep(1)  # nobody writes any more
                asking.process.send_signal(signal.SIGKILL)
                at = time.monotonic()
                app.find('label', INTERRUPTED)
                assert time.monotonic() - at < 5
                app.find('button', 'Send')


@test
def remote_permission_is_answered_here():
    with model(call_tool('read_file', path='/etc/hostname'), {'text': 'All is well.'}), \
            App(BUILD) as app, \
            Asking('may it', '--approve', 'ask', '--wait-answers') as asking:
        app.open_chat('may it')
        app.allow()
        assert asking.finish()[0] == 0
        app.wait_text('All is well.')
        app.find('button', 'Send')
        app.wait_gone('button', 'Allow Once')


@test
def remote_permission_shows_the_whole_file():
    with model(call_tool('write_file', path='/opt/gadget-test/new.txt', content='the whole of it'),
               {'text': 'Well then.'}), App(BUILD) as app, \
            Asking('write it', '--approve', 'ask', '--wait-answers') as asking:
        app.open_chat('write it')
        app.wait_text('the whole of it')
        answer(app, 'Deny')
        assert asking.finish()[0] == 0


@test
def remote_question_is_answered_here():
    with model(call_tool('ask_user', question='Where to?', choices=['Here', 'There']),
               {'text': 'All is well.'}) as server, \
            App(BUILD) as app, Asking('where to', '--wait-answers') as asking:
        app.open_chat('where to')
        answer(app, 'There')
        assert asking.finish()[0] == 0
        assert 'There' in server.events('request')[-1]['body']


@test
def remote_subagents_are_answered_here():
    """Each card of each, also of one that works for another subagent."""
    def ask(text):
        return call_tool('ask_user', question=text, choices=['Here', 'There'])

    task = call_tool('task', description='Look around', prompt='look around')
    with model(task, ask('First?'), ask('Second?'), task, ask('Third?'), ask('Fourth?'),
               {'text': 'Inner report.'}, {'text': 'Outer report.'},
               {'text': 'All is well.'}) as server, \
            App(BUILD) as app, Asking('look for it', '--wait-answers') as asking:
        app.open_chat('look for it')
        for text in ('First?', 'Second?', 'Third?', 'Fourth?'):
            app.wait_text(text)
            answer(app, 'There')
        assert asking.finish()[0] == 0
        app.wait_text('All is well.')
        assert len(server.events('request')) == 9


@test
def typed_answer_that_is_not_taken_is_left():
    """The other program hangs; what was typed comes into the composer, whatever chat is shown."""
    for elsewhere in (False, True):
        prompt = 'where to, %s' % elsewhere
        with model(call_tool('ask_user', question='Where to?', choices=['Here']),
                   {'text': 'All is well.'}), \
                App(BUILD) as app, Asking(prompt, '--wait-answers') as asking:
            app.open_chat(prompt)
            answer(app, 'Something Else…')
            app.find('button', 'Answer')
            app.type('over there')
            app.wait_text('over there')
            asking.process.send_signal(signal.SIGSTOP)
            app.key('Return')
            if elsewhere:
                new_chat(app)
                time.sleep(3)  # it is given up
                app.open_chat(prompt)
            else:
                app.find('label',
                         'Could not answer: the program that writes this reply does not answer')
                app.find('button', 'Something Else…')
            wait_for(lambda: 'over there' in app.find('text', 'Message').read_text(), 'what was typed')
            asking.process.send_signal(signal.SIGCONT)
            # It takes the answer after all.
            assert asking.finish()[0] == 0


@test
def remote_tool_is_stopped_here():
    with model(call_tool('wait', seconds=600), {'text': 'Well then.'}), App(BUILD) as app, \
            Asking('wait for it') as asking:
        app.open_chat('wait for it')
        app.press('button', 'Stop')
        status, last = asking.finish()
        assert (status, last['status']) == (0, 'finished'), last
        app.wait_text('Well then.')


@test
def message_to_a_chat_of_another_process_is_sent_after_its_turn():
    """Also one that was to steer it, and when another chat is shown by then."""
    with model({'text': 'word ', 'repeat': 500, 'per_second': 100}, {'text': 'First.'},
               {'text': 'Second.'}) as server, \
            App(BUILD) as app, Asking('busy there') as asking:
        app.open_chat('busy there')
        app.find('button', 'Cancel')
        app.send('me too')
        app.key('ctrl+l')
        app.type('and this')
        app.key('ctrl+Return')
        app.find('list item', 'Queued message 2 of 2: and this')
        new_chat(app)
        assert asking.finish()[0] == 0
        wait_for(lambda: len(server.events('request')) >= 3, 'both messages')
        assert 'and this' not in server.events('request')[1]['body']
        assert 'and this' in server.events('request')[2]['body']


@test
def removed_message_comes_back_and_is_sent_after_that_turn():
    with model(call_tool('ask_user', question='Where to?', choices=['Here', 'There']),
               {'text': 'First.'}, {'text': 'Second.'}) as server, \
            App(BUILD) as app, Asking('asked there', '--wait-answers') as asking:
        app.open_chat('asked there')
        app.wait_text('Where to?')
        app.send('me too')
        app.find('list item', 'Queued message 1 of 1: me too')
        app.press('button', 'Remove From Queue')
        app.press('button', 'Undo')
        app.find('list item', 'Queued message 1 of 1: me too')
        answer(app, 'There')
        assert asking.finish()[0] == 0
        wait_for(lambda: len(server.events('request')) >= 3, 'the message')
        assert 'me too' in server.events('request')[2]['body']


@test
def message_is_sent_after_a_turn_that_could_not_be_stopped():
    """The other program is on no bus, so that nobody can tell it to stop."""
    with model({'text': 'word ', 'repeat': 500, 'per_second': 100}, {'text': 'Well then.'}) as server, \
            App(BUILD) as app, \
            Asking('out of reach', env={'DBUS_SESSION_BUS_ADDRESS': 'unix:path=/nowhere'}) as asking:
        app.open_chat('out of reach')
        app.find('button', 'Cancel')
        app.send('me too')
        app.find('list item', 'Queued message 1 of 1: me too')
        app.key('shift+Escape')
        app.find('label', 'Could not abort: the program that writes this reply cannot be reached')
        assert asking.finish()[0] == 0
        app.wait_text('Well then.')
        assert 'me too' in server.events('request')[1]['body']


@test
def message_behind_an_aborted_turn_of_another_process_waits():
    with model(FLOW, {'text': 'Well then.'}) as server, App(BUILD) as app, \
            Asking('aborted there') as asking:
        app.open_chat('aborted there')
        app.find('button', 'Cancel')
        app.send('the earlier one')
        app.find('list item', 'Queued message 1 of 1: the earlier one')
        app.key('shift+Escape')
        app.send('right after')
        assert asking.finish()[0] == 3
        app.wait_text('Well then.')
        # What was queued before the stop is not sent by itself.
        app.find('label', 'Paused')
        bodies = [event['body'] for event in server.events('request')]
        assert 'right after' in bodies[1]
        assert not any('the earlier one' in body for body in bodies)


# --- The object on the bus -------------------------------------------------------------------------

def call(method, *arguments):
    done = subprocess.run(['gdbus', 'call', '--session', '--dest', NAME, '--object-path',
                           '/io/github/gadgetchat/Gadget/Agent', '--method',
                           NAME + '.Agent1.' + method, *arguments], capture_output=True, text=True,
                          timeout=30, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def bus(method, *arguments):
    return subprocess.run(['gdbus', 'call', '--session', '--dest', 'org.freedesktop.DBus',
                           '--object-path', '/org/freedesktop/DBus', '--method',
                           'org.freedesktop.DBus.' + method, *arguments], capture_output=True,
                          text=True, check=True).stdout


def has_owner():
    return 'true' in bus('NameHasOwner', NAME)


@test
def service_without_a_window_works():
    """Started by a call over the bus, which is answered."""
    folder = os.path.join(os.environ['XDG_DATA_HOME'], 'dbus-1', 'services')
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, NAME + '.service')
    with open(path, 'w', encoding='utf-8') as file:
        file.write('[D-BUS Service]\nName=%s\nExec=%s --gapplication-service\n'
                   % (NAME, os.path.join(BUILD, 'src', 'gadget')))
    bus('ReloadConfig')
    try:
        wait_for(lambda: not has_owner(), 'the end of the window before')
        assert call('ListRuns') == '(@aa{sv} [],)'
        asked = call('Ask', '', 'what can you do', "{'provider': <'guide'>}")
        run = asked.strip("()").split(', ')[2].strip("'")
        assert call('Wait', run) == "(true, 'finished')"
        pid = int(bus('GetConnectionUnixProcessID', NAME).split()[1].rstrip(',)'))
        os.kill(pid, signal.SIGTERM)
        wait_for(lambda: not has_owner(), 'the end of the service')
    finally:
        os.remove(path)
        bus('ReloadConfig')


@test
def starting_window_answers():
    process = subprocess.Popen([os.path.join(BUILD, 'src', 'gadget')], stdin=subprocess.DEVNULL)
    try:
        subprocess.run(['gdbus', 'wait', '--session', '--timeout', '20', NAME], check=True)
        assert call('ListRuns') == '(@aa{sv} [],)'
    finally:
        end(process)


@test
def window_outlives_its_bus():
    reader, writer = os.pipe()
    daemon = subprocess.Popen(['dbus-daemon', '--session', '--nofork', '--print-address=%d' % writer],
                              pass_fds=[writer], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writer)
    with os.fdopen(reader, encoding='utf-8') as file:
        address = file.readline().strip()
    seen = subprocess.run(['gdbus', 'call', '--session', '--dest', 'org.a11y.Bus', '--object-path',
                           '/org/a11y/bus', '--method', 'org.a11y.Bus.GetAddress'],
                          capture_output=True, text=True, check=True).stdout.split("'")[1]
    with App(BUILD, env={'DBUS_SESSION_BUS_ADDRESS': address, 'AT_SPI_BUS_ADDRESS': seen}) as app:
        app.find('button', 'Send')
        end(daemon)
        app.send('what can you do')
        app.wait_text('I am the Guide')
        app.find('button', 'Send')
        app.key('ctrl+shift+Escape')
        app.find('label', 'Nothing is running')


@test
def nobody_on_the_bus_closes_the_window():
    """What can be activated from outside stops nothing."""
    with App(BUILD) as app:
        app.find('button', 'Send')
        listed = subprocess.run(['gdbus', 'call', '--session', '--dest', NAME, '--object-path',
                                 '/io/github/gadgetchat/Gadget', '--method',
                                 'org.gtk.Actions.List'], capture_output=True, text=True,
                                check=True).stdout
        assert 'quit' not in listed, listed
        app.key('ctrl+q')
        wait_for(lambda: app.process.poll() is not None, 'the end of the window')


if __name__ == '__main__':
    sys.exit(tap.run(TESTS, sys.argv[2:], Desktop))
