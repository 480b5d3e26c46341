"""Teaches a model, on a CPU, to give the short answer that stands in a few sentences: what the program reads quotations with.

    python3 reader.py --data DIR --start ../models/mneme-full.gguf --vocab work/pack/vocabulary.model --asked work/pack/asked.xz --out work/reader --minutes 55

OUT.pt and OUT.log are written. A run goes by processor time, so that it may be stopped (SIGSTOP) and go on. PyTorch allocates and
frees much: with `LD_PRELOAD=libjemalloc.so.2 MALLOC_CONF=dirty_decay_ms:-1,muzzy_decay_ms:-1,thp:always` a step takes a fifth of the time.
"""
import argparse
import json
import random
import time

import torch
import torch.nn.functional as F

import configs
import loading
import quotations
import state
from half import Half
from layout import Layout
from muon import Muon

CHECK_EVERY = 40                # steps
AT_ONCE = 8                     # sequences; a step adds up the gradients of several such batches
WARM_STEPS = 20


def losses(half: Half, batch: quotations.Batch):
    """Of the scored tokens, and whether the likeliest token is the right one."""
    logits = half.logits(half.hidden(batch.ids, batch.positions, batch.mask)[batch.scored])
    return F.cross_entropy(logits, batch.target, reduction="none"), logits.detach().argmax(-1) == batch.target


@torch.no_grad()
def right(half: Half, layout: Layout, checks: dict) -> dict:
    """The share of held-out answers whose every token is the likeliest one: what greedy decoding gets right."""
    out = {}
    for kind, sequences in checks.items():
        good = total = 0
        for i in range(0, len(sequences), AT_ONCE):
            batch = quotations.collate(layout, sequences[i:i + AT_ONCE])
            hits, start = losses(half, batch)[1], 0
            for end in (batch.target == layout.end).nonzero().flatten().tolist():
                good, total, start = good + bool(hits[start:end + 1].all()), total + 1, end + 1
        out[kind] = round(good / max(1, total), 3)
    return out


def rate_at(peak: float, step: int, share: float, flat: float) -> float:
    """A short warm-up, the peak until `flat` of the run, then down to 2 %."""
    return peak * min(1.0, (step + 1) / WARM_STEPS) * (1.0 if share < flat else max(0.02, (1 - share) / (1 - flat)))


class Optimiser:
    """Muon for the blocks' matrices, AdamW for embeddings and norms."""

    def __init__(self, model, factor: float):
        self.model, self.factor, self.muon = model, factor, Muon(model, half=True)
        taken = set(map(id, self.muon.params))
        rest = [p for p in model.parameters() if id(p) not in taken]
        self.adam = torch.optim.AdamW([{"params": [p for p in rest if p.dim() > 1], "weight_decay": 0.05},
                                       {"params": [p for p in rest if p.dim() < 2], "weight_decay": 0.0}], lr=0.0, betas=(0.9, 0.98))

    def step(self, rate: float) -> None:
        torch.nn.utils.clip_grad_norm_(list(self.model.parameters()), 1.0)
        for group in self.adam.param_groups:
            group["lr"] = rate
        self.adam.step()
        self.muon.step(rate * self.factor)
        self.model.zero_grad(set_to_none=True)


def gradients(half: Half, layout: Layout, sequences: list) -> tuple[float, float]:
    """Of the mean weighted loss of all sequences; returns that loss and the share of right tokens."""
    parts = [quotations.collate(layout, sequences[i:i + AT_ONCE]) for i in range(0, len(sequences), AT_ONCE)]
    total, loss, hits = sum(float(b.weight.sum()) for b in parts), 0.0, 0
    for batch in parts:
        each, hit = losses(half, batch)
        mine = (each * batch.weight).sum() / total
        mine.backward()
        loss, hits = loss + mine.item(), hits + int(hit.sum())
    return loss, hits / sum(len(b.target) for b in parts)


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data", required=True, help="folder with qa/ unpacked")
    p.add_argument("--start", required=True, help="GGUF file or checkpoint")
    p.add_argument("--vocab", required=True)
    p.add_argument("--asked", help="questions made by asked.py")
    p.add_argument("--out", required=True)
    p.add_argument("--minutes", type=float, required=True, help="of processor time, divided by the threads")
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--batch", type=int, default=16, help="sequences of a step")
    p.add_argument("--rate", type=float, default=8e-4, help="of AdamW")
    p.add_argument("--muon", type=float, default=1.5, help="Muon's rate as a multiple of it")
    p.add_argument("--flat", type=float, default=0.45, help="share of the run before the rate falls")
    p.add_argument("--seed", type=int, default=7)
    p.add_argument("--chains", type=float, default=quotations.CHAINS, help="weight of plain chains among the made-up tasks")
    p.add_argument("--shares", type=json.loads, default={}, help='of the sources, others than quotations.SHARES: {"known": 0.5}')
    return p.parse_args()


def main() -> None:
    a = arguments()
    torch.set_num_threads(a.threads)
    torch.set_flush_denormal(True)
    layout, model = Layout(a.vocab), loading.load_model(a.start).train()
    half, optimiser, rng = Half(model), Optimiser(model, a.muon), random.Random(a.seed)
    draw, held_out = (quotations.Draw(a.data, a.asked, layout, side, a.chains) for side in (False, True))
    draw.shares.update(a.shares)
    checks = {kind: quotations.pack(random.Random(1), held_out, 12, {kind: 1}) for kind in held_out.shares}
    began, used, step, share = time.time(), time.process_time(), 0, 0.0
    sizes = lambda c: (c.vocab, c.dim, c.layers, c.ffn)
    config = next(name for name, shape in configs.MODELS.items() if sizes(shape) == sizes(model.c))
    save = lambda: state.save({"model": model.state_dict(), "config": config, "step": step}, a.out + ".pt")
    with open(a.out + ".log", "a") as log:
        while share < 1:
            loss, hits = gradients(half, layout, quotations.pack(rng, draw, a.batch, draw.shares))
            rate = rate_at(a.rate, step, share, a.flat)
            optimiser.step(rate)
            half.refresh()
            step, share = step + 1, (time.process_time() - used) / (60 * a.minutes * a.threads)
            line = (f"step {step} tokens {step * a.batch * quotations.LENGTH} seconds {time.time() - began:.0f} loss {loss:.4f} "
                    f"hits {hits:.3f} rate {rate:.6f}")
            if step % CHECK_EVERY == 0:
                line += f" {right(half, layout, checks)}"
                save()
            print(line, flush=True)
            print(line, file=log, flush=True)
    save()


if __name__ == "__main__":
    main()
