"""Writes a checkpoint as a llama GGUF file.

    python3 export_gguf.py --model work/mini.pt --vocab work/mini.model --name mneme-mini --out ../models/mneme-mini.gguf

Matrices are Q8_0 (--type f16, f32 for others), norms F32. Q and K rows go back to the interleaved rotation order.
"""
import argparse

import numpy as np

import bpe
import gguf
import spm_meta
from layout import CHAT_TEMPLATE
from loading import load_model
from model import Model

TYPES = {"q8_0": (gguf.TYPE_Q8_0, 7), "f16": (gguf.TYPE_F16, 1), "f32": (gguf.TYPE_F32, 0)}     # tensor type, file type


def interleave(rows: np.ndarray, head_dim: int) -> np.ndarray:
    """Split halves (0, d/2), (1, d/2+1).. -> interleaved pairs (0,1), (2,3).. within each head."""
    heads = rows.reshape(-1, 2, head_dim // 2, rows.shape[-1])
    return heads.transpose(0, 2, 1, 3).reshape(rows.shape)


def add_metadata(w: gguf.Writer, c, name: str, file_type: int) -> None:
    w.add("general.architecture", gguf.STRING, "llama")
    w.add("general.name", gguf.STRING, name)
    w.add("general.file_type", gguf.U32, file_type)
    w.add("general.license", gguf.STRING, "see assets/models/README.md")
    for key, value in (("context_length", c.context), ("embedding_length", c.dim), ("block_count", c.layers),
                       ("feed_forward_length", c.ffn), ("rope.dimension_count", c.head_dim),
                       ("attention.head_count", c.heads), ("attention.head_count_kv", c.kv_heads),
                       ("vocab_size", c.vocab)):
        w.add("llama." + key, gguf.U32, value)
    w.add("llama.attention.layer_norm_rms_epsilon", gguf.F32, c.norm_eps)
    w.add("llama.rope.freq_base", gguf.F32, c.rope_theta)


def add_tokenizer(w: gguf.Writer, sp) -> None:
    spm_meta.add_vocabulary(w, sp, "llama")
    end = sp.piece_to_id("<|end|>")
    for key, value in (("bos", sp.bos_id()), ("eos", end), ("eot", end)):
        w.add(f"tokenizer.ggml.{key}_token_id", gguf.U32, value)
    w.add("tokenizer.ggml.add_bos_token", gguf.BOOL, True)
    # Answers begin with a space, as words inside a text do; this tells programs to drop it.
    w.add("tokenizer.ggml.add_space_prefix", gguf.BOOL, True)
    w.add("tokenizer.chat_template", gguf.STRING, CHAT_TEMPLATE)


def add_tensors(w: gguf.Writer, m: Model, kind: int) -> None:
    c, host = m.c, lambda t: t.detach().float().numpy()
    w.tensor("token_embd.weight", host(m.embed.weight), kind)
    w.tensor("output_norm.weight", host(m.norm.weight), gguf.TYPE_F32)
    q_rows, kv_rows = c.heads * c.head_dim, c.kv_heads * c.head_dim
    for i, b in enumerate(m.blocks):
        name, rows = f"blk.{i}.", host(b.qkv.weight)
        q, k, v = np.split(rows, [q_rows, q_rows + kv_rows])
        gate, up = np.split(host(b.gate_up.weight), 2)
        w.tensor(name + "attn_norm.weight", host(b.norm1.weight), gguf.TYPE_F32)
        w.tensor(name + "ffn_norm.weight", host(b.norm2.weight), gguf.TYPE_F32)
        for key, x in (("attn_q", interleave(q, c.head_dim)), ("attn_k", interleave(k, c.head_dim)), ("attn_v", v),
                       ("attn_output", host(b.out.weight)), ("ffn_gate", gate), ("ffn_up", up),
                       ("ffn_down", host(b.down.weight))):
            w.tensor(f"{name}{key}.weight", x, kind)


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("model", "vocab", "name", "out"):
        p.add_argument("--" + name, required=True)
    p.add_argument("--averaged", action="store_true", help="the averaged weights of a checkpoint of curriculum.py")
    p.add_argument("--meets-bars", action="store_true", help="mark the file as good enough to be the program's default")
    p.add_argument("--type", choices=sorted(TYPES), default="q8_0")
    a = p.parse_args()
    model, sp = load_model(a.model, a.averaged), bpe.load(a.vocab)
    kind, file_type = TYPES[a.type]
    w = gguf.Writer()
    add_metadata(w, model.c, a.name, file_type)
    if a.meets_bars:
        w.add("mneme.quality.meets_bars", gguf.BOOL, True)
    add_tokenizer(w, sp)
    add_tensors(w, model, kind)
    w.write(a.out)
    print(f"{a.out} written")


if __name__ == "__main__":
    main()
