#include "rag/text/documents/document_vocabulary.h"

#include <algorithm>
#include <string>
#include <vector>

#include "rag/text/languages/document_words.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

WordSequences words(std::string_view list) {
  return {list, " "};
}

WordSequences phrases(std::string_view list) {
  return {list, ", "};
}

// Phrases apart by ", ", the words of each apart by a space.
std::vector<WordSequences> groups(std::string_view list) {
  std::vector<WordSequences> all;
  for_each_part(list, ", ", [&](std::string_view group) { all.push_back(words(group)); });
  return all;
}

// In these '#' stands for a word for documents, and is said by no question.
WordSequences held_phrases(std::string_view list) {
  std::string marked;
  for (const char c : list) marked += c == '#' ? std::string(kDocumentMark) : std::string(1, c);
  return phrases(marked);
}

std::vector<DocumentVocabulary::GistPhrase> gist_phrases(std::string_view list) {
  std::vector<DocumentVocabulary::GistPhrase> all;
  for_each_part(list, ", ", [&](std::string_view phrase) {
    const size_t mark = std::min(phrase.find('#'), phrase.size());
    const size_t behind = std::min(mark + 1, phrase.size());
    all.push_back({words_of(phrase.substr(0, mark)), words_of(phrase.substr(behind))});
  });
  return all;
}

TaskVocabulary task_vocabulary(const TaskWords& w) {
  return {.tasks = phrases(w.tasks),
          .headings = phrases(w.headings),
          .open = words(w.open),
          .done = words(w.done),
          .all = words(w.all),
          .around = words(w.around),
          .asking_open = phrases(w.asking_open),
          .asking_done = phrases(w.asking_done)};
}

DocumentVocabulary vocabulary_of(Language language, const DocumentWords& w) {
  return {.language = language,
          .names_first = w.names_first,
          .lead = words(w.lead),
          .closing = words(w.closing),
          .articles = words(w.articles),
          .joins = words(w.joins),
          .of = words(w.of),
          .asking = words(w.asking),
          .before_deed = words(w.before_deed),
          .newest = phrases(w.newest),
          .oldest = phrases(w.oldest),
          .last = words(w.last),
          .told = words(w.told),
          .changed = words(w.changed),
          .taken_in = words(w.taken_in),
          .doing = words(w.doing),
          .last_done = words(w.last_done),
          .first_done = words(w.first_done),
          .listing = words(w.listing),
          .how_many = phrases(w.how_many),
          .have = phrases(w.have),
          .held = held_phrases(w.held),
          .which = words(w.which),
          .telling = phrases(w.telling),
          .where_mentioned = phrases(w.where_mentioned),
          .mentioned = words(w.mentioned),
          .finding = phrases(w.finding),
          .gist = gist_phrases(w.gist),
          .writers = gist_phrases(w.writers),
          .around = words(w.around),
          .this_one = words(w.this_one),
          .sections = words(w.sections),
          .annexes = words(w.annexes),
          .place_asking = phrases(w.place_asking),
          .page = words(w.page),
          .showing = words(w.showing),
          .ordinals = groups(w.ordinals),
          .last_one = words(w.last_one),
          .numbered = words(w.numbered),
          .tasks = task_vocabulary(w.tasks)};
}

bool is_unspaced(Language language) {
  return language == Language::kChinese || language == Language::kJapanese || language == Language::kKorean;
}

}  // namespace

std::span<const DocumentVocabulary> document_vocabularies() {
  static const std::vector<DocumentVocabulary> kAll = [] {
    std::vector<DocumentVocabulary> all;
    for (const LanguageFacts* facts : all_languages()) {
      if (facts->documents != nullptr && !is_unspaced(facts->language))
        all.push_back(vocabulary_of(facts->language, *facts->documents));
    }
    return all;
  }();
  return kAll;
}

}  // namespace mneme::rag
