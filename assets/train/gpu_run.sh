#!/bin/bash
# One call of the full-size training on a machine with a GPU; README.md says which calls to make, and pack.py what must lie
# in work/pack. What a call leaves in work/gpu the next one goes on from; a fresh machine goes on from weights in work/carried.
#
#   gpu_run.sh OUT SECONDS AFTER [more options of gpu_train.py]
#
# OUT: folder for the weights in parts and the log. SECONDS: of this call. AFTER: of training in later calls; 0 in the last.
set -euo pipefail
out=$(realpath -m "$1") seconds=$2 after=$3
shift 3
cd "$(dirname "$0")"
mkdir -p "$out" work/gpu
export USER=${USER:-root} PYTHONUNBUFFERED=1 OMP_NUM_THREADS=2 TORCH_LOGS=recompiles      # a recompilation is a minute lost: it is told
export TORCHINDUCTOR_CACHE_DIR=$PWD/work/gpu/inductor TRITON_CACHE_DIR=$PWD/work/gpu/triton
began=$SECONDS
if command -v nvidia-smi >/dev/null; then nvidia-smi --query-gpu=name,memory.total,driver_version --format=csv,noheader; fi
[ -d work/gpu/data ] || python3 pack.py --unpack work/pack --out work/gpu/data
seconds=$((seconds - (SECONDS - began)))
status=0
# gpu_train.py ends by itself; the signals are for one that hangs.
timeout -s TERM -k 15 $((seconds + 5)) python3 gpu_train.py --config full --data work/gpu/data --vocab work/pack/vocabulary.model \
  --work work/gpu --parts "$out" --carried work/carried --start ../models/mneme-mini.gguf --seconds "$seconds" --after "$after" \
  "$@" 2>&1 | tee "$out/console.log" || status=$?
cp work/gpu/train.log "$out/train.log" || true
[ $status = 0 ] || echo "the training ended with status $status; what is in $out is its last save"
ls -l "$out"
exit $status
