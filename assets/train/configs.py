"""Model shapes and training schedules, by name."""
import random
from dataclasses import dataclass, field, replace

from shape import Config

MODELS = {
    "tiny": Config(vocab=768, dim=64, layers=4, heads=4, kv_heads=2, head_dim=16, ffn=192, context=2048),
    "mini": Config(vocab=4096, dim=256, layers=8, heads=4, kv_heads=2, ffn=640),
    "narrow": Config(vocab=4096, dim=256, layers=8, heads=4, kv_heads=2, ffn=640),     # the shape of mini
    "full": Config(vocab=16384, dim=384, layers=16, heads=6, kv_heads=2, ffn=896),
    "reading": Config(vocab=16384, dim=384, layers=16, heads=6, kv_heads=2, ffn=896),  # the shape of full
}


@dataclass
class Stage:
    """What the generator draws from the moment the run has passed `until` of the stage before it."""
    until: float                          # share of the run at which the next stage starts
    chains: tuple[int, int] = (2, 5)      # fact chains per world
    filler: tuple[int, int] = (0, 0)      # tokens of natural text added to an example
    chunk: tuple[int, int] = (0, 0)       # tokens that every chunk is filled up to; 0: as they are
    chunks: tuple[int, int] = (0, 0)      # chunks that made-up examples have, from .. to; 0: any number
    longer: tuple = ()                    # ((probability, filler tokens), ..): longer examples among the others
    spread: float = 0.0                   # share of examples whose positions are spread over the whole context
    tasks: dict = field(default_factory=dict)
    breadth: tuple[int, int] = (99, 99)   # relations in use, wordings of each
    lengths: tuple = (1, 1, 2, 2, 3)      # of the chains
    extras: float = 0.4                   # chance of a further fact about a thing
    none: float = 0.6                     # questions without an answer per world, on average
    follow: float = 0.3                   # chance of a follow-up
    rivals: float = 0.0                   # share of the chains that have the relations of another one
    short: float = 0.75                   # share of short answers
    documents: tuple[int, int] = (2, 4)   # per cross-chunk example
    together: float = 0.0                 # share of them whose reference stands in the chunk of what it refers to
    recall: float = 0.0                   # share of the references that the name follows (tasks.recalling_line)
    hidden: float = 0.0                   # share whose questions do not see what the facts are told of
    distance: float = 0.0                 # share of the examples with text between the chunks of a document too
    mix: tuple = ()                       # ((weight, Stage), ..): every example is drawn from one of these instead
    alone: float = 0.0                    # share of the "asked" examples that show only the sentence that answers
    bar: float = 0.93                     # accuracy on held-out worlds that ends the stage (curriculum.py)
    most: float = 1e9                     # million tokens after which the stage ends all the same

    def pick(self, rng: random.Random) -> "Stage":
        return rng.choices([s for _, s in self.mix], [w for w, _ in self.mix])[0] if self.mix else self

    def reworded(self) -> "Stage":
        """The same stage in the wordings that are never trained on."""
        return replace(self, breadth=(self.breadth[0], 99, True), mix=tuple((w, s.reworded()) for w, s in self.mix))


FACTS = Stage(1, tasks={"world": 1}, breadth=(18, 3), lengths=(1, 2, 2), follow=0, short=1)
REFERENCES = Stage(1, tasks={"cross": 1}, breadth=(18, 3), documents=(2, 3), together=0.3, recall=0.3, hidden=0.75, short=1)
# References across other text: rows dense in them, with chunks filled up to a size.
FAR = replace(REFERENCES, tasks={"running": 2, "cross": 1}, chunks=(3, 7), together=0.0, hidden=0.6, spread=0.3)
FAR_FACTS = replace(FACTS, lengths=(1, 2, 2, 2), chains=(3, 6), none=1.5, rivals=0.3, breadth=(18, 6), short=0.9)
# What the full-size model is taught beside these.
CHAINS = replace(FACTS, lengths=(1, 2, 2, 2), none=1.5, rivals=0.4, follow=0.1, short=0.85)
TABLES = replace(FACTS, tasks={"table": 1, "records": 1}, chains=(2, 5), filler=(0, 60), short=0.8)
NEEDLE = replace(FACTS, tasks={"needle": 1}, filler=(2500, 3600), none=1)
TEXT = Stage(1, tasks={"text": 1})
CLOZE = Stage(1, tasks={"cloze": 1}, spread=0.2, short=0.6)
NATURAL = Stage(1, tasks={"natural": 1}, spread=0.2, short=0.6)
ASKED = Stage(1, tasks={"asked": 1}, spread=0.1, short=0.85)
# Of "reading": what mneme-full knew, in about half of the tokens.
KNOWN = ((2.5, replace(REFERENCES, documents=(2, 4), hidden=0.3, short=0.8)),
         (2.5, replace(REFERENCES, documents=(2, 4), hidden=0.2, breadth=(99, 99), short=0.6)),
         (1, replace(REFERENCES, tasks={"definitions": 1}, breadth=(99, 99), hidden=0.2, filler=(0, 60))),
         (2, replace(FAR, chunk=(15, 80))), (2.5, replace(FAR, chunk=(60, 250), breadth=(99, 6), short=0.8)),
         (0.8, replace(FAR, tasks={"running": 1, "cross": 1}, chunk=(300, 540), hidden=0.4)),
         (6, replace(CHAINS, filler=(0, 60), short=0.75)), (6, replace(CHAINS, breadth=(99, 99), spread=0.2, short=0.5, follow=0.3)),
         (0.7, replace(CHAINS, breadth=(99, 6), chunk=(250, 540), chains=(3, 6))), (1, replace(TABLES, short=0.6)),
         (0.25, NEEDLE), (0.2, replace(CHAINS, filler=(600, 2400), chains=(4, 9))))
# What was learned before, beside the stages that only widen the distance of references.
KEEP = ((6, replace(REFERENCES, documents=(2, 4), together=0.1, hidden=0.4, short=0.9)),
        (3, replace(REFERENCES, documents=(2, 4), hidden=0.3, breadth=(18, 99), short=0.8)),
        (3, replace(REFERENCES, tasks={"definitions": 1}, hidden=0.3, filler=(0, 60), short=0.9)),
        (14, replace(FACTS, lengths=(1, 2, 2, 2), filler=(0, 60), none=1.5, rivals=0.4, short=0.9)),
        (13, replace(FACTS, lengths=(1, 2, 2), breadth=(18, 99), spread=0.2, short=0.75, follow=0.15, none=1.5, rivals=0.4)),
        (1.5, replace(FAR_FACTS, chunks=(4, 7), chunk=(250, 540))), (5, replace(FACTS, tasks={"natural": 1}, short=0.75)),
        (0.4, replace(FACTS, tasks={"needle": 1}, filler=(2500, 3600))))
STAGES = {
    "tiny": [Stage(0.35, (1, 2), (0, 0), tasks={"world": 1}), Stage(1.0, (1, 4), (0, 30), tasks={"world": 5, "cross": 1})],
    # Grown step by step (curriculum.py): few relations in one wording first, then more facts and wordings, chunks that
    # need an earlier one, and at last filler and length. until, bar, most: see Stage.
    "mini": [
        Stage(0.03, (1, 3), (0, 0), tasks={"world": 1}, breadth=(10, 1), lengths=(1,), extras=0.2, none=0, follow=0, short=1),
        Stage(0.07, (2, 4), (0, 0), tasks={"world": 1}, breadth=(10, 1), lengths=(1, 1, 2), extras=0.2, none=0.2, follow=0,
              short=1),
        Stage(0.12, (2, 5), (0, 0), tasks={"world": 3, "cross": 1}, breadth=(18, 2), lengths=(1, 2, 2), extras=0.3, none=0.3,
              follow=0, short=1, bar=0.90),
        Stage(0.50, (2, 5), (0, 20), tasks={"world": 5, "cross": 1}, breadth=(18, 3), lengths=(1, 2, 2), none=0.6, follow=0,
              short=1, bar=0.95),
        # References that only the chunk before resolves, which the questions of most rows do not see.
        Stage(0.58, mix=((12, REFERENCES), (1.5, replace(FACTS, hidden=0.4)),
                         (0.5, replace(FACTS, filler=(30, 300), spread=0.4)))),
        # The same among filler, rows of 1,000 tokens and more, positions far apart, more wordings.
        Stage(0.64, mix=((12, replace(REFERENCES, documents=(2, 4), together=0.2, hidden=0.6)),
                         (3, replace(REFERENCES, filler=(100, 400), distance=0.5, hidden=0.5, spread=0.3)),
                         (1, replace(REFERENCES, tasks={"definitions": 1}, hidden=0.3, filler=(0, 60))),
                         (3, replace(FACTS, hidden=0.2, filler=(0, 60))), (3, replace(FACTS, breadth=(18, 6), spread=0.2)),
                         (2.5, replace(FACTS, filler=(100, 600), chains=(3, 7), spread=0.3)),
                         (0.4, replace(FACTS, filler=(600, 1200), chains=(4, 9), spread=0.3)))),
        # All wordings, long answers, and rows as long as the context.
        Stage(0.80, mix=((4, replace(REFERENCES, documents=(2, 4), together=0.2, hidden=0.5)),
                         (4, replace(REFERENCES, documents=(2, 4), hidden=0.4, breadth=(18, 99), short=0.85)),
                         (4, replace(REFERENCES, documents=(2, 4), filler=(100, 500), distance=0.6, hidden=0.4, spread=0.2)),
                         (0.6, replace(REFERENCES, filler=(500, 1800), distance=0.8, hidden=0.4)),
                         (2, replace(REFERENCES, chunk=(80, 480), hidden=0.4)),
                         (1, replace(REFERENCES, tasks={"definitions": 1}, hidden=0.3, filler=(0, 60))),
                         (11, replace(FACTS, lengths=(1, 2, 2, 2), hidden=0.05, filler=(0, 60), none=1.5, rivals=0.4,
                                      short=0.97)),
                         (3.5, replace(FACTS, breadth=(18, 99), spread=0.2, short=0.8, follow=0.15, none=1.8, rivals=0.5)),
                         (0.3, replace(FACTS, tasks={"natural": 1}, short=0.8)),
                         (2, replace(FACTS, filler=(100, 600), chains=(3, 7), spread=0.3, breadth=(18, 6), short=0.9, none=1.5,
                                     rivals=0.3)),
                         (0.4, replace(FACTS, chunk=(80, 480), chains=(2, 4), none=1.2, rivals=0.3)),
                         (0.4, replace(FACTS, filler=(600, 1800), chains=(4, 9), none=1.5, rivals=0.3)),
                         (0.2, replace(FACTS, tasks={"needle": 1}, filler=(2500, 3600))))),
        # Between a thing and the references to it more and more text, to full chunks of 512 tokens. A model that knows
        # references to the chunk right before does not know this at 70 tokens yet, and does not learn it from long rows alone.
        Stage(0.86, mix=(*KEEP, (30, replace(FAR, chunk=(15, 80))), (8, replace(FAR, chunk=(60, 250))),
                         (1, replace(FAR, chunk=(250, 540))))),
        Stage(0.92, mix=(*KEEP, (50, replace(FAR, chunk=(15, 80))), (35, replace(FAR, chunk=(60, 250))),
                         (6, replace(FAR, chunk=(250, 540))))),
        Stage(1.01, mix=(*KEEP, (6, replace(FAR, chunk=(15, 80))), (18, replace(FAR, chunk=(60, 250))),
                         (6, replace(FAR, tasks={"running": 1, "cross": 1}, chunk=(300, 540), hidden=0.5)),
                         (1, replace(FAR, tasks={"definitions": 1}, chunk=(300, 540), hidden=0.3)))),
    ],
    # mneme-mini once more on a GPU, with narrow attention (concentration.py): what its last stage taught, and more chains.
    "narrow": [
        Stage(1.01, mix=(*KEEP, (14, replace(CHAINS, filler=(0, 60), rivals=0.5, follow=0.05, short=0.95)),
                         (6, replace(FAR, chunk=(15, 80))), (18, replace(FAR, chunk=(60, 250))),
                         (6, replace(FAR, tasks={"running": 1, "cross": 1}, chunk=(300, 540), hidden=0.5)),
                         (1, replace(FAR, tasks={"definitions": 1}, chunk=(300, 540), hidden=0.3)))),
    ],
    # One GPU (gpu_train.py). The same steps, then all relations, natural text and questions: see README.md for the reasons.
    # `until` is a share of all training time; the first stages end much sooner, when they are known.
    "full": [
        Stage(0.03, (1, 3), (0, 0), tasks={"world": 1}, breadth=(10, 1), lengths=(1,), extras=0.2, none=0, follow=0, short=1),
        Stage(0.06, (2, 4), (0, 0), tasks={"world": 1}, breadth=(10, 1), lengths=(1, 1, 2), extras=0.2, none=0.2, follow=0,
              short=1),
        Stage(0.09, mix=((6, replace(FACTS, breadth=(18, 2), none=0.3)), (2, replace(REFERENCES, breadth=(18, 2), hidden=0)),
                         (1, TEXT)), bar=0.90),
        Stage(0.14, mix=((8, replace(FACTS, filler=(0, 20), none=0.6)), (2, replace(REFERENCES, hidden=0)), (1.5, TEXT)),
              bar=0.93),
        # References that only the chunk before resolves, which the questions of most rows do not see.
        Stage(0.20, mix=((10, REFERENCES), (1.5, replace(FACTS, hidden=0.4)), (4, CHAINS), (2, TEXT), (1.5, CLOZE)), bar=0.90),
        # More relations and wordings, filler, positions far apart, first distances; clozes teach to read natural text.
        Stage(0.34, mix=((8, replace(REFERENCES, documents=(2, 4), together=0.1, hidden=0.5)),
                         (3, replace(REFERENCES, breadth=(99, 6), filler=(100, 400), distance=0.5, hidden=0.4, spread=0.3)),
                         (1.5, replace(REFERENCES, tasks={"definitions": 1}, hidden=0.3, filler=(0, 60))),
                         (6, replace(FAR, chunk=(15, 80))), (8, replace(CHAINS, filler=(0, 60))),
                         (5, replace(CHAINS, breadth=(99, 6), spread=0.2)), (1.5, replace(CHAINS, filler=(100, 800))),
                         (2, TABLES), (4, TEXT), (6, CLOZE), (1, NATURAL))),
        # All relations in all wordings, long answers, rows as long as the context.
        Stage(0.62, mix=((4, replace(REFERENCES, documents=(2, 4), hidden=0.4)),
                         (4, replace(REFERENCES, documents=(2, 4), hidden=0.3, breadth=(99, 99), short=0.6)),
                         (2, replace(REFERENCES, tasks={"definitions": 1}, breadth=(99, 99), hidden=0.3, filler=(0, 60))),
                         (6, replace(FAR, chunk=(15, 80))), (5, replace(FAR, chunk=(60, 250), breadth=(99, 6))),
                         (1, replace(FAR, chunk=(250, 540))), (8, replace(CHAINS, filler=(0, 60))),
                         (8, replace(CHAINS, breadth=(99, 99), spread=0.2, short=0.5, follow=0.3)),
                         (1, replace(CHAINS, breadth=(99, 6), chunk=(80, 540), chains=(3, 6))),
                         (0.5, replace(CHAINS, filler=(600, 2400), chains=(4, 9))), (2, replace(TABLES, short=0.6)),
                         (0.3, NEEDLE), (4, TEXT), (9, CLOZE), (2, NATURAL))),
        # The same with full chunks and more natural questions, half of the answers long: what the program asks for.
        Stage(1.01, mix=((4, replace(REFERENCES, documents=(2, 4), hidden=0.3, short=0.8)),
                         (4, replace(REFERENCES, documents=(2, 4), hidden=0.2, breadth=(99, 99), short=0.5)),
                         (1.5, replace(REFERENCES, tasks={"definitions": 1}, breadth=(99, 99), hidden=0.2, filler=(0, 60))),
                         (3, replace(FAR, chunk=(15, 80))), (6, replace(FAR, chunk=(60, 250), breadth=(99, 6), short=0.8)),
                         (2.5, replace(FAR, tasks={"running": 1, "cross": 1}, chunk=(300, 540), hidden=0.4)),
                         (8, replace(CHAINS, filler=(0, 60), short=0.7)),
                         (8, replace(CHAINS, breadth=(99, 99), spread=0.2, short=0.4, follow=0.3)),
                         (1.5, replace(CHAINS, breadth=(99, 6), chunk=(250, 540), chains=(3, 6))),
                         (0.5, replace(CHAINS, filler=(600, 2400), chains=(4, 9))), (2, replace(TABLES, short=0.5)),
                         (0.4, NEEDLE), (3, TEXT), (10, CLOZE), (4, NATURAL))),
    ],
    # mneme-full taught to read natural text (asked.py): single sentences first, then passages among others.
    "reading": [
        Stage(0.15, mix=(*KNOWN, (26, replace(ASKED, alone=0.6, short=0.95)), (2, replace(NATURAL, short=0.9)), (1, CLOZE))),
        Stage(0.70, mix=(*KNOWN, (14, replace(ASKED, alone=0.15)), (4, replace(ASKED, filler=(100, 900))),
                         (3.5, replace(NATURAL, short=0.8)), (2, CLOZE), (1, TEXT))),
        Stage(1.01, mix=(*KNOWN, (12, ASKED), (5, replace(ASKED, filler=(100, 900))), (8, replace(NATURAL, short=0.85)),
                         (1, CLOZE), (1, TEXT))),
    ],
}
