# SPDX-License-Identifier: GPL-3.0-or-later
"""Chats that gadget-cli exports."""

import base64
import html.parser
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
KEYS = {'number', 'session', 'turn', 'item', 'parent', 'import'}


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
        db.execute("INSERT INTO chat_folder (id, name, parent) VALUES ('f', 'Work', NULL),"
                   " ('g', 'Inner', 'f')")
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


# What may be in a page: each tag with its attributes.
TAGS = {'html': (), 'head': (), 'meta': ('charset', 'http-equiv', 'content', 'name'), 'title': (),
        'style': (), 'body': (), 'main': (), 'article': (), 'section': ('class',),
        'details': (), 'summary': (), 'figure': ('class',), 'figcaption': (),
        'div': ('class', 'dir'), 'p': ('class', 'dir'), 'pre': ('dir',), 'b': ('class',),
        'a': ('rel', 'href'), 'img': ('alt', 'src'), 'ol': ('start',), 'li': ('class',),
        'th': ('class',), 'td': ('class',), 'h1': ('dir',),
        **{name: () for name in 'h2 h3 h4 h5 h6 ul blockquote table thead tbody tr code em '
                                'strong del br hr'.split()}}
EMPTY = ('meta', 'br', 'hr', 'img')

ATTACKS = (
    '<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '"><svg onload=alert(1)>',
    "' onmouseover='alert(1)", '</style><script>alert(1)</script>', '<!-- --!><b>', '<![CDATA[<b>]]>',
    '[a](javascript:alert(1))', '[a](JaVaScRiPt:alert(1))', '[a](java&#x73;cript:alert(1))',
    '[a](java&Tab;script:alert(1))', '[a](&#x6a;avascript:alert(1))', '[a](data:text/html,x)',
    '[a](vbscript:x)', '[a](file:///etc/passwd)', '[a](//example.org)', '[a](<http:"onclick=x>)',
    '[a](https://example.org/"onmouseover="x)', "[a](https://example.org/'x \"'><b>\")",
    '<javascript:alert(1)>', '![p](https://example.org/track.png)', '![p](javascript:x)',
    '[![p](https://example.org/a.png)](https://example.org/b)', '[![p](x)](javascript:x)',
    '```"><script>\n</code></pre><script>alert(1)</script>\n```', '`</code><script>`',
    '| a |\n| --- |\n| <script>alert(1)</script> |', '# <b onclick=x>', '- [ ] <i>\n- [x] </li>',
    '[a]: javascript:x\n\n[a]', '&lt;script&gt;', '&#60;script&#62;', '&#x202e;evil &rlm;',
    '\u202eevil\u2066', '> <blockquote onclick=x>', '<a href="javascript:x">x</a>', '\x1b[31m<b>',
    'www.example.org/"<b>', 'x@example.org<b>', '\\<script>', '<https://example.org/"x>')


class Page(html.parser.HTMLParser):
    """The page, when it has only the tags and attributes that it may have."""

    def __init__(self, text):
        super().__init__()
        self.open, self.links, self.pictures, self.text = [], [], [], ''
        self.feed(text)
        self.close()
        equal(self.open, [])

    def handle_starttag(self, tag, attrs):
        assert tag in TAGS, self.get_starttag_text()
        assert {name for name, _ in attrs} <= set(TAGS[tag]), self.get_starttag_text()
        if tag not in EMPTY:
            self.open.append(tag)
        self.links += [value for name, value in attrs if name == 'href']
        self.pictures += [value for name, value in attrs if name == 'src']

    def handle_endtag(self, tag):
        equal(self.open.pop(), tag)

    def handle_data(self, data):
        if self.open[-1:] != ['style']:
            self.text += data

    def handle_comment(self, data):
        raise AssertionError(data)

    def unknown_decl(self, data):
        raise AssertionError(data)


def export_page(home, *arguments):
    done = home.run('session', 'export', *arguments, '--format', 'html', status=0)
    return done.stdout, Page(done.stdout)


@test
def export_html(home):
    first, _ = fill(home)
    text, page = export_page(home, first)
    for part in ('<title>Wait “a bit”', '<div class="prompt" dir="auto">Wait “a bit”\n`x`</div>',
                 '<p>I wait.</p>', '<details><summary>Waited', 'prefers-color-scheme: dark',
                 "default-src 'none'", '@media print'):
        contains(text, part)
    assert 'Hm.' not in text and not page.pictures, text
    text, page = export_page(home, first, '--reasoning', '--attachments')
    contains(text, '<p>Hm.</p>')
    equal(set(page.pictures), {'data:image/png;base64,iQ=='})
    contains(export_page(home, '--all')[0], '<title>Chats</title>')


@test
def export_html_renders_markdown(home):
    home.server([{'text': '# Head\n\nA *b* **c** ~~d~~ `e<f` [g](https://h.example/?i=1&j=2) '
                          'www.k.example\n\n1. one\n2. two\n\n- [x] done\n\n> quote\n\n---\n\n'
                          '```c\nint x = 1 < 2;\n```\n\n| l | r |\n| :-- | --: |\n| 1 | 2 |\n'}])
    text, page = export_page(home, session_of(home.json('ask', '--provider', 'fake', 'Go')))
    for part in ('<h3>Head</h3>', '<em>b</em> <strong>c</strong> <del>d</del> '
                 '<code>e&lt;f</code>', 'href="https://h.example/?i=1&amp;j=2">g</a>',
                 '<ol start="1">', '<li class="task">☑ done</li>', '<blockquote>', '<hr>',
                 '<figcaption>c</figcaption><pre dir="ltr"><code>int x = 1 &lt; 2;\n</code>',
                 '<th class="left">l</th>', '<td class="right">2</td>'):
        contains(text, part)
    equal(page.links, ['https://h.example/?i=1&j=2', 'http://www.k.example'])


@test
def export_html_of_attacks(home):
    """Whatever a message, an answer or an output says, it is text."""
    home.server([{'text': attack} for attack in ATTACKS])
    sessions = [session_of(home.json('ask', '--provider', 'fake', 'Go')) for _ in ATTACKS]
    with open_database(home) as db:
        for session, attack in zip(sessions, ATTACKS):
            db.execute('UPDATE session SET title = ?, workspace = ? WHERE id = ?',
                       (attack, attack, session))
            db.execute('UPDATE turn SET prompt = ?, model = ?, attachments = ? WHERE session ='
                       ' (SELECT number FROM session WHERE id = ?)', (attack, attack, json.dumps(
                           [{'name': attack, 'size': 1, 'text': attack}]), session))
            db.execute('INSERT INTO item (turn, position, kind, status, step, text, name,'
                       ' started_at, ended_at) SELECT turn.number, 9, "tool-call", "done", 0, ?, ?,'
                       ' 1, 1 FROM turn JOIN session ON turn.session = session.number'
                       ' WHERE session.id = ?', (attack, attack, session))
    for session, attack in zip(sessions, ATTACKS):
        text, page = export_page(home, session, '--attachments')
        equal(page.pictures, [])
        for link in page.links:
            assert link.startswith(('https://example.org/', 'http://www.example.org/',
                                    'mailto:x@example.org')), (attack, link)
        for c in '\u202e\u2066\u200f\x1b':
            assert c not in text and c not in page.text, (attack, c)
        if 'script>' in attack and '&' not in attack and attack[0] == '<':
            contains(page.text, attack)
    export_page(home, '--all')


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
    # A file that is not complete is never there.
    contains(home.run('session', 'export', first, 'f' * 24, '--output', path, status=1).stderr,
             'there is no session')
    equal(os.listdir(home.work), [])
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
