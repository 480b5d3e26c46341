"""Training steps on one device at one shape: batches on their way to it, the loss where it is scored, the update; and the
fastest way to compute them that agrees with the plain one, found in the first seconds of a run.
"""
import contextlib
import time
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F

import attention
import concentration
import model as reference_model
from model import Model
from muon import Muon
from sequences import ANSWER_WEIGHT, UNITS

FIELDS = ("ids", "position", "document", "branch", "part", "scored", "weight")
IN_FLIGHT = 3                   # batches that may be on their way at once
WATCHED = 96                    # rows of every sequence whose attention is looked at in a step (concentration.py)


@dataclass
class Batch:
    ids: torch.Tensor           # (batch, n) int64, as position
    position: torch.Tensor
    document: torch.Tensor      # (batch, n) int32, as branch and part: see attention.sees
    branch: torch.Tensor
    part: torch.Tensor
    scored: torch.Tensor        # int64 over the flat tokens of the batch; the model there predicts target
    target: torch.Tensor
    weight: torch.Tensor

    def one(self, i: int) -> "Batch":
        """Sequence i alone."""
        rows, n = slice(i, i + 1), self.ids.shape[1]
        mine = slice(i * len(self.scored) // len(self.ids), (i + 1) * len(self.scored) // len(self.ids))
        return Batch(self.ids[rows], self.position[rows], self.document[rows], self.branch[rows], self.part[rows],
                     self.scored[mine] - i * n, self.target[mine], self.weight[mine])


class Feed:
    """Takes records to the device through pinned memory, which is used again when its copy is done."""

    def __init__(self, kind: np.dtype, batch: int, device: str):
        self.device, self.cuda, self.turn = device, device == "cuda", 0
        room = lambda name: torch.from_numpy(np.zeros((batch, *kind[name].shape), kind[name].base))
        pinned = lambda t: t.pin_memory() if self.cuda else t
        self.host = [{name: pinned(room(name)) for name in FIELDS} for _ in range(IN_FLIGHT)]
        self.done = [torch.cuda.Event() if self.cuda else None for _ in self.host]
        self.first = torch.arange(batch, device=device)[:, None] * kind["ids"].shape[0]

    def __call__(self, records: np.ndarray) -> Batch:
        self.turn = (self.turn + 1) % IN_FLIGHT
        host, done = self.host[self.turn], self.done[self.turn]
        if self.cuda:
            done.synchronize()                       # of three batches ago: long over, unless the device is far behind
        there = {}
        for name in FIELDS:
            host[name].numpy()[...] = records[name]
            there[name] = host[name].to(self.device, non_blocking=True)
        if self.cuda:
            done.record()
        else:
            there = {name: t.clone() for name, t in there.items()}
        ids, scored = there["ids"].long(), (there["scored"].long() + self.first).reshape(-1)
        target = ids.reshape(-1)[(scored + 1).clamp(max=ids.numel() - 1)]
        small = {name: there[name].to(torch.int32) for name in ("document", "branch", "part")}
        return Batch(ids, there["position"].long(), **small, scored=scored, target=target,
                     weight=there["weight"].reshape(-1).float() / UNITS)


def foresee(hidden, embedding, scored, target):
    """Losses at the scored positions, and whether the likeliest token is the right one."""
    logits = F.linear(hidden.reshape(-1, hidden.shape[-1])[scored], embedding).float()
    return F.cross_entropy(logits, target, reduction="none"), logits.detach().argmax(-1) == target


class Path:
    """One way to compute: `flex` or `dense` attention, compiled or not, in bf16 on a GPU."""

    def __init__(self, model: Model, batch: int, n: int, device: str, flex: bool, compiled: bool):
        self.model, self.device, self.flex, self.compiled = model, device, flex, compiled
        self.make_mask = attention.FlexMask(batch, n, device) if flex else self._dense_mask
        make = (lambda f: torch.compile(f, dynamic=False)) if compiled else lambda f: f
        self.transform, self.foresee = make(reference_model.transform), make(foresee)

    def __str__(self) -> str:
        return f"{'flex' if self.flex else 'dense'} attention, {'compiled' if self.compiled else 'eager'}"

    def _dense_mask(self, document, branch, part):
        return attention.additive(document, branch, part, torch.bfloat16 if self.device == "cuda" else torch.float32)

    def precision(self):
        return torch.autocast("cuda", torch.bfloat16) if self.device == "cuda" else contextlib.nullcontext()

    def losses(self, batch: Batch, watched: concentration.Watched | None = None):
        """Losses at the scored positions, whether the likeliest token is right there, how far attention is spread."""
        with self.precision():
            mask = self.make_mask(batch.document, batch.branch, batch.part)
            watched = watched or concentration.watch(batch.document, batch.branch, batch.part, WATCHED)
            hidden, spread = self.model(batch.ids, batch.position, None, mask, self.transform, watched)
            return (*self.foresee(hidden, self.model.embed.weight, batch.scored, batch.target), spread)

    def attend(self, q, k, v, batch: Batch):
        """Attention alone, for the check."""
        mask = self.make_mask(batch.document, batch.branch, batch.part)
        attend = torch.compile(reference_model.attend, dynamic=False) if self.compiled else reference_model.attend
        return attend(q, k, v, mask)


def mean(losses, weight):
    return (losses * weight).sum() / weight.sum().clamp(min=1e-6)


def relative(got: torch.Tensor, expected: torch.Tensor) -> float:
    return ((got.float() - expected.float()).norm() / expected.float().norm().clamp(min=1e-20)).item()


def attention_error(path: Path, batch: Batch) -> float:
    """The worst relative error of attention and its gradients on random inputs under the masks of `batch`."""
    c, kind = path.model.c, torch.bfloat16 if path.device == "cuda" else torch.float32
    draw = lambda heads: torch.randn(len(batch.ids), heads, batch.ids.shape[1], c.head_dim, device=path.device).to(kind)
    inputs, worst, upstream = (draw(c.heads), draw(c.kv_heads), draw(c.kv_heads)), 0.0, draw(c.heads)
    got = [t.clone().requires_grad_() for t in inputs]
    out = path.attend(*got, batch)
    grads = torch.autograd.grad(out, got, upstream)
    for i in range(len(batch.ids)):
        one, expected = batch.one(i), [t[i:i + 1].float().requires_grad_() for t in inputs]
        plain = reference_model.attend(*expected, attention.additive(one.document, one.branch, one.part))
        right = torch.autograd.grad(plain, expected, upstream[i:i + 1].float())
        for mine, other in zip((out, *grads), (plain, *right)):
            worst = max(worst, relative(mine[i:i + 1], other))
    return worst


@dataclass
class Expected:
    """What a step must compute: losses and gradients in float32, sequence by sequence, with the plain mask."""
    watched: concentration.Watched
    losses: torch.Tensor
    spread: torch.Tensor
    grads: list[torch.Tensor]           # of the mean loss and the spread together


def reference(model: Model, batch: Batch) -> Expected:
    model.zero_grad(set_to_none=True)
    watched = concentration.watch(batch.document, batch.branch, batch.part, WATCHED)
    out, spreads, total = [], [], batch.weight.sum().clamp(min=1e-6)
    charged = (watched.visible > 0).sum(-1) / (watched.visible > 0).sum().clamp(min=1)
    for i in range(len(batch.ids)):
        one, mine = batch.one(i), concentration.Watched(watched.rows, watched.mask[i:i + 1], watched.visible[i:i + 1])
        mask = attention.additive(one.document, one.branch, one.part)
        hidden, spread = model(one.ids, one.position, None, mask, watched=mine)
        losses, _ = foresee(hidden, model.embed.weight, one.scored, one.target)
        ((losses * one.weight).sum() / total + spread * charged[i]).backward()
        out.append(losses.detach())
        spreads.append(spread.detach() * charged[i])
    return Expected(watched, torch.cat(out), torch.stack(spreads).sum(), [p.grad.clone() for p in model.parameters()])


def step_error(path: Path, batch: Batch, expected: Expected) -> tuple[float, float, float]:
    """Relative errors of the losses that count, of all gradients together, and of the spread."""
    path.model.zero_grad(set_to_none=True)
    got, _, spread = path.losses(batch, expected.watched)
    (mean(got, batch.weight) + spread).backward()
    flat = lambda tensors: torch.cat([t.reshape(-1).float() for t in tensors])
    error = relative(flat([p.grad for p in path.model.parameters()]), flat(expected.grads))
    counted = batch.weight > 0
    path.model.zero_grad(set_to_none=True)
    return (relative(got.detach()[counted], expected.losses[counted]), error,
            relative(spread.detach()[None], expected.spread[None]))


LOSS_ERROR, GRADIENT_ERROR = 0.05, 0.1        # what bf16 explains; a wrong mask is far outside


def check(path: Path, batch: Batch, expected: Expected) -> str:
    """Empty if the path computes what it must; else what is wrong, in words."""
    try:
        loss, gradient, spread = step_error(path, batch, expected)
        found = f"losses {loss:.4f}, gradients {gradient:.4f}, spread {spread:.4f} from the reference"
        if not (loss < LOSS_ERROR and gradient < GRADIENT_ERROR and spread < LOSS_ERROR):
            return f"{found}, attention by itself {attention_error(path, batch):.4f}"
        print(f"{path}: {found}", flush=True)
    except Exception as error:                # whatever a compiler throws: the next path may work
        return f"{type(error).__name__}: {str(error)[:500]}"
    return ""


PATHS = {"cuda": ((True, True), (False, True), (False, False)), "cpu": ((False, False),)}     # flex, compiled; fastest first


def choose(model: Model, batch: Batch, device: str, paths=None) -> Path:
    """The first path that agrees with the reference on this batch, in order of speed; says what each check found."""
    expected = reference(model, batch)
    for flex, compiled in paths or PATHS[device]:
        start = time.time()
        path = Path(model, *batch.ids.shape, device, flex, compiled)
        wrong = check(path, batch, expected)
        print(f"{path}: {wrong or 'right'} ({time.time() - start:.1f} s)", flush=True)
        if not wrong:
            return path
    raise SystemExit("no way to compute on this device agrees with the reference; see the lines above")


class Optimiser:
    """Muon for the blocks' matrices, AdamW for embeddings and norms."""

    def __init__(self, model: Model, muon: float, decay: float):
        """muon: its rate as a multiple of AdamW's."""
        self.model, self.factor = model, muon
        self.muon = Muon(model, decay=decay)
        taken = set(map(id, self.muon.params))
        rest = [p for p in model.parameters() if id(p) not in taken]
        groups = [{"params": [p for p in rest if p.dim() > 1], "weight_decay": decay},
                  {"params": [p for p in rest if p.dim() < 2], "weight_decay": 0.0}]
        fused = {"fused": True} if rest[0].is_cuda else {}
        self.adam = torch.optim.AdamW(groups, lr=0.0, betas=(0.9, 0.98), **fused)
        self.params = list(model.parameters())

    def step(self, rate: float) -> torch.Tensor:
        """Returns the gradients' norm, still on the device."""
        norm = torch.nn.utils.clip_grad_norm_(self.params, 1.0)
        for group in self.adam.param_groups:
            group["lr"] = rate
        self.adam.step()
        self.muon.step(rate * self.factor)
        self.model.zero_grad(set_to_none=True)
        return norm

    def state(self) -> dict:
        return {"adam": self.adam.state_dict(), "muon": self.muon.state()}

    def load(self, state: dict) -> None:
        self.adam.load_state_dict(state["adam"])
        self.muon.load(state["muon"])


def sums(losses, right, weight, spread) -> torch.Tensor:
    """On the device: loss of answers, their number, right ones; loss of the other scored tokens, their number; spread; steps."""
    answers, others = (weight > ANSWER_WEIGHT).float(), ((weight > 0) & (weight <= ANSWER_WEIGHT)).float()
    losses = losses.detach()
    return torch.stack([(losses * answers).sum(), answers.sum(), (right * answers).sum(), (losses * others).sum(), others.sum(),
                        spread.detach(), torch.ones_like(spread)])
