#include "app/commands/kv_status.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"
#include "storage/home.h"

namespace mneme::app {
namespace {

constexpr uint64_t kQuotaLimitBytes = uint64_t{20} * 1000 * 1000 * 1000;

// The default quota: the smaller of 20 GB and a tenth of the free space (interface contract).
std::optional<uint64_t> default_quota(rag::Workspace& workspace, uint64_t used) {
  const Result<uint64_t> free = workspace.env().free_bytes(workspace.options().home);
  if (!free.ok()) return std::nullopt;
  return std::min(kQuotaLimitBytes, (*free + used) / 10);
}

void count_files(const std::string& folder, KvStatus& status) {
  namespace fs = std::filesystem;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (it->path().extension() != ".kv" || !it->is_regular_file(ignored)) continue;
    ++status.chunks;
    const uint64_t size = it->file_size(ignored);
    if (!ignored) status.bytes += size;
  }
}

}  // namespace

Result<KvStatus> kv_status(rag::Workspace& workspace) {
  KvStatus status;
  storage::Catalogue& catalogue = workspace.catalogue();
  count_files(storage::Home{workspace.options().home}.kv_folder(), status);
  status.quota_bytes = default_quota(workspace, status.bytes);
  MNEME_ASSIGN_OR_RETURN(status.hits, catalogue.counter("kv.hits"));
  MNEME_ASSIGN_OR_RETURN(status.misses, catalogue.counter("kv.misses"));
  MNEME_ASSIGN_OR_RETURN(status.evictions, catalogue.counter("kv.evictions"));
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::JobCounts> jobs, catalogue.job_counts());
  for (const storage::JobCounts& job : jobs) {
    if (job.kind == "kv") status.pending = job.pending;
  }
  return status;
}

nlohmann::json kv_json(const KvStatus& status) {
  nlohmann::json object = {{"bytes", status.bytes},        {"quota_bytes", nullptr}, {"chunks", status.chunks},
                           {"pending", status.pending},    {"hits", status.hits},    {"misses", status.misses},
                           {"evictions", status.evictions}};
  if (status.quota_bytes) object["quota_bytes"] = *status.quota_bytes;
  return object;
}

}  // namespace mneme::app
