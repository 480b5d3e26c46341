"""Turns examples into token rows with branches."""
import random
from dataclasses import dataclass

import mixing
from configs import Stage
from layout import Layout

CONTEXT_WEIGHT, SHORT_WEIGHT, LONG_WEIGHT = 0.2, 1.0, 0.3        # per token; long answers are mostly easy copying
CONTEXT_SHARE = 0.1              # this share of the context's tokens is scored: most of the vocabulary product is saved
MAX_BRANCHES = 16
HARDER = {"twohop": 3.0, "crosschunk": 2.0}      # these short answers count more
CITATION_WEIGHT = 1.0            # of "[n]" in a long answer: few tokens, and the hard ones
RECALL_WEIGHT = 0.5              # of the tokens of a name that a reference recalls
TEXT_WEIGHT, TEXT_SHARE = 0.2, 0.5                # of the scored tokens of plain text, and their share
FAR = 1500                       # tokens of context from which kinds of questions are counted apart, as "-far"
HIDE_LABELS = 0.5                # share of the rows with hidden chunks whose labels are hidden too


@dataclass
class Row:
    ids: list[int]
    positions: list[int]
    branches: list[int]          # see model.py
    answer: list[float]          # weight of token i if it belongs to an answer or a recall (always scored), else 0
    kinds: list[str]             # of the branches, from branch 1 on
    parts: list[int]             # sizes of the context's parts: prefix, then label and chunk in turn


def spread_positions(rng: random.Random, parts: list[list[int]], room: int) -> list[list[int]]:
    """Positions with gaps between the parts, so that short rows exercise distant rotations (PoSE, 2309.10400)."""
    gaps = sorted(rng.randint(0, room) for _ in parts[1:])
    out, at = [], 0
    for i, part in enumerate(parts):
        shift = gaps[i - 1] if i else 0
        out.append(list(range(at + shift, at + shift + len(part))))
        at += len(part)
    return out


def token_range(layout: Layout, text: str, start: int, end: int) -> tuple[int, int]:
    """The tokens of a chunk's part that spell these characters, which begin at a word."""
    before = text[:start].rstrip()
    return len(layout.encode(" " + before)) if before else 0, len(layout.encode(" " + text[:end]))


def introduction(layout: Layout, chunk, part: list[int]) -> list[int]:
    """-1 for the tokens of a chunk's part that introduce what the facts are told of, 0 for the others. The end of a chunk
    goes with its last sentence."""
    out = [0] * len(part)
    for sentence, size in chunk.introduces:
        at = chunk.text.find(sentence)
        first, last = token_range(layout, chunk.text, at, at + size)
        if at + size >= len(chunk.text.rstrip()):
            last = len(part)
        out[first:last] = [-1] * (last - first)
    return out


def recall_weights(layout: Layout, chunk, part: list[int]) -> list[float]:
    out = [0.0] * len(part)
    for sentence, start, end in chunk.recalls:
        at = chunk.text.find(sentence)
        first, last = token_range(layout, chunk.text, at + start, at + end)
        out[first:last] = [RECALL_WEIGHT] * (last - first)
    return out


def hide_introductions(rng: random.Random, layout: Layout, example, parts: list[list[int]]) -> list[int]:
    """Branch numbers of the context where the questions do not see who or what is meant: only the words behind can tell,
    and only by what they saw while they were read. So the gradient reaches that reading, which is all that a cached chunk
    keeps."""
    labels = -1 if rng.random() < HIDE_LABELS else 0
    out = [0] * len(parts[0])
    for i, chunk in enumerate(example.chunks):
        out += [labels] * len(parts[1 + 2 * i]) + introduction(layout, chunk, parts[2 + 2 * i])
    return out


def long_weights(layout: Layout, answer: list[int]) -> list[float]:
    out, cites = [], False
    for piece in map(layout.sp.id_to_piece, answer):
        cites = cites or "[" in piece
        out.append(CITATION_WEIGHT if cites else LONG_WEIGHT)
        cites = cites and "]" not in piece
    return out


def text_row(rng: random.Random, layout: Layout, text: str) -> Row:
    """Plain text, to be foreseen token by token."""
    ids = [layout.sp.bos_id()] + layout.encode(" " + text)
    weights = [TEXT_WEIGHT if rng.random() < TEXT_SHARE else 0.0 for _ in ids]
    return Row(ids, list(range(len(ids))), [0] * len(ids), weights, [], [len(ids)])


def make_row(rng: random.Random, layout: Layout, example, stage: Stage, context: int) -> Row:
    if example.plain:
        return text_row(rng, layout, example.chunks[0].text)
    parts = layout.context(example.chunks)
    size = sum(map(len, parts))
    if rng.random() < stage.spread and size + 400 < context:
        places = spread_positions(rng, parts, context - size - 300)
    else:
        places = spread_positions(rng, parts, 0)
    hidden = rng.random() < stage.hidden and any(c.introduces for c in example.chunks)
    branches = hide_introductions(rng, layout, example, parts) if hidden else [0] * size
    recalls = [0.0] * len(parts[0])
    for i, chunk in enumerate(example.chunks):
        recalls += [0.0] * len(parts[1 + 2 * i]) + recall_weights(layout, chunk, parts[2 + 2 * i])
    row = Row([i for p in parts for i in p], [i for p in places for i in p], branches, recalls, [], [len(p) for p in parts])
    after = row.positions[-1] + 1
    for question in example.questions[:MAX_BRANCHES]:
        short = hidden or rng.random() < stage.short
        b = layout.branch(question, short)
        ids = b.prompt + b.answer
        if len(ids) > 160:
            continue
        row.kinds.append(question.kind + ("-far" if size > FAR else "") + ("-hidden" if hidden else "" if short else "-long"))
        row.ids += ids
        row.positions += range(after, after + len(ids))
        row.branches += [len(row.kinds)] * len(ids)
        row.answer += [0.0] * len(b.prompt)
        weight = SHORT_WEIGHT * HARDER.get(question.kind, 1.0)
        row.answer += [weight] * len(b.answer) if short else long_weights(layout, b.answer)
    return row


def draw_row(rng: random.Random, layout: Layout, stage: Stage, sources, context: int, test: bool = False) -> Row:
    """A row of an example of the stage that fits the context and asks something."""
    while True:
        part = stage.pick(rng)
        row = make_row(rng, layout, mixing.draw(rng, part, sources, test), part, context)
        if any(row.answer) and len(row.ids) <= context:
            return row
