// How fast a device decodes and encodes stored KV by itself. Decoding: prompts of 32 layers of a number of passages
// (made-up KV has fewer layers, in turn), a layer at a time as fusion asks for them, from the host's memory into a
// cache. Encoding: a passage's layers out of a cache. Ownership: borrows the backend. Threads: the main thread.
#pragma once

#include <optional>
#include <vector>

#include "base/status.h"
#include "engine/backend/backend.h"
#include "engine/codec/codec.h"
#include "engine/kv/chunk_kv.h"

namespace mneme::app {

// GB of fp16 KV a second, by repetition.
struct DeviceCodingRates {
  std::vector<double> decode_gb_s;  // while the device was decoding
  std::vector<double> place_gb_s;   // by the clock, with the way up and with placing
  std::vector<double> encode_gb_s;  // by the clock, with the way down
};

// Decoding n_passages copies of a chunk, and encoding it; nothing where the backend leaves both to codecs. Repetitions
// are preceded by one that does not count.
Result<std::optional<DeviceCodingRates>> device_coding(engine::Backend& backend, const engine::KvCodec& codec,
                                                       const engine::ChunkKv& chunk, int n_passages, int reps);

}  // namespace mneme::app
