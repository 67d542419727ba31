# SPDX-License-Identifier: GPL-3.0-or-later
"""How gadget-cli leaves: signals that come while it does, and a store that does not answer. Tests
of test_cli.py."""

import signal
import sqlite3
import time

from cli_user import FLOW, PATIENCE, equal, now_us, session_of, test


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


@test
def locked_store_does_not_keep_it_alive(home):
    server = home.server([FLOW])
    running = home.start('--provider', 'fake', 'talk')
    running.wait_for_text(20)
    other = sqlite3.connect(home.path + '/data/gadget/gadget.db', isolation_level=None)
    other.execute('BEGIN EXCLUSIVE')
    at = running.signal(signal.SIGTERM)
    closed = (server.end_of(server.requests()[0]['connection']) - at) / 1000
    status, last = running.finish()
    took = (now_us() - at) / 1000
    other.execute('ROLLBACK')
    other.close()
    equal((status, last['status'], last['saved']), (143, 'aborted', False))
    assert closed < 1000, f'the server saw the end after {closed} ms'
    assert took < 4000, f'it took {took} ms'
    equal(home.show(session_of(running.events()))['turns'][0]['status'], 'aborted')
