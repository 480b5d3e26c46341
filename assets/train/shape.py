"""The shape of a language model. No PyTorch here: programs that only draw examples start in a moment."""
from dataclasses import asdict, dataclass


@dataclass
class Config:
    vocab: int = 8192
    dim: int = 128
    layers: int = 8
    heads: int = 2
    kv_heads: int = 2
    head_dim: int = 64
    ffn: int = 384
    context: int = 4096
    rope_theta: float = 10000.0
    norm_eps: float = 1e-5

    def as_dict(self) -> dict:
        return asdict(self)
