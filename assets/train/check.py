"""Checks of the training scripts themselves, in a minute:  python3 check.py [--vocab work/mini.model]"""
import argparse
import os
import random
import tempfile

import numpy as np
import torch
import torch.nn.functional as F

import batches
import check_asked
import check_gpu
import check_reader
import embed_text
import evaluate
import fast
import gguf
import mixing
import tasks
from export_gguf import interleave
from grow import split_half
from model import Config, Model, attend_in_strips, branch_mask, plain
from xxh64 import test_xxh64


def check_gguf() -> None:
    x = np.random.default_rng(1).normal(size=(5, 64)).astype(np.float32)
    w = gguf.Writer()
    w.add("general.architecture", gguf.STRING, "llama")
    w.add_array("tokenizer.ggml.tokens", gguf.STRING, ["a", "\u2581ö"])
    for name, kind in (("f32", gguf.TYPE_F32), ("f16", gguf.TYPE_F16), ("q8", gguf.TYPE_Q8_0)):
        w.tensor(name, x, kind)
    with tempfile.TemporaryDirectory() as folder:
        w.write(os.path.join(folder, "x.gguf"))
        r = gguf.Reader(os.path.join(folder, "x.gguf"))
    assert r.meta["tokenizer.ggml.tokens"] == ["a", "\u2581ö"]
    assert (r.tensor("f32") == x).all() and abs(r.tensor("f16") - x).max() < 2e-3 and abs(r.tensor("q8") - x).max() < 0.02


def check_rotation_order() -> None:
    x = np.arange(2 * 8 * 3).reshape(16, 3)
    assert (split_half(interleave(x, 8), 8) == x).all()


def check_attention() -> None:
    torch.manual_seed(0)
    q, k, v = torch.randn(2, 4, 333, 8), torch.randn(2, 2, 333, 8), torch.randn(2, 2, 333, 8)
    branches = torch.zeros(2, 333, dtype=torch.long)
    branches[:, 200:260], branches[:, 260:] = 1, 2
    mask = branch_mask(branches)
    expected = torch.softmax(q @ k.repeat_interleave(2, 1).transpose(-1, -2) + mask, -1) @ v.repeat_interleave(2, 1)
    assert (attend_in_strips(q, k, v, mask) - expected).abs().max() < 1e-4


def check_branches() -> None:
    """A branch computes what the same question computes alone behind the context; hidden context does not reach it."""
    torch.manual_seed(1)
    model = Model(Config(vocab=100, dim=32, layers=2, heads=2, kv_heads=1, head_dim=16, ffn=64)).eval()
    context, a, b = torch.randint(100, (1, 20)), torch.randint(100, (1, 5)), torch.randint(100, (1, 7))
    ids = torch.cat((context, a, b), 1)
    positions = torch.cat((torch.arange(25), torch.arange(20, 27)))[None]
    branches = torch.tensor([[0] * 20 + [1] * 5 + [2] * 7])
    with torch.no_grad():
        together = model(ids, positions, branches)[0, 25:]
        alone = model(*plain(torch.cat((context, b), 1)))[0, 20:]
    assert (together - alone).abs().max() < 1e-4
    seen = branch_mask(torch.tensor([[0, -1, 0, 1, 2]]))[0, 0] == 0
    assert seen.int().tolist() == [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 1, 1, 0, 0], [1, 0, 1, 1, 0], [1, 0, 1, 0, 1]]


def check_tasks() -> None:
    """Quotes are substrings of their chunks, answers of their quotes."""
    rng = random.Random(3)
    for n in range(300):
        for make in (tasks.short_world, tasks.cross_reference, tasks.definitions, tasks.running, tasks.table, tasks.records):
            example = make(rng, test=n % 2 == 0)
            for q in example.questions:
                assert all(s in example.chunks[c].text for c, s in q.quote), q
                assert not q.answer or q.answer.lower() in q.quote[-1][1].lower(), q


def check_running() -> None:
    """Sentences that refer back name nothing, and mean what was introduced last of their kind, in a chunk before."""
    rng = random.Random(5)
    for n in range(200):
        example = tasks.running(rng, 2 + n % 6, n % 2 == 0, tasks.PLAIN, 1 + n % 2)
        assert len(example.chunks) == 2 + n % 6 and all(c.text for c in example.chunks)
        for q in example.questions:
            if q.kind != "crosschunk":
                continue
            (at, introduced), (later, told) = q.quote
            name = max((w for w in introduced.replace(".", "").split() if w[0].isupper() and w in q.question), key=len)
            assert at < later and name not in told and (introduced, len(introduced)) in example.chunks[at].introduces, q
            other_answers = {p.answer for p in example.questions if p.question == q.question}
            assert len(other_answers) == 1, q


class Letters:
    """Stands for mixing.Sources: filler of the length asked for, which no sentence of a task holds."""

    def filler(self, rng: random.Random, tokens: int) -> tasks.Chunk:
        return tasks.Chunk("filler", "x" * int(tokens * mixing.BYTES_PER_TOKEN))


def check_full_chunks() -> None:
    """Filled chunks have their length, hold their sentences in order, and begin with a pronoun if they did."""
    rng = random.Random(6)
    for n in range(200):
        example = (tasks.running, tasks.cross_reference, tasks.definitions, tasks.short_world)[n % 4](rng)
        before = [(c.text, list(c.breaks)) for c in example.chunks]
        mixing.fill_chunks(rng, example, Letters(), 512)
        closes = mixing.ends(example.chunks, True)
        for i, (chunk, (text, breaks)) in enumerate(zip(example.chunks, before)):
            cuts = [text.find(sentence) for sentence in breaks]
            kept = [text[a:b].strip() for a, b in zip([0, *cuts], [*cuts, None])]
            places = [chunk.text.find(part) for part in kept]
            assert -1 not in places and places == sorted(places), (text, chunk.text)
            pronoun = text.split(" ")[0] in mixing.PRONOUNS
            assert not pronoun or chunk.text.startswith(text)
            assert abs(len(chunk.text) / mixing.BYTES_PER_TOKEN - 512) < 30 or pronoun and i not in closes


def check_padding() -> None:
    """Words that say nothing leave subject and object where they are."""
    rng = random.Random(7)
    made = {tasks.padded(rng, "{s} lives in {o}.") for _ in range(300)}
    assert "{s} lives in {o}." in made and len(made) > 10
    assert all(w.startswith("{s}") and w.count("{o}") == 1 and w.endswith(".") for w in made)


def check_quotes() -> None:
    row = {"contexts": [{"text": "A is B. C is D."}, {"text": "E is F."}], "answers": ["D"], "supporting": [0]}
    cases = {"C is D. [1]": (True, True), "C is D. [2]": (False, False), "E is F. [2]": (True, False), "C is D.": (False, False),
             "E is F. [2] C is D. [1]": (True, True), "C is D. [9]": (False, False)}
    for guess, expected in cases.items():
        assert evaluate.quotes(row, guess) == expected, guess


class Words:
    """Stands for layout.Layout where only the number of tokens matters: one per word."""

    def encode(self, text: str) -> list[str]:
        return text.split()


def check_introductions() -> None:
    """What is hidden from the questions of a cross-chunk row is the sentences that introduce, and no other."""
    rng, layout = random.Random(4), Words()
    for n in range(200):
        example = tasks.definitions(rng) if n % 2 else tasks.cross_reference(rng, recall=0.5)
        if n % 2 == 0:
            assert any(size == len(sentence) for c in example.chunks for sentence, size in c.introduces)
        for chunk in example.chunks:
            chunk.text = rng.choice(("", "Some text before. ")) + chunk.text + rng.choice(("", " And behind."))
            part = layout.encode(" " + chunk.text) + ["<end>"]
            for sentence, *_ in chunk.recalls:
                weights = batches.recall_weights(layout, chunk, part)
                told = " ".join(word for word, weight in zip(part, weights) if weight)
                assert any(told.startswith(sentence[a:b]) for sentence, a, b in chunk.recalls), (chunk, told)
            hidden = [word for word, branch in zip(part, batches.introduction(layout, chunk, part)) if branch]
            expected = " ".join(sentence for sentence, _ in chunk.introduces).split()
            assert hidden in (expected, expected + ["<end>"]), (chunk, hidden)


def _branched_row(rng: random.Random, context: int, branches: list[int], vocab: int):
    """Ids, positions with gaps, branch numbers and loss weights of a row with questions."""
    n = context + sum(branches)
    numbers = [0] * context + [i + 1 for i, b in enumerate(branches) for _ in range(b)]
    positions = [3 * p for p in range(context)] + [3 * (context + p) for b in branches for p in range(b)]
    weights = [rng.choice((0.0, 0.3, 1.0)) for _ in range(n)]
    return [rng.randrange(vocab) for _ in range(n)], positions, numbers, [0.0] + weights[1:]


def _blind_mask(branches: torch.Tensor, parts) -> torch.Tensor:
    mask, context = branch_mask(branches), int((branches <= 0).sum())
    for start, end in parts:
        mask[:, :, end:context, start:end] = -1e9
    return mask


def check_kernels() -> None:
    """Loss and gradients of the CPU kernels against PyTorch in float32, on rows of awkward lengths."""
    if not fast.has_amx():
        print("check_kernels: skipped, this processor has no AMX")
        return
    torch.manual_seed(0)
    rng, config = random.Random(1), Config(vocab=512, dim=256, layers=3, heads=4, kv_heads=2, ffn=192)
    model = Model(config)
    for p in model.parameters():
        p.data = p.data + 0.2 * torch.randn_like(p) if p.dim() == 1 else p.data * 3
    rows = [_branched_row(rng, *shape, config.vocab) for shape in
            ((150, [20, 33, 7, 50]), (64, [5]), (333, [40, 2, 19, 64, 11]), (1, [31]), (31, [1, 1]), (96, []),
             (140, [30, 9]), (200, [17, 40]), (1300, [30, 11]))]
    rows[2][2][100:171] = [-1] * 71                  # hidden from the questions
    rows[6][2][3:40] = [-1] * 37
    rows[8][2][640:700] = [-1] * 60
    # Parts of two contexts that do not see each other.
    blind = [()] * 7 + [((10, 75), (80, 200)), ((20, 500), (510, 1250))]
    packed = [fast.pack_row(*row, blind=parts) for row, parts in zip(rows, blind)]
    trainer = fast.Trainer(config, threads=2)
    trainer.load(model.state_dict())
    packs = fast.Packs(packed, 600)
    trainer.run(packs, train=True)
    total, loss, expected = sum(float(p.weight.sum()) for p in packed), 0.0, {}
    for row, p, parts in zip(rows, packed, blind):
        ids, positions, branches = (torch.tensor(x)[None] for x in row[:3])
        hidden = model(ids, positions, branches, _blind_mask(branches, parts))[0]
        losses = F.cross_entropy(model.logits(hidden[torch.from_numpy(p.scored).long()]), torch.from_numpy(p.target).long(),
                                 reduction="none")
        loss = loss + (losses * torch.from_numpy(p.weight)).sum() / total
        expected[id(p)] = losses.detach().numpy()
    loss.backward()
    assert all(abs(got - expected[id(row)]).max() < 0.1 for row, got, _ in packs.results())
    grads = trainer.state(trainer.grads)
    for name, p in model.named_parameters():
        error = ((p.grad - grads[name]).norm() / p.grad.norm()).item()
        assert error < 0.03, f"{name}: relative error {error:.4f} is above what bf16 factors explain"


def check_muon() -> None:
    """A Muon step of the kernels against the same iteration in PyTorch."""
    if not fast.has_amx():
        return
    torch.manual_seed(0)
    config = Config(vocab=64, dim=64, layers=1, heads=2, kv_heads=1, ffn=96)
    trainer = fast.Trainer(config, threads=1)
    grads = {name: torch.randn(shape) for name, shape in fast.parameter_list(config)}
    trainer.grads[:] = torch.cat([g.reshape(-1) for g in grads.values()]).numpy()
    trainer.weights[:] = 0
    trainer.update(1.0, 1, decay=0.0)
    got = trainer.state()["blocks.0.down.weight"]
    x = grads["blocks.0.down.weight"] / grads["blocks.0.down.weight"].norm()
    for _ in range(5):
        gram = x @ x.T
        x = 3.4445 * x + (-4.775 * gram + 2.0315 * gram @ gram) @ x
    expected = -0.2 * 96 ** 0.5 * x
    assert (got - expected).norm() < 0.05 * expected.norm(), (got - expected).norm() / expected.norm()


def check_embed_text() -> None:
    t = embed_text.Tokenizer(["\u2581the", "\u2581", "ab", "a", "b", "c"])
    assert embed_text.words("Thé—２ x") == ["thé", "2", "x"]
    assert t("The abc") == [256, 257, 258, 261] and t("é") == [257, ord("é") % 256]


def check_bpe(model_file: str) -> None:
    import bpe
    import sentencepiece
    real = sentencepiece.SentencePieceProcessor(model_file=model_file)
    ours = bpe.from_file(model_file.rsplit(".", 1)[0] + ".vocab")
    rng = random.Random(5)
    for _ in range(200):
        for chunk in tasks.short_world(rng).chunks + tasks.table(rng).chunks:
            assert real.encode(chunk.text) == ours.encode(chunk.text) and ours.decode(ours.encode(chunk.text)) == chunk.text


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--vocab", help="also compare bpe.py with sentencepiece")
    a = p.parse_args()
    for check in (test_xxh64, check_gguf, check_rotation_order, check_attention, check_branches, check_tasks,
                  check_running, check_full_chunks, check_padding, check_quotes, check_introductions, check_kernels, check_muon,
                  check_embed_text, *check_asked.CHECKS, *check_gpu.CHECKS, *check_reader.CHECKS):
        check()
        print(check.__name__, "ok")
    if a.vocab:
        check_bpe(a.vocab)
        print("check_bpe ok")


if __name__ == "__main__":
    main()
