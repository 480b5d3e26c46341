#!/usr/bin/env python3
"""Asks the everyday papers beside this file what people ask of theirs, and counts right answers and wrong ones.

    python3 tests/eval/everyday/everyday.py build/release/mneme [--show] [--read] [FOLDER...]

Each folder is indexed into a temporary home. `questions.tsv`: a question and words that the answer must hold, one of several apart by
"|", or all of several apart by "&&" (where a list is asked for). `absent.txt`: questions about things that are there, whose answers are not.
`conversations.tsv`: questions one behind the other, apart by ">>", and what the last answer must hold ("-": it is not there). Everything in the papers
is made up. The first folder is also asked the questions of tests/data/quoting, which are about other documents. `fifth` holds technical documents;
`own` asks of this project's (docs/, without the page that tells of such questions), `sixth` holds papers of a teacher, a landlord, a photographer, a
garden club and somebody who cares for her mother, `seventh` those of a family and of a joinery, in the formats that people have them in
(`make_papers.py` makes them), `eighth` those of households that write German (with a small firm), French, Spanish, Russian, Arabic, Chinese and
Japanese, each language by itself, and `ninth` a few papers each of such that write twelve other languages. Of these six a half is held back
(`*-held`): it is counted, and never shown. `tenth` holds what a household in three languages keeps (English, German, Italian), `eleventh` what another
does (English, German, French), all of which is held back. Quoting answers (`--model none`); with `--read` the model that comes with the program
reads the quotations as it does where no model is named, and the short answers said before them are counted, too.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from make_papers import make_papers

HERE = pathlib.Path(__file__).resolve().parent
OWN = HERE.parents[2] / "docs"
QUOTING = HERE.parent.parent / "data" / "quoting"
MODEL = ["--model", "none"]  # nothing with --read


def rows(path: pathlib.Path) -> list[list[str]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def run(mneme: str, home: str, *arguments: str, given: str = "") -> str:
    command = [mneme, "--home", home, *MODEL, "--json", *arguments]
    return subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout


def ask(mneme: str, home: str, question: str) -> dict:
    return json.loads(run(mneme, home, "ask", question))


def last_answer(mneme: str, home: str, turns: list[str]) -> dict:
    lines = run(mneme, home, "chat", given="\n".join(turns) + "\n").splitlines()
    return [json.loads(line) for line in lines if line.startswith('{"answer"')][-1]


class Count:
    """Of the answers that are given: how many hold what is asked, and how many should not have been given."""

    def __init__(self, show: bool):
        self.show, self.asked, self.right, self.first, self.absent, self.wrong = show, 0, 0, 0, 0, 0
        self.stated = self.stated_right = 0  # short answers before the quotations

    def take(self, question: str, words: str | None, answer: dict) -> None:
        """words: that it must hold, all of those apart by "&&", one of several apart by "|"; none: the papers do not tell."""
        if words is None:
            self.absent += 1
            self.wrong += answer["in_documents"]
            said = "not there" if answer["in_documents"] else ""
        else:
            all_words = [one.strip().split("|") for one in words.split("&&")]
            held_by = lambda text: all(any(one.lower() in text.lower() for one in some) for some in all_words)
            holds = held_by(answer["answer"])
            self.asked += 1
            self.right += holds
            # A list is right as a whole.
            self.first += held_by(re.split(r" \[\d+\]", answer["answer"])[0]) if len(all_words) == 1 else holds
            said = "" if holds else f"not {words!r}"
            brief = answer.get("brief")
            if brief and brief["stated"]:
                self.stated += 1
                self.stated_right += held_by(brief["text"])
                said = said or ("" if held_by(brief["text"]) else f"first not {words!r}")
        if self.show and said:
            print(f"  {said}: {question} -> {answer['answer'][:150]!r}")

    def tell(self, name: str) -> None:
        print(f"{name}: {self.right} of {self.asked} hold what is asked, {self.first} in the first quotation; "
              f"{self.wrong} of {self.absent} answered though not there" +
              (f"; {self.stated_right} of {self.stated} short answers right" if not MODEL else ""))


def singles(mneme: str, home: str, folder: pathlib.Path, name: str, half: str, absent: list[str], show: bool) -> None:
    """half: of the files' names, "" or "-held"."""
    count = Count(show and not half)
    for question, words in rows(folder / f"questions{half}.tsv"):
        count.take(question, words, ask(mneme, home, question))
    for question in absent:
        count.take(question, None, ask(mneme, home, question))
    count.tell(name)


def conversations(mneme: str, home: str, folder: pathlib.Path, name: str, half: str, show: bool) -> None:
    count = Count(show and not half)
    for turns, words in rows(folder / f"conversations{half}.tsv"):
        questions = turns.split(" >> ")
        count.take(questions[-1], None if words == "-" else words, last_answer(mneme, home, questions))
    count.tell(name)


def absent_of(folder: pathlib.Path, half: str = "") -> list[str]:
    return [row[0] for row in rows(folder / f"absent{half}.txt")]


def names_of(folder: str) -> list[str]:
    """`eighth` and `ninth` are one folder for each language: `eighth/de`."""
    parts = sorted(path.parent.name for path in (HERE / folder).glob("*/questions.tsv"))
    return [f"{folder}/{part}" for part in parts] or [folder]


def measure(mneme: str, name: str, absent: list[str], show: bool) -> None:
    folder = HERE / name
    with tempfile.TemporaryDirectory() as home:
        documents = pathlib.Path(home) / "documents"
        if name == "own":
            shutil.copytree(OWN, documents, ignore=shutil.ignore_patterns("quoting.md", "*.svg", "*.json", "*.webp", "*.png"))
        else:
            make_papers(folder / "documents", documents)
        subprocess.run([mneme, "--home", f"{home}/home", "index", documents], check=True, stdout=subprocess.DEVNULL)
        if (folder / "questions.tsv").exists():
            singles(mneme, f"{home}/home", folder, name, "", absent, show)
        if (folder / "questions-held.tsv").exists():
            singles(mneme, f"{home}/home", folder, name + ", held back", "-held", absent_of(folder, "-held"), show)
        for half, called in (("", ""), ("-held", ", held back")):
            if (folder / f"conversations{half}.tsv").exists():
                conversations(mneme, f"{home}/home", folder, f"{name}, behind other questions{called}", half, show)


def main() -> None:
    mneme, arguments = sys.argv[1], sys.argv[2:]
    show = "--show" in arguments
    if "--read" in arguments:
        MODEL.clear()
    names = [argument for argument in arguments if not argument.startswith("--")]
    folders = names or ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
                        "eleventh", "own")
    for name in (name for folder in folders for name in names_of(folder)):
        absent = ([] if name == "eleventh" else absent_of(HERE / name)) if name != "first" else \
            [row[1] for row in (*rows(QUOTING / "questions.tsv"), *rows(QUOTING / "absent.tsv"))]
        measure(mneme, name, absent, show)


if __name__ == "__main__":
    main()
