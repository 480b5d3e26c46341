"""Draws examples of the current stage into a ring (ring.py), until the ring is stopped: one of several such programs beside
gpu_train.py, which starts them. Before that, it writes the held-out sequences of some stages.

    python3 produce.py --ring work/gpu/ring --producer 0 --producers 14 --data DIR --vocab work/full.model ...
"""
import argparse
import json
import lzma
import os
import random
import time

import numpy as np

import configs
from batches import draw_row
from layout import Layout
from mixing import FILLER, WIDE, Sources
from ring import Ring
from sequences import Piece, fill, piece, sequence_type, sequences, take

HELD_OUT = 1 << 40              # seeds from here on are never trained on
BUDGETS = {"filler": FILLER, "wide": WIDE}


def pieces(rng: random.Random, layout: Layout, sources: Sources, stage_now, context: int, scored: int, test: bool = False):
    """Endless rows of the stage that `stage_now` names before each."""
    numbers = np.random.default_rng(rng.getrandbits(60))
    while True:
        yield piece(numbers, draw_row(rng, layout, stage_now(), sources, context, test), scored)


def write_held_out(a, layout: Layout, kind: np.dtype) -> None:
    """Sequences of the test side per stage, in the ordinary wordings and in those that are never trained on."""
    context, scored = kind["ids"].shape[0], kind["scored"].shape[0]
    sources = Sources(a.data, True, small=True)
    for index, stage in list(enumerate(configs.STAGES[a.config]))[a.producer::a.producers]:
        for form, drawn in (("test", stage), ("reworded", stage.reworded())):
            drawing = pieces(random.Random(HELD_OUT + index), layout, sources, lambda: drawn, context, scored, True)
            records, kinds = take(drawing, kind, a.batch, parts=True)
            path = f"{a.ring}.{form}.{index}"
            with open(path + ".json", "w") as f:
                json.dump(kinds, f)
            np.save(path + ".new.npy", records)
            os.replace(path + ".new.npy", path + ".npy")


def produce(a, ring: Ring, layout: Layout, kind: np.dtype) -> None:
    context, scored = kind["ids"].shape[0], kind["scored"].shape[0]
    sources = Sources(a.data, budgets=BUDGETS[a.text])
    stages = configs.STAGES[a.config]
    drawing = pieces(random.Random(f"{a.seed}-{a.producer}"), layout, sources, lambda: stages[ring.stage], context, scored)
    for group in sequences(drawing, kind):
        record = ring.slot(a.producer)
        if record is None:
            break
        fill(record, group)
        ring.filled(a.producer)


def pairs_seen(p: Piece) -> int:
    """Pairs of tokens of a row that attention has to look at."""
    context, shown = int((p.branch <= 0).sum()), int((p.branch == 0).sum())
    branches = np.bincount(p.branch[p.branch > 0], minlength=1)
    return context * (context + 1) // 2 + int((branches * shown + branches * (branches + 1) // 2).sum())


def measure(a, layout: Layout, kind: np.dtype) -> None:
    """For every stage: tokens a second, how full sequences are, and what the same tokens would take in a compressed file."""
    sources, context, scored = Sources(a.data, budgets=BUDGETS[a.text]), kind["ids"].shape[0], kind["scored"].shape[0]
    for index, stage in enumerate(configs.STAGES[a.config]):
        drawing = sequences(pieces(random.Random(5), layout, sources, lambda: stage, context, scored), kind)
        record, start, groups, answers = np.zeros(1, kind)[0], time.process_time(), [], 0
        while time.process_time() - start < a.measure:
            groups.append(next(drawing))
            fill(record, groups[-1])
            answers += int((record["question"] > 0).sum())
        seconds, rows = time.process_time() - start, [p for group in groups for p in group]
        ids = np.concatenate([p.ids for p in rows])
        pairs, bits = sum(map(pairs_seen, rows)) / len(ids), 8 * len(lzma.compress(ids.tobytes(), preset=6)) / len(ids)
        print(f"stage {index}: {len(ids) / seconds:.0f} tokens a second, {len(ids) / len(rows):.0f} in a row, "
              f"{len(ids) / len(groups) / context:.3f} of a sequence filled, {answers / len(ids):.3f} answers, "
              f"{pairs:.0f} tokens seen by each, {bits:.2f} bits each in a file", flush=True)


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("ring", "data", "vocab", "config", "seed"):
        p.add_argument("--" + name, required=True)
    for name in ("producer", "producers", "tokens", "scored", "batch", "ahead", "kept"):
        p.add_argument("--" + name, type=int, required=True)
    p.add_argument("--text", choices=sorted(BUDGETS), default="wide", help="how much natural text is kept in memory")
    p.add_argument("--measure", type=float, default=0, metavar="SECONDS", help="measure every stage for so long and end")
    return p.parse_args()


def main() -> None:
    a = arguments()
    kind, layout = sequence_type(a.tokens, a.scored), Layout(a.vocab)
    if a.measure:
        measure(a, layout, kind)
        return
    os.nice(3)
    ring = Ring(a.ring, kind, a.producers, a.ahead, a.kept)
    write_held_out(a, layout, kind)
    produce(a, ring, layout, kind)


if __name__ == "__main__":
    main()
