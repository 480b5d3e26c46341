#include "rag/indexing/kv_job.h"

#include <chrono>
#include <utility>
#include <vector>

#include "base/stopwatch.h"
#include "rag/kv_reuse/kv_library.h"
#include "rag/kv_reuse/speed_profile.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {
namespace {

using Clock = std::chrono::steady_clock;

class KvJob {
 public:
  KvJob(Workspace& workspace, KvLibrary& library, engine::KvLevel level, const KvCallbacks& callbacks,
        const CancelToken& cancel)
      : workspace_(workspace), library_(library), level_(level), callbacks_(callbacks), cancel_(cancel) {}

  Result<KvReport> run(const std::string& collection) {
    MNEME_RETURN_IF_ERROR(library_.codec(level_, cancel_).status());  // calibrates now, outside the measured rate
    MNEME_RETURN_IF_ERROR(count(collection));
    MNEME_RETURN_IF_ERROR(tell_estimate());
    begin_ = Clock::now();
    for (const storage::ChunkId id : missing_) {
      MNEME_RETURN_IF_ERROR(compute(id));
      if (report_.interrupted || report_.quota_reached) break;
    }
    report_.seconds = seconds_since(begin_);
    MNEME_ASSIGN_OR_RETURN(const storage::ChunkStoreMeter meter, library_.store().meter());
    report_.bytes = meter.bytes;
    return report_;
  }

 private:
  Status count(const std::string& collection) {
    storage::Catalogue& catalogue = workspace_.catalogue();
    MNEME_ASSIGN_OR_RETURN(const storage::CollectionRecord record, catalogue.find_collection(collection));
    return catalogue.for_each_chunk(record.id, storage::ChunkId{0}, [&](const storage::ChunkRecord& chunk) {
      const ChunkTokens tokens = library_.tokens_of(chunk.text);
      if (tokens.ids.empty()) return true;
      if (library_.complete(tokens, level_)) {
        ++report_.already_stored;
      } else {
        missing_.push_back(chunk.id);
        missing_tokens_ += static_cast<int64_t>(tokens.ids.size());
      }
      return !cancel_.cancelled();
    });
  }

  Status compute(storage::ChunkId id) {
    const Result<storage::ChunkRecord> chunk = workspace_.catalogue().chunk(id);
    if (chunk.status().code() == StatusCode::kNotFound) return {};  // its document was removed meanwhile
    if (!chunk.ok()) return chunk.status();
    const ChunkTokens tokens = library_.tokens_of(chunk->text);
    const Status status = library_.compute(tokens, level_, cancel_);
    if (status.code() == StatusCode::kNotFound) return {};  // or forgotten
    report_.interrupted = status.code() == StatusCode::kCancelled;
    report_.quota_reached = status.code() == StatusCode::kNoSpace;
    if (report_.interrupted || report_.quota_reached) return {};
    MNEME_RETURN_IF_ERROR(status);
    ++report_.computed;
    report_.tokens += static_cast<int64_t>(tokens.ids.size());
    return tell();
  }

  Status tell_estimate() {
    if (missing_.empty() || !callbacks_.estimated) return {};
    // Interrupted, or a context too short to measure in: there is no estimate then, and the work itself will tell.
    if (!library_.speed().prepare(cancel_).ok()) return {};
    const auto n = static_cast<int64_t>(missing_.size());
    MNEME_ASSIGN_OR_RETURN(const KvLibrary::Estimate estimate,
                           library_.estimate(missing_tokens_, missing_tokens_ / n, level_));
    MNEME_ASSIGN_OR_RETURN(const storage::ChunkStoreMeter meter, library_.store().meter());
    callbacks_.estimated(
        {n, report_.already_stored, missing_tokens_, estimate.bytes, estimate.seconds, meter.quota_bytes});
    return {};
  }

  Status tell() {
    const int64_t total = static_cast<int64_t>(missing_.size());
    if (callbacks_.progress) callbacks_.progress({report_.computed, total, seconds_since(begin_)});
    MNEME_ASSIGN_OR_RETURN(const storage::ChunkStoreMeter meter, library_.store().meter());
    const double bytes_per_chunk =
        static_cast<double>(meter.bytes) / static_cast<double>(std::max<int64_t>(meter.chunks, 1));
    // Going on with a full store would evict what this very job computed.
    report_.quota_reached = static_cast<double>(meter.bytes) + bytes_per_chunk > static_cast<double>(meter.quota_bytes);
    return {};
  }

  Workspace& workspace_;
  KvLibrary& library_;
  const engine::KvLevel level_;
  const KvCallbacks& callbacks_;
  const CancelToken& cancel_;
  std::vector<storage::ChunkId> missing_;
  int64_t missing_tokens_ = 0;
  Clock::time_point begin_;
  KvReport report_;
};

}  // namespace

Result<KvReport> compute_collection_kv(Workspace& workspace, const std::string& collection, engine::KvLevel level,
                                       const KvCallbacks& callbacks, const CancelToken& cancel) {
  MNEME_RETURN_IF_ERROR(workspace.catalogue().writable());
  MNEME_ASSIGN_OR_RETURN(const Workspace::Kv kv, workspace.kv());
  return KvJob(workspace, *kv.library, level, callbacks, cancel).run(collection);
}

}  // namespace mneme::rag
