#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The built gadget-cli, driven as a user or a script drives it.

usage: test_cli.py BUILD_DIR [NAME-PART]…

Each test gets a home of its own, no terminal and no session bus unless it asks for them, and a
model server on the loopback that follows a script. Output is TAP. Times are asserted with wide
margins: what is measured closely is measured in tests/bench.
"""

import contextlib
import fcntl
import glob
import json
import os
import pty
import re
import select
import signal
import sqlite3
import struct
import subprocess
import sys
import termios
import time

from cli_user import (BUILD, CLI, FLOW, PATIENCE, Running, Skip, contains, equal, now_us, run,
                      seen_runs, session_of, test, texts, wait_until)


OK = {'text': 'All is well.'}


def shell_call(command, call='c1'):
    return {'tool_calls': [{'id': call, 'name': 'shell', 'arguments': {'command': command}}],
            'finish': 'tool_calls'}


def alive_with(mark):
    """Processes, other than zombies, that have MARK in their command line."""
    found = []
    for path in glob.glob('/proc/[0-9]*'):
        try:
            with open(path + '/cmdline', 'rb') as file:
                line = file.read()
            with open(path + '/stat', encoding='utf-8', errors='replace') as file:
                state = file.read().rpartition(')')[2].split()[0]
        except OSError:
            continue
        if mark.encode() in line and state != 'Z':
            found.append((path, line))
    return found


def need_shell(home):
    """The shell tool is there only where a sandbox is."""
    server = home.server([OK], name='probe')
    home.json('ask', '--provider', 'probe', 'hello')
    if '"shell"' not in server.requests()[0]['body']:
        raise Skip('no sandbox can be had here')


# --- Asking --------------------------------------------------------------------------------------

@test
def guide_text(home):
    done = home.run('ask', '--provider', 'guide', 'hello', status=0)
    assert len(done.stdout) > 20 and done.stdout.endswith('\n'), done.stdout
    assert re.search(r'^Session [0-9a-f]{24}$', done.stderr, re.MULTILINE), done.stderr


@test
def guide_json(home):
    events = home.json('ask', '--provider', 'guide', 'hello')
    first, last = events[0], events[-1]
    equal(first['event'], 'run-started')
    equal(len(first['run']), 24, 'run id')
    equal((last['turn'], last['success'], last['message'], last['status'], last['stop_reason']),
          (first['turn'], True, 'finished', 'finished', None))
    equal(last['receipt'], [])
    assert set(last['usage']) == {'input_tokens', 'output_tokens', 'estimated'}
    shown = home.show(first['session'])
    equal(len(shown['turns']), 1)
    equal(texts(shown['turns'][0]), ''.join(e['delta'] for e in events if e['event'] == 'text'),
          'stored text')


@test
def server_answer(home):
    server = home.server([{'reasoning': 'Hm.', 'text': 'Hello you.'}])
    done = home.run('ask', '--provider', 'fake', 'one', 'two', status=0)
    equal(done.stdout, 'Hello you.\n')
    request = json.loads(server.requests()[0]['body'])
    equal(request['model'], 'fake-model')
    contains(request['messages'][-1]['content'], 'one two')
    events = home.json('ask', '--provider', 'fake', '--model', 'other', 'x')
    equal(json.loads(server.requests()[1]['body'])['model'], 'other')
    equal([e['delta'] for e in events if e['event'] == 'reasoning'], ['Hm.'])


@test
def output_and_error_in_one_place(home):
    call = {'id': 'c1', 'name': 'wait', 'arguments': {'seconds': 0}}
    home.server([{'text': 'I wait.', 'tool_calls': [call], 'finish': 'tool_calls'}, OK])
    done = subprocess.run([CLI, 'ask', '--provider', 'fake', 'go'], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, cwd=home.work,
                          env=home.environment(), timeout=60, check=True)
    lines = done.stdout.splitlines()
    equal(lines[0], 'I wait.')
    assert lines[1].startswith(('✓', '✗')), lines
    contains(lines, OK['text'])


GERMAN = {'LC_ALL': 'de_DE.UTF-8', 'LANGUAGE': 'de',
          'LOCPATH': os.path.join(BUILD, 'tests', 'data'),
          'GADGET_LOCALE_DIR': os.path.join(BUILD, 'po')}


@test
def tool_lines_are_in_the_language_of_who_reads_them(home):
    calls = [('read_file', {'path': 'notes.txt'}), ('list_dir', {}), ('wait', {'seconds': 0}),
             ('read_file', {'path': 'none.txt'})]
    calls = [{'id': f'c{i}', 'name': name, 'arguments': arguments}
             for i, (name, arguments) in enumerate(calls)]
    home.server([{'tool_calls': calls, 'finish': 'tool_calls'}, OK] * 2)
    with open(os.path.join(home.work, 'notes.txt'), 'w', encoding='utf-8') as file:
        file.write('one\n')
    lines = {'en': ['Read notes.txt · 1 line', 'Listed . · 1 entry', 'Waited 0.0 s',
                         'Reading none.txt · failed'],
                  'de': ['notes.txt gelesen · 1 Zeile', '. aufgelistet · 1 Eintrag',
                         '0,0 s gewartet', 'none.txt wird gelesen · fehlgeschlagen']}
    sessions = []
    for extra in ({}, GERMAN):
        home.extra = extra
        sessions.append(session_of(home.json('ask', '--provider', 'fake', '--workspace',
                                             home.work, '--approve', 'auto', 'go')))
    for session in sessions:
        for language, extra in (('en', {}), ('de', GERMAN)):
            home.extra = extra
            items = [item for item in home.show(session)['turns'][0]['items']
                     if item['kind'] == 'tool-call']
            equal([item['summary'] for item in items], lines[language], language)
            shown = home.run('session', 'show', session, status=0).stdout
            for line in lines[language]:
                contains(shown, line)


@test
def list_is_a_table_in_any_language(home):
    home.server([{'steps': [{'stall': True}]}, OK])
    home.extra |= GERMAN
    home.run('ask', '--provider', 'fake', '--deadline', '0.5', 'title', status=3)
    home.run('ask', '--provider', 'fake', 'title', status=0)
    lines = home.run('session', 'list', status=0).stdout.splitlines()
    contains(lines[1], 'abgebrochen')
    contains(lines[0], 'fertig')
    equal(lines[0].index('title'), lines[1].index('title'), 'the column of the title')


@test
def text_from_standard_input(home):
    server = home.server([OK])
    home.run('ask', '--provider', 'fake', '-', input='line one\nline “two”\n', status=0)
    contains(json.loads(server.requests()[0]['body'])['messages'][-1]['content'],
             'line one\nline “two”')
    home.run('ask', '--provider', 'fake', '-', input='\ufeffmarked \ufeff', status=0)
    equal(json.loads(server.requests()[1]['body'])['messages'][-1]['content'], 'marked \ufeff')
    equal(home.run('ask', '-', input='  \n', status=1).stdout, '')
    done = subprocess.run([CLI, 'ask', '-'], input=b'\xff\xfe', capture_output=True,
                          env=home.environment(), timeout=60, check=False)
    equal(done.returncode, 1)
    contains(done.stderr.decode(), 'UTF-8')


@test
def session_goes_on(home):
    server = home.server([{'text': 'The key is 42.'}, OK])
    session = session_of(home.json('ask', '--provider', 'fake', 'first'))
    home.json('ask', '--session', session, 'second')
    roles = [(m['role'], m['content']) for m in json.loads(server.requests()[1]['body'])['messages']
             if m['role'] != 'system']
    equal([role for role, _ in roles], ['user', 'assistant', 'user'])
    contains(roles[1][1], 'The key is 42.')
    listed = json.loads(home.run('session', 'list', '--json', status=0).stdout)
    equal([s['session'] for s in listed], [session])
    contains(home.run('session', 'list', status=0).stdout, session)
    contains(home.run('session', 'show', session, status=0).stdout, 'The key is 42.')
    home.run('session', 'delete', session, status=0)
    equal(json.loads(home.run('session', 'list', '--json', status=0).stdout), [])
    home.run('session', 'show', session, status=1)


@test
def what_was_not_sent_is_not_deleted(home):
    """Nor a chat that a window shows, by its lock file."""
    home.server([OK])
    session = session_of(home.json('ask', '--provider', 'fake', 'first'))
    folder = home.path + '/data/gadget'
    with sqlite3.connect(folder + '/gadget.db') as db:
        db.execute("UPDATE session SET draft = 'to be sent'")
    contains(home.run('session', 'delete', session, status=1).stderr, '--force')
    with sqlite3.connect(folder + '/gadget.db') as db:
        db.execute("UPDATE session SET draft = ''")
    with open(folder + '/leases/%s.open' % session, 'w+', encoding='utf-8') as window:
        # F_OFD_SETLK, a shared lock of the whole file.
        fcntl.fcntl(window, 37, struct.pack('hhqqi', fcntl.F_RDLCK, os.SEEK_SET, 0, 0, 0))
        contains(home.run('session', 'delete', session, status=1).stderr, 'open in a window')
        home.run('session', 'show', session, status=0)
        home.run('session', 'delete', '--force', session, status=0)
        equal(window.read(), 'deleted\n')
    home.run('session', 'show', session, status=1)
    home.run('ask', '--session', session, 'more', status=1)


@test
def what_is_named_is_kept(home):
    home.server([OK], name='one')
    server = home.server([OK], name='two')
    session = session_of(home.json('ask', '--provider', 'one', 'first'))
    home.json('ask', '--session', session, '--provider', 'two', '--model', 'm2', '--workspace', '.',
              'second')
    home.json('ask', '--session', session, 'third')
    equal([json.loads(r['body'])['model'] for r in server.requests()], ['m2', 'm2'])
    shown = home.show(session)
    equal((shown['provider'], shown['model'], shown['workspace']),
          ('two', 'm2', os.path.realpath(home.work)))


@test
def workspace_is_used(home):
    server = home.server([
        {'tool_calls': [{'id': 'c1', 'name': 'read_file', 'arguments': {'path': 'note.txt'}}],
         'finish': 'tool_calls'}, OK])
    with open(home.work + '/note.txt', 'w', encoding='utf-8') as file:
        file.write('a note to read\n')
    events = home.json('ask', '--provider', 'fake', '--workspace', '.', '--approve', 'auto', 'read')
    calls = [e for e in events if e['event'] == 'tool-call']
    equal([(c['name'], c['arguments']) for c in calls], [('read_file', {'path': 'note.txt'})])
    result = [e for e in events if e['event'] == 'tool-result']
    equal([(r['id'], r['status']) for r in result], [(calls[0]['id'], 'finished')])
    contains(result[0]['content'], 'a note to read')
    contains(server.requests()[1]['body'], 'a note to read')


# --- Wrong usage ---------------------------------------------------------------------------------

@test
def usage_errors(home):
    for arguments in (
            [], ['nonsense'], ['ask'], ['ask', '--nonsense', 'x'], ['ask', ''],
            ['ask', '--session', 'a', '--new', 'x'], ['ask', '--approve', 'perhaps', 'x'],
            ['ask', '--deadline', '-1', 'x'], ['ask', '--deadline', 'soon', 'x'],
            ['ask', '--workspace', '/nowhere/at/all', 'x'], ['ask', '--key-fd', '77', 'x'],
            ['ask', '--key-fd', '0', '-'], ['ask', '--attach', 'file', 'x'],
            ['provider'], ['provider', 'nonsense'], ['provider', 'add'],
            ['provider', 'add', 'x', '--base-url', 'http://localhost/v1'],
            ['provider', 'add', 'x', '--kind', 'openai-chat', '--base-url', 'nonsense'],
            ['provider', 'add', 'x', '--kind', 'nonsense', '--base-url', 'http://localhost/v1'],
            ['provider', 'add', 'not an id', '--kind', 'openai-chat', '--base-url', 'http://h/v1'],
            ['provider', 'test'], ['provider', 'list', 'x'],
            ['session'], ['session', 'show'], ['session', 'search', 'x'], ['session', 'export', 'x'],
            ['session', 'import', 'x'], ['run', 'abort'], ['run', 'abort', '--all', '--run', 'x'],
            ['run', 'list', 'x']):
        done = home.run(*arguments, status=2)
        if arguments:
            equal(done.stdout, '', f'{arguments}: standard output')
            contains(done.stderr, 'gadget-cli')
    assert not os.path.exists(home.path + '/data/gadget'), 'wrong usage touched the data'


@test
def help_and_version(home):
    assert re.match(r'^gadget-cli \d+\.\d+\.\d+$', home.run('--version', status=0).stdout)
    contains(home.run('--help', status=0).stdout, 'provider add')
    for command in (['ask'], ['provider', 'add'], ['provider', 'list'], ['session', 'show'],
                    ['run', 'abort'], ['run', 'list'], ['provider'], ['session'], ['run']):
        done = home.run(*command, '--help', status=0)
        contains(done.stdout, 'gadget-cli ' + ' '.join(command))
        equal(done.stderr, '')
    for option in ('session', 'new', 'provider', 'model', 'workspace', 'approve', 'deadline',
                   'max-steps', 'max-tokens', 'key-fd', 'json'):
        contains(home.run('ask', '--help', status=0).stdout, '--' + option)


@test
def unknown_ids(home):
    for arguments, part in ((['--session', 'f' * 24], 'session list'),
                            (['--provider', 'nobody'], 'provider list')):
        done = home.run('ask', *arguments, 'x', status=1)
        equal(done.stdout, '')
        contains(done.stderr, part)
        last = home.json('ask', *arguments, 'x', status=1)[-1]
        equal((last['turn'], last['success'], last['status'], last['stop_reason']),
              (None, False, 'error', None))
    for command in (['provider', 'test'], ['provider', 'remove'], ['provider', 'default'],
                    ['session', 'show'], ['session', 'delete']):
        home.run(*command, 'nobody', status=1)


# --- Providers -----------------------------------------------------------------------------------

@test
def providers(home):
    server = home.server([OK], models=['fake-model', 'second-model'])
    listed = {p['id']: p for p in json.loads(home.run('provider', 'list', '--json').stdout)}
    equal(listed['fake']['base_url'], server.url)
    equal(listed['fake']['model'], 'fake-model')
    contains(listed, 'guide')
    equal(home.run('provider', 'test', 'fake', status=0).stdout.split(),
          ['fake-model', 'second-model'])
    home.run('provider', 'default', 'fake', status=0)
    equal([i for i, p in ((p['id'], p) for p in json.loads(
        home.run('provider', 'list', '--json').stdout)) if p['default']], ['fake'])
    equal(home.run('ask', 'x', status=0).stdout, 'All is well.\n')
    home.run('provider', 'remove', 'fake', status=0)
    assert 'fake' not in home.run('provider', 'list', status=0).stdout
    home.run('provider', 'remove', 'guide', status=1)


@test
def provider_test_failures(home):
    home.run('provider', 'add', 'gone', '--kind', 'openai-chat', '--base-url',
             'http://127.0.0.1:9/v1', status=0)
    done = home.run('provider', 'test', 'gone', status=1)
    equal(done.stdout, '')
    contains(done.stderr, 'could not be reached')


def bad_replies():
    def body(status, content, kind='application/json'):
        return {'status': status, 'body': content, 'content_type': kind}

    head = {'head': 200, 'content_type': 'text/event-stream'}
    piece = 'data: {"choices":[{"index":0,"delta":{"content":"half"}}]}\n\n'
    return {
        'wrong key': body(401, {'error': {'message': 'Incorrect API key provided'}}),
        'wrong key, no words': body(401, ''),
        'html': body(200, '<!doctype html><html><body>It works!</body></html>', 'text/html'),
        'html 404': body(404, '<html><body>Not found</body></html>', 'text/html'),
        'missing model': body(404, {'error': {'message': 'The model `x` does not exist',
                                              'code': 'model_not_found'}}),
        'not SSE': {'steps': [head, {'chunk': 'this is no event stream\n\nat all\n\n'},
                              {'end': True}]},
        'broken JSON': {'steps': [head, {'chunk': 'data: {"choices":[{"del\n\n'}, {'end': True}]},
        '10 MB line': {'steps': [head, {'chunk': 'data: {"choices":[{"delta":{"content":"'},
                                 {'repeat': 'x' * 10000, 'n': 1100, 'per_second': 0},
                                 {'end': True}]},
        'cut': {'steps': [head, {'chunk': piece}, {'close': True}]},
    }


@test
def bad_inputs(home):
    for name, reply in bad_replies().items():
        # The second request of the session is answered well.
        server = home.server([reply], name='bad')
        done = home.run('ask', '--provider', 'bad', 'x', status=1)
        lines = [l for l in done.stderr.splitlines() if l.strip()]
        assert lines and lines[0].startswith('gadget-cli: '), f'{name}: {done.stderr}'
        assert len(lines) >= 3, f'{name}: nothing on what to do next: {done.stderr}'
        assert 'Traceback' not in done.stderr and 'CRITICAL' not in done.stderr, done.stderr
        events = home.json('ask', '--provider', 'bad', 'x', status=1)
        last = events[-1]
        equal((last['success'], last['status'], last['stop_reason']), (False, 'error', None), name)
        assert last['error']['code'].startswith('provider/'), (name, last)
        assert last['error']['title'] and last['error']['hint'], (name, last)
        session = session_of(events)
        if name == 'cut':
            equal(texts(home.show(session)['turns'][0]), 'half', 'what came before the cut')
        server.stop()
        home.server([OK], name='bad')
        again = home.json('ask', '--session', session, 'again')
        equal(again[-1]['status'], 'finished', f'after {name}')


@test
def unreachable(home):
    home.run('provider', 'add', 'gone', '--kind', 'openai-chat', '--base-url',
             'http://127.0.0.1:9/v1', '--model', 'm', status=0)
    done = home.run('ask', '--provider', 'gone', 'x', status=1)
    contains(done.stderr, 'could not be reached')
    contains(done.stderr, 'Check')


# --- Stopping ------------------------------------------------------------------------------------

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


# --- Tools ---------------------------------------------------------------------------------------

@test
def abort_leaves_no_process(home):
    need_shell(home)
    mark = f'318.{os.getpid()}2'
    server = home.server([shell_call(
        f"sleep {mark} & setsid sleep {mark} & trap '' TERM; echo begun; sleep {mark}"), OK])
    running = home.start('--provider', 'fake', '--approve', 'auto', '--workspace', '.', 'run it')
    running.wait_for(lambda events: any(e['event'] == 'tool-output' for e in events), 'the command')
    wait_until(lambda: len(alive_with(mark)) >= 3, 'the processes')
    running.signal(signal.SIGINT)
    status, last = running.finish()
    equal((status, last['status']), (130, 'aborted'), running.stderr)
    equal(alive_with(mark), [], 'survivors')
    contains([line['kind'] for line in last['receipt']], 'process')
    result = [e for e in running.events() if e['event'] == 'tool-result']
    equal([r['status'] for r in result], ['aborted'])
    contains(result[0]['content'], 'begun')
    equal(len(server.requests()), 1, 'requests')
    equal(home.json('ask', '--session', session_of(running.events()), 'on')[-1]['status'],
          'finished')
    contains(server.requests()[-1]['body'], 'begun')


@test
def killed_leaves_no_process(home):
    need_shell(home)
    mark = f'319.{os.getpid()}3'
    home.server([shell_call(f'echo begun; sleep {mark}')])
    running = home.start('--provider', 'fake', '--approve', 'auto', '--workspace', '.', 'run it')
    running.wait_for(lambda events: any(e['event'] == 'tool-output' for e in events), 'the command')
    running.process.kill()
    running.process.wait()
    wait_until(lambda: not alive_with(mark), 'the end of the command', 3)


@test
def approve_auto_runs(home):
    need_shell(home)
    server = home.server([shell_call('echo $((6 * 7)) > made; cat made'), OK])
    events = home.json('ask', '--provider', 'fake', '--approve', 'auto', '--workspace', '.', 'go')
    result = [e for e in events if e['event'] == 'tool-result'][0]
    equal(result['status'], 'finished')
    contains(result['content'], '42')
    with open(home.work + '/made', encoding='utf-8') as file:
        equal(file.read(), '42\n')
    contains(server.requests()[1]['body'], '42')


@test
def changes_are_undone(home):
    need_shell(home)
    note = home.work + '/note'
    with open(note, 'w', encoding='utf-8') as file:
        file.write('before\n')
    home.server([shell_call('echo after > note; mkdir made; touch made/file; exit 3'), OK])
    events = home.json('ask', '--provider', 'fake', '--approve', 'auto', '--workspace', '.', 'go')
    turn = home.show(session_of(events))['turns'][0]
    equal([(e['kind'], e['outcome'], e['call'], e['recording']) for e in turn['effects']],
          [('command', 'exit 3', 'c1', 'done')])
    contains(turn['effects'][0]['subject'], 'echo after')

    listed = json.loads(home.run('undo', turn['turn'], '--list', '--json', status=0).stdout)
    equal([(os.path.basename(c['path']), c['change'], c['state'], c['lines_added'])
           for c in listed['changes']],
          [('made', 'added', 'done', None), ('file', 'added', 'done', 0),
           ('note', 'changed', 'done', 1)])
    home.run('undo', turn['turn'], status=0)
    with open(note, encoding='utf-8') as file:
        equal(file.read(), 'before\n')
    assert not os.path.exists(home.work + '/made'), 'the folder is still there'
    home.run('undo', turn['turn'], '--redo', status=0)
    with open(note, 'a', encoding='utf-8') as file:
        file.write('mine\n')
    contains(home.run('undo', turn['turn'], status=1).stderr, 'note')
    home.run('undo', turn['turn'], '--skip', status=0)
    with open(note, encoding='utf-8') as file:
        equal(file.read(), 'after\nmine\n')
    equal([e['kind'] for e in home.show(session_of(events))['turns'][0]['effects']],
          ['command', 'undo', 'redo', 'undo', 'undo'])


@test
def killed_leaves_a_record(home):
    need_shell(home)
    home.server([shell_call('echo begun; sleep 316')])
    running = home.start('--provider', 'fake', '--approve', 'auto', '--workspace', '.', 'run it')
    running.wait_for(lambda events: any(e['event'] == 'tool-output' for e in events), 'the command')
    running.process.kill()
    running.process.wait()
    # The lease of what was killed may be held a moment longer, by a process that it was starting;
    # then the next program records what the command did.
    end = time.monotonic() + PATIENCE
    while True:
        turn = home.show(session_of(running.events()))['turns'][0]
        if turn['effects'][0]['recording'] != 'pending' or time.monotonic() > end:
            break
        time.sleep(0.2)
    equal([(e['kind'], e['subject'], e['outcome'], e['recording']) for e in turn['effects']],
          [('command', 'echo begun; sleep 316', 'interrupted', 'partly')])


def refused(home, *arguments):
    server = home.server([shell_call('touch made'), OK])
    events = home.json('ask', '--provider', 'fake', '--workspace', '.', *arguments, 'go')
    result = [e for e in events if e['event'] == 'tool-result'][0]
    equal(result['status'], 'error')
    assert not os.path.exists(home.work + '/made'), 'it ran'
    equal(len(server.requests()), 2, 'the model is told')
    equal([e for e in events if e['event'] == 'permission'], [])
    return result


@test
def approve_never_refuses(home):
    need_shell(home)
    refused(home, '--approve', 'never')


@test
def without_terminal_nobody_is_there(home):
    need_shell(home)
    contains(refused(home)['content'], 'nobody is there')
    home.server([shell_call('touch made'), OK])
    done = home.run('ask', '--provider', 'fake', '--workspace', '.', 'go', status=0)
    contains(done.stderr, 'nobody is there to answer')
    home.server([{'tool_calls': [{'id': 'c1', 'name': 'ask_user',
                                  'arguments': {'question': 'Which?', 'choices': ['a', 'b']}}],
                  'finish': 'tool_calls'}, OK])
    events = home.json('ask', '--provider', 'fake', 'go')
    contains([e for e in events if e['event'] == 'tool-result'][0]['content'], 'obody is there')


class Terminal:
    """gadget-cli on a terminal of its own."""

    def __init__(self, home, *arguments):
        self.master, slave = pty.openpty()

        def take_terminal():
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        self.process = subprocess.Popen([CLI, *arguments], stdin=slave, stdout=slave,
                                        stderr=slave, env=home.environment(), cwd=home.work,
                                        preexec_fn=take_terminal, pass_fds=[slave])
        os.close(slave)
        self.seen = ''
        home.stack.callback(self.end)

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.master >= 0:
            os.close(self.master)

    def expect(self, part):
        end = time.monotonic() + PATIENCE
        while part not in self.seen:
            assert time.monotonic() < end, f'waited for {part!r}: {self.seen!r}'
            if select.select([self.master], [], [], 0.1)[0]:
                try:
                    self.seen += os.read(self.master, 65536).decode()
                except OSError:
                    raise AssertionError(f'it ended before {part!r}: {self.seen!r}') from None

    def type(self, text):
        os.write(self.master, text.encode())

    def drain(self):
        """Reads up to the end, which the last process on the terminal makes."""
        with contextlib.suppress(OSError):
            while select.select([self.master], [], [], PATIENCE)[0]:
                part = os.read(self.master, 65536)
                if not part:
                    return
                self.seen += part.decode()
            raise AssertionError(f'it does not end: {self.seen!r}')


ALLOW_IT = 'Allow it? (y/n, or a number) '


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


# --- Subagents -----------------------------------------------------------------------------------

def task_call(prompt, call='t1', **more):
    arguments = {'description': 'Look closely', 'prompt': prompt, **more}
    return {'tool_calls': [{'id': call, 'name': 'task', 'arguments': arguments}],
            'finish': 'tool_calls'}


@test
def subagent_reports(home):
    server = home.server([task_call('What is there?'), {'text': 'Three stones.'},
                          {'text': 'There are three.'}])
    events = home.json('ask', '--provider', 'fake', 'go')
    started, ended = [[e for e in events if e['event'] == 'subagent-' + kind][0]
                      for kind in ('started', 'ended')]
    equal((started['id'], started['title']), ('t1', 'Look closely'))
    equal((ended['id'], ended['session'], ended['turn'], ended['status']),
          ('t1', started['session'], started['turn'], 'finished'))
    equal([(e['delta'], e.get('subagent')) for e in events if e['event'] == 'text'],
          [('Three stones.', started['session']), ('There are three.', None)])
    result = [e for e in events if e['event'] == 'tool-result'][0]
    contains(result['content'], started['session'])
    # Its chat is its own, and in no list.
    body = json.loads(server.requests()[1]['body'])
    equal([m['content'] for m in body['messages'] if m['role'] == 'user'], ['What is there?'])
    listed = json.loads(home.run('session', 'list', '--json', status=0).stdout)
    equal([s['session'] for s in listed], [session_of(events)])
    # By its ID it can be read all the same.
    shown = home.run('session', 'show', started['session'], status=0)
    contains(shown.stdout, 'What is there?')
    contains(shown.stdout, 'Three stones.')
    contains(home.run('session', 'show', 'nobody', status=1).stderr, 'There is no session “nobody”.')


@test
def subagent_as_text(home):
    home.server([task_call('What is there?'), {'text': 'Three stones.'},
                 {'text': 'There are three.'}])
    done = home.run('ask', '--provider', 'fake', 'go', status=0)
    equal(done.stdout, 'There are three.\n')
    contains(done.stderr, '▸ Look closely: subagent started\n✓ Look closely\n')


@test
def subagent_stopped_and_continued(home):
    home.start_bus()
    server = home.server([task_call('talk'), FLOW, OK])
    running = home.start('--provider', 'fake', 'go')
    running.wait_for_text(50)
    started = [e for e in running.events() if e['event'] == 'subagent-started'][0]
    runs = seen_runs(home)
    equal([(r['kind'], r['run']) for r in runs],
          [('turn', runs[0]['run']), ('subagent', started['run'])])
    equal(runs[1]['parent'], runs[0]['run'])
    home.run('run', 'abort', '--run', started['run'], status=0)
    status, last = running.finish()
    equal((status, last['status'], last['receipt']), (0, 'finished', []))
    said = ''.join(e['delta'] for e in running.events() if e['event'] == 'text' and 'subagent' in e)
    result = [e for e in running.events() if e['event'] == 'tool-result'][0]
    equal(result['status'], 'aborted')
    contains(result['content'], said.strip())
    contains(result['content'], started['session'])
    server.end_of(server.requests()[1]['connection'])
    # The chat goes on with it, in another process.
    server = home.server([task_call('go on', **{'continue': started['session']}), OK, OK])
    home.json('ask', '--session', session_of(running.events()), 'again')
    messages = json.loads(server.requests()[1]['body'])['messages']
    contains([m['content'] for m in messages if m['role'] == 'assistant'][-1], said.strip())
    contains(messages[-1]['content'], 'go on')


@test
def guide_helpers_stop_with_the_turn(home):
    home.start_bus()
    running = home.start('--provider', 'guide', 'Hand work to a helper')

    # A call that was heard of has not begun yet: what goes on is asked of the run.
    def both_work(_):
        work = [line.split()[0] for run in seen_runs(home)[:1] for line in run['in_flight']]
        return work.count('subagent') == 2 and 'tool' in work
    running.wait_for(both_work, 'two subagents')
    # A call is shown when the model has made it, and is in flight a little later.
    wait_until(lambda: 'wait' in home.run('run', 'list', '--json', status=0).stdout, 'the tool')
    at = running.signal(signal.SIGINT)
    status, last = running.finish()
    assert now_us() - at < 5_000_000
    equal((status, last['status']), (130, 'aborted'))
    # The Guide may be writing at that moment, or a helper of it.
    kinds = sorted(line['kind'] for line in last['receipt'])
    equal([kind for kind in kinds if kind not in ('connection', 'reply')],
          ['subagent', 'subagent', 'tool'])
    equal([e['status'] for e in running.events() if e['event'] == 'subagent-ended'],
          ['aborted', 'aborted'])
    events = home.json('ask', '--session', session_of(running.events()), 'what happened')
    contains(''.join(e['delta'] for e in events if e['event'] == 'text'), '2 tools were stopped')


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


# --- Keys ----------------------------------------------------------------------------------------

KEY = 'sk-never-to-be-seen-7391'


def assert_key_is_nowhere(home):
    for folder, _, names in os.walk(home.path):
        for name in names:
            path = os.path.join(folder, name)
            if 'server-' in name or name == 'the-key' or not os.path.isfile(path):
                continue
            with open(path, 'rb') as file:
                assert KEY.encode() not in file.read(), f'the key is in {path}'


def assert_not_in_process(pid):
    for name in ('cmdline', 'environ'):
        with open(f'/proc/{pid}/{name}', 'rb') as file:
            assert KEY.encode() not in file.read(), f'the key is in {name}'


@test
def key_from_descriptor(home):
    server = home.server([FLOW, OK])
    reader, writer = os.pipe()
    os.write(writer, KEY.encode() + b'\n')
    os.close(writer)
    home.extra['G_MESSAGES_DEBUG'] = 'all'
    running = home.start('--provider', 'fake', '--key-fd', str(reader), 'talk', pass_fds=[reader])
    os.close(reader)
    running.wait_for_text()
    assert_not_in_process(running.process.pid)
    running.signal(signal.SIGINT)
    equal(running.finish()[0], 130)
    contains(server.requests()[0]['head'], 'Bearer ' + KEY)
    assert KEY not in running.stderr and KEY not in '\n'.join(running.lines)
    assert_key_is_nowhere(home)
    # It was for that run alone.
    home.json('ask', '--provider', 'fake', 'again')
    assert KEY not in server.requests()[1]['head']


@test
def key_from_file(home):
    need_shell(home)
    server = home.server([shell_call('env; cat /proc/self/environ /proc/*/environ; ls /proc/self/fd'),
                          OK], name='my-fake.1')
    path = home.path + '/the-key'
    with open(path, 'w', encoding='ascii') as file:
        file.write(KEY + '\n')
    os.chmod(path, 0o600)
    home.extra['GADGET_KEY_FILE_MY_FAKE_1'] = path
    events = home.json('ask', '--provider', 'my-fake.1', '--approve', 'auto', '--workspace', '.', 'go')
    contains(server.requests()[0]['head'], 'Bearer ' + KEY)
    assert KEY not in json.dumps(events), 'a tool can read the key'
    assert_key_is_nowhere(home)
    os.chmod(path, 0o644)
    done = home.run('ask', '--provider', 'my-fake.1', 'go')
    assert done.returncode == 1, 'a key file that others can read was taken'


@test
def key_typed_is_not_shown(home):
    terminal = Terminal(home, 'provider', 'add', 'x', '--kind', 'openai-chat', '--base-url',
                        'http://127.0.0.1:9/v1', '--key-stdin')
    terminal.expect('Key: ')
    terminal.type(KEY + '\n')
    terminal.expect('no keyring')
    assert KEY not in terminal.seen, terminal.seen
    assert termios.tcgetattr(terminal.master)[3] & termios.ECHO, 'the terminal stays silent'
    terminal.drain()
    for typed in ('\x03', '\x04'):
        terminal = Terminal(home, 'provider', 'add', 'y', '--kind', 'openai-chat', '--base-url',
                            'http://127.0.0.1:9/v1', '--key-stdin')
        terminal.expect('Key: ')
        terminal.type(typed)
        terminal.drain()
        assert terminal.process.wait(PATIENCE) in (1, 130), terminal.seen
    assert '\ny ' not in home.run('provider', 'list', status=0).stdout


@test
def key_without_keyring(home):
    done = home.run('provider', 'add', 'x', '--kind', 'openai-chat', '--base-url',
                    'http://127.0.0.1:9/v1', '--key-stdin', input=KEY + '\n', status=1)
    contains(done.stderr, 'no keyring')
    contains(done.stderr, '--key-fd')
    contains(home.run('provider', 'list', status=0).stdout, '127.0.0.1:9')
    assert_key_is_nowhere(home)


if __name__ == '__main__':
    sys.exit(run())
