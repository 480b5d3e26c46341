#include "rag/retrieval/second_look.h"

#include <algorithm>

#include "rag/chunking/text_units.h"
#include "rag/embedding/embedder.h"
#include "rag/text/asked/quantity.h"
#include "rag/text/told/answer_cue.h"
#include "rag/text/told/definitions.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kMaxSentences = 32;     // of a passage
constexpr double kDefines = 0.8;         // a cue above this says what the thing is, not only what it does
constexpr double kUnderItsName = 0.7;    // a cue of definition: a page or section that is headed by the thing alone
constexpr size_t kLongestEntry = 64;     // bytes of such a heading
constexpr double kShortFormOnly = 0.35;  // ... and it is a short form that is not spelled out there
constexpr double kHeldShare = 0.5;       // what a sentence with the kind of answer but none of the words still counts

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
      document_(question),
      unit_(asked_unit(question)),
      short_form_(short_form_asked(question)),
      scorer_(question, idf, PassageScorer::Reads::kPlaces) {
  WordScanner scanner(question_);
  for (Word word; scanner.next(word);) asked_.emplace(stem_of(word.text));
  thing_ = stems_in(asked_thing(question_));
  if (!thing_.empty()) asked_ = {thing_.begin(), thing_.end()};
  if (embedder_ == nullptr) return;
  question_vector_.resize(static_cast<size_t>(embedder_->dim()));
  const std::string_view text = question_;
  if (!embedder_->embed({&text, 1}, EmbedKind::kQuery, question_vector_).ok()) question_vector_.clear();
}

PassageEvidence SecondLook::with_best_sentences(PassageEvidence evidence) const {
  if (!thing_.empty() || kind_ == QuestionKind::kDefinition || unit_ == kIntroduced || document_.is_asked())
    evidence.defines = 1.0;
  if (has_cues(kind_)) evidence.answer = 1.0;
  if (!question_vector_.empty()) evidence.sentence = 1.0;  // both vectors are of unit length
  return evidence;
}

// "# tar", and under it what tar does, as in manuals and dictionaries: the lowest heading is the thing and no more; so
// are entries of a glossary within the passage. A short form is told of best where its letters are spelled out.
double SecondLook::headed_by_thing(const LookedAt& passage) const {
  if (thing_.empty()) return 0.0;
  if (!short_form_.empty() && !long_form(passage.name, short_form_).empty()) return 1.0;
  const double unspelled = short_form_.empty() ? kUnderItsName : kShortFormOnly;
  double best = stems_in(passage.heading) == thing_ ? unspelled : 0.0;
  const std::string_view text = passage.text;
  for (size_t at = text.find("\n#"); at != std::string_view::npos; at = text.find("\n#", at + 1)) {
    const size_t end = std::min(text.find('\n', at + 1), text.size());
    if (end - at > kLongestEntry || stems_in(text.substr(at, end - at)) != thing_) continue;
    const bool spelled = !short_form_.empty() && opens_with_long_form(text.substr(end), short_form_);
    best = std::max(best, spelled ? 1.0 : unspelled);
  }
  return best;
}

// Where a document's name is asked for: how much of the question a sentence holds that names one, or speaks of its own.
double SecondLook::names_document(std::string_view sentence) const {
  const double names = document_.is_named_in(sentence) ? 1.0 : document_.speaks_of_itself(sentence);
  return names > 0.0 ? names * scorer_.share_in(sentence) : 0.0;
}

void SecondLook::look(const LookedAt& passage, PassageEvidence& evidence) const {
  if (question_vector_.empty() && !has_cues(kind_) && thing_.empty() && !document_.is_asked()) return;
  evidence.defines = std::max(evidence.defines, headed_by_thing(passage));
  const std::vector<std::string_view> sentences = sentences_of(passage.text);
  for (const std::string_view sentence : sentences) {
    if (document_.is_asked()) evidence.defines = std::max(evidence.defines, names_document(sentence));
    const double cue = has_cues(kind_) ? answer_cue(kind_, sentence, asked_, unit_) : 0.0;
    if (cue <= 0.0) continue;
    if ((kind_ == QuestionKind::kDefinition || unit_ == kIntroduced) && cue >= kDefines)
      evidence.defines = std::max(evidence.defines, cue);
    evidence.answer = std::max(evidence.answer, cue * (kHeldShare + (1.0 - kHeldShare) * scorer_.share_in(sentence)));
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
