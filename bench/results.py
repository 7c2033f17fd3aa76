#!/usr/bin/env python3
"""Makes bench/RESULTS.md from what `weft_bench --also --json FILE` wrote. Usage: results.py FILE > RESULTS.md"""

import json
import platform
import subprocess
import sys

# The ratio that each workload is to reach; from which a row is told red or not.
GOALS = {"W1": 1.0, "W2.u8": 1.1, "W2.u16": 1.0, "W2.f32": 1.0, "W2.f64": 1.15, "W3": 1.1, "W5": 0.5,
         "W5b": 0.7, "W5c": 0.6, "W6": 0.9, "W6b": 0.95, "W7": 1.0, "W8": 1.0, "W8i": 1.0, "W9": 1.0}
GOALS |= {f"W10.{n}": 1.1 for n in (1, 4, 8, 16, 32, 64)} | {f"W10.{n}": 1.5 for n in (2, 6, 66)}
MILLISECONDS = {"W11": 0.005, "W13": 0.003}  # of one evaluation


def first_line(*command):
    return subprocess.run(command, capture_output=True, text=True).stdout.strip().splitlines()[0]


def row(result):
    key = result["id"]
    if key in MILLISECONDS:
        goal, value = f"{MILLISECONDS[key] * 1e3:g} us", f"{result['ms'] * 1e3:.1f} us"
        met, spread = result["ms"] <= MILLISECONDS[key], ""
    else:
        goal, value = f"{GOALS[key]:g}", f"{result['ratio']:.2f}"
        met, spread = result["ratio"] <= GOALS[key], f"{result['ratio_min']:.2f} to {result['ratio_max']:.2f}"
    return f"| {key} | {value} | {spread} | {goal} | {'met' if met else '**red**'} | {result['peak_kib']:g} |"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        measured = json.load(file)
    machine = measured["machine"]
    print("# What was measured")
    print()
    print("Time over that of a two-thread memcpy of the output's bytes, taken in turn in one process, output buffer")
    print("used again: the median of 15 pairs, and their spread. Results are compared with the reference first. Peak:")
    print("KiB of resident memory above inputs and output. Made by")
    print()
    print("    bash scripts/bench.sh --also --json results.json && python3 bench/results.py results.json > bench/RESULTS.md")
    print()
    print(f"on {machine['cpu']}, {machine['threads']} threads, {platform.system()} {platform.machine()}, "
          f"{first_line('c++', '--version')}, at commit {first_line('git', 'rev-parse', '--short', 'HEAD')}.")
    print()
    print("| id | measured | spread | goal | | peak |")
    print("| --- | --- | --- | --- | --- | --- |")
    for result in measured["results"]:
        print(row(result))
    print()
    print("| also | |")
    print("| --- | --- |")
    for figure in measured["also"]:
        print(f"| {figure['what']} ({figure['id']}) | {figure['value']:.3g} |")


main()
