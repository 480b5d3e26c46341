// bench watch: how long after a file is saved its new words are found, among many files under --watch.
#include <atomic>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/bench/bench.h"
#include "app/bench/synthetic_corpus.h"
#include "app/measure/envelope.h"
#include "app/temporary_folder.h"
#include "base/stopwatch.h"
#include "rag/retrieval/retriever.h"
#include "storage/env/file_env.h"

namespace mneme::app {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr uint64_t kSeed = 1;
constexpr int kDefaultFiles = 12800;
constexpr int kWordsPerFile = 300;
constexpr int kFilesPerFolder = 200;
constexpr std::chrono::milliseconds kLook{10};
constexpr std::chrono::seconds kPatience{30};

std::string file_name(const std::string& folder, int i) {
  return folder + "/" + std::to_string(i / kFilesPerFolder) + "/" + std::to_string(i) + ".txt";
}

Status write_files(const std::string& folder, int files) {
  Random random(kSeed);
  for (int i = 0; i < files; ++i) {
    if (i % kFilesPerFolder == 0) {
      MNEME_RETURN_IF_ERROR(
          storage::FileEnv::posix().make_directories(folder + "/" + std::to_string(i / kFilesPerFolder)));
    }
    std::ofstream(file_name(folder, i)) << synthetic_text(random, kWordsPerFile);
  }
  return {};
}

// Adds a word that occurs nowhere else to a file and waits until it is found.
Result<double> one_edit(Context& context, rag::Workspace& workspace, const std::string& path, int number) {
  const std::string word = "zzedit" + std::to_string(number) + "x";
  rag::Retriever retriever(workspace);
  rag::SearchOptions search;
  search.method = rag::SearchMethod::kLexical;
  std::ofstream(path, std::ios::app) << "\n" << word << ".\n";
  const Clock::time_point start = Clock::now();
  while (Clock::now() - start < kPatience) {
    MNEME_ASSIGN_OR_RETURN(const rag::SearchResult found, retriever.search(word, search, context.cancel));
    if (!found.hits.empty()) return milliseconds_since(start);
    if (context.cancel.cancelled()) return cancelled();
    std::this_thread::sleep_for(kLook);
  }
  return Status{StatusCode::kBusy, "the edited file " + path + " was not found within 30 seconds"};
}

}  // namespace

Result<json> bench_watch(Context& context, const BenchOptions& options) {
  MNEME_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::make());
  const std::string documents = folder.path() + "/documents";
  const int files = options.n_chunks(kDefaultFiles);
  MNEME_RETURN_IF_ERROR(write_files(documents, files));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace,
                         bench_workspace(context, folder.path() + "/home"));
  rag::IndexOptions index;
  index.paths = {documents};
  index.kv = rag::KvPolicy::kOff;
  index.n_threads = context.options.threads;
  std::atomic<int> runs{0};
  std::atomic<double> first_seconds{0};
  CancelToken stop;
  Status watched;
  std::thread watcher([&] {
    watched = rag::Indexer(*workspace)
                  .watch(
                      index, {},
                      [&](const rag::IndexReport& report) {
                        if (runs == 0) first_seconds = report.seconds;
                        ++runs;
                      },
                      stop);
  });
  while (runs == 0 && !context.cancel.cancelled()) std::this_thread::sleep_for(kLook);
  std::vector<double> milliseconds;
  Status status;
  Random random(kSeed + 1);
  for (int rep = 0; rep < options.reps && status.ok() && !context.cancel.cancelled(); ++rep) {
    const int file = static_cast<int>(random.below(static_cast<uint64_t>(files)));
    const Result<double> took = one_edit(context, *workspace, file_name(documents, file), rep);
    status = took.status();
    if (took.ok()) milliseconds.push_back(*took);
  }
  stop.cancel();
  watcher.join();
  MNEME_RETURN_IF_ERROR(watched);
  MNEME_RETURN_IF_ERROR(status);
  if (context.cancel.cancelled()) return cancelled();
  return json::array({{{"files", files},
                       {"first_index_seconds", first_seconds.load()},
                       {"edit_to_found_ms", spread_json(milliseconds)}}});
}

}  // namespace mneme::app
