"""Muon (Keller Jordan and others, 2024): momentum whose matrices are made orthogonal before they are applied.

It needs fewer steps than Adam where steps are few. The fused matrices (Q, K, V; gate, up) are orthogonalised one by one.
With two processes each computes half of the updates; they meet in the shared buffer that also averages gradients.
"""
import torch


def orthogonal(g: torch.Tensor, steps: int = 5) -> torch.Tensor:
    """Newton-Schulz iteration towards the nearest orthogonal matrix; g: (rows, columns) of any shape."""
    tall = g.shape[0] > g.shape[1]
    x = g.T if tall else g
    x = x / (x.norm() + 1e-7)
    for _ in range(steps):
        a = x @ x.T
        x = 3.4445 * x + (-4.7750 * a + 2.0315 * a @ a) @ x
    return x.T if tall else x


class Muon:
    """For the matrices of the blocks only; embeddings and norms stay with Adam."""

    def __init__(self, model, rate: float, momentum: float = 0.95):
        c = model.c
        q, kv = c.heads * c.head_dim, c.kv_heads * c.head_dim
        self.rate, self.momentum, self.slots = rate, momentum, []
        for block in model.blocks:
            self.slots += [(block.qkv.weight, (q, kv, kv)), (block.out.weight, (c.dim,)),
                           (block.gate_up.weight, (c.ffn, c.ffn)), (block.down.weight, (c.dim,))]
        self.params = [p for p, _ in self.slots]
        self.buffers = [torch.zeros_like(p) for p in self.params]

    def _update(self, i: int) -> torch.Tensor:
        p, sizes = self.slots[i]
        step = p.grad + self.momentum * self.buffers[i]                          # Nesterov
        parts = [orthogonal(part) * max(1.0, part.shape[0] / part.shape[1]) ** 0.5 for part in step.split(sizes)]
        return torch.cat(parts)

    @torch.no_grad()
    def step(self, factor: float, rank: int = 0, average=None) -> None:
        """factor: the schedule's share of the peak rate. Gradients are already averaged and the same everywhere."""
        for p, b in zip(self.params, self.buffers):
            b.mul_(self.momentum).add_(p.grad)
        world = average.world if average else 1
        updates = {i: self._update(i) for i in range(len(self.params)) if i % world == rank}
        if average:
            updates = self._exchange(updates, average)
        for i, p in enumerate(self.params):
            p.mul_(1 - 0.01 * self.rate * factor).add_(updates[i], alpha=-self.rate * factor)

    def _exchange(self, mine: dict, average) -> dict:
        spans, at = [], 0
        for p in self.params:
            spans.append((at, at + p.numel()))
            at += p.numel()
        for i, update in mine.items():
            average.grads[0, spans[i][0]:spans[i][1]] = update.reshape(-1)
        average.barrier.wait()
        out = {i: mine[i] if i in mine else average.grads[0, a:b].view_as(p).clone()
               for i, ((a, b), p) in enumerate(zip(spans, self.params))}
        average.barrier.wait()
        return out
