"""SentencePiece BPE in plain Python, for machines without the sentencepiece package. Same ids, same names of methods.

Reads the NAME.vocab file that training writes beside NAME.model (one "piece<TAB>score" per line). Pieces never hold a
space after another character, so a text falls apart into independent words; those are remembered.
"""
import os
import re

SPACE = "\u2581"


class Processor:
    def __init__(self, pieces: list[str], scores: list[float]):
        self.pieces, self.scores = pieces, scores
        self.ids = {piece: i for i, piece in enumerate(self.pieces)}
        special = re.compile(r"<unk>|<s>|</s>|<\|\w+\|>|<0x[0-9A-F]{2}>")
        self.mergeable = {p: i for p, i in self.ids.items() if not special.fullmatch(p)}
        self.bytes = [self.ids[f"<0x{b:02X}>"] for b in range(256)]
        self.cache: dict[str, list[int]] = {}

    def bos_id(self) -> int:
        return self.ids["<s>"]

    def unk_id(self) -> int:
        return self.ids["<unk>"]

    def piece_to_id(self, piece: str) -> int:
        return self.ids.get(piece, self.unk_id())

    def id_to_piece(self, i: int) -> str:
        return self.pieces[i]

    def get_piece_size(self) -> int:
        return len(self.pieces)

    def get_score(self, i: int) -> float:
        return self.scores[i]

    def is_unknown(self, i: int) -> bool:
        return i == self.unk_id()

    def is_byte(self, i: int) -> bool:
        return re.fullmatch("<0x[0-9A-F]{2}>", self.pieces[i]) is not None

    def is_control(self, i: int) -> bool:
        return self.pieces[i] not in self.mergeable and not self.is_byte(i) and not self.is_unknown(i)

    def is_unused(self, i: int) -> bool:
        return False

    def _word(self, word: str) -> list[int]:
        parts = list(word)
        while len(parts) > 1:
            # The best score wins, the leftmost of equals: what SentencePiece's agenda does.
            best = max((self.scores[i], -at) for at in range(len(parts) - 1)
                       if (i := self.mergeable.get(parts[at] + parts[at + 1])) is not None) \
                if any(parts[at] + parts[at + 1] in self.mergeable for at in range(len(parts) - 1)) else None
            if best is None:
                break
            at = -best[1]
            parts[at:at + 2] = [parts[at] + parts[at + 1]]
        out = []
        for part in parts:
            i = self.mergeable.get(part)
            out += [i] if i is not None else [self.bytes[b] for b in part.encode("utf-8")]
        return out

    def encode(self, text: str) -> list[int]:
        out = []
        for word in re.findall(f"{SPACE}+[^{SPACE}]*|[^{SPACE}]+", text.replace(" ", SPACE)):
            ids = self.cache.get(word)
            if ids is None:
                ids = self._word(word)
                if len(self.cache) < 500_000 and len(word) < 40:
                    self.cache[word] = ids
            out += ids
        return out

    def decode(self, ids: list[int]) -> str:
        out = b""
        for i in ids:
            piece = self.pieces[i]
            if i in self.bytes:
                out += bytes([int(piece[3:5], 16)])
            elif piece in self.mergeable:
                out += piece.replace(SPACE, " ").encode("utf-8")
        return out.decode("utf-8", errors="replace")


def from_file(vocab_file: str) -> Processor:
    with open(vocab_file, encoding="utf-8") as f:
        rows = [line.rstrip("\n").rsplit("\t", 1) for line in f]
    return Processor([piece for piece, _ in rows], [float(score) for _, score in rows])


def from_gguf(meta: dict) -> Processor:
    """The vocabulary of a GGUF file, from its metadata."""
    return Processor(meta["tokenizer.ggml.tokens"], [float(s) for s in meta["tokenizer.ggml.scores"]])


def load(model_file: str):
    """The real SentencePiece where it is installed and the model is there, this one on NAME.vocab otherwise."""
    try:
        import sentencepiece
    except ImportError:
        sentencepiece = None
    if sentencepiece and os.path.exists(model_file):
        return sentencepiece.SentencePieceProcessor(model_file=model_file)
    return from_file(model_file.rsplit(".", 1)[0] + ".vocab")
