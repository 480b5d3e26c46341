"""Attention that falls on few tokens, by a term of the loss: long chats are decoded by reading the tokens that matter only, which
needs that most of the weight lies on a tenth of them.

How far a row of attention is spread is its Renyi entropy of order 1/2, 2 ln sum sqrt(p): unlike Shannon's, it is decided by the
long tail. Where a share t of the weight lies evenly on all n tokens and the rest on a few, it is about ln(t n). So rows are
charged for what lies above ln(TAIL n), n tokens being visible, and rows below are left alone. Every step looks at
some rows of every sequence, drawn anew.
"""
from dataclasses import dataclass

import torch

import attention

TAIL = 0.04                 # of the weight may lie evenly on everything
FEW = 96                    # rows that see fewer tokens are not charged
HEAVIEST = 0.1              # share of the visible tokens for `mass`


@dataclass
class Watched:
    """Rows of attention that are looked at, the same in all sequences of a batch."""
    rows: torch.Tensor      # (r,) int64
    mask: torch.Tensor      # (batch, 1, r, n): 0 where a row sees a token, a large negative number elsewhere
    visible: torch.Tensor   # (batch, r) float: how many tokens a row sees; rows that are not charged: 0


def watch(document, branch, part, count: int, generator=None) -> Watched:
    """`count` rows at random. document, branch, part: (batch, n), see attention.sees."""
    n = document.shape[1]
    rows = torch.randint(n, (count,), device=document.device, generator=generator)
    at, column, row = torch.arange(n, device=document.device), (lambda x: x[:, None, :]), (lambda x: x[:, rows, None])
    seen = attention.sees(rows[:, None], at[None], row(document), column(document), row(branch), column(branch), row(part),
                          column(part))
    visible = seen.sum(-1).float()
    padding = document[:, rows] == attention.PADDING
    mask = torch.zeros(seen.shape, device=seen.device).masked_fill_(~seen, -1e9)[:, None]
    return Watched(rows, mask, visible * (visible >= FEW) * ~padding)


def scores(q, k, rows, mask):
    """(batch, heads, r, n): what the rows give to every token before the softmax. q: (batch, heads, n, d); k: (batch, kv_heads, n, d)."""
    batch, heads, _, d = q.shape
    kv_heads, r = k.shape[1], rows.shape[0]
    some = q.index_select(2, rows).reshape(batch, kv_heads, heads // kv_heads * r, d)
    products = (some @ k.transpose(-1, -2)).view(batch, heads, r, -1)
    return products.float() * d ** -0.5 + mask


def spread(q, k, rows, mask, visible):
    """How far the rows are spread above what is free, in nats: the mean over rows that are charged, and heads."""
    s = scores(q, k, rows, mask)
    entropy = 2 * torch.logsumexp(s * 0.5, -1) - torch.logsumexp(s, -1)
    charged = (visible > 0).float()[:, None]
    excess = torch.relu(entropy - (visible.clamp(min=1) * TAIL).log()[:, None]) * charged
    return excess.sum() / (charged.sum() * q.shape[1]).clamp(min=1)


@torch.no_grad()
def mass(q, k, rows, mask, visible) -> torch.Tensor:
    """Share of the weight on the heaviest tenth, the mean over charged rows and heads; for reports."""
    p = torch.softmax(scores(q, k, rows, mask), -1).sort(-1, descending=True).values.cumsum(-1)
    last = (visible * HEAVIEST).long().clamp(min=1) - 1
    covered = p.gather(-1, last[:, None, :, None].expand(-1, q.shape[1], -1, 1))[..., 0]
    charged = (visible > 0).float()[:, None]
    return (covered * charged).sum() / (charged.sum() * q.shape[1]).clamp(min=1)
