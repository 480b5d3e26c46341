#include "rag/chunking/near_duplicates.h"

#include <algorithm>
#include <unordered_set>

#include "base/hash.h"
#include "base/utf8.h"

namespace mneme::chunking {
namespace {

constexpr uint32_t kEmpty = UINT32_MAX;
constexpr uint32_t kFewestWords = 8;

uint64_t mix(uint64_t h) {
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccdULL;
  h ^= h >> 33;
  h *= 0xc4ceb9fe1a85ec53ULL;
  return h ^ (h >> 33);
}

bool is_wide(char32_t c) {
  return (c >= 0x2e80 && c < 0xd7b0) || (c >= 0xf900 && c < 0xfb00) || (c >= 0x20000 && c < 0x30000);
}

// Spaces and punctuation outside ASCII.
bool is_separator(char32_t c) {
  return c == 0xa0 || (c >= 0x2000 && c < 0x2070) || (c >= 0x3000 && c < 0x3040) || (c >= 0xff00 && c < 0xff10) ||
         (c >= 0xff1a && c < 0xff20);
}

bool is_word_byte(unsigned char c) {
  return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c >= 0x80;
}

// Calls visit(hash) for each word in lower case (ASCII only), each wide character being one.
template <typename Visit>
void for_words(std::string_view text, const Visit& visit) {
  uint64_t word = 0;
  bool open = false;
  const auto close = [&] {
    if (open) visit(mix(word));
    word = 0;
    open = false;
  };
  for (size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (!is_word_byte(byte)) {
      close();
      ++i;
      continue;
    }
    const char32_t c = utf8::next(text, i);
    if (is_separator(c)) {
      close();
      continue;
    }
    if (is_wide(c)) {
      close();
      visit(mix(c));
      continue;
    }
    const char32_t lower = c >= 'A' && c <= 'Z' ? c + 32 : c;
    word = word * 0x100000001b3ULL + lower + 1;
    open = true;
  }
  close();
}

// Nothing for texts too short to be called the same.
std::optional<uint64_t> hash_of_words(std::string_view text) {
  uint64_t hash = 0;
  uint32_t n_words = 0;
  for_words(text, [&](uint64_t word) {
    hash = mix(hash * 31 + word);
    ++n_words;
  });
  return n_words >= kFewestWords ? std::optional(hash) : std::nullopt;
}

}  // namespace

TextSignature make_signature(std::string_view text) {
  TextSignature signature;
  signature.minima.fill(kEmpty);
  uint64_t before = 0;
  uint64_t last = 0;
  for_words(text, [&](uint64_t word) {
    ++signature.words;
    const uint64_t triple = mix(before * 3 + last * 5 + word * 7);
    before = last;
    last = word;
    if (signature.words < 3) return;
    uint32_t& minimum = signature.minima[triple >> 58];
    minimum = std::min(minimum, static_cast<uint32_t>(triple));
  });
  return signature;
}

double similarity(const TextSignature& a, const TextSignature& b) {
  if (a.words < kFewestWords || b.words < kFewestWords) return 0;
  size_t equal = 0;
  size_t filled = 0;
  for (size_t i = 0; i < a.minima.size(); ++i) {
    if (a.minima[i] == kEmpty && b.minima[i] == kEmpty) continue;
    ++filled;
    equal += a.minima[i] == b.minima[i];
  }
  return filled == 0 ? 0 : static_cast<double>(equal) / static_cast<double>(filled);
}

std::optional<uint64_t> NearDuplicates::add(uint64_t id, std::string_view text) {
  const TextSignature signature = make_signature(text);
  if (signature.words < kFewestWords) return std::nullopt;
  const auto index = static_cast<uint32_t>(entries_.size());
  std::optional<uint64_t> best;
  double best_similarity = threshold_;
  std::unordered_set<uint32_t> seen;
  for (size_t band = 0; band < kBands; ++band) {
    const auto* minima = signature.minima.data() + band * kRows;
    // Bands of short texts are mostly empty and would bring everything together.
    if (std::count(minima, minima + kRows, kEmpty) > 2) continue;
    uint64_t hash = band;
    for (size_t row = 0; row < kRows; ++row) hash = mix(hash * 31 + minima[row]);
    std::vector<uint32_t>& others = bands_[hash];
    constexpr size_t kMostCandidates = 64;
    for (size_t i = 0; i < std::min(others.size(), kMostCandidates); ++i) {
      if (!seen.insert(others[i]).second) continue;
      const double alike = similarity(signature, entries_[others[i]].signature);
      if (alike < best_similarity || (best && alike == best_similarity)) continue;
      best_similarity = alike;
      best = entries_[others[i]].id;
    }
    others.push_back(index);
  }
  entries_.push_back({id, signature});
  return best;
}

std::vector<std::string_view> paragraphs_of(std::string_view passage) {
  std::vector<std::string_view> paragraphs;
  while (!passage.empty()) {
    const size_t end = std::min(passage.find("\n\n"), passage.size());
    if (end > 0) paragraphs.push_back(passage.substr(0, end));
    passage.remove_prefix(std::min(end + 2, passage.size()));
  }
  return paragraphs;
}

void RepeatedParagraphs::add(std::string_view passage) {
  std::unordered_set<uint64_t> own;
  for (const std::string_view paragraph : paragraphs_of(passage)) {
    if (const auto hash = hash_of_words(paragraph)) own.insert(*hash);
  }
  for (const uint64_t hash : own) ++counts_[hash];
}

uint32_t RepeatedParagraphs::passages_with(std::string_view paragraph) const {
  const auto hash = hash_of_words(paragraph);
  const auto found = hash ? counts_.find(*hash) : counts_.end();
  return found == counts_.end() ? 0 : found->second;
}

}  // namespace mneme::chunking
