// The KV store's meter, as `status` shows it. Threads: the main thread.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "base/status.h"

namespace mneme::rag {
class Workspace;
}

namespace mneme::app {

struct KvStatus {
  uint64_t bytes = 0;
  std::optional<uint64_t> quota_bytes;
  int64_t chunks = 0;
  int64_t pending = 0;
  int64_t hits = 0;
  int64_t misses = 0;
  int64_t evictions = 0;
};

Result<KvStatus> kv_status(rag::Workspace& workspace);
nlohmann::json kv_json(const KvStatus& status);

}  // namespace mneme::app
