#include "rag/text/variants/synonyms.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "base/utf8.h"
#include "rag/text/languages/language.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/variants/synonym_groups.h"
#include "rag/text/words/word_groups.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

bool is_wide(std::string_view word) {
  return static_cast<unsigned char>(word.front()) >= 0xE0;
}

// Lines of the table by the stem of a word with spaces around it, or by the whole of one without.
struct Index {
  std::unordered_multimap<std::string, size_t> by_stem;
  std::vector<std::pair<std::string_view, size_t>> wide;  // the longest first

  Index() {
    for (size_t line = 0; line < synonym_groups().size(); ++line) {
      for_each_word(synonym_groups()[line], [&](std::string_view word) {
        if (is_wide(word)) {
          wide.emplace_back(word, line);
        } else {
          by_stem.emplace(regular_stem_of(word), line);
        }
      });
    }
    std::stable_sort(wide.begin(), wide.end(),
                     [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
  }
};

const Index& index() {
  static const Index kIndex;
  return kIndex;
}

void add_line(size_t line, std::string_view but, std::vector<std::string_view>& synonyms) {
  for_each_word(synonym_groups()[line], [&](std::string_view word) {
    const bool itself = is_wide(word) ? word == but : stem_of(word) == stem_of(but);
    if (!itself && std::find(synonyms.begin(), synonyms.end(), word) == synonyms.end()) synonyms.push_back(word);
  });
}

// Of 駐車場 the 車 is no word of its own.
bool is_part_of_word(std::string_view text, size_t begin, size_t end) {
  constexpr size_t kIdeograph = 3;  // bytes
  const auto ideograph_at = [&](size_t at) {
    const char32_t c = utf8::next(text, at);
    return c >= 0x4E00 && c <= 0x9FFF;
  };
  if (end - begin > kIdeograph) return false;
  return (end < text.size() && ideograph_at(end)) || (begin >= kIdeograph && ideograph_at(begin - kIdeograph));
}

void add_wide_spots(std::string_view text, std::vector<SynonymSpot>& spots) {
  for (const auto& [word, line] : index().wide) {
    for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + word.size())) {
      const size_t end = at + word.size();
      const bool taken = std::any_of(spots.begin(), spots.end(),
                                     [&](const SynonymSpot& spot) { return spot.begin < end && at < spot.end; });
      if (taken || is_part_of_word(text, at, end)) continue;
      SynonymSpot spot{at, end, {}};
      add_line(line, word, spot.synonyms);
      spots.push_back(std::move(spot));
    }
  }
}

}  // namespace

std::vector<std::string_view> synonyms_of(std::string_view folded) {
  std::vector<std::string_view> synonyms;
  const auto [first, last] = index().by_stem.equal_range(regular_stem_of(folded));
  for (auto at = first; at != last; ++at) add_line(at->second, folded, synonyms);
  return synonyms;
}

std::vector<SynonymSpot> synonym_spots(std::string_view text) {
  std::vector<SynonymSpot> spots;
  const Language language = language_of(text);
  const bool nouns_begin_large = language == Language::kGerman;
  WordScanner scanner(text);
  Word word;
  for (bool first = true; scanner.next(word); first = false) {
    const char begin = text[word.byte_begin];
    const bool is_name = !nouns_begin_large && !first && begin >= 'A' && begin <= 'Z';
    if (word.pair || is_stop_word(word.text, language) || is_name) continue;
    std::vector<std::string_view> synonyms = synonyms_of(word.text);
    if (!synonyms.empty()) spots.push_back({word.byte_begin, word.byte_end, std::move(synonyms)});
  }
  add_wide_spots(text, spots);
  std::sort(spots.begin(), spots.end(), [](const SynonymSpot& a, const SynonymSpot& b) { return a.begin < b.begin; });
  return spots;
}

}  // namespace mneme::rag
