# SPDX-License-Identifier: GPL-3.0-or-later
"""A user of gadget-cli, for the tests that drive it: a home, model servers, a session bus.

The build folder is the first argument of the program that imports this.
"""

import codecs
import contextlib
import fcntl
import glob
import json
import os
import pty
import select
import signal
import subprocess
import sys
import tempfile
import termios
import threading
import time
import traceback

BUILD = os.path.abspath(sys.argv[1])
CLI = os.path.join(BUILD, 'src', 'cli', 'gadget-cli')
SERVER = os.path.join(BUILD, 'tests', 'support', 'fake-model-server')
PATIENCE = 20  # seconds for anything that should happen at once
RUN_S = 300 if 'GADGET_SANITIZED' in os.environ else 60

OK = {'text': 'All is well.'}
FLOW = {'text': 'word ', 'repeat': 3000, 'per_second': 100}

TESTS = []


class Skip(Exception):
    """A test that cannot run where it is, and why."""


def test(function):
    """Registers a test; it gets a Home."""
    TESTS.append(function)
    return function


def now_us():
    return time.monotonic_ns() // 1000


def wait_until(condition, what, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < end, f'waited {seconds} s for {what}'
        time.sleep(0.01)


def equal(found, wanted, what=''):
    assert found == wanted, f'{what}: {found!r} instead of {wanted!r}'


def contains(text, part):
    assert part in text, f'{part!r} is not in {text!r}'


def texts(turn):
    return ''.join(item['text'] for item in turn['items'] if item['kind'] == 'text')


def session_of(events):
    return events[0]['session']


def shell_call(command, call='c1'):
    return {'tool_calls': [{'id': call, 'name': 'shell', 'arguments': {'command': command}}],
            'finish': 'tool_calls'}


def alive_with(mark):
    """Processes, other than zombies, that have MARK in their command line."""
    found = []
    for path in glob.glob('/proc/[0-9]*'):
        try:
            with open(path + '/cmdline', 'rb') as file:
                line = file.read()
            with open(path + '/stat', encoding='utf-8', errors='replace') as file:
                state = file.read().rpartition(')')[2].split()[0]
        except OSError:
            continue
        if mark.encode() in line and state != 'Z':
            found.append((path, line))
    return found


class Server:
    """The fake model server, its script in tests/support/fake-script.c."""

    def __init__(self, home, replies, **more):
        self.log_path = os.path.join(home.path, f'server-{now_us()}.log')
        port_file = self.log_path + '.port'
        script = self.log_path + '.script'
        with open(script, 'w', encoding='utf-8') as file:
            json.dump({'replies': replies, **more}, file)
        self.process = subprocess.Popen(
            [SERVER, '--port-file', port_file, '--log', self.log_path, '--script', script])
        home.stack.callback(self.stop)
        wait_until(lambda: os.path.exists(port_file), 'the model server')
        with open(port_file, encoding='ascii') as file:
            self.url = f'http://127.0.0.1:{file.read().strip()}/v1'

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def log(self):
        with open(self.log_path, encoding='utf-8') as file:
            return [json.loads(line) for line in file if line.endswith('\n')]

    def requests(self):
        return [e for e in self.log() if e['event'] == 'request' and e['method'] == 'POST']

    def end_of(self, connection):
        """When the client ended a connection, in microseconds of the monotonic clock."""
        def ended():
            return [e['us'] for e in self.log()
                    if e['connection'] == connection and e['event'] in ('fin', 'rst')]
        return wait_until(ended, 'the end of the connection')[0]


class Running:
    """A gadget-cli that is going on; its events (or lines) are read as they come."""

    def __init__(self, home, arguments, **options):
        options.setdefault('stdin', subprocess.DEVNULL)
        options.setdefault('stderr', subprocess.PIPE)
        options.setdefault('start_new_session', True)
        self.process = subprocess.Popen([CLI, *arguments], stdout=subprocess.PIPE,
                                        env=home.environment(), cwd=home.work, **options)
        home.stack.callback(self.end)
        self.lines = []
        self.rest = b''
        self.open = True
        self.said = []
        self.reader = None

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.reader:
            self.reader.join()
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe:
                pipe.close()

    def read(self, seconds, most=65536):
        if self.open and select.select([self.process.stdout], [], [], seconds)[0]:
            part = os.read(self.process.stdout.fileno(), most)
            self.open = part != b''
            *lines, self.rest = (self.rest + part).split(b'\n')
            self.lines += [line.decode() for line in lines]

    def events(self):
        return [json.loads(line) for line in self.lines]

    def text(self):
        return ''.join(e['delta'] for e in self.events() if e['event'] == 'text')

    def wait_for(self, condition, what):
        end = time.monotonic() + PATIENCE
        while not condition(self.events()):
            assert self.open, f'it ended before {what}: {self.process.stderr.read().decode()}'
            assert time.monotonic() < end, f'waited for {what}'
            self.read(0.1)

    def wait_for_text(self, length=1):
        self.wait_for(lambda events: len(self.text()) >= length, 'text')

    def wait_until_said(self, part):
        """On standard error, which is read beside the test from the first call on."""
        def read():
            for line in self.process.stderr:
                self.said.append(line.decode())
        if not self.reader:
            self.reader = threading.Thread(target=read)
            self.reader.start()
        wait_until(lambda: any(part in line for line in self.said), f'"{part}" in {self.said}')

    def signal(self, number):
        at = now_us()
        self.process.send_signal(number)
        return at

    def finish(self, seconds=PATIENCE):
        """The exit status and the last event, everything read."""
        end = time.monotonic() + seconds
        while self.open:
            assert time.monotonic() < end, 'it does not end'
            self.read(0.1)
        status = self.process.wait(max(0.1, end - time.monotonic()))
        if self.reader:
            self.reader.join()
            self.stderr = ''.join(self.said)
        else:
            self.stderr = self.process.stderr.read().decode() if self.process.stderr else ''
        events = self.events()
        return status, events[-1] if events else None


class Home:
    """A user of their own: folders, environment, and what was started for them."""

    def __init__(self, stack):
        self.stack = stack
        self.path = stack.enter_context(tempfile.TemporaryDirectory(prefix='gadget-cli-'))
        self.work = os.path.join(self.path, 'work')
        self.runtime = os.path.join(self.path, 'run')
        os.mkdir(self.work)
        os.mkdir(self.runtime, 0o700)
        self.extra = {}

    def environment(self):
        keep = ('PATH', 'LANG', 'LC_ALL', 'GADGET_LIBEXEC_DIR', 'GSETTINGS_SCHEMA_DIR',
                'G_DEBUG', 'ASAN_OPTIONS', 'LSAN_OPTIONS', 'UBSAN_OPTIONS')
        environment = {name: os.environ[name] for name in keep if name in os.environ}
        environment.setdefault('GADGET_LIBEXEC_DIR', os.path.join(BUILD, 'src', 'supervise'))
        environment |= {'HOME': self.path, 'XDG_DATA_HOME': self.path + '/data',
                        'XDG_CACHE_HOME': self.path + '/cache',
                        'XDG_CONFIG_HOME': self.path + '/config',
                        'XDG_RUNTIME_DIR': self.runtime, 'GSETTINGS_BACKEND': 'memory',
                        'LC_ALL': 'C.UTF-8'}
        return environment | self.extra

    def run(self, *arguments, status=None, **options):
        options.setdefault('stdin', None if 'input' in options else subprocess.DEVNULL)
        if options['stdin'] is None:
            del options['stdin']
        done = subprocess.run([CLI, *arguments], capture_output=True, text=True, cwd=self.work,
                              env=self.environment(), timeout=RUN_S, start_new_session=True, **options)
        if status is not None:
            equal(done.returncode, status, f'{arguments}: {done.stdout}{done.stderr}: exit status')
        return done

    def json(self, *arguments, status=0, **options):
        """All events of an ask; "completed" is checked to be the last and only one."""
        done = self.run(*arguments, '--json', status=status, **options)
        events = [json.loads(line) for line in done.stdout.splitlines()]
        equal([e['event'] for e in events].count('completed'), 1, 'completions')
        equal(events[-1]['event'], 'completed')
        return events

    def start(self, *arguments, **options):
        return Running(self, ['ask', '--json', *arguments], **options)

    def server(self, replies, name='fake', **more):
        server = Server(self, replies, **more)
        self.run('provider', 'add', name, '--kind', 'openai-chat', '--base-url', server.url,
                 '--model', 'fake-model', status=0)
        return server

    def show(self, session):
        return json.loads(self.run('session', 'show', session, '--json', status=0).stdout)

    def start_bus(self):
        """A session bus on which nothing is started by itself, a keyring least of all."""
        config = os.path.join(self.path, 'bus.conf')
        with open(config, 'w', encoding='ascii') as file:
            file.write(f'''<busconfig><type>session</type>
                <listen>unix:path={self.runtime}/test-bus</listen><auth>EXTERNAL</auth>
                <policy context="default"><allow send_destination="*"/>
                <allow eavesdrop="false" receive_sender="*"/><allow own="*"/></policy>
                </busconfig>''')
        reader, writer = os.pipe()
        process = subprocess.Popen(
            ['dbus-daemon', '--config-file=' + config, '--nofork', '--nosyslog',
             f'--print-address={writer}'],
            pass_fds=[writer], env=self.environment(), stdin=subprocess.DEVNULL)
        os.close(writer)

        def stop():
            process.terminate()
            process.wait()
        self.stack.callback(stop)
        with os.fdopen(reader) as file:
            self.extra['DBUS_SESSION_BUS_ADDRESS'] = file.readline().strip()


class Terminal:
    """gadget-cli on a terminal of its own."""

    def __init__(self, home, *arguments):
        self.master, slave = pty.openpty()

        def take_terminal():
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        self.process = subprocess.Popen([CLI, *arguments], stdin=slave, stdout=slave,
                                        stderr=slave, env=home.environment(), cwd=home.work,
                                        preexec_fn=take_terminal, pass_fds=[slave])
        os.close(slave)
        self.seen = ''
        self.decoder = codecs.getincrementaldecoder('utf-8')()
        home.stack.callback(self.end)

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.master >= 0:
            os.close(self.master)

    def expect(self, part):
        end = time.monotonic() + PATIENCE
        while part not in self.seen:
            assert time.monotonic() < end, f'waited for {part!r}: {self.seen!r}'
            if select.select([self.master], [], [], 0.1)[0]:
                try:
                    self.seen += self.decoder.decode(os.read(self.master, 65536))
                except OSError:
                    raise AssertionError(f'it ended before {part!r}: {self.seen!r}') from None

    def type(self, text):
        os.write(self.master, text.encode())

    def drain(self):
        """Reads up to the end, which the last process on the terminal makes."""
        with contextlib.suppress(OSError):
            while select.select([self.master], [], [], PATIENCE)[0]:
                part = os.read(self.master, 65536)
                if not part:
                    return
                self.seen += self.decoder.decode(part)
            raise AssertionError(f'it does not end: {self.seen!r}')


def need_shell(home):
    """The shell tool is there only where a sandbox is."""
    server = home.server([OK], name='probe')
    home.json('ask', '--provider', 'probe', 'hello')
    if '"shell"' not in server.requests()[0]['body']:
        raise Skip('no sandbox can be had here')


def seen_runs(home):
    return json.loads(home.run('run', 'list', '--json', status=0).stdout)


def run():
    """Runs the tests of the program, not those of modules that it imports; NAME-PARTs after the
    build folder choose among them. Returns the exit status."""
    own = [t for t in TESTS if t.__module__ == '__main__']
    chosen = [t for t in own
              if not sys.argv[2:] or any(part in t.__name__ for part in sys.argv[2:])]
    failed = 0
    # Under nohup, or in the background, these are ignored, and children would take that over.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    print(f'1..{len(chosen)}', flush=True)
    for number, function in enumerate(chosen, 1):
        start = time.monotonic()
        result, directive = 'ok', ''
        with contextlib.ExitStack() as stack:
            try:
                function(Home(stack))
            except Skip as why:
                directive = f' # SKIP {why}'
            except Exception:  # pylint: disable=broad-except
                failed += 1
                result = 'not ok'
                traceback.print_exc()
        print(f'{result} {number} - {function.__name__}{directive}', flush=True)
        print(f'# {time.monotonic() - start:.2f} s', flush=True)
    return 1 if failed else 0
