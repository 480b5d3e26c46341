// A question's words with what each weighs among the sentences that could be quoted, and what may stand for it there:
// other forms, what one who does it is called, synonyms. Ownership: copies what it keeps. Threads: one owner until the
// last weigh(), then pure functions.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "rag/quoting/outline/passage_outline.h"
#include "rag/text/asked/question_kind.h"
#include "rag/text/languages/language.h"
#include "rag/text/variants/compounds.h"
#include "rag/text/variants/joined_verbs.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

class UnspacedWords;

class WantedWords {
 public:
  explicit WantedWords(std::string_view question);

  // A passage of which something may be quoted; all of them before weigh().
  void add(const PassageOutline& outline);
  // Words that count as the given one, which a sentence may say besides; before weigh().
  void let_stand_for(std::string_view word, const std::vector<std::string_view>& others);
  // Takes the words of a text, each counting `share` of its rarity. leaves_out: words (folded) that only ask.
  void weigh(std::string_view text, double share, const std::function<bool(std::string_view)>& leaves_out);

  // The share of all weight among these stems that is not in `known` yet; they are then.
  double share_of(const std::vector<std::string>& stems, std::set<std::string>& known) const;
  // What one word weighs of all; 0 where it is not wanted or told of nowhere.
  double share_of_word(const std::string& stem) const;
  // Whether nothing but wanted words, and at most grammar words between them, are here.
  bool all_asked(const std::vector<std::string>& stems) const;
  // Whether no word is wanted, told of here or not, but these.
  bool all_among(const std::unordered_set<std::string>& stems) const;
  // Whether some word is wanted that no passage has, and none that any has but these.
  bool knows_only(const std::unordered_set<std::string>& stems) const;
  // Whether no passage has any of these words (folded), nor what may stand for it.
  bool are_nowhere(const std::vector<std::string>& words) const;
  // Whether any passage has, or has above it, every word that is not among these.
  bool knows_all_but(const std::unordered_set<std::string>& stems) const;
  // Whether it is one of them, told of by some of the passages.
  bool wants(const std::string& stem) const { return weight_.contains(stem); }
  // Wanted words that are not among these.
  size_t n_beside(const std::vector<std::string>& stems) const;

  // The share of the words that any passage has, or has above it: of "wedding dress" a half where no dress is told of.
  double share_known() const;

  // Of "what colour is the sofa" what "colour" weighs; 0 where nothing is asked by the word for its kind
  // (rag/text/asked/quality.h). wants_only_quality(): whether the question says nothing else.
  double share_of_quality() const;
  bool wants_only_quality() const;

  bool empty() const { return total_ <= 0.0; }
  bool spaced() const { return spaced_; }  // written with spaces between words
  // Stems of all the question's words, which are no news in an answer.
  const std::unordered_set<std::string>& asked() const { return asked_; }

 private:
  void weigh_words(std::string_view text, double share, const std::function<bool(std::string_view)>& leaves_out,
                   const UnspacedWords* unspaced);
  int find_forms(const std::string& stem);
  int find_inflections(const std::string& stem);
  int find_kinds(const std::string& stem, bool is_said);
  int find_parts(const std::string& stem);
  int find_thing_of_duration(const std::string& stem);
  int find_joined(std::string_view word, const std::string& stem);
  int find_month(std::string_view word, const std::string& stem);
  int n_telling(const Word& word, const std::string& stem, bool is_measure);
  bool is_told_otherwise(std::string_view word) const;
  void add_areas(std::string_view word, std::vector<std::string_view>& relatives) const;
  int find_relatives(std::string_view word, const std::string& stem);
  double rarity_above(const std::string& stem) const;

  const QuestionKind kind_;
  const bool wants_person_;
  const bool wants_somebody_;  // or how to reach them
  const Language language_;
  const bool compounds_;  // where a compound is a kind of its last word
  const bool inflects_;   // where words of one root end in many ways
  const bool asks_price_;
  const bool asks_owed_;       // when: what is to be paid is due
  const std::string measure_;  // "long" of "how long"
  const std::string quality_;  // "colour" of "what colour"
  const std::vector<JoinedVerb> joined_;
  std::unordered_set<std::string> asked_;
  std::unordered_map<std::string, int> sentences_with_;
  std::unordered_map<std::string, int> contexts_with_;
  double n_sentences_ = 0;
  int n_passages_ = 0;
  std::unordered_map<std::string, double> weight_;
  std::unordered_map<std::string, std::string> form_of_;  // words of the passages that stand for one of the question
  double total_ = 0.0;
  std::set<std::string> nowhere_;  // words that no passage has, nor what stands above it
  bool spaced_ = true;
};

}  // namespace mneme::rag
