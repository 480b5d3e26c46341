"""Mixes tasks with natural text: the examples a model trains on and is measured on."""
import os
import random
import re

import asked
import cloze
import natural
import tasks
from configs import Stage
from tasks import Chunk, Example, Question

# Folders of natural text, and the bytes of each kept in memory.
FILLER = {"corpora/rust-book/**": 1_500_000, "corpora/python-peps/**": 1_500_000, "corpora/opentelemetry-docs/**": 1_500_000,
          "corpora/recipes-en/**": 1_500_000, "corpora/economics-textbook/**": 1_500_000, "lm/en-books/**": 6_000_000,
          "lm/en-encyclopedic/wikitext-2-detok/*": 1_500_000, "corpora/multilingual/en/**": 1_500_000}
# The same and more for a run that sees a hundred times as many tokens (pack.py). The world-factbook stays unseen.
WIDE = {**FILLER, "corpora/python-peps/**": 4_000_000, "corpora/opentelemetry-docs/**": 3_000_000,
        "lm/en-books/**": 24_000_000, "lm/en-novels/**": 20_000_000}
FACTUAL = ("lm/en-encyclopedic/", "corpora/economics-textbook/")     # what clozes ask about, beside passages of questions
BYTES_PER_TOKEN = 3.4                                # about, for cutting filler to length before tokenising it


class Sources:
    """Natural text and questions, one side of the split, held in memory."""

    def __init__(self, data: str, test: bool = False, small: bool = False, budgets: dict = FILLER):
        wiki = [Chunk(d.title, d.text) for d in natural.wiki_passages(data, test)]
        self.paragraphs, self.factual = [], list(wiki)
        for pattern in list(budgets)[:2] if small else budgets:
            for document in natural.documents(data, pattern, budgets[pattern], test):
                found = _paragraphs(document)
                self.paragraphs += found
                self.factual += found if pattern.startswith(FACTUAL) else []
        self.paragraphs += wiki
        squad = data + "/qa/squad-format/"
        self.qamr = by_context(natural.squad_questions(squad + "qamr_dev.json", test)
                                + natural.squad_questions(squad + "qamr_test.json", test))
        self.nq = by_context(natural.squad_questions(squad + "nq_open_oracle.json", test))
        made = os.path.join(data, asked.FILE)
        self.asked = asked.Pool(asked.read(made), test) if os.path.exists(made) else None

    def filler(self, rng: random.Random, tokens: int) -> Chunk:
        """A natural chunk of about this many tokens, cut at a word; the paragraphs that follow are added where one is short."""
        at, size = rng.randrange(len(self.paragraphs)), int(tokens * BYTES_PER_TOKEN)
        title, text = self.paragraphs[at].title, self.paragraphs[at].text
        while len(text) < size and at + 1 < len(self.paragraphs):
            at += 1
            text += "\n" + self.paragraphs[at].text
        if len(text) <= size:
            return Chunk(title, text)
        at = rng.randint(0, len(text) - size)
        at = text.find(" ", at) + 1 if at else 0
        return Chunk(title, text[at:at + size].rsplit(" ", 1)[0])


def _paragraphs(document: natural.Document) -> list[Chunk]:
    out, text = [], ""
    for part in document.text.split("\n\n"):
        text = text + "\n\n" + part if text else part
        if len(text) > 1200:
            out.append(Chunk(document.title, text[:4000]))
            text = ""
    return out + ([Chunk(document.title, text)] if len(text) > 60 else [])


def by_context(questions: list[natural.Question]) -> list[list[natural.Question]]:
    groups: dict[str, list[natural.Question]] = {}
    for q in questions:
        groups.setdefault(q.context, []).append(q)
    return list(groups.values())


def natural_example(rng: random.Random, sources: Sources) -> Example:
    """Passages with their own questions, each the others' distractors; sometimes a question whose passage is absent."""
    use_nq = rng.random() < 0.5
    pool = sources.nq if use_nq else sources.qamr
    groups = rng.sample(pool, rng.choice((1, 2, 3, 6)) if use_nq else rng.choice((2, 3, 4, 5)))
    chunks, questions = [], []
    for group in groups:
        text, title = group[0].context, group[0].title
        if re.match(r"^\w+:\d+$", title):            # QAMR has ids for titles
            title = f"note {rng.randint(1, 99)}"
        for q in rng.sample(group, min(len(group), 2)):
            if len(q.answer) < 120:
                quote = [(len(chunks), natural.sentence_at(text, q.at))]
                questions.append(Question(q.question.strip(), q.answer, quote, "natural"))
        chunks.append(Chunk(title, text))
    if rng.random() < 0.25:
        stranger = rng.choice(rng.choice(pool))
        if all(stranger.context != g[0].context for g in groups):
            questions.append(Question(stranger.question.strip(), "", [], "none"))
    return Example(chunks, questions)


def cloze_example(rng: random.Random, sources: Sources) -> Example:
    """Passages with made questions about some of them; sometimes one about a passage that is not there."""
    pool = [g[0] for g in rng.sample(sources.nq, 2)] if rng.random() < 0.3 else []
    passages = [Chunk(q.title, q.context) for q in pool]
    passages += [_passage(rng, sources) for _ in range(rng.choice((1, 2, 3, 5, 6)) - len(passages))]
    rng.shuffle(passages)
    absent = passages.pop() if len(passages) > 2 and rng.random() < 0.35 else None
    questions = []
    for i, chunk in enumerate(passages):
        for c in cloze.clozes(rng, chunk.title, chunk.text, rng.choice((1, 2, 3))):
            questions.append(Question(c.question, c.answer, [(i, c.sentence)], "cloze"))
    for c in cloze.clozes(rng, absent.title, absent.text, 2) if absent else ():
        if all(c.answer not in chunk.text for chunk in passages):
            questions.append(Question(c.question, "", [], "none"))
    rng.shuffle(questions)
    return Example(passages, questions)


ASKED_PASSAGES = (1, 1, 2, 3, 4, 5, 6, 6)


def asked_example(rng: random.Random, sources: Sources, alone: float = 0.0) -> Example:
    """Passages with questions made about one or two of them (asked.py), among others of the same article and of others. In
    a share `alone` of the examples nothing but the sentence that answers stands there."""
    pool = sources.asked
    if pool is None:
        raise SystemExit(f"the data folder holds no {asked.FILE}: see asked.py")
    at, chosen = pool.draw(rng)
    if rng.random() < alone:
        return Example([named(rng, pool.passages[at], chosen.sentence)],
                       [Question(chosen.question, chosen.answer, [(0, chosen.sentence)], "asked")])
    size = min(rng.choice(ASKED_PASSAGES), len(pool.passages))
    numbers = pool.near(rng, at, rng.randint(0, size - 1))
    while len(numbers) < size:
        numbers = list(dict.fromkeys(numbers + [pool.draw(rng)[0] if rng.random() < 0.5 else pool.like(rng, at)]))
    rng.shuffle(numbers)
    missing = rng.choice(pool.passages[rng.choice(numbers)].asked) if rng.random() < 0.3 else None
    texts = [asked.without(pool.passages[n].text, missing.sentence) if missing else pool.passages[n].text for n in numbers]
    chunks = [named(rng, pool.passages[n], text) for n, text in zip(numbers, texts)]
    wanted = [(numbers.index(at), chosen)]
    for i in rng.sample(range(len(numbers)), min(2, len(numbers))):
        wanted += [(i, a) for a in rng.sample(pool.passages[numbers[i]].asked, min(2, len(pool.passages[numbers[i]].asked)))]
    questions, seen = [], set()
    for i, a in wanted:
        if a.sentence in texts[i] and a.question not in seen:
            seen.add(a.question)
            questions.append(Question(a.question, a.answer, [(i, a.sentence)], "asked"))
    strangers = [missing] if missing else [pool.draw(rng)[1]] if rng.random() < 0.15 else []
    for a in strangers:
        if all(a.answer not in text and a.sentence not in text for text in texts):
            questions.append(Question(a.question, "", [], "none"))
    rng.shuffle(questions)
    return Example(chunks, questions)


def named(rng: random.Random, passage: asked.Passage, text: str) -> Chunk:
    return Chunk(passage.title or f"note {rng.randint(1, 99)}", text)


def _passage(rng: random.Random, sources: Sources) -> Chunk:
    """60 to 250 tokens of factual text, cut at a sentence."""
    chunk, size = rng.choice(sources.factual), rng.randint(200, 850)
    text = chunk.text
    if len(text) > size:
        at = rng.randint(0, len(text) - size)
        at = text.find(". ", at) + 2 if at and ". " in text[at:at + size // 2] else 0
        text = text[at:at + size]
        text = text[:text.rfind(". ") + 1] or text
    return Chunk(chunk.title, text)


def plain_text(rng: random.Random, sources: Sources) -> Example:
    return Example([sources.filler(rng, rng.randint(200, 1500))], [], plain=True)


def synthetic(rng: random.Random, kind: str, stage: Stage, test: bool) -> Example:
    breadth, chains = tasks.Breadth(*stage.breadth), stage.chains
    if kind == "running":
        return tasks.running(rng, rng.randint(*stage.chunks), test, breadth, rng.choice((1, 2)), 0.0 if test else stage.recall)
    if kind == "cross":
        return tasks.cross_reference(rng, rng.randint(*stage.documents), test, breadth, together=stage.together,
                                     recall=0.0 if test else stage.recall)
    if kind == "definitions":
        return tasks.definitions(rng, rng.choice((2, 3, 4)), test, breadth)
    if kind == "table":
        return tasks.table(rng, rng.randint(2, 3 + chains[1]), test)
    if kind == "records":
        return tasks.records(rng, rng.randint(2, 4 + 2 * chains[1]), test)
    if kind == "needle":
        return tasks.needle(rng, test, breadth=breadth)
    return tasks.short_world(rng, rng.randint(*chains), test, stage.lengths, stage.extras, n_none=stage.none,
                             n_follow=stage.follow, breadth=breadth, rivals=stage.rivals)


def ends(chunks: list[Chunk], distance: bool) -> list[int]:
    """Chunks that text may follow: the last ones of their documents; with `distance` all but those that the next one
    begins to speak of by a pronoun."""
    last = len(chunks) - 1
    return [i for i in range(last) if chunks[i].title != chunks[i + 1].title
            or distance and chunks[i + 1].text.split(" ", 1)[0] not in PRONOUNS] + [last]


def insert_chunk(rng: random.Random, example: Example, chunk: Chunk, distance: bool = False) -> None:
    """Puts a chunk before or after a document, or with `distance` into it."""
    chunks = example.chunks
    at = rng.choice([0] + [i + 1 for i in ends(chunks, distance)])
    chunks.insert(at, chunk)
    for q in example.questions:
        q.quote = [(c + (c >= at), s) for c, s in q.quote]


PRONOUNS = ("She", "He", "It")
IN_CHUNK = 0.65                 # share of the filler that stands in the chunks of the facts, not in chunks of its own
LARGEST_IN_CHUNK = 300          # tokens
JOINTS = (" ", " ", " ", "\n")


def hide(rng: random.Random, example: Example, sources, tokens: int, distance: bool = False) -> None:
    """Adds about `tokens` tokens of text that does not matter: around the sentences, and as chunks between the documents.

    Without `distance`, nothing comes between the chunks of one document: text goes before its first sentence or after its
    last. With it, text also stands between a thing and the references to it that are no pronouns. `sources` has
    filler(rng, tokens), as Sources has.
    """
    while tokens > 12:
        size = min(tokens, rng.choice((15, 30, 60, 120, 250, 400)))
        piece = sources.filler(rng, size)
        tokens -= size + 8
        chunks = example.chunks
        last = ends(chunks, distance)
        if size <= LARGEST_IN_CHUNK and rng.random() < IN_CHUNK:
            first = [0] + [i + 1 for i in last[:-1]]
            if rng.random() < 0.5:
                chunk = chunks[rng.choice(first)]
                chunk.text = piece.text + rng.choice(JOINTS) + chunk.text
            else:
                chunks[rng.choice(last)].text += rng.choice(JOINTS) + piece.text
            continue
        insert_chunk(rng, example, Chunk(piece.title, piece.text), distance)


def fill_chunks(rng: random.Random, example: Example, sources, tokens: int) -> None:
    """Makes every chunk about `tokens` tokens long by text before and after its sentences (and between them, where
    Chunk.breaks allows it), except between a thing and the pronoun that means it. `sources` as in hide()."""
    chunks = example.chunks
    closes = ends(chunks, True)
    for i, chunk in enumerate(chunks):
        room = tokens - int(len(chunk.text) / BYTES_PER_TOKEN)
        opening = [] if chunk.text.split(" ", 1)[0] in PRONOUNS else [chunk.text]
        places = opening + chunk.breaks + ([""] if i in closes else [])          # text goes before these; "": to the end
        cuts = sorted(rng.randint(0, max(0, room)) for _ in places[1:])
        for place, start, end in zip(places, [0, *cuts], [*cuts, room]):
            if end - start > 8:
                text = sources.filler(rng, end - start).text
                at = chunk.text.rfind(place)                                     # of "": the end
                chunk.text = " ".join(part for part in (chunk.text[:at].rstrip(), text, chunk.text[at:]) if part)


def draw(rng: random.Random, stage: Stage, sources: Sources, test: bool = False) -> Example:
    kinds = list(stage.tasks)
    kind = rng.choices(kinds, [stage.tasks[k] for k in kinds])[0]
    if kind == "text":
        return plain_text(rng, sources)
    from_sources = {"natural": natural_example, "cloze": cloze_example,
                    "asked": lambda rng, sources: asked_example(rng, sources, stage.alone)}
    example = from_sources[kind](rng, sources) if kind in from_sources else synthetic(rng, kind, stage, test)
    while stage.chunks[1] and not stage.chunks[0] <= len(example.chunks) <= stage.chunks[1]:
        example = synthetic(rng, kind, stage, test)
    tokens = rng.randint(*stage.filler) if rng.random() < 0.7 else 0
    if kind == "needle":
        tokens = max(tokens, stage.filler[1])
    dice = rng.random()
    for share, size in stage.longer:
        if dice < share:
            tokens = size // 2 + rng.randint(0, size // 2)
            break
        dice -= share
    # Copies, because filler is shared between examples and hide() writes into chunks.
    example.chunks = [Chunk(c.title, c.text, list(c.introduces), list(c.recalls), list(c.breaks)) for c in example.chunks]
    if stage.chunk[1]:
        fill_chunks(rng, example, sources, rng.randint(*stage.chunk))
    hide(rng, example, sources, tokens, stage.distance > 0 and rng.random() < stage.distance)
    return example
