"""Model shapes and training schedules, by name."""
from dataclasses import dataclass, field

from model import Config

MODELS = {
    "tiny": Config(vocab=768, dim=64, layers=4, heads=4, kv_heads=2, head_dim=16, ffn=192, context=2048),
    "mini": Config(vocab=4096, dim=256, layers=8, heads=4, kv_heads=2, ffn=640),
    "full": Config(vocab=16384, dim=384, layers=16, heads=6, kv_heads=2, ffn=896),
}


@dataclass
class Stage:
    """What the generator draws from the moment the run has passed `until` of the stage before it."""
    until: float                          # share of the run at which the next stage starts
    chains: tuple[int, int]               # fact chains per world
    filler: tuple[int, int]               # tokens of natural text added to an example
    longer: tuple = ()                    # ((probability, filler tokens), ..): longer examples among the others
    spread: float = 0.0                   # share of examples whose positions are spread over the whole context
    tasks: dict = field(default_factory=dict)
    breadth: tuple[int, int] = (99, 99)   # relations in use, wordings of each
    lengths: tuple = (1, 1, 2, 2, 3)      # of the chains
    extras: float = 0.4                   # chance of a further fact about a thing
    none: float = 0.6                     # chance of a question without an answer
    follow: float = 0.3                   # chance of a follow-up
    short: float = 0.75                   # share of short answers
    bar: float = 0.93                     # accuracy on held-out worlds that ends the stage (curriculum.py)
    most: float = 1e9                     # million tokens after which the stage ends all the same


EASY = {"world": 6, "cross": 1, "definitions": 0.6, "table": 1, "records": 1, "natural": 0.6}
FULL = {"world": 6, "cross": 2.4, "definitions": 1.2, "table": 1.4, "records": 1.2, "natural": 1.5, "needle": 1}
SHORT = {"world": 6, "cross": 2.2, "definitions": 1, "table": 0.8, "records": 0.8, "natural": 0.5, "needle": 0.4}
STAGES = {
    "tiny": [Stage(0.35, (1, 2), (0, 0), tasks={"world": 1}), Stage(1.0, (1, 4), (0, 30), tasks={"world": 5, "cross": 1})],
    # Grown step by step (curriculum.py): few relations in one wording first, then more facts and wordings, chunks that
    # need an earlier one, and at last filler and length. until, bar, most: see Stage.
    "mini": [
        Stage(0.08, (1, 3), (0, 0), tasks={"world": 1}, breadth=(10, 1), lengths=(1,), extras=0.2, none=0, follow=0, short=1),
        Stage(0.16, (2, 4), (0, 0), tasks={"world": 1}, breadth=(10, 1), lengths=(1, 1, 2), extras=0.2, none=0.2, follow=0,
              short=1),
        Stage(0.26, (2, 5), (0, 0), tasks={"world": 3, "cross": 1}, breadth=(18, 2), lengths=(1, 2, 2), extras=0.3, none=0.3,
              follow=0, short=1, bar=0.90),
        Stage(1.0, (2, 5), (0, 20), tasks={"world": 5, "cross": 1}, breadth=(18, 3), lengths=(1, 2, 2), extras=0.4,
              none=0.6, follow=0, short=1, bar=0.99),
        Stage(1.01, (2, 5), (0, 80), (), 0.1, {"world": 3, "cross": 3}, breadth=(18, 3), lengths=(1, 2, 2), none=0.5,
              follow=0.05, short=0.98, bar=0.95),
        Stage(1.01, (2, 6), (0, 500), ((0.03, 3300), (0.04, 1500)), 0.1,
              {"world": 3, "cross": 2.5, "definitions": 0.3, "needle": 0.4}, breadth=(18, 3),
              lengths=(1, 2, 2), none=0.5, follow=0.1, short=0.95),
    ],
    "full": [
        Stage(0.05, (1, 3), (0, 100), tasks=EASY),
        Stage(0.25, (2, 4), (0, 600), ((0.1, 1500),), 0.1, FULL),
        Stage(1.01, (2, 6), (0, 1500), ((0.15, 3200),), 0.15, {**FULL, "natural": 4}),
    ],
}
