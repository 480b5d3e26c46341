"""Writes the static embedder as GGUF (general.architecture "mneme-static"; format in assets/models/README.md).

    python3 embed_export.py --pieces work/embed.pieces --table work/embed.npy --out ../models/mneme-embed.gguf
"""
import argparse
import json

import numpy as np

import embed_eval
import embed_text
import gguf

SAMPLES = ["Who leads team Brin?", "The bridge was built in 1876 by K. Möller.", "東大寺は奈良にある。ＡＢＣ１２３", "战国无双3是光荣开发的游戏",
           "حمزة بن عبد المطلب", "Война и мир — роман Л. Н. Толстого", "std::vector<int> v{1, 2};", "", "🙂 ?!"]


def export(pieces: list[str], table: np.ndarray, out: str) -> None:
    w = gguf.Writer()
    w.add("general.architecture", gguf.STRING, "mneme-static")
    w.add("general.name", gguf.STRING, "mneme-embed")
    w.add("general.file_type", gguf.U32, 7)
    w.add("mneme-static.version", gguf.U32, 1)
    w.add("mneme-static.embedding_length", gguf.U32, table.shape[1])
    w.add("mneme-static.bucket_count", gguf.U32, embed_text.BUCKETS)
    w.add("mneme-static.max_piece_length", gguf.U32, embed_text.MAX_PIECE)
    w.add("tokenizer.ggml.model", gguf.STRING, "mneme-greedy")
    w.add_array("tokenizer.ggml.tokens", gguf.STRING,
                [f"<bucket_{i}>" for i in range(embed_text.BUCKETS)] + pieces)
    w.tensor("token_embd.weight", table, gguf.TYPE_Q8_0)
    w.write(out)


def fixture(path: str, out: str) -> None:
    r = gguf.Reader(path)
    table = r.tensor("token_embd.weight")
    tokenizer = embed_text.Tokenizer(r.meta["tokenizer.ggml.tokens"][embed_text.BUCKETS:])
    rows = [{"text": t, "ids": tokenizer(t), "vector_head": [round(float(x), 6) for x in v[:8]]}
            for t, v in zip(SAMPLES, embed_eval.encode(table, tokenizer, SAMPLES))]
    with open(out, "w", encoding="utf-8") as f:
        json.dump(rows, f, ensure_ascii=False, indent=1)
        f.write("\n")


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("pieces", "table", "out"):
        p.add_argument("--" + name, required=True)
    p.add_argument("--fixture", help="also write reference ids and vectors for the C++ tests")
    a = p.parse_args()
    export(embed_text.load(a.pieces).pieces, np.load(a.table), a.out)
    if a.fixture:
        fixture(a.out, a.fixture)


if __name__ == "__main__":
    main()
