#include "rag/retrieval/answerability.h"

#include <algorithm>
#include <utility>

#include "rag/embedding/embedder.h"
#include "rag/retrieval/retriever.h"
#include "rag/text/definitions.h"
#include "rag/text/identifiers.h"
#include "rag/text/question_kind.h"
#include "rag/text/symbols.h"
#include "rag/text/word_forms.h"
#include "rag/text/words.h"
#include "storage/catalogue/lexical_terms.h"

namespace mneme::rag {

namespace {

constexpr double kDefines = 0.6;      // an answer's cue, of a definition
constexpr double kHeads = 0.5;        // share of the question's weight in title or headings
constexpr size_t kLeastCompound = 9;  // letters
constexpr size_t kOftenEnough = 3;    // what occurs so often in a passage is its matter

std::string named_text(const Hit& hit) {
  return called_by_path(hit.document) + "\n" + hit.title + "\n" + hit.heading_path;
}

std::string whole_text(const Hit& hit) {
  return named_text(hit) + "\n" + hit.text;
}

bool asks_definition(std::string_view question) {
  if (asks_particular(question)) return false;
  return kind_of_question(question) == QuestionKind::kDefinition && asked_spellings(question).empty();
}

std::unordered_set<std::string> terms_in(std::string_view text) {
  std::unordered_set<std::string> terms;
  storage::for_each_term(text, storage::TermPurpose::kDocument, [&](const storage::LexicalTerm& term) {
    terms.emplace(term.term);
    return true;
  });
  return terms;
}

}  // namespace

AnswerabilityJudge::AnswerabilityJudge(std::string_view question, QuestionTerms terms, const Embedder& embedder)
    : question_(question),
      weights_(std::move(terms)),
      embedder_(embedder),
      scorer_(
          question, [&](std::string_view term) { return weights_.idf(term); }, PassageScorer::Reads::kPlaces),
      names_(question, CalledNames::Which::kIdentifiers),
      thing_(words_of(asked_thing(question))),
      identifiers_(identifiers_in(question_)),
      writing_(writing_of(question)),
      unseen_(std::max(1e-6, weights_.idf_of_unseen())) {
  if (asks_definition(question)) {
    definitions_.emplace(question, nullptr, [&](std::string_view term) { return weights_.idf(term); });
  }
  find_terms();
}

AnswerabilityJudge::AskedTerm* AnswerabilityJudge::term_of(std::string_view word) {
  const std::string term = storage::term_of_word(word);
  const auto at =
      std::find_if(terms_.begin(), terms_.end(), [&](const AskedTerm& asked) { return asked.term == term; });
  return at == terms_.end() ? nullptr : &*at;
}

void AnswerabilityJudge::find_terms() {
  size_t n_unknown = 0;
  for (const std::string& term : weights_.terms()) {
    n_unknown += weights_.is_seen(term) ? 0 : 1;
    terms_.push_back({term, weights_.idf(term), {}});
  }
  if (!terms_.empty()) unknown_ = static_cast<double>(n_unknown) / static_cast<double>(terms_.size());
  WordScanner scanner(question_);
  for (Word word; scanner.next(word);) {
    AskedTerm* const asked = term_of(word.text);
    if (asked == nullptr) continue;
    for (const std::string_view relative : related_words(word.text))
      asked->relatives.push_back(storage::term_of_word(relative));
  }
  for (const std::string& name : names_in(question_)) {
    const auto at =
        std::find_if(terms_.begin(), terms_.end(), [&](const AskedTerm& asked) { return asked.term == name; });
    if (at != terms_.end()) proper_.push_back(&*at);
  }
  for (const AskedTerm& asked : terms_) {
    total_ += asked.weight;
    total_squared_ += asked.weight * asked.weight;
  }
}

bool AnswerabilityJudge::is_held(const AskedTerm& asked, const std::unordered_set<std::string>& passage) const {
  if (passage.contains(asked.term)) return true;
  const auto has = [&](const std::string& term) { return passage.contains(term); };
  if (std::any_of(asked.relatives.begin(), asked.relatives.end(), has)) return true;
  const bool form =
      std::any_of(passage.begin(), passage.end(), [&](const std::string& term) { return is_form(asked.term, term); });
  return form || is_held_in_parts(asked.term, passage);
}

// "Schlüsselkasten" where a key lies in a box.
bool AnswerabilityJudge::is_held_in_parts(std::string_view asked, const std::unordered_set<std::string>& passage) {
  if (asked.size() < kLeastCompound || static_cast<unsigned char>(asked.front()) >= 0xE0) return false;
  return std::any_of(passage.begin(), passage.end(), [&](const std::string& first) {
    return asked.starts_with(first) && std::any_of(passage.begin(), passage.end(), [&](const std::string& second) {
             return is_compound_of(asked, first, second);
           });
  });
}

void AnswerabilityJudge::count_words(std::string_view passage, AnswerEvidence& evidence) const {
  const std::unordered_set<std::string> there = terms_in(passage);
  double held = 0.0;
  double held_squared = 0.0;
  double rarest = 0.0;
  for (const AskedTerm& asked : terms_) {
    const bool is_there = is_held(asked, there);
    held += is_there ? asked.weight : 0.0;
    held_squared += is_there ? asked.weight * asked.weight : 0.0;
    if (asked.weight > rarest || (asked.weight == rarest && is_there)) {
      rarest = asked.weight;
      evidence.decisive = is_there ? 1.0 : 0.0;
    }
  }
  if (total_ <= 0.0) return;
  evidence.coverage = held / total_;
  evidence.rare = held_squared / total_squared_;
  evidence.held = held / unseen_;
  evidence.missing = (total_ - held) / unseen_;
  evidence.unknown = unknown_;
}

std::vector<AnswerEvidence> AnswerabilityJudge::look(std::span<const Hit> hits) const {
  std::vector<AnswerEvidence> looked;
  for (const Hit& hit : hits.first(std::min(hits.size(), kJudged))) {
    const std::string text = whole_text(hit);
    AnswerEvidence& evidence = looked.emplace_back();
    count_words(text, evidence);
    PassageEvidence places;
    scorer_.score(text, places);
    evidence.window = places.window;
    evidence.lead = places.lead;
  }
  return looked;
}

std::vector<AnswerEvidence> AnswerabilityJudge::look_at_all(std::span<const Hit> hits) const {
  std::vector<AnswerEvidence> looked = look(hits);
  const auto idf = [&](std::string_view term) { return weights_.idf(term); };
  const PassageScorer scorer(question_, idf);
  const SecondLook second_look(question_, nullptr, idf);
  const double floor = embedder_.similarity_floor();
  for (size_t i = 0; i < looked.size(); ++i) {
    const LookedAt passage{whole_text(hits[i]), named_text(hits[i]), called_by_path(hits[i].document)};
    PassageEvidence seen;
    scorer.score(passage.text, seen);
    second_look.look(passage, seen);
    looked[i].near = seen.near;
    looked[i].pairs = seen.pairs;
    looked[i].answer = seen.answer;
    looked[i].dense = std::max(0.0, (hits[i].dense_similarity - floor) / (1.0 - floor));
  }
  return looked;
}

bool AnswerabilityJudge::bears_names(std::span<const Hit> hits) const {
  return names_.empty() ||
         std::any_of(hits.begin(), hits.end(), [&](const Hit& hit) { return names_.share_in(whole_text(hit)) > 0.0; });
}

// Of what is asked about Berlin, a passage that names no such place says nothing, whatever else it holds.
bool AnswerabilityJudge::speaks_of_names(const Hit& hit) const {
  if (proper_.empty()) return true;
  const std::unordered_set<std::string> there = terms_in(whole_text(hit));
  return std::any_of(proper_.begin(), proper_.end(), [&](const AskedTerm* name) { return is_held(*name, there); });
}

bool AnswerabilityJudge::is_matter_of(const Hit& hit) const {
  PassageEvidence seen;
  definitions_->look({whole_text(hit), named_text(hit), {}, lowest_heading(hit.heading_path, hit.title)}, seen);
  if (seen.answer >= kDefines || has_entry(hit.text)) return true;
  AnswerEvidence named;
  count_words(named_text(hit), named);
  if (named.coverage >= kHeads) return true;
  size_t often = 0;
  for (const AskedTerm& asked : terms_) {
    size_t n = 0;
    storage::for_each_term(hit.text, storage::TermPurpose::kDocument, [&](const storage::LexicalTerm& term) {
      n += term.term == asked.term ? 1 : 0;
      return true;
    });
    often += n >= kOftenEnough ? 1 : 0;
  }
  return often == terms_.size();
}

bool AnswerabilityJudge::has_entry(std::string_view text) const {
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    if (is_entry_of(text.substr(begin, end - begin), thing_)) return true;
    begin = end + 1;
  }
  return false;
}

// Code defines its names without saying that it does.
bool AnswerabilityJudge::is_named_in_code(const Hit& hit) const {
  return hit.form == TextForm::kSource && std::any_of(identifiers_.begin(), identifiers_.end(),
                                      [&](std::string_view name) { return hit.text.find(name) != std::string::npos; });
}

bool AnswerabilityJudge::may_answer(std::span<const Hit> hits, std::span<const AnswerEvidence> evidence) const {
  if (hits.empty()) return false;
  if (total_ <= 0.0) return true;  // of nothing but grammar words: nothing in particular could be missing
  if (!bears_names(hits)) return false;
  for (size_t i = 0; i < evidence.size(); ++i) {
    if (answer_odds(evidence[i], writing_) < 0.0 || !speaks_of_names(hits[i])) continue;
    if (!definitions_.has_value() || writing_ == Writing::kUnspaced || is_matter_of(hits[i])) return true;
    if (is_named_in_code(hits[i])) return true;
  }
  return false;
}

}  // namespace mneme::rag
