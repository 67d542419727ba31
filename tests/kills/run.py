#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kills Gadget at random moments: "./dev test --kills N [SEED]", under with-display.

usage: run.py BUILD_DIR N [SEED]

Each of N rounds starts one thing that writes to the database (a streamed reply in the window or in
gadget-cli, a reply with tools, a search, a deletion, a move, an export, an import, a migration
with its backup) and sends SIGKILL at a moment that is drawn from the time which the thing takes.
After each kill the database is whole, no chat that was stored is gone, no chat is half deleted,
and the reply has all that was printed before the last journal. At the end the index of the search
holds what a new one holds. The kinds, the worst losses and the times of starts are printed.
"""

import collections
import contextlib
import glob
import json
import os
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
sys.path.insert(0, os.path.join(TESTS, 'e2e'))

from cli_user import BUILD, CLI, Home, wait_until  # noqa: E402

# The journal's promise is 250 ms; what comes through a pipe to a test on a busy machine is older.
JOURNAL_SECONDS = 1.5
GADGET = os.path.join(BUILD, 'src', 'gadget')
N_IMPORTED = 40
STREAM = {'text': 'word ', 'repeat': 400, 'per_second': 200}
CALL = {'tool_calls': [{'id': 'c1', 'name': 'wait', 'arguments': {'seconds': 0.2}}],
        'finish': 'tool_calls'}


class World:
    """A home, its model servers, and what must be found in its database."""

    def __init__(self, stack, rng):
        self.home = Home(stack)
        self.home.extra |= {name: os.environ[name]
                            for name in ('DISPLAY', 'DBUS_SESSION_BUS_ADDRESS') if name in os.environ}
        self.home.extra['GDK_DISABLE'] = 'gl,vulkan'
        self.rng = rng
        self.stream = self.home.server([STREAM] * 5000, name='stream')
        self.tools = self.home.server([CALL, STREAM] * 5000, name='tools')
        self.quick = self.home.server([{'text': 'apple pear plum'}] * 5000, name='quick')
        self.home.run('provider', 'default', 'stream', status=0)
        self.stored = set()  # chats that a command said are there, or the database had
        self.deleting = None
        self.reply = None  # the chat, when which piece was printed, when it was killed
        self.worst_loss = 0.0
        self.starts = []
        self.backups = 0
        self.usual = {}

    def environment(self):
        return self.home.environment() | {'GADGET_LOCALE_DIR': os.path.join(BUILD, 'po')}

    def database(self):
        return self.home.path + '/data/gadget/gadget.db'

    def add_chat(self, words):
        events = self.home.json('ask', '--provider', 'quick', words)
        self.stored.add(events[0]['session'])
        return events[0]['session']

    def pick(self):
        return self.rng.choice(sorted(self.stored))

    # --- What must hold ---

    def query(self, sql):
        return read_database(self.database(), sql)

    def check(self):
        """After a kill, and before anything repairs what it left."""
        answer = self.query('PRAGMA integrity_check')
        assert answer == [('ok',)], answer
        found = {row[0] for row in self.query('SELECT id FROM session')}
        lost = self.stored - found - {self.deleting}
        assert not lost, f'chats are gone: {lost}'
        if self.deleting is not None and self.deleting not in found:
            self.stored.discard(self.deleting)
        self.deleting = None
        orphans = self.query('SELECT count(*) FROM turn WHERE session NOT IN (SELECT number FROM session)')
        assert orphans == [(0,)], f'{orphans} turns without a chat'
        # The next start repairs, and opens every chat.
        listed = json.loads(self.home.run('session', 'list', '--json', status=0).stdout)
        assert listed is not None
        going_on = self.query("SELECT count(*) FROM turn WHERE status = 'processing'")
        assert going_on == [(0,)], f'{going_on} turns still go on'
        self.stored |= {row[0] for row in self.query('SELECT id FROM session WHERE parent IS NULL')}
        if self.reply is not None:
            self.check_reply(*self.reply)
        self.reply = None

    def check_reply(self, session, printed, killed_at):
        """The journal is read by the start that repairs."""
        if not printed:
            return
        row = self.query("SELECT item.text FROM item JOIN turn ON item.turn = turn.number"
                         " JOIN session ON turn.session = session.number"
                         f" WHERE session.id = '{session}' AND item.kind = 'text'")
        length = sum(len(text or '') for (text,) in row)
        seen = 0
        for at, piece in printed:
            seen += len(piece)
            if seen > length:
                loss = killed_at - at
                self.worst_loss = max(self.worst_loss, loss)
                assert loss < JOURNAL_SECONDS, f'text shown {loss:.2f} s before the kill is gone'
                return


# --- What is killed ----------------------------------------------------------------------------

def kill_after(world, arguments, seconds, **options):
    """Runs gadget-cli and kills it; TRUE if it had not ended."""
    process = subprocess.Popen([CLI, *arguments], env=world.environment(), cwd=world.home.work,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True, **options)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    killed = process.poll() is None
    process.kill()
    process.wait()
    return killed


def short_command(world, kind, arguments):
    if kind not in world.usual:
        start = time.monotonic()
        world.home.run(*arguments)
        world.usual[kind] = time.monotonic() - start
    return kill_after(world, arguments, world.rng.uniform(0, 0.9 * world.usual[kind]))


def ask(world, provider):
    seconds = world.rng.uniform(0.05, 2.2)
    running = world.home.start('--provider', provider, '--approve', 'auto', '--workspace',
                               world.home.work, f'w{world.rng.randrange(10**9)}')
    start = time.monotonic()
    printed, session, seen = [], None, 0
    while running.open and time.monotonic() < start + seconds:
        running.read(0.02)
        for line in running.lines[seen:]:
            event = json.loads(line)
            session = session or event.get('session')
            if event['event'] == 'text':
                printed.append((time.monotonic(), event['delta']))
        seen = len(running.lines)
    killed_at = time.monotonic()
    killed = running.process.poll() is None
    running.end()
    world.reply = (session, printed, killed_at)
    return killed


def window(world):
    """A message is written in a new window; the model server says whether it was sent."""
    before = len(world.stream.requests())
    start = time.monotonic()
    process = subprocess.Popen([GADGET], env=world.environment(), stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    word = f'w{world.rng.randrange(10**9)}'

    def xdo(*arguments):
        return subprocess.run(['xdotool', *arguments], env=world.environment(), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.split()
    try:
        if world.rng.random() < 0.2:  # while it starts
            time.sleep(world.rng.uniform(0, 0.4))
            return True
        found = wait_until(lambda: xdo('search', '--onlyvisible', '--pid', str(process.pid)), 'a window')
        world.starts.append(time.monotonic() - start)
        xdo('windowfocus', found[-1])
        time.sleep(0.5)
        xdo('type', word)
        xdo('key', 'Return')
        time.sleep(world.rng.uniform(0, 1.5))
        return process.poll() is None
    finally:
        process.kill()
        process.wait()
        sent = [r for r in world.stream.requests()[before:] if word in r['body']]
        if sent:
            prompts = world.query(f"SELECT count(*) FROM turn WHERE prompt LIKE '%{word}%'")
            assert prompts[0][0] >= 1, 'a message that was sent is not stored'


def search(world):
    return short_command(world, 'search', ['session', 'search', world.rng.choice(['apple', 'word', 'w1'])])


def delete(world):
    if len(world.stored) < 4:
        world.add_chat('one more')
    world.deleting = world.pick()
    killed = short_command(world, 'delete', ['session', 'delete', '--force', world.deleting])
    return killed


def move(world):
    arguments = world.rng.choice([['move', world.pick(), world.rng.choice(['Fruit', 'Trees/Old'])],
                                  ['pin', world.pick()], ['archive', world.pick()],
                                  ['unarchive', world.pick()]])
    return short_command(world, 'move', ['session', *arguments])


def export(world):
    target = os.path.join(world.home.work, 'export.json')
    with contextlib.suppress(FileNotFoundError):
        os.unlink(target)
    return short_command(world, 'export', ['session', 'export', '--all', '--output', target])


def make_message(number, parent, child, role, text):
    return {'id': number, 'parent': parent, 'children': [child] if child else [],
            'message': {'id': number, 'author': {'role': role}, 'create_time': 1.7e9,
                        'content': {'content_type': 'text', 'parts': [text]}, 'recipient': 'all'}}


def import_file(world):
    """Chats of another program come all or not at all."""
    mark = f'import{world.rng.randrange(10**9)}'
    chats = [{'id': f'{mark}-{i}', 'title': f'{mark} {i}', 'create_time': 1.7e9, 'update_time': 1.7e9,
              'current_node': 'b',
              'mapping': {'a': make_message('a', None, 'b', 'user', f'mango {i}'),
                          'b': make_message('b', 'a', None, 'assistant', 'word ' * 200)}}
             for i in range(N_IMPORTED)]
    path = os.path.join(world.home.work, 'conversations.json')
    with open(path, 'w', encoding='utf-8') as file:
        json.dump(chats, file)
    if 'import' not in world.usual:
        start = time.monotonic()
        world.home.run('session', 'import', path, status=0)
        world.usual['import'] = time.monotonic() - start
        return False
    killed = kill_after(world, ['session', 'import', path],
                        world.rng.uniform(0, world.usual['import']))

    def is_over():
        world.home.run('session', 'list', status=0)
        return world.query('SELECT count(*) FROM import WHERE ended_at IS NULL') == [(0,)]
    wait_until(is_over, 'the removal of what an import left')
    n = world.query(f"SELECT count(*) FROM session WHERE title LIKE '{mark} %'")[0][0]
    assert n in (0, N_IMPORTED), f'{n} chats of {N_IMPORTED} were imported'
    return killed


def read_database(path, sql):
    database = sqlite3.connect(path, timeout=20)
    try:
        return database.execute(sql).fetchall()
    finally:
        database.close()


def migrate(world):
    """An old database in a home of its own is copied and migrated, or stays what it was."""
    chats = 'SELECT id FROM session ORDER BY id'
    with contextlib.ExitStack() as stack:
        other = World.__new__(World)
        other.home = Home(stack)
        folder = other.home.path + '/data/gadget'
        path = folder + '/gadget.db'
        os.makedirs(folder)
        with open(world.rng.choice(sorted(glob.glob(os.path.join(TESTS, 'data', 'store-*.sql')))),
                  encoding='utf-8') as file, contextlib.closing(sqlite3.connect(path)) as database:
            database.executescript(file.read())
        wanted, version = read_database(path, chats), read_database(path, 'PRAGMA user_version')
        killed = kill_after(other, ['session', 'list'],
                            world.rng.uniform(0, world.usual.get('migration', 0.05)))
        backups = glob.glob(folder + '/backups/*.db')
        for each in [path, *backups]:
            assert read_database(each, 'PRAGMA integrity_check') == [('ok',)], each
            assert read_database(each, chats) == wanted, each
        world.backups += len(backups)
        start = time.monotonic()
        other.home.run('session', 'list', status=0)
        world.usual.setdefault('migration', time.monotonic() - start)
        assert read_database(path, chats) == wanted
        if read_database(path, 'PRAGMA user_version') != version:
            assert glob.glob(folder + '/backups/*.db'), 'there is no backup of the old database'
    return killed


KINDS = [(lambda world: ask(world, 'stream'), 'streaming', 4),
         (lambda world: ask(world, 'tools'), 'tools', 3),
         (window, 'window', 3), (search, 'search', 2), (delete, 'delete', 3), (move, 'move', 3),
         (export, 'export', 1), (import_file, 'import', 2), (migrate, 'migration', 2)]


# --- The index ---------------------------------------------------------------------------------

def settle(world):
    def is_settled():
        world.home.run('session', 'search', 'apple')
        return world.query('SELECT (SELECT count(*) FROM search_pending),'
                           ' (SELECT max(next) FROM search_build)') == [(0, 0)]
    wait_until(is_settled, 'the index', 120)


def read_index(world):
    database = sqlite3.connect(world.database(), timeout=20)
    try:
        database.execute('CREATE VIRTUAL TABLE temp.words USING fts5vocab (main, search, instance)')
        return database.execute('SELECT term, doc FROM temp.words ORDER BY term, doc').fetchall()
    finally:
        database.close()


def check_index(world):
    settle(world)
    before = read_index(world)
    database = sqlite3.connect(world.database(), timeout=20)
    with database:
        database.execute("INSERT INTO search (search) VALUES ('delete-all')")
        database.execute('DELETE FROM search_pending')
        database.execute('UPDATE search_build SET next = (SELECT max(number) FROM turn)')
    database.close()
    settle(world)
    after = read_index(world)
    assert before, 'the index is empty'
    assert before == after, f'{len(set(before) ^ set(after))} words differ from a new index'
    return len(before)


def main():
    rounds = int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(10**6)
    rng = random.Random(seed)
    counts, late = collections.Counter(), collections.Counter()
    print(f'seed {seed}', flush=True)
    with contextlib.ExitStack() as stack:
        world = World(stack, rng)
        for number in range(5):
            world.add_chat(f'chat {number}')
        for number in range(rounds):
            function, name, _ = rng.choices(KINDS, [weight for _, _, weight in KINDS])[0]
            try:
                late[name] += not function(world)
                counts[name] += 1
                world.check()
            except BaseException:
                kept = os.path.join(os.getcwd(), 'build', 'kills-failed')
                shutil.rmtree(kept, ignore_errors=True)
                shutil.copytree(world.home.path + '/data', kept)
                print(f'round {number} ({name}) failed; its data is in {kept}', flush=True)
                raise
            if number % 50 == 49:
                print(f'{number + 1} rounds', flush=True)
        words = check_index(world)
        for name, count in sorted(counts.items()):
            print(f'{name}: {count} kills' + (f', {late[name]} after its end' if late[name] else ''))
        print(f'{len(world.stored)} chats; {world.backups} whole backups after kills; {words} words of the index as in a new one')
        print(f'the oldest text that was lost had been printed {world.worst_loss * 1000:.0f} ms before its kill')
        if world.starts:
            print(f'window on the screen after {statistics.median(world.starts) * 1000:.0f} ms,'
                  f' at most {max(world.starts) * 1000:.0f} ms')


main()
