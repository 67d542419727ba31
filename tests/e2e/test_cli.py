#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The built gadget-cli, driven as a user or a script drives it.

usage: test_cli.py BUILD_DIR [NAME-PART]…

Each test gets a home of its own, no terminal and no session bus unless it asks for them, and a
model server on the loopback that follows a script. Output is TAP. Times are asserted with wide
margins: what is measured closely is measured in tests/bench.
"""

import fcntl
import json
import os
import re
import sqlite3
import struct
import subprocess
import sys
import time

from cli_user import BUILD, CLI, OK, contains, equal, run, session_of, test, texts


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


@test
def output_and_error_of_a_slow_reader(home):
    """What is written later is read later, although the pipe is full meanwhile."""
    call = {'id': 'c1', 'name': 'wait', 'arguments': {'seconds': 0}}
    home.server([{'text': 'w' * 400_000, 'tool_calls': [call], 'finish': 'tool_calls'}, OK])
    process = subprocess.Popen([CLI, 'ask', '--provider', 'fake', 'go'], stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, cwd=home.work,
                               env=home.environment())
    time.sleep(1.5)
    lines = process.communicate(timeout=60)[0].splitlines()
    equal(lines[0], 'w' * 400_000)
    assert lines[1].startswith(('✓', '✗')), lines[1:]
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
            contains(shown, '✓ ' + lines[language][0])
            assert '(finished)' not in shown, shown


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


def listed(home, *arguments):
    return json.loads(home.run('session', 'list', '--json', *arguments, status=0).stdout)


@test
def chats_are_pinned_and_archived(home):
    home.server([OK, OK])
    one = session_of(home.json('ask', '--provider', 'fake', 'first'))
    two = session_of(home.json('ask', '--provider', 'fake', 'second'))
    before = {s['session']: s['updated_at'] for s in listed(home)}
    equal([(s['pinned'], s['archived'], s['unread'], s['folder'], s['folder_id'], s['origin'],
            s['origin_turn']) for s in listed(home)],
          [(False, False, False, None, None, None, None)] * 2)
    contains(home.run('session', 'pin', one, status=0).stderr, one)
    home.run('session', 'archive', two, status=0)
    equal([(s['session'], s['pinned'], s['archived']) for s in listed(home)],
          [(one, True, False)])
    equal([(s['session'], s['pinned'], s['archived']) for s in listed(home, '--archived')],
          [(two, False, True)])
    lines = home.run('session', 'list', status=0).stdout
    contains(lines, one)
    assert two not in lines, 'an archived chat is listed'
    contains(home.run('session', 'list', '--archived', status=0).stdout, two)
    equal((home.show(two)['archived'], home.show(one)['pinned']), (True, True))
    home.run('session', 'unpin', one, status=0)
    home.run('session', 'unarchive', two, status=0)
    equal([(s['session'], s['pinned'], s['archived']) for s in listed(home)],
          [(two, False, False), (one, False, False)])
    equal({s['session']: s['updated_at'] for s in listed(home)}, before, 'times of use')


@test
def chats_are_moved(home):
    home.server([OK])
    session = session_of(home.json('ask', '--provider', 'fake', 'first'))
    contains(home.run('session', 'move', session, 'Work', status=1).stderr, '--create')
    contains(home.run('session', 'list', '--folder', 'Work', status=1).stderr, 'Work')
    equal(listed(home)[0]['folder'], None)
    home.run('session', 'move', session, 'Work', '--create', status=0)
    work = listed(home)[0]
    equal((work['folder'], home.show(session)['folder']), ('Work', 'Work'))
    home.run('session', 'move', session, 'Work/Letters', '--create', status=0)
    equal(listed(home)[0]['folder'], 'Work/Letters')
    equal([s['session'] for s in listed(home, '--folder', 'Letters')], [session])
    equal(listed(home, '--folder', 'Work'), [])
    # By its id, and the folder that is there is not made again.
    home.run('session', 'move', session, work['folder_id'], status=0)
    home.run('session', 'move', session, 'Work', '--create', status=0)
    equal(listed(home)[0]['folder_id'], work['folder_id'])
    home.run('session', 'move', session, '--none', status=0)
    equal((listed(home)[0]['folder'], listed(home)[0]['folder_id']), (None, None))
    # Two of one name.
    home.run('session', 'move', session, 'Home/Letters', '--create', status=0)
    contains(home.run('session', 'move', session, 'Letters', status=1).stderr, 'More than one')
    home.run('session', 'move', session, 'Work/Letters', status=0)
    equal(listed(home)[0]['folder'], 'Work/Letters')
    for name in ('', ' ', 'New/ ', '/x'):
        home.run('session', 'move', session, name, '--create', status=1)
    home.run('session', 'list', '--folder', 'New', status=1)
    equal(listed(home)[0]['folder'], 'Work/Letters')


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


@test
def sessions_are_searched(home):
    home.server([OK])
    session = session_of(home.json('ask', '--provider', 'fake', '--workspace', home.path, 'Où est la clé?'))
    done = home.run('session', 'search', 'cle', status=0)
    contains(done.stdout, session)
    contains(done.stdout, 'Prompt: Où est la clé?')
    contains(done.stderr, '1 match in 1 chat')
    found = json.loads(home.run('session', 'search', 'well', '--json', status=0).stdout)
    equal((found['n_matches'], found['n_sessions'], found['complete']), (1, 1, True))
    match = found['sessions'][0]['matches'][0]
    equal((match['session'], match['kind'], match['text'], match['ranges']),
          (session, 'answer', 'All is well.', [[7, 11]]))
    for arguments, expected in ((['--workspace', home.path], 1), (['--workspace', '/'], 0),
                                (['--provider', 'fake'], 1), (['--status', 'error'], 0),
                                (['--since', '2020-01-01'], 1), (['--until', '2020-01-01'], 0),
                                (['--tool', 'shell'], 0), (['--changed-files'], 0),
                                (['--session', session], 1), (['--order', 'oldest'], 1)):
        found = json.loads(home.run('session', 'search', 'well', '--json', *arguments, status=0).stdout)
        equal(found['n_matches'], expected, str(arguments))
    contains(home.run('session', 'search', 'nowhere', status=0).stderr, 'Nothing was found')


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
            ['session'], ['session', 'show'], ['session', 'nonsense', 'x'], ['session', 'search'],
            ['session', 'search', '--since', 'soon', 'x'], ['session', 'search', '--status', 'x', 'x'],
            ['session', 'search', '--order', 'x', 'x'], ['session', 'search', '--limit', '-1', 'x'],
            ['run', 'abort'],
            ['session'], ['session', 'show'], ['session', 'nonsense', 'x'], ['run', 'abort'],
            ['session', 'pin'], ['session', 'archive', 'x', 'y'], ['session', 'move', 'x'],
            ['session', 'move', 'x', 'y', '--none'], ['session', 'move', 'x', '--none', '--create'],
            ['mcp', 'remove', 'x', '--json'], ['provider', 'default', 'x', '--json'], ['run', 'abort', '--all', '--run', 'x'],
            ['run', 'list', 'x']):
        done = home.run(*arguments, status=2)
        if arguments:
            equal(done.stdout, '', f'{arguments}: standard output')
            contains(done.stderr, 'gadget-cli')
    for command in (['session', 'show'], ['session', 'delete'], ['provider', 'test'],
                    ['mcp', 'remove'], ['permission', 'revoke'], ['provider', 'add']):
        contains(home.run(*command, status=2).stderr,
                 'gadget-cli ' + ' '.join(command) + ' --help”')
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
                    ['session', 'show'], ['session', 'delete'], ['session', 'pin'],
                    ['session', 'unarchive'], ['session', 'move', '--none']):
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


if __name__ == '__main__':
    sys.exit(run())
