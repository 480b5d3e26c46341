"""Rows packed into sequences of one length, so that a GPU sees one shape from the first step to the last.

A sequence holds several rows ("documents") one behind the other, up to `tokens` tokens, and the positions whose next token
is scored, up to `scored`. It is one record of a NumPy type, so that programs can share them in a mapped file. Integers are
signed where PyTorch has no unsigned ones.
"""
import itertools
from dataclasses import dataclass

import numpy as np

from attention import PADDING
from batches import CONTEXT_SHARE, CONTEXT_WEIGHT, Row

UNITS = 50                      # a weight of 1 is stored as this
ANSWER_WEIGHT = 0.25            # answers weigh more than this, scored tokens of contexts and questions less


def sequence_type(tokens: int, scored: int) -> np.dtype:
    """ids, position: of the tokens. document, branch, part: who sees whom (attention.sees). scored: positions whose next
    token is to be foreseen, with weight and question (1, 2, .. within the sequence; 0: no answer); unused ones weigh 0."""
    return np.dtype([("ids", "<i2", tokens), ("position", "<i2", tokens), ("document", "u1", tokens), ("branch", "i1", tokens),
                     ("part", "u1", tokens), ("scored", "<i2", scored), ("weight", "u1", scored), ("question", "<i2", scored)])


@dataclass
class Piece:
    """A row as arrays."""
    ids: np.ndarray
    position: np.ndarray
    branch: np.ndarray
    part: np.ndarray
    scored: np.ndarray          # position i is scored: the model there predicts token i + 1
    weight: np.ndarray
    question: np.ndarray        # number of the scored position's branch, 0 for no answer
    kinds: list[str]


def piece(rng: np.random.Generator, row: Row, scored: int) -> Piece:
    """Context tokens get their small share of the loss here, fewer where more than `scored` would be."""
    branch, weight = np.array(row.branches, np.int8), np.array(row.answer, np.float32)
    weight[(weight == 0) & (rng.random(len(weight)) < CONTEXT_SHARE)] = CONTEXT_WEIGHT
    weight[0] = 0
    weight[1:][branch[1:] != branch[:-1]] = 0            # a target lies in the branch of the token before it
    target = np.flatnonzero(weight)
    if len(target) > scored:
        few = weight[target] <= ANSWER_WEIGHT
        keep = rng.permutation(np.flatnonzero(few))[:max(0, scored - int((~few).sum()))]
        target = np.sort(np.concatenate((target[~few], target[keep])))[:scored]
    answers = (weight[target] > ANSWER_WEIGHT) & (branch[target] > 0)
    return Piece(np.array(row.ids, np.int16), np.array(row.positions, np.int16), branch,
                 np.repeat(np.arange(len(row.parts), dtype=np.uint8), row.parts) if row.parts else np.zeros(0, np.uint8),
                 target - 1, weight[target], np.where(answers, branch[target], 0).astype(np.int16), row.kinds)


def fill(record, pieces: list[Piece], parts: bool = False) -> list[str]:
    """Writes the pieces into the record; `parts`: with the context's parts, for reuse. Returns the questions' kinds."""
    for name in record.dtype.names:
        record[name] = 0
    record["document"] = PADDING
    record["scored"] = np.arange(len(record["scored"]))          # unused ones apart: their zeros are added to different rows
    at = used = 0
    kinds: list[str] = []
    for number, p in enumerate(pieces):
        end, last = at + len(p.ids), used + len(p.scored)
        record["ids"][at:end], record["position"][at:end], record["branch"][at:end] = p.ids, p.position, p.branch
        record["document"][at:end] = number
        if parts:
            record["part"][at:at + len(p.part)] = p.part         # of the context; branches have none
        record["scored"][used:last] = p.scored + at
        record["weight"][used:last] = np.rint(p.weight * UNITS)
        record["question"][used:last] = np.where(p.question > 0, p.question + len(kinds), 0)
        kinds += p.kinds
        at, used = end, last
    return kinds


class Packer:
    """Puts pieces into the fullest open sequence that has room; gives a sequence out when too many are open."""

    def __init__(self, kind: np.dtype, open_ones: int = 12):
        self.tokens, self.scored = kind["ids"].shape[0], kind["scored"].shape[0]
        self.open_ones, self.open = open_ones, []                # [tokens left, scored left, pieces]

    def add(self, p: Piece) -> list[Piece] | None:
        fits = [b for b in self.open if b[0] >= len(p.ids) and b[1] >= len(p.scored)]
        best = min(fits, key=lambda b: b[0], default=None)
        if best is None:
            best = [self.tokens, self.scored, []]
            self.open.append(best)
        best[0], best[1] = best[0] - len(p.ids), best[1] - len(p.scored)
        best[2].append(p)
        if len(self.open) <= self.open_ones:
            return None
        fullest = min(self.open, key=lambda b: b[0])
        self.open.remove(fullest)
        return fullest[2]


def sequences(pieces, kind: np.dtype):
    """Endless lists of pieces, each one sequence, from endless pieces."""
    packer = Packer(kind)
    return filter(None, map(packer.add, pieces))


def take(pieces, kind: np.dtype, n: int, parts: bool = False) -> tuple[np.ndarray, list[list[str]]]:
    """The first `n` sequences as records, and the kinds of their questions."""
    records = np.zeros(n, kind)
    kinds = [fill(record, group, parts) for record, group in zip(records, itertools.islice(sequences(pieces, kind), n))]
    return records, kinds
