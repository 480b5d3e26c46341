// bench index and search: on a made-up corpus of a given number of passages, or on a folder.
#include <chrono>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/bench/bench.h"
#include "app/bench/envelope.h"
#include "app/eval/statistics.h"
#include "app/output/progress.h"
#include "app/session.h"
#include "app/temporary_folder.h"
#include "base/random.h"
#include "rag/indexing/indexer.h"
#include "rag/retrieval/retriever.h"
#include "rag/workspace.h"
#include "storage/env/file_env.h"

namespace mneme::app {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr uint64_t kSeed = 1;
constexpr int kDefaultIndexChunks = 2000;
constexpr int kDefaultSearchChunks = 20000;
constexpr int kChunksPerDocument = 10;
constexpr int kWordsPerChunk = 330;  // about 512 tokens
constexpr int kVocabulary = 40000;
constexpr int kQueries = 200;
constexpr int kQueryWords = 6;

std::string word(uint64_t index) {
  static constexpr std::string_view kConsonants = "bcdfghklmnprstvz";
  static constexpr std::string_view kVowels = "aeiou";
  std::string text;
  do {
    text += kConsonants[index % kConsonants.size()];
    index /= kConsonants.size();
    text += kVowels[index % kVowels.size()];
    index /= kVowels.size();
  } while (index > 0 || text.size() < 4);
  return text;
}

// Ranks as in language: the share of a word falls with its rank (Zipf).
std::string zipf_word(Random& random) {
  const double rank = std::exp(random.uniform() * std::log(static_cast<double>(kVocabulary)));
  return word(static_cast<uint64_t>(rank) * 7919 % 1000003);
}

std::string paragraph(Random& random, int words) {
  std::string text;
  for (int i = 0; i < words; ++i) {
    text += zipf_word(random);
    text += i % 12 == 11 ? ". " : " ";
  }
  return text;
}

Status write_corpus(const std::string& folder, int chunks) {
  Random random(kSeed);
  storage::FileEnv& env = storage::FileEnv::posix();
  MNEME_RETURN_IF_ERROR(env.make_directories(folder));
  for (int done = 0; done < chunks; done += kChunksPerDocument) {
    std::string text;
    for (int i = 0; i < kChunksPerDocument && done + i < chunks; ++i) {
      text += "# " + word(random.below(1 << 30)) + "\n\n" + paragraph(random, kWordsPerChunk) + "\n\n";
    }
    const std::string path = folder + "/" + std::to_string(done) + ".md";
    MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<storage::WritableFile> file, env.create(path));
    MNEME_RETURN_IF_ERROR(file->append(as_bytes(text)));
    MNEME_RETURN_IF_ERROR(file->close());
  }
  return {};
}

// A workspace in a home of its own, with the embedder the user chose and no language model.
Result<std::unique_ptr<rag::Workspace>> fresh_workspace(const Context& context, const std::string& home) {
  Context scratch{context.options, {.data = home, .config = home}, Output(false, Verbosity::kQuiet), context.cancel};
  scratch.options.model = "none";
  return open_workspace(scratch);
}

Result<rag::IndexReport> index_into(Context& context, rag::Workspace& workspace, const std::string& folder,
                                    Progress* bar) {
  rag::IndexOptions options;
  options.paths = {folder};
  options.kv = rag::KvPolicy::kOff;
  options.n_threads = context.options.threads;
  rag::IndexCallbacks callbacks;
  if (bar != nullptr) {
    callbacks.progress = [bar](const rag::IndexProgress& progress) {
      bar->update(progress.documents_done, progress.documents_total, "indexing");
    };
  }
  MNEME_ASSIGN_OR_RETURN(rag::IndexReport report, rag::Indexer(workspace).run(options, callbacks, context.cancel));
  if (report.interrupted) return cancelled();
  return report;
}

}  // namespace

Result<json> bench_index(Context& context, const BenchOptions& options) {
  MNEME_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::make());
  std::string corpus = options.path;
  if (corpus.empty()) {
    corpus = folder.path() + "/corpus";
    MNEME_RETURN_IF_ERROR(write_corpus(corpus, options.n_chunks(kDefaultIndexChunks)));
  }
  std::vector<double> seconds;
  std::vector<double> again_seconds;
  std::vector<double> mb_per_s;
  std::vector<double> chunks_per_s;
  rag::IndexReport last;
  Progress bar(context.output, "files");
  for (int rep = 0; rep < options.reps; ++rep) {
    const std::string home = folder.path() + "/home" + std::to_string(rep);
    MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, fresh_workspace(context, home));
    MNEME_ASSIGN_OR_RETURN(last, index_into(context, *workspace, corpus, &bar));
    seconds.push_back(last.seconds);
    mb_per_s.push_back(static_cast<double>(last.bytes) / 1e6 / last.seconds);
    chunks_per_s.push_back(static_cast<double>(last.chunks) / last.seconds);
    MNEME_ASSIGN_OR_RETURN(const rag::IndexReport again, index_into(context, *workspace, corpus, nullptr));
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

Result<json> bench_search(Context& context, const BenchOptions& options) {
  MNEME_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::make());
  const std::string corpus = folder.path() + "/corpus";
  MNEME_RETURN_IF_ERROR(write_corpus(corpus, options.n_chunks(kDefaultSearchChunks)));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace,
                         fresh_workspace(context, folder.path() + "/home"));
  Progress bar(context.output, "files");
  MNEME_ASSIGN_OR_RETURN(const rag::IndexReport report, index_into(context, *workspace, corpus, &bar));

  json results = json::array();
  rag::Retriever retriever(*workspace);
  for (const rag::SearchMethod method :
       {rag::SearchMethod::kHybrid, rag::SearchMethod::kLexical, rag::SearchMethod::kDense}) {
    rag::SearchOptions search;
    search.method = method;
    search.top_k = 10;
    std::vector<double> milliseconds;
    Random random(kSeed + 2);
    for (int query = -1; query < kQueries; ++query) {  // the first one opens what is opened at first use
      const std::string text = paragraph(random, kQueryWords);
      const Clock::time_point start = Clock::now();
      const Result<rag::SearchResult> found = retriever.search(text, search, context.cancel);
      if (!found.ok()) return found.status();
      if (query >= 0) {
        milliseconds.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
      }
    }
    results.push_back({{"method", rag::search_method_name(method)},
                       {"chunks", report.chunks},
                       {"p50_ms", quantile(milliseconds, 0.5)},
                       {"p95_ms", quantile(milliseconds, 0.95)},
                       {"recall_at_10", nullptr}});  // made-up text has no right answers: see `eval --retrieval`
  }
  return results;
}

}  // namespace mneme::app
