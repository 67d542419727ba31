# SPDX-License-Identifier: GPL-3.0-or-later
"""Words that src no longer uses, and what to write instead: a rule of audit.py.

The glossary is the table of words in README.md.
"""

import re

SUFFIXES = ('.c', '.h', '.blp', '.ui', '.css', '.build')

# In names, comments and strings. Words of a phrase are joined as in names: by "_", "-" or capitals.
EVERYWHERE = {
    'keepers?': 'snapshot service',
    'turnstiles?': 'snapshot barrier',
    'trackers?': 'workspace snapshot',
    'delicate': 'protected',
    'stamps?': 'file version',
    'brothers?': 'sibling',
    'sideways': 'horizontal',
    'drift': 'value offset',
    'swatch(?:es)?': 'color probe',
    'wish(?:es)?': 'request',
    'known_runs?': 'run record',
    'recorded_work': 'ledgered task',
    'abort_besides': 'abort uploads',
    'rule_words': 'rule labels',
    'shell_words': 'shell labels',
    'command_words': 'command tokens',
    'code_looks?': 'code style id',
    'gadget_blocks?': 'row data',
    'gadget_text_pieces?': 'selectable text',
    'behaviour': 'behavior',
    'cent(?:re|red)': 'center',
    'colour(?:s|ed)?': 'color',
    'grey': 'gray',
    'licence': 'license',
    'practise[ds]?': 'practice',
    r'(?:summar|recogn|normal|initial)is(?:e[ds]?|ing|ation)': 'the same with z',
}

# In names alone: the words are good English, but say little of what a function does or a type is.
IN_NAMES = {
    'agree': 'finish, negotiate',
    'arrivals?': 'incoming attachment',
    'books?': 'cache, loader, rules',
    'hold_back': 'confirm',
    'put_aside': 'draft while editing',
    'stop_acts?': 'stop action',
    'stop_faces?': 'stop state',
    'tells?': 'notify, emit, report, write',
    'terms': 'request',
}

# In strings, as they are.
TEXTS = {
    'Changes made again': 'Changes redone',
    'Is Not There': 'Not Found',
    'Left as It Is': 'Not Undone',
    'Something new is there': 'New messages below',
    'takes no pictures': 'doesn\'t support images',
    'Other ways to ': 'More … Options',
    'Not while a reply': 'Not available while a reply is in progress',
    'What the Program Wrote': 'Program Output',
    'Nothing in it to read': 'File is empty',
    'Too large to be read': 'File too large',
}

# (beginning of the path, word): why it may stand there.
ALLOWED = {
    ('src/engine/providers/gadget-guide-s', 'keeper'): 'a lighthouse has one, in a story',
    ('src/engine/providers/gadget-guide-story', 'grey'): 'in a text for people, as it was translated',
}

BAD = [{'src/a.c': 'GadgetKeeper *k;\n'},
       {'src/a.c': '/* The turnstile. */\n'},
       {'src/a.blp': 'label: _("The keeper");\n'},
       {'src/a.c': 'x = is_delicate (1);\n'},
       {'src/a.c': 'GADGET_KNOWN_RUN;\n'},
       {'src/a.c': 'GadgetKnownRuns x;\n'},
       {'src/engine/shell-words.c': 'int x;\n'},
       {'src/a.c': 'static void tell_user (void);\n'},
       {'src/a.c': 'f (_ ("Something new is there"));\n'},
       {'src/a.css': '/* Its colour. */\n'},
       {'src/engine/providers/gadget-guide-story.c': 'int x;\n'}]
GOOD = {'src/a.c': '/* Comments tell more. */\nconst char *s = "Tell me about books";\n'
                   'int storytelling, notebook, timestamps, split_command (words);\n',
        'src/engine/providers/gadget-guide-story.c': 'f ("The keeper saw a grey sky.");\n',
        'tests/engine/test-a.c': 'int keeper;\n'}


def compile_words(words):
    return re.compile('(?<![a-z0-9])(?:%s)(?![a-z0-9])' % '|'.join(
        '(%s)' % word.replace('_', '[_-]') for word in words))


def separate_words(text):
    """The text with the words of its names apart, in lower case; its lines stay where they are."""
    return re.sub(r'(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])', '_', text).lower()


def find_words(words, pattern, path, text, used):
    apart = separate_words(text)
    for match in pattern.finditer(apart):
        allowed = {key for key in ALLOWED if path.startswith(key[0]) and key[1] == match.group(0)}
        used |= allowed
        if not allowed:
            instead = list(words.values())[match.lastindex - 1]
            yield path, apart.count('\n', 0, match.start()) + 1, \
                '"%s" is a retired word: %s' % (match.group(0), instead)


def find_retired_words(tree, strip_comments_and_strings):
    """Where src uses a word of the lists, and which allowances are not needed any more."""
    everywhere, in_names = compile_words(EVERYWHERE), compile_words(IN_NAMES)
    used = set()
    for path, text in tree.items():
        if not path.startswith('src/') or not path.endswith(SUFFIXES):
            continue
        code = strip_comments_and_strings(text) if path.endswith(('.c', '.h')) else ''
        yield from find_words(EVERYWHERE, everywhere, path, path + ' ' + text, used)
        yield from find_words(IN_NAMES, in_names, path, path + ' ' + code, used)
        for old, instead in TEXTS.items():
            for match in re.finditer(re.escape(old), text):
                yield path, text.count('\n', 0, match.start()) + 1, \
                    'people read "%s" no more: %s' % (old, instead)
    for start, word in sorted(set(ALLOWED) - used):
        if any(path.startswith(start) for path in tree):
            yield start, 1, 'has no "%s" any more, which is allowed for it' % word
