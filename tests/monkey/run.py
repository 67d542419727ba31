#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A monkey at the window, the command line and the bus: "./dev test --monkey N [SEED]".

usage: run.py BUILD_DIR N [SEED] [--actions MIN-MAX] [--jobs N] [--no-shrink] [--verbose]
              [--build DIR] [--plan FILE]

Plays N episodes of random plans, each in a home, on a display and on a bus of its own. After each
step what must always hold is looked at (see world.py): what was sent or shown is stored, in a queue
or in a draft; after a stop everything is closed and nothing follows; Cancel can be reached while a
turn runs; every request is valid; nothing complains on standard error; nothing is left of a window
that went. A plan that fails is made shorter, as long as what is left of it fails in the same way,
and is written beside the log, to be played again with --plan.

The seed of everything is printed; the same seed makes the same plans. What happens between two
steps is not ours to repeat, so a failing plan is played several times.
"""

import argparse
import concurrent.futures
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), 'e2e')]

import actions  # noqa: E402

EPISODE_SECONDS = 900
# Leaks are "./dev sanitize"'s: its way to tell those of libraries apart is too slow for a window in use.
SANITIZER_OPTIONS = 'detect_leaks=0:detect_stack_use_after_return=1:strict_string_checks=1:' \
                    'halt_on_error=1:abort_on_error=0:external_symbolizer_path=/usr/bin/addr2line'
TRIES = 3  # of a plan that may fail now and then
SHRINK_PLAYS = 60


def play(build, plan, folder):
    """What came of the plan: {} or its violation; and what was printed."""
    with tempfile.NamedTemporaryFile('w', dir=folder, suffix='.json', delete=False) as file:
        json.dump(plan, file)
    try:
        done = subprocess.run([sys.executable, os.path.join(HERE, 'episode.py'), build, file.name],
                              capture_output=True, text=True, timeout=EPISODE_SECONDS)
        lines = done.stdout.splitlines()
        try:
            return json.loads(lines[-1]), done.stdout + done.stderr
        except (ValueError, IndexError):
            return {'step': len(lines), 'violation': 'the episode died: ' + done.stderr[-800:]}, \
                done.stdout + done.stderr
    except subprocess.TimeoutExpired as late:
        return {'step': 0, 'violation': 'the episode took longer than %d s' % EPISODE_SECONDS}, \
            str(late.stdout)
    finally:
        os.unlink(file.name)


def kind_of(violation):
    """The violation without what differs from one play to the next."""
    return re.sub(r'[0-9]+(\.[0-9]+)?', 'N', violation)[:60]


def fails_alike(build, plan, folder, kind):
    for _ in range(TRIES):
        result, _ = play(build, plan, folder)
        if result and kind_of(result['violation']) == kind:
            return True
    return False


def shrink(build, plan, folder, violation):
    """The shortest plan found that fails in the same way."""
    kind = kind_of(violation)
    plays = 0
    size = max(1, len(plan) // 2)
    while size >= 1 and plays < SHRINK_PLAYS:
        start = 0
        while start < len(plan) and plays < SHRINK_PLAYS:
            shorter = plan[:start] + plan[start + size:]
            plays += 1
            if shorter and fails_alike(build, shorter, folder, kind):
                plan = shorter
            else:
                start += size
        size //= 2
    return plan


def make_plans(options):
    least, most = options.actions
    for number in range(options.n):
        chooser = random.Random('%d/%d' % (options.seed, number))
        yield number, actions.make_plan(chooser, chooser.randint(least, most))


def report(options, number, plan, result, log, folder):
    base = os.path.join(options.out, 'seed-%d-%d' % (options.seed, number))
    with open(base + '.log', 'w', encoding='utf-8') as file:
        file.write(log)
    print('  violation at step %d: %s' % (result['step'], result['violation']), flush=True)
    plan = plan[:result['step'] + 1]
    if options.shrink:
        plan = shrink(options.build, plan, folder, result['violation'])
        print('  the shortest plan that fails: %s' % ' '.join(name for name, _ in plan), flush=True)
    with open(base + '.plan', 'w', encoding='utf-8') as file:
        json.dump(plan, file)
    print('  log and plan: %s.{log,plan}' % base, flush=True)


def parse():
    parser = argparse.ArgumentParser(prog='./dev test --monkey')
    parser.add_argument('build')
    parser.add_argument('n', type=int, nargs='?', default=10)
    parser.add_argument('seed', type=int, nargs='?', default=random.SystemRandom().randrange(1 << 31))
    parser.add_argument('--actions', default='30-80',
                        type=lambda text: [int(part) for part in text.split('-')])
    parser.add_argument('--jobs', type=int, default=max(1, (os.cpu_count() or 2) // 2))
    parser.add_argument('--no-shrink', dest='shrink', action='store_false')
    parser.add_argument('--verbose', action='store_true', help='print every step')
    parser.add_argument('--plan', help='a plan that failed before')
    parser.add_argument('--build', dest='other_build', help='another build than the usual one')
    options = parser.parse_args()
    options.build = os.path.abspath(options.other_build or options.build)
    options.out = os.path.join(options.build, 'monkey')
    os.makedirs(options.out, exist_ok=True)
    os.environ.setdefault('ASAN_OPTIONS', SANITIZER_OPTIONS)
    os.environ.setdefault('UBSAN_OPTIONS', 'halt_on_error=1:print_stacktrace=1')
    return options


def main():
    # A shell starts what it runs in the background with SIGINT ignored. The programs of the episodes
    # would inherit that, and gadget-cli would rightly not leave at a SIGINT.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    options = parse()
    plans = list(make_plans(options))
    if options.plan:
        with open(options.plan, encoding='utf-8') as file:
            plans = [(0, json.load(file))] * options.n
    print('seed %d, %d episodes' % (options.seed, len(plans)), flush=True)
    failed = 0
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        plays = {pool.submit(play, options.build, plan, folder): (number, plan)
                 for number, plan in plans}
        for future in concurrent.futures.as_completed(plays):
            number, plan = plays[future]
            result, log = future.result()
            print('%s episode %d, %d steps' % ('FAILED' if result else 'ok    ', number, len(plan)),
                  flush=True)
            if options.verbose:
                print(log, flush=True)
            if result:
                failed += 1
                report(options, number, plan, result, log, folder)
    print('%d episodes, %d failed, %d s' % (len(plans), failed, time.monotonic() - began))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
