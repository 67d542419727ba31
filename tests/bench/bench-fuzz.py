#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every fuzz target under libFuzzer, ASan and UBSan, for a while each.

usage: bench-fuzz.py BUILD_TOP

Builds with clang in BUILD_TOP/fuzz. What is found to be new input is kept in BUILD_TOP/fuzz-corpus
and used by the next run; an input that fails is left in BUILD_TOP/fuzz-failures. The time for each
target is GADGET_FUZZ_SECONDS, 120 if that is not set. "./dev test" runs the same targets over their
seeds alone.
"""

import glob
import json
import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SECONDS = int(os.environ.get("GADGET_FUZZ_SECONDS", "120"))


def say(text):
    print(f"bench-fuzz: {text}", file=sys.stderr, flush=True)


def run_quietly(command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, **more)
    if done.returncode != 0:
        say(done.stdout[-4000:])
        sys.exit(f"bench-fuzz: {command[0]} failed")
    return done.stdout


def build(folder):
    """Returns the targets by name."""
    if not os.path.exists(os.path.join(folder, "build.ninja")):
        os.makedirs(folder, exist_ok=True)
        run_quietly(["meson", "setup", folder, "-Dfuzz=true", "-Dbuildtype=debugoptimized",
                     "-Db_lundef=false"], cwd=TOP, env=os.environ | {"CC": "clang"})
    listed = json.loads(subprocess.run(["meson", "introspect", "--targets", folder], check=True,
                                       stdout=subprocess.PIPE).stdout)
    targets = {target["name"]: target["filename"][0] for target in listed
               if target["name"].startswith("fuzz-") and target["type"] == "executable"}
    run_quietly(["ninja", "-C", folder]
                + [os.path.relpath(path, folder) for path in targets.values()])
    return targets


def read_number(text, pattern):
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def fuzz(name, program, top):
    corpus = os.path.join(top, "fuzz-corpus", name)
    failures = os.path.join(top, "fuzz-failures", name)
    os.makedirs(corpus, exist_ok=True)
    os.makedirs(failures, exist_ok=True)
    seeds = [path for path in glob.glob(os.path.join(TOP, "tests", "data", "*"))
             if os.path.isdir(path) and os.path.basename(path) in (name, "sse", "openai-chat")]
    before = set(os.listdir(failures))
    say(f"{name}, {SECONDS} s …")
    done = subprocess.run(
        [program, f"-max_total_time={SECONDS}", "-timeout=20", "-rss_limit_mb=2048",
         "-print_final_stats=1", f"-artifact_prefix={failures}/", corpus, *seeds],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        env=os.environ | {"G_DEBUG": "fatal-warnings"}, check=False)
    failed = done.returncode != 0
    if failed:
        say(done.stdout[-6000:])
        for path in sorted(set(os.listdir(failures)) - before):
            say(f"left behind: {os.path.join(failures, path)}")
    runs = read_number(done.stdout, r"stat::number_of_executed_units:\s+(\d+)")
    covered = read_number(done.stdout, r"\bcov: (\d+)")
    rate = float(read_number(done.stdout, r"stat::average_exec_per_sec:\s+(\d+)"))
    print(json.dumps({
        "bench": "fuzz", "case": name, "metric": "inputs_per_second", "n": runs, "median": rate,
        "p95": rate, "worst": rate, "floor": None, "ratio": None,
        "limit": f"no crash, hang or leak ({covered} branches seen)", "ok": not failed and runs > 0,
    }), flush=True)
    return not failed and runs > 0


def main():
    if len(sys.argv) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    top = os.path.abspath(sys.argv[1])
    targets = build(os.path.join(top, "fuzz"))
    results = [fuzz(name[len("fuzz-"):], path, top) for name, path in sorted(targets.items())]
    return 0 if results and all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
