// How fast a device decodes stored KV by itself: prompts of 32 layers of a number of passages (made-up KV has fewer, in
// turn), a layer at a time as fusion asks for them, from the host's memory into a cache. Ownership: borrows the
// backend. Threads: the main thread.
#pragma once

#include <optional>
#include <vector>

#include "base/status.h"
#include "engine/backend/backend.h"
#include "engine/codec/codec.h"
#include "engine/kv/chunk_kv.h"

namespace mneme::app {

// GB of fp16 KV a second, by repetition.
struct DeviceDecodingRates {
  std::vector<double> decode_gb_s;  // while the device was decoding
  std::vector<double> place_gb_s;   // by the clock, with the way up and with placing
};

// Of n_passages copies of a chunk; nothing where the backend leaves decoding to codecs. Repetitions are preceded by one
// that does not count.
Result<std::optional<DeviceDecodingRates>> device_decoding(engine::Backend& backend, const engine::KvCodec& codec,
                                                           const engine::ChunkKv& chunk, int n_passages, int reps);

}  // namespace mneme::app
