#include "rag/answering/sources/other_words.h"

#include <algorithm>
#include <utility>

#include "rag/answering/sources/answered_reading.h"
#include "rag/retrieval/retriever.h"
#include "rag/text/asked/action.h"
#include "rag/text/languages/notes.h"
#include "rag/text/variants/synonyms.h"
#include "rag/text/words/words.h"
#include "rag/workspace.h"

namespace mneme::rag {
namespace {

// Searches: each takes a third of the time of an answer, and what is refused is to take no more than twice as long.
constexpr size_t kMostTries = 2;
constexpr size_t kMostSynonyms = 2;  // of one word
constexpr double kSaysItAll = 0.9;   // of the question, by what answers it: another word is doubt enough

// "How do I resize a picture?" for "How do I make a picture smaller?"; empty for other questions.
std::string asked_of_size(std::string_view question) {
  constexpr std::string_view kMake = " make ";
  constexpr std::string_view kSizes[] = {" smaller", " bigger", " larger"};
  const size_t make = question.find(kMake);
  if (make == std::string_view::npos) return {};
  for (const std::string_view size : kSizes) {
    const size_t at = question.find(size, make + kMake.size());
    if (at == std::string_view::npos) continue;
    std::string said(question.substr(0, make));
    said.append(" resize ").append(question.substr(make + kMake.size(), at - make - kMake.size()));
    return said.append(question.substr(at + size.size()));
  }
  return {};
}

// The first synonym of every word before the second of any.
void add_synonyms(std::string_view question, std::vector<OtherWords>& others) {
  std::vector<SynonymSpot> spots = synonym_spots(question);
  const std::string action = asked_action(question);
  std::stable_partition(spots.begin(), spots.end(), [&](const SynonymSpot& spot) {
    return folded_text(question.substr(spot.begin, spot.end - spot.begin)) != action;
  });
  for (size_t i = 0; i < kMostSynonyms; ++i) {
    for (const SynonymSpot& spot : spots) {
      if (i >= spot.synonyms.size()) continue;
      const std::string word(question.substr(spot.begin, spot.end - spot.begin));
      std::string said(question);
      said.replace(spot.begin, word.size(), spot.synonyms[i]);
      others.push_back({std::move(said), note_for(question, &NoteTexts::not_all_with,
                                                  {{"word", word}, {"other", std::string(spot.synonyms[i])}})});
    }
  }
}

}  // namespace

std::vector<OtherWords> in_other_words(std::string_view question) {
  std::vector<OtherWords> others;
  if (const std::string resizing = asked_of_size(question); !resizing.empty()) {
    others.push_back({resizing, note_for(question, &NoteTexts::looked_for, {{"other", "resize"}})});
    add_synonyms(resizing, others);
  }
  add_synonyms(question, others);
  return others;
}

Status find_in_other_words(Workspace& workspace, const Asked& asked, QuestionSources& found) {
  const std::vector<OtherWords> others = in_other_words(found.query);
  if (others.empty() || is_answered(found, workspace.embedder(), kSaysItself)) return {};
  SearchOptions search = asked.options.search;
  search.judge = true;
  Retriever retriever(workspace);
  size_t n_tried = 0;
  for (const OtherWords& other : others) {
    if (n_tried++ >= kMostTries) break;
    MNEME_ASSIGN_OR_RETURN(SearchResult result, retriever.search(other.question, search, asked.cancel));
    if (!result.answerable.value_or(false)) continue;
    QuestionSources read;
    read.hits = std::move(result.hits);
    read.query = std::move(result.query);
    if (!is_answered(read, workspace.embedder(), kSaysItAll)) continue;
    found.hits = std::move(read.hits);
    found.query = std::move(read.query);
    found.answerable = true;
    found.notes = std::move(result.notes);
    found.notes.push_back(other.note);
    return {};
  }
  return {};
}

}  // namespace mneme::rag
