#include "rag/answering/standalone_query.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "rag/answering/exchanged_thing.h"
#include "rag/text/question_kind.h"
#include "rag/text/stop_words.h"
#include "rag/text/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kMaxAdded = 12;  // words taken over from earlier turns
constexpr size_t kTurnsBack = 3;

bool one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_pronoun(std::string_view word) {
  static constexpr std::array<std::string_view, 44> kPronouns = {
      "it",    "its", "they", "them",   "their", "this",  "that",  "these",  "those", "he",    "she",
      "him",   "her", "his",  "hers",   "there", "one",   "ones",  "both",   "er",    "ihn",   "ihm",
      "diese", "sie", "es",   "dieser", "dort",  "davon", "damit", "dessen", "deren", "il",    "elle",
      "ils",   "ca",  "cela", "lui",    "ello",  "esto",  "eso",   "eux",    "leur",  "dafur", "dazu"};
  return one_of(word, kPronouns);
}

bool begins_continuation(std::string_view word) {
  static constexpr std::array<std::string_view, 12> kBeginnings = {"and",  "but",  "or", "then", "also", "und",
                                                                   "oder", "aber", "et", "mais", "y",    "so"};
  return one_of(word, kBeginnings);
}

// Chinese and Japanese words that point back.
bool has_wide_pronoun(std::string_view question) {
  for (const std::string_view word :
       {"它", "他", "她", "这个", "那个", "这些", "那些", "それ", "これ", "あれ", "その", "彼"}) {
    if (question.find(word) != std::string_view::npos) return true;
  }
  return question.ends_with("呢") || question.ends_with("呢？") || question.ends_with("呢?");
}

size_t n_content_words(std::string_view question) {
  size_t n = 0;
  WordScanner scanner(question);
  Word word;
  while (scanner.next(word)) n += is_stop_word(word.text) ? 0 : 1;
  return n;
}

// "Where is the stopcock?" says all that it asks, "why?" and "in winter?" do not.
bool is_whole(const std::vector<std::string>& words) {
  constexpr size_t kLeastWords = 3;
  return words.size() >= kLeastWords && (begins_english_question(words.front()) || words.front() == "wo" ||
                                         words.front() == "wer" || words.front() == "was" || words.front() == "wann");
}

}  // namespace

bool is_follow_up(std::string_view question) {
  const std::vector<std::string> words = words_of(question);
  if (words.empty()) return true;
  if (begins_continuation(words.front())) return true;
  const std::string folded = folded_text(question);
  for (const std::string_view beginning :
       {"what about", "how about", "what else", "why not", "was ist mit", "et pour"}) {
    if (folded.starts_with(beginning)) return true;
  }
  if (has_wide_pronoun(question)) return true;
  if (std::any_of(words.begin(), words.end(), [](const std::string& word) { return is_pronoun(word); })) return true;
  const size_t n = n_content_words(question);
  return n == 0 || (n == 1 && !is_whole(words));
}

std::string standalone_query(std::string_view question, std::span<const Turn> history) {
  std::string query(question);
  if (history.empty() || !is_follow_up(question)) return query;
  const std::string before = standalone_query(history.back().question, history.first(history.size() - 1));
  if (std::optional<std::string> exchanged = with_thing_exchanged(before, question)) return *std::move(exchanged);
  std::unordered_set<std::string> present;
  for (const std::string& word : words_of(question)) present.emplace(stem_of(word));
  size_t added = 0;
  // The newest question first; when it leans on an earlier one itself, that one too.
  for (size_t back = 0; back < std::min(kTurnsBack, history.size()); ++back) {
    const Turn& turn = history[history.size() - 1 - back];
    WordScanner scanner(turn.question);
    Word word;
    size_t run_end = 0;  // pairs of one run are joined again
    while (scanner.next(word) && added < kMaxAdded) {
      if (is_stop_word(word.text) || is_pronoun(word.text)) continue;
      if (!present.emplace(stem_of(word.text)).second) continue;
      const size_t begin = word.pair ? std::max<size_t>(word.byte_begin, run_end) : word.byte_begin;
      if (begin >= word.byte_end) continue;
      if (!(word.pair && run_end == begin && run_end > 0)) query += " ";
      query += std::string_view(turn.question).substr(begin, word.byte_end - begin);
      run_end = word.byte_end;
      ++added;
    }
    if (!is_follow_up(turn.question)) break;
  }
  return query;
}

}  // namespace mneme::rag
