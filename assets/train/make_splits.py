"""Lists the test titles of the question sets: xxHash64(title) mod 5 == 0.

    python3 make_splits.py --data DIR --out ../../tests/eval/splits
"""
import argparse
import os

import embed_data
from xxh64 import xxh64

SETS = {**embed_data.SETS, "covid": embed_data.EXTRA["covid"]}


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data", required=True)
    p.add_argument("--out", required=True)
    a = p.parse_args()
    os.makedirs(a.out, exist_ok=True)
    for name, pattern in SETS.items():
        titles = sorted({q.title for q in embed_data.questions(a.data, pattern, True)})
        body = "".join(t.replace("\n", " ") + "\n" for t in titles)
        with open(os.path.join(a.out, name + ".txt"), "w", encoding="utf-8") as f:
            f.write(body)
        print(name, len(titles), f"{xxh64(body.encode()):016x}")


if __name__ == "__main__":
    main()
