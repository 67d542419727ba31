# SPDX-License-Identifier: GPL-3.0-or-later
"""The client that the MCP conformance suite starts: conformance_client.py DRIVER URL

What it does is what the scenario of MCP_CONFORMANCE_SCENARIO wants to see. The protocol is all
spoken by mcp-driver, that is, by Gadget.
"""

import json
import os
import subprocess
import sys
import time

# Which arguments the tools of a scenario get; others get none.
ARGUMENTS = {
    'add_numbers': {'a': 2, 'b': 3},
}


def guess(schema):
    """Arguments that fit the schema of a tool."""
    values = {'string': 'text', 'number': 1.5, 'integer': 2, 'boolean': True}
    return {name: values[part['type']] for name, part in schema.get('properties', {}).items()
            if isinstance(part, dict) and part.get('type') in values}


def calls_of(scenario, tools):
    """What is called, of the tools that are offered: (name, arguments)."""
    context = json.loads(os.environ.get('MCP_CONFORMANCE_CONTEXT', '{}'))
    if 'toolCalls' in context:
        return [(call['name'], call.get('arguments', {})) for call in context['toolCalls']]
    if scenario == 'json-schema-ref-no-deref':
        return []
    if scenario == 'json-schema-2020-12-preservation':
        return [('json_schema_echo', {'schema': tools['json_schema_2020_12_tool']})]
    return [(name, ARGUMENTS.get(name, guess(schema))) for name, schema in tools.items()]


def main():
    driver, url = sys.argv[1:]
    scenario = os.environ.get('MCP_CONFORMANCE_SCENARIO', '')
    with subprocess.Popen([driver, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as process:
        first = process.stdout.readline()
        if not first:
            return 1
        print(first, end='')
        if scenario == 'sse-retry':
            # It takes the first GET for the one that goes on with the answer; the one for what the
            # server tells unasked has to be there before.
            time.sleep(1)
        for name, arguments in calls_of(scenario, json.loads(first)['tools']):
            process.stdin.write(json.dumps({'call': name, 'arguments': arguments}) + '\n')
            process.stdin.flush()
            print(name, process.stdout.readline(), end='')
        process.stdin.close()
    return process.returncode


if __name__ == '__main__':
    sys.exit(main())
