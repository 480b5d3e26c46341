"""Rows of measurements out of the program's JSON, and what is derived from them. Pure functions over plain values."""
import math

from . import experiments


def value_of(row, path):
    """The value at a dotted path such as "ttft_ms.median"; None where it is missing or null."""
    value = row
    for key in path.split("."):
        if not isinstance(value, dict) or key not in value:
            return None
        value = value[key]
    return value


def number_of(row, path):
    """The same as a number; a spread counts with its median. None for anything else."""
    value = value_of(row, path)
    if isinstance(value, dict):
        value = value.get("median")
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    return value


def _named(name, row, extra):
    """A row of an object that is keyed by name; "hkvd@0.15" is also told apart at the @, "transform:low" at the colon."""
    base, _, at = name.partition("@")
    codec, _, level = name.partition(":")
    named = {"name": name, "base": base, "at": experiments.number_or_text(at) if at else None, "codec": codec,
             "level": level or None}
    return {**named, **row, **extra}


def rows_of(output, path, merge=""):
    """The rows at `path` of a command's output: a list, an object of rows by name, or "." for the output itself.

    merge names an object with more about each named row; it is put beside it under that name.
    """
    found = output if path == "." else value_of(output, path)
    if isinstance(found, list):
        return [dict(row) for row in found]
    if path == "." and isinstance(found, dict):
        return [dict(found)]
    if isinstance(found, dict):
        more = value_of(output, merge) if merge else None
        return [_named(name, row, {merge: more[name]} if isinstance(more, dict) and name in more else {})
                for name, row in found.items()]
    return []


def _values(words, option):
    return words[words.index(option) + 1].split(",") if option in words else []


def lanes_of(words):
    """The lanes of a `mneme eval` command in the order of its records: modes, then retrieval methods by budgets."""
    lanes = list(_values(words, "--modes"))
    for method in _values(words, "--pq-method"):
        lanes += [f"{method}@{budget}" for budget in _values(words, "--pq-budget")]
    return lanes


def depth_of(question):
    """Where in its contexts a question's fact stands: the middle of the passage that holds it, between 0 and 1."""
    sizes = [len(context["text"]) for context in question["contexts"]]
    at = question["supporting"][0]
    return (sum(sizes[:at]) + sizes[at] / 2) / max(sum(sizes), 1)


def question_rows(questions, records, lanes):
    """One row for each cell of lane, length (the set's own "tokens") and quarter of depth: how many questions fall into it
    and their mean scores. Records are those that `mneme eval --results` keeps, "ID#..." with one result per lane."""
    by_id = {question["id"]: question for question in questions}
    cells = {}
    for record in records:
        question = by_id[record["key"].rpartition("#")[0]]
        quarter = min(int(depth_of(question) * 4), 3)
        for lane, result in zip(lanes, record["result"], strict=True):
            cells.setdefault((lane, question.get("tokens"), quarter), []).append(result)
    return [{"name": lane, "tokens": tokens, "depth": ("0-25 %", "25-50 %", "50-75 %", "75-100 %")[quarter], "n": len(found),
             "f1": sum(one["f1"] for one in found) / len(found), "em": sum(one["em"] for one in found) / len(found)}
            for (lane, tokens, quarter), found in sorted(cells.items(), key=lambda item: (lanes.index(item[0][0]), *item[0][1:]))]


def _equal(value, wanted):
    if isinstance(value, (int, float)) and isinstance(wanted, (int, float)):
        return math.isclose(value, wanted, rel_tol=1e-9, abs_tol=1e-12)
    return value == wanted


def matches(row, where):
    """Whether a row has, at every path, the value or one of the values wanted. null is written as "null"."""
    for path, wanted in where.items():
        value = value_of(row, path)
        choices = wanted if isinstance(wanted, list) else [wanted]
        if not any(_equal("null" if value is None else value, choice) for choice in choices):
            return False
    return True


def derive(rows, rule):
    """Adds the column rule["name"] in place: rule["value"] of a row over that of the row matching rule["over"], among the
    rows that agree in the columns rule["group"]; with inverse the other way round (a speed-up)."""
    group = rule.get("group", [])
    for row in rows:
        base = next((other for other in rows if matches(other, rule["over"])
                     and all(_equal(value_of(other, key), value_of(row, key)) for key in group)), None)
        own = number_of(row, rule["value"])
        theirs = number_of(base, rule.get("base", rule["value"])) if base is not None else None
        if own is None or theirs is None:
            row[rule["name"]] = None
            continue
        below, above = (own, theirs) if rule.get("inverse") else (theirs, own)
        row[rule["name"]] = above / below if below else None


def distinct(rows, path):
    """The different values of a column, in the order in which they come."""
    values = []
    for row in rows:
        value = value_of(row, path)
        if value not in values:
            values.append(value)
    return values
