#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports of gadget-cli, beside a plain reader of the same file into SQLite.

    bench-import.py BUILD

Rows are counted in seconds of the processor, since imports wait for the disk and for others; memory
in MB above that of a command that lists chats."""

import json
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import zipfile

N_CHATS = 1000
N_MESSAGES = 30
N_CHAIN = 50000

CLI = os.path.join(sys.argv[1], 'src', 'cli', 'gadget-cli')


def row(case, metric, value, floor, limit, ok):
    print(json.dumps({'bench': 'import', 'case': case, 'metric': metric, 'n': 1,
                      'median': round(value, 2), 'p95': round(value, 2), 'worst': round(value, 2),
                      'floor': round(floor, 2), 'ratio': round(value / floor, 2) if floor else None,
                      'limit': limit, 'ok': ok}), flush=True)


def node(chat, i, text):
    return {'id': f'm{i}', 'parent': f'm{i - 1}' if i else None, 'children': [f'm{i + 1}'],
            'message': {'id': f'{chat}-{i}', 'create_time': 1700000000 + i, 'recipient': 'all',
                        'author': {'role': ('user', 'assistant')[i % 2], 'name': None, 'metadata': {}},
                        'content': {'content_type': 'text', 'parts': [text]}, 'weight': 1.0,
                        'status': 'finished_successfully', 'metadata': {'model_slug': 'gpt-4o'}}}


def write_chats(path, n_chats, n_messages, n_words):
    """ChatGPT's "conversations.json"; the same for the same numbers."""
    rand = random.Random(1)
    words = [''.join(rand.choices('abcdefghijklmnopqrstuvwxyz', k=rand.randint(2, 9)))
             for _ in range(20000)]
    texts = [' '.join(rand.choices(words, weights=[1 / (i + 2) for i in range(20000)], k=n_words))
             for _ in range(500)]
    with open(path, 'w', encoding='utf-8') as file:
        for chat in range(n_chats):
            mapping = {f'm{i}': node(chat, i, rand.choice(texts)) for i in range(n_messages)}
            file.write(('[' if chat == 0 else ',') + json.dumps(
                {'id': f'c{chat}', 'title': f'Chat {chat}', 'create_time': 1700000000 + chat,
                 'mapping': mapping, 'current_node': f'm{n_messages - 1}'}))
        file.write(']')


def get_memory(pid):
    """The largest memory of a process until now, in MB. That of wait4 () counts this process too."""
    try:
        with open(f'/proc/{pid}/status', encoding='utf-8') as file:
            return max((int(line.split()[1]) for line in file if line.startswith('VmHWM')), default=0) / 1024
    except OSError:
        return 0


def measure(command, home):
    """Runs the command; returns seconds, those of the processor, the largest memory and the status."""
    environment = dict(os.environ, HOME=home, XDG_DATA_HOME=home, XDG_CONFIG_HOME=home,
                       XDG_CACHE_HOME=home)
    start = time.monotonic()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    memory = 0
    pid = 0
    while pid == 0:
        memory = max(memory, get_memory(process.pid))
        time.sleep(0.01)
        pid, status, used = os.wait4(process.pid, os.WNOHANG)
    process.returncode = os.waitstatus_to_exitcode(status)
    return time.monotonic() - start, used.ru_utime + used.ru_stime, memory, process.returncode


def read_plainly(path, database):
    """What anyone would write first. Returns the seconds of the processor."""
    def used():
        usage = resource.getrusage(resource.RUSAGE_SELF)
        return usage.ru_utime + usage.ru_stime

    before = used()
    db = sqlite3.connect(database)
    db.executescript('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;'
                     'CREATE TABLE chat (number INTEGER PRIMARY KEY, id TEXT UNIQUE, title TEXT);'
                     'CREATE TABLE message (id TEXT UNIQUE, chat INTEGER, role TEXT, text TEXT);')
    with open(path, encoding='utf-8') as file:
        for chat in json.load(file):
            number = db.execute('INSERT INTO chat (id, title) VALUES (?, ?)',
                                (chat['id'], chat['title'])).lastrowid
            for part in chat['mapping'].values():
                message = part['message']
                db.execute('INSERT INTO message VALUES (?, ?, ?, ?)',
                           (message['id'], number, message['author']['role'],
                            message['content']['parts'][0]))
    db.commit()
    db.close()
    return used() - before


def import_new(folder, path):
    """Imports into a new home; returns the same as measure(), with memory above that when idle."""
    with tempfile.TemporaryDirectory(dir=folder) as home:
        idle = measure([CLI, 'session', 'list'], home)
        seconds, processor, memory, status = measure([CLI, 'session', 'import', path], home)
        return seconds, processor - idle[1], memory - idle[2], status


def cancel(folder, path):
    """Returns how long the import goes on after a stop."""
    with tempfile.TemporaryDirectory(dir=folder) as home:
        environment = dict(os.environ, HOME=home, XDG_DATA_HOME=home)
        process = subprocess.Popen([CLI, 'session', 'import', path], env=environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.7)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.wait()
        return time.monotonic() - start if process.returncode == 130 else -1


def main():
    with tempfile.TemporaryDirectory(dir=sys.argv[1]) as folder:
        path = os.path.join(folder, 'chats.json')
        write_chats(path, N_CHATS, N_MESSAGES, 250)
        _seconds, processor, memory, status = import_new(folder, path)
        plain = read_plainly(path, os.path.join(folder, 'plain.db'))
        row(f'{N_CHATS} chats', 's CPU', processor, plain, '1.5 x', status == 0 and processor <= 1.5 * plain)
        row(f'{N_CHATS} chats', 'MB', memory, 0, '100', memory <= 100)
        seconds = cancel(folder, path)
        row('stop', 's', seconds, 0, '1', 0 <= seconds <= 1)
        write_chats(path, 1, N_CHAIN, 100)
        _seconds, processor, memory, status = import_new(folder, path)
        row(f'chain of {N_CHAIN} messages', 's CPU', processor, 0, '5', status == 0 and processor <= 5)
        row(f'chain of {N_CHAIN} messages', 'MB', memory, 0, '100', memory <= 100)
        write_chats(path, 1, N_CHAIN, 400)
        _seconds, _processor, memory, status = import_new(folder, path)
        row(f'chat of {os.path.getsize(path) // 1000000} MB', 'MB', memory, 0, '100',
            status == 0 and memory <= 100)
        with zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED) as archive:
            archive.writestr('conversations.json', '[' + ' ' * 500_000_000 + ']')
        seconds, _processor, _memory, status = import_new(folder, path)
        row('bomb', 's', seconds, 0, '2', status == 1 and seconds <= 2)


if __name__ == '__main__':
    main()
