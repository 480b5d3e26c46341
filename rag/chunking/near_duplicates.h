// Texts that are nearly the same, and paragraphs that stand in many (licences, notices, signatures).
// Method: MinHash over word triples with one permutation (Broder 1997; Li, Owen and Zhang 2012), found through bands
// (locality-sensitive hashing). Deterministic. Threads: NearDuplicates and RepeatedParagraphs by one thread at a time;
// the free functions are pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mneme::chunking {

// Case, punctuation and white space make no difference; characters of CJK scripts count as words.
struct TextSignature {
  std::array<uint32_t, 64> minima;
  uint32_t words = 0;
};
TextSignature make_signature(std::string_view text);

// Estimated share of common word triples (Jaccard), 0 to 1; standard error about 0.06. Texts of fewer than eight words
// are never similar.
double similarity(const TextSignature& a, const TextSignature& b);

// Finds, for each text added, an earlier one that it nearly equals. Memory: about 500 bytes per text.
class NearDuplicates {
 public:
  explicit NearDuplicates(double threshold = 0.85) : threshold_(threshold) {}

  // The id of the most similar earlier text at or above the threshold; nothing when the text is new. Either way the
  // text is known afterwards.
  std::optional<uint64_t> add(uint64_t id, std::string_view text);

 private:
  static constexpr size_t kBands = 16;
  static constexpr size_t kRows = 4;  // minima per band; kBands * kRows = all of them

  double threshold_;
  struct Entry {
    uint64_t id;
    TextSignature signature;
  };
  std::vector<Entry> entries_;
  std::unordered_map<uint64_t, std::vector<uint32_t>> bands_;  // band hash to indices of entries
};

// The paragraphs of a passage: what blank lines part.
std::vector<std::string_view> paragraphs_of(std::string_view passage);

// Counts in how many passages each paragraph stands. Those of fewer than eight words are no repetition.
class RepeatedParagraphs {
 public:
  void add(std::string_view passage);
  // Passages so far that have this paragraph.
  uint32_t passages_with(std::string_view paragraph) const;

 private:
  std::unordered_map<uint64_t, uint32_t> counts_;
};

}  // namespace mneme::chunking
