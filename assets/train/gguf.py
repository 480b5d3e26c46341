"""Reads and writes GGUF version 3 files: metadata and tensors of type F32, F16 and Q8_0.

The format is documented in ggml's public gguf.md. Tensor shapes are numpy's (rows first); the file lists them reversed.
"""
import struct

import numpy as np

MAGIC, VERSION, ALIGNMENT = 0x46554747, 3, 32
U8, I8, U16, I16, U32, I32, F32, BOOL, STRING, ARRAY, U64, I64, F64 = range(13)
SCALARS = {U8: "B", I8: "b", U16: "H", I16: "h", U32: "I", I32: "i", F32: "f", BOOL: "?", U64: "Q", I64: "q", F64: "d"}
TYPE_F32, TYPE_F16, TYPE_Q8_0 = 0, 1, 8
BLOCK = 32                                            # Q8_0: 32 weights share one fp16 scale


def quantise_q8_0(x: np.ndarray) -> bytes:
    """Rows of 32-blocks: fp16 scale d = max|x| / 127, then 32 int8."""
    blocks = np.ascontiguousarray(x, dtype=np.float32).reshape(-1, BLOCK)
    d = (np.abs(blocks).max(1) / 127).astype(np.float32)
    scale = np.where(d > 0, 1 / np.where(d > 0, d, 1), 0)[:, None]
    q = np.rint(blocks * scale).astype(np.int8)
    out = np.empty(len(blocks), dtype=[("d", "<f2"), ("q", "i1", BLOCK)])
    out["d"], out["q"] = d.astype(np.float16), q
    return out.tobytes()


def dequantise_q8_0(raw: bytes, shape) -> np.ndarray:
    rows = np.frombuffer(raw, dtype=[("d", "<f2"), ("q", "i1", BLOCK)])
    return (rows["q"].astype(np.float32) * rows["d"].astype(np.float32)[:, None]).reshape(shape)


def encode_tensor(x: np.ndarray, kind: int) -> bytes:
    if kind == TYPE_Q8_0:
        return quantise_q8_0(x)
    return np.ascontiguousarray(x, dtype="<f4" if kind == TYPE_F32 else "<f2").tobytes()


def _string(text) -> bytes:
    raw = text if isinstance(text, bytes) else text.encode("utf-8")
    return struct.pack("<Q", len(raw)) + raw


class Writer:
    """Collects metadata and tensors, then writes the file in one go."""

    def __init__(self):
        self.meta: list[bytes] = []
        self.tensors: list[tuple[str, tuple, int, bytes]] = []

    def add(self, key: str, kind: int, value) -> None:
        body = _string(value) if kind == STRING else struct.pack("<" + SCALARS[kind], value)
        self.meta.append(_string(key) + struct.pack("<I", kind) + body)

    def add_array(self, key: str, kind: int, values) -> None:
        head = _string(key) + struct.pack("<IIQ", ARRAY, kind, len(values))
        if kind == STRING:
            body = b"".join(_string(v) for v in values)
        else:
            body = struct.pack(f"<{len(values)}{SCALARS[kind]}", *values)
        self.meta.append(head + body)

    def tensor(self, name: str, x: np.ndarray, kind: int) -> None:
        if kind == TYPE_Q8_0 and x.shape[-1] % BLOCK:
            raise ValueError(f"{name}: Q8_0 needs rows of a multiple of {BLOCK}, not {x.shape}")
        self.tensors.append((name, x.shape, kind, encode_tensor(x, kind)))

    def write(self, path: str) -> None:
        infos, offset = [], 0
        for name, shape, kind, raw in self.tensors:
            infos.append(_string(name) + struct.pack(f"<I{len(shape)}Q", len(shape), *reversed(shape))
                         + struct.pack("<IQ", kind, offset))
            offset += -(-len(raw) // ALIGNMENT) * ALIGNMENT
        head = struct.pack("<IIQQ", MAGIC, VERSION, len(self.tensors), len(self.meta)) + b"".join(self.meta + infos)
        with open(path, "wb") as f:
            f.write(head + b"\0" * (-len(head) % ALIGNMENT))
            for _, _, _, raw in self.tensors:
                f.write(raw + b"\0" * (-len(raw) % ALIGNMENT))


class Reader:
    """A GGUF file in memory: `meta` (key -> value) and `tensor(name)` as float32 rows."""

    def __init__(self, path: str):
        with open(path, "rb") as f:
            self.raw = f.read()
        self.at = 0
        magic, version, n_tensors, n_meta = self._take("IIQQ")
        if magic != MAGIC or version not in (2, 3):
            raise ValueError(f"{path} is not a GGUF file of version 2 or 3")
        self.meta = dict(self._pair() for _ in range(n_meta))
        infos = [self._info() for _ in range(n_tensors)]
        align = self.meta.get("general.alignment", ALIGNMENT)
        base = -(-self.at // align) * align
        self.infos = {name: (shape, kind, base + offset) for name, shape, kind, offset in infos}

    def _take(self, codes: str):
        out = struct.unpack_from("<" + codes, self.raw, self.at)
        self.at += struct.calcsize("<" + codes)
        return out

    def _text(self) -> str:
        (n,) = self._take("Q")
        self.at += n
        return self.raw[self.at - n:self.at].decode("utf-8", errors="surrogateescape")

    def _value(self, kind: int):
        if kind == STRING:
            return self._text()
        if kind == ARRAY:
            inner, n = self._take("IQ")
            return [self._text() for _ in range(n)] if inner == STRING else list(self._take(f"{n}{SCALARS[inner]}"))
        return self._take(SCALARS[kind])[0]

    def _pair(self):
        key = self._text()
        (kind,) = self._take("I")
        return key, self._value(kind)

    def _info(self):
        name = self._text()
        (n,) = self._take("I")
        shape = tuple(reversed(self._take(f"{n}Q")))
        kind, offset = self._take("IQ")
        return name, shape, kind, offset

    def tensor(self, name: str) -> np.ndarray:
        shape, kind, at = self.infos[name]
        n = int(np.prod(shape))
        if kind == TYPE_Q8_0:
            return dequantise_q8_0(self.raw[at:at + n // BLOCK * (BLOCK + 2)], shape)
        dtype = {TYPE_F32: "<f4", TYPE_F16: "<f2"}[kind]
        return np.frombuffer(self.raw, dtype, n, at).astype(np.float32).reshape(shape)
