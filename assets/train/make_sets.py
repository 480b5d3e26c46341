"""Writes the generated test sets in the JSON Lines format of `mneme eval`.

    python3 make_sets.py --out ../../tests/eval/sets                       # the small versions in the repository
    python3 make_sets.py --out /some/where --questions 3000 --filler DIR   # the sizes that fidelity is measured on

Names and wordings are those of the test split; everything follows from --seed. Without --filler the padding comes from the
test split of the world itself (more made-up facts), so that the small sets need no outside text. hashes.json records
the xxHash64 of every file with seed and size.
"""
import argparse
import json
import os
import random

import natural
import tasks
from tasks import Chunk, Example
from xxh64 import xxh64

SETS = ("single", "twohop", "unanswerable", "needle", "crosschunk")


def stranger_chunks(rng: random.Random, n: int) -> list[Chunk]:
    """Distractors: facts about things that no question of the example is about."""
    out = []
    while len(out) < n:
        out += tasks.short_world(rng, 3, True, (1, 2), join=0.5).chunks
    return out[:n]


class Filler:
    def __init__(self, data: str | None):
        self.documents = []
        if data:
            for pattern in ("corpora/economics-textbook/**", "corpora/opentelemetry-docs/**", "corpora/rust-book/**"):
                self.documents += natural.documents(data, pattern, 2_000_000, test=True)

    def pad(self, rng: random.Random, example: Example, bytes_: int) -> None:
        """Adds about `bytes_` bytes of text that does not matter, between the documents."""
        while bytes_ > 0:
            if self.documents:
                d = rng.choice(self.documents)
                at = rng.randint(0, max(0, len(d.text) - 1500))
                pieces = [Chunk(d.title, d.text[at:at + 1500].partition(" ")[2].rpartition(" ")[0])]
            else:
                pieces = stranger_chunks(rng, 3)
            spots = [0] + [i + 1 for i in range(len(example.chunks)) if i + 1 == len(example.chunks)
                           or example.chunks[i].title != example.chunks[i + 1].title]
            at = rng.choice(spots)
            example.chunks[at:at] = pieces
            for q in example.questions:
                q.quote = [(c + len(pieces) * (c >= at), s) for c, s in q.quote]
            bytes_ -= sum(len(p.text) for p in pieces)


def draw(rng: random.Random, name: str) -> Example:
    if name == "needle":
        return tasks.needle(rng, True)
    if name == "crosschunk":
        make = rng.choice((tasks.cross_reference, tasks.cross_reference, tasks.definitions))
        return make(rng, rng.choice((2, 3)), test=True)
    return tasks.short_world(rng, rng.choice((2, 3, 4)), True, (1, 2, 2) if name == "twohop" else (1, 1, 2))


def wanted(name: str, kind: str) -> bool:
    return kind == {"single": "single", "twohop": "twohop", "needle": "single", "crosschunk": "crosschunk"}.get(name) \
        or (name == "unanswerable" and kind in ("none", "single"))


def rows(name: str, n: int, seed: int, filler: Filler, needle_bytes: int):
    """Unanswerable sets hold as many questions with an answer as without, so that precision means something."""
    rng, out, none = random.Random(f"{name}-{seed}"), [], 0
    while len(out) < n:
        example = draw(rng, name)
        if name == "needle":
            filler.pad(rng, example, needle_bytes)
        picks = [q for q in example.questions if wanted(name, q.kind)]
        rng.shuffle(picks)
        for q in picks[:1 if name == "needle" else 2]:
            if name == "unanswerable":
                if (not q.answer) != (none * 2 <= len(out)):
                    continue
                none += not q.answer
            out.append({"id": f"{name}-{len(out)}", "question": q.question,
                        "contexts": [{"title": c.title, "text": c.text} for c in example.chunks],
                        "answers": [q.answer or "not in the documents"], "supporting": sorted({c for c, _ in q.quote}),
                        "answerable": bool(q.answer)})
            if len(out) == n:
                break
    return out


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--out", required=True)
    p.add_argument("--questions", type=int, default=100)
    p.add_argument("--needle-questions", type=int, default=0, help="default: as --questions, at most 24 in small sets")
    p.add_argument("--needle-bytes", type=int, default=8000)
    p.add_argument("--seed", type=int, default=20)
    p.add_argument("--filler", help="data folder: pad needles with natural text of the test split")
    a = p.parse_args()
    os.makedirs(a.out, exist_ok=True)
    filler, hashes = Filler(a.filler), {}
    for name in SETS:
        n = (a.needle_questions or min(a.questions, 24 if a.questions <= 100 else a.questions)) \
            if name == "needle" else a.questions
        body = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows(name, n, a.seed, filler, a.needle_bytes))
        with open(os.path.join(a.out, name + ".jsonl"), "w", encoding="utf-8") as f:
            f.write(body)
        hashes[name + ".jsonl"] = {"xxh64": f"{xxh64(body.encode()):016x}", "questions": n, "seed": a.seed}
    with open(os.path.join(a.out, "hashes.json"), "w") as f:
        json.dump(hashes, f, indent=1)
        f.write("\n")
    print(json.dumps(hashes))


if __name__ == "__main__":
    main()
