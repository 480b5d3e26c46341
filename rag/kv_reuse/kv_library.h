// The KV of chunks for one model: finds it in the store, computes and stores what is missing. The four interfaces of
// CacheGen (paper 003) in their terms:
//   calculate KV      compute(): prefill of a chunk alone behind the prefix
//   store KV          compute() writes it; KvBackground does so behind the answers
//   get KV            find()
//   generate with KV  engine/fusion, by the prefillers of this folder
// Ownership: borrows the workspace's model and catalogue. Threads: all functions from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/hash.h"
#include "base/status.h"
#include "engine/codec/codec.h"
#include "engine/types.h"
#include "rag/kv_reuse/kv_store_settings.h"
#include "rag/kv_reuse/quality_gate.h"
#include "storage/chunks/chunk_store.h"

namespace mneme::engine {
class LanguageModel;
}
namespace mneme::storage {
class Catalogue;
}

namespace mneme::rag {

// A chunk as the store knows it: its tokens for this model, and the hash of its text (as in the catalogue).
struct ChunkTokens {
  std::vector<engine::TokenId> ids;
  Hash128 text_hash;
};

class SpeedBook;

class KvLibrary {
 public:
  static Result<std::unique_ptr<KvLibrary>> open(engine::LanguageModel& model, storage::Catalogue& catalogue,
                                                 storage::FileEnv& env, const std::string& kv_folder,
                                                 const std::string& models_folder,
                                                 const KvStoreSettings& settings = {});
  ~KvLibrary();
  KvLibrary(const KvLibrary&) = delete;
  KvLibrary& operator=(const KvLibrary&) = delete;

  std::span<const engine::TokenId> prefix() const;  // ids every chunk is computed behind
  ChunkTokens tokens_of(std::string_view text) const;

  // The codec that stores and reads a level. kUnsupported, in words, for a level this model has no calibration for. The
  // first call may calibrate, which takes as long as reading 12,288 tokens; kCancelled when that was stopped.
  Result<const engine::KvCodec*> codec(engine::KvLevel level, const CancelToken& cancel = never_cancelled());

  // Identity of the calibration a level is coded with; zero for `exact`.
  Hash128 calibration(engine::KvLevel level);

  // The quality gate of blending at a level with the default selector (quality_gate.h): as it was measured, or nothing;
  // measured now and kept where it was not. A model that was not calibrated was not measured either.
  std::optional<GateReport> saved_gate(engine::KvLevel level);
  bool is_measuring() const;  // a gate, in some thread
  Result<GateReport> gate(engine::KvLevel level, const CancelToken& cancel = never_cancelled(),
                          const MeasureProgress& progress = {});

  // How fast this model is on this machine.
  SpeedBook& speed();

  // The key of a chunk at a level.
  Result<Hash128> key_of(const ChunkTokens& chunk, engine::KvLevel level);
  // The stored KV of a chunk at a level; kNotFound is a miss.
  Result<std::shared_ptr<const storage::StoredChunk>> find(const ChunkTokens& chunk, engine::KvLevel level);
  // What is stored of the model under a key of the caller's.
  Result<std::shared_ptr<const storage::StoredChunk>> find(const Hash128& key, std::span<const engine::TokenId> ids);
  bool contains(const ChunkTokens& chunk, engine::KvLevel level);
  // At this level and all that the settings want beside it.
  bool complete(const ChunkTokens& chunk, engine::KvLevel level);
  // That level first, then those the settings want beside it.
  std::vector<engine::KvLevel> levels_beside(engine::KvLevel level) const;

  // What storing so many tokens at a level, and those beside it, would take, before anything is computed: bytes from
  // the calibration, time from the profile (speed().prepare() first), each chunk being `chunk_tokens` long.
  struct Estimate {
    double bytes = 0.0;
    double seconds = 0.0;
  };
  Result<Estimate> estimate(int64_t tokens, int64_t chunk_tokens, engine::KvLevel level);

  // Computes a chunk's KV and stores it at the level, and at those beside it where it is not. kNoSpace when the quota
  // cannot hold it; kUnsupported, at once when asked again, where a level cannot hold its numbers.
  Status compute(const ChunkTokens& chunk, engine::KvLevel level, const CancelToken& cancel);
  // Writes a file of the store; kNotFound, and nothing is left of it, when what it tells of was forgotten meanwhile, by
  // whatever program: forgetting wins, whichever of the two is first. kIo where the home can only be read.
  Status put(const storage::ChunkFileInfo& info, std::span<const ByteSpan> layers, size_t first_root = 0);
  // Catalogue::times_forgotten() as it was when the library was opened.
  int64_t times_forgotten() const;
  // Adds what was found, missed and evicted since the last time to the catalogue's counters; the end does it too.
  void save_counters();

  storage::ChunkStore& store();
  engine::LanguageModel& model();

 private:
  struct State;
  explicit KvLibrary(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace mneme::rag
