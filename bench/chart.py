# SPDX-License-Identifier: Apache-2.0
"""The picture of the results: a row a workload, a mark each for weft and its best rivals, on a log scale."""

import html
import math

# Colours that can be told apart on white and on black; the text takes the reader's.
STYLE = """
  text { font: 12px sans-serif; fill: #24292f; }
  .small { font-size: 10px; } .end { text-anchor: end; } .middle { text-anchor: middle; }
  .grid { stroke: #8884; } .copy { stroke: #888; stroke-width: 1.5; } .band { fill: #8881; }
  .weft { fill: #d9480f; } .rival { fill: #3b82c4; } .goal { stroke: #888; stroke-width: 2; }
  @media (prefers-color-scheme: dark) { text { fill: #e6edf3; } }
"""
LEFT, RIGHT, TOP, STEP, WIDTH = 70, 64, 58, 34, 900
LOWEST, HIGHEST = 0.25, 32
SHOWN = 3  # rivals a workload


def at(ratio):
    """Where a ratio is, from left to right; what lies outside sits on the edge."""
    kept = min(max(ratio, LOWEST), HIGHEST)
    return LEFT + (WIDTH - LEFT - RIGHT) * math.log(kept / LOWEST) / math.log(HIGHEST / LOWEST)


def spread(positions, gap):
    """Labels pushed apart so that none covers another."""
    placed = sorted(positions)
    for _ in range(20):
        for i in range(1, len(placed)):
            close = gap(placed[i - 1], placed[i]) - (placed[i][0] - placed[i - 1][0])
            if close > 0:
                placed[i - 1] = (placed[i - 1][0] - close / 2, *placed[i - 1][1:])
                placed[i] = (placed[i][0] + close / 2, *placed[i][1:])
    # What was pushed over the right edge pushes back.
    edge = WIDTH
    for i in reversed(range(len(placed))):
        half = gap(placed[i], placed[i]) / 2
        placed[i] = (min(placed[i][0], edge - half), *placed[i][1:])
        edge = placed[i][0] - half
    return placed


def mark(kind, x, y):
    if kind == "weft":
        return f'<path class="weft" d="M{x:.1f} {y - 7}l7 7l-7 7l-7-7z"/>'
    return f'<circle class="rival" cx="{x:.1f}" cy="{y}" r="4.5"/>'


def drawn_row(result, goal, y):
    rivals = sorted(result["rivals"], key=lambda r: r["ratio"])[:SHOWN]
    entries = [(at(result["ratio"]), "weft", f"{result['ratio']:.2f}")]
    entries += [(at(r["ratio"]), "rival", f"{r['name']} {r['ratio']:.2f}" if r["ratio"] < 10
                 else f"{r['name']} {r['ratio']:.0f}") for r in rivals]
    out = [f'<text class="end" x="{LEFT - 12}" y="{y + 4}">{result["id"]}</text>']
    if goal:
        out.append(f'<path class="goal" d="M{at(goal):.1f} {y - 8}v16"/>')
    out += [mark(kind, x, y) for x, kind, _ in reversed(entries)]

    def gap(a, b):
        return 2.9 * (len(a[2]) + len(b[2])) + 6
    out += [f'<text class="small middle" x="{x:.1f}" y="{y + 18}">{html.escape(text)}</text>'
            for x, _, text in spread(entries, gap)]
    return out


def drawn(results, goals):
    rows = list(results)
    height = TOP + STEP * len(rows) + 16
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
           'role="img"><title>Time over a two-thread copy of the output</title>', f"<style>{STYLE}</style>",
           '<text x="12" y="18">Time over a two-thread memcpy of the output, less is better</text>',
           mark("weft", 480, 14), '<text x="492" y="18">weft</text>', mark("rival", 548, 14),
           f'<text x="558" y="18">its {SHOWN} best rivals</text>', '<path class="goal" d="M680 6v16"/>',
           '<text x="688" y="18">goal</text>']
    tick = LOWEST
    while tick <= HIGHEST:
        x = at(tick)
        kind = "copy" if tick == 1 else "grid"
        out.append(f'<path class="{kind}" d="M{x:.1f} {TOP - 14}V{height - 8}"/>')
        out.append(f'<text class="small middle" x="{x:.1f}" y="{TOP - 20}">{tick:g}</text>')
        tick *= 2
    for i, result in enumerate(rows):
        if i % 2 == 0:
            out.append(f'<rect class="band" x="0" y="{TOP + STEP * i - 10}" width="{WIDTH}" height="{STEP}"/>')
        out += drawn_row(result, goals.get(result["id"]), TOP + STEP * i + 2)
    return "\n".join([*out, "</svg>"]) + "\n"
