#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gadget-cli and the window against a real llama-server: "./dev test --real". What is done with
real MCP servers is in mcp_servers.py, and what a real screen reader says in screen_reader.py.

usage: run.py BUILD_DIR [NAME-PART]…

GADGET_LLAMA_ROOT names a root file system that has llama-server in it. The models are made by
make_tiny_model.py and say nothing sensible. That an abort reached the server is read from the
server's own log: it says "cancel task" when the connection of a request closes.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.error
import urllib.request

sys.dont_write_bytecode = True
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(TOP, 'tests', 'real'), os.path.join(TOP, 'tests', 'e2e')]

import driver  # noqa: E402 pylint: disable=wrong-import-position
import mcp_servers  # noqa: E402 pylint: disable=wrong-import-position
import make_tiny_model  # noqa: E402 pylint: disable=wrong-import-position
import screen_reader  # noqa: E402 pylint: disable=wrong-import-position
import cli_user as cli  # noqa: E402 pylint: disable=wrong-import-position

# A model on a processor that others use as well.
cli.PATIENCE = 120

TESTS = []


def test(function):
    TESTS.append(function)
    return function


class Unavailable(Exception):
    """The server cannot be had here; the message says why."""


class Llama:
    """A llama-server with a model of its own."""

    def __init__(self, root, folder, name, **model):
        self.log_path = os.path.join(folder, name + '.log')
        path = os.path.join(folder, name + '.gguf')
        if not os.path.exists(path):
            make_tiny_model.make(path + '.part', **model)
            os.rename(path + '.part', path)
        with socket.socket() as probe:
            probe.bind(('127.0.0.1', 0))
            port = probe.getsockname()[1]
        self.url = f'http://127.0.0.1:{port}/v1'
        command = ['bwrap', '--bind', root, '/', '--dev', '/dev', '--ro-bind', '/proc', '/proc',
                   '--tmpfs', '/tmp', '--bind', folder, folder, '--die-with-parent',
                   'llama-server', '-m', path, '--host', '127.0.0.1', '--port', str(port),
                   '-t', '1', '-np', '2', '-c', '32768', '--offline', '--jinja']
        with open(self.log_path, 'wb') as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log,
                                            stderr=subprocess.STDOUT)
        self.wait_until_ready(f'http://127.0.0.1:{port}/health')

    def wait_until_ready(self, url):
        end = time.monotonic() + 60
        while True:
            with contextlib.suppress(urllib.error.URLError, ConnectionError, TimeoutError):
                with urllib.request.urlopen(url, timeout=5):
                    return
            if self.process.poll() is not None or time.monotonic() > end:
                self.stop()
                lines = self.log().strip().splitlines()
                raise Unavailable('llama-server did not start: '
                                  + (lines[-1] if lines else 'it said nothing'))
            time.sleep(0.05)

    def log(self):
        with open(self.log_path, encoding='utf-8', errors='replace') as file:
            return file.read()

    def count(self, text):
        return len(re.findall(text, self.log()))

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


class Place:
    """The servers, each started when it is first asked for."""

    MODELS = {'fast': {'end': 1.0},
              'slow': {'layers': 6, 'width': 256, 'end': -30.0},
              'calls': {'end': 0.0, 'call': 3.0, 'close': 3.0}}

    def __init__(self, stack, root, folder):
        self.stack, self.root, self.folder = stack, root, folder
        self.servers = {}

    def get(self, name):
        if name not in self.servers:
            server = Llama(self.root, self.folder, name, **self.MODELS[name])
            self.stack.callback(server.stop)
            self.servers[name] = server
        return self.servers[name]

    def add_to(self, home, name):
        server = self.get(name)
        home.run('provider', 'add', name, '--kind', 'openai-chat', '--base-url', server.url,
                 status=0)
        return server


def ask_until_answered(home, *arguments):
    """The events of an answer. One that is empty, which this model gives now and then, is asked for
    again, as a user does; any other failure is one of the test."""
    for _ in range(8):
        events = home.json('ask', *arguments, status=None)
        last = events[-1]
        if last['status'] != 'error' or last['error']['code'] != 'provider/empty':
            cli.equal((last['status'], last['message']), ('finished', 'finished'), last)
            return events
    raise AssertionError('eight answers were empty')


def abort_mid_stream(home, server, *arguments):
    """Starts an answer, interrupts it, and proves that the server stopped. The session."""
    cancelled = server.count('cancel task')
    running = home.start(*arguments)
    running.wait_for(lambda events: sum(e['event'] == 'text' for e in events) >= 5, 'text')
    at = running.signal(signal.SIGINT)
    cli.wait_until(lambda: server.count('cancel task') > cancelled, '"cancel task" in the log', 5)
    seen = (cli.now_us() - at) / 1000
    status, last = running.finish()
    cli.equal(status, 130, running.stderr)
    cli.equal((last['status'], last['stop_reason'], last['success']), ('aborted', 'signal', True))
    cli.equal([line['kind'] for line in last['receipt']], ['connection'])
    session = cli.session_of(running.events())
    cli.equal(cli.texts(home.show(session)['turns'][-1]), running.text(), 'stored text')
    print(f'# the server logged "cancel task" within {seen:.0f} ms of the signal; the connection '
          f'was closed {last["receipt"][0]["ms"]:.1f} ms after the abort', flush=True)
    return session


@test
def models_are_listed(home, place):
    place.add_to(home, 'fast')
    cli.contains(home.run('provider', 'test', 'fast', status=0).stdout, 'gguf')


@test
def answer_streams(home, place):
    place.add_to(home, 'fast')
    for _ in range(8):
        events = ask_until_answered(home, '--provider', 'fast', 'Say something.')
        last = events[-1]
        if last['usage']['output_tokens'] >= 8:  # a word or two does not stream
            break
    pieces = [e['delta'] for e in events if e['event'] == 'text']
    assert len(pieces) >= 3, pieces
    assert last['usage']['output_tokens'] > 0 and not last['usage']['estimated'], last
    print(f'# {len(pieces)} pieces, {last["usage"]["output_tokens"]} tokens', flush=True)


@test
def abort_reaches_the_server(home, place):
    server = place.add_to(home, 'slow')
    place.add_to(home, 'fast')
    session = abort_mid_stream(home, server, '--provider', 'slow', 'Talk without end.')
    # The next message works, on the same server and on another.
    abort_mid_stream(home, server, '--session', session, 'Go on.')
    events = ask_until_answered(home, '--session', session, '--provider', 'fast', 'And you?')
    last = home.show(session)['turns'][-1]
    cli.equal((last['turn'], last['status']), (events[-1]['turn'], 'finished'), 'the last turn')
    assert cli.texts(last), last


@test
def deadline_reaches_the_server(home, place):
    server = place.add_to(home, 'slow')
    cancelled = server.count('cancel task')
    events = home.json('ask', '--provider', 'slow', '--deadline', '1', 'Talk.', status=3)
    cli.equal(events[-1]['stop_reason'], 'deadline')
    cli.wait_until(lambda: server.count('cancel task') > cancelled, '"cancel task" in the log', 5)


@test
def window_stops_the_server_too(home, place):
    """Cancel with the mouse and Esc Esc, each in the middle of a real stream."""
    server = place.get('slow')
    # The desktop changes the environment of this process; it is put back for the tests after it.
    before = dict(os.environ)
    with driver.Desktop():
        environment = dict(os.environ, GADGET_LIBEXEC_DIR=os.path.join(cli.BUILD, 'src', 'supervise'))
        for arguments in (['add', 'slow', '--kind', 'openai-chat', '--base-url', server.url],
                          ['default', 'slow']):
            subprocess.run([cli.CLI, 'provider', *arguments], check=True, env=environment,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with driver.App(cli.BUILD) as app:
            stop_in_the_window(app, server, 'Talk without end.', app.click_stop)
            stop_in_the_window(app, server, 'Go on.', lambda: press_escape_twice(app))
    os.environ.clear()
    os.environ.update(before)


def press_escape_twice(app):
    app.key('Escape')
    app.find('label', 'Press Esc again to abort')
    app.key('Escape')


def stop_in_the_window(app, server, prompt, stop):
    cancelled = server.count('cancel task')
    length = len(app.conversation()) if app.look(None, 'Conversation') else 0
    app.send(prompt)
    app.find('button', 'Cancel')
    driver.wait_for(lambda: len(app.conversation()) > length + 300, 'some text', 60)
    stop()
    cli.wait_until(lambda: server.count('cancel task') > cancelled, '"cancel task" in the log', 5)
    app.find('button', 'Send')
    driver.wait_for(lambda: app.conversation().count('The turn was aborted by you.') > 0,
                    'the aborted box')


def ask_for_calls(home):
    """The events of an answer in which the model called a tool; it does most of the time."""
    for _ in range(8):
        # It may go on calling for ever; the deadline ends that.
        done = home.run('ask', '--provider', 'calls', '--approve', 'never', '--deadline', '10',
                        '--json', 'Do something.')
        events = [json.loads(line) for line in done.stdout.splitlines()]
        # Its answers are noise: one that fills the model's context is cut or refused.
        assert done.returncode in (0, 3) or \
            events[-1]['error']['code'] in ('provider/cut', 'provider/context'), done.stderr
        if any(e['event'] == 'tool-result' for e in events):
            return events
    raise AssertionError('no tool was called')


@test
def tools_are_called(home, place):
    place.add_to(home, 'calls')
    events = ask_for_calls(home)
    calls = [e for e in events if e['event'] == 'tool-call']
    results = [e for e in events if e['event'] == 'tool-result']
    for call, result in zip(calls, results):
        assert isinstance(call['arguments'], dict) or result['status'] == 'not-run', call
    cli.equal(sorted(e['id'] for e in results), sorted(e['id'] for e in calls), 'results')
    print(f'# {len(calls)} calls of {sorted({e["name"] for e in calls})}', flush=True)
    # What is left of that is a history that the server takes.
    place.add_to(home, 'fast')
    ask_until_answered(home, '--session', cli.session_of(events), '--provider', 'fast', 'Enough.')


def keep_logs(place):
    folder = os.path.join(cli.BUILD, 'real-logs')
    os.makedirs(folder, exist_ok=True)
    for name, server in place.servers.items():
        shutil.copy(server.log_path, os.path.join(folder, name + '.log'))


def run_one(function, place):
    with contextlib.ExitStack() as stack:
        function(cli.Home(stack), place)


def run_all(root, chosen):
    passed = failed = 0
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix='gadget-real-'))
        place = Place(stack, root, folder)
        place.get('fast')
        for function in chosen:
            name = function.__name__.replace('_', ' ')
            try:
                run_one(function, place)
                passed += 1
                print(f'ok      {name}', flush=True)
            except Exception:  # pylint: disable=broad-except
                failed += 1
                keep_logs(place)
                traceback.print_exc()
                print(f'NOT OK  {name}', flush=True)
    return passed, failed


def run_systemd(build):
    """Where this session has a systemd: a real one makes the scopes."""
    if sys.argv[2:] and not any(part in 'systemd' for part in sys.argv[2:]):
        return 0, 0, 0
    program = os.path.join(build, 'tests', 'real', 'systemd-driver')
    done = subprocess.run([program], cwd=build, stdout=subprocess.PIPE, text=True, check=False,
                          timeout=120)
    print(done.stdout, end='')
    if done.returncode == 77:
        return 0, 0, 1
    return (0, 1, 0) if done.returncode else (1, 0, 0)


def main():
    # A job in the background is given it ignored, and children would take that over.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    chosen = [t for t in TESTS
              if not sys.argv[2:] or any(part in t.__name__ for part in sys.argv[2:])]
    root = os.environ.get('GADGET_LLAMA_ROOT', '')
    passed = failed = skipped = 0
    try:
        if not root or not os.path.isdir(root):
            raise Unavailable('there is no root with llama-server (GADGET_LLAMA_ROOT)')
        if not shutil.which('bwrap'):
            raise Unavailable('bwrap is not installed')
        passed, failed = run_all(root, chosen)
    except Unavailable as why:
        print(f'skipped: {why}')
        skipped = len(chosen)
    passed, failed, skipped = (a + b for a, b in zip(
        (passed, failed, skipped), mcp_servers.run(os.path.abspath(sys.argv[1]), sys.argv[2:])))
    passed, failed, skipped = (a + b for a, b in zip(
        (passed, failed, skipped), screen_reader.run(os.path.abspath(sys.argv[1]), sys.argv[2:])))
    passed, failed, skipped = (a + b for a, b in zip(
        (passed, failed, skipped), run_systemd(os.path.abspath(sys.argv[1]))))
    print(f'{passed} passed, {failed} failed, {skipped} skipped')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
