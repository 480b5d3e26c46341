"""The model's function with products in bf16 and fp32 sums, for training on processors with AVX512-BF16: there oneDNN multiplies
bf16 2.5 times as quickly as OpenBLAS float32 (350 to 140 GFLOP/s on two cores of a Zen 5, PyTorch 1.13). Master weights, the residual
stream, norms and softmax stay in float32. check.py compares losses and gradients with model.py.
"""
import torch
import torch.nn.functional as F

from model import norm, rotate


class Product(torch.autograd.Function):
    """x @ w.T. `w` is the fp32 master, which takes the gradient; `small` its bf16 copy, which is read."""

    @staticmethod
    def forward(ctx, x, w, small):
        x = x.bfloat16()
        ctx.save_for_backward(x, small)
        return torch.mm(x, small.t()).float()

    @staticmethod
    def backward(ctx, grad):
        x, small = ctx.saved_tensors
        grad = grad.bfloat16()
        return torch.mm(grad, small).float(), torch.mm(grad.t(), x).float(), None


class Attend(torch.autograd.Function):
    """Attention. q: (batch, heads, n, d); k, v: (batch, heads / group, n, d); mask: additive, (batch, 1, n, n)."""

    @staticmethod
    def forward(ctx, q, k, v, mask, group):
        b, heads, n, d = q.shape
        q = (q * d ** -0.5).bfloat16().reshape(b * heads // group, group * n, d)
        k, v = (t.bfloat16().reshape(b * heads // group, n, d) for t in (k, v))
        scores = torch.bmm(q, k.transpose(1, 2)).float().view(b, heads, n, n)
        p = torch.softmax(scores.add_(mask), -1).bfloat16().view(b * heads // group, group * n, n)
        ctx.save_for_backward(q, k, v, p)
        ctx.shape = (b, heads, n, d, group)
        return torch.bmm(p, v).float().view(b, heads, n, d)

    @staticmethod
    def backward(ctx, grad):
        q, k, v, p = ctx.saved_tensors
        b, heads, n, d, group = ctx.shape
        grad = grad.bfloat16().reshape(b * heads // group, group * n, d)
        gv = torch.bmm(p.transpose(1, 2), grad)
        gp = torch.bmm(grad, v.transpose(1, 2)).float() * p
        gs = gp.addcmul_(p.float(), gp.sum(-1, keepdim=True), value=-1).bfloat16()
        gq = torch.bmm(gs, k).float().view(b, heads, n, d) * d ** -0.5
        gk = torch.bmm(gs.transpose(1, 2), q)
        shared = lambda t: t.float().view(b, heads // group, n, d)
        return gq, shared(gk), shared(gv), None, None


class Half:
    """refresh() after every change of the weights."""

    def __init__(self, model):
        self.model = model
        self.refresh()

    def refresh(self) -> None:
        self.small = {id(p): p.detach().bfloat16() for p in self.model.parameters() if p.dim() > 1}

    def _product(self, x, w):
        return Product.apply(x, w, self.small[id(w)])

    def hidden(self, ids, positions, mask):
        """ids, positions: (batch, n); mask: additive, (batch, 1, n, n). Returns the normed rows (batch * n, dim)."""
        m, c = self.model, self.model.c
        b, n = ids.shape
        angle = (positions[..., None].float() * m.freq)[:, None]
        cos, sin = angle.cos(), angle.sin()
        both, group = c.heads + c.kv_heads, c.heads // c.kv_heads
        x = F.embedding(ids, m.embed.weight).reshape(b * n, c.dim)
        for block in m.blocks:
            rows = self._product(norm(x, block.norm1.weight, c.norm_eps), block.qkv.weight)
            rows = rows.view(b, n, both + c.kv_heads, c.head_dim).transpose(1, 2)
            turned = rotate(rows[:, :both], cos, sin)
            mixed = Attend.apply(turned[:, :c.heads], turned[:, c.heads:], rows[:, both:], mask, group)
            x = x + self._product(mixed.transpose(1, 2).reshape(b * n, -1), block.out.weight)
            gate, up = self._product(norm(x, block.norm2.weight, c.norm_eps), block.gate_up.weight).chunk(2, -1)
            x = x + self._product(F.silu(gate) * up, block.down.weight)
        return norm(x, m.norm.weight, c.norm_eps)

    def logits(self, hidden):
        return self._product(hidden, self.model.embed.weight)
