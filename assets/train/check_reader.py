"""Checks of what teaches the reader: bf16 products against model.py, trees that do not see each other; in seconds. Run by check.py."""
import random

import torch
import torch.nn.functional as F

import quotations
import reader
from half import Half
from model import Config, Model

TINY = Config(vocab=300, dim=64, layers=3, heads=4, kv_heads=2, head_dim=16, ffn=96, context=512)


class _Prefix:
    """As much of a Layout as collate() looks at."""
    prefix = [1, 5, 9, 7]
    end = 2


def _tree(rng: random.Random, context: int, branches: list[int]) -> quotations.Tree:
    n = context + sum(branches)
    first = len(_Prefix.prefix)
    numbers = [rng.choice((0, 0, -1)) for _ in range(context)] + [i + 1 for i, b in enumerate(branches) for _ in range(b)]
    positions = [first + p for p in range(context)] + [first + context + p for b in branches for p in range(b)]
    answer = [0.0] * context + [rng.choice((0.0, 1.0)) for _ in range(sum(branches))]
    return quotations.Tree([rng.randrange(3, 300) for _ in range(n)], positions, numbers, answer)


def _sequences(rng: random.Random) -> list[list[quotations.Tree]]:
    return [[_tree(rng, rng.randint(5, 40), [rng.randint(2, 9) for _ in range(rng.randint(1, 5))]) for _ in range(4)] for _ in range(3)]


def _alone(model: Model, tree: quotations.Tree) -> torch.Tensor:
    """Weighted losses of a tree behind the prefix, with nothing else there: the plain model with its own mask."""
    p = len(_Prefix.prefix)
    ids = torch.tensor([_Prefix.prefix + tree.ids])
    hidden = model(ids, torch.tensor([list(range(p)) + tree.positions]), torch.tensor([[0] * p + tree.branches]))[0]
    counted = [j for j, w in enumerate(tree.answer) if w and j]
    return F.cross_entropy(model.logits(hidden[[p + j - 1 for j in counted]]), ids[0, [p + j for j in counted]], reduction="none")


def check_reader() -> None:
    torch.manual_seed(3)
    rng, model = random.Random(3), Model(TINY)
    with torch.no_grad():
        for p in model.parameters():
            p.mul_(3.0 if p.dim() > 1 else 1.0)              # so that attention is not even
    sequences = _sequences(rng)
    expected = torch.cat([_alone(model, tree) for trees in sequences for tree in trees])
    expected.mean().backward()
    right = [p.grad.clone() for p in model.parameters()]
    model.zero_grad()
    half = Half(model)
    got, _ = reader.losses(half, quotations.collate(_Prefix, sequences))
    got.mean().backward()
    error = lambda a, b: ((a - b).norm() / b.norm()).item()
    assert error(got.detach(), expected.detach()) < 0.01, error(got.detach(), expected.detach())
    for p, grad in zip(model.parameters(), right):
        assert error(p.grad, grad) < 0.04, (p.shape, error(p.grad, grad))
    loss, _ = reader.gradients(half, _Prefix, sequences)
    assert abs(loss - expected.mean().item()) < 0.01 * loss


CHECKS = (check_reader,)
