# SPDX-License-Identifier: GPL-3.0-or-later
"""A model server that answers by the words of the message, and is as strict as a real one.

It speaks OpenAI's Chat Completions, streamed. The newest user message names what is to happen: a
marker and a kind, "m12 words". Whatever is answered carries the marker ("w12.1 w12.2 …"), so that
every word can be looked for afterwards. A request that a real server would refuse is a fault.
"""

import collections
import http.server
import json
import os
import re
import select
import socket
import struct
import threading
import time

MESSAGE = re.compile(r'\bm(\d+) ([a-z]+)')

Words = collections.namedtuple('Words', 'count per_second')

# What a message can ask for.
KINDS = {
    'words': Words(60, 60),
    'slow': Words(400, 12),
    'flood': Words(1500, 100000),
}
OTHER_KINDS = ('silent', 'stall', 'error', 'refuse', 'cut', 'reason', 'run', 'write', 'ask', 'task')


def get_command(marker):
    """What runs for long, and is known among those of other episodes and messages."""
    return 'sleep 41.%03d%07d' % (marker, os.getpid())


def text_of(content):
    if isinstance(content, list):
        return ' '.join(part.get('text', '') for part in content)
    return content or ''


def find_faults(messages):
    """What a strict server would refuse in the messages of a request."""
    faults = []
    open_calls = []
    seen = set()
    previous = None
    for message in messages:
        role = message.get('role')
        if role == 'tool':
            if message.get('tool_call_id') not in open_calls:
                faults.append('a result without its call: %s' % message.get('tool_call_id'))
            else:
                open_calls.remove(message['tool_call_id'])
        elif open_calls:
            faults.append('calls without a result: %s' % ', '.join(open_calls))
            open_calls = []
        if role == 'assistant':
            if previous == 'assistant':
                faults.append('two assistant messages in a row')
            calls = message.get('tool_calls') or []
            if not calls and not text_of(message.get('content')).strip():
                faults.append('an empty assistant message')
            for call in calls:
                if call['id'] in seen:
                    faults.append('the call id %s twice' % call['id'])
                seen.add(call['id'])
                open_calls.append(call['id'])
                try:
                    json.loads(call['function']['arguments'])
                except ValueError:
                    faults.append('arguments that are not JSON')
        if role == 'user' and not text_of(message.get('content')).strip():
            faults.append('an empty user message')
        previous = role
    if open_calls:
        faults.append('calls without a result at the end: %s' % ', '.join(open_calls))
    if not messages or messages[-1].get('role') not in ('user', 'tool'):
        faults.append('the last message is not for the model')
    return faults


class Exchange:
    """One request: which message it is about, when it came and when its connection was gone."""

    def __init__(self, marker, kind, is_side):
        self.marker = marker
        self.kind = kind
        self.is_side = is_side  # a title
        self.began = time.monotonic()
        self.ended = None
        self.words = []  # (when, word)


class Closed(Exception):
    """The other side closed the connection."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def log_message(self, *_):
        pass

    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        if self.path.endswith('/models'):
            self.answer(200, {'object': 'list', 'data': [{'id': 'tiny', 'object': 'model'}]})
        else:
            self.answer(404, {'error': {'message': 'not here'}})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get('Content-Length', 0))))
        messages = body.get('messages', [])
        asked = [m for m in messages if m.get('role') == 'user'
                 and MESSAGE.search(text_of(m.get('content')))]
        found = MESSAGE.findall(text_of(asked[-1]['content'])) if asked else []
        marker, kind = (int(found[-1][0]), found[-1][1]) if found else (0, 'words')
        is_side = bool(messages) and 'Write a title' in text_of(messages[-1].get('content'))
        exchange = Exchange(marker, kind, is_side)
        with self.server.lock:
            self.server.exchanges.append(exchange)
            self.server.faults += ['request about m%d: %s' % (marker, f)
                                   for f in find_faults(messages)]
        try:
            self.reply(exchange, body, messages)
        except (Closed, BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        finally:
            exchange.ended = time.monotonic()

    # --- What is answered ---

    def reply(self, exchange, body, messages):
        if not body.get('stream') and exchange.marker != 0:
            self.answer(200, {'choices': [{'index': 0, 'finish_reason': 'stop', 'message': {
                'role': 'assistant', 'content': 'Title m%d' % exchange.marker}}]})
            return
        has_result = messages[-1]['role'] == 'tool'
        kind = exchange.kind
        # A chat is known by the marker in its title.
        if (kind == 'error' and not has_result) or (exchange.is_side and exchange.marker == 0):
            self.answer(500, {'error': {'message': 'scripted failure'}})
            return
        if kind == 'refuse' and not has_result:
            self.answer(400, {'error': {'message': 'scripted refusal'}})
            return
        if exchange.is_side:
            self.begin()
            self.send_delta({'content': 'Title m%d' % exchange.marker})
            self.finish('stop')
            return
        if kind == 'silent':
            self.pause(3600)
        self.begin()
        tool = None if has_result else self.call_for(exchange)
        if tool is not None:
            names = [t['function']['name'] for t in body.get('tools', [])]
            if tool[0] in names:
                self.say_words(exchange, Words(3, 100))
                self.send_call('c%d-%d' % (exchange.marker, len(messages)), *tool)
                self.finish('tool_calls')
                return
        if kind == 'reason':
            for number in range(20):
                self.send_delta({'reasoning_content': 'r%d.%d ' % (exchange.marker, number)})
                self.pause(0.02)
        if kind == 'stall':
            self.say_words(exchange, Words(5, 100))
            self.pause(3600)
        if kind == 'cut':
            self.say_words(exchange, Words(20, 100))
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
            self.connection.close()
            raise Closed
        self.say_words(exchange, KINDS.get(kind, Words(20, 100)))
        self.finish('stop')

    @staticmethod
    def call_for(exchange):
        marker = exchange.marker
        return {
            'run': ('shell', {'command': "echo w%d.0; trap '' TERM; %s" % (marker, get_command(marker))}),
            'write': ('write_file', {'path': 'm%d.txt' % marker, 'content': 'w%d.0\n' % marker}),
            'ask': ('ask_user', {'question': 'Which of m%d?' % marker, 'choices': ['One', 'Two']}),
            'task': ('task', {'description': 'Part of it', 'prompt': 'm%d slow' % marker}),
        }.get(exchange.kind)

    def begin(self):
        self.send_response(200)
        self.send_header('Content-Type', 'text/event-stream')
        self.send_header('Transfer-Encoding', 'chunked')
        self.end_headers()

    def say_words(self, exchange, words):
        for number in range(1, words.count + 1):
            word = 'w%d.%d' % (exchange.marker, number)
            self.send_delta({'content': word + ' '})
            exchange.words.append((time.monotonic(), word))
            if number % max(1, words.per_second // 1000) == 0:
                self.pause(1 / words.per_second)

    def send_call(self, call_id, name, arguments):
        self.send_delta({'tool_calls': [{'index': 0, 'id': call_id, 'type': 'function', 'function': {
            'name': name, 'arguments': json.dumps(arguments)}}]})

    def finish(self, reason):
        self.send_event({'choices': [{'index': 0, 'delta': {}, 'finish_reason': reason}]})
        self.send_chunk(b'data: [DONE]\n\n')
        self.wfile.write(b'0\r\n\r\n')

    def send_delta(self, delta):
        self.send_event({'choices': [{'index': 0, 'delta': delta, 'finish_reason': None}]})

    def send_event(self, event):
        self.send_chunk(b'data: ' + json.dumps(event).encode() + b'\n\n')

    def send_chunk(self, data):
        self.wfile.write(b'%x\r\n%s\r\n' % (len(data), data))
        self.wfile.flush()

    def pause(self, seconds):
        """Waits, and notices at once that the other side closed."""
        end = time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            readable, _, _ = select.select([self.connection], [], [], max(0, min(left, 0.2)))
            if readable and not self.connection.recv(1, socket.MSG_PEEK):
                raise Closed
            if self.server.is_over:
                raise Closed
            if left <= 0:
                return


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(('127.0.0.1', 0), Handler)
        self.lock = threading.Lock()
        self.exchanges = []
        self.faults = []
        self.is_over = False
        self.url = 'http://127.0.0.1:%d/v1' % self.server_address[1]
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def get_exchanges(self):
        with self.lock:
            return list(self.exchanges)

    def get_open(self):
        return [e for e in self.get_exchanges() if e.ended is None]

    def close(self):
        self.is_over = True
        self.shutdown()
        self.server_close()

    def handle_error(self, request, client_address):
        pass
