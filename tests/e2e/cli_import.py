# SPDX-License-Identifier: GPL-3.0-or-later
"""Chats that gadget-cli imports."""

import contextlib
import copy
import fcntl
import json
import os
import signal
import sqlite3
import struct
import subprocess
import sys
import time
import zipfile

from cli_user import CLI, OK, contains, equal, run, session_of, test, wait_until

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'data', 'import')


def open_database(home):
    db = sqlite3.connect(os.path.join(home.path, 'data', 'gadget', 'gadget.db'))
    db.row_factory = sqlite3.Row
    return db


def write(home, name, value):
    path = os.path.join(home.work, name)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(value if isinstance(value, str) else json.dumps(value))
    return path


def sample(name):
    with open(os.path.join(DATA, name), encoding='utf-8') as file:
        return json.load(file)


def output(home, *arguments):
    """What a command prints as JSON."""
    return json.loads(home.run(*arguments, '--json', status=0).stdout)


def load(home, *paths):
    """Imports the files; returns the counts of the report that are not 0."""
    report = output(home, 'session', 'import', *paths)
    return {name: value for name, value in report.items() if value != 0 and name != 'import'}


@contextlib.contextmanager
def locked(home, chat, suffix, kind):
    """As if another process showed the chat or worked on it."""
    path = os.path.join(home.path, 'data', 'gadget', 'leases', f'{chat}.{suffix}')
    with open(path, 'w+', encoding='utf-8') as file:
        fcntl.fcntl(file, 37, struct.pack('hhxxxxqqixxxx', kind, 0, 0, 0, 0))  # F_OFD_SETLK
        yield
    if os.path.exists(path):
        os.unlink(path)


def export(home):
    """The export of everything, without its time."""
    done = json.loads(home.run('session', 'export', '--all', status=0).stdout)
    done.pop('exported_at')
    return done


def chats_by_title(home):
    """The chats without branches of them."""
    return {chat['title']: chat for chat in export(home)['chats'] if 'origin' not in chat}


def branches(home):
    """What the branches have behind what they share, and where that ends, by their last texts."""
    chats = {chat['id']: chat for chat in export(home)['chats']}
    found = {}
    for chat in chats.values():
        if 'origin' in chat:
            origin = [turn['id'] for turn in chats[chat['origin']]['turns']]
            shared = origin.index(chat['origin_turn']) + 1 if 'origin_turn' in chat else 0
            last = chat['turns'][-1]
            text = last['items'][-1]['text'] if last['items'] else last['prompt']
            found[text] = (shared, [turn['prompt'] for turn in chat['turns']])
    return found


def items(turn):
    return [(item['kind'], item['text']) for item in turn['items']]


@test
def import_of_own_export_is_the_same(home):
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
        db.execute("INSERT INTO chat_folder (id, name, parent) VALUES ('f', 'Work', NULL),"
                   " ('g', 'Inner', 'f')")
        db.execute("UPDATE session SET chat_folder = 'g', mode = 'accept-edits' WHERE id = ?",
                   (first,))
        db.execute("UPDATE turn SET error_detail = CAST (x'ff00fe' AS TEXT)")
        db.execute("UPDATE item SET result = CAST (x'ff00fe' AS TEXT)")
    before = export(home)
    path = write(home, 'mine.json', before)
    equal(load(home, path), {'unchanged': 2})
    equal(export(home), before)
    for one in (first, second):
        home.run('session', 'delete', one, '--force', status=0)
    with open_database(home) as db:
        db.execute('DELETE FROM deleted_session')
        db.execute('DELETE FROM chat_folder')
    equal(load(home, path), {'added': 2})
    # What an agent may do without asking is not imported.
    before['chats'][0]['mode'] = 'ask'
    equal(export(home), before)
    # A chat that was deleted comes back under another id, once.
    home.run('session', 'delete', second, '--force', status=0)
    equal(load(home, path), {'added': 1, 'unchanged': 1})
    equal(load(home, path), {'unchanged': 2})
    ids = [chat['id'] for chat in export(home)['chats']]
    assert second not in ids and first in ids and len(ids) == 2, ids


@test
def import_of_own_export_trusts_nothing(home):
    chat = {'id': 'a', 'number': 7, 'parent': 7, 'import': 7, 'mode': 'sandbox', 'title': 'T',
            'created_at': 2 ** 62, 'updated_at': -4, 'rules': [1], 'unknown': 1,
            'turns': [{'id': 't', 'position': 0, 'prompt': 'p', 'status': 'finished',
                       'stop_reason': 'none', 'started_at': 1, 'ended_at': 1, 'changed_at': 1,
                       'input_tokens': 2 ** 62, 'output_tokens': 0, 'usage_estimated': 0,
                       'items': [], 'number': 1, 'session': 1}]}
    others = [dict(chat, id='../../a'), dict(chat, id='b', turns=[5]), dict(chat, id='c'),
              dict(chat, id='d', turns=[dict(chat['turns'][0], id='e', prompt=None)]),
              dict(chat, id='f', turns=[dict(chat['turns'][0], id='g', prompt=[5])]), 7, None]
    path = write(home, 'x', {'format': 'gadget-chats', 'version': 1, 'chats': [chat] + others})
    equal(load(home, path), {'added': 1, 'broken': 5, 'foreign': 2})
    with open_database(home) as db:
        rows = db.execute('SELECT * FROM session').fetchall()
    equal([(row['mode'], row['parent'], row['created_at'], row['updated_at']) for row in rows],
          [('ask', None, 0, 0)])
    path = write(home, 'y', {'format': 'gadget-chats', 'version': 2, 'chats': [dict(chat, id='z')]})
    done = home.run('session', 'import', path)
    equal(done.returncode, 1)
    contains(done.stderr, 'newer version')


@test
def import_of_chatgpt(home):
    equal(load(home, os.path.join(DATA, 'chatgpt.json')),
          {'added': 2, 'branches': 2, 'empty': 1, 'broken': 1, 'foreign': 1, 'missing_files': 2})
    chats = chats_by_title(home)
    equal(set(chats), {'Rivers', 'First line of a prompt'})
    rivers = chats['Rivers']
    equal((rivers['archived'], rivers['pinned'], rivers['created_at'], rivers['updated_at']),
          (1, 0, 1700000000500, 1700000061500))
    equal([turn['prompt'] for turn in rivers['turns']],
          ['How long is the Rhine?\n\nIn kilometres.',
           'And this?\n\n[Not imported: map.png]\n\n[Not imported: notes.pdf]'])
    first = rivers['turns'][0]
    equal(items(first), [
        ('reasoning', '**Looking it up**\n\nI should search.'), ('tool-call', '1233\n'),
        ('text', 'It is 1233 km long [Rhine  river ](<https://example.com/rhine>). See,or ask 【me】.')])
    equal([item['step'] for item in first['items']], [0, 0, 1])
    call = first['items'][1]
    equal((call['name'], json.loads(call['arguments']), call['result']),
          ('python', {'input': 'print(1233)'}, '1233\n'))
    equal((first['model'], first['started_at'], first['ended_at'], first['status']),
          ('gpt-4o', 1700000000500, 1700000005500, 'finished'))
    other = chats['First line of a prompt']
    equal((other['pinned'], other['created_at'], other['turns'][0]['started_at']),
          (1, 1700000000123, 1700000000123))
    equal(items(other['turns'][0]), [('text', 'yes � � end')])
    equal(other['turns'][0]['ended_at'], 1700000002000)
    text = json.dumps(export(home))
    for word in ('SECRET', 'javascript', 'Thought for', '\\ue2'):
        assert word not in text, word
    assert 'OLD BRANCH' not in json.dumps(chats), chats
    contains(text, 'OLD BRANCH')


@test
def import_of_claude(home):
    equal(load(home, os.path.join(DATA, 'claude.json')),
          {'added': 2, 'branches': 1, 'empty': 1, 'missing_files': 1})
    done = export(home)
    chats = chats_by_title(home)
    equal([folder['name'] for folder in done['folders']], ['Kitchen'])
    tea = chats['Tea']
    equal((tea['chat_folder'], tea['pinned'], tea['created_at'], tea['updated_at']),
          (done['folders'][0]['id'], 1, 1714557600000, 1714557900123))
    equal([turn['prompt'] for turn in tea['turns']],
          ['How hot?\n\n[Not imported: pot.jpg]', 'Thanks'])
    equal(json.loads(tea['turns'][0]['attachments']),
          [{'name': 'tea.txt', 'size': 5, 'text': 'green'}])
    equal(items(tea['turns'][0]), [('reasoning', 'Green tea.'), ('text', 'I look it up.'),
                                   ('tool-call', '80 C'), ('text', '80 degrees.')])
    equal(json.loads(tea['turns'][0]['items'][2]['arguments']), {'query': 'green tea'})
    equal(items(tea['turns'][1]), [('text', 'Welcome.')])
    equal(items(chats['Branches']['turns'][0]), [('text', 'new')])
    equal(branches(home), {'old': (0, ['one'])})


@test
def import_of_open_webui(home):
    equal(load(home, os.path.join(DATA, 'open-webui.json')),
          {'added': 3, 'branches': 1, 'empty': 1, 'missing_files': 1,
           'instructions_left_out': 1})
    chats = chats_by_title(home)
    clock = chats['What time is it?']
    equal((clock['archived'], clock['pinned'], clock['created_at'], clock['updated_at']),
          (1, 1, 1710000000000, 1710000061000))
    equal([turn['prompt'] for turn in clock['turns']],
          ['What time is it?\n\n[Not imported: a.txt]', 'And now?'])
    picture = json.loads(clock['turns'][0]['attachments'])[0]
    equal((picture['mime_type'], picture['size']), ('image/png', 8))
    equal([(row['id'], row['data']['base64'], row['kept']) for row in clock['attached']],
          [(picture['picture'], 'iVBORw0KGgo=', 1)])
    equal(items(clock['turns'][0]), [
        ('reasoning', 'I need\na clock.'), ('text', 'Let me see.'), ('tool-call', '12:00 &lt;noon&gt;'),
        ('text', 'It is noon. <details><summary>x</summary>y</details>')])
    call = clock['turns'][0]['items'][2]
    equal((call['name'], call['call_id'], json.loads(call['arguments'])),
          ('clock', 'call_1', {'zone': 'UTC'}))
    equal(items(clock['turns'][1]), [('note', 'The server is gone.')])
    equal(items(chats['Old']['turns'][0]), [('text', 'hello')])
    equal(chats['Circle']['turns'][0]['prompt'], 'b\n\na')
    text = json.dumps(export(home))
    assert 'SECRET' not in text and 'Be brief' not in text, text
    equal(list(branches(home)), ['OLD'])


@test
def import_of_alpaca(home):
    """The database is read with its log, and stays as it is, and alone."""
    folder = os.path.join(home.work, 'alpaca')
    os.mkdir(folder)
    path = os.path.join(folder, 'alpaca.db')
    db = sqlite3.connect(path)
    db.execute('PRAGMA journal_mode = WAL')
    db.executescript("""
        CREATE TABLE chat (id TEXT PRIMARY KEY, name TEXT, folder TEXT, is_template INTEGER);
        CREATE TABLE chat_folder (id TEXT PRIMARY KEY, name TEXT, color TEXT, parent TEXT);
        CREATE TABLE message (id TEXT, chat_id TEXT, role TEXT, model TEXT, date_time DATETIME,
                              content TEXT);
        CREATE TABLE attachment (id TEXT, message_id TEXT, type TEXT, name TEXT, content TEXT);
        CREATE TABLE instance (id TEXT, pinned INTEGER, type TEXT, properties TEXT);
        INSERT INTO instance VALUES ('i', 0, 'openai', '{"api": "SECRET"}');
        INSERT INTO chat_folder VALUES ('f', 'Wool', NULL, NULL);
        INSERT INTO chat VALUES ('c1', 'Yarn', 'f', 0), ('c2', 'Nothing', NULL, 0);
        INSERT INTO message VALUES
            ('m2', 'c1', 'assistant', 'llama3', '2025/03/01 12:00:05', 'Merino.'),
            ('m0', 'c1', 'system', NULL, '2025/03/01 11:00:00', 'SECRET system'),
            ('m1', 'c1', 'user', NULL, '2025/03/01 12:00:00', 'Which wool?');
        INSERT INTO attachment VALUES ('a', 'm1', 'plain_text', 'list.txt', 'red'),
            ('b', 'm1', 'image', 'sheep.png', 'iVBORw0KGgo='), ('t', 'm2', 'thought', 'Thought', 'Hm.');
        """)
    db.commit()
    files = {name: open(os.path.join(folder, name), 'rb').read() for name in os.listdir(folder)}
    assert len(files['alpaca.db-wal']) > 1000, files
    equal(load(home, path), {'added': 1, 'empty': 1, 'instructions_left_out': 1})
    equal({name: open(os.path.join(folder, name), 'rb').read() for name in os.listdir(folder)}, files)
    assert not os.path.exists(os.path.join(home.path, 'data', 'gadget', 'import'))
    db.close()
    os.chmod(folder, 0o500)
    equal(load(home, path), {'unchanged': 1, 'empty': 1, 'instructions_left_out': 1})
    os.chmod(folder, 0o700)
    equal(os.listdir(folder), ['alpaca.db'])
    done = export(home)
    turn = done['chats'][0]['turns'][0]
    equal((done['chats'][0]['title'], done['folders'][0]['name']), ('Yarn', 'Wool'))
    equal((turn['prompt'], turn['model']), ('Which wool?', 'llama3'))
    equal(turn['ended_at'] - turn['started_at'], 5000)
    files = json.loads(turn['attachments'])
    equal(files[0], {'name': 'list.txt', 'size': 3, 'text': 'red'})
    equal((files[1]['name'], files[1]['mime_type']), ('sheep.png', 'image/png'))
    equal(items(turn), [('reasoning', 'Hm.'), ('text', 'Merino.')])
    assert 'SECRET' not in json.dumps(done), done
    other = os.path.join(home.work, 'other')
    sqlite3.connect(other).executescript('CREATE TABLE chat (id, name); CREATE VIEW message AS'
                                         ' SELECT 1 AS id;')
    damaged = os.path.join(home.work, 'damaged')
    with open(path, 'rb') as whole, open(damaged, 'wb') as file:
        file.write(whole.read()[:5000] + b'x' * 5000)
    for name, complaint in ((other, 'another program'), (damaged, 'is damaged')):
        done = home.run('session', 'import', name)
        equal(done.returncode, 1, name)
        contains(done.stderr, complaint)


@test
def import_again_adds_what_is_new(home):
    whole = sample('claude.json')[:1]
    part = copy.deepcopy(whole)
    del part[0]['chat_messages'][2:]
    equal(load(home, write(home, 'a', part)), {'added': 1, 'missing_files': 1})
    equal(load(home, write(home, 'a', part)), {'unchanged': 1, 'missing_files': 1})
    chat = export(home)['chats'][0]['id']
    for suffix, kind in (('open', fcntl.F_RDLCK), ('lock', fcntl.F_WRLCK)):
        with locked(home, chat, suffix, kind):
            equal(load(home, write(home, 'b', whole)), {'kept': 1, 'missing_files': 1})
    equal(load(home, write(home, 'b', whole)), {'extended': 1, 'missing_files': 1})
    equal(load(home, write(home, 'b', whole), write(home, 'a', part)),
          {'unchanged': 1, 'kept': 1, 'missing_files': 2})
    done = export(home)
    equal([turn['prompt'] for turn in done['chats'][0]['turns']][1:], ['Thanks'])
    # The undo of each takes what it added, but not while a window shows the chat.
    with locked(home, export(home)['chats'][0]['id'], 'open', fcntl.F_RDLCK):
        equal(output(home, 'session', 'import', '--undo'), {'removed': 0, 'kept': 1})
    equal(output(home, 'session', 'import', '--undo'), {'removed': 1, 'kept': 0})
    equal(len(export(home)['chats'][0]['turns']), 1)
    # A chat that went on here stays as it is, also when its import is undone.
    chat = export(home)['chats'][0]
    home.server([OK])
    home.json('ask', '--provider', 'fake', '--session', chat['id'], 'and coffee?')
    equal(load(home, write(home, 'b', whole)), {'kept': 1, 'missing_files': 1})
    equal([turn['prompt'] for turn in export(home)['chats'][0]['turns']][1:], ['and coffee?'])
    equal(output(home, 'session', 'import', '--undo'), {'removed': 0, 'kept': 1})


@test
def import_undone_leaves_nothing(home):
    before = export(home)
    load(home, os.path.join(DATA, 'claude.json'))
    number = output(home, 'session', 'import', os.path.join(DATA, 'chatgpt.json'))['import']
    equal(output(home, 'session', 'import', '--undo', str(number)),
          {'removed': 4, 'kept': 0})
    equal(output(home, 'session', 'import', '--undo'), {'removed': 3, 'kept': 0})
    equal(export(home), before)
    with open_database(home) as db:
        for table in ('session', 'turn', 'item', 'import', 'chat_folder', 'attachment', 'picture'):
            equal(db.execute(f'SELECT count(*) FROM {table}').fetchone()[0], 0, table)
    contains(home.run('session', 'import', '--undo').stderr, 'no import to undo')
    # What was undone can be imported again.
    equal(load(home, os.path.join(DATA, 'claude.json')),
          {'added': 2, 'branches': 1, 'empty': 1, 'missing_files': 1})


@test
def import_of_broken_files(home):
    whole = json.dumps(sample('claude.json'))
    cut = write(home, 'cut', whole[:-300])
    equal(load(home, cut), {'added': 1, 'empty': 1, 'missing_files': 1, 'cut_files': 1})
    chat = {'uuid': 'x', 'name': 'X', 'chat_messages': [{'sender': 'human', 'text': 'x'}]}
    deep = '[' * 100000 + ']' * 100000
    path = os.path.join(home.work, 'broken')
    with open(path, 'wb') as file:
        file.write(b'\xef\xbb\xbf [{"a":}, {"uuid": tru}, {"uuid":"\xff\xfe", "name":"' + b'\x00'
                   + b'"}, {"deep":' + deep.encode() + b'}, "\\ud800", 1e999, nul,,: '
                   + json.dumps(chat).encode() + b'] trailing')
    equal(load(home, path), {'added': 1, 'broken': 5, 'foreign': 3})
    # One object, and one on each line.
    lines = ''.join(json.dumps(dict(chat, uuid=f'l{i}')) + '\n' for i in range(3))
    equal(load(home, write(home, 'lines', lines)), {'added': 3})
    for name, value, complaint in (('a.json', '', 'cannot read'), ('b.json', '{}', 'no chats'),
                                   ('c', '\x89PNG\r\n', 'cannot read'), ('d', 'true', 'cannot read'),
                                   ('e', '[{"a": 1}]', 'no chats')):
        done = home.run('session', 'import', write(home, name, value), path)
        equal(done.returncode, 1, name)
        contains(done.stderr, complaint)
        contains(done.stderr, name)
    equal(home.run('session', 'import', os.path.join(home.work, 'none')).returncode, 1)
    equal(home.run('session', 'import').returncode, 2)


@test
def import_of_archives(home):
    def make(name, files, method=zipfile.ZIP_DEFLATED):
        path = os.path.join(home.work, name)
        with zipfile.ZipFile(path, 'w', method) as archive:
            for member, content in files.items():
                archive.writestr(member, content)
        return path

    with open(os.path.join(DATA, 'chatgpt.json'), encoding='utf-8') as file:
        chatgpt = file.read()
    claude = json.dumps(sample('claude.json')[:1])
    files = {'user.json': '{"email": "SECRET"}', '../../etc/conversations.json': chatgpt,
             'conversations-001.json': claude, 'chat.html': 'x' * 5000}
    wanted = {'added': 3, 'branches': 2, 'empty': 1, 'broken': 1, 'foreign': 1, 'missing_files': 3,
              'absent_files': 0}
    equal(load(home, make('a.zip', files)), {name: n for name, n in wanted.items() if n})
    equal(load(home, make('stored', files, zipfile.ZIP_STORED)),
          dict({name: n for name, n in wanted.items() if n and name not in ('added', 'branches')},
               unchanged=3))
    # The values of large archives are in other places.
    whole = bytearray(open(os.path.join(home.work, 'a.zip'), 'rb').read())
    end = whole.rindex(b'PK\x05\x06')
    size, offset = struct.unpack_from('<II', whole, end + 12)
    large = struct.pack('<4sQHHIIQQQQ', b'PK\x06\x06', 44, 45, 45, 0, 0, 4, 4, size, offset)
    large += struct.pack('<4sIQI', b'PK\x06\x07', 0, end, 1)
    struct.pack_into('<II', whole, end + 12, 0xffffffff, 0xffffffff)
    with open(os.path.join(home.work, 'large'), 'wb') as file:
        file.write(whole[:end] + large + whole[end:])
    equal(load(home, os.path.join(home.work, 'large'))['unchanged'], 3)
    bomb = make('bomb', {'conversations.json': '[' + ' ' * 80_000_000 + ']'})
    cut = os.path.join(home.work, 'cut')
    with open(cut, 'wb') as file:
        file.write(whole[:-300])
    # The archive says that a file is smaller than it is.
    lying = bytearray(open(make('lying', files), 'rb').read())
    at = lying.index(b'PK\x01\x02', lying.index(b'PK\x01\x02') + 4)
    struct.pack_into('<I', lying, at + 24, 100)
    with open(os.path.join(home.work, 'lying'), 'wb') as file:
        file.write(lying)
    encrypted = bytearray(open(os.path.join(home.work, 'stored'), 'rb').read())
    encrypted[encrypted.index(b'PK\x01\x02', encrypted.index(b'PK\x01\x02') + 4) + 8] |= 1
    with open(os.path.join(home.work, 'encrypted'), 'wb') as file:
        file.write(encrypted)
    # What is damaged in an archive costs that only: a text is not what was put there, another file
    # cannot be unpacked, one is not where it is said to be, and so is an archive in it.
    def damage(name, where, text):
        with open(os.path.join(home.work, where), 'rb') as file:
            data = bytearray(file.read())
        at = data.index(text)
        data[at + len(text)] ^= 0x55
        with open(os.path.join(home.work, name), 'wb') as file:
            file.write(data)
        return load(home, os.path.join(home.work, name))

    equal(damage('text', 'stored', b'"text": "How'),
          {**{name: n for name, n in wanted.items() if n and name not in ('added', 'branches')},
           'unchanged': 3, 'damaged_files': 1})
    deflated = damage('deflated', 'a.zip', b'conversations-001.json')
    equal((deflated['damaged_files'], deflated['unchanged'] >= 2), (1, True))
    local = damage('local', 'stored', b'SECRET"}PK\x03')
    equal((local['damaged_files'], local['unchanged']), (1, 1))
    with open(os.path.join(home.work, 'a.zip'), 'rb') as file:
        make('outer', {'conversations.json': chatgpt, 'b.zip': file.read()}, zipfile.ZIP_STORED)
    outer = damage('inner', 'outer', b'chat.html')
    equal((outer['damaged_files'], outer['unchanged']), (1, 2))
    start = time.monotonic()
    equal(home.run('session', 'import', bomb).returncode, 1)
    assert time.monotonic() - start < 20, 'the bomb was unpacked'
    for path, complaint in ((bomb, 'far more'), (cut, 'damaged'),
                            (os.path.join(home.work, 'lying'), 'far more'),
                            (os.path.join(home.work, 'encrypted'), 'is encrypted'),
                            (make('none', {'a.txt': 'x'}), 'no chats in this archive'),
                            (make('lzma', files, zipfile.ZIP_LZMA), 'Unpack it')):
        done = home.run('session', 'import', path)
        equal(done.returncode, 1, path)
        contains(done.stderr, complaint)
    equal(len(export(home)['chats']), 5)


def webui(chat, current, *nodes, **more):
    """A chat of Open WebUI with messages (ID, PARENT, ROLE, CONTENT)."""
    messages = {node[0]: dict(zip(('id', 'parentId', 'role', 'content'), node), timestamp=1710000000 + i)
                for i, node in enumerate(nodes)}
    return dict({'id': chat, 'title': chat,
                 'chat': {'history': {'messages': messages, 'currentId': current}}}, **more)


@test
def import_keeps_branches(home):
    """The pointer decides, branches are found again whichever was shown, and grow."""
    nodes = [('u1', None, 'user', 'one'), ('a1', 'u1', 'assistant', 'first'),
             ('u2', 'a1', 'user', 'two'), ('a2', 'u2', 'assistant', 'second'),
             ('u2b', 'a1', 'user', 'two again'), ('a2b', 'u2b', 'assistant', 'other'),
             ('a2c', 'u2b', 'assistant', 'third model')]
    equal(load(home, write(home, 'a', [webui('W', 'a2', *nodes)])), {'added': 1, 'branches': 2})
    equal([turn['prompt'] for turn in chats_by_title(home)['W']['turns']], ['one', 'two'])
    wanted = {'other': (1, ['one', 'two again']), 'third model': (1, ['one', 'two again'])}
    equal(branches(home), wanted)
    ids = {chat['id'] for chat in export(home)['chats']}
    for current in ('a2', 'a2b', 'a2c', 'gone', None):
        equal(load(home, write(home, 'a', [webui('W', current, *nodes)])), {'unchanged': 1})
    equal({chat['id'] for chat in export(home)['chats']}, ids)
    nodes += [('u3', 'a2b', 'user', 'three'), ('a3', 'u3', 'assistant', 'fourth')]
    equal(load(home, write(home, 'a', [webui('W', 'a2', *nodes)])), {'unchanged': 1, 'extended': 1})
    equal(branches(home)['fourth'], (1, ['one', 'two again', 'three']))
    # The newest message counts if none is named; parents may be missing, or go round.
    for current, chat in ((None, 'N'), ('gone', 'G')):
        load(home, write(home, 'b', [webui(chat, current, *nodes)]))
        equal([turn['prompt'] for turn in chats_by_title(home)[chat]['turns']],
              ['one', 'two again', 'three'])
    odd = [('x', 'none', 'user', 'lost'), ('y', 'x', 'assistant', 'found'), ('r', 'r', 'user', 'self'),
           ('p', 'q', 'user', 'p'), ('q', 'p', 'assistant', 'q')]
    equal(load(home, write(home, 'c', [webui('O', 'y', *odd)])), {'added': 1})
    # A chat that was deleted comes back under another id, and so does what its branches are of.
    home.run('session', 'delete', chats_by_title(home)['N']['id'], '--force', status=0)
    for chat in export(home)['chats']:
        if chat['title'] == 'N':
            home.run('session', 'delete', chat['id'], '--force', status=0)
    equal(load(home, write(home, 'b', [webui('N', None, *nodes)])), {'added': 1, 'branches': 2})
    equal(branches(home)['third model'], wanted['third model'])
    # Branches of branches cannot become millions.
    bush = []
    for i in range(2000):
        bush += [(f'u{i}', f'u{i - 1}' if i else None, 'user', f'u{i}'),
                 (f'a{i}', f'u{i}', 'assistant', f'a{i}')]
    report = load(home, write(home, 'd', [webui('B', None, *bush)]))
    equal(report['added'], 1)
    assert report['branches_left_out'] > 100, report
    # Undone, they are all gone.
    for _ in range(7):
        output(home, 'session', 'import', '--undo')
    equal(export(home)['chats'], [])


@test
def import_keeps_what_things_are(home):
    """Text that quotes markup stays text, and code that was run is a call."""
    quoted = 'Write it so:\n```\n<details type="reasoning">\n> x\n</details>\n```\nor <details type="reasoning">y</details>'
    code = ('<details type="code_interpreter" done="true" output="{&quot;stdout&quot;: &quot;4&quot;}">\n'
            '<summary>Analyzed</summary>\n```python\nprint(2 + 2)\n```\n</details>\nIt is 4.')
    load(home, write(home, 'a', [
        webui('Q', 'b', ('a', None, 'user', 'how?'), ('b', 'a', 'assistant', quoted)),
        webui('C', 'b', ('a', None, 'user', '2+2'), ('b', 'a', 'assistant', code),
              meta={'tags': ['sums', 'other']})]))
    chats = chats_by_title(home)
    equal(items(chats['Q']['turns'][0]), [('text', quoted)])
    turn = chats['C']['turns'][0]
    equal(items(turn), [('tool-call', '{"stdout": "4"}'), ('text', 'It is 4.')])
    equal((turn['items'][0]['name'], json.loads(turn['items'][0]['arguments'])),
          ('code_interpreter', {'input': 'print(2 + 2)'}))
    equal([folder['name'] for folder in export(home)['folders']], ['sums'])
    # A mark without an end is no mark, and nothing is read behind its text.
    load(home, write(home, 'b', [chatgpt('M', ('assistant', ['A \ue200entity\ue202["animal","Felix"'], {}))]))
    equal(items(chats_by_title(home)['M']['turns'][0]), [('text', 'Aentity["animal","Felix"')])


PNG = bytes.fromhex('89504e470d0a1a0a0000000d49484452000000030000000208060000')


def chatgpt(chat, *messages):
    """A chat of ChatGPT with messages (ROLE, PARTS, METADATA), and more as a dictionary."""
    mapping = {'root': {'id': 'root', 'parent': None, 'message': None}}
    for i, (role, parts, metadata, *more) in enumerate(messages):
        message = {'id': f'{chat}-{i}', 'author': {'role': role}, 'create_time': 1700000000 + i,
                   'content': {'content_type': 'multimodal_text', 'parts': parts},
                   'recipient': 'all', 'metadata': metadata}
        for values in more:
            message.update(values)
        mapping[f'n{i}'] = {'id': f'n{i}', 'parent': f'n{i - 1}' if i else 'root', 'message': message}
    return {'id': chat, 'title': chat, 'mapping': mapping, 'current_node': f'n{len(messages) - 1}'}


def image(pointer):
    return {'content_type': 'image_asset_pointer', 'asset_pointer': pointer}


@test
def import_finds_files_in_archives(home):
    """By their ids, in any archive of the export, also in one in another; the rest is named."""
    shown = chatgpt(
        'Pictures',
        ('user', [image('sediment://file_00aa'), 'Look'],
         {'attachments': [{'id': 'file_00aa', 'name': 'cat.png', 'mime_type': 'image/png'},
                          {'id': 'file-7Text', 'name': 'notes.md'}]}),
        ('assistant', ['draw a cat'], {}, {'recipient': 't2uay3k'}),
        ('tool', [image('file-service://file-Drawn')], {}, {'author': {'role': 'tool', 'name': 't2uay3k'}}),
        ('assistant', ['Here. \ue200entity\ue202["animal","Felix","x"]\ue201 \ue200cite\ue202turn0\ue201\uf8ff'],
         {'model_slug': 'gpt-5'}),
        ('user', [image('sediment://file_00a'), {'content_type': 'audio_asset_pointer',
                                                 'asset_pointer': 'sediment://file_00bb'}], {}))
    path = os.path.join(home.work, 'chats.zip')
    with zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED) as archive:
        archive.writestr('conversations-000.json', json.dumps([shown]))
        archive.writestr('conversations-002.json', '[]')
        archive.writestr('user/file_00aa.dat', PNG)
        archive.writestr('file_00aaa.dat', 'another one')
        archive.writestr('file_00bb.dat', b'RIFF\0\0\0\0WAVE\xff')
        archive.writestr('conversation_asset_file_names.json', json.dumps({'file_00bb.dat': 'voice.wav'}))
        link = zipfile.ZipInfo('conversations-003.json')
        link.create_system = 3
        link.external_attr = 0o120777 << 16
        archive.writestr(link, '/etc/passwd')
    media = os.path.join(home.work, 'media.zip')
    with zipfile.ZipFile(media, 'w') as archive:
        with zipfile.ZipFile(os.path.join(home.work, 'inner'), 'w', zipfile.ZIP_DEFLATED) as inner:
            inner.writestr('dalle-generations/file-Drawn-1234.webp', PNG)
            inner.writestr('file-7Text-notes.md', 'Buy milk')
        archive.write(os.path.join(home.work, 'inner'), 'part/inner.zip')
    equal(load(home, media, path), {'added': 1, 'missing_files': 2, 'absent_files': 1})
    chat = export(home)['chats'][0]
    first, second = chat['turns']
    files = json.loads(first['attachments'])
    equal([(file['name'], file.get('mime_type'), file.get('width'), file.get('text')) for file in files],
          [('cat.png', 'image/png', 3, None), ('notes.md', None, None, 'Buy milk')])
    equal(first['prompt'], 'Look')
    equal(items(first)[1], ('text', 'Here. Felix'))
    call = first['items'][0]
    equal((call['name'], len(call['pictures']), call['pictures'][0]['mime_type'], first['model']),
          ('t2uay3k', 1, 'image/png', 'gpt-5'))
    equal(second['prompt'], '[Not imported: image]\n\n[Not imported: voice.wav]')
    # An archive in an archive may have the chats, but no further one.
    whole = os.path.join(home.work, 'whole.zip')
    deep = os.path.join(home.work, 'deep.zip')
    for outer, inside in ((whole, path), (deep, whole)):
        with zipfile.ZipFile(outer, 'w', zipfile.ZIP_DEFLATED) as archive:
            archive.write(inside, 'export.zip')
    equal(load(home, whole)['unchanged'], 1)
    contains(home.run('session', 'import', deep).stderr, 'no chats in this archive')
    assert not [name for name in os.listdir(os.path.join(home.path, 'data', 'gadget'))
                if name.startswith('import')], 'a copy of an archive is left'
    home.run('session', 'import', '--undo', status=0)
    with open_database(home) as db:
        equal(db.execute('SELECT (SELECT count(*) FROM attachment), (SELECT count(*) FROM picture)')
              .fetchone()[:], (0, 0))


@test
def import_of_a_long_chain(home):
    chain = [(f'm{i}', f'm{i - 1}' if i else None, ('user', 'assistant')[i % 2], f'text {i}')
             for i in range(20000)]
    equal(load(home, write(home, 'a', [webui('L', None, *chain)])), {'added': 1})
    equal(len(export(home)['chats'][0]['turns']), 10000)
    # As many outputs of one call, and parts of one prompt.
    outputs = chatgpt('T', *[('tool', [f'part {i}'], {}) for i in range(5000)])
    prompts = chatgpt('P', *[('user', [f'part {i}'], {}) for i in range(5000)])
    equal(load(home, write(home, 'b', [outputs, prompts])), {'added': 2})
    chats = chats_by_title(home)
    equal(len(chats['T']['turns'][0]['items']), 1)
    equal(chats['P']['turns'][0]['prompt'].count('part'), 5000)


def get_memory(process):
    """The largest memory of a program until it ends, in MB."""
    memory = 0
    while process.poll() is None:
        with contextlib.suppress(OSError), open(f'/proc/{process.pid}/status', encoding='utf-8') as file:
            memory = max([memory, *(int(line.split()[1]) for line in file if line.startswith('VmHWM'))])
        time.sleep(0.01)
    equal(process.returncode, 0)
    return memory / 1024


@test
def import_of_a_large_chat(home):
    """It needs little memory; a text that would need much is left out."""
    def measure(*arguments):
        return get_memory(subprocess.Popen([CLI, 'session', *arguments], stdout=subprocess.DEVNULL,
                                           env=home.environment(), cwd=home.work))

    idle = measure('list')
    chain = [(f'm{i}', f'm{i - 1}' if i else None, ('user', 'assistant')[i % 2], f'text {i} ' * 30000)
             for i in range(200)]
    path = write(home, 'large', [webui('L', None, *chain)])
    for _program in ('another', 'Gadget'):
        memory = measure('import', path)
        assert memory - idle < 70 or 'GADGET_SANITIZED' in os.environ, f'{memory} MB, of which {idle} are of a command that does little'
        equal([len(chat['turns']) for chat in export(home)['chats']], [100])
        path = write(home, 'export', home.run('session', 'export', '--all', status=0).stdout)
        home.run('session', 'import', '--undo', status=0)
    giant = {'uuid': 'G', 'chat_messages': [{'uuid': 'g', 'sender': 'human', 'text': 'x' * 20_000_000}]}
    equal(load(home, write(home, 'giant', [giant, 5, giant])), {'too_large': 2, 'foreign': 1})


def many(home, n_chats):
    """A file with many chats."""
    path = os.path.join(home.work, 'many.json')
    with open(path, 'w', encoding='utf-8') as file:
        file.write('[')
        for i in range(n_chats):
            messages = [{'uuid': f'{i}-{j}', 'sender': ('human', 'assistant')[j % 2],
                         'text': f'word{j} ' * 100} for j in range(20)]
            file.write((',' if i else '') + json.dumps({'uuid': str(i), 'name': f'Chat {i}',
                                                        'chat_messages': messages}))
        file.write(']')
    return path


@test
def import_is_all_or_nothing(home):
    """After a stop or a kill nothing is seen of an import, and the next start removes it."""
    path = many(home, 12000)
    home.run('session', 'list', status=0)
    for number in (signal.SIGINT, signal.SIGKILL):
        process = subprocess.Popen([CLI, 'session', 'import', path], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, env=home.environment(), cwd=home.work)
        db = open_database(home)
        wait_until(lambda: db.execute('SELECT count(*) FROM session').fetchone()[0] > 20,
                   'the first chats')
        equal(output(home, 'session', 'list'), [])
        equal(export(home)['chats'], [])
        equal(output(home, 'session', 'search', 'word1')['n_matches'], 0)
        contains(home.run('session', 'import', path).stderr, 'Another import is going on')
        start = time.monotonic()
        process.send_signal(number)
        equal(process.wait(20), 130 if number == signal.SIGINT else -number)
        assert time.monotonic() - start < 10, 'the stop took too long'
        equal(output(home, 'session', 'list'), [])
        load(home, os.path.join(DATA, 'claude.json'))
        equal(db.execute('SELECT count(*) FROM session').fetchone()[0], 3)
        home.run('session', 'import', '--undo', status=0)
        equal(db.execute('SELECT count(*) FROM turn').fetchone()[0], 0)
        db.close()


@test
def import_lets_others_write(home):
    """What others write meanwhile neither fails nor waits for long, and each sees the other's chats."""
    home.server([OK] * 20)
    chat = session_of(home.json('ask', '--provider', 'fake', 'first'))
    path = many(home, 3000)
    process = subprocess.Popen([CLI, 'session', 'import', '--json', path], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, env=home.environment(), cwd=home.work)
    db = open_database(home)
    wait_until(lambda: db.execute('SELECT count(*) FROM session').fetchone()[0] > 20, 'the first chats')
    n_asked = 1
    while process.poll() is None or n_asked < 3:
        home.json('ask', '--provider', 'fake', '--session', chat, 'more')
        n_asked += 1
        if n_asked == 15:
            break
    report, errors = process.communicate(timeout=60)
    equal((json.loads(report)['added'], errors), (3000, b''))
    equal(len(output(home, 'session', 'list')), 3001)
    equal(db.execute('SELECT count(*) FROM turn JOIN session ON session.number = turn.session'
                     ' WHERE session.id = ?', (chat,)).fetchone()[0], n_asked)
    equal(db.execute('PRAGMA integrity_check').fetchone()[0], 'ok')
    db.close()


if __name__ == '__main__':
    sys.exit(run())
