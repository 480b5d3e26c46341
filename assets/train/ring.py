"""Sequences handed from the programs that draw them to the one that trains, through a mapped file.

Every producer has its own slots and is the only one to write them; the trainer is the only one to take. Two counters per
producer say how far each is, so nothing is locked. The last slots that were taken stay as they are for a while: if the
producers cannot keep up, the trainer repeats some of those instead of waiting.
"""
import os
import random
import time

import numpy as np

WAIT = 0.003                    # seconds between two looks


class Ring:
    def __init__(self, path: str, kind: np.dtype, producers: int, ahead: int, kept: int, create: bool = False):
        """ahead: sequences that a producer may be in front; kept: taken ones that can be repeated."""
        self.producers, self.ahead, self.slots = producers, ahead, ahead + kept
        self.kept, self.turn = kept, 0
        mode = "w+" if create else "r+"
        self.records = np.memmap(path + ".sequences", kind, mode, shape=(producers, self.slots))
        self.control = np.memmap(path + ".control", np.int64, mode, shape=(2 * producers + 2,))
        self.written, self.taken = self.control[:producers], self.control[producers:2 * producers]

    @property
    def stage(self) -> int:
        return int(self.control[-2])

    @stage.setter
    def stage(self, index: int) -> None:
        self.control[-2] = index

    def stop(self) -> None:
        self.control[-1] = 1

    @property
    def stopped(self) -> bool:
        return bool(self.control[-1])

    def slot(self, producer: int):
        """The producer's next free record, or None when nobody wants more. written() when it is filled."""
        parent = os.getppid()
        while self.written[producer] - self.taken[producer] >= self.ahead:
            if self.stopped or os.getppid() != parent:
                return None
            time.sleep(WAIT)
        return None if self.stopped else self.records[producer, self.written[producer] % self.slots]

    def filled(self, producer: int) -> None:
        self.written[producer] += 1

    def waiting(self) -> int:
        return int((self.written - self.taken).sum())

    def take(self, rng: random.Random, record: np.ndarray) -> bool | None:
        """Copies the next sequence of the producers in turn into `record`: True. Where none has any, one that was taken
        before: False. None: there is not even one of those."""
        for step in range(self.producers):
            i = (self.turn + step) % self.producers
            if self.written[i] > self.taken[i]:
                self.turn = i + 1
                record[...] = self.records[i, self.taken[i] % self.slots]
                self.taken[i] += 1
                return True
        known = [i for i in range(self.producers) if self.taken[i]]
        if not known:
            return None
        i = rng.choice(known)
        back = rng.randint(1, min(int(self.taken[i]), self.kept))
        record[...] = self.records[i, (self.taken[i] - back) % self.slots]
        return False
