#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# build.sh TOP CACHE: "./dev flatpak". Runs on the host. Puts a runtime together from the developer
# root (once), builds the manifest with flatpak-builder from this checkout, and then drives the
# installed application in its sandbox on a virtual display. Pictures go to build/flatpak/.
set -euo pipefail

top=$1 cache=$2
id=io.github.gadgetchat.Gadget
manifest=$top/flatpak/$id.yml
branch=$(sed -nE "s/^runtime-version: '(.*)'$/\1/p" "$manifest")
out=$top/build/flatpak

say () { printf 'flatpak: %s\n' "$*" >&2; }
die () { printf 'flatpak: %s\n' "$*" >&2; exit 1; }

install_tools () {
  local missing=() tool
  for tool in flatpak flatpak-builder ostree eu-strip; do
    command -v "$tool" >/dev/null || missing+=("$tool")
  done
  command -v dbus-run-session >/dev/null || missing+=(dbus)
  [ "${#missing[@]}" -gt 0 ] || return 0
  missing=("${missing[@]/eu-strip/elfutils}")
  local line="apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
  command -v apt-get >/dev/null || line="dnf install -y ${missing[*]}"
  [ "$(id -u)" -eq 0 ] || die "these packages are needed first; please run, as root: $line"
  say "installing on this system: ${missing[*]}"
  DEBIAN_FRONTEND=noninteractive bash -c "$line" >/dev/null ||
    die "that failed; please run it by hand: $line"
}

# The root is made if it is not there, and named by ./dev itself.
find_root () {
  root=$(GADGET_DEV=root "$top/dev" place) || die "there is no developer root to make a runtime from"
}

# Named after what it is made from; "ready" is written last, so that an interrupted one is redone.
make_runtime () {
  local key
  key=$(basename "$root")-$branch-$(sha256sum "$top/flatpak/runtime.sh" | cut -c1-8)
  work=$cache/flatpak-$key
  export FLATPAK_USER_DIR=$work/user
  [ ! -f "$work/ready" ] || return 0
  rm -rf --one-file-system "$cache"/flatpak-*
  say "putting a runtime together from the developer root, once: a minute or two, 1.5 GB in $work"
  mkdir -p "$FLATPAK_USER_DIR"
  bash "$top/flatpak/runtime.sh" "$root" "$work" "$branch" >"$work/log" 2>&1 ||
    { tail -n 20 "$work/log" >&2; die "making the runtime failed (whole log: $work/log)"; }
  touch "$work/ready"
}

# Where upstream cannot be reached, its archives come from Debian, which has the very same files: the
# manifest's checksum is of both. They are put where flatpak-builder keeps what it has downloaded.
fetch_source () { # PACKAGE
  local sha name dir
  sha=$(sed -nE "/name: $1\$/,/sha256:/s/^ *sha256: //p" "$manifest")
  name=$(sed -nE "/name: $1\$/,/sha256:/s/^ *url: .*\///p" "$manifest")
  dir=$work/state/downloads/$sha
  [ ! -f "$dir/$name" ] || return 0
  rm -rf --one-file-system "$work/source"
  mkdir -p "$work/source"
  bwrap --bind "$root" / --dev /dev --proc /proc --tmpfs /tmp --tmpfs /run \
    --ro-bind-try /etc/resolv.conf /etc/resolv.conf --bind "$work/source" /mnt --chdir /mnt \
    --die-with-parent bash -c '
      mkdir -p /tmp/lists/partial /tmp/cache/archives/partial
      sed -n "s/^deb /deb-src /p" /etc/apt/sources.list >/tmp/sources.list
      options=(-o Dir::Etc::sourcelist=/tmp/sources.list -o Dir::Etc::sourceparts=/dev/null
        -o Dir::State::lists=/tmp/lists -o Dir::Cache=/tmp/cache -o APT::Sandbox::User=root)
      apt-get "${options[@]}" update && apt-get "${options[@]}" source --download-only --tar-only "$1"
    ' fetch "$1" >"$work/source.log" 2>&1 || return 0
  if printf '%s  %s\n' "$sha" "$work"/source/*.orig.tar.* | sha256sum --check --status; then
    mkdir -p "$dir"
    mv "$work"/source/*.orig.tar.* "$dir/$name"
  fi
}

# ripgrep comes as upstream built it, which Debian has not. Where it cannot be reached, a copy of the
# manifest takes the developer root's program instead.
choose_manifest () {
  local url
  url=$(sed -nE '/name: ripgrep$/,/name: gadget$/s/^ *url: (.*x86_64.*)$/\1/p' "$manifest")
  ! curl -sfIL --max-time 10 -o /dev/null "$url" 2>/dev/null || return 0
  say "ripgrep's own build cannot be reached; taking Debian's"
  cp "$root/usr/bin/rg" "$work/rg"
  awk -v rg="$work/rg" -v top="$top" '
    /^  - name:/ { mine = /name: ripgrep$/; left_out = 0 }
    { sub(/path: \.\.$/, "path: " top) }
    !left_out { print }
    mine && /^    sources:/ { print "      - type: file\n        path: " rg; left_out = 1 }
  ' "$manifest" >"$out/$id.yml"
  manifest=$out/$id.yml
}

build_application () {
  say "building $id"
  flatpak-builder --user --install --force-clean --disable-rofiles-fuse --disable-cache \
    --state-dir="$work/state" "$work/build" "$manifest" >"$out/build.log" 2>&1 ||
    { tail -n 40 "$out/build.log" >&2; die "the build failed (whole log: $out/build.log)"; }
}

install_tools
find_root
rm -rf "$out"
mkdir -p "$out"
make_runtime
fetch_source md4c
choose_manifest
build_application

flatpak --user run --command=rg "$id" --version >/dev/null || die "ripgrep does not run in the sandbox"
say "driving it in its sandbox, on a virtual screen"
# Without the chatter of the buses, which says nothing of the application.
dbus-run-session -- bash "$top/flatpak/session.sh" "$top" "$root" "$out" "$id" \
  2> >(grep -vE '^(dbus-daemon|SpiRegistry)' >&2) ||
  die "the application did not do what it should; see $out"
say "passed; pictures are in $out"
