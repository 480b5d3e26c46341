"""The language model: llama architecture in plain PyTorch (1.13 on the CPU, 2.x on a GPU).

Rotation is split-half (NeoX order) here because it is quick; export_gguf.py permutes the rows of Q and K to the
interleaved order that llama GGUF files use. The three attention inputs and the two FFN inputs are one matrix each.
Attention takes a branch id per token: branch 0 is the shared context, every other branch is one question with its
answer that sees the context and itself but not its siblings. So one context serves many questions, each exactly as
if it stood there alone. Branch -1 is context that no question sees: what it says reaches an answer only through the
context behind it, which read it.

A block is a function of tensors alone (`transform`), so that torch.compile compiles one for all layers (gpu_step.py).
"""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

import concentration
from shape import Config

try:
    from torch.nn.attention.flex_attention import flex_attention
except ImportError:                 # before PyTorch 2.5
    flex_attention = None
HAS_SDPA = hasattr(F, "scaled_dot_product_attention")


def norm(x: torch.Tensor, weight: torch.Tensor, eps: float) -> torch.Tensor:
    y = x.float()
    return (y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + eps)).to(x.dtype) * weight


class Norm(nn.Module):
    def __init__(self, dim: int, eps: float):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(dim)), eps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return norm(x, self.weight, self.eps)


def rotate(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """x: (batch, heads, n, head_dim); cos, sin: (batch, 1, n, head_dim / 2). Pair i is (x[i], x[i + head_dim / 2])."""
    a, b = x.chunk(2, -1)
    return torch.cat((a * cos - b * sin, a * sin + b * cos), -1).to(x.dtype)


class Softmax(torch.autograd.Function):
    """Softmax in place over the last dimension. PyTorch 1.13's own backward is several times slower on the CPU."""

    @staticmethod
    def forward(ctx, scores):
        p = torch.softmax(scores, -1)
        ctx.save_for_backward(p)
        return p

    @staticmethod
    def backward(ctx, grad):
        (p,) = ctx.saved_tensors
        grad = grad * p
        return grad.addcmul_(p, grad.sum(-1, keepdim=True), value=-1)


STRIP = 160


def attend_in_strips(q, k, v, mask):
    """Causal attention for the CPU: strips of rows see only the columns up to their end, which saves nearly half.

    q: (batch, heads, n, d), scaled; k, v: (batch, kv_heads, n, d). The query heads of one KV head form one product.
    """
    batch, heads, n, d = q.shape
    kv_heads = k.shape[1]
    groups, out = heads // kv_heads, []
    for start in range(0, n, STRIP):
        end = min(n, start + STRIP)
        rows = q[:, :, start:end].reshape(batch, kv_heads, groups * (end - start), d)
        scores = (rows @ k[:, :, :end].transpose(-1, -2)).view(batch, heads, end - start, end)
        p = Softmax.apply(scores.add_(mask[:, :, start:end, :end]))
        mixed = p.view(batch, kv_heads, groups * (end - start), end) @ v[:, :, :end]
        out.append(mixed.view(batch, heads, end - start, d))
    return torch.cat(out, 2)


def attend(q, k, v, mask):
    """q: (batch, heads, n, d); k, v: (batch, kv_heads, n, d). `mask`: as branch_mask() gives it, or flex_attention's BlockMask."""
    if not isinstance(mask, torch.Tensor):
        groups = q.shape[1] // k.shape[1]
        return flex_attention(q, k.repeat_interleave(groups, 1), v.repeat_interleave(groups, 1), block_mask=mask)
    if HAS_SDPA:
        groups = q.shape[1] // k.shape[1]
        k, v = k.repeat_interleave(groups, 1), v.repeat_interleave(groups, 1)
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask.to(q.dtype))
    return attend_in_strips(q * q.shape[-1] ** -0.5, k, v, mask)


def transform(x, cos, sin, mask, watched, heads: tuple, eps: float, norm1, qkv, out, norm2, gate_up, down):
    """One block: attention and FFN on the residual stream x. heads: (query heads, KV heads). Returns the stream, and how far the
    `watched` rows of attention are spread (the three tensors of concentration.Watched, or None)."""
    batch, n, _ = x.shape
    query, both = heads[0], heads[0] + heads[1]
    rows = F.linear(norm(x, norm1, eps), qkv).view(batch, n, both + heads[1], -1).transpose(1, 2)
    turned = rotate(rows[:, :both], cos, sin)
    mixed = attend(turned[:, :query], turned[:, query:], rows[:, both:], mask)
    spread = None if watched is None else concentration.spread(turned[:, :query], turned[:, query:], *watched)
    x = x + F.linear(mixed.transpose(1, 2).reshape(batch, n, -1), out)
    gate, up = F.linear(norm(x, norm2, eps), gate_up).chunk(2, -1)
    return x + F.linear(F.silu(gate) * up, down), spread


class Block(nn.Module):
    def __init__(self, c: Config):
        super().__init__()
        self.heads, self.eps = (c.heads, c.kv_heads), c.norm_eps
        self.norm1, self.norm2 = Norm(c.dim, c.norm_eps), Norm(c.dim, c.norm_eps)
        self.qkv = nn.Linear(c.dim, (c.heads + 2 * c.kv_heads) * c.head_dim, bias=False)
        self.out = nn.Linear(c.heads * c.head_dim, c.dim, bias=False)
        self.gate_up = nn.Linear(c.dim, 2 * c.ffn, bias=False)
        self.down = nn.Linear(c.ffn, c.dim, bias=False)

    def weights(self) -> tuple:
        """What transform() takes last."""
        return (self.norm1.weight, self.qkv.weight, self.out.weight, self.norm2.weight, self.gate_up.weight, self.down.weight)

    def forward(self, x, cos, sin, mask, transform=transform, watched=None):
        return transform(x, cos, sin, mask, watched, self.heads, self.eps, *self.weights())


class Model(nn.Module):
    def __init__(self, c: Config):
        super().__init__()
        self.c = c
        self.embed = nn.Embedding(c.vocab, c.dim)
        self.blocks = nn.ModuleList(Block(c) for _ in range(c.layers))
        self.norm = Norm(c.dim, c.norm_eps)
        for name, p in self.named_parameters():
            if p.dim() > 1:
                shrink = math.sqrt(2 * c.layers) if name.endswith(("out.weight", "down.weight")) else 1.0
                nn.init.normal_(p, 0.0, 0.02 / shrink)
        self.register_buffer("freq", c.rope_theta ** (-torch.arange(0, c.head_dim, 2) / c.head_dim), persistent=False)

    def forward(self, ids, positions, branches, mask=None, transform=transform, watched=None):
        """ids, positions, branches: (batch, n) int64. Returns the normed hidden rows (batch, n, dim); see logits(). `mask`
        replaces the branches' own (branch_mask), `transform` the blocks' function by a compiled one. With `watched`
        (concentration.Watched) returns also how far those rows of attention are spread, the mean over the layers."""
        angle = (positions[..., None].float() * self.freq.float())[:, None]
        x = self.embed(ids)
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        mask = branch_mask(branches) if mask is None else mask
        rows = None if watched is None else (watched.rows, watched.mask, watched.visible)
        spread = []
        for block in self.blocks:
            x, own = block(x, cos, sin, mask, transform, rows)
            spread.append(own)
        return self.norm(x) if watched is None else (self.norm(x), torch.stack(spread).mean())

    def logits(self, hidden):
        return hidden @ self.embed.weight.T


def branch_mask(branches: torch.Tensor) -> torch.Tensor:
    """(batch, n) -> additive (batch, 1, n, n): 0 where row i may see column j, a large negative number elsewhere."""
    n = branches.shape[1]
    causal = torch.ones(n, n, dtype=torch.bool, device=branches.device).tril()
    column, row = branches[:, None, :], branches[:, :, None]
    seen = causal & ((column == 0) | (column == row) | ((column < 0) & (row <= 0)))
    return torch.zeros(seen.shape, device=branches.device).masked_fill_(~seen, -1e9)[:, None]


def plain(ids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Arguments of Model.forward for ordinary causal text."""
    positions = torch.arange(ids.shape[1], device=ids.device).expand(ids.shape[0], -1)
    return ids, positions, torch.zeros_like(ids)
