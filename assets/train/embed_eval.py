"""Retrieval on the test split: BM25 (SQLite FTS5), the static embedder, and both by reciprocal rank fusion.

    python3 embed_eval.py --data DIR --pieces work/embed.pieces --table work/embed.npy [--gguf FILE]

A search chooses among all paragraphs of a set; the questions are those whose title is in the test split.
"""
import argparse
import json
import re
import sqlite3

import numpy as np

import embed_data
import embed_text
import gguf
from embed_train import bag

TOP, RRF_K = 50, 60
TOKENIZERS = {"nq": ["unicode61 remove_diacritics 2", "porter unicode61"], "cmrc": ["trigram"], "jaquad": ["trigram"],
              "arcd": ["unicode61 remove_diacritics 2", "trigram"]}


def fts_query(question: str, tokenizer: str) -> str:
    terms = re.findall(r"\w+", question.lower())
    if tokenizer == "trigram":
        terms = [t[i:i + 3] for t in terms for i in range(max(1, len(t) - 2))]
    return " OR ".join(f'"{t}"' for t in dict.fromkeys(terms))


def lexical(passages: list[str], questions: list[str], tokenizer: str) -> list[list[int]]:
    db = sqlite3.connect(":memory:")
    db.execute(f"CREATE VIRTUAL TABLE t USING fts5(body, tokenize='{tokenizer}')")
    db.executemany("INSERT INTO t(rowid, body) VALUES (?, ?)", enumerate(passages, 1))
    run = "SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t) LIMIT ?"
    return [[r[0] - 1 for r in db.execute(run, (fts_query(q, tokenizer), TOP))] for q in questions]


def encode(table: np.ndarray, tokenizer, texts: list[str]) -> np.ndarray:
    out = np.zeros((len(texts), table.shape[1]), np.float32)
    for i, text in enumerate(texts):
        ids, weights = bag(tokenizer(text))
        if ids:
            out[i] = np.asarray(weights, np.float32) @ table[ids]
    return out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-12)


def dense(table, tokenizer, passages, questions) -> list[list[int]]:
    scores = encode(table, tokenizer, questions) @ encode(table, tokenizer, passages).T
    return np.argsort(-scores, axis=1)[:, :TOP].tolist()


def fuse(first: list[list[int]], second: list[list[int]], weight: float = 1.0) -> list[list[int]]:
    """Reciprocal rank fusion; `weight` is the second list's."""
    out = []
    for a, b in zip(first, second):
        score: dict[int, float] = {}
        for ranks, w in ((a, 1.0), (b, weight)):
            for rank, i in enumerate(ranks):
                score[i] = score.get(i, 0.0) + w / (RRF_K + rank + 1)
        out.append(sorted(score, key=score.get, reverse=True)[:TOP])
    return out


def measure(found: list[list[int]], gold: list[int]) -> dict:
    ranks = [f.index(g) + 1 if g in f else 0 for f, g in zip(found, gold)]
    share = lambda k: round(sum(0 < r <= k for r in ranks) / len(ranks), 4)
    return {"recall@1": share(1), "recall@5": share(5), "mrr": round(sum(1 / r for r in ranks if r) / len(ranks), 4)}


def load_table(a) -> tuple[np.ndarray, embed_text.Tokenizer]:
    if not a.gguf:
        return np.load(a.table), embed_text.load(a.pieces)
    r = gguf.Reader(a.gguf)
    return r.tensor("token_embd.weight"), embed_text.Tokenizer(r.meta["tokenizer.ggml.tokens"][embed_text.BUCKETS:])


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data", required=True)
    p.add_argument("--pieces")
    p.add_argument("--table")
    p.add_argument("--gguf")
    p.add_argument("--weight", type=float, default=1.0, help="of the dense list in the fusion")
    a = p.parse_args()
    table, tokenizer = load_table(a)
    for name, pattern in embed_data.SETS.items():
        passages = embed_data.passages(a.data, pattern)
        at = {text: i for i, text in enumerate(passages)}
        asked = embed_data.questions(a.data, pattern, True)
        questions, gold = [q.question for q in asked], [at[q.context] for q in asked]
        by_bm25 = {t: lexical(passages, questions, t) for t in TOKENIZERS[name]}
        best = max(by_bm25, key=lambda t: measure(by_bm25[t], gold)["recall@5"])
        by_vector = dense(table, tokenizer, passages, questions)
        print(json.dumps({"set": name, "passages": len(passages), "questions": len(questions), "fts5": best,
                          "bm25": measure(by_bm25[best], gold), "dense": measure(by_vector, gold),
                          "hybrid": measure(fuse(by_bm25[best], by_vector, a.weight), gold)}), flush=True)


if __name__ == "__main__":
    main()
