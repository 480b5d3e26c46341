"""Chooses the static embedder's pieces: a SentencePiece unigram vocabulary over folded multilingual text.

    python3 embed_vocab.py --data DIR --pieces 60000 --out work/embed.pieces
"""
import argparse
import random

import sentencepiece as spm

import embed_data
import embed_text


def lines(data: str):
    rng = random.Random(3)
    for question, passage in sum(embed_data.training_pairs(data).values(), []):
        yield " ".join(embed_text.words(question))
        if rng.random() < 0.4:
            yield " ".join(embed_text.words(passage))
    for d in embed_data.documents(data):
        for part in d.text[:60_000].split("\n\n"):
            if len(part) > 20 and rng.random() < 0.35:
                yield " ".join(embed_text.words(part[:1000]))


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data", required=True)
    p.add_argument("--pieces", type=int, default=60000)
    p.add_argument("--out", default="work/embed.pieces")
    a = p.parse_args()
    text = [line for line in lines(a.data) if line]
    print(len(text), "lines", sum(map(len, text)) / 1e6, "M characters")
    spm.SentencePieceTrainer.train(
        sentence_iterator=iter(text), model_prefix=a.out, vocab_size=a.pieces + 3, model_type="unigram",
        character_coverage=0.9998, normalization_rule_name="identity", max_sentencepiece_length=embed_text.MAX_PIECE,
        split_digits=False, byte_fallback=False, num_threads=1, minloglevel=1, hard_vocab_limit=False, max_sentence_length=8192)
    sp = spm.SentencePieceProcessor(model_file=a.out + ".model")
    pieces = [sp.id_to_piece(i) for i in range(sp.get_piece_size()) if not (sp.is_control(i) or sp.is_unknown(i))]
    embed_text.save(a.out, [p for p in pieces if p != embed_text.SPACE])
    print(len(pieces), "pieces")


if __name__ == "__main__":
    main()
