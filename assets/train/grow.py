"""Warm start: grows a smaller llama GGUF into a wider or deeper model that computes the same function.

    python3 grow.py --pilot ../models/mneme-mini.gguf --vocab work/full.model --config full --out work/start.pt

New residual channels start at zero (their readers are random, so they learn), new heads, FFN units and layers write
zero, and norm weights make up for the wider mean. Embeddings of pieces both vocabularies know are copied; other pieces
start as the mean of the old pieces that spell them.
"""
import argparse
import math

import numpy as np
import torch

import bpe
import configs
import gguf
from model import Model

SPECIALS = {"<|system|>": "<s>", "<|user|>": "<|q|>", "<|assistant|>": "<|a|>", "<|end|>": "</s>"}      # in the first pilot


def split_half(rows: np.ndarray, head_dim: int) -> np.ndarray:
    """Interleaved rotation pairs (0,1), (2,3).. -> split halves (0,d/2), (1,d/2+1).. within each head."""
    heads = rows.reshape(-1, head_dim // 2, 2, rows.shape[-1])
    return heads.transpose(0, 2, 1, 3).reshape(rows.shape)


def embeddings(old: np.ndarray, old_sp, new_sp, dim: int) -> torch.Tensor:
    out = torch.zeros(new_sp.get_piece_size(), dim)
    copied = 0
    for i in range(new_sp.get_piece_size()):
        piece = new_sp.id_to_piece(i)
        known = [j for name in (piece, SPECIALS.get(piece, piece)) if old_sp.id_to_piece(j := old_sp.piece_to_id(name)) == name]
        if known:
            row, copied = old[known[0]], copied + 1
        else:
            ids = old_sp.encode(piece.replace("\u2581", " "))
            row = old[ids].mean(0) if ids else old.mean(0)
        out[i, :old.shape[1]] = torch.from_numpy(row.copy())
    print(f"{copied} of {len(out)} embeddings copied")
    return out


def place(target: torch.Tensor, rows, cols, values: np.ndarray) -> None:
    target[np.ix_(rows, cols)] = torch.from_numpy(np.ascontiguousarray(values))


def grow_block(block, r: gguf.Reader, layer: int, c, old) -> None:
    name, hd, dims = f"blk.{layer}.", c.head_dim, np.arange(old["dim"])
    fix = math.sqrt(old["dim"] / c.dim)
    for norm, key in ((block.norm1, "attn_norm"), (block.norm2, "ffn_norm")):
        norm.weight.fill_(fix)
        norm.weight[:old["dim"]] = torch.from_numpy(r.tensor(name + key + ".weight")) * fix
    group, old_group = c.heads // c.kv_heads, old["heads"] // old["kv_heads"]       # query heads that share a KV head
    heads = [i // old_group * group + i % old_group for i in range(old["heads"])]
    q_rows = np.concatenate([np.arange(hd) + i * hd for i in heads])
    kv_rows = np.arange(old["kv_heads"] * hd)
    k_at, v_at = c.heads * hd, (c.heads + c.kv_heads) * hd
    place(block.qkv.weight, q_rows, dims, split_half(r.tensor(name + "attn_q.weight"), hd))
    place(block.qkv.weight, k_at + kv_rows, dims, split_half(r.tensor(name + "attn_k.weight"), hd))
    place(block.qkv.weight, v_at + kv_rows, dims, r.tensor(name + "attn_v.weight"))
    block.out.weight.zero_()
    place(block.out.weight, dims, q_rows, r.tensor(name + "attn_output.weight"))
    units = np.arange(old["ffn"])
    place(block.gate_up.weight, units, dims, r.tensor(name + "ffn_gate.weight"))
    place(block.gate_up.weight, c.ffn + units, dims, r.tensor(name + "ffn_up.weight"))
    block.down.weight.zero_()
    place(block.down.weight, dims, units, r.tensor(name + "ffn_down.weight"))


@torch.no_grad()
def grow(pilot: str, vocab: str, c) -> Model:
    r = gguf.Reader(pilot)
    m = r.meta
    old = {"dim": m["llama.embedding_length"], "heads": m["llama.attention.head_count"],
           "kv_heads": m["llama.attention.head_count_kv"], "ffn": m["llama.feed_forward_length"]}
    head_dim = old["dim"] // old["heads"]
    if old["kv_heads"] != c.kv_heads or head_dim != c.head_dim or old["heads"] // old["kv_heads"] > c.heads // c.kv_heads:
        raise ValueError(f"{pilot} cannot grow into this shape: KV heads and head size must stay, and no KV head lose query heads")
    model = Model(c)
    new_sp, old_sp = bpe.load(vocab), bpe.from_gguf(m)
    model.embed.weight.copy_(embeddings(r.tensor("token_embd.weight"), old_sp, new_sp, c.dim))
    model.norm.weight.fill_(math.sqrt(old["dim"] / c.dim))
    model.norm.weight[:old["dim"]] *= torch.from_numpy(r.tensor("output_norm.weight"))
    for layer, block in enumerate(model.blocks):
        if layer < m["llama.block_count"]:
            grow_block(block, r, layer, c, old)
        else:
            block.out.weight.zero_()
            block.down.weight.zero_()
    return model


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("pilot", "vocab", "out"):
        p.add_argument("--" + name, required=True)
    p.add_argument("--config", default="mini")
    a = p.parse_args()
    model = grow(a.pilot, a.vocab, configs.MODELS[a.config])
    torch.save({"model": model.state_dict(), "config": a.config}, a.out)
    print(f"{a.out}: {sum(p.numel() for p in model.parameters()) / 1e6:.2f} M parameters")


if __name__ == "__main__":
    main()
