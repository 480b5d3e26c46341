#include "rag/text/documents/asked_tasks.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "rag/text/documents/document_vocabulary.h"
#include "rag/text/documents/unspaced_asked.h"
#include "rag/text/languages/document_words.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/words/placed_words.h"

namespace mneme::rag {

namespace {

using Which = AskedTasks::Which;
using Words = std::span<const PlacedWord>;

constexpr size_t kMostTopicWords = 5;
constexpr size_t kLongestHeading = 48;  // bytes

// Where the question names tasks, or asks for them without a word for them.
struct Naming {
  size_t begin = 0;
  size_t n_words = 0;
  std::optional<Which> which;  // unset: what stands around it tells
};

void take_longer(Words words, const WordSequences& phrases, std::optional<Which> which, Naming& best) {
  for (size_t i = 0; i < words.size(); ++i) {
    const size_t n = phrases.at_front(words.subspan(i));
    if (n > best.n_words) best = {i, n, which};
  }
}

Naming naming_in(Words words, const TaskVocabulary& v) {
  Naming best;
  take_longer(words, v.asking_open, Which::kOpen, best);
  take_longer(words, v.asking_done, Which::kDone, best);
  take_longer(words, v.tasks, std::nullopt, best);
  return best;
}

// What says nothing of a matter, before the naming or behind it.
class Around {
 public:
  explicit Around(const DocumentVocabulary& v) : v_(v) {}

  Words without(Words words) const {
    while (const size_t n = at_front(words)) words = words.subspan(n);
    while (const size_t n = at_back(words)) words = words.first(words.size() - n);
    return words;
  }

 private:
  bool is_so(const PlacedWord& word) const {
    const std::string_view text = word.text;
    return v_.lead.has(text) || v_.closing.has(text) || v_.articles.has(text) || v_.joins.has(text) ||
           v_.listing.has(text) || v_.doing.has(text) || v_.tasks.around.has(text) || v_.tasks.open.has(text) ||
           v_.tasks.done.has(text);
  }
  // Tasks may be named twice: "quelles tâches restent à faire".
  size_t at_front(Words words) const {
    if (const size_t named = v_.tasks.tasks.at_front(words); named > 0) return named;
    return !words.empty() && is_so(words.front()) ? 1 : 0;
  }
  size_t at_back(Words words) const {
    if (const size_t named = v_.tasks.tasks.at_back(words); named > 0) return named;
    return !words.empty() && is_so(words.back()) ? 1 : 0;
  }

  const DocumentVocabulary& v_;
};

Which which_of(Words words, const DocumentVocabulary& v) {
  if (v.tasks.done.has_any(words)) return Which::kDone;
  return v.tasks.all.has_any(words) && !v.tasks.open.has_any(words) ? Which::kAll : Which::kOpen;
}

AskedTasks tasks_in(std::string_view question, Words words, const DocumentVocabulary& v) {
  const Naming naming = naming_in(words, v.tasks);
  if (naming.n_words == 0) return {};
  const Words before = words.first(naming.begin);
  const Words behind = words.subspan(naming.begin + naming.n_words);
  if (!behind.empty() && v.before_deed.has(behind.front().text)) return {};  // "what do I have to do to ..."
  const Around around(v);
  const Words left = around.without(before);
  const Words right = around.without(behind);
  const Words topic = left.empty() ? right : left;
  if ((!left.empty() && !right.empty()) || topic.size() > kMostTopicWords || v.asking.has_any(topic)) return {};
  std::vector<PlacedWord> rest(before.begin(), before.end());
  rest.insert(rest.end(), behind.begin(), behind.end());
  return {true, naming.which.value_or(which_of(rest, v)),
          topic.empty() ? std::string() : std::string(spanned(question, topic))};
}

}  // namespace

AskedTasks asked_tasks(std::string_view question) {
  const std::vector<PlacedWord> words = placed_words(question);
  AskedTasks asked = asked_in_any_language(
      question, [&](const DocumentVocabulary& vocabulary) { return tasks_in(question, words, vocabulary); });
  return asked.is_asked ? asked : unspaced_tasks(question);
}

bool is_task_heading(std::string_view text) {
  if (text.empty() || text.size() > kLongestHeading) return false;
  const std::vector<PlacedWord> words = placed_words(text);
  const auto& all = document_vocabularies();
  const bool spaced = std::any_of(all.begin(), all.end(), [&](const DocumentVocabulary& v) {
    const Words rest = without_front(words, v.tasks.open);
    return v.tasks.tasks.is_whole(rest) || v.tasks.headings.is_whole(words);
  });
  return spaced || is_unspaced_task_heading(text);
}

std::string task_words(std::string_view question) {
  const LanguageFacts& facts = facts_of(language_of(question));
  std::string words = "to do todo";
  if (facts.documents == nullptr) return words;
  for (const std::string_view list : {facts.documents->tasks.tasks, facts.documents->tasks.headings}) {
    words += " ";
    for (const char c : list) words += c == ',' ? ' ' : c;
  }
  return words;
}

}  // namespace mneme::rag
