#!/usr/bin/env python3
"""Compares the engine with llama.cpp on random models of every architecture and tensor type.

For each case a small GGUF is written by `random_gguf`, llama-server generates 64 tokens greedily from a random prompt
and tells its ten best log probabilities per step; `score_tokens` follows the same tokens. Encoders are compared by the
cosine of their vectors. Printed per case: steps where both put the same token first, the largest difference of a log
probability, the KL divergence over llama-server's ten best, and that of both programs from an fp64 pass over the same
weights. For every step where the first tokens differ: how much
more likely each program holds its own (log probabilities), which of the two an fp64 pass prefers and by how much, and how
far both programs are off that pass at this step. A margin below those errors is rounding.

To compare without the rounding of keys and values, which programs do at different places, let the server keep them in
f32: --server "llama-server -ctk f32 -ctv f32 -fa off".

usage: compare_with_llama_server.py TOOLS_DIR [--server "llama-server"] [--root DIR] [CASE ...]
TOOLS_DIR holds random_gguf and score_tokens (build targets of these names). --root: where the server sees "/", for one
that runs in a chroot; files are written to DIR/tmp. Not a test of the suite: it needs llama-server.
"""
import argparse
import json
import math
import os
import random
import shlex
import subprocess
import time
import urllib.request

PORT = 18231
WIDE = ["dim=256", "n_heads=4", "n_kv_heads=2", "head_dim=64", "ffn_dim=512", "n_layers=4"]
CASES = {
    "llama": ["llama", "f32", "n_layers=4"],
    "llama-tied": ["llama", "f16", "tied=1"],
    "llama-llama3-rope": ["llama", "f32", "rope_scaling=llama3"],
    "llama-linear-rope": ["llama", "f32", "rope_scaling=linear"],
    "llama-yarn-rope": ["llama", "f32", "rope_scaling=yarn", "original_context=256", "head_dim=64"],
    "llama-moe": ["llama", "f32", "n_experts=6", "n_experts_used=2", "n_layers=32"],
    "qwen2": ["qwen2", "f32"],
    "qwen3": ["qwen3", "f32", "head_dim=32"],
    "qwen3moe": ["qwen3moe", "f32", "n_experts=8", "n_experts_used=3"],
    "phi3": ["phi3", "f32"],
    "phi3-longrope": ["phi3", "f32", "rope_scaling=longrope", "original_context=128"],
    "phi3-shortrope": ["phi3", "f32", "rope_scaling=longrope", "original_context=1024"],
    "mistral3": ["mistral3", "f32", "rope_scaling=yarn", "original_context=32", "rope_factor=16", "head_dim=64",
                 "temperature_scale=0.1", "yarn_log_multiplier=1"],
    "qwen2vl": ["qwen2vl", "f32"],
    "qwen3vl": ["qwen3vl", "f32", "head_dim=32"],
    "qwen3vlmoe": ["qwen3vlmoe", "f32", "head_dim=32", "n_experts=8", "n_experts_used=3"],
    "olmo2": ["olmo2", "f32"],
    "olmo2-windows": ["olmo2", "f32", "n_layers=8", "window=16", "rope_scaling=yarn", "original_context=64",
                      "head_dim=64", "dim=256"],
    "gpt-oss": ["gpt-oss", "f32", "n_layers=6", "head_dim=32", "n_experts=8", "n_experts_used=3", "window=16",
                "rope_scaling=yarn", "rope_factor=32", "original_context=64"],
    "gpt-oss-mxfp4": ["gpt-oss", "mxfp4", "n_layers=6", "head_dim=32", "n_experts=8", "n_experts_used=3", "window=16"],
    "exaone4": ["exaone4", "f32", "n_layers=4", "tied=1", "rope_scaling=llama3"],
    "exaone4-windows": ["exaone4", "f32", "n_layers=64", "window=16"],
    "smollm3": ["smollm3", "f32", "n_layers=6", "tied=1"],
    "internlm2": ["internlm2", "f32"],
    "ernie4_5": ["ernie4_5", "f32"],
    "glm4": ["glm4", "f32", "n_layers=4", "n_rot=8"],
    "granite": ["granite", "f32", "n_layers=4", "tied=1"],
    "granitemoe": ["granitemoe", "f32", "n_experts=8", "n_experts_used=3"],
    "granitemoe-shared": ["granitemoe", "f32", "n_experts=8", "n_experts_used=3", "shared_ffn_dim=64"],
    "qwen35": ["qwen35", "f32", "n_layers=8", "attention_interval=4", "head_dim=32", "n_rot=8", "state_dim=32",
               "state_key_heads=2", "state_value_heads=2"],
    "qwen35-shared": ["qwen35", "f32", "n_layers=8", "attention_interval=4", "head_dim=32", "n_rot=8", "state_dim=64",
                      "state_key_heads=2", "state_value_heads=6", "draft_layers=1"],
    "qwen35moe": ["qwen35moe", "f32", "n_layers=4", "attention_interval=4", "head_dim=32", "n_rot=8", "n_experts=8",
                  "n_experts_used=3", "shared_ffn_dim=64", "state_dim=32"],
    "qwen3next": ["qwen3next", "f32", "n_layers=4", "attention_interval=4", "head_dim=32", "n_rot=8", "n_experts=8",
                  "n_experts_used=3", "shared_ffn_dim=64", "state_dim=32"],
    "qwen35-q4_k": ["qwen35", "q4_k", *WIDE, "attention_interval=4", "n_rot=16", "state_dim=64", "state_key_heads=4",
                    "state_value_heads=4"],
    "lfm2": ["lfm2", "f32", "n_layers=6", "attention_interval=3", "tied=1", "conv_width=3"],
    "lfm2-window": ["lfm2", "f32", "n_layers=6", "attention_interval=3", "conv_width=3", "window=24"],
    "lfm2-q4_k": ["lfm2", "q4_k", *WIDE, "attention_interval=2", "tied=1", "conv_width=3"],
    "lfm2moe": ["lfm2moe", "f32", "n_layers=6", "attention_interval=3", "tied=1", "conv_width=3", "n_experts=8",
                "n_experts_used=3", "expert_ffn_dim=48", "leading_dense=2", "gating=2"],
    # llama.cpp wants the inner width to be a multiple of the groups times the model's.
    "granitehybrid": ["granitehybrid", "f32", "n_layers=6", "attention_interval=3", "tied=1", "state_dim=32",
                      "state_key_heads=1", "state_value_heads=8", "state_value_dim=16"],
    "granitehybrid-experts": ["granitehybrid", "f32", "n_layers=6", "attention_interval=3", "tied=1", "state_dim=32",
                              "state_key_heads=1", "state_value_heads=8", "state_value_dim=16", "n_experts=8",
                              "n_experts_used=3", "shared_ffn_dim=64"],
    "granitehybrid-rotating": ["granitehybrid", "f32", "n_layers=4", "attention_interval=2", "state_dim=32",
                               "state_key_heads=2", "state_value_heads=4", "state_value_dim=32", "rotates=1"],
    "granitehybrid-q4_k": ["granitehybrid", "q4_k", *WIDE, "attention_interval=2", "tied=1", "state_dim=64",
                           "state_key_heads=1", "state_value_heads=8", "state_value_dim=64"],
    "nemotron_h": ["nemotron_h", "f32", "n_layers=9", "state_dim=32", "state_key_heads=2", "state_value_heads=8",
                   "state_value_dim=16"],
    "nemotron_h_moe": ["nemotron_h_moe", "f32", "n_layers=9", "state_dim=32", "state_key_heads=2",
                       "state_value_heads=8", "state_value_dim=16", "n_experts=8", "n_experts_used=3",
                       "expert_ffn_dim=48", "shared_ffn_dim=64", "gating=2", "normalise=1", "expert_scale=2.5"],
    "falcon-h1": ["falcon-h1", "f32", "n_layers=4", "state_dim=32", "state_key_heads=1", "state_value_heads=8",
                  "state_value_dim=16", "state_norm=0"],
    "qwen2moe": ["qwen2moe", "f32", "n_experts=8", "n_experts_used=3", "shared_ffn_dim=160"],
    "olmoe": ["olmoe", "f32", "n_kv_heads=4", "n_experts=8", "n_experts_used=3"],
    "ernie4_5-moe": ["ernie4_5-moe", "f32", "n_layers=4", "n_experts=8", "n_experts_used=3", "expert_ffn_dim=48",
                     "shared_ffn_dim=80", "leading_dense=1"],
    "deepseek": ["deepseek", "f32", "n_layers=4", "n_experts=8", "n_experts_used=3", "expert_ffn_dim=48", "n_shared=2",
                 "leading_dense=1", "expert_scale=1"],
    # Without a latent of queries llama.cpp knows but models of 26, 27 or 48 layers.
    "deepseek2-lite": ["deepseek2", "f32", "n_layers=27", "leading_dense=25", "n_experts=8", "n_experts_used=3",
                       "expert_ffn_dim=48", "n_shared=2", "expert_scale=1"],
    "deepseek2-lite-whole": ["deepseek2", "f32", "n_layers=27", "leading_dense=27", "n_experts=8", "n_experts_used=3",
                             "whole_kv_b=1"],
    "deepseek2": ["deepseek2", "f32", "n_layers=4", "q_rank=48", "n_experts=16", "n_experts_used=3",
                  "expert_ffn_dim=48", "n_shared=1", "leading_dense=1", "n_groups=4", "n_groups_used=2", "gating=2",
                  "normalise=1", "expert_scale=2.5", "choice_bias=1"],
    "deepseek2-wide": ["deepseek2", "f32", "n_layers=3", "q_rank=96", "n_heads=16", "n_rot=64", "kv_rank=512",
                       "plain_dim=128", "value_dim=128", "leading_dense=3", "n_experts=8", "n_experts_used=3"],
    "deepseek2-yarn": ["deepseek2", "f32", "n_layers=4", "q_rank=48", "leading_dense=4", "n_experts=8",
                       "n_experts_used=3", "n_rot=64", "rope_scaling=yarn", "rope_factor=40", "original_context=32",
                       "yarn_log_multiplier=0.0707"],
    "deepseek2-whole-yarn": ["deepseek2", "f32", "n_layers=4", "q_rank=48", "leading_dense=4", "n_experts=8",
                             "n_experts_used=3", "n_rot=64", "rope_scaling=yarn", "rope_factor=32",
                             "original_context=32", "yarn_log_multiplier=0.1", "whole_kv_b=1"],
    "mistral4": ["mistral4", "f32", "n_layers=4", "q_rank=48", "n_experts=8", "n_experts_used=2", "expert_ffn_dim=48",
                 "n_shared=1", "normalise=1", "fused_experts=1", "n_rot=64", "rope_scaling=yarn", "rope_factor=16",
                 "original_context=32", "yarn_log_multiplier=0.1", "temperature_scale=0.1"],
    "dots1": ["dots1", "f32", "seed=3", "n_layers=4", "n_kv_heads=4", "n_experts=8", "n_experts_used=3",
              "expert_ffn_dim=48", "n_shared=2", "leading_dense=1", "gating=2", "normalise=1", "expert_scale=2.5"],
    "bailingmoe2": ["bailingmoe2", "f32", "seed=3", "n_layers=4", "n_rot=8", "n_experts=16", "n_experts_used=3",
                    "expert_ffn_dim=48", "n_shared=1", "leading_dense=1", "n_groups=4", "n_groups_used=2", "gating=2",
                    "normalise=1", "expert_scale=2.5"],
    "glm4moe": ["glm4moe", "f32", "n_layers=4", "n_rot=8", "n_experts=8", "n_experts_used=3", "expert_ffn_dim=48",
                "n_shared=1", "leading_dense=1", "gating=2", "normalise=1", "expert_scale=1", "draft_layers=1"],
    "glm4moe-norms": ["glm4moe", "f32", "n_layers=4", "n_rot=8", "n_experts=8", "n_experts_used=3", "n_shared=1",
                      "leading_dense=1", "gating=2", "normalise=1", "expert_scale=2.5", "qk_norm=1"],
    "hunyuan-dense": ["hunyuan-dense", "f32", "n_layers=4", "head_dim=32", "tied=1"],
    "hunyuan-moe": ["hunyuan-moe", "f32", "n_layers=4", "head_dim=32", "n_experts=8", "n_experts_used=3",
                    "shared_ffn_dim=64"],
    "minimax-m2": ["minimax-m2", "f32", "n_layers=4", "head_dim=32", "n_rot=16", "n_experts=8", "n_experts_used=3",
                   "gating=2"],
    "arcee": ["arcee", "f32", "n_layers=4", "rope_scaling=yarn", "original_context=64"],
    "nemotron": ["nemotron", "f32", "n_layers=4", "n_rot=8"],
    "exaone": ["exaone", "f32", "n_layers=4", "rope_scaling=llama3"],
    "seed_oss": ["seed_oss", "f32", "n_layers=4", "qkv_bias=1"],
    "minicpm": ["minicpm", "f32", "n_layers=4", "tied=1"],
    "chatglm": ["chatglm", "f32", "n_layers=4", "n_rot=8"],
    "starcoder2": ["starcoder2", "f32", "n_layers=4"],
    "stablelm": ["stablelm", "f32", "n_layers=4", "n_rot=4"],
    "stablelm-bias": ["stablelm", "f32", "n_layers=24", "n_rot=4", "qkv_bias=1"],
    "command-r": ["command-r", "f32", "n_layers=4"],
    "cohere2": ["cohere2", "f32", "n_layers=8", "window=16"],
    "gemma": ["gemma", "f32", "n_layers=4", "head_dim=32"],
    "gemma2": ["gemma2", "f32", "n_layers=4", "window=16"],
    "gemma3": ["gemma3", "f32", "n_layers=8", "head_dim=32", "window=16", "rope_base=1000000"],
    "gemma4-e2b": ["gemma4", "f32", "n_layers=10", "head_dim=64", "window_head_dim=32", "n_kv_heads=1", "window=16",
                   "window_step=5", "shared_kv=5", "shared_ffn=192", "layer_input_dim=32", "rope_base=1000000"],
    "gemma4-e4b": ["gemma4", "f32", "n_layers=12", "dim=128", "n_heads=8", "head_dim=64", "window_head_dim=32",
                   "window=24", "window_step=6", "shared_kv=6", "layer_input_dim=16", "rope_base=1000000", "seed=2"],
    "gemma4-dense": ["gemma4", "f32", "n_layers=12", "head_dim=64", "window_head_dim=32", "n_kv_heads=4",
                     "full_kv_heads=1", "keys_as_values=1", "window=16", "rope_base=1000000"],
    "gemma4-experts": ["gemma4", "f32", "n_layers=6", "head_dim=64", "window_head_dim=32", "full_kv_heads=1",
                       "keys_as_values=1", "window=16", "n_experts=8", "n_experts_used=3", "expert_ffn_dim=48",
                       "fused_experts=1", "rope_base=1000000"],
    "gemma4-experts-apart": ["gemma4", "f32", "n_layers=3", "head_dim=64", "window_step=3", "window=16",
                             "n_experts=8", "n_experts_used=3", "layer_scales=0",
                             "rope_base=1000000"],
    "bert": ["bert", "f32", "n_kv_heads=4", "context=512"],
    "bert-first": ["bert", "f32", "n_kv_heads=4", "context=512", "pooling=2", "fused_qkv=0"],
    "gemma-embedding": ["gemma-embedding", "f32", "n_layers=8", "head_dim=32", "window=16", "context=512",
                        "rope_base=1000000"],
    "gemma-embedding-dense": ["gemma-embedding", "f32", "n_layers=8", "head_dim=32", "context=512", "dense=192",
                              "window=64"],
    "qwen3-rerank": ["qwen3", "f32", "head_dim=32", "pooling=4", "n_labels=2"],
    "qwen3-embedding": ["qwen3", "f32", "head_dim=32", "pooling=3"],
    "bert-unigram": ["bert", "f32", "n_kv_heads=4", "context=512", "pooling=2", "unigram=1"],
    "bert-unigram-rerank": ["bert", "f32", "n_kv_heads=4", "context=512", "pooling=4", "unigram=1"],
    "nomic-bert": ["nomic-bert", "f32", "n_kv_heads=4", "context=512", "rope_base=1000"],
    "nomic-bert-moe": ["nomic-bert-moe", "f32", "n_layers=4", "n_kv_heads=4", "context=512", "n_experts=8",
                       "n_experts_used=2"],
    "nomic-bert-moe-unigram": ["nomic-bert-moe", "f32", "n_layers=4", "n_kv_heads=4", "context=512", "n_experts=8",
                               "n_experts_used=2", "unigram=1"],
    "modern-bert": ["modern-bert", "f32", "n_layers=7", "n_kv_heads=4", "context=512", "window=16", "rope_base=160000"],
    "modern-bert-first": ["modern-bert", "f32", "n_layers=4", "n_kv_heads=4", "context=512", "window=64", "pooling=2"],
    "modern-bert-unigram-rerank": ["modern-bert", "f32", "n_layers=4", "n_kv_heads=4", "context=512", "window=16",
                                   "pooling=4", "unigram=1"],
    "jina-bert-v2": ["jina-bert-v2", "f32", "n_kv_heads=4", "context=512"],
    "jina-bert-v2-fused": ["jina-bert-v2", "f32", "dim=96", "n_heads=6", "n_kv_heads=6", "context=512", "fused_gate=1"],
}
for tensor_type in "bf16 q8_0 q4_0 q4_1 q5_0 q5_1 q2_k q3_k q4_k q5_k q6_k iq4_nl iq4_xs".split():
    for family in ("llama", "qwen2", "qwen3", "phi3", "gemma3"):
        CASES[("type-" if family == "llama" else family + "-") + tensor_type] = [family, tensor_type, *WIDE]
    CASES["gemma4-" + tensor_type] = ["gemma4", tensor_type, "dim=256", "n_layers=5", "head_dim=128",
                                      "window_head_dim=64", "ffn_dim=512", "window=16", "window_step=2", "shared_kv=1",
                                      "layer_input_dim=256"]


def post(path, body):
    request = urllib.request.Request(f"http://127.0.0.1:{PORT}{path}", json.dumps(body).encode(),
                                     {"Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(request, timeout=120))


def wait_until_up(server):
    for _ in range(300):
        try:
            return urllib.request.urlopen(f"http://127.0.0.1:{PORT}/health", timeout=2)
        except OSError:
            if server.poll() is not None:
                raise RuntimeError("the server ended")
            time.sleep(0.2)
    raise RuntimeError("the server does not answer")


def score(tools, model, argument, line):
    output = subprocess.run([f"{tools}/score_tokens", model, argument], input=line + "\n", capture_output=True,
                            text=True, check=True).stdout
    return json.loads(output)


def compare_encoder(name, tools, model):
    dice = random.Random(name)
    worst = 0.0
    for length in (1, 7, 100):
        ids = [dice.randrange(5, 320) for _ in range(length)]
        theirs = post("/embedding", {"content": ids})[0]["embedding"]
        theirs = theirs[0] if isinstance(theirs[0], list) else theirs
        ours = score(tools, model, "embed", " ".join(map(str, ids)))
        cosine = sum(a * b for a, b in zip(ours, theirs)) / math.sqrt(sum(x * x for x in theirs))
        worst = max(worst, 1 - cosine)
    print(f"{name}: 1 - cosine at most {worst:.1e}", flush=True)


def compare_reranker(name, tools, model):
    question, passages = "w40 w41", ["w42", "w100 w41 w77", "w40  w41 w41 and w9"]
    answer = post("/rerank", {"query": question, "documents": passages})["results"]
    theirs = [entry["relevance_score"] for entry in sorted(answer, key=lambda entry: entry["index"])]
    ours = score(tools, model, "rank", " | ".join([question, *passages]))
    if name == "qwen3-rerank":  # its score is the probability of "yes", ours that in log odds
        ours = [1 / (1 + math.exp(-x)) for x in ours]
    print(f"{name}: scores differ by {max(abs(a - b) for a, b in zip(ours, theirs)):.1e} at most, of "
          f"{min(theirs):.3f} to {max(theirs):.3f}", flush=True)


def compare_language_model(name, tools, model, context):
    dice = random.Random(name)
    prompt = [1] + [dice.randrange(259, 320) for _ in range(39)]
    # Byte tokens and markers are kept out: the server holds incomplete characters back.
    body = {"prompt": prompt, "n_predict": 64, "temperature": 0, "n_probs": 10, "cache_prompt": False,
            "ignore_eos": True, "return_tokens": True, "logit_bias": [[i, False] for i in range(259)]}
    answer = post("/completion", body)
    tokens, steps = answer["tokens"], answer["completion_probabilities"]
    line = " ".join(map(str, prompt)) + " | " + " ".join(map(str, tokens))
    ours, exact = score(tools, model, str(context), line), score(tools, model, "exact", line)
    agreed, worst, divergence, notes = 0, 0.0, 0.0, []
    from_exact = [0.0, 0.0]  # KL divergence of this program and of llama-server from the fp64 pass
    for number, (mine, step, truth) in enumerate(zip(ours, steps, exact)):
        theirs = {str(entry["id"]): entry["logprob"] for entry in step["top_logprobs"]}
        my_first, their_first = max(mine, key=mine.get), str(step["top_logprobs"][0]["id"])
        if my_first == their_first:
            agreed += 1
        else:
            notes.append(f"  step {number}: " + describe_difference(mine, theirs, truth, my_first, their_first))
        for token, logprob in theirs.items():
            difference = mine[token] - logprob
            worst = max(worst, abs(difference))
        divergence += divergence_from(theirs, mine, theirs)
        for side, logprobs in enumerate((mine, theirs)):
            from_exact[side] += divergence_from(truth, logprobs, theirs)
    print(f"{name}: same first token {agreed}/{len(steps)}, largest difference {worst:.4f}, "
          f"KL {divergence / len(steps):.1e}; from fp64 {from_exact[0] / len(steps):.1e} here, "
          f"{from_exact[1] / len(steps):.1e} there", *notes, sep="\n", flush=True)


def divergence_from(truth, logprobs, tokens):
    """KL divergence over some tokens and all others together."""
    exact = [math.exp(truth[token]) for token in tokens]
    other = [math.exp(logprobs[token]) for token in tokens]
    pairs = list(zip(exact, other)) + [(1 - sum(exact), 1 - sum(other))]
    return sum(p * math.log(p / max(q, 1e-12)) for p, q in pairs if p > 0)


def describe_difference(mine, theirs, truth, my_first, their_first):
    def error(logprobs):
        return max(abs(logprobs[token] - truth[token]) for token in theirs)

    their_margin = theirs[their_first] - theirs.get(my_first, -math.inf)
    exact_margin = truth[my_first] - truth[their_first]
    preferred = "this program's" if exact_margin > 0 else "llama.cpp's"
    return (f"margin here {mine[my_first] - mine[their_first]:.1e}, there {their_margin:.1e}; fp64 prefers {preferred} by "
            f"{abs(exact_margin):.1e}; off fp64 by up to {error(mine):.1e} here, {error(theirs):.1e} there")


def run_case(name, options):
    arguments = CASES[name]
    model = f"{options.root}/tmp/compare-{name}.gguf"
    subprocess.run([f"{options.tools}/random_gguf", model, *arguments], check=True)
    reranker = "rerank" in name
    encoder = "bert" in arguments[0] or "embedding" in name or reranker
    command = shlex.split(options.server) + ["-m", f"/tmp/compare-{name}.gguf", "--port", str(PORT), "-t", "2", "-c",
                                             "512", "--no-warmup", "-np", "1"]
    command += ["--reranking" if reranker else "--embedding", "-ub", "512"] if encoder else []
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until_up(server)
        if reranker:
            compare_reranker(name, options.tools, model)
        elif encoder:
            compare_encoder(name, options.tools, model)
        else:
            compare_language_model(name, options.tools, model, 512)
    except Exception as error:  # a case that fails must not hide the others
        print(f"{name}: FAILED, {error}", flush=True)
    finally:
        server.terminate()
        server.wait()
        os.unlink(model)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tools")
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--server", default="llama-server")
    parser.add_argument("--root", default="")
    options = parser.parse_args()
    for name in CASES:
        if not options.cases or name in options.cases:
            run_case(name, options)


if __name__ == "__main__":
    main()
