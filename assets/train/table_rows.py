"""Rows of tables as the program quotes them, "season: winter; last ferry: 18:15", with questions about their cells."""
import random

from names import Namer

# What stands in a column, by the kind of its cells.
COLUMNS = {
    "time": ("first ferry", "last ferry", "opens", "closes", "departure", "arrival", "start", "end", "breakfast", "check-in", "last train", "first bus"),
    "money": ("price", "ticket", "rent", "fee", "deposit", "fare", "cost", "return ticket", "annual fee", "day pass"),
    "count": ("seats", "rooms", "eggs", "members", "visitors", "pupils", "crossings a day", "beds", "pages", "chicks", "goals", "stops"),
    "measure": ("weight", "height", "length", "width", "depth", "distance", "power", "range", "area", "voltage"),
    "date": ("date", "first egg", "deadline", "opening", "delivery", "inspection", "next service", "due"),
    "year": ("founded", "built", "opened", "year", "renovated"),
    "person": ("owner", "teacher", "manager", "author", "captain", "contact", "chair", "guide", "winner"),
    "place": ("country", "city", "port", "route", "location", "from", "to", "region"),
    "code": ("part number", "article", "telephone", "order", "room number", "version"),
    "thing": ("colour", "material", "status", "type", "language", "fuel", "dog allowed", "breakfast included")}
THINGS = ("oak", "steel", "red", "blue", "grey", "open", "closed", "yes", "no", "English", "diesel", "wool", "paper", "broken", "glass", "single", "double")
UNITS = ("kg", "g", "m", "cm", "km", "W", "kW", "V", "litres", "mm", "ha")
MONTHS = "January February March April May June July August September October November December".split()
MONEY = ("{} crowns", "{} EUR", "${}", "£{}", "{}.50 EUR", "€{}.90", "{} kr")
KEYS = {"season": ("summer", "winter", "spring", "autumn"), "month": MONTHS, "day": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(),
        "site": None, "name": None, "product": None, "boat": None, "course": None, "item": None, "room": None, "village": None, "model": None}
ASIDES = ("", "", "", " (1 {m} to 30 {n})", " (from {m})")
QUESTIONS = {
    "time": ("when is the {c} in {k}", "what time is the {c} at {k}?", "When does the {c} leave in {k}?", "at what time is {c} for {k}", "when does {k} {c}"),
    "money": ("how much is the {c} of {k}?", "what does {k} cost", "How much is the {c} for {k}?", "what is the {c} of {k}"),
    "count": ("how many {c} does {k} have?", "How many {c} are there in {k}?", "how many {c} at {k}", "number of {c} of {k}"),
    "measure": ("what is the {c} of {k}?", "how much {c} does {k} have", "What {c} does {k} have?"),
    "date": ("when is the {c} of {k}?", "what is the {c} of {k}", "On what day is the {c} for {k}?", "when was the {c} in {k}"),
    "year": ("when was {k} {c}?", "in what year was {k} {c}", "{c} {k}"),
    "person": ("who is the {c} of {k}?", "Who is {c} for {k}?", "name of the {c} of {k}"),
    "place": ("what is the {c} of {k}?", "where is {k}", "Which {c} does {k} have?"),
    "code": ("what is the {c} of {k}?", "{c} of {k}", "Which {c} has {k}?"),
    "thing": ("what is the {c} of {k}?", "Which {c} is {k}?", "what {c} does {k} have")}


def _cell(rng: random.Random, names: Namer, kind: str) -> str:
    number = rng.randint(1, rng.choice((9, 60, 400, 5000)))
    return {"time": lambda: f"{rng.randint(0, 23):02d}:{rng.choice((0, 5, 10, 15, 20, 30, 40, 45, 50)):02d}",
            "money": lambda: rng.choice(MONEY).format(number), "count": lambda: str(number),
            "measure": lambda: f"{number} {rng.choice(UNITS)}",
            "date": lambda: rng.choice(("{d} {m}", "{d} {m} {y}", "{m} {d}, {y}")).format(d=rng.randint(1, 28), m=rng.choice(MONTHS), y=rng.randint(1900, 2035)),
            "year": lambda: str(rng.randint(1700, 2030)), "person": names.person, "place": names.town, "code": names.code,
            "thing": lambda: rng.choice(THINGS)}[kind]()


def draw(rng: random.Random, held_out: bool) -> tuple[str, list[str], list[tuple[str, str]]]:
    """A title, one to three rows of a table, and (question, answer) about their cells. Names are of the side that is asked for."""
    names = Namer(rng, held_out)
    head = rng.choice(list(KEYS))
    n = rng.choice((1, 1, 2, 3))
    keys = rng.sample(KEYS[head], n) if KEYS[head] else [rng.choice((names.word, names.person, names.device))() for _ in range(n)]
    columns = [(kind, rng.choice(COLUMNS[kind])) for kind in rng.sample(list(COLUMNS), rng.randint(2, 5))]
    rows, questions = [], []
    for key in keys:
        cells = [_cell(rng, names, kind) for kind, _ in columns]
        aside = rng.choice(ASIDES).format(m=rng.choice(MONTHS), n=rng.choice(MONTHS)) if KEYS[head] else ""
        parts = [f"{head}: {key}{aside}"] + [f"{column}: {cell}" for (_, column), cell in zip(columns, cells)]
        rows.append("; ".join(parts))
        for (kind, column), cell in rng.sample(list(zip(columns, cells)), min(2, len(columns))):
            questions.append((rng.choice(QUESTIONS[kind]).format(c=column, k=key), cell))
    return names.word(), rows, questions
