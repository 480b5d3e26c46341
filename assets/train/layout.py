"""Builds token ids exactly as the program does: from assets/prompts/prompt_layout.toml and the model's chat template.

Every piece is tokenised on its own and the ids are joined. The chat template is the Phi-3 shape; the turn ends with
<|end|>, which is also the end-of-text token. Chunks and answers begin with a space, so that a name is spelled with the
same pieces wherever it stands; programs add and drop it by themselves (tokenizer.ggml.add_space_prefix).
"""
import os
import tomllib
from dataclasses import dataclass

import bpe

LAYOUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "prompts", "prompt_layout.toml")
CHAT_TEMPLATE = ("{{ bos_token }}{% for message in messages %}{{'<|' + message['role'] + '|>\\n' + message['content'] + "
                 "'<|end|>\\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>\\n' }}{% endif %}")


@dataclass
class Branch:
    """One question: ids up to the answer, and the answer's ids with the end token."""
    prompt: list[int]
    answer: list[int]


class Layout:
    def __init__(self, model_file: str):
        self.sp = bpe.load(model_file)
        with open(LAYOUT, "rb") as f:
            self.text = tomllib.load(f)
        ids = {name: self.sp.piece_to_id(f"<|{name}|>") for name in ("system", "user", "assistant", "end")}
        self.end = ids["end"]
        newline = self.encode(" \n")                # text behind a special token stands alone, as in other programs
        self.prefix = ([self.sp.bos_id(), ids["system"]] + self.encode(" \n" + self.text["system"]) + [ids["end"]] + newline
                       + [ids["user"]] + newline)
        self.turn = [ids["end"]] + newline + [ids["assistant"]] + newline
        self.chunk_end = self.encode(self.text["chunk_end"])
        self.short = self.encode(self.text["short_instruction"])

    def encode(self, text: str) -> list[int]:
        return self.sp.encode(text)

    def label(self, n: int, title: str) -> list[int]:
        return self.encode(self.text["label"].format(n=n, title=title))

    def context(self, chunks) -> list[list[int]]:
        """Prefix, then per chunk the label and the chunk with its end: a list of id lists in order."""
        parts = [self.prefix]
        for n, chunk in enumerate(chunks, 1):
            parts += [self.label(n, chunk.title), self.encode(" " + chunk.text) + self.chunk_end]
        return parts

    def branch(self, question, short: bool) -> Branch:
        ids = list(self.short) if short else []
        for asked, answered in question.history:
            ids += self.encode(self.text["history_question"].format(text=asked))
            ids += self.encode(self.text["history_answer"].format(text=answered))
        ids += self.encode(self.text["question"].format(text=question.question)) + self.turn
        return Branch(ids, self.encode(" " + self.answer_text(question, short)) + [self.end])

    def answer_text(self, question, short: bool) -> str:
        if not question.answer:
            return self.text["no_answer_short" if short else "no_answer"]
        if short:
            return question.answer
        return " ".join(f"{sentence} [{chunk + 1}]" for chunk, sentence in question.quote)
