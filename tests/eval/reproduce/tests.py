"""Unit tests of this package: python3 -m unittest reproduce.tests, from tests/eval."""
import dataclasses
import json
import math
import pathlib
import tempfile
import unittest
import xml.dom.minidom

from . import experiments, plots, report, rows, runner, texts
from .keeping_tests import KeepingTest  # noqa: F401  (run with the others)
from .peer_tests import PeersTest  # noqa: F401  (run with the others)
from .sample import HEAD

SOUND = HEAD + """minutes = 1.5
[[run]]
id = "a"
command = ["bench", "codec", "--reps", "5"]
each = {"--kv-level" = ["high", "low"], "--reps" = ["1", "2"]}
quick = {"--tokens" = "8"}
quick_each = {"--kv-level" = ["low"]}
[[table]]
run = "a"
columns = [{head = "n", value = "n"}]
"""


class DeclarationTest(unittest.TestCase):
    def test_calls_are_the_product_of_the_values(self):
        run = experiments.parse(SOUND, "x").run("a")
        calls = run.calls(quick=False)
        self.assertEqual([call.id for call in calls], ["a-high-1", "a-high-2", "a-low-1", "a-low-2"])
        self.assertEqual(calls[1].columns, {"kv_level": "high", "reps": 2})
        self.assertEqual(calls[1].words, ("bench", "codec", "--kv-level", "high", "--reps", "2"))

    def test_quick_replaces_and_adds(self):
        (call,) = experiments.parse(SOUND, "x").run("a").calls(quick=True)
        self.assertEqual(call.words, ("bench", "codec", "--reps", "5", "--kv-level", "low", "--tokens", "8"))

    def test_an_empty_value_takes_an_option_out(self):
        words = ["bench", "--shape", "s", "--reps", "1"]
        experiments.set_option(words, "--shape", "")
        self.assertEqual(words, ["bench", "--reps", "1"])

    def test_what_is_wrong_is_said_with_the_file(self):
        for old, new, said in (('paper = "CacheGen"', 'paper = "Nature"', "Nature"), ('name = "x"', 'name = "y"', "itself y"),
                               ('run = "a"', 'run = "b"', "run b"), ('metric = "m"', "", "metric"),
                               ('columns = [{head = "n", value = "n"}]', "", "pivot"), ("[[run]]", "[[run]", "TOML"),
                               ('id = "a"', 'id = "a"\nwhen = "now"', "when"), ("minutes = 1.5", "", "minutes"),
                               ("minutes = 1.5", "minutes = 1\nhours = 2", "hours")):
            with self.assertRaises(experiments.DeclarationError) as caught:
                experiments.parse(SOUND.replace(old, new, 1), "x")
            self.assertIn("x.toml", str(caught.exception))
            self.assertIn(said, str(caught.exception))


class RowsTest(unittest.TestCase):
    def test_rows_of_lists_objects_and_the_output_itself(self):
        self.assertEqual(rows.rows_of({"results": [{"a": 1}]}, "results"), [{"a": 1}])
        self.assertEqual(rows.rows_of({"a": 1}, "."), [{"a": 1}])
        self.assertEqual(rows.rows_of({}, "results"), [])
        modes = {"modes": {"full": {"f1": 1}, "hkvd@0.15": {"f1": 2}}, "loss": {"hkvd@0.15": {"f1": 3}}}
        full, lane = rows.rows_of(modes, "modes", "loss")
        self.assertEqual((full["name"], full["at"]), ("full", None))
        self.assertEqual((lane["base"], lane["at"], rows.value_of(lane, "loss.f1")), ("hkvd", 0.15, 3))
        (coded,) = rows.rows_of({"modes": {"transform:low": {}}}, "modes")
        self.assertEqual((coded["codec"], coded["level"], full["level"]), ("transform", "low", None))

    def test_numbers_of_spreads_and_of_nothing(self):
        row = {"t": {"median": 2, "min": 1, "max": 3}, "none": None, "nan": math.nan, "yes": True}
        self.assertEqual(rows.number_of(row, "t"), 2)
        for key in ("none", "nan", "yes", "missing", "missing.deeper"):
            self.assertIsNone(rows.number_of(row, key))

    def test_matching(self):
        row = {"mode": "full", "share": 0.15, "level": None}
        self.assertTrue(rows.matches(row, {"mode": ["full", "reuse"], "share": 0.15}))
        self.assertTrue(rows.matches(row, {"level": "null"}))
        self.assertFalse(rows.matches(row, {"mode": "reuse"}))

    def test_derived_ratios_stay_within_their_group(self):
        table = [{"mode": "full", "g": 1, "t": 8}, {"mode": "reuse", "g": 1, "t": 2}, {"mode": "reuse", "g": 2, "t": 2}]
        rows.derive(table, {"name": "up", "value": "t", "over": {"mode": "full"}, "group": ["g"], "inverse": True})
        rows.derive(table, {"name": "share", "value": "t", "over": {"mode": "full"}, "group": ["g"]})
        self.assertEqual([row["up"] for row in table], [1, 4, None])
        self.assertEqual([row["share"] for row in table], [1, 0.25, None])

    def test_lanes_are_named_in_the_order_of_the_records(self):
        words = ["eval", "s", "--modes", "full,reuse", "--pq-method", "pq,window", "--pq-budget", "1/5,1/10"]
        self.assertEqual(rows.lanes_of(words), ["full", "reuse", "pq@1/5", "pq@1/10", "window@1/5", "window@1/10"])
        self.assertEqual(rows.lanes_of(["eval", "s"]), [])

    def test_single_questions_are_counted_by_length_and_depth(self):
        def question(name, at, tokens):
            return {"id": name, "tokens": tokens, "supporting": [at], "contexts": [{"text": "x" * 10}] * 4}
        questions = [question("a", 0, 500), question("b", 0, 500), question("c", 3, 500), question("d", 3, 1000)]
        records = [{"key": f"{one['id']}#0", "result": [{"f1": 1.0, "em": 1.0}, {"f1": f1, "em": 0.0}]}
                   for one, f1 in zip(questions, (0.5, 0.0, 1.0, 0.25))]
        found = {(row["name"], row["tokens"], row["depth"]): (row["n"], row["f1"], row["em"])
                 for row in rows.question_rows(questions, records, ["full", "pq@1/5"])}
        self.assertEqual(found[("full", 500, "0-25 %")], (2, 1.0, 1.0))
        self.assertEqual(found[("pq@1/5", 500, "0-25 %")], (2, 0.25, 0.0))
        self.assertEqual(found[("pq@1/5", 500, "75-100 %")], (1, 1.0, 0.0))
        self.assertEqual(found[("pq@1/5", 1000, "75-100 %")], (1, 0.25, 0.0))
        self.assertEqual(len(found), 6)


class RunnerTest(unittest.TestCase):
    DECLARED = (SOUND.replace('each = {"--kv-level" = ["high", "low"], "--reps" = ["1", "2"]}\n', "") +
                '[[run]]\nid = "b"\ncommand = ["bench", "fetch"]\n')
    PROGRAM = """#!/bin/sh
echo "$2" >> "$0.log"
echo '{"results": [{"n": 3}], "build": {"commit": "0123456789abcdef", "type": "Release"}}'
"""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        program = self.folder / "program"
        program.write_text(self.PROGRAM, encoding="utf-8")
        program.chmod(0o755)
        self.settings = runner.Settings(mneme=str(program), out=self.folder / "out")
        self.experiment = experiments.parse(self.DECLARED, "x")

    def run_with(self, **more):
        result = runner.run_experiment(self.experiment, dataclasses.replace(self.settings, **more), lambda text: None)
        log = self.folder / "program.log"
        return result, log.read_text(encoding="utf-8").split() if log.exists() else []

    def test_only_the_runs_asked_for_and_what_is_finished(self):
        result, called = self.run_with(only_taken=True)
        self.assertEqual((result["runs"], called), ([], []))
        self.assertEqual([one["run"] for one in result["left_out"]], ["a", "b"])
        result, called = self.run_with(runs=("b",))
        self.assertEqual(called, ["fetch"])
        self.assertEqual([one["run"] for one in result["left_out"]], ["a"])
        result, called = self.run_with(runs=("a",))
        self.assertEqual(called, ["fetch", "codec"])
        self.assertEqual([one["run"] for one in result["runs"]], ["a", "b"])
        self.assertEqual((result["left_out"], result["runs"][0]["commit"]), ([], "0123456789abcdef"))
        self.assertEqual(self.run_with()[1], ["fetch", "codec"])  # finished: nothing is run again
        elsewhere = self.folder / "elsewhere"
        elsewhere.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
        self.assertEqual(self.run_with(mneme=str(elsewhere))[0]["left_out"], [])  # wherever the program lies
        result, called = self.run_with(only_taken=True, threads=1)  # run with another number of threads, shown as it was
        self.assertEqual((result["left_out"], called), ([], ["fetch", "codec"]))
        result, called = self.run_with(runs=("a",), again=True)  # the other run stays as it was
        self.assertEqual((result["left_out"], called), ([], ["fetch", "codec", "codec"]))

    def test_a_file_that_is_not_there_is_said(self):
        with self.assertRaisesRegex(runner.RunFailed, "nowhere.*--take"):
            self.run_with(take=(("a", str(self.folder / "nowhere"), ""),))

    def test_a_command_that_fails_is_said(self):
        (self.folder / "program").write_text("#!/bin/sh\necho it broke >&2\nexit 3\n", encoding="utf-8")
        with self.assertRaisesRegex(runner.RunFailed, "ended with 3: it broke"):
            self.run_with()


class ReportTest(unittest.TestCase):
    RESULT = {"runs": [{"run": "a", "rows": [{"l": 0, "s": 0.1, "v": 1.26}, {"l": 0, "s": 0.2, "v": None},
                                             {"l": 1, "s": 0.1, "v": {"median": 3, "min": 2, "max": 4}}]}]}

    def test_cells(self):
        self.assertEqual(report.cell({"median": 2.04, "min": 1, "max": 3}, {"digits": 1}), "2.0 (1.0-3.0)")
        self.assertEqual(report.cell(None, {}), "-")
        self.assertEqual(report.cell(0.0123, {"scale": 100, "digits": 2}), "1.23")
        self.assertEqual(report.cell("a|b", {}), "a\\|b")
        self.assertEqual(report.cell(3072, {}), "3072")

    def test_tables_and_pivots(self):
        text = report.table(self.RESULT, {"run": "a", "where": {"l": 1}, "columns": [{"head": "value", "value": "v"}]})
        self.assertEqual(text.splitlines(), ["| value |", "|---|", "| 3 (2-4) |"])
        columns = [{"head": "value", "value": "v"}, {"head": "nobody's", "value": "w"}]
        self.assertEqual(report.table(self.RESULT, {"run": "a", "where": {"l": 1}, "columns": columns}), text)
        pivot = report.table(self.RESULT, {"run": "a", "pivot": {"rows": "l", "columns": "s", "value": "v", "digits": 1}})
        self.assertEqual(pivot.splitlines(), ["| l | 0.1 | 0.2 |", "|---|---|---|", "| 0 | 1.3 | - |",
                                              "| 1 | 3.0 (2.0-4.0) | - |"])
        self.assertEqual(report.table(self.RESULT, {"run": "b", "columns": []}), "")

    def test_lists_in_rows_are_unfolded(self):
        result = {"runs": [{"run": "a", "rows": [{"mode": "x", "rates": [{"q": 1}, {"q": 2}]}, {"mode": "y", "rates": None}]}]}
        columns = [{"head": "mode", "value": "mode"}, {"head": "q", "value": "q"}]
        text = report.table(result, {"run": "a", "unfold": "rates", "where": {"q": 2}, "columns": columns})
        self.assertEqual(text.splitlines()[2:], ["| x | 2 |"])

    def test_plots_of_every_kind_are_drawn_or_left_out(self):
        for kind in experiments.PLOT_KINDS:
            view = {"run": "a", "kind": kind, "title": "t", "x": "s", "y": "v", "series": "l"}
            xml.dom.minidom.parseString(report.plot(self.RESULT, view))
        self.assertEqual(report.plot(self.RESULT, {"run": "a", "kind": "line", "title": "t", "x": "s", "y": "none"}), "")


class DocumentsTest(unittest.TestCase):
    def test_an_overview_and_a_page_for_each_paper(self):
        one = experiments.parse(SOUND, "x")
        result = {"name": "x", "date": "2030-01-02", "quick": False, "model": "default", "build": {}, "seconds": 3, "left_out": [],
                  "machine": {"cpu": "c", "hardware_threads": 2, "memory_gib": 24},
                  "runs": [{"run": "a", "command": "mneme bench", "load_average": 0.1, "rows": [{"n": 7}]}]}
        with tempfile.TemporaryDirectory() as folder:
            kept = pathlib.Path(folder) / "results"
            kept.mkdir()
            self.assertIn("not measured yet", report.collect([one], kept, "# Head")["results.md"])
            (kept / "x.json").write_text(json.dumps(result), encoding="utf-8")
            (kept / "findings.toml").write_text('x = "Half of 0.3 is it. More of it."', encoding="utf-8")
            documents = report.collect([one], kept, "# Head")
        self.assertEqual(sorted(documents), ["cachegen.md", "results.md"])
        self.assertIn("[`x`](results/cachegen.md#cachegen-figure-1-t)", documents["results.md"])
        self.assertIn("| Half of 0.3 is it. | 2030-01-02 | about 1.5 min |", documents["results.md"])
        self.assertIn("## CacheGen, Figure 1: t\n", documents["cachegen.md"])
        self.assertIn("More of it.", documents["cachegen.md"])
        self.assertIn("idle machine", documents["cachegen.md"])
        for line in ("- Model: ", "- Data: none", "- Compared with: none", "- Metric: m"):
            self.assertIn(line, documents["cachegen.md"])
        result["runs"][0].update(seconds=150, commit="abcdef0123456", type="Release")
        self.assertEqual(report._takes(one, result), "2.5 min")
        self.assertEqual(report._commits(result), "commit abcdef0123")
        self.assertEqual(report._command(result["runs"][0]), "mneme bench  # 150 s, load 0.1, abcdef0123")
        self.assertEqual(report._command({"command": "mneme bench", "load_average": None}), "mneme bench")
        self.assertIn("All 1 that are run, one after the other", documents["results.md"])


class FiguresTest(unittest.TestCase):
    """The figures of README.md and docs/figures.md are those of the results that are kept: whoever renews the ones is
    told of the others."""

    A, B = "AMD", "Intel"  # the machines of the columns

    @staticmethod
    def row(name, machine, **wanted):
        root = pathlib.Path(__file__).resolve().parents[3]
        result = json.loads((root / f"docs/results/{name}.json").read_text(encoding="utf-8"))
        runs = [run for run in result["runs"] if (run.get("machine") or result["machine"])["cpu"].startswith(machine)]
        return next(row for run in runs for row in run["rows"] if rows.matches(row, wanted))

    def expect(self, text, file="docs/figures.md"):
        page = pathlib.Path(__file__).resolve().parents[3] / file
        self.assertIn(text, page.read_text(encoding="utf-8"))

    def test_first_tokens(self):
        full, blend, reuse = (rows.number_of(self.row("mneme-first-token", self.B, run="shape", mode=mode), "ttft_ms")
                              for mode in ("full", "blend", "reuse"))
        self.expect(f"| everything computed | {full / 1000:.1f} s | 1 |", "README.md")
        self.expect(f"| loaded, 15 % of the tokens repaired | {blend / 1000:.1f} s | {blend / full:.2f} |", "README.md")
        self.expect(f"| only loaded | {reuse / 1000:.2f} s | {reuse / full:.2f} |", "README.md")
        full, blend, reuse = (rows.number_of(self.row("mneme-first-token", self.A, run="mini", mode=mode), "ttft_ms")
                              for mode in ("full", "blend", "reuse"))
        self.expect(f"| {reuse:.0f} ms; {blend:.0f} ms; {full:.0f} ms |")
        self.expect(f"{reuse:.0f}; {blend:.0f}; {full:.0f} ms", "README.md")

    def test_search(self):
        def times(machine, digits):
            hybrid, second = (self.row("mneme-search", machine, chunks=100000, method=one) for one in ("hybrid", "hybrid_rerank"))
            return (f"{hybrid['p50_ms']:.{digits}f} ms ({hybrid['p95_ms']:.{digits}f}); "
                    f"{second['p50_ms']:.0f} ms ({second['p95_ms']:.0f})")
        self.expect(f"| {times(self.A, 1)} | {times(self.B, 0)} |")
        ours, theirs = (self.row("mneme-search", one, chunks=100000, method="hybrid")["p50_ms"] for one in (self.A, self.B))
        self.expect(f"| {ours:.0f} ms | {theirs:.0f} ms |", "README.md")

    def test_llama_cpp(self):
        decode = [self.row("mneme-peers", self.B, measure="decode", type=one)["ratio"] for one in ("Q8_0", "Q4_0", "Q4_K")]
        self.expect(f"| {decode[0]:.2f}, {decode[1]:.1f}, {decode[2]:.1f} |")
        self.expect(f"| {decode[0]:.1f}, {decode[1]:.1f}, {decode[2]:.1f} |", "README.md")

        def first_token(program, mode):
            return rows.number_of(self.row("mneme-peers", self.B, program=program, mode=mode), "first_token_ms")
        self.expect(f"{first_token('mneme', 'reuse'):.0f} ms; {first_token('mneme', 'blend'):.0f} ms; {first_token('mneme', 'full'):,.0f} ms |")
        self.expect(f"{first_token('llama.cpp', 'prompt cache on disk'):.0f} ms; {first_token('llama.cpp', 'full'):,.0f} ms |")


class TextsTest(unittest.TestCase):
    LAYOUT = {"label": "[{n}] {title}\n", "chunk_end": "\n", "short_instruction": "Short.\n", "question": "Question: {text}\n",
              "answer_header": "Answer:"}

    def test_answered_questions_are_prompts_with_their_answer(self):
        question = {"question": "Who {n}?", "contexts": [{"title": "A {title}", "text": "one"}, {"title": "B", "text": "two"}],
                    "answers": ["me"]}
        self.assertEqual(texts.answered(question, self.LAYOUT),
                         "[1] A {title}\none\n[2] B\ntwo\nShort.\nQuestion: Who {n}?\nAnswer: me\n")

    def test_the_text_is_bounded_and_made_once(self):
        with tempfile.TemporaryDirectory() as folder:
            path = texts.write_answered(pathlib.Path(folder) / "x/answered.txt")
            self.assertTrue(0 < path.stat().st_size <= texts.ANSWERED_BYTES)
            path.write_text("kept", encoding="utf-8")
            self.assertEqual(texts.write_answered(path).read_text(encoding="utf-8"), "kept")


class PlotsTest(unittest.TestCase):
    def test_text_is_escaped_and_odd_points_are_left_out(self):
        svg = plots.lines("<&>", "x", "y", [("a<b", [(1, 1), (2, math.nan), (0, 5), (10, 3)])], log_x=True)
        xml.dom.minidom.parseString(svg)
        self.assertIn("&lt;&amp;&gt;", svg)
        self.assertEqual(svg.count("<circle"), 2)

    def test_labels_stand_beside_their_points(self):
        svg = plots.lines("t", "x", "y", [("a", [(1, 1, "fine"), (2, 3, ""), (2, math.inf, "nowhere")])])
        xml.dom.minidom.parseString(svg)
        self.assertIn(">fine</text>", svg)
        self.assertNotIn("nowhere", svg)

    def test_more_series_than_colours_are_told_apart_and_empty_ones_left_out(self):
        svg = plots.lines("t", "x", "y", [(f"s{i}", [(1, i), (2, i)]) for i in range(9)] + [("nothing", [(1, None)])])
        xml.dom.minidom.parseString(svg)
        self.assertEqual(svg.count("stroke-dasharray"), 2)  # the ninth line and its legend
        self.assertNotIn("nothing", svg)

    def test_nothing_and_one_point(self):
        for points in ([], [(3, 3)]):
            xml.dom.minidom.parseString(plots.lines("t", "x", "y", [("a", points)]))
        xml.dom.minidom.parseString(plots.bars("t", "x", "y", [], [], {}))
        xml.dom.minidom.parseString(plots.heat("t", "x", "y", ["c"], ["l"], {}))

    def test_shades_are_of_the_span_that_is_given(self):
        cells = {("a", "l"): 0.9, ("b", "l"): 1.0}
        light, of_all = "rgb(247,251,255)", plots.heat("t", "x", "y", ["a", "b"], ["l"], cells)
        self.assertIn(light, of_all)
        self.assertNotIn(light, plots.heat("t", "x", "y", ["a", "b"], ["l"], cells, [0, 1]))

    def test_ticks_are_round_and_few(self):
        for low, high in ((0, 1), (0.05, 0.4), (-3, 12), (1e-6, 2e-6), (900, 1000)):
            ticks = list(plots.Axis([low, high]).ticks())
            self.assertTrue(2 <= len(ticks) <= 12, (low, high, ticks))
        powers = list(plots.Axis([5e7, 6e9], log=True).ticks())
        self.assertTrue(all(abs(math.log10(tick) - round(math.log10(tick))) < 1e-9 for tick in powers), powers)


if __name__ == "__main__":
    unittest.main()
