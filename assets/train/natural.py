"""Natural text and questions for training: documents and question sets of the training data folder.

The folder (option --data of every script) holds corpora/, qa/ and lm/ unpacked. Only documents whose title is not in
the test split (xxh64.is_test) are ever returned, unless a caller asks for the test side to measure on it.
"""
import glob
import json
import os
import re
from dataclasses import dataclass

from xxh64 import is_test

TEXT_SUFFIXES = (".md", ".rst", ".txt")
HELD_BACK = "Time Traveller (for so"      # opens the novel of tests/eval/filler.txt, which no model is trained on


@dataclass
class Document:
    title: str
    text: str
    path: str = ""    # below the data folder


@dataclass
class Question:
    title: str
    context: str
    question: str
    answer: str       # one gold answer, a substring of the context
    at: int           # its offset in the context


def _clean(text: str) -> str:
    text = re.sub(r"<[^>\n]{1,200}>", "", text)           # HTML tags inside Markdown
    text = re.sub(r"[ \t]+\n", "\n", text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _files(data: str, pattern: str) -> list[str]:
    return [p for p in sorted(glob.glob(os.path.join(data, pattern), recursive=True)) if p.endswith(TEXT_SUFFIXES)]


def documents(data: str, pattern: str, limit_bytes: int = 1 << 40, test: bool = False) -> list[Document]:
    """Documents under data/pattern on one side of the split; the title is the file's name without its suffix."""
    out, size = [], 0
    for path in _files(data, pattern):
        title = os.path.splitext(os.path.basename(path))[0]
        if is_test(title) != test:
            continue
        with open(path, encoding="utf-8", errors="replace") as f:
            text = _clean(f.read())
        if HELD_BACK in text:
            continue
        out.append(Document(title, text, os.path.relpath(path, data)))
        size += len(text)
        if size >= limit_bytes:
            break
    return out


def wiki_passages(data: str, test: bool = False) -> list[Document]:
    with open(os.path.join(data, "qa/2wiki-passages/2wikimultihopqa_corpus.json"), encoding="utf-8") as f:
        rows = json.load(f)
    return [Document(r["title"], _clean(r["text"])) for r in rows if is_test(r["title"]) == test]


def squad_questions(path: str, test: bool = False) -> list[Question]:
    """SQuAD 1.1 questions whose first listed answer really stands at its offset, on one side of the split."""
    with open(path, encoding="utf-8") as f:
        data = json.load(f)["data"]
    out = []
    for article in data:
        for paragraph in article["paragraphs"]:
            # Sets without titles are split by the opening of their context.
            title = article.get("title") or paragraph["context"][:64]
            if is_test(title) != test:
                continue
            for qa in paragraph["qas"]:
                for answer in qa["answers"]:
                    at, text = answer["answer_start"], answer["text"]
                    if text and paragraph["context"][at:at + len(text)] == text:
                        out.append(Question(title, paragraph["context"], qa["question"], text, at))
                        break
    return out


def sentence_at(text: str, at: int) -> str:
    """The sentence of `text` that holds offset `at`: a substring, so that it can be quoted."""
    start = max((m.end() for m in re.finditer(r"(?<=[.!?])\s+(?=[A-Z\"(])|\n+", text[:at])), default=0)
    end = re.search(r"(?<=[.!?])(?=\s+[A-Z\"(]|\s*$)|\n", text[at:])
    return text[start:at + end.start() if end else len(text)].strip()
