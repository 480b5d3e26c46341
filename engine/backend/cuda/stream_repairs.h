// The exceptions of stored KV (engine/codec/transform_payload.h) as the synthesis kernel takes them: by stream, by
// group of channels, with their component and token. Each stream finds and checks its own, so that many threads share
// the work. Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bytes.h"
#include "engine/backend/cuda/codec_synthesis.h"
#include "engine/codec/transform_payload.h"
#include "engine/codec/transform_plan.h"

namespace mneme::engine::cuda {

// Where one stream of a layer is, and what it takes of its exceptions.
struct StreamExceptions {
  ByteSpan all;  // of the layer, TransformFrame::exceptions
  TransformStream stream;
  bool is_first = false;  // of the layer: it also takes what would be ahead of it
  bool is_last = false;   // and what would be behind it
};

// Writes a stream's repairs to their places among the layer's.
//   first: the number that repairs_begin has for the layer's first repair.
//   begin: (n_groups + 1), where each group's repairs begin, and where the last ends.
//   repairs: the layer's, one for each exception.
// False where the stream's exceptions do not ascend or are not in it; all streams of a layer are right where the
// layer's exceptions are. Whatever the bytes, it writes within what is said above.
bool write_stream_repairs(const TransformPlan& plan, const StreamExceptions& own, size_t first, uint32_t* begin,
                          ComponentRepair* repairs);

}  // namespace mneme::engine::cuda
