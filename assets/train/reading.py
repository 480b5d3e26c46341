"""Passages of natural text that questions are made about, one side of the split, from every English source of the data folder."""
import json
import os
import re
from dataclasses import dataclass

import natural
from questions.clauses import sentences
from xxh64 import is_test

# Folders of documents, and the bytes of each that are read. The world-factbook stays unseen.
DOCUMENTS = {"corpora/economics-textbook/**": 4_000_000, "corpora/multilingual/en/**": 1_500_000, "corpora/opentelemetry-docs/**": 3_000_000,
             "corpora/rust-book/**": 1_500_000, "corpora/python-peps/**": 5_000_000, "lm/en-books/**": 80_000_000, "lm/en-novels/**": 50_000_000}
SHORTEST, ENOUGH, LONGEST = 180, 500, 900                  # characters of a passage


@dataclass
class Passage:
    source: str
    title: str
    text: str


def tidy(text: str) -> str:
    """The spaces that some sets have around brackets, hyphens and quotation marks, put right."""
    text = re.sub(r"\( ", "(", text)
    text = re.sub(r"(?<=\w)\((?=[a-zA-Z0-9])", " (", text)
    text = re.sub(r" \)", ")", text)
    text = re.sub(r"(?<=[A-Za-z])- (?=[a-zA-Z])(?!- and |- or )", "-", text)
    text = re.sub(r"(?<=[a-z])\" (?=[A-Z])", " \"", text)
    text = re.sub(r"\" ([^\"]{1,60}) \"", r'"\1"', text)
    text = text.replace("“", '"').replace("”", '"').replace("’", "'")
    text = re.sub(r"\s*--+\s*", " – ", text)
    text = re.sub(r"[_*`#]|\[\d+\]", "", text)
    return re.sub(r"[ \t]+", " ", text).strip()


def grouped(source: str, title: str, text: str, shortest: int = SHORTEST) -> list[Passage]:
    """Consecutive sentences of a paragraph, up to a passage's length."""
    out, group = [], ""
    for paragraph in re.split(r"\n\s*\n", text):
        joint = "\n" if group else ""
        for s in sentences(tidy(re.sub(r"\s*\n\s*", " ", paragraph))):
            if group and len(group) + len(s) > LONGEST:
                out.append(group)
                group, joint = "", ""
            group, joint = group + joint + s, " "
        if len(group) > ENOUGH:
            out.append(group)
            group = ""
    out.append(group)
    return [Passage(source, title, p) for p in out if shortest <= len(p) <= LONGEST + 400 and "<unk>" not in p]


def letters(text: str) -> str:
    return re.sub(r"\W+", "", text.lower())


def wikitext(data: str):
    """Articles of both files; their titles stand marked in the raw form only."""
    for name in ("test.txt", "valid.txt"):
        folder = os.path.join(data, "lm/en-encyclopedic")
        with open(os.path.join(folder, "wikitext-2", name), encoding="utf-8") as f:
            titles = [m.group(1) for line in f if (m := re.match(r"^ = ([^=].*[^=]) = $", line.rstrip("\n")))]
        with open(os.path.join(folder, "wikitext-2-detok", name), encoding="utf-8") as f:
            title, names = "", {letters(t) for t in titles}
            for line in f:
                if letters(line) in names:
                    title = line.strip()
                    named = "<unk>" not in title
                elif title and named and not is_test(title):
                    yield from grouped("wikitext", title, re.sub(r" ?<unk>(?: <unk>)*", " Unk", line))


class Guard:
    """Knows passages that hold something of the test side of the natural questions, from sets without titles."""

    def __init__(self, data: str):
        held_back = natural.squad_questions(os.path.join(data, "qa/squad-format/nq_open_oracle.json"), test=True)
        self.openings = {letters(re.sub(r"\s*\([^)]*\)$", "", q.title)) for q in held_back}
        self.sentences = {letters(s) for q in held_back for s in sentences(tidy(q.context)) if len(s) > 40}

    def free(self, text: str) -> bool:
        head = text[:80].split(" ")
        names = {letters(" ".join(head[a:n])) for a in (0, 1) for n in range(a + 1, 9)}
        return not names & self.openings and not any(letters(s) in self.sentences for s in sentences(text))


BRACKETS = {"-LRB-": "(", "-RRB-": ")", "``": '"', "''": '"'}


def news_and_articles(data: str, guard: Guard):
    """The sentences of QAMR; those of one article stand together, as they are single ones of it. Their ids are their titles."""
    articles: dict[str, list[str]] = {}
    with open(os.path.join(data, "qa/qamr/wiki-sentences.tsv"), encoding="utf-8") as f:
        for line in f:
            name, words = line.rstrip("\n").split("\t")
            text = " ".join(BRACKETS.get(w, w) for w in words.split(" "))
            text = re.sub(r" (?=[.,;:?!%)]|'s\b|n't\b|'(?:re|ve|ll|d)\b)|(?<=[($]) ", "", text)
            articles.setdefault(":".join(name.split(":")[1:3]), []).append(text)
    for title, group in articles.items():
        on_test_side = is_test(title) or is_test(f"Wiki1k:{title}")
        if not on_test_side and all(guard.free(sentence) for sentence in group):
            yield from grouped("qamr", "", "\n\n".join(group), shortest=60)


def question_sets(data: str):
    guard, squad = Guard(data), os.path.join(data, "qa/squad-format")
    for title, context in {(q.title, q.context) for q in natural.squad_questions(os.path.join(squad, "nq_open_oracle.json"))}:
        yield from grouped("nq", title, context)
    with open(os.path.join(data, "qa/boolq-fables/boolq.jsonl"), encoding="utf-8") as f:
        contexts = {json.loads(line)["query"].split("\nQuestion:")[0].removeprefix("Passage: ") for line in f}
    for context in contexts:
        text = context.replace("``", '"').replace("''", '"')
        if not is_test(context[:64]) and guard.free(tidy(text)):
            yield from grouped("boolq", "", text)
    with open(os.path.join(data, "qa/pubmedqa/ori_pqal.json"), encoding="utf-8") as f:
        for row in json.load(f).values():
            text = " ".join(row["CONTEXTS"])
            if not is_test(row["QUESTION"]) and guard.free(tidy(text)):
                yield from grouped("pubmedqa", "", text)
    yield from news_and_articles(data, guard)
    for title, context in {(q.title, q.context) for q in natural.squad_questions(os.path.join(squad, "covid_qa_fixed_offsets.json"))}:
        yield from grouped("covid-qa", context.split("\n")[0][:80], context)


def passages(data: str, budgets: dict = DOCUMENTS):
    """Every passage of the train side, in an order that does not change."""
    for d in natural.wiki_passages(data):
        text = tidy(d.text)
        if len(text) <= LONGEST:
            yield Passage("2wiki", d.title, text)
        else:
            yield from grouped("2wiki", d.title, text)
    yield from sorted(question_sets(data), key=lambda p: (p.source, p.title, p.text))
    yield from wikitext(data)
    for pattern, budget in budgets.items():
        for document in natural.documents(data, pattern, budget):
            source = "/".join(pattern.split("/")[:2])
            yield from grouped(source, document.title.replace("__", ": ").replace("_", " "), document.text)
