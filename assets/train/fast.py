"""Trains on the CPU through kernels/: AMX tiles, bf16 products, masks as intervals. model.py stays the reference.

    trainer = Trainer(config, threads=2)      # None where the processor has no AMX or the kernels do not compile
    trainer.load(model.state_dict()); losses = trainer.run(packs, train=True); trainer.adam(rate, step)

The kernels are compiled on first use with the machine's own C++ compiler, into the folder work/ beside this file.
"""
import ctypes
import glob
import hashlib
import os
import subprocess
from dataclasses import dataclass

import numpy as np
import torch

from shape import Config

HERE = os.path.dirname(os.path.abspath(__file__))
FLAGS = ["-std=c++20", "-O3", "-march=native", "-fno-math-errno", "-fPIC", "-shared", "-Wall", "-Wextra",
         "-Wno-maybe-uninitialized", "-Wno-uninitialized"]   # g++ 12 warns about its own AVX-512 headers
ALIGN = 32                                    # tokens; a row's length is padded to it


def has_amx() -> bool:
    with open("/proc/cpuinfo") as f:
        return "amx_bf16" in f.read()


def build(folder: str = os.path.join(HERE, "work")) -> str:
    """Compiles kernels/*.cpp unless that has been done; returns the library's path."""
    sources = sorted(glob.glob(os.path.join(HERE, "kernels", "*")))
    digest = hashlib.sha256(b"".join(open(p, "rb").read() for p in sources) + " ".join(FLAGS).encode()).hexdigest()[:16]
    library = os.path.join(folder, f"kernels-{digest}.so")
    if not os.path.exists(library):
        os.makedirs(folder, exist_ok=True)
        subprocess.run(["g++", *FLAGS, "-o", library + ".new", *(p for p in sources if p.endswith(".cpp")), "-lpthread"],
                       check=True)
        os.replace(library + ".new", library)
    return library


class _Pack(ctypes.Structure):
    _I, _F = ctypes.POINTER(ctypes.c_int32), ctypes.POINTER(ctypes.c_float)
    _fields_ = [("n", ctypes.c_int), ("ids", _I), ("positions", _I), ("branch_start", _I), ("see_end", _I),
                ("see_again", _I), ("n_rows", ctypes.c_int), ("row_start", _I), ("context_end", _I),
                ("n_scored", ctypes.c_int), ("scored", _I), ("target", _I), ("weight", _F), ("loss", _F), ("guess", _I)]


@dataclass
class PackedRow:
    """One row, padded: arrays of int32 over its tokens, then over its scored positions."""
    ids: np.ndarray
    positions: np.ndarray
    branch_start: np.ndarray
    see_end: np.ndarray
    see_again: np.ndarray | None    # None: no token is seen again
    context_end: int
    scored: np.ndarray          # position i is scored: the model there predicts target
    target: np.ndarray
    weight: np.ndarray          # float32
    question: np.ndarray        # branch number of the scored position, 0 for context


def pack_row(ids: list, positions: list, branches: list, weights: list, blind: tuple = ()) -> PackedRow:
    """branches: 0 for the context, -1 for context that no branch sees, then 1, 2, .. in runs. weights[i]: of predicting
    token i from the one before it. blind: (start, end) of parts of the context that only they themselves and the branches
    see, as in reuse."""
    n = len(ids)
    size = (n + ALIGN - 1) // ALIGN * ALIGN
    branch = np.full(size, 1 << 20, np.int32)
    branch[:n] = branches
    owner = np.maximum(branch, 0)
    starts = np.flatnonzero(np.diff(owner, prepend=-1))
    ends = np.append(starts[1:], size)
    run = np.searchsorted(starts, np.arange(size), side="right") - 1
    context_end = int(ends[0]) if owner[0] == 0 else 0
    branch_start, see_end = starts[run].astype(np.int32), ends[run].astype(np.int32)
    branch_start[:context_end] = context_end
    see_end[:context_end] = np.where(branch[:context_end] < 0, context_end, size)
    see_again = np.full(size, size, np.int32) if blind else None
    for start, end in blind:
        see_again[start:end] = np.where(see_end[start:end] == size, context_end, size)
        see_end[start:end] = end
    weight = np.asarray(weights, np.float32)
    target_at = np.flatnonzero((weight > 0) & (branch[:n] == np.append(-1, branch[:n - 1])))
    pad = lambda values: np.pad(np.asarray(values, np.int32), (0, size - n))
    all_ids = pad(ids)
    return PackedRow(all_ids, pad(positions), branch_start, see_end, see_again, context_end, (target_at - 1).astype(np.int32),
                     all_ids[target_at], weight[target_at], branch[target_at])


class Packs:
    """Rows grouped for the threads, with room for what comes back."""

    def __init__(self, rows: list[PackedRow], tokens: int = 1024):
        groups, size = [[]], 0
        for row in rows:
            if groups[-1] and size + len(row.ids) > tokens:
                groups.append([])
                size = 0
            groups[-1].append(row)
            size += len(row.ids)
        groups.sort(key=lambda g: -sum(len(r.ids) for r in g))          # the longest first: threads end together
        total = max(1e-9, float(sum(r.weight.sum() for r in rows)))
        self.groups, self.keep, self.outputs = groups, [], []
        self.structs = (_Pack * len(groups))(*(self._struct(g, total) for g in groups))
        self.tokens = sum(len(r.ids) for r in rows)

    def _struct(self, rows: list[PackedRow], total: float) -> _Pack:
        join = lambda name, kind: np.ascontiguousarray(np.concatenate([getattr(r, name) for r in rows]), kind)
        row_start = np.cumsum([0] + [len(r.ids) for r in rows]).astype(np.int32)
        scored = np.concatenate([r.scored + s for r, s in zip(rows, row_start)]).astype(np.int32)
        weight = join("weight", np.float32) / np.float32(total)
        loss, guess = np.zeros(len(scored), np.float32), np.zeros(len(scored), np.int32)
        ints = {k: join(k, np.int32) for k in ("ids", "positions", "branch_start", "see_end", "target")}
        context_end = np.array([r.context_end for r in rows], np.int32)
        see_again = None
        if any(r.see_again is not None for r in rows):
            see_again = np.concatenate([np.full(len(r.ids), len(r.ids), np.int32) if r.see_again is None else r.see_again
                                        for r in rows])
        self.outputs.append((loss, guess))
        self.keep += [row_start, scored, weight, ints, context_end, see_again]
        i = lambda x: x if x is None else x.ctypes.data_as(_Pack._I)
        f = lambda x: x.ctypes.data_as(_Pack._F)
        return _Pack(int(row_start[-1]), i(ints["ids"]), i(ints["positions"]), i(ints["branch_start"]), i(ints["see_end"]),
                     i(see_again), len(rows), i(row_start), i(context_end), len(scored), i(scored), i(ints["target"]),
                     f(weight), f(loss), i(guess))

    def results(self):
        """Per row in the packs' order: (row, losses, guesses), over its scored positions."""
        for rows, (loss, guess) in zip(self.groups, self.outputs):
            at = 0
            for row in rows:
                end = at + len(row.scored)
                yield row, loss[at:end], guess[at:end]
                at = end


def parameter_list(c: Config) -> list[tuple[str, tuple]]:
    """Names as in model.Model's state and shapes, in the kernels' order."""
    out = [("embed.weight", (c.vocab, c.dim))]
    for i in range(c.layers):
        name = f"blocks.{i}."
        out += [(name + "norm1.weight", (c.dim,)), (name + "qkv.weight", ((c.heads + 2 * c.kv_heads) * c.head_dim, c.dim)),
                (name + "out.weight", (c.dim, c.heads * c.head_dim)), (name + "norm2.weight", (c.dim,)),
                (name + "gate_up.weight", (2 * c.ffn, c.dim)), (name + "down.weight", (c.dim, c.ffn))]
    return out + [("norm.weight", (c.dim,))]


class Trainer:
    def __init__(self, c: Config, threads: int = 2, library: str | None = None):
        if c.head_dim != 64 or c.dim % 32 or c.ffn % 32 or c.vocab % 32:
            raise ValueError("the kernels want heads of 64 and a width, FFN and vocabulary that 32 divides")
        self.c, self.lib = c, ctypes.CDLL(library or build())
        self.lib.mneme_train_new.restype = ctypes.c_void_p
        self.lib.mneme_train_new.argtypes = [ctypes.c_int] * 6 + [ctypes.c_float] * 2 + [ctypes.c_int]
        self.handle = ctypes.c_void_p(self.lib.mneme_train_new(c.dim, c.layers, c.heads, c.kv_heads, c.ffn, c.vocab,
                                                               c.norm_eps, c.rope_theta, threads))
        if not self.handle:
            raise RuntimeError("this processor or system has no AMX tiles; use train.py")
        self.lib.mneme_train_size.restype = ctypes.c_long
        self.size = self.lib.mneme_train_size(self.handle)
        for name in ("weights", "grads", "moment"):
            getattr(self.lib, "mneme_train_" + name).restype = ctypes.POINTER(ctypes.c_float)
        view = lambda pointer: np.ctypeslib.as_array(pointer, (self.size,))
        self.weights = view(self.lib.mneme_train_weights(self.handle))
        self.grads = view(self.lib.mneme_train_grads(self.handle))
        self.moments = [view(self.lib.mneme_train_moment(self.handle, i)) for i in (1, 2)]
        self.lib.mneme_train_adam.restype = ctypes.c_float
        self.lib.mneme_train_adam.argtypes = [ctypes.c_void_p] + [ctypes.c_float] * 6 + [ctypes.c_long, ctypes.c_char_p]
        self.lib.mneme_train_muon.argtypes = [ctypes.c_void_p] + [ctypes.c_float] * 3

    def _kinds(self, muon: bool) -> bytes:
        """Per 32 parameters: 0 AdamW, 1 AdamW with decay, 2 Muon."""
        kind = lambda name, shape: 0 if len(shape) == 1 else 2 if muon and name.startswith("blocks.") else 1
        out = b"".join(bytes([kind(name, shape)]) * (int(np.prod(shape)) // 32) for name, shape in parameter_list(self.c))
        assert len(out) * 32 == self.size, "parameter_list and the kernels disagree"
        return out

    def pin(self, first: int = 0) -> None:
        """Keeps the threads on the machine's processors, the calling one on `first`, the next on the next."""
        self.lib.mneme_train_pin(self.handle, first)

    def use_threads(self, n: int) -> None:
        """So many of the threads work from now on."""
        self.lib.mneme_train_threads(self.handle, n)

    def load(self, state: dict) -> None:
        at = 0
        for name, shape in parameter_list(self.c):
            n = int(np.prod(shape))
            self.weights[at:at + n] = state[name].detach().float().reshape(-1).numpy()
            at += n
        self.lib.mneme_train_round(self.handle)

    def state(self, source: np.ndarray | None = None) -> dict:
        """Copies of the weights (or of another array of their size) under model.Model's names."""
        out, at, source = {}, 0, self.weights if source is None else source
        for name, shape in parameter_list(self.c):
            n = int(np.prod(shape))
            out[name] = torch.from_numpy(source[at:at + n].copy()).view(*shape)
            at += n
        return out

    def run(self, packs: Packs, train: bool) -> None:
        self.lib.mneme_train_run(self.handle, packs.structs, len(packs.structs), int(train))

    def update(self, rate: float, step: int, muon: float = 1.0, beta1=0.9, beta2=0.98, eps=1e-8, decay=0.1, clip=1.0,
               momentum=0.95) -> float:
        """One step on the gradients of run(), the blocks' matrices by Muon at `muon` times the rate (0: all by AdamW); step
        counts from 1. Returns the gradients' norm."""
        if muon:
            self.lib.mneme_train_muon(self.handle, rate * muon, decay, momentum)
        return self.lib.mneme_train_adam(self.handle, rate, beta1, beta2, eps, decay, clip, step, self._kinds(muon > 0))
