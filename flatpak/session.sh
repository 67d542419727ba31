#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# session.sh TOP ROOT OUT ID: drives the installed application. build.sh starts it on the host,
# inside a session bus of its own. The screen, the accessibility bus and the driver run in the
# developer root, where they are installed; they meet the sandboxed application at this session's
# bus and at the X socket, so /tmp is one folder for both.
set -uo pipefail

top=$1 root=$2 out=$3 id=$4

home=$(mktemp -d /tmp/gadget-flatpak.XXXXXX)
export HOME=$home XDG_RUNTIME_DIR=$home/run XDG_DATA_HOME=$home/data XDG_CACHE_HOME=$home/cache \
  XDG_CONFIG_HOME=$home/config
mkdir -m 700 "$XDG_RUNTIME_DIR"
mkfifo "$home/from-driver" "$home/to-driver"
# As in the other tests from outside: the font, and only the close button.
mkdir -p "$home/.var/app/$id/config/gtk-4.0"
printf '[Settings]\ngtk-font-name=Inter 11\ngtk-decoration-layout=:close\ngtk-cursor-blink=false\n' \
  >"$home/.var/app/$id/config/gtk-4.0/settings.ini"
driver='' application=''

finish () {
  # The answer that the driver waits for is the end of the pipe.
  exec 4>&- 5<&-
  [ -z "$application" ] || flatpak kill "$id" 2>/dev/null
  [ -z "$driver" ] || wait "$driver"
  rm -rf --one-file-system "$home"
}
trap finish EXIT
trap 'exit 143' INT TERM

in_root () {
  local args=(--clearenv --bind "$root" / --dev /dev --bind /tmp /tmp --bind "$top" "$top"
    --tmpfs /run --setenv PATH /usr/bin:/bin:/usr/sbin:/sbin --setenv HOME "$home"
    --setenv XDG_RUNTIME_DIR "$XDG_RUNTIME_DIR" --setenv LANG C.UTF-8
    --setenv DBUS_SESSION_BUS_ADDRESS "$DBUS_SESSION_BUS_ADDRESS" --chdir "$top")
  if [ "$(id -u)" -eq 0 ]; then
    exec unshare -m -p -f --mount-proc --kill-child bwrap "${args[@]}" --bind /proc /proc \
      --die-with-parent "$@"
  fi
  # The message bus refuses whom it finds in no list of users.
  local user
  user=$(getent passwd "$(id -u)")
  exec 9< <(cat "$root/etc/passwd"; printf '%s\n' "$user")
  exec bwrap "${args[@]}" --proc /proc --ro-bind-data 9 /etc/passwd --die-with-parent "$@"
}

# It says the display's name when the screen is up, and "done" when the tour is over; then it keeps
# the screen until it is answered. If it dies, there is nothing to read.
(in_root python3 tests/e2e/flatpak-tour.py "$out" 3>"$home/from-driver" <"$home/to-driver") &
driver=$!
exec 5<"$home/from-driver" 4>"$home/to-driver" # in the order in which the driver opens them
read -r DISPLAY <&5 || exit 1
export DISPLAY

# No graphics device here: what is drawn is the same.
flatpak run --env=GDK_DISABLE=gl,vulkan "$id" >"$out/gadget.log" 2>&1 4>&- 5<&- &
application=$!
read -r said <&5 || exit 1
[ "$said" = "done" ] || exit 1

# Each command ran in an instance of its own: only the window's may be left.
instances=$(flatpak ps --columns=application | grep -cx "$id")
[ "$instances" -eq 1 ] && exit 0
printf 'flatpak: %s instances of the application are there after the tour, not one\n' "$instances" >&2
flatpak ps >&2
exit 1
