# SPDX-License-Identifier: GPL-3.0-or-later
"""What is accessible in a window, read in a few calls of D-Bus.

The accessibility library asks for each property of each widget by itself, which is a thousand calls
for a window. An application made with GTK tells them all at once by org.a11y.atspi.Cache, as far as
somebody has asked for them before; the rest is asked for by name.
"""

import gi
from gi.repository import Gio, GLib

gi.require_version('Atspi', '2.0')
from gi.repository import Atspi  # noqa: E402

ROOT = '/org/a11y/atspi/accessible/root'
CALL_MS = 20000

# Places in the 64 bits of an accessible's states.
FOCUSED = Atspi.StateType.FOCUSED
SENSITIVE = Atspi.StateType.SENSITIVE
SHOWING = Atspi.StateType.SHOWING

ACCESSIBLE = 'org.a11y.atspi.Accessible'
ACTION = 'org.a11y.atspi.Action'
COMPONENT = 'org.a11y.atspi.Component'
TEXT = 'org.a11y.atspi.Text'


def connect():
    """The accessibility bus of this session; None as long as there is none."""
    try:
        session = Gio.DBusConnection.new_for_address_sync(
            Gio.dbus_address_get_for_bus_sync(Gio.BusType.SESSION),
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT
            | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION)
        address = session.call_sync('org.a11y.Bus', '/org/a11y/bus', 'org.a11y.Bus', 'GetAddress',
                                    None, None, Gio.DBusCallFlags.NONE, CALL_MS).unpack()[0]
        return Gio.DBusConnection.new_for_address_sync(
            address, Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT
            | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION)
    except GLib.Error:
        return None


def call(bus, owner, path, interface, method, arguments=None):
    return bus.call_sync(owner, path, interface, method, arguments, None,
                         Gio.DBusCallFlags.NONE, CALL_MS).unpack()


def get_pid(bus, owner):
    """Of the process with the name OWNER on BUS; an error for one that cannot be seen from here."""
    return call(bus, 'org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus',
                'GetConnectionUnixProcessID', GLib.Variant('(s)', (owner,)))[0]


def find_application(bus, pid):
    """The name on BUS of the process PID, or of any when it is None, once it has a window; else None."""
    for owner, path in call(bus, 'org.a11y.atspi.Registry', ROOT, ACCESSIBLE, 'GetChildren')[0]:
        try:
            if pid is not None and get_pid(bus, owner) != pid:
                continue
            if call(bus, owner, path, ACCESSIBLE, 'GetChildren')[0]:
                return owner
        except GLib.Error:  # it went while we looked
            continue
    return None


class Node:
    """An accessible as it was when it was read."""

    def __init__(self, bus, item):
        ((self.owner, self.path), _, _, _, self.n_children, self.interfaces, self.name, role, _,
         states) = item
        self.bus = bus
        self.role = Atspi.role_get_name(Atspi.Role(role))
        self.states = states[0] | states[1] << 32

    def call(self, interface, method, arguments=None):
        return call(self.bus, self.owner, self.path, interface, method, arguments)

    def has_state(self, state):
        return bool(self.states >> int(state) & 1)

    def read_text(self):
        """What an accessible text says now; None for anything else."""
        if TEXT not in self.interfaces:
            return None
        end = self.call('org.freedesktop.DBus.Properties', 'Get',
                        GLib.Variant('(ss)', (TEXT, 'CharacterCount')))[0]
        return self.call(TEXT, 'GetText', GLib.Variant('(ii)', (0, end)))[0]

    def read_box(self):
        """Where it is in its window now: x, y, width, height."""
        return self.call(COMPONENT, 'GetExtents',
                         GLib.Variant('(u)', (int(Atspi.CoordType.WINDOW),)))[0]

    def act(self):
        """What a screen reader does with a button."""
        return self.call(ACTION, 'DoAction', GLib.Variant('(i)', (0,)))[0]


class Tree:
    """All accessibles of an application, as they are now. BEFORE is a tree that was read of it before:
    what is the same as then is not unpacked again, which takes ten times as long as reading it."""

    def __init__(self, bus, owner, before=None):
        self.bus = bus
        self.owner = owner
        self.nodes = {}
        self.below = {}
        # Nodes by the bytes of what they were told in.
        self.told = {}
        self.told_before = before.told if before is not None else {}
        self._read_known()
        # Who names a widget as the parent is not always who has it as a child; but whether there is
        # any child is as the application counts it, save for its root.
        self._list_children([ROOT] + [path for path, node in self.nodes.items()
                                      if node.n_children != 0 and node.has_state(SHOWING)])
        if self._list_unknown():
            self._read_known()
        for path in {path for paths in self.below.values() for path in paths} - self.nodes.keys():
            self._read_alone(path)

    def _read_known(self):
        """Reads all that the application has told somebody of before."""
        items = self.bus.call_sync(self.owner, '/org/a11y/atspi/cache', 'org.a11y.atspi.Cache',
                                   'GetItems', None, None, Gio.DBusCallFlags.NONE,
                                   CALL_MS).get_child_value(0)
        for i in range(items.n_children()):
            item = items.get_child_value(i)
            told = item.get_data_as_bytes().get_data()
            node = self.told.get(told) or self.told_before.get(told)
            if node is None:
                node = Node(self.bus, item.unpack())
            self.told[told] = node
            self.nodes[node.path] = node

    def _read_alone(self, path):
        """Reads what is an accessible and no widget: it is never among those that are told at once."""
        reference = (self.owner, path)
        try:
            properties = call(self.bus, self.owner, path, 'org.freedesktop.DBus.Properties', 'GetAll',
                              GLib.Variant('(s)', (ACCESSIBLE,)))[0]
            states, interfaces, role = (call(self.bus, self.owner, path, ACCESSIBLE, method)[0]
                                        for method in ('GetState', 'GetInterfaces', 'GetRole'))
        except GLib.Error:  # it went while we looked
            return
        self.nodes[path] = Node(self.bus, (
            reference, reference, reference, 0, 0, interfaces, properties.get('Name', ''), role, '',
            states))

    def _list_children(self, paths):
        """Asks for the children of all PATHS at once."""
        waiting = len(paths)

        def list_cb(bus, result, path):
            nonlocal waiting
            waiting -= 1
            try:
                self.below[path] = [child for _, child in bus.call_finish(result).unpack()[0]]
            except GLib.Error:  # it went while we looked
                pass

        for path in paths:
            self.bus.call(self.owner, path, ACCESSIBLE, 'GetChildren', None, None,
                          Gio.DBusCallFlags.NONE, CALL_MS, None, list_cb, path)
        context = GLib.MainContext.default()
        while waiting:
            context.iteration(True)

    def _list_unknown(self):
        """Asks for the children of what nobody asked for before; whether there was any."""
        found = False
        while True:
            paths = [path for paths in self.below.values() for path in paths
                     if path not in self.nodes and path not in self.below]
            if not paths:
                return found
            found = True
            self.below.update((path, []) for path in paths)
            self._list_children(paths)

    def walk(self, path=ROOT):
        """Every accessible that is showing, from PATH down, or in all windows."""
        node = self.nodes.get(path)
        if path != ROOT:
            if node is None or not node.has_state(SHOWING):
                return
            yield node
        for child in self.below.get(path, []):
            yield from self.walk(child)
