#!/bin/bash
# Makes the GGUF file of the weights that gpu_run.sh brought back, and asks it the test sets.
#
#   gpu_finish.sh PARTS VOCAB.model MNEME [DATA]
#
# PARTS: folder with the parts of the last call. MNEME: the program (release build). DATA: training data folder, for natural questions.
set -euo pipefail
parts=$(realpath "$1") vocab=$(realpath "$2") mneme=$(realpath "$3") data=${4:+$(realpath "$4")}
cd "$(dirname "$0")"
mkdir -p work
model=work/mneme-full.gguf
python3 state.py --parts "$parts" --out work/full.pt
python3 export_gguf.py --model work/full.pt --vocab "$vocab" --name mneme-full --out $model
size=$(stat -c %s $model)
[ "$size" -le $((32 << 20)) ] || echo "$model has $size bytes, more than 32 MiB: it cannot be the default"
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
ask() { "$mneme" --home "$home" --model $model eval "$@" --kv-level exact; }
for set in single twohop unanswerable needle; do ask ../../tests/eval/sets/$set.jsonl --modes full; done
for set in crosschunk crosschunk-long crosschunk-512; do ask ../../tests/eval/sets/$set.jsonl --modes full,reuse; done
for set in single-reworded twohop-reworded crosschunk-reworded; do ask ../../tests/eval/sets/$set.jsonl --modes full; done
python3 evaluate.py --model $model --vocab "$vocab" --set ../../tests/eval/sets/single.jsonl ../../tests/eval/sets/twohop.jsonl --limit 60 --long
if [ -n "$data" ]; then
  ask "$data/qa/squad-format/nq_open_oracle.json" --split test --chunks 6 --modes full
  ask "$data/qa/squad-format/covid_qa_fixed_offsets.json" --split test --chunks 6 --modes full --limit 100
fi
