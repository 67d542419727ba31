# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that are given with what is asked: read before anything is sent."""

import base64
import json
import os
import signal
import struct
import subprocess
import sys
import time
import zlib

from cli_user import (CLI, OK, PATIENCE, Running, contains, equal, run, session_of, test,
                      wait_until)


def put(home, name, content, mode=0o644):
    path = os.path.join(home.work, name)
    with open(path, 'wb') as file:
        file.write(content)
    os.chmod(path, mode)
    return path


def png(side=2):
    def chunk(kind, data):
        return (struct.pack('>I', len(data)) + kind + data
                + struct.pack('>I', zlib.crc32(kind + data)))
    rows = b''.join(b'\0' + b'\x40\x80\xc0' * side for _ in range(side))
    return (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', side, side, 8, 2, 0, 0, 0))
            + chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))


def put_pdftotext(home, script):
    """Where the user's own programs are, which the sandbox can see."""
    folder = home.path + '/.local/bin'
    os.makedirs(folder, exist_ok=True)
    with open(folder + '/pdftotext', 'w', encoding='ascii') as file:
        file.write('#!/bin/sh\n' + script + '\n')
    os.chmod(folder + '/pdftotext', 0o755)
    home.extra['PATH'] = folder + ':' + os.environ['PATH']


def nothing_was_kept(home, server):
    equal(server.requests(), [], 'requests')
    equal(json.loads(home.run('session', 'list', '--json', status=0).stdout), [], 'chats')


def sleepers(mark):
    """Processes, other than zombies, that sleep for MARK seconds."""
    listed = subprocess.run(['ps', '-e', '-o', 'stat=', '-o', 'args='], capture_output=True,
                            text=True, check=True).stdout.splitlines()
    return [line for line in listed
            if line.split(None, 1)[-1] == f'sleep {mark}' and not line.startswith('Z')]


# --- Given ---------------------------------------------------------------------------------------

@test
def attach_text_and_picture(home):
    server = home.server([OK, OK])
    put(home, 'notes.txt', 'Grüße an alle\n'.encode())
    picture = put(home, 'a picture.png', png())
    events = home.json('ask', '--provider', 'fake', '--attach', 'notes.txt', '--attach', picture,
                       'what is', 'this?')
    parts = json.loads(server.requests()[0]['body'])['messages'][-1]['content']
    words = ' '.join(part['text'] for part in parts if part['type'] == 'text')
    contains(words, 'Grüße an alle')
    contains(words, 'notes.txt')
    contains(words, 'what is this?')
    urls = [part['image_url']['url'] for part in parts if part['type'] == 'image_url']
    equal([base64.b64decode(url.partition(',')[2]) for url in urls], [png()])
    shown = home.show(session_of(events))['turns'][0]['attachments']
    equal([(a['name'], a['type'], a['bytes']) for a in shown],
          [('notes.txt', 'text/plain', 16), ('a picture.png', 'image/png', len(png()))])
    equal((shown[1]['width'], shown[1]['height']), (2, 2))
    contains(home.run('session', 'show', session_of(events), status=0).stdout,
             '> what is this?\n> [Attached: notes.txt]\n> [Attached: a picture.png]\n')
    # They are the turn's from then on, without the files.
    os.unlink(picture)
    home.json('ask', '--session', session_of(events), 'and now?')
    contains(server.requests()[1]['body'], base64.b64encode(png()).decode())
    contains(server.requests()[1]['body'], 'Grüße an alle')


@test
def attach_picture_that_is_not_shown(home):
    refusal = {'status': 500, 'content_type': 'application/json',
               'body': {'error': {'code': 500, 'message': 'image input is not supported'}}}
    server = home.server([refusal, OK, OK])
    put(home, 'a.png', png())
    words = 'The model does not take images'
    contains(home.run('ask', '--provider', 'fake', '--attach', 'a.png', 'this?', status=0).stderr,
             words)
    assert base64.b64encode(png()).decode() not in server.requests()[1]['body']
    assert words not in home.run('ask', '--provider', 'fake', 'and now?', status=0).stderr


@test
def attach_pdf(home):
    server = home.server([OK])
    put_pdftotext(home, 'tail -n 1; echo')
    put(home, 'a.pdf', b'%PDF-1.7\nwords of the paper')
    home.json('ask', '--provider', 'fake', '--attach', 'a.pdf', 'sum it up')
    contains(server.requests()[0]['body'], 'words of the paper')


@test
def attach_with_text_from_standard_input(home):
    server = home.server([OK])
    put(home, 'notes.txt', b'some notes')
    home.run('ask', '--provider', 'fake', '--attach', 'notes.txt', '-', input='from a pipe',
             status=0)
    contains(server.requests()[0]['body'], 'some notes')
    contains(server.requests()[0]['body'], 'from a pipe')


# --- Refused -------------------------------------------------------------------------------------

@test
def attach_wrong_usage(home):
    put(home, 'notes.txt', b'some notes')
    for names, part in ((['missing.txt'], 'there is no file “missing.txt”'),
                        (['notes.txt', 'missing.txt'], 'missing.txt'),
                        ([''], 'there is no file'), (['-'], 'there is no file'),
                        (['notes.txt'] * 21, 'more than 20 files')):
        options = [word for name in names for word in ('--attach', name)]
        done = home.run('ask', '--provider', 'guide', *options, 'x', status=2)
        equal(done.stdout, '')
        contains(done.stderr, part)
    assert not os.path.exists(home.path + '/data/gadget'), 'wrong usage touched the data'


@test
def attach_that_cannot_be_given(home):
    server = home.server([OK])
    put_pdftotext(home, 'exit 1')
    put(home, 'good.txt', b'good')
    put(home, 'program', b'\x7fELF\0\0\0')
    put(home, 'empty.txt', b'')
    put(home, 'long.txt', b'a' * (1024 * 1024 + 1))
    put(home, 'wide.png', png()[:16] + struct.pack('>II', 9000, 10) + png()[24:])
    put(home, 'broken.pdf', b'%PDF-1.7')
    os.mkdir(home.work + '/folder')
    os.mkfifo(home.work + '/pipe')
    for name, part in (('program', 'is not a picture, text or PDF'), ('empty.txt', 'nothing to read'),
                       ('long.txt', 'is too large'), ('wide.png', 'is too large'),
                       ('broken.pdf', 'is damaged'), ('folder', 'is not a file'),
                       ('pipe', 'is not a file')):
        done = home.run('ask', '--provider', 'fake', '--attach', 'good.txt', '--attach', name, 'x',
                        status=1)
        equal(done.stdout, '')
        contains(done.stderr, part)
        contains(done.stderr, name)
        last = home.json('ask', '--provider', 'fake', '--attach', name, 'x', status=1)[-1]
        equal((last['turn'], last['status'], last['stop_reason']), (None, 'error', None))
    contains(home.run('ask', '--provider', 'fake', '--attach', 'long.txt', 'x').stderr, '1 MiB')
    os.unlink(home.path + '/.local/bin/pdftotext')
    home.extra['PATH'] = home.path + '/.local/bin'
    contains(home.run('ask', '--provider', 'fake', '--attach', 'broken.pdf', 'x', status=1).stderr,
             'pdftotext')
    nothing_was_kept(home, server)


# --- Stopped while it is read --------------------------------------------------------------------

def start_slow(home, mark, *options):
    """An ask that waits for a pdftotext which sleeps for MARK seconds."""
    put_pdftotext(home, f'exec sleep {mark}')
    put(home, 'slow.pdf', b'%PDF-1.7')
    running = home.start('--provider', 'fake', '--attach', 'slow.pdf', *options, 'go')
    wait_until(lambda: sleepers(mark), 'pdftotext')
    return running


def check_stopped(home, server, running, mark, since, wanted):
    status, last = running.finish()
    took = time.monotonic() - since
    assert took < PATIENCE / 2, f'it took {took} s'
    equal((status, last['event'], last['turn'], last['status'], last['stop_reason']),
          (wanted[0], 'completed', None, 'aborted', wanted[1]))
    contains(running.stderr, 'Nothing was sent')
    wait_until(lambda: not sleepers(mark), 'the end of pdftotext')
    nothing_was_kept(home, server)


@test
def attach_stopped_by_signals(home):
    server = home.server([OK])
    for mark, number in ((8111, signal.SIGINT), (8112, signal.SIGTERM), (8113, signal.SIGHUP)):
        running = start_slow(home, mark)
        since = time.monotonic()
        running.signal(number)
        check_stopped(home, server, running, mark, since, (128 + number, 'signal'))


@test
def attach_stopped_by_deadline(home):
    server = home.server([OK])
    since = time.monotonic()
    running = start_slow(home, 8121, '--deadline', '1')
    check_stopped(home, server, running, 8121, since, (3, 'deadline'))
    assert time.monotonic() - since >= 1


@test
def attach_stopped_by_another_program(home):
    home.start_bus()
    server = home.server([OK])
    running = start_slow(home, 8131)
    listed = json.loads(home.run('run', 'list', '--json', status=0).stdout)
    equal([run['kind'] for run in listed], ['attachment'])
    contains(listed[0]['in_flight'][0], 'slow.pdf')
    since = time.monotonic()
    done = home.run('run', 'abort', '--run', listed[0]['run'], '--json', status=0)
    equal(json.loads(done.stdout)['runs'], [listed[0]['run']])
    check_stopped(home, server, running, 8131, since, (3, 'api'))
    running = start_slow(home, 8132)
    since = time.monotonic()
    home.run('run', 'abort', '--all', status=0)
    check_stopped(home, server, running, 8132, since, (3, 'api'))


@test
def attach_stopped_in_a_chat(home):
    """The chat that it is for names it as well, and stays as it is."""
    home.start_bus()
    server = home.server([OK])
    session = session_of(home.json('ask', '--provider', 'fake', 'first'))
    model = home.show(session)['model']
    running = start_slow(home, 8141, '--session', session, '--model', 'other')
    home.run('run', 'abort', '--session', session, status=0)
    status, last = running.finish()
    equal((status, last['stop_reason']), (3, 'api'))
    equal(len(server.requests()), 1, 'requests')
    shown = home.show(session)
    equal((len(shown['turns']), shown['model']), (1, model))


@test
def attach_killed(home):
    server = home.server([OK])
    put_pdftotext(home, 'exec sleep 8151')
    put(home, 'slow.pdf', b'%PDF-1.7')
    running = Running(home, ['ask', '--provider', 'fake', '--attach', 'slow.pdf', 'go'])
    wait_until(lambda: sleepers(8151), 'pdftotext')
    running.process.kill()
    running.process.wait()
    # Its supervisor ends it when we are gone.
    wait_until(lambda: not sleepers(8151), 'the end of pdftotext')
    nothing_was_kept(home, server)


@test
def attach_deadline_goes_on(home):
    """What reading took is not given a second time."""
    home.server([{'steps': [{'stall': True}]}])
    put_pdftotext(home, 'sleep 2; echo words')
    put(home, 'slow.pdf', b'%PDF-1.7')
    since = time.monotonic()
    last = home.json('ask', '--provider', 'fake', '--deadline', '4', '--attach', 'slow.pdf', 'go',
                     status=3)[-1]
    took = time.monotonic() - since
    equal((last['status'], last['stop_reason']), ('aborted', 'deadline'))
    assert last['turn'] is not None and took >= 4, took


@test
def attach_help(home):
    done = subprocess.run([CLI, 'ask', '--help'], capture_output=True, text=True, check=True,
                          env=home.environment())
    contains(done.stdout, '--attach=FILE')
    assert 'not supported' not in done.stdout


if __name__ == '__main__':
    sys.exit(run())
