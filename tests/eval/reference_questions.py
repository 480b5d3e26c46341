#!/usr/bin/env python3
"""Asks what the pages of a reference work answer under a heading or label, and counts the right answers.

The pages are Markdown, one thing a page, its title the first line ("# Norway"), what is said of it under headings and
labels ("### Capital", "- **Climate**: temperate"), as in the World Factbook. Questions and answers come from the pages
themselves; `mneme --model none` answers by quoting.

    mneme --home HOME index PAGES --kv off
    tests/eval/reference_questions.py PAGES --home HOME --mneme build/release/mneme
"""
import argparse
import json
import pathlib
import random
import re
import subprocess
import sys

# Set: (question, where its answer stands in the page). "tuned": looked at while the rules were made; "fresh": written
# after them.
TUNED = [
    ("What is the capital of {}?", r"### Capital\n\n- \*\*name\*\*: ([A-Z][^\n(;]+)"),
    ("What languages are spoken in {}?", r"- \*\*Languages\*\*: ([A-Z][^\n(,]+)"),
    ("When did {} become independent?", r"- \*\*Independence\*\*: (\d[^\n(;]+\d{4})"),
    ("What is the climate of {} like?", r"- \*\*Climate\*\*: ([^\n(;,]+)"),
    ("What natural resources does {} have?", r"- \*\*Natural resources\*\*: ([^\n(;,]+)"),
    ("What is the total area of {}?", r"### Area\n\n- \*\*total\*\*: ([\d,]+ sq km)"),
    ("How many people live in {}?", r"### Population\n\n- \*\*total\*\*: ([\d,]+)"),
    ("Which religions are there in {}?", r"- \*\*Religions\*\*: ([A-Z][a-z]+)"),
    ("What natural hazards threaten {}?", r"- \*\*Natural hazards\*\*: ([^\n(;,]+)"),
    ("What is the highest point in {}?", r"- \*\*highest point\*\*: ([^\n(;,]+?) [\d,]+ m"),
    ("What is the national holiday of {}?", r"- \*\*National holiday\*\*: ([^\n(;,]+)"),
    ("Who are the main export partners of {}?", r"- \*\*Exports - partners\*\*: ([A-Za-z]+)"),
]
FRESH = [
    ("What countries does {} border?", r"- \*\*border countries\*\*: ([A-Z][^\n(;,\d]+?) [\d,]+ km"),
    ("What type of government does {} have?", r"- \*\*Government type\*\*: ([^\n(;,]+)"),
    ("How long is the coastline of {}?", r"- \*\*Coastline\*\*: ([\d,]+ km)"),
    ("What is the lowest point of {}?", r"- \*\*lowest point\*\*: ([^\n(;,]+?) -?[\d,]+ m"),
    ("What is the national anthem of {} called?", r'### National anthem\(?s?\)?\n\n- \*\*title\*\*: "?([^\n"(;,]+)'),
    ("What legal system does {} use?", r"- \*\*Legal system\*\*: ([^\n(;,]+)"),
    ("At what age can people vote in {}?", r"- \*\*Suffrage\*\*: (\d+ years)"),
    ("Which agricultural products does {} produce?", r"- \*\*Agricultural products\*\*: ([^\n(;,]+)"),
    ("What industries are there in {}?", r"- \*\*Industries\*\*: ([^\n(;,]+)"),
    ("Which ethnic groups live in {}?", r"- \*\*Ethnic groups\*\*: ([A-Z][a-z]+)"),
    ("What was the unemployment rate of {} in 2024?", r"- \*\*Unemployment rate 2024\*\*: ([\d.]+%)"),
    ("What is the life expectancy at birth in {}?",
     r"### Life expectancy at birth\n\n- \*\*total population\*\*: ([\d.]+ years)"),
]


def titled_pages(folder: pathlib.Path):
    for page in sorted(folder.rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        title = text.split("\n", 1)[0].removeprefix("# ").strip()
        if len(title) >= 4 and not re.search(r" and |[,(]", title):
            yield title, text


def make_questions(pages, templates, each: int, seed: int, lower: bool):
    rng = random.Random(seed)
    for question, where in templates:
        known = [(title, found.group(1).strip()) for title, text in pages if (found := re.search(where, text))]
        rng.shuffle(known)
        for i, (title, answer) in enumerate(known[:each]):
            asked = question.format(title)
            yield (asked.lower() if lower and i % 3 == 0 else asked), answer


def ask(options, question: str) -> str:
    command = [options.mneme, "--home", options.home, "--model", "none", "--json", "ask", question]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)["answer"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", type=pathlib.Path)
    parser.add_argument("--home", required=True)
    parser.add_argument("--mneme", default="build/release/mneme")
    parser.add_argument("--each", type=int, default=12, help="questions of each template")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--show", action="store_true", help="print what was answered wrong")
    options = parser.parse_args()
    pages = list(titled_pages(options.pages))
    for name, templates in (("tuned", TUNED), ("fresh", FRESH)):
        asked = held = first = 0
        for question, answer in make_questions(pages, templates, options.each, options.seed, name == "fresh"):
            said = ask(options, question)
            right = answer.lower() in said.lower()
            asked, held = asked + 1, held + right
            first += answer.lower() in said.split("\n", 1)[0].lower()
            if options.show and not right:
                print(f"{question}\n  asked for: {answer}\n  answered: {said[:300]!r}")
        print(f"{name}: {asked} questions, {held} answered, {first} by the first quotation")
    return 0


if __name__ == "__main__":
    sys.exit(main())
