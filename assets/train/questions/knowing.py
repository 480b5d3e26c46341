"""What is known of a text and of the names in it: who or what they are, what its pronouns mean."""
import re
from dataclasses import dataclass

from questions import clauses
from questions.clauses import Clause, Token, spell
from questions.english import (DATE, FIRST_NAMES, HONOURS, JOBS, ORGANISATION, PERSONS, PLACES, PLACE_VERBS, PLACE_WORDS, PRONOUNS,
                     ROLES, STOP, WORKS)

HUMAN_VERBS = set("""married wrote directed sang composed said told wanted invented discovered painted studied died born starred thought believed appointed
ordered commanded led replied asked taught helped decided loved killed won defeated founded played married published designed
produced recorded created established announced signed proposed claimed accepted refused met visited attended joined resigned retired coached
portrayed voiced narrated hosted met performed served worked moved became succeeded ruled argued scored conquered captured adapted edited replied answered looked turned went walked sat smiled knew felt heard saw asked cried raised sent""".split())
THING_VERBS = set("""received contains includes contained included has consists consisted saw lies lay features featured stands stood covers covered provides provided
opened began started ended closed ranked reached fell rose remains located released built constructed sold premiered aired debuted flows
borders means refers uses used held occurred happened broadcast destroyed completed made filmed set shot""".split())
PEOPLE = JOBS | ROLES | PERSONS | {p + "s" for p in PERSONS | JOBS}
WHICH = {"University": "university", "River": "river", "Bridge": "bridge", "Party": "party", "Company": "company", "School": "school", "Island": "island", "Award": "award",
         "Prize": "prize", "Church": "church", "Lake": "lake", "County": "county", "City": "city", "Museum": "museum", "Club": "club",
         "War": "war", "Act": "act", "Treaty": "treaty", "Battle": "battle", "Institute": "institute", "Street": "street", "College": "college", "Theatre": "theatre"}
NOUNS_IN_ING = set("""building painting wedding meeting evening morning ceiling clothing opening engineering stocking offspring drawing
recording housing""".split())


@dataclass
class Known:
    """What is known about the text a sentence stands in."""
    title: str = ""
    person: bool = False     # the title is a person
    settled: bool = False    # the text begins by speaking of its title, so that "he" and "it" mean it
    people: bool = False     # somebody is spoken of as "he" or "she"
    story: bool = False
    he: str = ""             # whom "he" and "she" mean in the sentence at hand, and what "it" means
    it: str = ""


def ing(x: Token) -> bool:
    """A participle, most likely."""
    return x.low.endswith("ing") and len(x.low) > 5 and not x.name and x.low not in NOUNS_IN_ING


def about(title: str, text: str) -> Known:
    name = re.sub(r"\s*\([^)]*\)$", "", title)
    first = text[:300].split(". ")[0]
    settled = bool(name) and re.search(r"[A-Za-z]{3}", name) is not None and text.startswith((name.split(",")[0], "It ", "He ", "She "))
    said = re.search(r" (?:is|was) (?:an?|the) ([^,.]*)", first)
    heads = set(re.findall(r"[a-z-]+(?= by\b| who\b| and\b| for\b| from\b| in\b| of\b|$)", said.group(1))) if said else set()
    person = settled and (bool(re.search(r"\(\s?(?:born|c\. \d|[^)]*\d{4}\s*[–-])", first[:160])) and not heads & WORKS or bool(heads & JOBS) or text.startswith(("He ", "She ")))
    return Known(name, person, settled, bool(re.search(r"\b(?:he|she|his|her)\b", text)))


DESCRIBED = re.compile(r" (?:is|was) an? ([^,.;()]{10,60}?)(?=,| that | who | which | for | and (?:starring|was|is)|\.)")


def described(known: Known, first: str, question: str) -> str:
    """The question with what the text's first sentence says of its title in the title's place; empty if that is not much."""
    m = DESCRIBED.search(clauses.without_asides(first)) if known.settled else None
    if not m or len(m.group(1).split()) < 3 or not re.search(r"[A-Z]", m.group(1)) or known.title not in question or "'s" in question:
        return ""
    return question.replace(known.title, "the " + m.group(1))


def remember(known: Known, found: list[Clause]) -> None:
    """Whom the next sentence's pronoun means: the subject of this one, if it is a name; nobody for sure otherwise."""
    c = next((c for c in found if c.main), None)
    low = spell(c.text, c.subject).lower() if c else ""
    if low in ("he", "she", "it"):
        return
    known.he = known.it = ""
    if c and is_name(c.subject) and c.subject[0].text[0] != '"':
        person = wh(c.subject, c.text, c.verb.main, known) == "who" and c.subject[0].low != "the" and not any(x.low == "and" for x in c.subject)
        name = spell(c.text, c.subject)
        if person:
            known.he = name
        elif c.verb.kind != "starring" and not any(x.low == "and" for x in c.subject):
            known.it = name if c.subject[0].low != "the" else "the" + name[3:]


def is_person(name: str, known: Known) -> bool:
    words = name.split()
    if set(words) & (ORGANISATION | PLACE_WORDS):
        return False
    return words[0] in HONOURS or words[0] in FIRST_NAMES and (len(words) > 1 or words[0] not in PLACES) or known.person and name == known.title


def is_place(name: str) -> bool:
    if " of " in name:
        return False
    words = name.replace(",", " ").split()
    return bool(words) and (words[-1] in PLACES or words[-1] in PLACE_WORDS or words[0] in ("Mount", "Lake", "Fort", "Port"))


def is_name(part: list[Token]) -> bool:
    """Capitalised throughout, small words inside and an article before allowed."""
    core = part[1:] if part and part[0].low == "the" else part
    return bool(core) and core[0].name and core[-1].name and all(x.name or x.low in ("of", "the", "and", "de", "von", "van", "la", "for", ",") or x.text.isdigit() for x in core)


def is_date(part: list[Token], text: str) -> bool:
    return bool(DATE.match(spell(text, part)))


def has_pronoun(part: list[Token]) -> bool:
    return any(x.low in PRONOUNS for x in part)


def wh(part: list[Token], text: str, verb: str, known: Known) -> str:
    """The question word for a name or noun phrase; empty if there is none for sure."""
    name = spell(text, part)
    bare = name[4:] if name.lower().startswith("the ") else name
    if bare[0] == '"':
        return "what"
    last = part[-1].text
    if is_name(part):
        if last in WHICH:
            return "which " + WHICH[last]
        if is_person(bare, known):
            return "who"
        if is_place(bare):
            return "what place" if verb in ("", "was", "is") or verb in PLACE_VERBS else "who"
        if known.person and set(name.split()) <= set(known.title.split()):
            return "who"
        plain = len(part) in ((1, 2, 3) if known.story else (2, 3)) and all(x.name for x in part)
        return "who" if verb in HUMAN_VERBS or (known.people or plain) and part[0].low != "the" and verb not in THING_VERBS and verb else "what"
    head = next((x.low for x in reversed(part) if x.low not in STOP), "")
    nouns = {x.low for x in part[:next((i for i, x in enumerate(part) if x.low in ("of", "in", "for")), len(part))]}
    if nouns & PEOPLE or head in PEOPLE:
        return "who"
    return "" if verb in HUMAN_VERBS else "what"


def subject_of(c: Clause, known: Known) -> str:
    """How a question names the subject; empty if nobody could know who is meant."""
    text = spell(c.text, c.subject)
    low = text.lower()
    if low in ("he", "she"):
        return known.he or (known.title if known.settled and known.person else "")
    if low == "it":
        return known.it or (known.title if known.settled and not known.person else "")
    if low in ("the film", "the song", "the album", "the novel", "the book", "the band", "the series", "the game", "the city", "the town", "the village") and known.settled:
        return f"{low} {known.title}" if known.title and low[4:] in WORKS else known.title
    if has_pronoun(c.subject) or c.subject[0].low in ("no", "some", "any", "another", "many", "most", "several", "few", "neither", "either"):
        return ""
    if len(c.subject) == 1 and not c.subject[0].name:
        return ""
    return text if c.subject[0].name and c.subject[0].low not in ("the", "a", "an") else low if not any(x.name for x in c.subject[1:]) else text[0].lower() + text[1:]
