#include "rag/retrieval/second_look.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "rag/chunking/text_units.h"
#include "rag/embedding/embedder.h"
#include "rag/text/symbols.h"
#include "rag/text/trigrams.h"
#include "rag/text/words.h"
#include "storage/catalogue/lexical_terms.h"

namespace mneme::rag {

namespace {

constexpr size_t kMaxSentences = 32;  // of a passage
constexpr size_t kMaxWords = 24;      // of a question
constexpr double kHeldShare = 0.5;    // what a sentence with the kind of answer but none of the words still counts

double dot(std::span<const float> a, std::span<const float> b) {
  float sum = 0.0f;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
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

// The different words of several texts, and which of them each text has.
struct Vocabulary {
  std::unordered_map<std::string, uint32_t> index;
  std::vector<std::vector<uint32_t>> of_text;
};

Vocabulary vocabulary_of(std::span<const LookedAt> passages) {
  Vocabulary vocabulary;
  for (const LookedAt& passage : passages) {
    std::vector<uint32_t>& words = vocabulary.of_text.emplace_back();
    WordScanner scanner(passage.text);
    Word word;
    while (scanner.next(word)) {
      words.push_back(
          vocabulary.index.emplace(word.text, static_cast<uint32_t>(vocabulary.index.size())).first->second);
    }
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
  }
  return vocabulary;
}

}  // namespace

SecondLook::SecondLook(std::string_view question, const Embedder* embedder,
                       const std::function<double(std::string_view)>& idf)
    : question_(question),
      embedder_(embedder != nullptr && embedder->is_quick() ? embedder : nullptr),
      kind_(kind_of_question(question)),
      names_(question),
      symbols_(lone_symbols(question)),
      terms_(PassageScorer::terms_of(question)) {
  for (const std::string& term : terms_) weights_.push_back(idf(term));
  WordScanner scanner(question_);
  Word word;
  while (scanner.next(word)) {
    asked_.emplace(stem_of(word.text));
    if (is_stop_word(word.text) || words_.size() >= kMaxWords) continue;
    // The weight of the term this word becomes; words that become several are rare enough to count as one.
    const std::vector<std::string> terms = storage::lexical_terms(word.text);
    words_.push_back({std::string(word.text), terms.empty() ? 0.0 : idf(terms.front())});
  }
  if (embedder_ == nullptr) return;
  question_vector_.resize(static_cast<size_t>(embedder_->dim()));
  const std::string_view text = question_;
  if (!embedder_->embed({&text, 1}, EmbedKind::kQuery, question_vector_).ok()) question_vector_.clear();
}

void SecondLook::look(std::span<const LookedAt> passages, std::span<PassageEvidence> evidence) const {
  look_at_spelling(passages, evidence);
  look_at_words(passages, evidence);
  for (size_t i = 0; i < passages.size(); ++i) {
    evidence[i].named = names_.share_in(passages[i].name);
    for (const std::string& symbol : symbols_) {
      const double share = 1.0 / static_cast<double>(symbols_.size());
      evidence[i].symbols += has_lone_symbol(passages[i].text, symbol) ? share : 0.0;
    }
    look_at_sentences(passages[i], evidence[i]);
  }
}

void SecondLook::look_at_spelling(std::span<const LookedAt> passages, std::span<PassageEvidence> evidence) const {
  const TrigramQuery spelling(question_);
  std::vector<TrigramCounts> counts;
  for (const LookedAt& passage : passages) counts.push_back(spelling.count(passage.text));
  const std::vector<double> scores = spelling.scores(counts, true);
  for (size_t i = 0; i < passages.size(); ++i) evidence[i].spelling = scores[i];
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

void SecondLook::look_at_sentences(const LookedAt& passage, PassageEvidence& evidence) const {
  const std::vector<std::string_view> sentences = sentences_of(passage.text);
  for (const std::string_view sentence : sentences) {
    const double cue = answer_cue(kind_, sentence, asked_);
    if (cue <= 0.0) continue;
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

// For each word of the question the likeliest of the passage, weighted by rarity.
void SecondLook::look_at_words(std::span<const LookedAt> passages, std::span<PassageEvidence> evidence) const {
  if (question_vector_.empty() || words_.empty()) return;
  const size_t width = question_vector_.size();
  const Vocabulary vocabulary = vocabulary_of(passages);
  std::vector<std::string_view> texts(vocabulary.index.size());
  for (const auto& [word, index] : vocabulary.index) texts[index] = word;
  std::vector<float> rows(texts.size() * width);
  std::vector<std::string_view> asked;
  for (const QuestionWord& word : words_) asked.push_back(word.text);
  std::vector<float> questions(asked.size() * width);
  if (!embedder_->embed(texts, EmbedKind::kPassage, rows).ok()) return;
  if (!embedder_->embed(asked, EmbedKind::kQuery, questions).ok()) return;
  double total = 0.0;
  for (size_t q = 0; q < words_.size(); ++q) {
    const std::span<const float> question(questions.data() + q * width, width);
    std::vector<float> likeness(texts.size());
    for (size_t w = 0; w < texts.size(); ++w) {
      likeness[w] = static_cast<float>(dot(question, std::span<const float>(rows.data() + w * width, width)));
    }
    for (size_t i = 0; i < passages.size(); ++i) {
      float best = 0.0f;
      for (const uint32_t word : vocabulary.of_text[i]) best = std::max(best, likeness[word]);
      evidence[i].words += words_[q].weight * double{best};
    }
    total += words_[q].weight;
  }
  for (PassageEvidence& e : evidence) e.words = total > 0.0 ? e.words / total : 0.0;
}

}  // namespace mneme::rag
