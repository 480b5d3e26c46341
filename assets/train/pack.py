"""Packs what a training run on another machine needs: natural text, question sets, the vocabulary. Nothing else travels.

    python3 pack.py --data DIR --vocab work/full.model --out work/pack          # here; a GGUF file may stand for the vocabulary
    python3 pack.py --unpack work/pack --out work/gpu/data                      # there

Made-up examples are not packed: the other machine draws them faster than any file of this size could hold them (README.md
has the figures). Of the text only the train side of the split is taken, within the budgets of mixing.WIDE; the question sets
hold both sides, because held-out questions are drawn from the other one.
"""
import argparse
import io
import json
import os
import shutil
import tarfile

import asked
import bpe
import gguf
import mixing
import natural

QUESTION_SETS = ("qa/2wiki-passages/2wikimultihopqa_corpus.json", "qa/squad-format/qamr_dev.json",
                 "qa/squad-format/qamr_test.json", "qa/squad-format/nq_open_oracle.json")
DATA = "data.tar.xz"


def texts(data: str):
    """(path, text) of every document a run reads: the train side, and the test side of what held-out rows are filled with."""
    for i, (pattern, budget) in enumerate(mixing.WIDE.items()):
        for test in (False, True)[:2 if i < 2 else 1]:
            for document in natural.documents(data, pattern, budget, test):
                yield document.path, document.text


def add(archive: tarfile.TarFile, path: str, body: bytes) -> None:
    info = tarfile.TarInfo(path)
    info.size = len(body)
    archive.addfile(info, io.BytesIO(body))


def write_vocabulary(source: str, out: str) -> None:
    """OUT.model and OUT.vocab as training wrote them, or OUT.vocab of a model's pieces."""
    if source.endswith(".gguf"):
        meta = gguf.Reader(source).meta
        with open(out + ".vocab", "w", encoding="utf-8") as f:
            f.writelines(f"{piece}\t{score}\n" for piece, score in zip(meta["tokenizer.ggml.tokens"], meta["tokenizer.ggml.scores"]))
        return
    for suffix in (".model", ".vocab"):
        shutil.copy(source.rsplit(".", 1)[0] + suffix, out + suffix)


def pack(a) -> None:
    os.makedirs(a.out, exist_ok=True)
    write_vocabulary(a.vocab, os.path.join(a.out, "vocabulary"))
    sp, seen, tokens = bpe.load(os.path.join(a.out, "vocabulary.model")), set(), 0
    path = os.path.join(a.out, DATA)
    with tarfile.open(path, "w:xz", preset=9) as archive:
        for name, text in texts(a.data):
            if name not in seen:
                seen.add(name)
                tokens += len(sp.encode(text))
                add(archive, name, text.encode("utf-8"))
        for name in QUESTION_SETS:
            with open(os.path.join(a.data, name), "rb") as f:
                add(archive, name, f.read())
    size = sum(os.path.getsize(os.path.join(a.out, name)) for name in os.listdir(a.out))
    manifest = {"documents": len(seen), "text_tokens": tokens, "bytes": size,
                "bits_per_text_token": round(8 * os.path.getsize(path) / max(1, tokens), 2)}
    with open(os.path.join(a.out, "manifest.json"), "w") as f:
        json.dump(manifest, f)
    print(json.dumps(manifest))
    if size > a.mib << 20:
        raise SystemExit(f"{a.out} is larger than {a.mib} MiB: lower the budgets of mixing.WIDE")


def unpack(folder: str, out: str) -> None:
    """Into a new folder that gets its name when it is complete. Questions made before (asked.py) go with it."""
    with tarfile.open(os.path.join(folder, DATA)) as archive:
        archive.extractall(out + ".new", filter="data") if hasattr(tarfile, "data_filter") else archive.extractall(out + ".new")
    if os.path.exists(os.path.join(folder, asked.FILE)):
        shutil.copy(os.path.join(folder, asked.FILE), out + ".new")
    os.replace(out + ".new", out)


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data")
    p.add_argument("--vocab")
    p.add_argument("--unpack", metavar="PACK")
    p.add_argument("--out", required=True)
    p.add_argument("--mib", type=int, default=40, help="the most the pack may take")
    a = p.parse_args()
    if a.unpack:
        unpack(a.unpack, a.out)
    else:
        pack(a)


if __name__ == "__main__":
    main()
