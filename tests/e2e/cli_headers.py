# SPDX-License-Identifier: GPL-3.0-or-later
"""Headers of a provider on the command line."""

import glob
import json
import os
import sys

from cli_user import OK, contains, equal, run, test

SECRET = 'gateway-secret-55'


def add(home, url, *words, **options):
    return home.run('provider', 'add', 'gate', '--kind', 'openai-chat', '--base-url', url,
                    '--model', 'm', *words, **options)


def names(home):
    listed = json.loads(home.run('provider', 'list', '--json', status=0).stdout)
    return [provider['headers'] for provider in listed if provider['id'] == 'gate'][0]


def assert_secret_is_nowhere(home):
    for path in glob.glob(home.path + '/data/**', recursive=True):
        if os.path.isfile(path):
            with open(path, 'rb') as file:
                assert SECRET.encode() not in file.read(), path


@test
def headers_are_sent(home):
    server = home.server([OK] * 4)
    add(home, server.url, '--header', 'x-gateway: openai', '--header', 'X-Trace:1', status=0)
    home.json('ask', '--provider', 'gate', 'go')
    contains(server.requests()[0]['head'], '\r\nx-gateway: openai\r\n')
    contains(server.requests()[0]['head'], '\r\nX-Trace: 1\r\n')
    equal(names(home), ['x-gateway', 'X-Trace'])
    home.run('provider', 'test', 'gate')
    listing = [e for e in server.log() if e['event'] == 'request' and e['method'] == 'GET']
    contains(listing[-1]['head'], '\r\nx-gateway: openai\r\n')
    # They stay when something else is changed, are replaced together, and can be dropped.
    add(home, server.url, status=0)
    equal(names(home), ['x-gateway', 'X-Trace'])
    add(home, server.url, '--header', 'x-other: 2', status=0)
    equal(names(home), ['x-other'])
    add(home, server.url, '--no-headers', status=0)
    equal(names(home), [])
    home.json('ask', '--provider', 'gate', 'go')
    assert 'x-other' not in server.requests()[-1]['head']


@test
def headers_that_cannot_be(home):
    url = 'http://127.0.0.1:9/v1'
    for header, why in (('Authorization: x', 'set by Gadget itself'),
                        ('X-Api-Key: x', 'set by Gadget itself'),
                        ('a b: x', 'cannot be the name'),
                        ('x-a: b\r\nx-c: ' + SECRET, 'cannot be sent'),
                        (SECRET, 'Name: value'),
                        ('x-gateway-api-key: ' + SECRET, '--secret-header x-gateway-api-key'),
                        ('x-other: Bearer ' + SECRET, '--secret-header x-other')):
        done = add(home, url, '--header', header, status=2)
        contains(done.stderr, why)
        assert SECRET not in done.stderr, done.stderr
    contains(add(home, url, '--key-stdin', '--secret-header', 'x-a', input='', status=2).stderr,
             'twice')
    contains(add(home, url, '--secret-header', 'x-a', input='x-b=c\n', status=1).stderr,
             'no line “x-a=')
    for value in ('', 'grün'):
        done = add(home, url, '--secret-header', 'x-a', input=f'x-a={value}\n', status=1)
        contains(done.stderr, '“x-a”')
        contains(done.stderr, '--no-headers')
    contains(home.run('provider', 'list', status=0).stdout, 'guide')
    assert 'gate' not in home.run('provider', 'list', status=0).stdout


@test
def secret_headers(home):
    server = home.server([OK] * 2)
    done = add(home, server.url, '--secret-header', 'x-gateway-key',
               input=f'x-gateway-key={SECRET}\n', status=1)
    contains(done.stderr, 'no keyring')
    assert_secret_is_nowhere(home)
    # Without its value nothing is sent.
    home.run('ask', '--provider', 'gate', 'go', status=1)
    equal(server.requests(), [])
    path = home.path + '/headers'
    with open(path, 'w', encoding='ascii') as file:
        json.dump({'x-gateway-key': SECRET}, file)
    os.chmod(path, 0o600)
    home.extra['GADGET_KEY_FILE_HEADERS_GATE'] = path
    events = home.json('ask', '--provider', 'gate', 'go')
    contains(server.requests()[0]['head'], f'\r\nx-gateway-key: {SECRET}\r\n')
    assert SECRET not in json.dumps(events)
    equal(names(home), ['x-gateway-key'])
    assert_secret_is_nowhere(home)
    # It has no value for another address, nor without the file.
    del home.extra['GADGET_KEY_FILE_HEADERS_GATE']
    contains(add(home, 'http://127.0.0.1:9/v1', status=1).stderr, 'no value for this address')
    contains(home.run('ask', '--provider', 'gate', 'go', status=1).stderr, '--secret-header')


if __name__ == '__main__':
    sys.exit(run())
