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
PAIR_SHARE = 0.6                 # of the batches: question-passage pairs; the rest are neighbouring texts
DROP = 0.4                       # at most this share of a text's tokens is dropped


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
    """Draws batches from one source each: question-passage pairs of one language, or neighbouring texts of one folder."""

    def __init__(self, data: str, tokenizer, seed: int):
        self.rng, self.tokenizer = random.Random(seed), tokenizer
        self.folders = embed_data.folders(data)
        self.folder_sizes = [sum(len(d.text) for d in g) ** 0.5 for g in self.folders]
        self.passages: dict[str, list[int]] = {}
        self.asked = {k: [(tokenizer(q), p) for q, p in v] for k, v in embed_data.training_pairs(data).items()}
        self.asked_sizes = [len(v) ** 0.5 for v in self.asked.values()]

    def passage(self, text: str) -> list[int]:
        if text not in self.passages:
            self.passages[text] = self.tokenizer(text)
        return self.passages[text]

    def thin(self, ids: list[int]) -> list[int]:
        """Drops tokens at random, so that no single word carries a pair."""
        drop = self.rng.random() * DROP
        kept = [i for i in ids if self.rng.random() >= drop]
        return kept or ids

    def batch(self, size: int):
        left, right = [], []
        if self.rng.random() < PAIR_SHARE:
            asked = self.rng.choices(list(self.asked.values()), self.asked_sizes)[0]
            by_passage = {}
            for question, text in self.rng.sample(asked, min(len(asked), 2 * size)):
                by_passage.setdefault(text, question)
            for text, question in list(by_passage.items())[:size]:
                left.append(self.thin(question))
                right.append(self.thin(self.passage(text)))
            keep = [i for i in range(len(left)) if left[i] and right[i]]
            return [left[i] for i in keep], [right[i] for i in keep]
        folder = self.rng.choices(self.folders, self.folder_sizes)[0]
        for _ in range(size):
            a, b = (self.tokenizer(text) for text in embed_data.neighbours(folder, self.rng))
            if a and b:
                left.append(self.thin(a))
                right.append(self.thin(b))
        return left, right


def train(a) -> None:
    torch.set_num_threads(1)
    tokenizer = embed_text.load(a.pieces)
    pairs = Pairs(a.data, tokenizer, a.seed)
    sample = [tokenizer(d.text[:2000]) for group in pairs.folders for d in group]
    sample += [pairs.passage(p) for asked in pairs.asked.values() for _, p in asked[::3]]
    n = embed_text.BUCKETS + len(tokenizer.pieces)
    model = Encoder(initial_table(n, a.dim, sample, a.seed))
    opt = torch.optim.Adam(model.parameters(), lr=a.rate, betas=(0.9, 0.99))
    start, step, smooth = time.time(), 0, None
    np.save(a.out, model.table.detach().numpy())
    while (share := (time.time() - start) / max(1e-9, 60 * a.minutes)) < 1:
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
    p.add_argument("--dim", type=int, default=224)
    p.add_argument("--batch", type=int, default=512)
    p.add_argument("--rate", type=float, default=2e-3)
    p.add_argument("--seed", type=int, default=11)
    train(p.parse_args())


if __name__ == "__main__":
    main()
