#!/usr/bin/env python3
"""What SQLite FTS5's BM25 alone finds in a question set: recall@5 and MRR (of the first ten), each paragraph a document.

The yardstick that retrieval is compared with (docs/retrieval.md), over the questions of all titles and over those of the
test titles, which `mneme eval SET --retrieval --split test` asks. Each tokenizer of FTS5 is tried; a question is the OR
of its words but for English grammar words; where words are not parted by spaces the OR of its runs of three characters.

    tests/eval/fts5_baseline.py tests/eval/splits/nq.txt nq-open-oracle.jsonl
"""
import argparse
import json
import pathlib
import re
import sqlite3

TOKENIZERS = ["unicode61", "porter unicode61", "trigram"]
STOP_WORDS = set("""a about after all an and any are as at be been before between by can did do does for from had has have
he her his how if in into is it its of on or she that the their there these they this to was were what when where which
who whom whose why will with would you your""".split())
TOP_RECALL, TOP_RANK = 5, 10


def squad_questions(data):
    for article in data["data"]:
        for paragraph in article["paragraphs"]:
            for asked in paragraph["qas"]:
                yield asked["question"], [(article.get("title", ""), paragraph["context"])]


def line_questions(text):
    for line in text.splitlines():
        asked = json.loads(line)
        yield asked["question"], [(c["title"], c["text"]) for c in asked["ctxs"]]


def questions_of(path):
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    for file in files:
        text = file.read_text(encoding="utf-8")
        yield from line_questions(text) if file.suffix == ".jsonl" else squad_questions(json.loads(text))


def terms_of(question, tokenizer):
    if tokenizer != "trigram":
        return [word for word in re.findall(r"\w+", question) if word.lower() not in STOP_WORDS]
    runs = re.findall(r"\w+", question)
    return [run[i:i + 3] for run in runs for i in range(max(len(run) - 2, 0))]


def ranks(questions, tokenizer):
    """For each question the place, from 1, of the first of its paragraphs, or None beyond the first ten."""
    numbers = {}
    for _, paragraphs in questions:
        for paragraph in paragraphs:
            numbers.setdefault(paragraph[1], len(numbers) + 1)
    index = sqlite3.connect(":memory:")
    index.execute(f"CREATE VIRTUAL TABLE passages USING fts5(text, tokenize='{tokenizer}')")
    index.executemany("INSERT INTO passages(rowid, text) VALUES (?, ?)", [(n, t) for t, n in numbers.items()])
    for question, paragraphs in questions:
        wanted = {numbers[text] for _, text in paragraphs}
        query = " OR ".join('"%s"' % term.replace('"', '""') for term in dict.fromkeys(terms_of(question, tokenizer)))
        found = index.execute("SELECT rowid FROM passages WHERE passages MATCH ? ORDER BY rank LIMIT ?",
                              (query, TOP_RANK)).fetchall() if query else []
        yield next((place for place, (row,) in enumerate(found, 1) if row in wanted), None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("titles", type=pathlib.Path, help="test titles, one a line")
    parser.add_argument("sets", type=pathlib.Path, help="SQuAD JSON (a file or a folder) or JSON Lines")
    options = parser.parse_args()
    test_titles = set(options.titles.read_text(encoding="utf-8").split("\n"))
    questions = list(questions_of(options.sets))
    print(f"{'tokenizer':18} {'titles':6} {'questions':>9} {'recall@5':>9} {'MRR':>7}")
    for tokenizer in TOKENIZERS:
        placed = list(ranks(questions, tokenizer))
        for name, chosen in (("all", placed), ("test", [place for place, (_, paragraphs) in zip(placed, questions)
                                                        if paragraphs[0][0] in test_titles])):
            recall = sum(place is not None and place <= TOP_RECALL for place in chosen) / max(len(chosen), 1)
            mrr = sum(1 / place for place in chosen if place) / max(len(chosen), 1)
            print(f"{tokenizer:18} {name:6} {len(chosen):9} {recall:9.3f} {mrr:7.3f}")


if __name__ == "__main__":
    main()
