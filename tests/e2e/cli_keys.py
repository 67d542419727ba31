# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys that gadget-cli is given are in no file, no process, and on no terminal."""

import json
import os
import signal
import sys
import termios

from cli_user import (FLOW, OK, PATIENCE, Terminal, contains, equal, need_shell, run, shell_call,
                      test)


KEY = 'sk-never-to-be-seen-7391'


def assert_key_is_nowhere(home):
    for folder, _, names in os.walk(home.path):
        for name in names:
            path = os.path.join(folder, name)
            if 'server-' in name or name == 'the-key' or not os.path.isfile(path):
                continue
            with open(path, 'rb') as file:
                assert KEY.encode() not in file.read(), f'the key is in {path}'


def assert_not_in_process(pid):
    for name in ('cmdline', 'environ'):
        with open(f'/proc/{pid}/{name}', 'rb') as file:
            assert KEY.encode() not in file.read(), f'the key is in {name}'


@test
def key_from_descriptor(home):
    server = home.server([FLOW, OK])
    reader, writer = os.pipe()
    os.write(writer, KEY.encode() + b'\n')
    os.close(writer)
    home.extra['G_MESSAGES_DEBUG'] = 'all'
    running = home.start('--provider', 'fake', '--key-fd', str(reader), 'talk', pass_fds=[reader])
    os.close(reader)
    running.wait_for_text()
    assert_not_in_process(running.process.pid)
    running.signal(signal.SIGINT)
    equal(running.finish()[0], 130)
    contains(server.requests()[0]['head'], 'Bearer ' + KEY)
    assert KEY not in running.stderr and KEY not in '\n'.join(running.lines)
    assert_key_is_nowhere(home)
    # It was for that run alone.
    home.json('ask', '--provider', 'fake', 'again')
    assert KEY not in server.requests()[1]['head']


@test
def key_from_file(home):
    need_shell(home)
    server = home.server([shell_call('env; cat /proc/self/environ /proc/*/environ; ls /proc/self/fd'),
                          OK], name='my-fake.1')
    path = home.path + '/the-key'
    with open(path, 'w', encoding='ascii') as file:
        file.write(KEY + '\n')
    os.chmod(path, 0o600)
    home.extra['GADGET_KEY_FILE_MY_FAKE_1'] = path
    events = home.json('ask', '--provider', 'my-fake.1', '--approve', 'auto', '--workspace', '.', 'go')
    contains(server.requests()[0]['head'], 'Bearer ' + KEY)
    assert KEY not in json.dumps(events), 'a tool can read the key'
    assert_key_is_nowhere(home)
    os.chmod(path, 0o644)
    done = home.run('ask', '--provider', 'my-fake.1', 'go')
    assert done.returncode == 1, 'a key file that others can read was taken'


@test
def key_typed_is_not_shown(home):
    terminal = Terminal(home, 'provider', 'add', 'x', '--kind', 'openai-chat', '--base-url',
                        'http://127.0.0.1:9/v1', '--key-stdin')
    terminal.expect('Key: ')
    terminal.type(KEY + '\n')
    terminal.expect('no keyring')
    assert KEY not in terminal.seen, terminal.seen
    assert termios.tcgetattr(terminal.master)[3] & termios.ECHO, 'the terminal stays silent'
    terminal.drain()
    for typed in ('\x03', '\x04'):
        terminal = Terminal(home, 'provider', 'add', 'y', '--kind', 'openai-chat', '--base-url',
                            'http://127.0.0.1:9/v1', '--key-stdin')
        terminal.expect('Key: ')
        terminal.type(typed)
        terminal.drain()
        assert terminal.process.wait(PATIENCE) in (1, 130), terminal.seen
    assert '\ny ' not in home.run('provider', 'list', status=0).stdout


@test
def key_without_keyring(home):
    done = home.run('provider', 'add', 'x', '--kind', 'openai-chat', '--base-url',
                    'http://127.0.0.1:9/v1', '--key-stdin', input=KEY + '\n', status=1)
    contains(done.stderr, 'no keyring')
    contains(done.stderr, '--key-fd')
    contains(home.run('provider', 'list', status=0).stdout, '127.0.0.1:9')
    assert_key_is_nowhere(home)


if __name__ == '__main__':
    sys.exit(run())
