# SPDX-License-Identifier: GPL-3.0-or-later
"""Gadget against real MCP servers and the conformance suite, a part of "./dev test --real".

GADGET_MCP_ROOT names a folder with a program "node" and, in node_modules, the packages of
@modelcontextprotocol that are used here; "./dev test --real" makes it. What is tested is the client
of the product, in its sandbox: see mcp-driver.c.
"""

import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def wait_for(condition, what, seconds=30):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f'{what}: not within {seconds} s'
        time.sleep(0.05)


def children_of(pid):
    """Of all generations."""
    found = []
    with contextlib.suppress(OSError), \
            open(f'/proc/{pid}/task/{pid}/children', encoding='ascii') as file:
        for child in file.read().split():
            found += [int(child)] + children_of(child)
    return found


def is_there(pid):
    try:
        with open(f'/proc/{pid}/stat', encoding='utf-8', errors='replace') as file:
            return file.read().rpartition(')')[2].split()[0] != 'Z'
    except OSError:
        return False


def command_of(pid):
    with contextlib.suppress(OSError), open(f'/proc/{pid}/cmdline', 'rb') as file:
        return file.read().decode('utf-8', 'replace').replace('\0', ' ')
    return ''


class Place:
    """A folder of its own, and the programs."""

    def __init__(self, build, root, folder):
        self.build, self.root, self.folder = build, root, folder
        self.driver = os.path.join(build, 'tests', 'real', 'mcp-driver')
        self.environment = dict(os.environ, XDG_DATA_HOME=folder, XDG_CONFIG_HOME=folder,
                                XDG_CACHE_HOME=folder, GSETTINGS_BACKEND='memory',
                                GADGET_LIBEXEC_DIR=os.path.join(build, 'src', 'supervise'))

    def node(self, package, *words):
        return [os.path.join(self.root, 'node'),
                os.path.join(self.root, 'node_modules', '@modelcontextprotocol', package, 'dist',
                             'index.js'), *words]

    def programs(self):
        """Folders that a server in the sandbox is made of."""
        return [self.root, os.path.realpath(os.path.join(self.root, 'root'))]

    def connect(self, *words, folders=()):
        return Connection(self, words, folders)


class Connection(contextlib.AbstractContextManager):
    """A server that Gadget is connected to."""

    def __init__(self, place, words, folders):
        options = [word for folder in folders for word in ('--folder', folder)]
        self.process = subprocess.Popen([place.driver, *options, *words], env=place.environment,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        first = self.process.stdout.readline()
        assert first, 'the server could not be connected'
        self.tools = json.loads(first)['tools']

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            self.process.wait(20)
        finally:
            self.process.kill()
            self.process.stdout.close()

    def order(self, **what):
        self.process.stdin.write(json.dumps(what) + '\n')
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, 'the driver is gone'
        return json.loads(line)

    def call(self, tool, arguments=None, **more):
        assert tool in self.tools, f'there is no {tool} among {sorted(self.tools)}'
        return self.order(call=tool, arguments=arguments or {}, **more)

    def text_of(self, tool, arguments=None, **more):
        result = self.call(tool, arguments, **more)
        assert not result.get('failed', True), result
        return result['text']

    def close(self, package):
        """Ends it while the driver goes on: then nothing of the server is left."""
        pids = children_of(self.process.pid)
        assert any(package in command_of(pid) for pid in pids), [command_of(p) for p in pids]
        assert self.order(close=True)['closed']
        wait_for(lambda: not any(is_there(pid) for pid in pids), f'the end of {package}', 5)


def use_everything(server):
    assert server.text_of('echo', {'message': 'Grüße'}) == 'Echo: Grüße'
    assert '7' in server.text_of('get-sum', {'a': 3, 'b': 4})

    done = server.call('trigger-long-running-operation', {'duration': 1, 'steps': 3})
    assert not done['failed'] and done['progress'] >= 2, done
    stopped = server.call('trigger-long-running-operation', {'duration': 60, 'steps': 300},
                          stop_after=2)
    assert stopped['aborted'] and stopped['ms'] < 500, stopped
    print(f'# stopped after {stopped["ms"]:.2f} ms', flush=True)
    # It is not the worse for it.
    assert server.text_of('echo', {'message': 'still'}) == 'Echo: still'

    image = server.call('get-tiny-image')
    assert [picture['type'] for picture in image['pictures']] == ['image/png'], image
    assert '[picture 1: image/png' in image['text']
    weather = json.loads(server.text_of('get-structured-content', {'location': 'Chicago'}))
    assert 'temperature' in weather, weather
    assert server.call('get-sum', {'a': 'x', 'b': 4})['failed']


def everything_on_pipes(place):
    with place.connect(*place.node('server-everything'), folders=place.programs()) as server:
        use_everything(server)
        asked = server.call('trigger-elicitation-request',
                            answers=['Ada', 'Yes', 'ada@example.org'])
        assert len(asked['asked']) > 2 and 'Ada' in asked['text'], asked
        refused = server.call('trigger-elicitation-request', answers=['Decline'])
        assert len(refused['asked']) == 1 and 'decline' in refused['text'], refused
        # Which it works on as a task.
        assert 'Research Report' in server.text_of('simulate-research-query', {'topic': 'stops'})
        server.close('server-everything')


def everything_over_http(place):
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        port = probe.getsockname()[1]
    log_path = os.path.join(place.folder, 'http.log')
    with open(log_path, 'wb') as log:
        process = subprocess.Popen(place.node('server-everything', 'streamableHttp'),
                                   env=dict(os.environ, PORT=str(port)), stdin=subprocess.DEVNULL,
                                   stdout=log, stderr=subprocess.STDOUT)

    def answers():
        with contextlib.suppress(OSError), socket.create_connection(('127.0.0.1', port), 1):
            return True
        return False

    def told_of_the_end():
        with open(log_path, encoding='utf-8') as log:
            return 'session termination' in log.read()

    try:
        wait_for(answers, 'the server over HTTP')
        with place.connect(f'http://127.0.0.1:{port}/mcp') as server:
            use_everything(server)
        wait_for(told_of_the_end, 'the end of the session', 5)
    finally:
        process.terminate()
        process.wait()


def filesystem(place):
    given = os.path.join(place.folder, 'given')
    secret = os.path.join(place.folder, 'secret.txt')
    os.mkdir(given)
    with open(secret, 'w', encoding='utf-8') as file:
        file.write('not for you')
    note = os.path.join(given, 'note.txt')
    with place.connect(*place.node('server-filesystem', given),
                       folders=[given, *place.programs()]) as server:
        server.text_of('write_file', {'path': note, 'content': 'eins\nzwei\n'})
        with open(note, encoding='utf-8') as file:
            assert file.read() == 'eins\nzwei\n'
        assert 'zwei' in server.text_of('read_text_file', {'path': note})
        refused = server.call('read_text_file', {'path': secret})
        assert refused['failed'] and 'denied' in refused['text'], refused
        server.close('server-filesystem')
    # And where the server would allow it, the sandbox does not.
    with place.connect(*place.node('server-filesystem', given, '/'),
                       folders=[given, *place.programs()]) as server:
        refused = server.call('read_text_file', {'path': secret})
        assert refused['failed'] and 'not for you' not in refused['text'], refused
        outside = os.path.join(place.folder, 'made.txt')
        server.call('write_file', {'path': outside, 'content': 'x'})
        assert not os.path.exists(outside)
        server.close('server-filesystem')


def memory(place):
    kept = os.path.join(place.folder, 'memory')
    os.mkdir(kept)
    entity = {'name': 'Ada', 'entityType': 'person', 'observations': ['counts']}
    with place.connect('env', f'MEMORY_FILE_PATH={kept}/graph.jsonl', *place.node('server-memory'),
                       folders=[kept, *place.programs()]) as server:
        server.text_of('create_entities', {'entities': [entity]})
        assert 'Ada' in server.text_of('read_graph')
        server.close('server-memory')
    assert os.path.exists(os.path.join(kept, 'graph.jsonl'))


def listed_by_the_command(place):
    program = os.path.join(place.build, 'src', 'cli', 'gadget-cli')

    def cli(*words):
        done = subprocess.run([program, 'mcp', *words], env=place.environment, timeout=60,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    folders = [word for folder in place.programs() for word in ('--folder', folder)]
    cli('add', 'memory', *folders, '--command', *place.node('server-memory'))
    assert 'create_entities' in json.loads(cli('test', 'memory', '--json'))['tools']


def scenarios_of(place, revision):
    """Those of the suite for a client of that revision. Gadget does no OAuth."""
    listed = subprocess.run(place.node('conformance', 'list', '--client', '--requirements',
                                       revision),
                            timeout=60, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                            check=True).stdout
    found = re.findall(r'^ +- (\S+)(?: \[client\])?$', listed[listed.index('Client scenarios'):],
                       re.MULTILINE)
    assert any(name.startswith('auth/') for name in found), listed
    return [name for name in found if not name.startswith('auth/')]


def conforms(place, revision):
    """One after the other: all at once they starve each other, and are late for that alone."""
    out = os.path.join(place.build, 'real-logs', 'mcp-' + revision)
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    client = f'{sys.executable} {HERE}/conformance_client.py {place.driver}'
    scenarios = scenarios_of(place, revision)
    bad = []
    for scenario in scenarios:
        done = subprocess.run(place.node('conformance', 'client', '--command', client,
                                         '--scenario', scenario, '--spec-version', revision,
                                         '-o', out,
                                         '--expected-failures', f'{HERE}/conformance.yml'),
                              env=place.environment, cwd=out, timeout=120,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        with open(os.path.join(out, 'log'), 'a', encoding='utf-8') as log:
            log.write(done.stdout + done.stderr)
        if done.returncode != 0:
            bad.append(scenario)
    print(f'# {revision}:', ', '.join(s for s in scenarios if s not in bad), flush=True)
    assert not bad, f'{", ".join(bad)}; see {out}/log'
    assert len(scenarios) > 3


def conformance_2025_11_25(place):
    conforms(place, '2025-11-25')


def conformance_2026_07_28(place):
    conforms(place, '2026-07-28')


TESTS = [everything_on_pipes, everything_over_http, filesystem, memory, listed_by_the_command,
         conformance_2025_11_25, conformance_2026_07_28]


def run(build, wanted):
    """Returns how many passed, failed and were skipped."""
    chosen = [t for t in TESTS if not wanted or any(part in t.__name__ for part in wanted)]
    root = os.environ.get('GADGET_MCP_ROOT', '')
    if chosen and not os.path.isdir(root):
        print('skipped: there is no folder with MCP servers (GADGET_MCP_ROOT)')
        return 0, 0, len(chosen)
    failed = 0
    for function in chosen:
        name = function.__name__.replace('_', ' ')
        with tempfile.TemporaryDirectory(prefix='gadget-mcp-') as folder:
            try:
                function(Place(build, root, folder))
                print(f'ok      {name}', flush=True)
            except (AssertionError, OSError, ValueError, subprocess.TimeoutExpired) as error:
                failed += 1
                print(f'NOT OK  {name}: {error}', flush=True)
    return len(chosen) - failed, failed, 0
