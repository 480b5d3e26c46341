"""Questions about shapes of words that need no clause: dates of birth, roles, parts played, other names."""
import re

from questions.english import PRONOUNS, ROLES
from questions.knowing import Known

BORN = re.compile(r"\(\s?(?:born|b\.)(?: as [^,()]+,)? ?(\d{1,2} [A-Z][a-z]+ \d{4}|[A-Z][a-z]+ \d{1,2}, \d{4}|\d{4})(?:,? (?:in|at) ([A-Z][\w .,'-]+?))?\s?\)")
LIVED = re.compile(r"\(\s?(?:[^()]{0,30}; )?((?:\d{1,2} [A-Z][a-z]+ |[A-Z][a-z]+ \d{1,2}, )?\d{4})\s?[–-]\s?((?:\d{1,2} [A-Z][a-z]+ |[A-Z][a-z]+ \d{1,2}, )?\d{4})\s?\)")
ROLE_NAME = re.compile(r"\b(?:the|The) ((?:[a-z]+ ){0,2}(?:" + "|".join(sorted(ROLES)) + r")) of ((?:the )?[A-Z][\w'’-]+(?: (?:(?:of|the|and) )?[A-Z][\w'’-]+){0,4}),? ((?:[A-Z][\w'’.-]+ ){1,3}[A-Z][\w'’-]+)\b")
NAME_ROLE = re.compile(r"\b((?:[A-Z][\w'’.-]+ ){1,3}[A-Z][\w'’-]+), (?:the |then |current |former )?((?:[a-z]+ ){0,2}(?:" + "|".join(sorted(ROLES))
                       + r")) of ((?:the )?[A-Z][\w'’-]+(?: (?:(?:of|the|and) )?[A-Z][\w'’-]+){0,4})(?=[,.;])")
CALLED = re.compile(r"^(The [a-z][\w ]{3,40}|[A-Z][\w' ]{3,40}?) (?:is|was|are|were) (?:also |commonly |often |sometimes |formerly |originally |better )*(?:known as|called|nicknamed) (?:the )?(\"?[A-Z][\w' -]{2,30}\"?)[.,;]")
PLAYED = re.compile(r"\b((?:[A-Z][\w'’.-]+ ){1,3}[A-Z][\w'’-]+) (?:plays|played|stars as|starred as|portrays|portrayed) ((?:[A-Z][\w'’.-]+ ?){1,3})(?= in | on |[.,])")


def ask_patterns(sentence: str, known: Known):
    """Shapes that need no clause."""
    if known.settled and known.person and sentence.startswith(known.title.split(" ")[0]):
        if m := BORN.search(sentence):
            yield "born", f"when was {known.title} born", m.group(1)
            if m.group(2):
                yield "born", f"where was {known.title} born", m.group(2).strip(" ,.")
        elif m := LIVED.search(sentence):
            yield "born", f"when was {known.title} born", m.group(1)
            yield "died", f"when did {known.title} die", m.group(2)
    for pattern, role, of, name in ((ROLE_NAME, 1, 2, 3), (NAME_ROLE, 2, 3, 1)):
        for m in pattern.finditer(sentence):
            if m.group(name).split()[0] not in ("The", "In", "On", "At", "After", "When"):
                yield "role", f"who was the {m.group(role)} of {m.group(of)}", m.group(name)
    for m in PLAYED.finditer(sentence):
        where = known.title if known.settled and not known.person else ""
        yield "plays", f"who plays {m.group(2).strip()}" + (f" in {where}" if where else ""), m.group(1)
    if m := CALLED.search(sentence):
        subject = m.group(1) if not m.group(1).startswith("The ") else m.group(1)[0].lower() + m.group(1)[1:]
        if not set(subject.lower().split()) & PRONOUNS:
            yield "called", f"what is {subject} also called", m.group(2).strip('"')
