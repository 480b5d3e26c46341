"""Questions about one clause: what stands in it is asked for, as Heilman and Smith (2010) do it with a parser.

Each rule yields (kind, question, answer); the answer stands in the sentence. The wording is still that of the text; rewording.py
makes it unlike it.
"""
import re

from questions.clauses import Clause, Phrase, Token, base_of, past_helper, spell
from questions.english import (JOBS, LANGUAGES, NATIONS, NUMBER, PAST_OF_PARTICIPLE, PLACE_VERBS, PREPOSITIONS, PRONOUNS, ROLES, STOP,
                     UNITS, WORKS, YEAR)
from questions.knowing import PEOPLE, Known, about, has_pronoun, ing, is_date, is_name, is_person, is_place, remember, subject_of, wh
from questions.patterns import ask_patterns

TIME_PREPOSITIONS = ("in", "on", "during", "since", "until", "from", "by", "around")
STRANDED = ("with", "for", "against", "to", "from", "under", "of", "as", "after")
LONGEST_ANSWER = 9
EMPTY = set("""company team band group city town village place area region show programme program version name term word result results
study studies data number type kind one part use case way thing people event site system""".split())
WEAK = set("""used made went came gave took many much more most last first next time times year years thing things also began with have
been like such""".split())
LINKING = set("""became become began started continued took had has have remained remain remains stayed felt looked appeared fell went grew
came arrived proved stood lay sat kept got turned ended ranks ranked run ran""".split())
TIMES = set("""century year years month months day days week weeks period era war season time times age morning evening night summer
winter spring autumn beginning end case way form same order past result process""".split())
LITTLE_ENDS = set("""long next day times time year years once twice first last better best worse together home high low early late instead well
abroad north south east west alone up down out away back forward ago close hard ready very well straight""".split())
BETWEEN = set("between near along under behind inside outside beneath across within above below".split())


def keep(c: Clause, without: Phrase | None, most: int = 3) -> str | None:
    """The other phrases, spelled; phrases nobody can understand are left out. None if an object is one of them."""
    out = []
    for p in c.phrases:
        if p is without or without and without.preposition == "from" and p.preposition in ("to", "until"):
            continue
        if has_pronoun(p.tokens) and not p.tokens[0].low in ("his", "her", "its", "their"):
            if not p.preposition:
                return None
            continue
        if len(p.tokens) > 7:
            if not p.preposition:
                return None
            continue
        if len(out) < most:
            out.append((p.preposition + " " + spell(c.text, p.tokens)).strip())
    return " ".join(out)


def predicate(c: Clause, rest: str) -> str:
    return " ".join(filter(None, [*c.verb.helpers, c.verb.main, rest]))


def inverted(c: Clause, word: str, subject: str, rest: str, stranded: str = "") -> str:
    """word + helper + subject + verb + rest."""
    v = c.verb
    if v.helpers:
        parts = [word, v.helpers[0], subject, *v.helpers[1:], v.main, rest, stranded]
    else:
        base = base_of(v)
        if not base:
            return ""
        parts = [word, past_helper(v), subject, base, rest, stranded]
    return " ".join(x for x in parts if x)


def trimmed(c: Clause, part: list[Token]) -> str:
    """An answer: without its article."""
    if len(part) > 1 and part[0].low in ("the", "a", "an"):
        part = part[1:]
    return spell(c.text, part).strip('"')


def ask_subject(c: Clause, known: Known):
    v = c.verb
    if has_pronoun(c.subject) or len(c.subject) > 7 or v.kind == "starring" or not c.phrases:
        return
    if c.subject[0].low in ("no", "some", "many", "most", "several", "few", "there"):
        return
    first = c.phrases[0]
    if v.kind == "copula" and not (not first.preposition and (first.tokens[0].low == "the" or len(first.tokens) > 2 and first.tokens[1].text in ("'s", "’s"))):
        return
    if not is_name(c.subject) and (len(c.subject) < 2 or c.subject[0].low not in ("the", "a", "an") or v.kind == "copula"):
        return
    number = c.subject[0]
    word = wh(c.subject, c.text, v.main, known)
    rest = keep(c, None)
    if c.noun:
        word = "which " + c.noun
    elif v.main in ("directed", "written", "produced"):
        return
    elif word == "what" and rest and is_name(c.subject) and re.search(r"\b(?:his|her)\b", rest):
        word = "who"
    elif word == "what" and rest and set(rest.split()) & (ROLES | JOBS) and v.kind in ("copula", "passive", "past"):
        word = "who"
    if not word or not rest or NUMBER.match(number.text):
        return
    helpers = v.helpers
    # "who" takes a singular verb, several names do not.
    swap = {"were": "was", "are": "is", "have": "has"}
    if word.startswith("who") and helpers:
        helpers = [swap.get(h, h) for h in helpers]
    yield "subject", " ".join(filter(None, [word, *helpers, v.main, rest])), trimmed(c, c.subject)


def ask_time(c: Clause, known: Known):
    subject = subject_of(c, known)
    if not subject or c.verb.kind == "starring" or c.verb.kind == "copula" and c.phrases and any(x.low in PAST_OF_PARTICIPLE for x in c.phrases[0].tokens):
        return                              # "is a bridge built in 1870" does not say when it is a bridge
    for p in c.phrases:
        if p.preposition in TIME_PREPOSITIONS and is_date(p.tokens, c.text):
            rest = keep(c, p)
            if rest is None or (c.verb.kind == "copula" and not rest):
                continue
            date = spell(c.text, p.tokens)
            word = "when"
            stranded = {"since": "since", "until": "until"}.get(p.preposition, "")
            if p.preposition == "since":
                word = "since when"
                stranded = ""
            elif p.preposition == "until":
                word, stranded = "until when", ""
            elif re.fullmatch(YEAR, date) and len(rest) % 3 == 0:
                word = "what year"
            elif "century" in date:
                word = "in what century"
            question = inverted(c, word, subject, rest, stranded)
            if question:
                yield "time", question, date
    for p in c.phrases:
        # "in Paris in May 1968" is two phrases, "on the coast in 1968" too; "for 12 years" is a length.
        if p.preposition == "for" and len(p.tokens) in (2, 3, 4) and NUMBER.match(p.tokens[-2].text) and p.tokens[-1].low in UNITS:
            rest = keep(c, p)
            question = rest is not None and inverted(c, UNITS[p.tokens[-1].low], subject, rest)
            if question:
                yield "long", question, spell(c.text, p.tokens)


def ask_place(c: Clause, known: Known):
    subject = subject_of(c, known)
    if not subject or c.verb.kind == "starring" or c.verb.kind == "copula" and c.phrases and any(x.low in PAST_OF_PARTICIPLE for x in c.phrases[0].tokens):
        return                              # "is a bridge built in 1870" does not say when it is a bridge
    for p in c.phrases:
        core = p.tokens[1:] if p.tokens[0].low == "the" else p.tokens
        thing = not any(x.name for x in p.tokens[:2]) and p.tokens[0].low in ("the", "a", "an") and len(p.tokens) < 8 and not has_pronoun(p.tokens)
        if thing and (p.preposition in BETWEEN or p.preposition in ("in", "on", "at") and c.verb.main in PLACE_VERBS) and c.verb.kind in ("passive", "past", "present", "copula") \
                and not set(x.low for x in p.tokens) & TIMES and (c.verb.kind != "copula" or c.phrases[0] is p):
            rest = keep(c, p)
            question = rest is not None and inverted(c, "where", subject, rest)
            if question:
                yield "place", question, (p.preposition + " " if p.preposition in BETWEEN else "") + spell(c.text, p.tokens if p.preposition in BETWEEN else core)
            continue
        text = spell(c.text, core)
        if p.preposition in ("in", "at", "near", "to", "from", "on") and is_name(p.tokens) and not is_date(p.tokens, c.text) and core[0].text[0] != '"' \
                and (is_place(text) or c.verb.main in PLACE_VERBS and p.preposition in ("in", "at", "near")):
            rest = keep(c, p)
            moving = p.preposition in ("to", "from")
            if rest is None or moving and c.verb.main not in ("moved", "emigrated", "returned", "went", "came", "travelled", "sent", "relocated", "fled", "sailed", "moved"):
                continue
            if c.verb.kind == "copula" and c.phrases[0] is not p:
                continue
            question = inverted(c, "where", subject, rest, "from" if p.preposition == "from" else "")
            if question:
                yield "place", question, text


def ask_number(c: Clause, known: Known):
    subject = subject_of(c, known)
    for p in c.phrases:
        t = p.tokens
        at = next((i for i, x in enumerate(t) if NUMBER.match(x.text) and not re.fullmatch(YEAR, x.text)), None)
        if at is None or at + 1 >= len(t) or not subject or c.verb.kind in ("starring",):
            continue
        lead = spell(c.text, t[:at]).lower()
        if lead not in ("", "about", "approximately", "over", "nearly", "almost", "more than", "around", "up to", "only", "at least", "some", "a total"):
            continue
        noun = t[at + 1:]
        answer = t[at].text
        if noun[0].low in ("million", "billion", "hundred", "thousand"):
            answer, noun = spell(c.text, t[at:at + 2]), noun[1:]
        if answer.startswith(("$", "£", "€")) or noun and noun[0].low in ("percent", "per", "%") or (noun and not noun[-1].low.endswith(("s", "people", "men", "women", "children")) and not any(x.low.endswith("s") for x in noun)):
            if answer.startswith(("$", "£", "€")) and p.preposition in ("for", "") and c.verb.kind != "copula":
                rest = keep(c, p)
                question = rest is not None and inverted(c, "how much", subject, rest, "for" if p.preposition else "")
                if question:
                    yield "much", question, answer
            continue
        if not noun or noun[0].name or noun[0].low in STOP or noun[0].text in ",.-" or len(noun) > 5 or any(x.low in ("and", "or") or x.text == "," for x in noun):
            continue
        rest = keep(c, p)
        if noun[1:2] and noun[1].low in ("tall", "long", "high", "wide", "deep", "old") and rest is not None:
            question = inverted(c, "how " + noun[1].low, subject, rest)
            if question:
                yield "long", question, spell(c.text, t[at:at + 2])
            continue
        if rest is None or p.preposition not in ("", "of", "by", "with", "for", "into", "from", "to", "in", "at"):
            continue
        if c.verb.kind == "copula":
            if noun[0].low in ("years", "miles", "feet", "metres", "meters", "km", "kilometres") and noun[1:2] and noun[1].low in ("old", "long", "tall", "wide", "high", "deep", "away"):
                yield "long", f"how {noun[1].low.replace('away', 'far')} {c.verb.helpers[0]} {subject}", spell(c.text, t[at:at + 2])
            continue
        question = inverted(c, "how many " + spell(c.text, noun), subject, rest, p.preposition if p.preposition in ("of", "with", "for", "from", "to", "into", "at", "in") else "")
        if p.preposition == "for" and noun[-1].low in UNITS:
            continue
        if question:
            yield "number", question, answer
    s = c.subject
    if len(s) > 1 and not any(x.low in ("afterwards", "later", "after", "ago", "before") for x in s) and NUMBER.match(s[0].text) and not re.fullmatch(YEAR, s[0].text) and 1 < len(s) < 6 and s[1].low.endswith(("s", "people", "men", "women")) and c.verb.kind != "starring":
        rest = keep(c, None)
        if rest:
            yield "number", f"how many {spell(c.text, s[1:])} {predicate(c, rest)}", s[0].text


def ask_agent(c: Clause, known: Known):
    """The one by whom something was done; and the other way round."""
    subject = subject_of(c, known)
    v = c.verb
    if v.kind == "starring":
        if subject and is_name(c.phrases[0].tokens[:2]):
            people = re.split(r", and |, | and ", spell(c.text, c.phrases[0].tokens))
            yield "agent", f"who starred in {subject}", people[0]
        return
    for p in c.phrases:
        if v.kind == "passive" and p.preposition == "by":
            p = Phrase("by", p.tokens[:next((n for n in range(len(p.tokens), 0, -1) if is_name(p.tokens[:n])), len(p.tokens))]) if subject else p
        if v.kind == "passive" and p.preposition == "by" and subject and 1 <= len(p.tokens) <= 7 and not has_pronoun(p.tokens) and not NUMBER.match(p.tokens[0].text) \
                and not p.tokens[0].low.endswith("ing") and not is_date(p.tokens, c.text):
            word = wh(p.tokens, c.text, v.main, known) or "who"
            if word == "what place":
                word = "who"
            rest = keep(c, next((x for x in c.phrases if x.preposition == "by" and x.tokens[0] is p.tokens[0]), None))
            if rest is None or not (is_name(p.tokens) or p.tokens[0].low in ("the", "a", "an")):
                continue
            past = PAST_OF_PARTICIPLE.get(v.main)
            if past and v.helpers[0] in ("was", "were"):
                yield "agent", f"{word} {past} {subject} {rest}".strip(), trimmed(c, p.tokens)
            if v.helpers[0] in ("was", "were", "is", "are"):
                yield "agent", f"{word} {v.helpers[0]} {subject} {v.main} {rest} by".replace("  ", " "), trimmed(c, p.tokens)


def ask_object(c: Clause, known: Known):
    """The object, or a name behind a preposition."""
    subject = subject_of(c, known)
    if not subject or c.verb.kind in ("starring", "copula", "passive") and not (c.verb.kind == "passive" and c.verb.main in ("named", "called", "awarded", "given", "elected", "appointed", "titled")):
        first = None
    else:
        first = c.phrases[0] if c.phrases and not c.phrases[0].preposition else None
    if first and any(x.low in PAST_OF_PARTICIPLE or ing(x) for x in first.tokens[2:]):
        cut = next(i for i, x in enumerate(first.tokens) if i > 1 and (x.low in PAST_OF_PARTICIPLE or ing(x)))
        whole, first = first, Phrase("", first.tokens[:cut])
    else:
        whole = first
    if first and subject and 1 <= len(first.tokens) <= 6 and not has_pronoun(first.tokens) and not NUMBER.match(first.tokens[0].text) and base_or_helper(c):
        name = is_name(first.tokens)
        word = wh(first.tokens, c.text, "", known)
        if word == "what place" and c.verb.main not in ("visited", "left", "captured", "conquered", "reached", "entered", "invaded"):
            word = "what"
        article = first.tokens[0].low in ("the", "a", "an")
        bare = not name and not article and len(first.tokens) < 5 and c.verb.kind in ("past", "perfect", "present", "modal") and c.verb.main not in LINKING \
            and not any(x.low in STOP or x.text in ",-" or x.low in PREPOSITIONS for x in first.tokens) and first.tokens[-1].low not in LITTLE_ENDS and not is_date(first.tokens, c.text)
        object_end = not any(x.low.endswith(("ly",)) or x.low in PAST_OF_PARTICIPLE and not x.name for x in first.tokens)
        if (name or bare or article and (len(first.tokens) > 2 or c.verb.kind == "passive")) and object_end and word and c.verb.main not in ("began", "started", "continued", "took", "had", "became") or name and word and c.verb.main != "had":
            rest = keep(c, whole)
            question = rest is not None and inverted(c, word, subject, rest)
            if question:
                yield "object", question, trimmed(c, first.tokens)
        elif c.verb.main == "became" and (name or article):
            question = inverted(c, "what", subject, keep(c, whole) or "")
            yield "object", question, trimmed(c, first.tokens)
    for p in c.phrases:
        if p.preposition in STRANDED and subject and is_name(p.tokens) and not is_date(p.tokens, c.text) and c.verb.kind not in ("copula", "starring") and len(p.tokens) < 7:
            behind = c.phrases[c.phrases.index(p) - 1] if c.phrases.index(p) else None
            if behind is not None and behind.tokens and behind.preposition and behind.preposition != "":
                continue                    # belongs to the phrase before, maybe
            word = wh(p.tokens, c.text, "", known)
            rest = keep(c, p)
            if rest is None or not word:
                continue
            if c.verb.main == "played" and word == "what":
                word = "what team"
            question = inverted(c, word if word != "what place" else "where", subject, rest, p.preposition if not (word == "what place" and p.preposition == "to") else "")
            if question:
                yield "behind", question, trimmed(c, p.tokens)


def base_or_helper(c: Clause) -> bool:
    return bool(c.verb.helpers) or bool(base_of(c.verb))


def ask_copula(c: Clause, known: Known):
    """X is a Y: what it is, its kind, its land, its role."""
    subject, v = subject_of(c, known), c.verb
    if v.kind != "copula" or not c.phrases or c.phrases[0].preposition:
        return
    t = c.phrases[0].tokens
    if subject and len(t) > 2 and t[0].low in ("part", "member", "home") and t[1].low == "of" and len(t) < 9 and not has_pronoun(t):
        yield "behind", f"what {v.helpers[0]} {subject} {t[0].low} of", trimmed(c, t[2:])
    if t[0].low not in ("a", "an", "the") or len(t) < 2 or has_pronoun(t):
        return
    be, cut = v.helpers[0], next((i for i, x in enumerate(t) if x.low in PAST_OF_PARTICIPLE or ing(x) and i > 1 or x.text == ","), len(t))
    t = t[:cut]
    if len(t) < 2 or len(t) > 9:
        return
    nouns, nation = {x.low for x in t}, next((x.text for x in t if x.text in NATIONS), "")
    of = next((i for i, x in enumerate(t) if x.low == "of"), None)
    person = bool(subject) and (known.person and subject in (known.title, spell(c.text, c.subject)) and known.settled or is_person(subject, known))
    work = "film" if "film" in nouns else next((x.low for x in t if x.low in WORKS), "")
    if subject and person and nation and nouns & JOBS:
        yield "nation", f"what nationality {be} {subject}", nation
        job = [x for x in t[1:] if x.text != nation]
        job = job[:next((i for i, x in enumerate(job) if x.low in ("of", "from", "in")), len(job))]
        if job and job[-1].low in JOBS and len(job) < 4:
            yield "job", f"what {be} {subject} known as" if len(subject) % 4 == 0 else f"what {be} {subject}'s profession", spell(c.text, job)
    elif subject and nation and work and not person and not nouns & JOBS:
        if any(x.text in LANGUAGES and i + 1 < len(t) and t[i + 1].low == "language" for i, x in enumerate(t)):
            yield "nation", f"what language is the {work} {subject} in", nation
        else:
            yield "nation", f"what country is the {work} {subject} from", nation
    year = next((x.text for x in t if re.fullmatch(YEAR, x.text)), "")
    if subject and year and work and not person:
        yield "time", f"when did the {work} {subject} come out", year
    elif subject and person and len(t) - 1 <= 6 and t[0].low != "the" and not nouns & WORKS:
        yield "who", f"who {be} {subject}", spell(c.text, t[1:])
    elif subject and not person and len(t) - 1 <= 6 and not is_name(t) and not year:
        if t[0].low in ("a", "an"):
            yield "what", f"what {be} {subject}", spell(c.text, t[1:])
            if len(t) > 3 and of is None and not nation and t[-1].low not in STOP and not t[-1].name and not t[-2].name and len(t) < 5:
                yield "kind", f"what kind of {t[-1].low} {be} {subject}", spell(c.text, t[1:-1])
    # The role of an organisation or place belongs to one.
    if of is not None and t[0].low == "the" and is_name(c.subject) and 2 <= of <= 4 and t[of - 1].low in ROLES | PEOPLE:
        word = "who" if t[of - 1].low not in ("capital", "headquarters") else "what"
        yield "role", f"{word} {be} {spell(c.text, t)}", trimmed(c, c.subject)
        if subject and word == "who" and t[of + 1:]:
            yield "role-of", f"what {be} {subject} the {spell(c.text, t[1:of])} of", trimmed(c, t[of + 1:])
    # A term and what it means.
    if subject and c.subject[0].low not in ("the", "a", "an") and not any(x.name for x in c.subject[1:]) and len(c.subject) < 4 and be == "is" and of is not None and len(t) > 4 and t[0].low in ("a", "an"):
        yield "term", f"what is {spell(c.text, t)} called", spell(c.text, c.subject)


def ask_why(c: Clause, known: Known):
    """A reason that ends the sentence."""
    subject = subject_of(c, known)
    m = re.search(r" because (?:of )?([^,;]{6,70}?)[.]?$| due to ([^,;]{6,60}?)[.]?$", c.text)
    if not subject or not m or not c.main or c.verb.kind in ("starring", "copula") or len(c.phrases) > 3:
        return
    reason = m.group(1) or m.group(2)
    if set(reason.split()) & {"this", "these", "that"} or not c.text[c.subject[0].start:m.start()].count(" ") > 2:
        return
    parts = [p for p in c.phrases if p.tokens[-1].end <= m.start()]
    if any(p.preposition == "to" and p.tokens[0].start > m.start() for p in c.phrases):
        parts = [p for p in parts if p.tokens[-1].low != "due"]
    rest = keep(Clause(c.text, c.subject, c.verb, parts), None)
    question = rest is not None and " due" not in rest and inverted(c, "why", subject, rest)
    if question:
        yield "why", question, reason


RULES = (ask_why, ask_subject, ask_time, ask_place, ask_number, ask_agent, ask_object, ask_copula)


def questions(parts: list[list[Clause]], sentence: str, known: Known) -> list[tuple[str, str, str]]:
    """(kind, question, answer): everything that can be asked of a sentence's parts; remembers whom the next pronoun means."""
    out = list(ask_patterns(sentence, known))
    for found in parts:
        for c in found:
            if not c.verb.negative:
                for rule in RULES:
                    out += rule(c, known)
        remember(known, found)
    return [(k, q, a) for k, q, a in out if sound(k, q, a, sentence)]


def sound(kind: str, question: str, answer: str, sentence: str) -> bool:
    """Precise enough to be asked, and answered by these words of the sentence."""
    words = [w for w in re.findall(r"[\w'’-]+", question) if w.lower() not in STOP][1:]
    content = [w for w in words if len(w) > 3 and w not in WEAK or w[0].isupper() or w.isdigit()]
    names = sum(w[0].isupper() for w in words)
    if not answer or answer not in sentence or len(answer.split()) > LONGEST_ANSWER or len(answer) > 70 or len(question) > 130:
        return False
    if answer.lower() in PRONOUNS or not re.search(r"\w", answer) or answer.lower() in question.lower() and len(answer) > 2:
        return False
    if answer.lower() in WORKS | EMPTY or answer.split()[-1].lower() in PREPOSITIONS | {"a", "an", "the", "and", "or", "nigh"} or "Unk" in question + answer:
        return False
    if answer[0] in ",.;:'" or answer.count('"') % 2 or len(answer) < 2 and not answer.isdigit():
        return False
    short = ("what", "nation", "job", "born", "died", "kind", "who", "term")
    enough = len(content) >= (1 if kind in short else 2 if names or kind in ("agent", "number", "place", "object", "why") else 3)
    return enough and words and not (words[0].endswith("ing") and words[0][0].isupper()) and re.search(r"\b(?:this|these|those|that|there|one)\b", question) is None
