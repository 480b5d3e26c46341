"""A weighted mean of the weights of several states of one model, which keeps more of what each of them knows than any one.

    python3 mix.py --of work/before.pt 0.4 --of work/after.pt 0.6 --out work/mixed.pt

A state is a checkpoint or a GGUF file. The weights' sum need not be 1: it is made so.
"""
import argparse

import torch

import configs
import loading
import state as states


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--of", nargs=2, action="append", metavar=("STATE", "SHARE"), required=True)
    p.add_argument("--out", required=True)
    a = p.parse_args()
    total, mean = sum(float(share) for _, share in a.of), {}
    for path, share in a.of:
        model = loading.load_model(path)
        for name, weights in model.state_dict().items():
            part = weights * (float(share) / total)
            mean[name] = mean[name] + part if name in mean else part
    sizes = lambda c: (c.vocab, c.dim, c.layers, c.ffn)
    config = next(name for name, shape in configs.MODELS.items() if sizes(shape) == sizes(model.c))
    states.save({"model": mean, "config": config}, a.out)


if __name__ == "__main__":
    torch.set_grad_enabled(False)
    main()
