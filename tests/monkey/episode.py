# SPDX-License-Identifier: GPL-3.0-or-later
"""One episode: a plan that is played from its beginning, with what must hold looked at after each
step. Prints a line for each step, and as its last one what came of it, as JSON.

usage: episode.py BUILD_DIR PLAN.json
"""

import json
import os
import random
import signal
import sys
import time
import traceback

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), 'e2e')]

import actions  # noqa: E402
import driver  # noqa: E402
from world import Violation, World  # noqa: E402


def take_step(world, name, seed):
    """Whether the action was possible; what must hold is looked at after it."""
    begun = time.monotonic()
    print('%7.1f %-22s' % (begun - world.began, name), end='', flush=True)
    before = world.n_markers
    try:
        done = actions.ACTIONS[name][1](world, random.Random(seed))
        print(''.join(' m%d' % marker for marker in range(before + 1, world.n_markers + 1))
              + ('' if done else ' (not possible)'), flush=True)
        if done:
            time.sleep(random.Random(seed + 1).choice((0, 0.05, 0.3, 1)))
            world.check_all()
    except world.GONE:
        # A part of the window went while it was looked at, or all of it.
        print(' (gone)', flush=True)
        time.sleep(1)
        world.check_alive()


def play(build, plan):
    """What came of it: None, or (step, words)."""
    with driver.Desktop():
        world = World(build)
        step = 0
        try:
            world.start()
            for step, (name, seed) in enumerate(plan):
                take_step(world, name, seed)
            actions.leave_dialogs(world)
            world.end(signal.SIGTERM)
            world.check_nothing_lost()
            return None
        except Violation as violation:
            print('\n' + world.describe())
            return step, str(violation)
        except driver.Failure as failure:
            return step, 'the window does not answer: %s' % failure
        except Exception:
            return step, 'the monkey itself failed: %s' % traceback.format_exc()
        finally:
            world.close()


def main():
    build, path = sys.argv[1:]
    with open(path, encoding='utf-8') as file:
        plan = json.load(file)
    result = play(build, plan)
    # Below the line of a step that did not come to its end.
    print('\n' + json.dumps({'step': result[0], 'violation': result[1]} if result else {}), flush=True)


if __name__ == '__main__':
    main()
