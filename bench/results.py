#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes bench/RESULTS.md and bench/results.svg of what `bash scripts/bench.sh --all` measured: results.py FOLDER"""

import json
import math
import pathlib
import platform
import subprocess
import sys

import chart

BENCH = pathlib.Path(__file__).resolve().parent

# The ratio that each workload is to reach; from which a row is told red or not.
GOALS = {"W1": 1.0, "W2.u8": 1.1, "W2.u16": 1.0, "W2.f32": 1.0, "W2.f64": 1.15, "W3": 1.1, "W4": 1.0, "W5": 0.5,
         "W5b": 0.7, "W5c": 0.6, "W6": 0.9, "W6b": 0.95, "W7": 1.0, "W7.in": 1.2, "W7.in.p": 1.2, "W8": 1.0, "W8i": 1.0,
         "W9": 1.0, "W12": 0.7, "W14": 1.3, "W15": 1.4,
         "H1": 1.7, "H2": 1.7, "ring.1M": 1.5, "ring.256M": 1.5}
GOALS |= {f"W10.{n}": 1.1 for n in (1, 4, 8, 16, 32, 64)} | {f"W10.{n}": 1.5 for n in (2, 6, 66)}
MILLISECONDS = {"W11": 0.005, "W13": 0.003, "W13.p": 0.0005, "W13.run": 0.001, "window": 1}  # of one evaluation
TOLD_IN_TIME = [*MILLISECONDS, "W7.in", "W7.in.p"]  # these are told in microseconds beside rivals

ALSO_GOALS = {"W13.new": 5, "W8.new": 1.01}  # of the other figures

ORDER = ["W1", "W2.u8", "W2.u16", "W2.f32", "W2.f64", "W3", "W4", "W5", "W5b", "W5c", "W6", "W6b", "W7", "W7.in",
         "W7.in.p", "W8", "W8.einops", "W8i", "W9", "W10.1", "W10.4", "W10.8", "W10.16", "W10.32", "W10.64", "W10.2",
         "W10.6", "W10.66", "W11", "W12", "W12.einops", "W13", "W13.p", "W13.run", "W14", "W15", "ring.1M", "ring.256M",
         "window", "H1", "H2", "G1", "G2", "G2.s", "G3", "G4", "G5", "G6", "G7", "G8", "G8.rows", "G9",
         "U.1000", "U.4095", "U.thin", "U.tall", "U.3bytes", "U.heads", "U.windows", "U.crop", "U.reflect", "U.stack3",
         "U.stack8", "U.columns", "U.gather", "U.scatter", "U.where", "U.tril", "U.triu", "U.diagonal", "U.halves",
         "U.roll64", "U.roll256"]
RIVALS = ["plain loops", "tuned loops", "Eigen", "xtensor", "oneDNN", "numpy", "torch", "torch.compile", "JAX",
          "OpenVINO", "ONNX Runtime", "tinygrad", "MLX"]


def first_line(*command):
    return (subprocess.run(command, capture_output=True, text=True).stdout.strip().splitlines() or ["?"])[0]


def fits_cache(result, machine):
    """Whether the last cache keeps the copy: how long that takes then tells what else lies there."""
    return result["baseline"] == "copy" and 2 * result["bytes"] < machine["last_cache_bytes"]


def read(folder):
    """Results by workload, with the rivals of both kinds; machine, versions, other figures."""
    results, also, versions, machine = {}, [], {}, {}
    for path in sorted(folder.glob("*.json")):
        part = json.loads(path.read_text())
        if "results" not in part:
            continue
        machine = part["machine"]
        versions |= part.get("versions") or {}
        also += part["also"]
        for result in part["results"]:
            result["rivals"] = {rival["name"]: rival for rival in result.get("rivals", [])}
            result["in_time"] = result["id"] in TOLD_IN_TIME or fits_cache(result, machine)
            results[result["id"]] = result
    for key, result in results.items():
        for path in folder.glob(f"*.{key}.json"):
            rival = json.loads(path.read_text())
            if path.name != f"{rival.get('name')}.{key}.json":
                continue
            versions[rival["name"]] = rival["version"]
            result["rivals"][rival["name"]] = rival
        narrow = folder / "avx2" / f"{key}.json"
        if narrow.exists():
            result["avx2"] = next(r for r in json.loads(narrow.read_text())["results"] if r["id"] == key)
    return {key: results[key] for key in ORDER if key in results}, also, versions, machine


def avx2_cell(result):
    """What AVX2 alone reaches; it may take 1.3 times the goal."""
    if "avx2" not in result:
        return ""
    key, narrow = result["id"], result["avx2"]
    if key in MILLISECONDS:
        text, met = f"{narrow['ms'] * 1e3:.2f} us", narrow["ms"] <= 1.3 * MILLISECONDS[key]
    else:
        text, met = f"{narrow['ratio']:.2f}", narrow["ratio"] <= 1.3 * GOALS.get(key, math.inf)
    return text if met else f"**{text}**"


def row(result):
    key = result["id"]
    if key in MILLISECONDS:
        goal, value = f"{MILLISECONDS[key] * 1e3:g} us", f"{result['ms'] * 1e3:.2f} us"
        met, spread = result["ms"] <= MILLISECONDS[key], ""
    else:
        goal, value = f"{GOALS[key]:g}" if key in GOALS else "", f"{result['ratio']:.2f}"
        met, spread = result["ratio"] <= GOALS.get(key, 0), f"{result['ratio_min']:.2f} to {result['ratio_max']:.2f}"
    verdict = "" if not goal else "met" if met else "**red**"
    return [key, result["what"], value, spread, goal, verdict, avx2_cell(result), f"{result['peak_kib']:g}"]


def also_row(figure):
    goal = ALSO_GOALS.get(figure["id"])
    told = ["", ""] if goal is None else [f"{goal:g}", "met" if figure["value"] <= goal else "**red**"]
    return [f"{figure['what']} ({figure['id']})", f"{figure['value']:.4g}", *told]


def figure(result, rival):
    """A rival's cell: its ratio or time; in bold where it beats weft."""
    if rival is None:
        return ""
    if rival.get("wrong"):
        return "wrong"
    if "ratio" not in rival:
        return "-"
    in_time = result["in_time"]
    mine, its = (result["ms"], rival["ms"]) if in_time else (result["ratio"], rival["ratio"])
    text = f"{its * 1e3:.3g}" if in_time else f"{its:.2f}" if its < 10 else f"{its:.0f}"
    if rival["runs"] < 9:
        text += "\\*"
    return f"**{text}**" if its < mine else text


def table(head, rows):
    lines = ["| " + " | ".join(cells) + " |" for cells in [head, ["---"] * len(head), *rows]]
    return "\n".join(lines)


def rival_rows(results, names):
    for key, result in results.items():
        in_time = result["in_time"]
        mine = f"{result['ms'] * 1e3:.3g}" if in_time else f"{result['ratio']:.2f}"
        cells = [figure(result, result["rivals"].get(name)) for name in names]
        if any(cells):
            yield [f"{key}, us" if in_time else key, mine, *cells]


def reasons(results):
    """Why there is a dash, each reason once: with the workloads it holds for."""
    told = {}
    for key, result in results.items():
        for name, rival in result["rivals"].items():
            if "unable" in rival:
                told.setdefault((name, rival["unable"]), []).append(key)
    return [f"- {name}, {', '.join(keys)}: {reason}" for (name, reason), keys in told.items()]


def shown(results):
    """What the picture has: ratios, over the same copy for weft and for rivals where a cache keeps it."""
    for key, result in results.items():
        if key in TOLD_IN_TIME or key.startswith("U.") or not result["rivals"]:
            continue
        rivals = [rival for rival in result["rivals"].values() if "ratio" in rival]
        if result["in_time"]:
            rivals = [rival | {"ratio": rival["ms"] / result["copy_ms"]} for rival in rivals]
        yield result | {"rivals": rivals}


def main():
    folder = pathlib.Path(sys.argv[1])
    results, also, versions, machine = read(folder)
    names = [name for name in RIVALS if any(name in result["rivals"] for result in results.values())]
    known = ", ".join(f"{name} {versions[name]}" for name in names if name in versions)
    isa = f", limited to {machine['isa']}" if "isa" in machine else ""
    parts = [f"""<!-- SPDX-License-Identifier: Apache-2.0 -->
# What was measured

Time over that of a two-thread memcpy of the output's bytes, taken in turn in one process, output buffer
used again: the median of 15 pairs, and their spread. Results are compared with the reference first. Peak:
KiB of resident memory above inputs and output. AVX2: with the kernels limited to it, bold beyond 1.3 times the goal.
Made by

    PYTHON=python3 bash scripts/bench.sh --all

on {machine['cpu']}{isa}, {machine['threads']} threads, {platform.system()} {platform.machine()}, \
{first_line('c++', '--version')}, at commit {first_line('git', 'rev-parse', '--short', 'HEAD')}.
Other machines, at other commits: RESULTS-*.md.
""", table(["id", "workload", "measured", "spread", "goal", "", "AVX2", "peak"], [row(r) for r in results.values()])]
    if names:
        parts += [f"""
## Beside others

![Ratios of weft and of the three best rivals of each workload](results.svg)

The same ratio, or microseconds where the last cache keeps the copy, which then takes as long as what else is there
lets it (frameworks take fresh memory for each result); less is better; **bold** beats weft. All on two threads where
they have threads; results equal to weft's byte for byte, or "wrong"; "-" cannot, for the reason below; empty was not
tried. A star: slow, so fewer than 9 runs. "Tuned loops" know the shapes when they are compiled, and check no index.
U: what others were found to do faster before anybody had looked at it. Columns of
Python frameworks may be of another day than ours: their copy is their own. {known}.
""", table(["id", "weft", *names], rival_rows(results, names)), "", *reasons(results)]
        (BENCH / "results.svg").write_text(chart.drawn(shown(results), GOALS), encoding="utf-8")
    if also:
        parts += ["\n## Also\n", table(["", "", "goal", ""], [also_row(figure) for figure in also])]
    (BENCH / "RESULTS.md").write_text("\n".join(parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
