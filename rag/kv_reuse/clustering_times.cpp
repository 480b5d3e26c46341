#include "rag/kv_reuse/clustering_times.h"

#include "base/bytes.h"
#include "base/hash.h"
#include "engine/language_model.h"
#include "storage/env/file_env.h"
#include "storage/env/sealed_file.h"

namespace mneme::rag {
namespace {

constexpr uint64_t kMaxBytes = 4096;

}  // namespace

ClusteringTimesFile::ClusteringTimesFile(storage::FileEnv& env, const std::string& folder,
                                         const std::string& model_path)
    : env_(env), path_(folder + "/" + xxh3_128(as_bytes(model_path)).hex() + ".clustering") {}

Result<std::string> ClusteringTimesFile::load() {
  MNEME_ASSIGN_OR_RETURN(const std::vector<std::byte> bytes, storage::read_sealed(env_, path_, kMaxBytes));
  return std::string(as_text(bytes));
}

Status ClusteringTimesFile::save(std::string_view text) {
  const ByteSpan bytes = as_bytes(text);
  return storage::write_sealed(env_, path_, {bytes.begin(), bytes.end()});
}

void restore_clustering_times(engine::ClusteringProfileStore& store, engine::LanguageModel& model) {
  const Result<std::string> text = store.load();
  if (text.ok()) static_cast<void>(model.clustering_model().restore(*text));
}

void keep_clustering_times(engine::ClusteringProfileStore& store, engine::LanguageModel& model) {
  const std::string now = model.clustering_model().to_text();
  const Result<std::string> before = store.load();
  // Nothing measured, or nothing new.
  if (now == engine::ClusteringModel().to_text() || (before.ok() && *before == now)) return;
  static_cast<void>(store.save(now));
}

}  // namespace mneme::rag
