"""Sentences taken apart without a parser: front adjunct, subject, verb group, and the phrases behind it.

What does not look like one of the plain shapes is left alone: many sentences are missed, few are read wrongly.
"""
import re
from dataclasses import dataclass, field

from questions.english import (ADVERBS, BASE_OF_PAST, BASE_OF_THIRD, BASES, BE, BREAKS, DATE, DETERMINERS, HAVE, MODALS, NO_SUBJECT, NOUNS_TOO,
                     PAST_OF_PARTICIPLE, PREPOSITIONS, PRONOUNS, SAME, WORKS)

TOKEN = re.compile(r"(?:Mr|Mrs|Ms|Dr|St|Jr|Sr|Lt|Col|Gen|vs|No|Mt|Ft|[A-Z](?:\.[A-Z])*)\.(?=\s|,|$)|\"[^\"]{1,60}\"|[$£€]?\d[\d,.]*\d%?|"
                   r"\w[\w'’/&\-–]*\w|\w|[^\w\s]")
END = re.compile(r"(?<=[.!?])(?<!\b[A-Z]\.)(?<!Mr\.)(?<!Mrs\.)(?<!Dr\.)(?<!St\.)(?<!Jr\.)(?<!Sr\.)(?<!vs\.)(?<!No\.)(?<!Lt\.)\s+(?=[A-Z\"(])|\n+")
LONGEST_SUBJECT = 11
LITTLE = DETERMINERS | PRONOUNS | PREPOSITIONS | BREAKS | ADVERBS | NO_SUBJECT
OBJECT_STARTS = DETERMINERS | {"him", "them", "it", "her"}


@dataclass
class Token:
    text: str
    start: int
    end: int

    @property
    def low(self) -> str:
        return self.text.lower()

    @property
    def name(self) -> bool:
        return self.text[0].isupper() and self.low not in LITTLE and not self.text.isdigit() or self.text[0] == '"'


@dataclass
class Verb:
    helpers: list[str]       # was, has been, will; empty for simple past and present
    main: str                # "" of a copula
    kind: str                # copula, passive, perfect, modal, progressive, past, present
    end: int                 # index of the token behind
    negative: bool = False


@dataclass
class Phrase:
    preposition: str         # "" of an object or complement
    tokens: list[Token]      # without the preposition


@dataclass
class Clause:
    text: str                # what the tokens point into
    subject: list[Token]
    verb: Verb
    phrases: list[Phrase]
    apposition: list[Token] = field(default_factory=list)
    main: bool = False       # of the sentence's first subject
    noun: str = ""           # what the subject is said to be, where the clause is only implied


def sentences(text: str) -> list[str]:
    return [s.strip() for s in END.split(text) if s and s.strip()]


def without_asides(sentence: str) -> str:
    """Without what stands in brackets."""
    return re.sub(r"\s+", " ", re.sub(r"\s*[(\[][^()\[\]]*[)\]]", "", sentence)).replace(" ,", ",").strip()


def tokens(text: str) -> list[Token]:
    return [Token(m.group(), m.start(), m.end()) for m in TOKEN.finditer(text)]


def spell(text: str, part: list[Token]) -> str:
    return text[part[0].start:part[-1].end] if part else ""


PASSED_OVER = {"when", "while", "although", "though", "because", "as", "whereas"}
SEGMENT = re.compile(r"; (?:however, |thus, |therefore, |and |but )?|, (?:and|but|while|whereas) (?=(?:he|she|it|they|the|[A-Z]\w+) )")


def verb_at(t: list[Token], i: int, behind_name: bool) -> Verb | None:
    def beyond(j: int) -> int:
        while j < len(t) and t[j].low in ADVERBS | {"not"}:
            j += 1
        return j
    word = t[i].low
    if t[i].text[0].isupper():
        return None
    j = beyond(i + 1)
    negative = any(x.low == "not" for x in t[i + 1:j])
    after = t[j].low if j < len(t) else ""
    if word in BE:
        if after in PAST_OF_PARTICIPLE:
            return Verb([word], after, "passive", j + 1, negative)
        if after.endswith("ing") and after[:-3] in BASES | {b[:-1] for b in BASES if b.endswith("e")}:
            return Verb([word], after, "progressive", j + 1, negative)
        return Verb([word], "", "copula", i + 1, negative)
    if word in HAVE:
        if after == "been":
            k = beyond(j + 1)
            return Verb([word, "been"], t[k].low, "passive", k + 1, negative) if k < len(t) and t[k].low in PAST_OF_PARTICIPLE else None
        if after in PAST_OF_PARTICIPLE:
            return Verb([word], after, "perfect", j + 1, negative)
        return Verb([], word, "past" if word == "had" else "present", i + 1)
    if word in MODALS:
        if after == "be":
            k = beyond(j + 1)
            return Verb([word, "be"], t[k].low, "passive", k + 1, negative) if k < len(t) and t[k].low in PAST_OF_PARTICIPLE else None
        return Verb([word], after, "modal", j + 1, negative) if after in BASES else None
    following = t[i + 1].low if i + 1 < len(t) else ""
    if word in BASE_OF_PAST and not (following in BE or following in HAVE or following in MODALS):
        return Verb([], word, "past", i + 1)
    if word in SAME.split() and behind_name and following in OBJECT_STARTS:
        return Verb([], word, "past", i + 1)
    if word in BASE_OF_THIRD and (word not in NOUNS_TOO or behind_name and following in OBJECT_STARTS | PREPOSITIONS):
        return Verb([], word, "present", i + 1)
    return None


def base_of(verb: Verb) -> str:
    if verb.main in SAME.split():
        return verb.main
    return BASE_OF_PAST.get(verb.main, "") if verb.kind == "past" else BASE_OF_THIRD.get(verb.main, "")


def past_helper(verb: Verb) -> str:
    return "did" if verb.kind == "past" else "does"


def _front(t: list[Token]) -> tuple[int, Phrase | None]:
    """A time or place before the subject, and where the subject begins. A clause before it is passed over."""
    if t[0].low in ("and", "but", "so", "yet"):
        return 1, None
    if t[0].low in PASSED_OVER or t[0].low in PAST_OF_PARTICIPLE or t[0].low.endswith("ing"):
        for j in range(2, min(len(t) - 2, 18)):
            if t[j].text == "," and (t[j + 1].name or t[j + 1].low in DETERMINERS | PRONOUNS) and not t[j - 1].name:
                return j + 1, None
        return -1, None
    if t[0].low not in PREPOSITIONS:
        return 0, None
    for j in range(1, min(len(t), 12)):
        if t[j].text == "," and not (j + 1 < len(t) and DATE.match(t[j + 1].text)):
            return j + 1, Phrase(t[0].low, t[1:j])
        if t[j].low in BREAKS:
            break
    if len(t) > 3 and DATE.match(t[1].text):
        return 2, Phrase(t[0].low, t[1:2])
    return -1, None


def _reduced(t: list[Token], k: int) -> int:
    """Where "the bridge built in 1900 is": the index of the real verb, else k."""
    if t[k].low in PAST_OF_PARTICIPLE and k + 1 < len(t) and t[k + 1].low in PREPOSITIONS:
        for j in range(k + 2, min(len(t), k + 9)):
            if t[j].low in BREAKS or t[j].text in ",;:":
                break
            if t[j].low in BE or t[j].low in HAVE or t[j].low in MODALS:
                return j
    return k


def _subject(t: list[Token], s: int):
    """(subject, apposition, relative, index of the verb) of the clause that begins at s, or None."""
    k, apposition = s, []
    while k < len(t) and k - s <= LONGEST_SUBJECT:
        low = t[k].low
        if re.match(r"(?:i|he|she|they|we|you|it|that|there)['’]", low) or low in ("every", "each"):
            return None
        if k > s and (low in MODALS or low in BE or low in HAVE) and not verb_at(t, k, True):
            return None
        behind = t[k - 1].low if k > s else ""
        if low in ("never", "hardly", "scarcely", "rarely", "seldom", "not", "nay"):
            return None
        if behind in ("be", "been", "to") or low in ("thought", "rose", "left") and not t[k - 1].name:
            k += 1
            continue
        if k > s and verb_at(t, k, t[k - 1].name or t[k - 1].low in PRONOUNS):
            end = k
            if t[s].low in NO_SUBJECT or t[s].low in ADVERBS or t[s].low.endswith("ly") and not t[s].low.endswith("ily") or t[k - 1].low.endswith(("'s", "s'")) or t[k - 1].low in DETERMINERS:
                return None
            while end > s + 1 and (t[end - 1].low in ADVERBS | {"more", "most"} or t[end - 1].low.endswith("ly")):
                end -= 1
            return t[s:end], apposition, _reduced(t, k)
        if t[k].text == "," and k > s and k + 1 < len(t) and t[k + 1].low not in ("and", "but", "or", "to"):
            close = next((j for j in range(k + 1, min(len(t), k + 22)) if t[j].text == ","
                          and j + 1 < len(t) and verb_at(t, j + 1, True)), None)
            if close is None:
                return None
            return t[s:k], t[k + 1:close], close + 1
        if low in BREAKS or t[k].text in ";:.?!–—()“”'’":
            return None
        k += 1
    return None


def _ends(t: list[Token], i: int) -> int:
    """Where the phrases behind a verb end: at a break, or at "and" before another verb."""
    for k in range(i, len(t)):
        if t[k].text in ";:.?!–—()“”" or t[k].low in BREAKS:
            return k
        if t[k].text == ",":
            after = t[k + 1] if k + 1 < len(t) else None
            if after is None or not (after.name or DATE.match(after.text) or (after.low == "and" and k + 2 < len(t) and t[k + 2].name)):
                return k
        if t[k].low in ("and", "or"):
            for j in range(k + 1, min(len(t), k + 7)):
                if t[j].text == "," or t[j].low in BREAKS or t[j].low in PREPOSITIONS - {"of"}:
                    break
                if verb_at(t, j, True) or t[j].low in PRONOUNS - {"other", "others", "same"} or t[j].low.endswith("ing"):
                    return k
    return len(t)


def phrases(t: list[Token]) -> list[Phrase]:
    out = [Phrase("", [])]
    for i, x in enumerate(t):
        if x.low in PREPOSITIONS - {"of"} or x.low == "of" and not out[-1].tokens and not out[-1].preposition:
            if x.low == "as" and out[-1].tokens and out[-1].tokens[-1].low == "such":
                break
            out.append(Phrase(x.low, []))
        else:
            out[-1].tokens.append(x)
    for p in out:
        while p.tokens and p.tokens[-1].text in ",'" or p.tokens and p.tokens[-1].low in ADVERBS | {"and", "or"}:
            p.tokens.pop()
        while p.tokens and (p.tokens[0].low in ADVERBS or p.tokens[0].text == ","):
            p.tokens.pop(0)
    return [p for p in out if p.tokens]


def _name_before(t: list[Token], k: int) -> list[Token]:
    j = k
    while j > 0 and (t[j - 1].name or t[j - 1].low in ("of", "the", "de", "von", "van") and j - 1 > 0 and t[j - 2].name and j < k):
        j -= 1
    return t[j:k]


def _relatives(text: str, t: list[Token]) -> list[Clause]:
    """"NAME, who VERB ..." anywhere."""
    out = []
    for k in range(1, len(t) - 2):
        if t[k].low in ("who", "which") and t[k - 1].text == ",":
            name, verb = _name_before(t, k - 1), verb_at(t, k + 1, True)
            before = t[k - 2 - len(name)].low if k - 2 - len(name) >= 0 else "the"
            if t[k].low == "which" and before not in DETERMINERS | PREPOSITIONS:
                continue
            if name and verb and (len(name) == k - 1 or t[k - 2 - len(name)].low not in ("and", "of")):
                out.append(Clause(text, name, verb, phrases(t[verb.end:_ends(t, verb.end)])))
    return out


def _participles(text: str, subject: list[Token], t: list[Token], i: int) -> list[Clause]:
    """"X is a film directed by Y and starring Z" says that X was directed by Y."""
    out, noun = [], ""
    for k in range(i + 1, len(t) - 1):
        if t[k].low in BREAKS or t[k].text in ";:":
            break
        noun = noun or (t[k].low if t[k].low in WORKS and t[k + 1].low not in WORKS else "")
        by = k + 1
        if t[k].low in PAST_OF_PARTICIPLE and t[by].low == "and" and by + 2 < len(t) and t[by + 1].low in PAST_OF_PARTICIPLE:
            by += 2
        if t[k].low in PAST_OF_PARTICIPLE and t[by].low == "by" and t[k - 1].low not in BE:
            out.append(Clause(text, subject, Verb(["was"], t[k].low, "passive", by), phrases(t[by:_ends(t, by)]), noun=noun))
        if t[k].low in ("starring", "featuring") and t[k + 1].name:
            out.append(Clause(text, subject, Verb(["was"], "starring", "starring", k + 1), phrases(t[k + 1:_ends(t, k + 1)]), noun=noun))
    return out


def segments(text: str) -> list[list[Clause]]:
    """The clauses of each part of a sentence that could be one of its own."""
    return [clauses(part[0].upper() + part[1:] if n and part else part) for n, part in enumerate(SEGMENT.split(text))]


def clauses(text: str) -> list[Clause]:
    t = tokens(text)
    if len(t) < 5:
        return []
    out = _relatives(text, t)
    s, front = _front(t)
    found = _subject(t, s) if s >= 0 else None
    if not found:
        return out
    subject, apposition, k = found
    verb = verb_at(t, k, True)
    while verb:
        end = _ends(t, verb.end)
        parts = phrases(t[verb.end:end])
        out.append(Clause(text, subject, verb, parts + ([front] if front and front.tokens else []), apposition, True))
        if verb.kind == "copula" and t[verb.end:] and t[verb.end].low in ("a", "an", "the"):
            out += _participles(text, subject, t, verb.end)
        # A second verb of the same subject.
        n = end + 1 if end < len(t) and t[end].text == "," and end + 1 < len(t) and t[end + 1].low == "and" else end
        if not (n + 1 < len(t) and t[n].low == "and"):
            break
        n += 1
        while n < len(t) and t[n].low in ADVERBS:
            n += 1
        verb, front = verb_at(t, n, True) if n < len(t) else None, None
    return out
