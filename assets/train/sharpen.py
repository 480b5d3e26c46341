"""Makes attention narrower once more after training: multiplies all queries, and so all scores before the softmax.

    python3 sharpen.py --model work/narrow.pt --by 1.1 --out work/mini.pt
"""
import argparse

import torch

import configs
import state as states


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--model", required=True)
    p.add_argument("--by", type=float, required=True)
    p.add_argument("--out", required=True)
    a = p.parse_args()
    state = torch.load(a.model, map_location="cpu")
    c = configs.MODELS[state["config"]]
    for name, weights in state["model"].items():
        if name.endswith("qkv.weight"):
            weights[:c.heads * c.head_dim] *= a.by
    states.save(state, a.out)


if __name__ == "__main__":
    main()
