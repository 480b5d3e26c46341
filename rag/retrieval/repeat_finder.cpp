#include "rag/retrieval/repeat_finder.h"

#include "rag/text/languages/stop_words.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

// A paragraph in one other passage may be what two versions of a page say; in more it belongs to none of them.
constexpr uint32_t kManyPassages = 2;

std::set<std::string> stems_in(std::string_view text) {
  std::set<std::string> stems;
  WordScanner scanner(text);
  for (Word word; scanner.next(word);) {
    if (!is_stop_word(word.text)) stems.emplace(stem_of(word.text));
  }
  return stems;
}

}  // namespace

RepeatFinder::RepeatFinder(std::string_view question) : asked_(stems_in(question)) {}

std::set<std::string> RepeatFinder::asked_in(std::string_view text) const {
  std::set<std::string> found;
  for (const std::string& stem : stems_in(text)) {
    if (asked_.contains(stem)) found.insert(stem);
  }
  return found;
}

bool RepeatFinder::is_repeat(std::string_view passage) {
  const bool nearly_equal = known_.add(n_taken_++, passage).has_value();
  std::set<std::string> own;
  bool shares = false;
  for (const std::string_view paragraph : chunking::paragraphs_of(passage)) {
    const bool shared = paragraphs_.passages_with(paragraph) >= kManyPassages;
    shares = shares || shared;
    if (!shared) own.merge(asked_in(paragraph));
  }
  paragraphs_.add(passage);
  return nearly_equal || (shares && own.size() * 2 < asked_in(passage).size());
}

}  // namespace mneme::rag
