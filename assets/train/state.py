"""Weights of a run on their way: parts small enough to be carried, and one checkpoint again.

    python3 state.py --parts DIR --out work/full.pt          # joins weights.0-of-4 .. weights.3-of-4

Weights travel as 16-bit floats behind a line of JSON that says what they are and what their SHA-256 is.
"""
import argparse
import glob
import hashlib
import json
import os

import numpy as np
import torch

import configs
from fast import parameter_list

PART_BYTES = 15 << 20


def save(state: dict, path: str) -> None:
    """Never leaves a half-written file under `path`."""
    torch.save(state, path + ".new")
    os.replace(path + ".new", path)


def split(weights: dict, config: str, meta: dict, folder: str) -> list[str]:
    """Writes folder/weights.I-of-N and returns their paths; older parts there are removed."""
    names = [name for name, _ in parameter_list(configs.MODELS[config])]
    body = b"".join(weights[name].detach().float().cpu().numpy().astype("<f2").tobytes() for name in names)
    header = {"config": config, "sha256": hashlib.sha256(body).hexdigest(), **meta}
    blob = json.dumps(header).encode() + b"\n" + body
    n = max(1, -(-len(blob) // PART_BYTES))
    os.makedirs(folder, exist_ok=True)
    for old in glob.glob(os.path.join(folder, "weights.*-of-*")):
        os.remove(old)
    paths = [os.path.join(folder, f"weights.{i}-of-{n}") for i in range(n)]
    for i, path in enumerate(paths):
        with open(path, "wb") as f:
            f.write(blob[i * PART_BYTES:(i + 1) * PART_BYTES])
    return paths


def join(folder: str) -> dict:
    """A checkpoint ("model", "config" and what split() was told) from the parts in the folder."""
    paths = glob.glob(os.path.join(folder, "weights.*-of-*"))
    order = sorted(paths, key=lambda p: int(os.path.basename(p).split(".")[1].split("-")[0]))
    if not order or {os.path.basename(p) for p in order} != {f"weights.{i}-of-{len(order)}" for i in range(len(order))}:
        raise SystemExit(f"{folder} does not hold all parts of one state: {[os.path.basename(p) for p in order]}")
    blob = b"".join(open(path, "rb").read() for path in order)
    line, _, body = blob.partition(b"\n")
    meta = json.loads(line)
    if hashlib.sha256(body).hexdigest() != meta.pop("sha256"):
        raise SystemExit(f"the parts in {folder} do not fit together: the checksum is wrong; fetch them again")
    weights, at = {}, 0
    for name, shape in parameter_list(configs.MODELS[meta["config"]]):
        n = int(np.prod(shape))
        weights[name] = torch.from_numpy(np.frombuffer(body, "<f2", n, at).astype(np.float32)).view(*shape)
        at += 2 * n
    return {"model": weights, **meta}


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--parts", required=True)
    p.add_argument("--out", required=True)
    a = p.parse_args()
    state = join(a.parts)
    save(state, a.out)
    print(f"{a.out}: {', '.join(f'{k} {v}' for k, v in state.items() if k != 'model')}")


if __name__ == "__main__":
    main()
