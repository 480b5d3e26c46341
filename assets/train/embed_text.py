"""Text to token ids for the static embedder: simple enough to be exact in every language it is written in.

1. Code points one by one: full-width ASCII (U+FF01..U+FF5E) becomes ASCII; nonspacing marks (category Mn) are dropped;
   the rest is lower-cased by the simple one-to-one mapping (a character whose lower case is longer stays as it is).
2. A word is a maximal run of letters, spacing marks and numbers (categories L*, M*, N*); all else separates words.
3. A word is "\u2581" + its characters, cut greedily: the longest piece of the vocabulary that starts here (at most
   MAX_PIECE code points), again and again. A character that starts no piece becomes bucket `code point mod 256`; an
   unmatched "\u2581" is dropped.
Ids 0..255 are the buckets, the pieces follow.
"""
import unicodedata

BUCKETS, MAX_PIECE, SPACE = 256, 16, "\u2581"


def fold(c: str) -> str:
    """One code point -> what takes its place; "" drops it, " " separates words."""
    if "\uff01" <= c <= "\uff5e":
        c = chr(ord(c) - 0xFEE0)
    category = unicodedata.category(c)
    if category == "Mn":
        return ""
    if category[0] not in "LMN":
        return " "
    lower = c.lower()
    return lower if len(lower) == 1 else c


class _Folds(dict):
    def __missing__(self, key: int) -> str:
        self[key] = fold(chr(key))
        return self[key]


FOLDS = _Folds()


def words(text: str) -> list[str]:
    return text.translate(FOLDS).split()


class Tokenizer:
    def __init__(self, pieces: list[str]):
        """pieces: the vocabulary after the buckets, in id order."""
        self.pieces = pieces
        self.ids = {piece: BUCKETS + i for i, piece in enumerate(pieces)}
        self.cache: dict[str, list[int]] = {}

    def word(self, word: str) -> list[int]:
        out, at, text = [], 0, SPACE + word
        while at < len(text):
            for size in range(min(MAX_PIECE, len(text) - at), 0, -1):
                token = self.ids.get(text[at:at + size])
                if token is not None:
                    out.append(token)
                    break
            else:
                size = 1
                if text[at] != SPACE:
                    out.append(ord(text[at]) % BUCKETS)
            at += size
        return out

    def __call__(self, text: str) -> list[int]:
        out = []
        for word in words(text):
            ids = self.cache.get(word)
            if ids is None:
                ids = self.cache[word] = self.word(word)
            out += ids
        return out


def load(path: str) -> Tokenizer:
    with open(path, encoding="utf-8") as f:
        return Tokenizer(f.read().split("\n"))


def save(path: str, pieces: list[str]) -> None:
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(pieces))
