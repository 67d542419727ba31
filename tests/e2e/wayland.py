# SPDX-License-Identifier: GPL-3.0-or-later
"""The same application where GNOME runs it: as a client of a Wayland compositor, which gives it the
whole of a screen that is in memory only. Keys come from the compositor (wtype)."""

import os
import shutil
import signal
import subprocess

from driver import App, Desktop
from tap import Skip

# What the compositor runs: it says who it is, and becomes the application.
START = 'echo "$$ $WAYLAND_DISPLAY" >"$1.part" && mv "$1.part" "$1" && exec "$2"'


class WaylandDesktop(Desktop):
    def _start(self, size):
        if not shutil.which('cage') or not shutil.which('wtype'):
            raise Skip('cage or wtype is not installed')
        super()._start(size)
        os.environ.update({'GDK_BACKEND': 'wayland', 'WLR_BACKENDS': 'headless',
                           'WLR_RENDERER': 'pixman', 'WLR_LIBINPUT_NO_DEVICES': '1'})


class WaylandApp(App):
    """One gadget, which fills the screen."""

    def _start(self, program, environment):
        environment.pop('DISPLAY', None)
        self.started = os.path.join(os.environ['XDG_RUNTIME_DIR'], 'started')
        if os.path.exists(self.started):
            os.unlink(self.started)
        return subprocess.Popen(['cage', '-d', '--', 'sh', '-c', START, 'sh', self.started, program],
                                env=environment, stdin=subprocess.DEVNULL, stdout=self.log,
                                stderr=self.log)

    def stop(self, number=signal.SIGTERM, timeout=10):
        """Ends the application; the compositor goes with it."""
        if self.process.poll() is None:
            os.kill(self.get_pid(), number)
        return super().stop(0, timeout)

    def get_pid(self):
        if not os.path.exists(self.started):
            return None
        with open(self.started, encoding='utf-8') as file:
            pid, self.display = file.read().split()
        return int(pid)

    def resize(self, width, height):
        # A keyboard is plugged in with each of wtype's: the first press of the first one may be lost.
        self._run('wtype', '-k', 'Shift_L')

    def _run(self, *command):
        subprocess.run(command, env=dict(os.environ, WAYLAND_DISPLAY=self.display), check=True)

    def shot(self, path):
        self._run('grim', path)
        return path

    def key(self, *keys, delay=12):
        for key in keys:
            *modifiers, key = key.split('+')
            command = ['wtype']
            for modifier in modifiers:
                command += ['-M', modifier]
            # The keyboard is new to the application each time.
            self._run(*command, '-s', '50', '-k', key)

    def type(self, text):
        self._run('wtype', '-s', '50', '-d', '8', text)
