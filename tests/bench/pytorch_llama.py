"""Speeds of the Llama-3-8B shape under PyTorch and transformers, to stand beside those of `mneme bench` on the same GPU.

Random weights in bf16, one sequence: a prefill of 8,192 tokens, and 64 decoding steps from 2,048 tokens on, each step with the ids at hand
(nothing is sampled, as in `mneme bench decode`). Decoding is measured twice: as transformers runs it by default, and with a static cache
and the model compiled to CUDA graphs. Prints one JSON object; a part that fails carries its error instead of a figure.

usage: pytorch_llama.py [--layers 32] [--reps 5] [--no-compiled]
"""
import argparse
import json
import statistics
import sys
import time

import torch
import transformers
from transformers import DynamicCache, LlamaConfig, LlamaForCausalLM, StaticCache

PREFILL = 8192
CONTEXT = 2048
STEPS = 64


def config_of(layers):
    return LlamaConfig(hidden_size=4096, intermediate_size=14336, num_hidden_layers=layers, num_attention_heads=32, num_key_value_heads=8,
                       vocab_size=128256, max_position_embeddings=131072, rms_norm_eps=1e-5, tie_word_embeddings=False,
                       attn_implementation="sdpa")


def made(config, device):
    """The model with weights drawn on the device."""
    with torch.device("meta"):
        model = LlamaForCausalLM(config)
    model = model.to(torch.bfloat16).to_empty(device=device).eval()
    for parameter in model.parameters():
        parameter.data.normal_(std=0.02)
    # Angles of rotation are a buffer, which to_empty left without values.
    for module in model.modules():
        if hasattr(module, "inv_freq"):
            dim = config.hidden_size // config.num_attention_heads
            module.inv_freq = 1.0 / (10000.0 ** (torch.arange(0, dim, 2, device=device, dtype=torch.float32) / dim))
    return model


def seconds_of(work, reps):
    """Median, least and most of `reps` runs after one that warms up."""
    times = []
    for rep in range(reps + 1):
        torch.cuda.synchronize()
        began = time.perf_counter()
        work()
        torch.cuda.synchronize()
        times.append(time.perf_counter() - began)
    return {"median": statistics.median(times[1:]), "min": min(times[1:]), "max": max(times[1:])}


def told(tokens, seconds):
    return {"tokens": tokens, "tokens_per_s": tokens / seconds["median"], "ms": {k: 1000 * v for k, v in seconds.items()}}


def prefill(model, ids, reps):
    return told(PREFILL, seconds_of(lambda: model(ids[:, :PREFILL], use_cache=True, logits_to_keep=1), reps))


def decode(model, ids, reps):
    def run():
        cache = DynamicCache(config=model.config)
        model(ids[:, :CONTEXT], past_key_values=cache, use_cache=True, logits_to_keep=1)
        torch.cuda.synchronize()
        began = time.perf_counter()
        for step in range(STEPS):
            model(ids[:, CONTEXT + step:CONTEXT + step + 1], past_key_values=cache, use_cache=True)
        torch.cuda.synchronize()
        return time.perf_counter() - began

    run()
    times = [run() for _ in range(reps)]
    return told(STEPS, {"median": statistics.median(times), "min": min(times), "max": max(times)})


def decode_compiled(model, ids, reps):
    cache = StaticCache(config=model.config, max_cache_len=CONTEXT + STEPS)
    model(ids[:, :CONTEXT], past_key_values=cache, use_cache=True, logits_to_keep=1,
          cache_position=torch.arange(CONTEXT, device=ids.device))
    forward = torch.compile(model.forward, mode="reduce-overhead", fullgraph=True)
    positions = torch.arange(CONTEXT, CONTEXT + STEPS, device=ids.device)

    def run():
        for step in range(STEPS):
            at = positions[step:step + 1]
            forward(ids[:, CONTEXT + step:CONTEXT + step + 1], past_key_values=cache, use_cache=True, cache_position=at,
                    position_ids=at[None])

    run()
    return told(STEPS, seconds_of(run, reps))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--layers", type=int, default=32)
    parser.add_argument("--reps", type=int, default=5)
    parser.add_argument("--no-compiled", action="store_true")
    options = parser.parse_args()
    torch.manual_seed(1)
    out = {"gpu": torch.cuda.get_device_name(), "torch": torch.__version__, "transformers": transformers.__version__, "type": "BF16"}
    with torch.no_grad():
        model = made(config_of(options.layers), "cuda")
        ids = torch.randint(0, 128256, (1, PREFILL), device="cuda")
        parts = {"prefill": prefill, "decode": decode} | ({} if options.no_compiled else {"decode_compiled": decode_compiled})
        for name, part in parts.items():
            try:
                out[name] = part(model, ids, options.reps)
            except Exception as error:  # a version of transformers that calls it otherwise: the other parts still count
                out[name] = {"error": f"{type(error).__name__}: {error}"[:300]}
            print(json.dumps({name: out[name]}), file=sys.stderr, flush=True)
    print(json.dumps(out))


if __name__ == "__main__":
    main()
