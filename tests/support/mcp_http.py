# SPDX-License-Identifier: GPL-3.0-or-later
"""The mock server of mcp_server.py over HTTP."""

import http.server
import json
import select
import socket
import threading
import time
import uuid

from mcp_tools import tool

META = 'io.modelcontextprotocol/'


class Stream:
    """The answer to one request, as events or as one message."""

    def __init__(self, handler, request_id):
        self.handler, self.request_id = handler, request_id
        self.lock = threading.Lock()
        self.begun = False
        self.n = 0
        self.cut_off = False        # what comes now is kept for one who asks again
        self.kept = []

    def begin(self):
        if not self.begun:
            self.begun = True
            self.handler.begin('text/event-stream')
            self.handler.wfile.write(b': what is to be passed over\n\n')

    def event(self, text, event_id=None):
        data = ('id: %s\n' % event_id if event_id else '') + 'data: ' + text + '\n\n'
        self.handler.wfile.write(data.encode())
        self.handler.wfile.flush()

    def send(self, message):
        if self.handler.mock.options.batches and not isinstance(message, str):
            message = [message]
        text = message if isinstance(message, str) else json.dumps(message)
        with self.lock:
            if self.cut_off:
                self.kept.append(text)
                return
            self.begin()
            self.event(text.replace('\n', ' '))


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    @property
    def mock(self):
        return self.server.mock

    def log_message(self, *arguments):
        pass

    def begin(self, content_type):
        self.send_response(200)
        self.send_header('Content-Type', content_type)
        self.send_header('Connection', 'close')
        self.close_connection = True
        if self.new_session:
            self.send_header('Mcp-Session-Id', self.new_session)
        self.end_headers()

    def refuse(self, status, error=None):
        body = json.dumps({'jsonrpc': '2.0', 'id': None, 'error': error}).encode() if error else b'no'
        self.send_response(status)
        self.send_header('Content-Type', 'application/json' if error else 'text/plain')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def refuse_session(self):
        """As the specification says, and as widespread servers do."""
        named = 'Mcp-Session-Id' in self.headers
        if self.mock.options.session_errors == 'plain':
            self.refuse(404 if named else 400)
        elif self.mock.options.session_errors == 'json':
            self.refuse(404 if named else 400, {'code': -32001, 'message': 'Session not found'})
        else:
            self.refuse(400, {'code': -32000, 'message': 'Bad Request: No valid session ID'})

    def move(self):
        """Returns whether the request was sent elsewhere."""
        to = {'here': '/mcp/', 'away': 'http://127.0.0.2:%d/mcp/' % self.server.server_address[1],
              'round': '/mcp'}.get(self.mock.options.moved)
        if to is None or (self.path == '/mcp/' and self.mock.options.moved == 'here'):
            return False
        self.send_response(307)
        self.send_header('Location', to)
        self.send_header('Content-Length', '0')
        self.end_headers()
        return True

    def accept(self):
        self.send_response(202)
        self.send_header('Content-Length', '0')
        self.end_headers()

    def note(self, method):
        self.mock.log('http', {'method': method, 'headers': dict(self.headers)})

    def session_is_known(self):
        return self.headers.get('Mcp-Session-Id') in self.mock.sessions

    def wait_for_end(self, done, finished):
        """Until the client closes, or the work is done. One that cancels closes too, a moment before
        or after."""
        while not finished.is_set() or (done is not None and done.is_set()):
            was_done = finished.is_set()
            ready, _, _ = select.select([self.connection], [], [], 1 if was_done else 0.005)
            if ready:
                try:
                    if self.connection.recv(1, socket.MSG_PEEK) == b'':
                        return False
                except OSError:
                    return False
                return True
            if was_done:
                break
        return True

    def check_modern(self, message):
        meta = message.get('params', {}).get('_meta', {})
        if self.headers.get('MCP-Protocol-Version') != meta.get(META + 'protocolVersion') \
                or self.headers.get('Mcp-Method') != message['method'] \
                or (message['method'] == 'tools/call'
                    and self.headers.get('Mcp-Name') != message['params']['name']):
            return {'code': -32020, 'message': 'Header mismatch'}
        return None

    def do_POST(self):
        self.new_session = None
        message = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
        self.note('POST')
        if self.move():
            return
        era, mock = self.mock.options.era, self.mock
        modern = mock.is_modern(message)
        accept = self.headers.get('Accept', '')
        if 'application/json' not in accept or 'text/event-stream' not in accept:
            self.refuse(406)
        elif 'Authorization' in self.headers and self.headers['Authorization'] != 'Bearer right':
            self.refuse(401)
        elif modern and era == 'legacy':
            self.refuse(400)
        elif modern and self.check_modern(message):
            self.refuse(400, self.check_modern(message))
        elif not modern and message.get('method') != 'initialize' and not self.session_is_known():
            mock.log('unknown-session', message)
            self.refuse_session()
        elif message.get('method') == 'notifications/cancelled' and mock.options.rejects_cancel:
            mock.log('message', message)
            self.refuse(400)
        elif 'id' not in message or 'method' not in message:
            mock.take(message, None)
            self.accept()
        else:
            self.answer(message)

    def answer(self, message):
        mock = self.mock
        if message['method'] == 'initialize':
            if mock.sessions_made:
                time.sleep(mock.options.slow_session)
            mock.sessions_made += 1
            self.new_session = uuid.uuid4().hex
            mock.sessions.add(self.new_session)
        if mock.options.accepts and message['method'] == 'tools/call':
            mock.take(message, lambda answer: mock.push(answer))
            self.accept()
            return
        if message['method'] == 'tools/call' and message['params']['name'] == 'forgets':
            mock.sessions.clear()
            if message['params']['arguments'].get('text') == 'grows':
                mock.tools.append(tool('new-one'))
            self.tool_list_of_one(message)
            return
        if message['method'] == 'tasks/get' and mock.failing_polls > 0:
            mock.log('message', message)
            mock.failing_polls -= 1
            self.refuse(503)
            return
        stream = Stream(self, message['id'])
        if mock.options.json and message['method'] != 'subscriptions/listen':
            self.answer_json(message)
            return
        done, finished = threading.Event(), threading.Event()
        mock.log('message', message)
        mock.cancelled[message['id']] = done
        if message['method'] == 'subscriptions/listen':
            mock.hang_up = lambda: self.connection.shutdown(socket.SHUT_RDWR)
        if message['method'] == 'tools/call' and message['params']['name'] == 'drops':
            self.drop(message, stream, done)
            return

        def work():
            mock.work(message, stream.send, done)
            finished.set()
        try:
            stream.begin()
        except OSError:
            mock.cut(message['id'])
            return
        threading.Thread(target=work, daemon=True).start()
        if not self.wait_for_end(done, finished):
            mock.cut(message['id'])

    def tool_list_of_one(self, message):
        body = json.dumps({'jsonrpc': '2.0', 'id': message['id'],
                           'result': {'content': [{'type': 'text', 'text': 'forgotten'}]}})
        self.begin('application/json')
        self.wfile.write(body.encode())

    def answer_json(self, message):
        sent = []
        self.mock.log('message', message)
        self.mock.work(message, lambda m: sent.append(m), threading.Event())
        answers = [m for m in sent if isinstance(m, dict) and m.get('id') == message['id']]
        answer = answers[-1] if answers else {}
        self.begin('application/json')
        self.wfile.write(json.dumps([answer] if self.mock.options.batches else answer).encode())

    def drop(self, message, stream, done):
        """Closes the connection after the first event; the rest is for one who asks again."""
        times = message['params']['arguments'].get('steps', 1)
        event = uuid.uuid4().hex
        how = message['params']['arguments'].get('text')
        stream.begin()
        if how == 'killed':         # names an event, and has not answered when it is killed
            stream.event('', event)
            self.wait_for_end(done, threading.Event())
            return
        self.wfile.write(b'retry: 20\n')
        stream.event('', event)
        answer = json.dumps({'jsonrpc': '2.0', 'id': message['id'], 'result': {
            'content': [{'type': 'text', 'text': 'resumed'}]}})
        if how != 'lost':
            self.mock.lost[event] = [times - 1, answer, how]

    def do_GET(self):
        self.new_session = None
        self.note('GET')
        if self.mock.options.no_get or not self.session_is_known():
            self.refuse(405)
            return
        last = self.headers.get('Last-Event-ID')
        if last is not None:
            self.resume(last)
            return
        finished = threading.Event()
        stream = Stream(self, 0)
        stream.begin()
        self.mock.push = stream.send
        if not self.wait_for_end(None, finished):
            self.mock.log('closed', 0)

    def resume(self, last):
        if last not in self.mock.lost:
            self.refuse(404)
            return
        times, answer, how = self.mock.lost.pop(last)
        stream = Stream(self, 0)
        stream.begin()
        if times > 0 and how == 'quiet':
            self.mock.lost[last] = [times - 1, answer, how]
        elif times > 0:
            event = uuid.uuid4().hex
            stream.event('', event)
            self.mock.lost[event] = [times - 1, answer, how]
        else:
            stream.event(answer)

    def do_DELETE(self):
        self.new_session = None
        self.note('DELETE')
        self.mock.sessions.discard(self.headers.get('Mcp-Session-Id'))
        self.accept()


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        self.mock.log('broken', str(address))


def serve(mock):
    server = Server(('127.0.0.1', 0), Handler)
    server.mock = mock
    print(server.server_address[1], flush=True)
    server.serve_forever()
