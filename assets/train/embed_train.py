"""Trains the static embedder: one vector per token, contrastively, with the other passages of a batch as negatives.

    python3 embed_train.py --data DIR --pieces work/embed.pieces --out work/embed.npy --minutes 15

A text's vector is normalise(sum over distinct tokens of (1 + ln count) * E[token]). E starts as random directions scaled
by inverse document frequency, which is already a projected tf-idf search; training moves related words together.
"""
import os

for _key in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_key, "1")

import argparse
import collections
import math
import random
import time

import numpy as np
import torch
import torch.nn.functional as F

import embed_data
import embed_text

TEMPERATURE = 0.05
PAIR_SHARE = 0.6                 # of a batch: question-passage pairs; the rest are neighbouring texts


def bag(ids: list[int]) -> tuple[list[int], list[float]]:
    counts = collections.Counter(ids)
    return list(counts), [1 + math.log(c) for c in counts.values()]


class Encoder(torch.nn.Module):
    def __init__(self, table: torch.Tensor):
        super().__init__()
        self.table = torch.nn.Parameter(table)

    def forward(self, texts: list[list[int]]) -> torch.Tensor:
        ids, weights, offsets = [], [], []
        for text in texts:
            offsets.append(len(ids))
            i, w = bag(text)
            ids += i
            weights += w
        out = F.embedding_bag(torch.tensor(ids, dtype=torch.long), self.table, torch.tensor(offsets), mode="sum",
                              per_sample_weights=torch.tensor(weights), sparse=False)
        return F.normalize(out, dim=1)


def initial_table(n: int, dim: int, texts: list[list[int]], seed: int) -> torch.Tensor:
    seen = collections.Counter(t for text in texts for t in set(text))
    idf = torch.tensor([math.log(1 + len(texts) / (1 + seen[i])) for i in range(n)])
    noise = torch.randn(n, dim, generator=torch.Generator().manual_seed(seed)) / dim ** 0.5
    return noise * (idf / idf.mean())[:, None]


class Pairs:
    """Draws batches of distinct-passage pairs."""

    def __init__(self, data: str, tokenizer, seed: int):
        self.rng, self.tokenizer = random.Random(seed), tokenizer
        self.documents = embed_data.documents(data)
        self.passages: dict[str, list[int]] = {}
        self.asked = [(tokenizer(q), p) for q, p in embed_data.training_pairs(data)]

    def passage(self, text: str) -> list[int]:
        if text not in self.passages:
            self.passages[text] = self.tokenizer(text)
        return self.passages[text]

    def batch(self, size: int):
        left, right, used = [], [], set()
        while len(left) < size:
            if self.rng.random() < PAIR_SHARE:
                question, text = self.rng.choice(self.asked)
                if text in used:
                    continue
                used.add(text)
                pair = (question, self.passage(text))
            else:
                a, b = embed_data.neighbours(self.documents, self.rng)
                pair = (self.tokenizer(a), self.tokenizer(b))
            if pair[0] and pair[1]:
                left.append(pair[0])
                right.append(pair[1])
        return left, right


def train(a) -> None:
    torch.set_num_threads(1)
    tokenizer = embed_text.load(a.pieces)
    pairs = Pairs(a.data, tokenizer, a.seed)
    sample = [tokenizer(d.text[:2000]) for d in pairs.documents] + [pairs.passage(p) for _, p in pairs.asked[::3]]
    n = embed_text.BUCKETS + len(tokenizer.pieces)
    model = Encoder(initial_table(n, a.dim, sample, a.seed))
    opt = torch.optim.Adam(model.parameters(), lr=a.rate, betas=(0.9, 0.99))
    start, step, smooth = time.time(), 0, None
    np.save(a.out, model.table.detach().numpy())
    while (share := (time.time() - start) / (60 * a.minutes)) < 1:
        for group in opt.param_groups:
            group["lr"] = a.rate * min(1, (step + 1) / 50) * (0.05 + 0.95 * (1 - share))
        left, right = pairs.batch(a.batch)
        x, y = model(left), model(right)
        logits, target = x @ y.T / TEMPERATURE, torch.arange(len(left))
        loss = 0.5 * (F.cross_entropy(logits, target) + F.cross_entropy(logits.T, target))
        opt.zero_grad()
        loss.backward()
        opt.step()
        step += 1
        smooth = loss.item() if smooth is None else 0.95 * smooth + 0.05 * loss.item()
        if step % 20 == 0:
            print(f"step {step} seconds {time.time() - start:.0f} loss {smooth:.4f}", flush=True)
        if step % 200 == 0:
            np.save(a.out, model.table.detach().numpy())
    np.save(a.out, model.table.detach().numpy())


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("data", "pieces", "out"):
        p.add_argument("--" + name, required=True)
    p.add_argument("--minutes", type=float, required=True)
    p.add_argument("--dim", type=int, default=192)
    p.add_argument("--batch", type=int, default=512)
    p.add_argument("--rate", type=float, default=3e-3)
    p.add_argument("--seed", type=int, default=11)
    train(p.parse_args())


if __name__ == "__main__":
    main()
