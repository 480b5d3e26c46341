"""Who sees whom in a sequence of several rows (sequences.py), as a mask and as blocks for PyTorch's flex_attention.

The rule is that of model.branch_mask within every row. It is written once, in `sees`, as plain tensor logic: it works on
whole matrices here and on single elements inside the compiled kernel. check_gpu.py compares it with model.branch_mask, and
gpu_step.py compares the kernels with each other before a run.
"""
import torch

BLOCK = 128
PADDING = 255                   # number of the document that fills the end of a sequence


def sees(q, k, q_document, k_document, q_branch, k_branch, q_part, k_part):
    """Whether the token at position q sees the one at k. Parts: chunks of a context with numbers above 0 see themselves,
    what has number 0 and nothing else before them (reuse); answers see all parts."""
    before = (q_document == k_document) & (k <= q)
    branch = (k_branch == 0) | (k_branch == q_branch) | ((k_branch < 0) & (q_branch <= 0))
    part = (q_branch > 0) | (q_part == 0) | (k_part == 0) | (q_part == k_part)
    return before & branch & part


def seen(document, branch, part) -> torch.Tensor:
    """(batch, n) each -> (batch, n, n) bool: row, column."""
    at = torch.arange(document.shape[1], device=document.device)
    row, column = (lambda x: x[:, :, None]), (lambda x: x[:, None, :])
    return sees(at[:, None], at[None], row(document), column(document), row(branch), column(branch), row(part), column(part))


def additive(document, branch, part, kind=torch.float32) -> torch.Tensor:
    """The mask for model.attend."""
    visible = seen(document, branch, part)
    return torch.zeros(visible.shape, device=visible.device, dtype=kind).masked_fill_(~visible, -1e9)[:, None]


def blocks(document, branch, part, size: int = BLOCK) -> tuple[torch.Tensor, torch.Tensor]:
    """(batch, n / size, n / size) bool: pairs of blocks of which something may be seen and the rule must be asked; pairs of
    which everything is seen. Documents stand in order, so that a block's first and last say which it holds."""
    cut = lambda x: x.view(x.shape[0], -1, size)
    first, last = cut(document)[..., 0], cut(document)[..., -1]
    low, high = cut(branch).amin(-1), cut(branch).amax(-1)
    whole = cut(part).amax(-1) == 0
    at = torch.arange(first.shape[1], device=document.device)
    row, column = (lambda x: x[:, :, None]), (lambda x: x[:, None, :])
    near = column(last) >= row(first)
    reached = column(low <= 0) | (column(low) <= row(high)) & (column(high) >= row(low))
    some = (at[:, None] >= at[None]) & near & reached
    alone = first == last
    full = (at[:, None] > at[None]) & row(alone) & column(alone) & (row(first) == column(first))
    full = full & column((low == 0) & (high == 0) & whole)
    return some & ~full, full


class FlexMask:
    """Makes flex_attention's masks for batches of one shape. The rule reads buffers that stay the same objects, so that
    the compiled kernel is never compiled again."""

    def __init__(self, batch: int, n: int, device: str):
        make = lambda: torch.zeros(batch, n, dtype=torch.int32, device=device)
        self.document, self.branch, self.part = document, branch, part = make(), make(), make()

        def rule(b, h, q, k):
            return sees(q, k, document[b, q], document[b, k], branch[b, q], branch[b, k], part[b, q], part[b, k])

        self.rule = rule

    def __call__(self, document, branch, part):
        """The mask of this batch; that of the batch before is void from now on."""
        from torch.nn.attention.flex_attention import BlockMask
        for buffer, values in ((self.document, document), (self.branch, branch), (self.part, part)):
            buffer.copy_(values)
        some, full = blocks(self.document, self.branch, self.part)
        lists = [x for chosen in (some, full) for x in _lists(chosen)]
        return BlockMask.from_kv_blocks(*lists, BLOCK_SIZE=BLOCK, mask_mod=self.rule)


def _lists(chosen: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """How many blocks each row of blocks looks at, and which, the others behind them."""
    order = torch.sort((~chosen).to(torch.int32), dim=-1, stable=True).indices
    return chosen.sum(-1, dtype=torch.int32)[:, None], order.to(torch.int32)[:, None].contiguous()
