// bench fetch: how fast stored chunks come from the disk, layer by layer, and what read-ahead and io_uring add to it.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/bench/bench_kv.h"
#include "app/measure/envelope.h"
#include "app/measure/statistics.h"
#include "app/output/progress.h"
#include "app/temporary_folder.h"
#include "base/random.h"
#include "base/stopwatch.h"
#include "storage/chunks/chunk_store.h"
#include "storage/chunks/chunk_stream.h"
#include "storage/env/direct_file.h"

namespace mneme::app {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr int kDefaultChunks = 24;
constexpr int kDefaultTokens = 512;
constexpr int kLayers = 24;              // of bench-336m
constexpr int kBytesPerTokenLayer = 93;  // its fp16 KV, 1024 bytes, at medium
constexpr size_t kDeviceBlock = 1u << 20;

struct Lane {
  std::string method;  // "uring", "threads", "sequential": one thread reading the files from end to end
  bool direct = false;
  uint64_t read_ahead = 0;
  int n_rings = 1;  // of "uring"

  std::vector<double> mb_s{};
  double wait_share = 0;     // of the last run: time the consumer stood still
  double estimate_mb_s = 0;  // the store's running estimate of the device after it
};

class FetchBench {
 public:
  explicit FetchBench(std::unique_ptr<storage::ChunkStore> store) : store_(std::move(store)) {}

  Status fill(int n_chunks, int n_tokens) {
    Random random(1);
    std::vector<std::byte> bytes(static_cast<size_t>(n_tokens) * kBytesPerTokenLayer);
    for (int chunk = 0; chunk < n_chunks; ++chunk) {
      std::vector<std::vector<std::byte>> layers;
      std::vector<ByteSpan> spans;
      layers.reserve(kLayers);
      spans.reserve(kLayers);
      for (int layer = 0; layer < kLayers; ++layer) {
        for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.next());
        layers.push_back(bytes);
      }
      for (const auto& layer : layers) spans.emplace_back(layer);
      storage::ChunkFileInfo info;
      info.key = xxh3_128(as_bytes("bench " + std::to_string(chunk)));
      info.token_ids.assign(static_cast<size_t>(n_tokens), chunk);
      MNEME_RETURN_IF_ERROR(store_->put(info, spans));
      MNEME_ASSIGN_OR_RETURN(std::shared_ptr<const storage::StoredChunk> stored,
                             store_->find(info.key, info.token_ids));
      chunks_.push_back(std::move(stored));
    }
    return {};
  }

  uint64_t bytes() const {
    uint64_t bytes = 0;
    for (const auto& chunk : chunks_) bytes += chunk->header().file_bytes;
    return bytes;
  }

  // kUnsupported where the file system has no direct reads or the kernel no io_uring.
  Status run(Lane& lane, bool counts) {
    const Clock::time_point begin = Clock::now();
    uint64_t read = 0;
    if (lane.method == "sequential") {
      MNEME_ASSIGN_OR_RETURN(read, read_sequentially(lane.direct));
    } else {
      MNEME_ASSIGN_OR_RETURN(read, read_stream(lane, begin));
    }
    const double seconds = seconds_since(begin);
    if (counts) lane.mb_s.push_back(static_cast<double>(read) / seconds / 1e6);
    return {};
  }

 private:
  Result<uint64_t> read_sequentially(bool direct) const {
    std::vector<std::byte> memory(kDeviceBlock + storage::kDirectAlignment);
    const auto address = reinterpret_cast<uintptr_t>(memory.data());
    const size_t skip = (storage::kDirectAlignment - address % storage::kDirectAlignment) % storage::kDirectAlignment;
    const MutableByteSpan block = MutableByteSpan(memory).subspan(skip, kDeviceBlock);
    uint64_t read = 0;
    for (const auto& chunk : chunks_) {
      if (direct) {
        MNEME_ASSIGN_OR_RETURN(const storage::DirectFile file, storage::DirectFile::reopen(chunk->file()));
        for (uint64_t at = 0; at < chunk->header().file_bytes; at += kDeviceBlock) {
          MNEME_ASSIGN_OR_RETURN(const uint64_t n, file.read_at(at, block));
          read += n;
        }
        continue;
      }
      for (uint64_t at = 0; at < chunk->header().file_bytes; at += kDeviceBlock) {
        const uint64_t n = std::min<uint64_t>(kDeviceBlock, chunk->header().file_bytes - at);
        MNEME_RETURN_IF_ERROR(chunk->file().read_at(at, block.first(n)));
        read += n;
      }
    }
    return read;
  }

  Result<uint64_t> read_stream(Lane& lane, Clock::time_point begin) {
    storage::ChunkStreamOptions options;
    options.method = lane.method == "uring" ? storage::ReadMethod::kUring : storage::ReadMethod::kThreads;
    options.direct_io = lane.direct;
    options.read_ahead_bytes = lane.read_ahead;
    options.n_rings = lane.n_rings;
    options.meter = &store_->throughput();
    MNEME_ASSIGN_OR_RETURN(const auto stream, storage::ChunkStream::start(chunks_, options));
    std::vector<std::byte> out;
    for (int layer = 0; layer < kLayers; ++layer) {
      for (size_t chunk = 0; chunk < chunks_.size(); ++chunk) {
        MNEME_RETURN_IF_ERROR(stream->fetch(static_cast<int>(chunk), layer, out));
      }
    }
    const storage::ChunkStreamStats stats = stream->stats();
    lane.wait_share = stats.wait_seconds / seconds_since(begin);
    lane.estimate_mb_s = store_->throughput().bytes_per_second() / 1e6;
    return stats.bytes_read;
  }

  std::unique_ptr<storage::ChunkStore> store_;
  std::vector<std::shared_ptr<const storage::StoredChunk>> chunks_;
};

json lane_json(const Lane& lane, double device_mb_s) {
  const bool stream = lane.method != "sequential";
  return {{"method", lane.method},
          {"cache", lane.direct ? "cold" : "warm"},
          {"rings", lane.method == "uring" ? json(lane.n_rings) : json(nullptr)},
          {"read_ahead_bytes", stream ? json(lane.read_ahead) : json(nullptr)},
          {"mb_s", lane.mb_s.empty() ? json(nullptr) : json(spread_of(lane.mb_s).median)},
          {"mb_s_spread", lane.mb_s.empty() ? json(nullptr) : spread_json(lane.mb_s)},
          {"share_of_device", lane.mb_s.empty() || !(device_mb_s > 0) || !lane.direct
                                  ? json(nullptr)
                                  : json(spread_of(lane.mb_s).median / device_mb_s)},
          {"wait_share", stream && !lane.mb_s.empty() ? json(lane.wait_share) : json(nullptr)},
          {"estimate_mb_s", stream && !lane.mb_s.empty() ? json(lane.estimate_mb_s) : json(nullptr)}};
}

}  // namespace

Result<json> bench_fetch(Context& context, const KvBenchOptions& options) {
  MNEME_ASSIGN_OR_RETURN(const TemporaryFolder temporary, TemporaryFolder::make());
  // Beside the user's folder, never in it: what was made is removed again.
  const std::string folder = options.path.empty() ? temporary.path() + "/kv" : options.path + "/mneme-bench-fetch";
  storage::ChunkStoreOptions store_options;
  store_options.roots = {folder};
  store_options.quota_bytes = uint64_t{1} << 40;
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<storage::ChunkStore> store, storage::ChunkStore::open(store_options));
  std::vector<Lane> lanes;
  for (const bool direct : {true, false}) {
    lanes.push_back({.method = "sequential", .direct = direct});
    for (const uint64_t read_ahead : {uint64_t{1} << 18, uint64_t{1} << 22, uint64_t{1} << 26}) {
      for (const int n_rings : {1, 2, 4})
        lanes.push_back({.method = "uring", .direct = direct, .read_ahead = read_ahead, .n_rings = n_rings});
      lanes.push_back({.method = "threads", .direct = direct, .read_ahead = read_ahead});
    }
  }
  Status failure;
  {
    FetchBench bench(std::move(store));
    failure = bench.fill(options.chunks > 0 ? options.chunks : kDefaultChunks,
                         options.tokens > 0 ? options.tokens : kDefaultTokens);
    Progress bar(context.output, "runs");
    const auto total = static_cast<uint64_t>(options.reps + 1) * lanes.size();
    uint64_t done = 0;
    for (int rep = -1; failure.ok() && rep < options.reps; ++rep) {
      for (Lane& lane : lanes) {
        if (context.cancel.cancelled()) failure = cancelled();
        if (!failure.ok()) break;
        const Status status = bench.run(lane, rep >= 0);
        // What this file system or kernel cannot do stays null.
        if (!status.ok() && status.code() != StatusCode::kUnsupported) failure = status;
        bar.update(++done, total, lane.method);
      }
    }
  }
  if (!options.path.empty()) {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  if (!failure.ok()) return failure;
  const double device = lanes.front().mb_s.empty() ? 0.0 : spread_of(lanes.front().mb_s).median;
  json results = json::array();
  for (const Lane& lane : lanes) results.push_back(lane_json(lane, device));
  return results;
}

}  // namespace mneme::app
