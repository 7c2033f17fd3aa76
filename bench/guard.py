#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails where weft is slower than bench/recorded.json says of this kind of processor and compiler:
guard.py PROGRAMS (a folder) [--record].

Times are ratios to a copy (microseconds for tiny workloads), and how those of random chains are distributed. What is over
its limit is measured again, then beside the recorded commit, built here: machines drift, and only what is slower than that
commit on this machine, in turn with it, fails. A kind that was never seen is recorded, beside the others, and nothing
fails; where CI is set, which keeps no records, it is told alone. Instructions are counted by callgrind, which shows
programs the same processor everywhere."""

import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORDED = ROOT / "bench" / "recorded.json"
SLOWER, MORE_INSTRUCTIONS = 1.5, 1.2  # what is still taken as the same
PREFIX = os.environ.get("BENCH_PREFIX", "").split()  # taskset, flock, ...
ATTEMPTS = 4  # a neighbour's noise ends, a regression does not
SLOWER_BESIDE, TURNS = 1.25, 5  # what is still taken as the same beside the recorded commit, in so many turns
TIMES_BESIDE = 3  # a regression is there each time
ROUNDS = 7
CHAINS, FIRST_CHAIN = 84, 1  # six of each octave of sizes
LARGE = 256 * 1024
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
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=weft_counted"]
    run = subprocess.run([*valgrind, programs / "weft_count", name, str(count)], check=True,
                         capture_output=True, text=True)
    return int(re.search(r"Collected : (\d+)", run.stderr).group(1))


def instructions_each(programs):
    """Of one call."""
    return {name: round(instructions(programs, name, n) / n) for name, n in COUNTED.items()}


def distribution(programs):
    """Quantiles of the ratios of random chains to copies: many of them beside one another, whatever each is."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        subprocess.run([*PREFIX, programs / "weft_bench", f"--random={CHAINS}", f"--seed={FIRST_CHAIN}", "--json", file.name],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        chains = json.load(open(file.name, encoding="utf-8"))
    large = [chain["weft_us"] / chain["copy_us"] for chain in chains if chain["bytes"] >= LARGE]
    small = [chain["weft_us"] for chain in chains if chain["bytes"] < LARGE]
    return {"random, median": statistics.median(large), "random, 9 in 10": statistics.quantiles(large, n=10)[-1],
            "random below 256 KiB, median us": statistics.median(small)}


def kind_of_machine(programs):
    machine = times(programs, "^W13/")[1]
    return {key: machine[key] for key in ("cpu", "compiler")}


def everything(programs):
    return times(programs, ".")[0] | distribution(programs)


def some(programs, over):
    """Those of these names."""
    found = distribution(programs) if any(key.startswith("random") for key in over) else {}
    workloads = [re.escape(key) for key in over if not key.startswith("random")]
    if workloads:
        found |= times(programs, "^(" + "|".join(workloads) + ")/")[0]
    return {key: value for key, value in found.items() if key in over}


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def built(commit):
    """The programs of another commit, which the compiler's cache mostly has."""
    tree = ROOT / "build" / "guard" / commit
    if not tree.exists():
        git("worktree", "prune")
        git("worktree", "add", "--detach", str(tree), commit)
    print(f"building {commit} to measure beside it ...", flush=True)
    subprocess.run(["bash", tree / "scripts" / "build_release.sh", "weft_bench"], check=True)
    return tree / "build" / "release" / "bin"


def slower_beside(programs, others, over):
    """Those that are slower than other programs, in turn with them, each time that it is asked."""
    for _ in range(TIMES_BESIDE):
        turns = [(some(programs, over), some(others, over)) for _ in range(TURNS)]
        beside = {key: statistics.median(own[key] / other[key] for own, other in turns) for key in over}
        for key, ratio in beside.items():
            print(f"{key:<32} {ratio:10.4g}  of what the recorded commit takes here", flush=True)
        over = [key for key in over if beside[key] > SLOWER_BESIDE]
        if not over:
            break
    return over


def record_of(kind, kinds):
    for record in kinds:
        if all(record[key] == value for key, value in kind.items()):
            return record
    return None


def record(kind, programs, all_recorded):
    runs = [everything(programs) for _ in range(3)]
    # The slowest: memory is faster at one time than at another.
    slowest = {key: max(run[key] for run in runs) for key in runs[0]}
    own = kind | {"commit": git("rev-parse", "--short=12", "HEAD"),
                  "times": {key: float(f"{value:.3g}") for key, value in slowest.items()}}
    known = record_of(kind, all_recorded["kinds"])
    kinds = [other for other in all_recorded["kinds"] if other is not known] + [own]
    counted = all_recorded["instructions"] | {kind["compiler"]: instructions_each(programs)}
    RECORDED.write_text(json.dumps({"instructions": counted, "kinds": kinds}, indent=1) + "\n")


def verdict(name, measured, recorded, failed):
    print(f"{name:<32} {measured:10.4g}  recorded {recorded if recorded is not None else '-'}"
          f"{'  TOO MUCH' if failed else ''}", flush=True)
    return failed


def compared(programs, recorded):
    """Whether each time is beyond what is recorded of this kind."""
    found = everything(programs)
    limits = {key: value * SLOWER for key, value in recorded["times"].items()}
    over = [key for key, value in found.items() if value > limits.get(key, value)]
    for _ in range(ATTEMPTS - 1):
        if not over:
            break
        found |= {key: min(found[key], value) for key, value in some(programs, over).items()}
        over = [key for key in over if found[key] > limits[key]]
    if over:
        over = slower_beside(programs, built(recorded["commit"]), over)
    return [verdict(key, value, recorded["times"].get(key), key in over) for key, value in found.items()]


def main():
    programs = pathlib.Path(sys.argv[1])
    kind = kind_of_machine(programs)
    all_recorded = json.loads(RECORDED.read_text())
    recorded = record_of(kind, all_recorded["kinds"])
    if "--record" in sys.argv or (recorded is None and "CI" not in os.environ):
        record(kind, programs, all_recorded)
        print(f"recorded on {kind['cpu']}, {kind['compiler']}")
        return 0
    if recorded is None:
        print(f"{kind['cpu']}, {kind['compiler']} was never seen: no times are compared")
    failed = compared(programs, recorded) if recorded else []
    counted = all_recorded["instructions"].get(kind["compiler"], {})
    for key, value in instructions_each(programs).items():
        known = counted.get(key)
        failed.append(verdict(f"{key}, instr", value, known, known is not None and value > known * MORE_INSTRUCTIONS))
    print(f"{sum(failed)} of {len(failed)} beyond what is recorded")
    return 1 if any(failed) else 0


if __name__ == "__main__":
    sys.exit(main())
