# SPDX-License-Identifier: GPL-3.0-or-later
"""Gadget's window as a real screen reader says it, a part of "./dev test --real".

GADGET_SCREEN_READER_ROOT names a root file system with Orca, speech-dispatcher and a window
manager; "./dev test --real" makes it. Orca speaks through a module of speech-dispatcher that needs
no sound (voice.py): it takes the time that a voice does, and then writes to a file what it has
said: what was cut off is not there. The scenes are in tests/e2e/spoken_scenes.py.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), 'e2e'))
import driver  # noqa: E402 pylint: disable=wrong-import-position
import spoken_scenes  # noqa: E402 pylint: disable=wrong-import-position
from ear import Ear  # noqa: E402 pylint: disable=wrong-import-position

SKIPPED = 77

SPEECHD = '''AudioOutputMethod "alsa"
AudioALSADevice "null"
LogLevel 3
AddModule "file" "{voice}" "{spoken}"
DefaultModule file
LanguageDefaultModule "en" "file"
'''


class Unavailable(Exception):
    """The screen reader cannot be had here; the message says why."""


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)


class ScreenReader(Ear):
    """Orca on the desktop of this process."""

    def __init__(self, root, folder):
        super().__init__(os.path.join(folder, 'spoken'))
        self.root, self.folder = root, folder
        self.children = []
        write(self.path, '')
        voice = os.path.join(folder, 'voice.py')
        shutil.copy(os.path.join(HERE, 'voice.py'), voice)
        os.chmod(voice, 0o755)
        write(os.path.join(folder, 'speech', 'speechd.conf'),
              SPEECHD.format(voice=voice, spoken=self.path))

    def wait_until_ready(self, app):
        """Orca does not see every window that comes while it is busy."""
        for _ in range(4):
            with contextlib.suppress(driver.Failure):
                self.expect('Message', seconds=8)
                return
            app.key('Tab', 'ctrl+l', delay=300)
        self.expect('Message')

    def start(self, *command):
        args = ['bwrap', '--ro-bind', self.root, '/', '--dev', '/dev', '--ro-bind', '/proc', '/proc',
                '--tmpfs', '/run', '--bind', '/tmp', '/tmp', '--bind', self.folder, self.folder,
                '--die-with-parent', *command]
        with open(os.path.join(self.folder, command[0] + '.log'), 'ab') as log:
            self.children.append(subprocess.Popen(args, stdin=subprocess.DEVNULL, stdout=log,
                                                  stderr=log))

    def __enter__(self):
        for status in ('IsEnabled', 'ScreenReaderEnabled'):
            subprocess.run(['gdbus', 'call', '--session', '--dest', 'org.a11y.Bus', '--object-path',
                            '/org/a11y/bus', '--method', 'org.freedesktop.DBus.Properties.Set',
                            'org.a11y.Status', status, '<true>'],
                           check=True, stdout=subprocess.DEVNULL)
        socket = os.path.join(self.folder, 'speech.sock')
        os.environ['SPEECHD_ADDRESS'] = 'unix_socket:' + socket
        self.start('metacity', '--sm-disable')
        self.start('speech-dispatcher', '-s', '-P', os.path.join(self.folder, 'speech.pid'),
                   '-c', 'unix_socket', '-S', socket, '-C', os.path.join(self.folder, 'speech'),
                   '-L', self.folder, '-l', '3', '-t', '0')
        try:
            driver.wait_for(lambda: os.path.exists(socket), 'speech-dispatcher')
            self.start('orca')
            driver.wait_for(lambda: self.count('Screen reader on'), 'Orca', 60)
        except driver.Failure as failure:
            self.__exit__()
            raise Unavailable('%s; see %s' % (failure, self.folder)) from failure
        return self

    def __exit__(self, *_):
        for child in reversed(self.children):
            driver.end(child)


def keep(build, name, folder):
    kept = os.path.join(build, 'real-logs', 'screen-reader', name)
    shutil.rmtree(kept, ignore_errors=True)
    os.makedirs(kept)
    for file in os.listdir(folder):
        if os.path.isfile(os.path.join(folder, file)):
            shutil.copy(os.path.join(folder, file), kept)


def run_one(build, root, scene):
    with driver.Desktop(), \
            tempfile.TemporaryDirectory(prefix='gadget-orca-') as folder:
        try:
            with ScreenReader(root, folder) as ear:
                scene(build, ear)
        finally:
            keep(build, scene.__name__, folder)


def run_alone(build, scene):
    """In a process of its own: there can be one desktop in each."""
    return subprocess.run([sys.executable, __file__, build, scene.__name__], check=False,
                          stdin=subprocess.DEVNULL).returncode


def run(build, wanted):
    """Returns how many passed, failed and were skipped."""
    chosen = [s for s in spoken_scenes.SCENES
              if not wanted or any(part in s.__name__ for part in wanted)]
    root = os.environ.get('GADGET_SCREEN_READER_ROOT', '')
    if chosen and (not os.path.isdir(root) or not shutil.which('bwrap')):
        print('skipped: there is no root with a screen reader (GADGET_SCREEN_READER_ROOT)')
        return 0, 0, len(chosen)
    failed = skipped = 0
    for scene in chosen:
        status = run_alone(build, scene)
        name = 'screen reader: ' + scene.__name__.replace('_', ' ')
        if status == SKIPPED:
            skipped += 1
        else:
            failed += status != 0
            print(('ok      ' if status == 0 else 'NOT OK  ') + name, flush=True)
    return len(chosen) - failed - skipped, failed, skipped


def main():
    scene = next(s for s in spoken_scenes.SCENES if s.__name__ == sys.argv[2])
    try:
        run_one(sys.argv[1], os.environ['GADGET_SCREEN_READER_ROOT'], scene)
    except Unavailable as why:
        print(f'skipped: {why}', flush=True)
        return SKIPPED
    except (driver.Failure, AssertionError):
        traceback.print_exc()
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
