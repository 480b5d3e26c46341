"""Trains a default model on one GPU, in several calls that go on from each other (README.md); gpu_run.sh starts it.

    python3 gpu_train.py --config full --data work/data --vocab work/full.model --work work/gpu --parts OUT --seconds 560 --after 900

Everything goes by wall time: a call ends after --seconds, whatever happens, with its state in WORK/state.pt and its weights in
parts in --parts. The rate is constant and falls to zero over the last --decay of all training time, of which --after says
how much is still to come in later calls. Stages change when they are known, as in curriculum.py. Examples are drawn by
produce.py in processes of its own; the arithmetic is that of gpu_step.py. SIGTERM ends a call early, in order.
"""
import time

BEGUN = time.time()             # the loading of PyTorch counts

import argparse
import collections
import json
import math
import os
import random
import signal
import subprocess
import sys

import numpy as np
import torch

import configs
import gpu_step
import state as states
from grow import grow
from model import Model
from ring import Ring
from sequences import sequence_type

HERE = os.path.dirname(os.path.abspath(__file__))
AVERAGE_STEPS, AVERAGE = 4, 0.005       # every so many steps the running mean moves by this share
PATIENCE = 300                          # seconds without a single sequence before a run gives up


class Producers:
    """The programs that draw examples, and the ring they fill."""

    def __init__(self, a, kind: np.dtype, seed: str):
        self.path, self.started = os.path.join(a.work, "ring"), time.time()
        for form in ("test", "reworded"):
            for index in range(len(configs.STAGES[a.config])):
                if os.path.exists(f"{self.path}.{form}.{index}.npy"):
                    os.remove(f"{self.path}.{form}.{index}.npy")
        self.ring = Ring(self.path, kind, a.producers, a.ahead, a.kept, create=True)
        common = [sys.executable, os.path.join(HERE, "produce.py"), "--ring", self.path, "--data", a.data, "--vocab", a.vocab,
                  "--config", a.config, "--text", a.text, "--seed", seed]
        for name in ("producers", "tokens", "scored", "batch", "ahead", "kept"):
            common += ["--" + name, str(getattr(a, name))]
        self.running, self.rng, self.fresh, self.taken = [], random.Random(seed), 0, 0
        for i in range(a.producers):
            with open(os.path.join(a.work, f"producer-{i}.log"), "w") as log:
                self.running.append(subprocess.Popen(common + ["--producer", str(i)], stdout=log, stderr=subprocess.STDOUT))

    def ended(self) -> list[int]:
        return [i for i, p in enumerate(self.running) if p.poll() is not None]

    def take(self, records: np.ndarray) -> None:
        """Fills `records`; repeats earlier sequences where the producers are behind."""
        for i in range(len(records)):
            while (fresh := self.ring.take(self.rng, records[i:i + 1])) is None:
                self.wait()
            self.fresh, self.taken = self.fresh + fresh, self.taken + 1

    def wait(self) -> None:
        """A moment, for what the producers write; not for ever, and not for producers that have ended."""
        if self.ended() or time.time() - self.started > PATIENCE:
            raise SystemExit(f"a producer has ended, or none has written anything for {PATIENCE} s: see "
                             f"{os.path.dirname(self.path)}/producer-*.log")
        time.sleep(0.01)

    def close(self) -> None:
        self.ring.stop()
        for p in self.running:
            p.terminate()
        for p in self.running:
            p.wait()


class Held:
    """Held-out sequences per stage (produce.write_held_out), and answers to them that are right in every token, by kind."""

    def __init__(self, producers: Producers, feed: gpu_step.Feed):
        self.producers, self.feed, self.loaded = producers, feed, {}

    def _records(self, form: str, stage: int):
        if (form, stage) not in self.loaded:
            path = f"{self.producers.path}.{form}.{stage}"
            while not os.path.exists(path + ".npy"):         # written in a producer's first seconds
                self.producers.wait()
            with open(path + ".json") as f:
                self.loaded[form, stage] = np.load(path + ".npy"), json.load(f)
        return self.loaded[form, stage]

    def __call__(self, path: gpu_step.Path, form: str, stage: int, reuse: bool = False) -> dict[str, tuple[int, int]]:
        records, kinds = self._records(form, stage)
        if not reuse:
            records = records.copy()
            records["part"] = 0
        _, right, _ = path.losses(self.feed(records))           # with gradients, because that is what is compiled
        right, counts = right.cpu().numpy().reshape(records["question"].shape), collections.defaultdict(lambda: [0, 0])
        for row, numbers, names in zip(right, records["question"], kinds):
            for number in np.unique(numbers[numbers > 0]):
                counts[names[number - 1]][0] += bool(row[numbers == number].all())
                counts[names[number - 1]][1] += 1
        return {k: (hits, n) for k, (hits, n) in sorted(counts.items())}


def accuracy(counts: dict) -> float:
    short = [v for k, v in counts.items() if not k.endswith("-long")]
    return sum(v[0] for v in short) / max(1, sum(v[1] for v in short))


def shown(counts: dict) -> str:
    return " ".join(f"{k} {right / n:.2f}/{n}" for k, (right, n) in counts.items())


class Run:
    def __init__(self, a):
        self.a, self.stages, self.stopped = a, configs.STAGES[a.config], False
        signal.signal(signal.SIGTERM, lambda *_: setattr(self, "stopped", True))
        os.makedirs(a.work, exist_ok=True)
        self.state_path = os.path.join(a.work, "state.pt")
        saved = self._saved()
        self.stage, self.step, self.used, self.tokens = (saved.get(k, 0) for k in ("stage", "step", "seconds", "tokens"))
        kind = sequence_type(a.tokens, a.scored)
        self.producers = Producers(a, kind, f"{a.seed}-{self.step}")
        self.producers.ring.stage = self.stage
        self.records, self.feed = np.zeros(a.batch, kind), gpu_step.Feed(kind, a.batch, a.device)
        self.held = Held(self.producers, self.feed)
        torch.manual_seed(a.seed)
        self.model = self._model(saved).to(a.device)
        self.average = [p.detach().clone() for p in self.model.parameters()]
        self.optimiser = gpu_step.Optimiser(self.model, a.muon, a.weight_decay)
        self._restore(saved)
        self.caution, self.begun_step, self.sums = 1.0, self.step, 0.0

    def _saved(self) -> dict:
        """The state of the call before: on this machine still, or carried here as parts; else nothing."""
        if os.path.exists(self.state_path):
            return torch.load(self.state_path, map_location="cpu")
        if self.a.carried and os.path.isdir(self.a.carried):
            return states.join(self.a.carried)
        return {}

    def _model(self, saved: dict) -> Model:
        if not saved and self.a.start:
            return grow(self.a.start, self.a.vocab, configs.MODELS[self.a.config])
        return Model(configs.MODELS[self.a.config])

    @torch.no_grad()
    def _restore(self, saved: dict) -> None:
        if "model" in saved:
            self.model.load_state_dict(saved["model"])
            for own, other in zip(self.average, saved.get("average", list(self.model.parameters()))):
                own.copy_(other)
        if "optimiser" in saved:
            self.optimiser.load(saved["optimiser"])

    def save(self) -> None:
        host = lambda t: t.detach().cpu()
        state = {"model": {k: host(v) for k, v in self.model.state_dict().items()}, "average": list(map(host, self.average)),
                 "optimiser": self.optimiser.state(), "config": self.a.config, "stage": self.stage, "step": self.step,
                 "tokens": self.tokens, "seconds": self.elapsed()}
        states.save(state, self.state_path)
        self.split(dict(self.model.named_parameters()), "last")
        self.saved = time.time()

    def split(self, weights: dict, which: str) -> list[str]:
        meta = {"stage": self.stage, "step": self.step, "tokens": self.tokens, "seconds": round(self.elapsed()), "weights": which}
        return states.split(weights, self.a.config, meta, self.a.parts)

    def elapsed(self) -> float:
        """Seconds of training, in this call and those before."""
        return self.used + time.time() - self.start

    def left(self) -> float:
        return BEGUN + self.a.seconds - self.a.reserve - time.time()

    def share(self) -> float:
        """Of all training time, that of later calls included."""
        return self.elapsed() / max(1e-9, self.elapsed() + max(0.0, self.left()) + self.a.after)

    def rate(self) -> float:
        warm = (self.step + 1 - self.begun_step) / self.a.warm          # again in every call
        return self.a.rate * self.caution * min(1.0, warm, max(0.0, 1 - self.share()) / self.a.decay)

    def concentration(self) -> float:
        """What spread attention costs now: nothing at first, so that looking things up is learned freely."""
        begin, full = self.a.ramp
        return self.a.concentrate * min(1.0, max(0.0, (self.share() - begin) / (full - begin)))

    def log(self, line: str) -> None:
        print(line, flush=True)
        with open(os.path.join(self.a.work, "train.log"), "a") as f:
            f.write(line + "\n")

    def check(self) -> float:
        """Accuracy on held-out worlds of the stage, logged."""
        ordinary = self.held(self.path, "test", self.stage)
        known = accuracy(ordinary)
        self.log(f"check step {self.step} stage {self.stage} accuracy {known:.3f} | {shown(ordinary)} | reuse: "
                 f"{shown(self.held(self.path, 'test', self.stage, reuse=True))} | reworded: "
                 f"{shown(self.held(self.path, 'reworded', self.stage))}")
        return known

    def advance(self) -> None:
        """To the next stage when this one is known or its time is over."""
        stage, known = self.stages[self.stage], self.check()
        if (known >= stage.bar or self.share() > stage.until) and self.stage + 1 < len(self.stages):
            self.stage += 1
            self.producers.ring.stage = self.stage

    def one_step(self) -> torch.Tensor:
        self.producers.take(self.records)
        batch = self.feed(self.records)
        losses, right, spread = self.path.losses(batch)
        (gpu_step.mean(losses, batch.weight) + spread * self.concentration()).backward()
        norm = self.optimiser.step(self.rate())
        self.sums = self.sums + gpu_step.sums(losses, right, batch.weight, spread)
        self.step, self.tokens = self.step + 1, self.tokens + self.records["ids"].size
        if self.step % AVERAGE_STEPS == 0:
            with torch.no_grad():
                torch._foreach_mul_(self.average, 1 - AVERAGE)
                torch._foreach_add_(self.average, list(self.model.parameters()), alpha=AVERAGE)
        return norm

    def report(self, norm: torch.Tensor, seconds: float, steps: int) -> None:
        """One line about the steps since the last; goes back to the last state if the loss is no number any more."""
        answers, n, right, others, m, spread, counted = (self.sums / 1.0).tolist()
        p, self.sums = self.producers, 0.0
        self.log(f"step {self.step} tokens {self.tokens} seconds {self.elapsed():.0f} stage {self.stage} answers "
                 f"{answers / max(1, n):.4f} text {others / max(1, m):.4f} right {right / max(1, n):.3f} spread {spread / counted:.3f} norm {norm.item():.2f} "
                 f"rate {self.rate():.6f} speed {steps * self.records['ids'].size / seconds:.0f} fresh "
                 f"{p.fresh / max(1, p.taken):.2f} waiting {p.ring.waiting()} share {self.share():.3f}")
        p.fresh = p.taken = 0
        for i in p.ended():
            self.log(f"producer {i} has ended with status {p.running[i].returncode}: see {self.a.work}/producer-{i}.log")
        if not math.isfinite(answers + others):
            self.caution *= 0.5
            self.log(f"the loss is no number: back to the last state, at {self.caution} of the rate")
            self._restore(torch.load(self.state_path, map_location="cpu"))

    def train(self) -> None:
        try:
            self._train()
        finally:
            self.producers.close()

    def _train(self) -> None:
        a = self.a
        self.producers.take(self.records)
        paths = [p for p in gpu_step.PATHS[a.device] if p[1] or not a.compiled]
        self.path = gpu_step.choose(self.model, self.feed(self.records), a.device, paths)
        self.start = reported = checked = time.time()
        self.log(f"set up in {self.start - BEGUN:.0f} s, {self.path}, stage {self.stage}, {self.used:.0f} s trained before, "
                 f"{self.left():.0f} s in this call, {a.after} s after it")
        self.save()
        steps, norm = 0, None
        while self.left() > 0 and not self.stopped and self.step - self.begun_step < a.steps:
            norm, steps = self.one_step(), steps + 1
            now = time.time()
            if now - reported > a.report:
                self.report(norm, now - reported, steps)
                reported, steps = time.time(), 0
            if now - checked > a.check:
                self.advance()
                checked = time.time()
            if now - self.saved > a.save:
                self.save()
        self.finish()

    def finish(self) -> None:
        self.save()
        weights = dict(zip((name for name, _ in self.model.named_parameters()), self.average))
        last = self.check()
        mean = accuracy(self._with(weights))
        best = "averaged" if mean > last else "last"
        paths = self.split(weights if best == "averaged" else dict(self.model.named_parameters()), best)
        self.log(f"end at step {self.step}, {self.tokens} tokens, {self.elapsed():.0f} s of training; {best} weights "
                 f"(held-out {last:.3f} last, {mean:.3f} averaged) in {len(paths)} parts; {time.time() - BEGUN:.0f} s in all")

    @torch.no_grad()
    def _with(self, weights: dict) -> dict:
        """Held-out answers of other weights."""
        own = {name: p.detach().clone() for name, p in self.model.named_parameters()}
        for name, p in self.model.named_parameters():
            p.copy_(weights[name])
        with torch.enable_grad():
            counts = self.held(self.path, "test", self.stage)
        for name, p in self.model.named_parameters():
            p.copy_(own[name])
        return counts


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--config", default="full", choices=sorted(configs.STAGES))
    p.add_argument("--data", required=True, help="folder with corpora/, qa/ and lm/ (pack.py)")
    p.add_argument("--vocab", required=True)
    p.add_argument("--work", required=True, help="folder for state, log and ring; a later call goes on from the state there")
    p.add_argument("--parts", required=True, help="folder for the weights in parts")
    p.add_argument("--carried", help="folder with parts to go on from where WORK holds no state")
    p.add_argument("--start", help="GGUF file to grow from where there is no state (grow.py)")
    p.add_argument("--seconds", type=float, required=True, help="of this call, from its first moment to its last")
    p.add_argument("--after", type=float, required=True, help="seconds of training in later calls; 0: this is the last")
    p.add_argument("--steps", type=int, default=1 << 40, help="the most of this call, for rehearsals")
    p.add_argument("--reserve", type=float, default=8, help="seconds for the end")
    p.add_argument("--device", choices=("cpu", "cuda"), default="cuda")
    p.add_argument("--compiled", action="store_true", help="end where no compiled path is right, instead of going on slowly")
    p.add_argument("--text", default="wide", choices=("wide", "filler"))
    p.add_argument("--batch", type=int, default=16, help="sequences a step")
    p.add_argument("--tokens", type=int, default=4096, help="tokens of a sequence")
    p.add_argument("--scored", type=int, default=2048, help="scored positions of a sequence")
    p.add_argument("--producers", type=int, default=14)
    p.add_argument("--ahead", type=int, default=256, help="sequences that each producer may be in front")
    p.add_argument("--kept", type=int, default=128, help="taken sequences of each that are repeated where it is behind")
    p.add_argument("--rate", type=float, default=2e-3)
    p.add_argument("--muon", type=float, default=1.5, help="Muon's rate as a multiple of AdamW's")
    p.add_argument("--weight-decay", type=float, default=0.05)
    p.add_argument("--concentrate", type=float, default=0.0, help="weight of spread attention in the loss (concentration.py)")
    p.add_argument("--ramp", type=float, nargs=2, default=(0.15, 0.4), help="shares of the training between which it rises")
    p.add_argument("--warm", type=int, default=100, help="steps in which the rate rises, in every call")
    p.add_argument("--decay", type=float, default=0.4, help="share of all training time in which the rate falls to zero")
    p.add_argument("--report", type=float, default=10, help="seconds between log lines")
    p.add_argument("--check", type=float, default=20, help="seconds between checks on held-out worlds")
    p.add_argument("--save", type=float, default=150, help="seconds between saves")
    p.add_argument("--seed", type=int, default=7)
    return p.parse_args()


def main() -> None:
    Run(arguments()).train()


if __name__ == "__main__":
    main()
