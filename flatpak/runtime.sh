#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# runtime.sh ROOT DIR BRANCH: where no remote can be reached, makes org.gnome.Platform and
# org.gnome.Sdk from the developer root and installs them for FLATPAK_USER_DIR. The libraries are
# Debian's, so this proves the manifest and the sandbox, not the versions of the real runtime.
set -euo pipefail

root=$1 work=$2 branch=$3
arch=$(flatpak --default-arch)

# What the real runtime has not: the manifest must bring it, or do without it.
absent='^(libmd4c|libspelling|ripgrep$|bubblewrap$|(lib)?clang|llvm|libllvm[0-9]+-dev|valgrind|imagemagick|libmagick|xvfb|xdotool)'
# What only its Sdk has.
sdk_only='(-dev$|^(gcc|g\+\+|cpp|binutils|gdb|meson|ninja|git|shellcheck|gcovr|strace)([^a-z]|$))'

# Removes from the copy of usr what the packages matching a pattern have installed.
remove_packages () { # PATTERN
  local list name
  for list in "$root"/var/lib/dpkg/info/*.list; do
    name=$(basename "$list" .list)
    if printf '%s\n' "${name%%:*}" | grep -qE "$1"; then
      sed -nE 's,^(/usr)?/(bin|sbin|lib|lib64|share|include|libexec)/,usr/\2/,p' "$list"
    fi
  done | (cd "$work/tree" && while IFS= read -r path; do
    if [ ! -d "$path" ] || [ -L "$path" ]; then printf '%s\0' "$path"; fi
  done | xargs -0 -r rm -f)
}

export_as () { # NAME
  printf '[Runtime]\nname=%s\nruntime=org.gnome.Platform/%s/%s\nsdk=org.gnome.Sdk/%s/%s\n' \
    "$1" "$arch" "$branch" "$arch" "$branch" >"$work/tree/metadata"
  flatpak build-export --disable-sandbox --runtime --no-update-summary "$work/repo" "$work/tree" \
    "$branch" >/dev/null
}

rm -rf --one-file-system "$work/tree" "$work/repo"
mkdir -p "$work/tree/files" # asked for, although "usr" is what is taken
ostree init --mode=bare-user-only --repo="$work/repo"

cp -al "$root/usr" "$work/tree/usr"
mkdir "$work/tree/usr/etc"
cp -a "$root/etc/." "$work/tree/usr/etc/"
(cd "$work/tree/usr/etc" && rm -f passwd passwd- shadow shadow- group- gshadow gshadow- resolv.conf \
  machine-id hostname hosts mtab)
remove_packages "$absent"
# Older flatpak-builders call this at the end of a build. Debian has it no more; its work, a
# catalogue for software centres, is of no use here, but the check of what it would read is.
cat >"$work/tree/usr/bin/appstream-compose" <<'STUB'
#!/bin/sh
for id; do :; done
exec appstreamcli validate --no-net "/app/share/appdata/$id.appdata.xml"
STUB
chmod 755 "$work/tree/usr/bin/appstream-compose"
# Debian keeps it out of PATH; runtimes have it here.
ln -sf ../libexec/flatpak-xdg-utils/flatpak-spawn "$work/tree/usr/bin/flatpak-spawn"
export_as org.gnome.Sdk
remove_packages "$sdk_only"
export_as org.gnome.Platform
flatpak build-update-repo --no-update-appstream "$work/repo" >/dev/null
rm -rf --one-file-system "$work/tree"

flatpak --user remote-add --if-not-exists --no-gpg-verify local "file://$work/repo"
flatpak --user install -y --noninteractive --reinstall local "org.gnome.Platform//$branch" \
  "org.gnome.Sdk//$branch" >/dev/null
# The installation shares no file with it, and it is as large as that.
rm -rf --one-file-system "$work/repo"
