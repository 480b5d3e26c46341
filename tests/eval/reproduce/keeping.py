"""Results put to those that are kept: a run that was repeated takes the place of its earlier one, the others stay, each with
the machine that it was measured on. Of times those of another machine stay too: they are no less true than the new ones;
qualities are of no machine."""
import json

from . import rows


def merged(experiment, before, now):
    """The result to keep, where `before` is kept already and `now` was found in this working folder; both as
    runner.run_experiment gives them. Of another model nothing stays."""
    if before is None or before["quick"] or before["model"] != now["model"]:
        return now
    entries, left_out = [], []
    for run in experiment.runs:
        new = [one for one in now["runs"] if one["run"] == run.id]
        calls = run.calls(quick=False)
        repeated = [call for call in calls if any(one["call"] == call.id for one in new)]
        stayed = _stayed(before, run, repeated, {one["machine"]["cpu"] for one in new})
        entries += stayed + new
        needs = [one for one in now["left_out"] if one["run"] == run.id and one["needs"]]
        missing = [call.id for call in calls if call not in repeated and not _has_rows(stayed, call)]
        if needs and not stayed:
            left_out += needs
        elif len(missing) == len(calls):
            left_out.append({"run": run.id, "needs": ""})
        else:
            left_out += [{"run": one, "needs": ""} for one in missing]
    seconds = round(sum(one.get("seconds") or 0 for one in entries), 1)
    date = max((one["date"] for one in entries if one.get("date")), default=now["date"])
    build = now["build"] if now["runs"] else before["build"]
    return {**now, "date": date, "build": build, "seconds": seconds, "left_out": left_out, "runs": entries}


def machines_of(result):
    """The machines that the runs were measured on, in the order of the runs; one at least."""
    found = []
    for one in result["runs"]:
        machine = one.get("machine") or result["machine"]
        if machine["cpu"] not in [known["cpu"] for known in found]:
            found.append(machine)
    return found or [result["machine"]]


def keep(experiments, out, kept):
    """Puts the results of full runs in the working folder `out` to where the documents keep them."""
    kept.mkdir(parents=True, exist_ok=True)
    for experiment in experiments:
        path = out / experiment.name / "result.json"
        result = _read(path)
        if result is None or result["quick"]:
            continue
        place = kept / f"{experiment.name}.json"
        place.write_text(json.dumps(merged(experiment, _read(place), result), indent=1), encoding="utf-8")


def _read(path):
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def measures_time(run):
    return "/" in run.command[0] or run.command[0] == "bench" and run.command[1] != "insight"


def _stayed(before, run, repeated, cpus):
    """A run's earlier entries without the rows that were measured again, of times on one of these processors; each says on
    which machine it was measured."""
    stayed = []
    for one in before["runs"]:
        if one["run"] != run.id:
            continue
        machine = one.get("machine") or before["machine"]
        again = repeated if machine["cpu"] in cpus or not measures_time(run) else []
        left = [] if any(one.get("call") == call.id for call in again) else [
            row for row in one["rows"] if not any(rows.matches(row, call.columns) for call in again)]
        if left:
            commit = one.get("commit") or before["build"].get("commit")
            stayed.append({**one, "machine": machine, "commit": commit, "rows": left})
    return stayed


def _has_rows(entries, call):
    return any(one.get("call") == call.id or any(rows.matches(row, call.columns) for row in one["rows"]) for one in entries)
