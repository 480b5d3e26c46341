"""Unit tests of keeping.py, run with those of tests.py."""
import json
import pathlib
import tempfile
import unittest

from . import experiments, keeping, report
from .sample import HEAD

DECLARED = HEAD + """minutes = 1
[[run]]
id = "a"
command = ["eval", "set"]
each = {"--tokens" = ["512", "3072"]}
[[run]]
id = "b"
command = ["bench", "fetch"]
[[run]]
id = "named"
command = ["eval", "{text}"]
needs = "text"
[[derive]]
name = "share"
run = ["a", "b"]
value = "v"
over = {tokens = 512}
[[table]]
run = ["a", "b"]
columns = [{head = "v", value = "v"}, {head = "share", value = "share"}]
"""
OLD, NEW = ({"cpu": cpu, "hardware_threads": 2, "memory_gib": 24} for cpu in ("Old", "New"))


def entry(run, call, **more):
    return {"run": run, "call": call, "command": f"mneme {call}", "seconds": 1.0, "date": "2030-01-01", "load_average": 0.1,
            "commit": None, **more}


def result(machine, runs, **more):
    return {"name": "x", "date": "2030-01-01", "quick": False, "model": "default", "machine": machine, "build": {"commit": "c"},
            "seconds": 1, "left_out": [], "runs": runs, **more}


class KeepingTest(unittest.TestCase):
    def setUp(self):
        self.experiment = experiments.parse(DECLARED, "x")
        # As results were kept before entries said their call and machine.
        before = entry("a", "", rows=[{"run": "a", "tokens": 512, "v": 1}, {"run": "a", "tokens": 3072, "v": 2}])
        del before["call"]
        self.before = result(OLD, [before])
        self.now = result(NEW, [entry("a", "a-3072", machine=NEW, date="2030-01-03",
                                      rows=[{"run": "a", "tokens": 3072, "v": 5}])],
                          left_out=[{"run": "a-512", "needs": ""}, {"run": "b", "needs": ""}, {"run": "named", "needs": "--text"}])

    def test_what_was_repeated_takes_its_place_and_the_rest_stays_with_its_machine(self):
        both = keeping.merged(self.experiment, self.before, self.now)
        self.assertEqual([(one["machine"]["cpu"], [row["v"] for row in one["rows"]]) for one in both["runs"]],
                         [("Old", [1]), ("New", [5])])
        self.assertEqual(both["left_out"], [{"run": "b", "needs": ""}, {"run": "named", "needs": "--text"}])
        self.assertEqual((both["date"], both["runs"][0]["commit"]), ("2030-01-03", "c"))
        self.assertEqual(keeping.merged(self.experiment, both, self.now), both)

    def test_times_of_another_machine_stay_beside_the_new_ones(self):
        timed = experiments.parse(DECLARED.replace('["eval", "set"]', '["bench", "prefill"]'), "x")
        both = keeping.merged(timed, self.before, self.now)
        self.assertEqual([(one["machine"]["cpu"], [row["v"] for row in one["rows"]]) for one in both["runs"]],
                         [("Old", [1, 2]), ("New", [5])])
        self.assertEqual(keeping.merged(timed, both, self.now), both)
        view = {"run": "a", "kind": "bars", "title": "t", "x": "tokens", "y": "v"}
        report.derive(timed, both)
        self.assertIn(">t (Old)<", report.plot(both, view))
        for command, timed in (("bench insight", False), ("bench pq", True), ("perplexity x", False), ("scripts/bench-peers x", True)):
            run = experiments.parse(DECLARED.replace('"eval", "set"', ", ".join(f'"{word}"' for word in command.split())), "x")
            self.assertEqual(keeping.measures_time(run.run("a")), timed)

    def test_calls_that_nobody_ran_are_left_out_by_name(self):
        before = result(OLD, [])
        self.assertEqual(keeping.merged(self.experiment, before, self.now)["left_out"],
                         [{"run": "a-512", "needs": ""}, {"run": "b", "needs": ""}, {"run": "named", "needs": "--text"}])

    def test_results_of_another_model_or_of_quick_runs_do_not_stay(self):
        for other in ({"model": "else"}, {"quick": True}):
            self.assertEqual(keeping.merged(self.experiment, {**self.before, **other}, self.now), self.now)
        self.assertEqual(keeping.merged(self.experiment, None, self.now), self.now)

    def test_rows_of_several_machines_say_of_which_and_are_not_set_against_each_other(self):
        both = keeping.merged(self.experiment, self.before, self.now)
        report.derive(self.experiment, both)
        self.assertEqual(report.table(both, self.experiment.tables[0]).splitlines(),
                         ["| v | share | machine |", "|---|---|---|", "| 1 | 1 | Old |", "| 5 | - | New |"])
        self.assertIn("Old, 2 hardware threads, 24 GiB; New, 2 hardware threads", report._where(both))
        self.assertIn("# New, 1 s", report._command(both["runs"][1], says_machine=True))
        pivot = report.table(both, {"run": "a", "pivot": {"rows": "run", "columns": "tokens", "value": "v"}})
        self.assertEqual([line for line in pivot.splitlines() if not line.startswith("|--")],
                         ["Old:", "", "| run | 512 |", "| a | 1 |", "", "New:", "", "| run | 3072 |", "| a | 5 |"])

    def test_only_full_runs_are_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            out, kept = pathlib.Path(folder) / "out", pathlib.Path(folder) / "kept"
            (out / "x").mkdir(parents=True)
            for quick in (True, False):
                (out / "x/result.json").write_text(json.dumps({**self.now, "quick": quick}), encoding="utf-8")
                keeping.keep([self.experiment], out, kept)
                self.assertEqual((kept / "x.json").exists(), not quick)
            keeping.keep([self.experiment], out, kept)
            self.assertEqual(len(json.loads((kept / "x.json").read_text(encoding="utf-8"))["runs"]), 1)
