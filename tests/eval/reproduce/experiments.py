"""Declared experiments: one TOML file per table or figure (format: ../experiments/README.md), read and checked here.

Nothing is run. Errors are DeclarationError with one sentence that names the file.
"""
import dataclasses
import itertools
import pathlib
import tomllib

PAPERS = ("CacheBlend", "CacheGen", "PQCache", "mneme")
TEXTS = ("name", "paper", "figure", "title", "found", "here", "differs", "metric")
KEYS = {*TEXTS, "minutes", "baselines", "data", "not_run", "run", "derive", "table", "plot"}
PLOT_KINDS = ("line", "bars", "heat")


class DeclarationError(Exception):
    """A declaration says something that cannot be run."""


@dataclasses.dataclass(frozen=True)
class Call:
    """One command of a run: words as declared (placeholders unfilled), and the columns that tell it from the others."""

    id: str
    words: tuple
    columns: dict


@dataclasses.dataclass(frozen=True)
class Run:
    """A command of mneme, perhaps once for each of some options' values."""

    id: str
    command: tuple
    rows: str
    merge: str
    needs: str
    columns: dict
    each: dict
    quick: dict
    quick_each: dict

    def calls(self, quick):
        each = self.quick_each if quick and self.quick_each else self.each
        options = list(each)
        calls = []
        for values in itertools.product(*(each[option] for option in options)):
            words = list(self.command)
            for option, value in zip(options, values):
                set_option(words, option, value)
            for option, value in (self.quick if quick else {}).items():
                set_option(words, option, value)
            columns = {**self.columns, **{option.lstrip("-").replace("-", "_"): number_or_text(value)
                                          for option, value in zip(options, values)}}
            suffix = "".join("-" + "".join(c if c.isalnum() or c in "._" else "_" for c in str(value))
                             for value in values)
            calls.append(Call(self.id + suffix, tuple(words), columns))
        return calls


@dataclasses.dataclass(frozen=True)
class Experiment:
    """One table or figure: what the paper found, what is run here, and how the outcome is shown."""

    name: str
    paper: str
    figure: str
    title: str
    found: str
    here: str
    differs: str
    metric: str
    baselines: tuple
    data: tuple
    not_run: str
    minutes: float | None
    runs: tuple
    derives: tuple
    tables: tuple
    plots: tuple

    def run(self, run_id):
        return next(run for run in self.runs if run.id == run_id)


def number_or_text(value):
    """"0.5" as 0.5, "medium" as it is: columns are compared as numbers where they are."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return value
    return int(number) if number.is_integer() and "." not in str(value) else number


def set_option(words, option, value):
    """Gives an option this value, in place; it is added where the command does not have it. "" takes it out."""
    if option in words:
        at = words.index(option)
        del words[at:at + 2]
    if value != "":
        words += [option, str(value)]


def _runs(document, fail):
    runs = []
    for entry in document.get("run", []):
        for key in ("id", "command"):
            if key not in entry:
                fail(f"a run has no {key}")
        unknown = set(entry) - {"id", "command", "rows", "merge", "needs", "columns", "each", "quick", "quick_each"}
        if unknown:
            fail(f"run {entry['id']} has unknown keys {sorted(unknown)}")
        command = tuple(entry["command"])
        if not command or not all(isinstance(word, str) for word in command):
            fail(f"the command of run {entry['id']} is not a list of words")
        runs.append(Run(entry["id"], command, entry.get("rows", "results"), entry.get("merge", ""),
                        entry.get("needs", ""), entry.get("columns", {}), entry.get("each", {}),
                        entry.get("quick", {}), entry.get("quick_each", {})))
    if len({run.id for run in runs}) != len(runs):
        fail("two runs have the same id")
    return tuple(runs)


def _check_views(document, runs, fail):
    """Tables, plots and derived columns name runs that are there and say all they must."""
    known = {run.id for run in runs}
    needed = {"table": (), "plot": ("kind", "title", "y"), "derive": ("name", "value", "over")}
    for kind, keys in needed.items():
        for view in document.get(kind, []):
            named = view.get("run")
            for one in named if isinstance(named, list) else [named]:
                if one not in known:
                    fail(f"a {kind} is of run {one}, which is not declared")
            for key in keys:
                if key not in view:
                    fail(f"a {kind} of run {named} has no {key}")
    for plot in document.get("plot", []):
        if plot["kind"] not in PLOT_KINDS:
            fail(f"there is no plot of kind {plot['kind']}; there are {', '.join(PLOT_KINDS)}")
    for table in document.get("table", []):
        if ("columns" in table) == ("pivot" in table):
            fail(f"a table of run {table['run']} must have either columns or a pivot")


def parse(text, name):
    """The experiment that a declaration's text describes; `name` is its file's, without the ending."""

    def fail(what):
        raise DeclarationError(f"tests/eval/experiments/{name}.toml: {what}.")

    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        fail(f"not TOML: {error}")
    for key in TEXTS:
        if not isinstance(document.get(key), str) or not document[key].strip():
            fail(f"{key} is missing")
    unknown = set(document) - KEYS
    if unknown:
        fail(f"it has unknown keys {sorted(unknown)}")
    if document["name"] != name:
        fail(f"it calls itself {document['name']}")
    if document["paper"] not in PAPERS:
        fail(f"there is no paper {document['paper']}; there are {', '.join(PAPERS)}")
    runs = _runs(document, fail)
    not_run = document.get("not_run", "").strip()
    if bool(runs) == bool(not_run):
        fail("it needs either runs or not_run, the reason why there are none")
    minutes = document.get("minutes")
    if runs and not isinstance(minutes, (int, float)):
        fail("minutes is missing, about how long it takes")
    _check_views(document, runs, fail)
    return Experiment(*(document[key].strip() for key in TEXTS), tuple(document.get("baselines", [])),
                      tuple(document.get("data", [])), not_run, minutes, runs, tuple(document.get("derive", [])),
                      tuple(document.get("table", [])), tuple(document.get("plot", [])))


def load_all(folder):
    """Every declared experiment, by paper and figure."""
    experiments = []
    for path in sorted(pathlib.Path(folder).glob("*.toml")):
        experiments.append(parse(path.read_text(encoding="utf-8"), path.stem))
    experiments.sort(key=lambda one: (PAPERS.index(one.paper), one.name))
    return experiments
