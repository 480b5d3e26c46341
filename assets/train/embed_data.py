"""Question-passage pairs and documents for the static embedder, split by title like everything else."""
import glob
import json
import os
import random
import re

import natural
from xxh64 import is_test

SETS = {"nq": "qa/squad-format/nq_open_oracle.json", "cmrc": "qa/cmrc2018/cmrc2018_dev.json", "jaquad": "qa/jaquad/dev/*.json",
        "arcd": "qa/arcd/arcd-test.json"}
EXTRA = {"jaquad_train": "qa/jaquad/train/*.json", "arcd_train": "qa/arcd/arcd-train.json",
         "cmrc_trial": "qa/cmrc2018/cmrc2018_trial.json", "covid": "qa/squad-format/covid_qa_fixed_offsets.json",
         "qamr": "qa/squad-format/qamr_dev.json", "qamr2": "qa/squad-format/qamr_test.json"}
FOLDERS = [("corpora/**", 60_000_000), ("lm/de-novels/*", 3_000_000), ("lm/ru-novels/*", 3_000_000),
           ("lm/en-encyclopedic/wikitext-2-detok/*", 3_000_000), ("lm/en-books/*", 6_000_000)]


def questions(data: str, pattern: str, test: bool) -> list[natural.Question]:
    return [q for path in sorted(glob.glob(os.path.join(data, pattern))) for q in natural.squad_questions(path, test)]


def passages(data: str, pattern: str) -> list[str]:
    """Every distinct paragraph of a set, both sides of the split: what a search has to choose from."""
    seen = {}
    for path in sorted(glob.glob(os.path.join(data, pattern))):
        with open(path, encoding="utf-8") as f:
            for article in json.load(f)["data"]:
                for paragraph in article["paragraphs"]:
                    seen.setdefault(paragraph["context"])
    return list(seen)


def folders(data: str) -> list[list[natural.Document]]:
    """Documents by folder: a batch of neighbouring texts comes from one, so that its negatives are not trivial."""
    groups: dict[str, list[natural.Document]] = {}
    for pattern, limit in FOLDERS:
        names = sorted(glob.glob(os.path.join(data, "corpora/*"))) + sorted(glob.glob(os.path.join(
            data, "corpora/multilingual/*"))) if pattern == "corpora/**" else [None]
        for name in names:
            inner = os.path.relpath(name, data) + "/**" if name else pattern
            if not inner.startswith("corpora/multilingual/**"):
                groups[inner] = natural.documents(data, inner, limit)
    groups["wiki"] = natural.wiki_passages(data)
    return [g for g in groups.values() if sum(len(d.text) for d in g) > 100_000]


def documents(data: str) -> list[natural.Document]:
    return [d for group in folders(data) for d in group]


GROUPS = {"nq": "en", "covid": "en", "qamr": "en", "qamr2": "en", "cmrc": "zh", "cmrc_trial": "zh", "jaquad": "ja",
          "jaquad_train": "ja", "arcd": "ar", "arcd_train": "ar"}


def _shingles(text: str) -> set[str]:
    words = text.lower().split()
    return {" ".join(words[i:i + 8]) for i in range(0, max(1, len(words) - 7))}


def boolq_pairs(data: str) -> list[tuple[str, str]]:
    """BoolQ has no titles and shares articles with Natural Questions: passages that overlap one of its test passages go."""
    tested = set()
    for q in questions(data, SETS["nq"], True):
        tested |= _shingles(q.context)
    out = []
    with open(os.path.join(data, "qa/boolq-fables/boolq.jsonl"), encoding="utf-8") as f:
        for line in f:
            m = re.match(r"Passage: (.*)\nQuestion: (.*?)\n?(?:Answer:?.*)?$", json.loads(line)["query"], re.S)
            if m and not _shingles(m[1]) & tested:
                out.append((m[2].strip(), m[1].strip()))
    return out


def pubmed_pairs(data: str) -> list[tuple[str, str]]:
    """The question is the title of its article."""
    with open(os.path.join(data, "qa/pubmedqa/ori_pqal.json"), encoding="utf-8") as f:
        rows = json.load(f).values()
    return [(r["QUESTION"], " ".join(r["CONTEXTS"])) for r in rows if not is_test(r["QUESTION"])]


def training_pairs(data: str) -> dict[str, list[tuple[str, str]]]:
    """Language -> (question, passage) of the train split; QAMR's many short ones are thinned."""
    rng, out = random.Random(5), {}
    for name, pattern in {**SETS, **EXTRA}.items():
        for q in questions(data, pattern, False):
            if name.startswith("qamr") and rng.random() > 0.15:
                continue
            context = q.context
            if len(context) > 3000:                       # long papers: the part around the answer
                context = context[max(0, q.at - rng.randint(200, 1000)):q.at + 800]
            out.setdefault(GROUPS[name], []).append((q.question, context))
    out["en"] += boolq_pairs(data) + pubmed_pairs(data)
    return out


def neighbours(documents_: list[natural.Document], rng: random.Random) -> tuple[str, str]:
    """A sentence-sized piece and the passage around it without the piece, or two adjoining passages, or title and text."""
    while True:
        d = rng.choice(documents_)
        if len(d.text) < 200:
            if len(d.text) > 40 and d.title:
                return d.title, d.text
            continue
        size = rng.randint(200, min(1600, len(d.text)))
        at = rng.randint(0, len(d.text) - size)
        text = d.text[at:at + size]
        dice = rng.random()
        if dice < 0.15 and at < 2000:
            return d.title.replace("-", " ").replace("_", " "), text
        if dice < 0.4:
            half = size // 2
            return text[:half], text[half:]
        piece = rng.randint(20, min(120, size // 3))
        cut = rng.randint(0, size - piece)
        # One time in three the piece stays in its passage, so that the same words remain the best sign.
        rest = text if rng.random() < 0.33 else text[:cut] + " " + text[cut + piece:]
        return text[cut:cut + piece], rest
