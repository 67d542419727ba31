# SPDX-License-Identifier: GPL-3.0-or-later
"""The tools of mcp_server.py. Those that a client is told of:

    echo, environment, structured, picture, failing, large          answer as they should
    slow            works for "seconds", and stops when it is told to
    stubborn        is told to stop, and answers all the same, twice
    refuses         is told to stop, and answers that with an error
    never           never answers, and never stops
    counts          tells its progress "steps" times
    floods          tells other things "steps" times
    garbage         writes what is no message, answers others, then this
    deaf            reads nothing any more
    dies, half      ends in the middle, or in the middle of its answer
    last-words      answers without a newline, and ends
    asks, asks-url  want to know something from the user; "asks-twice" two things
    samples         wants a model's answer
    grows           has one more tool from now on, and says so; with the text "cuts" or "ends" that
                    is what becomes of the subscription before it is told
    task            works on it as a task; with the text "samples" it wants a model's answer for that,
                    with "asks" (legacy) the user's, and with "fails" (HTTP) that many "steps" of the
                    polls are refused
    forgets         (HTTP) forgets the session; with the text "grows" it has one more tool then
    drops           (HTTP) closes the stream before its answer, which a client can ask for again

And those that are not listed:

    asks-all        asks a form with a field of each kind
    asks-oddly      asks in the way that "text" names
    asks-decline    offers the user words that clients use themselves
    needs-url       fails until the user has opened an address; "never" it is enough, if "text" says so
    late-task       is told to stop, and begins a task all the same
    unreadable      answers with what cannot be read, "text" says what
    closes-output   says nothing any more, and lives on
    answers-oddly   with the id as "text" has it: "string", "batch", "float"
    counts-oddly    as counts, with the token of progress as a string
    mixes           returns content of every kind
    only-structured returns a structured result besides a picture
"""

import base64
import json
import os
import sys
import threading
import time

META = 'io.modelcontextprotocol/'
PICTURE = base64.b64encode(b'\x89PNG\r\n\x1a\n' + b'\0' * 20).decode()
FORM = {'type': 'object', 'required': ['name'],
        'properties': {'name': {'type': 'string', 'title': 'Name', 'minLength': 2}}}
LARGER_FORM = {'type': 'object', 'required': ['size', 'sure'],
               'properties': {'size': {'type': 'string', 'enum': ['S', 'M', 'L']},
                              'count': {'type': 'integer', 'minimum': 1, 'maximum': 9},
                              'sure': {'type': 'boolean'}}}
ALL_FORM = {'type': 'object', 'required': ['mail', 'n', 'plan', 'tags'],
            'properties': {'mail': {'type': 'string', 'format': 'email'},
                           'day': {'type': 'string', 'format': 'date'},
                           'n': {'type': 'number', 'minimum': 0.5, 'default': 1.5},
                           'sure': {'type': 'boolean', 'default': True},
                           'plan': {'type': 'string', 'default': 'b', 'oneOf': [
                               {'const': 'a', 'title': 'Plan A'},
                               {'const': 'b', 'title': 'Plan B'}]},
                           'tags': {'type': 'array', 'minItems': 1, 'default': ['x', 'y'],
                                    'items': {'anyOf': [{'const': 'x', 'title': 'X, the first'},
                                                        {'const': 'y', 'title': 'Y'}]}}}}

NAMES = ['echo', 'environment', 'structured', 'picture', 'failing', 'large', 'slow', 'stubborn',
         'refuses', 'never', 'counts', 'floods', 'garbage', 'deaf', 'dies', 'half', 'last-words',
         'asks', 'asks-twice', 'asks-url', 'asks-form', 'samples', 'grows', 'task', 'forgets', 'drops', 'header',
         'read only!']


def tool(name):
    schema = {'type': 'object', 'properties': {'text': {'type': 'string'},
                                               'seconds': {'type': 'number'},
                                               'steps': {'type': 'integer'}}}
    if name == 'header':
        schema['properties']['text']['x-mcp-header'] = 'Text'
    found = {'name': name, 'description': 'The tool ' + name, 'inputSchema': schema,
             'annotations': {'readOnlyHint': True, 'destructiveHint': False}}
    if name == 'task':
        found['execution'] = {'taskSupport': 'required'}
    return found


class Tools:
    """What the calls do, on every transport: a part of the server."""

    # --- Tools

    def say(self, message, send, text, **more):
        self.reply(message, send, dict({'content': [{'type': 'text', 'text': text}]}, **more))

    def call(self, message, send, done):
        name = message['params']['name']
        arguments = message['params'].get('arguments', {})
        function = getattr(self, 'tool_' + name.replace('-', '_').replace(' ', '_').rstrip('!'), None)
        if function is None:
            self.fail(message, send, -32602, 'Unknown tool: ' + name)
        else:
            function(message, send, done, arguments)

    def tool_echo(self, message, send, done, arguments):
        self.say(message, send, arguments.get('text', ''))

    tool_header = tool_echo
    tool_read_only = tool_echo

    def tool_environment(self, message, send, done, arguments):
        self.say(message, send, os.environ.get(arguments['text'], '(unset)'))

    def tool_structured(self, message, send, done, arguments):
        self.reply(message, send, {'content': [], 'structuredContent': {'degrees': 21}})

    def tool_picture(self, message, send, done, arguments):
        self.reply(message, send, {'content': [
            {'type': 'text', 'text': 'Look:'},
            {'type': 'image', 'data': PICTURE, 'mimeType': 'image/png'},
            {'type': 'resource_link', 'uri': 'file:///a', 'name': 'a'},
            {'type': 'resource', 'resource': {'uri': 'note:b', 'text': 'inside'}},
            {'type': 'hologram'}]})

    def tool_failing(self, message, send, done, arguments):
        self.say(message, send, 'It went wrong', isError=True)

    def tool_large(self, message, send, done, arguments):
        self.say(message, send, 'x' * int(arguments['steps']))

    def tool_slow(self, message, send, done, arguments):
        if not done.wait(arguments['seconds']):
            self.say(message, send, 'slept')

    def tool_stubborn(self, message, send, done, arguments):
        done.wait()
        time.sleep(0.1)
        self.say(message, send, 'late')
        self.say(message, send, 'later')

    def tool_refuses(self, message, send, done, arguments):
        done.wait()
        self.fail(message, send, -32800, 'Request cancelled')

    def tool_never(self, message, send, done, arguments):
        threading.Event().wait()

    def tool_counts(self, message, send, done, arguments):
        token = message['params']['_meta']['progressToken']
        for i in range(arguments['steps']):
            send({'jsonrpc': '2.0', 'method': 'notifications/progress',
                  'params': {'progressToken': token, 'progress': i + 1,
                             'total': arguments['steps'], 'message': 'step %d' % (i + 1)}})
        if 'seconds' in arguments:
            done.wait(arguments['seconds'])
        self.say(message, send, 'counted')

    def tool_floods(self, message, send, done, arguments):
        for i in range(arguments['steps']):
            send({'jsonrpc': '2.0', 'method': 'notifications/message',
                  'params': {'level': 'debug', 'data': 'x' * 200}})
        self.say(message, send, 'flooded')

    def tool_garbage(self, message, send, done, arguments):
        request_id = message['id']
        for line in ('Welcome to this server!', '{"jsonrpc":"2.0",', '[]', '42', '{}', '',
                     '{"jsonrpc":"1.0","id":1,"result":{}}', '{"jsonrpc":"2.0","id":[],"result":{}}',
                     '"' + '[' * 500,
                     '{"jsonrpc":"2.0","id":99999,"result":{}}',
                     '{"jsonrpc":"2.0","id":"%dx","result":{}}' % request_id,
                     '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}',
                     '{"jsonrpc":"2.0","method":"notifications/unknown"}'):
            send(line)
        self.say(message, send, 'after all')
        self.say(message, send, 'twice')

    def tool_unreadable(self, message, send, done, arguments):
        request_id = message['id']
        deep = '[' * 300000 + ']' * 300000
        send({'deep': '{"jsonrpc":"2.0","id":%d,"result":%s}' % (request_id, deep),
              'behind': '{"result":{"id":7,"method":"x","a":%s}, "jsonrpc":"2.0","id" : "%d" }' % (deep, request_id),
              'damaged': '{"jsonrpc":"2.0","id":%d,"result":{"content":[{"te' % request_id,
              'number': '{"jsonrpc":"2.0","id":%d,"result":7}' % request_id}[arguments['text']])

    def tool_closes_output(self, message, send, done, arguments):
        os.close(1)

    def tool_answers_oddly(self, message, send, done, arguments):
        how = arguments['text']
        request_id = {'string': str(message['id']), 'float': float(message['id'])}.get(
            how, message['id'])
        answer = {'jsonrpc': '2.0', 'id': request_id,
                  'result': {'content': [{'type': 'text', 'text': 'understood'}]}}
        note = {'jsonrpc': '2.0', 'method': 'notifications/message', 'params': {}}
        send([note, 7, {}, answer, note] if how == 'batch' else answer)

    def tool_counts_oddly(self, message, send, done, arguments):
        message['params']['_meta']['progressToken'] = str(
            message['params']['_meta']['progressToken'])
        self.tool_counts(message, send, done, arguments)

    def tool_mixes(self, message, send, done, arguments):
        data = base64.b64encode(b'RIFF' + b'\0' * 96).decode()
        self.reply(message, send, {'isError': 'no', 'content': [
            {'type': 'audio', 'data': data, 'mimeType': 'audio/wav'},
            {'type': 'resource_link', 'uri': 'file:///a', 'name': 'a.txt', 'title': 'The file',
             'description': 'what\nit is', 'mimeType': 'text/plain', 'size': 12},
            {'type': 'resource_link', 'uri': 'file:///b', 'name': 'b.txt'},
            {'type': 'resource', 'resource': {'uri': 'note:c', 'blob': data,
                                              'mimeType': 'application/x-c'}},
            {'type': 'resource', 'resource': {'uri': 'note:d', 'mimeType': 'text/html',
                                              'text': '<p>d</p>'}},
            7, {'type': 'text'}, {'type': 'image', 'data': '!', 'mimeType': 'image/png'}, {}]})

    def tool_only_structured(self, message, send, done, arguments):
        self.reply(message, send, {'structuredContent': [1, {'a': None}], 'content': [
            {'type': 'image', 'data': PICTURE, 'mimeType': 'image/png'}]})

    def tool_deaf(self, message, send, done, arguments):
        self.deaf = True
        self.say(message, send, 'deaf now')

    def tool_dies(self, message, send, done, arguments):
        sys.stderr.write('I give up: ' + arguments.get('text', '') + '\n')
        sys.stderr.flush()
        os._exit(3)

    def tool_half(self, message, send, done, arguments):
        os.write(1, b'{"jsonrpc":"2.0","id":%d,"result":{"cont' % message['id'])
        os._exit(0)

    def tool_last_words(self, message, send, done, arguments):
        os.write(1, json.dumps({'jsonrpc': '2.0', 'id': message['id'], 'result': {
            'content': [{'type': 'text', 'text': 'goodbye'}]}}).encode())
        os._exit(0)

    def tool_grows(self, message, send, done, arguments):
        self.tools.append(tool('new-one'))
        if arguments.get('text'):
            self.say(message, send, 'grown')
            tell, number = self.listener
            if arguments['text'] == 'ends':
                tell({'jsonrpc': '2.0', 'id': number, 'result': {'resultType': 'complete'}})
            else:
                self.hang_up()
            return
        change = {'jsonrpc': '2.0', 'method': 'notifications/tools/list_changed'}
        if self.is_modern(message) and self.listener:
            change['params'] = {'_meta': {META + 'subscriptionId': self.listener[1]}}
            self.listener[0](change)
        elif not self.is_modern(message):
            (self.push or send)(change)
        self.say(message, send, 'grown')

    # --- Questions

    def ask(self, message, send, method, params):
        """Returns the answer, or None after having asked in the modern way."""
        if self.is_modern(message):
            answers = message['params'].get('inputResponses')
            if answers is None:
                self.reply(message, send, {'resultType': 'input_required', 'requestState': 'st4te',
                                           'inputRequests': {'q': {'method': method,
                                                                   'params': params}}})
                return None
            assert message['params']['requestState'] == 'st4te'
            return {'result': answers['q']}
        with self.lock:
            self.next_id += 1
            request_id = 'q%d' % self.next_id
        waiting = (threading.Event(), {})
        self.waiting[request_id] = waiting
        send({'jsonrpc': '2.0', 'id': request_id, 'method': method, 'params': params})
        waiting[0].wait()
        return waiting[1]

    def ask_and_say(self, message, send, method, params):
        answer = self.ask(message, send, method, params)
        if answer is not None:
            self.say(message, send, json.dumps(answer.get('result', answer.get('error')),
                                               sort_keys=True))

    def tool_asks(self, message, send, done, arguments):
        self.ask_and_say(message, send, 'elicitation/create',
                         {'message': 'Who are you?', 'requestedSchema': FORM})

    def tool_asks_form(self, message, send, done, arguments):
        self.ask_and_say(message, send, 'elicitation/create',
                         {'mode': 'form', 'message': 'An order', 'requestedSchema': LARGER_FORM})

    def tool_asks_url(self, message, send, done, arguments):
        self.ask_and_say(message, send, 'elicitation/create',
                         {'mode': 'url', 'message': 'Log in', 'url': 'https://example.org/login',
                          'elicitationId': 'e1'})

    def tool_asks_all(self, message, send, done, arguments):
        self.ask_and_say(message, send, 'elicitation/create',
                         {'mode': 'form', 'message': 'All of it', 'requestedSchema': ALL_FORM})

    def tool_asks_oddly(self, message, send, done, arguments):
        self.ask_and_say(message, send, 'elicitation/create',
                         {'mode': arguments['text'], 'message': '?', 'requestedSchema': FORM})

    def tool_asks_decline(self, message, send, done, arguments):
        self.ask_and_say(message, send, 'elicitation/create', {
            'message': 'The invitation', 'requestedSchema': {'type': 'object', 'properties': {
                'reply': {'type': 'string', 'enum': ['Accept', 'Decline', 'Leave empty']}}}})

    def tool_needs_url(self, message, send, done, arguments):
        self.opened += 1
        if self.opened > 1 and arguments.get('text') != 'never':
            self.say(message, send, 'opened')
            return
        self.fail(message, send, -32042, 'It must be opened', {'elicitations': [
            {'mode': 'url', 'message': 'Log in', 'url': 'https://example.org/%d' % self.opened,
             'elicitationId': 'e%d' % self.opened}]})

    def tool_asks_twice(self, message, send, done, arguments):
        """Asks, and has its result before it is answered."""
        threading.Thread(target=self.ask, daemon=True,
                         args=(message, send, 'elicitation/create',
                               {'message': 'Never mind', 'requestedSchema': FORM})).start()
        time.sleep(arguments.get('seconds', 0.2))
        self.say(message, send, 'did not need it')

    def tool_samples(self, message, send, done, arguments):
        self.ask_and_say(message, send, 'sampling/createMessage', {'messages': [], 'maxTokens': 1})

    # --- Tasks

    def tool_task(self, message, send, done, arguments):
        task = {'taskId': 'task-%d' % message['id'], 'status': 'working', 'ttl': 60000,
                'createdAt': '2026-01-01T00:00:00Z', 'lastUpdatedAt': '2026-01-01T00:00:00Z'}
        task['pollIntervalMs' if self.is_modern(message) else 'pollInterval'] = 50
        if arguments.get('text') == 'samples':
            task['status'] = 'input_required'
            task['inputRequests'] = {'model': {'method': 'sampling/createMessage', 'params': {}}}
        if arguments.get('text') == 'asks':
            task['status'] = 'input_required'
        if arguments.get('text') == 'fails':
            self.failing_polls = arguments['steps']
        self.tasks[task['taskId']] = (task, time.monotonic() + arguments.get('seconds', 0.1))
        if self.is_modern(message):
            self.reply(message, send, dict(task, resultType='task'))
        elif 'task' in message['params']:
            self.reply(message, send, {'task': task})
        else:
            self.fail(message, send, -32601, 'This tool must be called as a task')

    def tool_late_task(self, message, send, done, arguments):
        done.wait()
        message['params']['task'] = {}
        self.tool_task(message, send, done, {'seconds': 60})

    def task_method(self, message, send):
        task, due = self.tasks.get(message['params']['taskId'], (None, 0))
        result = {'content': [{'type': 'text', 'text': 'task done'}]}
        if task is None:
            self.fail(message, send, -32602, 'Unknown task')
            return
        if task['status'] == 'working' and time.monotonic() >= due:
            task['status'] = 'completed'
        if message['method'] == 'tasks/cancel':
            if task['status'] in ('working', 'input_required'):
                task['status'] = 'cancelled'
            self.reply(message, send, {} if self.is_modern(message) else dict(task))
        elif message['method'] == 'tasks/result' and task['status'] == 'input_required':
            self.ask_and_say(message, send, 'elicitation/create', {
                'message': 'Who are you?', 'requestedSchema': FORM,
                '_meta': {META + 'related-task': {'taskId': task['taskId']}}})
        elif message['method'] == 'tasks/result':
            self.reply(message, send, result)
        elif self.is_modern(message) and task['status'] == 'completed':
            self.reply(message, send, dict(task, result=result))
        else:
            self.reply(message, send, dict(task))
