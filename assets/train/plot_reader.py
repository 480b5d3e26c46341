"""Draws the goes of reader.py as a small picture: loss, and what is right of held-out questions of each kind, over tokens.

    python3 plot_reader.py --log work/reader.log:40 work/reader2.log:40 work/reader3.log --out ../models/mneme-full.reading.png

LOG:N takes a go's first N steps, after which the next one began.
"""
import argparse
import ast
import re

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

STEP = re.compile(r"^step (\d+) tokens (\d+) seconds \d+ loss ([\d.]+) hits [\d.]+ rate [\d.]+ ?(\{.*\})?")
SMOOTHED = 15  # steps
NAMES = {"nq": "natural questions", "qamr": "QAMR", "asked": "made by rules", "rows": "rows of tables", "known": "earlier tasks"}


def read(logs: list[str]):
    """Rows (million tokens, loss), of each kind (million tokens, share right), and where goes begin."""
    losses, right, starts, before = [], {}, [], 0.0
    for log in logs:
        path, _, last = log.partition(":")
        tokens = 0.0
        with open(path, encoding="utf-8") as f:
            for m in filter(None, map(STEP.match, f)):
                if last and int(m[1]) > int(last):
                    break
                tokens = int(m[2]) / 1e6
                losses.append((before + tokens, float(m[3])))
                for kind, share in ast.literal_eval(m[4] or "{}").items():
                    right.setdefault(kind, []).append((before + tokens, share))
        before += tokens
        starts.append(before)
    return losses, right, starts[:-1]


def smoothed(rows):
    for i in range(len(rows)):
        near = rows[max(0, i + 1 - SMOOTHED):i + 1]
        yield sum(loss for _, loss in near) / len(near)


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--log", nargs="+", required=True)
    p.add_argument("--out", required=True)
    a = p.parse_args()
    losses, right, starts = read(a.log)
    figure, axis = plt.subplots(figsize=(7, 3.4), dpi=100)
    axis.plot([tokens for tokens, _ in losses], list(smoothed(losses)), linewidth=1.2, color="black",
              label=f"loss (mean of {SMOOTHED} steps)")
    for start in starts:
        axis.axvline(start, color="grey", linewidth=0.6, linestyle=":")
    axis.set_xlabel("million tokens")
    axis.set_ylabel("nats per token")
    axis.grid(alpha=0.3)
    shares = axis.twinx()
    for kind, rows in right.items():
        shares.plot(*zip(*rows), linewidth=1, marker=".", label=NAMES[kind])
    shares.set_ylim(0, 1)
    axis.set_title("mneme-full learns to read quotations: held-out questions answered rightly", fontsize=10)
    figure.legend(loc="lower center", ncol=6, fontsize=7, frameon=False)
    figure.tight_layout(rect=(0, 0.06, 1, 1))
    figure.savefig(a.out)


if __name__ == "__main__":
    main()
