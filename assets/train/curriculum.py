"""Trains the default model on a CPU with AMX, from few plain facts to long documents, each step when the last is known.

    python3 curriculum.py --data DIR --vocab work/mini.model --start work/start.pt --out work/mini --minutes 80

A stage ends when the answers to held-out worlds of that stage are right often enough (Stage.bar: every token of the answer
is the likeliest one, given the ones before), or after Stage.most million tokens, or when its share of the time is over.
The rate is constant and falls to zero over the last --decay of the time. OUT.pt holds weights, averaged weights and the
optimiser's state every few minutes; --resume goes on from it. OUT.log holds the curve. Examples are drawn by a process of
its own; the arithmetic is that of fast.py.
"""
import argparse
import collections
import itertools
import multiprocessing
import os
import random
import signal
import time

import numpy as np
import torch

import batches
import configs
from batches import draw_row
from fast import Packs, Trainer, pack_row
from layout import Layout
from mixing import Sources
from model import Model

SAVE_SECONDS, REPORT_STEPS, CHECK_STEPS, AVERAGE_STEPS = 180, 20, 150, 4
ANSWER_WEIGHT = 0.25        # answer tokens weigh more than this, the scored tokens of contexts and questions less
HELD_OUT = 1 << 40          # seeds from here on are never trained on


def packed(rng: random.Random, row: batches.Row, reuse: bool = False):
    """The row for the kernels; context tokens get their small share of the loss here. With `reuse`, the parts of the
    context behind the prefix do not see each other."""
    weights = [a or (batches.CONTEXT_WEIGHT if rng.random() < batches.CONTEXT_SHARE else 0.0) for a in row.answer]
    weights[0] = 0.0
    ends = list(itertools.accumulate(row.parts))
    return pack_row(row.ids, row.positions, row.branches, weights, tuple(zip(ends, ends[1:])) if reuse else ())


def produce(a, seed: int, stage_index, queue) -> None:
    """The generator process: batches of rows, for ever. A row drawn for an old stage is trained on all the same."""
    os.nice(2)
    rng, layout, sources = random.Random(seed), Layout(a.vocab), Sources(a.data)
    context = configs.MODELS[a.config].context
    while True:
        stage, rows, size = configs.STAGES[a.config][stage_index.value], [], 0
        while size < a.tokens:
            rows.append(packed(rng, draw_row(rng, layout, stage, sources, context)))
            size += len(rows[-1].ids)
        queue.put(rows)


class Check:
    """Answers that are right in every token, by kind of question, on held-out worlds."""

    def __init__(self, a, layout: Layout):
        self.a, self.layout, self.rows = a, layout, {}
        self.sources = {test: Sources(a.data, test, small=True) for test in (False, True)}

    def _held_out(self, index: int, test: bool, reworded: bool):
        if (index, test, reworded) not in self.rows:
            rng, stage = random.Random(HELD_OUT + index), configs.STAGES[self.a.config][index]
            stage, rows, size = stage.reworded() if reworded else stage, [], 0
            while size < self.a.check_tokens:
                rows.append(draw_row(rng, self.layout, stage, self.sources[test], configs.MODELS[self.a.config].context, test))
                size += len(rows[-1].ids)
            self.rows[index, test, reworded] = rows
        return self.rows[index, test, reworded]

    def __call__(self, trainer: Trainer, index: int, test: bool, reworded: bool = False,
                 reuse: bool = False) -> dict[str, tuple[int, int]]:
        rows = [(packed(random.Random(1), row, reuse), row.kinds) for row in self._held_out(index, test, reworded)]
        kinds = {id(row): k for row, k in rows}
        packs, counts = Packs([row for row, _ in rows]), collections.defaultdict(lambda: [0, 0])
        trainer.run(packs, train=False)
        for row, _, guess in packs.results():
            right = guess == row.target
            for branch in np.unique(row.question[row.question > 0]):
                at = (row.question == branch) & (row.weight > ANSWER_WEIGHT)
                kind = kinds[id(row)][branch - 1]
                counts[kind][0] += bool(right[at].all())
                counts[kind][1] += 1
        return {k: (right, n) for k, (right, n) in sorted(counts.items())}


def accuracy(counts: dict) -> float:
    short = [v for k, v in counts.items() if not k.endswith("-long")]
    return sum(v[0] for v in short) / max(1, sum(v[1] for v in short))


def shown(counts: dict) -> str:
    return " ".join(f"{k} {right / n:.2f}/{n}" for k, (right, n) in counts.items())


def others_run() -> bool:
    """Whether more processes want a processor than this one and its generator."""
    with open("/proc/loadavg") as f:
        return int(f.read().split()[3].split("/")[0]) > 2


class Run:
    def __init__(self, a):
        self.a, self.stages = a, configs.STAGES[a.config]
        self.layout = Layout(a.vocab)
        self.trainer = Trainer(configs.MODELS[a.config], a.threads)
        self.check = Check(a, self.layout)
        self.stage, self.step, self.used, self.tokens, self.stage_tokens = a.stage or 0, 0, 0.0, 0, 0
        self.average, self.saved, self.stopped = None, time.time(), False
        self._load()
        self.start, self.begun = time.time() - self.used, self.step

    def _load(self) -> None:
        a, path = self.a, self.a.out + ".pt"
        if a.resume and os.path.exists(path):
            state = torch.load(path)
            self.stage, self.step, self.used = state["stage"] if a.stage is None else a.stage, state["step"], state["seconds"]
            self.tokens, self.stage_tokens = state["tokens"], state["stage_tokens"]
            self.trainer.load(state["model"])
            for array, saved in zip(self.trainer.moments, state["moments"]):
                array[:] = saved.numpy()
            self.average = state["average"].numpy().copy()
        elif a.start:
            self.trainer.load(torch.load(a.start)["model"])
        else:
            torch.manual_seed(a.seed)
            self.trainer.load(Model(configs.MODELS[a.config]).state_dict())
        if self.average is None:
            self.average = self.trainer.weights.copy()

    def save(self) -> None:
        t = self.trainer
        state = {"model": t.state(), "averaged": t.state(self.average), "average": torch.from_numpy(self.average),
                 "moments": [torch.from_numpy(m) for m in t.moments], "config": self.a.config, "stage": self.stage,
                 "step": self.step, "tokens": self.tokens, "stage_tokens": self.stage_tokens, "seconds": self.elapsed()}
        torch.save(state, self.a.out + ".pt.new")
        os.replace(self.a.out + ".pt.new", self.a.out + ".pt")
        self.saved = time.time()

    def elapsed(self) -> float:
        return time.time() - self.start

    def share(self) -> float:
        return self.elapsed() / (60 * self.a.minutes)

    def rate(self) -> float:
        warm = (self.step + 1 - self.begun) / self.a.warm          # again after every --resume
        return self.a.rate * min(1.0, warm, max(0.0, 1 - self.share()) / self.a.decay)

    def log(self, line: str) -> None:
        print(line, flush=True)
        with open(self.a.out + ".log", "a") as f:
            f.write(line + "\n")

    def advance(self) -> None:
        """Checks, and goes to the next stage when this one is known or its time is over."""
        counts = self.check(self.trainer, self.stage, False)
        known = accuracy(counts)
        stage = self.stages[self.stage]
        self.log(f"check step {self.step} stage {self.stage} accuracy {known:.3f} | {shown(counts)} | test side: "
                 f"{shown(self.check(self.trainer, self.stage, True))} | test side, reuse: "
                 f"{shown(self.check(self.trainer, self.stage, True, reuse=True))} | reworded: "
                 f"{shown(self.check(self.trainer, self.stage, True, True))}")
        over = known >= stage.bar or self.stage_tokens > 1e6 * stage.most or self.share() > stage.until
        if over and self.stage + 1 < len(self.stages):
            self.stage, self.stage_tokens = self.stage + 1, 0

    def train(self) -> None:
        context = multiprocessing.get_context("spawn")
        index, queue = context.Value("i", self.stage), context.Queue(4)
        producer = context.Process(target=produce, args=(self.a, self.a.seed + self.step, index, queue), daemon=True)
        producer.start()
        if self.a.pin is not None:
            self.trainer.pin(self.a.pin)            # not the producer: it inherits nothing after its start
        smooth, since, since_tokens = None, time.time(), self.tokens
        signal.signal(signal.SIGTERM, lambda *_: setattr(self, "stopped", True))
        while self.share() < 1:
            if self.stopped:                        # saved like any other moment: --resume goes on
                self.save()
                break
            rows = queue.get()
            packs = Packs(rows, self.a.pack)
            if self.a.yielding:
                self.trainer.use_threads(1 if others_run() else self.a.threads)
            self.trainer.run(packs, train=True)
            norm = self.trainer.update(self.rate(), self.step + 1, self.a.muon, decay=self.a.weight_decay)
            self.step += 1
            self.tokens += packs.tokens
            self.stage_tokens += packs.tokens
            if self.step % AVERAGE_STEPS == 0:
                self.average += (self.trainer.weights - self.average) * min(0.02, 10 / (self.step + 10))
            loss = self._answer_loss(packs)
            smooth = loss if smooth is None else 0.97 * smooth + 0.03 * loss
            if self.step % REPORT_STEPS == 0:
                speed = (self.tokens - since_tokens) / (time.time() - since)
                since, since_tokens = time.time(), self.tokens
                self.log(f"step {self.step} tokens {self.tokens} seconds {self.elapsed():.0f} stage {self.stage} answers "
                         f"{smooth:.4f} norm {norm:.2f} rate {self.rate():.6f} speed {speed:.0f}")
            if self.step % CHECK_STEPS == 0:
                self.advance()
                index.value = self.stage
            if time.time() - self.saved > SAVE_SECONDS:
                self.save()
        else:
            self.advance()
            self.save()
        producer.terminate()

    def _answer_loss(self, packs: Packs) -> float:
        total = n = 0.0
        for row, loss, _ in packs.results():
            answer = (row.weight > ANSWER_WEIGHT) & (row.question > 0)
            total += float(loss[answer].sum())
            n += int(answer.sum())
        return total / max(1, n)


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data", required=True, help="folder with corpora/, qa/ and lm/ unpacked")
    p.add_argument("--vocab", required=True)
    p.add_argument("--out", required=True)
    p.add_argument("--config", default="mini")
    p.add_argument("--start", help="weights to start from (grow.py)")
    p.add_argument("--resume", action="store_true")
    p.add_argument("--stage", type=int, help="start or go on with this stage")
    p.add_argument("--minutes", type=float, default=80)
    p.add_argument("--decay", type=float, default=0.2, help="share of the time in which the rate falls to zero")
    p.add_argument("--rate", type=float, default=1.5e-3)
    p.add_argument("--warm", type=int, default=50, help="steps in which the rate rises, at the start and after --resume")
    p.add_argument("--pin", type=int, metavar="N", help="keep each thread on a processor of its own, from N on (busy machines)")
    p.add_argument("--yielding", action="store_true", help="one thread only while other programs want a processor")
    p.add_argument("--muon", type=float, default=0.0, help="Muon for the blocks' matrices, at this many times the rate")
    p.add_argument("--weight-decay", type=float, default=0.05)
    p.add_argument("--tokens", type=int, default=8192, help="tokens per step")
    p.add_argument("--pack", type=int, default=1024, help="tokens that one thread takes at a time")
    p.add_argument("--check-tokens", type=int, default=12000)
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--seed", type=int, default=7)
    torch.set_num_threads(1)
    Run(p.parse_args()).train()


if __name__ == "__main__":
    main()
