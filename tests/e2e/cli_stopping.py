# SPDX-License-Identifier: GPL-3.0-or-later
"""gadget-cli when it is stopped: signals, limits, readers that are gone, and a second program."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time

from cli_user import (CLI, FLOW, OK, PATIENCE, Running, alive_with, contains, equal, need_shell,
                      now_us, run, session_of, shell_call, test, texts, wait_until)


def check_next_message(home, server, session, partial):
    equal(home.json('ask', '--session', session, 'and now?')[-1]['status'], 'finished')
    messages = json.loads(server.requests()[-1]['body'])['messages']
    contains([m['content'] for m in messages if m['role'] == 'assistant'][-1], partial.strip())
    equal(messages[-1]['role'], 'user')
    contains(messages[-1]['content'], 'interrupted')
    contains(messages[-1]['content'], 'and now?')


def stop_mid_stream(home, number, status):
    server = home.server([FLOW, OK])
    running = home.start('--provider', 'fake', 'talk')
    running.wait_for_text(50)
    at = running.signal(number)
    found, last = running.finish()
    took = (now_us() - at) / 1000
    equal(found, status, running.stderr)
    assert took < 5000, f'it took {took} ms'
    equal((last['event'], last['success'], last['message'], last['status'], last['stop_reason']),
          ('completed', True, 'aborted', 'aborted', 'signal'))
    equal([e['event'] for e in running.events()].count('completed'), 1)
    # What was used until then is told; the server had not said it yet.
    assert last['usage']['output_tokens'] > 0 and last['usage']['estimated'], last
    kinds = [(line['kind'], line['outcome']) for line in last['receipt']]
    equal(kinds, [('connection', 'closed')])
    assert 0 <= last['receipt'][0]['ms'] < 1000, last
    assert not re.search(r'\.\d{7}', running.lines[-1]), running.lines[-1]
    closed = (server.end_of(server.requests()[0]['connection']) - at) / 1000
    assert closed < 1000, f'the server saw the end after {closed} ms'
    session = session_of(running.events())
    equal(texts(home.show(session)['turns'][0]), running.text(), 'stored text')
    equal(len(server.requests()), 1, 'requests')
    check_next_message(home, server, session, running.text())


@test
def sigint_mid_stream(home):
    stop_mid_stream(home, signal.SIGINT, 130)


@test
def sigterm_mid_stream(home):
    stop_mid_stream(home, signal.SIGTERM, 143)


@test
def sighup_mid_stream(home):
    stop_mid_stream(home, signal.SIGHUP, 129)


@test
def sighup_ignored_stays_ignored(home):
    home.server([{'text': 'word ', 'repeat': 60, 'per_second': 100}])
    running = home.start('--provider', 'fake', 'talk',
                         preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    running.wait_for_text()
    running.signal(signal.SIGHUP)
    status, last = running.finish()
    equal((status, last['status']), (0, 'finished'))


@test
def signal_before_headers(home):
    server = home.server([{'steps': [{'stall': True}]}, OK])
    running = home.start('--provider', 'fake', 'talk')
    wait_until(server.requests, 'the request')
    running.signal(signal.SIGINT)
    status, last = running.finish()
    equal((status, last['status'], last['stop_reason']), (130, 'aborted', 'signal'))
    server.end_of(server.requests()[0]['connection'])


@test
def signal_while_reading_input(home):
    running = Running(home, ['ask', '--json', '--provider', 'guide', '-'], stdin=subprocess.PIPE)
    wait_until(lambda: os.path.exists(home.path + '/data/gadget'), 'the data folder')
    time.sleep(0.3)
    running.signal(signal.SIGTERM)
    status, last = running.finish()
    running.process.stdin.close()
    equal((status, last['event'], last['turn'], last['status']), (143, 'completed', None, 'aborted'))
    equal(json.loads(home.run('session', 'list', '--json').stdout), [])


@test
def deadline(home):
    server = home.server([FLOW, OK])
    start = time.monotonic()
    events = home.json('ask', '--provider', 'fake', '--deadline', '1', 'talk', status=3)
    took = time.monotonic() - start
    assert 1 <= took < 10, took
    equal((events[-1]['success'], events[-1]['status'], events[-1]['stop_reason']),
          (True, 'aborted', 'deadline'))
    server.end_of(server.requests()[0]['connection'])
    partial = ''.join(e['delta'] for e in events if e['event'] == 'text')
    check_next_message(home, server, session_of(events), partial)


@test
def max_steps_and_tokens(home):
    # A reply of this server uses 46 tokens.
    call = {'text': 'Again.',
            'tool_calls': [{'id': 'w', 'name': 'wait', 'arguments': {'seconds': 0.1}}]}
    for option, value, n, text in (('--max-steps', '2', 2, '2 steps'),
                                   ('--max-tokens', '100', 3, '100 tokens')):
        server = home.server([call] * n + [OK])
        done = home.run('ask', '--provider', 'fake', option, value, 'go on', status=3)
        contains(done.stderr, f'The turn was aborted at its limit: {text}.')
        equal(len(server.requests()), n)
        server = home.server([call] * n + [OK])
        last = home.json('ask', '--provider', 'fake', option, value, 'go on', status=3)[-1]
        equal((last['status'], last['stop_reason']), ('aborted', 'budget'))
    home.run('ask', '--max-steps', '-1', 'x', status=2)


@test
def max_cost(home):
    # With this price a reply of 46 tokens costs $0.46.
    call = {'text': 'Again.',
            'tool_calls': [{'id': 'w', 'name': 'wait', 'arguments': {'seconds': 0.1}}]}
    server = home.server([OK])
    home.run('ask', '--provider', 'fake', '--max-cost', '0.01', '--max-day-cost', '0.01', 'go on',
             status=0)
    total = json.loads(home.run('usage', '--json', status=0).stdout)['total']
    equal((total['cost_usd'], total['cost_complete']), (None, False))
    with sqlite3.connect(home.path + '/data/gadget/gadget.db') as database:
        model, = database.execute('SELECT model FROM usage').fetchone()
        database.execute('INSERT INTO setting (key, value) VALUES (?, ?)',
                         (f'price/fake/{model}', '10000 -1 -1 10000'))
    database.close()

    server = home.server([call, call, OK])
    done = home.run('ask', '--provider', 'fake', '--max-cost', '0.9', 'go on', status=3)
    contains(done.stderr, 'The turn was aborted at its limit: $0.90.')
    equal(len(server.requests()), 2)
    # The day is over the limit before the first request.
    server = home.server([OK])
    done = home.run('ask', '--provider', 'fake', '--max-day-cost', '1', 'go on', status=3)
    contains(done.stderr, 'The turn was aborted at its limit: $1.00 a day.')
    equal(len(server.requests()), 0)
    home.run('ask', '--max-cost', '-1', 'x', status=2)

    total = json.loads(home.run('usage', '--json', status=0).stdout)['total']
    equal((round(total['cost_usd'], 6), total['cost_complete'], total['replies'],
           total['sessions']), (1.38, True, 2, 2))
    contains(home.run('usage', '--by', 'day', status=0).stdout, '$1.38')
    contains(home.run('usage', '--csv', status=0).stdout, ',1.380000,1,0')
    home.run('usage', '--by', 'moon', status=2)


@test
def waits_for_the_provider(home):
    home.server([{'status': 429, 'body': {'error': {'message': 'slow down'}},
                  'headers': 'Retry-After: 1\r\n'}, OK])
    done = home.run('ask', '--provider', 'fake', 'go on', status=0)
    contains(done.stderr, 'Waiting for the provider: 1 s')
    equal(done.stdout, 'All is well.\n')


@test
def output_closed(home):
    server = home.server([FLOW, OK])
    running = Running(home, ['ask', '--provider', 'fake', 'talk'])
    while not running.rest:
        running.read(1)
    running.process.stdout.close()
    at = now_us()
    status = running.process.wait(PATIENCE)
    equal((status, running.process.stderr.read()), (3, b''))
    closed = (server.end_of(server.requests()[0]['connection']) - at) / 1000
    assert closed < 1000, f'the server saw the end after {closed} ms'
    session = json.loads(home.run('session', 'list', '--json').stdout)[0]['session']
    turn = home.show(session)['turns'][0]
    equal((turn['status'], turn['stop_reason']), ('aborted', 'closed'))


@test
def output_closed_before_anything(home):
    server = home.server([{'steps': [{'stall': True}]}])
    running = home.start('--provider', 'fake', 'talk')
    wait_until(server.requests, 'the request')
    running.process.stdout.close()
    equal(running.process.wait(PATIENCE), 3)


@test
def lost_output_is_no_success(home):
    home.server([OK])
    home.run('ask', '--provider', 'fake', 'x', status=0)
    for arguments, status in ((['session', 'list'], 1), (['session', 'list', '--json'], 1),
                              (['provider', 'list'], 1), (['ask', '--provider', 'fake', 'x'], 3)):
        with open('/dev/full', 'w', encoding='ascii') as full:
            done = subprocess.run([CLI, *arguments], stdout=full, stderr=subprocess.PIPE, text=True,
                                  env=home.environment(), timeout=60, check=False)
        equal(done.returncode, status, arguments)
        equal(done.stderr.count('No space left'), 1, done.stderr)


@test
def data_that_cannot_be_opened(home):
    database = home.path + '/data/gadget/gadget.db'
    home.run('session', 'list', status=0)
    with open(database, 'r+b') as file:
        file.write(b'no database' * 1000)
    contains(home.run('ask', 'x', status=1).stderr, 'Move it away')
    contains(home.json('ask', 'x', status=1)[-1]['error']['hint'], 'Move it away')
    contains(home.run('session', 'list', status=1).stderr, 'Move it away')
    os.unlink(database)
    home.run('session', 'list', status=0)
    connection = sqlite3.connect(database)
    connection.execute('PRAGMA user_version = 99')
    connection.commit()
    connection.close()
    contains(home.run('session', 'list', status=1).stderr, 'update this one')
    contains(home.run('ask', 'x', status=1).stderr, 'update this one')


@test
def second_sigint_leaves_at_once(home):
    need_shell(home)
    mark = f'317.{os.getpid()}1'
    server = home.server([shell_call(f"trap '' TERM; echo begun; sleep {mark} & wait"), OK])
    running = home.start('--provider', 'fake', '--approve', 'auto', '--workspace', '.', 'run it')
    running.wait_for(lambda events: any(e['event'] == 'tool-output' for e in events), 'the command')
    running.signal(signal.SIGINT)
    time.sleep(0.05)
    at = running.signal(signal.SIGINT)
    status = running.process.wait(PATIENCE)
    took = (now_us() - at) / 1000
    equal(status, 130)
    assert took < 3000, f'it took {took} ms'
    last = running.finish()[1]
    equal((last['event'], last['stop_reason'], last['saved']), ('completed', 'signal', True))
    wait_until(lambda: not alive_with(mark), 'the end of the command', 3)
    session = session_of(running.events())
    turn = home.show(session)['turns'][0]
    equal((turn['status'], turn['stop_reason']), ('aborted', 'signal'))
    equal(home.json('ask', '--session', session, 'on')[-1]['status'], 'finished')
    del server


@test
def killed_mid_stream(home):
    server = home.server([FLOW, OK])
    running = home.start('--provider', 'fake', 'talk')
    running.wait_for_text(300)
    running.process.kill()
    running.process.wait()
    while running.open:
        running.read(0.1)
    # The last line may be cut.
    text = running.text()
    session = session_of(running.events())
    listed = json.loads(home.run('session', 'list', '--json', status=0).stdout)
    equal([(s['session'], s['status']) for s in listed], [(session, 'aborted')])
    turn = home.show(session)['turns'][0]
    equal((turn['status'], turn['stop_reason']), ('aborted', 'interrupted'))
    kept = texts(turn)
    assert text.startswith(kept) or kept.startswith(text), (text, kept)
    # 250 ms at 100 words a second, and as much again for a busy machine.
    assert len(kept) >= len(text) - 2 * 25 * len('word '), (len(kept), len(text))
    check_next_message(home, server, session, kept)


@test
def two_on_one_session(home):
    server = home.server([OK, FLOW, OK])
    session = session_of(home.json('ask', '--provider', 'fake', 'first'))
    running = home.start('--session', session, 'talk')
    running.wait_for_text()
    done = home.run('ask', '--session', session, 'me too', status=1)
    contains(done.stderr, 'busy')
    last = home.json('ask', '--session', session, 'me too', status=1)[-1]
    equal((last['status'], last['turn']), ('error', None))
    equal(len(server.requests()), 2, 'requests')
    length = len(running.text())
    running.wait_for_text(length + 20)
    running.signal(signal.SIGINT)
    equal(running.finish()[0], 130)
    equal(home.json('ask', '--session', session, 'now')[-1]['status'], 'finished')
    equal(len(home.show(session)['turns']), 3, 'turns')


if __name__ == '__main__':
    sys.exit(run())
