# SPDX-License-Identifier: GPL-3.0-or-later
"""MCP servers on the command line, as somebody sets them up who never did."""

import http.server
import os
import signal
import subprocess
import sys
import threading
import time

from cli_user import CLI, contains, equal, run, test, wait_until

SERVER = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'support',
                      'mcp_server.py')


def add(home, name, *words, before=(), **options):
    return home.run('mcp', 'add', name, *before, '--no-sandbox', '--command', 'python3', SERVER,
                    *words, **options)


@test
def mcp_from_the_start(home):
    contains(home.run('mcp', 'list', status=0).stderr, 'No MCP server is set up')
    done = home.run('mcp', 'add', 'files', 'npx', '-y', 'a-server', status=2)
    contains(done.stderr, 'Before “npx” there must be --command')
    done = add(home, 'mock', status=0)
    contains(done.stderr, '“mock” answers (MCP 2025-11-25) and has 28 tools:')
    contains(done.stdout, 'echo\n')
    contains(home.run('mcp', 'list', status=0).stdout, '* mock')
    home.run('mcp', 'disable', 'mock', status=0)
    contains(home.run('mcp', 'list', status=0).stdout, '  mock')
    home.run('mcp', 'enable', 'mock', status=0)
    home.run('mcp', 'remove', 'mock', status=0)
    contains(home.run('mcp', 'test', 'mock', status=1).stderr, 'There is no MCP server “mock”')


def answer_of_echo(home):
    """How a call of a tool ends when nobody can be asked."""
    home.server([{'tool_calls': [{'id': 'c1', 'name': 'mock__echo', 'arguments': {'text': 'hi'}}],
                  'finish': 'tool_calls'}, {'text': 'All is well.'}])
    events = home.json('ask', '--provider', 'fake', '--approve', 'auto', 'go')
    return [e['status'] for e in events if e['event'] == 'tool-result']


@test
def mcp_is_granted(home):
    add(home, 'mock', status=0)
    equal(answer_of_echo(home), ['error'])
    for rule in ('mcp', 'mcp:', 'nothing:x', 'read:relative', 'mcp:a\u202eb'):
        home.run('permission', 'allow', rule, status=2)
    home.run('permission', 'allow', 'mcp:mock/other', status=0)
    equal(answer_of_echo(home), ['error'])
    rule = home.run('permission', 'allow', 'mcp:mock/echo', status=0).stdout.strip()
    contains(home.run('permission', 'list', status=0).stdout, rule)
    equal(answer_of_echo(home), ['finished'])
    # It became the rule of the tool as it was then.
    equal(home.run('permission', 'list', status=0).stdout.count('“echo”'), 1)
    home.run('permission', 'revoke', '--all', status=0)
    equal(answer_of_echo(home), ['error'])
    home.run('permission', 'allow', 'mcp:mock', status=0)
    equal(answer_of_echo(home), ['finished'])


@test
def mcp_says_what_is_missing(home):
    done = home.run('mcp', 'add', 'broken', '--no-sandbox', '--command', 'sh', '-c',
                    'echo no such package >&2; exit 3', status=1)
    contains(done.stderr, 'The server ended with status 3')
    contains(done.stderr, 'no such package')
    assert 'sandbox' not in done.stderr, done.stderr
    done = home.run('mcp', 'add', 'broken', '--command', 'sh', '-c', 'exit 3', status=1)
    # With a sandbox the server ran, and what it lacked there is said; else that there is none.
    assert '“--network”' in done.stderr or 'There is no sandbox' in done.stderr, done.stderr
    # The home folder is hidden, so the network would not help.
    program = os.path.join(home.path, 'server.sh')
    with open(program, 'w', encoding='utf-8') as file:
        file.write('echo hello\n')
    done = home.run('mcp', 'add', 'broken', '--command', 'sh', program, status=1)
    assert '“--folder DIR”' in done.stderr or 'There is no sandbox' in done.stderr, done.stderr
    assert '--network' not in done.stderr, done.stderr


@test
def mcp_secrets_are_not_stored_as_they_are(home):
    secret = 'Bearer of-the-user'
    url = 'http://127.0.0.1:9/mcp'
    done = home.run('mcp', 'add', 'remote', '--url', url, '--header', f'Authorization: {secret}', status=2)
    contains(done.stderr, '“--secret Authorization”')
    assert 'of-the-user' not in done.stderr, done.stderr
    for variable in 'GITHUB_TOKEN=abc', 'SERVICE=sk-of-the-user':
        done = add(home, 'mock', status=2, before=('--env', variable))
        contains(done.stderr, '“--secret ' + variable.split('=', maxsplit=1)[0])
    contains(home.run('mcp', 'list', status=0).stderr, 'No MCP server is set up')
    add(home, 'mock', status=0, before=('--env', 'MAX_TOKENS=500', '--env', 'API_KEY='))


class Refusal(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.send_response(401)
        self.send_header('Content-Length', '0')
        self.end_headers()

    def log_message(self, *_):
        pass


@test
def mcp_that_wants_a_key(home):
    server = http.server.HTTPServer(('127.0.0.1', 0), Refusal)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    home.stack.callback(server.shutdown)
    url = f'http://127.0.0.1:{server.server_address[1]}/mcp'
    contains(home.run('mcp', 'add', 'locked', '--url', url, status=1).stderr,
             '--secret Authorization')


@test
def mcp_that_is_slow_is_left(home):
    add(home, 'mock', status=0)
    home.run('mcp', 'remove', 'mock', status=0)
    log = os.path.join(home.path, 'slow.log')
    process = subprocess.Popen(
        [CLI, 'mcp', 'add', 'slow', '--no-sandbox', '--command', 'python3', SERVER, '--log', log,
         '--slow-start', '100'], env=home.environment(), cwd=home.work, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    home.stack.callback(process.stdout.close)
    home.stack.callback(process.stderr.close)
    home.stack.callback(process.kill)

    def servers():
        found = subprocess.run(['pgrep', '-f', '--', log], capture_output=True, text=True, check=False)
        return [pid for pid in found.stdout.split() if pid != str(process.pid)]
    wait_until(servers, 'the server')
    at = time.monotonic()
    process.send_signal(signal.SIGINT)
    equal(process.wait(30), 130)
    assert time.monotonic() - at < 10, 'it waited for the server'
    wait_until(lambda: not servers(), 'the end of the server')


if __name__ == '__main__':
    sys.exit(run())
