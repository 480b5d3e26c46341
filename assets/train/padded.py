"""Rows as padded batches of similar length, for train.py."""
import random

import torch

from batches import Row, draw_row
from layout import Layout
from mixing import Sources


def collate(rows: list[Row]):
    """-> ids, positions, branches (batch, n); over the targets (batch, n - 1): may be scored, and answer weights."""
    n = max(len(r.ids) for r in rows)
    pad = lambda values, fill: torch.tensor([v + [fill] * (n - len(v)) for v in values])
    ids, positions = pad([r.ids for r in rows], 0), pad([r.positions for r in rows], 0)
    branches, answer = pad([r.branches for r in rows], 99), pad([r.answer for r in rows], 0.0)
    # A target is a real next token: it lies in the same branch as the row that predicts it.
    same = (branches[:, 1:] == branches[:, :-1]) & (branches[:, 1:] != 99)
    return ids, positions, branches, same, answer[:, 1:] * same


def batches(seed: int, layout: Layout, sources: Sources, stage_now, context: int, tokens: int, pool: int = 48):
    """Endless batches of about `tokens` tokens each; `stage_now` is asked for the stage before every example."""
    rng = random.Random(seed)
    while True:
        rows = [draw_row(rng, layout, stage_now(), sources, context) for _ in range(pool)]
        rows.sort(key=lambda r: len(r.ids))
        groups, group = [], []
        for row in rows:
            if group and (len(group) + 1) * len(row.ids) > tokens:
                groups.append(group)
                group = []
            group.append(row)
        groups.append(group)
        rng.shuffle(groups)
        for g in groups:
            yield collate(g)
