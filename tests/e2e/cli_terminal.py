# SPDX-License-Identifier: GPL-3.0-or-later
"""gadget-cli on a terminal, where a person answers."""

import contextlib
import json
import os
import sys

from cli_user import (FLOW, OK, PATIENCE, Terminal, contains, equal, need_shell, run, shell_call,
                      test, texts, wait_until)


ALLOW_IT = 'Allow it? (y/n, or a number) '
LINES = 3000


def tool_call(name, arguments):
    return {'tool_calls': [{'id': 'c1', 'name': name, 'arguments': arguments}],
            'finish': 'tool_calls'}


@test
def change_is_shown_whole(home):
    """More than a terminal takes at once is all there before anything is asked."""
    folder = home.work
    content = ''.join(f'line {n}\n' for n in range(LINES))
    home.server([tool_call('write_file', {'path': 'a.txt', 'content': content}),
                 OK])
    terminal = Terminal(home, 'ask', '--provider', 'fake', '--workspace', folder,
                        '--approve', 'ask', 'talk')
    terminal.expect('Allow it?')
    shown = terminal.seen.replace('\r', '')
    contains(shown, f'Create a.txt? +{LINES}')
    for n in range(LINES):
        contains(shown, f'\n  │ line {n}\n')
    contains(shown, f'\n{LINES} lines\n')
    contains(shown, '  1. Allow Once')
    contains(shown, '  0. Deny')
    assert not os.path.exists(os.path.join(folder, 'a.txt'))
    terminal.type('1\n')
    terminal.drain()
    equal(terminal.process.wait(PATIENCE), 0)
    with open(os.path.join(folder, 'a.txt'), encoding='utf-8') as file:
        equal(file.read(), content)


@test
def terminal_allows_and_denies(home):
    need_shell(home)
    for answer, made in (('y\n', True), ('1\n', True), ('n\n', False), ('perhaps\nn\n', False), ('\x04', False)):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(home.work + '/made')
        home.server([shell_call('touch made'), OK])
        terminal = Terminal(home, 'ask', '--provider', 'fake', '--workspace', '.', 'go')
        terminal.expect(ALLOW_IT)
        contains(terminal.seen, 'touch made')
        first, *more = answer.splitlines(keepends=True)
        terminal.type(first)
        for line in more:
            terminal.expect(ALLOW_IT + first.strip())
            terminal.seen = terminal.seen.rpartition(first.strip())[2]
            terminal.expect(ALLOW_IT)
            terminal.type(line)
        terminal.expect('All is well.')
        terminal.drain()
        equal(terminal.process.wait(PATIENCE), 0)
        equal(os.path.exists(home.work + '/made'), made, f'after {answer!r}')


@test
def permissions_are_listed_and_revoked(home):
    need_shell(home)
    home.server([shell_call('touch made'), OK])
    terminal = Terminal(home, 'ask', '--provider', 'fake', '--workspace', '.', 'go')
    terminal.expect(ALLOW_IT)
    terminal.type('2\n')
    terminal.expect('All is well.')
    terminal.drain()
    equal(terminal.process.wait(PATIENCE), 0)
    listed = home.run('permission', 'list', status=0).stdout
    contains(listed, 'Every command that begins with “touch”')
    home.run('permission', 'revoke', 'nothing', status=1)
    home.run('permission', 'revoke', status=2)
    home.run('permission', 'revoke', listed.split()[0], status=0)
    equal(home.run('permission', 'list', status=0).stdout, '')


@test
def terminal_answers_questions(home):
    call = {'tool_calls': [{'id': 'c1', 'name': 'ask_user',
                            'arguments': {'question': 'Which one?', 'choices': ['red', 'green']}}],
            'finish': 'tool_calls'}
    server = home.server([call, OK])
    terminal = Terminal(home, 'ask', '--provider', 'fake', 'go')
    terminal.expect('2. green')
    terminal.type('2\n')
    terminal.expect('All is well.')
    terminal.drain()
    equal(terminal.process.wait(PATIENCE), 0)
    answer = [m for m in json.loads(server.requests()[1]['body'])['messages'] if m['role'] == 'tool']
    contains(answer[0]['content'], 'green')


@test
def terminal_ctrl_c_while_it_asks(home):
    call = {'tool_calls': [{'id': 'c1', 'name': 'ask_user',
                            'arguments': {'question': 'Which one?', 'choices': ['red', 'green']}}],
            'finish': 'tool_calls'}
    server = home.server([call, OK])
    terminal = Terminal(home, 'ask', '--provider', 'fake', 'go')
    terminal.expect('2. green')
    terminal.type('\x03')
    equal(wait_until(lambda: terminal.process.poll() is not None and 'gone', 'the end'), 'gone')
    equal(terminal.process.returncode, 130)
    terminal.drain()
    contains(terminal.seen, 'aborted by a signal')
    equal(len(server.requests()), 1)


@test
def terminal_hangs_up(home):
    server = home.server([FLOW])
    terminal = Terminal(home, 'ask', '--provider', 'fake', 'go')
    terminal.expect('word word')
    os.close(terminal.master)
    terminal.master = -1
    equal(terminal.process.wait(PATIENCE), 129)
    server.end_of(server.requests()[0]['connection'])
    session = json.loads(home.run('session', 'list', '--json').stdout)[0]['session']
    turn = home.show(session)['turns'][0]
    equal((turn['status'], turn['stop_reason']), ('aborted', 'signal'))
    contains(texts(turn), 'word word')


@test
def terminal_is_safe_from_control_characters(home):
    home.server([{'text': 'before\x1b]52;c;ZXZpbA==\x07after\u009b31m\r\n'}])
    terminal = Terminal(home, 'ask', '--provider', 'fake', 'go')
    terminal.expect('after')
    terminal.drain()
    terminal.process.wait(PATIENCE)
    for bad in ('\x1b]52', '\x07', '\u009b'):
        assert bad not in terminal.seen, terminal.seen
    # What goes into a file stays as it is.
    contains(home.run('ask', '--provider', 'fake', 'go', status=0).stdout, '\x1b]52;c;ZXZpbA==\x07')


if __name__ == '__main__':
    sys.exit(run())
