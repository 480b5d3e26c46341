"""Reference outputs of a GGUF model for the C++ tests: perplexity of a text, and greedy answers to fixed prompts.

    python3 make_fixtures.py --model ../models/mneme-mini.gguf --vocab work/mini.model --text ../../tests/data/reference.txt \
        --set ../../tests/eval/sets/single.jsonl --out ../../tests/data/mneme-mini.reference.json

Everything is computed in float32 on the dequantised weights. Only answers whose every token leads the runner-up by at
least --margin (in logits) are kept, so that a program with quantised activations must agree with them.
"""
import argparse
import json
import math

import torch
import torch.nn.functional as F

from evaluate import Session
from layout import Layout
from loading import load_model
from model import plain
from tasks import Chunk, Question


def perplexity(model, layout: Layout, text: str, window: int) -> dict:
    """As `mneme perplexity`: disjoint windows of `window` tokens, BOS before each, every token of a window scored."""
    ids, total = layout.encode(text), 0.0
    for at in range(0, len(ids), window):
        rows = torch.tensor([[layout.sp.bos_id()] + ids[at:at + window]])
        with torch.no_grad():
            logits = model.logits(model(*plain(rows)))[0, :-1].float()
        total += F.cross_entropy(logits, rows[0, 1:], reduction="sum").item()
    return {"window": window, "tokens": len(ids), "nll": round(total / len(ids), 6),
            "perplexity": round(math.exp(total / len(ids)), 5)}


def forced_margin(model, prompt: list[int], answer: list[int]) -> float:
    """The least lead of a greedy token over the runner-up along the answer."""
    ids = torch.tensor([prompt + answer])
    with torch.no_grad():
        logits = model.logits(model(*plain(ids)))[0, len(prompt) - 1:-1].float()
    top = logits.topk(2).values
    return (top[:, 0] - top[:, 1]).min().item()


def prompts(model, layout: Layout, rows: list[dict], n: int, margin: float) -> list[dict]:
    session, out = Session(model), []
    for row in rows:
        parts = layout.context([Chunk(c["title"], c["text"]) for c in row["contexts"]])
        for short in (True, False):
            branch = layout.branch(Question(row["question"], "", [], ""), short)
            ids = session.answer(parts, branch.prompt, layout.end, 60, "full")
            prompt = sum(parts, []) + branch.prompt
            lead = forced_margin(model, prompt, ids + [layout.end])
            if len(ids) < 60 and lead >= margin:
                out.append({"question": row["question"], "contexts": row["contexts"], "short": short,
                            "prompt_ids": prompt, "answer_ids": ids, "answer": layout.sp.decode(ids),
                            "gold": row["answers"], "margin": round(lead, 3)})
        if len(out) >= n:
            break
    return out[:n]


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("model", "vocab", "text", "set", "out"):
        p.add_argument("--" + name, required=True)
    p.add_argument("--window", type=int, default=512)
    p.add_argument("--prompts", type=int, default=8)
    p.add_argument("--margin", type=float, default=1.0)
    a = p.parse_args()
    torch.set_num_threads(1)
    model, layout = load_model(a.model), Layout(a.vocab)
    with open(a.text, encoding="utf-8") as f:
        text = f.read()
    with open(a.set, encoding="utf-8") as f:
        rows = [json.loads(line) for line in f]
    tokenised = [{"text": t, "ids": layout.encode(t)} for t in
                 ("Question: Who leads team Brin?\n", "", " ", "\n\n", "  two  spaces", "naïve café — 3.14 €",
                  "日本語 and العربية", "for (int i = 0; i < 10; ++i) {\n    run(i);\n}", "\tTab, 2026-11-20 <|end|>")]
    out = {"perplexity": perplexity(model, layout, text, a.window), "prompts": prompts(model, layout, rows, a.prompts,
                                                                                       a.margin), "tokenise": tokenised}
    with open(a.out, "w", encoding="utf-8") as f:
        json.dump(out, f, ensure_ascii=False, indent=1)
        f.write("\n")
    print(a.out, out["perplexity"]["perplexity"], len(out["prompts"]), "prompts")


if __name__ == "__main__":
    main()
