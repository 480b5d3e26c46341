"""A question's wording made unlike the text's: who asks does not know how the text puts it.

Other words for common ones, names cut to the last name, phrases left out or moved to the front, passive for active, and the small
letters of a search query. Shapes are those of people's questions to a search engine.
"""
import random
import re

from questions.english import ACTIVE_ONLY, BASE_OF_PAST, BASES, FIRST_NAMES, PASSIVE_ONLY, PAST_OF_PARTICIPLE, PREPOSITIONS, ROLES, SYNONYMS, WORKS, YEAR

SYNONYM, SHORT_NAME, DROPPED_PHRASE, FRONTED, DROPPED_THE, SMALL = 0.65, 0.3, 0.25, 0.06, 0.12, 0.78
BE = re.compile(r"\b(?:was|were|is|are|been|be)\b")
# Whole questions that people put differently: pattern, ways to say it.
SHAPES = [(re.compile(p), ways) for p, ways in (
    (r"^when was (?P<x>.+?) (?:released|published|first published|premiered)$", ("when did {x} come out", "when was {x} released", "what year did {x} come out", "{x} release date")),
    (r"^when did the (?:film|movie) (?P<x>.+) come out$", ("when did {x} come out", "what year did the movie {x} come out", "when was the film {x} made", "when was {x} released", "what year was {x} made")),
    (r"^when did the (?P<w>song|album|single|novel|book|game|show|series) (?P<x>.+) come out$", ("when did {x} come out", "what year did the {w} {x} come out", "when was {x} released")),
    (r"^when was (?P<x>.+) born$", ("when was {x} born", "what year was {x} born", "when is {x}'s birthday", "{x} date of birth", "when was {x} born")),
    (r"^where was (?P<x>[^ ]+(?: [^ ]+){0,3}) born$", ("where was {x} born", "where is {x} from", "what is the birthplace of {x}", "where was {x} born")),
    (r"^when did (?P<x>.+) die$", ("when did {x} die", "when did {x} pass away", "what year did {x} die", "{x} date of death")),
    (r"^who directed (?P<x>.+)$", ("who directed {x}", "who is the director of {x}", "who was the director of {x}", "{x} was directed by who", "director of {x}")),
    (r"^who wrote (?P<x>.+)$", ("who wrote {x}", "who is the author of {x}", "who was {x} written by", "{x} was written by whom", "writer of {x}")),
    (r"^who produced (?P<x>.+)$", ("who produced {x}", "who was the producer of {x}", "who made {x}")),
    (r"^who founded (?P<x>.+)$", ("who founded {x}", "who started {x}", "who is the founder of {x}", "who set up {x}")),
    (r"^who starred in (?P<x>.+)$", ("who starred in {x}", "who stars in {x}", "who is in the movie {x}", "who played in {x}", "who was the star of {x}")),
    (r"^who plays (?P<x>.+)$", ("who plays {x}", "who played {x}", "who plays the part of {x}", "actor who plays {x}", "who was {x} played by")),
    (r"^what nationality (?P<b>is|was) (?P<x>.+)$", ("what nationality {b} {x}", "what is the nationality of {x}", "where {b} {x} from")),
    (r"^what (?P<b>is|was) (?P<x>.+)'s profession$", ("what did {x} do for a living", "what {b} {x}'s profession", "what {b} {x}'s job", "what is {x} known as", "who {b} {x}")),
    (r"^what country is the (?P<w>film|movie|novel|song|show|series) (?P<x>.+) from$", ("what country is {x} from", "which country made the {w} {x}", "where is the {w} {x} from")),
    (r"^what is (?P<x>.+) also called$", ("what is {x} also called", "what is another name for {x}", "what do they call {x}", "another name for {x}")),
    (r"^what is (?P<x>.+) called$", ("what is {x} called", "what is the term for {x}", "what do you call {x}", "{x} is called")),
    (r"^what (?P<b>is|was) (?P<x>.{4,40})$", ("what {b} {x}", "what {b} {x}", "what kind of thing {b} {x}", "what type of thing {b} {x}")),
    (r"^how many (?P<n>[\w ]+) does (?P<x>.+) have$", ("how many {n} does {x} have", "how many {n} are there in {x}", "number of {n} in {x}")),
    (r"^where (?P<b>is|was|are) (?P<x>.+) located$", ("where {b} {x} located", "where {b} {x}", "where can you find {x}", "where {b} {x} situated", "location of {x}")),
    (r"^when (?P<b>was|were) (?P<x>.+) (?:founded|established|created|formed)$", ("when {b} {x} founded", "when did {x} start", "what year {b} {x} established", "when {b} {x} created")),
    (r"^when (?P<b>was|were) (?P<x>.+) (?:built|constructed|completed)$", ("when {b} {x} built", "when did they build {x}", "what year {b} {x} built", "when {b} {x} finished")),
    (r"^who was the (?P<r>[\w ]+) of (?P<x>.+)$", ("who was the {r} of {x}", "who is the {r} of {x}", "{x}'s {r}", "name of the {r} of {x}")),
)]
DROPPED_WORD, KEPT = 0.25, WORKS | ROLES | set("first last only most next main second third previous current same other film".split())
NAMED = re.compile(r"\b([A-Z][\w'’-]+) (?:[A-Z]\. )?([A-Z][\w'’-]+)\b(?! [A-Z]| von | de | van )")


def reshaped(rng: random.Random, question: str, kind: str) -> str:
    if rng.random() < 0.25:
        return question
    for pattern, ways in SHAPES:
        if m := pattern.match(question):
            if kind == "what" or "kind of thing" not in ways[2]:
                return rng.choice(ways).format(**m.groupdict())
    return question


def other_words(rng: random.Random, question: str) -> str:
    passive = bool(BE.search(question)) or bool(re.search(r"\b(?:has|have|had)\b", question))
    out = question
    for word, ways in SYNONYMS.items():
        if word in out and rng.random() < SYNONYM:
            fit = [w for w in ways if (passive or w not in PASSIVE_ONLY) and not (passive and w in ACTIVE_ONLY)]
            # Not inside a name: a capital letter on either side stands for one.
            if fit:
                out = re.sub(rf"(?<![A-Z][a-z] )(?<![\w'’-]){re.escape(word)}(?![\w'’-])(?! (?:up|down|out|off|in|into|through|on|over|away|back|[a-z]+ing)\b)", rng.choice(fit), out)
    return out


def short_names(rng: random.Random, question: str) -> str:
    def cut(m: re.Match) -> str:
        return m.group(2) if m.group(1) in FIRST_NAMES and rng.random() < SHORT_NAME else m.group()
    return NAMED.sub(cut, question)


def timed(rng: random.Random, question: str, answer: str) -> str:
    """When, what year, on what date: what the answer allows."""
    if not question.startswith("when ") or rng.random() < 0.7:
        return question
    if re.fullmatch(YEAR, answer):
        return rng.choice(("what year ", "in what year ", "in which year ", "what year ")) + question[5:]
    day = re.search(r"\d{1,2}\b.*\d{4}", answer)
    return rng.choice(("what date ", "on what date ", "when ", "what day ") if day else ("when ",)) + question[5:]


def shortened(rng: random.Random, question: str) -> str:
    """Without its last phrase, where enough is left to know what is asked."""
    m = re.match(r"^(.+[a-z0-9] (?:.+)) (?:in|on|at|during|after|for|with|from|between) (?:the |a |an )?((?:[\w'’-]+ ?){1,4})$", question)
    if m and not any(w in PAST_OF_PARTICIPLE or w in BASES for w in m.group(2).split()) and len(m.group(1).split()) >= 6 and len(re.findall(r"\b[A-Z]\w+", m.group(1))) >= 1 and rng.random() < DROPPED_PHRASE:
        return m.group(1)
    return question


def plainer(rng: random.Random, question: str) -> str:
    """Without a word before a noun that says little; ranks and kinds of things stay."""
    def cut(m: re.Match) -> str:
        said = m.group(2).endswith(("est", "st", "nd", "rd", "th")) or m.group(2) in KEPT
        noun = m.group(3) in PAST_OF_PARTICIPLE or m.group(3) in BASE_OF_PAST or m.group(3) in BASES or m.group(3) in PREPOSITIONS
        said = said or noun or not m.group(2).endswith(("al", "ic", "ous", "ive", "ful", "ble", "less", "ary", "ish", "ent", "ant", "ern", "great", "old", "long", "large", "young"))
        return m.group() if said or rng.random() >= DROPPED_WORD else f"{m.group(1)} {m.group(3)}"
    return re.sub(r"\b(the|a|an|his|her|its) ([a-z-]{4,}) ([a-z]{4,})\b", cut, question) if question.count(" ") > 7 else question


def fronted(rng: random.Random, question: str) -> str:
    m = re.match(rf"^((?:who|what|which|where|how many) .+) (in (?:[A-Z][a-z]+ )?{YEAR})$", question)
    return f"{m.group(2)} {m.group(1)}" if m and rng.random() < 4 * FRONTED else question


def reworded(rng: random.Random, kind: str, question: str, answer: str) -> str:
    text = re.sub(r"[\"“”,;:]", "", question)
    text = reshaped(rng, shortened(rng, text) if kind in ("subject", "time", "place", "object") else text, kind)
    text = short_names(rng, fronted(rng, timed(rng, other_words(rng, plainer(rng, text)), answer)))
    text = " ".join(w for w in text.split(" ") if w and not (w == "the" and rng.random() < DROPPED_THE))
    if rng.random() < SMALL:
        return text.lower() + ("?" if rng.random() < 0.08 else "")
    return text[0].upper() + text[1:] + ("?" if rng.random() < 0.85 else "")
