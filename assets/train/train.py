"""Trains the tiny model, and others on processors without AMX: two single-threaded processes that average gradients.

    python3 train.py --config mini --data DIR --vocab work/mini.model --start work/start.pt --out work/mini --minutes 90

The schedule follows wall time, so a run that shares its machine still ends well. Every few minutes the state is written
to OUT.pt; --resume continues from it with the time already used. OUT.log holds the curve.
"""
import os

# One BLAS thread per process (two spin against each other), the AVX-512 kernels, and an allocator that keeps its memory:
# fresh pages cost more than the arithmetic done on them. Set before PyTorch is loaded; the workers inherit them.
for _key, _value in {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "OPENBLAS_CORETYPE": "SkylakeX",
                     "MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": "100000000000",
                     "MALLOC_TOP_PAD_": "268435456"}.items():
    os.environ.setdefault(_key, _value)

import argparse
import math
import time

import torch
import torch.nn.functional as F

import configs
from batches import CONTEXT_SHARE, CONTEXT_WEIGHT
from layout import Layout
from mixing import Sources
from model import Model
from muon import Muon
from padded import batches

SAVE_SECONDS = 180
WARM_STEPS = 30


def learning_rate(peak: float, step: int, share: float, flat: float) -> float:
    """A short warm-up, the peak until `flat` of the run, then a cosine to 3 %."""
    down = max(0.0, share - flat) / (1 - flat)
    return peak * min(1.0, (step + 1) / WARM_STEPS) * (0.03 + 0.97 * 0.5 * (1 + math.cos(math.pi * min(1.0, down))))


def stage_at(stages: list, share: float):
    return next(s for s in stages if share < s.until or s is stages[-1])


def loss_of(model: Model, batch):
    """Mean weighted cross entropy, and the mean over answer tokens alone."""
    ids, positions, branches, same, answer = batch
    keep = (answer > 0) | (same & (torch.rand(same.shape) < CONTEXT_SHARE))
    hidden = model(ids, positions, branches)[:, :-1][keep]
    losses = F.cross_entropy(model.logits(hidden), ids[:, 1:][keep], reduction="none")
    weights = answer[keep]
    on_answers = losses.detach()[weights > 0].mean()
    weights = torch.where(weights > 0, weights, CONTEXT_WEIGHT)
    return (losses * weights).sum() / weights.sum(), on_answers


def optimiser(model: Model, peak: float, skip: list):
    taken = set(map(id, skip))
    matrices = [p for p in model.parameters() if p.dim() > 1 and id(p) not in taken]
    vectors = [p for p in model.parameters() if p.dim() < 2]
    return torch.optim.AdamW([{"params": matrices, "weight_decay": 0.1}, {"params": vectors, "weight_decay": 0.0}],
                             lr=peak, betas=(0.9, 0.95))


class Average:
    """Averages gradients between the processes of one machine through shared memory."""

    def __init__(self, size: int, world: int, context):
        self.grads = torch.zeros(world, size).share_memory_()
        self.clock = torch.zeros(2, dtype=torch.float64).share_memory_()
        self.barrier, self.world = context.Barrier(world), world

    def now(self, rank: int, elapsed: float) -> float:
        """Everyone goes by the first process's clock, so that all of them take the same number of steps."""
        if rank == 0:
            self.clock[0] = elapsed
        self.barrier.wait()
        return self.clock[0].item()

    def __call__(self, rank: int, params: list) -> None:
        self.grads[rank] = torch.cat([p.grad.reshape(-1) for p in params])
        self.barrier.wait()
        mean, at = self.grads.mean(0), 0
        for p in params:
            p.grad.copy_(mean[at:at + p.numel()].view_as(p))
            at += p.numel()
        self.barrier.wait()


def batch_source(a, seed: int, share: list):
    """Endless batches; share[0] is asked for the share of the run that is over."""
    stages = configs.STAGES[a.config]
    return batches(seed, Layout(a.vocab), Sources(a.data), lambda: stage_at(stages, share[0]),
                   configs.MODELS[a.config].context, a.tokens)


def work(rank: int, a, average) -> None:
    if average:
        os.setsid()          # Linux divides the processor among sessions first: two workers in one get the share of one
    torch.set_num_threads(a.threads)
    torch.set_flush_denormal(True)
    torch.manual_seed(a.seed)
    model, used, tokens, moments = Model(configs.MODELS[a.config]), 0.0, 0, None
    if a.resume and os.path.exists(a.out + ".pt"):
        state = torch.load(a.out + ".pt", map_location="cpu")
        used, tokens, moments = state["seconds"], state["tokens"], state.get("optimiser")
        model.load_state_dict(state["model"])
    elif a.start:
        model.load_state_dict(torch.load(a.start, map_location="cpu")["model"])
    muon = Muon(model) if a.muon else None
    params, opt = list(model.parameters()), optimiser(model, a.rate, muon.params if muon else [])
    if moments and not a.warm_again:
        opt.load_state_dict(moments)
    start, step, smooth, saved = time.time() - used, WARM_STEPS * bool(moments and not a.warm_again), None, time.time()
    share = [used / (60 * a.minutes)]
    source = batch_source(a, a.seed * 1000 + rank + int(used), share)
    while True:
        elapsed = time.time() - start
        elapsed = average.now(rank, elapsed) if average else elapsed
        share[0] = elapsed / (60 * a.minutes)
        if share[0] >= 1:
            break
        for group in opt.param_groups:
            group["lr"] = learning_rate(a.rate, step, share[0], a.flat)
        batch = next(source)
        opt.zero_grad()
        loss, on_answers = loss_of(model, batch)
        loss.backward()
        if average:
            average(rank, params)
        torch.nn.utils.clip_grad_norm_(params, 1.0)
        opt.step()
        if muon:
            muon.step(opt.param_groups[0]["lr"] * a.muon)
        step, tokens = step + 1, tokens + batch[0].numel() * (average.world if average else 1)
        if rank == 0 and step % 20 == 0:
            smooth = on_answers.item() if smooth is None else 0.8 * smooth + 0.2 * on_answers.item()
            report(a, step, tokens, elapsed, loss.item(), smooth, opt)
            if time.time() - saved > SAVE_SECONDS:
                saved = time.time()
                save(a, model, opt, elapsed, tokens)
    if rank == 0:
        save(a, model, opt, 60 * a.minutes, tokens)


def report(a, step: int, tokens: int, seconds: float, loss: float, answers: float, opt) -> None:
    line = (f"step {step} tokens {tokens} seconds {seconds:.0f} loss {loss:.4f} answers {answers:.4f} "
            f"rate {opt.param_groups[0]['lr']:.6f}")
    print(line, flush=True)
    with open(a.out + ".log", "a") as f:
        f.write(line + "\n")


def save(a, model: Model, opt, seconds: float, tokens: int) -> None:
    state = {"model": {k: v.cpu() for k, v in model.state_dict().items()}, "config": a.config, "seconds": seconds,
             "tokens": tokens, "optimiser": opt.state_dict()}
    torch.save(state, a.out + ".pt.new")
    os.replace(a.out + ".pt.new", a.out + ".pt")


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--config", choices=sorted(configs.MODELS), required=True)
    p.add_argument("--data", required=True, help="folder with corpora/, qa/ and lm/ unpacked")
    p.add_argument("--vocab", required=True, help="SentencePiece model")
    p.add_argument("--out", required=True, help="OUT.pt and OUT.log are written")
    p.add_argument("--start", help="weights to start from (grow.py)")
    p.add_argument("--resume", action="store_true")
    p.add_argument("--warm-again", action="store_true", help="with --resume: start the optimiser anew")
    p.add_argument("--minutes", type=float, required=True)
    p.add_argument("--processes", type=int, default=2, help="that average gradients")
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--tokens", type=int, default=4096, help="tokens per batch and process")
    p.add_argument("--rate", type=float, default=1.5e-3)
    p.add_argument("--muon", type=float, default=0.0, help="Muon for the blocks' matrices, at this many times the rate (0: Adam for all)")
    p.add_argument("--flat", type=float, default=0.0, help="share of the run before the rate falls")
    p.add_argument("--seed", type=int, default=7)
    return p.parse_args()


def main() -> None:
    a = arguments()
    if a.processes == 1:
        work(0, a, None)
        return
    import torch.multiprocessing as mp
    context = mp.get_context("spawn")
    size = sum(p.numel() for p in Model(configs.MODELS[a.config]).parameters())
    average = Average(size, a.processes, context)
    workers = [context.Process(target=work, args=(rank, a, average)) for rank in range(a.processes)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    if any(w.exitcode for w in workers):
        raise SystemExit("a training process failed; the last state is in " + a.out + ".pt")


if __name__ == "__main__":
    main()
