# SPDX-License-Identifier: GPL-3.0-or-later
"""Readers of gadget-cli that are slow, or have stopped: an abort waits for none of them."""

import fcntl
import signal
import sys
import time

from cli_user import PATIENCE, equal, now_us, run, session_of, test, texts, wait_until


@test
def slow_reader_holds_up_nothing(home):
    server = home.server([{'text': 'x' * 1000, 'repeat': 100000, 'per_second': 2000}])
    running = home.start('--provider', 'fake', 'talk')
    # More than any pipe holds has come, and nothing of it was read.
    wait_until(server.requests, 'the request')
    time.sleep(1.5)
    at = running.signal(signal.SIGINT)
    closed = (server.end_of(server.requests()[0]['connection']) - at) / 1000
    assert closed < 1000, f'the server saw the end after {closed} ms'
    status, last = running.finish()
    equal((status, last['status']), (130, 'aborted'))
    assert len(running.text()) > 200000, len(running.text())
    equal(texts(home.show(session_of(running.events()))['turns'][0]), running.text(), 'stored text')


@test
def slowest_reader_gets_the_last_line(home):
    server = home.server([{'text': 'x' * 1000, 'repeat': 12, 'stall': True}])
    running = home.start('--provider', 'fake', 'talk')
    # A page, of which the pipe takes more only when all of it was read: longer than the second
    # after which a reader that takes nothing is left.
    fcntl.fcntl(running.process.stdout, fcntl.F_SETPIPE_SZ, 4096)
    wait_until(server.requests, 'the request')
    time.sleep(0.5)
    at = running.signal(signal.SIGTERM)
    closed = (server.end_of(server.requests()[0]['connection']) - at) / 1000
    assert closed < 1000, f'the server saw the end after {closed} ms'
    while running.open:
        running.read(0.1, 250)
        time.sleep(0.1)
    status, last = running.finish()
    equal((status, last['event'], last['status']), (143, 'completed', 'aborted'))
    equal(len(running.text()), 12000)


@test
def stuck_reader_does_not_keep_it_alive(home):
    server = home.server([{'text': 'x' * 1000, 'repeat': 100000, 'per_second': 2000}])
    running = home.start('--provider', 'fake', 'talk')
    wait_until(server.requests, 'the request')
    time.sleep(1)
    at = running.signal(signal.SIGTERM)
    closed = (server.end_of(server.requests()[0]['connection']) - at) / 1000
    assert closed < 1000, f'the server saw the end after {closed} ms'
    # There is a chance for a reader that only was away.
    time.sleep(0.4)
    assert running.process.poll() is None, 'it did not wait for its reader at all'
    equal(running.process.wait(PATIENCE), 143)
    took = (now_us() - at) / 1000
    assert took < 4000, f'it took {took} ms'
    while running.open:
        running.read(0.1)
    assert running.events()[-1]['event'] == 'text', running.lines[-1]
    shown = running.text()
    kept = texts(home.show(session_of(running.events()))['turns'][0])
    assert len(kept) > len(shown) and kept.startswith(shown), 'what was not read is not stored'


@test
def second_signal_does_not_wait_for_a_reader(home):
    server = home.server([{'text': 'x' * 1000, 'repeat': 100000, 'per_second': 2000}])
    running = home.start('--provider', 'fake', 'talk')
    wait_until(server.requests, 'the request')
    time.sleep(1)
    running.signal(signal.SIGTERM)
    server.end_of(server.requests()[0]['connection'])
    time.sleep(0.2)
    at = running.signal(signal.SIGTERM)
    equal(running.process.wait(PATIENCE), 143)
    took = (now_us() - at) / 1000
    assert took < 500, f'it took {took} ms'


if __name__ == '__main__':
    sys.exit(run())
