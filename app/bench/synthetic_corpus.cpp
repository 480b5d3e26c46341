#include "app/bench/synthetic_corpus.h"

#include <array>
#include <cmath>

#include "app/scratch_context.h"
#include "app/session.h"
#include "storage/env/file_env.h"

namespace mneme::app {
namespace {

constexpr int kChunksPerDocument = 10;
constexpr int kDocumentsPerFolder = 1000;
constexpr int kWordsPerChunk = 330;  // about 512 tokens
constexpr int kWordsPerSentence = 12;
constexpr int kVocabulary = 40000;
constexpr const char* kSizeFile = ".chunks";  // hidden, so never indexed

constexpr std::array<std::string_view, 30> kCommonest = {
    "the", "of",  "and", "to", "in",   "a",   "is", "that", "for",  "it", "as",    "was", "with", "be", "by",
    "on",  "not", "he",  "i",  "this", "are", "or", "his",  "from", "at", "which", "but", "have", "an", "had"};

std::string made_up_word(uint64_t index) {
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

// The share of a word falls with its rank (Zipf).
std::string zipf_word(Random& random) {
  const double rank = std::exp(random.uniform() * std::log(static_cast<double>(kVocabulary)));
  const auto place = static_cast<uint64_t>(rank) - 1;
  if (place < kCommonest.size()) return std::string(kCommonest[place]);
  return made_up_word(place * 7919 % 1000003);
}

Status write_file(const std::string& path, std::string_view text) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<storage::WritableFile> file, storage::FileEnv::posix().create(path));
  MNEME_RETURN_IF_ERROR(file->append(as_bytes(text)));
  return file->close();
}

}  // namespace

std::string synthetic_text(Random& random, int words) {
  std::string text;
  for (int i = 0; i < words; ++i) {
    text += zipf_word(random);
    text += i % kWordsPerSentence == kWordsPerSentence - 1 ? ". " : " ";
  }
  return text;
}

Status write_synthetic_corpus(const std::string& folder, int chunks, uint64_t seed) {
  storage::FileEnv& env = storage::FileEnv::posix();
  const std::string size_file = folder + "/" + kSizeFile;
  if (const auto known = storage::read_whole(env, size_file, 64); known.ok()) {
    if (as_text(*known) == std::to_string(chunks)) return {};
    return usage_error(folder + " holds a corpus of " + std::string(as_text(*known)) + " passages, not " +
                       std::to_string(chunks) + "; name another folder.");
  }
  Random random(seed);
  std::string below;
  for (int done = 0; done < chunks; done += kChunksPerDocument) {
    const int document = done / kChunksPerDocument;
    if (document % kDocumentsPerFolder == 0) {
      below = folder + "/" + std::to_string(document / kDocumentsPerFolder);
      MNEME_RETURN_IF_ERROR(env.make_directories(below));
    }
    std::string text;
    for (int i = 0; i < kChunksPerDocument && done + i < chunks; ++i) {
      text += "# " + made_up_word(random.below(1 << 30)) + "\n\n" + synthetic_text(random, kWordsPerChunk) + "\n\n";
    }
    MNEME_RETURN_IF_ERROR(write_file(below + "/" + std::to_string(document) + ".md", text));
  }
  return write_file(size_file, std::to_string(chunks));
}

Result<std::unique_ptr<rag::Workspace>> bench_workspace(const Context& context, const std::string& home) {
  Context scratch = scratch_context(context, home);
  scratch.options.model = "none";
  return open_workspace(scratch);
}

Result<rag::IndexReport> bench_index_folder(Context& context, rag::Workspace& workspace, const std::string& folder,
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

}  // namespace mneme::app
