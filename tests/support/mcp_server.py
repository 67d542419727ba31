#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A server of the Model Context Protocol for tests, which can misbehave.

    mcp_server.py [--era ERA] [--log FILE]
                  [--slow-start SECONDS] [--download] [--description TEXT]
                  [--list hangs|endless|round|pair|restless|storm] [--early]
                  [--http [--json] [--no-get] [--rejects-cancel] [--batches] [--accepts]
                          [--session-errors plain|json|bad] [--slow-session SECONDS]
                          [--moved here|away|round]]

ERA is one of ERAS: what it speaks, and how it says so.

On standard input and output, or, with --http, at an address whose port it prints. Everything that
it hears is a line in the log. What it does wrong is asked of it by the tool that is called: they
are in mcp_tools.py.
"""

import argparse
import json
import os
import sys
import threading
import time

from mcp_tools import FORM, META, NAMES, Tools, tool

MODERN = '2026-07-28'
LEGACY = '2025-11-25'

ERAS = {
    'legacy': 'knows initialize, and refuses everything that comes before',
    'mute': 'knows initialize, and does not answer what it does not know',
    'yes': 'knows initialize, and has a result for whatever else it is asked',
    'modern': 'knows server/discover alone',
    'both': 'knows both, and serves each request as it came',
    'pinned': 'knows both; once it is initialized, it serves nothing modern any more',
    'future': 'knows a version that nobody else knows',
    'hesitant': 'refuses the modern version that it knows at first',
    'polite': 'is modern, and answers initialize with a version that nobody knows',
    'shy': 'is modern, and does not answer initialize',
    'asleep': 'is modern; refuses both until it was asked for both',
}
MODERN_ERAS = ('modern', 'both', 'pinned', 'polite', 'shy')
LEGACY_ERAS = ('legacy', 'both', 'pinned', 'mute', 'yes')


class Server(Tools):
    """What is the same on every transport. "send" takes a message for the client."""

    def __init__(self, options):
        self.options = options
        self.lock = threading.RLock()
        self.tools = [tool(name) for name in NAMES]
        if options.description:
            self.tools[0]['description'] = options.description
        self.cancelled = {}     # id of a request that is worked on: an event
        self.waiting = {}       # id of a request of ours: an event and its answer
        self.tasks = {}
        self.failing_polls = 0  # (HTTP) how many are refused
        self.next_id = 1000
        self.listener = None    # where changes are told: (send, id), modern
        self.push = None        # likewise, legacy
        self.deaf = False
        self.opened = 0
        self.pinned = False     # by initialize, to the older version
        self.sessions = set()
        self.sessions_made = 0
        self.lost = {}          # what a client that was cut off can ask for: event id: messages
        self.log_file = open(options.log, 'a', buffering=1) if options.log else None

    def log(self, kind, data=None):
        if self.log_file:
            with self.lock:
                self.log_file.write(json.dumps({'kind': kind, 'data': data,
                                                 'at': time.monotonic()}) + '\n')

    # --- What is heard

    def take(self, message, send):
        self.log('message', message)
        if 'method' not in message:
            waiting = self.waiting.pop(message.get('id'), None)
            if waiting:
                waiting[1].update(message)
                waiting[0].set()
        elif 'id' in message:
            done = threading.Event()
            self.cancelled[message['id']] = done
            threading.Thread(target=self.work, args=(message, send, done), daemon=True).start()
        elif message['method'] == 'notifications/cancelled':
            done = self.cancelled.get(message['params']['requestId'])
            if done:
                done.set()

    def cut(self, request_id):
        """The client closed the stream of a request."""
        self.log('closed', request_id)
        done = self.cancelled.get(request_id)
        if done:
            done.set()

    def work(self, message, send, done):
        try:
            self.dispatch(message, send, done)
        except OSError:
            self.log('broken', message['id'])
        finally:
            self.cancelled.pop(message['id'], None)

    def reply(self, message, send, result):
        if self.is_modern(message):
            result.setdefault('resultType', 'complete')
        send({'jsonrpc': '2.0', 'id': message['id'], 'result': result})

    @staticmethod
    def fail(message, send, code, text, data=None):
        error = {'code': code, 'message': text}
        if data is not None:
            error['data'] = data
        send({'jsonrpc': '2.0', 'id': message['id'], 'error': error})

    @staticmethod
    def is_modern(message):
        meta = message.get('params', {}).get('_meta', {})
        return META + 'protocolVersion' in meta

    def dispatch(self, message, send, done):
        method, params, era = message['method'], message.get('params', {}), self.options.era
        modern = self.is_modern(message)
        if (method, era) in (('server/discover', 'mute'), ('initialize', 'shy')):
            return
        if era == 'asleep' and method == 'initialize':
            self.options.era = 'modern'
            self.fail(message, send, -32022, 'Unsupported protocol version',
                      {'supported': [MODERN], 'requested': LEGACY})
            return
        if era == 'polite' and method == 'initialize':
            self.reply(message, send, {'protocolVersion': '2031-01-01', 'capabilities': {}})
            return
        if era == 'pinned' and method == 'initialize':
            self.pinned = True
        if modern and self.pinned:
            self.fail(message, send, -32600, 'This connection speaks another version')
            return
        if era == 'yes' and method == 'server/discover':
            send({'jsonrpc': '2.0', 'id': message['id'], 'result': {}})
            return
        if era == 'hesitant':
            # It knows the version that it refuses.
            self.options.era = 'modern'
            self.fail(message, send, -32022, 'Unsupported protocol version',
                      {'supported': [MODERN], 'requested': MODERN})
            return
        if modern and era == 'future':
            self.fail(message, send, -32022, 'Unsupported protocol version',
                      {'supported': ['2031-01-01'], 'requested': MODERN})
        elif method == 'server/discover' and era in MODERN_ERAS:
            self.reply(message, send, {'supportedVersions': [MODERN], 'ttlMs': 0,
                                       'cacheScope': 'private',
                                       'capabilities': {'tools': {'listChanged': True}}})
        elif method == 'initialize' and era in LEGACY_ERAS:
            self.reply(message, send, {'protocolVersion': LEGACY,
                                       'capabilities': {'tools': {'listChanged': True},
                                                        'tasks': {'cancel': {}, 'requests': {
                                                            'tools': {'call': {}}}}},
                                       'serverInfo': {'name': 'mock', 'version': '1'}})
        elif method == 'tools/list':
            if self.options.list and self.list_oddly(message, send, params):
                return
            start = int(params.get('cursor', 0))
            page = {'tools': self.tools[start:start + 10]}
            if start + 10 < len(self.tools):
                page['nextCursor'] = str(start + 10)
            self.reply(message, send, page)
        elif method == 'tools/call':
            self.call(message, send, done)
        elif method == 'subscriptions/listen':
            self.listen(message, send, done)
        elif method.startswith('tasks/'):
            self.task_method(message, send)
        else:
            self.fail(message, send, -32601, 'There is no method ' + method)

    def list_oddly(self, message, send, params):
        """Returns whether it was done; else the list is as it should be, or nearly."""
        how, cursor = self.options.list, params.get('cursor')
        if how == 'hangs' and cursor is not None:
            return True
        if how in ('endless', 'round'):
            self.reply(message, send, {'tools': self.tools[:10],
                                       'nextCursor': 'x' if how == 'round' else str(time.time())})
            return True
        if how == 'pair':
            self.reply(message, send, {'tools': self.tools[:10],
                                       'nextCursor': 'b' if cursor == 'a' else 'a'})
            return True
        if how == 'storm':
            send({'jsonrpc': '2.0', 'method': 'notifications/tools/list_changed'})
            return False
        if how == 'restless' and len(self.tools) == len(NAMES):
            self.tools.append(tool('new-one'))
            send({'jsonrpc': '2.0', 'method': 'notifications/tools/list_changed'})
            self.reply(message, send, {'tools': self.tools[:3]})
            return True
        return False

    def listen(self, message, send, done):
        self.listener = (send, message['id'])
        send({'jsonrpc': '2.0', 'method': 'notifications/subscriptions/acknowledged',
              'params': {'_meta': {META + 'subscriptionId': message['id']},
                         'notifications': {'toolsListChanged': True}}})
        done.wait()


def serve_stdio(server):
    lock = threading.Lock()

    def send(message):
        text = message if isinstance(message, str) else json.dumps(message)
        with lock:
            sys.stdout.write(text + '\n')
            sys.stdout.flush()

    print('a greeting where only messages belong', flush=True)
    if server.options.early:
        send({'jsonrpc': '2.0', 'method': 'notifications/tools/list_changed'})
        send({'jsonrpc': '2.0', 'method': 'notifications/message',
              'params': {'level': 'info', 'data': 'starting'}})
        send({'jsonrpc': '2.0', 'id': 'p', 'method': 'ping'})
        send({'jsonrpc': '2.0', 'id': 1, 'method': 'roots/list'})
        send({'jsonrpc': '2.0', 'id': 'e', 'method': 'elicitation/create',
              'params': {'message': 'Who are you?', 'requestedSchema': FORM}})
    for line in sys.stdin:
        server.take(json.loads(line), send)
        while server.deaf or (server.options.deaf and '"tools/call"' in line):
            time.sleep(1)
    server.log('end')


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--era', default='legacy', choices=list(ERAS))
    parser.add_argument('--log')
    parser.add_argument('--slow-start', type=float, default=0)
    parser.add_argument('--download', action='store_true',
                        help='reads nothing until there is a file LOG.come')
    parser.add_argument('--deaf', action='store_true', help='reads nothing after the first call')
    parser.add_argument('--list', choices=['hangs', 'endless', 'round', 'pair', 'restless', 'storm'],
                        help='how the tools are listed')
    parser.add_argument('--early', action='store_true', help='speaks before it is spoken to')
    parser.add_argument('--description', help='of the first tool, "echo"')
    parser.add_argument('--http', action='store_true')
    parser.add_argument('--json', action='store_true', help='answers without a stream')
    parser.add_argument('--no-get', action='store_true')
    parser.add_argument('--rejects-cancel', action='store_true')
    parser.add_argument('--batches', action='store_true', help='answers with lists of messages')
    parser.add_argument('--accepts', action='store_true',
                        help='answers calls in the stream for what it tells unasked')
    parser.add_argument('--session-errors', default='plain', choices=['plain', 'json', 'bad'])
    parser.add_argument('--slow-session', type=float, default=0, help='for all but the first')
    parser.add_argument('--moved', choices=['here', 'away', 'round'])
    chosen = parser.parse_args()
    time.sleep(chosen.slow_start)
    while chosen.download and not os.path.exists(chosen.log + '.come'):
        time.sleep(0.01)
    mock = Server(chosen)
    if chosen.http:
        import mcp_http
        mcp_http.serve(mock)
    else:
        serve_stdio(mock)
