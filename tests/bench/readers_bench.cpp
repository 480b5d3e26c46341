// Reading and chunking speed on made text, and on the corpora of MNEME_SHARED_DATA when it is set (one benchmark per
// folder below corpora/). Bytes per second are those of the files.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/random.h"
#include "rag/chunking/chunker.h"
#include "rag/readers/reader.h"

namespace {

using mneme::Status;

std::string made_markdown(size_t bytes) {
  mneme::Random random(1);
  std::string text;
  while (text.size() < bytes) {
    if (random.below(12) == 0) text += "\n\n## Section " + std::to_string(random.below(1000)) + "\n\n";
    const uint64_t words = 5 + random.below(20);
    for (uint64_t w = 0; w < words; ++w) {
      for (uint64_t l = 2 + random.below(8); l > 0; --l) text.push_back(static_cast<char>('a' + random.below(26)));
      text.push_back(' ');
    }
    text += random.below(5) == 0 ? ".\n\n" : ". ";
  }
  return text;
}

void read_and_chunk(benchmark::State& state, const char* name) {
  const std::string text = made_markdown(4 << 20);
  for (auto _ : state) {
    const auto document = mneme::readers::read_document(name, mneme::as_bytes(text));
    benchmark::DoNotOptimize(mneme::chunking::chunk_document(*document));
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
}
BENCHMARK_CAPTURE(read_and_chunk, markdown, "a.md");
BENCHMARK_CAPTURE(read_and_chunk, text, "a.txt");
BENCHMARK_CAPTURE(read_and_chunk, rst, "a.rst");
BENCHMARK_CAPTURE(read_and_chunk, source, "a.py");

void read_folder(benchmark::State& state, const std::filesystem::path& folder) {
  std::vector<std::string> paths;
  int64_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    paths.push_back(entry.path());
    bytes += static_cast<int64_t>(entry.file_size());
  }
  size_t documents = 0;
  size_t failures = 0;
  size_t chunks = 0;
  for (auto _ : state) {
    documents = failures = chunks = 0;
    for (const std::string& path : paths) {
      const Status status = mneme::readers::read_file(path, {}, [&](mneme::readers::ReadItem item) {
        if (!item.status.ok()) {
          ++failures;
          return Status();
        }
        ++documents;
        chunks += mneme::chunking::chunk_document(item.document).size();
        return Status();
      });
      failures += !status.ok();
    }
  }
  state.SetBytesProcessed(state.iterations() * bytes);
  state.counters["documents"] = static_cast<double>(documents);
  state.counters["failures"] = static_cast<double>(failures);
  state.counters["chunks"] = static_cast<double>(chunks);
}

const bool kCorporaRegistered = [] {
  const char* data = std::getenv("MNEME_SHARED_DATA");
  if (data == nullptr) return false;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(data) / "corpora", error)) {
    const std::filesystem::path folder = entry.path();
    benchmark::RegisterBenchmark(("read_folder/" + folder.filename().string()).c_str(), [folder](
                                                                                            benchmark::State& state) {
      read_folder(state, folder);
    })->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
