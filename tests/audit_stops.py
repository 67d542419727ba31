# SPDX-License-Identifier: GPL-3.0-or-later
"""Who cancels and who aborts, by the tables in the source of the run: three rules of audit.py."""

import os
import re

from audit_base import CODE, files, function_at, line_of, rule, without_comments

CANCEL_TABLE = 'src/engine/agent/gadget-run.c'


def rows_of(tree, heading):
    """Rows " * | file | HEADING | reason |" of a table in the comment that tops the run's source."""
    text = tree.get(CANCEL_TABLE, '')
    rows, inside = {}, False
    for number, line in enumerate(text.split('\n'), 1):
        cells = re.match(r'\s*\*\s*\|([^|]+)\|([^|]+)\|(.*)\|\s*$', line)
        if not cells:
            inside = False
            continue
        file, function, reason = (c.strip(' `()') for c in cells.groups())
        if file == 'file':
            inside = function == heading
        elif inside and file and not set(file) <= set('-: '):
            rows[(os.path.basename(file), function)] = (number, reason)
    return rows


RUN_SAMPLE = ('/*\n * | file | function | reason |\n * | --- | --- | --- |\n'
              ' * | gadget-run.c | gadget_run_abort | the one trigger |\n */\n'
              'void\ngadget_run_abort (GadgetRun *self)\n{\n  g_cancellable_cancel (self->c);\n}\n')


@rule(bad=[{CANCEL_TABLE: RUN_SAMPLE,
            'src/engine/tools/t.c': 'void\nstop_it (T *t)\n{\n  g_cancellable_cancel (t->c);\n}\n'},
           {CANCEL_TABLE: RUN_SAMPLE,
            'src/ui/a.c': 'void\nf (T *t)\n{\n  connect (t, "x", g_cancellable_cancel, t->c);\n}\n'},
           {CANCEL_TABLE: RUN_SAMPLE.split('void')[0]},
           {CANCEL_TABLE: RUN_SAMPLE.replace('the one trigger', '')}],
      good={CANCEL_TABLE: RUN_SAMPLE})
def every_cancel_is_in_the_table(tree):
    rows = rows_of(tree, 'function')
    calls = set()
    for path, text in files(tree, 'src/', CODE):
        code = without_comments(text)
        for match in re.finditer(r'\bg_cancellable_cancel\b', code):
            key = (os.path.basename(path), function_at(code, match.start()))
            calls.add(key)
            if not rows.get(key, (0, ''))[1]:
                yield (path, line_of(text, match.start()),
                       '%s cancels, and has no row with a reason in %s' % (key[1], CANCEL_TABLE))
    for key in sorted(set(rows) - calls):
        yield CANCEL_TABLE, rows[key][0], 'the row of %s, %s stands for no call' % key


@rule(bad=[{'src/engine/agent/gadget-agent.c': 'void\nend_it (A *a)\n{\n  g_cancellable_cancel (a->c);\n}\n'},
           {CANCEL_TABLE: RUN_SAMPLE + 'void\nstop (R *self)\n{\n  g_cancellable_cancel (self->c);\n}\n'},
           {CANCEL_TABLE: 'void\nstop (R *r)\n{\n  g_cancellable_cancel (r->cancellable);\n}\n'}],
      good={CANCEL_TABLE: RUN_SAMPLE + 'void\nstop (C *call)\n{\n  g_cancellable_cancel (call);\n}\n'})
def a_run_is_cancelled_in_one_place(tree):
    """In agent/ only the run's source cancels: gadget_run_abort () the run's own cancellable, which
    is a member, and other functions, if any, that of one call, which is handed to them."""
    for path, text in files(tree, 'src/engine/agent/', CODE):
        code = without_comments(text)
        for match in re.finditer(r'\bg_cancellable_cancel\b(?: ?\(([^)]*)\))?', code):
            in_abort = function_at(code, match.start()) == 'gadget_run_abort'
            if path != CANCEL_TABLE or (not in_abort and '->' in (match.group(1) or '->')):
                yield (path, line_of(text, match.start()),
                       'a run\'s cancellable is cancelled in gadget_run_abort () alone')


ABORT_SAMPLE = ('/*\n * | file | caller | reason |\n * | --- | --- | --- |\n'
                ' * | gadget-chat-stop.c | press_cb | the button |\n */\n')
PRESS = ('void\npress_cb (W *w)\n{\n  gadget_agent_abort (w->agent, w->id, NULL, GADGET_STOP_USER);\n}\n')
CHAT_STOP = 'src/ui/window/gadget-chat-stop.c'
CLEANING = re.compile(r'(?:^|_)(?:dispose|finalize|free|clear|cleanup|unref)(?:_|$)')


@rule(bad=[{CANCEL_TABLE: ABORT_SAMPLE, CHAT_STOP: PRESS.replace('press_cb', 'other_cb')},
           {CANCEL_TABLE: ABORT_SAMPLE.replace('the button', ''), CHAT_STOP: PRESS},
           {CANCEL_TABLE: ABORT_SAMPLE},
           {CANCEL_TABLE: ABORT_SAMPLE, CHAT_STOP: PRESS,
            'src/ui/a.h': 'static inline void\nf (R *r)\n{\n  gadget_run_abort (r, 0);\n}\n'},
           {CANCEL_TABLE: ABORT_SAMPLE, CHAT_STOP: PRESS,
            'src/ui/a.c': 'void\nf (R *r)\n{\n  g_idle_add (_gadget_window_abort_all, r);\n}\n'},
           # never as clean-up, also by way of a function that may
           {CANCEL_TABLE: ABORT_SAMPLE.replace('press_cb', 'chat_dispose'),
            CHAT_STOP: PRESS.replace('press_cb', 'chat_dispose')},
           {CANCEL_TABLE: ABORT_SAMPLE,
            CHAT_STOP: PRESS + 'void\nchat_finalize (W *w)\n{\n  press_cb (w);\n}\n'}],
      good={CANCEL_TABLE: ABORT_SAMPLE, CHAT_STOP: PRESS,
            'src/engine/agent/gadget-agent.h': 'Ack *gadget_agent_abort (A *a,\n  int r);\n'})
def every_abort_is_in_the_table(tree):
    """Who stops work is the user, or a limit of the user's. The calls of what the first table's
    functions are called by are listed as well, so that none of them comes in as a clean-up."""
    rows = rows_of(tree, 'caller')
    calls = set()
    for path, text in files(tree, 'src/', CODE):
        code = without_comments(text)
        # In the first column it is a declaration; what a turn and a receipt note is not an abort.
        for match in re.finditer(r'(?m)^[ ].*?\b_?gadget_(?!turn_abort|receipt_)\w+_abort(?:_(?!ack|finish)\w+)?\b', code):
            key = (os.path.basename(path), function_at(code, match.start()))
            calls.add(key)
            if not rows.get(key, (0, ''))[1]:
                yield (path, line_of(text, match.start()),
                       '%s aborts, and has no row with a reason in %s' % (key[1], CANCEL_TABLE))
            if CLEANING.search(key[1]):
                yield path, line_of(text, match.start()), '%s aborts to clean up' % key[1]
        for name in {function for file, function in calls if file == os.path.basename(path)}:
            for match in re.finditer(r'(?m)^[ ].*\b%s\b' % name, code):
                caller = function_at(code, match.start())
                if CLEANING.search(caller):
                    yield path, line_of(text, match.start()), '%s aborts to clean up' % caller
    for key in sorted(set(rows) - calls):
        yield CANCEL_TABLE, rows[key][0], 'the row of %s, %s stands for no call' % key
