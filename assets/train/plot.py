"""Draws a training log as a small picture: answer loss and accuracy on held-out worlds over tokens, stages as lines.

    python3 plot.py --log work/mini.log --out ../models/mneme-mini.loss.png
"""
import argparse
import re

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

STEP = re.compile(r"^step (\d+) tokens (\d+) seconds [\d.]+ (?:loss [\d.]+|stage (\d+)) answers ([\d.]+)")
CHECK = re.compile(r"^check step (\d+) stage \d+ accuracy ([\d.]+)")


def read(path: str):
    """Rows (million tokens, answer loss, stage) and (million tokens, accuracy); a resumed run overwrites what it repeats."""
    steps, checks = {}, {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            if m := STEP.match(line):
                step = int(m[1])
                steps = {k: v for k, v in steps.items() if k < step} | {step: (int(m[2]) / 1e6, float(m[4]), int(m[3] or 0))}
            elif m := CHECK.match(line):
                checks[int(m[1])] = float(m[2])
    at = lambda step: max((v[0] for k, v in steps.items() if k <= step), default=0.0)
    return list(steps.values()), [(at(step), accuracy) for step, accuracy in sorted(checks.items())]


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--log", required=True)
    p.add_argument("--out", required=True)
    p.add_argument("--title", default="mneme-mini: answers to held-out worlds of the current stage")
    a = p.parse_args()
    steps, checks = read(a.log)
    figure, axis = plt.subplots(figsize=(7, 3.4), dpi=100)
    axis.plot([s[0] for s in steps], [s[1] for s in steps], linewidth=1.2, label="loss of answer tokens (running mean)")
    for before, after in zip(steps, steps[1:]):
        if after[2] > before[2]:
            axis.axvline(after[0], color="grey", linewidth=0.6, linestyle=":")
            axis.text(after[0], axis.get_ylim()[1], f" {after[2]}", fontsize=7, va="top", color="grey")
    axis.set_xlabel("million tokens")
    axis.set_ylabel("nats per token")
    axis.set_yscale("log")
    axis.grid(alpha=0.3)
    right = axis.twinx()
    right.plot([c[0] for c in checks], [c[1] for c in checks], color="tab:green", linewidth=1, marker=".", label="accuracy")
    right.set_ylim(0, 1)
    axis.set_title(a.title, fontsize=10)
    figure.legend(loc="center right", bbox_to_anchor=(0.88, 0.5), fontsize=8)
    figure.tight_layout()
    figure.savefig(a.out)


if __name__ == "__main__":
    main()
