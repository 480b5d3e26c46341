"""Checks of the questions made by rules (asked.py) and of the rows drawn from them; check.py runs them."""
import os
import random
import tempfile

import asked
from questions import asking
from questions import clauses
from questions import knowing
import mixing
import reading

ARTICLE = ("Ada Lovelace", "Ada Lovelace (born 10 December 1815) was an English mathematician. She translated the memoir in 1842. "
           "She was buried in Hucknall in 1852.")
BRIDGE = ("Old Bridge", "Old Bridge is a bridge built by John Mill in 1870. It was destroyed by the River Guard in 1912. The bridge has three "
          "towers. The Council of Denby, which paid 400 workers, reopened it.")
EXPECTED = {"when was Ada Lovelace born": "10 December 1815", "what nationality was Ada Lovelace": "English",
            "when did Ada Lovelace translate the memoir": "1842", "where was Ada Lovelace buried in 1852": "Hucknall",
            "what destroyed Old Bridge in 1912": "River Guard", "who built Old Bridge in 1870": "John Mill",
            "how many workers did Council of Denby pay": "400"}


def everything(title: str, text: str) -> dict[str, str]:
    known, out = knowing.about(title, text), {}
    for sentence in clauses.sentences(text):
        out |= {q: a for _, q, a in asking.questions(clauses.segments(clauses.without_asides(sentence)), sentence, known)}
    return out


def check_rules() -> None:
    made = everything(*ARTICLE) | everything(*BRIDGE)
    for question, answer in EXPECTED.items():
        assert made.get(question) == answer, (question, made)
    assert not everything("", "He said that it was so. There were these two."), "nobody knows what is meant"


def _made(n: int) -> list[asked.Passage]:
    out = []
    for i in range(n):
        title, text = (ARTICLE, BRIDGE)[i % 2]
        text = text.replace("18", str(20 + i // 2)[:2]).replace("19", str(50 + i // 2)[:2])
        out.append(asked.Passage("2wiki", title, text, asked.ask(random.Random(i), reading.Passage("2wiki", title, text))))
    return out


def check_file() -> None:
    """The same questions every time, each answered by its sentence, and nothing lost in the file."""
    made = _made(8)
    assert made == _made(8) and all(p.asked for p in made)
    for p in made:
        assert all(a.answer in a.sentence and a.sentence in p.text for a in p.asked)
    with tempfile.TemporaryDirectory() as folder:
        asked.write(os.path.join(folder, "x"), made)
        assert asked.read(os.path.join(folder, "x")) == made


class Pooled:
    def __init__(self, made: list[asked.Passage]):
        self.asked = asked.Pool(made, False)


def check_rows() -> None:
    """An answer stands in the sentence quoted; one that is missing stands nowhere."""
    sources, rng, none = Pooled(_made(40)), random.Random(3), 0
    for n in range(400):
        example = mixing.asked_example(rng, sources, alone=0.2)
        for q in example.questions:
            for chunk, sentence in q.quote:
                assert q.answer in sentence and sentence in example.chunks[chunk].text, q
            assert q.answer and q.quote or q.kind == "none"
            none += q.kind == "none"
    assert none > 10, none


CHECKS = (check_rules, check_file, check_rows)
