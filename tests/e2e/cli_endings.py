# SPDX-License-Identifier: GPL-3.0-or-later
"""How gadget-cli leaves: signals that come while it does, and a store that does not answer, or takes
nothing."""

import os
import resource
import signal
import sqlite3
import sys
import time

from gi.repository import GLib

from cli_answers import Client
from cli_user import FLOW, PATIENCE, contains, equal, now_us, run, session_of, test, texts

WORDS = 'word ' * 400
TALK = {'text': 'word ', 'repeat': 400, 'per_second': 200}


def send_until_the_end(running, number):
    """Again and again, also in the last millisecond."""
    end = time.monotonic() + PATIENCE
    while running.process.poll() is None:
        assert time.monotonic() < end, 'it does not end'
        running.process.send_signal(number)
        time.sleep(0.0002)
    return running.process.returncode


@test
def hangups_to_the_end_change_nothing(home):
    home.server([FLOW] * 12)
    for _ in range(12):
        running = home.start('--provider', 'fake', 'talk')
        running.wait_for_text(20)
        running.signal(signal.SIGINT)
        # Of two that are there at once the kernel hands over the lower number first.
        status = send_until_the_end(running, signal.SIGHUP)
        assert status in (129, 130), f'exit status {status}'
        equal(running.finish()[1]['status'], 'aborted')


@test
def second_signal_at_the_end_has_its_status(home):
    home.server([FLOW] * 16)
    for i in range(16):
        running = home.start('--provider', 'fake', 'talk')
        running.wait_for_text(20)
        running.signal(signal.SIGINT)
        # Once it says that it is through, it is on its way out.
        running.wait_for(lambda events: events[-1]['event'] == 'completed', 'the completion')
        time.sleep(i * 0.0015)
        status = send_until_the_end(running, signal.SIGTERM)
        assert status in (130, 143), f'exit status {status}'


def lock(home):
    """Another program's transaction, which lets nobody write."""
    other = sqlite3.connect(home.path + '/data/gadget/gadget.db', isolation_level=None)
    other.execute('BEGIN IMMEDIATE')
    home.stack.callback(other.close)
    return other


def read_file(path):
    """A recovery file: private, and with the whole text in it."""
    equal(os.stat(path).st_mode & 0o777, 0o600, path)
    with open(path, encoding='utf-8') as file:
        return file.read()


@test
def storm_of_sigint_keeps_what_was_shown(home):
    """However often it comes: all that was shown is stored, and the last line is there."""
    home.server([FLOW] * 10)
    for i in range(10):
        running = home.start('--provider', 'fake', 'talk')
        running.wait_for_text(20 + 7 * i)
        status = send_until_the_end(running, signal.SIGINT)
        last = running.finish()[1]
        equal((status, last['event'], last['status'], last['stop_reason'], last['saved']),
              (130, 'completed', 'aborted', 'signal', True))
        equal([e['event'] for e in running.events()].count('completed'), 1)
        equal(texts(home.show(session_of(running.events()))['turns'][0]), running.text())


@test
def locked_store_is_waited_for(home):
    """A store that is locked for longer than it usually is costs time, and no turn."""
    home.server([TALK])
    running = home.start('--provider', 'fake', 'talk')
    running.wait_for_text(20)
    other = lock(home)
    running.wait_until_said('Waiting to save')
    running.read(0.1)
    assert all(e['event'] != 'completed' for e in running.events()), 'it says that it is over'
    other.execute('ROLLBACK')
    status, last = running.finish()
    equal((status, last['status'], last['saved']), (0, 'finished', True))
    turn = home.show(session_of(running.events()))['turns'][0]
    equal((turn['status'], texts(turn)), ('finished', WORDS))


@test
def locked_store_does_not_keep_it_alive(home):
    server = home.server([FLOW])
    running = home.start('--provider', 'fake', 'talk')
    running.wait_for_text(20)
    other = lock(home)
    at = running.signal(signal.SIGTERM)
    closed = (server.end_of(server.requests()[0]['connection']) - at) / 1000
    status, last = running.finish()
    took = (now_us() - at) / 1000
    other.execute('ROLLBACK')
    equal((status, last['status'], last['saved']), (143, 'aborted', False))
    assert closed < 1000, f'the server saw the end after {closed} ms'
    assert took < 6000, f'it took {took} ms'
    contains(running.stderr, last['file'])
    contains(read_file(last['file']), running.text())
    equal(home.show(session_of(running.events()))['turns'][0]['status'], 'aborted')


@test
def full_store_leaves_the_text_in_a_file(home):
    """It finishes, and cannot be saved; a signal ends the waiting for room."""
    home.server([TALK])

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (220_000, 220_000))
    running = home.start('--provider', 'fake', 'talk', preexec_fn=limit)
    running.wait_until_said('Waiting to save')
    running.signal(signal.SIGINT)
    status, last = running.finish()
    equal((status, last['status'], last['saved']), (1, 'finished', False))
    contains(running.stderr, last['file'])
    equal(running.text(), WORDS)
    contains(read_file(last['file']), 'talk\n\n' + WORDS)


@test
def unsaved_reply_of_a_subagent(home):
    """Only the subagent's reply cannot be saved: it is named, and its text is in a file."""
    call = {'id': 't1', 'name': 'task', 'arguments': {'description': 'Look', 'prompt': 'talk'}}
    home.server([{'tool_calls': [call], 'finish': 'tool_calls'}, TALK,
                 {'text': 'It talked.'}])
    running = home.start('--provider', 'fake', 'go')
    running.wait_for_text(20)
    database = sqlite3.connect(home.path + '/data/gadget/gadget.db', isolation_level=None)
    database.execute("CREATE TRIGGER no_end BEFORE UPDATE ON turn WHEN NEW.prompt = 'talk' AND"
                     " NEW.status = 'finished' BEGIN SELECT RAISE (FAIL, 'not this one'); END")
    database.close()
    running.wait_until_said('Waiting to save')
    running.signal(signal.SIGINT)
    status, last = running.finish()
    equal((status, last['status'], last['saved'], last['file']), (1, 'finished', False, None))
    contains(running.stderr, 'The reply of a subagent could not be saved.')
    assert 'This reply could not be saved' not in running.stderr, running.stderr
    path = running.stderr.partition('Its text is in ')[2].partition('. Gadget adds')[0]
    contains(read_file(path), WORDS)


@test
def stop_while_it_leaves_is_answered(home):
    """Also in the last milliseconds: an answer, or nobody of that name, but not silence."""
    home.start_bus()
    home.server([{'text': 'All is well.'}] * 8)
    client = Client(home)
    for _ in range(8):
        running = home.start('--provider', 'fake', 'talk')
        running.wait_for(lambda events: events, 'its start')
        run = running.events()[0]['run']
        name = 'io.github.gadgetchat.Gadget.Cli.r' + run[-12:]
        errors = set()
        while running.process.poll() is None:
            errors.add(client.error(name, 'Abort', GLib.Variant('(ss)', ('', run))))
        assert errors <= {None, 'ServiceUnknown', 'NameHasNoOwner', 'UnknownMethod'}, errors
        running.finish()


if __name__ == '__main__':
    sys.exit(run())
