#include "rag/text/words/spelling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "base/utf8.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr double kSaturation = 1.2;
constexpr double kLengthShare = 0.75;
constexpr int kBitsPerCharacter = 16;  // of rare scripts the lowest: two runs that meet so are told apart no more
constexpr int kWidest = 64 / kBitsPerCharacter;
constexpr size_t kSlotsPerByte = 4;  // of the question

}  // namespace

// Visits the runs of a text as it is compared: folded, words one space apart, a space before and after.
template <typename Visit>
void SpellingQuery::for_each_run(std::string_view text, const Visit& visit) const {
  const std::string folded = " " + folded_text(text) + " ";
  const uint64_t mask = ~uint64_t{0} >> (64 - width_ * kBitsPerCharacter);
  uint64_t window = 0;
  int filled = 0;
  for (size_t offset = 0; offset < folded.size();) {
    const auto byte = static_cast<unsigned char>(folded[offset]);
    const char32_t character = byte < 0x80 ? (++offset, byte) : utf8::next(folded, offset);
    window = ((window << kBitsPerCharacter) | (character & ((1U << kBitsPerCharacter) - 1))) & mask;
    if (++filled >= width_) visit(window);
  }
}

SpellingQuery::SpellingQuery(std::string_view question, int width)
    : width_(std::clamp(width, 1, kWidest)), slots_(std::bit_ceil(kSlotsPerByte * (question.size() + 4))) {
  for_each_run(question, [&](uint64_t run) { add(run); });
}

size_t SpellingQuery::first_slot(uint64_t run) const {
  constexpr uint64_t kGolden = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio: spreads neighbours far apart
  return ((run * kGolden) >> 32) & (slots_.size() - 1);
}

void SpellingQuery::add(uint64_t run) {
  size_t at = first_slot(run);
  while (slots_[at].number >= 0 && slots_[at].run != run) at = (at + 1) & (slots_.size() - 1);
  if (slots_[at].number < 0) slots_[at] = {run, static_cast<int32_t>(n_runs_++)};
}

int32_t SpellingQuery::number_of(uint64_t run) const {
  size_t at = first_slot(run);
  while (slots_[at].number >= 0 && slots_[at].run != run) at = (at + 1) & (slots_.size() - 1);
  return slots_[at].number;
}

SpellingCounts SpellingQuery::count(std::string_view text) const {
  SpellingCounts counts;
  counts.count.resize(n_runs_);
  for_each_run(text, [&](uint64_t run) {
    ++counts.total;
    const int32_t number = number_of(run);
    if (number >= 0 && counts.count[static_cast<size_t>(number)] < UINT16_MAX) {
      ++counts.count[static_cast<size_t>(number)];
    }
  });
  return counts;
}

std::vector<double> SpellingQuery::scores(std::span<const SpellingCounts> texts, bool saturated) const {
  std::vector<double> scores(texts.size());
  const double n = static_cast<double>(texts.size());
  double length = 0.0;
  for (const SpellingCounts& text : texts) length += text.total;
  const double average = std::max(1.0, length / std::max(1.0, n));
  double total = 0.0;
  for (size_t t = 0; t < n_runs_; ++t) {
    double holders = 0.0;
    for (const SpellingCounts& text : texts) holders += text.count[t] > 0 ? 1.0 : 0.0;
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
