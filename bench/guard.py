#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails where weft is slower than bench/recorded.json says: guard.py PROGRAMS (a folder) [--record].

Times are ratios to a copy (microseconds for tiny workloads); a workload that is over its limit is measured again
before it fails. Instructions are counted by callgrind. What was recorded on another processor or by another compiler
is printed beside what is measured, and nothing fails."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

RECORDED = pathlib.Path(__file__).resolve().parent / "recorded.json"
SLOWER, MORE_INSTRUCTIONS = 1.5, 1.2  # what is still taken as the same
PREFIX = os.environ.get("BENCH_PREFIX", "").split()  # taskset, flock, ...
ATTEMPTS = 4  # a neighbour's noise ends, a regression does not
ROUNDS = 7
IN_TIME = ["W11", "W13", "W13.p", "W13.run", "W7.in", "W7.in.p"]  # told in microseconds: their copy takes nothing
COUNTED = {"W13": 200, "W13.p": 200, "W13.run": 200, "W7.in": 200, "W7.in.p": 200, "plan.64": 50}  # times


def times(programs, pattern):
    """Time of each workload that the pattern finds, and the machine."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        subprocess.run([*PREFIX, programs / "weft_bench", f"--benchmark_filter={pattern}", f"--rounds={ROUNDS}",
                        "--json", file.name], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        measured = json.load(open(file.name, encoding="utf-8"))
    found = {r["id"]: r["ms"] * 1e3 if r["id"] in IN_TIME else r["ratio"] for r in measured["results"]}
    return found, measured["machine"]


def instructions(programs, name, count):
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=main"]
    run = subprocess.run([*valgrind, programs / "weft_count", name, str(count)], check=True,
                         capture_output=True, text=True)
    return int(re.search(r"Collected : (\d+)", run.stderr).group(1))


def instructions_each(programs):
    """Of one call: the start of the program is the same in both runs."""
    return {name: round((instructions(programs, name, 2 * n) - instructions(programs, name, n)) / n)
            for name, n in COUNTED.items()}


def verdict(name, measured, recorded, limit, is_hard):
    over = recorded is not None and measured > recorded * limit
    note = "" if not over else "  TOO MUCH" if is_hard else "  (recorded elsewhere)"
    print(f"{name:<10} {measured:10.4g}  recorded {recorded if recorded is not None else '-'}{note}", flush=True)
    return over and is_hard


def main():
    programs = pathlib.Path(sys.argv[1])
    found, machine = times(programs, ".")
    here = {key: machine[key] for key in ("cpu", "compiler")}
    if "--record" in sys.argv:
        runs = [found, times(programs, ".")[0], times(programs, ".")[0]]
        # The slowest: memory is faster at one time than at another.
        found = {key: max(run[key] for run in runs) for key in found}
        record = here | {"times": {key: float(f"{value:.3g}") for key, value in found.items()},
                         "instructions": instructions_each(programs)}
        RECORDED.write_text(json.dumps(record, indent=1) + "\n")
        return 0
    recorded = json.loads(RECORDED.read_text())
    is_hard = here == {key: recorded[key] for key in here}
    if not is_hard:
        print(f"recorded on {recorded['cpu']}, {recorded['compiler']}; this is {here['cpu']}, {here['compiler']}")
    limits = {key: value * SLOWER for key, value in recorded["times"].items()}
    for _ in range(ATTEMPTS - 1):
        over = [key for key, value in found.items() if value > limits.get(key, value)]
        if not over or not is_hard:
            break
        pattern = "^(" + "|".join(re.escape(key) for key in over) + ")/"
        again, _ = times(programs, pattern)
        found |= {key: min(found[key], value) for key, value in again.items()}
    failed = [verdict(key, value, recorded["times"].get(key), SLOWER, is_hard) for key, value in found.items()]
    failed += [verdict(f"{key}, instr", value, recorded["instructions"].get(key), MORE_INSTRUCTIONS, is_hard)
               for key, value in instructions_each(programs).items()]
    print(f"{sum(failed)} of {len(failed)} beyond what is recorded")
    return 1 if any(failed) else 0


sys.exit(main())
