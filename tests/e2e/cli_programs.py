# SPDX-License-Identifier: GPL-3.0-or-later
"""What other programs see of gadget-cli's runs, and may do about them."""

import json
import os
import signal
import subprocess
import sys
import time

from cli_user import BUILD, CLI, FLOW, Skip, contains, equal, run, seen_runs, test


@test
def run_list_and_abort(home):
    home.start_bus()
    equal(seen_runs(home), [])
    contains(home.run('run', 'abort', '--all', status=1).stderr, 'nothing to abort')
    for by in ('run', 'session', 'all'):
        server = home.server([FLOW])
        running = home.start('--provider', 'fake', 'talk')
        running.wait_for_text()
        started = running.events()[0]
        runs = seen_runs(home)
        equal([(r['run'], r['session'], r['turn'], r['kind']) for r in runs],
              [(started['run'], started['session'], started['turn'], 'turn')])
        equal(len(runs[0]['in_flight']), 1, runs)
        contains(home.run('run', 'list', status=0).stdout, started['run'])
        home.run('run', 'abort', '--run', 'f' * 24, status=1)
        equal(running.process.poll(), None)
        arguments = ['--all'] if by == 'all' else ['--' + by, started[by]]
        answer = json.loads(home.run('run', 'abort', *arguments, '--json', status=0).stdout)
        equal((answer['aborted'], answer['runs']), (True, [started['run']]))
        status, last = running.finish()
        equal((status, last['status'], last['stop_reason']), (3, 'aborted', 'api'), by)
        server.end_of(server.requests()[0]['connection'])
        equal(seen_runs(home), [])


@test
def run_abort_of_one_leaves_the_other(home):
    home.start_bus()
    home.server([FLOW])
    running = [home.start('--provider', 'fake', 'talk') for _ in range(2)]
    for one in running:
        one.wait_for_text()
    equal(len(seen_runs(home)), 2)
    home.run('run', 'abort', '--run', running[0].events()[0]['run'], status=0)
    status, last = running[0].finish()
    equal((status, last['stop_reason']), (3, 'api'))
    length = len(running[1].text())
    running[1].wait_for_text(length + 50)
    home.run('run', 'abort', '--all', status=0)
    equal(running[1].finish()[0], 3)


@test
def run_abort_of_what_hangs(home):
    home.start_bus()
    home.server([FLOW])
    running = home.start('--provider', 'fake', 'talk')
    running.wait_for_text()
    running.process.send_signal(signal.SIGSTOP)
    done = home.run('run', 'abort', '--all', status=1)
    equal(done.stderr, 'gadget-cli: 1 program does not answer.\n')
    running.process.send_signal(signal.SIGCONT)
    running.process.send_signal(signal.SIGINT)
    equal(running.finish()[0], 130)


@test
def run_list_names_what_hangs(home):
    home.start_bus()
    home.server([FLOW])
    running = [home.start('--provider', 'fake', 'talk') for _ in range(2)]
    for one in running:
        one.wait_for_text()
    running[0].process.send_signal(signal.SIGSTOP)
    start = time.monotonic()
    done = home.run('run', 'list', '--json', status=0)
    assert time.monotonic() - start < 10
    equal([r['run'] for r in json.loads(done.stdout)], [running[1].events()[0]['run']])
    contains(done.stderr, '1 program does not answer')
    running[0].process.send_signal(signal.SIGCONT)
    home.run('run', 'abort', '--all', status=0)
    for one in running:
        equal(one.finish()[1]['stop_reason'], 'api')


def sandboxed(home, *command, flatpak=True):
    """COMMAND in a bubblewrap with the bus; as a Flatpak program runs, with a /.flatpak-info."""
    reader, writer = os.pipe()
    os.write(writer, b'[Application]\nname=org.example.Other\n')
    os.close(writer)
    bwrap = ['bwrap', '--ro-bind', '/usr', '/usr', '--symlink', 'usr/bin', '/bin', '--symlink',
             'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64', '--dev', '/dev', '--ro-bind',
             '/proc', '/proc', '--ro-bind-data', str(reader),
             '/.flatpak-info' if flatpak else '/other-info', '--ro-bind', BUILD, BUILD, '--bind', home.path, home.path, '--chdir', home.path]
    done = subprocess.run([*bwrap, *command], capture_output=True, text=True, pass_fds=[reader],
                          env=home.environment(), timeout=60, check=False)
    os.close(reader)
    return done


@test
def sandboxed_programs_may_not_abort(home):
    if sandboxed(home, 'true').returncode != 0:
        raise Skip('no sandbox can be had here')
    home.start_bus()
    home.server([FLOW])
    running = home.start('--provider', 'fake', 'talk')
    running.wait_for_text()
    run = running.events()[0]['run']
    done = sandboxed(home, CLI, 'run', 'abort', '--run', run)
    equal(done.returncode, 1, done.stderr)
    contains(done.stderr, 'may abort it')
    equal(sandboxed(home, CLI, 'run', 'abort', '--all').returncode, 1)
    done = sandboxed(home, CLI, 'run', 'list', '--json')
    equal((done.returncode, done.stdout), (0, '[]\n'))
    done = sandboxed(home, CLI, 'run', 'abort', '--run', run, flatpak=False)
    equal(done.returncode, 1, done.stderr)
    contains(done.stderr, 'may abort it')
    length = len(running.text())
    running.wait_for_text(length + 50)
    # The same outside of a sandbox.
    home.run('run', 'abort', '--run', run, status=0)
    equal(running.finish()[0], 3)


LISTENER = '''
import sys
from gi.repository import Gio, GLib
bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
heard = []
bus.signal_subscribe(None, 'io.github.gadgetchat.Gadget.Agent1', None, None, None,
                     Gio.DBusSignalFlags.NONE, lambda *args: heard.append(args))
for _ in range(2):
    bus.call_sync(sys.argv[1], '/io/github/gadgetchat/Gadget/Agent',
                  'io.github.gadgetchat.Gadget.Agent1', 'Subscribe', GLib.Variant('(as)', ([],)),
                  None, Gio.DBusCallFlags.NONE, 10000, None)
    loop = GLib.MainLoop()
    GLib.timeout_add(1000, loop.quit)
    loop.run()
print(len(heard))
'''


@test
def sandboxed_programs_hear_nothing(home):
    if sandboxed(home, 'true').returncode != 0:
        raise Skip('no sandbox can be had here')
    home.start_bus()
    home.server([FLOW])
    running = home.start('--provider', 'fake', 'talk')
    running.wait_for_text()
    name = 'io.github.gadgetchat.Gadget.Cli.r' + running.events()[0]['run'][-12:]
    length = len(running.text())
    for flatpak in (True, False):
        done = sandboxed(home, 'python3', '-c', LISTENER, name, flatpak=flatpak)
        equal((done.returncode, done.stdout), (0, '0\n'), done.stderr)
    # There was something to hear, and a program of the user's hears it.
    running.wait_for_text(length + 50)
    done = subprocess.run(['python3', '-c', LISTENER, name], capture_output=True, text=True,
                          env=home.environment(), timeout=60, check=False)
    assert int(done.stdout) > 0, done
    home.run('run', 'abort', '--all', status=0)
    equal(running.finish()[0], 3)


LIAR = '''
import sys
from gi.repository import Gio, GLib
ESCAPE = '\\x1b[2J\\nevil\\u202e'
bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
def answer(connection, sender, path, interface, method, parameters, invocation):
    if method == 'ListRuns':
        run = {name: GLib.Variant('s', ESCAPE) for name in ('run', 'session', 'turn', 'kind')}
        run['in-flight'] = GLib.Variant('as', [ESCAPE])
        invocation.return_value(GLib.Variant('(aa{sv})', ([run],)))
    elif parameters[1]:
        invocation.return_dbus_error('io.github.gadgetchat.Gadget.Error.AccessDenied', ESCAPE)
    else:
        invocation.return_value(GLib.Variant('(bass)', (True, [ESCAPE], ESCAPE)))
with open(sys.argv[1], encoding='utf-8') as file:
    info = Gio.DBusNodeInfo.new_for_xml(file.read())
bus.register_object('/io/github/gadgetchat/Gadget/Agent', info.interfaces[0], answer, None, None)
Gio.bus_own_name_on_connection(bus, 'io.github.gadgetchat.Gadget', Gio.BusNameOwnerFlags.NONE,
                               lambda *_: print('ready', flush=True), None)
GLib.MainLoop().run()
'''


@test
def another_owner_of_the_name_writes_no_escapes(home):
    home.start_bus()
    interface = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir,
                             'data', 'io.github.gadgetchat.Gadget.Agent1.xml')
    liar = subprocess.Popen(['python3', '-c', LIAR, interface], env=home.environment(),
                            stdout=subprocess.PIPE, text=True)

    def stop():
        liar.kill()
        liar.communicate()
    home.stack.callback(stop)
    equal(liar.stdout.readline(), 'ready\n')
    for arguments, status in ((['list'], 0), (['abort', '--all'], 0), (['abort', '--run', 'f' * 24], 1)):
        done = home.run('run', *arguments, status=status)
        for text in (done.stdout, done.stderr):
            assert not any(c in text for c in ('\x1b', '\u202e', '\nevil')), (arguments, text)
        contains(done.stdout + done.stderr, 'evil')


@test
def without_bus(home):
    done = home.run('run', 'list', status=1)
    contains(done.stderr, 'session bus')
    home.extra['DBUS_SESSION_BUS_ADDRESS'] = 'unix:path=' + home.path + '/no-bus-here'
    home.run('ask', '--provider', 'guide', 'hello', status=0)


if __name__ == '__main__':
    sys.exit(run())
