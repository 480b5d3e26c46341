#!/usr/bin/env python3
"""Writes a needle-in-a-haystack grid for `mneme eval --format jsonl`: one fact among many like it, at every combination
of length (in passages of about 60 words) and depth, several of each. Deterministic by seed.

    scripts/make_needle_set.py --passages 4,8,16,32 --depths 0,0.25,0.5,0.75,1 --each 10 > needle.jsonl
    mneme eval needle.jsonl --modes full --attention pq --pq-budget 0.2 --json
"""
import argparse
import json
import random

TOWNS = "Alden Brook Carrow Dunmore Elsworth Farrow Garth Holm Inver Kirby Larch Marden Norby Orton Penrith".split()
THINGS = "bridge mill archive harbour school market chapel tower library garden station museum".split()
FACTS = [
    "The {thing} of {town} was built in {n}.",
    "Visitors to the {thing} of {town} numbered {n} last year.",
    "In {town} the {thing} has {n} windows.",
    "The keeper of the {thing} of {town} owns {n} books.",
]
FILLER = [
    "The road there runs along the river for some miles.",
    "People say the winters were harder in the old days.",
    "Most of the work was done by hand and took many years.",
    "The council meets on the first Monday of the month.",
    "Nobody remembers who planted the trees in front of it.",
]


def passage(rng, needle=None):
    sentences = [rng.choice(FILLER) for _ in range(4)]
    place = rng.choice(TOWNS)
    for _ in range(2):
        fact = rng.choice(FACTS).format(thing=rng.choice(THINGS), town=place, n=rng.randrange(100, 2000))
        sentences.insert(rng.randrange(len(sentences) + 1), fact)
    if needle:
        sentences.insert(rng.randrange(len(sentences) + 1), needle)
    return {"title": place, "text": " ".join(sentences)}


def question(rng, identity, n_passages, depth):
    code = str(rng.randrange(10000, 99999))
    town = rng.choice(TOWNS)
    needle = f"The secret code of {town} is {code}."
    at = round(depth * (n_passages - 1))
    return {
        "id": identity,
        "question": f"What is the secret code of {town}?",
        "contexts": [passage(rng, needle if i == at else None) for i in range(n_passages)],
        "answers": [code],
        "supporting": [at],
        "answerable": True,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passages", default="4,8,16,32")
    parser.add_argument("--depths", default="0,0.25,0.5,0.75,1")
    parser.add_argument("--each", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for n_passages in map(int, arguments.passages.split(",")):
        for depth in map(float, arguments.depths.split(",")):
            for i in range(arguments.each):
                identity = f"length-{n_passages}-depth-{depth:g}-{i}"
                rng = random.Random(f"{arguments.seed} {identity}")
                print(json.dumps(question(rng, identity, n_passages, depth)))


if __name__ == "__main__":
    main()
