"""Checks of the training on a GPU, without one: check.py runs them.  python3 check_gpu.py"""
import glob
import json
import os
import random
import subprocess
import sys
import tempfile

import numpy as np
import torch

import attention
import batches
import bpe
import cloze
import concentration
import configs
import gguf
import gpu_step
import state as states
from grow import grow
from loading import from_gguf, load_model
from model import Config, Model, branch_mask, flex_attention, plain
from muon import Muon, orthogonal
from ring import Ring
from sequences import UNITS, fill, piece, sequence_type, take

HERE = os.path.dirname(os.path.abspath(__file__))
TINY = os.path.join(HERE, "..", "..", "tests", "data", "tiny.gguf")


def random_row(rng: random.Random, context: int, branches: int) -> batches.Row:
    """A row of made-up ids with a hidden stretch, several parts and questions."""
    sizes = [rng.randint(1, 40) for _ in range(branches)]
    numbers = [0] * context + [i + 1 for i, size in enumerate(sizes) for _ in range(size)]
    hidden = sorted(rng.randint(0, context) for _ in range(2))
    numbers[hidden[0]:hidden[1]] = [-1] * (hidden[1] - hidden[0])
    cuts = sorted(rng.randint(0, context) for _ in range(3))
    parts = [b - a for a, b in zip([0, *cuts], [*cuts, context])]
    n = len(numbers)
    return batches.Row([rng.randrange(100) for _ in range(n)], list(range(n)), numbers,
                       [rng.choice((0.0, 0.0, 0.0, 0.3, 1.0)) for _ in range(n)], ["single"] * branches, parts)


def random_sequences(rng: random.Random, kind: np.dtype, n: int, parts: bool = False):
    """(records, the rows in each)."""
    numbers, scored = np.random.default_rng(rng.randrange(1 << 30)), kind["scored"].shape[0]
    rows: dict[int, batches.Row] = {}

    def pieces():
        while True:
            row = random_row(rng, rng.choice((5, 40, 200, 270)), rng.randint(0, 6))
            p = piece(numbers, row, scored)
            rows[id(p)] = row
            made.append(p)
            yield p

    made: list = []
    records, _ = take(pieces(), kind, n, parts)
    return records, made, rows


def check_sequences() -> None:
    """Sequences hold their rows one behind the other, score what the rows score, and are nearly full."""
    kind = sequence_type(640, 320)
    records, made, rows = random_sequences(random.Random(1), kind, 40)
    by_ids = {rows[id(p)].ids.__repr__(): (p, rows[id(p)]) for p in made}
    used = 0
    for record in records:
        for number in range(record["document"][record["document"] < 255].max() + 1):
            at = np.flatnonzero(record["document"] == number)
            assert (np.diff(at) == 1).all()
            p, row = by_ids[record["ids"][at].tolist().__repr__()]
            assert record["branch"][at].tolist() == row.branches and record["position"][at].tolist() == row.positions
            inside = np.isin(record["scored"], at) & (record["weight"] > 0)
            for i, weight in zip(record["scored"][inside] - at[0] + 1, record["weight"][inside]):
                assert row.branches[i] == row.branches[i - 1] and (row.answer[i] or 0.2) * UNITS - weight < 0.51
            always = sum(1 for i in range(1, len(row.ids)) if row.answer[i] and row.branches[i] == row.branches[i - 1])
            assert inside.sum() >= always, "every answer token is scored"
            used += len(at)
    assert used / records["ids"].size > 0.85, used / records["ids"].size


def check_seen() -> None:
    """The rule for sequences is model.branch_mask within every row and nothing across rows; blocks leave nothing out."""
    rng, kind = random.Random(2), sequence_type(640, 320)
    records, _, _ = random_sequences(rng, kind, 6)
    places = [torch.from_numpy(records[name].astype(np.int32)) for name in ("document", "branch", "part")]
    seen = attention.seen(*places)
    for i, (document, branch) in enumerate(zip(*places[:2])):
        expected = torch.zeros(640, 640, dtype=torch.bool)
        for number in document.unique():
            at = (document == number).nonzero()[:, 0]
            expected[at[0]:at[-1] + 1, at[0]:at[-1] + 1] = branch_mask(branch[at][None].long())[0, 0] == 0
        assert (seen[i] == expected).all()
    check_blocks(*places)
    records, _, _ = random_sequences(rng, kind, 6, parts=True)
    check_blocks(*(torch.from_numpy(records[name].astype(np.int32)) for name in ("document", "branch", "part")))
    long = torch.zeros(1, 640, dtype=torch.int32)
    assert attention.blocks(long, long, long)[1].sum() == 10, "a plain context has full blocks below the diagonal"


def check_blocks(document, branch, part) -> None:
    seen = attention.seen(document, branch, part)
    some, full = attention.blocks(document, branch, part)
    cells = seen.view(len(seen), 5, 128, 5, 128).transpose(2, 3)
    assert not (cells.flatten(3).any(-1) & ~(some | full)).any() and (cells.flatten(3).all(-1) | ~full).all()
    numbers, order = attention._lists(some)
    for b in range(len(some)):
        for row in range(5):
            assert sorted(order[b, 0, row, :numbers[b, 0, row]].tolist()) == some[b, row].nonzero()[:, 0].tolist()


def check_reuse() -> None:
    """Parts of a context see themselves and what has no number; answers see everything (evaluate.reuse_mask)."""
    document, branch = torch.zeros(1, 8, dtype=torch.int32), torch.tensor([[0] * 6 + [1, 1]])
    part = torch.tensor([[0, 1, 1, 2, 2, 3, 0, 0]])
    seen = attention.seen(document, branch, part)[0].int().tolist()
    assert seen == [[1, 0, 0, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0, 0, 0], [1, 0, 0, 1, 0, 0, 0, 0],
                    [1, 0, 0, 1, 1, 0, 0, 0], [1, 0, 0, 0, 0, 1, 0, 0], [1] * 7 + [0], [1] * 8]


def check_paths() -> None:
    """Every path of gpu_step that this machine can run agrees with the reference; one with a wrong mask does not."""
    torch.manual_seed(3)
    kind = sequence_type(512, 256)
    records, _, _ = random_sequences(random.Random(3), kind, 2)
    model = Model(Config(vocab=100, dim=64, layers=2, heads=4, kv_heads=2, head_dim=16, ffn=64))
    batch = gpu_step.Feed(kind, 2, "cpu")(records)
    assert (batch.target == batch.ids.reshape(-1)[batch.scored + 1]).all()
    expected = gpu_step.reference(model, batch)
    for flex in (False, True)[:1 + (flex_attention is not None)]:
        wrong = gpu_step.check(gpu_step.Path(model, 2, 512, "cpu", flex, False), batch, expected)
        assert not wrong, wrong
    path = gpu_step.Path(model, 2, 512, "cpu", False, False)
    path.make_mask = lambda document, branch, part: attention.additive(document * 0, branch, part)
    assert gpu_step.check(path, batch, expected)


def check_concentration() -> None:
    """Rows are charged for what lies evenly on many tokens, and only those that see enough; few tokens cost nothing."""
    n, d = 1024, 16
    document, branch = torch.zeros(2, n, dtype=torch.int32), torch.zeros(2, n, dtype=torch.int32)
    document[1, 512:] = attention.PADDING
    watched = concentration.watch(document, branch, branch, 200, torch.Generator().manual_seed(4))
    charged = watched.visible > 0
    assert ((watched.rows + 1 >= concentration.FEW) == charged[0]).all() and not (charged[1] & (watched.rows >= 512)).any()
    assert (watched.visible[charged] == (watched.rows + 1).expand(2, -1)[charged]).all()
    parts = (watched.rows, watched.mask, watched.visible)
    query, even = torch.ones(2, 4, n, d), torch.zeros(2, 2, n, d)
    assert abs(concentration.spread(query, even, *parts) + np.log(concentration.TAIL)) < 1e-4, "even: everything is too much"
    peak = even.clone()
    peak[:, :, 0] = 8                                        # exp(8 * 16 / 4) of weight on the first token
    assert concentration.spread(query, peak, *parts) == 0 and concentration.mass(query, peak, *parts) > 0.999
    assert abs(concentration.mass(query, even, *parts) - concentration.HEAVIEST) < 0.005
    mixed = even.clone()
    mixed[:, :, 0] = 0.25 * np.log(400)                      # 400 times an even weight, 0.28 to 0.8 of all, and a tail above what is free
    assert concentration.spread(query, mixed, *parts) > 0.5


def check_ring() -> None:
    """Sequences come out once and in order; where there are none, recent ones again."""
    kind, rng = sequence_type(8, 4), random.Random(4)
    with tempfile.TemporaryDirectory() as folder:
        ring = Ring(folder + "/ring", kind, 2, ahead=3, kept=2, create=True)
        other, record, next_one, got = Ring(folder + "/ring", kind, 2, 3, 2), np.zeros(1, kind), [0, 0], [0, 0]
        assert ring.take(rng, record) is None
        for _ in range(500):
            i = rng.randrange(2)
            if other.written[i] - other.taken[i] < 3 and rng.random() < 0.5:
                other.slot(i)["ids"] = next_one[i] * 2 + i
                other.filled(i)
                next_one[i] += 1
            elif any(next_one) and (fresh := ring.take(rng, record)) is not None:
                number, i = divmod(int(record["ids"][0, 0]), 2)
                assert (number == got[i]) if fresh else (got[i] - 2 <= number < got[i]), (number, got)
                got[i] += fresh
        assert sum(got) > 100
        ring.stop()
        assert other.slot(0) is None or other.stopped


def check_muon_batches() -> None:
    """Matrices of one shape together get what each would get alone."""
    torch.manual_seed(5)
    model = Model(Config(vocab=64, dim=32, layers=2, heads=2, kv_heads=1, head_dim=16, ffn=48))
    before = {name: p.detach().clone() for name, p in model.named_parameters()}
    for p in model.parameters():
        p.grad = torch.randn_like(p)
    Muon(model, decay=0.1).step(0.5)
    for i in range(2):
        for name, sizes in (("qkv", (32, 16, 16)), ("out", (32,)), ("gate_up", (48, 48)), ("down", (32,))):
            name = f"blocks.{i}.{name}.weight"
            p = dict(model.named_parameters())[name]
            updates = [orthogonal(1.95 * g) * 0.2 * max(g.shape) ** 0.5 for g in p.grad.split(sizes)]
            expected = before[name] * 0.95 - 0.5 * torch.cat(updates)
            assert (p.detach() - expected).abs().max() < 1e-4, name
    assert (model.embed.weight == before["embed.weight"]).all()


def check_state() -> None:
    model = Model(configs.MODELS["tiny"])
    with tempfile.TemporaryDirectory() as folder:
        size, states.PART_BYTES = states.PART_BYTES, 100_000
        paths = states.split(model.state_dict(), "tiny", {"step": 3}, folder)
        states.PART_BYTES = size
        assert len(paths) > 3 and all(os.path.getsize(p) <= 100_000 for p in paths)
        joined = states.join(folder)
        assert joined["step"] == 3 and all((joined["model"][k] - v).abs().max() < 1e-3 for k, v in model.state_dict().items())
        with open(paths[1], "r+b") as f:
            f.write(b"x")
        for broken in (lambda: None, lambda: os.remove(paths[1])):
            broken()
            try:
                states.join(folder)
                raise AssertionError("broken parts were joined")
            except SystemExit:
                pass


PROSE = ("The mill of Harrow stands on the river Ald. It was built in 1742 by Thomas Wren, who owned 12 farms. In 1801 the mill "
         "burned down, and the people of Harrow built a new one near the bridge. Today the museum shows the old wheel. ")


def check_cloze() -> None:
    rng, asked = random.Random(6), set()
    for _ in range(200):
        for c in cloze.clozes(rng, "Harrow mill", PROSE, 3):
            assert c.sentence in PROSE and c.answer in c.sentence and c.question
            asked.add(c.answer)
    assert {"1742", "Thomas Wren", "12"} <= asked, asked


def vocabulary(folder: str) -> str:
    """The tiny model's vocabulary as a file for bpe.load."""
    meta = gguf.Reader(TINY).meta
    with open(folder + "/tiny.vocab", "w", encoding="utf-8") as f:
        f.writelines(f"{piece}\t{score}\n" for piece, score in zip(meta["tokenizer.ggml.tokens"], meta["tokenizer.ggml.scores"]))
    return folder + "/tiny.model"


def check_grow() -> None:
    """A grown model computes what the small one does, with more query heads on each KV head too."""
    with tempfile.TemporaryDirectory() as folder:
        wide = grow(TINY, vocabulary(folder), Config(vocab=768, dim=96, layers=5, heads=6, kv_heads=2, head_dim=16, ffn=224))
    ids = torch.randint(768, (2, 30), generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        small = from_gguf(TINY)
        a, b = (m.logits(m(*plain(ids))) for m in (small, wide.eval()))
    assert (a - b).abs().max() < 1e-2 * a.abs().max(), (a - b).abs().max()


def write(path: str, text: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def little_data(folder: str) -> None:
    """A data folder with a little of everything that mixing.Sources reads."""
    for i in range(10):
        for place in ("corpora/rust-book", "corpora/python-peps", "lm/en-books"):
            write(f"{folder}/{place}/page-{i}.md", f"Page {i}. " + PROSE * 8)
    passages = [{"title": f"Mill {i}", "text": PROSE.replace("Harrow", f"Town {i}")} for i in range(20)]
    write(folder + "/qa/2wiki-passages/2wikimultihopqa_corpus.json", json.dumps(passages))
    ask = lambda text: [{"question": "Who built the mill?", "answers": [{"answer_start": text.find("Thomas"), "text": "Thomas Wren"}]}]
    squad = {"data": [{"title": p["title"], "paragraphs": [{"context": p["text"], "qas": ask(p["text"])}]} for p in passages]}
    for name in ("qamr_dev", "qamr_test", "nq_open_oracle"):
        write(f"{folder}/qa/squad-format/{name}.json", json.dumps(squad))


def check_rehearsal() -> None:
    """Three calls of the training on the CPU at a small scale, the second on another machine that only has the parts, the third
    there again; then the GGUF file, which computes the same."""
    with tempfile.TemporaryDirectory() as folder:
        vocab, out = vocabulary(folder), folder + "/out"
        little_data(folder + "/data")
        command = [sys.executable, HERE + "/gpu_train.py", "--config", "tiny", "--device", "cpu", "--data", folder + "/data",
                   "--text", "filler", "--vocab", vocab, "--parts", out, "--carried", out, "--start", TINY, "--batch", "2",
                   "--tokens", "1024", "--scored", "512", "--producers", "2", "--ahead", "8", "--kept", "4", "--rate", "0.001",
                   "--concentrate", "0.1", "--report", "0", "--check", "4", "--save", "4", "--warm", "5", "--seconds", "900", "--steps", "8"]
        steps = [0]
        for number, after in ((1, 9), (2, 9), (2, 0)):
            subprocess.run([*command, "--work", f"{folder}/work{number}", "--after", str(after)], check=True,
                           stdout=subprocess.DEVNULL)
            with open(f"{folder}/work{number}/train.log") as f:
                log = f.read()
            assert "check step" in log and "end at step" in log and "is no number" not in log, log
            assert float(log.rsplit("right ", 1)[1].split()[0]) > 0.15, log     # grown from a model, not from noise
            steps.append(states.join(out)["step"])
        assert steps == [0, 8, 16, 24], f"every call goes on from the one before: {steps}"
        subprocess.run([sys.executable, HERE + "/state.py", "--parts", out, "--out", folder + "/joined.pt"], check=True,
                       stdout=subprocess.DEVNULL)
        subprocess.run([sys.executable, HERE + "/export_gguf.py", "--model", folder + "/joined.pt", "--vocab", vocab, "--name",
                        "rehearsal", "--out", folder + "/joined.gguf"], check=True, stdout=subprocess.DEVNULL)
        ids = torch.tensor([bpe.load(vocab).encode(" Who built the mill?")])
        with torch.no_grad():
            a, b = (m.logits(m(*plain(ids))) for m in (load_model(folder + "/joined.pt"), load_model(folder + "/joined.gguf")))
        assert (a - b).abs().max() < 0.1 * a.abs().max()
        assert not glob.glob(folder + "/out/*.new")


CHECKS = (check_sequences, check_seen, check_reuse, check_paths, check_concentration, check_ring, check_muon_batches, check_state, check_cloze,
          check_grow, check_rehearsal)


def main() -> None:
    for check in CHECKS:
        check()
        print(check.__name__, "ok")


if __name__ == "__main__":
    main()
