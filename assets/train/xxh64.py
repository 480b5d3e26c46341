"""xxHash64 in plain Python: the split rule (tests/eval/splits) is defined on it, and titles are short.

Follows the public xxHash specification; checked against its test vectors in test_xxh64() below.
"""

MASK = (1 << 64) - 1
P1, P2, P3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P4, P5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5


def _rotl(x: int, r: int) -> int:
    return ((x << r) | (x >> (64 - r))) & MASK


def _round(acc: int, lane: int) -> int:
    return (_rotl((acc + lane * P2) & MASK, 31) * P1) & MASK


def _word(data: bytes, at: int, size: int) -> int:
    return int.from_bytes(data[at:at + size], "little")


def _stripes(data: bytes, seed: int) -> tuple[int, int]:
    """Consumes all full 32-byte stripes; returns (hash so far, bytes consumed)."""
    lanes = [(seed + P1 + P2) & MASK, (seed + P2) & MASK, seed, (seed - P1) & MASK]
    at = 0
    while at + 32 <= len(data):
        for i in range(4):
            lanes[i] = _round(lanes[i], _word(data, at + 8 * i, 8))
        at += 32
    h = sum(_rotl(lane, r) for lane, r in zip(lanes, (1, 7, 12, 18))) & MASK
    for lane in lanes:
        h = ((h ^ _round(0, lane)) * P1 + P4) & MASK
    return h, at


def xxh64(data: bytes, seed: int = 0) -> int:
    h, at = _stripes(data, seed) if len(data) >= 32 else ((seed + P5) & MASK, 0)
    h = (h + len(data)) & MASK
    while at + 8 <= len(data):
        h = (_rotl(h ^ _round(0, _word(data, at, 8)), 27) * P1 + P4) & MASK
        at += 8
    if at + 4 <= len(data):
        h = (_rotl(h ^ (_word(data, at, 4) * P1 & MASK), 23) * P2 + P3) & MASK
        at += 4
    for byte in data[at:]:
        h = (_rotl(h ^ (byte * P5 & MASK), 11) * P1) & MASK
    h = ((h ^ (h >> 33)) * P2) & MASK
    h = ((h ^ (h >> 29)) * P3) & MASK
    return h ^ (h >> 32)


def is_test(title: str) -> bool:
    """The split rule: a document (and every question on it) is test if xxHash64(title) mod 5 is 0."""
    return xxh64(title.encode("utf-8")) % 5 == 0


def test_xxh64() -> None:
    assert xxh64(b"") == 0xEF46DB3751D8E999
    assert xxh64(b"a") == 0xD24EC4F1A98C6E5B
    assert xxh64(b"abc") == 0x44BC2CF5AD770999
    assert xxh64(b"Nobody inspects the spammish repetition") == 0xFBCEA83C8A378BF1


if __name__ == "__main__":
    test_xxh64()
    print("xxh64: all test vectors agree")
