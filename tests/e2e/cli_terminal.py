# SPDX-License-Identifier: GPL-3.0-or-later
"""gadget-cli on a terminal, where a person answers."""

import codecs
import os
import pty
import select
import sys
import time

from cli_user import CLI, PATIENCE, contains, equal, run, test

LINES = 3000


def tool_call(name, arguments):
    return {'tool_calls': [{'id': 'c1', 'name': name, 'arguments': arguments}],
            'finish': 'tool_calls'}


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, home, *arguments):
        self.shown = ''
        self.decoder = codecs.getincrementaldecoder('utf-8')()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(CLI, [CLI, *arguments], home.environment())

    def read(self, seconds):
        if select.select([self.fd], [], [], seconds)[0]:
            self.shown += self.decoder.decode(os.read(self.fd, 65536))

    def read_until(self, part):
        end = time.monotonic() + PATIENCE
        while part not in self.shown:
            assert time.monotonic() < end, f'{part!r} did not come: {self.shown[-500:]!r}'
            self.read(0.1)
        return self.shown

    def type(self, text):
        os.write(self.fd, text.encode())

    def end(self):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                self.read(0.05)
            except OSError:
                break
        os.close(self.fd)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


@test
def change_is_shown_whole(home):
    """More than a terminal takes at once is all there before anything is asked."""
    folder = home.work
    content = ''.join(f'line {n}\n' for n in range(LINES))
    home.server([tool_call('write_file', {'path': 'a.txt', 'content': content}),
                 {'text': 'All is well.'}])
    terminal = Terminal(home, 'ask', '--provider', 'fake', '--workspace', folder,
                        '--approve', 'ask', 'talk')
    shown = terminal.read_until('Allow it?').replace('\r', '')
    contains(shown, f'Create a.txt? +{LINES}')
    for n in range(LINES):
        contains(shown, f'\n  │ line {n}\n')
    contains(shown, f'\n{LINES} lines\n')
    contains(shown, '  1. Allow Once')
    contains(shown, '  0. Deny')
    assert not os.path.exists(os.path.join(folder, 'a.txt'))
    terminal.type('1\n')
    equal(terminal.end(), 0)
    with open(os.path.join(folder, 'a.txt'), encoding='utf-8') as file:
        equal(file.read(), content)


if __name__ == '__main__':
    sys.exit(run())
