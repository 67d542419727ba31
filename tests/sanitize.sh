#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# sanitize.sh BUILD_TOP [ARGS]: "./dev sanitize". Builds with clang, warnings as errors, and runs
#   the suite under ASan, UBSan and LSan         in BUILD_TOP/asan
#   the tests of store and process under TSan    in BUILD_TOP/tsan
# ARGS go to "meson test" of the first. No header is compiled beforehand here, which shows that each
# file includes what it needs.
set -uo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
builds=$1
shift
failed=()

# Names and lines in the reports.
symbolizer=external_symbolizer_path=$(command -v llvm-symbolizer || command -v addr2line)
# No abort_on_error: a core of a sanitized process is huge, and the exit status is enough. No
# strict_string_checks: cairo rightly gives strndup () texts without an end, and each call would read
# the whole of a large text.
export ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1:halt_on_error=1:abort_on_error=0:$symbolizer
# For limits of memory, which the sanitizers need themselves.
export GADGET_SANITIZED=1
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:$symbolizer
export LSAN_OPTIONS=suppressions=$top/tests/data/lsan.supp:print_suppressions=0
export TSAN_OPTIONS=suppressions=$top/tests/data/tsan.supp:halt_on_error=1:report_mutex_bugs=0:detect_deadlocks=0:$symbolizer

say () { printf 'sanitize: %s\n' "$*"; }

build () { # NAME SANITIZERS
  local dir=$builds/$1 log=$builds/$1.log
  mkdir -p "$builds"
  if [ ! -f "$dir/build.ninja" ]; then
    (cd "$top" && CC=clang meson setup "$dir" -Dwerror=true -Dbuildtype=debug \
      -Db_sanitize="$2" -Db_lundef=false -Db_pch=false) >"$log" 2>&1 || { tail -n 30 "$log"; return 1; }
  fi
  ninja -C "$dir" >"$log" 2>&1 || { tail -n 60 "$log"; return 1; }
}

run () { # NAME MESON-TEST-ARGS…
  local name=$1 log=$builds/$1-test.log status=0
  shift
  # Sanitized programs need a multiple of the time.
  meson test -C "$builds/$name" --no-rebuild --print-errorlogs --timeout-multiplier 5 \
    --num-processes "$(($(nproc) * 3 / 2))" "$@" 2>&1 |
    tee "$log" || status=$?
  grep -qE '^Ok: +[1-9]' "$log" || { say "$name: no test ran"; status=1; }
  return "$status"
}

# The toolkit's own leaks are told apart by whole stacks, which the quick unwinder does not see.
run_asan () { # MESON-TEST-ARGS…
  local status=0
  [ $# -eq 0 ] || { run asan "$@"; return; }
  run asan --no-suite ui || status=1
  ASAN_OPTIONS=$ASAN_OPTIONS:fast_unwind_on_malloc=0 run asan --suite ui || status=1
  return "$status"
}

step () { # WORDS CMD…
  local words=$1 start=$SECONDS
  shift
  if "$@"; then say "$words: passed, $((SECONDS - start)) s"; else
    say "$words: FAILED"
    failed+=("$words")
  fi
}

threaded_tests () {
  meson test -C "$builds/tsan" --no-rebuild --list 2>/dev/null |
    sed -nE 's,^gadget:engine[^ ]* / ((blocking|job-queue|store|process|supervise|sandbox|lease|journal|repair).*)$,\1,p'
}

step "build with clang, ASan, UBSan" build asan address,undefined
[ "${#failed[@]}" -gt 0 ] || step "suite under ASan, UBSan, LSan" run_asan "$@"

step "build with clang, TSan" build tsan thread
mapfile -t threaded < <(threaded_tests)
if [ "${#threaded[@]}" -gt 0 ]; then
  step "${#threaded[@]} tests of store and process under TSan" run tsan "${threaded[@]}"
else
  failed+=("no test of store or process found for TSan")
fi

if [ "${#failed[@]}" -gt 0 ]; then
  say "FAILED: $(IFS=';'; echo "${failed[*]}")"
  exit 1
fi
say "everything passed in $SECONDS s"
