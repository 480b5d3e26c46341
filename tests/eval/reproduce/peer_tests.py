"""Tests of scripts/bench-peers and scripts/bench-first-token with stand-ins for both programs, which give figures that are
known: whether the programs take turns, what they are asked, and what is made of what they say."""
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]

# Every stand-in notes how it was called.
CALLED = """import json, pathlib, sys
folder = pathlib.Path(__file__).parent
with open(folder / "calls.txt", "a") as calls:
    calls.write(pathlib.Path(__file__).name + " " + " ".join(sys.argv[1:]) + "\\n")
"""
MNEME = CALLED + """
if sys.argv[1] == "tokenize":
    print(json.dumps(list(range(4000))))
elif sys.argv[2] == "ttft":
    print(json.dumps({"results": [{"mode": "full", "ttft_ms": {"median": 300.0}}, {"mode": "blend", "ttft_ms": {"median": 60.0},
         "bytes_read": 500}]}))
else:
    n = sum(line.startswith("mneme") for line in open(folder / "calls.txt"))
    print(json.dumps({"results": [{"tokens_per_s": 90.0 + 10 * n, "share_of_ceiling": 0.8}],
        "machine": {"threads": 2, "ceilings": {"read_gb_s": 70.0 if n % 2 else 40.0}}}))
"""
PEER = CALLED + """
print(json.dumps([{"avg_ts": 1.0}, {"avg_ts": 55.0}]))
"""
FAILING_PEER = CALLED + """
sys.exit("no such model")
"""
# Minutes, seconds, milliseconds and microseconds begin a line of its log.
PEER_COMPLETION = CALLED + """
if sum(line.startswith("peer") for line in open(folder / "calls.txt")) == 2:
    sys.exit()  # once the end of its log is missing
loads = "--prompt-cache-ro" in sys.argv
if "--prompt-cache" in sys.argv and not loads:
    pathlib.Path(sys.argv[sys.argv.index("--prompt-cache") + 1]).write_bytes(b"x" * 700)
if loads:
    print("0.01.000.000 I main: attempting to load saved session from state.bin", file=sys.stderr)
print("0.01.070.500 I sampler seed: 1", file=sys.stderr)
print("0.02.000.000 I prompt eval time = %s tokens" % ("20.50 ms /    12" if loads else "900.00 ms /  3000"), file=sys.stderr)
"""


class PeersTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def stand_in(self, name, text):
        """The words that start it."""
        path = self.folder / name
        path.write_text(f"#!{sys.executable}\n{text}", encoding="utf-8")
        path.chmod(0o755)
        return str(path)

    def calls(self):
        return (self.folder / "calls.txt").read_text(encoding="utf-8").splitlines()

    def run_script(self, script, *words):
        return subprocess.run([sys.executable, str(ROOT / "scripts" / script), *words, "--json"], text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def bench_peers(self, peer, *more):
        return self.run_script("bench-peers", "--mneme", self.stand_in("mneme", MNEME), "--peer", peer, "--gguf", "m-{type}.gguf",
                               "--types", "Q4_0", "--measures", "decode:64:8192", "--reps", "3", *more)

    def test_both_programs_take_turns_and_medians_are_compared(self):
        done = self.bench_peers(shlex.join([sys.executable, self.stand_in("peer", PEER)]))
        self.assertEqual(done.returncode, 0, done.stderr)
        (line,) = json.loads(done.stdout)["lines"]
        self.assertEqual(line["mneme"], {"median": 110.0, "min": 100.0, "max": 120.0})
        self.assertEqual(line["ratio"], 2.0)
        self.assertEqual([call.split()[0] for call in self.calls()], ["mneme", "peer"] * 3)
        self.assertIn("--tokens 64 --reps 1 --json --context 8192 --kv synthetic", self.calls()[0])
        self.assertIn("-m m-Q4_0.gguf", self.calls()[1])
        self.assertIn("-p 0 -n 64 -d 8192", self.calls()[1])

    def test_rounds_are_taken_only_while_reading_is_fast(self):
        peer = shlex.join([sys.executable, self.stand_in("peer", PEER)])
        done = self.bench_peers(peer, "--reads-at-least", "60", "--wait", "0")
        self.assertEqual(done.returncode, 0, done.stderr)
        (line,) = json.loads(done.stdout)["lines"]
        self.assertEqual([call.split()[0] for call in self.calls()], ["mneme", "peer", "mneme"] * 2 + ["mneme", "peer"])
        self.assertEqual(line["mneme"], {"median": 120.0, "min": 100.0, "max": 140.0})
        self.assertEqual(line["read_gb_s"]["min"], 70.0)
        self.assertEqual(line["rounds_not_begun"], 2)

    def test_memory_that_never_gets_fast_is_an_error(self):
        done = self.bench_peers(self.stand_in("peer", PEER), "--reads-at-least", "90", "--wait", "0", "--most-waits", "3")
        self.assertEqual(done.returncode, 1)
        self.assertIn("reading gave less than 90 GB/s", done.stderr)

    def test_a_program_that_fails_is_named_with_what_it_said(self):
        done = self.bench_peers(self.stand_in("peer", FAILING_PEER))
        self.assertEqual(done.returncode, 1)
        self.assertIn("no such model", done.stderr)

    def test_loading_the_prompt_cache_counts(self):
        done = self.run_script("bench-first-token", "--mneme", self.stand_in("mneme", MNEME), "--peer",
                               self.stand_in("peer", PEER_COMPLETION), "--model", "m.gguf", "--folder", str(self.folder),
                               "--tokens", "1000", "--reps", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = {(line["program"], line["mode"]): line for line in json.loads(done.stdout)["lines"]}
        self.assertEqual(lines["llama.cpp", "full"]["first_token_ms"]["median"], 900.0)
        self.assertEqual(lines["llama.cpp", "prompt cache on disk"]["first_token_ms"]["median"], 91.0)
        self.assertEqual(lines["llama.cpp", "prompt cache on disk"]["evaluated_tokens"], 12)
        self.assertEqual(lines["llama.cpp", "prompt cache on disk"]["bytes_kept"], 700)
        self.assertEqual(lines["mneme", "blend"]["first_token_ms"]["median"], 60.0)
        self.assertEqual(lines["mneme", "blend"]["bytes_kept"], 500)
        self.assertIsNone(lines["mneme", "full"]["bytes_kept"])
        prompt = (self.folder / "prompt.txt").read_text(encoding="utf-8")
        self.assertTrue(prompt.startswith((self.folder / "context.txt").read_text(encoding="utf-8")))
        self.assertAlmostEqual(len((self.folder / "context.txt").read_text(encoding="utf-8")), 5000, delta=1)
