#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the source and checks the rules that no compiler knows.

    audit.py TOP [RULE...]     every rule (or those named) against the tree at TOP
    audit.py --self-test       every rule against a bad sample, which it must refuse, and a good
                               one, which it must accept

Output is TAP, one line a rule; what was found goes to standard error. A rule is a function from a
tree (a mapping from path to text) to findings (path, line, text), with the samples that prove that
it can fail beside it. Rules of one subject are in audit_SUBJECT.py.
"""

import os
import re
import subprocess
import sys
import xml.parsers.expat

import audit_cases  # noqa: F401  (its rules are registered)
import audit_comments
import audit_rooms
import audit_skips
import audit_stops  # noqa: F401
import audit_words
from audit_base import (CODE, TEXT, arguments_at, blank, files, includes, line_of, read_tree, rule,
                        RULES, search_code, without_comments)

# --- Layers --------------------------------------------------------------------------------------

@rule(bad={'src/engine/agent/a.c': '#include <gtk/gtk.h>\n'},
      good={'src/engine/agent/a.c': '#include <gio/gio.h>\n', 'src/ui/b.c': '#include <adwaita.h>\n'})
def engine_and_cli_know_no_gtk(tree):
    pattern = r'(?:gtk|gdk|gsk|gtksourceview|pango|libspelling|graphene)[/.-]|adwaita|libspelling'
    for under in ('src/engine/', 'src/cli/', 'src/supervise/'):
        yield from includes(tree, under, pattern, 'includes {} below the window')


@rule(bad={'src/ui/window/w.c': '#include <json-glib/json-glib.h>\n'},
      good={'src/ui/window/w.c': '#include "agent/gadget-agent.h"\n'})
def ui_knows_no_wire_and_no_database(tree):
    pattern = r'sqlite3|libsoup/|json-glib/|libsecret/|sys/socket|sys/wait'
    yield from includes(tree, 'src/ui/', pattern, 'includes {}: that is the engine\'s')


@rule(bad={'src/engine/providers/p.c': '#include "tools/gadget-tool.h"\n'},
      good={'src/engine/agent/a.c': '#include "tools/gadget-tool.h"\n'})
def arrows_point_one_way(tree):
    above_http = r'(?:providers|agent|store|effects|tools|mcp|process|control)/'
    for under, pattern in (('src/engine/http/', above_http),
                           ('src/engine/http/', r'web/'),
                           ('src/engine/providers/', r'(?:tools|agent|store|effects|mcp|control)/'),
                           ('src/engine/tools/', r'(?:providers|agent|control)/'),
                           ('src/engine/web/', above_http),
                           ('src/engine/mcp/', r'(?:providers|agent|effects|tools|store|control)/'),
                           ('src/engine/effects/',
                            r'(?:providers|agent|tools|mcp|process|control)/'),
                           ('src/engine/process/',
                            r'(?:http|web|providers|agent|store|effects|tools|mcp|control)/'),
                           ('src/engine/session/',
                            r'(?:http|web|providers|agent|store|effects|tools|mcp|control)/'),
                           ('src/engine/workspace/',
                            r'(?:http|web|providers|agent|store|effects|tools|mcp|process|control)/'),
                           # A provider's configuration is plain data, which the store keeps.
                           ('src/engine/store/',
                            r'(?:providers/(?!gadget-provider-config\.h)|(?:agent|effects|tools|control)/)'),
                           ('src/engine/secrets/', r'(?:providers|agent|effects|tools|control)/'),
                           ('src/engine/common/', r'(?!common/)[a-z]+/gadget-'),
                           ('src/engine/', r'(?:ui|cli)/')):
        yield from includes(tree, under, pattern, 'includes from {}, which stands above it')


rule(bad=audit_rooms.BAD, good=audit_rooms.GOOD)(audit_rooms.folders_stand_on_each_other)
rule(bad=audit_rooms.BAD_CIRCLES, good=audit_rooms.GOOD_CIRCLES)(
    audit_rooms.files_stand_on_each_other)
rule(bad=audit_rooms.BAD_PRIVATE, good=audit_rooms.GOOD_PRIVATE)(
    audit_rooms.private_names_stay_in_their_folder)
rule(bad=audit_rooms.BAD_TABLES, good=audit_rooms.GOOD_TABLE)(audit_rooms.folders_are_described)
rule(bad=audit_rooms.BAD_TESTS, good=audit_rooms.GOOD_TESTS)(
    audit_rooms.tests_lie_beside_what_they_test)
rule(bad=audit_comments.BAD, good=audit_comments.GOOD)(
    audit_comments.public_functions_are_described)


# --- Permissions ----------------------------------------------------------------------------------

ANSWERS_COME_FROM = ('src/ui/transcript/rows/ask/gadget-ask-row.c', 'src/cli/cli-terminal.c',
                     'src/engine/session/gadget-prompt',
                     # a program of the user's that answers on the bus
                     'src/engine/control/gadget-control-work.c',
                     # a rule or a mode of the user's that came while it waited
                     'src/engine/tools/policy/gadget-policy.c')


@rule(bad=[{'src/engine/agent/a.c': 'void\nf (P *p)\n{\n  gadget_prompt_answer (p, "allow");\n}\n'},
           {'src/engine/tools/t.c': 'void\nf (P *p)\n{\n  gadget_prompt_answer_with_note (p, t, NULL);\n}\n'}],
      good={'src/cli/cli-terminal.c': 'void\nf (P *p)\n{\n  gadget_prompt_answer (p, "allow");\n}\n'})
def only_the_user_answers(tree):
    """What a model writes and what a tool puts out has no way to the answer of a prompt."""
    yield from search_code(tree, 'src/', r'\bgadget_prompt_answer(?:_with_note)? ?\(',
                           '{}: an answer comes from the user', exempt=ANSWERS_COME_FROM)


# --- Stopping ------------------------------------------------------------------------------------

def body(statement, path='src/engine/common/a.c'):
    return {path: 'void\nf (void)\n{\n  %s\n}\n' % statement}


@rule(bad=[body('g_usleep (5);'), body('g_cancellable_reset (c);'), body('goto out;'),
           body('g_subprocess_force_exit (p);'), body('soup_session_send (s, m, c, e);'),
           body('g_main_context_iteration (NULL, TRUE);'), body('sleep (1);'),
           body('g_main_loop_run (loop);'),
           body('id = g_idle_add_full (0, G_SOURCE_FUNC (a_cb), s, NULL);')],
      good={'src/engine/common/a.c': '/* never g_usleep () */\nconst char *s = "g_usleep (1)";\n',
            'src/engine/providers/b.c': 'soup_session_send_async (s, m, 0, c, f, d);\n'})
def forbidden_calls(tree):
    yield from search_code(
        tree, 'src/',
        r'\b(?:g_cancellable_reset|g_subprocess_force_exit|g_usleep|soup_session_send'
        r'|soup_session_send_and_read|soup_session_send_and_splice|g_main_context_iteration) ?\(|\bgoto\b',
        '{} is forbidden')
    yield from search_code(tree, 'src/', r'\b(?:sleep|usleep|nanosleep) ?\(', '{} is forbidden',
                           exempt=['src/supervise/'])
    for under in ('src/engine/', 'src/ui/'):
        yield from search_code(tree, under, r'\bg_main_loop_run ?\(', '{} nests a main loop')
    # The cast hides a function without a value, whose source then goes on for ever or not.
    yield from search_code(tree, 'src/', r'\bg_(?:idle|timeout)_add\w* ?\([^;]*?G_SOURCE_FUNC',
                           '{}: give the function without a cast')


@rule(bad=body('g_file_test (path, G_FILE_TEST_IS_DIR);', 'src/ui/window/a.c'),
      good=body('g_file_test (path, G_FILE_TEST_IS_DIR);', 'src/engine/process/a.c'))
def windows_wait_for_no_drive(tree):
    yield from search_code(tree, 'src/ui/', r'\bg_file_test ?\(', '{} blocks the window')


@rule(bad=[body('gtk_accessible_announce (a, "text", p);', 'src/ui/window/a.c'),
           body('adw_toast_overlay_add_toast (o, t);', 'src/ui/window/a.c')],
      good={**body('gtk_accessible_announce (a, "text", p);', 'src/ui/common/gadget-announcer.c'),
            **body('adw_toast_overlay_add_toast (o, t);', 'src/ui/common/gadget-toast.c')})
def announcements_keep_their_distance(tree):
    yield from search_code(tree, 'src/', r'\bgtk_accessible_announce ?\(',
                           '{}: gadget_announce () does it',
                           exempt=['src/ui/common/gadget-announcer.c'])
    yield from search_code(tree, 'src/', r'\badw_toast_overlay_add_toast ?\(',
                           '{}: gadget_toast_show () does it',
                           exempt=['src/ui/common/gadget-toast.c'])


@rule(bad=body('text = g_strdup_printf (_ ("Could not send: %s"), error->message);',
               'src/ui/window/a.c'),
      good={**body('g_message ("it failed: %s", error->message);', 'src/ui/window/a.c'),
            **body('show (&(Card) { .text = text, .detail = error->message });', 'src/ui/window/b.c'),
            **body('label = gtk_label_new (error->message);', 'src/ui/window/gadget-data-failure.c')})
def errors_have_words(tree):
    """What the window says about an error is made of its code: gadget_error_labels_dup (). Details
    that are shown as such are exempt, and messages that the engine made for people."""
    exempt = ('src/ui/common/gadget-error-labels.c', 'src/ui/window/gadget-data-failure.c',
              'src/ui/window/gadget-session-watch.c', 'src/ui/window/gadget-chat-actions.c')
    for path, text in files(tree, 'src/ui/', CODE):
        code = without_comments(text)
        for match in re.finditer(r'\berror->message\b', code):
            statement = re.split(r'[;{}]', code[:match.start()])[-1]
            if (not path.startswith(exempt)
                    and not re.search(r'\bg_(?:message|info|debug|warning)\b|_error \('
                                      r'|\.detail = $', statement)):
                yield path, line_of(text, match.start()), 'the message of an error is for the log'


@rule(bad={'src/engine/http/gadget-http-stream.c':
           'g_input_stream_read_bytes_async (in, 10, 0,\n  NULL, read_cb, self);\n'},
      good={'src/engine/http/gadget-http-stream.c':
            'g_input_stream_read_bytes_async (in, 10, 0, cancellable, read_cb, self);\n'
            'g_input_stream_close_async (in, 0, NULL, closed_cb, self);\n'})
def every_read_can_be_cancelled(tree):
    for path, text in files(tree, 'src/engine/', CODE):
        code = without_comments(text)
        for match in re.finditer(r'\b\w+_(?:read|fill|send|connect\w*|splice)\w*_async \(', code):
            arguments = arguments_at(code, match.end() - 1)
            if len(arguments) >= 3 and arguments[-3] == 'NULL':
                yield path, line_of(text, match.start()), 'a wait without a cancellable'


@rule(bad=[body('g_spawn_async (0, 0, 0, 0, 0, 0, 0, 0);'), body('system ("ls");'),
           body('g_subprocess_new (0, 0, "ls", NULL);')],
      good=body('g_spawn_async (0, 0, 0, 0, 0, 0, 0, 0);', 'src/engine/process/p.c'))
def commands_start_in_process_alone(tree):
    yield from search_code(
        tree, 'src/',
        r'\b(?:g_spawn_\w+|g_subprocess_\w+|posix_spawnp?|fork|vfork|clone3?|exec[lv]p?e?|popen|system) ?\(',
        # main () may start the program itself anew, in its own place.
        '{} outside of engine/process', exempt=['src/engine/process/', 'src/supervise/', 'src/main.c'])


@rule(bad=[body('waitpid (-1, 0, 0);'), body('prctl (PR_SET_CHILD_SUBREAPER, 1);')],
      good=body('waitpid (-1, 0, 0);', 'src/supervise/s.c'))
def only_the_helper_reaps_for_others(tree):
    yield from search_code(tree, 'src/', r'PR_SET_CHILD_SUBREAPER|\bwaitpid \(-1\b',
                           '{} belongs to src/supervise', exempt=['src/supervise/'])


# --- Form ----------------------------------------------------------------------------------------

@rule(bad={'src/main.c': 'int x;\n'},
      good={'src/main.c': '/* SPDX-License-Identifier: GPL-3.0-or-later */\n', 'po/LINGUAS': 'de\n'})
def spdx_in_every_source(tree):
    for path, text in tree.items():
        if path.endswith(CODE + ('.py', '.sh', '.blp', '.css', '.svg')) or path == 'dev':
            if 'SPDX-License-Identifier: GPL-3.0-or-later' not in '\n'.join(text.split('\n')[:4]):
                yield path, 1, 'no SPDX line'


@rule(bad={'src/engine/a.h': '#ifndef A\n#define A\n#endif\n'},
      good={'src/engine/a.h': '/* x */\n\n#pragma once\n'})
def pragma_once_in_every_header(tree):
    for path, text in tree.items():
        if path.endswith('.h') and not re.search(r'^#pragma once$', text, flags=re.MULTILINE):
            yield path, 1, 'no #pragma once'


@rule(bad={'src/engine/a.c': 'x;\n' * 1201}, good={'src/engine/a.c': 'x;\n' * 1200})
def no_file_over_1200_lines(tree):
    for path, text in tree.items():
        if path.endswith(CODE + ('.py', '.sh', '.blp')) and text.count('\n') > 1200:
            yield path, 1200, '%d lines: split it by concern' % text.count('\n')


@rule(bad={'src/a.c': '/* TO' 'DO: later */\n'}, good={'src/a.c': '/* TODOs are not words */\n'})
def nothing_left_to_do(tree):
    for path, text in tree.items():
        if path.endswith(TEXT) or path == 'dev':
            for match in re.finditer(r'\b(?:TO' r'DO|FIX' r'ME|XX' r'X|HA' r'CK)\b', text):
                yield path, line_of(text, match.start()), '%s left' % match.group(0)


@rule(bad=[{'src/a.c': 'int x; \n'}, {'src/a.c': 'int x;'}, {'src/a.c': '\tint x;\n'}],
      good={'src/a.c': 'int x;\n'})
def clean_lines(tree):
    for path, text in tree.items():
        if not (path.endswith(TEXT + ('.po',)) or path == 'dev'):
            continue
        for number, line in enumerate(text.split('\n'), 1):
            if line.endswith((' ', '\t', '\r')):
                yield path, number, 'white space at the end'
            if '\t' in line and path.endswith(CODE):
                yield path, number, 'a tab'
        if text and not text.endswith('\n'):
            yield path, text.count('\n') + 1, 'no line end at the end of the file'


@rule(bad=audit_words.BAD, good=audit_words.GOOD)
def retired_words_stay_away(tree):
    yield from audit_words.find_retired_words(tree, without_comments)


# --- Data ----------------------------------------------------------------------------------------

@rule(bad={'data/a.xml': '<a><b></a>\n'}, good={'data/a.xml': '<a><b/></a>\n'})
def xml_is_well_formed(tree):
    for path, text in tree.items():
        if path.endswith(('.xml', '.xml.in', '.ui', '.svg')):
            try:
                xml.parsers.expat.ParserCreate().Parse(text.encode(), True)
            except xml.parsers.expat.ExpatError as error:
                yield path, error.lineno, str(error)


TRANSLATED = re.compile(r'(?<![\w])(?:_|N_|C_|NC_|ngettext|gettext|g_dngettext|dgettext) ?\(')


@rule(bad=[{'po/POTFILES.in': '# x\n', 'src/ui/a.c': 'f (_("Send"));\n'},
           {'po/POTFILES.in': '', 'src/ui/a.c': 'ngettext ("%u chat", "%u chats", n);\n'},
           {'po/POTFILES.in': '', 'src/ui/a.blp': 'label: _("Send");\n'},
           {'po/POTFILES.in': '', 'src/ui/a.ui': '<p translatable="yes">Send</p>\n'},
           {'po/POTFILES.in': 'src/ui/gone.c\n'},
           {'po/POTFILES.in': 'src/b.c\nsrc/a.c\n', 'src/a.c': '', 'src/b.c': ''}],
      good={'po/POTFILES.in': 'src/ui/a.c\n', 'src/ui/a.c': 'f (_("Send"));\n',
            'src/ui/b.c': '/* _("not text") */\n'})
def potfiles_is_complete(tree):
    listed = [line for line in tree.get('po/POTFILES.in', '').split('\n')
              if line and not line.startswith('#')]
    for path, text in files(tree, 'src/', CODE + ('.blp', '.ui')):
        code = without_comments(text) if path.endswith(CODE) else text
        has_text = (TRANSLATED.search(code) if path.endswith(CODE) else
                    re.search(r'\b_\("|\bC_\("|translatable="', text))
        if has_text and path not in listed:
            yield path, 1, 'has text for people, and is not in po/POTFILES.in'
    for path in listed:
        if path not in tree:
            yield 'po/POTFILES.in', 1, '%s does not exist' % path
    if listed != sorted(listed):
        yield 'po/POTFILES.in', 1, 'is not sorted'


@rule(bad={'src/cli/a.c': 'f (_ ("more than %" G_GSIZE_FORMAT " bytes"), n);\n'},
      good={'src/cli/a.c': 'f (_ ("more "\n  "than %s"), size);\n'})
def texts_are_whole(tree):
    """xgettext knows nothing of a macro in the middle of a text, and keeps what stands before it."""
    for path, text in files(tree, 'src/', '.c'):
        for match in re.finditer(r'\b(?:N?_|ngettext) ?\((?:\s*"(?:[^"\\]|\\.)*")+\s*[A-Z_a-z]', text):
            yield path, line_of(text, match.end()), 'a text to translate is cut by a macro'


def theme_icons():
    """Names in the icon themes of the system and in GTK's and libadwaita's own resources."""
    names = set()
    data = os.environ.get('XDG_DATA_DIRS') or '/usr/local/share:/usr/share'
    for folder in data.split(':'):
        for theme in ('Adwaita', 'hicolor'):
            for _, _, found in os.walk(os.path.join(folder, 'icons', theme)):
                names.update(name.rsplit('.', 1)[0] for name in found)
    for library, package in (('libgtk-4.so.1', 'gtk4'), ('libadwaita-1.so.0', 'libadwaita-1')):
        libdir = subprocess.run(['pkg-config', '--variable=libdir', package], text=True,
                                capture_output=True, check=True).stdout.strip()
        listing = subprocess.run(['gresource', 'list', os.path.join(libdir, library)], text=True,
                                 capture_output=True, check=True).stdout
        names.update(os.path.basename(line).split('.')[0] for line in listing.split('\n')
                     if '/icons/' in line)
    return names


@rule(bad=[{'src/ui/a.c': 'f ("no-such-thing-symbolic");\n'},
           {'src/ui/a.blp': 'icon-name: "no-such-thing";\n'},
           {'src/ui/a.ui': '<property name="icon-name">no-such-thing</property>\n'}],
      good={'src/ui/a.c': 'f ("edit-copy-symbolic");\n/* "no-such-thing-symbolic" */\n',
            'src/ui/b.blp': 'icon-name: "gadget-own-symbolic";\n',
            'data/icons/scalable/actions/gadget-own-symbolic.svg': '<svg/>\n'})
def icons_exist(tree):
    own = {os.path.basename(path)[:-len('.svg')] for path, _ in files(tree, 'data/icons/', '.svg')}
    known = None
    for path, text in files(tree, 'src/', CODE + ('.blp', '.ui', '.css')):
        code = re.sub(r'/\*.*?\*/', blank, text, flags=re.DOTALL)
        for match in re.finditer(r'[">]([a-z0-9][a-z0-9-]+-symbolic)["<]'
                                 r'|icon-name(?:: "|">)([a-z0-9.-]+)', code, flags=re.IGNORECASE):
            name = match.group(1) or match.group(2)
            known = known or theme_icons()
            if name not in own and name not in known:
                yield path, line_of(text, match.start()), 'there is no icon "%s"' % name


@rule(bad={'data/icons/scalable/actions/gadget-a-symbolic.svg': '<svg/>\n',
           'src/ui/x.gresource.xml': '<gresources/>\n'},
      good={'data/icons/scalable/actions/gadget-a-symbolic.svg': '<svg/>\n',
            'src/ui/x.gresource.xml': '<file>gadget-a-symbolic.svg</file>\n'})
def own_icons_are_bundled(tree):
    lists = [text for path, text in tree.items() if path.endswith('.gresource.xml')]
    for path, _ in files(tree, 'data/icons/scalable/', '.svg'):
        if lists and not any(os.path.basename(path) in text for text in lists):
            yield path, 1, 'is in no gresource.xml, so no program will find it'


rule(bad=audit_skips.BAD, good=audit_skips.GOOD)(audit_skips.every_skip_is_listed)


# --- Running -------------------------------------------------------------------------------------

def check(tree, wanted):
    chosen = [r for r in RULES if not wanted or r[0] in wanted]
    print('1..%d' % len(chosen))
    failed = 0
    for number, (name, function, _, _) in enumerate(chosen, 1):
        findings = sorted(set(function(tree)))
        print('%s %d - %s' % ('not ok' if findings else 'ok', number, name))
        for path, line, text in findings:
            # Standard error: meson shows it, and keeps the comments of TAP to itself.
            print('%s:%d: %s' % (path, line, text), file=sys.stderr)
        failed += bool(findings)
    return failed


def self_test():
    print('1..%d' % (2 * len(RULES)))
    failed, number = 0, 0
    for name, function, bad, good in RULES:
        refused = all(any(function(tree)) for tree in bad)
        accepted = list(function(good))
        for ok, what in ((refused, 'refuses every bad sample'),
                         (not accepted, 'accepts the good sample')):
            number += 1
            failed += not ok
            print('%s %d - %s %s' % ('ok' if ok else 'not ok', number, name, what))
        for finding in accepted:
            print('%s:%d: %s' % finding, file=sys.stderr)
    return failed


def main(arguments):
    if arguments == ['--self-test']:
        return 1 if self_test() else 0
    if not arguments or arguments[0].startswith('-'):
        print(__doc__, file=sys.stderr)
        return 2
    unknown = set(arguments[1:]) - {r[0] for r in RULES}
    if unknown:
        print('there is no rule %s' % ', '.join(sorted(unknown)), file=sys.stderr)
        return 2
    return 1 if check(read_tree(arguments[0]), arguments[1:]) else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
