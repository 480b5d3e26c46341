#!/usr/bin/env python3
"""Asks the everyday papers beside this file what people ask of theirs, and counts right answers and wrong ones.

    python3 tests/eval/everyday/everyday.py build/release/mneme [--show]

Each folder is indexed into a temporary home. `questions.tsv`: a question and words that the answer must hold, one of several apart by
"|". `absent.txt`: questions about things that are there, whose answers are not. `conversations.tsv`: questions one behind the other, apart by
">>", and what the last answer must hold ("-": it is not there). Everything in the papers is made up. The first folder is also asked the questions
of tests/data/quoting, which are about other documents. Quoting answers (`--model none`).
"""
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
QUOTING = HERE.parent.parent / "data" / "quoting"


def rows(path: pathlib.Path) -> list[list[str]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def run(mneme: str, home: str, *arguments: str, given: str = "") -> str:
    command = [mneme, "--home", home, "--model", "none", "--json", *arguments]
    return subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout


def ask(mneme: str, home: str, question: str) -> dict:
    return json.loads(run(mneme, home, "ask", question))


def last_answer(mneme: str, home: str, turns: list[str]) -> dict:
    lines = run(mneme, home, "chat", given="\n".join(turns) + "\n").splitlines()
    return [json.loads(line) for line in lines if line.startswith('{"answer"')][-1]


class Count:
    """Of the answers that are given: how many hold what is asked, and how many should not have been given."""

    def __init__(self, show: bool):
        self.show, self.asked, self.right, self.absent, self.wrong = show, 0, 0, 0, 0

    def take(self, question: str, words: str | None, answer: dict) -> None:
        """words: that it must hold, one of several apart by "|"; none: the papers do not tell."""
        if words is None:
            self.absent += 1
            self.wrong += answer["in_documents"]
            said = "not there" if answer["in_documents"] else ""
        else:
            holds = any(one.lower() in answer["answer"].lower() for one in words.split("|"))
            self.asked += 1
            self.right += holds
            said = "" if holds else f"not {words!r}"
        if self.show and said:
            print(f"  {said}: {question} -> {answer['answer'][:150]!r}")

    def tell(self, name: str) -> None:
        print(f"{name}: {self.right} of {self.asked} hold what is asked, {self.wrong} of {self.absent} answered though not there")


def measure(mneme: str, name: str, absent: list[str], show: bool) -> None:
    folder = HERE / name
    with tempfile.TemporaryDirectory() as home:
        subprocess.run([mneme, "--home", home, "index", folder / "documents"], check=True, stdout=subprocess.DEVNULL)
        single = Count(show)
        for question, words in rows(folder / "questions.tsv"):
            single.take(question, words, ask(mneme, home, question))
        for question in absent:
            single.take(question, None, ask(mneme, home, question))
        single.tell(name)
        if not (folder / "conversations.tsv").exists():
            return
        last = Count(show)
        for turns, words in rows(folder / "conversations.tsv"):
            questions = turns.split(" >> ")
            last.take(questions[-1], None if words == "-" else words, last_answer(mneme, home, questions))
        last.tell(name + ", behind other questions")


def main() -> None:
    mneme, show = sys.argv[1], "--show" in sys.argv[2:]
    elsewhere = [row[1] for name in ("questions.tsv", "absent.tsv") for row in rows(QUOTING / name)]
    measure(mneme, "first", elsewhere, show)
    for name in ("second", "third", "fourth"):
        measure(mneme, name, [row[0] for row in rows(HERE / name / "absent.txt")], show)


if __name__ == "__main__":
    main()
