"""Texts and question sets that the commands of experiments name: {set:NAME}, {text} and {answered}."""
import json
import pathlib
import re
import tomllib

EVAL = pathlib.Path(__file__).resolve().parents[1]
# What {text} is made of: contexts that the default model can read, passages of a document in order.
TEXT_SETS = ("crosschunk", "twohop", "single")
TEXT_BYTES = 1 << 14  # enough for the statistics; perplexity under twelve policies takes minutes on it
# What {answered} is made of: contexts with their questions and answers, as the model reads them. A tenth of a per cent of
# perplexity can be seen on it.
ANSWERED_SETS = ("twohop", "crosschunk", "single", "unanswerable")
ANSWERED_BYTES = 1 << 18
LAYOUT = EVAL.parents[1] / "assets/prompts/prompt_layout.toml"


class MissingData(Exception):
    """A set that is not there."""


def set_path(name, folder=""):
    """The set in the reader's folder if it is there, else the one of this repository."""
    for candidate in ([pathlib.Path(folder)] if folder else []) + [EVAL / "sets"]:
        if (candidate / f"{name}.jsonl").exists():
            return candidate / f"{name}.jsonl"
    raise MissingData(f"there is no question set {name} in tests/eval/sets.")


def named_set(words, folder=""):
    """The question set that a command's words name, as {set:NAME}."""
    name = next(word[5:-1] for word in words if word.startswith("{set:"))
    return set_path(name, folder)


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


def filled(template, **values):
    """A piece of the prompt layout with its placeholders replaced, once and literally."""
    return re.sub(r"\{(\w+)\}", lambda found: str(values[found.group(1)]), template)


def answered(question, layout):
    """A question of a set as a prompt with its answer behind it."""
    passages = "".join(filled(layout["label"], n=n, title=context["title"]) + context["text"] + layout["chunk_end"]
                       for n, context in enumerate(question["contexts"], 1))
    return (passages + layout["short_instruction"] + filled(layout["question"], text=question["question"])
            + layout["answer_header"] + " " + question["answers"][0] + "\n")


def write_answered(path, folder=""):
    """Answered questions of the default sets as one text, of at most ANSWERED_BYTES bytes."""
    if path.exists():
        return path
    layout = tomllib.loads(LAYOUT.read_text(encoding="utf-8"))
    text = ""
    for name in ANSWERED_SETS:
        for line in set_path(name, folder).read_text(encoding="utf-8").splitlines():
            part = answered(json.loads(line), layout)
            if len((text + part).encode()) > ANSWERED_BYTES:
                break
            text += part
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path
