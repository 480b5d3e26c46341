#include "rag/quoting/talk_evidence.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "rag/quoting/outline/line_shapes.h"
#include "rag/quoting/outline/said_marks.h"
#include "rag/quoting/outline/sentence_shapes.h"
#include "rag/text/asked/question_kind.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

// When a message was written and by whom, as readers tell it or as it stood in the file.
size_t mark_of(std::string_view raw) {
  return std::max(said_mark(raw), message_stamp(raw));
}

}  // namespace

size_t question_before(const std::vector<OutlinePart>& parts, size_t i) {
  constexpr size_t kMessages = 2;
  size_t messages = 0;
  for (size_t at = i; at > 0 && !is_question(parts[i].raw); --at) {
    if (parts[at].span.is_heading()) return i;
    const bool message = mark_of(parts[at].raw) > 0;
    messages += message ? 1 : 0;
    if (is_question(parts[at - 1].raw)) return at == i || messages > 0 ? at - 1 : i;
    if (messages > kMessages || (messages == 0 && at + 1 < i)) return i;
  }
  return i;
}

double share_of_asked(const AskedPassages& asked, const std::vector<OutlinePart>& parts, size_t asks) {
  constexpr std::string_view kStandFor[] = {"it", "they", "them", "he", "she", "him", "her", "es", "sie", "er", "ihn"};
  const std::string_view said = parts[asks].raw.substr(mark_of(parts[asks].raw));
  if (kind_of_question(said) != asked.question().kind) return 0.0;
  std::set<std::string> known;
  double share = asked.wanted().share_of(parts[asks].stems, known);
  const std::vector<std::string> words = words_of(said);
  const bool leans = std::any_of(words.begin(), words.end(), [&](const auto& word) { return one_of(word, kStandFor); });
  for (size_t i = asks; leans && i > 0 && i + 2 > asks; --i)
    share += asked.wanted().share_of(parts[i - 1].stems, known);
  return share;
}

}  // namespace mneme::rag
