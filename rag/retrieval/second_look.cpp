#include "rag/retrieval/second_look.h"

#include <algorithm>
#include <numeric>

#include "rag/chunking/text_units.h"
#include "rag/embedding/embedder.h"
#include "rag/retrieval/passage_scorer.h"
#include "rag/text/quantities.h"
#include "rag/text/script_runs.h"
#include "rag/text/symbols.h"
#include "rag/text/trigrams.h"
#include "rag/text/words.h"
#include "storage/catalogue/lexical_terms.h"

namespace mneme::rag {

namespace {

constexpr size_t kMaxSentences = 32;   // of a passage
constexpr double kDefines = 0.8;       // a cue above this says what the thing is, not only what it does
constexpr double kUnderItsName = 0.7;  // a cue of definition: a page or section that is headed by the thing alone
constexpr double kHeldShare = 0.5;     // what a sentence with the kind of answer but none of the words still counts

double dot(std::span<const float> a, std::span<const float> b) {
  float sum = 0.0f;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

std::vector<std::string> stems_in(std::string_view text) {
  std::vector<std::string> stems;
  WordScanner scanner(text);
  for (Word word; scanner.next(word);) stems.emplace_back(stem_of(word.text));
  return stems;
}

std::vector<std::string_view> sentences_of(std::string_view text) {
  std::vector<std::string_view> sentences;
  size_t begin = 0;
  for (const size_t end : chunking::sentence_ends(text)) {
    if (end > begin) sentences.push_back(text.substr(begin, end - begin));
    begin = end;
    if (sentences.size() >= kMaxSentences) break;
  }
  return sentences;
}

}  // namespace

SecondLook::SecondLook(std::string_view question, const Embedder* embedder,
                       const std::function<double(std::string_view)>& idf)
    : question_(question),
      embedder_(embedder != nullptr && embedder->is_quick() ? embedder : nullptr),
      kind_(kind_of_question(question)),
      unit_(asked_unit(question)),
      names_(question),
      labels_(question),
      symbols_(asked_spellings(question)),
      terms_(PassageScorer::terms_of(question)) {
  for (const std::string& term : terms_) weights_.push_back(idf(term));
  WordScanner scanner(question_);
  for (Word word; scanner.next(word);) asked_.emplace(stem_of(word.text));
  thing_ = stems_in(asked_thing(question_));
  if (embedder_ == nullptr) return;
  question_vector_.resize(static_cast<size_t>(embedder_->dim()));
  const std::string_view text = question_;
  if (!embedder_->embed({&text, 1}, EmbedKind::kQuery, question_vector_).ok()) question_vector_.clear();
}

void SecondLook::look(std::span<const LookedAt> passages, std::span<PassageEvidence> evidence) const {
  look_at_whole(passages, evidence);
  for (size_t i = 0; i < passages.size(); ++i) look_at_sentences(passages[i], evidence[i]);
}

PassageEvidence SecondLook::with_best_sentences(PassageEvidence evidence) const {
  if (kind_ == QuestionKind::kDefinition) evidence.defines = 1.0;
  if (has_cues(kind_)) evidence.answer = 1.0;
  if (!question_vector_.empty()) evidence.sentence = 1.0;  // both vectors are of unit length
  return evidence;
}

void SecondLook::look_at_whole(std::span<const LookedAt> passages, std::span<PassageEvidence> evidence) const {
  look_at_spelling(passages, evidence);
  if (written_without_spaces(question_)) look_at_runs(passages, evidence);
  for (size_t i = 0; i < passages.size(); ++i) {
    evidence[i].named = names_.share_in(passages[i].name);
    evidence[i].path = held_in(passages[i].path);
    const uint64_t title = labels_.taken_by(passages[i].title);
    if (title != 0) evidence[i].labelled = labels_.best_share(passages[i].text, title);
    for (const std::string& symbol : symbols_) {
      const double share = 1.0 / static_cast<double>(symbols_.size());
      evidence[i].symbols += has_spelling(passages[i].text, symbol) ? share : 0.0;
    }
  }
}

void SecondLook::look_at_spelling(std::span<const LookedAt> passages, std::span<PassageEvidence> evidence) const {
  const TrigramQuery spelling(question_);
  std::vector<TrigramCounts> counts;
  for (const LookedAt& passage : passages) counts.push_back(spelling.count(passage.text));
  const std::vector<double> scores = spelling.scores(counts, true);
  for (size_t i = 0; i < passages.size(); ++i) evidence[i].spelling = scores[i];
}

void SecondLook::look_at_runs(std::span<const LookedAt> passages, std::span<PassageEvidence> evidence) const {
  std::vector<std::string_view> texts;
  for (const LookedAt& passage : passages) texts.push_back(passage.text);
  const std::vector<double> shares = ScriptRuns(question_).shares(texts);
  for (size_t i = 0; i < passages.size(); ++i) evidence[i].runs = shares[i];
}

// The share of the question's weight among a sentence's terms.
double SecondLook::held_in(std::string_view sentence) const {
  std::vector<bool> found(terms_.size());
  storage::for_each_term(sentence, storage::TermPurpose::kDocument, [&](const storage::LexicalTerm& term) {
    const auto at = std::find(terms_.begin(), terms_.end(), term.term);
    if (at != terms_.end()) found[static_cast<size_t>(at - terms_.begin())] = true;
    return true;
  });
  double held = 0.0;
  for (size_t i = 0; i < terms_.size(); ++i) held += found[i] ? weights_[i] : 0.0;
  const double total = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  return total > 0.0 ? held / total : 0.0;
}

// "# tar", and under it what tar does, as in manuals and dictionaries: the lowest heading is the thing and no more.
bool SecondLook::is_headed_by_thing(const LookedAt& passage) const {
  return !thing_.empty() && stems_in(passage.heading) == thing_;
}

void SecondLook::look_at_sentences(const LookedAt& passage, PassageEvidence& evidence) const {
  if (question_vector_.empty() && !has_cues(kind_)) return;
  if (is_headed_by_thing(passage)) evidence.defines = std::max(evidence.defines, kUnderItsName);
  const std::vector<std::string_view> sentences = sentences_of(passage.text);
  for (const std::string_view sentence : sentences) {
    const double cue = answer_cue(kind_, sentence, asked_, unit_);
    if (cue <= 0.0) continue;
    if (kind_ == QuestionKind::kDefinition && cue >= kDefines) evidence.defines = std::max(evidence.defines, cue);
    evidence.answer = std::max(evidence.answer, cue * (kHeldShare + (1.0 - kHeldShare) * held_in(sentence)));
  }
  if (question_vector_.empty()) return;
  std::vector<float> rows(sentences.size() * question_vector_.size());
  if (!embedder_->embed(sentences, EmbedKind::kPassage, rows).ok()) return;
  for (size_t s = 0; s < sentences.size(); ++s) {
    const std::span<const float> row(rows.data() + s * question_vector_.size(), question_vector_.size());
    evidence.sentence = std::max(evidence.sentence, dot(row, question_vector_));
  }
}

}  // namespace mneme::rag
