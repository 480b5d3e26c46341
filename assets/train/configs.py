"""Model shapes and training schedules, by name."""
from dataclasses import dataclass, field

from model import Config

MODELS = {
    "tiny": Config(vocab=768, dim=64, layers=4, heads=4, kv_heads=2, head_dim=16, ffn=192, context=2048),
    "mini": Config(vocab=8192, dim=256, layers=8, heads=4, kv_heads=2, ffn=640),
    "pilot": Config(vocab=4096, dim=128, layers=8, heads=2, kv_heads=2, ffn=384),
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


EASY = {"world": 6, "cross": 1, "definitions": 0.6, "table": 1, "records": 1, "natural": 0.6}
FULL = {"world": 6, "cross": 2.4, "definitions": 1.2, "table": 1.4, "records": 1.2, "natural": 1.5, "needle": 1}
SHORT = {"world": 6, "cross": 2.2, "definitions": 1, "table": 0.8, "records": 0.8, "natural": 0.5, "needle": 0.4}
STAGES = {
    "tiny": [Stage(0.35, (1, 2), (0, 0), tasks={"world": 1}), Stage(1.0, (1, 4), (0, 30), tasks={"world": 5, "cross": 1})],
    # One hour and a half on two shared cores: little natural text and short contexts, so that looking facts up is learned.
    "mini": [
        Stage(0.10, (1, 2), (0, 40), tasks=EASY),
        Stage(0.50, (1, 3), (0, 120), tasks=SHORT),
        Stage(1.01, (1, 4), (0, 100), ((0.01, 700),), 0.1, SHORT),
    ],
    # The pilot looks facts up already: it only has to learn the layout, the wordings and the new tasks.
    "pilot": [
        Stage(0.25, (1, 3), (0, 0), tasks={"world": 6, "cross": 2, "definitions": 1, "table": 0.4, "records": 0.4}),
        Stage(1.01, (2, 4), (0, 60), tasks={"world": 6, "cross": 2, "definitions": 1, "table": 0.4, "records": 0.4, "natural": 0.2}),
    ],
    "full": [
        Stage(0.05, (1, 3), (0, 100), tasks=EASY),
        Stage(0.25, (2, 4), (0, 600), ((0.1, 1500),), 0.1, FULL),
        Stage(1.01, (2, 6), (0, 1500), ((0.15, 3200),), 0.15, {**FULL, "natural": 4}),
    ],
}
