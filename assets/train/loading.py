"""Loads a model for measuring: from a training checkpoint, or from a GGUF file (weights dequantised to float32)."""
import numpy as np
import torch

import configs
import gguf
from grow import split_half
from model import Config, Model


def config_of(r: gguf.Reader) -> Config:
    m, key = r.meta, "llama."
    heads, dim = m[key + "attention.head_count"], m[key + "embedding_length"]
    return Config(vocab=r.infos["token_embd.weight"][0][0], dim=dim, layers=m[key + "block_count"], heads=heads,
                  kv_heads=m[key + "attention.head_count_kv"], head_dim=dim // heads,
                  ffn=m[key + "feed_forward_length"], context=m[key + "context_length"],
                  rope_theta=m[key + "rope.freq_base"], norm_eps=m[key + "attention.layer_norm_rms_epsilon"])


@torch.no_grad()
def from_gguf(path: str) -> Model:
    r = gguf.Reader(path)
    c = config_of(r)
    model = Model(c)
    get = lambda name: torch.from_numpy(np.ascontiguousarray(r.tensor(name + ".weight")).copy())
    model.embed.weight.copy_(get("token_embd"))
    model.norm.weight.copy_(get("output_norm"))
    for i, block in enumerate(model.blocks):
        name = f"blk.{i}."
        block.norm1.weight.copy_(get(name + "attn_norm"))
        block.norm2.weight.copy_(get(name + "ffn_norm"))
        turned = [torch.from_numpy(split_half(r.tensor(f"{name}attn_{x}.weight"), c.head_dim).copy()) for x in "qk"]
        block.qkv.weight.copy_(torch.cat(turned + [get(name + "attn_v")]))
        block.out.weight.copy_(get(name + "attn_output"))
        block.gate_up.weight.copy_(torch.cat((get(name + "ffn_gate"), get(name + "ffn_up"))))
        block.down.weight.copy_(get(name + "ffn_down"))
    return model.eval()


def load_model(path: str, averaged: bool = False) -> Model:
    if path.endswith(".gguf"):
        return from_gguf(path)
    state = torch.load(path, map_location="cpu")
    model = Model(configs.MODELS[state["config"]])
    model.load_state_dict(state["averaged" if averaged else "model"])
    return model.eval()
