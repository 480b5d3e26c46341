// Keeps what a model has learnt about its clustering and prefill times (engine/pq/clustering_model.h) in the home, a
// small file of text and a checksum per model file, so that the next run knows how many iterations fit. Losing it costs
// nothing but that.
// Threads: one object per thread.
#pragma once

#include <string>

#include "engine/pq/clustering_model.h"

namespace mneme::engine {
class LanguageModel;
}
namespace mneme::storage {
class FileEnv;
}

namespace mneme::rag {

class ClusteringTimesFile final : public engine::ClusteringProfileStore {
 public:
  // One file in `folder` for each path of a model.
  ClusteringTimesFile(storage::FileEnv& env, const std::string& folder, const std::string& model_path);
  Result<std::string> load() override;
  Status save(std::string_view text) override;

 private:
  storage::FileEnv& env_;
  const std::string path_;
};

// Damaged or absent times are as good as none.
void restore_clustering_times(engine::ClusteringProfileStore& store, engine::LanguageModel& model);
// Writes them when they have changed since; failures are of no consequence.
void keep_clustering_times(engine::ClusteringProfileStore& store, engine::LanguageModel& model);

}  // namespace mneme::rag
