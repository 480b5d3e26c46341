"""Puts a SentencePiece vocabulary (bpe.load) into a GGUF file's tokenizer.ggml.* keys."""
import gguf

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = 1, 2, 3, 4, 5, 6


def token_type(sp, i: int) -> int:
    if sp.is_unknown(i):
        return UNKNOWN
    if sp.is_control(i):
        return CONTROL
    return BYTE if sp.is_byte(i) else UNUSED if sp.is_unused(i) else NORMAL


def add_vocabulary(w: gguf.Writer, sp, model: str) -> None:
    """`model` is "llama" (merges by score) or "t5" (unigram, best path)."""
    n = sp.get_piece_size()
    w.add("tokenizer.ggml.model", gguf.STRING, model)
    w.add("tokenizer.ggml.pre", gguf.STRING, "default")
    w.add_array("tokenizer.ggml.tokens", gguf.STRING, [sp.id_to_piece(i) for i in range(n)])
    w.add_array("tokenizer.ggml.scores", gguf.F32, [sp.get_score(i) for i in range(n)])
    w.add_array("tokenizer.ggml.token_type", gguf.I32, [token_type(sp, i) for i in range(n)])
    w.add("tokenizer.ggml.unknown_token_id", gguf.U32, sp.unk_id())
    w.add("tokenizer.ggml.add_eos_token", gguf.BOOL, False)
    w.add("tokenizer.ggml.remove_extra_whitespaces", gguf.BOOL, False)
