#include "rag/text/trigrams.h"

#include <cmath>
#include <string>

#include "base/utf8.h"
#include "rag/text/words.h"

namespace mneme::rag {

namespace {

constexpr double kSaturation = 1.2;
constexpr double kLengthShare = 0.75;
constexpr int kBitsPerCharacter = 21;

// Visits the trigrams of a text as it is compared: folded, words one space apart, a space before and after.
template <typename Visit>
void for_each_trigram(std::string_view text, const Visit& visit) {
  const std::string folded = " " + folded_text(text) + " ";
  constexpr uint64_t kMask = (uint64_t{1} << (3 * kBitsPerCharacter)) - 1;
  uint64_t window = 0;
  int filled = 0;
  for (size_t offset = 0; offset < folded.size();) {
    window = ((window << kBitsPerCharacter) | utf8::next(folded, offset)) & kMask;
    if (++filled >= 3) visit(window);
  }
}

}  // namespace

TrigramQuery::TrigramQuery(std::string_view question) {
  for_each_trigram(question, [&](uint64_t trigram) { index_.emplace(trigram, static_cast<uint32_t>(index_.size())); });
}

TrigramCounts TrigramQuery::count(std::string_view text) const {
  TrigramCounts counts;
  counts.count.resize(index_.size());
  for_each_trigram(text, [&](uint64_t trigram) {
    ++counts.total;
    if (const auto at = index_.find(trigram); at != index_.end() && counts.count[at->second] < UINT16_MAX) {
      ++counts.count[at->second];
    }
  });
  return counts;
}

std::vector<double> TrigramQuery::scores(const std::vector<TrigramCounts>& texts, bool saturated) const {
  std::vector<double> scores(texts.size());
  const double n = static_cast<double>(texts.size());
  double length = 0.0;
  for (const TrigramCounts& text : texts) length += text.total;
  const double average = std::max(1.0, length / std::max(1.0, n));
  double total = 0.0;
  for (size_t t = 0; t < index_.size(); ++t) {
    double holders = 0.0;
    for (const TrigramCounts& text : texts) holders += text.count[t] > 0 ? 1.0 : 0.0;
    if (holders == 0.0) continue;  // cannot tell one text from another
    const double weight = std::log(1.0 + (n - holders + 0.5) / (holders + 0.5));
    total += weight;
    for (size_t i = 0; i < texts.size(); ++i) {
      const double f = texts[i].count[t];
      if (f == 0.0) continue;
      const double norm = kSaturation * (1.0 - kLengthShare + kLengthShare * texts[i].total / average);
      scores[i] += saturated ? weight * f / (f + norm) : weight;
    }
  }
  if (total > 0.0) {
    for (double& score : scores) score /= total;
  }
  return scores;
}

}  // namespace mneme::rag
