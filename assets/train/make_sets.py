"""Writes the generated test sets: their own names and wordings, one seed each, in the JSON Lines format of `mneme eval`.

    python3 make_sets.py --out ../../tests/eval/sets                                   # the small ones in the repository
    python3 make_sets.py --out DIR --questions 3000 --only twohop crosschunk   # enough to measure fidelity

Plain sets hold short chunks of a sentence or two; reworded ones use only wordings of facts and questions that are never
trained on. In long ones the sentences stand in chunks of 50 to 300 tokens of a
novel (tests/eval/filler.txt) that no model of this project is trained on, in the 512 ones in five to seven chunks of about
512 tokens of it; the needle set hides one fact in 3,200 to 4,000
tokens of it, the grid of needles in as many as its rows say ("tokens"), from 500 on. Several questions share a context and
follow each other. hashes.json records the xxHash64 of every file with seed and size, hashes.3000.json those of the same sets with 3,000 questions: the same command must give the same bytes.
"""
import argparse
import dataclasses
import json
import os
import random

import mixing
import tasks
from tasks import Chunk, Example
from xxh64 import xxh64

HERE = os.path.dirname(os.path.abspath(__file__))
FILLER = os.path.join(HERE, "..", "..", "tests", "eval", "filler.txt")
PLAIN = ("single", "twohop", "unanswerable", "crosschunk", "single-reworded", "twohop-reworded", "crosschunk-reworded")
LONG = ("twohop-long", "crosschunk-long", "twohop-512", "crosschunk-512", "needle", "needle-grid")
GRID = (500, 1000, 2000, 3000, 3700)  # tokens around the needles of the grid, about: one context of each in turn
FULL_CHUNK = 512                # tokens of the chunks of the 512 sets, about
CHUNKS = 6                      # of a long context, at least
PER_CONTEXT = 4                 # questions at most


class Novel:
    """Filler for mixing.hide."""

    def __init__(self, path: str):
        with open(path, encoding="utf-8") as f:
            self.text = f.read()

    def filler(self, rng: random.Random, tokens: int) -> Chunk:
        size = int(tokens * mixing.BYTES_PER_TOKEN)
        at = self.text.find(" ", rng.randint(0, len(self.text) - size - 100)) + 1
        return Chunk(f"Chapter {rng.randint(1, 40)}", self.text[at:at + size].rsplit(" ", 1)[0].replace("\n\n", "\n"))


def lengthen(rng: random.Random, example: Example, novel: Novel) -> None:
    """Text around every document, then chunks of text alone until there are enough."""
    chunks = example.chunks
    for i, chunk in enumerate(chunks):
        opens, closes = i == 0 or chunks[i - 1].title != chunk.title, i + 1 == len(chunks) or chunks[i + 1].title != chunk.title
        if opens:
            chunk.text = novel.filler(rng, rng.randint(20, 120)).text + " " + chunk.text
        if closes:
            chunk.text += " " + novel.filler(rng, rng.randint(20, 120)).text
    while len(chunks) < CHUNKS:
        mixing.insert_chunk(rng, example, novel.filler(rng, rng.randint(100, 300)))


def draw(rng: random.Random, name: str, novel: Novel, tokens: int = 0) -> Example:
    """`tokens`: how long the context of a needle is to be, about; 0: as long as the model bears."""
    kind, _, form = name.partition("-")
    example = draw_short(rng, kind, form, novel, tokens)
    while form == "512" and not 5 <= len(example.chunks) <= 7:
        example = draw_short(rng, kind, form, novel)
    if form == "long":
        lengthen(rng, example, novel)
    elif form == "512":
        mixing.fill_chunks(rng, example, novel, FULL_CHUNK)
    return example


def draw_short(rng: random.Random, kind: str, form: str, novel: Novel, tokens: int = 0) -> Example:
    breadth = dataclasses.replace(tasks.PLAIN, reworded=form == "reworded")
    if kind == "needle":
        example = tasks.needle(rng, True, breadth=breadth)
        mixing.hide(rng, example, novel, tokens or rng.randint(3000, 3700))
    elif kind == "crosschunk":
        make = rng.choice((tasks.cross_reference, tasks.cross_reference, tasks.definitions))
        example = make(rng, 3, True, breadth)
    else:
        example = tasks.short_world(rng, rng.choice((2, 3, 4)), True, (1, 2, 2) if kind == "twohop" else (1, 1, 2), n_follow=0,
                                    breadth=breadth)
    return example


def wanted(name: str, kind: str) -> bool:
    base = name.partition("-")[0]
    return kind == ("single" if base == "needle" else base) or (base == "unanswerable" and kind in ("none", "single"))


def rows(name: str, n: int, seed: int, novel: Novel):
    """Unanswerable sets hold as many questions with an answer as without, so that precision means something."""
    rng, out, none, n_contexts = random.Random(f"{name}-{seed}"), [], 0, 0
    while len(out) < n:
        tokens = GRID[n_contexts % len(GRID)] if name == "needle-grid" else 0
        n_contexts += 1
        example = draw(rng, name, novel, tokens)
        picks = [q for q in example.questions if wanted(name, q.kind)]
        rng.shuffle(picks)
        for q in picks[:PER_CONTEXT]:
            if name == "unanswerable":
                if (not q.answer) != (none * 2 <= len(out)):
                    continue
                none += not q.answer
            out.append({"id": f"{name}-{len(out)}", "question": q.question,
                        "contexts": [{"title": c.title, "text": c.text} for c in example.chunks],
                        "answers": [q.answer or "not in the documents"], "supporting": sorted({c for c, _ in q.quote}),
                        "answerable": bool(q.answer), **({"tokens": tokens} if tokens else {})})
            if len(out) == n:
                break
    return out


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--out", required=True)
    p.add_argument("--questions", type=int, default=0, help="default: 200, in long sets 60, in the grid 100")
    p.add_argument("--only", nargs="+", choices=PLAIN + LONG, default=PLAIN + LONG)
    p.add_argument("--seed", type=int, default=20)
    a = p.parse_args()
    os.makedirs(a.out, exist_ok=True)
    novel, hashes = Novel(FILLER), {}
    for name in a.only:
        n = a.questions or (100 if name == "needle-grid" else 60 if name in LONG else 200)
        body = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows(name, n, a.seed, novel))
        with open(os.path.join(a.out, name + ".jsonl"), "w", encoding="utf-8") as f:
            f.write(body)
        hashes[name + ".jsonl"] = {"xxh64": f"{xxh64(body.encode()):016x}", "questions": n, "seed": a.seed}
    with open(os.path.join(a.out, "hashes.json"), "w") as f:
        json.dump(hashes, f, indent=1)
        f.write("\n")
    print(json.dumps(hashes))


if __name__ == "__main__":
    main()
