# SPDX-License-Identifier: GPL-3.0-or-later
"""Chats that gadget-cli exports."""

import base64
import json
import os
import signal
import sqlite3
import subprocess
import sys

from cli_user import CLI, OK, contains, equal, run, session_of, test

# Which rows an object contains, by the name of its member: their table and the condition.
PARTS = {'chats': ('session', 'parent IS NULL'), 'subagents': ('session', 'parent = {number}'),
         'queue': ('queued', 'session = {number}'), 'attached': ('attachment', 'session = {number}'),
         'turns': ('turn', 'session = {number}'), 'runs': ('run', 'turn = {number}'),
         'items': ('item', 'turn = {number}'), 'pieces': ('piece', 'turn = {number}'),
         'pictures': ('picture', 'turn = {turn} AND item = {position}')}
KEYS = {'number', 'session', 'turn', 'item', 'parent'}


def value_of(exported):
    return base64.b64decode(exported['base64']) if isinstance(exported, dict) else exported


def expect_rows(db, name, exported, owner):
    """EXPORTED has each row of the table, each column, and the rows that belong to it."""
    table, condition = PARTS[name]
    rows = db.execute(f'SELECT * FROM {table} WHERE {condition.format(**owner)}').fetchall()
    equal(len(exported), len(rows), name)
    for row in rows:
        row = dict(row)
        expected = {column: value for column, value in row.items() if value is not None
                    and not (column in KEYS and isinstance(value, int))}
        found = [one for one in exported
                 if all(value_of(one.get(column)) == value for column, value in expected.items())]
        equal(len(found), 1, f'{name}: {expected}')
        parts = {member: found[0][member] for member in found[0] if member in PARTS}
        equal(set(found[0]) - set(parts), set(expected), name)
        for member, part in parts.items():
            expect_rows(db, member, part, row)


def open_database(home):
    db = sqlite3.connect(os.path.join(home.path, 'data', 'gadget', 'gadget.db'))
    db.row_factory = sqlite3.Row
    return db


def fill(home):
    """Chats with all kinds of rows; returns the ids of two of them."""
    home.server([{'reasoning': 'Hm.', 'text': 'I wait.', 'finish': 'tool_calls',
                  'tool_calls': [{'id': 'c1', 'name': 'wait', 'arguments': {'seconds': 0}}]}, OK, OK])
    first = session_of(home.json('ask', '--provider', 'fake', 'Wait “a bit”\n`x`'))
    second = session_of(home.json('ask', '--provider', 'fake', 'hello'))
    with open_database(home) as db:
        db.execute("INSERT INTO queued SELECT number, 0, 'later', NULL FROM session")
        db.execute("INSERT INTO attachment (id, session, kept, made_at, data) SELECT 'a' || number,"
                   " number, 1, 5, x'00ff' FROM session")
        db.execute("INSERT INTO picture (id, turn, item, position, name, mime_type, width, height,"
                   " data) SELECT 'p' || number, turn, position, 0, 'a.png', 'image/png', 1, 1,"
                   " x'89' FROM item")
        db.execute("INSERT INTO session (id, parent, created_at, updated_at) SELECT 'child', number,"
                   " 1, 1 FROM session WHERE id = ?", (second,))
        db.execute("INSERT INTO chat_folder VALUES ('f', 'Work', NULL), ('g', 'Inner', 'f')")
        db.execute("UPDATE turn SET error_detail = CAST (x'ff00fe' AS TEXT)")
    return first, second


@test
def export_json_has_every_row(home):
    first, second = fill(home)
    exported = json.loads(home.run('session', 'export', '--all', status=0).stdout)
    equal((exported['format'], exported['version']), ('gadget-chats', 1))
    equal([(one['id'], one.get('parent')) for one in exported['folders']],
          [('f', None), ('g', 'f')])
    equal([one['id'] for one in exported['chats']], [first, second])
    db = open_database(home)
    # What is not UTF-8 is exported as bytes.
    db.text_factory = lambda raw: raw.decode() if raw != b'\xff\x00\xfe' else raw
    expect_rows(db, 'chats', exported['chats'], {})
    one = json.loads(home.run('session', 'export', second, status=0).stdout)
    equal(one['chats'], exported['chats'][1:])


@test
def export_markdown(home):
    first, _ = fill(home)
    text = home.run('session', 'export', first, '--format', 'markdown', status=0).stdout
    for part in ('# Wait “a bit”', '## You\n\nWait “a bit”\n`x`\n', '## fake-model\n\nI wait.\n',
                 '> Waited', OK['text']):
        contains(text, part)
    assert 'Hm.' not in text, text
    contains(home.run('session', 'export', first, '--format', 'markdown', '--reasoning',
                      status=0).stdout, '> Hm.')


@test
def export_to_file(home):
    first, _ = fill(home)
    path = os.path.join(home.work, 'chats.json')
    with open(path, 'w', encoding='utf-8') as file:
        file.write('old')
    for arguments, complaint in (([first, 'f' * 24], 'there is no session'), ([], 'is needed'),
                                 ([first, '--all'], 'do not go together'),
                                 ([first, '--format', 'pdf'], 'is not a format')):
        done = home.run('session', 'export', *arguments, '--output', path)
        assert done.returncode in (1, 2), done
        contains(done.stderr, complaint)
        equal(os.listdir(home.work), ['chats.json'])
        with open(path, encoding='utf-8') as file:
            equal(file.read(), 'old')
    os.unlink(path)
    contains(home.run('session', 'export', first, '--output', path, status=0).stderr,
             '1 chat was exported')
    with open(path, encoding='utf-8') as file:
        equal([one['id'] for one in json.load(file)['chats']], [first])
    equal(os.stat(path).st_mode & 0o77, 0)


@test
def export_is_stopped(home):
    """A reader that takes nothing does not keep the program, nor does one that has gone."""
    fill(home)
    with open_database(home) as db:
        db.execute("UPDATE item SET text = hex (zeroblob (500000))")
    for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        process = subprocess.Popen([CLI, 'session', 'export', '--all'], stdout=subprocess.PIPE,
                                   env=home.environment(), cwd=home.work)
        process.stdout.read(1000)
        process.send_signal(number)
        equal(process.wait(20), status)
        process.stdout.close()
    process = subprocess.Popen([CLI, 'session', 'export', '--all'], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, env=home.environment(), cwd=home.work)
    process.stdout.read(1000)
    process.stdout.close()
    process.wait(20)
    assert process.returncode != 0, process.returncode
    process.stderr.close()


if __name__ == '__main__':
    sys.exit(run())
