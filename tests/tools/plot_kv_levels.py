#!/usr/bin/env python3
"""Plots bits per number against perplexity (and F1) for every KV codec and level, as an SVG without any libraries.

  mneme --json --model M perplexity --file TEXT --kv-codecs all > levels.json
  mneme --json --model M eval SET --modes full,reuse --kv-level L > f1-L.json      (optional, L = high, medium, low, exact)
  plot_kv_levels.py levels.json [--f1 high=f1-high.json ...] --out docs/kv-levels.svg
"""
import argparse
import json
import math
from html import escape

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 360, 80, 200, 40, 50
COLOURS = {"transform": "#0b62a4", "cachegen": "#c0392b", "uniform": "#7f8c8d", "exact": "#2c3e50"}
LEVEL_OF_F1 = "reuse"


def family(codec):
    return next((name for name in COLOURS if codec.startswith(name)), "exact")


def ticks(low, high, n=6):
    step = 10 ** math.floor(math.log10((high - low) / n))
    step *= next(m for m in (1, 2, 5, 10) if (high - low) / (step * m) <= n)
    at = math.ceil(low / step) * step
    while at <= high + 1e-12:
        yield at
        at += step


def axes(points, y_label, top):
    """One panel: points are (x, y, label, family, dashed line group)."""
    xs = [p[0] for p in points]
    ys = [p[1] for p in points]
    x0, x1 = 0.0, max(xs) * 1.05
    pad = (max(ys) - min(ys)) * 0.1 or 1e-3
    y0, y1 = min(ys) - pad, max(ys) + pad
    px = lambda x: LEFT + (x - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT)
    py = lambda y: top + TOP + (y1 - y) / (y1 - y0) * (HEIGHT - TOP - BOTTOM)
    out = []
    for x in ticks(x0, x1):
        out.append(f'<line x1="{px(x):.1f}" y1="{py(y0):.1f}" x2="{px(x):.1f}" y2="{py(y1):.1f}" stroke="#e5e5e5"/>')
        out.append(f'<text x="{px(x):.1f}" y="{py(y0) + 16:.1f}" text-anchor="middle">{x:g}</text>')
    for y in ticks(y0, y1):
        out.append(f'<line x1="{px(x0):.1f}" y1="{py(y):.1f}" x2="{px(x1):.1f}" y2="{py(y):.1f}" stroke="#e5e5e5"/>')
        out.append(f'<text x="{px(x0) - 6:.1f}" y="{py(y) + 4:.1f}" text-anchor="end">{y:g}</text>')
    for name in sorted({p[3] for p in points}):
        line = sorted((p[0], p[1]) for p in points if p[3] == name and p[4])
        path = " ".join(f"{px(x):.1f},{py(y):.1f}" for x, y in line)
        if len(line) > 1:
            out.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[name]}" stroke-width="1.5"/>')
    for x, y, label, name, _ in points:
        out.append(f'<circle cx="{px(x):.1f}" cy="{py(y):.1f}" r="4" fill="{COLOURS[name]}"/>')
        out.append(f'<text x="{px(x) + 7:.1f}" y="{py(y) - 5:.1f}" fill="{COLOURS[name]}">{escape(label)}</text>')
    middle = top + HEIGHT / 2
    out.append(f'<text x="18" y="{middle}" transform="rotate(-90 18 {middle})" text-anchor="middle">{y_label}</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{top + HEIGHT - 8}" text-anchor="middle">bits per number</text>')
    return out


def points_of(levels, value):
    points = []
    for level in levels:
        plain = level["codec"] in ("transform", "cachegen", "uniform8", "uniform4")
        label = level["codec"] + ("" if "uniform" in level["codec"] or level["codec"] == "exact" else " " + level["level"])
        y = value(level)
        if y is not None:
            points.append((level["bits_per_element"], y, label, family(level["codec"]), plain))
    return points


def f1_losses(arguments):
    losses = {}
    for pair in arguments:
        level, path = pair.split("=", 1)
        with open(path, encoding="utf-8") as file:
            losses[level] = json.load(file)["modes"][LEVEL_OF_F1]["f1"]
    return losses


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("levels")
    parser.add_argument("--f1", nargs="*", default=[])
    parser.add_argument("--out", required=True)
    arguments = parser.parse_args()
    with open(arguments.levels, encoding="utf-8") as file:
        levels = json.load(file)["kv"]
    panels = [(points_of(levels, lambda level: 100 * level["increase"]), "perplexity, % above exact")]
    f1 = f1_losses(arguments.f1)
    if f1:
        shipped = [level for level in levels if level["codec"] in ("transform", "exact")]
        panels.append((points_of(shipped, lambda level: f1.get(level["level"])), "F1, reuse"))
    height = HEIGHT * len(panels)
    body = [line for i, (points, label) in enumerate(panels) for line in axes(points, label, i * HEIGHT)]
    with open(arguments.out, "w", encoding="utf-8") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
                   f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="11">\n'
                   f'<rect width="{WIDTH}" height="{height}" fill="white"/>\n' + "\n".join(body) + "\n</svg>\n")


if __name__ == "__main__":
    main()
