# SPDX-License-Identifier: GPL-3.0-or-later
"""The fake model server of tests/support, for tests in Python."""

import json
import os
import subprocess

from driver import end, wait_for


class ModelServer:
    """A model server that follows a script (see fake-script.c), and notes what it sees."""

    def __init__(self, build, folder, script):
        program = os.path.join(build, 'tests', 'support', 'fake-model-server')
        self.log = os.path.join(folder, 'server.log')
        port = os.path.join(folder, 'port')
        self.process = subprocess.Popen([program, '--port-file', port, '--script-text',
                                         json.dumps(script), '--log', self.log])
        wait_for(lambda: self._read(port), 'the model server')
        self.url = 'http://127.0.0.1:%s/v1' % self._read(port)

    @staticmethod
    def _read(path):
        try:
            with open(path, encoding='utf-8') as file:
                return file.read().strip()
        except FileNotFoundError:
            return ''

    def events(self, kind):
        lines = [json.loads(line) for line in self._read(self.log).splitlines() if line.endswith('}')]
        return [event for event in lines if event['event'] == kind]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        end(self.process)
