// One level of a KvProfile: the step that components are rounded by, which of them share a table, and the tables, so
// that calibration text takes so many bits a number. Threads: pure; the pool's share the work.
#pragma once

#include <array>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "base/thread_pool.h"
#include "engine/codec/kv_profile.h"

namespace mneme::engine {

// [layer][part]: components of all tokens, (kv_dim, n_tokens).
using KvComponents = std::vector<std::array<std::vector<float>, 2>>;

// The level with the finest step that spends no more than these bits on a number, judged by some of the tokens. Needs a
// layer and a token. kCancelled.
Result<KvLevelProfile> find_level(const KvComponents& components, int kv_dim, int group_dim, double bits_per_element,
                                  ThreadPool& pool, const CancelToken& cancel);

}  // namespace mneme::engine
