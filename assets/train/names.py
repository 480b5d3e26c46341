"""Made-up names: nothing a model could have memorised. Every name is on one side of the split rule."""
import random

from xxh64 import is_test

ONSETS = "b c d f g h j k l m n p r s t v w z br cl dr fr gr kr pl pr st tr sh th sk sl qu".split()
VOWELS = "a e i o u ai ea ou ia au".split()
CODAS = "n r l s k m t nd rt x".split()
PLACE_ENDS = "ville burg ford stad mouth ton field haven".split()
COMPANY_ENDS = "Ltd Group Works Systems Foods Partners Logistics Mining Brothers Labs".split()


class Namer:
    """Draws unique names for one example. `test` picks the side of the split."""

    def __init__(self, rng: random.Random, test: bool):
        self.rng, self.test, self.used = rng, test, set()

    def _syllables(self, n: int) -> str:
        r = self.rng
        word = "".join(r.choice(ONSETS) + r.choice(VOWELS) for _ in range(n))
        return (word + (r.choice(CODAS) if r.random() < 0.6 else "")).capitalize()

    def word(self) -> str:
        while True:
            name = self._syllables(self.rng.choice((1, 2, 2, 2, 3)))
            if len(name) > 3 and name not in self.used and is_test(name) == self.test:
                self.used.add(name)
                return name

    def person(self) -> str:
        return f"{self.word()} {self.word()}"

    def town(self) -> str:
        return self.word() + (self.rng.choice(PLACE_ENDS) if self.rng.random() < 0.25 else "")

    def company(self) -> str:
        return f"{self.word()} {self.rng.choice(COMPANY_ENDS)}"

    def device(self) -> str:
        return f"{self.word()} {self.rng.choice(('X', 'S', 'M', ''))}{self.rng.randint(2, 99)}"

    def code(self) -> str:
        r = self.rng
        letters = "".join(r.choice("ABCDEFGHJKLMNPRSTUVWXYZ") for _ in range(2))
        return f"{letters}-{r.randint(100, 9999)}"

    def hexkey(self) -> str:
        return "".join(self.rng.choice("0123456789abcdef") for _ in range(self.rng.choice((6, 8))))
