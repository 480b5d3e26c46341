"""The task generator: made-up documents with questions, answers, and the chunks each answer needs.

Every function returns an Example: chunks in their order, and questions about them. Names never repeat (names.py), wordings
of the test split are its own (relations.py), and all of it follows from the random generator that is passed in.
"""
import random
from dataclasses import dataclass, field

from names import Namer
from relations import (ASIDES, BY_SUBJECT, COLOURS, CROPS, ITEMS, JOBS, KINDS, LEADS, PRONOUN, QUESTION_LEADS,
                       QUESTION_TAILS, REFER, RELATIONS, TAILS, TEST_LEADS, TEST_QUESTION_LEADS, THINGS, Relation, pick)


@dataclass
class Chunk:
    title: str
    text: str
    # What its facts are told of: (sentence, so many characters from its start). Read, but hidden from some rows' questions.
    introduces: list[tuple[str, int]] = field(default_factory=list)
    # Names said again after a reference, to be recalled there: (sentence, from, to).
    recalls: list[tuple[str, int, int]] = field(default_factory=list)
    # Sentences that other text may stand before, beside the first one (mixing.fill_chunks).
    breaks: list[str] = field(default_factory=list)


@dataclass
class Question:
    question: str
    answer: str                      # short form; empty when the documents do not hold it
    quote: list[tuple[int, str]]     # the long answer: (chunk, sentence taken from it), in the order of reasoning
    kind: str                        # single, twohop, threehop, crosschunk, table, record, needle, natural, cloze, none
    history: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Example:
    chunks: list[Chunk]
    questions: list[Question]
    plain: bool = False              # text to be foreseen, without the prompt's layout and questions


@dataclass
class Fact:
    subject: str
    relation: Relation
    object: str


SENTENCE_STARTS = {"The", "In", "By", "People", "Order", "Visitors", "There", "An", "At", "Badge", "Use", "A"}


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


ALL_WORDINGS = 99       # so many wordings, and words around them that say nothing
PADDED = 0.3            # share of the statements with those, half of it of the questions


def padded(rng: random.Random, wording: str) -> str:
    """The wording, sometimes with words behind its subject or at its end that say nothing."""
    dice = rng.random()
    if dice < PADDED / 2 and wording.startswith("{s} "):
        return "{s}" + rng.choice(ASIDES) + wording[3:]
    if PADDED / 2 <= dice < PADDED:
        return wording.removesuffix(".") + rng.choice(TAILS) + "."
    return wording


@dataclass(frozen=True)
class Breadth:
    """How much of the language is in use: the first `relations` of the list, so many wordings of each; or, for the hardest
    test, the wordings that are never trained on."""
    relations: int = 99
    wordings: int = 99
    reworded: bool = False


# What the default model speaks, and the test sets with it: a small model on a CPU does not get further.
PLAIN = Breadth(18, 3)


class World:
    """Entities and facts of one example."""

    def __init__(self, rng: random.Random, test: bool = False, breadth: Breadth = Breadth()):
        self.rng, self.test, self.names, self.breadth = rng, test, Namer(rng, test), breadth
        allowed = RELATIONS[:breadth.relations]
        self.by_subject = BY_SUBJECT if len(allowed) == len(RELATIONS) else {
            kind: [r for r in allowed if r.subject == kind] for kind in KINDS if any(r.subject == kind for r in allowed)}
        self.known: dict[tuple[str, str], Fact] = {}

    def entity(self, kind: str) -> str:
        n = self.names
        if kind == "person":
            return n.person()
        if kind == "town":
            return n.town()
        if kind == "company":
            return n.company()
        if kind == "country":
            return n.word()
        if kind == "device":
            return "the " + n.device()
        if kind == "building":
            return f"the {n.word()} {self.rng.choice(THINGS)}"
        return f"{'the ' if kind in ('ship', 'book') else ''}{kind} {n.word()}"

    def value(self, kind: str) -> str:
        r = self.rng
        if kind in KINDS:
            return self.entity(kind)
        if kind == "year":
            return str(r.randint(1500, 2035))
        if kind == "number":
            return str(r.randint(10, 10 ** r.choice((2, 3, 4, 5))))
        if kind == "code":
            return self.names.code()
        return r.choice({"job": JOBS, "colour": COLOURS, "crop": CROPS, "item": ITEMS}[kind])

    def fact(self, subject: str, relation: Relation) -> Fact:
        key = (subject, relation.noun)
        if key not in self.known:
            self.known[key] = Fact(subject, relation, self.value(relation.object))
        return self.known[key]

    def chain(self, length: int, kind: str = "") -> list[Fact]:
        """Facts whose objects are the next one's subjects."""
        kind = kind or self.rng.choice(sorted(self.by_subject))
        subject, out = self.entity(kind), []
        for left in range(length - 1, -1, -1):
            options = [r for r in self.by_subject[kind] if not left or r.object in self.by_subject]
            if not options:                                     # a narrow world may have no way on
                options, left = self.by_subject[kind], 0
            relation = self.rng.choice(options)
            out.append(self.fact(subject, relation))
            subject, kind = out[-1].object, relation.object
            if not left:
                break
        return out

    def chain_like(self, chain: list[Fact]) -> list[Fact]:
        """The same relations from another beginning: a rival that only its names tell from the first."""
        subject, out = self.entity(chain[0].relation.subject), []
        for f in chain:
            out.append(self.fact(subject, f.relation))
            subject = out[-1].object
        return out

    def statement(self, f: Fact, subject: str = "") -> str:
        text = pick(self.rng, f.relation.statements, self.breadth.reworded, self.breadth.wordings)
        if self.breadth.wordings >= ALL_WORDINGS and not self.test:
            text = padded(self.rng, text)
        text = text.format(s=subject or f.subject, o=f.object)
        lead = "" if subject or self.breadth.wordings < 3 else self.rng.choice(TEST_LEADS if self.test else LEADS)
        if lead and text.split(" ")[0] in SENTENCE_STARTS:
            text = text[0].lower() + text[1:]
        return capital(lead + text)

    def question(self, chain: list[Fact], subject: str = "") -> str:
        noun = subject or chain[0].subject
        for f in chain[:-1]:
            noun = f.relation.noun.format(s=noun)
        text = capital(pick(self.rng, chain[-1].relation.questions, self.breadth.reworded, self.breadth.wordings).format(s=noun))
        if self.breadth.wordings < 3:
            return text
        if not self.test and self.rng.random() < 0.1:              # as people type into a search box
            return text[0].lower() + text[1:].rstrip("?")
        if self.breadth.wordings >= ALL_WORDINGS and not self.test and text.endswith("?") and self.rng.random() < PADDED / 2:
            text = text[:-1] + self.rng.choice(QUESTION_TAILS) + "?"
        lead = self.rng.choice(TEST_QUESTION_LEADS if self.test else QUESTION_LEADS)
        return lead + (text[0].lower() + text[1:] if lead else text)

    def title(self) -> str:
        r, w = self.rng, self.names.word()
        return r.choice([w, f"{w} notes", f"Report {r.randint(1, 99)}", f"{w.lower()}.md", f"About {w}",
                         f"Page {r.randint(1, 400)}", f"{w} and its people", f"notes-{r.randint(1, 99)}.txt"])


@dataclass
class Line:
    """One sentence waiting to be placed: `group` keeps sentences of one document together and in order."""
    text: str
    group: int
    fact: Fact | None = None
    new_chunk: bool = False
    introduces: int = 0             # so many characters from its start: see Chunk
    recalls: tuple[int, int] = (0, 0)   # these characters: see Chunk


def plural_kinds(n: int) -> str:
    return {1: "single", 2: "twohop"}.get(n, "threehop")


def assemble(world: World, lines: list[Line], join: float) -> tuple[list[Chunk], dict[int, int]]:
    """Shuffles groups, joins neighbouring sentences into chunks; returns chunks and line index -> chunk index."""
    r = world.rng
    groups: dict[int, list[int]] = {}
    for i, line in enumerate(lines):
        groups.setdefault(line.group, []).append(i)
    order = list(groups)
    r.shuffle(order)
    chunks: list[Chunk] = []
    at: dict[int, int] = {}
    for g in order:
        title = world.title()
        for n, i in enumerate(groups[g]):
            fresh = lines[i].new_chunk if len(groups[g]) > 1 else r.random() >= join
            if n == 0 and len(groups[g]) > 1:
                fresh = True
            if chunks and not fresh:
                chunks[-1].text += (" " if r.random() < 0.92 else "\n") + lines[i].text
            else:
                chunks.append(Chunk(title, lines[i].text))
            if lines[i].introduces:
                chunks[-1].introduces.append((lines[i].text, lines[i].introduces))
            if lines[i].recalls[1]:
                chunks[-1].recalls.append((lines[i].text, *lines[i].recalls))
            at[i] = len(chunks) - 1
    return chunks, at


def missing(world: World, chains: list[list[Fact]], rivals: float = 0.0) -> Question:
    """A question these documents do not answer: an unknown name, or a known name with a fact that is not there. `rivals`:
    share of those that ask for what is told of somebody else."""
    r = world.rng
    while True:
        rival = rivals > 0 and r.random() < rivals
        if r.random() < 0.5:
            other = _stranger(world)
            question = world.question(other.chain_like([r.choice(r.choice(chains))]) if rival else other.chain(1))
        else:
            f = r.choice(r.choice(chains))
            kind, subject = (f.relation.subject, f.subject)
            if r.random() < 0.4 and f.relation.object in KINDS:
                kind, subject = f.relation.object, f.object
            open_relations = [x for x in world.by_subject.get(kind, ()) if (subject, x.noun) not in world.known]
            if rival:
                told = {noun for _, noun in world.known}
                open_relations = [x for x in open_relations if x.noun in told]
            if not open_relations:
                continue
            question = world.question([Fact(subject, r.choice(open_relations), "")])
        return Question(question, "", [], "none")


def _stranger(world: World) -> World:
    """The same names in use, but facts of its own: for questions about somebody who is not there."""
    other = World(world.rng, world.test, world.breadth)
    other.names = world.names
    return other


def ask(world: World, chain: list[Fact], where: dict[int, int], spot: dict[int, int],
        lines: list[Line]) -> Question:
    quote = [(where[spot[id(f)]], lines[spot[id(f)]].text) for f in chain]
    return Question(world.question(chain), chain[-1].object, quote, plural_kinds(len(chain)))


def subject_end(text: str, f: Fact) -> int:
    """Characters up to the end of the subject's name, if what is said of it follows; else 0."""
    at = text.lower().find(f.subject.lower())
    end = at + len(f.subject)
    return end if at >= 0 and text.find(f.object, end) >= 0 else 0


def short_world(rng: random.Random, n_chains: int = 3, test: bool = False, lengths=(1, 1, 2, 2, 3), extras: float = 0.4,
                join: float = 0.3, n_none: float = 0.6, n_follow: float = 0.3, breadth: Breadth = Breadth(),
                rivals: float = 0.0) -> Example:
    """Chains of one to three facts, scattered over chunks in any order, with single, chained and missing questions.
    `rivals`: share of the chains that have the relations of another one."""
    world = World(rng, test, breadth)
    chains: list[list[Fact]] = []
    for _ in range(n_chains):
        rival = rivals > 0 and chains and rng.random() < rivals
        chains.append(world.chain_like(rng.choice(chains)) if rival else world.chain(rng.choice(lengths)))
    for chain in list(chains):
        for f in chain:                                   # more facts about the same things: the relation must be read
            if rng.random() < extras:
                extra = world.fact(f.subject, rng.choice(world.by_subject[f.relation.subject]))
                if extra is not f:
                    chains.append([extra])
    placed, lines, spot = set(), [], {}
    for chain in chains:
        for f in chain:
            if id(f) not in placed:
                placed.add(id(f))
                spot[id(f)] = len(lines)
                lines.append(Line(text := world.statement(f), len(lines), f, introduces=subject_end(text, f)))
    chunks, where = assemble(world, lines, join)
    questions, asked = [], set()
    for chain in chains:
        for piece in [chain] + ([chain[:1], chain[-1:]] if len(chain) > 1 else []):
            key = tuple(id(f) for f in piece)
            if key not in asked:
                asked.add(key)
                questions.append(ask(world, piece, where, spot, lines))
    for _ in range(int(n_none) + (rng.random() < n_none % 1)):
        questions.append(missing(world, chains, rivals))
    if rng.random() < n_follow:
        questions.append(follow_up(world, chains, where, spot, lines))
    rng.shuffle(questions)
    return Example(chunks, questions)


def follow_up(world: World, chains, where, spot, lines) -> Question:
    """A second question that names its subject by a pronoun or not at all; the first turn is in the history."""
    long_ones = [c for c in chains if len(c) > 1]
    if not long_ones:
        f = world.rng.choice(chains)
        return ask(world, f, where, spot, lines)
    chain = world.rng.choice(long_ones)
    first, second = chain[0], chain[1]
    kind = second.relation.subject
    subject = world.rng.choice({"person": ["he", "she", "this person"]}.get(kind, ["it", f"this {kind}"]))
    q = ask(world, [second], where, spot, lines)
    q.question = world.question([second], subject)
    q.history = [(world.question([first]), first.object)]
    q.kind = "followup"
    return q


ALIKE = 0.75


def bare(subject: str, kind: str) -> str:
    """A name without its article and kind: "the ship Oar" -> "Oar"."""
    return subject.removeprefix("the ").removeprefix(kind + " ")


def recalling_line(world: World, f: Fact, group: int) -> Line:
    """A reference with the name behind it, "this company Brin Foods": who learns to foresee that name at the reference has
    learned what references mean."""
    rng, kind = world.rng, f.relation.subject
    word, name = rng.choice([w for w in REFER[kind] if not w.endswith("above")]), bare(f.subject, kind)
    text = pick(rng, f.relation.statements, world.breadth.reworded, world.breadth.wordings)
    text = capital(text.format(s=f"{word} {name}", o=f.object))
    at = text.find(name)
    return Line(text, group, f, recalls=(at, at + len(name)))


def reference_line(world: World, f: Fact, group: int, first: bool, pronouns: bool = True) -> Line:
    """A fact whose subject is named by reference only, or by a pronoun where `pronouns` allows it."""
    rng, kind = world.rng, f.relation.subject
    words = REFER[kind] * 2 + PRONOUN[kind] if first else REFER[kind] + PRONOUN[kind] * 2
    word = rng.choice(words if pronouns else REFER[kind])
    text = pick(rng, f.relation.statements, world.breadth.reworded, world.breadth.wordings)
    if not text.startswith("{s}") and word in PRONOUN[kind]:
        word = rng.choice(REFER[kind])
    return Line(capital(text.format(s=word, o=f.object)), group, f)


def cross_reference(rng: random.Random, n_documents: int = 3, test: bool = False, breadth: Breadth = Breadth(),
                    alike_share: float = ALIKE, together: float = 0.0, recall: float = 0.0) -> Example:
    """Documents of two or three chunks where the later ones name their subject only by pronoun or reference.

    Mostly the documents are alike, the same kind of thing with the same relations: then only the reference tells whose fact
    a later chunk states, and a chunk read without the ones before it cannot tell. `together`: share of the documents whose
    first reference stands in the chunk of what it refers to, the easier case to learn first. `recall`: share of the
    references that the name follows, for training.
    """
    world = World(rng, test, breadth)
    lines, questions, later = [], [], []
    usable = [k for k in sorted(world.by_subject) if len(world.by_subject[k]) > 1]
    kind, alike = rng.choice(usable), rng.random() < alike_share
    shared = rng.sample(world.by_subject[kind], len(world.by_subject[kind]))
    for g in range(n_documents):
        if not alike and rng.random() < 0.3:
            kind = rng.choice(usable)
        subject = world.entity(kind)
        relations = shared if alike else rng.sample(world.by_subject[kind], len(world.by_subject[kind]))
        if len(relations) < 2:
            continue
        first = world.fact(subject, relations[0])
        lines.append(Line(text := world.statement(first), g, first, True, len(text)))
        apart = not together or rng.random() >= together
        for n, relation in enumerate(relations[1:rng.choice((2, 3))]):
            f = world.fact(subject, relation)
            named = recall and rng.random() < recall
            lines.append(recalling_line(world, f, g) if named else reference_line(world, f, g, n == 0))
            lines[-1].new_chunk = apart if n == 0 else rng.random() < 0.5
            later.append((f, len(lines) - 1, len(lines) - 2 - n))
    chunks, where = assemble(world, lines, 0.0)
    for f, i, head in later:
        quote = [(where[head], lines[head].text), (where[i], lines[i].text)]
        questions.append(Question(world.question([f]), f.object, quote, "crosschunk"))
        if rng.random() < 0.3 and f.relation.object in world.by_subject:      # one more step beyond the reference
            nxt = rng.choice([x for x in world.by_subject[f.relation.object]])
            g = world.fact(f.object, nxt)
            chunks.insert(0, Chunk(world.title(), world.statement(g)))
            shift_quotes(questions, 1)
            where = {k: v + 1 for k, v in where.items()}
            quote = [(where[i], lines[i].text), (0, chunks[0].text)]
            questions.append(Question(world.question([f, g]), g.object, quote, "crosschunk"))
    if rng.random() < 0.5:
        questions.append(missing(world, [[f for f, _, _ in later]]))
    rng.shuffle(questions)
    return Example(chunks, questions)


def kinds_apart(world: World, n: int) -> dict[str, list[Relation]]:
    """Up to `n` kinds with two relations or more each, none of which brings in a thing of these kinds: then a reference to
    a kind can only mean what was introduced last."""
    rng, out = world.rng, {}
    for kind in rng.sample(sorted(world.by_subject), len(world.by_subject)):
        chosen = {*out, kind}
        left = {k: [r for r in world.by_subject[k] if r.object not in chosen] for k in chosen}
        if all(len(relations) > 1 for relations in left.values()):
            out = left
        if len(out) == n:
            break
    return {kind: rng.sample(out[kind], len(out[kind])) for kind in sorted(out)}


def running(rng: random.Random, n_chunks: int = 5, test: bool = False, breadth: Breadth = Breadth(), n_kinds: int = 2,
            recall: float = 0.0) -> Example:
    """One document in which every chunk speaks of what was introduced before, by reference only, and then introduces the
    next thing of the kind. A reference means what was introduced last of its kind, as in cross_reference, but a document
    holds about twice as many of them for its length."""
    world = World(rng, test, breadth)
    relations = kinds_apart(world, n_kinds)
    chunks, questions = [Chunk(world.title(), "")], []
    open_heads: dict[str, tuple[Fact, tuple[int, str]]] = {}      # kind -> what was introduced last, where it says so
    while True:
        at, chunk, order = len(chunks) - 1, chunks[-1], rng.sample(sorted(relations), len(relations))
        for kind in order:
            (first, *others), late = relations[kind], kind == order[-1]
            if kind in open_heads and (at + 1 == n_chunks or rng.random() < 0.8 or late and not chunk.text):
                questions += refer_back(world, chunk, at, others, *open_heads.pop(kind), recall)
            fresh = kind not in open_heads and (rng.random() < 0.7 or late and not (open_heads and chunk.text))
            if fresh and at + 1 < n_chunks:
                head = world.fact(world.entity(kind), first)
                append_line(chunk, Line(text := world.statement(head), 0, head, introduces=len(text)))
                open_heads[kind] = (head, (at, text))
                if rng.random() < 0.2:
                    questions.append(Question(world.question([head]), head.object, [(at, text)], "single"))
        if not open_heads:
            break
        chunks.append(Chunk(chunk.title, ""))
    if rng.random() < 0.5:
        questions.append(missing(world, [[f] for f in world.known.values()]))
    rng.shuffle(questions)
    return Example(chunks, questions)


def refer_back(world: World, chunk: Chunk, at: int, relations: list[Relation], head: Fact, introduced: tuple[int, str],
               recall: float) -> list[Question]:
    """Says one or two things of head's subject at the end of the chunk, number `at`, by reference; questions about them."""
    rng, out = world.rng, []
    for relation in relations[:rng.choice((1, 2))]:
        f = world.fact(head.subject, relation)
        line = recalling_line(world, f, 0) if rng.random() < recall else reference_line(world, f, 0, True, False)
        append_line(chunk, line)
        out.append(Question(world.question([f]), f.object, [introduced, (at, line.text)], "crosschunk"))
    return out


def append_line(chunk: Chunk, line: Line) -> None:
    """The line at the end of the chunk, with the notes that belong to it."""
    if chunk.text:
        chunk.breaks.append(line.text)
    chunk.text += (" " if chunk.text else "") + line.text
    if line.introduces:
        chunk.introduces.append((line.text, line.introduces))
    if line.recalls[1]:
        chunk.recalls.append((line.text, *line.recalls))


def shift_quotes(questions: list[Question], by: int) -> None:
    for q in questions:
        q.quote = [(c + by, s) for c, s in q.quote]


ALIASES = ["the first party", "the second party", "the northern unit", "the southern unit", "the lender", "the tenant",
           "the main object", "the reference item", "the upper house", "the lower house", "the applicant", "the guarantor"]


def definitions(rng: random.Random, n: int = 3, test: bool = False, breadth: Breadth = Breadth()) -> Example:
    """One chunk defines terms; later chunks state facts about the terms; questions name the things."""
    world = World(rng, test, breadth)
    aliases = rng.sample(ALIASES, n)
    wording = ["Here {a} means {s}.", "In what follows, {s} is called {a}.", "{s} is {a} in this text."][:2]
    if breadth.reworded:
        wording = ["Wherever {a} is written, {s} is meant."]
    lines, todo = [], []
    for a in aliases:
        kind = rng.choice(sorted(world.by_subject))
        text = capital(rng.choice(wording).format(a=a, s=(s := world.entity(kind))))
        lines.append(Line(text, 0, None, not lines, len(text)))
        todo.append((a, s, kind))
    questions, later = [], []
    for n_line, (a, s, kind) in enumerate(todo):
        for relation in rng.sample(world.by_subject[kind], 1):
            f = world.fact(s, relation)
            later.append((Line(capital(pick(rng, relation.statements, breadth.reworded, breadth.wordings).format(s=a, o=f.object)), 0, f,
                               rng.random() < 0.6), n_line, f))
    rng.shuffle(later)
    if later:
        later[0][0].new_chunk = True
    lines += [line for line, _, _ in later]
    if rng.random() < 0.6:
        other = world.chain(1)[0]
        lines.append(Line(world.statement(other), 1, other, True))
    chunks, where = assemble(world, lines, 0.0)
    for i, (line, head, f) in enumerate(later):
        quote = [(where[head], lines[head].text), (where[len(todo) + i], line.text)]
        questions.append(Question(world.question([f]), f.object, quote, "crosschunk"))
    return Example(chunks, questions)


COLUMNS = {"Code": "code", "Year": "year", "Weight": "number", "Town": "town", "Colour": "colour", "Owner": "person",
           "Price": "number", "Stock": "number", "Keeper": "person", "Port": "town"}


def table(rng: random.Random, rows: int = 5, test: bool = False, continued: float = 0.4) -> Example:
    """A Markdown or comma table, sometimes continued in a second chunk without its header."""
    world = World(rng, test)
    columns = rng.sample(sorted(COLUMNS), rng.choice((2, 3)))
    keys = [world.names.word() for _ in range(rows)]
    cells = {(k, c): world.value(COLUMNS[c]) for k in keys for c in columns}
    markdown = rng.random() < 0.7
    row = (lambda parts: "| " + " | ".join(parts) + " |") if markdown else ", ".join
    head = row(["Name"] + columns) + ("\n" + row(["---"] * (1 + len(columns))) if markdown else "")
    body = [row([k] + [cells[k, c] for c in columns]) for k in keys]
    cut = rng.randint(1, rows - 1) if rng.random() < continued else rows
    title = world.title()
    chunks = [Chunk(title, "\n".join([head] + body[:cut]))]
    if cut < rows:
        chunks.append(Chunk(title, "\n".join(body[cut:])))
    questions = []
    for k in rng.sample(keys, min(4, rows)):
        c, at = rng.choice(columns), int(keys.index(k) >= cut)
        text = f"In the table, what {c.lower()} does {k} have?" if test else rng.choice(
            (f"What is the {c.lower()} of {k}?", f"Which {c.lower()} does {k} have?", f"What {c.lower()} is listed for {k}?"))
        questions.append(Question(text, cells[k, c], [(at, body[keys.index(k)])], "crosschunk" if at else "table"))
    if rng.random() < 0.4:
        questions.append(Question(f"What is the {columns[0].lower()} of {world.names.word()}?", "", [], "none"))
    return Example(chunks, questions)


def records(rng: random.Random, n: int = 6, test: bool = False) -> Example:
    """Key-value records as JSON, YAML or plain lines."""
    world = World(rng, test)
    style = rng.choice(("json", "lines", "yaml"))
    use_hex = rng.random() < 0.6
    pairs = [(world.names.hexkey(), world.names.hexkey()) if use_hex else (world.names.word().lower(), world.value(
        rng.choice(("code", "number", "year")))) for _ in range(n)]
    if style == "json":
        body = [f'"{k}": "{v}",' for k, v in pairs]
    else:
        body = [f"{k}: {v}" if style == "yaml" else f"{k} = {v}" for k, v in pairs]
    cuts = sorted({0, n} | ({rng.randint(1, n - 1)} if n > 3 and rng.random() < 0.6 else set()))
    chunks = [Chunk(world.title(), "\n".join(body[a:b])) for a, b in zip(cuts, cuts[1:])]
    questions = []
    for i in rng.sample(range(n), min(4, n)):
        k, v = pairs[i]
        text = f"Give the value stored under {k}." if test else rng.choice(
            (f"What is the value of {k}?", f"What is stored under {k}?", f"Which value does the key {k} have?"))
        at = next(j for j, b in enumerate(cuts[1:]) if i < b)
        questions.append(Question(text, v, [(at, body[i])], "record"))
    if rng.random() < 0.4:
        key = world.names.hexkey() if use_hex else world.names.word().lower()
        questions.append(Question(f"What is the value of {key}?", "", [], "none"))
    return Example(chunks, questions)


def needle(rng: random.Random, test: bool = False, n: int = 2, breadth: Breadth = Breadth()) -> Example:
    """A few single facts, each alone in a chunk; mixing.py hides them in filler text."""
    return short_world(rng, n, test, lengths=(1, 1, 1, 2), extras=0.2, join=0.0, n_none=0.4, breadth=breadth)
