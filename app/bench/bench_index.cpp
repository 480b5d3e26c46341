// bench index: on a made-up corpus of a given number of passages, or on a folder.
#include <nlohmann/json.hpp>

#include "app/bench/bench.h"
#include "app/bench/synthetic_corpus.h"
#include "app/measure/envelope.h"
#include "app/measure/statistics.h"
#include "app/temporary_folder.h"

namespace mneme::app {
namespace {

using nlohmann::json;

constexpr uint64_t kSeed = 1;
constexpr int kDefaultChunks = 2000;

}  // namespace

Result<json> bench_index(Context& context, const BenchOptions& options) {
  MNEME_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::make());
  std::string corpus = options.path;
  if (corpus.empty()) {
    corpus = folder.path() + "/corpus";
    const int chunks = options.n_chunks(kDefaultChunks);
    MNEME_RETURN_IF_ERROR(write_synthetic_corpus(corpus, chunks, kSeed));
  }
  std::vector<double> seconds;
  std::vector<double> again_seconds;
  std::vector<double> mb_per_s;
  std::vector<double> chunks_per_s;
  rag::IndexReport last;
  Progress bar(context.output, "files");
  for (int rep = 0; rep < options.reps; ++rep) {
    const std::string home = folder.path() + "/home" + std::to_string(rep);
    MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, bench_workspace(context, home));
    MNEME_ASSIGN_OR_RETURN(last, bench_index_folder(context, *workspace, corpus, &bar));
    seconds.push_back(last.seconds);
    mb_per_s.push_back(static_cast<double>(last.bytes) / 1e6 / last.seconds);
    chunks_per_s.push_back(static_cast<double>(last.chunks) / last.seconds);
    MNEME_ASSIGN_OR_RETURN(const rag::IndexReport again, bench_index_folder(context, *workspace, corpus, nullptr));
    again_seconds.push_back(again.seconds);
  }
  return json::array({{{"documents", last.documents},
                       {"chunks", last.chunks},
                       {"bytes", last.bytes},
                       {"failed", last.failed.size()},
                       {"mb_per_s", spread_of(mb_per_s).median},
                       {"chunks_per_s", spread_of(chunks_per_s).median},
                       {"seconds", spread_json(seconds)},
                       {"unchanged_seconds", spread_json(again_seconds)}}});
}

}  // namespace mneme::app
