# SPDX-License-Identifier: GPL-3.0-or-later
"""Tools and subagents of gadget-cli, where no terminal is."""

import json
import os
import signal
import sys
import time

from cli_user import (FLOW, OK, PATIENCE, alive_with, contains, equal, need_shell, now_us, run,
                      seen_runs, session_of, shell_call, test, wait_until)


# --- Tools ---------------------------------------------------------------------------------------

@test
def abort_leaves_no_process(home):
    need_shell(home)
    mark = f'318.{os.getpid()}2'
    server = home.server([shell_call(
        f"sleep {mark} & setsid sleep {mark} & trap '' TERM; echo begun; sleep {mark}"), OK])
    running = home.start('--provider', 'fake', '--approve', 'auto', '--workspace', '.', 'run it')
    running.wait_for(lambda events: any(e['event'] == 'tool-output' for e in events), 'the command')
    wait_until(lambda: len(alive_with(mark)) >= 3, 'the processes')
    running.signal(signal.SIGINT)
    status, last = running.finish()
    equal((status, last['status']), (130, 'aborted'), running.stderr)
    equal(alive_with(mark), [], 'survivors')
    contains([line['kind'] for line in last['receipt']], 'process')
    result = [e for e in running.events() if e['event'] == 'tool-result']
    equal([r['status'] for r in result], ['aborted'])
    contains(result[0]['content'], 'begun')
    equal(len(server.requests()), 1, 'requests')
    equal(home.json('ask', '--session', session_of(running.events()), 'on')[-1]['status'],
          'finished')
    contains(server.requests()[-1]['body'], 'begun')


@test
def killed_leaves_no_process(home):
    need_shell(home)
    mark = f'319.{os.getpid()}3'
    home.server([shell_call(f'echo begun; sleep {mark}')])
    running = home.start('--provider', 'fake', '--approve', 'auto', '--workspace', '.', 'run it')
    running.wait_for(lambda events: any(e['event'] == 'tool-output' for e in events), 'the command')
    running.process.kill()
    running.process.wait()
    wait_until(lambda: not alive_with(mark), 'the end of the command', 3)


@test
def approve_auto_runs(home):
    need_shell(home)
    server = home.server([shell_call('echo $((6 * 7)) > made; cat made'), OK])
    events = home.json('ask', '--provider', 'fake', '--approve', 'auto', '--workspace', '.', 'go')
    result = [e for e in events if e['event'] == 'tool-result'][0]
    equal(result['status'], 'finished')
    contains(result['content'], '42')
    with open(home.work + '/made', encoding='utf-8') as file:
        equal(file.read(), '42\n')
    contains(server.requests()[1]['body'], '42')


@test
def changes_are_undone(home):
    need_shell(home)
    note = home.work + '/note'
    with open(note, 'w', encoding='utf-8') as file:
        file.write('before\n')
    home.server([shell_call('echo after > note; mkdir made; touch made/file; exit 3'), OK])
    events = home.json('ask', '--provider', 'fake', '--approve', 'auto', '--workspace', '.', 'go')
    turn = home.show(session_of(events))['turns'][0]
    equal([(e['kind'], e['outcome'], e['call'], e['recording']) for e in turn['effects']],
          [('command', 'exit 3', 'c1', 'done')])
    contains(turn['effects'][0]['subject'], 'echo after')

    listed = json.loads(home.run('undo', turn['turn'], '--list', '--json', status=0).stdout)
    equal([(os.path.basename(c['path']), c['change'], c['state'], c['lines_added'])
           for c in listed['changes']],
          [('made', 'added', 'done', None), ('file', 'added', 'done', 0),
           ('note', 'changed', 'done', 1)])
    undone = home.run('undo', turn['turn'], status=0).stderr
    contains(undone, '2 files were changed.')
    contains(undone, '1 folder was changed.')
    with open(note, encoding='utf-8') as file:
        equal(file.read(), 'before\n')
    assert not os.path.exists(home.work + '/made'), 'the folder is still there'
    home.run('undo', turn['turn'], '--redo', status=0)
    with open(note, 'a', encoding='utf-8') as file:
        file.write('mine\n')
    contains(home.run('undo', turn['turn'], status=1).stderr, 'note')
    home.run('undo', turn['turn'], '--skip', status=0)
    with open(note, encoding='utf-8') as file:
        equal(file.read(), 'after\nmine\n')
    equal([e['kind'] for e in home.show(session_of(events))['turns'][0]['effects']],
          ['command', 'undo', 'redo', 'undo', 'undo'])


@test
def killed_leaves_a_record(home):
    need_shell(home)
    home.server([shell_call('echo begun; sleep 316')])
    running = home.start('--provider', 'fake', '--approve', 'auto', '--workspace', '.', 'run it')
    running.wait_for(lambda events: any(e['event'] == 'tool-output' for e in events), 'the command')
    running.process.kill()
    running.process.wait()
    # The lease of what was killed may be held a moment longer, by a process that it was starting;
    # then the next program records what the command did.
    end = time.monotonic() + PATIENCE
    while True:
        turn = home.show(session_of(running.events()))['turns'][0]
        if turn['effects'][0]['recording'] != 'pending' or time.monotonic() > end:
            break
        time.sleep(0.2)
    equal([(e['kind'], e['subject'], e['outcome'], e['recording']) for e in turn['effects']],
          [('command', 'echo begun; sleep 316', 'interrupted', 'partly')])


def refused(home, *arguments):
    server = home.server([shell_call('touch made'), OK])
    events = home.json('ask', '--provider', 'fake', '--workspace', '.', *arguments, 'go')
    result = [e for e in events if e['event'] == 'tool-result'][0]
    equal(result['status'], 'error')
    assert not os.path.exists(home.work + '/made'), 'it ran'
    equal(len(server.requests()), 2, 'the model is told')
    equal([e for e in events if e['event'] == 'permission'], [])
    return result


@test
def approve_never_refuses(home):
    need_shell(home)
    refused(home, '--approve', 'never')


@test
def without_terminal_nobody_is_there(home):
    need_shell(home)
    contains(refused(home)['content'], 'nobody is there')
    home.server([shell_call('touch made'), OK])
    done = home.run('ask', '--provider', 'fake', '--workspace', '.', 'go', status=0)
    contains(done.stderr, 'nobody is there to answer')
    home.server([{'tool_calls': [{'id': 'c1', 'name': 'ask_user',
                                  'arguments': {'question': 'Which?', 'choices': ['a', 'b']}}],
                  'finish': 'tool_calls'}, OK])
    events = home.json('ask', '--provider', 'fake', 'go')
    contains([e for e in events if e['event'] == 'tool-result'][0]['content'], 'obody is there')


# --- Subagents -----------------------------------------------------------------------------------

def task_call(prompt, call='t1', **more):
    arguments = {'description': 'Look closely', 'prompt': prompt, **more}
    return {'tool_calls': [{'id': call, 'name': 'task', 'arguments': arguments}],
            'finish': 'tool_calls'}


@test
def subagent_reports(home):
    server = home.server([task_call('What is there?'), {'text': 'Three stones.'},
                          {'text': 'There are three.'}])
    events = home.json('ask', '--provider', 'fake', 'go')
    started, ended = [[e for e in events if e['event'] == 'subagent-' + kind][0]
                      for kind in ('started', 'ended')]
    equal((started['id'], started['title']), ('t1', 'Look closely'))
    equal((ended['id'], ended['session'], ended['turn'], ended['status']),
          ('t1', started['session'], started['turn'], 'finished'))
    equal([(e['delta'], e.get('subagent')) for e in events if e['event'] == 'text'],
          [('Three stones.', started['session']), ('There are three.', None)])
    result = [e for e in events if e['event'] == 'tool-result'][0]
    contains(result['content'], started['session'])
    # Its chat is its own, and in no list.
    body = json.loads(server.requests()[1]['body'])
    equal([m['content'] for m in body['messages'] if m['role'] == 'user'], ['What is there?'])
    listed = json.loads(home.run('session', 'list', '--json', status=0).stdout)
    equal([s['session'] for s in listed], [session_of(events)])
    # By its ID it can be read all the same.
    shown = home.run('session', 'show', started['session'], status=0)
    contains(shown.stdout, 'What is there?')
    contains(shown.stdout, 'Three stones.')
    contains(home.run('session', 'show', 'nobody', status=1).stderr, 'There is no session “nobody”.')


@test
def subagent_as_text(home):
    home.server([task_call('What is there?'), {'text': 'Three stones.'},
                 {'text': 'There are three.'}])
    done = home.run('ask', '--provider', 'fake', 'go', status=0)
    equal(done.stdout, 'There are three.\n')
    contains(done.stderr, '▸ Look closely: subagent started\n✓ Look closely\n')


@test
def subagent_stopped_and_continued(home):
    home.start_bus()
    server = home.server([task_call('talk'), FLOW, OK])
    running = home.start('--provider', 'fake', 'go')
    running.wait_for_text(50)
    started = [e for e in running.events() if e['event'] == 'subagent-started'][0]
    runs = seen_runs(home)
    equal([(r['kind'], r['run']) for r in runs],
          [('turn', runs[0]['run']), ('subagent', started['run'])])
    equal(runs[1]['parent'], runs[0]['run'])
    home.run('run', 'abort', '--run', started['run'], status=0)
    status, last = running.finish()
    equal((status, last['status'], last['receipt']), (0, 'finished', []))
    said = ''.join(e['delta'] for e in running.events() if e['event'] == 'text' and 'subagent' in e)
    result = [e for e in running.events() if e['event'] == 'tool-result'][0]
    equal(result['status'], 'aborted')
    contains(result['content'], said.strip())
    contains(result['content'], started['session'])
    server.end_of(server.requests()[1]['connection'])
    # The chat goes on with it, in another process.
    server = home.server([task_call('go on', **{'continue': started['session']}), OK, OK])
    home.json('ask', '--session', session_of(running.events()), 'again')
    messages = json.loads(server.requests()[1]['body'])['messages']
    contains([m['content'] for m in messages if m['role'] == 'assistant'][-1], said.strip())
    contains(messages[-1]['content'], 'go on')


@test
def guide_helpers_stop_with_the_turn(home):
    home.start_bus()
    running = home.start('--provider', 'guide', 'Hand work to a helper')

    # A call that was heard of has not begun yet: what goes on is asked of the run.
    def both_work(_):
        work = [line.split()[0] for run in seen_runs(home)[:1] for line in run['in_flight']]
        return work.count('subagent') == 2 and 'tool' in work
    running.wait_for(both_work, 'two subagents')
    # A call is shown when the model has made it, and is in flight a little later.
    wait_until(lambda: 'wait' in home.run('run', 'list', '--json', status=0).stdout, 'the tool')
    at = running.signal(signal.SIGINT)
    status, last = running.finish()
    assert now_us() - at < 5_000_000
    equal((status, last['status']), (130, 'aborted'))
    # The Guide may be writing at that moment, or a helper of it.
    kinds = sorted(line['kind'] for line in last['receipt'])
    equal([kind for kind in kinds if kind not in ('connection', 'reply')],
          ['subagent', 'subagent', 'tool'])
    equal([e['status'] for e in running.events() if e['event'] == 'subagent-ended'],
          ['aborted', 'aborted'])
    events = home.json('ask', '--session', session_of(running.events()), 'what happened')
    contains(''.join(e['delta'] for e in events if e['event'] == 'text'), '2 tools were stopped')


if __name__ == '__main__':
    sys.exit(run())
