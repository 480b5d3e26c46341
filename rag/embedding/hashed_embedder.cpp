#include "rag/embedding/hashed_embedder.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

#include "base/hash.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

// Bumped whenever a vector would come out differently.
constexpr int kVersion = 2;
constexpr int kSignsPerFeature = 4;  // coordinates one feature lands on
constexpr size_t kMaxWordBytes = 48;

uint64_t mix(uint64_t x) {  // splitmix64's finaliser
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

uint64_t hash_bytes(std::string_view bytes) {
  uint64_t hash = 0x9e3779b97f4a7c15ull ^ bytes.size();
  while (bytes.size() >= 8) {
    uint64_t word;
    std::memcpy(&word, bytes.data(), 8);
    hash = mix(hash ^ word);
    bytes.remove_prefix(8);
  }
  uint64_t word = 0;
  if (!bytes.empty()) std::memcpy(&word, bytes.data(), bytes.size());
  return mix(hash ^ word);
}

void add_feature(uint64_t hash, float weight, std::span<float> out) {
  for (int i = 0; i < kSignsPerFeature; ++i) {
    const uint64_t bits = hash >> (16 * i);
    const size_t coordinate = ((bits & 0x7fff) * out.size()) >> 15;
    out[coordinate] += (bits & 0x8000) ? weight : -weight;
  }
}

// Without a corpus at hand, rarity is guessed: short words are common, digits and long words tell more.
float word_weight(const std::string_view word, bool pair, bool stop) {
  if (stop) return 0.05f;
  if (pair) return word.size() <= 3 ? 0.3f : 1.0f;  // a character alone, or two
  if (word.size() <= 2) return 0.3f;
  return std::min(1.0f, 0.4f + 0.1f * static_cast<float>(word.size()));
}

// Distinct words of a text with their counts: open addressing, reused from text to text.
class WordCounts {
 public:
  struct Entry {
    uint64_t hash = 0;
    uint32_t count = 0;
    bool pair = false;
    std::string word;
  };

  void clear() {
    for (const uint32_t slot : used_) slots_[slot] = 0;
    used_.clear();
    n_entries_ = 0;
  }
  void add(std::string_view word, bool pair) {
    if (n_entries_ * 2 >= slots_.size()) grow();
    const uint64_t hash = hash_bytes(word);
    size_t slot = hash & (slots_.size() - 1);
    while (slots_[slot] != 0) {
      Entry& entry = entries_[slots_[slot] - 1];
      if (entry.hash == hash) {
        ++entry.count;
        return;
      }
      slot = (slot + 1) & (slots_.size() - 1);
    }
    if (n_entries_ == entries_.size()) entries_.emplace_back();
    Entry& entry = entries_[n_entries_++];
    entry.hash = hash;
    entry.count = 1;
    entry.pair = pair;
    entry.word.assign(word);
    slots_[slot] = static_cast<uint32_t>(n_entries_);
    used_.push_back(static_cast<uint32_t>(slot));
  }
  std::span<const Entry> entries() const { return {entries_.data(), n_entries_}; }

 private:
  void grow() {
    std::vector<uint32_t> larger(slots_.size() * 2);
    used_.clear();
    for (size_t i = 0; i < n_entries_; ++i) {
      size_t slot = entries_[i].hash & (larger.size() - 1);
      while (larger[slot] != 0) slot = (slot + 1) & (larger.size() - 1);
      larger[slot] = static_cast<uint32_t>(i + 1);
      used_.push_back(static_cast<uint32_t>(slot));
    }
    slots_.swap(larger);
  }

  std::vector<uint32_t> slots_ = std::vector<uint32_t>(2048);  // entry index + 1; 0: free
  std::vector<uint32_t> used_;
  std::vector<Entry> entries_;
  size_t n_entries_ = 0;
};

// N-grams of a word with its borders marked, so that inflected and misspelt forms share most of their features.
void add_word(const WordCounts::Entry& entry, float weight, std::span<float> out) {
  add_feature(entry.hash, weight, out);
  if (entry.pair || entry.word.size() < 4) return;
  const std::string_view stem = english_stem_of(entry.word);
  add_feature(mix(hash_bytes(stem) + 1), weight, out);
  char bordered[kMaxWordBytes + 2];
  const size_t length = std::min(entry.word.size(), kMaxWordBytes);
  bordered[0] = '<';
  std::copy_n(entry.word.begin(), length, bordered + 1);
  bordered[length + 1] = '>';
  constexpr size_t kGram = 4;
  const size_t n_grams = length + 2 - kGram + 1;
  const float gram_weight = weight * 0.8f / std::sqrt(static_cast<float>(n_grams));
  for (size_t i = 0; i < n_grams; ++i) {
    uint32_t gram;
    std::memcpy(&gram, bordered + i, kGram);
    add_feature(mix(gram * 0x9e3779b97f4a7c15ull), gram_weight, out);
  }
}

}  // namespace

HashedEmbedder::HashedEmbedder(int dim)
    : dim_(dim), identity_("hashed-" + std::to_string(kVersion) + "-" + std::to_string(dim)) {
  assert(dim > 0 && dim <= 32768);
}

Status HashedEmbedder::embed(std::span<const std::string_view> texts, EmbedKind kind, std::span<float> out) const {
  assert(out.size() == texts.size() * static_cast<size_t>(dim_));
  for (size_t i = 0; i < texts.size(); ++i) embed_one(texts[i], kind, out.subspan(i * dim_, dim_));
  return {};
}

void HashedEmbedder::embed_one(std::string_view text, EmbedKind kind, std::span<float> out) const {
  thread_local WordCounts counts;
  counts.clear();
  std::fill(out.begin(), out.end(), 0.0f);
  WordScanner scanner(text);
  Word word;
  while (scanner.next(word)) counts.add(word.text.substr(0, kMaxWordBytes), word.pair);
  for (const WordCounts::Entry& entry : counts.entries()) {
    const float weight = word_weight(entry.word, entry.pair, is_stop_word(entry.word));
    const float count = static_cast<float>(entry.count);
    const float saturated = kind == EmbedKind::kQuery ? 1.0f : 2.0f * count / (count + 1.0f);
    add_word(entry, weight * saturated, out);
  }
  double norm = 0.0;
  for (const float x : out) norm += double{x} * x;
  if (norm <= 0.0) return;
  const float scale = static_cast<float>(1.0 / std::sqrt(norm));
  for (float& x : out) x *= scale;
}

}  // namespace mneme::rag
