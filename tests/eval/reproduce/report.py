"""Results as Markdown with their plots: the fragment of one experiment; docs/results.md and its pages out of all that are
kept."""
import json
import re
import tomllib

from . import keeping, plots, rows


def rows_for(result, named):
    """The rows of one run or of several."""
    wanted = named if isinstance(named, list) else [named]
    return [row for run in result["runs"] if run["run"] in wanted for row in run["rows"]]


def _rows_of_view(result, view):
    """The rows that a table or plot shows: of its runs, each entry of the list `unfold` as a row beside the row's own
    columns, those that match `where`."""
    found = rows_for(result, view["run"])
    if "unfold" in view:
        found = [{**row, **entry} for row in found for entry in rows.value_of(row, view["unfold"]) or []]
    return [row for row in found if rows.matches(row, view.get("where", {}))]


def _number(value, digits, scale=1):
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return str(value)
    value *= scale
    if digits is not None:
        return f"{value:.{digits}f}"
    return str(value) if isinstance(value, int) else f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"


def cell(value, column):
    """A value as a reader wants it: spreads as median (min-max), what is unknown as a dash."""
    digits, scale = column.get("digits"), column.get("scale", 1)
    if value is None:
        return "-"
    if isinstance(value, dict) and "median" in value:
        low, high = _number(value["min"], digits, scale), _number(value["max"], digits, scale)
        return f"{_number(value['median'], digits, scale)} ({low}-{high})"
    if isinstance(value, list):
        return " to ".join(_number(one, digits, scale) for one in value)
    return _number(value, digits, scale).replace("|", "\\|")


def _markdown(head, body):
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head),
                      *("| " + " | ".join(line) + " |" for line in body)])


def table(result, view):
    """A declared table as Markdown, without columns that no row has a value for; "" where there is nothing to show. Where
    its rows are of several machines, they say of which."""
    found = _rows_of_view(result, view)
    if not found:
        return ""
    cpus = rows.distinct(found, "cpu")
    if len(cpus) > 1 and "pivot" in view:
        parts = [table(result, {**view, "where": {**view.get("where", {}), "cpu": cpu}}) for cpu in cpus]
        return "\n\n".join(f"{cpu}:\n\n{part}" for cpu, part in zip(cpus, parts))
    if "pivot" in view:
        pivot = view["pivot"]
        across = rows.distinct(found, pivot["columns"])
        body = []
        for line in rows.distinct(found, pivot["rows"]):
            cells = [next((rows.value_of(row, pivot["value"]) for row in found
                           if rows.value_of(row, pivot["rows"]) == line and rows.value_of(row, pivot["columns"]) == one),
                          None) for one in across]
            body.append([cell(line, {}), *(cell(one, pivot) for one in cells)])
        return _markdown([pivot.get("head", pivot["rows"]), *(cell(one, {}) for one in across)], body)
    columns = [column for column in view["columns"] if any(rows.value_of(row, column["value"]) is not None for row in found)]
    if len(cpus) > 1:
        columns.append({"head": "machine", "value": "cpu"})
    return _markdown([column["head"] for column in columns],
                     [[cell(rows.value_of(row, column["value"]), column) for column in columns] for row in found])


def _scaled(row, view, key):
    value = rows.number_of(row, view[key])
    return None if value is None else value * view.get(f"{key}_scale", 1)


def _label(row, view):
    value = rows.value_of(row, view["label"]) if "label" in view else None
    return "" if value is None else str(value)


def plot(result, view):
    """A declared plot as SVG; "" where there is nothing to draw."""
    found = _rows_of_view(result, view)
    if not any(_scaled(row, view, "y") is not None for row in found):
        return ""
    cpus = rows.distinct(found, "cpu")
    if len(cpus) > 1:  # of the machine that has most of it, the latest of several
        most = max(reversed(cpus), key=lambda cpu: sum(row["cpu"] == cpu for row in found))
        found = [row for row in found if row["cpu"] == most]
    labels = (view["title"] + (f" ({most})" if len(cpus) > 1 else ""), view.get("x_label", view.get("x", "")), view.get("y_label", view["y"]))
    series = view.get("series", "")
    names = rows.distinct(found, series) if series else [""]
    wanted = view.get("where", {}).get(series)
    if isinstance(wanted, list):  # in the order asked for, so that plots of the same series have the same colours
        names.sort(key=wanted.index)
    if view["kind"] == "line":
        drawn = [(cell(name, {}), [(_scaled(row, view, "x"), _scaled(row, view, "y"), _label(row, view)) for row in found
                                   if not series or rows.value_of(row, series) == name]) for name in names]
        return plots.lines(*labels, drawn, view.get("log_x", False), view.get("log_y", False),
                           view.get("points_only", False))
    across = rows.distinct(found, view["x"])
    values = {(cell(rows.value_of(row, view["x"]), {}), cell(rows.value_of(row, series), {}) if series else ""):
              _scaled(row, view, "y") for row in found}
    shown = (*labels, [cell(one, {}) for one in across], [cell(name, {}) if series else "" for name in names], values)
    return plots.heat(*shown, view.get("span")) if view["kind"] == "heat" else plots.bars(*shown)


def derive(experiment, result):
    """Adds the machine and the declared derived columns to the result's rows, in place. Nothing is set against what
    another machine gave."""
    for run in result["runs"]:
        for row in run["rows"]:
            row["cpu"] = (run.get("machine") or result["machine"])["cpu"]
    for rule in experiment.derives:
        rows.derive(rows_for(result, rule["run"]), {**rule, "group": [*rule.get("group", []), "cpu"]})


def _commits(result):
    """The versions that gave the numbers: commands of one experiment may have been run with several."""
    found = [run["commit"][:10] for run in result["runs"] if run.get("commit")]
    found = list(dict.fromkeys(found or ([result["build"]["commit"][:10]] if result["build"].get("commit") else [])))
    return f"commit{'s' if len(found) > 1 else ''} {', '.join(found)}" if found else result["build"].get("version") or ""


def _where(result):
    build = result["build"]
    parts = [result["date"], _commits(result)]
    if build.get("type"):
        parts.append(f"{build['type'].lower()} build")
    parts += [f"{machine['cpu']}, {machine['hardware_threads']} hardware threads, {machine['memory_gib']} GiB"
              for machine in keeping.machines_of(result)]
    if result["seconds"]:
        parts.append(f"{result['seconds']:.0f} s in all")
    loads = [run["load_average"] for run in result["runs"] if run.get("load_average") is not None]
    if loads:
        parts.append("idle machine" if max(loads) < 0.5 else f"load average up to {max(loads):.1f}")
    if result["quick"]:
        parts.append("quick run: shows that it works, not how good it is")
    return "; ".join(part for part in parts if part) + "."


def _command(run, says_machine=False):
    """A command as it was run, with what is known of that run behind it."""
    known = [run["machine"]["cpu"] if says_machine and run.get("machine") else "", f"{run['seconds']:.0f} s" if run.get("seconds") else "",
             f"load {run['load_average']:.1f}" if run.get("load_average") is not None else "", (run.get("commit") or "")[:10]]
    note = ", ".join(part for part in known if part)
    return f"{run['command']}  # {note}" if note else run["command"]


TODAYS_WEIGHTS_SINCE = "2026-11-27"  # assets/models/README.md


def _models(experiment, result):
    """What the shown commands ran on."""
    if result["model"] != "default":
        return result["model"].rsplit("/", 1)[-1]
    shown = {run["run"] for run in result["runs"]}
    words = [word for run in experiment.runs if run.id in shown for word in run.command]
    models = []
    if "{quality}" in words or any("mneme-mini" in word for word in words):
        weights = "" if result["date"] >= TODAYS_WEIGHTS_SINCE else ", with the weights it had before 27 November 2026"
        models.append(f"`mneme-mini`, the model of 6.6 M parameters that comes along{weights}")
    if "{speed}" in words or "bench-336m" in words:
        models.append("random weights of the shape `bench-336m` at Q8_0 (speed only)")
    return " and ".join(models) or "none"


def _listed(values):
    return "; ".join(values) if values else "none"


def fragment(experiment, result, finding, plot_folder, plot_prefix):
    """The experiment as a section of Markdown; its plots are written into plot_folder and linked behind plot_prefix."""
    derive(experiment, result)
    out = [f"### {heading(experiment)}", "", f"**{'Asked' if experiment.paper == 'mneme' else 'The paper'}.** "
           f"{experiment.found}", "", f"**Here.** {experiment.here}", "", f"- Model: {_models(experiment, result)}",
           f"- Data: {_listed(experiment.data)}", f"- Compared with: {_listed(experiment.baselines)}",
           f"- Metric: {experiment.metric}"]
    if finding:
        out += ["", f"**Found.** {finding}"]
    out += ["", f"**Why results may differ.** {experiment.differs}", "", f"Measured {_where(result)}"]
    for one in result["left_out"]:
        out.append(f"Not measured: {one['run']}" + (f" (it needs {one['needs']})." if one["needs"] else "."))
    out += ["", "```", *(_command(run, len(keeping.machines_of(result)) > 1) for run in result["runs"]), "```"]
    for view in experiment.tables:
        text = table(result, view)
        if text:
            out += ["", *([view["title"] + ":", ""] if view.get("title") else []), text]
    for number, view in enumerate(experiment.plots, 1):
        svg = plot(result, view)
        if svg:
            name = f"{experiment.name}{'' if len(experiment.plots) == 1 else f'-{number}'}.svg"
            (plot_folder / name).write_text(svg, encoding="utf-8")
            out += ["", f"![{view['title']}]({plot_prefix}{name})"]
    return "\n".join(out) + "\n"


def heading(experiment):
    return experiment.title if experiment.paper == "mneme" else f"{experiment.paper}, {experiment.figure}: {experiment.title}"


def _anchor(text):
    """How Markdown viewers name a heading."""
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def first_sentence(text):
    """Up to the first full stop that ends a sentence, without line breaks."""
    text = " ".join(text.split())
    found = re.search(r"[.!?](?=\s+[A-Z0-9*])", text)
    return text[:found.end()] if found else text


def page_of(paper):
    """The name of the page that holds a paper's experiments; this project's own bars have one too."""
    return f"{paper.lower()}.md"


def _row(experiment, result, finding, folder):
    name = f"`{experiment.name}`"
    if result is not None:
        name = f"[{name}]({folder}/{page_of(experiment.paper)}#{_anchor(heading(experiment))})"
    what = first_sentence(finding) if finding else "measured" if result is not None else "**not measured yet**"
    if experiment.not_run:
        what = "not run: " + experiment.not_run
    when = result["date"] if result is not None and not experiment.not_run else "-"
    return [name, experiment.figure, experiment.title, what, when, _takes(experiment, result)]


def _measured_seconds(result):
    """How long all commands took, where all ran from here with nothing else on the machine; else None."""
    if result is None or result["left_out"]:
        return None
    own = result["machine"]["hardware_threads"] + 0.5
    if not all(run.get("seconds") and (run["load_average"] or 0) <= own for run in result["runs"]):
        return None
    return sum(run["seconds"] for run in result["runs"])


def _takes(experiment, result):
    """How long the experiment takes: as it was measured, else as declared."""
    if experiment.not_run:
        return "-"
    seconds = _measured_seconds(result)
    if seconds is not None:
        return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.1f} min"
    return f"about {experiment.minutes:g} min"


def _all_together(experiments, results):
    """How long every experiment takes, one after the other."""
    run = [one for one in experiments if not one.not_run]
    minutes = sum((_measured_seconds(results[one.name]) or 60 * one.minutes) / 60 for one in run)
    return (f"All {len(run)} that are run, one after the other (`scripts/reproduce --all`): about {minutes / 60:.1f} hours on "
            "two hardware threads.")


def _results(experiments, kept):
    """The kept result of each experiment by name, None where there is none."""
    paths = {one.name: kept / f"{one.name}.json" for one in experiments}
    return {name: json.loads(path.read_text(encoding="utf-8")) if path.exists() else None for name, path in paths.items()}


def _page(paper, experiments, results, findings, kept):
    """The whole page of a paper: a section for each experiment that is measured."""
    title = f"# {paper}: tables and figures repeated" if paper != "mneme" else "# Bars of this project"
    back = "How to read this, and what is not measured: [results](../results.md)."
    sections = [fragment(one, results[one.name], findings.get(one.name, ""), kept, "").replace("### ", "## ", 1).rstrip()
                for one in experiments if results[one.name] is not None]
    return "\n\n".join([title, back, *sections]) + "\n"


def collect(experiments, kept, head):
    """The documents made of what is kept: {file name: text}. "results.md" is the overview, to lie beside the folder `kept`;
    the others are the pages that lie in it, one per paper."""
    findings = {}
    if (kept / "findings.toml").exists():
        findings = tomllib.loads((kept / "findings.toml").read_text(encoding="utf-8"))
    results = _results(experiments, kept)
    documents = {}
    overview = [head.rstrip()]
    for paper in dict.fromkeys(one.paper for one in experiments):
        own = [one for one in experiments if one.paper == paper]
        table_of = _markdown(["experiment", "of", "asks", "found here", "measured", "takes"],
                             [_row(one, results[one.name], findings.get(one.name, ""), kept.name) for one in own])
        overview += ["", f"## {paper}" if paper != "mneme" else "## Bars of this project", "", table_of]
        documents[page_of(paper)] = _page(paper, own, results, findings, kept)
    overview += ["", _all_together(experiments, results)]
    documents["results.md"] = "\n".join(overview) + "\n"
    return documents
