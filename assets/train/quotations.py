"""What the reader is taught by: a few sentences and questions about them, many to a sequence.

A tree is a context and its questions, each of which sees the context and itself (model.branch_mask). The trees of a sequence share
the prompt's prefix and do not see each other, so that a sequence of 512 tokens holds some 25 questions.
"""
import random
from dataclasses import dataclass, replace

import torch

import asked
import batches
import configs
import mixing
import natural
import table_rows
from layout import Layout
from tasks import Chunk, Question

LENGTH = 512                    # tokens of a sequence
HELD_OUT = 120                  # contexts of each set of questions that only the checks see
LONGEST_KNOWN = 380             # tokens of a made-up task
# How often each source is drawn from. A group of qamr holds several questions, one of the known tasks many.
SHARES = {"nq": 0.42, "qamr": 0.13, "asked": 0.30, "rows": 0.08, "known": 0.15}
BESIDE = 0.25                   # of the contexts hold sentences of other passages too
SMALL_LETTERS = 0.5             # of the questions are put as people type
# The made-up tasks that the model knows, short ones.
_PLAIN, _REFERENCES = replace(configs.CHAINS, filler=(0, 0), chains=(2, 3)), replace(configs.REFERENCES, filler=(0, 0), documents=(2, 3), hidden=0.2)
CHAINS = 4.0                    # weight of the plain ones
KNOWN = ((3, replace(_PLAIN, breadth=(99, 99), short=0.6)), (2, replace(_REFERENCES, short=0.9)),
         (2, replace(_REFERENCES, breadth=(99, 99), short=0.7)))


@dataclass
class Tree:
    """As batches.Row, without the prefix; positions count it."""
    ids: list[int]
    positions: list[int]
    branches: list[int]
    answer: list[float]         # weight of token i if it belongs to an answer


class NoText:
    """Stands for mixing.Sources where made-up tasks get no text around them."""

    def filler(self, rng: random.Random, tokens: int) -> Chunk:
        return Chunk("note", "")


def sentences(text: str) -> list[str]:
    out, at = [], 0
    while at < len(text):
        sentence = natural.sentence_at(text, at)
        start = text.find(sentence, at) if sentence else -1
        if start < 0:
            break
        out.append(sentence)
        at = start + len(sentence) + 1
    return out


def around(rng: random.Random, text: str, sentence: str) -> str:
    """The sentence, in half of the cases with what stands beside it."""
    parts = sentences(text)
    dice = rng.random()
    if dice < 0.5 or sentence not in parts:
        return sentence
    at = parts.index(sentence)
    before, after = (1, 0) if dice < 0.65 else (0, 1) if dice < 0.8 else (1, 1) if dice < 0.92 else (2, 2)
    return " ".join(parts[max(0, at - before):at + after + 1])


def as_typed(rng: random.Random, question: str) -> str:
    question = question.strip()
    return question.lower().rstrip("?").strip() if rng.random() < SMALL_LETTERS else question


class Draw:
    """Trees of one side: what trains, or what is held out."""

    def __init__(self, data: str, made: str | None, layout: Layout, held_out: bool, chains: float = CHAINS):
        squad = data + "/qa/squad-format/"
        side = lambda groups: [g for i, g in enumerate(groups) if (i % (len(groups) // HELD_OUT) == 0) == held_out]
        groups = lambda name: mixing.by_context(natural.squad_questions(squad + name))
        self.layout, self.held_out = layout, held_out
        self.known = ((chains, replace(_PLAIN, short=0.9)), *KNOWN)
        self.nq = side(groups("nq_open_oracle.json"))
        self.qamr = side(groups("qamr_dev.json") + groups("qamr_test.json"))
        self.asked = asked.Pool(asked.read(made), held_out) if made else None
        self.shares = {kind: share for kind, share in SHARES.items() if kind != "asked" or made}

    def tree(self, rng: random.Random, kind: str) -> Tree:
        if kind == "known":
            return self._known(rng)
        chunks, questions = getattr(self, "_" + kind)(rng)
        if rng.random() < BESIDE:
            self._put_beside(rng, chunks)
        return self._grown(rng, chunks, questions)

    def _grown(self, rng: random.Random, chunks: list[Chunk], questions: list[tuple[str, str]]) -> Tree:
        layout, first = self.layout, len(self.layout.prefix)
        ids = [i for part in layout.context(chunks)[1:] for i in part]
        out = Tree(ids, list(range(first, first + len(ids))), [0] * len(ids), [0.0] * len(ids))
        for n, (question, answer) in enumerate(questions, 1):
            b = layout.branch(Question(as_typed(rng, question), answer, [], ""), True)
            own = b.prompt + b.answer
            out.positions += range(first + len(ids), first + len(ids) + len(own))
            out.branches += [n] * len(own)
            out.answer += [0.0] * len(b.prompt) + [1.0] * len(b.answer)
            out.ids = out.ids + own
        return out

    def _nq(self, rng: random.Random):
        q = rng.choice(rng.choice(self.nq))
        return [Chunk(q.title, around(rng, q.context, natural.sentence_at(q.context, q.at)))], [(q.question, q.answer)]

    def _qamr(self, rng: random.Random):
        group = rng.choice(self.qamr)
        some = [q for q in rng.sample(group, min(len(group), 7)) if len(q.answer) < 80]
        return [Chunk(f"note {rng.randint(1, 99)}", group[0].context)], [(q.question, q.answer) for q in some]

    def _asked(self, rng: random.Random):
        at, chosen = self.asked.draw(rng)
        passage = self.asked.passages[at]
        others = [x for x in passage.asked if x.sentence == chosen.sentence and x.answer != chosen.answer]
        some = [chosen] + rng.sample(others, min(2, len(others)))
        text = around(rng, passage.text, chosen.sentence)
        return [mixing.named(rng, passage, text)], [(x.question, x.answer) for x in some]

    def _rows(self, rng: random.Random):
        title, rows, questions = table_rows.draw(rng, self.held_out)
        return [Chunk(title, row) for row in rows], questions

    def _put_beside(self, rng: random.Random, chunks: list[Chunk]) -> None:
        for _ in range(rng.choice((1, 1, 2))):
            q = rng.choice(rng.choice(self.nq))
            found = sentences(q.context)
            chunks.insert(rng.randint(0, len(chunks)), Chunk(q.title, rng.choice(found) if found else q.context[:200]))

    def _known(self, rng: random.Random) -> Tree:
        while True:
            stage = rng.choices([s for _, s in self.known], [w for w, _ in self.known])[0]
            example = mixing.draw(rng, stage, NoText(), self.held_out)
            row = batches.make_row(rng, self.layout, example, stage, 4096)
            first = row.parts[0]
            if any(row.answer) and len(row.ids) - first <= LONGEST_KNOWN:
                return Tree(row.ids[first:], row.positions[first:], row.branches[first:], row.answer[first:])


def pack(rng: random.Random, draw: Draw, n: int, shares: dict[str, float]) -> list[list[Tree]]:
    """n sequences."""
    room, out = LENGTH - len(draw.layout.prefix), []
    while len(out) < n:
        trees, used = [], 0
        while used <= room - 60:
            tree = draw.tree(rng, rng.choices(list(shares), list(shares.values()))[0])
            if used + len(tree.ids) > room:
                if used > room // 2:
                    break
                continue
            trees.append(tree)
            used += len(tree.ids)
        out.append(trees)
    return out


@dataclass
class Batch:
    ids: torch.Tensor           # (batch, LENGTH)
    positions: torch.Tensor
    mask: torch.Tensor          # additive, (batch, 1, LENGTH, LENGTH)
    scored: torch.Tensor        # flat places whose next token is scored; it is `target`
    target: torch.Tensor
    weight: torch.Tensor


def collate(layout: Layout, sequences: list[list[Tree]]) -> Batch:
    b, p = len(sequences), len(layout.prefix)
    ids, positions = torch.zeros(b, LENGTH, dtype=torch.long), torch.zeros(b, LENGTH, dtype=torch.long)
    tree, branch = torch.full((b, LENGTH), -1), torch.zeros(b, LENGTH, dtype=torch.long)       # of what: -1 padding, 0 prefix
    scored, target, weight = [], [], []
    for i, trees in enumerate(sequences):
        ids[i, :p], positions[i, :p], tree[i, :p] = torch.tensor(layout.prefix), torch.arange(p), 0
        at = p
        for number, t in enumerate(trees, 1):
            end = at + len(t.ids)
            ids[i, at:end], positions[i, at:end] = torch.tensor(t.ids), torch.tensor(t.positions)
            tree[i, at:end], branch[i, at:end] = number, torch.tensor(t.branches)
            counted = [j for j, w in enumerate(t.answer) if w and j]
            scored += [i * LENGTH + at + j - 1 for j in counted]
            target += [t.ids[j] for j in counted]
            weight += [t.answer[j] for j in counted]
            at = end
    return Batch(ids, positions, visible(tree, branch), torch.tensor(scored), torch.tensor(target), torch.tensor(weight))


def visible(tree: torch.Tensor, branch: torch.Tensor) -> torch.Tensor:
    """The rule of model.branch_mask within a tree; the prefix, tree 0, is seen by all."""
    row, column = (lambda x: x[:, :, None]), (lambda x: x[:, None, :])
    causal = torch.ones(tree.shape[1], tree.shape[1], dtype=torch.bool).tril()
    same = (column(tree) == 0) | (column(tree) == row(tree))
    seen = (column(branch) == 0) | (column(branch) == row(branch)) | ((column(branch) < 0) & (row(branch) <= 0))
    return torch.zeros(causal.shape).expand(len(tree), -1, -1).masked_fill(~(causal & same & seen), -1e9)[:, None]
