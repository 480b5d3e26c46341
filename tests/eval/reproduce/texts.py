"""Texts and question sets that the commands of experiments name: {set:NAME} and {text}."""
import json
import pathlib

EVAL = pathlib.Path(__file__).resolve().parents[1]
# What {text} is made of: contexts that the default model can read, passages of a document in order.
TEXT_SETS = ("crosschunk", "twohop", "single")
TEXT_BYTES = 1 << 16  # enough for the statistics; perplexity under seven policies takes minutes on it


class MissingData(Exception):
    """A set that is not there."""


def set_path(name, folder=""):
    """The set in the reader's folder if it is there, else the one of this repository."""
    for candidate in ([pathlib.Path(folder)] if folder else []) + [EVAL / "sets"]:
        if (candidate / f"{name}.jsonl").exists():
            return candidate / f"{name}.jsonl"
    raise MissingData(f"there is no question set {name} in tests/eval/sets.")


def contexts_of(path):
    """Every context of a set, in order, repeated ones once."""
    seen = set()
    for line in path.read_text(encoding="utf-8").splitlines():
        for context in json.loads(line)["contexts"]:
            if context["text"] not in seen:
                seen.add(context["text"])
                yield context["text"]


def write_text(path):
    """The contexts of the default sets as one text, where nobody gives another with --text."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        text = "\n".join(context for name in TEXT_SETS for context in contexts_of(set_path(name)))
        path.write_text(text.encode()[:TEXT_BYTES].decode(errors="ignore") + "\n", encoding="utf-8")
    return path
