"""Draws a training log as a small picture: answer loss and learning rate over tokens.

    python3 plot.py --log work/mini.log --out ../models/mneme-mini.loss.png
"""
import argparse
import re

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

LINE = re.compile(r"tokens (\d+) seconds ([\d.]+) loss ([\d.]+) answers ([\d.]+) rate ([\d.]+)")


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--log", required=True)
    p.add_argument("--out", required=True)
    p.add_argument("--title", default="mneme-mini: loss on answer tokens")
    a = p.parse_args()
    with open(a.log, encoding="utf-8") as f:
        rows = [tuple(map(float, m.groups())) for m in map(LINE.search, f) if m]
    tokens = [r[0] / 1e6 for r in rows]
    figure, axis = plt.subplots(figsize=(7, 3.4), dpi=100)
    axis.plot(tokens, [r[3] for r in rows], linewidth=1.2, label="answer loss (running mean)")
    axis.set_xlabel("million tokens")
    axis.set_ylabel("nats per token")
    axis.set_yscale("log")
    axis.grid(alpha=0.3)
    rate = axis.twinx()
    rate.plot(tokens, [r[4] for r in rows], color="grey", linewidth=0.8, alpha=0.6, label="learning rate")
    rate.set_yticks([])
    axis.set_title(a.title, fontsize=10)
    figure.legend(loc="upper right", bbox_to_anchor=(0.88, 0.88), fontsize=8)
    figure.tight_layout()
    figure.savefig(a.out)


if __name__ == "__main__":
    main()
