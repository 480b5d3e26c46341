"""Answers questions greedily with a checkpoint or a GGUF file and scores them: the trainer's own check of the bars.

    python3 evaluate.py --model work/mini.pt --vocab work/mini.model --set ../../tests/eval/sets/single.jsonl --limit 200

Sets are JSON Lines in the format of `mneme eval`. The scores are those of that command: exact match, F1 and contains
after lower-casing and dropping articles and punctuation, with citation marks removed. For unanswerable sets, precision
and recall of the `not in the documents` answer. With --long, the answers are to be sentences of the documents with the
number of their chunk: `quoted` is the share whose every marked sentence stands in the chunk it names, `quoted_right` the
share where such a sentence of a supporting chunk holds the answer too. --mode reuse fills the context's KV chunk by chunk without attention
between chunks (labels and question see everything), which tells how much a set depends on what fusion repairs.
"""
import os

for _key in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_key, "1")
os.environ.setdefault("OPENBLAS_CORETYPE", "SkylakeX")

import argparse
import collections
import json
import re
import string

import torch

from layout import Layout
from loading import load_model
from tasks import Chunk, Question


def normalise(text: str) -> list[str]:
    text = re.sub(r"\[\d+\]", " ", text.lower())
    text = "".join(" " if c in string.punctuation else c for c in text)
    return [w for w in text.split() if w not in ("a", "an", "the")]


def scores(guess: str, answers: list[str]) -> tuple[float, float, float]:
    """(exact match, F1, contains), each the best over the gold answers."""
    g, best = normalise(guess), (0.0, 0.0, 0.0)
    for answer in answers:
        a = normalise(answer)
        common = sum((collections.Counter(g) & collections.Counter(a)).values())
        f1 = 2 * common / (len(g) + len(a)) if g and a and common else 0.0
        best = tuple(map(max, best, (float(g == a), f1, float(" ".join(a) in " ".join(g)))))
    return best


def quotes(row: dict, guess: str) -> tuple[bool, bool]:
    """Whether every sentence with a mark stands in the chunk it names, and whether one of them holds the answer."""
    marked = [(text.strip(), int(n) - 1) for text, n in re.findall(r"(.*?)\[(\d+)\]", guess, re.DOTALL)]
    chunks = row["contexts"]
    faithful = bool(marked) and all(text and n < len(chunks) and text in chunks[n]["text"] for text, n in marked)
    supporting = row.get("supporting", range(len(chunks)))
    right = any(n in supporting and scores(text, row["answers"])[2] for text, n in marked)
    return faithful, faithful and right


def reuse_branches(parts: list[list[int]]) -> list[int]:
    """Branch ids that keep chunks from seeing each other: odd parts are labels (they see everything), even ones chunks."""
    return [0 if i == 0 or i % 2 else i for i, part in enumerate(parts) for _ in part]


def reuse_mask(parts: list[list[int]], n: int) -> torch.Tensor:
    """Chunk tokens see the prefix and their own chunk; every other token sees all that came before it."""
    owner = torch.zeros(n, dtype=torch.long)
    prefix = torch.zeros(n, dtype=torch.bool)
    prefix[:len(parts[0])] = True
    flat = torch.tensor(reuse_branches(parts))
    owner[:len(flat)] = flat
    seen = (owner[:, None] == 0) | prefix[None] | (owner[None] == owner[:, None])
    return torch.zeros(1, 1, n, n).masked_fill_(~(seen & torch.ones(n, n, dtype=torch.bool).tril()), -1e9)


class Session:
    """Greedy decoding with a KV cache; one context, one question."""

    def __init__(self, model):
        self.model, self.c = model, model.c

    @torch.no_grad()
    def rows(self, ids: list[int], start: int, cache: list | None, mask: torch.Tensor):
        """Runs rows at positions start.. behind `cache`; returns hidden rows and the new cache."""
        from model import rotate
        import torch.nn.functional as F
        m, c, n = self.model, self.c, len(ids)
        x = m.embed(torch.tensor([ids]))
        angle = (torch.arange(start, start + n)[None, :, None].float() * m.freq)[:, None]
        cos, sin, out = angle.cos(), angle.sin(), []
        for i, b in enumerate(m.blocks):
            rows = b.qkv(b.norm1(x)).view(1, n, c.heads + 2 * c.kv_heads, c.head_dim).transpose(1, 2)
            turned = rotate(rows[:, :c.heads + c.kv_heads], cos, sin)
            k, v = turned[:, c.heads:], rows[:, c.heads + c.kv_heads:]
            if cache is not None:
                k, v = torch.cat((cache[i][0], k), 2), torch.cat((cache[i][1], v), 2)
            out.append((k, v))
            group = c.heads // c.kv_heads
            scores_ = turned[:, :c.heads] @ k.repeat_interleave(group, 1).transpose(-1, -2) * c.head_dim ** -0.5 + mask
            mixed = torch.softmax(scores_, -1) @ v.repeat_interleave(group, 1)
            x = x + b.out(mixed.transpose(1, 2).reshape(1, n, -1))
            gate, up = b.gate_up(b.norm2(x)).chunk(2, -1)
            x = x + b.down(F.silu(gate) * up)
        return m.norm(x), out

    def answer(self, parts: list[list[int]], prompt: list[int], end: int, limit: int, mode: str,
               expected: list[int] = ()) -> list[int]:
        """Greedy. Where every token of `expected` is the likeliest one, one pass is enough to know that it is the answer."""
        ids = sum(parts, []) + prompt + list(expected)
        size, n = len(ids), len(ids) - len(expected)
        mask = reuse_mask(parts, size) if mode == "reuse" else torch.full((size, size), -1e9).triu(1)
        hidden, cache = self.rows(ids, 0, None, mask)
        if expected:
            if self.model.logits(hidden[0, n - 1:]).argmax(-1).tolist() == [*expected, end]:
                return list(expected)
            hidden, cache = hidden[:, :n], [(k[:, :, :n], v[:, :, :n]) for k, v in cache]
        out = []
        while len(out) < limit:
            token = int(self.model.logits(hidden[0, -1]).argmax())
            if token == end:
                break
            out.append(token)
            hidden, cache = self.rows([token], n + len(out) - 1, cache, torch.zeros(1))
        return out


def run(model, layout: Layout, rows: list[dict], mode: str, long: bool = False):
    """Yields (row, answer text) for every question."""
    session = Session(model)
    for row in rows:
        parts = layout.context([Chunk(c["title"], c["text"]) for c in row["contexts"]])
        branch = layout.branch(Question(row["question"], "", [], "", [tuple(h) for h in row.get("history", [])]), not long)
        expected = [] if long else layout.encode(" " + row["answers"][0])
        ids = session.answer(parts, branch.prompt, layout.end, 160 if long else 40, mode, expected)
        yield row, layout.sp.decode(ids).strip()


def summary(results: list[tuple[dict, str]], refusal: str, long: bool = False) -> dict:
    total = collections.Counter()
    for row, guess in results:
        refused = normalise(guess) == normalise(refusal)
        answerable = row.get("answerable", True)
        total["refused"] += refused
        total["unanswerable"] += not answerable
        total["rightly_refused"] += refused and not answerable
        if answerable:
            for key, value in zip(("em", "f1", "contains"), scores(guess, row["answers"])):
                total[key] += value
            for key, value in zip(("quoted", "quoted_right"), quotes(row, guess)):
                total[key] += value
    n = len(results) - total["unanswerable"]
    out = {"questions": len(results), **{k: round(total[k] / n, 4) if n else None for k in ("em", "f1", "contains")}}
    if long and n:
        out |= {k: round(total[k] / n, 4) for k in ("quoted", "quoted_right")}
    if total["unanswerable"]:
        out["refusal_recall"] = round(total["rightly_refused"] / total["unanswerable"], 4)
        out["refusal_precision"] = round(total["rightly_refused"] / max(1, total["refused"]), 4)
    return out


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--model", required=True, help="checkpoint (.pt) or GGUF file")
    p.add_argument("--vocab", required=True)
    p.add_argument("--set", required=True, nargs="+")
    p.add_argument("--limit", type=int, default=0)
    p.add_argument("--mode", default="full", choices=("full", "reuse"))
    p.add_argument("--long", action="store_true", help="long answers (printed with --show)")
    p.add_argument("--show", type=int, default=0, help="print this many questions with their answers")
    a = p.parse_args()
    torch.set_num_threads(1)
    model, layout = load_model(a.model), Layout(a.vocab)
    for path in a.set:
        with open(path, encoding="utf-8") as f:
            rows = [json.loads(line) for line in f][:a.limit or None]
        results = list(run(model, layout, rows, a.mode, a.long))
        for row, guess in results[:a.show]:
            print(f"  {row['question']} -> {guess!r} (gold {row['answers']})")
        refusal = layout.text["no_answer" if a.long else "no_answer_short"]
        print(json.dumps({"set": os.path.basename(path), "mode": a.mode, **summary(results, refusal, a.long)}), flush=True)


if __name__ == "__main__":
    main()
