// Round trips over real texts. MNEME_SHARED_DATA names a folder with corpora/; without it these tests skip.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/random.h"
#include "tests/unit/tokenizer/vocabularies.h"

namespace mneme::engine {
namespace {

using testing::bpe_vocabulary;
using testing::make;
using testing::sentencepiece_vocabulary;

constexpr uintmax_t kLargestFile = 4u << 20;

// Calls check(path, bytes) for every regular file below corpora/; how many there were.
template <typename Check>
int for_each_text(const Check& check) {
  const char* root = std::getenv("MNEME_SHARED_DATA");
  if (root == nullptr) return 0;
  int count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::filesystem::path(root) / "corpora")) {
    if (!entry.is_regular_file() || entry.file_size() > kLargestFile) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    check(entry.path().string(), std::string(std::istreambuf_iterator<char>(file), {}));
    ++count;
  }
  return count;
}

std::vector<std::pair<std::string, std::string>> english_merges() {
  std::vector<std::pair<std::string, std::string>> merges;
  for (const char* word : {"the", "and", "ing", "er", "on", "re", "at", "ou", "in", " t", " a", " the", "\n\n"}) {
    std::string left(1, word[0]);
    for (const char* c = word + 1; *c; ++c) {
      if (std::find(merges.begin(), merges.end(), std::pair(left, std::string(1, *c))) == merges.end()) {
        merges.emplace_back(left, std::string(1, *c));
      }
      left += *c;
    }
  }
  return merges;
}

TEST(Corpora, ByteLevelBpeRoundTrips) {
  std::vector<std::unique_ptr<Tokenizer>> tokenizers;
  for (const char* pre : {"gpt-2", "llama-bpe", "qwen2", "smollm", "tekken", "gpt-4o", "deepseek-v3", "falcon"}) {
    tokenizers.push_back(make(bpe_vocabulary(pre, english_merges())));
  }
  size_t turn = 0;
  const int count = for_each_text([&](const std::string& path, const std::string& text) {
    const Tokenizer& tokenizer = *tokenizers[turn++ % tokenizers.size()];
    EXPECT_TRUE(tokenizer.decode(tokenizer.encode(text)) == text) << path;
  });
  if (count == 0) GTEST_SKIP() << "MNEME_SHARED_DATA is not set";
}

TEST(Corpora, SentencePieceRoundTrips) {
  const auto tokenizer = make(sentencepiece_vocabulary({"▁", "▁t", "▁a", "▁th", "▁the", "t", "h", "e", "a", "n", "d"}));
  const int count = for_each_text([&](const std::string& path, const std::string& text) {
    // U+2581 is SentencePiece's own spelling of a space and comes back as one.
    if (text.find("▁") != std::string::npos) return;
    EXPECT_TRUE(tokenizer->decode(tokenizer->encode(text)) == text) << path;
  });
  if (count == 0) GTEST_SKIP() << "MNEME_SHARED_DATA is not set";
}

}  // namespace
}  // namespace mneme::engine
