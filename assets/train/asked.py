"""Makes natural-looking questions about natural text, once, into a file that travels with the pack; and reads it again.

    python3 asked.py --data DIR --out work/pack/asked.xz          # minutes on one core
    python3 asked.py --show 100 --out work/pack/asked.xz          # questions at random, to be judged
    python3 asked.py --figures --data DIR --out work/pack/asked.xz

Unsupervised, after Heilman and Smith 2010 (a sentence becomes a question by rules) and Lewis and others 2019 (1906.04980: questions
made from plain text teach reading, the more the less their wording repeats it). reading.py has the text; in questions/, clauses.py takes its sentences
apart, asking.py asks, rewording.py says it in other words.
"""
import argparse
import collections
import json
import lzma
import random
import re
from dataclasses import dataclass

import natural
from questions import asking
from questions import clauses
from questions import knowing
import reading
from questions import rewording
from questions.english import PRONOUNS, STOP

MOST_OF_A_SENTENCE, WORDINGS = 5, (3, 3)     # questions about one sentence; ways to put each, of facts and in stories
# How much a kind is wanted where a sentence has several to offer, and the share of all questions that a kind may take.
WANTED = {"subject": 3, "agent": 4, "time": 3, "place": 3, "number": 4, "role": 5, "plays": 5, "term": 4, "behind": 2, "object": 2, "much": 5, "long": 5, "called": 5}
STORIES = ("lm/en-books", "lm/en-novels")
FILE = "asked.xz"                      # beside the data of a run
HELD_OUT = 50
WORDS = {"who": 34, "when": 18, "what": 22, "where": 13, "which": 4, "how many": 5, "other": 4}      # as people ask
DESCRIBED = 0.3                        # of the questions about an article's later sentences: its title only described
ARTICLES = ("2wiki", "nq", "wikitext")                # whose titles say what they are about
STORY_SHARE = 0.45                     # of all questions; stories are many, and facts are what is asked for later


@dataclass
class Asked:
    kind: str
    question: str
    answer: str
    sentence: str        # a substring of the passage


@dataclass
class Passage:
    source: str
    title: str
    text: str
    asked: list[Asked]


def choose(rng: random.Random, found: list[tuple[str, str, str]], n: int) -> list[tuple[str, str, str]]:
    """A few of what can be asked about a sentence, with different answers."""
    order = sorted(found, key=lambda x: rng.random() ** (1 / WANTED.get(x[0], 2)), reverse=True)
    out: list[tuple[str, str, str]] = []
    for kind, question, answer in order:
        if len(out) < n and all(a != answer for _, _, a in out):
            out.append((kind, question, answer))
    return out


def fit(sentence: str) -> bool:
    return 30 <= len(sentence) <= 330 and sentence[0].isupper() and sentence[-1] in ".\"" and "?" not in sentence and sentence.count('"') % 2 == 0


def bare(question: str) -> str:
    """What makes two questions different: neither capitals nor a question mark."""
    return question.lower().strip("?")


def ask(rng: random.Random, passage: reading.Passage) -> list[Asked]:
    known, out = knowing.about(passage.title if passage.source in ARTICLES else "", passage.text), []
    first = next(iter(clauses.sentences(passage.text)), "")
    known.story = passage.source in STORIES
    for sentence in clauses.sentences(passage.text):
        if not fit(sentence) or sentence not in passage.text:
            continue
        plain = clauses.without_asides(sentence)
        found = asking.questions(clauses.segments(plain), sentence, known)
        for kind, question, answer in choose(rng, found, MOST_OF_A_SENTENCE):
            if known.settled and sentence != first and rng.random() < DESCRIBED:
                question = knowing.described(known, first, question) or question
            ways = [rewording.reworded(rng, kind, question, answer) for _ in range(WORDINGS[known.story])]
            out += [Asked(kind, way, answer, sentence) for way in {bare(way): way for way in ways}.values()]
    return out


def thinned(rng: random.Random, made: list[Passage]) -> list[Passage]:
    """No question twice, and stories to their share."""
    seen = collections.Counter(bare(a.question) for p in made for a in p.asked)
    for p in made:
        p.asked = [a for a in p.asked if seen[bare(a.question)] == 1]
    facts = [p for p in made if p.source not in STORIES and p.asked]
    stories = [p for p in made if p.source in STORIES and p.asked]
    share = min(1.0, STORY_SHARE / (1 - STORY_SHARE) * sum(len(p.asked) for p in facts) / max(1, sum(len(p.asked) for p in stories)))
    return facts + [p for p in stories if rng.random() < share]


def make(data: str, seed: int, limit: int) -> list[Passage]:
    made = []
    for n, passage in enumerate(reading.passages(data)):
        if n >= limit:
            break
        made.append(Passage(passage.source, passage.title, passage.text, ask(random.Random(f"{seed}-{passage.text[:200]}"), passage)))
    return thinned(random.Random(seed), made)


def write(path: str, made: list[Passage]) -> None:
    with lzma.open(path, "wt", preset=9, encoding="utf-8") as f:
        for p in made:
            rows = [[a.kind, a.question, a.answer, p.text.index(a.sentence), len(a.sentence)] for a in p.asked]
            f.write(json.dumps([p.source, p.title, p.text, rows], ensure_ascii=False) + "\n")


def read(path: str) -> list[Passage]:
    out = []
    with lzma.open(path, "rt", encoding="utf-8") as f:
        for line in f:
            source, title, text, rows = json.loads(line)
            out.append(Passage(source, title, text, [Asked(k, q, a, text[at:at + n]) for k, q, a, at, n in rows]))
    return out


def without(text: str, sentence: str) -> str:
    return re.sub(r"  +", " ", text.replace(sentence, "")).strip()


class Pool:
    """The questions for drawing: one passage of fifty is held out. Question words are drawn as often as people use them."""

    def __init__(self, made: list[Passage], held_out: bool):
        self.passages = [p for i, p in enumerate(made) if (i % HELD_OUT == 0) == held_out]
        self.by_word: dict[str, list[tuple[int, Asked]]] = {w: [] for w in WORDS}
        self.by_source: dict[str, list[int]] = {}
        for i, p in enumerate(self.passages):
            self.by_source.setdefault(p.source, []).append(i)
            for a in p.asked:
                word = word_of(a.question)
                self.by_word[word if word in WORDS else "how many" if word.startswith("how") else "other"].append((i, a))
        self.words = [w for w in WORDS if self.by_word[w]]
        self.weights = [WORDS[w] for w in self.words]

    def draw(self, rng: random.Random) -> tuple[int, Asked]:
        """A passage's number and one of its questions."""
        return rng.choice(self.by_word[rng.choices(self.words, self.weights)[0]])

    def like(self, rng: random.Random, at: int) -> int:
        """Another passage of the same source."""
        return rng.choice(self.by_source[self.passages[at].source])

    def near(self, rng: random.Random, at: int, n: int) -> list[int]:
        """Passage `at` and up to n of the same article: they stand beside it in the file."""
        title, out = self.passages[at].title, [at]
        for step in (1, -1, 2, -2, 3, -3):
            other = at + step
            if len(out) <= n and title and 0 <= other < len(self.passages) and self.passages[other].title == title:
                out.append(other)
        return out


def show(made: list[Passage], n: int, seed: int) -> None:
    rng = random.Random(seed)
    for p, a in rng.sample([(p, a) for p in made for a in p.asked], n):
        print(f"[{a.kind} {p.source[:10]}] {a.question} | {a.answer} || {p.title} :: {a.sentence}")


def content(text: str) -> set[str]:
    return {w for w in re.findall(r"\w+", text.lower()) if w not in STOP | PRONOUNS} - {"who", "what", "when", "how"}


def overlap(pairs) -> float:
    shares = [len(content(q) & content(s)) / max(1, len(content(q))) for q, s in pairs]
    return sum(shares) / max(1, len(shares))


def word_of(question: str) -> str:
    words = question.lower().split()
    if words[0] == "how":
        return " ".join(words[:2]).strip("?")
    return next((w for w in words if w in ("who", "what", "which", "when", "where", "whose", "whom", "why", "how")), "none")


def shares(counts: collections.Counter, n: int = 12) -> str:
    return ", ".join(f"{k} {v / sum(counts.values()):.3f}" for k, v in counts.most_common(n))


def figures(made: list[Passage], data: str) -> None:
    everything = [(p, a) for p in made for a in p.asked]
    print(f"{len(everything)} questions, {len({a.question.lower() for _, a in everything})} different, {len({(a.sentence, a.answer) for _, a in everything})} answers, about "
          f"{len(made)} passages")
    print("kinds:", collections.Counter(a.kind for _, a in everything).most_common())
    print("sources:", collections.Counter(p.source for p, _ in everything).most_common())
    print("question words:", shares(collections.Counter(word_of(a.question) for _, a in everything)))
    nq = natural.squad_questions(data + "/qa/squad-format/nq_open_oracle.json")
    print("of nq, train side:", shares(collections.Counter(word_of(q.question) for q in nq)))
    print(f"words of the question in the sentence: {overlap((a.question, a.sentence) for _, a in everything):.3f}; nq, train side: "
          f"{overlap((q.question, natural.sentence_at(q.context, q.at)) for q in nq):.3f}")
    words = lambda texts: sum(len(t.split()) for t in texts) / len(texts)
    print(f"words in a question: {words([a.question for _, a in everything]):.1f}, nq {words([q.question for q in nq]):.1f}; in an answer: "
          f"{words([a.answer for _, a in everything]):.1f}, nq {words([q.answer for q in nq]):.1f}")


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data")
    p.add_argument("--out", required=True)
    p.add_argument("--show", type=int, default=0)
    p.add_argument("--figures", action="store_true")
    p.add_argument("--seed", type=int, default=7)
    p.add_argument("--limit", type=int, default=1 << 40, help="passages, for a trial")
    a = p.parse_args()
    if a.show:
        show(read(a.out), a.show, a.seed)
    elif a.figures:
        figures(read(a.out), a.data)
    else:
        made = make(a.data, a.seed, a.limit)
        write(a.out, made)
        print(f"{a.out}: {sum(len(p.asked) for p in made)} questions about {len(made)} passages")


if __name__ == "__main__":
    main()
