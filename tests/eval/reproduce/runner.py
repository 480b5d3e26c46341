"""Runs the commands of an experiment and keeps what each gave: finished commands are not run again, and those that keep
their own intermediate results (--results {kept}) go on where they were stopped."""
import dataclasses
import datetime
import json
import os
import pathlib
import platform
import shlex
import subprocess
import sys
import time
import zlib

from . import rows as rows_module
from . import texts

ROOT = pathlib.Path(__file__).resolve().parents[3]


class RunFailed(Exception):
    """A command failed; the message says which and how."""


@dataclasses.dataclass(frozen=True)
class Settings:
    """What the command line of scripts/reproduce decides."""

    mneme: str
    out: pathlib.Path
    model: str = ""  # named by the user; empty: mneme-mini for quality, the shape bench-336m for speed
    text: str = ""
    sets: str = ""
    peer: str = ""
    peer_completion: str = ""
    gguf: str = ""
    threads: int = 0
    quick: bool = False
    again: bool = False
    only_taken: bool = False
    runs: tuple = ()  # of each experiment only these are run, the others shown as far as they are finished; empty: all
    take: tuple = ()  # (call id, file, command): output that was measured before; command as it was typed

    def quality_model(self):
        return self.model or str(ROOT / "assets/models/mneme-mini.gguf")

    def speed_model(self):
        # Random weights of a real size say more about speed than a tiny model; a quick run only shows that it works.
        if self.model or self.quick:
            return ["--model", self.quality_model()]
        return ["--shape", "bench-336m", "--type", "Q8_0"]


def kept_path(words, settings, folder, call_id):
    """Where a command keeps its intermediate results: one with other words must not go on from another's."""
    told_by = repr((words, settings.model, settings.text, settings.sets)).encode()
    return folder / f"{call_id}-{zlib.crc32(told_by):08x}.kept.jsonl"


def fill(words, settings, folder, call_id):
    """A command's words with placeholders replaced; {speed} and {quality} become several words."""
    filled = []
    kept = kept_path(words, settings, folder, call_id)
    for word in words:
        if word == "{quality}":
            filled += ["--model", settings.quality_model()]
        elif word == "{speed}":
            filled += settings.speed_model()
        elif word.startswith("{set:") and word.endswith("}"):
            filled.append(str(texts.set_path(word[5:-1], settings.sets)))
        else:
            word = word.replace("{kept}", str(kept))
            word = word.replace("{folder}", str(folder)).replace("{root}", str(ROOT))
            word = word.replace("{peer}", settings.peer).replace("{gguf}", settings.gguf)
            word = word.replace("{peer_completion}", settings.peer_completion)
            word = word.replace("{mneme}", settings.mneme)
            if "{text}" in word:
                text = settings.text or str(texts.write_text(settings.out / "text.txt"))
                word = word.replace("{text}", text)
            if "{answered}" in word:
                text = settings.text or str(texts.write_answered(settings.out / "answered.txt", settings.sets))
                word = word.replace("{answered}", text)
            filled.append(word)
    return filled


def argv_of(words, settings):
    """A script of this repository as it is (its first word holds a slash), else a command of mneme giving JSON."""
    if "/" in words[0]:
        return [sys.executable, *words] if words[0].startswith(str(ROOT)) else list(words)
    threads = ["--threads", str(settings.threads)] if settings.threads and "--threads" not in words else []
    return [settings.mneme, *words, *threads, "--json", "--quiet"]


def shown_word(word, settings):
    """A word of a command without what only this machine knows."""
    known = {settings.mneme: "mneme", settings.peer: "llama-bench", settings.peer_completion: "llama-completion"}
    if word in known and word:
        return known[word]
    for folder in (settings.out, ROOT):
        if word.startswith(f"{folder}/"):
            return word[len(str(folder)) + 1:]
    return os.path.basename(word) if os.path.isabs(word) else word


def shown(argv, settings):
    """The command as a reader would type it."""
    words = [shown_word(word, settings) for word in argv if word not in ("--quiet", sys.executable)]
    return " ".join(word if word and all(c not in word for c in " \"'{}*;|&") else shlex.quote(word) for word in words)


def last_object(text):
    """The last line of a command's output that is a JSON object."""
    for line in reversed(text.strip().splitlines()):
        try:
            found = json.loads(line)
        except json.JSONDecodeError:
            continue
        if isinstance(found, dict):
            return found
    return None


def taken(call, argv, settings):
    """The output that --take names for this command; None without one."""
    for call_id, path, command in settings.take:
        if call_id == call.id:
            try:
                output = last_object(pathlib.Path(path).read_text(encoding="utf-8"))
            except OSError as error:
                raise RunFailed(f"{path} cannot be read ({error.strerror}); --take names a file of results") from error
            if output is None:
                raise RunFailed(f"{path} holds no result of a command")
            day = datetime.date.fromtimestamp(pathlib.Path(path).stat().st_mtime).isoformat()
            own = output.get("machine") or {}
            return {"argv": argv, "command": command or shown(argv, settings), "seconds": None, "date": day,
                    "machine": {**machine(), "cpu": own.get("cpu") or machine()["cpu"]},
                    "load_average": own.get("load_average"), "output": output}
    return None


def execute(argv, settings):
    """Runs a command to its end; gives what is kept of it."""
    environment = {**os.environ, "MNEME_HOME": str(settings.out / "home")}
    begin = time.monotonic()
    load = os.getloadavg()[0]
    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, env=environment,
                          cwd=ROOT)
    output = last_object(done.stdout)
    if done.returncode != 0 or output is None:
        said = (done.stderr.strip() or done.stdout.strip())[-600:]
        raise RunFailed(f"{shown(argv, settings)} ended with {done.returncode}: {said}")
    return {"argv": argv, "command": shown(argv, settings), "seconds": round(time.monotonic() - begin, 2),
            "date": datetime.date.today().isoformat(), "machine": machine(), "load_average": round(load, 2),
            "output": output}


def run_call(call, settings, folder, may_run=True):
    """One command: what it gave, from the last time where that is complete; None where it was not and may not be run.
    RunFailed says what went wrong."""
    kept = folder / f"{call.id}.json"
    argv = argv_of(fill(call.words, settings, folder, call.id), settings)
    result = taken(call, argv, settings)
    if result is None and kept.exists() and (not settings.again or not may_run):
        before = json.loads(kept.read_text(encoding="utf-8"))
        # Where the program lies does not matter; what is only shown says itself how it was run.
        if before["argv"][1:] == argv[1:] or not may_run:
            return {"date": datetime.date.fromtimestamp(kept.stat().st_mtime).isoformat(), **before}
    if result is None and not may_run:
        return None
    if result is None:
        if settings.again:
            for old in folder.glob(f"{call.id}-*.kept.jsonl"):
                old.unlink()
        result = execute(argv, settings)
    kept.write_text(json.dumps(result), encoding="utf-8")
    return result


def machine():
    """This machine as far as a reader must know it."""
    cpu = ""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                cpu = line.split(":", 1)[1].strip()
                break
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {"cpu": cpu or platform.machine(), "hardware_threads": os.cpu_count(), "memory_gib": round(memory / 2**30),
            "system": platform.system() + " " + platform.release()}


def build(settings):
    """The version that the program gives, for commands whose JSON does not describe the build."""
    done = subprocess.run([settings.mneme, "--version"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          check=False)
    return {"version": done.stdout.strip() or None}


def rows_of_call(run, call, done, settings, folder):
    """The rows that a finished command gives; those of single questions lie in the file that it kept, not in its output."""
    if run.rows != "questions":
        return rows_module.rows_of(done["output"], run.rows, run.merge)
    questions = [json.loads(line) for line in texts.named_set(call.words, settings.sets).read_text(encoding="utf-8").splitlines()]
    records = [json.loads(line) for line in kept_path(call.words, settings, folder, call.id).read_text(encoding="utf-8").splitlines()]
    return rows_module.question_rows(questions, records[1:], rows_module.lanes_of(call.words))


def run_calls(experiment, run, settings, say):
    """What the commands of a run gave, as entries of a result's `runs`; and the ids of those that were not run."""
    folder = settings.out / experiment.name
    calls = run.calls(settings.quick)
    may_run = not settings.only_taken and (not settings.runs or run.id in settings.runs)
    entries, missing = [], []
    for number, call in enumerate(calls, 1):
        if may_run:
            say(f"{experiment.name}: {run.id} {number}/{len(calls)} {call.columns or ''}")
        done = run_call(call, settings, folder, may_run)
        if done is None:
            missing.append(call.id)
            continue
        found = rows_of_call(run, call, done, settings, folder)
        entries.append({"run": run.id, "call": call.id, "command": done["command"], "seconds": done["seconds"],
                        "date": done.get("date"), "load_average": done["load_average"],
                        "machine": done.get("machine") or machine(),
                        "commit": (done["output"].get("build") or {}).get("commit"),
                        "type": (done["output"].get("build") or {}).get("type"),
                        "rows": [{"run": run.id, **call.columns, **row} for row in found]})
    return entries, missing if entries or not missing else [run.id]


def run_experiment(experiment, settings, say):
    """The commands of an experiment. Gives the result that is kept as result.json; RunFailed where a command fails."""
    folder = settings.out / experiment.name
    folder.mkdir(parents=True, exist_ok=True)
    runs, left_out = [], []
    for run in experiment.runs:
        if run.needs and not getattr(settings, run.needs):
            left_out.append({"run": run.id, "needs": "--" + run.needs.replace("_", "-")})
            continue
        entries, missing = run_calls(experiment, run, settings, say)
        runs += entries
        left_out += [{"run": one, "needs": ""} for one in missing]
    build_info = next(({"commit": one["commit"], "type": one["type"]} for one in reversed(runs) if one["commit"]), None)
    result = {"name": experiment.name, "date": max((one["date"] for one in runs if one["date"]), default=""),
              "quick": settings.quick, "model": settings.model or "default", "machine": machine(),
              "build": build_info or build(settings),
              "seconds": round(sum(run["seconds"] or 0 for run in runs), 1), "left_out": left_out, "runs": runs}
    (folder / "result.json").write_text(json.dumps(result, indent=1), encoding="utf-8")
    return result
