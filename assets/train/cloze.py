"""Questions made from any factual text: a name, date or number of a sentence is asked for by the words around it.

Reading comprehension needs far more questions than people wrote for the sets at hand. Clozes teach most of it: which
passage, which sentence, where the answer begins and ends (Lewis and others 2019, 1906.04980; Ram and others 2021,
2101.00438). The words around the answer are thinned out, turned round and mostly written small, as people type.
"""
import random
import re
from dataclasses import dataclass

MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
DATE = re.compile(rf"\b(?:\d{{1,2}} (?:{MONTHS}) \d{{4}}|(?:{MONTHS}) \d{{1,2}}, \d{{4}}|(?:{MONTHS}) \d{{4}}|1[0-9]{{3}}|20[0-2]\d)\b")
NUMBER = re.compile(r"\b\d[\d,.]*\d\b|\b\d\b|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)\b")
NAME = re.compile(r"\b[A-Z][\w’'-]+(?: (?:(?:of|the|de|van|and|for) )?[A-Z][\w’'-]+){0,4}")
THING = re.compile(r"\b(?:the|a|an) [a-z]{3,}(?: [a-z]{3,}){0,2}\b")
SENTENCE = re.compile(r"[A-Z\"“(][^\n]{30,260}?[.!?](?=\s|$)")
PLACES, PRONOUNS = ("in", "at", "from", "near", "to"), ("he", "she", "it", "they", "his", "her", "its")
ASKED = {"date": ("when", "when", "what year", "in which year", "what date"), "number": ("how many", "how many", "how much"),
         "place": ("where", "where", "in which place", "which place"), "by": ("who", "by whom", "who"),
         "name": ("who", "what", "which", "what is the name of"), "thing": ("what", "what", "which")}
KINDS = ((DATE, "date", 3), (NUMBER, "number", 1), (NAME, "name", 5), (THING, "thing", 1))
DROPPED, NEAR = 0.15, 8                      # share of the words left out, words kept on each side
OPENERS = {"The", "A", "An", "In", "It", "He", "She", "They", "This", "These", "When", "As", "At", "After", "But", "And",
           "For", "On", "By", "If", "While", "There", "His", "Her", "Its", "However", "During", "Some", "Most", "Although"}


@dataclass
class Cloze:
    question: str
    answer: str
    sentence: str


def spans(sentence: str) -> list[tuple[int, int, str, int]]:
    """(from, to, kind, weight) of what may be asked for; a single word at the beginning only if it is a name for sure."""
    out = []
    for pattern, kind, weight in KINDS:
        for m in pattern.finditer(sentence):
            first = m.group().split(" ")[0]
            taken = any(m.start() < b and a < m.end() for a, b, _, _ in out)
            if not taken and not (kind == "name" and (first in OPENERS or m.start() == 0 and " " not in m.group())):
                out.append((m.start(), m.end(), kind, weight))
    return out


def thinned(rng: random.Random, words: list[str]) -> list[str]:
    return [w for w in words if rng.random() >= DROPPED]


def ask(rng: random.Random, title: str, sentence: str, start: int, end: int, kind: str) -> str:
    left, right = sentence[:start].split(), sentence[end:].rstrip(".!?\"”)").split()
    before = left[-1].lower().strip(",(") if left else ""
    if kind == "name" and before in PLACES:
        kind = "place"
    elif kind == "name" and before == "by":
        kind = "by"
    if left and left[0].lower() in PRONOUNS and re.search(r"[A-Za-z]{3}", title):
        left[0] = title
    if before in PLACES + ("by", "on", "of", "the", "a", "an") and rng.random() < 0.7:
        left = left[:-1]
    left, right = thinned(rng, left[-NEAR:]), thinned(rng, right[:NEAR])
    body = right + left if rng.random() < 0.5 else left + right
    text = " ".join([rng.choice(ASKED[kind]), *body]).replace(" ,", ",").strip(" ,;:-")
    text = re.sub(r"[,;:()\"“”]", "", text)
    if rng.random() < 0.7:
        text = text.lower()
    else:
        text = text[0].upper() + text[1:]
    return text + ("?" if rng.random() < 0.4 else "")


def clozes(rng: random.Random, title: str, text: str, n: int) -> list[Cloze]:
    """Up to `n` questions about different sentences of the text; their answers and sentences stand in it literally."""
    sentences = SENTENCE.findall(text)
    out = []
    for sentence in rng.sample(sentences, min(n, len(sentences))):
        choices = [s for s in spans(sentence) if s[1] - s[0] < len(sentence) // 2]
        if choices:
            start, end, kind, _ = rng.choices(choices, [c[3] for c in choices])[0]
            out.append(Cloze(ask(rng, title, sentence, start, end, kind), sentence[start:end], sentence))
    return out
