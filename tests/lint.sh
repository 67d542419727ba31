#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# lint.sh BUILD_DIR [--all]: what is checked without running the program. "./dev lint" calls it.
# Everything is checked, except that clang-tidy, which is slow, reads
#   the C files changed against origin/main (or main), committed or not;
#   on main itself, all of them as long as they are few enough for four minutes on two cores,
#   and then those of the last commit;
#   all of them in any case with --all.
set -uo pipefail

build=$1
mode=${2:-}
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
case $mode in '' | --all) ;; *) echo "lint: there is no option $mode" >&2; exit 2 ;; esac

for tool in clang-format clang-tidy shellcheck python3 meson; do
  command -v "$tool" >/dev/null || { echo "lint: $tool is missing; ./dev lint has it" >&2; exit 2; }
done

tidy_at_most=60 # files; about five seconds each on one core
failed=()

# Runs one check: its name, what it looks at in words, and the command.
check () { # NAME WHAT CMD…
  local name=$1 what=$2 start=$SECONDS
  shift 2
  if "$@"; then
    printf 'lint: %-13s ok      %s, %d s\n' "$name" "$what" $((SECONDS - start))
  else
    printf 'lint: %-13s FAILED  %s\n' "$name" "$what"
    failed+=("$name")
  fi
}

present () { # the arguments that are files, one a line
  local file
  for file; do if [ -f "$file" ]; then printf '%s\n' "$file"; fi; done
}

tracked () { # PATTERN…: files under version control, new ones included
  local list
  mapfile -t list < <(git ls-files --cached --others --exclude-standard -- "$@" | sort -u)
  present "${list[@]}"
}

changed_since () { # COMMIT PATTERN…
  local base=$1 list
  shift
  mapfile -t list < <({ git diff --name-only "$base" -- "$@"
                        git ls-files --others --exclude-standard -- "$@"; } | sort -u)
  present "${list[@]}"
}

# After a rename throughout the sources, say: the files with the most lines that are new.
choose_most_changed () { # COMMIT REF, sets tidy and tidy_what
  local n=${#tidy[@]} list
  mapfile -t list < <(git diff -M --numstat -z "$1" -- 'src/*.c' 'tests/*.c' | python3 -c '
import sys
fields = sys.stdin.read().split("\0")
found, at = [], 0
while at < len(fields) - 1:
    added, _, path = fields[at].split("\t")
    if path == "":
        path, at = fields[at + 2], at + 2
    found.append((-int(added), path))
    at += 1
print(*[path for _, path in sorted(found)[:int(sys.argv[1])]], sep="\n")' "$tidy_at_most")
  mapfile -t tidy < <(present "${list[@]}")
  tidy_what="the ${#tidy[@]} of $n files that changed most since $2 (--all reads all ${#c_files[@]})"
}

choose_for_tidy () { # sets tidy and tidy_what
  local ref base
  tidy=("${c_files[@]}")
  tidy_what="all ${#tidy[@]} files"
  [ "$mode" != --all ] || return 0
  for ref in origin/main main; do
    base=$(git merge-base "$ref" HEAD 2>/dev/null) || continue
    if [ -n "$(git diff --name-only "$base")" ]; then
      mapfile -t tidy < <(changed_since "$base" 'src/*.c' 'tests/*.c')
      tidy_what="${#tidy[@]} files changed since $ref"
      [ "${#tidy[@]}" -le "$tidy_at_most" ] || choose_most_changed "$base" "$ref"
      return 0
    fi
  done
  if [ "${#c_files[@]}" -gt "$tidy_at_most" ] && git rev-parse -q --verify HEAD~1 >/dev/null; then
    mapfile -t tidy < <(changed_since HEAD~1 'src/*.c' 'tests/*.c')
    tidy_what="${#tidy[@]} files of the last commit (--all reads all ${#c_files[@]})"
  fi
}

# A file that this build does not compile (a fuzz target, say) has no command line to go by. The
# others are read without the compiled header (pch): it is of another compiler, and each file is
# to include what it needs.
compiled () { # COMMANDS-FOLDER FILE…
  python3 - "$build" "$@" <<'PYTHON'
import json, os, re, sys
build, folder, *wanted = sys.argv[1:]
with open(os.path.join(build, 'compile_commands.json'), encoding='utf-8') as file:
    entries = json.load(file)
for entry in entries:
    entry['command'] = re.sub(r' -fpch-preprocess -include \S+', '', entry['command'])
with open(os.path.join(folder, 'compile_commands.json'), 'w', encoding='utf-8') as file:
    json.dump(entries, file)
known = {os.path.realpath(os.path.join(entry['directory'], entry['file'])) for entry in entries}
print(*[path for path in wanted if os.path.realpath(path) in known], sep='\n')
PYTHON
}

# The names are enough: "clang-format -i" on them says the rest.
run_format () {
  local bad
  mapfile -t bad < <(printf '%s\0' "${c_files[@]}" |
    xargs -0 -r -n 20 -P 2 clang-format --dry-run -Werror 2>&1 |
    sed -nE 's/^([^ :]+):[0-9]+:[0-9]+: error: .*/\1/p' | sort -u)
  [ "${#bad[@]}" -gt 0 ] || return 0
  printf 'lint: not formatted: %s\n' "${bad[@]}"
  return 1
}

run_tidy () {
  local known commands=$build/tidy
  mkdir -p "$commands"
  mapfile -t known < <(compiled "$commands" "${tidy[@]}" | sed '/^$/d')
  [ "${#known[@]}" -gt 0 ] || return 0
  printf '%s\0' "${known[@]}" |
    xargs -0 -n 2 -P 2 clang-tidy --quiet -p "$commands" --extra-arg=-Wno-unknown-warning-option \
      2> >(grep -vE '^\[[0-9]+/[0-9]+\] Processing |^[0-9]+ warnings? (generated|treated)|^Suppressed |^Use -header-filter|^$' >&2)
}

run_shell () { shellcheck --severity=warning "${shell_files[@]}"; }

# Compiles without leaving anything behind.
run_python () {
  python3 -c '
import sys
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        compile(file.read(), path, "exec")
' "${python_files[@]}"
}

run_validators () {
  local log status=0
  log=$(meson test -C "$build" --no-rebuild --print-errorlogs --suite data --suite audit 2>&1) ||
    status=$?
  [ "$status" -eq 0 ] || printf '%s\n' "$log"
  return "$status"
}

# The lines of each folder of src, comments included, with the lines of the folders below it.
print_sizes () {
  tracked 'src/*.c' 'src/*.h' | python3 -c '
import collections, os, sys
lines, pairs = collections.Counter(), collections.Counter()
for path in sys.stdin.read().split():
    with open(path, encoding="utf-8") as file:
        count = sum(1 for _ in file)
    folder = os.path.dirname(path)
    pairs[folder] += path.endswith(".c")
    while folder:
        lines[folder] += count
        folder = os.path.dirname(folder)
for folder in sorted(lines):
    print("lint: %7d lines, %3d files of its own  %s" % (lines[folder], pairs[folder], folder))'
}

mapfile -t c_files < <(tracked 'src/*.c' 'tests/*.c')
mapfile -t shell_files < <(tracked dev .ci/run '*.sh')
mapfile -t python_files < <(tracked '*.py')
choose_for_tidy

print_sizes
check clang-format "${#c_files[@]} files" run_format
check shellcheck "${#shell_files[@]} files" run_shell
check python "${#python_files[@]} files" run_python
check validators "data and audits of the source" run_validators
check clang-tidy "$tidy_what" run_tidy

if [ "${#failed[@]}" -gt 0 ]; then
  printf 'lint: FAILED: %s\n' "${failed[*]}"
  exit 1
fi
printf 'lint: everything passed in %d s\n' "$SECONDS"
