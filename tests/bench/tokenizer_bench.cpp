// Bytes of text encoded per second: English-like text of words by Zipf's law, vocabularies that know those words. With
// MNEME_BENCH_MODEL set to a GGUF file, its tokenizer on the text file MNEME_BENCH_TEXT instead.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "base/random.h"
#include "engine/gguf/gguf_file.h"
#include "engine/tokenizer/chat_template.h"
#include "tests/unit/tokenizer/vocabularies.h"

namespace mneme::engine {
namespace {

std::vector<std::string> make_words(int count) {
  Random random(1);
  std::vector<std::string> words;
  for (int i = 0; i < count; ++i) {
    std::string word;
    for (uint64_t n = 1 + random.below(3) + (i > 100 ? random.below(3) : 0); n > 0; --n) {
      word += "tnsrhldcmfpgwybvk"[random.below(17)];
      word += "eaoiu"[random.below(5)];
    }
    words.push_back(word);
  }
  return words;
}

std::string make_text(size_t bytes) {
  const std::vector<std::string> words = make_words(20000);
  Random random(2);
  std::string text;
  while (text.size() < bytes) {
    const auto rank = static_cast<size_t>(std::exp(random.uniform() * std::log(20000.0))) - 1;
    text += words[std::min(rank, words.size() - 1)];
    text += random.below(12) == 0 ? ".\n" : " ";
  }
  return text;
}

std::unique_ptr<Tokenizer> make_bpe(const char* pre) {
  std::vector<std::pair<std::string, std::string>> merges;
  std::vector<std::string> known;
  for (const std::string& word : make_words(6000)) {
    std::string left = " ";
    for (const char c : word) {
      if (std::find(known.begin(), known.end(), left + c) == known.end()) {
        merges.emplace_back(left, std::string(1, c));
        known.push_back(left + c);
      }
      left += c;
    }
    if (known.size() > 8000) break;
  }
  return testing::make(testing::bpe_vocabulary(pre, merges));
}

void run(benchmark::State& state, const Tokenizer& tokenizer, const std::string& text, size_t piece) {
  for (auto _ : state) {
    for (size_t at = 0; at < text.size(); at += piece) {
      benchmark::DoNotOptimize(tokenizer.encode(std::string_view(text).substr(at, piece)));
    }
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
}

void encode_bpe(benchmark::State& state) {
  const auto tokenizer = make_bpe("llama-bpe");
  run(state, *tokenizer, make_text(1 << 20), static_cast<size_t>(state.range(0)));
}
BENCHMARK(encode_bpe)->Arg(2048)->Arg(1 << 20)->Unit(benchmark::kMillisecond);

void encode_sentencepiece(benchmark::State& state) {
  std::vector<std::string> pieces;
  for (const std::string& word : make_words(3000)) {
    std::string left = "▁";
    for (const char c : word) pieces.push_back(left += c);
  }
  const auto tokenizer = testing::make(testing::sentencepiece_vocabulary(pieces));
  run(state, *tokenizer, make_text(1 << 20), static_cast<size_t>(state.range(0)));
}
BENCHMARK(encode_sentencepiece)->Arg(2048)->Arg(1 << 20)->Unit(benchmark::kMillisecond);

void encode_model(benchmark::State& state) {
  const char* model = std::getenv("MNEME_BENCH_MODEL");
  const char* path = std::getenv("MNEME_BENCH_TEXT");
  if (model == nullptr || path == nullptr)
    return state.SkipWithError("MNEME_BENCH_MODEL and MNEME_BENCH_TEXT are not set");
  const auto file = gguf::GgufFile::open(model);
  if (!file.ok()) return state.SkipWithError(file.status().message().c_str());
  const auto tokenizer = Tokenizer::open(*file);
  if (!tokenizer.ok()) return state.SkipWithError(tokenizer.status().message().c_str());
  std::ifstream stream(path, std::ios::binary);
  run(state, **tokenizer, std::string(std::istreambuf_iterator<char>(stream), {}), static_cast<size_t>(state.range(0)));
}
BENCHMARK(encode_model)->Arg(2048)->Arg(1 << 20)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace mneme::engine
