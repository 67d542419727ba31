# SPDX-License-Identifier: GPL-3.0-or-later
"""What the model says in the pictures of screenshots.py, by what it is asked."""


ANSWER = """Cancelling only ended the read. The stream itself was still referenced by `ReadState`, \
so the socket lived until that was freed. It is now closed in two steps:

- wait until the pending read has returned;
- close with a `NULL` cancellable, then drop the reference.

The order matters, because closing while a read is pending fails."""
SCRIPT = {
    'models': ['qwen3:14b', {'id': 'llama3.2:3b', 'architecture': {'input_modalities': ['text']}},
               'gpt-oss:20b'],
    # Found anywhere in the request, history included: the later question stands first.
    'replies': [
        {'when': 'Ask the model that is gone', 'status': 404,
         'body': {'error': {'message': 'model "gone" not found', 'type': 'not_found_error'}}},
        # A turn that changes files, step by step from below; and one that is stopped after it did.
        {'when': 'Made notes/second.txt', 'text': 'Now the tests. ', 'repeat': 300,
         'per_second': 3},
        {'when': 'Write it down a second time', 'text': 'I write it down.',
         'tool_calls': [{'id': 'u6', 'name': 'write_file', 'arguments': {
             'path': 'notes/second.txt', 'content': 'The option is called color.\n'}},
                        {'id': 'u7', 'name': 'shell', 'arguments': {
                            'command': 'rm notes/rename.txt'}}]},
        {'when': 'The old list is gone.', 'text': 'The option is called color now.'},
        {'when': 'Made notes/rename.txt', 'text': 'Nothing else needs the old list.',
         'tool_calls': [{'id': 'u4', 'name': 'shell', 'arguments': {
             'command': 'rm src/old.txt && echo The old list is gone.'}}]},
        {'when': 'colour = red', 'text': 'It is in one file only.',
         'tool_calls': [{'id': 'u2', 'name': 'edit_file', 'arguments': {
             'path': 'src/options.txt',
             'edits': [{'old_text': 'colour = red', 'new_text': 'color = red\n# was: colour'}]}},
                        {'id': 'u3', 'name': 'write_file', 'arguments': {
                            'path': 'notes/rename.txt',
                            'content': 'The option is called color.\nNothing else changed.\n'}}]},
        {'when': 'Rename the option', 'reasoning': 'First where it is. ',
         'tool_calls': [{'id': 'u1', 'name': 'read_file', 'arguments': {
             'path': 'src/options.txt'}}]},
        {'when': 'All of them are there.', 'text': 'There is one file for each line now.'},
        {'when': 'Make a file of each line', 'tool_calls': [{'id': 'm1', 'name': 'shell',
                                                             'arguments': {
            'command': 'mkdir lines && seq 45000 | split -l 1 -a 4 - lines/ && '
                       'echo All of them are there.'}}]},
        {'when': 'is a picture: image/png', 'text': 'It is blue, and lighter towards its end.'},
        {'when': 'Look at the picture', 'tool_calls': [
            {'id': 'p1', 'name': 'read_file', 'arguments': {'path': 'sky.png'}}]},
        {'when': 'What has changed since', 'text': 'I look at the repository.',
         'tool_calls': [{'id': 'g1', 'name': 'shell', 'arguments': {
             'command': 'git status --short'}},
                        {'id': 'g2', 'name': 'shell', 'arguments': {
                            'command': 'git push origin main'}}]},
        {'when': 'Do it all in one line', 'text': 'This is one long command.',
         'tool_calls': [{'id': 'l1', 'name': 'shell', 'arguments': {
             'command': 'set -e\n' + ''.join('echo "step %d" && ./configure --with-part=%d\n'
                                              % (n, n) for n in range(20))
             + 'cat \u202egpj.x\u202c # \x1b[2K'}}]},
        {'when': 'Put the new test somewhere', 'text': 'Several places are possible.',
         'tool_calls': [{'id': 'q1', 'name': 'ask_user', 'arguments': {
             'question': 'Where should the new test go?',
             'choices': ['In tests/test-abort.c', 'In a file of its own']}}]},
        {'when': 'Now add a test', 'reasoning': 'The suite is small, so all of it can run. ',
         'text': 'I run what is there first.',
         'tool_calls': [{'id': 's1', 'name': 'shell', 'arguments': {
             'command': 'for n in 1 2 3; do echo "ok $n"; done; sleep 60'}},
                        {'id': 'w1', 'name': 'wait', 'arguments': {'seconds': 60}}]},
        {'when': 'Leave the other tests alone', 'text': 'Then I add it in a file of its own. '},
        {'when': 'Go step by step', 'text': 'One step at a time.',
         'tool_calls': [{'id': 'w3', 'name': 'wait', 'arguments': {'seconds': 6}}]},
        {'when': 'Look into both folders', 'text': 'I let two subagents look at the same time.',
         'tool_calls': [{'id': 't1', 'name': 'task', 'arguments': {
             'description': 'Read the sources', 'prompt': 'Read all of the sources'}},
                        {'id': 't2', 'name': 'task', 'arguments': {
                            'description': 'Read the tests', 'prompt': 'Read all of the tests'}}]},
        {'when': 'Read all of the sources', 'reasoning': 'It is a small tree. ',
         'text': 'I wait until the lists are there.',
         'tool_calls': [{'id': 'w2', 'name': 'wait', 'arguments': {'seconds': 60}}]},
        {'when': 'Read all of the tests', 'text': 'There are three folders of tests. ',
         'repeat': 300, 'per_second': 3},
        {'when': 'Say nothing at all', 'steps': [{'stall': True}]},
        {'when': 'Write one very long line', 'text': 'x' * 4000},
        {'when': 'Go on with the rest', 'text': ANSWER + '\n\n', 'repeat': 200, 'per_second': 3},
        {'when': 'Find out why', 'text': ANSWER,
         'reasoning': 'First the order of the two calls, then the reference. ' * 6},
        {'text': ANSWER},
    ],
}
