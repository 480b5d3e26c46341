"""Muon (Keller Jordan and others, 2024): momentum whose matrices are made orthogonal before they are applied.

It needs fewer steps than Adam where steps are few. The fused matrices (Q, K, V; gate, up) are orthogonalised one by one, all
of one shape together: on a GPU the products of a whole model are then three launches a step of the iteration. The update
has the size of Adam's (0.2 sqrt of the longer side: Moonlight, 2502.16982), so both go by the same rate.
"""
import torch


def orthogonal(g: torch.Tensor, steps: int = 5, half: bool = False) -> torch.Tensor:
    """Newton-Schulz iteration towards the nearest orthogonal matrix; g: (.., rows, columns). With `half`, or on a GPU, in bf16."""
    tall = g.shape[-2] > g.shape[-1]
    x = g.transpose(-1, -2) if tall else g
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    x = x.bfloat16() if half or x.is_cuda else x
    for _ in range(steps):
        a = x @ x.transpose(-1, -2)
        x = 3.4445 * x + (-4.7750 * a + 2.0315 * a @ a) @ x
    return (x.transpose(-1, -2) if tall else x).to(g.dtype)


class Muon:
    """For the matrices of the blocks only; embeddings and norms stay with Adam."""

    def __init__(self, model, momentum: float = 0.95, decay: float = 0.05, half: bool = False):
        c = model.c
        q, kv = c.heads * c.head_dim, c.kv_heads * c.head_dim
        self.momentum, self.decay, self.half, self.params, groups = momentum, decay, half, [], {}
        for block in model.blocks:
            for p, sizes in ((block.qkv.weight, (q, kv, kv)), (block.out.weight, (c.dim,)),
                             (block.gate_up.weight, (c.ffn, c.ffn)), (block.down.weight, (c.dim,))):
                self.params.append(p)
                start = 0
                for size in sizes:
                    groups.setdefault((size, p.shape[1]), []).append((p, start, start + size))
                    start += size
        self.groups = list(groups.items())
        self.buffers = [torch.zeros(len(parts), *shape, device=parts[0][0].device) for shape, parts in self.groups]

    @torch.no_grad()
    def step(self, rate: float) -> None:
        for (shape, parts), buffer in zip(self.groups, self.buffers):
            grads = torch.stack([p.grad[a:b] for p, a, b in parts])
            buffer.mul_(self.momentum).add_(grads)
            update = orthogonal(grads + self.momentum * buffer, half=self.half)      # Nesterov
            update = update * (-rate * 0.2 * max(shape) ** 0.5)
            targets = [p[a:b] for p, a, b in parts]
            torch._foreach_mul_(targets, 1 - self.decay * rate)
            torch._foreach_add_(targets, list(update.unbind(0)))

    def state(self) -> list[torch.Tensor]:
        return self.buffers

    def load(self, buffers: list[torch.Tensor]) -> None:
        for own, saved in zip(self.buffers, buffers):
            own.copy_(saved)
