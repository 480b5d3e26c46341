"""Trains the SentencePiece vocabulary of a default model.

    python3 train_tokenizer.py --data DIR --vocab 8192 --out work/mini

BPE pieces, as `llama` GGUF files need. No dummy prefix and no normalisation, so that pieces tokenised alone join
without a seam and every text decodes to itself; digits are split; unknown characters fall back to bytes.
"""
import argparse
import random

import sentencepiece as spm

import natural
import tasks

SPECIALS = ["<|system|>", "<|user|>", "<|assistant|>", "<|end|>"]
MIX = [  # (pattern, bytes)
    ("lm/en-encyclopedic/*.txt", 5_000_000), ("corpora/rust-book/**", 900_000), ("corpora/python-peps/**", 1_500_000),
    ("corpora/opentelemetry-docs/**", 1_500_000), ("corpora/recipes-en/**", 300_000), ("corpora/tldr-pages/**", 700_000),
    ("corpora/economics-textbook/**", 800_000), ("lm/en-books/**", 2_500_000), ("lm/en-novels/**", 2_500_000),
]


def lines(data: str, seed: int = 1):
    rng = random.Random(seed)
    for pattern, budget in MIX:
        files = natural.documents(data, pattern)
        rng.shuffle(files)
        for document in files:
            take = document.text[:min(len(document.text), max(4000, budget // 8))]
            yield from (line for line in take.split("\n") if line)
            budget -= len(take)
            if budget <= 0:
                break
    for passage in natural.wiki_passages(data):
        yield passage.text
    for _ in range(4000):                      # the layout's own words and the shapes of made-up names
        example = tasks.short_world(rng)
        for chunk in example.chunks:
            yield from chunk.text.split("\n")
        yield from (q.question for q in example.questions)


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data", required=True)
    p.add_argument("--vocab", type=int, default=8192)
    p.add_argument("--out", default="work/mini")
    p.add_argument("--limit", type=int, default=0, help="train on this many lines only")
    a = p.parse_args()
    text = [line for line in lines(a.data)]
    random.Random(2).shuffle(text)
    spm.SentencePieceTrainer.train(
        sentence_iterator=iter(text[:a.limit] if a.limit else text), model_prefix=a.out, vocab_size=a.vocab,
        model_type="bpe", byte_fallback=True, character_coverage=0.9995, split_digits=True, add_dummy_prefix=False,
        normalization_rule_name="identity", remove_extra_whitespaces=False, allow_whitespace_only_pieces=True,
        max_sentence_length=4192, max_sentencepiece_length=16, control_symbols=SPECIALS, unk_id=0, bos_id=1, eos_id=2,
        pad_id=-1, num_threads=2, minloglevel=1)
    print(f"{a.out}.model: {a.vocab} pieces from {len(text)} lines")


if __name__ == "__main__":
    main()
