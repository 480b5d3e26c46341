#!/usr/bin/env python3
"""Asks the everyday papers beside this file what people ask of theirs, and counts right answers and wrong ones.

    python3 tests/eval/everyday/everyday.py build/release/mneme [--show]

Both folders are indexed into a temporary home. `questions.tsv`: a question and words that the answer must hold. `absent.txt`:
questions about things that are there, whose answers are not. Everything in the papers is made up. The first folder is also asked the questions of
tests/data/quoting, which are about other documents. Quoting answers (`--model none`).
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


def ask(mneme: str, home: str, question: str) -> dict:
    command = [mneme, "--home", home, "--model", "none", "--json", "ask", question]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def measure(mneme: str, name: str, absent: list[str], show: bool) -> None:
    with tempfile.TemporaryDirectory() as home:
        subprocess.run([mneme, "--home", home, "index", HERE / name / "documents"], check=True, stdout=subprocess.DEVNULL)
        right, wrong = 0, 0
        asked = rows(HERE / name / "questions.tsv")
        for question, words in asked:
            answer = ask(mneme, home, question)["answer"]
            right += words.lower() in answer.lower()
            if show and words.lower() not in answer.lower():
                print(f"  not {words!r}: {question} -> {answer[:150]!r}")
        for question in absent:
            answer = ask(mneme, home, question)
            wrong += answer["in_documents"]
            if show and answer["in_documents"]:
                print(f"  not there: {question} -> {answer['answer'][:150]!r}")
    print(f"{name}: {right} of {len(asked)} hold what is asked, {wrong} of {len(absent)} answered though not there")


def main() -> None:
    mneme, show = sys.argv[1], "--show" in sys.argv[2:]
    elsewhere = [row[1] for name in ("questions.tsv", "absent.tsv") for row in rows(QUOTING / name)]
    measure(mneme, "first", elsewhere, show)
    measure(mneme, "second", [row[0] for row in rows(HERE / "second" / "absent.txt")], show)


if __name__ == "__main__":
    main()
