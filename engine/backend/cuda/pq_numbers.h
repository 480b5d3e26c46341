// What changes from step to step of a layer's retrieval. It lies on the device, where a step copies it up once for all
// layers: all that its kernels are launched with stays the same, so that steps can be graphs (step_log.h). Kernels may
// read it before the ones ahead have ended, as they may the rows of a step (launch_overlap.h). Threads: plain values.
#pragma once

namespace mneme::engine::cuda {

struct PqNumbers {
  int n_tokens = 0;  // of the sequence, with the new one
  int begin = 0;     // candidates [begin, end): those before and behind them are attended to anyway
  int end = 0;
  int scored_end = 0;        // tokens [end, this) have codes and take part in the heads' sums
  int k = 0;                 // tokens to take per head
  int edition = 0;           // of the codes: counts of cells that are of another are made anew
  int tokens_per_block = 1;  // of the attention
};

}  // namespace mneme::engine::cuda
