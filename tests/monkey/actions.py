# SPDX-License-Identifier: GPL-3.0-or-later
"""What a monkey does: all that a user can do in the window, on the command line and on D-Bus.

An action is a function of the world and a random generator of its own; one that is not possible at
the moment returns False and counts as not done. So a plan, a list of names and seeds, can be played
again, and parts of it left out.
"""

import contextlib
import os
import re
import signal
import subprocess
import time

import driver
from driver import Failure, wait_for
from server import KINDS, OTHER_KINDS
from world import MARKER, NEW_PRIVATE, Violation

ACTIONS = {}  # name → (weight, function)
ALL_KINDS = tuple(KINDS) + OTHER_KINDS
DIGITS = ('1', '2', '3', '0')
CHAT = re.compile(r'(Title )?m\d+')
SIZES = ((1000, 720), (660, 600), (610, 500), (500, 700), (360, 480))


def action(weight):
    def register(function):
        ACTIONS[function.__name__] = (weight, function)
        return function
    return register


def make_plan(random, length):
    names = sorted(ACTIONS)
    weights = [ACTIONS[name][0] for name in names]
    return [(name, random.randrange(1 << 30)) for name in random.choices(names, weights, k=length)]


# --- Helpers -------------------------------------------------------------------------------------

def nodes(world, role, start=''):
    return [n for n in world.app.walk() if n.role == role and n.name.startswith(start)]


def is_in_dialog(world):
    return bool(nodes(world, 'dialog') or nodes(world, 'alert'))


def is_list_shown(world):
    return world.app.look(None, 'Search chats') is not None


def press_any(world, random, role, *names):
    """Presses a button of one of these names, if there is one; whether there was."""
    found = [n for name in names for n in nodes(world, role, name) if world.app.is_sensitive(n)]
    if not found:
        return False
    world.app.act(random.choice(found))
    return True


def compose(world, random, kinds):
    """Writes a message into the entry; its marker."""
    marker, text = world.next_message(random.choice(kinds))
    world.app.key('ctrl+l')
    before = world.read_composer()
    if before:
        # What could not be sent is there again; it is the user who deletes it.
        world.exempt.update(int(number) for number in MARKER.findall(before))
        world.app.key('ctrl+a', 'BackSpace')
    world.app.type(text)
    try:
        wait_for(lambda: text in world.read_composer(), 'what was typed', 3)
    except Failure:
        return None
    return marker


def stop(world, press, everything=False):
    """A stop, in some way: what was asked for is closed, and nothing follows."""
    chat = world.get_shown_chat()
    going = [e for e in world.server.get_open()
             if everything or (chat is not None and chat in (world.sent.get(e.marker),
                                                             world.private.get(e.marker)))]
    if not going and not world.is_busy():
        return False
    press()
    # What was sent from the kernel's point of view before the press may still be read afterwards.
    world.check_stopped(going, time.monotonic() + 0.3)
    world.check_shown_is_stored()
    return True


def read_resting_box(node):
    """The box of NODE once it does not move any more: nobody hits a button that a panel pushes."""
    box = node.read_box()
    for _ in range(20):
        time.sleep(0.1)
        before, box = box, node.read_box()
        if box == before:
            break
    return box


def click(world, node):
    """A click with the mouse, if NODE is where it can be clicked; whether it is."""
    x, y, width, height = read_resting_box(node)
    # GTK counts from the shadow's outer edge, and leaves out paddings: a round button is small enough
    # to be missed by that.
    x += driver.EDGE
    y += driver.EDGE
    if width <= 0 or x < 0 or y < 0:
        return False
    world.app.click_at(x + width // 2, y + height // 2)
    return True


def leave_dialogs(world):
    for _ in range(4):
        if not is_in_dialog(world):
            return
        world.app.key('Escape')
        time.sleep(0.3)


# --- Writing -------------------------------------------------------------------------------------

def send_with(world, random, key, kinds=ALL_KINDS):
    if is_in_dialog(world):
        return False
    chat = world.get_shown_chat()
    marker = compose(world, random, kinds)
    if marker is None:
        return False
    world.note_sent(marker, chat)
    world.app.key(key)
    return True


@action(16)
def send(world, random):
    return send_with(world, random, 'Return')


@action(5)
def send_what_ends(world, random):
    return send_with(world, random, 'Return', ('words', 'reason', 'flood'))


@action(4)
def queue_several(world, random):
    if not world.is_busy():
        return False
    for _ in range(random.randrange(1, 5)):
        send_with(world, random, 'Return', ('words', 'slow'))
    return True


@action(4)
def steer(world, random):
    return world.is_busy() and send_with(world, random, 'ctrl+Return', ('words', 'slow'))


@action(3)
def write_a_draft(world, random):
    """Written and not sent: it stays with its chat, so it counts as sent from now on."""
    if is_in_dialog(world):
        return False
    chat = world.get_shown_chat()
    marker = compose(world, random, ('draft',))
    if marker is None:
        return False
    if chat is not None and not world.is_private(chat):
        # It is replaced by the next message that is composed, so it is looked for now alone.
        wait_for(lambda: 'm%d draft' % marker in world.read_store(), 'the draft in the store', 8)
    return True


# --- Stopping ------------------------------------------------------------------------------------

@action(8)
def escape_twice(world, random):
    def press():
        before = is_list_shown(world)
        world.app.key('Escape', 'Escape', delay=random.choice((30, 200)))
        time.sleep(0.4)
        # Where it lay over the chat, the first one closed it.
        if before and not is_list_shown(world):
            world.app.key('Escape')

    return not is_in_dialog(world) and stop(world, press)


@action(3)
def escape_at_once(world, random):
    return stop(world, lambda: world.app.key('shift+Escape'))


@action(3)
def stop_everything(world, random):
    return stop(world, lambda: world.app.key('ctrl+shift+Escape'), everything=True)


@action(4)
def press_cancel(world, random):
    if is_in_dialog(world) or not world.app.look('button', 'Cancel'):
        return False
    return stop(world, lambda: press_any(world, random, 'button', 'Cancel'))


def is_covered(world):
    """Whether the list of chats lies over the chat, as in a narrow window: a click closes it then."""
    return world.app.size[0] <= 640 and world.app.look('text', 'Search chats') is not None


@action(3)
def click_cancel(world, random):
    button = world.app.look('button', 'Cancel')
    if is_in_dialog(world) or button is None or is_covered(world):
        return False
    time.sleep(0.5)  # a fresh button does not take clicks
    return stop(world, lambda: click(world, button))


@action(2)
def send_right_after_stop(world, random):
    """What is sent while the stop settles starts when the turn has ended."""
    if is_in_dialog(world) or not world.is_busy():
        return False
    chat = world.get_shown_chat()
    marker = compose(world, random, ('words',))
    if marker is None:
        return False
    world.note_sent(marker, chat)
    world.app.key('Escape', 'Escape', 'Return', delay=random.choice((5, 20, 60)))
    try:
        wait_for(lambda: any(e.marker == marker for e in world.server.get_exchanges()),
                 'its request', 10)
    except Failure:
        raise Violation('m%d was sent after the stop and is not asked' % marker) from None
    return True


# --- Cards ---------------------------------------------------------------------------------------

@action(10)
def answer_a_card(world, random):
    if not (nodes(world, 'button', 'Allow Once') or nodes(world, 'button', 'One')):
        return False
    time.sleep(0.6)
    world.app.key('ctrl+j')
    world.app.key(random.choice(DIGITS))
    return True


@action(6)
def press_allow(world, random):
    return press_any(world, random, 'button', 'Allow Once', 'One', 'Two')


@action(2)
def press_deny(world, random):
    return press_any(world, random, 'button', 'Deny')


# --- Chats ---------------------------------------------------------------------------------------

@action(6)
def new_chat(world, random):
    world.app.key('ctrl+n')
    return True


@action(7)
def other_chat(world, random):
    rows = [n for n in nodes(world, 'list item') if CHAT.match(n.name)]
    if not rows:
        return False
    return click(world, random.choice(rows))


def press_in_chat_menu(world, name):
    buttons = nodes(world, 'toggle button', 'Chat Menu') or nodes(world, 'button', 'Chat Menu')
    if not buttons:
        return False
    world.app.act(buttons[0])
    try:
        item = wait_for(lambda: world.app.look('menu item', name), name, 2)
    except Failure:
        world.app.key('Escape')
        return False
    if not world.app.is_sensitive(item):
        world.app.key('Escape')
        return False
    world.app.act(item)
    time.sleep(0.3)
    return True


@action(4)
def delete_chat(world, random):
    chat = world.get_shown_chat()
    if chat is None or is_in_dialog(world) or not press_in_chat_menu(world, 'Delete Chat'):
        return False
    if nodes(world, 'button', 'Stop and Delete'):
        if random.random() < 0.3:
            world.app.key('Escape')
            return True
        world.forget_chat(chat)
        return press_any(world, random, 'button', 'Stop and Delete')
    world.forget_chat(chat)
    return True


@action(4)
def incognito_chat(world, random):
    """What is said in it is never stored; its draft neither."""
    if is_in_dialog(world):
        return False
    world.app.key('ctrl+shift+p')
    try:
        wait_for(lambda: world.app.look('label', 'This chat is not stored.'),
                 'the incognito chat', 3)
    except Failure:
        raise Violation('Ctrl+Shift+P opens no incognito chat') from None
    marker = compose(world, random, ('words', 'slow', 'draft'))
    if marker is None:
        return False
    world.note_sent(marker, NEW_PRIVATE)
    world.app.key('Return')
    return True


@action(2)
def keep_incognito_chat(world, random):
    chat = world.get_shown_chat()
    if chat not in world.private or is_in_dialog(world):
        return False
    # What is stored from now on may be stored before the press has returned.
    world.keep_private(chat)
    if press_in_chat_menu(world, 'Keep This Chat'):
        return True
    raise Violation('the incognito chat of m%d cannot be kept' % chat)


@action(3)
def switch_with_keys(world, random):
    """The quick switcher opens a chat by a part of its title, or is left again."""
    if is_in_dialog(world) or world.n_markers == 0:
        return False
    world.app.key('ctrl+k')
    time.sleep(0.3)
    world.app.type('m%d ' % random.randrange(1, world.n_markers + 1))
    time.sleep(0.3)
    world.app.key('Return' if nodes(world, 'list item', 'm') and random.random() < 0.7 else 'Escape')
    time.sleep(0.3)
    leave_dialogs(world)
    return True


@action(2)
def find_in_chat(world, random):
    if is_in_dialog(world):
        return False
    world.app.key('ctrl+f')
    world.app.type('w')
    world.app.key(*['Return'] * random.randrange(4), 'Escape')
    return True


@action(2)
def search_all_chats(world, random):
    if is_in_dialog(world):
        return False
    world.app.key('ctrl+shift+f')
    time.sleep(0.3)
    world.app.type('words')
    time.sleep(random.choice((0, 0.1, 0.6)))
    world.app.key(*random.choice((('Escape', ), ('Down', 'Return'))))
    time.sleep(0.3)
    world.app.key('Escape')
    return True


def count_windows(world):
    return len([n for n in world.app.walk() if n.role in ('frame', 'window')])


@action(3)
def second_window(world, random):
    """A message is sent in another window, which is closed while the reply comes; that stops
    nothing."""
    if is_in_dialog(world):
        return False
    n_windows = count_windows(world)
    world.app.key('ctrl+shift+n')
    try:
        wait_for(lambda: count_windows(world) > n_windows, 'the other window', 5)
    except Failure:
        raise Violation('Ctrl+Shift+N opens no window') from None
    time.sleep(0.3)
    marker, text = world.next_message(random.choice(('words', 'slow')))
    world.app.type(text)
    world.app.key('Return')
    world.note_sent(marker, None)
    time.sleep(random.choice((0.05, 0.5, 2)))
    world.app.key('ctrl+w')
    try:
        wait_for(lambda: count_windows(world) == n_windows, 'the end of the other window', 5)
    except Failure:
        raise Violation('Ctrl+W does not close the other window') from None
    cut = [e for e in world.server.get_exchanges() if e.marker == marker and not e.is_side
           and e.ended is not None and e.kind == 'slow' and len(e.words) < 400]
    if cut:
        raise Violation('closing a window stopped m%d' % marker)
    return True


@action(3)
def undo_from_toast(world, random):
    return press_any(world, random, 'button', 'Undo')


@action(3)
def delete_turn(world, random):
    chat = world.get_shown_chat()
    if is_in_dialog(world) or not press_any(world, random, 'button', 'Delete Turn'):
        return False
    world.forget_chat(chat)
    return True


@action(3)
def act_on_turn(world, random):
    """Regenerates, branches or edits: what was there is kept, but no longer looked for."""
    chat = world.get_shown_chat()
    if is_in_dialog(world):
        return False
    done = press_any(world, random, 'button', 'Regenerate Reply', 'Branch into New Chat',
                     'Edit and Resend', 'Continue', 'Retry', 'Edit Prompt')
    if done:
        world.forget_chat(chat)
    return done


@action(2)
def change_the_queue(world, random):
    if press_any(world, random, 'button', 'Send Now'):
        return True
    chat = world.get_shown_chat()
    done = press_any(world, random, 'button', 'Remove From Queue', 'Edit')
    if done:
        world.forget_chat(chat)
    return done


# --- The window ----------------------------------------------------------------------------------

@action(4)
def resize(world, random):
    world.app.resize(*random.choice(SIZES))
    return True


@action(2)
def toggle_panels(world, random):
    world.app.key(random.choice(('F9', 'ctrl+shift+a')))
    return True


@action(3)
def dialog_and_escape(world, random):
    """A dialog comes and goes by Esc, and nothing is stopped by that."""
    if is_in_dialog(world):
        leave_dialogs(world)
        return True
    going = world.server.get_open()
    world.app.key(random.choice(('ctrl+comma', 'ctrl+question', 'F10')))
    time.sleep(0.4)
    world.app.key('Escape')
    time.sleep(0.4)
    leave_dialogs(world)
    cut = [e for e in going if e.ended is not None and e.kind in ('slow', 'stall', 'silent')
           and len(e.words) < 400]
    if cut:
        raise Violation('Esc for a dialog stopped m%d' % cut[0].marker)
    return True


@action(1)
def scroll(world, random):
    random.choice((world.app.scroll_up, world.app.scroll_down))(random.randrange(1, 12))
    return True


# --- Other programs ------------------------------------------------------------------------------

def call_window(method, *arguments):
    return subprocess.run(
        ['gdbus', 'call', '--session', '--dest', 'io.github.gadgetchat.Gadget', '--object-path',
         '/io/github/gadgetchat/Gadget/Agent', '--method',
         'io.github.gadgetchat.Gadget.Agent1.' + method, *arguments],
        capture_output=True, text=True, timeout=30)


@action(6)
def ask_on_bus(world, random):
    marker, text = world.next_message(random.choice(ALL_KINDS + ('run', 'write', 'write')))
    answer = call_window('Ask', '', text, "{'provider': <'mock'>, 'workspace': <'%s'>}" % world.folder)
    if answer.returncode == 0:
        world.note_sent(marker, None)
    return True


@action(2)
def abort_on_bus(world, random):
    going = [e for e in world.server.get_open() if not e.is_side]
    answer = call_window('Abort', '', '')
    if answer.returncode != 0:
        return False
    world.check_stopped(going, time.monotonic() + 0.3)
    return True


@action(3)
def ask_on_command_line(world, random):
    marker, text = world.next_message(random.choice(('words', 'slow', 'stall', 'error')))
    world.start_cli('ask', '--new', '--provider', 'mock', '--workspace', world.folder,
                    '--approve', 'auto', text)
    try:
        wait_for(lambda: 'm%d ' % marker in world.read_store(), 'it in the store', 10)
    except Failure:
        raise Violation('gadget-cli was asked m%d, and it is not stored' % marker) from None
    world.note_sent(marker, None)
    return True


@action(1)
def stop_command_line(world, random):
    going = [p for p in world.background if p.poll() is None]
    if not going:
        return False
    process = random.choice(going)
    process.send_signal(random.choice((signal.SIGINT, signal.SIGTERM, signal.SIGKILL)))
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        raise Violation('gadget-cli did not leave after a signal') from None
    return True


@action(4)
def undo_on_command_line(world, random):
    """What a turn wrote is gone after its undo, and nothing else is."""
    written = world.read_written_files()
    if not written:
        return False
    turn, path = random.choice(written)
    others = [p for _, p in written if p != path]
    done = world.run_cli('undo', turn)
    if done.returncode != 0:
        return False  # the chat is busy, or another turn changed it since
    if os.path.exists(path):
        raise Violation('the undo of turn %s left %s' % (turn, path))
    if not all(os.path.exists(p) for p in others):
        raise Violation('the undo of turn %s took another file' % turn)
    return True


@action(1)
def abort_on_command_line(world, random):
    world.run_cli('run', 'abort', '--all')
    return True


# --- Leaving and coming back ---------------------------------------------------------------------

def restart(world, number):
    """Ends the window by a signal and starts it again: what had ended is there as it was."""
    leave_dialogs(world)
    world.check_nothing_lost()
    ended = world.read_ended_turns()
    words = world.read_words_of_streams()
    world.end(number)
    world.start()
    world.check_turns_are_kept(ended)
    world.check_words_are_stored(words)


@action(2)
def kill(world, random):
    restart(world, signal.SIGKILL)
    return True


@action(2)
def terminate(world, random):
    restart(world, signal.SIGTERM)
    return True


@action(2)
def close(world, random):
    """Closes the window as a user does, who is asked first while something runs."""
    leave_dialogs(world)
    ended = world.read_ended_turns()
    world.app.key(random.choice(('ctrl+q', 'ctrl+w')))
    time.sleep(0.3)
    with contextlib.suppress(world.GONE):  # it may be gone already
        press_any(world, random, 'button', 'Stop and Close')
    try:
        wait_for(lambda: world.app.process.poll() is not None, 'the end', 15)
    except Failure:
        raise Violation('the window does not close') from None
    if world.app.process.returncode != 0:
        raise Violation('the window closed with status %d' % world.app.process.returncode)
    world.check_output()
    world.start()
    world.check_turns_are_kept(ended)
    return True
